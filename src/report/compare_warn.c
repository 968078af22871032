/* SPDX-License-Identifier: MIT */
#include "report/compare_warn.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cpuset.h"
#include "base/utf8.h"

enum { WARNINGS_MAX = 1000, TEXT_BYTES = 1200, TOKENS_SHOWN = 6 };

/* Thresholds; the rows' rules say them in words. */
#define UPTIME_FACTOR 2.0
#define UPTIME_SETTLED_S 3600.0
#define UPTIME_AGE_FACTOR 4.0
#define LOAD_FACTOR 1.5
#define LOAD_DIFFERENCE 1.0
#define BOOT_SLACK_S 120.0
#define JITTER_FLOOR_S 1e-10
#define BASE_NS_PER_ELEMENT 10.0
#define STORY_RATIO 0.05
#define OUTLIER_LIMIT 10.0

struct finder {
	const struct nf_compare_seen *s;
	struct nf_arena *a;
	struct nf_rec_compare_warning *w;
	size_t n;
	const struct nf_compare_rule *rule;
};

static void warn(struct finder *f, const char *group, const char *fmt, ...) NF_PRINTF(3, 4);

static void warn(struct finder *f, const char *group, const char *fmt, ...)
{
	char text[TEXT_BYTES];
	va_list ap;

	if (f->n == WARNINGS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const char *own = nf_arena_strdup(f->a, text);

	if (own)
		f->w[f->n++] = (struct nf_rec_compare_warning){
			.id = f->rule->id, .group = group, .text = own, .rule = f->rule->rule
		};
}

/* Whether run i belongs to group g; g of all runs: n_groups. */
static bool in_group(const struct nf_compare_seen *s, size_t i, size_t g)
{
	return g == s->n_groups || s->group_of[i] == g;
}

static const char *group_name(const struct nf_compare_seen *s, size_t g)
{
	return g == s->n_groups ? NULL : s->group[g];
}

/* --- numbers that should be alike: their range within each group, then over all --- */

typedef bool number_fn(const struct nf_run_view *r, double *ret);
typedef bool unlike_fn(const struct nf_run_view *lo, const struct nf_run_view *hi);

static bool uptime_of(const struct nf_run_view *r, double *ret)
{
	*ret = r->uptime_s;
	return r->has_uptime;
}

static bool load_of(const struct nf_run_view *r, double *ret)
{
	*ret = r->load_1min;
	return r->has_load;
}

static bool same_boot(const struct nf_run_view *a, const struct nf_run_view *b)
{
	if (a->boot_id && b->boot_id)
		return strcmp(a->boot_id, b->boot_id) == 0;
	if (!a->has_boot || !b->has_boot)
		return true;
	return fabs(a->boot_s - b->boot_s) <= BOOT_SLACK_S + a->uptime_step_s + b->uptime_step_s;
}

/* Of one boot a long uptime is only a later run; of two it is another age: caches, fragmentation, leaks. */
static bool uptimes_unlike(const struct nf_run_view *lo, const struct nf_run_view *hi)
{
	bool boots_known = (lo->boot_id && hi->boot_id) || (lo->has_boot && hi->has_boot);

	if (lo->uptime_s < UPTIME_SETTLED_S)
		return hi->uptime_s > UPTIME_FACTOR * lo->uptime_s;
	return hi->uptime_s > UPTIME_AGE_FACTOR * lo->uptime_s &&
	       !(boots_known && same_boot(lo, hi));
}

static bool loads_unlike(const struct nf_run_view *lo, const struct nf_run_view *hi)
{
	return hi->load_1min - lo->load_1min > LOAD_DIFFERENCE &&
	       hi->load_1min > LOAD_FACTOR * lo->load_1min;
}

/* The range of a number over a group; its ends' runs. */
static bool range(const struct nf_compare_seen *s, size_t g, number_fn *of, size_t *ret_lo,
                  size_t *ret_hi)
{
	double lo = HUGE_VAL, hi = -HUGE_VAL, v;

	for (size_t i = 0; i < s->n_runs; i++) {
		if (!in_group(s, i, g) || !of(&s->run[i], &v))
			continue;
		if (v < lo) {
			lo = v;
			*ret_lo = i;
		}
		if (v > hi) {
			hi = v;
			*ret_hi = i;
		}
	}
	return lo <= hi;
}

static void unlike(struct finder *f, number_fn *of, unlike_fn *is_unlike, const char *what,
                   const char *unit)
{
	const struct nf_compare_seen *s = f->s;

	for (size_t g = 0; g <= s->n_groups; g++) {
		size_t lo = 0, hi = 0;
		double from, to;

		if ((g == s->n_groups && s->n_groups < 2) || !range(s, g, of, &lo, &hi))
			continue;
		(void)of(&s->run[lo], &from);
		(void)of(&s->run[hi], &to);
		if (!is_unlike(&s->run[lo], &s->run[hi]))
			continue;
		if (g == s->n_groups && s->group_of[lo] == s->group_of[hi])
			continue; /* said of that group */
		warn(f, group_name(s, g), "%s from %.6g%s (%.*s, %.*s) to %.6g%s (%.*s, %.*s)",
		     what, from, unit, NF_UTF8_CUT(s->run[lo].label, 300),
		     NF_UTF8_CUT(s->group[s->group_of[lo]], 60), to, unit,
		     NF_UTF8_CUT(s->run[hi].label, 300),
		     NF_UTF8_CUT(s->group[s->group_of[hi]], 60));
	}
}

static void uptimes(struct finder *f)
{
	unlike(f, uptime_of, uptimes_unlike, "uptime", " s");
}

static void loads(struct finder *f)
{
	unlike(f, load_of, loads_unlike, "load", "");
}

/* --- runs that are not whole --- */

static void incomplete(struct finder *f)
{
	const struct nf_run_view *run = f->s->run;

	for (size_t i = 0; i < f->s->n_runs; i++)
		if (run[i].incomplete)
			warn(f, group_name(f->s, f->s->group_of[i]), "%.*s: %.*s",
			     NF_UTF8_CUT(run[i].label, 300), NF_UTF8_CUT(run[i].incomplete, 240));
}

/* --- texts that should be one --- */

typedef const char *text_fn(const struct nf_run_view *r);

static const char *platform_of(const struct nf_run_view *r)
{
	return r->platform;
}
static const char *kernel_of(const struct nf_run_view *r)
{
	return r->kernel;
}
static const char *host_of(const struct nf_run_view *r)
{
	return r->host;
}

/* The first two runs of a group that say different things. */
static bool two_texts(const struct nf_compare_seen *s, size_t g, text_fn *of, size_t *ret_a,
                      size_t *ret_b)
{
	bool any = false;

	for (size_t i = 0; i < s->n_runs; i++) {
		if (!in_group(s, i, g) || !of(&s->run[i]))
			continue;
		if (any && strcmp(of(&s->run[i]), of(&s->run[*ret_a])) != 0) {
			*ret_b = i;
			return true;
		}
		if (!any)
			*ret_a = i;
		any = true;
	}
	return false;
}

static void one_text(struct finder *f, text_fn *of, bool over_all)
{
	const struct nf_compare_seen *s = f->s;

	for (size_t g = 0; g < s->n_groups + over_all; g++) {
		size_t a = 0, b = 0;

		if (!two_texts(s, g, of, &a, &b) ||
		    (g == s->n_groups && s->group_of[a] == s->group_of[b]))
			continue;
		warn(f, group_name(s, g), "%.*s (%.*s), %.*s (%.*s)",
		     NF_UTF8_CUT(of(&s->run[a]), 100), NF_UTF8_CUT(s->run[a].label, 300),
		     NF_UTF8_CUT(of(&s->run[b]), 100), NF_UTF8_CUT(s->run[b].label, 300));
	}
}

static void platforms(struct finder *f)
{
	one_text(f, platform_of, true);
}

static void kernels(struct finder *f)
{
	one_text(f, kernel_of, false);
}

static void hosts(struct finder *f)
{
	one_text(f, host_of, true);
}

/* --- boots --- */

static void boots(struct finder *f)
{
	const struct nf_compare_seen *s = f->s;

	for (size_t g = 0; g < s->n_groups; g++) {
		size_t first = s->n_runs, n_boots = 0, other = 0;

		/* A run starts another boot when no run before it is of the same. */
		for (size_t i = 0; i < s->n_runs; i++) {
			bool known = false;

			if (!in_group(s, i, g) || (!s->run[i].boot_id && !s->run[i].has_boot))
				continue;
			for (size_t k = 0; k < i && !known; k++)
				known = in_group(s, k, g) &&
				        (s->run[k].boot_id || s->run[k].has_boot) &&
				        same_boot(&s->run[k], &s->run[i]);
			if (known)
				continue;
			if (n_boots++ == 0)
				first = i;
			else
				other = i;
		}
		if (n_boots > 1)
			warn(f, s->group[g], "%zu boots, of %.*s and of %.*s", n_boots,
			     NF_UTF8_CUT(s->run[first].label, 300),
			     NF_UTF8_CUT(s->run[other].label, 300));
	}
}

/* --- command lines --- */

/* The next parameter that does not name the image; false: no more. */
static bool next_token(const char **p, const char **ret, size_t *ret_n)
{
	for (;;) {
		*p += strspn(*p, " \t\n");
		*ret = *p;
		*ret_n = strcspn(*p, " \t\n");
		*p += *ret_n;
		if (*ret_n == 0)
			return false;
		if (strncmp(*ret, "BOOT_IMAGE=", 11) != 0 && strncmp(*ret, "initrd=", 7) != 0)
			return true;
	}
}

static bool has_token(const char *cmdline, const char *token, size_t n)
{
	const char *p = cmdline, *t;
	size_t k;

	while (next_token(&p, &t, &k))
		if (k == n && memcmp(t, token, n) == 0)
			return true;
	return false;
}

/* Appends what a has and b has not; returns how many. */
static size_t only_in(const char *a, const char *b, char *text, size_t size)
{
	const char *p = a, *t;
	size_t n = 0, k, at = strlen(text);

	while (next_token(&p, &t, &k)) {
		if (has_token(b, t, k))
			continue;
		if (n++ < TOKENS_SHOWN && at < size)
			at += (size_t)snprintf(text + at, size - at, " %.*s",
			                       (int)(k < 80 ? k : 80), t);
	}
	return n;
}

static void cmdlines(struct finder *f)
{
	const struct nf_compare_seen *s = f->s;

	/* Each against the first: within its group, and the groups' first ones. */
	for (size_t i = 1; i < s->n_runs; i++) {
		char mine[600] = "", theirs[600] = "";
		size_t k = 0, n;

		while (k < i && (!s->run[k].cmdline || s->group_of[k] != s->group_of[i]))
			k++;
		if (k == i) /* the first of its group */
			for (k = 0; k < i && !s->run[k].cmdline;)
				k++;
		if (k == i || !s->run[i].cmdline)
			continue;
		n = only_in(s->run[i].cmdline, s->run[k].cmdline, mine, sizeof(mine)) +
		    only_in(s->run[k].cmdline, s->run[i].cmdline, theirs, sizeof(theirs));
		if (n > 0)
			warn(f, s->group_of[i] == s->group_of[k] ? s->group[s->group_of[i]] : NULL,
			     "%.*s has%s; %.*s has%s", NF_UTF8_CUT(s->run[i].label, 300),
			     *mine ? mine : " nothing more", NF_UTF8_CUT(s->run[k].label, 300),
			     *theirs ? theirs : " nothing more");
	}
}

/* --- what was declared against what is there --- */

static void lane_is_not_the_expected(struct finder *f, size_t i)
{
	const struct nf_run_view *r = &f->s->run[i];

	if (r->expected_lane && strcmp(r->expected_lane, "unknown") != 0 &&
	    r->realtime != NF_KNOWN_NOT &&
	    (strcmp(r->expected_lane, "rt") == 0) != (r->realtime == NF_KNOWN_YES))
		warn(f, f->s->group[f->s->group_of[i]],
		     "%.*s was expected to be %.*s; its kernel is %sa realtime kernel",
		     NF_UTF8_CUT(r->label, 300), NF_UTF8_CUT(r->expected_lane, 40),
		     r->realtime == NF_KNOWN_YES ? "" : "not ");
}

/* The CPUs of name=... of a command line; flags before the list are skipped. */
static bool parameter(const char *cmdline, const char *name, const char **ret, size_t *ret_n)
{
	const char *p = cmdline, *t;
	size_t n, name_n = strlen(name);

	while (next_token(&p, &t, &n)) {
		if (n <= name_n || memcmp(t, name, name_n) != 0)
			continue;
		*ret = t + name_n;
		*ret_n = n - name_n;
		while (*ret_n > 0 && (**ret < '0' || **ret > '9')) {
			const char *comma = memchr(*ret, ',', *ret_n);

			if (!comma)
				return false;
			*ret_n -= (size_t)(comma + 1 - *ret);
			*ret = comma + 1;
		}
		return *ret_n > 0;
	}
	return false;
}

/* Whether two lists name other CPUs; one that is no list decides nothing. */
static bool other_cpus(const char *asked, size_t n, const char *found)
{
	char text[1024];
	struct nf_cpuset a, b;
	bool other = false;

	snprintf(text, sizeof(text), "%.*s", (int)(n < sizeof(text) ? n : sizeof(text) - 1), asked);
	nf_cpuset_init(&a);
	nf_cpuset_init(&b);
	if (n < sizeof(text) && nf_cpuset_parse(text, true, &a, NULL) == 0 &&
	    nf_cpuset_parse(found, true, &b, NULL) == 0)
		other = !nf_cpuset_equal(&a, &b);
	nf_cpuset_fini(&b);
	nf_cpuset_fini(&a);
	return other;
}

static void cpus_are_not_as_asked(struct finder *f, size_t i)
{
	const struct nf_run_view *r = &f->s->run[i];
	const struct {
		const char *name, *found;
	} lists[] = { { "isolcpus=", r->cpus_isolated }, { "nohz_full=", r->cpus_nohz_full } };

	for (size_t k = 0; r->cmdline && k < 2; k++) {
		const char *asked;
		size_t n;

		if (!lists[k].found || !parameter(r->cmdline, lists[k].name, &asked, &n))
			continue;
		if (other_cpus(asked, n, lists[k].found))
			warn(f, f->s->group[f->s->group_of[i]],
			     "%.*s: the command line has %s%.*s, the kernel says '%.*s'",
			     NF_UTF8_CUT(r->label, 300), lists[k].name, (int)(n < 100 ? n : 100),
			     asked, NF_UTF8_CUT(lists[k].found, 100));
	}
}

/* A validator that names parameters as missing, and a run of the same kernel whose command line (or what
 * was read from it) has them. */
static void missing_is_there(struct finder *f, size_t i)
{
	const struct nf_compare_seen *s = f->s;
	const json_t *missing = json_object_get(s->run[i].record, "missing_parameters");

	for (size_t k = 0; json_array_size(missing) > 0 && k < s->n_runs; k++) {
		const struct nf_run_view *r = &s->run[k];
		char names[600] = "";
		size_t n = 0, at = 0;

		if (!r->kernel || !s->run[i].kernel || strcmp(r->kernel, s->run[i].kernel) != 0)
			continue;
		for (size_t m = 0; m < json_array_size(missing); m++) {
			const char *t = json_string_value(json_array_get(missing, m));
			bool there = t && r->cmdline && has_token(r->cmdline, t, strlen(t));

			if (t && !there && r->cpus_nohz_full && strncmp(t, "nohz_full=", 10) == 0)
				there = strcmp(t + 10, r->cpus_nohz_full) == 0;
			if (there && n++ < TOKENS_SHOWN && at < sizeof(names))
				at += (size_t)snprintf(names + at, sizeof(names) - at, " %.*s",
				                       NF_UTF8_CUT(t, 80));
		}
		if (n == 0)
			continue;
		warn(f, s->group[s->group_of[i]],
		     "%.*s calls %zu parameter%s missing that %.*s has:%s%s",
		     NF_UTF8_CUT(s->run[i].label, 300), n, n > 1 ? "s" : "",
		     NF_UTF8_CUT(r->label, 300), names, n > TOKENS_SHOWN ? " ..." : "");
		return; /* one witness is enough */
	}
}

static void postures(struct finder *f)
{
	for (size_t i = 0; i < f->s->n_runs; i++) {
		lane_is_not_the_expected(f, i);
		cpus_are_not_as_asked(f, i);
		missing_is_there(f, i);
	}
}

/* --- figures that cannot be what they are called --- */

static void jitters(struct finder *f)
{
	const struct nf_compare_seen *s = f->s;

	for (size_t g = 0; g < s->n_groups; g++) {
		size_t n = 0, first = 0;

		for (size_t i = s->n_runs; i-- > 0;) {
			if (!in_group(s, i, g) || !s->run[i].has_jitter ||
			    s->run[i].jitter_max_s >= JITTER_FLOOR_S)
				continue;
			first = i;
			n++;
		}
		if (n > 0)
			warn(f, s->group[g],
			     "the largest jitter of %zu run%s is %.3g s: below what any clock "
			     "resolves, computed from timestamps that nobody measured (%.*s)",
			     n, n > 1 ? "s" : "", s->run[first].jitter_max_s,
			     NF_UTF8_CUT(s->run[first].label, 300));
	}
}

static void bases(struct finder *f)
{
	const struct nf_rec_compare_figure *figure = f->s->figures.items;

	for (size_t i = 0; i < f->s->figures.n; i++)
		if (strcmp(figure[i].metric, "numa.per_element") == 0 &&
		    figure[i].min > BASE_NS_PER_ELEMENT)
			warn(f, figure[i].group,
			     "the serial base case takes %.1f ns per element at its best: the "
			     "speedup is measured against code that is not optimised",
			     figure[i].min);
}

static void stories(struct finder *f)
{
	const struct nf_rec_compare_ratio *r = f->s->ratios.items;

	for (size_t i = 0; i < f->s->ratios.n; i++) {
		double mean = r[i].mean_of_ratios;

		if (fabs(mean / r[i].ratio_of_medians - 1) > STORY_RATIO ||
		    fabs(mean / r[i].ratio_of_means - 1) > STORY_RATIO)
			warn(f, r[i].group,
			     "the mean of ratios is %.2f, the ratio of means %.2f, the ratio of "
			     "medians %.2f",
			     mean, r[i].ratio_of_means, r[i].ratio_of_medians);
	}
}

static double median_of(const double *v, size_t n, const double *about, double *scratch)
{
	for (size_t i = 0; i < n; i++) {
		double x = about ? fabs(v[i] - *about) : v[i];
		size_t k = i;

		for (; k > 0 && scratch[k - 1] > x; k--)
			scratch[k] = scratch[k - 1];
		scratch[k] = x;
	}
	return n % 2 ? scratch[n / 2] : (scratch[n / 2 - 1] + scratch[n / 2]) / 2;
}

static void outliers(struct finder *f)
{
	enum { MOST = 1000 };
	const struct nf_rec_compare_figure *figure = f->s->figures.items;
	double scratch[MOST];

	for (size_t i = 0; i < f->s->figures.n; i++) {
		const double *v = figure[i].values.items;
		const uint64_t *from = figure[i].inputs.items;
		size_t n = figure[i].values.n;
		double median, mad;

		if (n < 4 || n > MOST)
			continue;
		median = median_of(v, n, NULL, scratch);
		mad = median_of(v, n, &median, scratch);
		for (size_t k = 0; k < n && mad > 0; k++)
			if (fabs(v[k] - median) > OUTLIER_LIMIT * 1.4826 * mad)
				warn(f, figure[i].group, "%s of %.*s is %.4g %s, the median %.4g",
				     figure[i].metric, NF_UTF8_CUT(f->s->run[from[k]].label, 300),
				     v[k], figure[i].unit, median);
	}
}

/* clang-format off */
const struct nf_compare_rule nf_compare_rules[] = {
	{ "run-incomplete", "a run that was not committed (no MANIFEST), or that was stopped early" },
	{ "uptimes-differ", "the shortest uptime is below an hour and the longest more than twice that; or the longest is more than four times the shortest and they are not of one boot" },
	{ "loads-differ", "the highest load average (1 min) is more than 1 and more than half above the lowest" },
	{ "platforms-differ", "more than one platform kind" },
	{ "hosts-differ", "more than one host" },
	{ "boots-differ", "one group, several boots: other boot ids, or instants of boot (taken at, minus uptime) more than 120 s and the uptimes' steps apart" },
	{ "kernels-differ", "one group, several kernels" },
	{ "cmdlines-differ", "parameters besides BOOT_IMAGE and initrd that only one of two command lines has" },
	{ "posture-contradicted", "a declared lane, CPU list or missing parameter that the kernel or its command line contradicts" },
	{ "jitter-synthetic", "the largest jitter is below 0.1 ns: no clock steps so finely" },
	{ "base-unoptimised", "the fastest serial run takes more than 10 ns per element: a plain sum of doubles from memory takes below 5 ns at 2 GB/s" },
	{ "ratios-disagree", "the mean of ratios is more than 5 % away from the ratio of means or of medians" },
	{ "outlier", "a value more than 10 scaled median deviations (1.4826 MAD) from the median of at least 4; it stays in" },
	{ NULL, NULL },
};
/* In the order of the rows. */
static void (*const find[])(struct finder *) = {
	incomplete, uptimes, loads, platforms, hosts, boots, kernels, cmdlines, postures, jitters, bases, stories, outliers,
};
/* clang-format on */
_Static_assert(sizeof(find) / sizeof(find[0]) + 1 ==
                       sizeof(nf_compare_rules) / sizeof(nf_compare_rules[0]),
               "every warning has a row and a function");

struct nf_list nf_compare_warnings(const struct nf_compare_seen *s, struct nf_arena *a)
{
	struct finder f = { .s = s, .a = a };

	f.w = nf_arena_alloc(a, WARNINGS_MAX, sizeof(*f.w));
	if (!f.w)
		return (struct nf_list){ NULL, 0 };
	for (size_t i = 0; i < sizeof(find) / sizeof(find[0]); i++) {
		f.rule = &nf_compare_rules[i];
		find[i](&f);
	}
	return (struct nf_list){ f.w, f.n };
}
