/* SPDX-License-Identifier: MIT */
/* lab_figures - what the runs of a configuration have in common, and configurations beside each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "job/lab_phases.h"
#include "noisefloor/bootstrap.h"
#include "noisefloor/location.h"

#define LEVEL 0.95
/* Below it no interval of a median reaches 95 %. */
enum { FEW_RUNS = 6, PLACES_MAX = 256, SEED = 1 };

struct config {
	const struct nf_rec_boot_attempt *at; /* its attempts, in order */
	size_t n;
	double *value; /* arena: room for n */
};

/* The last at its run, and its boot went well as far as is known: how long it takes to fail is no boot time. */
static bool in_figures(const struct nf_rec_boot_attempt *at)
{
	return at->counts && (!at->outcome.some || at->outcome.v == NF_BOOT_OK);
}

/* Attempts that came to an end of their own. */
static uint64_t tried(const struct config *c)
{
	uint64_t n = 0;

	for (size_t k = 0; k < c->n; k++)
		n += !c->at[k].outcome.some || c->at[k].outcome.v != NF_BOOT_STOPPED;
	return n;
}

/* --- one figure --- */

static int times(struct nf_arena *a, const char *name, const struct config *c, size_t n_values,
                 struct nf_rec_boot_times *ret, struct nf_err *err)
{
	double *v = nf_arena_alloc(a, n_values + 1, sizeof(*v));
	struct nf_moments m = { 0 };
	double median = 0;

	if (!v)
		return nf_arena_failed(a, "figures", err);
	memcpy(v, c->value, n_values * sizeof(*v));
	*ret = (struct nf_rec_boot_times){ .name = name, .n = n_values, .runs_s = { v, n_values } };
	if (n_values == 0)
		return 0;
	int r = nf_moments(v, n_values, &m, err);
	if (r == 0)
		r = nf_median(v, n_values, &median, err);
	if (r < 0)
		return r;
	ret->median_s = nf_some_real(median);
	ret->mean_s = nf_some_real(m.mean);
	if (m.has_sd)
		ret->sd_s = nf_some_real(m.sd);
	ret->min_s = ret->max_s = nf_some_real(v[0]);
	for (size_t i = 1; i < n_values; i++) {
		ret->min_s.v = fmin(ret->min_s.v, v[i]);
		ret->max_s.v = fmax(ret->max_s.v, v[i]);
	}
	return 0;
}

/* Median of c->value[0..n), which stays as it is; None: n is 0. */
static int median_of(const struct config *c, size_t n, struct nf_some_real *ret, struct nf_err *err)
{
	double median;
	int r = n ? nf_median(c->value, n, &median, err) : 0;

	if (n > 0 && r == 0)
		*ret = nf_some_real(median);
	return r;
}

/* --- phases and intervals --- */

static struct nf_some_real phase_time(const struct nf_rec_boot_attempt *at, size_t i, bool between)
{
	const struct nf_rec_boot_event *e = at->phases.items;
	const struct nf_rec_boot_interval *v = at->intervals.items;

	return between ? v[i].duration_s : e[i].time_s;
}

static int one_phase(struct nf_arena *a, const struct config *c, size_t i, bool between,
                     uint64_t runs, struct nf_rec_boot_times *ret, struct nf_err *err)
{
	const struct nf_rec_boot_event *e = c->at[0].phases.items;
	const struct nf_rec_boot_interval *v = c->at[0].intervals.items;
	struct nf_some_real resolution = { 0 };
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		struct nf_some_real t = phase_time(&c->at[k], i, between),
		                    res = c->at[k].resolution_s;

		if (!in_figures(&c->at[k]) || !t.some)
			continue;
		c->value[n++] = t.v;
		if (res.some && (!resolution.some || res.v > resolution.v))
			resolution = res;
	}
	int r = times(a, between ? v[i].name : e[i].name, c, n, ret, err);
	if (r < 0)
		return r;
	ret->failed = runs - n;
	ret->retried = tried(c) - runs;
	ret->resolution_s = resolution;
	return 0;
}

static const struct nf_rec_boot_interval *interval(const struct nf_rec_boot_attempt *at, size_t i)
{
	const struct nf_rec_boot_interval *v = at->intervals.items;

	return in_figures(at) && v[i].duration_s.some && v[i].bytes.some ? &v[i] : NULL;
}

enum share { BYTES, UART, GAP, GAP_RATIO, SILENCE, CLAIMS, HOST };

static struct nf_some_real share_of(const struct nf_rec_boot_interval *v, enum share what)
{
	const struct nf_rec_boot_gap *g = v->gaps.items;
	const struct nf_some_real none = { 0 };

	switch (what) {
	case BYTES:
		return nf_some_real((double)v->bytes.v);
	case UART:
		return v->uart_ratio;
	case GAP:
		return v->gaps.n ? nf_some_real(g[0].length_s) : none;
	case GAP_RATIO:
		return v->gaps.n ? nf_some_real(g[0].ratio) : none;
	case SILENCE:
		return v->silence_ratio;
	case CLAIMS:
		return v->guest ? nf_some_real(v->guest->claims_s) : none;
	case HOST:
		return v->guest ? nf_some_real(v->guest->host_s) : none;
	}
	return none;
}

static size_t take_shares(const struct config *c, size_t i, enum share what)
{
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		const struct nf_rec_boot_interval *v = interval(&c->at[k], i);
		struct nf_some_real x = v ? share_of(v, what) : (struct nf_some_real){ 0 };

		if (x.some)
			c->value[n++] = x.v;
	}
	return n;
}

static void uart_range(const struct config *c, size_t n, struct nf_rec_boot_shares *ret)
{
	for (size_t k = 0; k < n; k++) {
		double x = c->value[k];

		ret->uart_ratio_min = nf_some_real(k ? fmin(ret->uart_ratio_min.v, x) : x);
		ret->uart_ratio_max = nf_some_real(k ? fmax(ret->uart_ratio_max.v, x) : x);
	}
}

static int one_share(const struct config *c, size_t i, struct nf_rec_boot_shares *ret,
                     struct nf_err *err)
{
	const struct nf_rec_boot_interval *v = c->at[0].intervals.items;
	struct nf_some_real *const to[] = {
		[BYTES] = &ret->bytes_median,
		[UART] = &ret->uart_ratio_median,
		[GAP] = &ret->longest_gap_s,
		[GAP_RATIO] = &ret->gap_ratio_median,
		[SILENCE] = &ret->silence_ratio_median,
		[CLAIMS] = &ret->guest_claims_s,
		[HOST] = &ret->guest_host_s,
	};
	int r = 0;

	*ret = (struct nf_rec_boot_shares){ .name = v[i].name };
	for (unsigned what = BYTES; r == 0 && what <= HOST; what++) {
		size_t n = take_shares(c, i, (enum share)what);

		if (what == UART)
			uart_range(c, n, ret);
		r = median_of(c, n, to[what], err);
	}
	for (size_t k = 0; k < c->n; k++) {
		const struct nf_rec_boot_interval *x = interval(&c->at[k], i);

		ret->guest_disagrees += x && x->guest && x->guest->disagrees;
		ret->faulty += x && x->faults > 0;
	}
	return r;
}

/* --- values --- */

/* Values of one name stand beside each other by section, without one by their order in a boot. */
static const char *place_of(const struct nf_rec_boot_value *v, struct nf_arena *a)
{
	return v->section ? v->section : nf_arena_printf(a, "#%llu", (unsigned long long)v->nth);
}

static bool same_place(const struct nf_rec_boot_value *v, const struct nf_rec_boot_values *row)
{
	char nth[32];

	if (strcmp(v->name, row->name) != 0)
		return false;
	if (v->section)
		return strcmp(v->section, row->place) == 0;
	snprintf(nth, sizeof(nth), "#%llu", (unsigned long long)v->nth);
	return strcmp(nth, row->place) == 0;
}

static size_t list_places(struct nf_arena *a, const struct config *c,
                          struct nf_rec_boot_values *row)
{
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		const struct nf_rec_boot_value *v = c->at[k].values.items;

		for (size_t i = 0; in_figures(&c->at[k]) && i < c->at[k].values.n; i++) {
			size_t p = 0;

			while (p < n && !same_place(&v[i], &row[p]))
				p++;
			if (p == n && n < PLACES_MAX)
				row[n++] = (struct nf_rec_boot_values){ .name = v[i].name,
					                                .place = place_of(&v[i], a),
					                                .unit = v[i].unit };
		}
	}
	return n;
}

/* Of a boot the first in its place. */
static int one_value(struct nf_arena *a, const struct config *c, uint64_t runs,
                     struct nf_rec_boot_values *row, struct nf_err *err)
{
	struct nf_rec_boot_times t = { 0 };
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		const struct nf_rec_boot_value *v = c->at[k].values.items;
		size_t i = 0;

		while (i < c->at[k].values.n && !same_place(&v[i], row))
			i++;
		if (!in_figures(&c->at[k]) || i == c->at[k].values.n)
			continue;
		c->value[n++] = v[i].value;
		row->counters += v[i].counter_agrees.some;
		row->counters_agree += v[i].counter_agrees.some && v[i].counter_agrees.v;
	}
	int r = times(a, row->name, c, n, &t, err);
	if (r < 0)
		return r;
	row->n = n;
	row->failed = runs - n;
	row->median = t.median_s.v;
	row->mean = t.mean_s.v;
	row->sd = t.sd_s;
	row->min = t.min_s.v;
	row->max = t.max_s.v;
	row->runs = t.runs_s;
	return 0;
}

static int add_values(struct nf_arena *a, const struct config *c, uint64_t runs,
                      struct nf_rec_boot_config *ret, struct nf_err *err)
{
	struct nf_rec_boot_values *row = nf_arena_alloc(a, PLACES_MAX, sizeof(*row));
	size_t n = row ? list_places(a, c, row) : 0;
	int r = nf_arena_failed(a, "figures", err);

	for (size_t i = 0; r == 0 && i < n; i++)
		r = one_value(a, c, runs, &row[i], err);
	ret->values = (struct nf_list){ row, n };
	return r;
}

/* --- a configuration --- */

static bool failed(const struct nf_rec_boot_attempt *at)
{
	const struct nf_rec_boot_event *e = at->phases.items;

	for (size_t i = 0; i < at->phases.n; i++)
		if (!e[i].time_s.some)
			return true;
	return at->outcome.some && at->outcome.v != NF_BOOT_OK;
}

static int one_config(struct nf_arena *a, const struct config *c, struct nf_rec_boot_config *ret,
                      struct nf_err *err)
{
	size_t n = c->at[0].phases.n;
	struct nf_rec_boot_times *phase = nf_arena_alloc(a, n + 1, sizeof(*phase));
	struct nf_rec_boot_times *between = nf_arena_alloc(a, n + 1, sizeof(*between));
	struct nf_rec_boot_shares *share = nf_arena_alloc(a, n + 1, sizeof(*share));
	int r = nf_arena_failed(a, "figures", err);

	*ret = (struct nf_rec_boot_config){ .name = c->at[0].config,
		                            .platform = c->at[0].platform };
	for (size_t k = 0; k < c->n; k++) {
		ret->runs += c->at[k].counts;
		ret->failed += c->at[k].counts && failed(&c->at[k]);
		if (c->at[k].platform != ret->platform)
			ret->platform = NF_BOOT_PLATFORM_UNKNOWN;
	}
	ret->retried = tried(c) - ret->runs;
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = one_phase(a, c, i, false, ret->runs, &phase[i], err);
		if (r == 0)
			r = one_phase(a, c, i, true, ret->runs, &between[i], err);
		if (r == 0)
			r = one_share(c, i, &share[i], err);
	}
	ret->phases = (struct nf_list){ phase, n };
	ret->intervals = (struct nf_list){ between, n };
	ret->shares = (struct nf_list){ share, n };
	return r < 0 ? r : add_values(a, c, ret->runs, ret, err);
}

/* --- configurations beside each other --- */

static bool all_positive(const struct nf_list *runs)
{
	const double *v = runs->items;

	for (size_t i = 0; i < runs->n; i++)
		if (v[i] <= 0)
			return false;
	return runs->n > 0;
}

struct side {
	const char *config;
	int platform;
	const struct nf_list *runs;
	double median;
	double resolution_s; /* of times; 0 else */
};

static const char *warn(const struct side *base, const struct side *s, struct nf_arena *a)
{
	if (base->platform != s->platform)
		return "a board's numbers beside an emulator's, or beside unknown ones: not of one "
		       "kind";
	if (fabs(base->median - s->median) < fmax(base->resolution_s, s->resolution_s))
		return "the difference is below the stamps' resolution";
	if (base->runs->n < FEW_RUNS || s->runs->n < FEW_RUNS)
		return nf_arena_printf(a,
		                       "few runs: the interval covers less often than 95 %%; "
		                       "from %d runs a side on it is what it says",
		                       FEW_RUNS);
	return NULL;
}

static int add_ratio(struct nf_arena *a, const char *what, const struct side *base,
                     const struct side *s, struct nf_rec_boot_ratio *ret, size_t *n,
                     struct nf_err *err)
{
	const struct nf_bootstrap_options o = { .level = LEVEL, .seed = SEED };
	struct nf_ratio q;

	if (!all_positive(base->runs) || !all_positive(s->runs))
		return 0;
	int r = nf_ratio_of_medians(s->runs->items, s->runs->n, base->runs->items, base->runs->n,
	                            &o, &q, err);
	if (r < 0)
		return r;
	ret[(*n)++] = (struct nf_rec_boot_ratio){ .what = what,
		                                  .base = base->config,
		                                  .config = s->config,
		                                  .base_median = base->median,
		                                  .median = s->median,
		                                  .ratio = q.ratio,
		                                  .lo = q.lo,
		                                  .hi = q.hi,
		                                  .level = LEVEL,
		                                  .base_n = base->runs->n,
		                                  .n = s->runs->n,
		                                  .warning = warn(base, s, a) };
	return 0;
}

/* Configurations of a campaign may have other phases each. */
static const struct nf_rec_boot_times *named(const struct nf_list *list, const char *name)
{
	const struct nf_rec_boot_times *x = list->items;

	for (size_t i = 0; i < list->n; i++)
		if (strcmp(x[i].name, name) == 0)
			return &x[i];
	return NULL;
}

static int ratios_of_times(struct nf_arena *a, const struct nf_rec_boot_config *base,
                           const struct nf_rec_boot_config *c, const struct nf_list *base_list,
                           const struct nf_list *list, struct nf_rec_boot_ratio *ret, size_t *n,
                           struct nf_err *err)
{
	const struct nf_rec_boot_times *x, *y = list->items;
	int r = 0;

	for (size_t i = 0; r == 0 && i < list->n; i++) {
		x = named(base_list, y[i].name);
		if (!x)
			continue;
		const struct side below = { base->name, base->platform, &x->runs_s, x->median_s.v,
			                    x->resolution_s.v };
		const struct side above = { c->name, c->platform, &y[i].runs_s, y[i].median_s.v,
			                    y[i].resolution_s.v };

		r = add_ratio(a, y[i].name, &below, &above, ret, n, err);
	}
	return r;
}

static int ratios_of_values(struct nf_arena *a, const struct nf_rec_boot_config *base,
                            const struct nf_rec_boot_config *c, struct nf_rec_boot_ratio *ret,
                            size_t *n, struct nf_err *err)
{
	const struct nf_rec_boot_values *x = base->values.items, *y = c->values.items;
	int r = 0;

	for (size_t i = 0; r == 0 && i < c->values.n; i++) {
		for (size_t k = 0; r == 0 && k < base->values.n; k++) {
			if (strcmp(x[k].name, y[i].name) != 0 ||
			    strcmp(x[k].place, y[i].place) != 0)
				continue;
			const struct side below = { base->name, base->platform, &x[k].runs,
				                    x[k].median, 0 };
			const struct side above = { c->name, c->platform, &y[i].runs, y[i].median,
				                    0 };

			r = add_ratio(a, nf_arena_printf(a, "%s %s", y[i].name, y[i].place), &below,
			              &above, ret, n, err);
		}
	}
	return r;
}

static int add_ratios(const struct nf_lab_opts *o, struct nf_arena *a,
                      struct nf_rec_boot_campaign *c, struct nf_err *err)
{
	const struct nf_rec_boot_config *x = c->configs.items, *base = NULL;
	struct nf_rec_boot_ratio *ret;
	size_t most = 0, n = 0;
	int r = 0;

	/* Without a name the first that reached a phase; where there are no phases, the first. */
	for (size_t i = 0; i < c->configs.n && !base; i++) {
		const struct nf_rec_boot_times *t = x[i].phases.items;

		if (o->base ? strcmp(x[i].name, o->base) == 0
		            : x[i].phases.n == 0 || t[0].n > 0 || t[x[i].phases.n - 1].n > 0)
			base = &x[i];
	}
	if (!base && o->base)
		return nf_fail(err, NF_EARG, "--base: no configuration '%.*s'; the first is '%.*s'",
		               NF_UTF8_CUT(o->base, 60), NF_UTF8_CUT(x[0].name, 60));
	if (!base)
		return 0;
	for (size_t i = 0; i < c->configs.n; i++)
		most += 2 * x[i].phases.n + x[i].values.n;
	ret = nf_arena_alloc(a, most + 1, sizeof(*ret));
	if (!ret)
		return nf_arena_failed(a, "ratios", err);
	for (size_t i = 0; r == 0 && i < c->configs.n; i++) {
		if (&x[i] == base)
			continue;
		r = ratios_of_times(a, base, &x[i], &base->phases, &x[i].phases, ret, &n, err);
		if (r == 0)
			r = ratios_of_times(a, base, &x[i], &base->intervals, &x[i].intervals, ret,
			                    &n, err);
		if (r == 0)
			r = ratios_of_values(a, base, &x[i], ret, &n, err);
	}
	c->ratios = (struct nf_list){ ret, n };
	return r;
}

int nf_lab_figures(const struct nf_lab_opts *o, struct nf_arena *a, struct nf_rec_boot_campaign *c,
                   struct nf_err *err)
{
	const struct nf_rec_boot_attempt *at = c->attempts.items;
	struct nf_rec_boot_config *ret = nf_arena_alloc(a, c->attempts.n, sizeof(*ret));
	double *value = nf_arena_alloc(a, c->attempts.n, sizeof(*value));
	size_t n = 0;
	int r = nf_arena_failed(a, "figures", err);

	for (size_t i = 0; r == 0 && i < c->attempts.n;) {
		struct config one = { .at = &at[i], .value = value };

		while (i < c->attempts.n && strcmp(at[i].config, one.at->config) == 0) {
			one.n++;
			i++;
		}
		r = one_config(a, &one, &ret[n++], err);
	}
	c->configs = (struct nf_list){ ret, n };
	return r < 0 ? r : add_ratios(o, a, c, err);
}
