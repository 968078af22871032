/* SPDX-License-Identifier: MIT */
#include "report/compare_runs.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "build_info.h"
#include "noisefloor/location.h"
#include "noisefloor/ranktest.h"
#include "record/metrics.h"
#include "report/compare_text.h"
#include "report/compare_warn.h"

#define FIGURE_MAX 1e100

/* One value of one figure of one run. */
struct value {
	const struct nf_metric *metric; /* the first row of its id */
	size_t run;
	double v;
};

struct comparison {
	const struct nf_run_view *run;
	size_t n_runs;
	enum nf_compare_by by;
	struct nf_arena *a;
	struct nf_err *err;
	const char *group[NF_COMPARE_GROUPS_MAX];
	size_t n_groups;
	size_t *group_of;
	struct value *value; /* in the order of the runs */
	size_t n_values, cap_values;
};

/* --- groups --- */

static const char *group_name(const struct comparison *c, const struct nf_run_view *r)
{
	const char *name = c->by == NF_BY_LANE ? r->lane : c->by == NF_BY_TAG ? r->tag : r->host;

	return name && *name ? name : c->by == NF_BY_TAG ? "(no tag)" : "unknown";
}

static size_t find_group(const struct comparison *c, const char *name)
{
	size_t g = 0;

	while (g < c->n_groups && strcmp(c->group[g], name) != 0)
		g++;
	return g;
}

static int add_group(struct comparison *c, const char *name)
{
	if (find_group(c, name) < c->n_groups)
		return 0;
	if (c->n_groups == NF_COMPARE_GROUPS_MAX)
		return nf_fail(c->err, NF_EARG, "more than %d groups", NF_COMPARE_GROUPS_MAX);
	c->group[c->n_groups] = nf_arena_strdup(c->a, name);
	if (!c->group[c->n_groups])
		return nf_arena_failed(c->a, "the groups", c->err);
	c->n_groups++;
	return 0;
}

/* Lanes in their order, others as they come; the base first. */
static int make_groups(struct comparison *c, const char *base)
{
	static const char *const lanes[] = { "generic", "rt", "unknown" };
	int rc = 0;

	for (size_t k = 0; c->by == NF_BY_LANE && k < 3; k++)
		for (size_t i = 0; i < c->n_runs && rc == 0; i++)
			if (strcmp(group_name(c, &c->run[i]), lanes[k]) == 0)
				rc = add_group(c, lanes[k]);
	for (size_t i = 0; i < c->n_runs && rc == 0; i++)
		rc = add_group(c, group_name(c, &c->run[i]));
	if (rc < 0)
		return rc;
	if (base) {
		size_t g = find_group(c, base);
		const char *own;

		if (g == c->n_groups)
			return nf_fail(
			        c->err, NF_EARG, "--base: %.*s is no group here; allowed: %s%s%s",
			        NF_UTF8_CUT(base, 100), c->group[0], c->n_groups > 1 ? ", " : "",
			        c->n_groups > 1 ? c->group[1] : "");
		own = c->group[g];
		memmove(&c->group[1], &c->group[0], g * sizeof(c->group[0]));
		c->group[0] = own;
	}
	c->group_of = nf_arena_alloc(c->a, c->n_runs, sizeof(*c->group_of));
	for (size_t i = 0; c->group_of && i < c->n_runs; i++)
		c->group_of[i] = find_group(c, group_name(c, &c->run[i]));
	return nf_arena_failed(c->a, "the groups", c->err);
}

/* --- values --- */

struct reading {
	struct comparison *c;
	size_t run;
};

static int add_value(struct comparison *c, const struct nf_metric *m, size_t run, double v)
{
	/* Sums and squares of larger ones are no numbers any more. */
	if (v > FIGURE_MAX || v < -FIGURE_MAX)
		return nf_fail(c->err, NF_EDATA, "%s: %s is %.3g, which is no figure",
		               c->run[run].label, m->id, v);
	if (c->n_values == c->cap_values) {
		size_t cap = c->cap_values ? c->cap_values * 2 : 256;
		struct value *more = nf_arena_alloc(c->a, cap, sizeof(*more));

		if (!more)
			return nf_arena_failed(c->a, "the figures", c->err);
		if (c->n_values)
			memcpy(more, c->value, c->n_values * sizeof(*more));
		c->value = more;
		c->cap_values = cap;
	}
	c->value[c->n_values++] = (struct value){ nf_metrics_find(m->id), run, v };
	return 0;
}

/* A list of samples at the top of a record is as many values; what its parts say of one sample is one. */
static int on_metric(void *ctx, const struct nf_metric *m, const double *value, size_t n,
                     double whole)
{
	struct reading *r = ctx;
	const char *bracket = strchr(m->path, '['), *dot = strchr(m->path, '.');
	bool samples = bracket && (!dot || bracket < dot);
	int rc = 0;

	if (!samples)
		return add_value(r->c, m, r->run, whole);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = add_value(r->c, m, r->run, value[i]);
	return rc;
}

static int read_values(struct comparison *c)
{
	int rc = 0;

	for (size_t i = 0; i < c->n_runs && rc == 0; i++) {
		struct reading r = { c, i };

		rc = nf_metrics_read(c->run[i].record, on_metric, &r);
		if (rc == 0 && c->run[i].has_per_element)
			rc = add_value(c, nf_metrics_find("numa.per_element"), i,
			               c->run[i].serial_ns_per_element);
	}
	return rc;
}

/* --- figures --- */

static int figure(struct comparison *c, const struct nf_metric *m, size_t group,
                  struct nf_rec_compare_figure *ret)
{
	struct nf_rec_compare_figure f = { .metric = m->id,
		                           .unit = m->unit,
		                           .group = c->group[group] };
	struct nf_moments moments;
	uint64_t *input;
	double *x;
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < c->n_values; i++)
		n += c->value[i].metric == m && c->group_of[c->value[i].run] == group;
	*ret = f;
	if (n == 0)
		return 0;
	x = nf_arena_alloc(c->a, n, sizeof(*x));
	input = nf_arena_alloc(c->a, n, sizeof(*input));
	if (!x || !input)
		return nf_arena_failed(c->a, "the figures", c->err);
	for (size_t i = 0, k = 0; i < c->n_values; i++) {
		if (c->value[i].metric != m || c->group_of[c->value[i].run] != group)
			continue;
		x[k] = c->value[i].v;
		input[k++] = c->value[i].run;
	}
	f.n = n;
	f.values = (struct nf_list){ x, n };
	f.inputs = (struct nf_list){ input, n };
	f.min = f.max = x[0];
	for (size_t i = 1; i < n; i++) {
		f.min = x[i] < f.min ? x[i] : f.min;
		f.max = x[i] > f.max ? x[i] : f.max;
	}
	rc = nf_moments(x, n, &moments, c->err);
	if (rc == 0)
		rc = nf_median(x, n, &f.median, c->err);
	if (rc < 0)
		return rc;
	f.mean = moments.mean;
	if (moments.has_sd)
		f.sd = nf_some_real(moments.sd);
	*ret = f;
	return 0;
}

/* In the order of the metrics' rows, each id once; groups in their order. */
static int make_figures(struct comparison *c, struct nf_list *ret)
{
	struct nf_rec_compare_figure *f =
	        nf_arena_alloc(c->a, nf_metrics_count() * c->n_groups, sizeof(*f));
	size_t n = 0;
	int rc = 0;

	if (!f)
		return nf_arena_failed(c->a, "the figures", c->err);
	for (size_t k = 0; k < nf_metrics_count() && rc == 0; k++) {
		const struct nf_metric *m = nf_metrics_row(k);

		for (size_t g = 0; g < c->n_groups && rc == 0 && nf_metrics_find(m->id) == m; g++) {
			rc = figure(c, m, g, &f[n]);
			n += rc == 0 && f[n].n > 0;
		}
	}
	*ret = (struct nf_list){ f, n };
	return rc;
}

static const struct nf_rec_compare_figure *find_figure(const struct nf_list *l, const char *metric,
                                                       const char *group)
{
	const struct nf_rec_compare_figure *f = l->items;

	for (size_t i = 0; i < l->n; i++)
		if (strcmp(f[i].metric, metric) == 0 && strcmp(f[i].group, group) == 0)
			return &f[i];
	return NULL;
}

/* --- differences --- */

static int difference(struct comparison *c, const struct nf_rec_compare_figure *base,
                      const struct nf_rec_compare_figure *other,
                      struct nf_rec_compare_difference *ret)
{
	struct nf_rec_compare_difference d = { .metric = base->metric,
		                               .unit = base->unit,
		                               .base = base->group,
		                               .other = other->group };
	struct nf_shift s = { .k = 0 };
	int rc = nf_hodges_lehmann_2(base->values.items, base->n, other->values.items, other->n,
	                             NF_COMPARE_LEVEL, &s, c->err);

	if (rc < 0)
		return rc;
	d.estimate = s.estimate;
	if (base->median > 0 || base->median < 0)
		d.of_base_ratio = nf_some_real(s.estimate / base->median);
	if (s.has_interval) {
		d.lo = nf_some_real(s.lo);
		d.hi = nf_some_real(s.hi);
		d.level = nf_some_real(s.level);
		if (s.lo > 0 || s.hi < 0)
			d.verdict =
			        (s.lo > 0) == (nf_metrics_find(base->metric)->better == NF_HIGHER)
			                ? NF_DIFF_HELPED
			                : NF_DIFF_HURT;
	}
	d.sentence = nf_compare_sentence(&d, base->n, other->n, c->a);
	*ret = d;
	return 0;
}

static int make_differences(struct comparison *c, const struct nf_list *figures,
                            struct nf_list *ret)
{
	const struct nf_rec_compare_figure *f = figures->items;
	struct nf_rec_compare_difference *d = nf_arena_alloc(c->a, figures->n + 1, sizeof(*d));
	size_t n = 0;
	int rc = 0;

	if (!d)
		return nf_arena_failed(c->a, "the differences", c->err);
	for (size_t i = 0; i < figures->n && rc == 0; i++) {
		const struct nf_rec_compare_figure *base =
		        find_figure(figures, f[i].metric, c->group[0]);

		if (!base || base == &f[i])
			continue;
		rc = difference(c, base, &f[i], &d[n]);
		n += rc == 0;
	}
	*ret = (struct nf_list){ d, n };
	return rc;
}

/* Groups whose runs have serial and parallel times and their ratio, run by run. */
static int make_ratios(struct comparison *c, const struct nf_list *figures, struct nf_list *ret)
{
	struct nf_rec_compare_ratio *r = nf_arena_alloc(c->a, c->n_groups, sizeof(*r));
	size_t n = 0;

	if (!r)
		return nf_arena_failed(c->a, "the ratios", c->err);
	for (size_t g = 0; g < c->n_groups; g++) {
		const struct nf_rec_compare_figure *s, *p, *x;

		s = find_figure(figures, "numa.serial", c->group[g]);
		p = find_figure(figures, "numa.parallel", c->group[g]);
		x = find_figure(figures, "numa.speedup", c->group[g]);
		if (!s || !p || !x || s->n != p->n || s->n != x->n || p->mean <= 0 ||
		    p->median <= 0)
			continue;
		r[n++] = (struct nf_rec_compare_ratio){ c->group[g], x->mean, s->mean / p->mean,
			                                s->median / p->median };
	}
	*ret = (struct nf_list){ r, n };
	return 0;
}

/* --- the record --- */

static int make_inputs(struct comparison *c, struct nf_list *ret)
{
	struct nf_rec_compare_input *in = nf_arena_alloc(c->a, c->n_runs, sizeof(*in));

	if (!in)
		return nf_arena_failed(c->a, "the operands", c->err);
	for (size_t i = 0; i < c->n_runs; i++) {
		const struct nf_run_view *r = &c->run[i];

		in[i] = (struct nf_rec_compare_input){
			.path = nf_arena_strdup(c->a, r->label),
			.type = nf_arena_strdup(c->a, r->schema),
			.group = c->group[c->group_of[i]],
			.tag = nf_arena_strdup(c->a, r->tag),
			.host = nf_arena_strdup(c->a, r->host),
			.lane = nf_arena_strdup(c->a, r->lane),
			.kernel = nf_arena_strdup(c->a, r->kernel),
			.captured_utc = nf_arena_strdup(c->a, r->captured_utc),
			.boot_id = nf_arena_strdup(c->a, r->boot_id),
			.platform = nf_arena_strdup(c->a, r->platform),
			.uptime_s = { r->has_uptime, r->uptime_s },
			.load_1min = { r->has_load, r->load_1min },
			.smi_window_s = { r->has_smi_window, r->smi_window_s },
			.conforms = { r->conforms != NF_KNOWN_NOT, r->conforms == NF_KNOWN_YES },
		};
	}
	*ret = (struct nf_list){ in, c->n_runs };
	return nf_arena_failed(c->a, "the operands", c->err);
}

static int fill(struct comparison *c, struct nf_rec_compare_run *r)
{
	static const char *const by[] = {
		[NF_BY_LANE] = "lane", [NF_BY_TAG] = "tag", [NF_BY_HOST] = "host"
	};
	struct nf_compare_seen seen = { .run = c->run,
		                        .group_of = c->group_of,
		                        .n_runs = c->n_runs,
		                        .n_groups = c->n_groups,
		                        .by_lane = c->by == NF_BY_LANE };
	const char **groups = nf_arena_alloc(c->a, c->n_groups, sizeof(*groups));
	int rc;

	if (!groups)
		return nf_arena_failed(c->a, "the groups", c->err);
	memcpy(groups, c->group, c->n_groups * sizeof(*groups));
	r->schema = "CompareRun/1";
	r->tool_version = NF_VERSION;
	r->by = by[c->by];
	r->groups = (struct nf_list){ groups, c->n_groups };
	r->method = "median: mean of the middle two; sd: divisor n - 1; difference: Hodges-Lehmann "
	            "shift "
	            "of two samples, interval from the exact Mann-Whitney distribution, no "
	            "correction for "
	            "the number of figures";
	r->claim_ceiling =
	        "A difference between these runs: not what caused it. The runs were not "
	        "interleaved, so what changed between the groups besides their name counts in.";
	rc = make_inputs(c, &r->inputs);
	if (rc == 0)
		rc = make_figures(c, &r->figures);
	if (rc == 0)
		rc = make_differences(c, &r->figures, &r->differences);
	if (rc == 0)
		rc = make_ratios(c, &r->figures, &r->ratios);
	if (rc < 0)
		return rc;
	seen.group = groups;
	seen.figures = r->figures;
	seen.ratios = r->ratios;
	r->warnings = nf_compare_warnings(&seen, c->a);
	r->conclusion = nf_compare_conclusion(r, c->a);
	r->replaced_text = nf_record_replaced(&nf_rec_compare_run_type, r);
	rc = nf_rec_honesty_fill(&r->honesty, &nf_rec_compare_run_type, r, c->a, c->err);
	return rc < 0 ? rc : nf_arena_failed(c->a, "a comparison", c->err);
}

/* One file, or one run of ours wherever it is kept and in whatever form. */
static bool are_one(const struct nf_run_view *a, const struct nf_run_view *b)
{
	if (a->digest && b->digest && strcmp(a->digest, b->digest) == 0)
		return true;
	/* Runs whose instant is not known may well be alike. */
	if (a->captured_utc && b->captured_utc && strcmp(a->captured_utc, b->captured_utc) == 0 &&
	    json_equal(a->record, b->record))
		return true;
	return a->run_id && b->run_id && a->started_utc && b->started_utc &&
	       strcmp(a->run_id, b->run_id) == 0 && strcmp(a->started_utc, b->started_utc) == 0;
}

/* A run that counts twice makes intervals narrower than the runs bear out. */
static int check_once(const struct comparison *c)
{
	for (size_t i = 1; i < c->n_runs; i++)
		for (size_t k = 0; k < i; k++)
			if (are_one(&c->run[k], &c->run[i]))
				return nf_fail(c->err, NF_EARG,
				               "%.*s is the run that %.*s is; allowed: every "
				               "run once",
				               NF_UTF8_CUT(c->run[i].label, 300),
				               NF_UTF8_CUT(c->run[k].label, 300));
	return 0;
}

int nf_compare_runs(const struct nf_run_view *run, size_t n, const struct nf_compare_opts *opts,
                    struct nf_arena *a, struct nf_rec_compare_run *ret, struct nf_err *err)
{
	struct comparison c = { .run = run, .n_runs = n, .by = opts->by, .a = a, .err = err };
	struct nf_rec_compare_run r = { .schema = NULL };
	int rc;

	if (n < 1 || n > NF_COMPARE_RUNS_MAX)
		return nf_fail(err, NF_EARG, "%zu runs; allowed: 1 to %d", n, NF_COMPARE_RUNS_MAX);
	rc = check_once(&c);
	if (rc == 0)
		rc = make_groups(&c, opts->base);
	if (rc == 0)
		rc = read_values(&c);
	if (rc == 0)
		rc = fill(&c, &r);
	if (rc == 0)
		*ret = r;
	return rc;
}
