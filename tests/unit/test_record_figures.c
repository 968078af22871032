/* SPDX-License-Identifier: MIT */
/* A record's figures against its samples: which are recomputed, and that a wrong one is found. */
#include "nf_scratch.h"
#include "nf_unit.h"

#include "noisefloor/summary.h"
#include "record/check_figures.h"
#include "record/rec_noise.h"
#include "record/runfolder.h"
#include "record/write.h"
#include "record_samples.h"
#include "samples/samplefile.h"

static void look_at(const struct nf_type *t, size_t *n_summaries)
{
	for (const struct nf_field *f = t->fields; f->key; f++) {
		const struct nf_type *below = f->type->kind == NF_T_LIST ? f->type->elem : f->type;

		if (f->type == &nf_rec_summary_type) {
			++*n_summaries;
			if (!nf_figure_rule(t->name, f->key))
				fail_msg("no row in check_figures.c says what %s.%s is made from",
				         t->name, f->key);
		} else if (below->kind == NF_T_RECORD) {
			look_at(below, n_summaries);
		}
	}
}

static void every_summary_of_every_record_type_has_a_rule(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; nf_record_types[i]; i++)
		look_at(nf_record_types[i], &n);
	assert_true(n >= 20);
	assert_null(nf_figure_rule("NoiseWorker", "nothing"));
}

enum { N = 1000 };
static const struct nf_instant when = { .ns = 1767323045000000000 };

struct seen {
	char why[240];
};

static void note(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	struct seen *s = ctx;

	(void)state;
	if (strcmp(item, "record.json") == 0)
		snprintf(s->why, sizeof(s->why), "%s", why);
}

static void put_samples(const struct nf_runfolder *r, struct nf_stream *s)
{
	struct nf_samplefile_writer *w;
	int fd = nf_runfolder_samples_fd(r);

	assert_int_equal(nf_stream_init(s, "fwq.cpu0", N, NULL), 0);
	strcpy(s->clock, "tsc");
	s->unit = NF_UNIT_TICK;
	s->tick_hz = 2.5e9;
	for (int i = 0; i < N; i++)
		nf_stream_put(s, 1000 + (i * 7919) % 1009 + (i == 500) * 100000);
	s->n_dropped = 4;
	assert_int_equal(nf_samplefile_create(fd, "fwq.nfsamples", s, 1, &w, NULL), 0);
	assert_int_equal(nf_samplefile_append(w, 0, s->value, N, NULL), 0);
	assert_int_equal(nf_samplefile_finish(w, s, NULL), 0);
}

/* Of a committed NoiseRun whose summary is of its samples, after `spoil` has changed it. */
static enum nf_check_state
state_of(const char *top, void (*spoil)(struct nf_rec_summary *, struct nf_rec_stream_ref *),
         char ret_why[240])
{
	struct nf_rec_noise_worker worker = { .stream = "fwq.cpu0" };
	struct nf_runfolder *r = NULL;
	struct nf_rec_summary summary;
	enum nf_check_state state;
	struct seen seen = { "" };
	struct nf_err err = { 0 };
	struct nf_stream s;
	struct nf_summary sum;
	struct nf_arena a;
	struct nf_buf json;
	char hex[65];

	nf_arena_init(&a, 1 << 24);
	nf_buf_init(&json, 1 << 24);
	assert_int_equal(nf_runfolder_create(top, when, "h", "t", -1, -1, 0, &r, &err), 0);
	put_samples(r, &s);
	assert_int_equal(nf_runfolder_digest(r, "samples/fwq.nfsamples", hex, NULL), 0);
	assert_int_equal(nf_summarize_i64(s.value, s.n, 1e9 / s.tick_hz, &sum, NULL), 0);
	assert_int_equal(nf_rec_summary_fill(&sum, "ns", &a, &summary, NULL), 0);
	struct nf_rec_stream_ref ref;
	assert_int_equal(nf_rec_stream_fill(&s, "samples/fwq.nfsamples", hex, &a, &ref, NULL), 0);
	struct nf_rec_noise_run *run = record_sample(&nf_rec_noise_run_type, &a, NF_SAMPLE_EMPTY);
	if (spoil)
		spoil(&summary, &ref);
	worker.summary = &summary;
	run->body.workers = (struct nf_list){ &worker, 1 };
	run->facts.streams = (struct nf_list){ &ref, 1 };
	run->facts.dropped = ref.dropped;
	run->head.state = NF_STATE_COMPLETE;
	if (nf_record_to_json(&nf_rec_noise_run_type, run, &json, NULL, &err) != 0)
		fail_msg("%s", err.msg);
	assert_int_equal(nf_runfolder_put(r, "record.json", json.data, json.len_bytes, NULL), 0);
	assert_int_equal(nf_runfolder_commit(r, NULL), 0);
	assert_int_equal(nf_runfolder_check(nf_runfolder_path(r), note, &seen, &state, &err), 0);
	snprintf(ret_why, 240, "%s", seen.why);
	nf_runfolder_free(r);
	nf_stream_fini(&s);
	nf_buf_fini(&json);
	nf_arena_fini(&a);
	return state;
}

static void more_n(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)r;
	s->n++;
}
static void other_mean(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)r;
	s->mean *= 1 + 1e-6;
}
static void rounded_mean(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)r;
	s->mean *= 1 + 1e-12;
}
static void no_sd(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)r;
	s->sd.some = false;
}
static void other_median(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)r;
	s->median += 1;
}
static void higher_min(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)r;
	s->min += 1;
}
static void other_percentile(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	static struct nf_rec_percentile p[NF_SUMMARY_PERCENTILES];

	(void)r;
	memcpy(p, s->percentiles.items, sizeof(p));
	p[6].value *= 0.5;
	p[6].n_beyond = 2;
	s->percentiles.items = p;
}
static void other_beyond(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	static struct nf_rec_percentile p[NF_SUMMARY_PERCENTILES];

	(void)r;
	memcpy(p, s->percentiles.items, sizeof(p));
	p[2].n_beyond++;
	s->percentiles.items = p;
}
static void fewer_samples(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)s;
	r->count--;
}
static void no_loss(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)s;
	r->dropped = 0;
}
static void other_rate(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)s;
	r->tick_hz.v = 1e9;
}
static void other_stream(struct nf_rec_summary *s, struct nf_rec_stream_ref *r)
{
	(void)s;
	r->stream = "fwq.cpu9";
}

static void a_wrong_figure_is_damage_that_names_it(void **state)
{
	static const struct {
		void (*spoil)(struct nf_rec_summary *, struct nf_rec_stream_ref *);
		const char *field; /* NULL: nothing is wrong */
	} cases[] = {
		{ NULL, NULL },
		{ rounded_mean, NULL },
		{ more_n,
		  "body.workers[0].summary.n is 1001 where samples/fwq.nfsamples gives 1000" },
		{ other_mean, "body.workers[0].summary.mean" },
		{ no_sd, "body.workers[0].summary.sd" },
		{ other_median, "body.workers[0].summary.median" },
		{ higher_min, "body.workers[0].summary.min" },
		{ other_percentile, "body.workers[0].summary.percentiles[6].value" },
		{ other_beyond, "body.workers[0].summary.percentiles[2].n_beyond" },
		{ fewer_samples, "facts.streams[0].count is 999" },
		{ no_loss, "facts.streams[0].dropped is 0 where samples/fwq.nfsamples gives 4" },
		{ other_rate, "facts.streams[0].tick_hz" },
		{ other_stream, "facts.streams[0]: samples/fwq.nfsamples has no stream fwq.cpu9" },
	};
	char why[240];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char top[] = "/tmp/nf-figures-XXXXXX";

		assert_non_null(mkdtemp(top));
		enum nf_check_state s = state_of(top, cases[i].spoil, why);
		if (!cases[i].field)
			assert_string_equal(why, "");
		else if (strncmp(why, cases[i].field, strlen(cases[i].field)) != 0)
			fail_msg("case %zu: '%s'", i, why);
		assert_int_equal(s, cases[i].field ? NF_CHECK_DAMAGED : NF_CHECK_COMPLETE);
		nf_scratch_remove(top);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_summary_of_every_record_type_has_a_rule),
	cmocka_unit_test(a_wrong_figure_is_damage_that_names_it),
};
NF_UNIT_MAIN(tests)
