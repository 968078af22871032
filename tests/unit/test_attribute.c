/* SPDX-License-Identifier: MIT */
/* Segments and attribution, on streams of events made by hand. Names are small numbers, thread 1 measures. */
#include "nf_unit.h"
#include "stats/attribute.h"

enum { TIMER = 1, DISK, RCU, BLOCK, KWORKER, OTHER, MAX = 64 };
enum { MEASURED = 1, MAX_INTERVALS = 16 };

static const int measured[] = { MEASURED };

struct stream {
	int64_t tick[MAX];
	int64_t word[MAX];
	size_t n;
	struct nf_segments_cfg cfg;
	struct nf_interval in[MAX_INTERVALS];
	size_t n_in;
	size_t at;
	struct nf_cause label[MAX_INTERVALS];
	size_t n_labels;
	struct nf_attribution sums;
};

static struct stream fresh(void)
{
	return (struct stream){
		.cfg = { .measured = measured, .n_measured = 1, .ticks_per_ns = 2.0 }
	};
}

static void put(struct stream *s, int64_t tick, enum nf_event_kind kind, uint32_t name,
                uint32_t arg)
{
	s->tick[s->n] = tick;
	s->word[s->n++] = nf_event_pack(kind, name, arg);
}

static void irq(struct stream *s, int64_t from, int64_t to, uint32_t name)
{
	put(s, from, NF_EVENT_IRQ_IN, name, name);
	put(s, to, NF_EVENT_IRQ_OUT, 0, name);
}

static void softirq(struct stream *s, int64_t from, int64_t to, uint32_t name)
{
	put(s, from, NF_EVENT_SOFTIRQ_IN, name, name);
	put(s, to, NF_EVENT_SOFTIRQ_OUT, 0, name);
}

/* The measuring thread is preempted by another for the time. */
static void thread(struct stream *s, int64_t from, int64_t to, uint32_t name, uint32_t pid)
{
	put(s, from, NF_EVENT_THREAD_OUT, 0, MEASURED);
	put(s, from, NF_EVENT_THREAD_IN, name, pid);
	put(s, to, NF_EVENT_THREAD_SLEEP, name, pid);
	put(s, to, NF_EVENT_THREAD_IN, 0, MEASURED);
}

/* "kind name[id]:begin-end[+]" of all segments, + where an occurrence begins. */
static const char *segments(const struct stream *s)
{
	static const char *const kinds[] = { "none", "lost", "irq", "softirq", "nmi", "thread" };
	static char text[1024];
	struct nf_segments it;
	struct nf_segment g;
	size_t at = 0;

	text[0] = '\0';
	nf_segments_init(&it, &s->cfg, s->tick, s->word, s->n);
	while (nf_segments_next(&it, &g))
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s%u:%lld-%lld%s",
		                       at ? " " : "", kinds[g.cause.kind], g.cause.name,
		                       (long long)(g.begin == INT64_MIN ? -1 : g.begin),
		                       (long long)g.end, g.first ? "+" : "");
	return text;
}

/* "kind name" of the occurrences that met the measuring thread itself. */
static const char *met(const struct stream *s)
{
	static char text[1024];
	struct nf_segments it;
	struct nf_segment g;
	size_t at = 0;

	text[0] = '\0';
	nf_segments_init(&it, &s->cfg, s->tick, s->word, s->n);
	while (nf_segments_next(&it, &g)) {
		assert_true(g.first || !g.met);
		if (g.met)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d:%lld",
			                       at ? " " : "", (int)g.cause.name,
			                       (long long)g.begin);
	}
	return text;
}

static void only_what_found_the_measuring_thread_on_the_cpu_met_it(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 1, 2, TIMER); /* nobody knows whom */
	put(&s, 5, NF_EVENT_THREAD_IN, 0, MEASURED);
	irq(&s, 10, 12, TIMER);
	put(&s, 20, NF_EVENT_SOFTIRQ_IN, RCU, RCU);
	irq(&s, 22, 23, DISK); /* met the softirq */
	put(&s, 25, NF_EVENT_SOFTIRQ_OUT, 0, RCU);
	put(&s, 30, NF_EVENT_THREAD_OUT, 0, MEASURED);
	put(&s, 31, NF_EVENT_THREAD_IN, KWORKER, 77);
	irq(&s, 33, 34, TIMER); /* met the other thread */
	put(&s, 40, NF_EVENT_THREAD_OUT, KWORKER, 77);
	put(&s, 40, NF_EVENT_THREAD_IN, OTHER, 78); /* followed it */
	put(&s, 45, NF_EVENT_THREAD_SLEEP, OTHER, 78);
	put(&s, 45, NF_EVENT_THREAD_IN, 0, MEASURED);
	put(&s, 50, NF_EVENT_NMI, OTHER, 1);
	put(&s, 60, NF_EVENT_THREAD_SLEEP, 0, MEASURED); /* gives the CPU up */
	put(&s, 60, NF_EVENT_THREAD_IN, KWORKER, 77);
	put(&s, 70, NF_EVENT_THREAD_SLEEP, KWORKER, 77);
	assert_string_equal(met(&s), "1:10 3:20 5:31 6:48");
}

static void the_innermost_owns_the_time(void **state)
{
	struct stream s = fresh();

	(void)state;
	put(&s, 0, NF_EVENT_THREAD_IN, 0, MEASURED);
	put(&s, 10, NF_EVENT_SOFTIRQ_IN, RCU, RCU);
	irq(&s, 12, 15, TIMER);
	put(&s, 20, NF_EVENT_SOFTIRQ_OUT, 0, RCU);
	assert_string_equal(segments(&s), "softirq3:10-12+ irq1:12-15+ softirq3:15-20");
}

static void an_interrupt_of_another_thread_is_taken_out_of_it(void **state)
{
	struct stream s = fresh();

	(void)state;
	put(&s, 5, NF_EVENT_THREAD_OUT, 0, MEASURED);
	put(&s, 5, NF_EVENT_THREAD_IN, KWORKER, 77);
	irq(&s, 8, 9, TIMER);
	put(&s, 12, NF_EVENT_THREAD_SLEEP, KWORKER, 77);
	put(&s, 12, NF_EVENT_THREAD_IN, 0, MEASURED);
	irq(&s, 20, 21, TIMER);
	assert_string_equal(segments(&s), "thread5:5-8+ irq1:8-9+ thread5:9-12 irq1:20-21+");
}

static void an_nmi_is_stamped_at_its_end(void **state)
{
	struct stream s = fresh();

	(void)state;
	put(&s, 100, NF_EVENT_IRQ_IN, TIMER, 1);
	put(&s, 120, NF_EVENT_NMI, OTHER, 5); /* 5 ns, 2 ticks each */
	put(&s, 130, NF_EVENT_IRQ_OUT, 0, 1);
	put(&s, 140, NF_EVENT_NMI, OTHER, 500); /* longer than what is known: cut */
	assert_string_equal(segments(&s), "irq1:100-110+ nmi6:110-120+ irq1:120-130 nmi6:130-140+");
}

static void missing_entries_and_exits_do_no_harm(void **state)
{
	struct stream s = fresh();

	(void)state;
	put(&s, 1, NF_EVENT_IRQ_OUT, 0, 1); /* began before */
	put(&s, 2, NF_EVENT_SOFTIRQ_OUT, 0, 3);
	put(&s, 10, NF_EVENT_SOFTIRQ_IN, RCU, 3);
	put(&s, 12, NF_EVENT_IRQ_IN, TIMER, 1);
	put(&s, 14, NF_EVENT_SOFTIRQ_OUT, 0, 3); /* ends the interrupt above it too */
	put(&s, 20, NF_EVENT_IRQ_IN, TIMER, 1);
	put(&s, 22, NF_EVENT_IRQ_IN, TIMER, 1); /* does not nest in itself */
	put(&s, 23, NF_EVENT_IRQ_OUT, 0, 1);
	put(&s, 30, NF_EVENT_IRQ_IN, DISK, 2);
	put(&s, 33, NF_EVENT_THREAD_OUT, 0, MEASURED); /* no switch inside an interrupt */
	put(&s, 33, NF_EVENT_THREAD_IN, OTHER, 9);
	put(&s, 40, NF_EVENT_IRQ_IN, TIMER, 1); /* open at the end */
	assert_string_equal(segments(&s), "softirq3:10-12+ irq1:12-14+ irq1:20-22+ irq1:22-23+ "
	                                  "irq2:30-33+ thread6:33-40+");
}

static void who_leaves_first_was_there_before(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 5, 7, TIMER);
	put(&s, 20, NF_EVENT_THREAD_OUT, OTHER, 9);
	put(&s, 20, NF_EVENT_THREAD_IN, 0, MEASURED);
	put(&s, 30, NF_EVENT_IRQ_IN, TIMER, 1);
	assert_string_equal(segments(&s), "irq1:5-7+ thread6:7-20+");
}

static void after_a_loss_nothing_is_known(void **state)
{
	struct stream s = fresh();

	(void)state;
	put(&s, 1, NF_EVENT_THREAD_IN, OTHER, 9);
	put(&s, 5, NF_EVENT_IRQ_IN, TIMER, 1);
	put(&s, 50, NF_EVENT_LOST, 0, 7);
	put(&s, 50, NF_EVENT_IRQ_OUT, 0, 1);
	irq(&s, 60, 61, DISK);
	assert_string_equal(segments(&s), "thread6:1-5+ lost0:5-50+ irq2:60-61+");
	s = fresh();
	put(&s, 50, NF_EVENT_LOST, 0, 0); /* the beginning is gone */
	assert_string_equal(segments(&s), "lost0:-1-50+");
}

static void nobody_is_interrupted_who_sleeps(void **state)
{
	struct stream s = fresh();

	(void)state;
	for (int again = 0; again < 2; again++) {
		put(&s, 10, NF_EVENT_THREAD_SLEEP, 0, MEASURED);
		put(&s, 10, NF_EVENT_THREAD_IN, OTHER, 9);
		irq(&s, 12, 13, TIMER);
		put(&s, 20, NF_EVENT_THREAD_OUT, OTHER, 9);
		put(&s, 20, NF_EVENT_THREAD_IN, 0, MEASURED);
		thread(&s, 30, 35, OTHER, 9);
		if (!again)
			assert_string_equal(segments(&s), "thread6:10-12+ irq1:12-13+ "
			                                  "thread6:13-20 thread6:30-35+");
		s = again ? s : fresh();
		s.cfg.not_asleep = true;
	}
	assert_string_equal(segments(&s), "thread6:30-35+");
}

static void deep_nesting_and_words_that_are_none_are_passed_over(void **state)
{
	struct stream s = fresh();

	(void)state;
	for (uint32_t i = 1; i <= 2 * NF_SEGMENT_NESTING; i++)
		put(&s, i, NF_EVENT_IRQ_IN, i, i);
	s.tick[s.n] = 50;
	s.word[s.n++] = -1;
	put(&s, 60, NF_EVENT_IRQ_OUT, 0, 1);
	struct nf_segments it;
	struct nf_segment g;
	int64_t last = 0;

	nf_segments_init(&it, &s.cfg, s.tick, s.word, s.n);
	while (nf_segments_next(&it, &g)) {
		assert_true(g.begin >= last && g.end > g.begin);
		last = g.end;
	}
	assert_int_equal(last, 60);
}

/* --- attribution --- */

static bool next_interval(void *ctx, struct nf_interval *ret)
{
	struct stream *s = ctx;

	if (s->at == s->n_in)
		return false;
	*ret = s->in[s->at++];
	return true;
}

static int keep_label(void *ctx, const struct nf_interval *i, const struct nf_cause *label,
                      int64_t part)
{
	struct stream *s = ctx;

	assert_true(part >= 0 && part <= i->noise);
	s->label[s->n_labels++] = *label;
	return 0;
}

static void interval(struct stream *s, int64_t begin, int64_t length, int64_t noise)
{
	s->in[s->n_in++] = (struct nf_interval){ begin, length, noise };
}

static int try(struct stream *s, int64_t around, struct nf_err *err)
{
	struct nf_attribute_cpu cpu = { .segments = s->cfg,
		                        .tick = s->tick,
		                        .word = s->word,
		                        .n_events = s->n,
		                        .around_ticks = around,
		                        .span_end = 1000000,
		                        .next = next_interval,
		                        .next_ctx = s,
		                        .label = keep_label,
		                        .label_ctx = s };

	return nf_attribute(&s->sums, &cpu, err);
}

static void attribute(struct stream *s, int64_t around)
{
	struct nf_err e = { 0 };
	int64_t sum = 0;

	assert_int_equal(try(s, around, &e), 0);
	for (size_t i = 0; i < s->sums.n; i++)
		sum += s->sums.total[i].total_ticks;
	assert_int_equal(sum, s->sums.noise_ticks);
}

static const struct nf_cause_total *total(const struct stream *s, enum nf_cause_kind kind,
                                          uint32_t name)
{
	static const struct nf_cause_total none;

	for (size_t i = 0; i < s->sums.n; i++)
		if (s->sums.total[i].cause.kind == kind && s->sums.total[i].cause.name == name)
			return &s->sums.total[i];
	return &none;
}

static void a_short_interrupt_does_not_take_a_long_gap(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 9000, 9030, TIMER);
	interval(&s, 0, 10000, 10000);
	attribute(&s, 50);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->inside_ticks, 30);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->total_ticks, 30 + 2 * 50);
	assert_int_equal(total(&s, NF_CAUSE_UNEXPLAINED, 0)->total_ticks, 10000 - 130);
	assert_int_equal(s.label[0].kind, NF_CAUSE_UNEXPLAINED);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->n_part, 1);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->n_labelled, 0);
	nf_attribution_fini(&s.sums);
}

static void the_way_in_and_out_belongs_to_what_is_next_to_it(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 110, 120, TIMER);
	softirq(&s, 126, 130, RCU);
	interval(&s, 100, 33, 33);
	attribute(&s, 5);
	/* 10 before: 5 of them; 6 between: half each; 3 behind. */
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->total_ticks, 5 + 10 + 3);
	assert_int_equal(total(&s, NF_CAUSE_SOFTIRQ, RCU)->total_ticks, 3 + 4 + 3);
	assert_int_equal(total(&s, NF_CAUSE_UNEXPLAINED, 0)->total_ticks, 5);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->longest_ticks, 18);
	assert_int_equal(s.label[0].name, TIMER);
	nf_attribution_fini(&s.sums);
}

static void what_no_event_explains_is_unexplained(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 10, 20, TIMER);
	interval(&s, 30, 5, 5);
	interval(&s, 40, 7, 7);
	attribute(&s, 100);
	assert_int_equal(total(&s, NF_CAUSE_UNEXPLAINED, 0)->total_ticks, 12);
	assert_int_equal(total(&s, NF_CAUSE_UNEXPLAINED, 0)->n_labelled, 2);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->events, 1);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->events_inside, 0);
	nf_attribution_fini(&s.sums);
}

static void events_longer_than_the_noise_share_it(void **state)
{
	struct stream s = fresh();

	(void)state;
	/* Fixed work of 100 that took 107, with 30 of events inside: the shortest had some too. */
	irq(&s, 10, 30, TIMER);
	softirq(&s, 30, 40, RCU);
	interval(&s, 0, 107, 7);
	attribute(&s, 5);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->total_ticks, 4);
	assert_int_equal(total(&s, NF_CAUSE_SOFTIRQ, RCU)->total_ticks, 3);
	assert_int_equal(total(&s, NF_CAUSE_UNEXPLAINED, 0)->total_ticks, 0);
	nf_attribution_fini(&s.sums);
}

static void an_event_over_two_quanta_belongs_to_both(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 90, 120, TIMER);
	interval(&s, 0, 100, 60);
	interval(&s, 100, 100, 60);
	attribute(&s, 0);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->total_ticks, 30);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->longest_ticks, 20);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->n_part, 2);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->events, 1);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->events_inside, 1);
	nf_attribution_fini(&s.sums);
}

static void the_label_is_what_interrupted(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 1010, 1020, TIMER); /* a softirq longer than the interrupt it came with */
	softirq(&s, 1020, 1040, RCU);
	irq(&s, 2010, 2040, TIMER); /* an interrupt longer than the thread it woke */
	thread(&s, 2040, 2060, KWORKER, 77);
	softirq(&s, 3010, 3020, BLOCK); /* alone */
	irq(&s, 4000, 4100, DISK); /* a thread that is next to nothing */
	thread(&s, 4100, 4103, KWORKER, 77);
	thread(&s, 5000, 5040, KWORKER, 77); /* the longer of two */
	thread(&s, 5040, 5090, OTHER, 78);
	interval(&s, 1000, 42, 42);
	interval(&s, 2000, 62, 62);
	interval(&s, 3000, 25, 25);
	interval(&s, 4000, 105, 105);
	interval(&s, 5000, 90, 90);
	attribute(&s, 2);
	assert_int_equal(s.n_labels, 5);
	assert_int_equal(s.label[0].name, TIMER);
	assert_int_equal(s.label[1].name, KWORKER);
	assert_int_equal(s.label[1].id, 77);
	assert_int_equal(s.label[2].name, BLOCK);
	assert_int_equal(s.label[3].name, DISK);
	assert_int_equal(s.label[4].name, OTHER);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->events_labelled, 1);
	assert_int_equal(total(&s, NF_CAUSE_IRQ, TIMER)->events_inside, 2);
	nf_attribution_fini(&s.sums);
}

static void where_events_were_lost_nobody_knows(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 10, 20, TIMER);
	put(&s, 100, NF_EVENT_LOST, 0, 3);
	irq(&s, 210, 215, TIMER);
	interval(&s, 5, 20, 20);
	interval(&s, 50, 60, 60);
	interval(&s, 200, 20, 20);
	attribute(&s, 5);
	assert_int_equal(s.label[0].kind, NF_CAUSE_LOST); /* from its last event on */
	assert_int_equal(s.label[1].kind, NF_CAUSE_LOST);
	assert_int_equal(s.label[2].kind, NF_CAUSE_IRQ);
	assert_int_equal(total(&s, NF_CAUSE_LOST, 0)->total_ticks, 5 + 50);
	nf_attribution_fini(&s.sums);
}

static void intervals_out_of_order_or_range_are_refused(void **state)
{
	static const struct nf_interval bad[][2] = {
		{ { 10, 5, 5 }, { 14, 5, 5 } },           { { 10, 0, 0 }, { 20, 1, 1 } },
		{ { 10, 5, 6 }, { 20, 1, 1 } },           { { 10, 5, 0 }, { 20, 1, 1 } },
		{ { INT64_MAX - 3, 5, 5 }, { 0, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct stream s = fresh();
		struct nf_err e = { 0 };

		s.in[0] = bad[i][0];
		s.in[1] = bad[i][1];
		s.n_in = 2;
		assert_int_equal(try(&s, 5, &e), -NF_EARG);
		nf_attribution_fini(&s.sums);
	}
}

static void rows_stand_by_falling_time(void **state)
{
	struct stream s = fresh();

	(void)state;
	irq(&s, 10, 12, TIMER);
	irq(&s, 20, 29, DISK);
	thread(&s, 40, 49, OTHER, 5);
	interval(&s, 0, 60, 20);
	attribute(&s, 0);
	nf_attribution_sort(&s.sums);
	assert_int_equal(s.sums.total[0].cause.name, DISK); /* equal times: kind, then name */
	assert_int_equal(s.sums.total[1].cause.name, OTHER);
	assert_int_equal(s.sums.total[2].cause.name, TIMER);
	nf_attribution_fini(&s.sums);
}

static void overlaps_are_the_time_inside_events(void **state)
{
	struct stream s = fresh();
	struct nf_interval in[] = { { 0, 10, 1 }, { 12, 6, 1 }, { 18, 4, 1 }, { 100, 9, 1 } };
	struct nf_attribute_cpu cpu = { .segments = s.cfg };
	int64_t got[4];

	(void)state;
	irq(&s, 15, 20, TIMER);
	thread(&s, 21, 30, OTHER, 5);
	cpu.tick = s.tick;
	cpu.word = s.word;
	cpu.n_events = s.n;
	nf_attribute_overlap(&cpu, in, 4, got);
	assert_int_equal(got[0], 0);
	assert_int_equal(got[1], 3);
	assert_int_equal(got[2], 3);
	assert_int_equal(got[3], 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_innermost_owns_the_time),
	cmocka_unit_test(an_interrupt_of_another_thread_is_taken_out_of_it),
	cmocka_unit_test(an_nmi_is_stamped_at_its_end),
	cmocka_unit_test(missing_entries_and_exits_do_no_harm),
	cmocka_unit_test(who_leaves_first_was_there_before),
	cmocka_unit_test(only_what_found_the_measuring_thread_on_the_cpu_met_it),
	cmocka_unit_test(after_a_loss_nothing_is_known),
	cmocka_unit_test(nobody_is_interrupted_who_sleeps),
	cmocka_unit_test(deep_nesting_and_words_that_are_none_are_passed_over),
	cmocka_unit_test(a_short_interrupt_does_not_take_a_long_gap),
	cmocka_unit_test(the_way_in_and_out_belongs_to_what_is_next_to_it),
	cmocka_unit_test(what_no_event_explains_is_unexplained),
	cmocka_unit_test(events_longer_than_the_noise_share_it),
	cmocka_unit_test(an_event_over_two_quanta_belongs_to_both),
	cmocka_unit_test(the_label_is_what_interrupted),
	cmocka_unit_test(where_events_were_lost_nobody_knows),
	cmocka_unit_test(intervals_out_of_order_or_range_are_refused),
	cmocka_unit_test(rows_stand_by_falling_time),
	cmocka_unit_test(overlaps_are_the_time_inside_events),
};
NF_UNIT_MAIN(tests)
