/* SPDX-License-Identifier: MIT */
/* Streams and histograms. */
#include <stdint.h>

#include "fault.h"
#include "nf_unit.h"
#include "noisefloor/histogram.h"
#include "noisefloor/summary.h"
#include "samples/histogram_packed.h"
#include "samples/stream.h"

static int run_stream(void *ctx, struct nf_err *err)
{
	return nf_stream_init(ctx, "x", 5000, err);
}

static void prepare_stream(void *ctx)
{
	*(struct nf_stream *)ctx = (struct nf_stream){ .n = 99 };
}

static void finish_stream(void *ctx, int r)
{
	struct nf_stream *s = ctx;

	if (r < 0)
		assert_true(s->n == 99 && !s->value);
	nf_stream_fini(s);
}

static void a_stream_without_memory_is_not_made(void **state)
{
	struct nf_stream s;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_stream,
	                                     .run = run_stream,
	                                     .finish = finish_stream },
	            &s);
}

static void a_stream_that_cannot_be_locked_still_records(void **state)
{
	struct nf_stream s;

	(void)state;
	assert_int_equal(nf_stream_init(&s, "x", 5000, NULL), 0);
	fault_arm(1);
	nf_stream_prefault(&s);
	fault_disarm();
	assert_int_equal(fault_hits(), 1);
	assert_string_equal(fault_hit_name(), "mlock");
	assert_false(s.locked);
	nf_stream_put(&s, 3);
	assert_true(s.n == 1 && !nf_stream_incomplete(&s));
	nf_stream_fini(&s);
}

static int run_new(void *ctx, struct nf_err *err)
{
	return nf_hist_new(0.01, ctx, err);
}

static void prepare_new(void *ctx)
{
	*(struct nf_hist **)ctx = NULL;
}

static void finish_new(void *ctx, int r)
{
	struct nf_hist **h = ctx;

	assert_true((*h == NULL) == (r < 0));
	nf_hist_free(*h);
}

static void a_histogram_without_memory_is_not_made(void **state)
{
	struct nf_hist *h;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_new,
	                                     .run = run_new,
	                                     .finish = finish_new },
	            &h);
}

struct words {
	uint64_t *word;
	struct nf_hist *made;
};

static int run_unpack(void *ctx, struct nf_err *err)
{
	struct words *w = ctx;

	return nf_hist_unpack(w->word, &w->made, err);
}

static void prepare_unpack(void *ctx)
{
	((struct words *)ctx)->made = NULL;
}

static void finish_unpack(void *ctx, int r)
{
	struct words *w = ctx;

	assert_true((w->made == NULL) == (r < 0));
	nf_hist_free(w->made);
}

static void unpacking_a_histogram_without_memory_makes_none(void **state)
{
	struct words w = { 0 };
	struct nf_hist *h = NULL;

	(void)state;
	assert_int_equal(nf_hist_new(0.01, &h, NULL), 0);
	for (uint64_t v = 1; v < UINT64_MAX / 1000; v *= 900)
		assert_int_equal(nf_hist_add(h, v, 2, NULL), 0);
	w.word = calloc(nf_hist_packed_words(h), sizeof(*w.word));
	assert_non_null(w.word);
	nf_hist_pack(h, w.word);
	fault_every(&(struct fault_subject){ .prepare = prepare_unpack,
	                                     .run = run_unpack,
	                                     .finish = finish_unpack },
	            &w);
	free(w.word);
	nf_hist_free(h);
}

struct pair {
	struct nf_hist *dst;
	struct nf_hist *src;
};

static void prepare_pair(void *ctx)
{
	struct pair *p = ctx;

	assert_int_equal(nf_hist_new(0.01, &p->dst, NULL), 0);
	assert_int_equal(nf_hist_new(0.01, &p->src, NULL), 0);
	assert_int_equal(nf_hist_add(p->dst, 1, 1, NULL), 0);
	for (uint64_t v = 1; v < UINT64_MAX / 1000; v *= 900)
		assert_int_equal(nf_hist_add(p->src, v, 2, NULL), 0);
}

static int run_merge(void *ctx, struct nf_err *err)
{
	struct pair *p = ctx;

	return nf_hist_merge(p->dst, p->src, err);
}

static int run_add(void *ctx, struct nf_err *err)
{
	struct pair *p = ctx;

	return nf_hist_add(p->dst, UINT64_MAX, 1, err);
}

static void finish_pair(void *ctx, int r)
{
	struct pair *p = ctx;
	uint64_t max = 0, lo, hi, n;
	size_t pos = 0, n_buckets = 0;

	assert_int_equal(nf_hist_max(p->dst, &max, NULL), 0);
	while (nf_hist_next(p->dst, &pos, &lo, &hi, &n))
		n_buckets++;
	if (r < 0)
		assert_true(max == 1 && nf_hist_count(p->dst) == 1 && n_buckets == 1);
	else
		assert_true(max > 1 && nf_hist_count(p->dst) > 1 && n_buckets > 1);
	nf_hist_free(p->dst);
	nf_hist_free(p->src);
}

static void adding_and_merging_without_memory_change_nothing(void **state)
{
	struct pair p;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_pair,
	                                     .run = run_merge,
	                                     .finish = finish_pair },
	            &p);
	fault_every(&(struct fault_subject){ .prepare = prepare_pair,
	                                     .run = run_add,
	                                     .finish = finish_pair },
	            &p);
}

static struct nf_summary summary;

static int run_summary(void *ctx, struct nf_err *err)
{
	return nf_summarize(ctx, 3, &summary, err);
}

static void finish_summary(void *ctx, int r)
{
	(void)ctx;
	assert_int_equal(summary.n, r < 0 ? 0 : 3);
	summary.n = 0;
}

static void a_summary_without_memory_is_not_filled(void **state)
{
	double x[] = { 3, 1, 2 };

	(void)state;
	fault_every(&(struct fault_subject){ .run = run_summary, .finish = finish_summary }, x);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_stream_without_memory_is_not_made),
	cmocka_unit_test(a_stream_that_cannot_be_locked_still_records),
	cmocka_unit_test(a_histogram_without_memory_is_not_made),
	cmocka_unit_test(unpacking_a_histogram_without_memory_makes_none),
	cmocka_unit_test(adding_and_merging_without_memory_change_nothing),
	cmocka_unit_test(a_summary_without_memory_is_not_filled),
};

NF_UNIT_MAIN(tests)
