/* SPDX-License-Identifier: MIT */
/* judge_noise - the limits on lost time, for every step that finds such. */
#include "job/step.h"

bool nf_step_judge_noise(const struct nf_step_input *in, const struct nf_step_noise_figures *b,
                         struct nf_rec_facts *f)
{
	const struct nf_job_budget *limit = in->budget;
	struct nf_arena *a = &in->session->arena;

	if (!limit->has_max_noise_ratio && !limit->has_max_detour_ns)
		return false;
	f->limit = limit->has_max_noise_ratio
	                   ? nf_arena_printf(a, "noise at most %g %%", 100 * limit->max_noise_ratio)
	                   : NULL;
	if (limit->has_max_detour_ns)
		f->limit = nf_arena_printf(a, "%s%slongest detour at most %s",
		                           f->limit ? f->limit : "", f->limit ? ", " : "",
		                           nf_step_duration(a, limit->max_detour_ns));
	if (limit->has_max_noise_ratio && b->noise_ratio.some &&
	    b->noise_ratio.v > limit->max_noise_ratio) {
		f->result = NF_RESULT_FAIL;
		f->reason = nf_arena_printf(a, "noise is %.3g %%", 100 * b->noise_ratio.v);
	} else if (limit->has_max_detour_ns && b->longest_ns.some &&
	           b->longest_ns.v > (double)limit->max_detour_ns) {
		f->result = NF_RESULT_FAIL;
		f->reason = nf_arena_printf(a, "longest detour is %s",
		                            nf_step_duration(a, (int64_t)b->longest_ns.v));
	} else if (nf_step_lost(f) > 0 || in->run->stopped_by || !b->noise_ratio.some) {
		f->result = NF_RESULT_PARTIAL;
		f->reason = "samples are incomplete: the limit cannot be judged";
		return true;
	}
	return false;
}
