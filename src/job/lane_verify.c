/* SPDX-License-Identifier: MIT */
/* The kernel that runs, held to profiles. */
#include <stdio.h>
#include <string.h>

#include "job/lane_reach.h"
#include "job/lane_trip.h"
#include "job/lane_validation.h"
#include "lane/survey.h"
#include "record/write.h"
#include "report/text.h"

enum { ARENA_BYTES = 256 << 20 };

static void keep(char *to, size_t cap, const char *from)
{
	(void)snprintf(to, cap, "%s", from ? from : "");
}

static int look(const struct nf_lane_verify_opts *v, const struct nf_lane_host *h,
                struct nf_arena *a, struct nf_trip_notes *n, struct nf_lane_validation *found,
                struct nf_err *err)
{
	struct nf_profile base = { 0 }, overlay = { 0 };
	struct nf_lane_survey s = { 0 };
	bool ok = false;
	int r = nf_lane_profile_read(v->base, a, &base, err);

	if (r == 0)
		r = nf_lane_profile_read(v->overlay, a, &overlay, err);
	if (r == 0)
		r = nf_lane_survey(h, v->lane.loader, a, &s, err);
	if (r < 0)
		return r;
	if (!s.release || s.running_lane == NF_LANE_UNKNOWN)
		return nf_fail(err, NF_ENODATA, "%s: which kernel runs cannot be read", h->name);
	r = nf_lane_profiles_check(h, &base, &overlay, s.release, a, n, &ok, &found->note[0], err);
	if (r < 0)
		return r;
	enum nf_lane expected = v->expect == NF_EXPECT_RT        ? NF_LANE_RT
	                        : v->expect == NF_EXPECT_GENERIC ? NF_LANE_GENERIC
	                                                         : s.running_lane;
	n->rt_flag = s.running_lane == NF_LANE_RT;
	n->rt_ok = ok && s.running_lane == expected;
	if (s.running_lane != expected)
		found->note[1] =
		        nf_arena_printf(a, "the kernel is %s, expected was %s",
		                        nf_lane_name(s.running_lane), nf_lane_name(expected));
	keep(n->host, sizeof(n->host), s.host_name);
	keep(n->release_rt, sizeof(n->release_rt), s.release);
	keep(n->version_rt, sizeof(n->version_rt), s.version);
	keep(n->tuned_rt, sizeof(n->tuned_rt), s.tuned_profile);
	found->default_kernel = s.default_entry < 0 ? NULL : s.entry[s.default_entry].release;
	found->next_state = s.next;
	bool asked = v->expect != NF_EXPECT_ANY || base.n || overlay.n;
	if (!asked)
		found->note[2] = "nothing was asked for: no profile, no lane";
	found->result = !n->rt_ok ? NF_VALIDATION_FAIL
	                : asked   ? NF_VALIDATION_PASS
	                          : NF_VALIDATION_PARTIAL;
	return 0;
}

static int hand_out(const struct nf_rec_kernel_validation_run *rec, struct nf_job_outcome *ret,
                    struct nf_err *err)
{
	int r = nf_record_to_json(&nf_rec_kernel_validation_run_type, rec, &ret->json, NULL, err);

	if (r < 0)
		return r;
	(void)nf_text_escaped(&ret->json);
	nf_lane_validation_text(rec, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	ret->result = rec->result == NF_VALIDATION_PASS   ? NF_RESULT_PASS
	              : rec->result == NF_VALIDATION_FAIL ? NF_RESULT_FAIL
	                                                  : NF_RESULT_PARTIAL;
	ret->exit_code = ret->result == NF_RESULT_PASS ? 0 : ret->result == NF_RESULT_FAIL ? 1 : 3;
	r = nf_buf_failed(&ret->json, "the record", err);
	return r < 0 ? r : nf_buf_failed(&ret->summary, "summary", err);
}

int nf_job_lane_verify(const struct nf_job_opts *o, const struct nf_lane_verify_opts *v,
                       struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_lane_validation found = { .phase = "verify",
		                            .owner_issue = v->owner_issue,
		                            .intent = v->intent,
		                            .reconnect_ns = -1,
		                            .return_ns = -1 };
	struct nf_rec_kernel_validation_run rec;
	struct nf_trip_notes n = { 0 };
	struct nf_lane_reach reach;
	struct nf_arena a;

	nf_arena_init(&a, ARENA_BYTES);
	int r = nf_lane_reach_init(&reach, &v->lane.where, o->stop, err);
	if (r == 0)
		r = nf_lane_reach_connect(&reach, 0, err);
	if (r == 0)
		r = look(v, &reach.host, &a, &n, &found, err);
	if (r == 0)
		r = nf_lane_validation_fill(&found, &n, &a, &rec, err);
	if (r == 0)
		r = hand_out(&rec, ret, err);
	nf_lane_reach_fini(&reach);
	nf_arena_fini(&a);
	return r;
}
