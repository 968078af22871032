/* SPDX-License-Identifier: MIT */
#include "job/bench_judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "noisefloor/compare.h"
#include "noisefloor/location.h"
#include "samples/results.h"

enum { SESSIONS_MIN = 3 };

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* --- the machine --- */

static const char *differ(const char *what, const char *there, const char *here, struct nf_arena *a)
{
	return same(there, here) ? NULL
	                         : nf_arena_printf(a, "%s: %.*s there, %.*s here", what,
	                                           NF_UTF8_CUT(there ? there : "unknown", 60),
	                                           NF_UTF8_CUT(here ? here : "unknown", 60));
}

const char *nf_bench_other_machine(const struct nf_rec_bench_machine *there,
                                   const struct nf_rec_bench_machine *here, struct nf_arena *a)
{
	const char *why = differ("its CPUs", there->cpu_model, here->cpu_model, a);

	if (!why)
		why = differ("CPUs online", there->cpus_online, here->cpus_online, a);
	if (!why)
		why = differ("platform", there->platform_kind, here->platform_kind, a);
	if (why)
		return why;
	if (!there->machine_hash || !here->machine_hash)
		return "whether it is this one is not known without a machine-id";
	return same(there->machine_hash, here->machine_hash) ? NULL : "it has another machine-id";
}

/* --- what is stored --- */

static bool same_knobs(const struct nf_list *stored, const char *const *knobs)
{
	const char *const *item = stored->items;

	for (size_t i = 0; i < stored->n; i++)
		if (!knobs || !knobs[i] || strcmp(item[i], knobs[i]) != 0)
			return false;
	return !knobs || !knobs[stored->n];
}

static bool is_key(const struct nf_rec_bench_stored *s, const struct nf_bench_key *k)
{
	return same(s->bench, k->bench) && s->is_command == k->is_command &&
	       (s->threads.some ? s->threads.v : 0) == k->threads &&
	       same_knobs(&s->knobs, k->knobs);
}

static const struct nf_rec_bench_stored *find(const struct nf_rec_bench_session *s,
                                              const struct nf_bench_key *k)
{
	const struct nf_rec_bench_stored *m = s->medians.items;

	for (size_t i = 0; i < s->medians.n; i++)
		if (is_key(&m[i], k))
			return &m[i];
	return NULL;
}

static bool counts(const struct nf_bench_stock *stock, const struct nf_rec_bench_against *rule,
                   size_t i, struct nf_arena *a)
{
	const struct nf_rec_bench_session *s = stock->baseline->sessions.items;

	return rule->any_machine || !nf_bench_other_machine(&s[i].machine, &stock->here, a);
}

/* Whether s[n] is of another boot than all before it. */
static bool new_boot(const struct nf_rec_bench_session *const *s, size_t n)
{
	if (!s[n]->boot_id)
		return n == 0;
	for (size_t i = 0; i < n; i++)
		if (same(s[i]->boot_id, s[n]->boot_id))
			return false;
	return true;
}

static double age_s(const struct nf_bench_stock *stock, const struct nf_rec_bench_session *s)
{
	return (double)stock->now_unix_s - (double)s->finished_unix_s;
}

static bool larger_is_better(const struct nf_rec_bench_stored *s)
{
	return s->higher_is_better.some ? s->higher_is_better.v
	                                : nf_result_better(s->unit) == NF_BETTER_LARGER;
}

static void take_stock(const struct nf_bench_stock *stock, const struct nf_bench_key *key,
                       const struct nf_rec_bench_session *const *usable, size_t n_usable,
                       struct nf_arena *a, struct nf_rec_bench_judged *ret)
{
	const struct nf_rec_bench_session **from = nf_arena_alloc(a, n_usable + 1, sizeof(*from));
	double *median = nf_arena_alloc(a, n_usable + 1, sizeof(*median));
	size_t n = 0;

	for (size_t i = 0; from && median && i < n_usable; i++) {
		const struct nf_rec_bench_stored *s = find(usable[i], key);

		if (!s || (ret->unit && !same(ret->unit, s->unit)) ||
		    (n > 0 && ret->higher_is_better != larger_is_better(s)))
			continue;
		ret->unit = s->unit;
		ret->higher_is_better = larger_is_better(s);
		from[n] = usable[i];
		ret->boots += new_boot(from, n);
		median[n++] = s->median;
	}
	ret->stored = (struct nf_list){ median, n };
	if (n == 0)
		return;
	ret->oldest_age_s = nf_some_real(age_s(stock, from[0]));
	ret->newest_age_s = nf_some_real(age_s(stock, from[n - 1]));
	ret->newest_commit = from[n - 1]->commit;
	ret->newest_dirty = from[n - 1]->dirty;
}

/* Sessions that count, in the arena. */
static int usable(const struct nf_bench_stock *stock, struct nf_rec_bench_against *rule,
                  struct nf_arena *a, const struct nf_rec_bench_session ***ret, size_t *ret_n,
                  struct nf_err *err)
{
	const struct nf_rec_bench_session *s = stock->baseline->sessions.items;
	size_t total = stock->baseline->sessions.n, n = 0;
	const struct nf_rec_bench_session **list = nf_arena_alloc(a, total + 1, sizeof(*list));

	if (!list)
		return nf_arena_failed(a, "record", err);
	rule->sessions = total;
	rule->sessions_here = 0;
	for (size_t i = 0; i < total; i++) {
		rule->sessions_here += !nf_bench_other_machine(&s[i].machine, &stock->here, a);
		if (counts(stock, rule, i, a))
			list[n++] = &s[i];
	}
	*ret = list;
	*ret_n = n;
	return nf_arena_failed(a, "record", err);
}

static int refuse(const struct nf_bench_stock *stock, const struct nf_rec_bench_against *rule,
                  const struct nf_rec_bench_judged *j, size_t n, struct nf_arena *a,
                  struct nf_err *err)
{
	const struct nf_rec_bench_session *s = stock->baseline->sessions.items;
	size_t most = 0, need = rule->threshold_ratio.some ? 1 : SESSIONS_MIN;

	for (size_t i = 0; i < n; i++)
		most = j[i].stored.n > most ? j[i].stored.n : most;
	if (most >= need)
		return 0;
	if (rule->sessions > 0 && rule->sessions_here == 0 && !rule->any_machine) {
		const char *why =
		        nf_bench_other_machine(&s[rule->sessions - 1].machine, &stock->here, a);

		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s: of another machine (%s); sessions of this one would do "
		               "(--save-baseline), or --any-machine",
		               rule->path, why ? why : "unknown");
	}
	return nf_fail(err, NF_EUNSUPPORTED,
	               "%s: %zu session%s of '%.*s'; %zu or more would do: "
	               "--save-baseline %s --sessions %zu",
	               rule->path, most, most == 1 ? "" : "s", NF_UTF8_CUT(j[0].bench, 60), need,
	               rule->path, need - most);
}

int nf_bench_judge_open(const struct nf_bench_stock *stock, const struct nf_bench_key *key,
                        size_t n, struct nf_arena *a, struct nf_rec_bench_against *rule,
                        struct nf_rec_bench_judged *ret, struct nf_err *err)
{
	const struct nf_rec_bench_session **list = NULL;
	size_t n_list = 0;
	int r = usable(stock, rule, a, &list, &n_list, err);

	for (size_t i = 0; r == 0 && i < n; i++)
		take_stock(stock, &key[i], list, n_list, a, &ret[i]);
	if (r == 0)
		r = nf_arena_failed(a, "record", err);
	return r < 0 ? r : refuse(stock, rule, ret, n, a, err);
}

/* --- what has gone --- */

static bool known(const struct nf_rec_bench_stored *s, const struct nf_bench_key *key, size_t n,
                  const struct nf_rec_bench_judged *gone, size_t n_gone)
{
	for (size_t i = 0; i < n; i++)
		if (is_key(s, &key[i]))
			return true;
	for (size_t i = 0; i < n_gone; i++)
		if (same(gone[i].bench, s->bench) && gone[i].threads.some == s->threads.some &&
		    gone[i].threads.v == s->threads.v)
			return true;
	return false;
}

int nf_bench_judge_gone(const struct nf_bench_stock *stock, const struct nf_bench_key *key,
                        size_t n, const struct nf_rec_bench_against *rule,
                        nf_bench_covers_fn *covers, void *ctx, struct nf_arena *a,
                        struct nf_list *ret, struct nf_err *err)
{
	const struct nf_rec_bench_session *s = stock->baseline->sessions.items;
	size_t room = 0, n_gone = 0;

	for (size_t i = 0; i < stock->baseline->sessions.n; i++)
		room += s[i].medians.n;
	struct nf_rec_bench_judged *gone = nf_arena_alloc(a, room + 1, sizeof(*gone));
	if (!gone)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < stock->baseline->sessions.n; i++) {
		const struct nf_rec_bench_stored *m = s[i].medians.items;

		if (!counts(stock, rule, i, a))
			continue;
		for (size_t k = 0; k < s[i].medians.n; k++)
			if (covers(ctx, &m[k]) && !known(&m[k], key, n, gone, n_gone))
				gone[n_gone++] = (struct nf_rec_bench_judged){
					.bench = m[k].bench,
					.threads = m[k].threads,
					.knobs = m[k].knobs,
					.unit = m[k].unit,
					.higher_is_better = larger_is_better(&m[k]),
					.verdict = NF_JUDGED_GONE,
				};
	}
	*ret = (struct nf_list){ gone, n_gone };
	return nf_arena_failed(a, "record", err);
}

/* --- verdicts --- */

static bool settled(const struct nf_rec_bench_judged *j)
{
	return j->verdict == NF_JUDGED_FAILED || j->verdict == NF_JUDGED_NEW ||
	       j->verdict == NF_JUDGED_GONE || j->verdict == NF_JUDGED_STORED;
}

bool nf_bench_judge_wants_more(const struct nf_rec_bench_judged *j)
{
	return j->verdict == NF_JUDGED_INCONCLUSIVE && !j->reason && j->sessions.n == 1;
}

static int by_threshold(const struct nf_rec_bench_against *rule, struct nf_rec_bench_judged *j,
                        struct nf_err *err)
{
	const double *session = j->sessions.items;
	double stored;
	bool over = false;
	int r = nf_median(j->stored.items, j->stored.n, &stored, err);

	if (r == 0)
		r = j->higher_is_better ? nf_over_threshold(1 / session[0], 1 / stored,
		                                            rule->threshold_ratio.v, &over, err)
		                        : nf_over_threshold(session[0], stored,
		                                            rule->threshold_ratio.v, &over, err);
	if (r < 0)
		return r;
	j->stored_median = nf_some_real(stored);
	j->ratio = nf_some_real(j->higher_is_better ? stored / session[0] : session[0] / stored);
	j->verdict = over ? NF_JUDGED_REGRESSED : NF_JUDGED_WITHIN;
	return 0;
}

static int by_sessions(const struct nf_rec_bench_against *rule, const double *ln,
                       struct nf_rec_bench_judged *j, struct nf_arena *a, struct nf_err *err)
{
	const struct nf_compare_options o = { .delta = rule->delta_ratio, .alpha = rule->alpha };
	const double *session = j->sessions.items;
	enum nf_baseline_verdict v;
	struct nf_baseline b;
	double new_ln[2], sign = j->higher_is_better ? -1 : 1;
	int r = nf_baseline_bounds(ln, j->stored.n, rule->family, &o, &b, err);

	if (r == -NF_ENODATA) {
		j->reason = nf_arena_strdup(a, err->msg);
		*err = (struct nf_err){ .code = NF_OK };
		return 0;
	}
	if (r < 0)
		return r;
	j->mean_ln = nf_some_real(b.mean);
	j->sd_ln = nf_some_real(b.sd);
	j->first_bound = nf_some_real(exp(sign * b.first));
	j->second_bound = nf_some_real(exp(sign * b.second));
	j->detectable_ratio = nf_some_real(b.detectable);
	j->stored_median = nf_some_real(exp(sign * b.mean));
	for (size_t i = 0; i < j->sessions.n; i++)
		new_ln[i] = sign * log(session[i]);
	j->ratio = nf_some_real(
	        exp((new_ln[0] + new_ln[j->sessions.n - 1]) / 2 - b.mean)); /* of one or two */
	r = nf_baseline_judge(ln, j->stored.n, rule->family, new_ln, j->sessions.n, &o, &v, err);
	if (r < 0)
		return r;
	j->verdict = v == NF_BASELINE_WITHIN          ? NF_JUDGED_WITHIN
	             : v == NF_BASELINE_NOT_CONFIRMED ? NF_JUDGED_NOT_CONFIRMED
	             : v == NF_BASELINE_REGRESSED     ? NF_JUDGED_REGRESSED
	                                              : NF_JUDGED_INCONCLUSIVE;
	return 0;
}

static int judge(const struct nf_rec_bench_against *rule, struct nf_rec_bench_judged *j,
                 struct nf_arena *a, struct nf_err *err)
{
	const double *stored = j->stored.items;
	double *ln;

	if (j->sessions.n < 1 || j->sessions.n > 2) {
		j->reason = "it was not measured to its end";
		return 0;
	}
	if (rule->threshold_ratio.some)
		return by_threshold(rule, j, err);
	if (j->stored.n < SESSIONS_MIN) {
		j->reason = nf_arena_printf(a, "%zu stored session%s, %d are needed", j->stored.n,
		                            j->stored.n == 1 ? "" : "s", SESSIONS_MIN);
		return 0;
	}
	ln = calloc(j->stored.n, sizeof(*ln));
	if (!ln)
		return nf_fail_nomem(err, "stored medians", j->stored.n * sizeof(*ln));
	for (size_t i = 0; i < j->stored.n; i++)
		ln[i] = (j->higher_is_better ? -1 : 1) * log(stored[i]);
	int r = by_sessions(rule, ln, j, a, err);
	free(ln);
	return r;
}

int nf_bench_judge(const struct nf_rec_bench_against *rule, struct nf_rec_bench_judged *c, size_t n,
                   struct nf_arena *a, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		if (settled(&c[i]))
			continue;
		if (c[i].stored.n == 0) {
			c[i].verdict = NF_JUDGED_NEW;
			continue;
		}
		c[i].verdict = NF_JUDGED_INCONCLUSIVE;
		c[i].reason = NULL;
		r = judge(rule, &c[i], a, err);
	}
	return r < 0 ? r : nf_arena_failed(a, "record", err);
}
