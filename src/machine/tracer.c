/* SPDX-License-Identifier: MIT */
#include "machine/tracer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/clock.h"
#include "machine/tracer_parse.h"

enum {
	DIR_BYTES = 256,
	PATH_BYTES = DIR_BYTES + 64,
	FILE_MAX_BYTES = 1 << 20,
	BUFFER_KB = 256, /* per CPU: thousands of reports between two drains */
	LATE_CHECK = 256, /* records between two looks at the clock */
	DRAIN_MAX_NS = 500 * 1000 * 1000,
};

struct nf_tracer {
	const struct nf_tracer_kind *kind; /* borrowed */
	const struct nf_rootfs *root; /* borrowed until close */
	struct nf_journal *journal; /* borrowed until close */
	char dir[DIR_BYTES]; /* where tracefs is mounted */
	struct nf_journal_entry *made; /* the instance; owned by the journal */
	struct nf_journal_entry *setting[NF_TRACER_SETTINGS]; /* in the order they were set */
	size_t n_settings;
	size_t n_before; /* of them before the tracer was chosen */
	struct tracefs_instance *in; /* owned */
	struct tep_handle *tep; /* owned */
	bool recording;
	bool chosen;
	int64_t t0_ns;
};

static int find_tracefs(const struct nf_rootfs *root, char ret[DIR_BYTES], struct nf_err *err)
{
	struct nf_buf mounts;
	int r;

	nf_buf_init(&mounts, FILE_MAX_BYTES);
	r = nf_rootfs_read(root, "proc/mounts", &mounts, err);
	if (r == 0 && !nf_tracer_find_tracefs(mounts.data, ret, DIR_BYTES))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "tracefs is not mounted (as root: mount -t tracefs nodev "
		            "/sys/kernel/tracing)");
	nf_buf_fini(&mounts);
	return r;
}

static int check(const struct nf_rootfs *root, const struct nf_tracer_kind *kind,
                 char ret_dir[DIR_BYTES], struct nf_err *err)
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
		            "%s is not readable by this user: the %s tracer needs root", ret_dir,
		            kind->name);
	else if (r == -NF_EOS || r == -NF_ENODATA)
		r = nf_fail(err, NF_EUNSUPPORTED, "no list of tracers: %.300s", why.msg);
	else if (r < 0 && err)
		*err = why;
	else if (r == 0 && !nf_tracer_has_word(list.data, kind->name))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "this kernel has no %s tracer (%s=y, as in rt kernels of "
		            "distributions)",
		            kind->name, kind->option);
	nf_buf_fini(&list);
	return r;
}

int nf_tracer_check(const struct nf_rootfs *root, const struct nf_tracer_kind *kind,
                    struct nf_err *err)
{
	char dir[DIR_BYTES];

	return check(root, kind, dir, err);
}

/* --- settings of the machine --- */

static void path_of(const struct nf_tracer *t, const char *name, char ret[PATH_BYTES])
{
	snprintf(ret, PATH_BYTES, "%s/%s", t->dir, name);
}

int nf_tracer_set(struct nf_tracer *t, const char *name, const char *value, struct nf_err *err)
{
	char path[PATH_BYTES];
	int r;

	if (t->n_settings == NF_TRACER_SETTINGS)
		return nf_fail(err, NF_EARG, "more than %d settings of a tracer",
		               NF_TRACER_SETTINGS);
	path_of(t, name, path);
	r = nf_journal_set(t->journal, path, value, &t->setting[t->n_settings], err);
	if (r == 0)
		t->n_settings++;
	return r;
}

int nf_tracer_set_number(struct nf_tracer *t, const char *name, int64_t value, struct nf_err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	return nf_tracer_set(t, name, text, err);
}

int nf_tracer_get(const struct nf_tracer *t, const char *name, struct nf_buf *ret,
                  struct nf_err *err)
{
	char path[PATH_BYTES];

	path_of(t, name, path);
	return nf_rootfs_read(t->root, path + 1, ret, err);
}

int nf_tracer_get_number(const struct nf_tracer *t, const char *name, int64_t *ret,
                         struct nf_err *err)
{
	char path[PATH_BYTES];

	path_of(t, name, path);
	return nf_rootfs_read_i64(t->root, path + 1, ret, err);
}

int nf_tracer_set_pair(struct nf_tracer *t, const char *const name[2], const int64_t value[2],
                       struct nf_err *err)
{
	int64_t now;
	int r = nf_tracer_get_number(t, name[0], &now, err);
	size_t first = r == 0 && value[0] > now ? 0 : 1;

	/* The larger grows before the smaller may, and shrinks after it. */
	for (size_t i = 0; i < 2 && r == 0; i++) {
		size_t which = i == 0 ? first : 1 - first;

		if (value[which] > 0)
			r = nf_tracer_set_number(t, name[which], value[which], err);
	}
	return r;
}

/* --- the instance --- */

int nf_tracer_write(struct nf_tracer *t, const char *file, const char *value, struct nf_err *err)
{
	if (tracefs_instance_file_write(t->in, file, value) >= 0)
		return 0;
	if (errno == EBUSY && strcmp(file, "current_tracer") == 0)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "the %s tracer is in use by another program: stop it first",
		               t->kind->name);
	return nf_fail_os(err, errno, "%s/instances/%s/%s", t->dir,
	                  tracefs_instance_get_name(t->in), file);
}

int nf_tracer_read(struct nf_tracer *t, const char *file, char **ret, struct nf_err *err)
{
	char *text = tracefs_instance_file_read(t->in, file, NULL);

	if (!text)
		return nf_fail_os(err, errno, "%s/instances/%s/%s", t->dir,
		                  tracefs_instance_get_name(t->in), file);
	*ret = text;
	return 0;
}

static int make_instance(struct nf_tracer *t, struct nf_err *err)
{
	char name[40], path[PATH_BYTES], kb[16];
	int r;

	snprintf(name, sizeof(name), "noisefloor-%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/instances/%s", t->dir, name);
	r = nf_journal_mkdir(t->journal, path, &t->made, err);
	if (r < 0)
		return r;
	t->in = tracefs_instance_alloc(t->dir, name);
	if (!t->in)
		return nf_fail_os(err, errno, "open the tracing instance %s", path);
	snprintf(kb, sizeof(kb), "%d", BUFFER_KB);
	if ((r = nf_tracer_write(t, "tracing_on", "0", err)) < 0 ||
	    (r = nf_tracer_write(t, "trace_clock", "mono", err)) < 0)
		return r;
	return nf_tracer_write(t, "buffer_size_kb", kb, err);
}

static int load_events(struct nf_tracer *t, struct nf_err *err)
{
	t->tep = tracefs_local_events_system(t->dir, t->kind->systems);
	if (!t->tep)
		return nf_fail_os(err, errno, "read the layout of events from %s/events", t->dir);
	if (!nf_tracer_event(t, "ftrace", t->kind->name))
		return nf_fail(err, NF_EUNSUPPORTED, "%s/events/ftrace has no %s event", t->dir,
		               t->kind->name);
	return 0;
}

/* Goes on after a failure; the first one is returned. */
static int finish(struct nf_tracer *t, bool *ret_left_alone, struct nf_err *err)
{
	size_t n_before = t->chosen ? t->n_before : t->n_settings;
	bool left = false, any_left = false;
	struct nf_err later;
	int first, r;

	first = t->recording ? nf_tracer_write(t, "tracing_on", "0", err) : 0;
	for (size_t i = t->n_settings; i > 0; i--) {
		if (i == n_before && t->chosen) {
			r = nf_tracer_write(t, "current_tracer", "nop", first ? &later : err);
			first = first ? first : r;
			t->chosen = false;
		}
		left = false;
		r = nf_journal_undo(t->journal, t->setting[i - 1], &left, first ? &later : err);
		first = first ? first : r;
		any_left = any_left || left;
	}
	if (t->chosen) {
		r = nf_tracer_write(t, "current_tracer", "nop", first ? &later : err);
		first = first ? first : r;
	}
	tep_free(t->tep);
	/* An instance with open files cannot be removed. */
	tracefs_instance_free(t->in);
	left = false;
	r = nf_journal_undo(t->journal, t->made, &left, first ? &later : err);
	first = first ? first : r;
	free(t);
	if (first == 0 && ret_left_alone)
		*ret_left_alone = any_left || left;
	return first;
}

int nf_tracer_open(const struct nf_rootfs *root, struct nf_journal *journal,
                   const struct nf_tracer_kind *kind, struct nf_tracer **ret, struct nf_err *err)
{
	struct nf_tracer *t;
	int r;

	if (!root->live)
		return nf_fail(err, NF_EUNSUPPORTED, "a captured host has no tracer to start");
	t = calloc(1, sizeof(*t));
	if (!t)
		return nf_fail_nomem(err, "the tracer", sizeof(*t));
	t->kind = kind;
	t->root = root;
	t->journal = journal;
	if ((r = check(root, kind, t->dir, err)) < 0 ||
	    (r = nf_journal_lock(journal, "tracer", err)) < 0) {
		free(t);
		return r;
	}
	if ((r = make_instance(t, err)) < 0 || (r = load_events(t, err)) < 0) {
		/* The first failure is the one to tell. */
		struct nf_err later;

		(void)finish(t, NULL, &later);
		return r;
	}
	*ret = t;
	return 0;
}

int nf_tracer_choose(struct nf_tracer *t, struct nf_err *err)
{
	int r = nf_tracer_write(t, "current_tracer", t->kind->name, err);

	if (r < 0)
		return r;
	t->chosen = true;
	t->n_before = t->n_settings;
	return 0;
}

int nf_tracer_begin(struct nf_tracer *t, struct nf_err *err)
{
	struct timespec now;
	int r;

	if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return nf_fail_os(err, errno, "clock_gettime");
	t->t0_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	r = nf_tracer_write(t, "tracing_on", "1", err);
	if (r == 0)
		t->recording = true;
	return r;
}

int64_t nf_tracer_t0_ns(const struct nf_tracer *t)
{
	return t->t0_ns;
}

int nf_tracer_records(struct nf_tracer *t, bool *ret, struct nf_err *err)
{
	char *text = NULL;
	int r = nf_tracer_read(t, "tracing_on", &text, err);

	if (r == 0 && text)
		*ret = text[0] == '1';
	free(text);
	return r;
}

int nf_tracer_close(struct nf_tracer *t, bool *ret_left_alone, struct nf_err *err)
{
	return finish(t, ret_left_alone, err);
}

/* --- records --- */

struct tep_event *nf_tracer_event(const struct nf_tracer *t, const char *system, const char *name)
{
	return tep_find_event_by_name(t->tep, system, name);
}

struct drain {
	nf_tracer_fn *fn;
	void *ctx;
	uint64_t missed;
	uint64_t n;
	struct nf_instant began;
	int result; /* non-zero: stopped */
	bool late; /* stopped because records come faster than they are taken */
	struct nf_err why;
};

static int on_record(struct tep_event *ev, struct tep_record *rec, int cpu, void *ctx)
{
	struct drain *d = ctx;

	/* A negative number stands for an unknown one. */
	if (rec->missed_events != 0)
		d->missed += rec->missed_events > 0 ? (uint64_t)rec->missed_events : 1;
	d->result = d->fn(d->ctx, ev, rec, cpu, &d->why);
	if (d->result == 0 && ++d->n % LATE_CHECK == 0)
		d->late = nf_since_ns(d->began, nf_now_raw()) > DRAIN_MAX_NS;
	return d->result != 0 || d->late;
}

int nf_tracer_drain(struct nf_tracer *t, nf_tracer_fn *fn, void *ctx, uint64_t *ret_missed,
                    struct nf_err *err)
{
	struct drain d = { .fn = fn, .ctx = ctx, .began = nf_now_raw() };
	int r = tracefs_iterate_raw_events(t->tep, t->in, NULL, 0, on_record, &d);

	/* The rest of what the library had taken out is gone, nobody knows how much. */
	*ret_missed += d.missed + d.late;
	if (d.result != 0) {
		if (d.why.code != NF_OK && err)
			*err = d.why;
		return d.result;
	}
	if (r < 0)
		return nf_fail_os(err, errno, "read events of %s/instances/%s", t->dir,
		                  tracefs_instance_get_name(t->in));
	return 0;
}
