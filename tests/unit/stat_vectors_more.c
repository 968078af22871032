/* SPDX-License-Identifier: MIT */
#include "stat_vectors.h"

void vector_bca(const json_t *in, const json_t *want)
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

void vector_adjustments(const json_t *in, const json_t *want)
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

void vector_edivisive(const json_t *in, const json_t *want)
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

void vector_autocorrelation(const json_t *in, const json_t *want)
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

void vector_drift(const json_t *in, const json_t *want)
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

void vector_runs(const json_t *in, const json_t *want)
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

void vector_outliers(const json_t *in, const json_t *want)
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

void vector_welch(const json_t *in, const json_t *want)
{
	struct nf_welch t;
	struct values a, b;

	read_values(json_object_get(in, "a"), &a);
	read_values(json_object_get(in, "b"), &b);
	OK(nf_welch_test(a.v, a.n, b.v, b.n, &t, NULL));
	same_entries(want, (struct entry[]){ { "t", t.t }, { "df", t.df }, { "p", t.p } }, 3, NULL,
	             NULL);
}

void vector_mean_interval(const json_t *in, const json_t *want)
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
void vector_special(const json_t *in, const json_t *want)
{
	const char *group, *key;
	json_t *row, *w;

	(void)in;
	json_object_foreach((json_t *)(uintptr_t)want, group, row) json_object_foreach(row, key, w)
	{
		double x = strtod(key, NULL), got = (double)NAN, tolerance = 1e-9;
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

void vector_mde(const json_t *in, const json_t *want)
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

void vector_sets(const json_t *in, const json_t *want)
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

void vector_regress(const json_t *in, const json_t *want)
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
