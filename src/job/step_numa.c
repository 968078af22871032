/* SPDX-License-Identifier: MIT */
/* step_numa - serial against parallel reduction as a part of a record. */
#include <stdio.h>

#include "job/why.h"
#include "measure/probe_numa.h"
#include "record/rec_numa.h"
#include "report/text.h"

static int summary_of(const struct nf_step_input *in, const char *stream,
                      const struct nf_rec_summary **ret, struct nf_err *err)
{
	const struct nf_stream *s = nf_step_stream(in->run, stream);

	*ret = NULL;
	return s ? nf_step_summary(in->session, s, ret, err) : 0;
}

static struct nf_some_real ratio(const struct nf_rec_summary *a, const struct nf_rec_summary *b)
{
	return a && b && b->median > 0 ? nf_some_real(a->median / b->median)
	                               : (struct nf_some_real){ 0 };
}

static int fill_bandwidth(const struct nf_step_input *in, const struct nf_numa_result *res,
                          struct nf_list *ret, struct nf_err *err)
{
	struct nf_arena *a = &in->session->arena;
	struct nf_rec_numa_bandwidth *w = nf_arena_alloc(a, res->n_pairs, sizeof(*w));

	if (!w)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < res->n_pairs; i++) {
		const struct nf_numa_pair *p = &res->pair[i];
		char name[48];

		snprintf(name, sizeof(name), "numa.bandwidth.%d.%d", p->cpu_node, p->mem_node);
		w[i] = (struct nf_rec_numa_bandwidth){
			.cpu_node = (uint64_t)p->cpu_node,
			.mem_node = (uint64_t)p->mem_node,
			.bytes = p->bytes,
		};
		int r = summary_of(in, name, &w[i].summary, err);
		if (r < 0)
			return r;
		if (w[i].summary && w[i].summary->median > 0)
			w[i].bytes_per_s =
			        nf_some_real((double)p->bytes * 1e9 / w[i].summary->median);
	}
	*ret = (struct nf_list){ w, res->n_pairs };
	return 0;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_numa_result *res = in->run->result;
	struct nf_arena *a = &in->session->arena;
	struct nf_rec_numa_body *b = ret_body;
	uint64_t *pages = nf_arena_alloc(a, res->n_nodes, sizeof(*pages));
	int r;

	if (!pages)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < res->n_nodes; i++)
		pages[i] = res->pages_on_node[i];
	*b = (struct nf_rec_numa_body){
		.placement = (int)res->placement,
		.channels = res->n_channels,
		.samples = res->n_samples,
		.rate_hz = (uint64_t)res->rate_hz,
		.partitions = res->n_partitions,
		.threads = res->n_threads,
		.nodes = res->n_nodes,
		.pages_on_node = { pages, res->n_nodes },
		.pages_unknown = res->pages_unknown,
		.placement_verified = res->placement_verified,
		.note = res->n_nodes == 1
		                ? "one node: nothing here says what a second one would cost"
		                : NULL,
	};
	r = summary_of(in, "numa.serial", &b->serial, err);
	if (r < 0)
		return r;
	r = summary_of(in, "numa.parallel", &b->parallel, err);
	if (r < 0)
		return r;
	r = summary_of(in, "numa.limit", &b->read_limit, err);
	if (r < 0)
		return r;
	r = summary_of(in, "numa.thread_start", &b->thread_start, err);
	if (r < 0)
		return r;
	b->speedup = ratio(b->serial, b->parallel);
	b->serial_to_limit_ratio = ratio(b->serial, b->read_limit);
	if (b->serial) {
		double elements = (double)res->n_channels * (double)res->n_samples;

		b->base_serial_median_ns = nf_some_real(b->serial->median);
		b->serial_ns_per_element = nf_some_real(b->serial->median / elements);
		b->serial_sum = nf_some_real(res->serial_sum);
	}
	if (b->parallel) {
		b->parallel_sum = nf_some_real(res->parallel_sum);
		b->difference = nf_some_real(res->difference);
	}
	return fill_bandwidth(in, res, &b->bandwidth, err);
}

/* The synthetic signal never exceeds this. */
#define AMPLITUDE 30.0

/* No limit stands for the reduction: it passes when it ran and its two sums agree to what another
 * order of addition can change. Each sum is within (n - 1) u S of the true one, with u the unit
 * roundoff and S the sum of magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, 4.2). */
static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	const struct nf_rec_numa_body *b = body;
	double n = (double)b->channels * (double)b->samples;
	double tolerance = 2 * n * 0x1p-53 * n * AMPLITUDE;

	if (b->difference.some && (b->difference.v > tolerance || b->difference.v < -tolerance)) {
		f->result = NF_RESULT_FAIL;
		f->reason =
		        nf_arena_printf(&in->session->arena,
		                        "serial and parallel sums differ by %g", b->difference.v);
	}
	return false;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_numa(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	const struct nf_numa_cfg *cfg = config;
	uint64_t nodes = nf_topology_n_nodes(env->topo);

	return (7 + nodes * nodes) * (uint64_t)cfg->repetitions * 8;
}

const struct nf_step_kind nf_step_numa = {
	.probe = &nf_probe_numa,
	.run_type = &nf_rec_numa_run_type,
	.schema = "NumaRun/1",
	.claim_ceiling =
	        "Shows one reduction over synthetic data of this size; a speed-up here is no "
	        "promise for other sizes, data or programs.",
	NF_STEP_LAYOUT(numa),
	.body = build,
	.judge = judge,
	.text = text,
	.sample_bytes = sample_bytes,
	.why = &nf_why_numa,
};
