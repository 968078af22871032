/* SPDX-License-Identifier: MIT */
/* Events as they are kept, and logs of them. */
#include "base/event_log.h"
#include "nf_unit.h"

static struct nf_event_log make(const char *cpus, size_t max_events, size_t max_names)
{
	struct nf_event_log log;
	struct nf_cpuset set;
	struct nf_err e = { 0 };

	nf_cpuset_init(&set);
	assert_int_equal(nf_cpuset_parse(cpus, false, &set, &e), 0);
	assert_int_equal(nf_event_log_init(&log, &set, max_events, max_names, &e), 0);
	nf_cpuset_fini(&set);
	return log;
}

static uint32_t name(struct nf_event_log *log, const char *text, size_t n)
{
	struct nf_err e = { 0 };
	uint32_t index;

	assert_int_equal(nf_event_log_name(log, text, n, &index, &e), 0);
	return index;
}

static void an_event_comes_back_from_its_word(void **state)
{
	static const uint32_t values[] = { 0, 1, 0xffff, 0x7fffffff, UINT32_MAX };
	struct nf_event e;

	(void)state;
	for (int kind = NF_EVENT_NONE + 1; kind < NF_N_EVENTS; kind++)
		for (size_t i = 0; i < 5; i++) {
			uint32_t index = values[i] & (NF_EVENT_NAMES_MAX - 1);
			int64_t w = nf_event_pack((enum nf_event_kind)kind, index, values[i]);

			assert_true(w > 0);
			assert_true(nf_event_unpack(-5, w, &e));
			assert_int_equal(e.tick, -5);
			assert_int_equal(e.kind, kind);
			assert_int_equal(e.name, index);
			assert_int_equal(e.arg, values[i]);
		}
}

static void a_word_of_no_kind_is_no_event(void **state)
{
	struct nf_event e;

	(void)state;
	assert_false(nf_event_unpack(0, 0, &e));
	assert_false(nf_event_unpack(0, (int64_t)NF_N_EVENTS << 52, &e));
	assert_false(nf_event_unpack(0, INT64_C(0x0110000000000000), &e)); /* above the kind */
	assert_false(nf_event_unpack(0, -1, &e));
	assert_false(nf_event_unpack(0, INT64_MIN, &e));
}

static void names_are_kept_once(void **state)
{
	struct nf_event_log log = make("0", 10, 1000);
	char text[16];

	(void)state;
	assert_int_equal(name(&log, "?", 1), 0);
	uint32_t timer = name(&log, "timer", 16);
	assert_int_equal(name(&log, "timer/1", 5), timer); /* the first bytes count */
	assert_int_not_equal(name(&log, "timer/1", 7), timer);
	assert_int_equal(name(&log, "", 0), name(&log, "", 5));
	for (int i = 0; i < 700; i++) {
		snprintf(text, sizeof(text), "thread-%d", i);
		assert_int_equal(name(&log, text, 16), name(&log, text, 16));
	}
	assert_int_equal(name(&log, "timer", 16), timer);
	assert_string_equal(nf_event_log_text(&log, timer), "timer");
	assert_string_equal(nf_event_log_text(&log, 100000), "?");
	nf_event_log_fini(&log);
}

static void beyond_the_limit_names_are_unknown(void **state)
{
	struct nf_event_log log = make("0", 10, 3);

	(void)state;
	assert_int_equal(name(&log, "a", 1), 1);
	assert_int_equal(name(&log, "b", 1), 2);
	assert_int_equal(name(&log, "c", 1), 0);
	assert_int_equal(name(&log, "b", 1), 2);
	nf_event_log_fini(&log);
}

static void tracks_are_found_by_cpu(void **state)
{
	struct nf_event_log log = make("1,3-4,900", 10, 10);

	(void)state;
	assert_int_equal(log.n_tracks, 4);
	assert_ptr_equal(nf_event_log_track(&log, 1), &log.track[0]);
	assert_ptr_equal(nf_event_log_track(&log, 900), &log.track[3]);
	assert_null(nf_event_log_track(&log, 0));
	assert_null(nf_event_log_track(&log, 2));
	assert_null(nf_event_log_track(&log, 901));
	nf_event_log_fini(&log);
}

static void what_does_not_fit_is_lost_to_the_end(void **state)
{
	struct nf_event_log log = make("0-1", 3, 10);
	struct nf_event_track *a = &log.track[0], *b = &log.track[1];
	struct nf_event ev;
	struct nf_err e = { 0 };

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(nf_event_log_put(&log, a, 10 + i, NF_EVENT_IRQ_IN, 0, 1, &e), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(nf_event_log_put(&log, a, 20 + i, NF_EVENT_IRQ_OUT, 0, 1, &e), 0);
	assert_int_equal(nf_event_log_finish(&log, &e), 0);
	assert_int_equal(a->n, 4);
	assert_int_equal(a->n_dropped, 5);
	assert_int_equal(b->n, 0);
	assert_true(nf_event_unpack(a->tick[3], a->word[3], &ev));
	assert_int_equal(ev.kind, NF_EVENT_LOST);
	assert_int_equal(ev.tick, 24);
	assert_int_equal(ev.arg, 5);
	nf_event_log_fini(&log);
}

static void ticks_of_a_track_do_not_fall(void **state)
{
	struct nf_event_log log = make("0", 10, 10);
	struct nf_event_track *t = &log.track[0];
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_event_log_put(&log, t, 7, NF_EVENT_IRQ_IN, 0, 1, &e), 0);
	assert_int_equal(nf_event_log_put(&log, t, 6, NF_EVENT_IRQ_OUT, 0, 1, &e), 0);
	assert_int_equal(t->tick[1], 7);
	/* A loss of unknown size is one at least. */
	assert_int_equal(nf_event_log_put(&log, t, 8, NF_EVENT_LOST, 0, 0, &e), 0);
	assert_int_equal(nf_event_log_put(&log, t, 9, NF_EVENT_LOST, 0, 40, &e), 0);
	assert_int_equal(t->n_lost, 41);
	nf_event_log_fini(&log);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_event_comes_back_from_its_word),
	cmocka_unit_test(a_word_of_no_kind_is_no_event),
	cmocka_unit_test(names_are_kept_once),
	cmocka_unit_test(beyond_the_limit_names_are_unknown),
	cmocka_unit_test(tracks_are_found_by_cpu),
	cmocka_unit_test(what_does_not_fit_is_lost_to_the_end),
	cmocka_unit_test(ticks_of_a_track_do_not_fall),
};
NF_UNIT_MAIN(tests)
