/* SPDX-License-Identifier: MIT */
/* The runtime's knobs from environment variables; docs/ACTORS.md names each. */
#include "bench/sched_knobs.h"

#include "nf_unit.h"

struct one {
	const char *name;
	const char *value;
};

static const char *lookup(void *ctx, const char *name)
{
	const struct one *o = ctx;

	for (; o->name; o++)
		if (strcmp(o->name, name) == 0)
			return o->value;
	return NULL;
}

static void what_is_not_set_stays(void **state)
{
	struct one none[] = { { NULL, NULL } };
	struct nf_actor_knobs k, defaults;

	(void)state;
	nf_actor_knobs_init(&defaults);
	nf_actor_knobs_init(&k);
	assert_int_equal(nf_sched_knobs_read(lookup, none, &k, NULL), 0);
	assert_int_equal(k.workers, defaults.workers);
	assert_true(k.timeslice_ticks == defaults.timeslice_ticks);
	assert_true(k.spin_ns == -1);
}

static void each_variable_sets_its_knob(void **state)
{
	struct one env[] = {
		{ "NOISEFLOOR_ACTOR_WORKERS", "3" },
		{ "NOISEFLOOR_ACTOR_ALLOC_INTERVAL", "32" },
		{ "NOISEFLOOR_ACTOR_TIMESLICE_TICKS", "18446744073709551615" },
		{ "NOISEFLOOR_ACTOR_STACK_BYTES", "16384" },
		{ "NOISEFLOOR_ACTOR_MAX_ACTORS", "134217728" },
		{ "NOISEFLOOR_ACTOR_MAX_MESSAGES", "1" },
		{ "NOISEFLOOR_ACTOR_SPIN_NS", "0" },
		{ "NOISEFLOOR_ACTOR_LIFO_CAP", "0" },
		{ "NOISEFLOOR_ACTOR_RUN_QUEUE", "shared" },
		{ "NOISEFLOOR_ACTOR_GUARD", "mprotect" },
		{ "NOISEFLOOR_ACTOR_SAVE_FPU", "1" },
		{ NULL, NULL },
	};
	struct nf_actor_knobs k;

	(void)state;
	assert_int_equal(sizeof(env) / sizeof(*env), nf_sched_n_knobs + 1);
	for (size_t i = 0; i < nf_sched_n_knobs; i++)
		assert_non_null(lookup(env, nf_sched_knobs[i].name));
	nf_actor_knobs_init(&k);
	assert_int_equal(nf_sched_knobs_read(lookup, env, &k, NULL), 0);
	assert_int_equal(k.workers, 3);
	assert_int_equal(k.alloc_interval, 32);
	assert_true(k.timeslice_ticks == UINT64_MAX);
	assert_int_equal(k.stack_bytes, 16384);
	assert_int_equal(k.max_actors, 1 << 27);
	assert_int_equal(k.max_messages, 1);
	assert_true(k.spin_ns == 0);
	assert_int_equal(k.lifo_cap, 0);
	assert_int_equal(k.run_queue, NF_ACTOR_SHARED);
	assert_int_equal(k.guard, NF_ACTOR_GUARD_MPROTECT);
	assert_true(k.save_fpu);
}

static void what_is_out_of_range_is_refused_and_nothing_is_changed(void **state)
{
	static const struct one bad[] = {
		{ "NOISEFLOOR_ACTOR_WORKERS", "257" },
		{ "NOISEFLOOR_ACTOR_WORKERS", "" },
		{ "NOISEFLOOR_ACTOR_WORKERS", " 1" },
		{ "NOISEFLOOR_ACTOR_WORKERS", "-1" },
		{ "NOISEFLOOR_ACTOR_ALLOC_INTERVAL", "0" },
		{ "NOISEFLOOR_ACTOR_TIMESLICE_TICKS", "18446744073709551616" },
		{ "NOISEFLOOR_ACTOR_STACK_BYTES", "16383" },
		{ "NOISEFLOOR_ACTOR_SPIN_NS", "-2" },
		{ "NOISEFLOOR_ACTOR_RUN_QUEUE", "steal" },
		{ "NOISEFLOOR_ACTOR_GUARD", "NONE" },
		{ "NOISEFLOOR_ACTOR_SAVE_FPU", "2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct one env[] = { { "NOISEFLOOR_ACTOR_LIFO_CAP", "7" }, bad[i], { NULL, NULL } };
		struct nf_actor_knobs k;
		struct nf_err err = { 0 };

		nf_actor_knobs_init(&k);
		assert_int_equal(nf_sched_knobs_read(lookup, env, &k, &err), -NF_EARG);
		assert_non_null(strstr(err.msg, bad[i].name));
		assert_non_null(strstr(err.msg, "; allowed: "));
		assert_int_equal(k.lifo_cap, 32);
	}
}

/* The list that users read; NF_SOURCE is the root. */
static void the_documentation_names_each(void **state)
{
	char path[4096], *text = calloc(1, 1 << 20);
	const char *root = getenv("NF_SOURCE");

	(void)state;
	assert_non_null(text);
	skip_unless(root, "source-tree", "NF_SOURCE is not set");
	snprintf(path, sizeof(path), "%s/docs/ACTORS.md", root);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	for (size_t i = 0; i < nf_sched_n_knobs; i++) {
		char row[400];

		snprintf(row, sizeof(row), "| `%s` | %s | %s |", nf_sched_knobs[i].name,
		         nf_sched_knobs[i].allowed, nf_sched_knobs[i].doc);
		if (!strstr(text, row))
			fail_msg("docs/ACTORS.md lacks: %s", row);
	}
	free(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_is_not_set_stays),
	cmocka_unit_test(each_variable_sets_its_knob),
	cmocka_unit_test(what_is_out_of_range_is_refused_and_nothing_is_changed),
	cmocka_unit_test(the_documentation_names_each),
};
NF_UNIT_MAIN(tests)
