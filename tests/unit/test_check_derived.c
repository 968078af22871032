/* SPDX-License-Identifier: MIT */
/* Derived figures are held to the ones that they are made from. */
#include "record/check_derived.h"

#include "nf_unit.h"
#include "record/rec_window.h"

/* What is found in a record: "" when nothing is wrong. */
static const char *found(const struct nf_type *t, const char *json)
{
	static struct nf_checked c;
	json_error_t e;
	json_t *root = json_loads(json, 0, &e);

	if (!root)
		fail_msg("%s: %s", json, e.text);
	c = (struct nf_checked){ .path = "record.json" };
	nf_check_derived(t, root, &c);
	json_decref(root);
	assert_int_equal(c.state, c.why[0] ? NF_CHECK_DAMAGED : NF_CHECK_COMPLETE);
	return c.why;
}

static void right(const struct nf_type *t, const char *json)
{
	assert_string_equal(found(t, json), "");
}

static void wrong(const struct nf_type *t, const char *json, const char *says)
{
	const char *why = found(t, json);

	if (!strstr(why, says))
		fail_msg("'%s' does not say '%s'", why, says);
}

#define WORKER(noise, worst) \
	"{\"summary\":{\"n\":4,\"min\":3.0,\"mean\":4.0,\"max\":9.0},\"noise_ratio\":" noise \
	",\"worst_ns\":" worst "}"
#define NOISE(workers, noise, worst) \
	"{\"body\":{\"workers\":[" workers "],\"noise_ratio\":" noise \
	",\"worst_detour_ns\":" worst "}}"

static void noise_is_what_lies_beyond_the_shortest(void **state)
{
	const struct nf_type *t = &nf_rec_noise_run_type;

	(void)state;
	right(t, NOISE(WORKER("0.25", "6.0"), "0.25", "6.0"));
	right(t, NOISE(WORKER("null", "null"), "null", "null"));
	right(t,
	      NOISE("{\"summary\":null,\"noise_ratio\":null,\"worst_ns\":null}", "null", "null"));
	right(t, NOISE(WORKER("0.25", "6.0") "," WORKER("0.25", "6.0"), "0.25", "6"));
	wrong(t, NOISE(WORKER("0.001", "6.0"), "0.25", "6.0"),
	      "body.workers[0].noise_ratio is 0.001");
	wrong(t, NOISE(WORKER("0.25", "5.0"), "0.25", "5.0"), "body.workers[0].worst_ns is 5");
	wrong(t, NOISE(WORKER("0.25", "6.0"), "0.2", "6.0"), "body.noise_ratio is 0.2");
	wrong(t, NOISE(WORKER("0.25", "6.0"), "0.25", "7.0"), "body.worst_detour_ns is 7");
}

#define NUMA(speedup, element) \
	"{\"body\":{\"channels\":10,\"samples\":5,\"serial\":{\"median\":100.0}," \
	"\"parallel\":{\"median\":50.0},\"read_limit\":null,\"speedup\":" speedup \
	",\"serial_ns_per_element\":" element ",\"serial_to_limit_ratio\":7}}"

static void a_speed_up_is_the_ratio_of_its_medians(void **state)
{
	(void)state;
	right(&nf_rec_numa_run_type, NUMA("2.0", "2.0"));
	wrong(&nf_rec_numa_run_type, NUMA("99.0", "2.0"), "body.speedup is 99");
	wrong(&nf_rec_numa_run_type, NUMA("2.0", "88.0"), "body.serial_ns_per_element is 88");
}

#define WAKE(missed, worst) \
	"{\"facts\":{\"streams\":[{\"stream\":\"other\",\"missed\":5},{\"stream\":\"w\"," \
	"\"missed\":1}]},\"body\":{\"workers\":[{\"lateness_stream\":\"w\",\"missed\":" missed \
	",\"lateness\":{\"max\":4.0},\"worst_lateness_ns\":" worst "}]}}"

static void missed_activations_are_the_streams_losses(void **state)
{
	(void)state;
	right(&nf_rec_wake_run_type, WAKE("1", "4.0"));
	wrong(&nf_rec_wake_run_type, WAKE("77", "4.0"), "workers.missed is 77");
	wrong(&nf_rec_wake_run_type, WAKE("1", "3.0"), "worst_lateness_ns is 3");
}

#define WINDOW(result, a, b, noise) \
	"{\"head\":{\"result\":\"" result "\"},\"steps\":[{\"result\":\"" a "\"},{\"result\":\"" b \
	"\"}],\"headline\":{\"noise_ratio\":" noise ",\"repeat_below_ratio\":null}," \
	"\"noise\":{\"body\":{\"noise_ratio\":0.5,\"workers\":[]}}}"

static void a_window_says_what_its_steps_say(void **state)
{
	const struct nf_type *t = &nf_rec_window_run_type;

	(void)state;
	right(t, WINDOW("pass", "pass", "pass", "0.5"));
	right(t, WINDOW("partial", "pass", "blocked", "0.5"));
	right(t, WINDOW("fail", "fail", "blocked", "null"));
	wrong(t, WINDOW("pass", "pass", "partial", "0.5"), "steps[1].result is partial");
	wrong(t, WINDOW("partial", "fail", "pass", "0.5"), "steps[0].result is fail");
	wrong(t, WINDOW("pass", "pass", "pass", "0.001"), "noise_ratio is 0.001");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(noise_is_what_lies_beyond_the_shortest),
	cmocka_unit_test(a_speed_up_is_the_ratio_of_its_medians),
	cmocka_unit_test(missed_activations_are_the_streams_losses),
	cmocka_unit_test(a_window_says_what_its_steps_say),
};
NF_UNIT_MAIN(tests)
