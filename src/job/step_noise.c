/* SPDX-License-Identifier: MIT */
/* step_noise - fixed work quanta as a part of a record. */
#include <math.h>

#include "job/why.h"
#include "measure/probe_fwq.h"
#include "record/rec_noise.h"
#include "report/text.h"
#include "stats/blocks.h"

enum { BLOCK_NS = 100000000 };

/* Sums in ticks stay exact in double far beyond any run: 2^53 ticks are a month at 3 GHz. */
struct sums {
	double floor_ns; /* n x min */
	double total_ns;
};

static int fill_worker(const struct nf_step_input *in, const struct nf_stream *st,
                       const struct nf_fwq_worker *w, struct nf_rec_noise_worker *ret,
                       struct sums *sums, struct nf_err *err)
{
	struct nf_session *s = in->session;
	const struct nf_cpu_info *cpu = nf_topology_cpu(s->topo, w->cpu);
	double sum = 0, ratio;

	*ret = (struct nf_rec_noise_worker){
		.cpu = (uint64_t)w->cpu,
		.node = cpu && cpu->node >= 0 ? nf_some_nat((uint64_t)cpu->node)
		                              : (struct nf_some_nat){ 0 },
		.stream = nf_arena_strdup(&s->arena, st->name),
		.wall_ns = w->wall_ns > 0 ? (uint64_t)w->wall_ns : 0,
		.sum_to_wall =
		        w->wall_ns > 0 ? nf_some_real(w->sum_to_wall) : (struct nf_some_real){ 0 },
		.minor_faults = w->minor_faults,
		.involuntary_switches = w->involuntary_switches,
	};
	int r = nf_step_summary(s, st, &ret->summary, err);
	if (r < 0 || !ret->summary)
		return r;
	for (size_t i = 0; i < st->n; i++)
		sum += (double)st->value[i];
	double total_ns = sum * 1e9 / st->tick_hz, floor_ns = (double)st->n * ret->summary->min;
	ret->noise_ratio = nf_some_real(1.0 - floor_ns / total_ns);
	ret->worst_ns = nf_some_real(ret->summary->max - ret->summary->min);
	r = nf_blocks_difference(st->value, st->n, BLOCK_NS * 1e-9 * st->tick_hz, &ratio, NULL,
	                         err);
	if (r == 0)
		ret->repeat_below_ratio = nf_some_real(ratio);
	else if (r == -NF_ENOMEM)
		return r; /* any other: too short a run to tell */
	sums->floor_ns += floor_ns;
	sums->total_ns += total_ns;
	return 0;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_fwq_cfg *cfg = in->cfg;
	const struct nf_fwq_result *res = in->run->result;
	struct nf_rec_noise_body *b = ret_body;
	struct sums sums = { 0 };
	struct nf_rec_noise_worker *w =
	        nf_arena_alloc(&in->session->arena, res->n_workers, sizeof(*w));

	if (!w)
		return nf_arena_failed(&in->session->arena, "record", err);
	*b = (struct nf_rec_noise_body){
		.kernel = nf_kernels[res->kernel].name,
		.work = res->work,
		.quantum_ns = cfg->work == 0 ? nf_some_real((double)cfg->quantum_ns)
		                             : (struct nf_some_real){ 0 },
		.block_ns = BLOCK_NS,
	};
	for (size_t i = 0; i < res->n_workers; i++) {
		int r = fill_worker(in, &in->run->streams[i], &res->worker[i], &w[i], &sums, err);

		if (r < 0)
			return r;
		if (w[i].worst_ns.some &&
		    (!b->worst_detour_ns.some || w[i].worst_ns.v > b->worst_detour_ns.v)) {
			b->worst_detour_ns = w[i].worst_ns;
			b->worst_cpu = nf_some_nat(w[i].cpu);
		}
		if (w[i].repeat_below_ratio.some &&
		    (!b->repeat_below_ratio.some ||
		     w[i].repeat_below_ratio.v > b->repeat_below_ratio.v))
			b->repeat_below_ratio = w[i].repeat_below_ratio;
	}
	b->workers = (struct nf_list){ w, res->n_workers };
	if (sums.total_ns > 0)
		b->noise_ratio = nf_some_real(1.0 - sums.floor_ns / sums.total_ns);
	return 0;
}

static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	const struct nf_rec_noise_body *b = body;

	return nf_step_judge_noise(
	        in, &(struct nf_step_noise_figures){ b->noise_ratio, b->worst_detour_ns }, f);
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_noise(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	const struct nf_fwq_cfg *cfg = config;
	uint64_t per_worker = (uint64_t)cfg->n_samples, bytes;
	uint64_t workers = cfg->n_threads > 0 ? (uint64_t)cfg->n_threads
	                                      : nf_cpuset_count(nf_topology_allowed(env->topo));

	if (cfg->common.duration_ns > 0 && cfg->quantum_ns > 0)
		per_worker = (uint64_t)(cfg->common.duration_ns / cfg->quantum_ns) + 1;
	if (__builtin_mul_overflow(per_worker, workers * 8, &bytes) ||
	    bytes > cfg->common.max_sample_bytes)
		bytes = cfg->common.max_sample_bytes;
	return bytes;
}

const struct nf_step_kind nf_step_noise = {
	.probe = &nf_probe_fwq,
	.run_type = &nf_rec_noise_run_type,
	.schema = "NoiseRun/1",
	.claim_ceiling =
	        "Shows what this work lost on these CPUs in this run; not what other work, "
	        "other CPUs or another day would lose. Causes are named as far as the kernel's "
	        "events tell, and only with --why.",
	NF_STEP_LAYOUT(noise),
	.body = build,
	.judge = judge,
	.text = text,
	.sample_bytes = sample_bytes,
	.why = &nf_why_noise,
};
