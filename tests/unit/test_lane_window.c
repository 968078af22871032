/* SPDX-License-Identifier: MIT */
/* What a KernelValidationRun takes out of a window: counts of SMIs over their time, the longest gap, or why there is none. */
#include "job/lane_window.h"

#include "nf_scratch.h"
#include "nf_unit.h"

enum { ARENA_BYTES = 1 << 20, UNKNOWN = -1 };

#define S10 "10000000000"
#define S5 "5000000000"
#define SMI(trusted, count, ns) \
	"{\"body\":{\"trusted\":" trusted ",\"max_count\":" count ",\"window_ns\":" ns "}}"
#define MOST SMI("true", "9223372036854775807", S10)
#define HWLAT(max, missed) \
	"{\"body\":{\"threshold_us\":10,\"max_ns\":" max ",\"missed_events\":" missed "}}"
#define WINDOW(smi, hwlat) \
	"{\"schema\":\"WindowRun/1\",\"smi\":[" smi "],\"hwlat\":[" hwlat "],\"steps\":[" \
	"{\"name\":\"clock\",\"reason\":\"another\"},{\"name\":\"smi\",\"reason\":null}," \
	"{\"name\":\"smi\",\"reason\":\"no msr module\"},{\"name\":\"hwlat\",\"reason\":\"no " \
	"tracer\"}]}"

/* clang-format off */
static const struct {
	const char *record;
	int64_t smi, hwlat; /* UNKNOWN: None */
	const char *smi_note, *hwlat_note; /* a part of it; NULL: there is none */
} row[] = {
	{ WINDOW(SMI("true", "3", S10), HWLAT("45000", "0")), 3, 45, NULL, NULL },
	{ WINDOW(SMI("true", "0", S10), HWLAT("45001", "0")), 0, 46, NULL, NULL },
	/* Together: 4 in 15 s, the longer of two gaps. */
	{ WINDOW(SMI("true", "3", S10) "," SMI("true", "1", S5), HWLAT("900", "0") "," HWLAT("null", "0")), 3, 1,
	  "rounded: 4 in 15.000 s", NULL },
	{ WINDOW(SMI("false", "0", S10), HWLAT("null", "0")), UNKNOWN, UNKNOWN, "1 of 1 SMI counts", "no gap over its threshold, 10 us" },
	{ WINDOW(SMI("false", "0", S10) "," SMI("true", "7", S10), HWLAT("5000", "2")), 7, 5, "1 of 2 SMI counts",
	  "lost 2 reports" },
	{ WINDOW("", ""), UNKNOWN, UNKNOWN, "smi was not measured in the realtime kernel: no msr module", "no tracer" },
	/* What is no count over a time gives none. */
	{ WINDOW(SMI("true", "3", "0"), HWLAT("-1", "0")), UNKNOWN, UNKNOWN, "no counts over a time", "no gap" },
	{ WINDOW(SMI("true", "9223372036854775807", S10), HWLAT("\"x\"", "0")), UNKNOWN, UNKNOWN, "no counts over a time", "no gap" },
	{ WINDOW(MOST "," MOST "," SMI("true", "4", S10) "," SMI("true", "1", S10), ""), UNKNOWN, UNKNOWN, "no counts over a time", "no tracer" },
	{ WINDOW(SMI("true", "-3", S10), "7"), UNKNOWN, UNKNOWN, "no counts over a time", "no gap" },
	{ "{\"schema\":\"HostProbeRun\",\"smi\":[1]}", UNKNOWN, UNKNOWN, "smi was not measured", "hwlat was not measured" },
	{ "{}", UNKNOWN, UNKNOWN, "smi was not measured", "hwlat was not measured" },
};
/* clang-format on */

static void expect_figure(struct nf_some_nat got, int64_t expected)
{
	assert_int_equal(got.some ? (int64_t)got.v : UNKNOWN, expected);
}

static void expect_note(const char *got, const char *expected)
{
	if (!expected)
		assert_null(got);
	else if (!got || !strstr(got, expected))
		fail_msg("\"%s\" is not in \"%s\"", expected, got ? got : "(none)");
}

static void a_windows_figures_or_why_there_are_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		json_t *record = json_loads(row[i].record, 0, NULL);
		struct nf_lane_window w;
		struct nf_arena a;

		nf_arena_init(&a, ARENA_BYTES);
		assert_non_null(record);
		assert_int_equal(nf_lane_window_read(record, &a, &w, NULL), 0);
		expect_figure(w.smi_per_10s, row[i].smi);
		expect_figure(w.hwlat_max_us, row[i].hwlat);
		expect_note(w.smi_note, row[i].smi_note);
		expect_note(w.hwlat_note, row[i].hwlat_note);
		nf_arena_fini(&a);
		json_decref(record);
	}
}

static void a_run_that_cannot_be_read_is_a_note(void **state)
{
	struct nf_lane_window w;
	struct nf_arena a;
	char top[256], path[300];

	(void)state;
	nf_scratch_make(top, sizeof(top));
	snprintf(path, sizeof(path), "%s/absent", top);
	nf_arena_init(&a, ARENA_BYTES);
	assert_int_equal(nf_lane_window_open(path, &a, &w, NULL), 0);
	expect_figure(w.smi_per_10s, UNKNOWN);
	expect_figure(w.hwlat_max_us, UNKNOWN);
	expect_note(w.smi_note, "the realtime window: ");
	expect_note(w.smi_note, "absent");
	nf_arena_fini(&a);
	nf_scratch_remove(top);
}

static void no_room_for_a_note_is_a_failure(void **state)
{
	json_t *record = json_loads("{}", 0, NULL);
	struct nf_lane_window w = { .smi_note = "untouched" };
	struct nf_arena a;
	struct nf_err err = { 0 };

	(void)state;
	nf_arena_init(&a, 1);
	assert_int_equal(nf_lane_window_read(record, &a, &w, &err), -NF_EDATA);
	assert_string_equal(w.smi_note, "untouched");
	assert_string_not_equal(err.msg, "");
	nf_arena_fini(&a);
	json_decref(record);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_windows_figures_or_why_there_are_none),
	cmocka_unit_test(a_run_that_cannot_be_read_is_a_note),
	cmocka_unit_test(no_room_for_a_note_is_a_failure),
};
NF_UNIT_MAIN(tests)
