/* SPDX-License-Identifier: MIT */
#include "cli/lane_compare.h"

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
	if (r == 0)
		r = nf_compare_text(&compared, out, err);
	for (size_t i = 0; i < n && i < NF_LANE_COMPARE_MAX; i++)
		json_decref(record[i]);
	nf_arena_fini(&a);
	return r;
}
