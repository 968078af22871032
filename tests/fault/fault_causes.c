/* SPDX-License-Identifier: MIT */
/* From events to causes and to a trace for viewers, with every allocation failing. */
#include "base/event_log.h"
#include "fault.h"
#include "nf_unit.h"
#include "report/chrome.h"
#include "stats/attribute.h"

enum { N_EVENTS = 3000, N_CAUSES = 200, N_SPANS = 2500 };

struct subject {
	struct nf_event_log log;
	struct nf_attribution sums;
	struct nf_chrome chrome;
	struct nf_buf text;
	int64_t tick[2 * N_CAUSES];
	int64_t word[2 * N_CAUSES];
	int64_t at;
};

static int run_log(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	struct nf_cpuset cpus;
	int r;

	nf_cpuset_init(&cpus);
	r = nf_cpuset_add(&cpus, 1, err);
	if (r == 0)
		r = nf_event_log_init(&s->log, &cpus, N_EVENTS - 5, 1000, err);
	nf_cpuset_fini(&cpus);
	for (uint32_t i = 0; r == 0 && i < N_EVENTS; i++) {
		char name[16];
		uint32_t index = 0;

		snprintf(name, sizeof(name), "t%u", i % 400);
		r = nf_event_log_name(&s->log, name, sizeof(name), &index, err);
		if (r == 0)
			r = nf_event_log_put(&s->log, &s->log.track[0], i, NF_EVENT_THREAD_IN,
			                     index, i, err);
	}
	return r < 0 ? r : nf_event_log_finish(&s->log, err);
}

static void finish_log(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r == 0) {
		assert_int_equal(s->log.track[0].n, N_EVENTS - 4);
		assert_int_equal(s->log.track[0].n_dropped, 5);
	}
	nf_event_log_fini(&s->log);
}

static bool next_interval(void *ctx, struct nf_interval *ret)
{
	struct subject *s = ctx;

	if (s->at >= N_CAUSES * 10)
		return false;
	*ret = (struct nf_interval){ s->at, 100, 100 };
	s->at += 100;
	return true;
}

static int run_attribute(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	struct nf_attribute_cpu cpu = { .tick = s->tick,
		                        .word = s->word,
		                        .n_events = 2 * N_CAUSES,
		                        .around_ticks = 1,
		                        .span_end = INT64_MAX,
		                        .next = next_interval,
		                        .next_ctx = s };

	for (uint32_t i = 0; i < N_CAUSES; i++) {
		s->tick[2 * i] = i * 10;
		s->word[2 * i] = nf_event_pack(NF_EVENT_IRQ_IN, i, i);
		s->tick[2 * i + 1] = i * 10 + 5;
		s->word[2 * i + 1] = nf_event_pack(NF_EVENT_IRQ_OUT, 0, i);
	}
	s->at = 0;
	nf_attribution_init(&s->sums);
	return nf_attribute(&s->sums, &cpu, err);
}

static void finish_attribute(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r == 0)
		assert_int_equal(s->sums.n, N_CAUSES + 2);
	nf_attribution_fini(&s->sums);
}

static int run_chrome(void *ctx, struct nf_err *err)
{
	static const struct nf_event_log names;
	struct subject *s = ctx;
	int cpu = 0, r = 0;

	nf_chrome_init(&s->chrome, 100);
	nf_buf_init(&s->text, 1 << 20);
	for (int64_t i = 0; r == 0 && i < N_SPANS; i++) {
		struct nf_chrome_span span = {
			i * 100, 1 + i % 50, 0, NF_CHROME_EVENTS, { NF_CAUSE_IRQ, 1, 0 }
		};

		r = nf_chrome_add(&s->chrome, &span, err);
	}
	return r < 0 ? r : nf_chrome_print(&s->chrome, "x", &cpu, 1, &names, &s->text, err);
}

static void finish_chrome(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r == 0)
		assert_non_null(strstr(s->text.data, "2400"));
	nf_buf_fini(&s->text);
	nf_chrome_fini(&s->chrome);
}

static void try(int (*run)(void *, struct nf_err *), void (*finish)(void *, int))
{
	static struct subject s;
	const struct fault_subject f = { .run = run, .finish = finish };

	fault_every(&f, &s);
}

static void keeping_events(void **state)
{
	(void)state;
	try(run_log, finish_log);
}

static void naming_causes(void **state)
{
	(void)state;
	try(run_attribute, finish_attribute);
}

static void a_trace_for_viewers(void **state)
{
	(void)state;
	try(run_chrome, finish_chrome);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(keeping_events),
	cmocka_unit_test(naming_causes),
	cmocka_unit_test(a_trace_for_viewers),
};
NF_UNIT_MAIN(tests)
