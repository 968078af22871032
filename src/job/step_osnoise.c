/* SPDX-License-Identifier: MIT */
/* step_osnoise - the kernel's osnoise tracer as a part of a record. */
#include <string.h>

#include "job/step.h"
#include "measure/probe_osnoise.h"
#include "record/rec_osnoise.h"
#include "report/text.h"

static const int64_t *column(const struct nf_step_input *in, const char *name)
{
	const struct nf_stream *s = nf_step_stream(in->run, name);

	return s ? s->value : NULL;
}

static uint64_t natural(int64_t v)
{
	return v < 0 ? 0 : (uint64_t)v;
}

static struct nf_rec_osnoise_cpu *row_of(struct nf_rec_osnoise_cpu *row, size_t *n, uint64_t cpu)
{
	size_t i = 0;

	while (i < *n && row[i].cpu < cpu)
		i++;
	if (i == *n || row[i].cpu != cpu) {
		memmove(&row[i + 1], &row[i], (*n - i) * sizeof(*row));
		row[i] = (struct nf_rec_osnoise_cpu){ .cpu = cpu };
		++*n;
	}
	return &row[i];
}

/* One row a CPU, in their order, from the periods. */
static int fill_cpus(const struct nf_step_input *in, size_t n_periods, struct nf_list *ret,
                     struct nf_err *err)
{
	static const char *const names[NF_OSNOISE_SOURCES] = {
		[NF_OSNOISE_HARDWARE] = "osnoise.hw",   [NF_OSNOISE_NMI] = "osnoise.nmi",
		[NF_OSNOISE_IRQ] = "osnoise.irq",       [NF_OSNOISE_SOFTIRQ] = "osnoise.softirq",
		[NF_OSNOISE_THREAD] = "osnoise.thread",
	};
	const int64_t *cpu = column(in, "osnoise.cpu"), *noise = column(in, "osnoise.noise");
	const int64_t *runtime = column(in, "osnoise.runtime");
	const int64_t *longest = column(in, "osnoise.longest"), *count[NF_OSNOISE_SOURCES];
	struct nf_arena *a = &in->session->arena;
	size_t room = n_periods < NF_CPU_MAX ? n_periods : NF_CPU_MAX, n = 0;
	struct nf_rec_osnoise_cpu *row = nf_arena_alloc(a, room + 1, sizeof(*row));

	if (!row)
		return nf_arena_failed(a, "record", err);
	for (size_t k = 0; k < NF_OSNOISE_SOURCES; k++)
		count[k] = column(in, names[k]);
	for (size_t i = 0; i < n_periods; i++) {
		struct nf_rec_osnoise_cpu *c = row_of(row, &n, natural(cpu[i]));
		uint64_t *to[NF_OSNOISE_SOURCES] = { &c->hw, &c->nmi, &c->irq, &c->softirq,
			                             &c->thread };

		c->periods++;
		c->runtime_ns += natural(runtime[i]);
		c->noise_ns += natural(noise[i]);
		if (natural(longest[i]) > c->longest_ns)
			c->longest_ns = natural(longest[i]);
		for (size_t k = 0; k < NF_OSNOISE_SOURCES; k++)
			*to[k] += natural(count[k][i]);
	}
	for (size_t i = 0; i < n; i++)
		if (row[i].runtime_ns > 0)
			row[i].available_ratio = nf_some_real(
			        1.0 - (double)row[i].noise_ns / (double)row[i].runtime_ns);
	*ret = (struct nf_list){ row, n };
	return 0;
}

static int fill_causes(const struct nf_step_input *in, const struct nf_osnoise_result *res,
                       struct nf_list *ret, struct nf_err *err)
{
	struct nf_arena *a = &in->session->arena;
	struct nf_rec_osnoise_cause *c = nf_arena_alloc(a, res->n_causes, sizeof(*c));

	if (!c)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < res->n_causes; i++)
		c[i] = (struct nf_rec_osnoise_cause){
			.source = (int)res->cause[i].source,
			.name = nf_arena_strdup(a, res->cause[i].name),
			.count = res->cause[i].n,
			.total_ns = natural(res->cause[i].total_ns),
			.longest_ns = natural(res->cause[i].longest_ns),
		};
	*ret = (struct nf_list){ c, res->n_causes };
	return 0;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_osnoise_result *res = in->run->result;
	const struct nf_osnoise_settings *set = &res->settings;
	const struct nf_stream *noise = nf_step_stream(in->run, "osnoise.noise");
	const struct nf_stream *longest = nf_step_stream(in->run, "osnoise.longest");
	struct nf_rec_osnoise_body *b = ret_body;
	uint64_t runtime_ns = 0, noise_ns = 0;
	int r;

	*b = (struct nf_rec_osnoise_body){
		.period_us = natural(set->period_us),
		.runtime_us = natural(set->runtime_us),
		.threshold_us = natural(set->threshold_us),
		.stop_us = natural(set->stop_us),
		.stop_total_us = natural(set->stop_total_us),
		.at_limit = res->at_limit,
		.causes_traced = set->causes,
		.causes_left_out = res->n_unnamed,
		.missed_events = noise ? noise->n_missed : 0,
	};
	r = fill_causes(in, res, &b->causes, err);
	if (r < 0 || !noise || !longest)
		return r;
	if ((r = fill_cpus(in, noise->n, &b->cpus, err)) < 0 ||
	    (r = nf_step_summary(in->session, noise, &b->noise, err)) < 0 ||
	    (r = nf_step_summary(in->session, longest, &b->longest, err)) < 0)
		return r;
	const struct nf_rec_osnoise_cpu *c = b->cpus.items;
	for (size_t i = 0; i < b->cpus.n; i++) {
		runtime_ns += c[i].runtime_ns;
		noise_ns += c[i].noise_ns;
		if (!b->longest_ns.some || c[i].longest_ns > b->longest_ns.v) {
			b->longest_ns = nf_some_nat(c[i].longest_ns);
			b->longest_cpu = nf_some_nat(c[i].cpu);
		}
	}
	if (runtime_ns > 0)
		b->noise_ratio = nf_some_real((double)noise_ns / (double)runtime_ns);
	return 0;
}

static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	const struct nf_rec_osnoise_body *b = body;
	const struct nf_step_noise_figures figures = {
		.noise_ratio = b->noise_ratio,
		.longest_ns = b->longest_ns.some ? nf_some_real((double)b->longest_ns.v)
		                                 : (struct nf_some_real){ 0 },
	};
	bool undecided = nf_step_judge_noise(in, &figures, f);

	/* What is shorter than the threshold was not counted: a limit below it cannot be said to hold. */
	if (!undecided && f->result == NF_RESULT_PASS && in->budget->has_max_detour_ns &&
	    (uint64_t)in->budget->max_detour_ns < b->threshold_us * 1000) {
		f->result = NF_RESULT_PARTIAL;
		f->reason = "the tracer's threshold is above the limit: it cannot be judged";
		return true;
	}
	return undecided;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_osnoise(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	(void)env;
	(void)config;
	return 1 << 20;
}

/* All streams tell of the same periods. */
static bool counts_losses(const struct nf_stream *s)
{
	return strcmp(s->name, "osnoise.noise") == 0;
}

const struct nf_step_kind nf_step_osnoise = {
	.probe = &nf_probe_osnoise,
	.run_type = &nf_rec_osnoise_run_type,
	.schema = "OsnoiseRun/1",
	.claim_ceiling = "Shows what a kernel thread lost on these CPUs while it looked, in whole "
	                 "microseconds; not what lies outside its runtime or below its threshold.",
	NF_STEP_LAYOUT(osnoise),
	.body = build,
	.judge = judge,
	.text = text,
	.counts_losses = counts_losses,
	.sample_bytes = sample_bytes,
};
