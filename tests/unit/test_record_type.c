/* SPDX-License-Identifier: MIT */
/* A record's rows, its validation, what it says of its own fields. */
#include "nf_unit.h"

#include <math.h>

#include "machine/hwlat.h"
#include "machine/posture.h"
#include "machine/smi.h"
#include "measure/probe_numa.h"
#include "measure/probe_wake.h"
#include "record/rec_hostprobe.h"
#include "record/rec_posture.h"
#include "record/rec_window.h"
#include "record/walk.h"
#include "record/write.h"

static struct nf_rec_timing_budget a_budget(void)
{
	return (struct nf_rec_timing_budget){ .period_ns = 4000000,
		                              .max_jitter_ns = 1000000,
		                              .max_latency_ns = 5000000 };
}

static void a_zeroed_record_without_texts_is_valid(void **state)
{
	struct nf_rec_timing_budget b = a_budget();
	struct nf_err err;

	(void)state;
	assert_int_equal(nf_record_validate(&nf_rec_timing_budget_type, &b, &err), 0);
}

static void assert_refused(const struct nf_type *t, const void *v, const char *path)
{
	struct nf_err err;

	memset(&err, 0, sizeof(err));
	assert_int_equal(nf_record_validate(t, v, &err), -NF_EDATA);
	if (!strstr(err.msg, path))
		fail_msg("'%s' does not name %s", err.msg, path);
}

static void validation_names_the_path_of_a_bad_value(void **state)
{
	struct nf_rec_timing_budget b = a_budget();
	struct nf_rec_step steps[2] = { { .name = "smi" }, { .name = NULL } };
	struct nf_rec_headline headline = { .text = "t" };

	(void)state;
	b.max_noise_ratio = (struct nf_some_real){ true, (double)NAN };
	assert_refused(&nf_rec_timing_budget_type, &b, "max_noise_ratio");
	b.max_noise_ratio = nf_some_real(HUGE_VAL);
	assert_false(b.max_noise_ratio.some);
	b.period_ns = UINT64_C(1) << 53;
	assert_refused(&nf_rec_timing_budget_type, &b, "period_ns");
	b.period_ns = (UINT64_C(1) << 53) - 1;
	assert_int_equal(nf_record_validate(&nf_rec_timing_budget_type, &b, NULL), 0);

	steps[0].result = 5;
	assert_refused(&nf_rec_step_type, &steps[0], "result");
	steps[0].result = -1;
	assert_refused(&nf_rec_step_type, &steps[0], "StepResult");
	steps[0].result = NF_STEP_SKIPPED;
	assert_int_equal(nf_record_validate(&nf_rec_step_type, &steps[0], NULL), 0);
	assert_refused(&nf_rec_step_type, &steps[1], "name");

	struct nf_rec_posture p = { .schema = "Posture/1",
		                    .tool_version = "1",
		                    .read_utc = "x",
		                    .root = "/",
		                    .host = { .label = "h" },
		                    .claim_ceiling = "c" };
	assert_int_equal(nf_record_validate(&nf_rec_posture_type, &p, NULL), 0);
	const char *command[] = { "a", NULL };
	p.command = (struct nf_list){ command, 2 };
	assert_refused(&nf_rec_posture_type, &p, "command[1]");
	p.command = (struct nf_list){ NULL, 1 };
	assert_refused(&nf_rec_posture_type, &p, "command");
	p.command = (struct nf_list){ NULL, 0 };
	struct nf_rec_profile_line lines[] = { { .text = "x" }, { .text = "y", .match = 9 } };
	p.profile_lines = (struct nf_list){ lines, 2 };
	assert_refused(&nf_rec_posture_type, &p, "profile_lines[1].match");
	assert_int_equal(nf_record_validate(&nf_rec_headline_type, &headline, NULL), 0);
}

static void broken_text_is_counted_in_every_text_of_a_record(void **state)
{
	const char *command[] = { "\xff\xfe", "ok", "\xef\xbf\xbe" /* U+FFFE */ };
	struct nf_rec_posture p = { .schema = "\xc3",
		                    .command = { command, 3 },
		                    .setup = { .kernel_cmdline = "a\x80"
		                                                 "b" } };

	(void)state;
	assert_int_equal(nf_record_replaced(&nf_rec_posture_type, &p), 5);
	p.schema = "\xef\xbf\xbd"; /* U+FFFD itself is a character like others */
	assert_int_equal(nf_record_replaced(&nf_rec_posture_type, &p), 4);
}

static bool lists(const struct nf_list *l, const char *path)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(((const char *const *)l->items)[i], path) == 0)
			return true;
	return false;
}

static void honesty_lists_each_path_under_its_basis(void **state)
{
	struct nf_rec_step step = { .name = "smi" };
	struct nf_rec_smi_count counts[2] = { { 0, 1 }, { 1, 1 } };
	struct nf_rec_smi_step smi = { .body = { .counts = { counts, 2 } } };
	struct nf_rec_window_run w = { .steps = { &step, 1 }, .smi = { &smi, 1 } };
	struct nf_honesty h;
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 1 << 20);
	assert_int_equal(nf_record_honesty(&nf_rec_window_run_type, &w, &a, &h, NULL), 0);
	assert_true(lists(&h.path[NF_DECLARED], "schema"));
	assert_true(lists(&h.path[NF_DECLARED], "budget"));
	assert_true(lists(&h.path[NF_DECLARED], "steps[].name"));
	assert_true(lists(&h.path[NF_DERIVED], "steps[].result"));
	assert_true(lists(&h.path[NF_MEASURED], "steps[].duration_s"));
	assert_true(lists(&h.path[NF_MEASURED], "head.setup_before"));
	assert_true(lists(&h.path[NF_MEASURED], "smi[].body.counts[]"));
	assert_true(lists(&h.path[NF_DERIVED], "smi[].body.per_10s"));
	assert_true(lists(&h.path[NF_DERIVED], "head.honesty"));
	/* Absent ones claim nothing. */
	for (int b = 0; b < NF_BY_FIELD; b++) {
		assert_false(lists(&h.path[b], "head.setup_after"));
		assert_false(lists(&h.path[b], "noise.body.kernel"));
		assert_false(lists(&h.path[b], "numa[].note"));
		assert_false(lists(&h.path[b], "head.environment[]"));
	}
	assert_int_equal(h.path[NF_SYNTHETIC].n, 0);
	assert_int_equal(nf_record_honesty(&nf_t_text, "x", &a, &h, NULL), -NF_EARG);
	nf_arena_fini(&a);
}

/* The rows of every type: documented, with a basis, a key once, an offset inside the struct. */
static void every_row_is_sound(void **state)
{
	(void)state;
	for (size_t r = 0; nf_record_types[r]; r++) {
		struct nf_type_set set;

		assert_int_equal(nf_type_collect(nf_record_types[r], &set, NULL), 0);
		assert_ptr_equal(set.type[set.n - 1], nf_record_types[r]);
		for (size_t i = 0; i < set.n; i++) {
			const struct nf_type *t = set.type[i];

			if (t->kind != NF_T_RECORD)
				continue;
			assert_non_null(t->fields[0].key);
			for (const struct nf_field *f = t->fields; f->key; f++) {
				bool inner = f->type->kind == NF_T_RECORD ||
				             (f->type->kind == NF_T_LIST &&
				              f->type->elem->kind == NF_T_RECORD);

				assert_true(f->off < t->size);
				assert_true(f->doc && f->doc[0]);
				if (inner != (f->basis == NF_BY_FIELD))
					fail_msg("%s.%s: basis", t->name, f->key);
				for (const struct nf_field *g = f + 1; g->key; g++)
					assert_string_not_equal(f->key, g->key);
			}
		}
	}
}

static void enums_keep_the_order_of_the_layers_they_come_from(void **state)
{
	(void)state;
	assert_string_equal(nf_rec_lane_type.names[NF_LANE_UNKNOWN], "unknown");
	assert_string_equal(nf_rec_lane_type.names[NF_LANE_GENERIC], "generic");
	assert_string_equal(nf_rec_lane_type.names[NF_LANE_RT], "rt");
	assert_string_equal(nf_rec_expected_lane_type.names[NF_LANE_RT], "rt");
	assert_string_equal(nf_rec_policy_type.names[NF_POLICY_OTHER], "other");
	assert_string_equal(nf_rec_policy_type.names[NF_POLICY_FIFO], "fifo");
	assert_string_equal(nf_rec_policy_type.names[NF_POLICY_RR], "rr");
	assert_string_equal(nf_rec_policy_type.names[NF_POLICY_DEADLINE], "deadline");
	assert_string_equal(nf_rec_clock_source_type.names[NF_TICK_TSC], "tsc");
	assert_string_equal(nf_rec_clock_source_type.names[NF_TICK_CNTVCT], "cntvct");
	assert_string_equal(nf_rec_clock_source_type.names[NF_TICK_MONOTONIC_RAW], "monotonic_raw");
	assert_string_equal(nf_rec_sample_unit_type.names[NF_UNIT_TICK], "tick");
	assert_string_equal(nf_rec_sample_unit_type.names[NF_UNIT_COUNT], "count");
	assert_string_equal(nf_rec_sample_kind_type.names[NF_KIND_INSTANT], "instant");
	assert_string_equal(nf_rec_wake_method_type.names[NF_WAKE_TIMERFD], "timerfd");
	assert_string_equal(nf_rec_wake_method_type.names[NF_WAKE_DEADLINE], "deadline");
	assert_string_equal(nf_rec_placement_type.names[NF_PLACE_LOCAL], "local");
	assert_string_equal(nf_rec_placement_type.names[NF_PLACE_REMOTE], "remote");
	assert_string_equal(nf_rec_smi_source_type.names[NF_SMI_MSR], "msr");
	assert_string_equal(nf_rec_smi_source_type.names[NF_SMI_PERF], "perf");
	assert_string_equal(nf_rec_result_type.names[NF_RESULT_BLOCKED], "blocked");
	assert_string_equal(nf_rec_result_type.names[NF_RESULT_PASS], "pass");
	assert_string_equal(nf_rec_probe_result_type.names[NF_RESULT_PARTIAL], "partial");
	assert_string_equal(nf_rec_step_result_type.names[NF_STEP_PASS], "pass");
	assert_string_equal(nf_rec_step_result_type.names[NF_STEP_SKIPPED], "skipped");
	assert_string_equal(nf_rec_state_type.names[NF_STATE_COMPLETE], "complete");
	assert_string_equal(nf_rec_profile_type.names[NF_PROFILE_CUSTOM], "custom");
}

static void the_setup_has_every_fact_of_the_posture(void **state)
{
	const struct nf_field *f = nf_rec_setup_type.fields;

	(void)state;
#define X(kind, name, is_volatile, doc_) \
	assert_string_equal(f->key, #name); \
	assert_true(f->optional); \
	f++;
#include "posture.def"
#undef X
	assert_string_equal(f->key, "unread");
	assert_null(f[1].key);
}

static void a_summary_keeps_what_is_defined_and_nothing_else(void **state)
{
	struct nf_summary s = { .n = 1, .min = 3, .max = 3, .mean = 3, .median = 3 };
	struct nf_rec_summary r;
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 1 << 16);
	s.percentile[6] = (struct nf_percentile){ 99.99, 3, 1 };
	assert_int_equal(nf_rec_summary_fill(&s, "ns", &a, &r, NULL), 0);
	assert_int_equal(r.n, 1);
	assert_false(r.sd.some);
	assert_false(r.median_ci_lo.some);
	assert_int_equal(r.percentiles.n, NF_SUMMARY_PERCENTILES);
	assert_int_equal(((const struct nf_rec_percentile *)r.percentiles.items)[6].n_beyond, 1);
	s.has_sd = true;
	s.sd = 2;
	s.has_median_ci = true;
	s.median_ci_level = 0.95;
	assert_int_equal(nf_rec_summary_fill(&s, "ns", &a, &r, NULL), 0);
	assert_true(r.sd.some && r.sd.v == 2.0);
	assert_true(r.median_ci_level.some);
	assert_int_equal(nf_record_validate(&nf_rec_summary_type, &r, NULL), 0);
	nf_arena_fini(&a);

	nf_arena_init(&a, 16);
	struct nf_rec_summary untouched = r;
	assert_int_not_equal(nf_rec_summary_fill(&s, "ns", &a, &r, NULL), 0);
	assert_memory_equal(&untouched, &r, sizeof(r));
	nf_arena_fini(&a);
}

static void a_stream_reference_carries_losses_and_leaves_unknowns_out(void **state)
{
	struct nf_stream s = { .name = "wake.cpu1.lateness",
		               .clock = "monotonic",
		               .cpu = 1,
		               .node = -1,
		               .unit = NF_UNIT_NS,
		               .n = 7,
		               .n_dropped = 2,
		               .n_missed = 3 };
	struct nf_rec_stream_ref r;
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 1 << 16);
	assert_int_equal(nf_rec_stream_fill(&s, "samples/wake.nfsamples", NULL, &a, &r, NULL), 0);
	assert_int_equal(r.count, 7);
	assert_int_equal(r.dropped, 2);
	assert_int_equal(r.missed, 3);
	assert_true(r.cpu.some && r.cpu.v == 1);
	assert_false(r.node.some);
	assert_false(r.tick_hz.some);
	assert_null(r.sha256);
	assert_null(r.origin);
	s.unit = NF_UNIT_TICK;
	s.tick_hz = 2.5e9;
	assert_int_equal(nf_rec_stream_fill(&s, "f", "00", &a, &r, NULL), 0);
	assert_true(r.tick_hz.some && r.tick_hz.v == 2.5e9);
	assert_string_equal(r.sha256, "00");
	assert_int_equal(nf_record_validate(&nf_rec_stream_ref_type, &r, NULL), 0);
	nf_arena_fini(&a);
}

static void finishing_a_head_fills_honesty_and_the_replacement_count(void **state)
{
	struct nf_rec_window_run w = { .schema = "WindowRun/1", .head = { .run_id = "\xff" } };
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 1 << 20);
	assert_int_equal(nf_rec_head_finish(&w.head, &nf_rec_window_run_type, &w, &a, NULL), 0);
	assert_int_equal(w.head.replaced_text, 1);
	assert_true(lists(&w.head.honesty.measured, "head.run_id"));
	nf_arena_fini(&a);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_zeroed_record_without_texts_is_valid),
	cmocka_unit_test(validation_names_the_path_of_a_bad_value),
	cmocka_unit_test(broken_text_is_counted_in_every_text_of_a_record),
	cmocka_unit_test(honesty_lists_each_path_under_its_basis),
	cmocka_unit_test(every_row_is_sound),
	cmocka_unit_test(enums_keep_the_order_of_the_layers_they_come_from),
	cmocka_unit_test(the_setup_has_every_fact_of_the_posture),
	cmocka_unit_test(a_summary_keeps_what_is_defined_and_nothing_else),
	cmocka_unit_test(a_stream_reference_carries_losses_and_leaves_unknowns_out),
	cmocka_unit_test(finishing_a_head_fills_honesty_and_the_replacement_count),
};
NF_UNIT_MAIN(tests)
