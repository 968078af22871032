/* SPDX-License-Identifier: MIT */
#include "report/text_bench_sched.h"

#include <stdbool.h>
#include <string.h>

#include "report/text.h"

static const struct nf_rec_bench_variant *find(const struct nf_rec_bench_run *r, const char *name)
{
	const struct nf_rec_bench_variant *v = r->variants.items;

	for (size_t i = 0; i < r->variants.n; i++)
		if (strcmp(v[i].label, name) == 0)
			return v[i].summary && !v[i].failure ? &v[i] : NULL;
	return NULL;
}

static void share(const struct nf_rec_bench_run *r, const char *oneshot, const char *control,
                  const char *of, struct nf_buf *out)
{
	const struct nf_rec_bench_variant *a = find(r, oneshot), *b = find(r, control);

	if (!a || !b)
		return;
	double one = a->summary->median, two = b->summary->median;
	nf_buf_addf(out, "%s: oneshot %.*f ns, control %.*f ns: %.0f %% is spawn and join\n", of,
	            one < 1000, one, two < 1000, two, 100 * two / one);
}

/* Over all sets: from the least of the faster mode to the most of the slower one. */
static void cost(const struct nf_rec_bench_run *r, const char *what, const char *fast,
                 const char *slow, struct nf_buf *out)
{
	const struct nf_rec_bench_set *s = r->sets.items;
	double least = 0, most = 0;
	bool some = false;

	for (size_t i = 0; i < r->sets.n; i++) {
		const struct nf_rec_bench_fact *f = s[i].facts.items;

		for (size_t k = 0; k < s[i].facts.n; k++) {
			bool is_fast = strcmp(f[k].name, fast) == 0;

			if (!f[k].value.some || (!is_fast && strcmp(f[k].name, slow) != 0))
				continue;
			if (is_fast && (!some || f[k].value.v < least))
				least = f[k].value.v;
			if (f[k].value.v > most)
				most = f[k].value.v;
			some = true;
		}
	}
	if (!some)
		return;
	nf_buf_addf(out, "%s from ", what);
	nf_text_ns(out, true, least);
	nf_buf_adds(out, " to ");
	nf_text_ns(out, true, most);
	nf_buf_adds(out, "\n");
}

uint64_t nf_bench_crowded(const struct nf_rec_bench_set *set, size_t n, uint64_t *ret_cpus)
{
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++) {
		const struct nf_rec_bench_fact *f = set[i].facts.items;
		double workers = 0, cpus = 0;

		for (size_t k = 0; k < set[i].facts.n; k++) {
			if (strcmp(f[k].name, "workers") == 0)
				workers = f[k].value.v;
			else if (strcmp(f[k].name, "cpus") == 0)
				cpus = f[k].value.v;
		}
		/* Both come from a benchmark: a count is what fits one. */
		if (cpus >= 1 && workers > cpus && workers < 1e9 && (uint64_t)workers > most) {
			most = (uint64_t)workers;
			*ret_cpus = (uint64_t)cpus;
		}
	}
	return most;
}

void nf_text_bench_sched(const struct nf_rec_bench_run *r, struct nf_buf *out)
{
	uint64_t cpus;

	share(r, "sched.ping_pong_oneshot.actors", "sched.spawn_pair_control.actors", "actors",
	      out);
	share(r, "sched.ping_pong_oneshot.threads", "sched.spawn_pair_control.threads", "threads",
	      out);
	cost(r, "a cache line there and back", "cache_line_fast_ns", "cache_line_slow_ns", out);
	cost(r, "a futex wake", "futex_wake_fast_ns", "futex_wake_slow_ns", out);
	if (nf_bench_crowded(r->sets.items, r->sets.n, &cpus))
		nf_buf_addf(out, "claim    %s\n", r->head.claim_ceiling);
}
