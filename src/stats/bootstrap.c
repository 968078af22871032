/* SPDX-License-Identifier: MIT */
#include "noisefloor/bootstrap.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "noisefloor/location.h"
#include "stats/check.h"
#include "stats/distfn.h"

double nf_statistic_mean(double *x, size_t n, void *arg)
{
	double mean, sd;

	(void)arg;
	nf_stats_mean_sd(x, n, &mean, &sd);
	return mean;
}

double nf_statistic_median(double *x, size_t n, void *arg)
{
	(void)arg;
	return nf_stats_median_of(x, n);
}

/* A replicate stands for `weight` equal resamples. */
struct replicate {
	double value;
	double weight;
};

struct run {
	const double *x;
	size_t n;
	nf_statistic statistic;
	void *arg;
	struct nf_bootstrap_options o;
	double *sample; /* n */
	struct replicate *rep;
	size_t n_rep;
};

static int options_of(const struct nf_bootstrap_options *o, size_t n,
                      struct nf_bootstrap_options *ret, struct nf_err *err)
{
	struct nf_bootstrap_options v = o ? *o : (struct nf_bootstrap_options){ 0 };

	if (nf_same(v.level, 0))
		v.level = 0.95;
	if (v.replicates == 0)
		v.replicates = 9999;
	if (v.block == 0)
		v.block = 1;
	if (!(v.level > 0 && v.level < 1))
		return nf_fail(err, NF_EARG, "no interval at level %g", v.level);
	if (v.replicates > NF_BOOTSTRAP_REPLICATES_MAX)
		return nf_fail(err, NF_EARG, "%zu replicates: at most %d", v.replicates,
		               NF_BOOTSTRAP_REPLICATES_MAX);
	if (v.block > n)
		return nf_fail(err, NF_EARG, "blocks of %zu in %zu samples", v.block, n);
	if (v.all && (n > NF_BOOTSTRAP_ALL_MAX || v.block > 1))
		return nf_fail(err, NF_EARG, "all resamples: only up to %d single values",
		               NF_BOOTSTRAP_ALL_MAX);
	*ret = v;
	return 0;
}

static void draw(struct nf_rng *rng, const double *x, size_t n, size_t block, double *ret)
{
	for (size_t k = 0; k < n;) {
		size_t at = nf_rng_below(rng, n);

		for (size_t i = 0; i < block && k < n; i++)
			ret[k++] = x[(at + i) % n];
	}
}

static int by_value(const void *a, const void *b)
{
	double x = ((const struct replicate *)a)->value, y = ((const struct replicate *)b)->value;

	return (x > y) - (x < y);
}

static int replicate_draws(struct run *v, struct nf_err *err)
{
	struct nf_rng rng;

	nf_rng_seed(&rng, v->o.seed);
	v->n_rep = v->o.replicates;
	v->rep = malloc(v->n_rep * sizeof(*v->rep));
	if (!v->rep)
		return nf_fail_nomem(err, "replicates", v->n_rep * sizeof(*v->rep));
	for (size_t i = 0; i < v->n_rep; i++) {
		draw(&rng, v->x, v->n, v->o.block, v->sample);
		v->rep[i] = (struct replicate){ v->statistic(v->sample, v->n, v->arg), 1 };
	}
	return 0;
}

/* Each multiset once, weighted with the number of its orders; so equal resamples give exactly
 * equal values whatever the statistic rounds. */
static int replicate_all(struct run *v, struct nf_err *err)
{
	size_t n = v->n, total = 1, pick[NF_BOOTSTRAP_ALL_MAX] = { 0 };
	double factorial = 1;

	for (size_t i = 1; i <= n; i++) {
		total = total * (n + i - 1) / i; /* C(2n - 1, n) in the end */
		factorial *= (double)i;
	}
	v->rep = malloc(total * sizeof(*v->rep));
	if (!v->rep)
		return nf_fail_nomem(err, "replicates", total * sizeof(*v->rep));
	for (;;) {
		double weight = factorial;

		for (size_t i = 0, same = 0; i < n; i++) {
			same = i > 0 && pick[i] == pick[i - 1] ? same + 1 : 1;
			weight /= (double)same;
			v->sample[i] = v->x[pick[i]];
		}
		v->rep[v->n_rep++] =
		        (struct replicate){ v->statistic(v->sample, n, v->arg), weight };

		size_t k = n;

		while (k > 0 && pick[k - 1] == n - 1)
			k--;
		if (k == 0)
			return 0;
		pick[k - 1]++;
		for (size_t i = k; i < n; i++)
			pick[i] = pick[k - 1];
	}
}

/* The k-th (from 0) of the replicates written out. */
static double at(const struct run *v, double k)
{
	double below = 0;
	size_t i = 0;

	if (!v->o.all)
		return v->rep[(size_t)k].value;
	for (; i + 1 < v->n_rep && below + v->rep[i].weight <= k; i++)
		below += v->rep[i].weight;
	return v->rep[i].value;
}

static double quantile(const struct run *v, double total, double p)
{
	double h = nf_clamp(p, 0, 1) * (total - 1), k = floor(h), a = at(v, k);
	double b = k + 1 < total ? at(v, k + 1) : a;

	return nf_clamp(a + (h - k) * (b - a), a, b);
}

static double acceleration_of(const struct run *v, double *theta)
{
	size_t rest = v->n - v->o.block;
	double mean, sd, s2 = 0, s3 = 0;

	if (rest == 0)
		return 0;
	for (size_t i = 0; i < v->n; i++) {
		for (size_t k = 0; k < rest; k++)
			v->sample[k] = v->x[(i + v->o.block + k) % v->n];
		theta[i] = v->statistic(v->sample, rest, v->arg);
		if (!isfinite(theta[i]))
			return 0;
	}
	nf_stats_mean_sd(theta, v->n, &mean, &sd);
	if (!(sd > 0))
		return 0;
	for (size_t i = 0; i < v->n; i++) {
		double d = (mean - theta[i]) / sd;

		s2 += d * d;
		s3 += d * d * d;
	}
	return s3 / (6 * pow(s2, 1.5));
}

static double corrected_level(double z0, double acceleration, double z)
{
	double w = z0 + z, stretch = 1 - acceleration * w;

	if (!(stretch > 0)) /* beyond the pole */
		return w > 0 ? 1 : 0;
	return nf_phi(z0 + w / stretch);
}

static int conclude(struct run *v, double *theta, struct nf_bootstrap *b, struct nf_err *err)
{
	double total = 0, below = 0, equal = 0, z = nf_z((1 - v->o.level) / 2);

	for (size_t i = 0; i < v->n_rep; i++) {
		if (!isfinite(v->rep[i].value))
			return nf_fail(err, NF_EDATA, "the statistic of a resample is not finite");
		total += v->rep[i].weight;
		below += v->rep[i].value < b->estimate ? v->rep[i].weight : 0;
		equal += nf_same(v->rep[i].value, b->estimate) ? v->rep[i].weight : 0;
	}
	qsort(v->rep, v->n_rep, sizeof(*v->rep), by_value);
	b->replicates = total;
	b->z0 = nf_z(nf_clamp((below + equal / 2) / total, 0.5 / total, 1 - 0.5 / total));
	b->acceleration = acceleration_of(v, theta);
	b->alpha_lo = corrected_level(b->z0, b->acceleration, z);
	b->alpha_hi = corrected_level(b->z0, b->acceleration, -z);
	b->lo = fmin(quantile(v, total, b->alpha_lo), b->estimate);
	b->hi = fmax(quantile(v, total, b->alpha_hi), b->estimate);
	b->percentile_lo = quantile(v, total, (1 - v->o.level) / 2);
	b->percentile_hi = quantile(v, total, 1 - (1 - v->o.level) / 2);
	return 0;
}

int nf_bootstrap(const double *x, size_t n, nf_statistic statistic, void *arg,
                 const struct nf_bootstrap_options *o, struct nf_bootstrap *ret, struct nf_err *err)
{
	struct run v = { .x = x, .n = n, .statistic = statistic, .arg = arg };
	struct nf_bootstrap b = { 0 };
	double *theta = NULL;
	int r = nf_stats_check(x, n, 1, err);

	if (r == 0)
		r = options_of(o, n, &v.o, err);
	if (r < 0)
		return r;
	v.sample = malloc(n * sizeof(*v.sample));
	theta = malloc(n * sizeof(*theta));
	if (!v.sample || !theta) {
		r = nf_fail_nomem(err, "a resample", 2 * n * sizeof(*theta));
		goto out;
	}
	memcpy(v.sample, x, n * sizeof(*x));
	b.estimate = statistic(v.sample, n, arg);
	if (!isfinite(b.estimate)) {
		r = nf_fail(err, NF_EDATA, "the statistic of the samples is not finite");
		goto out;
	}
	r = v.o.all ? replicate_all(&v, err) : replicate_draws(&v, err);
	if (r == 0)
		r = conclude(&v, theta, &b, err);
	if (r == 0)
		*ret = b;
out:
	free(v.sample);
	free(v.rep);
	free(theta);
	return r;
}

int nf_ratio_of_medians(const double *new_, size_t n_new, const double *old, size_t n_old,
                        const struct nf_bootstrap_options *o, struct nf_ratio *ret,
                        struct nf_err *err)
{
	size_t n_min = n_new < n_old ? n_new : n_old, n_max = n_new < n_old ? n_old : n_new;
	struct nf_bootstrap_options opt = { 0 };
	struct nf_ratio v;
	struct nf_rng rng;
	double *rep = NULL, *sample = NULL, median_new = 0, median_old = 0, q[2];
	int r = nf_median(new_, n_new, &median_new, err);

	if (r == 0)
		r = nf_median(old, n_old, &median_old, err);
	if (r == 0)
		r = options_of(o, n_min, &opt, err);
	if (r < 0)
		return r;
	if (opt.all)
		return nf_fail(err, NF_EARG, "all resamples of two samples are too many");
	for (size_t i = 0; i < n_new + n_old; i++)
		if (!((i < n_new ? new_[i] : old[i - n_new]) > 0))
			return nf_fail(err, NF_EDATA, "sample %zu is not above 0: no ratio", i);
	rep = malloc(opt.replicates * sizeof(*rep));
	sample = malloc(n_max * sizeof(*sample));
	if (!rep || !sample) {
		r = nf_fail_nomem(err, "replicates", (opt.replicates + n_max) * sizeof(*rep));
		goto out;
	}
	nf_rng_seed(&rng, opt.seed);
	for (size_t i = 0; i < opt.replicates; i++) {
		draw(&rng, new_, n_new, opt.block, sample);
		rep[i] = nf_stats_median_of(sample, n_new);
		draw(&rng, old, n_old, opt.block, sample);
		rep[i] /= nf_stats_median_of(sample, n_old);
	}

	double p[2] = { (1 - opt.level) / 2, (1 + opt.level) / 2 };

	v.ratio = median_new / median_old;
	r = nf_quantiles(rep, opt.replicates, NF_QUANTILE_TYPE, p, 2, q, err);
	if (r == 0) {
		v.lo = fmin(q[0], v.ratio);
		v.hi = fmax(q[1], v.ratio);
		*ret = v;
	}
out:
	free(rep);
	free(sample);
	return r;
}
