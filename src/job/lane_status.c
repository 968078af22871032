/* SPDX-License-Identifier: MIT */
/* The jobs that end with the state of a machine's lanes. */
#include "build_info.h"
#include "job/head.h"
#include "job/lane_reach.h"
#include "lane/arm.h"
#include "lane/loader.h"
#include "record/rec_lane.h"
#include "record/write.h"
#include "report/text.h"
#include "report/text_lane.h"

enum { ARENA_BYTES = 64 << 20 };

static struct nf_list entries_of(const struct nf_lane_survey *s, struct nf_arena *a)
{
	struct nf_rec_lane_entry *e = nf_arena_alloc(a, (size_t)s->n + 1, sizeof(*e));
	int *candidate = nf_arena_alloc(a, (size_t)s->n + 1, sizeof(*candidate));

	if (!e || !candidate)
		return (struct nf_list){ 0 };
	for (int i = 0; i < s->n; i++) {
		const struct nf_lane_entry *from = &s->entry[i];

		e[i] = (struct nf_rec_lane_entry){ .id = from->id,
			                           .title = from->title,
			                           .image = from->image,
			                           .release = from->release,
			                           .cmdline = from->args,
			                           .lane = (int)from->lane,
			                           .lane_from = from->lane_from,
			                           .recovery = from->recovery,
			                           .is_default = i == s->default_entry };
	}
	for (int i = 0, n = nf_lane_candidates(s, candidate); i < n; i++)
		e[candidate[i]].candidate = true;
	return (struct nf_list){ e, (size_t)s->n };
}

static int fill(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                const struct nf_lane_host *h, const struct nf_lane_survey *s, struct nf_arena *a,
                struct nf_rec_lane_status *r, struct nf_err *err)
{
	struct nf_err refusal = { 0 };
	int chosen;
	const char **command = nf_arena_alloc(a, (size_t)o->argc + 1, sizeof(*command));

	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*r = (struct nf_rec_lane_status){
		.schema = "LaneStatus/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(a, nf_now_utc()),
		.reached = h->name,
		.host = s->host_name,
		.kernel_release = s->release,
		.kernel_version = s->version,
		.lane = (int)s->running_lane,
		.boot_id = s->boot_id,
		.loader = s->loader ? s->loader->name : NULL,
		.default_entry = s->default_entry < 0 ? NULL : s->entry[s->default_entry].id,
		.default_unknown = s->default_why,
		.next_known = s->next_known,
		.next_entry = s->next,
		.entries = entries_of(s, a),
		.reasons = { s->reason, (size_t)s->n_reasons },
		.claim_ceiling =
		        "Shows what the loader's files say, not that it does so: only a boot does.",
	};
	r->can_arm = nf_lane_choose(s, l->entry, &chosen, &refusal) == 0;
	if (!r->can_arm)
		r->refusal = nf_arena_strdup(a, refusal.msg);
	r->replaced_text = nf_record_replaced(&nf_rec_lane_status_type, r);
	int rc = nf_rec_honesty_fill(&r->honesty, &nf_rec_lane_status_type, r, a, err);
	return rc < 0 ? rc : nf_arena_failed(a, "record", err);
}

static int hand_out(const struct nf_rec_lane_status *r, struct nf_job_outcome *ret,
                    struct nf_err *err)
{
	int rc = nf_record_to_json(&nf_rec_lane_status_type, r, &ret->json, NULL, err);

	if (rc < 0)
		return rc;
	(void)nf_text_escaped(&ret->json);
	(void)nf_text_lane_status(r, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	ret->result = NF_RESULT_PASS;
	ret->exit_code = 0;
	rc = nf_buf_failed(&ret->json, "the record", err);
	return rc < 0 ? rc : nf_buf_failed(&ret->summary, "summary", err);
}

enum deed { LOOK, ARM, CLEAR };

static int act(enum deed deed, const struct nf_lane_opts *l, const struct nf_lane_host *h,
               struct nf_arena *a, struct nf_lane_survey *s, struct nf_err *err)
{
	struct nf_lane_survey after = { 0 };
	int chosen = -1;
	int r = nf_lane_survey(h, l->loader, a, s, err);

	if (r == 0 && deed == ARM) {
		r = nf_lane_choose(s, l->entry, &chosen, err);
		if (r == 0 && l->dry_run)
			return 0;
		if (r == 0)
			r = nf_lane_arm(h, s, chosen, a, &after, err);
	} else if (r == 0 && deed == CLEAR) {
		r = nf_lane_clear(h, s, a, &after, err);
	}
	if (r == 0 && deed != LOOK)
		*s = after;
	return r;
}

static int do_job(enum deed deed, const struct nf_job_opts *o, const struct nf_lane_opts *l,
                  struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_rec_lane_status record;
	struct nf_lane_survey s = { 0 };
	struct nf_lane_reach reach;
	struct nf_arena a;

	nf_arena_init(&a, ARENA_BYTES);
	int r = nf_lane_reach_init(&reach, &l->where, o->stop, err);
	if (r == 0)
		r = nf_lane_reach_connect(&reach, 0, err);
	if (r == 0)
		r = act(deed, l, &reach.host, &a, &s, err);
	if (r == 0)
		r = fill(o, l, &reach.host, &s, &a, &record, err);
	if (r == 0)
		r = hand_out(&record, ret, err);
	nf_lane_reach_fini(&reach);
	nf_arena_fini(&a);
	return r;
}

int nf_job_lane_status(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                       struct nf_job_outcome *ret, struct nf_err *err)
{
	return do_job(LOOK, o, l, ret, err);
}

int nf_job_lane_arm(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                    struct nf_job_outcome *ret, struct nf_err *err)
{
	return do_job(ARM, o, l, ret, err);
}

int nf_job_lane_clear(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                      struct nf_job_outcome *ret, struct nf_err *err)
{
	return do_job(CLEAR, o, l, ret, err);
}
