/* SPDX-License-Identifier: MIT */
/* Histograms, summaries, sample files. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "laws.h"
#include "noisefloor/histogram.h"
#include "noisefloor/summary.h"
#include "samples/samplefile.h"

enum { MAX_N = 60, MAX_STREAMS = 4 };

static void hist_free(void *h)
{
	nf_hist_free(h);
}

static struct nf_hist *new_hist(struct pt_case *t, double error)
{
	struct nf_hist *h = NULL;

	PT_ASSERT(t, nf_hist_new(error, &h, NULL) == 0);
	pt_cleanup(t, hist_free, h);
	return h;
}

static uint64_t draw_value(struct pt_case *t)
{
	return (uint64_t)pt_draw_int(t, 0, INT64_MAX);
}

static bool same_buckets(struct nf_hist *a, struct nf_hist *b)
{
	size_t pa = 0, pb = 0;

	for (;;) {
		uint64_t lo[2], hi[2], n[2];
		int x = nf_hist_next(a, &pa, &lo[0], &hi[0], &n[0]);
		int y = nf_hist_next(b, &pb, &lo[1], &hi[1], &n[1]);

		if (x != y)
			return false;
		if (!x)
			return true;
		if (lo[0] != lo[1] || hi[0] != hi[1] || n[0] != n[1])
			return false;
	}
}

static bool merging_equals_recording_both(struct pt_case *t, void *arg)
{
	double error = pt_draw_real(t, 0x1p-12, 0.25);
	struct nf_hist *a = new_hist(t, error), *b = new_hist(t, error), *both = new_hist(t, error);
	struct pt_loop l = { .max = MAX_N };
	uint64_t lo[2] = { 0 }, hi[2] = { 0 };

	(void)arg;
	while (pt_more(t, &l)) {
		uint64_t v = draw_value(t), n = (uint64_t)pt_draw_int(t, 0, 5);
		struct nf_hist *h = pt_draw_bool(t, 0.5) ? a : b;

		PT_ASSERT(t, nf_hist_add(h, v, n, NULL) == 0);
		PT_ASSERT(t, nf_hist_add(both, v, n, NULL) == 0);
	}
	PT_ASSERT(t, nf_hist_merge(a, b, NULL) == 0);
	PT_ASSERT(t, nf_hist_count(a) == nf_hist_count(both));
	if (nf_hist_count(both) > 0) {
		PT_ASSERT(t, nf_hist_min(a, &lo[0], NULL) == 0 &&
		                     nf_hist_min(both, &lo[1], NULL) == 0);
		PT_ASSERT(t, nf_hist_max(a, &hi[0], NULL) == 0 &&
		                     nf_hist_max(both, &hi[1], NULL) == 0);
	}
	return lo[0] == lo[1] && hi[0] == hi[1] && same_buckets(a, both);
}

static bool hist_quantiles_are_monotone(struct pt_case *t, void *arg)
{
	struct nf_hist *h = new_hist(t, pt_draw_real(t, 0x1p-12, 0.25));
	struct pt_loop l = { .min = 1, .max = MAX_N };
	double p = pt_draw_real(t, 0.0, 1.0), q = pt_draw_real(t, 0.0, 1.0);
	uint64_t a = 0, b = 0, min = 0, max = 0;

	(void)arg;
	while (pt_more(t, &l))
		PT_ASSERT(t, nf_hist_add(h, draw_value(t), 1, NULL) == 0);
	PT_ASSERT(t, nf_hist_quantile(h, p < q ? p : q, &a, NULL) == 0);
	PT_ASSERT(t, nf_hist_quantile(h, p < q ? q : p, &b, NULL) == 0);
	PT_ASSERT(t, nf_hist_min(h, &min, NULL) == 0 && nf_hist_max(h, &max, NULL) == 0);
	return min <= a && a <= b && b <= max;
}

static int by_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool quantiles_are_within_the_error(struct pt_case *t, void *arg)
{
	double error = ldexp(1.0, -(int)pt_draw_int(t, 2, 12)), q = pt_draw_real(t, 0.0, 1.0), rank;
	struct nf_hist *h = new_hist(t, error);
	struct pt_loop l = { .min = 1, .max = MAX_N };
	uint64_t v[MAX_N], got = 0, want;
	size_t n = 0;

	(void)arg;
	while (pt_more(t, &l)) {
		v[n] = draw_value(t);
		PT_ASSERT(t, nf_hist_add(h, v[n], 1, NULL) == 0);
		n++;
	}
	qsort(v, n, sizeof(v[0]), by_u64);
	rank = q * (double)n;
	rank = ceil(rank - 2.0 * (nextafter(rank, (double)INFINITY) - rank));
	want = v[rank < 1.0 ? 0 : (size_t)rank - 1];
	PT_ASSERT(t, nf_hist_quantile(h, q, &got, NULL) == 0);
	return fabs((double)got - (double)want) <= error * (double)want + 1.0;
}

static double *draw_samples(struct pt_case *t, size_t *ret_n)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "x", pt_list(m, pt_real(m, -1e9, 1e9), 1, MAX_N));
	double *x = pt_alloc(t, v.n * sizeof(*x));

	for (size_t i = 0; i < v.n; i++)
		x[i] = v.at[i].r;
	*ret_n = v.n;
	return x;
}

static bool percentiles_are_monotone(struct pt_case *t, void *arg)
{
	size_t n;
	double *x = draw_samples(t, &n), last;
	struct nf_summary s;

	(void)arg;
	PT_ASSERT(t, nf_summarize(x, n, &s, NULL) == 0);
	last = s.min;
	for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++) {
		PT_ASSERT(t, s.percentile[i].value >= last);
		last = s.percentile[i].value;
	}
	PT_ASSERT(t, last <= s.max);
	return s.min <= s.mean && s.mean <= s.max && s.mad >= 0.0 && s.has_sd == (n > 1);
}

static bool summary_ignores_order(struct pt_case *t, void *arg)
{
	size_t n;
	double *x = draw_samples(t, &n), *y = pt_alloc(t, n * sizeof(*y));
	struct pt_value order = pt_draw(t, "order", pt_permutation(pt_case_mem(t), n));
	struct nf_summary a, b;

	(void)arg;
	for (size_t i = 0; i < n; i++)
		y[i] = x[order.at[i].i];
	PT_ASSERT(t, nf_summarize(x, n, &a, NULL) == 0 && nf_summarize(y, n, &b, NULL) == 0);
	PT_ASSERT(t, a.min == b.min && a.max == b.max && a.median == b.median && a.mad == b.mad);
	for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++)
		PT_ASSERT(t, a.percentile[i].value == b.percentile[i].value);
	return fabs(a.mean - b.mean) <= 1e-12 * (fabs(a.min) + fabs(a.max));
}

struct scratch {
	char dir[40];
	int fd;
};

static void remove_scratch(void *arg)
{
	struct scratch *s = arg;

	unlinkat(s->fd, "f.nfsamples", 0);
	close(s->fd);
	rmdir(s->dir);
}

static struct scratch *make_scratch(struct pt_case *t)
{
	struct scratch *s = pt_alloc(t, sizeof(*s));

	strcpy(s->dir, "/tmp/nf-property-XXXXXX");
	PT_ASSERT(t, mkdtemp(s->dir) != NULL);
	s->fd = open(s->dir, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	PT_ASSERT(t, s->fd >= 0);
	pt_cleanup(t, remove_scratch, s);
	return s;
}

static void file_fini(void *arg)
{
	nf_samplefile_fini(arg);
}

static void abandon(void *arg)
{
	nf_samplefile_abandon(*(struct nf_samplefile_writer **)arg);
}

/* A stream described in memory of the case; its values stay there too. */
static void draw_stream(struct pt_case *t, struct nf_stream *s, size_t number)
{
	bool narrow = pt_draw_bool(t, 0.3);
	struct pt_loop l = { .max = MAX_N };

	snprintf(s->name, sizeof(s->name), "s%zu", number);
	s->cpu = (int)pt_draw_int(t, -1, 5000);
	s->node = (int)pt_draw_int(t, -1, 7);
	s->unit = (enum nf_sample_unit)pt_draw_pick(t, 3);
	s->kind = (enum nf_sample_kind)pt_draw_pick(t, 3);
	s->tick_hz = s->unit == NF_UNIT_TICK ? 1e9 : 0.0;
	s->width = narrow ? 4 : 8;
	s->n_dropped = (uint64_t)pt_draw_int(t, 0, INT64_MAX);
	s->n_missed = (uint64_t)pt_draw_int(t, 0, 3);
	s->value = pt_alloc(t, MAX_N * sizeof(*s->value));
	while (pt_more(t, &l))
		s->value[s->n++] = narrow ? pt_draw_int(t, INT32_MIN, INT32_MAX)
		                          : pt_draw_int(t, INT64_MIN, INT64_MAX);
}

static bool samplefile_round_trip(struct pt_case *t, void *arg)
{
	struct scratch *dir = make_scratch(t);
	size_t n = pt_draw_size(t, 1, MAX_STREAMS);
	struct nf_stream *s = pt_alloc(t, n * sizeof(*s));
	struct nf_samplefile_writer **w = pt_alloc(t, sizeof(struct nf_samplefile_writer *));
	struct nf_samplefile *f = pt_alloc(t, sizeof(*f));
	struct nf_samplefile_writer *writer;

	(void)arg;
	for (size_t i = 0; i < n; i++)
		draw_stream(t, &s[i], i);
	PT_ASSERT(t, nf_samplefile_create(dir->fd, "f.nfsamples", s, n, w, NULL) == 0);
	pt_cleanup(t, abandon, w);
	for (size_t i = 0; i < n; i++) {
		size_t cut = pt_draw_size(t, 0, s[i].n);

		PT_ASSERT(t, nf_samplefile_append(*w, i, s[i].value, cut, NULL) == 0);
		PT_ASSERT(t,
		          nf_samplefile_append(*w, i, s[i].value + cut, s[i].n - cut, NULL) == 0);
	}
	writer = *w;
	*w = NULL;
	PT_ASSERT(t, nf_samplefile_finish(writer, s, NULL) == 0);
	PT_ASSERT(t, nf_samplefile_read(dir->fd, "f.nfsamples", 1 << 24, f, NULL) == 0);
	pt_cleanup(t, file_fini, f);
	PT_ASSERT(t, f->state == NF_SAMPLEFILE_COMPLETE && f->n_streams == n);
	for (size_t i = 0; i < n; i++) {
		const struct nf_stream *r = &f->streams[i];

		PT_ASSERT(t, strcmp(r->name, s[i].name) == 0 && r->cpu == s[i].cpu &&
		                     r->node == s[i].node);
		PT_ASSERT(t, r->unit == s[i].unit && r->kind == s[i].kind && r->n == s[i].n);
		PT_ASSERT(t, r->n_dropped == s[i].n_dropped && r->n_missed == s[i].n_missed);
		PT_ASSERT(t, r->n == 0 ||
		                     memcmp(r->value, s[i].value, r->n * sizeof(r->value[0])) == 0);
	}
	return true;
}

/* clang-format off */
const struct law laws_samples[] = {
	{ "histogram merge", "Merging histograms equals recording both streams.", merging_equals_recording_both, NULL },
	{ "histogram quantiles", "Quantiles of a histogram are monotone and lie between minimum and maximum.", hist_quantiles_are_monotone, NULL },
	{ "histogram error", "A quantile of a histogram is within the relative error of the sorted samples' one.", quantiles_are_within_the_error, NULL },
	{ "summary percentiles", "Percentiles of a summary are monotone and lie between minimum and maximum, as does the mean.", percentiles_are_monotone, NULL },
	{ "summary order", "The order of the samples does not matter to their summary.", summary_ignores_order, NULL },
	{ "sample file", "A sample file gives back streams, values and losses, however they were appended.", samplefile_round_trip, NULL },
	{ .name = NULL },
};
/* clang-format on */
