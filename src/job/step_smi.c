/* SPDX-License-Identifier: MIT */
/* step_smi - system management interrupts as a part of a record. */
#include "job/step.h"
#include "measure/probe_smi.h"
#include "record/rec_smi.h"
#include "report/text.h"

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_smi_result *res = in->run->result;
	const struct nf_stream *count = nf_step_stream(in->run, "smi.count");
	struct nf_arena *a = &in->session->arena;
	struct nf_rec_smi_body *b = ret_body;
	size_t n = count ? count->n : 0;
	struct nf_rec_smi_count *c = nf_arena_alloc(a, n, sizeof(*c));
	int cpu = -1;

	if (!c)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < n; i++) {
		cpu = nf_cpuset_next(&in->run->cpus_got, cpu);
		c[i] = (struct nf_rec_smi_count){ .cpu = (uint64_t)cpu,
			                          .count = (uint64_t)count->value[i] };
	}
	*b = (struct nf_rec_smi_body){
		.source = (int)res->source,
		.trusted = res->trusted,
		.window_ns = (uint64_t)res->window_ns,
		.counts = { c, n },
		.max_count = res->max_count,
		.min_count = res->min_count,
	};
	if (res->trusted && res->window_ns > 0)
		b->per_10s = nf_some_real((double)res->max_count * 1e10 / (double)res->window_ns);
	return 0;
}

static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	const struct nf_rec_smi_body *b = body;
	struct nf_arena *a = &in->session->arena;

	if (in->budget->has_max_smi)
		f->limit = nf_arena_printf(a, "at most %llu in the window",
		                           (unsigned long long)in->budget->max_smi);
	if (!b->trusted) {
		f->result = NF_RESULT_PARTIAL;
		f->reason = "a hypervisor is present and the counter never moved: the count is "
		            "untrusted, which is not 0";
		return in->budget->has_max_smi;
	}
	if (!in->budget->has_max_smi)
		return false;
	if (b->max_count > in->budget->max_smi) {
		f->result = NF_RESULT_FAIL;
		f->reason = nf_arena_printf(a, "%llu counted", (unsigned long long)b->max_count);
	} else if (in->run->stopped_by || nf_step_lost(f) > 0) {
		f->result = NF_RESULT_PARTIAL;
		f->reason = "the counts are incomplete: the limit cannot be judged";
		return true;
	}
	return false;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_smi(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	(void)config;
	return 8 * nf_cpuset_count(nf_topology_allowed(env->topo));
}

const struct nf_step_kind nf_step_smi = {
	.probe = &nf_probe_smi,
	.run_type = &nf_rec_smi_run_type,
	.schema = "SmiRun/1",
	.claim_ceiling =
	        "Shows how many system management interrupts there were, not how long they "
	        "took.",
	NF_STEP_LAYOUT(smi),
	.body = build,
	.judge = judge,
	.text = text,
	.sample_bytes = sample_bytes,
};
