/* SPDX-License-Identifier: MIT */
/* Patterns, reporters, the stand-alone main, blobs and the cmocka wrapper. */
#include "nf_unit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "noisefloor/prop_cmocka.h"
#include "prop/blob.h"
#include "subjects.h"

/* ---- patterns ---- */
static struct pt_value add(struct pt_mem *m, struct pt_value a, struct pt_value b, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(a.i + b.i);
}

static struct pt_value subtract(struct pt_mem *m, struct pt_value a, struct pt_value b, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(a.i - b.i);
}

static struct pt_value multiply(struct pt_mem *m, struct pt_value a, struct pt_value b, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(a.i * b.i);
}

static struct pt_value least(struct pt_mem *m, struct pt_value a, struct pt_value b, void *arg)
{
	(void)m;
	(void)arg;
	return a.i < b.i ? a : b;
}

static struct pt_value most(struct pt_mem *m, struct pt_value a, struct pt_value b, void *arg)
{
	(void)m;
	(void)arg;
	return a.i > b.i ? a : b;
}

static struct pt_value negate(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(-a.i);
}

static struct pt_value absolute(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(a.i < 0 ? -a.i : a.i);
}

static struct pt_value successor(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(a.i + 1);
}

static struct pt_value predecessor(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(a.i - 1);
}

static struct pt_value double_it(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_int(2 * a.i);
}

static struct pt_value identity(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return a;
}

static struct pt_value shorter(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	a.n -= a.n > 2;
	return a;
}

static struct pt_value third(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_real((double)a.i / 3.0);
}

static struct pt_value third_roughly(struct pt_mem *m, struct pt_value a, void *arg)
{
	(void)m;
	(void)arg;
	return pt_value_real((double)a.i * 0.3334);
}

static bool le(struct pt_value a, struct pt_value b, void *arg)
{
	(void)arg;
	return a.i <= b.i;
}

static bool lt(struct pt_value a, struct pt_value b, void *arg)
{
	(void)arg;
	return a.i < b.i;
}

static bool same_half(struct pt_value a, struct pt_value b, void *arg)
{
	(void)arg;
	return a.i / 2 == b.i / 2;
}

static bool near_by(struct pt_value a, struct pt_value b, void *arg)
{
	(void)arg;
	return a.i - b.i <= 3 && b.i - a.i <= 3;
}

enum law_number {
	COMMUTATIVE,
	ASSOCIATIVE,
	IDENTITY,
	INVERSE,
	DISTRIBUTIVE,
	ABSORPTIVE,
	IDEMPOTENT,
	INVOLUTION,
	HOMOMORPHISM,
	MONOTONIC,
	ROUND_TRIP,
	REFLEXIVE,
	SYMMETRIC,
	ANTISYMMETRIC,
	TRANSITIVE,
	TOTAL,
	LENGTH,
	EQUIVALENT,
	NEAR,
	IMPLIES,
	LAWS,
};

struct which {
	enum law_number law;
	bool holds; /* an example that holds, or one that does not */
};

static bool pattern(struct pt_case *t, void *arg)
{
	const struct which *w = arg;
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *g = pt_int(m, -50, 50);
	bool ok = w->holds;
	int64_t v;

	switch (w->law) {
	case COMMUTATIVE:
		return pt_commutative(t, g, ok ? add : subtract, NULL);
	case ASSOCIATIVE:
		return pt_associative(t, g, ok ? multiply : subtract, NULL);
	case IDENTITY:
		return pt_identity(t, g, add, pt_value_int(ok ? 0 : 1), NULL);
	case INVERSE:
		return pt_inverse(t, g, add, ok ? negate : absolute, pt_value_int(0), NULL);
	case DISTRIBUTIVE:
		return pt_distributive(t, g, ok ? multiply : add, ok ? add : multiply, NULL);
	case ABSORPTIVE:
		return pt_absorptive(t, g, least, ok ? most : add, NULL);
	case IDEMPOTENT:
		return pt_idempotent(t, g, ok ? absolute : negate, NULL);
	case INVOLUTION:
		return pt_involution(t, g, ok ? negate : absolute, NULL);
	case HOMOMORPHISM:
		return pt_homomorphism(t, g, ok ? double_it : successor, add, add, NULL);
	case MONOTONIC:
		return pt_monotonic(t, g, ok ? successor : absolute, le, NULL);
	case ROUND_TRIP:
		return pt_round_trip(t, g, successor, ok ? predecessor : successor, NULL);
	case REFLEXIVE:
		return pt_reflexive(t, g, ok ? le : lt, NULL);
	case SYMMETRIC:
		return pt_symmetric(t, g, ok ? near_by : le, NULL);
	case ANTISYMMETRIC:
		return pt_antisymmetric(t, g, ok ? le : same_half, NULL);
	case TRANSITIVE:
		return pt_transitive(t, g, ok ? le : near_by, NULL);
	case TOTAL:
		return pt_total(t, g, ok ? le : lt, NULL);
	case LENGTH:
		return pt_length_preserving(t, pt_list(m, g, 0, 9), ok ? identity : shorter, NULL);
	case EQUIVALENT:
		return pt_equivalent(t, g, double_it, ok ? double_it : successor, NULL);
	case NEAR:
		return pt_near_equivalent(t, g, third, third_roughly, 0.0, ok ? 0.01 : 1e-6, NULL);
	case IMPLIES:
		v = pt_draw_int(t, 0, 10);
		return pt_implies(t, v > 2, v > (ok ? 1 : 5));
	case LAWS:
	default:
		return false;
	}
}

static void every_pattern_holds_where_it_should_and_fails_where_not(void **state)
{
	(void)state;
	for (int law = 0; law < LAWS; law++)
		for (int holds = 0; holds < 2; holds++) {
			struct which w = { (enum law_number)law, holds != 0 };
			struct pt_config c = { .seed = 4, .cases = 400 };
			struct pt_result r = check_with("pattern", pattern, &w, &c);

			if ((r.outcome == PT_PASSED) != w.holds)
				fail_msg("law %d, %d: %s\n%s", law, holds, r.message, r.notes);
			pt_result_fini(&r);
		}
}

static bool is_small(struct pt_value v, void *arg)
{
	return v.i < *(const int64_t *)arg;
}

static void for_all_takes_a_rule(void **state)
{
	struct pt_mem *m = pt_mem_new();
	int64_t limit = 37;
	struct pt_result r;

	(void)state;
	assert_int_equal(pt_for_all("small", pt_nat(m, 1000), is_small, &limit, NULL, &r), 0);
	assert_string_equal(r.notes, "value = 37\n");
	pt_result_fini(&r);
	assert_int_equal(pt_for_all("small", NULL, is_small, &limit, NULL, &r), -PT_EARG);
	pt_mem_free(m);
}

/* ---- blobs ---- */
static bool blob_round_trip(struct pt_case *t, void *arg)
{
	struct pt_choice *in = pt_alloc(t, PT_MAX_CHOICES * sizeof(*in));
	struct pt_choice *out = pt_alloc(t, PT_MAX_CHOICES * sizeof(*out));
	struct pt_loop l = { .max = 60 };
	uint32_t n = 0, m = 0;
	char *text;

	(void)arg;
	while (pt_more(t, &l)) {
		in[n].index = (uint64_t)pt_draw_int(t, INT64_MIN, INT64_MAX);
		in[n++].kind = pt_draw_bool(t, 0.5);
	}
	text = pt_blob_write(in, n);
	PT_ASSERT(t, text != NULL);
	pt_cleanup(t, free, text);
	PT_ASSERT(t, pt_blob_read(text, out, &m) == 0 && m == n);
	for (uint32_t i = 0; i < n; i++)
		PT_ASSERT(t, out[i].index == in[i].index && out[i].kind == in[i].kind);
	/* any other character in any place is noticed */
	size_t at = pt_draw_size(t, 0, strlen(text) - 1);
	char was = text[at];

	text[at] = "AB9_x.\n"[pt_draw_pick(t, 7)];
	if (text[at] != was && !(text[at] == '\n' && text[at + 1] == '\0'))
		PT_ASSERT(t, pt_blob_read(text, out, &m) == -PT_EARG);
	return true;
}

static void blobs_come_back_and_damage_is_noticed(void **state)
{
	struct pt_config c = { .seed = 8, .cases = 3000 };
	struct pt_result r = check_with("blob", blob_round_trip, NULL, &c);

	(void)state;
	if (r.outcome != PT_PASSED)
		fail_msg("%s\n%s", r.message, r.notes);
	pt_result_fini(&r);
}

/* ---- reporters ---- */
static char *render(const char *reporter)
{
	static const char *const name[] = { "holds", "is <false> # \"quoted\"", "never" };
	struct pt_result r[3];
	struct pt_report report = { "suite", name, r, 3, 1 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	r[0] = check_with(name[0], subject_holds, NULL, NULL);
	r[1] = check_with(name[1], subject_false, NULL, NULL);
	r[2] = check_with(name[2], pattern, &(struct which){ LAWS, false }, NULL);
	assert_int_equal(pt_report_write(pt_reporter_find(reporter), &report, f), 0);
	fclose(f);
	for (int i = 0; i < 3; i++)
		pt_result_fini(&r[i]);
	return text;
}

static void reports_say_what_happened(void **state)
{
	static const struct {
		const char *reporter, *part[5];
	} row[] = {
		{ "console",
		  { "passed    holds: 100 cases", "draw 1 = 37", "--replay pt1.",
		    "1 of 3 properties passed, seed 1" } },
		{ "tap",
		  { "1..3\n", "ok 1 - holds\n", "not ok 2 - is <false>   \"quoted\"\n",
		    "# seed 1" } },
		{ "junit",
		  { "tests=\"3\" failures=\"2\" errors=\"0\"",
		    "is &lt;false&gt; # &quot;quoted&quot;", "draw 1 = 37" } },
		{ "json",
		  { "\"passed\": 1", "\"name\": \"is <false> # \\\"quoted\\\"\"",
		    "\"kind\": \"false\"", "\"notes\": \"draw 1 = 37\\u000a\"" } },
		{ "quiet", { "" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char *text = render(row[i].reporter), *again = render(row[i].reporter);

		assert_string_equal(pt_reporter_name(i), row[i].reporter);
		for (size_t k = 0; k < 5 && row[i].part[k]; k++)
			if (!strstr(text, row[i].part[k]))
				fail_msg("%s has no '%s':\n%s", row[i].reporter, row[i].part[k],
				         text);
		assert_string_equal(text, again);
		if (strcmp(row[i].reporter, "quiet") == 0)
			assert_string_equal(text, "");
		free(text);
		free(again);
	}
	assert_null(pt_reporter_name(5));
	assert_null(pt_reporter_find("nonsense"));
}

/* ---- main ---- */
static const struct pt_property suite_of[] = {
	{ "holds", subject_holds, NULL, 0 },
	{ "fails", subject_false, NULL, 0 },
	{ "crashes", subject_abort, NULL, 0 },
	{ "holds too", subject_holds, NULL, 20 },
};

/* Runs pt_main() in a process of its own; its stdout in out. */
static int run_main(char *out, size_t size, int argc, const char *const *args)
{
	struct pt_suite suite = { .name = "suite", .property = suite_of, .n = 4 };
	char *argv[16] = { NULL };
	size_t n = 0;
	ssize_t got;
	int fd[2], status;
	pid_t pid;

	assert_int_equal(pipe(fd), 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		if (!freopen("/dev/null", "w", stderr))
			_exit(99);
		close(fd[0]);
		close(fd[1]);
		stdout = fdopen(STDOUT_FILENO, "w");
		argv[0] = strdup("main");
		for (int i = 0; i < argc; i++)
			argv[i + 1] = strdup(args[i]);
		status = pt_main(&suite, argc + 1, argv);
		fflush(NULL);
		_exit(status);
	}
	close(fd[1]);
	while (n + 1 < size && (got = read(fd[0], out + n, size - 1 - n)) > 0)
		n += (size_t)got;
	out[n] = '\0';
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
#define RUN_MAIN(out, ...) \
	run_main(out, sizeof(out), PT_COUNT_OF(const char *, __VA_ARGS__), \
	         (const char *const[]){ __VA_ARGS__ })

static void main_filters_repeats_and_replays(void **state)
{
	static char a[16384], b[16384], blob[512];
	const char *p;

	(void)state;
	unsetenv("PT_SEED");
	unsetenv("PT_CASES");
	unsetenv("PT_SAVE");
	assert_int_equal(RUN_MAIN(a, "--list"), 0);
	assert_string_equal(a, "holds\nfails\ncrashes\nholds too\n");
	assert_int_equal(RUN_MAIN(a, "--filter=holds*", "--seed", "3"), 0);
	assert_non_null(strstr(a, "2 of 2 properties passed, seed 3"));
	assert_int_equal(RUN_MAIN(a, "--seed=7"), 1);
	assert_non_null(strstr(a, "passed    holds too: 20 cases"));
	assert_non_null(strstr(a, "SIGABRT"));
	assert_int_equal(RUN_MAIN(b, "--seed=7"), 1);
	assert_string_equal(a, b);
	p = strstr(a, "--replay ");
	assert_non_null(p);
	assert_int_equal(sscanf(p, "--replay %500s", blob), 1);
	assert_int_equal(RUN_MAIN(a, "--filter", "fails", "--replay", blob), 1);
	assert_non_null(strstr(a, "failed    fails: 1 case\n"));
	assert_int_equal(RUN_MAIN(a, "--filter", "holds", "--replay", blob, "--reporter", "json"),
	                 0);
	assert_non_null(strstr(a, "\"cases\": 1"));
	assert_int_equal(RUN_MAIN(a, "--filter", "holds", "--cases", "5"), 0);
	assert_non_null(strstr(a, "holds: 5 cases"));
	assert_int_equal(RUN_MAIN(a, "--help"), 0);
	assert_non_null(strstr(a, "--shrink-calls"));
}

static void main_refuses_wrong_options(void **state)
{
	static char out[4096];

	(void)state;
	assert_int_equal(RUN_MAIN(out, "--nonsense"), 2);
	assert_int_equal(RUN_MAIN(out, "--seed"), 2);
	assert_int_equal(RUN_MAIN(out, "--seed=x"), 2);
	assert_int_equal(RUN_MAIN(out, "--cases=0"), 2);
	assert_int_equal(RUN_MAIN(out, "--reporter=xml"), 2);
	assert_int_equal(RUN_MAIN(out, "--list=1"), 2);
	assert_int_equal(RUN_MAIN(out, "--filter=none of them"), 2);
	assert_int_equal(RUN_MAIN(out, "--replay=pt1.AAAA"), 2);
	setenv("PT_CASES", "many", 1);
	assert_int_equal(RUN_MAIN(out, "--list"), 2);
	unsetenv("PT_CASES");
}

/* ---- cmocka ---- */
static bool asserts_with_cmocka(struct pt_case *t, void *arg)
{
	(void)arg;
	assert_true(pt_draw_int(t, 0, 1000) < 37);
	return true;
}

static void failing_test(void **state)
{
	(void)state;
	pt_cmocka_check("asserts", asserts_with_cmocka, NULL);
}

static bool passes_with_cmocka(struct pt_case *t, void *arg)
{
	(void)arg;
	assert_in_range(pt_draw_int(t, 0, 1000), 0, 1000);
	return true;
}

static void a_cmocka_property_passes(void **state)
{
	(void)state;
	pt_cmocka_check("passes", passes_with_cmocka, NULL);
	assert_null(getenv("CMOCKA_TEST_ABORT"));
}

/* In a process of its own: a group whose one test fails, once. */
static void a_cmocka_property_fails_once_with_the_shrunk_case(void **state)
{
	static const struct CMUnitTest one[] = { cmocka_unit_test(failing_test) };
	static char out[16384];
	size_t n = 0;
	ssize_t got;
	int fd[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		dup2(fd[1], STDERR_FILENO);
		close(fd[0]);
		close(fd[1]);
		stdout = fdopen(STDOUT_FILENO, "w");
		setenv("CMOCKA_MESSAGE_OUTPUT", "STDOUT", 1);
		cmocka_set_test_filter(NULL);
		cmocka_set_message_output(CM_OUTPUT_STDOUT);
		status = cmocka_run_group_tests(one, NULL, NULL);
		fflush(NULL);
		_exit(status);
	}
	close(fd[1]);
	while (n + 1 < sizeof(out) && (got = read(fd[0], out + n, sizeof(out) - 1 - n)) > 0)
		n += (size_t)got;
	out[n] = '\0';
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_non_null(strstr(out, "draw 1 = 37"));
	assert_non_null(strstr(out, "asserts: does not hold"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_pattern_holds_where_it_should_and_fails_where_not),
	cmocka_unit_test(for_all_takes_a_rule),
	cmocka_unit_test(blobs_come_back_and_damage_is_noticed),
	cmocka_unit_test(reports_say_what_happened),
	cmocka_unit_test(main_filters_repeats_and_replays),
	cmocka_unit_test(main_refuses_wrong_options),
	cmocka_unit_test(a_cmocka_property_passes),
	cmocka_unit_test(a_cmocka_property_fails_once_with_the_shrunk_case),
};

NF_UNIT_MAIN(tests)
