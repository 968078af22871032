/* SPDX-License-Identifier: MIT */
/* step_ftq - fixed time quanta and their spectra as a part of a record. */
#include <math.h>
#include <string.h>

#include "job/step.h"
#include "measure/probe_ftq.h"
#include "record/rec_ftq.h"
#include "report/text.h"
#include "stats/spectrum.h"

/* Frequencies nearer than this to the tick's are its own; a bin more, as the line is that wide. */
#define TICK_WITHIN_HZ 0.5

static int fill_spectrum(struct nf_session *s, const struct nf_spectrum *sp, double tick_hz,
                         const struct nf_rec_ftq_spectrum **ret, struct nf_err *err)
{
	struct nf_rec_ftq_spectrum *r = nf_arena_alloc(&s->arena, 1, sizeof(*r));
	struct nf_rec_ftq_line *line = nf_arena_alloc(&s->arena, sp->n_named + 1, sizeof(*line));

	if (!r || !line)
		return nf_arena_failed(&s->arena, "record", err);
	for (size_t i = 0; i < sp->n_named; i++) {
		const struct nf_spectrum_line *l = &sp->line[i];

		line[i] = (struct nf_rec_ftq_line){
			.hz = l->hz,
			.share_ratio = l->share_ratio,
			.with_harmonics_ratio = l->with_harmonics_ratio,
			.harmonics = l->n_harmonics,
			.folded = l->n_folded,
			.floor_ratio = l->floor_ratio,
			.chance = l->chance,
			.teeth = l->n_teeth,
			.kernel_tick =
			        tick_hz > 0 && fabs(l->hz - tick_hz) <= TICK_WITHIN_HZ + sp->bin_hz,
		};
	}
	*r = (struct nf_rec_ftq_spectrum){
		.used = sp->n_used,
		.bin_hz = sp->bin_hz,
		.nyquist_hz = sp->nyquist_hz,
		.lowest_hz = sp->lowest_hz,
		.variance = sp->variance,
		.window = "Hann",
		.level = NF_SPECTRUM_LEVEL,
		.peaks = sp->n_peaks,
		.lines_found = sp->n_lines,
		.named_ratio = sp->named_ratio,
		.lines = { line, sp->n_named },
	};
	*ret = r;
	return 0;
}

static int fill_worker(const struct nf_step_input *in, size_t i, double quantum_ns,
                       struct nf_some_nat tick_hz, struct nf_rec_ftq_worker *ret,
                       struct nf_err *err)
{
	struct nf_session *s = in->session;
	const struct nf_ftq_worker *w = &((const struct nf_ftq_result *)in->run->result)->worker[i];
	const struct nf_stream *units = &in->run->streams[2 * i], *over = units + 1;
	const struct nf_cpu_info *cpu = nf_topology_cpu(s->topo, w->cpu);
	struct nf_spectrum sp;
	struct nf_err none = { 0 };

	*ret = (struct nf_rec_ftq_worker){
		.cpu = (uint64_t)w->cpu,
		.node = cpu && cpu->node >= 0 ? nf_some_nat((uint64_t)cpu->node)
		                              : (struct nf_some_nat){ 0 },
		.stream = nf_arena_strdup(&s->arena, units->name),
		.overshoot_stream = nf_arena_strdup(&s->arena, over->name),
		.quanta = units->n,
		.wall_ns = w->wall_ns > 0 ? (uint64_t)w->wall_ns : 0,
		.minor_faults = w->minor_faults,
		.involuntary_switches = w->involuntary_switches,
	};
	for (size_t k = 0; k < units->n; k++)
		ret->empty += units->value[k] == 0;
	int r = nf_step_summary(s, units, &ret->units, err);
	if (r == 0)
		r = nf_step_summary(s, over, &ret->overshoot, err);
	if (r < 0)
		return r;
	if (ret->units && ret->units->max > 0)
		ret->lost_ratio = nf_some_real(1.0 - ret->units->mean / ret->units->max);
	r = nf_spectrum_lines(units->value, units->n, 1e9 / quantum_ns, &sp, &none);
	if (r == 0)
		return fill_spectrum(s, &sp, tick_hz.some ? (double)tick_hz.v : 0, &ret->spectrum,
		                     err);
	if (r != -NF_ENODATA) {
		if (err)
			*err = none;
		return r;
	}
	ret->no_spectrum = nf_arena_strdup(&s->arena, none.msg);
	return 0;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	struct nf_session *s = in->session;
	const struct nf_ftq_cfg *cfg = in->cfg;
	const struct nf_ftq_result *res = in->run->result;
	const struct nf_posture *p = s->env.posture;
	struct nf_rec_ftq_body *b = ret_body;
	struct nf_rec_ftq_worker *w = nf_arena_alloc(&s->arena, res->n_workers, sizeof(*w));

	if (!w)
		return nf_arena_failed(&s->arena, "record", err);
	*b = (struct nf_rec_ftq_body){
		.kernel = nf_kernels[res->kernel].name,
		.work = res->work,
		.unit_asked_ns = (double)cfg->unit_ns,
		.unit_ns = res->unit_ns,
		.quantum_asked_ns = (double)cfg->quantum_ns,
		.quantum_ticks = res->quantum_ticks,
		.quantum_ns = nf_tick_to_ns(s->env.clock, (double)res->quantum_ticks),
		.workers = { w, res->n_workers },
	};
	if (p && p->config_hz.some)
		b->kernel_tick_hz = nf_some_nat(p->config_hz.v);
	for (size_t i = 0; i < res->n_workers; i++) {
		int r = fill_worker(in, i, b->quantum_ns, b->kernel_tick_hz, &w[i], err);

		if (r < 0)
			return r;
		if (w[i].lost_ratio.some &&
		    (!b->lost_ratio.some || w[i].lost_ratio.v > b->lost_ratio.v)) {
			b->lost_ratio = w[i].lost_ratio;
			b->worst_cpu = nf_some_nat(w[i].cpu);
		}
	}
	return 0;
}

/* No limit of a budget is about it: its best quantum is no such floor as fwq's shortest. */
static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	(void)in;
	(void)body;
	(void)f;
	return false;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_ftq(facts, body, out);
}

/* Both streams are of the same quanta. */
static bool counts_losses(const struct nf_stream *s)
{
	return s->kind == NF_KIND_COUNT;
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	const struct nf_ftq_cfg *cfg = config;
	uint64_t bytes = nf_ftq_sample_bytes(cfg, nf_cpuset_count(nf_topology_allowed(env->topo)));

	return bytes < cfg->common.max_sample_bytes ? bytes : cfg->common.max_sample_bytes;
}

const struct nf_step_kind nf_step_ftq = {
	.probe = &nf_probe_ftq,
	.run_type = &nf_rec_ftq_run_type,
	.schema = "FtqRun/1",
	.claim_ceiling =
	        "Shows how much of this work fitted into the quanta on these CPUs in this run, and "
	        "at which frequencies it was less; not what caused it, and nothing that lost less "
	        "than "
	        "a unit.",
	NF_STEP_LAYOUT(ftq),
	.body = build,
	.judge = judge,
	.text = text,
	.counts_losses = counts_losses,
	.sample_bytes = sample_bytes,
};
