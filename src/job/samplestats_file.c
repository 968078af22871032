/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "job/samplestats.h"
#include "samples/samplefile.h"

enum { MAGIC_BYTES = 8 };
static const char magic[MAGIC_BYTES + 1] = "nfsmpl\r\n";

/* --- .nfsamples -------------------------------------------------------------------------------- */

static void set_unit(struct nf_worker_stats *w, const struct nf_stream *s)
{
	switch (s->unit) {
	case NF_UNIT_TICK:
		w->per_us = s->tick_hz / 1e6;
		w->ghz = s->tick_hz / 1e9;
		w->unit = "us";
		break;
	case NF_UNIT_NS:
		w->per_us = 1000;
		w->unit = "us";
		break;
	case NF_UNIT_COUNT:
		w->unit = "count";
		break;
	}
}

static int add_stream(struct nf_samplefile_reader *f, size_t i, struct nf_value_room *room,
                      struct nf_arena *a, struct nf_worker_list *l, struct nf_err *err)
{
	const struct nf_stream *s = &nf_samplefile_about(f)->streams[i];
	struct nf_worker_stats *w = NULL;

	int r = nf_worker_list_add(l, &w, err);
	if (r < 0)
		return r;
	w->name = nf_arena_strdup(a, s->name);
	w->cpus = s->cpu >= 0 ? nf_arena_printf(a, "%d", s->cpu) : NULL;
	w->index = (int)i;
	w->lost = s->n_dropped + s->n_saturated + s->n_missed + s->n_truncated;
	w->fixed_work = strncmp(s->name, "fwq.", 4) == 0 && s->kind == NF_KIND_DURATION;
	set_unit(w, s);
	r = nf_arena_failed(a, "streams", err);
	if (r < 0 || s->n == 0 || s->kind == NF_KIND_INSTANT) {
		w->none_why = s->n == 0 ? "it has no values"
		                        : "its values are points in time, not durations";
		return r;
	}
	room->n = 0;
	r = nf_value_room_grow(room, s->n, err);
	if (r == 0)
		r = nf_samplefile_values(f, i, room->value, err);
	if (r == 0)
		r = nf_figures_of(room->value, s->n, &w->all, NULL, err);
	return r;
}

static int read_streams(const char *path, struct nf_value_room *room, struct nf_arena *a,
                        struct nf_worker_list *l, struct nf_rec_sample_file *file,
                        struct nf_err *err)
{
	struct nf_samplefile_reader *f = NULL;

	int r = nf_samplefile_open(AT_FDCWD, path, &f, err);
	if (r < 0)
		return r;
	const struct nf_samplefile *about = nf_samplefile_about(f);
	file->form = ".nfsamples";
	file->complete = about->state == NF_SAMPLEFILE_COMPLETE;
	file->damaged = about->state == NF_SAMPLEFILE_DAMAGED;
	file->problem = file->complete ? NULL : nf_arena_strdup(a, about->what);
	for (size_t i = 0; i < about->n_streams && r == 0; i++)
		r = add_stream(f, i, room, a, l, err);
	nf_samplefile_close(f);
	return r;
}

/* --- the record -------------------------------------------------------------------------------- */

static struct nf_rec_sample_figures figures_record(struct nf_figures f, double per_us)
{
	nf_figures_scale(&f, per_us > 0 ? per_us : 1);
	return (struct nf_rec_sample_figures){
		.n = f.n,
		.mean = f.mean,
		.sd = f.has_sd ? nf_some_real(f.sd) : (struct nf_some_real){ 0 },
		.min = f.min,
		.p25 = f.p[NF_FIGURE_P25],
		.p50 = f.p[NF_FIGURE_P50],
		.p75 = f.p[NF_FIGURE_P75],
		.p99 = f.p[NF_FIGURE_P99],
		.p999 = f.p[NF_FIGURE_P999],
		.max = f.max,
	};
}

static void fill_worker(const struct nf_worker_stats *w, struct nf_arena *a,
                        struct nf_rec_sample_worker *ret)
{
	struct nf_rec_sample_figures *f = NULL;

	if (w->all.n > 0) {
		f = nf_arena_alloc(a, 1, sizeof(*f));
		if (f)
			*f = figures_record(w->all, w->per_us);
	}
	*ret = (struct nf_rec_sample_worker){
		.name = w->name,
		.cpus = w->cpus,
		.ghz = w->ghz > 0 ? nf_some_real(w->ghz) : (struct nf_some_real){ 0 },
		.unit = w->unit,
		.figures = f,
		.none_why = w->none_why,
		.lost = w->lost,
	};
	if (w->fixed_work && w->all.n > 0 && w->all.mean > 0)
		ret->noise_ratio = nf_some_real(1 - w->all.min / w->all.mean);
}

/* The workers with the least and the largest standard deviation, the first of equals; -1: none has one.
 * rest: of the values without the first. per_us 0: each worker's own, and then only of one unit. */
struct extremes {
	ptrdiff_t least, most;
};

static struct extremes find_extremes(const struct nf_worker_list *l, bool rest)
{
	struct extremes e = { -1, -1 };
	double lo = 0, hi = 0;
	const char *unit = NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct nf_worker_stats *w = &l->item[i];
		const struct nf_figures *f = rest ? &w->rest : &w->all;
		double sd = rest || !(w->per_us > 0) ? f->sd : f->sd / w->per_us;

		if (!f->has_sd || (!rest && unit && strcmp(unit, w->unit) != 0))
			continue;
		unit = w->unit;
		if (e.least < 0 || sd < lo) {
			lo = sd;
			e.least = (ptrdiff_t)i;
		}
		if (e.most < 0 || sd > hi) {
			hi = sd;
			e.most = (ptrdiff_t)i;
		}
	}
	return e;
}

static void fill_workers(const struct nf_worker_list *l, struct nf_arena *a,
                         struct nf_rec_sample_file *ret)
{
	struct nf_rec_sample_worker *w = nf_arena_alloc(a, l->n + 1, sizeof(*w));
	struct extremes e = find_extremes(l, false);
	size_t n = 0;

	if (!w)
		return;
	if (e.least >= 0) {
		fill_worker(&l->item[e.least], a, &w[n]);
		w[n].most_sd = e.most == e.least;
		w[n++].least_sd = true;
	}
	if (e.most >= 0 && e.most != e.least) {
		fill_worker(&l->item[e.most], a, &w[n]);
		w[n++].most_sd = true;
	}
	for (size_t i = 0; i < l->n; i++)
		if ((ptrdiff_t)i != e.least && (ptrdiff_t)i != e.most)
			fill_worker(&l->item[i], a, &w[n++]);
	ret->workers = (struct nf_list){ w, n };
}

/* Where the script would show nothing, what it would be of is still given. */
static void fill_fwq_stats(const struct nf_text_stats *t, struct nf_arena *a,
                           struct nf_rec_sample_file *ret)
{
	struct nf_rec_fwq_stats *s = nf_arena_alloc(a, 1, sizeof(*s));
	struct nf_rec_fwq_stats_column *c = nf_arena_alloc(a, 2, sizeof(*c));
	struct extremes e = find_extremes(&t->workers, true);
	ptrdiff_t at[2] = { e.least, e.most };
	size_t n = e.least < 0 ? 0 : e.least == e.most ? 1 : 2;

	if (!s || !c)
		return;
	for (size_t k = 0; k < n; k++) {
		const struct nf_worker_stats *w = &t->workers.item[at[k]];

		c[k] = (struct nf_rec_fwq_stats_column){
			.worker = (uint64_t)w->index,
			.name = w->name,
			.cpus = w->cpus ? w->cpus : "",
			.figures = figures_record(w->rest, t->last_ghz * 1000),
		};
	}
	*s = (struct nf_rec_fwq_stats){
		.ghz = t->last_ghz > 0 ? nf_some_real(t->last_ghz) : (struct nf_some_real){ 0 },
		.unit = t->last_ghz > 0 ? "us" : "tick",
		.columns = { c, n },
	};
	if (t->serial)
		s->stops_why = "it has no headers, so that no worker and no rate is known";
	else if (!(t->last_ghz > 0))
		s->stops_why = "it has no Speed line with a rate";
	else if (n == 0)
		s->stops_why = "no worker has three values: without the first, nothing spreads";
	ret->fwq_stats = s;
}

/* --- one file ---------------------------------------------------------------------------------- */

static int open_path(const char *path, int *ret, struct nf_err *err)
{
	int fd = nf_open_input(
	        path, "a text file of FWQ, an .nfsamples file or a run folder with samples", err);

	if (fd < 0)
		return fd;
	*ret = fd;
	return 0;
}

static int read_head(int fd, const char *path, char ret[MAGIC_BYTES], size_t *ret_n,
                     struct nf_err *err)
{
	size_t len = 0;

	while (len < MAGIC_BYTES) {
		ssize_t n = read(fd, ret + len, MAGIC_BYTES - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "%s", path);
		if (n == 0)
			break;
		len += (size_t)n;
	}
	*ret_n = len;
	return 0;
}

/* What a file that was put together of several says twice. */
static void fill_notes(const struct nf_text_stats *t, struct nf_arena *a,
                       struct nf_rec_sample_file *file)
{
	const char **note = nf_arena_alloc(a, 2, sizeof(*note));
	size_t n = 0;

	if (!note)
		return;
	if (t->repeated_workers)
		note[n++] = "a worker's number stands at more than one block of values: each block "
		            "is taken as a worker of its own";
	if (t->repeated_speeds)
		note[n++] = "a worker's number stands at more than one Speed line: each next block "
		            "of that worker takes the next one";
	file->notes.items = note;
	file->notes.n = n;
}

static bool has_values(const struct nf_worker_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->item[i].all.n > 0)
			return true;
	return false;
}

static int read_text(int fd, const char *path, const char *head, size_t n_head,
                     struct nf_value_room *room, struct nf_arena *a, struct nf_text_stats *t,
                     struct nf_rec_sample_file *file, struct nf_err *err)
{
	t->form = "empty";
	int r = nf_text_stats_read(fd, path, head, n_head, room, a, t, err);
	if (r < 0)
		return r;
	file->form = t->form;
	file->complete = !t->torn;
	if (t->torn)
		file->problem = "its last line has no end and was left out";
	if (t->workers.n == 0 && t->torn)
		return nf_fail(err, NF_EDATA, "%s:1: the line has no end", path);
	if (t->workers.n == 0) {
		file->complete = false;
		file->problem = "it holds no values";
		return 0;
	}
	if (!has_values(&t->workers)) {
		file->complete = false;
		if (!file->problem)
			file->problem = "its workers have no values";
	}
	fill_notes(t, a, file);
	fill_workers(&t->workers, a, file);
	fill_fwq_stats(t, a, file);
	return nf_arena_failed(a, path, err);
}

int nf_job_sample_file(const char *path, struct nf_arena *a, struct nf_rec_sample_file *ret,
                       struct nf_err *err)
{
	struct nf_rec_sample_file file = { .path = path, .form = "" };
	struct nf_value_room room = { 0 };
	struct nf_text_stats text = { 0 };
	char head[MAGIC_BYTES];
	size_t n_head = 0;
	int fd = -1;

	int r = open_path(path, &fd, err);
	if (r == 0)
		r = read_head(fd, path, head, &n_head, err);
	if (r == 0 && n_head == MAGIC_BYTES && memcmp(head, magic, MAGIC_BYTES) == 0) {
		r = read_streams(path, &room, a, &text.workers, &file, err);
		if (r == 0)
			fill_workers(&text.workers, a, &file);
		if (r == 0)
			r = nf_arena_failed(a, path, err);
	} else if (r == 0) {
		r = read_text(fd, path, head, n_head, &room, a, &text, &file, err);
	}
	if (r == 0)
		*ret = file;
	free(text.workers.item);
	free(room.value);
	if (fd >= 0)
		close(fd);
	return r;
}
