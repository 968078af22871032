/* SPDX-License-Identifier: MIT */
#include "job/bench_plan.h"

#include <math.h>

#include "base/buf.h"
#include "base/duration.h"
#include "noisefloor/dist.h"

static const struct {
	size_t iters;
	size_t sets;
} defaults[] = {
	[NF_BENCH_RUN_BUILTIN] = { 15, 5 },
	[NF_BENCH_COMPARE_BUILTIN] = { 10, 20 },
	[NF_BENCH_COMMANDS] = { 1, 20 },
};

static double length_ns(const struct nf_bench_cost *c, size_t sets, size_t iters)
{
	return c->spent_ns + (double)sets * (c->fixed_ns + (double)iters * c->value_ns);
}

static int refuse(const struct nf_bench_want *w, double needed_ns, struct nf_err *err)
{
	struct nf_buf have, need;
	double s = ceil(needed_ns / 1e9);

	nf_buf_init(&have, 64);
	nf_buf_init(&need, 64);
	(void)nf_duration_print(w->max_time_ns, &have);
	(void)nf_buf_addf(&need, "%.0fs", s < 1 ? 1 : s);
	int r = nf_fail(err, NF_EUNSUPPORTED,
	                "--max-time %s: with fewer than %zu sets a side nothing can be found, and "
	                "they do not fit; --max-time %s or more would do",
	                have.data, w->min_sets, need.data);
	nf_buf_fini(&have);
	nf_buf_fini(&need);
	return r;
}

int nf_bench_plan_make(const struct nf_bench_want *w, const struct nf_bench_cost *c,
                       struct nf_bench_plan *ret, struct nf_err *err)
{
	double max_ns = (double)w->max_time_ns;
	struct nf_bench_plan p = {
		.sets_asked = w->sets ? w->sets : defaults[w->shape].sets,
		.iters_asked = w->shape == NF_BENCH_COMMANDS ? 1
		               : w->iters                    ? w->iters
		                                             : defaults[w->shape].iters,
	};

	if (w->sets && w->sets < w->min_sets)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "%zu sets a side: nothing can be found with them; %zu or more would do",
		        w->sets, w->min_sets);
	p.sets = p.sets_asked > w->min_sets ? p.sets_asked : w->min_sets;
	p.iters = p.iters_asked;
	if (length_ns(c, p.sets, p.iters) > max_ns) {
		double room = (max_ns - c->spent_ns) / (double)p.sets - c->fixed_ns;
		double fits = c->value_ns > 0 ? floor(room / c->value_ns) : 1;

		p.iters = !(fits >= 1) ? 1 : fits < (double)p.iters ? (size_t)fits : p.iters;
	}
	if (length_ns(c, p.sets, p.iters) > max_ns) {
		double fits = floor((max_ns - c->spent_ns) / (c->fixed_ns + c->value_ns));

		if (!(fits >= (double)w->min_sets))
			return refuse(w, length_ns(c, w->min_sets, 1), err);
		p.sets = fits < (double)p.sets ? (size_t)fits : p.sets;
	}
	p.estimate_ns = length_ns(c, p.sets, p.iters);
	p.extends = w->may_extend && p.sets * NF_BENCH_EXTENSION <= NF_BENCH_SETS_MAX &&
	            length_ns(c, p.sets * NF_BENCH_EXTENSION, p.iters) <= max_ns;
	*ret = p;
	return 0;
}

int nf_bench_same_ratio(double cv, size_t n, double delta, double alpha, double *ret,
                        struct nf_err *err)
{
	const double pi = 3.14159265358979323846;
	double t, above;

	if (n < 2)
		return nf_fail(err, NF_ENODATA, "%zu pairs; at least 2 are needed", n);
	double s = cv * sqrt(2) * sqrt(pi / 3) / sqrt((double)n);
	int r = nf_t_quantile(1 - alpha, (double)(n - 1), &t, err);
	if (r < 0)
		return r;
	double room = log1p(delta) - t * s;
	if (room <= 0) {
		*ret = 0;
		return 0;
	}
	if (!(s > 0)) {
		*ret = 1;
		return 0;
	}
	r = nf_normal_sf(room / s, &above, err);
	if (r == 0)
		*ret = 1 - 2 * above;
	return r;
}
