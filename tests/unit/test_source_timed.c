/* SPDX-License-Identifier: MIT */
/* Prints between two reads of a clock. */
#include "source_trees.h"

static struct nf_src_timed_print first;
static uint64_t regions;

/* Certain prints of a body; *ret_uncertain: the others. */
static size_t prints_in(const char *body, size_t *ret_uncertain, const char *begin, const char *end)
{
	struct nf_src_timed t = { 0 };
	struct nf_src_timed_opts o = { 0 };
	struct nf_arena a;
	char text[2048];
	regex_t re[2];
	size_t n = 0;

	snprintf(text, sizeof(text), "static int work(int x)\n{\n%s\n}\n", body);
	if (begin) {
		assert_int_equal(regcomp(&re[0], begin, REG_EXTENDED), 0);
		assert_int_equal(regcomp(&re[1], end, REG_EXTENDED), 0);
		o.begin = &re[0];
		o.end = &re[1];
	}
	nf_arena_init(&a, 1 << 20);
	assert_int_equal(nf_src_timed_look("a.c", text, strlen(text), &o, &a, &t, NULL), 0);
	for (size_t i = 0; i < t.n; i++) {
		assert_string_equal(t.item[i].function, "work");
		n += !t.item[i].conditional;
	}
	if (ret_uncertain)
		*ret_uncertain = t.n - n;
	if (t.n > 0)
		first = t.item[0];
	regions = t.regions;
	nf_src_timed_fini(&t);
	nf_arena_fini(&a);
	if (begin) {
		regfree(&re[0]);
		regfree(&re[1]);
	}
	return n;
}

static void prints_between_two_reads_are_found(void **state)
{
	static const char *const bodies[] = {
		"u64 t0 = rdtsc();\nprintf(\"x\");\nu64 t1 = rdtsc();\nuse(t1 - t0);",
		"clock_gettime(C, &a);\nputs(s);\nclock_gettime(C, &b);\nuse(b.tv_sec - a.tv_sec);",
		"s->t = ktime_get();\npr_info(\"x\");\nd = ktime_sub(ktime_get(), s->t);",
		"t = get_timer(0);\nprintk(\"x\");\nd = get_timer(0) - t;",
		"t = read_cntpct();\nfor (;;) { fprintf(stderr, \"x\"); }\ne = read_cntpct();\nd = "
		"e - t;",
		"asm volatile(\"mrs %0, cntpct_el0\" : \"=r\"(a));\nuart_puts(s);\n"
		"asm volatile(\"mrs %0, cntpct_el0\" : \"=r\"(b));\nuse(b - a);",
		"t[0] = clock();\nwhile (x) LOG_INF(\"x\");\nt[1] = clock();\nd = t[1] - t[0];",
		"clock_gettime(C, &a);\nputs(s);\nd = elapsed_since(&a);",
		"nf_stamp_take(&s, \"a\");\nputs(x);\nnf_stamp_take(&s, \"b\");",
		"a = nf_stamp_counter();\nputs(s);\nb = nf_stamp_counter();\nd = b - a;",
		"a = rdtsc();\nwrite(1, s, n);\nb = rdtsc();\nd = b - a;",
		"a = rdtsc();\nwrite(STDERR_FILENO, s, n);\nb = rdtsc();\nd = b - a;",
		"a = rdtsc();\ndprintf(2, s);\nb = rdtsc();\nd = b - a;",
		"a = rdtsc();\nsyslog(LOG_INFO, s);\nb = rdtsc();\nd = b - a;",
		"a = rdtsc();\ndebug_printf(s);\nb = rdtsc();\nd = b - a;",
		"a = rdtsc();\nZF_LOGE(s);\nb = rdtsc();\nd = b - a;",
		"a = rdtsc();\ndev_warn(dev, s);\nb = rdtsc();\nd = b - a;",
		"a = rdtsc();\nstd::cout << s << std::endl;\nb = rdtsc();\nd = b - a;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		size_t n = prints_in(bodies[i], NULL, NULL, NULL);

		if (n != 1)
			fail_msg("%zu prints in:\n%s", n, bodies[i]);
		assert_int_equal(first.begin, 3);
		assert_int_equal(first.print, 4);
		assert_int_equal(first.end, 5);
	}
}

static void what_is_no_region_or_no_print_is_none(void **state)
{
	static const char *const bodies[] = {
		/* before and after */
		"puts(s);\nt0 = rdtsc();\nt1 = rdtsc();\nprintf(\"%d\", t1 - t0);",
		/* nothing is subtracted */
		"t0 = rdtsc();\nputs(s);\nt1 = rdtsc();\nuse(t1, t0);",
		/* the first time is lost */
		"t0 = rdtsc();\nputs(s);\nt0 = rdtsc();\nt1 = rdtsc();\nd = t1 - t0;",
		/* the other way round: from the end of one to the beginning of the next */
		"b = rdtsc();\nputs(s);\na = rdtsc();\nb = rdtsc();\nd = b - a;",
		"b = rdtsc();\nputs(s);\na = rdtsc();\nd = b - a;",
		/* printed when it was read */
		"a = rdtsc();\nprintf(\"%d\", rdtsc() - a);",
		"a = rdtsc();\nstd::cout << rdtsc() - a;",
		/* its block is closed */
		"{ t0 = rdtsc(); }\nputs(s);\nt1 = rdtsc();\nd = t1 - t0;",
		/* it leaves */
		"t0 = rdtsc();\nif (x) {\nputs(s);\nreturn 1;\n}\nt1 = rdtsc();\nd = t1 - t0;",
		"t0 = rdtsc();\nif (x)\nreturn puts(s);\nt1 = rdtsc();\nd = t1 - t0;",
		/* no console */
		"t0 = rdtsc();\nsnprintf(b, 1, s);\nfprintf(f, s);\nfputs(s, f);\npr_debug(s);\n"
		"o->printf(s);\nt1 = rdtsc();\nd = t1 - t0;",
		"t0 = rdtsc();\nwrite(fd, s, 1);\nwrite(1 + n, s, 1);\ndprintf(fd, s);\n"
		"ZF_LOGD(s);\ny = cout < 2;\nt1 = rdtsc();\nd = t1 - t0;",
		/* in comments, strings and branches that are not compiled */
		"t0 = rdtsc(); /* puts(s); */\nu = \"puts(s)\";\n#if 0\nputs(s);\n#endif\n"
		"t1 = rdtsc();\nd = t1 - t0;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		size_t uncertain, n = prints_in(bodies[i], &uncertain, NULL, NULL);

		if (n + uncertain != 0)
			fail_msg("%zu and %zu prints in:\n%s", n, uncertain, bodies[i]);
	}
}

static void prints_in_conditions_are_uncertain(void **state)
{
	static const char *const bodies[] = {
		"t0 = rdtsc();\nif (x)\nputs(s);\nt1 = rdtsc();\nd = t1 - t0;",
		"t0 = rdtsc();\nif (x) {\nputs(s);\n}\nt1 = rdtsc();\nd = t1 - t0;",
		"t0 = rdtsc();\nif (x) a(); else\nputs(s);\nt1 = rdtsc();\nd = t1 - t0;",
		"t0 = rdtsc();\nswitch (x) { case 1:\nputs(s);\n}\nt1 = rdtsc();\nd = t1 - t0;",
		"t0 = rdtsc();\n#ifdef V\nputs(s);\n#endif\nt1 = rdtsc();\nd = t1 - t0;",
		"t0 = rdtsc();\nfor (;;) { if (x) {\nputs(s);\n} }\nt1 = rdtsc();\nd = t1 - t0;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		size_t uncertain, n = prints_in(bodies[i], &uncertain, NULL, NULL);

		if (n != 0 || uncertain != 1)
			fail_msg("%zu and %zu prints in:\n%s", n, uncertain, bodies[i]);
	}
}

static void each_of_several_regions_is_one(void **state)
{
	(void)state;
	assert_int_equal(
	        prints_in("t0 = rdtsc();\nputs(s);\nt1 = rdtsc();\nputs(s);\nt2 = rdtsc();\n"
	                  "use(t1 - t0);\nuse(t2 - t1);",
	                  NULL, NULL, NULL),
	        2);
	assert_int_equal(regions, 2);
}

static void marks_of_the_user_make_regions(void **state)
{
	(void)state;
	assert_int_equal(prints_in("START(a);\nputs(s);\nSTOP(a);\nputs(s);\nSTART(a);\nputs(s);",
	                           NULL, "START", "STOP"),
	                 1);
	assert_int_equal(first.begin, 3);
	assert_int_equal(first.print, 4);
	assert_int_equal(first.end, 5);
	assert_int_equal(regions, 1);
}

static void what_does_not_balance_is_read_to_its_end(void **state)
{
	static const char *const bodies[] = { "}}}} t0 = rdtsc(); {{{", "t0 = rdtsc(((;",
		                              "a[[[] = clock();", "#else\n#endif\n#endif\n#if 0",
		                              ")))) = rdtsc() - ]]" };

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
		assert_int_equal(prints_in(bodies[i], NULL, NULL, NULL), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(prints_between_two_reads_are_found),
	cmocka_unit_test(what_is_no_region_or_no_print_is_none),
	cmocka_unit_test(prints_in_conditions_are_uncertain),
	cmocka_unit_test(each_of_several_regions_is_one),
	cmocka_unit_test(marks_of_the_user_make_regions),
	cmocka_unit_test(what_does_not_balance_is_read_to_its_end),
};

NF_UNIT_MAIN(tests)
