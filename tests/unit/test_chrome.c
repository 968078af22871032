/* SPDX-License-Identifier: MIT */
/* Traces for viewers. What they read is checked by the integration test `why`. */
#include <jansson.h>

#include "nf_unit.h"
#include "report/chrome.h"
#include "report/text.h"

static struct nf_event_log names_of(const char *one, const char *two)
{
	struct nf_event_log log;
	struct nf_cpuset cpus;
	struct nf_err e = { 0 };
	uint32_t i;

	nf_cpuset_init(&cpus);
	assert_int_equal(nf_event_log_init(&log, &cpus, 1, 10, &e), 0);
	assert_int_equal(nf_event_log_name(&log, one, strlen(one), &i, &e), 0);
	assert_int_equal(nf_event_log_name(&log, two, strlen(two), &i, &e), 0);
	return log;
}

static json_t *print(struct nf_chrome *c, const int *cpu, size_t n, const struct nf_event_log *log)
{
	struct nf_buf out;
	struct nf_err e = { 0 };
	json_t *j;

	nf_buf_init(&out, 1 << 20);
	assert_int_equal(nf_chrome_print(c, "noisefloor test", cpu, n, log, &out, &e), 0);
	j = json_loads(out.data, 0, NULL);
	assert_non_null(j);
	nf_buf_fini(&out);
	return j;
}

static void add(struct nf_chrome *c, enum nf_chrome_track track, int64_t begin, int64_t length,
                struct nf_cause cause)
{
	struct nf_chrome_span s = { begin, length, 0, track, cause };
	struct nf_err e = { 0 };

	assert_int_equal(nf_chrome_add(c, &s, &e), 0);
}

static void spans_become_complete_events_in_microseconds(void **state)
{
	struct nf_event_log log = names_of("local_timer", "k\"w\001\xff");
	int cpu[] = { 5 };
	struct nf_chrome c;

	(void)state;
	nf_chrome_init(&c, 100);
	add(&c, NF_CHROME_INTERVALS, 1500, 2500, (struct nf_cause){ NF_CAUSE_UNEXPLAINED, 0, 0 });
	add(&c, NF_CHROME_EVENTS, 7000, 1, (struct nf_cause){ NF_CAUSE_THREAD, 2, 42 });
	add(&c, NF_CHROME_EVENTS, 2000, 10, (struct nf_cause){ NF_CAUSE_IRQ, 1, 0 });
	add(&c, NF_CHROME_EVENTS, 3000, 0, (struct nf_cause){ NF_CAUSE_IRQ, 1, 0 });
	json_t *j = print(&c, cpu, 1, &log), *ev = json_object_get(j, "traceEvents");
	const char *name, *ph, *cat;
	double ts, dur;
	int tid, thread;

	assert_int_equal(json_array_size(ev), 3 + 3);
	assert_int_equal(json_unpack(json_array_get(ev, 3), "{s:s,s:s,s:s,s:F,s:F,s:i}", "name",
	                             &name, "ph", &ph, "cat", &cat, "ts", &ts, "dur", &dur, "tid",
	                             &tid),
	                 0);
	assert_string_equal(name, "unexplained");
	assert_string_equal(ph, "X");
	assert_true(ts == 1.5 && dur == 2.5);
	assert_int_equal(tid, 1);
	assert_int_equal(json_unpack(json_array_get(ev, 4), "{s:s,s:F}", "name", &name, "ts", &ts),
	                 0);
	assert_string_equal(name, "local_timer");
	assert_true(ts == 2.0);
	assert_int_equal(json_unpack(json_array_get(ev, 5), "{s:s,s:s,s:i,s:{s:i}}", "name", &name,
	                             "cat", &cat, "tid", &tid, "args", "thread", &thread),
	                 0);
	assert_string_equal(cat, "thread");
	assert_int_equal(tid, 2);
	assert_int_equal(thread, 42);
	json_decref(j);
	nf_chrome_fini(&c);
	nf_event_log_fini(&log);
}

static void only_the_longest_are_kept_and_the_rest_is_counted(void **state)
{
	enum { N = 5000, KEPT = 10 };
	struct nf_event_log log = names_of("a", "b");
	int cpu[] = { 0 };
	struct nf_chrome c;
	json_int_t left;

	(void)state;
	nf_chrome_init(&c, KEPT);
	for (int64_t i = 0; i < N; i++)
		add(&c, NF_CHROME_INTERVALS, i * 10000, 1 + (i * 7919) % N,
		    (struct nf_cause){ NF_CAUSE_UNEXPLAINED, 0, 0 });
	json_t *j = print(&c, cpu, 1, &log), *ev = json_object_get(j, "traceEvents");
	double last = -1;

	assert_int_equal(json_array_size(ev), 3 + KEPT);
	for (size_t i = 3; i < 3 + KEPT; i++) {
		double ts, dur;

		assert_int_equal(
		        json_unpack(json_array_get(ev, i), "{s:F,s:F}", "ts", &ts, "dur", &dur), 0);
		assert_true(ts > last);
		last = ts;
		assert_true(dur * 1000 > N - KEPT);
	}
	assert_int_equal(json_unpack(j, "{s:{s:I}}", "otherData", "interruptions_left_out", &left),
	                 0);
	assert_int_equal(left, N - KEPT);
	json_decref(j);
	nf_chrome_fini(&c);
	nf_event_log_fini(&log);
}

static void the_table_adds_up_line_by_line(void **state)
{
	struct nf_rec_cause rows[20] = {
		{ .kind = NF_CAUSE_UNEXPLAINED,
		  .name = "",
		  .count = 7,
		  .total_ticks = 500,
		  .total_ns = 500e3,
		  .share = nf_some_real(0.5),
		  .longest_ns = 90e3 },
	};
	struct nf_rec_causes c = { .noise = "detours",
		                   .tick_hz = 1e6,
		                   .intervals = 27,
		                   .noise_ticks = 1000,
		                   .noise_ns = 1e6,
		                   .causes = { rows, 20 },
		                   .events_lost = 3 };
	struct nf_buf out;

	(void)state;
	for (size_t i = 1; i < 20; i++)
		rows[i] = (struct nf_rec_cause){ .kind = NF_CAUSE_THREAD,
			                         .name = "kworker/1:0",
			                         .pid = nf_some_nat(i),
			                         .count = 1,
			                         .total_ticks = i == 1 ? 464 : 2,
			                         .total_ns = i == 1 ? 464e3 : 2e3,
			                         .share = nf_some_real(i == 1 ? 0.464 : 0.002),
			                         .longest_ns = 2e3,
			                         .met = 3,
			                         .occurrences = 4 };
	nf_buf_init(&out, 1 << 16);
	assert_int_equal(nf_text_causes(&c, &out), 0);
	assert_non_null(strstr(out.data, "causes of 27 interruptions (detours)"));
	assert_non_null(strstr(out.data, "unexplained (hardware, hypervisor)"));
	assert_non_null(strstr(out.data, "kworker/1:0 (1)"));
	assert_null(strstr(out.data, "kworker/1:0 (17)"));
	assert_non_null(strstr(out.data, "        1         3         4\n"));
	assert_non_null(strstr(out.data, "met: times it began while the measuring thread"));
	assert_non_null(strstr(out.data, "more in the record"));
	assert_non_null(strstr(out.data, "8.00 us   0.80 %"));
	assert_non_null(strstr(out.data, "100.00 %"));
	assert_non_null(strstr(out.data, "lost: 3 trace events"));
	for (const char *line = out.data; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 100);
	nf_buf_fini(&out);
}

static void what_nobody_knows_is_shown_wherever_it_stands(void **state)
{
	struct nf_rec_cause rows[40];
	struct nf_rec_causes c = { .noise = "detours",
		                   .tick_hz = 1e9,
		                   .intervals = 40,
		                   .noise_ticks = 400,
		                   .noise_ns = 400,
		                   .causes = { rows, 40 } };
	struct nf_buf out;

	(void)state;
	for (size_t i = 0; i < 40; i++)
		rows[i] = (struct nf_rec_cause){ .kind = i == 30 ? NF_CAUSE_UNEXPLAINED
			                                         : NF_CAUSE_SOFTIRQ,
			                         .name = i == 30 ? "" : "RCU",
			                         .count = 1,
			                         .total_ticks = 10,
			                         .total_ns = 10,
			                         .share = nf_some_real(0.025) };
	nf_buf_init(&out, 1 << 16);
	assert_int_equal(nf_text_causes(&c, &out), 0);
	assert_non_null(strstr(out.data, "unexplained (hardware, hypervisor)"));
	assert_non_null(strstr(out.data, "more in the record"));
	assert_non_null(strstr(out.data, "230 ns  57.50 %")); /* 40 rows, 17 of them shown */
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(spans_become_complete_events_in_microseconds),
	cmocka_unit_test(only_the_longest_are_kept_and_the_rest_is_counted),
	cmocka_unit_test(the_table_adds_up_line_by_line),
	cmocka_unit_test(what_nobody_knows_is_shown_wherever_it_stands),
};
NF_UNIT_MAIN(tests)
