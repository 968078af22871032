/* SPDX-License-Identifier: MIT */
/*
 * The statistics against values that an independent implementation computed: a file of reference
 * vectors in a folder of recorded data that is no part of the project (NF_SHARED_DATA, or ../shared/data
 * beside the source). Each vector names a function, its input and what to expect; every expected entry
 * must be known here and agree to a relative 1e-9. Without the file the cases are skipped.
 */
#include "stat_vectors.h"

#include "stats/select.h"

static json_t *vectors;
const char *current;

static int open_vectors(void **state)
{
	const char *folder = getenv("NF_SHARED_DATA"), *source = getenv("NF_SOURCE");
	char path[4096];
	json_t *file;

	(void)state;
	if (folder && *folder)
		snprintf(path, sizeof(path), "%s/stats/reference-vectors.json", folder);
	else
		snprintf(path, sizeof(path), "%s/../shared/data/stats/reference-vectors.json",
		         source ? source : ".");
	file = json_load_file(path, 0, NULL);
	vectors = json_incref(json_object_get(file, "vectors"));
	json_decref(file);
	return 0;
}

static int close_vectors(void **state)
{
	(void)state;
	json_decref(vectors);
	return 0;
}

/* --- a function for each kind ------------------------------------------------------------------ */

static void location(const json_t *in, const json_t *want)
{
	struct values x;
	double median, mad, mdape = 0;
	struct nf_moments m;

	read_values(json_object_get(in, "x"), &x);
	OK(nf_mad(x.v, x.n, &mad, &median, NULL));
	OK(nf_moments(x.v, x.n, &m, NULL));
	if (json_object_get(want, "mdape"))
		OK(nf_mdape(x.v, x.n, &mdape, NULL));
	same_entries(want,
	             (struct entry[]){ { "median", median },
	                               { "mad", mad },
	                               { "mad_scaled_1_4826", NF_MAD_TO_SD * mad },
	                               { "mean", m.mean },
	                               { "sd", m.sd },
	                               { "cv", m.cv },
	                               { "geomean", m.geometric },
	                               { "harmonic_mean", m.harmonic },
	                               { "mdape", mdape } },
	             9, NULL, NULL);
}

static void quantile_types(const json_t *in, const json_t *want)
{
	struct values x;
	const char *type, *p_text;
	json_t *row, *w;

	read_values(json_object_get(in, "x"), &x);
	json_object_foreach((json_t *)(uintptr_t)want, type, row)
	        json_object_foreach(row, p_text, w)
	{
		double p = strtod(p_text, NULL), got;

		assert_int_equal(strncmp(type, "type", 4), 0);
		OK(nf_quantiles(x.v, x.n, atoi(type + 4), &p, 1, &got, NULL));
		same(type, got, w);
	}
}

/* "a/b" or "a": an exact p. */
static bool fraction(const char *key, const json_t *want, void *arg)
{
	const char *slash;
	double p;

	if (!strstr(key, "fraction") || !json_is_string(want))
		return false;
	slash = strchr(json_string_value(want), '/');
	p = strtod(json_string_value(want), NULL) / (slash ? strtod(slash + 1, NULL) : 1);
	if (fabs(*(double *)arg - p) > 1e-12 * p)
		fail_msg("%s: %s is %.17g, not %.17g", current, key, *(double *)arg, p);
	return true;
}

static void mann_whitney(const json_t *in, const json_t *want)
{
	struct values x, y;
	struct nf_mann_whitney t, greater, less, cc, nocc;

	read_values(json_object_get(in, "x"), &x);
	read_values(json_object_get(in, "y"), &y);
	OK(nf_mann_whitney_test(x.v, x.n, y.v, y.n, NF_TWO_SIDED, NF_NULL_EXACT, &t, NULL));
	OK(nf_mann_whitney_test(x.v, x.n, y.v, y.n, NF_GREATER, NF_NULL_EXACT, &greater, NULL));
	OK(nf_mann_whitney_test(x.v, x.n, y.v, y.n, NF_LESS, NF_NULL_EXACT, &less, NULL));
	OK(nf_mann_whitney_test(x.v, x.n, y.v, y.n, NF_TWO_SIDED, NF_NULL_NORMAL_CC, &cc, NULL));
	OK(nf_mann_whitney_test(x.v, x.n, y.v, y.n, NF_TWO_SIDED, NF_NULL_NORMAL, &nocc, NULL));
	same_entries(want,
	             (struct entry[]){ { "U_x", t.u },
	                               { "U_y", (double)x.n * (double)y.n - t.u },
	                               { "p_exact_two_sided", t.p },
	                               { "p_exact_x_greater", greater.p },
	                               { "p_exact_x_less", less.p },
	                               { "p_asym_tiecorr_cc", cc.p },
	                               { "p_asym_tiecorr_nocc", nocc.p },
	                               { "prob_superiority_x_gt_y", t.superiority },
	                               { "cliffs_delta", t.cliffs_delta } },
	             9, fraction, &t.p);
}

static void min_p_table(const json_t *in, const json_t *want)
{
	const char *key;
	json_t *w;

	(void)in;
	json_object_foreach((json_t *)(uintptr_t)want, key, w)
	{
		size_t n = strtoul(key, NULL, 10);

		same(key, nf_mann_whitney_min_p(n, n, NF_TWO_SIDED), w);
	}
}

static void shift_entries(const json_t *want, const struct nf_shift *s, const char *estimate,
                          const char *lo, const char *hi, const char *level)
{
	same(estimate, s->estimate, json_object_get(want, estimate));
	if (json_is_null(json_object_get(want, lo))) {
		assert_false(s->has_interval);
		assert_true(json_is_null(json_object_get(want, hi)));
	} else {
		assert_true(s->has_interval);
		same(lo, s->lo, json_object_get(want, lo));
		same(hi, s->hi, json_object_get(want, hi));
		same(level, s->level, json_object_get(want, level));
	}
	same("k", (double)s->k, json_object_get(want, "k"));
}

static void hodges_lehmann_2(const json_t *in, const json_t *want)
{
	struct values x, y;
	struct nf_shift s;

	read_values(json_object_get(in, "x"), &x);
	read_values(json_object_get(in, "y"), &y);
	OK(nf_hodges_lehmann_2(x.v, x.n, y.v, y.n, number_or(in, "confidence", 0.95), &s, NULL));
	assert_int_equal(json_object_size(want), 5);
	shift_entries(want, &s, "estimate", "ci_low", "ci_high", "actual_coverage");
}

static bool shift_key(const char *key, const json_t *want, void *arg)
{
	return strncmp(key, "hl_", 3) == 0 || strcmp(key, "k") == 0 || fraction(key, want, arg);
}

static void signed_rank(const json_t *in, const json_t *want)
{
	struct values d;
	struct nf_signed_rank t, greater, less;
	struct nf_sign_test sign;
	struct nf_shift s;

	read_values(json_object_get(in, "d"), &d);
	for (size_t i = 0; i < d.n; i++)
		d.v[i] -= log1p(number_or(in, "delta", 0));
	OK(nf_signed_rank_test(d.v, d.n, NF_TWO_SIDED, NF_NULL_EXACT, &t, NULL));
	OK(nf_signed_rank_test(d.v, d.n, NF_GREATER, NF_NULL_EXACT, &greater, NULL));
	OK(nf_signed_rank_test(d.v, d.n, NF_LESS, NF_NULL_EXACT, &less, NULL));
	OK(nf_sign_test(d.v, d.n, NF_TWO_SIDED, &sign, NULL));
	OK(nf_hodges_lehmann(d.v, d.n, number_or(in, "confidence", 0.95), &s, NULL));
	same_entries(want,
	             (struct entry[]){ { "W_plus", t.w },
	                               { "n_nonzero", (double)t.n },
	                               { "p_exact_two_sided", t.p },
	                               { "p_exact_greater", greater.p },
	                               { "p_exact_less", less.p },
	                               { "p_one_sided", greater.p },
	                               { "sign_pos", (double)sign.n_above },
	                               { "sign_neg", (double)sign.n_below },
	                               { "sign_p_two_sided", sign.p } },
	             9, shift_key, json_object_get(want, "p_one_sided") ? &greater.p : &t.p);
	if (json_object_get(want, "hl_estimate"))
		shift_entries(want, &s, "hl_estimate", "hl_ci_low", "hl_ci_high",
		              "hl_actual_coverage");
}

static void median_ranks(const json_t *in, const json_t *want)
{
	double level = number_or(in, "confidence", 0.95);
	const char *key;
	json_t *w;

	json_object_foreach((json_t *)(uintptr_t)want, key, w)
	{
		size_t n = strtoul(key, NULL, 10);
		struct nf_rank_interval i;

		OK(nf_quantile_interval(n, 0.5, level, &i, NULL));
		same("lo_rank", (double)i.lo_rank, json_object_get(w, "lo_rank"));
		assert_int_equal(nf_median_ci_rank(n, level), i.lo_rank);
		if (json_is_null(json_object_get(w, "hi_rank"))) {
			assert_int_equal(i.hi_rank, 0);
			continue;
		}
		same("hi_rank", (double)i.hi_rank, json_object_get(w, "hi_rank"));
		same("coverage", i.coverage, json_object_get(w, "coverage"));
	}
}

/* By how the vector's id begins. */
static const struct {
	const char *id;
	void (*run)(const json_t *in, const json_t *want);
} kinds[] = {
	{ "median_mad", location },
	{ "mean_sd_cv", location },
	{ "quantile_types", quantile_types },
	{ "mwu_min_p", min_p_table },
	{ "mwu_", mann_whitney },
	{ "hodges_lehmann_2s", hodges_lehmann_2 },
	{ "signed_rank", signed_rank },
	{ "superiority_by_margin", signed_rank },
	{ "median_order_stat_ci", median_ranks },
	{ "bca_", vector_bca },
	{ "bh_", vector_adjustments },
	{ "edivisive_", vector_edivisive },
	{ "autocorrelation", vector_autocorrelation },
	{ "drift_", vector_drift },
	{ "runs_test", vector_runs },
	{ "outliers", vector_outliers },
	{ "welch", vector_welch },
	{ "geomean_ratio", vector_mean_interval },
	{ "special_functions", vector_special },
	{ "mde_table", vector_mde },
	{ "global_median_sets", vector_sets },
	{ "regress_combined", vector_regress },
};

static void every_reference_vector_is_met(void **state)
{
	size_t done = 0;

	(void)state;
	skip_unless(vectors != NULL, "shared-data", "no stats/reference-vectors.json");
	for (size_t i = 0; i < json_array_size(vectors); i++) {
		json_t *v = json_array_get(vectors, i);
		size_t k = 0;

		current = json_string_value(json_object_get(v, "id"));
		assert_non_null(current);
		while (k < N(kinds) && strncmp(kinds[k].id, current, strlen(kinds[k].id)) != 0)
			k++;
		if (k == N(kinds))
			fail_msg("nothing here computes vector '%s'", current);
		kinds[k].run(json_object_get(v, "input"), json_object_get(v, "expected"));
		done++;
	}
	assert_true(done > 0);
	printf("# %zu vectors\n", done);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_reference_vector_is_met),
};
NF_UNIT_MAIN_WITH(tests, open_vectors, close_vectors)
