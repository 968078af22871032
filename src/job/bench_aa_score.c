/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "job/bench_aa.h"
#include "noisefloor/dist.h"
#include "noisefloor/location.h"
#include "stats/proportion.h"

#define BOUND_LEVEL 0.98 /* both sides: 99 % each */

struct nf_some_real nf_aa_power(const struct nf_rec_bench_comparison *c,
                                const struct nf_rec_bench_rule *rule, double slowdown)
{
	const double pi = 3.14159265358979323846;
	double z, above;

	if (!c->sd_ln.some || c->pairs < 2)
		return (struct nf_some_real){ 0 };
	double s = c->sd_ln.v * sqrt(pi / 3) / sqrt((double)c->pairs);
	double effect = log1p(slowdown) - log1p(rule->delta_ratio);
	if (!(s > 0))
		return nf_some_real(effect > 0 ? 1 : 0);
	if (nf_normal_quantile(1 - rule->alpha / (double)rule->looks / 2, &z, NULL) < 0 ||
	    nf_normal_sf(z - effect / s, &above, NULL) < 0)
		return (struct nf_some_real){ 0 };
	return nf_some_real(above);
}

static bool is_wrong(int verdict, double slowdown)
{
	if (slowdown > 0)
		return verdict == NF_BENCH_IMPROVED || verdict == NF_BENCH_SAME;
	return verdict == NF_BENCH_IMPROVED || verdict == NF_BENCH_REGRESSED;
}

static void count(const struct nf_rec_bench_comparison *c, struct nf_rec_aa_score *s)
{
	s->trials++;
	s->same += c->verdict == NF_BENCH_SAME;
	s->inconclusive += c->verdict == NF_BENCH_INCONCLUSIVE;
	s->regressed += c->verdict == NF_BENCH_REGRESSED;
	s->improved += c->verdict == NF_BENCH_IMPROVED;
	s->wrong += is_wrong(c->verdict, s->slowdown_ratio);
	s->found += c->verdict == (s->slowdown_ratio > 0 ? NF_BENCH_REGRESSED : NF_BENCH_SAME);
}

static int bound(uint64_t k, uint64_t n, struct nf_some_real *ret_lo, struct nf_some_real *ret_hi,
                 struct nf_err *err)
{
	double lo, hi;
	int r = nf_proportion_interval(k, n, BOUND_LEVEL, &lo, &hi, err);

	if (r < 0)
		return r;
	*ret_lo = nf_some_real(lo);
	*ret_hi = nf_some_real(hi);
	return 0;
}

static void judge(const struct nf_rec_bench_rule *rule, struct nf_arena *a,
                  struct nf_rec_aa_score *s)
{
	s->result = NF_RESULT_PASS;
	s->reason = NULL;
	if (s->wrong_lo_ratio.v > rule->alpha) {
		s->result = NF_RESULT_FAIL;
		s->reason = nf_arena_printf(a, "wrong in %.3g %% of trials at least, not %.3g %%",
		                            100 * s->wrong_lo_ratio.v, 100 * rule->alpha);
	} else if (s->expected_ratio.some && s->found_hi_ratio.v < s->expected_ratio.v) {
		s->result = NF_RESULT_FAIL;
		s->reason = nf_arena_printf(a,
		                            "found in %.3g %% of trials at most; sets that scatter "
		                            "so would do in %.3g %%",
		                            100 * s->found_hi_ratio.v, 100 * s->expected_ratio.v);
	}
}

int nf_aa_score(const struct nf_rec_aa_trial *trial, size_t n, size_t which,
                const struct nf_rec_bench_rule *rule, struct nf_arena *a, struct nf_rec_aa_score *s,
                struct nf_err *err)
{
	double *cv = calloc(n ? n : 1, sizeof(*cv)), expected = 0, median;
	size_t n_cv = 0, n_expected = 0;
	int r = cv ? 0 : nf_fail_nomem(err, "trials", n * sizeof(*cv));

	for (size_t i = 0; r == 0 && i < n; i++) {
		const struct nf_rec_bench_comparison *c = &trial[i].comparison;

		if (c->old_variant.v != 2 * which)
			continue;
		count(c, s);
		if (c->set_cv_ratio.some)
			cv[n_cv++] = c->set_cv_ratio.v;
		if (trial[i].expected_ratio.some) {
			expected += trial[i].expected_ratio.v;
			n_expected++;
		}
	}
	if (n_expected)
		s->expected_ratio = nf_some_real(expected / (double)n_expected);
	if (r == 0 && n_cv) {
		r = nf_median(cv, n_cv, &median, err);
		if (r == 0)
			s->set_cv_ratio = nf_some_real(median);
	}
	free(cv);
	if (r < 0)
		return r;
	if (s->trials == 0) {
		s->result = NF_RESULT_PARTIAL;
		s->reason = "stopped before the first";
		return 0;
	}
	r = bound(s->wrong, s->trials, &s->wrong_lo_ratio, &s->wrong_hi_ratio, err);
	if (r == 0)
		r = bound(s->found, s->trials, &s->found_lo_ratio, &s->found_hi_ratio, err);
	if (r == 0)
		judge(rule, a, s);
	return r < 0 ? r : nf_arena_failed(a, "record", err);
}
