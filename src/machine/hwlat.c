/* SPDX-License-Identifier: MIT */
/*
 * The order matters, on the way in and, reversed, on the way out. The tracer is chosen while the
 * instance is off, and only then the threshold is set: choosing it makes the kernel put its own
 * default into tracing_thresh, so the value found there is the one to put back, and dropping the
 * tracer restores what was there before (kernel/trace/trace_hwlat.c). A run that is killed leaves
 * the journal, which is undone newest first: threshold, width and window, then the instance, whose
 * removal makes the kernel drop the tracer.
 */
#include "machine/hwlat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "machine/hwlat_parse.h"

enum {
	DIR_BYTES = 256,
	PATH_BYTES = DIR_BYTES + 64,
	FILE_MAX_BYTES = 1 << 20,
	BUFFER_KB = 256, /* per CPU: thousands of reports between two drains */
};

struct nf_hwlat {
	struct nf_journal *journal; /* borrowed until stop */
	char dir[DIR_BYTES]; /* where tracefs is mounted */
	struct nf_journal_entry *made; /* the instance; owned by the journal */
	struct nf_journal_entry *limit[2]; /* window and width in the order they were set */
	struct nf_journal_entry *threshold;
	struct tracefs_instance *in; /* owned */
	struct tep_handle *tep; /* owned */
	bool tracing;
	bool chosen; /* the tracer is set in the instance */
	int64_t t0_ns;
};

static int find_tracefs(const struct nf_rootfs *root, char ret[DIR_BYTES], struct nf_err *err)
{
	struct nf_buf mounts;
	int r;

	nf_buf_init(&mounts, FILE_MAX_BYTES);
	r = nf_rootfs_read(root, "proc/mounts", &mounts, err);
	if (r == 0 && !nf_hwlat_find_tracefs(mounts.data, ret, DIR_BYTES))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "tracefs is not mounted (as root: mount -t tracefs nodev "
		            "/sys/kernel/tracing)");
	nf_buf_fini(&mounts);
	return r;
}

static int check(const struct nf_rootfs *root, char ret_dir[DIR_BYTES], struct nf_err *err)
{
	struct nf_buf list;
	struct nf_err why;
	char path[PATH_BYTES];
	int r;

	r = find_tracefs(root, ret_dir, err);
	if (r < 0)
		return r;
	nf_buf_init(&list, FILE_MAX_BYTES);
	snprintf(path, sizeof(path), "%s/available_tracers", ret_dir + 1);
	r = nf_rootfs_read(root, path, &list, &why);
	if (r == -NF_EOS && (why.os_errno == EACCES || why.os_errno == EPERM))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "%s is not readable by this user: the hwlat tracer needs root",
		            ret_dir);
	else if (r == -NF_EOS || r == -NF_ENODATA)
		r = nf_fail(err, NF_EUNSUPPORTED, "no list of tracers: %.300s", why.msg);
	else if (r < 0 && err)
		*err = why;
	else if (r == 0 && !nf_hwlat_has_word(list.data, "hwlat"))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "this kernel has no hwlat tracer (CONFIG_HWLAT_TRACER=y, as in rt "
		            "kernels of distributions)");
	nf_buf_fini(&list);
	return r;
}

int nf_hwlat_check(const struct nf_rootfs *root, struct nf_err *err)
{
	char dir[DIR_BYTES];

	return check(root, dir, err);
}

static void path_of(const struct nf_hwlat *h, const char *name, char ret[PATH_BYTES])
{
	snprintf(ret, PATH_BYTES, "%s/%s", h->dir, name);
}

static int set(struct nf_hwlat *h, const char *name, int64_t value_us,
               struct nf_journal_entry **ret, struct nf_err *err)
{
	char path[PATH_BYTES], text[24];

	path_of(h, name, path);
	snprintf(text, sizeof(text), "%" PRId64, value_us);
	return nf_journal_set(h->journal, path, text, ret, err);
}

static int get(const struct nf_rootfs *root, const struct nf_hwlat *h, const char *name,
               int64_t *ret, struct nf_err *err)
{
	char path[PATH_BYTES];

	path_of(h, name, path);
	return nf_rootfs_read_i64(root, path + 1, ret, err);
}

/* The kernel refuses a width above the window: the larger change goes first. */
static int set_limits(struct nf_hwlat *h, const struct nf_rootfs *root,
                      const struct nf_hwlat_cfg *cfg, struct nf_err *err)
{
	static const char *const name[2] = { "hwlat_detector/window", "hwlat_detector/width" };
	int64_t want[2] = { cfg->window_us, cfg->width_us }, now_window;
	int r = get(root, h, name[0], &now_window, err);
	size_t first;

	if (r < 0)
		return r;
	first = want[0] > now_window ? 0 : 1;
	for (size_t i = 0; i < 2 && r == 0; i++) {
		size_t which = i == 0 ? first : 1 - first;

		if (want[which] > 0)
			r = set(h, name[which], want[which], &h->limit[i], err);
	}
	return r;
}

static int write_instance(struct nf_hwlat *h, const char *file, const char *value,
                          struct nf_err *err)
{
	if (tracefs_instance_file_write(h->in, file, value) >= 0)
		return 0;
	if (errno == EBUSY && strcmp(file, "current_tracer") == 0)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "the hwlat tracer is in use by another program: stop it first");
	return nf_fail_os(err, errno, "%s/instances/%s/%s", h->dir,
	                  tracefs_instance_get_name(h->in), file);
}

static int make_instance(struct nf_hwlat *h, struct nf_err *err)
{
	char name[40], path[PATH_BYTES], kb[16];
	int r;

	snprintf(name, sizeof(name), "noisefloor-%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/instances/%s", h->dir, name);
	r = nf_journal_mkdir(h->journal, path, &h->made, err);
	if (r < 0)
		return r;
	h->in = tracefs_instance_alloc(h->dir, name);
	if (!h->in)
		return nf_fail_os(err, errno, "open the tracing instance %s", path);
	snprintf(kb, sizeof(kb), "%d", BUFFER_KB);
	if ((r = write_instance(h, "tracing_on", "0", err)) < 0 ||
	    (r = write_instance(h, "trace_clock", "mono", err)) < 0)
		return r;
	return write_instance(h, "buffer_size_kb", kb, err);
}

/* Before the tracer is chosen. The mask goes with the instance. */
static int set_cpus(struct nf_hwlat *h, const struct nf_cpuset *cpus, struct nf_err *err)
{
	struct nf_buf mask;
	int r;

	if (!cpus)
		return 0;
	if (nf_cpuset_count(cpus) == 0)
		return nf_fail(err, NF_EARG, "hwlat: an empty list of CPUs");
	nf_buf_init(&mask, FILE_MAX_BYTES);
	nf_hwlat_print_mask(cpus, &mask);
	r = nf_buf_failed(&mask, "a mask of CPUs", err);
	if (r == 0)
		r = write_instance(h, "tracing_cpumask", mask.data, err);
	nf_buf_fini(&mask);
	return r;
}

int nf_hwlat_cpus(struct nf_hwlat *h, struct nf_cpuset *ret, struct nf_err *err)
{
	char *text = tracefs_instance_file_read(h->in, "tracing_cpumask", NULL);
	int r;

	if (!text)
		return nf_fail_os(err, errno, "%s/instances/%s/tracing_cpumask", h->dir,
		                  tracefs_instance_get_name(h->in));
	r = nf_hwlat_parse_mask(text, ret, err);
	free(text);
	return r;
}

static int load_event(struct nf_hwlat *h, struct nf_err *err)
{
	static const char *const systems[] = { "ftrace", NULL };

	h->tep = tracefs_local_events_system(h->dir, systems);
	if (!h->tep)
		return nf_fail_os(err, errno, "read the layout of events from %s/events", h->dir);
	if (!tep_find_event_by_name(h->tep, "ftrace", "hwlat"))
		return nf_fail(err, NF_EUNSUPPORTED, "%s/events/ftrace has no hwlat event", h->dir);
	return 0;
}

static int now_ns(int64_t *ret, struct nf_err *err)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
		return nf_fail_os(err, errno, "clock_gettime");
	*ret = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	return 0;
}

static int start(struct nf_hwlat *h, const struct nf_rootfs *root, const struct nf_hwlat_cfg *cfg,
                 struct nf_hwlat_settings *ret_got, struct nf_err *err)
{
	struct nf_hwlat_settings got;
	int r;

	if ((r = make_instance(h, err)) < 0 || (r = set_cpus(h, cfg->cpus, err)) < 0 ||
	    (r = load_event(h, err)) < 0 || (r = set_limits(h, root, cfg, err)) < 0 ||
	    (r = write_instance(h, "current_tracer", "hwlat", err)) < 0)
		return r;
	h->chosen = true;
	if (cfg->threshold_us > 0 &&
	    (r = set(h, "tracing_thresh", cfg->threshold_us, &h->threshold, err)) < 0)
		return r;
	if ((r = get(root, h, "hwlat_detector/window", &got.window_us, err)) < 0 ||
	    (r = get(root, h, "hwlat_detector/width", &got.width_us, err)) < 0 ||
	    (r = get(root, h, "tracing_thresh", &got.threshold_us, err)) < 0 ||
	    (r = now_ns(&h->t0_ns, err)) < 0 || (r = write_instance(h, "tracing_on", "1", err)) < 0)
		return r;
	h->tracing = true;
	*ret_got = got;
	return 0;
}

/* Puts everything back and frees, going on after a failure; the first one is returned. */
static int finish(struct nf_hwlat *h, bool *ret_left_alone, struct nf_err *err)
{
	struct nf_journal_entry *after[3] = { h->limit[1], h->limit[0], h->made };
	bool left = false, any_left = false;
	struct nf_err later;
	int first, r;

	first = h->tracing ? write_instance(h, "tracing_on", "0", err) : 0;
	r = nf_journal_undo(h->journal, h->threshold, &left, first ? &later : err);
	first = first ? first : r;
	any_left = any_left || left;
	if (h->chosen) {
		r = write_instance(h, "current_tracer", "nop", first ? &later : err);
		first = first ? first : r;
	}
	tep_free(h->tep);
	/* An instance with open files cannot be removed. */
	tracefs_instance_free(h->in);
	for (size_t i = 0; i < 3; i++) {
		left = false;
		r = nf_journal_undo(h->journal, after[i], &left, first ? &later : err);
		first = first ? first : r;
		any_left = any_left || left;
	}
	free(h);
	if (first == 0 && ret_left_alone)
		*ret_left_alone = any_left;
	return first;
}

int nf_hwlat_start(const struct nf_rootfs *root, struct nf_journal *journal,
                   const struct nf_hwlat_cfg *cfg, struct nf_hwlat **ret,
                   struct nf_hwlat_settings *ret_got, struct nf_err *err)
{
	struct nf_hwlat *h;
	int r;

	if (!root->live)
		return nf_fail(err, NF_EUNSUPPORTED, "a captured host has no tracer to start");
	if (cfg->window_us < 0 || cfg->width_us < 0 || cfg->threshold_us < 0 ||
	    (cfg->window_us > 0 && cfg->width_us > cfg->window_us))
		return nf_fail(err, NF_EARG,
		               "hwlat: window %" PRId64 " us, width %" PRId64
		               " us, threshold %" PRId64
		               " us: none may be negative, the width at most the window",
		               cfg->window_us, cfg->width_us, cfg->threshold_us);
	h = calloc(1, sizeof(*h));
	if (!h)
		return nf_fail_nomem(err, "the hwlat tracer", sizeof(*h));
	h->journal = journal;
	if ((r = check(root, h->dir, err)) < 0 ||
	    (r = nf_journal_lock(journal, "tracer", err)) < 0) {
		free(h);
		return r;
	}
	r = start(h, root, cfg, ret_got, err);
	if (r < 0) {
		/* The first failure is the one to tell; what could not be put back stays in the
		 * journal, which tries again when it is closed. */
		struct nf_err later;

		(void)finish(h, NULL, &later);
		return r;
	}
	*ret = h;
	return 0;
}

struct drain {
	struct nf_hwlat *h;
	struct tep_event *wanted;
	nf_hwlat_fn *fn;
	void *ctx;
	uint64_t missed;
	int result; /* non-zero: stopped */
	struct nf_err why;
};

static int on_event(struct tep_event *ev, struct tep_record *rec, int cpu, void *ctx)
{
	struct drain *d = ctx;
	struct nf_hwlat_gap gap;

	/* A negative number stands for an unknown one. */
	if (rec->missed_events != 0)
		d->missed += rec->missed_events > 0 ? (uint64_t)rec->missed_events : 1;
	if (ev != d->wanted)
		return 0;
	d->result = nf_hwlat_decode(ev, rec, cpu, d->h->t0_ns, &gap, &d->why);
	if (d->result == 0)
		d->result = d->fn(d->ctx, &gap);
	return d->result;
}

int nf_hwlat_drain(struct nf_hwlat *h, nf_hwlat_fn *fn, void *ctx, uint64_t *ret_missed,
                   struct nf_err *err)
{
	struct drain d = {
		.h = h,
		.wanted = tep_find_event_by_name(h->tep, "ftrace", "hwlat"),
		.fn = fn,
		.ctx = ctx,
	};
	int r = tracefs_iterate_raw_events(h->tep, h->in, NULL, 0, on_event, &d);

	*ret_missed += d.missed;
	if (d.result != 0) {
		if (d.why.code != NF_OK && err)
			*err = d.why;
		return d.result;
	}
	if (r < 0)
		return nf_fail_os(err, errno, "read events of %s/instances/%s", h->dir,
		                  tracefs_instance_get_name(h->in));
	return 0;
}

int nf_hwlat_stop(struct nf_hwlat *h, bool *ret_left_alone, struct nf_err *err)
{
	return finish(h, ret_left_alone, err);
}
