/* SPDX-License-Identifier: MIT */
#include "cli/lane_compare.h"

#include <stdio.h>
#include <string.h>

#include "record/run_standing.h"
#include "report/compare_runs.h"
#include "report/compare_text.h"

enum { ARENA_BYTES = 256 << 20 };

static int read_one(const char *path, struct nf_run_standing *standing, json_t **record,
                    struct nf_run_view *view, struct nf_err *err)
{
	int r = nf_run_standing(path, standing, err);

	if (r == 0 && standing->state == NF_CHECK_DAMAGED)
		return nf_fail(err, NF_EDATA, "%s is damaged: %s", path, standing->why);
	if (r == 0)
		r = nf_run_read(path, record, err);
	if (r == 0)
		r = nf_run_view(path, *record, view, err);
	if (r == 0) {
		view->digest = standing->digest;
		view->incomplete = *standing->why ? standing->why : NULL;
	}
	return r;
}

/* Whether the figure has values of a group. */
static bool is_in(const struct nf_rec_compare_run *r, const char *metric, const char *group)
{
	const struct nf_rec_compare_figure *f = r->figures.items;

	for (size_t i = 0; i < r->figures.n; i++)
		if (strcmp(f[i].metric, metric) == 0 && strcmp(f[i].group, group) == 0)
			return true;
	return false;
}

/* The figures that all groups have, or (only != NULL) those that no group has but this one. */
static void name_figures(const struct nf_rec_compare_run *r, const char *only, const char *words,
                         struct nf_buf *out)
{
	const struct nf_rec_compare_figure *f = r->figures.items;
	const char *const *group = r->groups.items;
	bool any = false;

	for (size_t i = 0; i < r->figures.n; i++) {
		bool first = i == 0 || strcmp(f[i - 1].metric, f[i].metric) != 0, fits = first;

		for (size_t g = 0; fits && g < r->groups.n; g++)
			fits = is_in(r, f[i].metric, group[g]) ==
			       (!only || strcmp(group[g], only) == 0);
		if (!fits)
			continue;
		(void)nf_buf_addf(out, "%s%s", any ? ", " : words, f[i].metric);
		any = true;
	}
	if (any)
		(void)nf_buf_addc(out, '\n');
	else if (!only)
		(void)nf_buf_addf(out, "%snone\n", words);
}

static void say_what(const struct nf_rec_compare_run *r, const struct nf_run_view view[], size_t n,
                     struct nf_buf *out)
{
	const char *const *group = r->groups.items;
	char words[128];

	(void)nf_buf_adds(out, "compared\n");
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(view[i].label, '/');

		(void)nf_buf_addf(out, "  %s, kernel %s: %s\n",
		                  view[i].lane ? view[i].lane : "unknown",
		                  view[i].kernel ? view[i].kernel : "unknown",
		                  slash ? slash + 1 : view[i].label);
	}
	name_figures(r, NULL, "  by what all of them have measured: ", out);
	for (size_t g = 0; r->groups.n > 1 && g < r->groups.n; g++) {
		(void)snprintf(words, sizeof(words), "  not compared, in %.60s alone: ", group[g]);
		name_figures(r, group[g], words, out);
	}
	(void)nf_buf_addc(out, '\n');
}

int nf_lane_compare(const char *const path[], size_t n, struct nf_buf *out, struct nf_err *err)
{
	const struct nf_compare_opts o = { .by = NF_BY_LANE };
	struct nf_run_standing standing[NF_LANE_COMPARE_MAX];
	struct nf_run_view view[NF_LANE_COMPARE_MAX] = { 0 };
	json_t *record[NF_LANE_COMPARE_MAX] = { 0 };
	struct nf_rec_compare_run compared;
	struct nf_arena a;
	int r = n <= NF_LANE_COMPARE_MAX ? 0 : nf_fail(err, NF_EARG, "too many runs");

	nf_arena_init(&a, ARENA_BYTES);
	for (size_t i = 0; i < n && r == 0; i++)
		r = read_one(path[i], &standing[i], &record[i], &view[i], err);
	if (r == 0)
		r = nf_compare_runs(view, n, &o, &a, &compared, err);
	if (r == 0) {
		say_what(&compared, view, n, out);
		r = nf_compare_text(&compared, out, err);
	}
	for (size_t i = 0; i < n && i < NF_LANE_COMPARE_MAX; i++)
		json_decref(record[i]);
	nf_arena_fini(&a);
	return r;
}
