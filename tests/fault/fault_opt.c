/* SPDX-License-Identifier: MIT */
#include "fault.h"
#include "nf_unit.h"
#include "opt/opt.h"

enum { UNTOUCHED = 77 };

struct params {
	const char *cpus;
	int64_t duration_ns;
	int colour;
};

static const char *const colours[] = { "red", "green", NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_CPUS('c', "cpus", struct params, cpus, "allowed", "where") },
	{ NF_OPT_DURATION('d', "duration", struct params, duration_ns, 1000, 1000000, 2000, "how long") },
	{ NF_OPT_CHOICE(0, "colour", struct params, colour, colours, 0, "NAME", "which") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

struct parsed {
	struct params p;
	struct nf_opt_rest rest;
};

static int parse(struct parsed *t, int argc, const char *const args[], struct nf_err *err)
{
	static const char *item[8];
	char *argv[8];
	struct nf_opt_set set = { .opts = opts, .params = &t->p };

	t->rest = (struct nf_opt_rest){ .item = item, .n = UNTOUCHED, .n_used = UNTOUCHED };
	memcpy(argv, args, (size_t)argc * sizeof(*argv));
	nf_opt_defaults(&set);
	return nf_opt_parse(&set, 1, argc, argv, false, &t->rest, err);
}

static int parse_run(void *ctx, struct nf_err *err)
{
	static const char *const args[] = { "--cpus", "0-3,200", "-d", "5us", "operand" };

	return parse(ctx, 5, args, err);
}

static void parse_finish(void *ctx, int r)
{
	const struct parsed *t = ctx;

	assert_int_equal(t->rest.n, r < 0 ? UNTOUCHED : 1);
	assert_int_equal(t->rest.n_used, r < 0 ? UNTOUCHED : 5);
}

static void parsing_reports_a_lack_of_memory(void **state)
{
	struct parsed t;

	(void)state;
	fault_every(&(struct fault_subject){ .run = parse_run, .finish = parse_finish }, &t);
}

static int texts_run(void *ctx, struct nf_err *err)
{
	struct nf_buf out;

	(void)ctx;
	nf_buf_init(&out, 1 << 16);
	nf_opt_help(opts, &out);
	nf_opt_man(opts, &out);
	nf_opt_complete_words(opts, &out);
	nf_opt_complete_cases("cmd", opts, &out);
	int r = nf_buf_failed(&out, "the texts", err);
	nf_buf_fini(&out);
	return r;
}

static void texts_are_whole_or_known_not_to_be(void **state)
{
	(void)state;
	fault_every(&(struct fault_subject){ .run = texts_run }, NULL);
}

/* A refusal stays one, and still names option and value, when there is no memory for its text. */
static void a_refusal_needs_no_memory(void **state)
{
	static const char *const bad[][2] = { { "--duration", "5" }, { "--colour", "blue" } };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		unsigned long hits = 0;

		for (unsigned long n = 1;; n++) {
			struct parsed t;
			struct nf_err err = { 0 };

			fault_arm(n);
			int r = parse(&t, 2, bad[i], &err);
			unsigned long fired = fault_hits();
			fault_disarm();
			assert_int_equal(r, -NF_EARG);
			assert_non_null(strstr(err.msg, bad[i][0]));
			assert_non_null(strstr(err.msg, bad[i][1]));
			assert_int_equal(t.rest.n, UNTOUCHED);
			if (!fired)
				break;
			hits++;
		}
		assert_true(hits > 0);
		assert_int_equal(fault_live(), 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(parsing_reports_a_lack_of_memory),
	cmocka_unit_test(texts_are_whole_or_known_not_to_be),
	cmocka_unit_test(a_refusal_needs_no_memory),
};

NF_UNIT_MAIN(tests)
