/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "job/samplestats.h"
#include "samples/fwq_read.h"

enum { READ_BYTES = 1 << 18 };

struct speed {
	int index;
	double ghz;
	size_t at; /* as in the file */
	size_t n_used; /* of the first of a number: how many workers moved on */
};

struct reading {
	struct nf_text_stats *file; /* borrowed, as the next two */
	struct nf_value_room *room;
	struct nf_arena *a;
	struct speed *speed; /* owned */
	size_t n_speeds, cap_speeds;
};

int nf_worker_list_add(struct nf_worker_list *l, struct nf_worker_stats **ret, struct nf_err *err)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 16;
		struct nf_worker_stats *more;

		if (l->n >= NF_STATS_WORKERS_MAX)
			return nf_fail(err, NF_EDATA, "more than %d workers", NF_STATS_WORKERS_MAX);
		more = realloc(l->item, cap * sizeof(*more));
		if (!more)
			return nf_fail_nomem(err, "workers", cap * sizeof(*more));
		l->item = more;
		l->cap = cap;
	}
	l->item[l->n] = (struct nf_worker_stats){ 0 };
	*ret = &l->item[l->n++];
	return 0;
}

int nf_value_room_grow(struct nf_value_room *r, size_t n, struct nf_err *err)
{
	size_t cap = r->cap ? r->cap : 1 << 14;
	int64_t *more;

	if (n <= r->cap - r->n)
		return 0;
	if (n > NF_STATS_VALUES_MAX - r->n)
		return nf_fail(err, NF_EDATA, "a worker with more than %zu values",
		               NF_STATS_VALUES_MAX);
	while (cap - r->n < n)
		cap *= 2;
	more = realloc(r->value, cap * sizeof(*more));
	if (!more)
		return nf_fail_nomem(err, "a worker's values", cap * sizeof(*more));
	r->value = more;
	r->cap = cap;
	return 0;
}

static int on_speed(void *ctx, int index, double ghz, struct nf_err *err)
{
	struct reading *r = ctx;

	if (r->n_speeds == r->cap_speeds) {
		size_t cap = r->cap_speeds ? 2 * r->cap_speeds : 16;
		struct speed *more;

		if (r->n_speeds >= NF_STATS_WORKERS_MAX)
			return nf_fail(err, NF_EDATA, "more than %d Speed lines",
			               NF_STATS_WORKERS_MAX);
		more = realloc(r->speed, cap * sizeof(*more));
		if (!more)
			return nf_fail_nomem(err, "speeds", cap * sizeof(*more));
		r->speed = more;
		r->cap_speeds = cap;
	}
	r->speed[r->n_speeds] = (struct speed){ index, ghz, r->n_speeds, 0 };
	r->n_speeds++;
	r->file->last_ghz = ghz;
	return 0;
}

/* The figures of the worker that ends here. */
static int end_worker(struct reading *r, struct nf_err *err)
{
	struct nf_worker_list *l = &r->file->workers;
	int rc = 0;

	if (l->n > 0 && r->room->n > 0)
		rc = nf_figures_of(r->room->value, r->room->n, &l->item[l->n - 1].all,
		                   &l->item[l->n - 1].rest, err);
	else if (l->n > 0)
		l->item[l->n - 1].none_why = "it has no values";
	r->room->n = 0;
	return rc;
}

static int on_worker(void *ctx, enum nf_fwq_form form, int index, const char *cpus,
                     struct nf_err *err)
{
	static const char *const forms[] = { "FWQ serial", "FWQ threads", "FWQ processes" };
	struct reading *r = ctx;
	struct nf_worker_stats *w = NULL;

	int rc = end_worker(r, err);
	if (rc < 0)
		return rc;
	rc = nf_worker_list_add(&r->file->workers, &w, err);
	if (rc != 0)
		return rc;
	r->file->form = forms[form];
	r->file->serial = form == NF_FWQ_SERIAL;
	w->name = form == NF_FWQ_SERIAL    ? "serial"
	          : form == NF_FWQ_THREADS ? nf_arena_printf(r->a, "Thread %d", index)
	                                   : nf_arena_printf(r->a, "Process %d", index);
	w->cpus = *cpus ? nf_arena_strdup(r->a, cpus) : NULL;
	w->index = index;
	w->fixed_work = true;
	return nf_arena_failed(r->a, "workers", err);
}

static int on_values(void *ctx, const int64_t *v, size_t n, struct nf_err *err)
{
	struct reading *r = ctx;
	struct nf_value_room *room = r->room;

	int rc = nf_value_room_grow(room, n, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < n; i++)
		room->value[room->n + i] = v[i];
	room->n += n;
	return 0;
}

/* By number, and of one number as in the file. */
static int by_index(const void *a, const void *b)
{
	const struct speed *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Where the Speed lines of this number begin, in order; n_speeds: there is none. */
static size_t find_speed(const struct reading *r, int index)
{
	size_t lo = 0, hi = r->n_speeds;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->speed[mid].index < index)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->n_speeds && r->speed[lo].index == index ? lo : r->n_speeds;
}

/* Each worker's own Speed line. Files may have been put one behind the other: the second block of a
 * number takes its second Speed line, if there is one. */
static void give_rates(const struct reading *r)
{
	struct nf_worker_list *l = &r->file->workers;

	if (r->n_speeds > 1)
		qsort(r->speed, r->n_speeds, sizeof(*r->speed), by_index);
	for (size_t i = 1; i < r->n_speeds; i++)
		r->file->repeated_speeds |= r->speed[i].index == r->speed[i - 1].index;
	for (size_t i = 0; i < l->n; i++) {
		struct nf_worker_stats *w = &l->item[i];
		size_t first = find_speed(r, w->index);

		if (first < r->n_speeds) {
			struct speed *head = &r->speed[first];
			size_t at = first + head->n_used;

			w->ghz = r->speed[at].ghz;
			/* The last one stays for all that follow. */
			head->n_used += at + 1 < r->n_speeds && r->speed[at + 1].index == w->index;
		}
		w->per_us = w->ghz * 1000;
		w->unit = w->ghz > 0 ? "us" : "tick";
	}
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int find_repeated(struct reading *r, struct nf_err *err)
{
	const struct nf_worker_list *l = &r->file->workers;
	int *number = malloc((l->n + 1) * sizeof(*number));

	if (!number)
		return nf_fail_nomem(err, "the workers' numbers", (l->n + 1) * sizeof(*number));
	for (size_t i = 0; i < l->n; i++)
		number[i] = l->item[i].index;
	if (l->n > 1)
		qsort(number, l->n, sizeof(*number), by_number);
	for (size_t i = 1; i < l->n; i++)
		r->file->repeated_workers |= number[i] == number[i - 1];
	free(number);
	return 0;
}

static int read_all(int fd, const char *path, struct nf_fwq_reader *reader, char *buf,
                    struct nf_err *err)
{
	for (;;) {
		ssize_t n = read(fd, buf, READ_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "%s", path);
		if (n == 0)
			return 0;
		int rc = nf_fwq_reader_feed(reader, buf, (size_t)n, err);
		if (rc < 0)
			return rc;
	}
}

int nf_text_stats_read(int fd, const char *path, const void *head, size_t n_head,
                       struct nf_value_room *room, struct nf_arena *a, struct nf_text_stats *ret,
                       struct nf_err *err)
{
	static const struct nf_fwq_reader_ops ops = { on_speed, on_worker, on_values };
	struct reading r = { .file = ret, .room = room, .a = a };
	struct nf_fwq_reader *reader = NULL;
	char *buf = malloc(READ_BYTES);
	int rc = buf ? 0 : nf_fail_nomem(err, path, READ_BYTES);

	room->n = 0;
	if (rc == 0)
		rc = nf_fwq_reader_new(path, &ops, &r, &reader, err);
	if (rc == 0)
		rc = nf_fwq_reader_feed(reader, head, n_head, err);
	if (rc == 0)
		rc = read_all(fd, path, reader, buf, err);
	if (rc == 0)
		rc = nf_fwq_reader_finish(reader, &ret->torn, err);
	if (rc == 0)
		rc = end_worker(&r, err);
	if (rc == 0)
		give_rates(&r);
	if (rc == 0)
		rc = find_repeated(&r, err);
	nf_fwq_reader_free(reader);
	free(r.speed);
	free(buf);
	return rc;
}
