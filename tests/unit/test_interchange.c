/* SPDX-License-Identifier: MIT */
#include "bench/interchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/json_in.h"
#include "nf_unit.h"

/* To the precision of a conversion of units. */
static void assert_near(double is, double wanted)
{
	assert_true(fabs(is - wanted) <= 1e-12 * fabs(wanted));
}

static struct nf_results read_text(int id, const char *text)
{
	struct nf_results r;
	struct nf_err err = { 0 };

	if (nf_interchange_read(id, text, strlen(text), "x", &r, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	return r;
}

static int told(const char *text)
{
	struct nf_results r;
	struct nf_err err = { 0 };
	int id = -1;

	if (nf_interchange_read(NF_INTERCHANGE_AUTO, text, strlen(text), "x", &r, &id, &err) < 0)
		fail_msg("%s", err.msg);
	nf_results_fini(&r);
	return id;
}

static void refused(int id, const char *text, const char *why)
{
	struct nf_results r = { .n = 77 };
	struct nf_err err = { 0 };

	assert_int_equal(nf_interchange_read(id, text, strlen(text), "x", &r, NULL, &err),
	                 -NF_EDATA);
	assert_int_equal(r.n, 77);
	if (!strstr(err.msg, why))
		fail_msg("'%s' is not in '%s'", why, err.msg);
}

static const char hyperfine[] =
        "{\"results\": [{\"command\": \"sleep 0.1\", \"mean\": 0.2, \"stddev\": null,"
        "\"times\": [0.25, 0.5], \"exit_codes\": [0, null], \"memory_usage_byte\": [4096, 8192]},"
        "{\"command\": \"true\", \"times\": [0.001]}]}";

static void hyperfine_has_seconds_and_codes(void **state)
{
	struct nf_results r = read_text(NF_INTERCHANGE_AUTO, hyperfine);

	(void)state;
	assert_int_equal(r.n, 2);
	assert_string_equal(r.result[0].bench, "sleep 0.1");
	assert_string_equal(r.result[0].unit, "ns");
	assert_int_equal(r.result[0].n, 2);
	assert_near(r.result[0].item[0].value, 0.25e9);
	assert_near(r.result[0].item[1].value, 0.5e9);
	assert_int_equal(r.result[0].item[0].exit_code, 0);
	assert_int_equal(r.result[0].item[1].exit_code, -1);
	assert_near(r.result[0].item[1].peak_bytes, 8192);
	assert_true(r.result[1].item[0].peak_bytes < 0);
	nf_results_fini(&r);
	refused(NF_INTERCHANGE_HYPERFINE, "{\"results\": [{\"command\": \"x\"}]}",
	        "x: results[0]: 'times' is missing or no array");
	refused(NF_INTERCHANGE_HYPERFINE,
	        "{\"results\": [{\"command\": \"x\", \"times\": [1, \"2\"]}]}",
	        "times[1] is no number");
	refused(NF_INTERCHANGE_HYPERFINE, "{\"results\": []}", "no result in the form 'hyperfine'");
}

static const char google[] =
        "{\"context\": {\"num_cpus\": 2}, \"benchmarks\": ["
        "{\"name\": \"BM_a\", \"run_type\": \"iteration\", \"repetition_index\": 0, \"threads\": 4,"
        " \"iterations\": 1000, \"real_time\": 1.5, \"cpu_time\": 9, \"time_unit\": \"us\"},"
        "{\"name\": \"BM_a\", \"run_type\": \"iteration\", \"iterations\": 10, \"real_time\": "
        "2.5e3,"
        " \"time_unit\": \"ns\"},"
        "{\"name\": \"BM_a_mean\", \"run_type\": \"aggregate\", \"real_time\": 2, \"time_unit\": "
        "\"us\"},"
        "{\"name\": \"BM_old\", \"iterations\": 1, \"real_time\": 7, \"time_unit\": \"ms\"},"
        "{\"name\": \"BM_bad\", \"run_type\": \"iteration\", \"error_occurred\": true,"
        " \"error_message\": \"no file\"}]}";

static void google_has_single_runs_without_aggregates(void **state)
{
	struct nf_results r = read_text(NF_INTERCHANGE_AUTO, google);
	const struct nf_result *a = nf_results_find(&r, "BM_a");

	(void)state;
	assert_int_equal(r.n, 3);
	assert_non_null(a);
	assert_int_equal(a->n, 2);
	assert_int_equal(a->threads, 4);
	assert_near(a->item[0].value, 1500);
	assert_int_equal(a->item[0].operations, 1000);
	assert_near(a->item[1].value, 2500);
	assert_near(nf_results_find(&r, "BM_old")->item[0].value, 7e6);
	assert_string_equal(nf_results_find(&r, "BM_bad")->failure, "no file");
	assert_int_equal(nf_results_find(&r, "BM_bad")->n, 0);
	assert_null(nf_results_find(&r, "BM_a_mean"));
	nf_results_fini(&r);
	refused(NF_INTERCHANGE_GOOGLE,
	        "{\"benchmarks\": [{\"name\": \"a\", \"run_type\": \"aggregate\", \"real_time\": "
	        "1}]}",
	        "--benchmark_report_aggregates_only");
	refused(NF_INTERCHANGE_GOOGLE,
	        "{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1, \"time_unit\": "
	        "\"fortnight\"}]}",
	        "bad time_unit 'fortnight'");
}

static void go_has_a_result_for_each_unit(void **state)
{
	static const char text[] = "goos: linux\n"
	                           "pkg: example.org/x\n"
	                           "BenchmarkDecode/text=digits-8   \t  100\t  154125 ns/op\t  "
	                           "64.88 MB/s\t   4.5e1 B/op\n"
	                           "BenchmarkDecode/text=digits-8\n"
	                           "some log line\n"
	                           "BenchmarkDecode/text=digits-8   \t  200\t  0.2 ms/op\r\n"
	                           "Benchmarking is no benchmark 3 4 ns/op\n"
	                           "BenchmarkNoNumber x y\n"
	                           "PASS\nok  \texample.org/x\t1.2s\n";
	struct nf_results r = read_text(NF_INTERCHANGE_AUTO, text);
	const struct nf_result *ns = nf_results_find(&r, "BenchmarkDecode/text=digits-8");
	const struct nf_result *mb = nf_results_find(&r, "BenchmarkDecode/text=digits-8 MB/s");
	char names[200];

	(void)state;
	assert_int_equal(r.n, 3);
	assert_int_equal(ns->n, 2);
	assert_string_equal(ns->unit, "ns");
	assert_near(ns->item[0].value, 154125);
	assert_int_equal(ns->item[0].operations, 100);
	assert_near(ns->item[1].value, 200000);
	assert_int_equal(ns->item[1].operations, 200);
	assert_int_equal(ns->better, NF_BETTER_SMALLER);
	assert_int_equal(mb->better, NF_BETTER_LARGER);
	assert_near(mb->item[0].value, 64.88);
	assert_near(nf_results_find(&r, "BenchmarkDecode/text=digits-8 B/op")->item[0].value, 45);
	nf_results_names(&r, names, sizeof(names));
	assert_string_equal(names, "BenchmarkDecode/text=digits-8, BenchmarkDecode/text=digits-8 "
	                           "MB/s, BenchmarkDecode/text=digits-8 B/op");
	nf_results_names(&r, names, 40);
	assert_string_equal(names, "BenchmarkDecode/text=digits-8, ...");
	nf_results_fini(&r);
	refused(NF_INTERCHANGE_GO, "BenchmarkX 10 5\n", "x:1: the value '5' has no unit");
	refused(NF_INTERCHANGE_GO, "\nBenchmarkX 10 inf ns/op\n", "x:2: bad value 'inf'");
	refused(NF_INTERCHANGE_GO, "BenchmarkX 10 1e999 ns/op\n", "x:1: bad value '1e999'");
	refused(NF_INTERCHANGE_GO, "BenchmarkX 0 1 ns/op\n", "bad number of iterations '0'");
	refused(NF_INTERCHANGE_GO, "PASS\n", "no result in the form 'go'");
}

static void lines_are_objects_and_nothing_else(void **state)
{
	struct nf_results r = read_text(
	        NF_INTERCHANGE_AUTO, "\n{\"bench\":\"a\",\"value\":2,\"unit\":\"s\",\"more\":[1]}\n"
	                             "  \t\n{\"bench\":\"a\",\"value\":0.5,\"unit\":\"ms\"}\r\n"
	                             "{\"bench\":\"b\",\"value\":3,\"unit\":\"apples\"}");

	(void)state;
	assert_int_equal(r.n, 2);
	assert_int_equal(r.result[0].n, 2);
	assert_near(r.result[0].item[0].value, 2e9);
	assert_near(r.result[0].item[1].value, 5e5);
	assert_string_equal(r.result[1].unit, "apples");
	assert_null(nf_results_find(&r, NULL)); /* not the only one */
	nf_results_fini(&r);
	refused(NF_INTERCHANGE_LINES,
	        "{\"bench\":\"a\",\"value\":1,\"unit\":\"ns\"}\nhello \x1b[1m\n",
	        "x:2: not JSON: 'hello ?[1m'");
	refused(NF_INTERCHANGE_LINES, "\n\n{\"bench\":\"a\",\"value\":1,}\n", "x:3: not JSON: ");
	refused(NF_INTERCHANGE_LINES, "{\"bench\":\"a\",\"value\":\"1\",\"unit\":\"ns\"}\n",
	        "x:1: 'value' is missing or of the wrong kind");
	refused(NF_INTERCHANGE_LINES, "{\"bench\":\"a\",\"value\":1}", "x:1: 'unit' is missing");
	refused(NF_INTERCHANGE_LINES, "[1]\n", "x:1: 'bench' is missing");
	refused(NF_INTERCHANGE_LINES, "{\"bench\":\"\",\"value\":1,\"unit\":\"ns\"}",
	        "x:1: a benchmark's name of 0 bytes");
	refused(NF_INTERCHANGE_LINES, "{\"bench\":\"a\\u0007\",\"value\":1,\"unit\":\"ns\"}",
	        "a control character in a benchmark's name");
	refused(NF_INTERCHANGE_LINES, "{\"bench\":\"a\",\"value\":1e308,\"unit\":\"s\"}",
	        "no finite number");
	refused(NF_INTERCHANGE_LINES, "", "no result in the form 'lines'");
	refused(NF_INTERCHANGE_AUTO, "Segmentation fault\n", "x:1: not JSON: 'Segmentation fault'");
}

static void smaller_is_better_whatever_the_unit(void **state)
{
	struct nf_results r = read_text(NF_INTERCHANGE_AUTO,
	                                "[{\"name\":\"a\",\"unit\":\"Percent\",\"value\":50},"
	                                "{\"name\":\"b\",\"unit\":\"us\",\"value\":3,"
	                                "\"range\":\"3\",\"extra\":\"y\"}]");

	(void)state;
	assert_int_equal(r.n, 2);
	assert_string_equal(r.result[0].unit, "Percent");
	assert_near(r.result[1].item[0].value, 3000);
	nf_results_fini(&r);
	refused(NF_INTERCHANGE_SMALLER, "[{\"name\":\"a\",\"unit\":\"x\",\"value\":\"50\"}]",
	        "x: [0]: 'value' is missing or no number");
	refused(NF_INTERCHANGE_SMALLER, "{}", "the document is no array");
}

static void form_is_told_from_the_text(void **state)
{
	(void)state;
	assert_int_equal(told(hyperfine), NF_INTERCHANGE_HYPERFINE);
	assert_int_equal(told(google), NF_INTERCHANGE_GOOGLE);
	assert_int_equal(told("log\nBenchmarkX 1 2 ns/op\n"), NF_INTERCHANGE_GO);
	assert_int_equal(told(" {\"bench\":\"results\",\"value\":1,\"unit\":\"benchmarks\"}"),
	                 NF_INTERCHANGE_LINES);
	assert_int_equal(told("[{\"name\":\"a\",\"unit\":\"x\",\"value\":5}]"),
	                 NF_INTERCHANGE_SMALLER);
}

static void hostile_json_is_refused_before_it_is_built(void **state)
{
	size_t n = (size_t)2 * NF_JSON_IN_ITEMS;
	char *text = malloc(n + 1);
	struct nf_results r;
	struct nf_err err = { 0 };

	(void)state;
	assert_non_null(text);
	memset(text, '[', 100);
	text[100] = '\0';
	refused(NF_INTERCHANGE_SMALLER, text, "x:1: JSON nested too deeply");
	for (size_t i = 0; i < n; i++)
		text[i] = i == 0 ? '[' : i % 2 ? '1' : ',';
	assert_int_equal(nf_interchange_read(NF_INTERCHANGE_SMALLER, text, n, "x", &r, NULL, &err),
	                 -NF_EDATA);
	assert_non_null(strstr(err.msg, "too many values"));
	assert_int_equal(nf_interchange_read(NF_INTERCHANGE_AUTO, text,
	                                     (size_t)NF_INTERCHANGE_BYTES + 1, "x", &r, NULL, &err),
	                 -NF_EDATA);
	assert_non_null(strstr(err.msg, "more than 64 MiB"));
	free(text);
}

static void results_are_bounded(void **state)
{
	struct nf_results r;
	struct nf_result *to;
	struct nf_err err = { 0 };
	char name[32];

	(void)state;
	nf_results_init(&r);
	for (int i = 0; i < NF_RESULTS_MAX; i++) {
		snprintf(name, sizeof(name), "b%d", i);
		assert_int_equal(nf_results_get(&r, name, "ns", &to, &err), 0);
		assert_string_equal(to->bench, name);
	}
	assert_int_equal(nf_results_get(&r, "one more", "ns", &to, &err), -NF_EDATA);
	assert_int_equal(nf_results_get(&r, "b7", "ns", &to, &err), 0);
	assert_ptr_equal(to, &r.result[7]);
	for (int i = 0; i < NF_RESULT_VALUES_MAX; i++)
		assert_int_equal(nf_results_add(&r, to, i, &err), 0);
	assert_int_equal(nf_results_add(&r, to, 1, &err), -NF_EDATA);
	assert_int_equal(to->n, NF_RESULT_VALUES_MAX);
	nf_results_fini(&r);
}

static void units_of_time_become_ns(void **state)
{
	static const struct {
		const char *unit;
		const char *own;
		double factor;
	} unit[] = {
		{ "ns", "ns", 1 },        { "us/op", "ns", 1e3 },
		{ "\u00b5s", "ns", 1e3 }, { "\u03bcs/iter", "ns", 1e3 },
		{ "ms", "ns", 1e6 },      { "seconds", "ns", 1e9 },
		{ "min", "ns", 60e9 },    { "B/op", "B/op", 1 },
		{ "MB/s", "MB/s", 1 },    { "s/page", "s/page", 1 },
		{ "nss", "nss", 1 },      { "", "", 1 },
		{ "/op", "/op", 1 },      { "S", "S", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(unit) / sizeof(*unit); i++) {
		double factor;

		assert_string_equal(nf_result_unit(unit[i].unit, &factor), unit[i].own);
		assert_near(factor, unit[i].factor);
	}
}

static enum nf_better better_of(const struct nf_results *r, const char *name)
{
	const struct nf_result *found = nf_results_find(r, name);

	assert_non_null(found);
	return found->better;
}

static void which_way_is_better_is_what_the_form_says_else_what_the_unit_tells(void **state)
{
	struct nf_results r = read_text(
	        NF_INTERCHANGE_AUTO,
	        "{\"bench\":\"fps\",\"value\":60,\"unit\":\"frames\",\"better\":\"larger\"}\n"
	        "{\"bench\":\"fps\",\"value\":61,\"unit\":\"frames\",\"better\":\"larger\"}\n"
	        "{\"bench\":\"lost\",\"value\":3,\"unit\":\"frames/s\",\"better\":\"smaller\"}\n"
	        "{\"bench\":\"rate\",\"value\":3,\"unit\":\"MB/s\"}\n"
	        "{\"bench\":\"time\",\"value\":3,\"unit\":\"ms\"}\n");

	(void)state;
	assert_int_equal(better_of(&r, "fps"), NF_BETTER_LARGER);
	assert_int_equal(better_of(&r, "lost"), NF_BETTER_SMALLER);
	assert_int_equal(better_of(&r, "rate"), NF_BETTER_LARGER);
	assert_int_equal(better_of(&r, "time"), NF_BETTER_SMALLER);
	nf_results_fini(&r);
	refused(NF_INTERCHANGE_LINES,
	        "{\"bench\":\"a\",\"value\":1,\"unit\":\"x\",\"better\":\"larger\"}\n"
	        "{\"bench\":\"a\",\"value\":1,\"unit\":\"x\",\"better\":\"smaller\"}\n",
	        "x:2: 'a': smaller is better, and before larger was");
	refused(NF_INTERCHANGE_LINES,
	        "{\"bench\":\"a\",\"value\":1,\"unit\":\"x\",\"better\":\"more\"}",
	        "x:1: bad 'better'; allowed: smaller, larger");
	refused(NF_INTERCHANGE_LINES, "{\"bench\":\"a\",\"value\":1,\"unit\":\"x\",\"better\":1}",
	        "x:1: bad 'better'");
	r = read_text(NF_INTERCHANGE_AUTO, "Unit frames better=higher\n"
	                                   "Unit B/op assume=exact\n"
	                                   "BenchmarkX 1 60 frames 5 B/op 2 faults/s 1 ns/op\n"
	                                   "Unit faults/s assume=exact better=lower\n"
	                                   "Unit nothing better=higher\n"
	                                   "Unit\nUnit \nUnit x\n");
	assert_int_equal(better_of(&r, "BenchmarkX frames"), NF_BETTER_LARGER);
	assert_int_equal(better_of(&r, "BenchmarkX B/op"), NF_BETTER_SMALLER);
	assert_int_equal(better_of(&r, "BenchmarkX faults/s"), NF_BETTER_SMALLER);
	assert_int_equal(better_of(&r, "BenchmarkX ns"), NF_BETTER_SMALLER);
	nf_results_fini(&r);
	refused(NF_INTERCHANGE_GO, "BenchmarkX 1 2 y\nUnit y better=higher\nUnit y better=lower\n",
	        "x:3: 'BenchmarkX': smaller is better");
}

static void counters_of_google_are_results_that_are_asked_for(void **state)
{
	struct nf_results r = read_text(
	        NF_INTERCHANGE_AUTO,
	        "{\"benchmarks\":[{\"name\":\"B\",\"run_type\":\"iteration\",\"iterations\":8,"
	        "\"real_time\":2,\"cpu_time\":1,\"time_unit\":\"ms\",\"threads\":1,"
	        "\"repetition_index\":0,\"items_per_second\":500.5,\"faults\":3}]}");
	const struct nf_result *only = nf_results_find(&r, NULL);
	const struct nf_result *rate = nf_results_find(&r, "B items/s");

	(void)state;
	assert_int_equal(r.n, 3);
	assert_non_null(only);
	assert_string_equal(only->unit, "ns");
	assert_near(only->item[0].value, 2e6);
	assert_non_null(rate);
	assert_true(rate->is_counter);
	assert_int_equal(rate->better, NF_BETTER_LARGER);
	assert_near(rate->item[0].value, 500.5);
	assert_int_equal(rate->item[0].operations, 8);
	assert_int_equal(better_of(&r, "B faults"), NF_BETTER_SMALLER);
	nf_results_fini(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(hyperfine_has_seconds_and_codes),
	cmocka_unit_test(google_has_single_runs_without_aggregates),
	cmocka_unit_test(go_has_a_result_for_each_unit),
	cmocka_unit_test(lines_are_objects_and_nothing_else),
	cmocka_unit_test(smaller_is_better_whatever_the_unit),
	cmocka_unit_test(form_is_told_from_the_text),
	cmocka_unit_test(hostile_json_is_refused_before_it_is_built),
	cmocka_unit_test(results_are_bounded),
	cmocka_unit_test(units_of_time_become_ns),
	cmocka_unit_test(which_way_is_better_is_what_the_form_says_else_what_the_unit_tells),
	cmocka_unit_test(counters_of_google_are_results_that_are_asked_for),
};
NF_UNIT_MAIN(tests)
