/* SPDX-License-Identifier: MIT */
/* step_detour - what interrupted the gap loop, as a part of a record. */
#include <stdlib.h>

#include "job/why.h"
#include "measure/probe_detour.h"
#include "record/rec_detour.h"
#include "report/text.h"

static const struct nf_stream *starts(const struct nf_step_input *in, size_t worker)
{
	return &in->run->streams[2 * worker];
}

static const struct nf_stream *lengths(const struct nf_step_input *in, size_t worker)
{
	return &in->run->streams[2 * worker + 1];
}

/* Detours that start in each full second of the span. What was dropped leaves no start behind, so that a
 * second is empty only where nothing was lost. */
static int fill_rate(const struct nf_step_input *in, const struct nf_stream *st, double span_ns,
                     const struct nf_rec_summary **ret, struct nf_err *err)
{
	size_t seconds = (size_t)(span_ns * 1e-9);
	int64_t *count;
	int r;

	if (seconds == 0 || st->n_dropped > 0)
		return 0;
	count = calloc(seconds, sizeof(*count));
	if (!count)
		return nf_fail_nomem(err, "the rate", seconds * sizeof(*count));
	for (size_t i = 0; i < st->n; i++) {
		size_t at = (size_t)((double)st->value[i] / st->tick_hz);

		if (at < seconds)
			count[at]++;
	}
	r = nf_step_summary_of(in->session, count, seconds, 1.0, "count", ret, err);
	free(count);
	return r;
}

static int fill_worker(const struct nf_step_input *in, const struct nf_detour_worker *w, size_t i,
                       struct nf_rec_detour_worker *ret, struct nf_err *err)
{
	struct nf_session *s = in->session;
	const struct nf_cpu_info *cpu = nf_topology_cpu(s->topo, w->cpu);
	int r;

	*ret = (struct nf_rec_detour_worker){
		.cpu = (uint64_t)w->cpu,
		.node = cpu && cpu->node >= 0 ? nf_some_nat((uint64_t)cpu->node)
		                              : (struct nf_some_nat){ 0 },
		.start_stream = nf_arena_strdup(&s->arena, starts(in, i)->name),
		.stream = nf_arena_strdup(&s->arena, lengths(in, i)->name),
		.threshold_ns = w->threshold_ns,
		.reads = w->n_reads,
		.detours = w->n_detours,
		.detoured_ns = w->detoured_ns,
		.span_ns = w->span_ns,
		.wall_ns = w->wall_ns > 0 ? (uint64_t)w->wall_ns : 0,
		.minor_faults = w->minor_faults,
		.involuntary_switches = w->involuntary_switches,
	};
	if (w->looked) {
		ret->loop_min_ns = nf_some_real(w->loop_min_ns);
		ret->smallest_ns = nf_some_real(w->smallest_ns);
	}
	if (w->n_detours > 0)
		ret->longest_ns = nf_some_real(w->longest_ns);
	if (w->span_ns > 0) {
		ret->noise_ratio = nf_some_real(w->detoured_ns / w->span_ns);
		ret->per_s = nf_some_real((double)w->n_detours / (w->span_ns * 1e-9));
		if (w->wall_ns > 0)
			ret->span_to_wall = nf_some_real(w->span_ns / (double)w->wall_ns);
	}
	r = nf_step_summary(s, lengths(in, i), &ret->lengths, err);
	if (r < 0)
		return r;
	return fill_rate(in, starts(in, i), w->span_ns, &ret->rate, err);
}

/* --- the table by length: rows 1, 2 and 5 to a decade --- */

enum { LENGTH_ROWS = 3 * 18 }; /* to 5 x 10^17 ns, 15 years */

static uint64_t row_from_ns(size_t row)
{
	static const uint64_t step[] = { 1, 2, 5 };
	uint64_t ns = step[row % 3];

	for (size_t i = 0; i < row / 3; i++)
		ns *= 10;
	return ns;
}

static size_t row_of(double ns)
{
	size_t row = 0;

	while (row + 1 < LENGTH_ROWS && ns >= (double)row_from_ns(row + 1))
		row++;
	return row;
}

/* Of all workers; rows before the first and after the last that holds something are left out. */
static int fill_lengths(const struct nf_step_input *in, size_t n_workers, double span_ns,
                        struct nf_list *ret, struct nf_err *err)
{
	struct nf_arena *a = &in->session->arena;
	struct nf_rec_detour_lengths *row = nf_arena_alloc(a, LENGTH_ROWS, sizeof(*row));
	size_t first = LENGTH_ROWS, end = 0;

	if (!row)
		return nf_arena_failed(a, "record", err);
	for (size_t w = 0; w < n_workers; w++) {
		const struct nf_stream *s = lengths(in, w);

		for (size_t i = 0; i < s->n; i++) {
			double ns = nf_stream_ns(s, s->value[i]);
			size_t at = row_of(ns);

			row[at].count++;
			row[at].total_ns += ns;
			first = at < first ? at : first;
			end = at + 1 > end ? at + 1 : end;
		}
	}
	for (size_t i = first; i < end; i++) {
		row[i].from_ns = row_from_ns(i);
		row[i].below_ns = row_from_ns(i + 1);
		row[i].per_s = (double)row[i].count / (span_ns * 1e-9);
		row[i].share_ratio = row[i].total_ns / span_ns;
	}
	*ret = end > first ? (struct nf_list){ row + first, end - first } : (struct nf_list){ 0 };
	return 0;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_detour_cfg *cfg = in->cfg;
	const struct nf_detour_result *res = in->run->result;
	struct nf_rec_detour_body *b = ret_body;
	struct nf_rec_detour_worker *w =
	        nf_arena_alloc(&in->session->arena, res->n_workers, sizeof(*w));
	double span_ns = 0, detoured_ns = 0;

	if (!w)
		return nf_arena_failed(&in->session->arena, "record", err);
	*b = (struct nf_rec_detour_body){
		.threshold_asked_ns = cfg->threshold_ns > 0
		                              ? nf_some_real((double)cfg->threshold_ns)
		                              : (struct nf_some_real){ 0 },
		.threshold_factor = NF_DETOUR_FACTOR,
		.workers = { w, res->n_workers },
	};
	for (size_t i = 0; i < res->n_workers; i++) {
		int r = fill_worker(in, &res->worker[i], i, &w[i], err);

		if (r < 0)
			return r;
		b->detours += w[i].detours;
		span_ns += w[i].span_ns;
		detoured_ns += w[i].detoured_ns;
		if (w[i].longest_ns.some &&
		    (!b->longest_ns.some || w[i].longest_ns.v > b->longest_ns.v)) {
			b->longest_ns = w[i].longest_ns;
			b->longest_cpu = nf_some_nat(w[i].cpu);
		}
	}
	if (span_ns <= 0)
		return 0;
	b->noise_ratio = nf_some_real(detoured_ns / span_ns);
	b->per_s = nf_some_real((double)b->detours / (span_ns * 1e-9));
	return fill_lengths(in, res->n_workers, span_ns, &b->lengths, err);
}

static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	const struct nf_rec_detour_body *b = body;

	return nf_step_judge_noise(
	        in, &(struct nf_step_noise_figures){ b->noise_ratio, b->longest_ns }, f);
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_detour(facts, body, out);
}

/* A detour lost is one loss, not one of each stream. */
static bool counts_losses(const struct nf_stream *s)
{
	return s->kind == NF_KIND_DURATION;
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	return nf_detour_sample_bytes(config, nf_cpuset_count(nf_topology_allowed(env->topo)));
}

const struct nf_step_kind nf_step_detour = {
	.probe = &nf_probe_detour,
	.run_type = &nf_rec_detour_run_type,
	.schema = "DetourRun/1",
	.claim_ceiling =
	        "Shows what interrupted a loop that only reads a clock, on these CPUs in this run, "
	        "from the threshold up; not what other work would lose. Causes are named as far as "
	        "the "
	        "kernel's events tell, and only with --why.",
	NF_STEP_LAYOUT(detour),
	.body = build,
	.judge = judge,
	.text = text,
	.counts_losses = counts_losses,
	.sample_bytes = sample_bytes,
	.why = &nf_why_detour,
};
