/* SPDX-License-Identifier: MIT */
/*
 * The statistics against values that an independent implementation computed: a file of reference
 * vectors in a folder of recorded data that is no part of the project (NF_SHARED_DATA, or ../shared/data
 * beside the source). Each vector names a function, its input and what to expect; every expected entry
 * must be known here and agree to a relative 1e-9. Without the file the cases are skipped.
 */
#include <jansson.h>
#include <math.h>

#include "nf_unit.h"
#include "noisefloor/stats.h"
#include "stats/select.h"

enum { VALUES_MAX = 4096 };

static json_t *vectors;
static const char *current;

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

/* --- reading ----------------------------------------------------------------------------------- */

struct values {
	double v[VALUES_MAX];
	size_t n;
};

static double number(const json_t *j)
{
	if (!json_is_number(j))
		fail_msg("%s: a number is missing", current);
	return json_number_value(j);
}

static void read_values(const json_t *j, struct values *ret)
{
	assert_true(json_is_array(j));
	ret->n = json_array_size(j);
	assert_true(ret->n <= VALUES_MAX);
	for (size_t i = 0; i < ret->n; i++)
		ret->v[i] = number(json_array_get(j, i));
}

static double number_or(const json_t *o, const char *key, double otherwise)
{
	const json_t *j = json_object_get(o, key);

	return j ? number(j) : otherwise;
}

static void same_to(const char *what, double got, const json_t *want, double relative)
{
	double w = number(want);

	/* What should be 0 is so to within rounding of what it was computed from. */
	if (!(fabs(got - w) <= relative * fabs(w) + 1e-13))
		fail_msg("%s: %s is %.17g, expected %.17g", current, what, got, w);
}

static void same(const char *what, double got, const json_t *want)
{
	same_to(what, got, want, 1e-9);
}

static void same_array(const char *what, const double *got, const json_t *want)
{
	for (size_t i = 0; i < json_array_size(want); i++)
		same(what, got[i], json_array_get(want, i));
}

static void unknown(const char *key)
{
	fail_msg("%s: nothing here computes '%s'", current, key);
}

struct entry {
	const char *key;
	double value;
};

/* Every expected entry is one of the table; `other` may know more keys. */
static void same_entries(const json_t *want, const struct entry *e, size_t n,
                         bool (*other)(const char *key, const json_t *want, void *arg), void *arg)
{
	const char *key;
	json_t *w;

	assert_true(json_object_size(want) > 0);
	json_object_foreach((json_t *)(uintptr_t)want, key, w)
	{
		size_t i = 0;

		while (i < n && strcmp(e[i].key, key) != 0)
			i++;
		if (i < n)
			same(key, e[i].value, w);
		else if (!other || !other(key, w, arg))
			unknown(key);
	}
}

#define N(a) (sizeof(a) / sizeof((a)[0]))
#define OK(call) assert_int_equal(call, 0)

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

static void bca(const json_t *in, const json_t *want)
{
	const char *name = json_string_value(json_object_get(in, "statistic"));
	struct nf_bootstrap_options o = { .level = number_or(in, "confidence", 0.95), .all = 1 };
	struct nf_bootstrap b;
	struct values x;
	nf_statistic f;

	read_values(json_object_get(in, "x"), &x);
	f = strcmp(name, "mean") == 0     ? nf_statistic_mean
	    : strcmp(name, "median") == 0 ? nf_statistic_median
	                                  : NULL;
	assert_non_null(f);
	OK(nf_bootstrap(x.v, x.n, f, NULL, &o, &b, NULL));
	same_entries(want,
	             (struct entry[]){ { "theta_hat", b.estimate },
	                               { "n_replicates", b.replicates },
	                               { "z0", b.z0 },
	                               { "acceleration", b.acceleration },
	                               { "alpha_lo", b.alpha_lo },
	                               { "alpha_hi", b.alpha_hi },
	                               { "bca_low", b.lo },
	                               { "bca_high", b.hi },
	                               { "percentile_low", b.percentile_lo },
	                               { "percentile_high", b.percentile_hi } },
	             10, NULL, NULL);
}

static void adjustments(const json_t *in, const json_t *want)
{
	static const char *const name[] = {
		[NF_BONFERRONI] = "bonferroni",
		[NF_HOLM] = "holm",
		[NF_BENJAMINI_HOCHBERG] = "bh",
		[NF_BENJAMINI_YEKUTIELI] = "by",
	};
	struct values p, got;
	const char *key;
	json_t *w;

	read_values(json_object_get(in, "p"), &p);
	json_object_foreach((json_t *)(uintptr_t)want, key, w)
	{
		size_t how = 0;

		while (how < N(name) && strcmp(name[how], key) != 0)
			how++;
		if (how < N(name)) {
			OK(nf_adjust_p((enum nf_adjustment)how, p.v, p.n, got.v, NULL));
			same_array(key, got.v, w);
		} else if (strcmp(key, "bh_rejected_at_0_05") == 0) {
			size_t k = 0;

			OK(nf_adjust_p(NF_BENJAMINI_HOCHBERG, p.v, p.n, got.v, NULL));
			for (size_t i = 0; i < p.n; i++)
				if (got.v[i] <= 0.05)
					same(key, (double)i, json_array_get(w, k++));
			assert_int_equal(k, json_array_size(w));
		} else {
			unknown(key);
		}
	}
}

static void edivisive(const json_t *in, const json_t *want)
{
	struct values x, q;
	size_t min_size = (size_t)number_or(in, "min_size", 1);
	struct nf_split end, any;
	const char *key;
	json_t *w;
	double p;

	read_values(json_object_get(in, "series"), &x);
	OK(nf_energy_split(x.v, x.n, min_size, 0, &end, NULL));
	OK(nf_energy_split(x.v, x.n, min_size, 1, &any, NULL));
	OK(nf_energy_profile(x.v, x.n, q.v, NULL));
	OK(nf_energy_test(x.v, x.n, min_size, 0, 1, 0, &p, NULL));

	const struct entry e[] = {
		{ "qhat", end.q },
		{ "qhat_kappa_end", end.q },
		{ "tau", (double)end.tau },
		{ "tau_kappa_end", (double)end.tau },
		{ "qhat_all_kappa", any.q },
		{ "tau_all_kappa", (double)any.tau },
		{ "kappa_all_kappa", (double)any.kappa },
		{ "exact_permutation_p", p },
		{ "exact_permutation_p_kappa_end", p },
	};

	json_object_foreach((json_t *)(uintptr_t)want, key, w)
	{
		size_t i = 0;

		while (i < N(e) && strcmp(e[i].key, key) != 0)
			i++;
		if (i < N(e))
			same(key, e[i].value, w);
		else if (strcmp(key, "Q_by_tau_kappa_end") == 0)
			same_array(key, q.v, w);
		else if (strcmp(key, "exact_permutation_count") == 0)
			same(key, p * number(json_array_get(w, 1)), json_array_get(w, 0));
		else
			unknown(key);
	}
}

static void autocorrelation(const json_t *in, const json_t *want)
{
	struct values x;
	double rho[64];
	const char *key;
	json_t *w;

	read_values(json_object_get(in, "x"), &x);
	json_object_foreach((json_t *)(uintptr_t)want, key, w)
	{
		double ess, q, p;

		if (strncmp(key, "acf_1_to_", 9) == 0) {
			OK(nf_autocorrelation(x.v, x.n, json_array_size(w), rho, NULL));
			same_array(key, rho, w);
		} else if (strcmp(key, "ess_ar1") == 0) {
			OK(nf_autocorrelation(x.v, x.n, 1, rho, NULL));
			OK(nf_effective_size(x.n, rho[0], &ess, NULL));
			same(key, ess, w);
		} else if (strncmp(key, "ljung_box_", 10) == 0) {
			size_t lags = strtoul(key + 10, NULL, 10);

			OK(nf_ljung_box(x.v, x.n, lags > 0 ? lags : 5, &q, &p, NULL));
			same(key, lags > 0 ? q : p, w);
		} else {
			unknown(key);
		}
	}
}

static void drift(const json_t *in, const json_t *want)
{
	struct nf_trend t;
	struct values x;
	double slope;

	read_values(json_object_get(in, "x"), &x);
	OK(nf_mann_kendall(x.v, x.n, &t, NULL));
	OK(nf_theil_sen(x.v, x.n, &slope, NULL));
	same_entries(want,
	             (struct entry[]){ { "S", t.s },
	                               { "var_S", t.variance },
	                               { "z", t.z },
	                               { "p_two_sided", t.p },
	                               { "theil_sen_slope", slope } },
	             5, NULL, NULL);
}

static void runs(const json_t *in, const json_t *want)
{
	struct nf_runs t;
	struct values x;

	read_values(json_object_get(in, "x"), &x);
	OK(nf_runs_test(x.v, x.n, &t, NULL));
	same_entries(want,
	             (struct entry[]){ { "n_above", (double)t.n_above },
	                               { "n_below", (double)t.n_below },
	                               { "runs", (double)t.runs },
	                               { "expected", t.expected },
	                               { "variance", t.variance },
	                               { "z", t.z },
	                               { "p_two_sided", t.p } },
	             7, NULL, NULL);
}

static bool outlier_lists(const char *key, const json_t *want, void *arg)
{
	const struct values *x = arg;
	bool outlier[VALUES_MAX];
	struct nf_fences f;
	struct values z;
	size_t k = 0;

	OK(nf_fences(x->v, x->n, &f, NULL));
	if (strcmp(key, "modified_z") == 0) {
		OK(nf_modified_z(x->v, x->n, z.v, NULL));
		same_array(key, z.v, want);
		return true;
	}
	if (strcmp(key, "hyperfine_outlier_indices") == 0) {
		OK(nf_outliers(x->v, x->n, 10, outlier, NULL, NULL));
		for (size_t i = 0; i < x->n; i++)
			if (outlier[i])
				same(key, (double)i, json_array_get(want, k++));
		assert_int_equal(k, json_array_size(want));
		return true;
	}
	if (strcmp(key, "mild") != 0 && strcmp(key, "severe") != 0)
		return false;
	for (size_t i = 0; i < x->n; i++) {
		bool severe = x->v[i] < f.severe_lo || x->v[i] > f.severe_hi;
		bool mild = !severe && (x->v[i] < f.mild_lo || x->v[i] > f.mild_hi);

		if (key[0] == 'm' ? mild : severe)
			same(key, x->v[i], json_array_get(want, k++));
	}
	assert_int_equal(k, json_array_size(want));
	assert_int_equal(k, key[0] == 'm' ? f.n_mild : f.n_severe);
	return true;
}

static void outliers(const json_t *in, const json_t *want)
{
	struct nf_fences f;
	struct values x;

	read_values(json_object_get(in, "x"), &x);
	OK(nf_fences(x.v, x.n, &f, NULL));
	same_entries(want,
	             (struct entry[]){ { "q1", f.q1 },
	                               { "q3", f.q3 },
	                               { "fence_lo_mild", f.mild_lo },
	                               { "fence_hi_mild", f.mild_hi },
	                               { "fence_lo_severe", f.severe_lo },
	                               { "fence_hi_severe", f.severe_hi } },
	             6, outlier_lists, &x);
}

static void welch(const json_t *in, const json_t *want)
{
	struct nf_welch t;
	struct values a, b;

	read_values(json_object_get(in, "a"), &a);
	read_values(json_object_get(in, "b"), &b);
	OK(nf_welch_test(a.v, a.n, b.v, b.n, &t, NULL));
	same_entries(want, (struct entry[]){ { "t", t.t }, { "df", t.df }, { "p", t.p } }, 3, NULL,
	             NULL);
}

static void mean_interval(const json_t *in, const json_t *want)
{
	struct nf_mean_interval m;
	struct values d;

	read_values(json_object_get(in, "d"), &d);
	OK(nf_mean_interval(d.v, d.n, number_or(in, "confidence", 0.95), &m, NULL));
	same_entries(want,
	             (struct entry[]){ { "mean", m.mean },
	                               { "sd", m.sd },
	                               { "t_crit", m.t },
	                               { "ratio", m.ratio },
	                               { "ratio_lo", m.ratio_lo },
	                               { "ratio_hi", m.ratio_hi } },
	             6, NULL, NULL);
}

/* Groups are named after the function and a parameter, entries after the argument. */
static void special(const json_t *in, const json_t *want)
{
	const char *group, *key;
	json_t *row, *w;

	(void)in;
	json_object_foreach((json_t *)(uintptr_t)want, group, row) json_object_foreach(row, key, w)
	{
		double x = strtod(key, NULL), got = NAN, tolerance = 1e-9;
		unsigned n, k;
		const char *comma = strchr(key, ',');

		if (strcmp(group, "norm_ppf") == 0) {
			OK(nf_normal_quantile(x, &got, NULL));
		} else if (strcmp(group, "norm_cdf") == 0) {
			OK(nf_normal_cdf(x, &got, NULL));
		} else if (strncmp(group, "t_ppf_0_", 8) == 0) {
			char p[32];

			snprintf(p, sizeof(p), "0.%s", group + 8);
			OK(nf_t_quantile(strtod(p, NULL), x, &got, NULL));
			/* SciPy 1.10, which made them, inverts t to no better than 5e-9;
			 * test_dist holds values of 40 digits. */
			tolerance = 1e-8;
		} else if (strcmp(group, "binom_cdf_half") == 0) {
			assert_int_equal(sscanf(key, "n=%u,k=%u", &n, &k), 2);
			OK(nf_binomial_cdf(k, n, 0.5, &got, NULL));
		} else if (strcmp(group, "chi2_sf") == 0 && comma) {
			OK(nf_chi2_sf(x, strtod(comma + 1, NULL), &got, NULL));
		} else {
			unknown(group);
		}
		same_to(group, got, w, tolerance);
	}
}

static void mde(const json_t *in, const json_t *want)
{
	for (size_t i = 0; i < json_array_size(want); i++) {
		json_t *row = json_array_get(want, i);
		double alpha = number_or(in, "alpha_one_sided", 0.01);
		double power = number_or(in, "power", 0.8), delta = number_or(in, "delta", 0);
		double sd = number(json_object_get(row, "sd_log_ratio")), hl, median;
		size_t n = (size_t)number(json_object_get(row, "n_pairs"));

		OK(nf_mde(NF_MDE_HODGES_LEHMANN, sd, n, alpha, power, delta, &hl, NULL));
		OK(nf_mde(NF_MDE_MEDIAN, sd, n, alpha, power, delta, &median, NULL));
		same("mde_hl_pct", 100 * hl, json_object_get(row, "mde_hl_pct"));
		same("mde_median_pct", 100 * median, json_object_get(row, "mde_median_pct"));
	}
	assert_true(json_array_size(want) > 0);
}

static bool set_list(const char *key, const json_t *want, void *arg)
{
	if (strcmp(key, "set_medians") != 0)
		return false;
	same_array(key, arg, want);
	return true;
}

static void sets(const json_t *in, const json_t *want)
{
	const json_t *all = json_object_get(in, "sets");
	double x[VALUES_MAX], medians[64];
	size_t n[64], total = 0;
	struct nf_set_summary s;

	assert_true(json_array_size(all) <= 64);
	for (size_t i = 0; i < json_array_size(all); i++) {
		struct values v;

		read_values(json_array_get(all, i), &v);
		n[i] = v.n;
		assert_true(total + v.n <= VALUES_MAX);
		memcpy(x + total, v.v, v.n * sizeof(*x));
		total += v.n;
	}
	OK(nf_set_medians(x, n, json_array_size(all), medians, &s, NULL));
	same_entries(want,
	             (struct entry[]){ { "median_of_set_medians", s.median_of_medians },
	                               { "pooled_median", s.pooled_median },
	                               { "spread_pct", 100 * s.spread_ratio } },
	             3, set_list, medians);
}

static void regress(const json_t *in, const json_t *want)
{
	struct nf_compare_options o = { .delta = number_or(in, "delta", 0) };
	struct nf_comparison c;
	struct values old, new_;

	read_values(json_object_get(in, "old_set_medians"), &old);
	read_values(json_object_get(in, "new_set_medians"), &new_);
	assert_int_equal(old.n, new_.n);
	OK(nf_compare_pairs(old.v, new_.v, old.n, &o, &c, NULL));
	same_entries(want,
	             (struct entry[]){ { "p_wsr_one_sided", c.p_slower_pairs },
	                               { "p_mwu_one_sided", c.p_slower_ranks },
	                               { "p_combined", c.p_slower } },
	             3, NULL, NULL);
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
	{ "bca_", bca },
	{ "bh_", adjustments },
	{ "edivisive_", edivisive },
	{ "autocorrelation", autocorrelation },
	{ "drift_", drift },
	{ "runs_test", runs },
	{ "outliers", outliers },
	{ "welch", welch },
	{ "geomean_ratio", mean_interval },
	{ "special_functions", special },
	{ "mde_table", mde },
	{ "global_median_sets", sets },
	{ "regress_combined", regress },
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
