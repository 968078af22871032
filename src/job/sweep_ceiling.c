/* SPDX-License-Identifier: MIT */
#include "job/sweep_ceiling.h"

#include <inttypes.h>
#include <string.h>

enum { TEXTS_MAX = 8 };

static size_t count_crowded(const struct nf_rec_bench_sweep *r)
{
	const struct nf_rec_sweep_point *p = r->points.items;
	size_t n = 0;

	for (size_t i = 0; r->cpus.some && i < r->points.n; i++)
		n += p[i].workers.some && p[i].workers.v > r->cpus.v;
	return n;
}

static bool boots_differ(const struct nf_rec_bench_sweep *r)
{
	const struct nf_rec_sweep_session *s = r->sessions.items;

	for (size_t i = 1; i < r->sessions.n; i++)
		if (!s[i].boot_id || !s[0].boot_id || strcmp(s[i].boot_id, s[0].boot_id) != 0)
			return true;
	return false;
}

static bool programs_changed(const struct nf_rec_bench_sweep *r)
{
	const struct nf_rec_sweep_program *p = r->programs.items;

	for (size_t i = 0; i < r->programs.n; i++)
		if (p[i].changed)
			return true;
	return false;
}

int nf_sweep_ceilings(const struct nf_rec_bench_sweep *r, struct nf_arena *a, struct nf_list *ret,
                      struct nf_err *err)
{
	const char **text = nf_arena_alloc(a, TEXTS_MAX, sizeof(*text));
	size_t n = 0, crowded = count_crowded(r);

	if (!text)
		return nf_arena_failed(a, "record", err);
	if (r->cpus.some && r->cpus.v == 1)
		text[n++] =
		        "One CPU: whatever else runs here takes its time from the benchmark, and "
		        "threads take turns; nothing is shown about several CPUs";
	if (crowded)
		text[n++] = nf_arena_printf(a,
		                            "%zu point%s more threads or workers than the %" PRIu64
		                            " CPU%s: what they show is how these are shared out",
		                            crowded, crowded == 1 ? " has" : "s have", r->cpus.v,
		                            r->cpus.v == 1 ? "" : "s");
	if (r->plan.sets < r->rule.min_pairs)
		text[n++] = nf_arena_printf(a,
		                            "With %" PRIu64
		                            " sets a point no single point can be marked; %" PRIu64
		                            " or more would do",
		                            r->plan.sets, r->rule.min_pairs);
	if (boots_differ(r))
		text[n++] = "It spans several boots: the level of each may differ";
	if (programs_changed(r))
		text[n++] =
		        "The program was changed meanwhile: the points may be of several programs";
	*ret = (struct nf_list){ text, n };
	return nf_arena_failed(a, "record", err);
}
