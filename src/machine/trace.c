/* SPDX-License-Identifier: MIT */
#include "machine/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "machine/trace_events.h"
#include "machine/tracer_parse.h"

enum {
	DIR_BYTES = 256,
	PATH_BYTES = DIR_BYTES + 96,
	FILE_MAX_BYTES = 1 << 20,
};

struct nf_trace {
	struct nf_journal *journal; /* borrowed until stop */
	struct nf_event_log *log; /* borrowed until stop */
	char dir[DIR_BYTES]; /* where tracefs is mounted */
	struct nf_journal_entry *made; /* the instance; owned by the journal */
	struct tracefs_instance *in; /* owned */
	struct tep_handle *tep; /* owned */
	struct nf_trace_rows rows;
	cpu_set_t *cpus; /* owned; those that are read */
	size_t cpus_bytes;
	bool tracing;
};

/* --- what is there --- */

static int find_tracefs(const struct nf_rootfs *root, char ret[DIR_BYTES], struct nf_err *err)
{
	struct nf_buf mounts;
	int r;

	nf_buf_init(&mounts, FILE_MAX_BYTES);
	r = nf_rootfs_read(root, "proc/mounts", &mounts, err);
	if (r == 0 && !nf_tracer_find_tracefs(mounts.data, ret, DIR_BYTES))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "the kernel's trace events cannot be read: tracefs is not mounted (as "
		            "root: mount -t tracefs tracefs /sys/kernel/tracing)");
	nf_buf_fini(&mounts);
	return r;
}

/* "[local] global x86-tsc": the one in use stands in brackets. */
static bool has_clock(char *list, const char *clock)
{
	for (char *p = list; *p; p++)
		if (*p == '[' || *p == ']')
			*p = ' ';
	return nf_tracer_has_word(list, clock);
}

static int check(const struct nf_rootfs *root, const char *clock, char ret_dir[DIR_BYTES],
                 struct nf_err *err)
{
	struct nf_buf list;
	struct nf_err why;
	char path[PATH_BYTES];
	int r;

	r = find_tracefs(root, ret_dir, err);
	if (r < 0)
		return r;
	nf_buf_init(&list, FILE_MAX_BYTES);
	snprintf(path, sizeof(path), "%s/trace_clock", ret_dir + 1);
	r = nf_rootfs_read(root, path, &list, &why);
	if (r == -NF_EOS && (why.os_errno == EACCES || why.os_errno == EPERM))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "%s is not readable by this user: the kernel's trace events need root",
		            ret_dir);
	else if (r == -NF_EOS || r == -NF_ENODATA)
		r = nf_fail(err, NF_EUNSUPPORTED, "no list of trace clocks: %.300s", why.msg);
	else if (r < 0 && err)
		*err = why;
	else if (r == 0 && !has_clock(list.data, clock))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "this kernel cannot stamp trace events with the clock %s", clock);
	nf_buf_fini(&list);
	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "%s/events/sched/sched_switch/format", ret_dir + 1);
	if (!nf_rootfs_exists(root, path))
		return nf_fail(err, NF_EUNSUPPORTED,
		               "this kernel has no trace event sched_switch (CONFIG_EVENT_TRACING, "
		               "as in kernels of distributions)");
	return 0;
}

int nf_trace_check(const struct nf_rootfs *root, const char *clock, struct nf_err *err)
{
	char dir[DIR_BYTES];

	return check(root, clock, dir, err);
}

/* --- the instance --- */

static int failed_at(const struct nf_trace *t, int os_errno, const char *file, struct nf_err *err)
{
	const char *name = tracefs_instance_get_name(t->in);

	if (os_errno == EPERM || os_errno == EACCES)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s/instances/%s/%s: not permitted (as root, without lockdown)",
		               t->dir, name, file);
	return nf_fail_os(err, os_errno, "%s/instances/%s/%s", t->dir, name, file);
}

static int write_instance(struct nf_trace *t, const char *file, const char *value,
                          struct nf_err *err)
{
	if (tracefs_instance_file_write(t->in, file, value) >= 0)
		return 0;
	return failed_at(t, errno, file, err);
}

static int make_instance(struct nf_trace *t, const char *clock, struct nf_err *err)
{
	char name[32], path[PATH_BYTES];
	int r;

	snprintf(name, sizeof(name), "nf-%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/instances/%s", t->dir, name);
	r = nf_journal_mkdir(t->journal, path, &t->made, err);
	if (r < 0)
		return r;
	t->in = tracefs_instance_alloc(t->dir, name);
	if (!t->in)
		return nf_fail_os(err, errno, "open the tracing instance %s", path);
	if ((r = write_instance(t, "tracing_on", "0", err)) < 0)
		return r;
	return write_instance(t, "trace_clock", clock, err);
}

/* Buffers of the traced CPUs only: an instance has one on every CPU. */
static int set_cpus(struct nf_trace *t, const struct nf_cpuset *cpus, uint64_t buffer_kb,
                    struct nf_err *err)
{
	struct nf_buf mask;
	char kb[24];
	int last = -1, r;

	snprintf(kb, sizeof(kb), "%" PRIu64, buffer_kb);
	nf_buf_init(&mask, FILE_MAX_BYTES);
	nf_tracer_print_mask(cpus, &mask);
	r = nf_buf_failed(&mask, "a mask of CPUs", err);
	if (r == 0)
		r = write_instance(t, "tracing_cpumask", mask.data, err);
	nf_buf_fini(&mask);
	for (int cpu = -1; r == 0 && (cpu = nf_cpuset_next(cpus, cpu)) >= 0; last = cpu) {
		char file[64];

		snprintf(file, sizeof(file), "per_cpu/cpu%d/buffer_size_kb", cpu);
		r = write_instance(t, file, kb, err);
	}
	if (r < 0)
		return r;
	t->cpus_bytes = CPU_ALLOC_SIZE((size_t)last + 1);
	t->cpus = calloc(1, t->cpus_bytes);
	if (!t->cpus)
		return nf_fail_nomem(err, "a set of CPUs", t->cpus_bytes);
	for (int cpu = -1; (cpu = nf_cpuset_next(cpus, cpu)) >= 0;)
		CPU_SET_S((size_t)cpu, t->cpus_bytes, t->cpus);
	return 0;
}

static int load_events(struct nf_trace *t, struct nf_err *err)
{
	static const char *const systems[] = { "irq_vectors", "irq", "sched", "nmi", NULL };

	t->tep = tracefs_local_events_system(t->dir, systems);
	if (!t->tep)
		return nf_fail_os(err, errno, "read the layout of events from %s/events", t->dir);
	return nf_trace_rows_find(t->tep, t->log, &t->rows, err);
}

static int enable_events(struct nf_trace *t, struct nf_err *err)
{
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct tep_event *ev = t->rows.row[i].event;

		if (tracefs_event_enable(t->in, ev->system, ev->name) < 0)
			return failed_at(t, errno, ev->name, err);
	}
	return 0;
}

/* Ends everything and frees, going on after a failure; the first one is returned. */
static int finish(struct nf_trace *t, struct nf_err *err)
{
	bool gone; /* by somebody else: as good */
	struct nf_err later;
	int first = 0, r;

	if (t->tracing) {
		first = write_instance(t, "tracing_on", "0", err);
		r = nf_trace_drain(t, first ? &later : err);
		first = first ? first : r;
		r = nf_event_log_finish(t->log, first ? &later : err);
		first = first ? first : r;
	}
	nf_trace_rows_fini(&t->rows);
	tep_free(t->tep);
	/* An instance with open files cannot be removed. */
	tracefs_instance_free(t->in);
	r = nf_journal_undo(t->journal, t->made, &gone, first ? &later : err);
	free(t->cpus);
	free(t);
	return first ? first : r;
}

int nf_trace_start(const struct nf_rootfs *root, struct nf_journal *journal,
                   const struct nf_trace_cfg *cfg, struct nf_event_log *log, struct nf_trace **ret,
                   struct nf_err *err)
{
	struct nf_trace *t;
	int r;

	if (!root->live)
		return nf_fail(err, NF_EUNSUPPORTED, "a captured host has no events to trace");
	if (nf_cpuset_count(cfg->cpus) == 0)
		return nf_fail(err, NF_EARG, "trace: an empty list of CPUs");
	t = calloc(1, sizeof(*t));
	if (!t)
		return nf_fail_nomem(err, "a trace", sizeof(*t));
	t->journal = journal;
	t->log = log;
	r = check(root, cfg->clock, t->dir, err);
	if (r < 0) {
		free(t);
		return r;
	}
	if ((r = make_instance(t, cfg->clock, err)) == 0 &&
	    (r = set_cpus(t, cfg->cpus, cfg->buffer_kb, err)) == 0 &&
	    (r = load_events(t, err)) == 0 && (r = enable_events(t, err)) == 0)
		r = write_instance(t, "tracing_on", "1", err);
	if (r < 0) {
		/* The first failure is the one to tell; what could not be put back stays in the
		 * journal, which tries again when it is closed. */
		struct nf_err later;

		(void)finish(t, &later);
		return r;
	}
	t->tracing = true;
	*ret = t;
	return 0;
}

/* --- events --- */

struct drain {
	struct nf_trace *t;
	int result;
	struct nf_err why;
};

static int on_event(struct tep_event *ev, struct tep_record *rec, int cpu, void *ctx)
{
	struct drain *d = ctx;
	struct nf_event_log *log = d->t->log;
	struct nf_event_track *track = nf_event_log_track(log, cpu);

	if (!track)
		return 0;
	/* A negative number stands for an unknown one. */
	if (rec->missed_events != 0) {
		int64_t n = rec->missed_events > 0 ? (int64_t)rec->missed_events : 0;

		d->result = nf_event_log_put(log, track, (int64_t)rec->ts, NF_EVENT_LOST, 0,
		                             n < UINT32_MAX ? (uint32_t)n : UINT32_MAX, &d->why);
	}
	if (d->result == 0)
		d->result = nf_trace_record(&d->t->rows, ev, rec, log, track, &d->why);
	return d->result;
}

int nf_trace_drain(struct nf_trace *t, struct nf_err *err)
{
	struct drain d = { .t = t };
	int r = tracefs_iterate_raw_events(t->tep, t->in, t->cpus, (int)t->cpus_bytes, on_event,
	                                   &d);

	if (d.result != 0) {
		if (err)
			*err = d.why;
		return d.result;
	}
	if (r < 0)
		return nf_fail_os(err, errno, "read events of %s/instances/%s", t->dir,
		                  tracefs_instance_get_name(t->in));
	return 0;
}

int nf_trace_stop(struct nf_trace *t, struct nf_err *err)
{
	return finish(t, err);
}
