/* SPDX-License-Identifier: MIT */
/* why_sources - from a probe's samples to intervals of noise. */
#include <stdio.h>
#include <stdlib.h>

#include "job/why.h"
#include "measure/probe_detour.h"
#include "measure/probe_numa.h"
#include "record/rec_detour.h"
#include "record/rec_noise.h"
#include "record/rec_numa.h"

void nf_why_parts_fini(struct nf_why_parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->part[i].interval);
	free(p->part);
	*p = (struct nf_why_parts){ 0 };
}

static int make_parts(struct nf_why_parts *p, size_t n, double tick_hz, struct nf_err *err)
{
	*p = (struct nf_why_parts){ .part = calloc(n ? n : 1, sizeof(*p->part)),
		                    .tick_hz = tick_hz };
	if (!p->part)
		return nf_fail_nomem(err, "intervals of noise", n * sizeof(*p->part));
	return 0;
}

static bool next_owned(void *ctx, struct nf_interval *ret)
{
	struct nf_why_part *p = ctx;

	if (p->at == p->n)
		return false;
	*ret = p->interval[p->at++];
	return true;
}

/* --- fixed work quanta --- */

/* A quantum that took longer than the shortest. */
static bool next_quantum(void *ctx, struct nf_interval *ret)
{
	struct nf_why_part *p = ctx;

	while (p->at < p->n) {
		int64_t length = p->length[p->at++], begin = p->now;

		p->now += length;
		if (length > p->shortest) {
			*ret = (struct nf_interval){ begin, length, length - p->shortest };
			return true;
		}
	}
	return false;
}

static int noise_parts(const struct nf_step_input *in, const struct nf_event_log *log,
                       struct nf_why_parts *ret, struct nf_err *err)
{
	const struct nf_probe_run *run = in->run;
	int r = make_parts(ret, run->n_streams, in->session->clock.hz, err);

	(void)log;
	if (r < 0)
		return r;
	for (size_t i = 0; i < run->n_streams; i++) {
		const struct nf_stream *s = &run->streams[i];
		struct nf_why_part *p = &ret->part[ret->n++];

		*p = (struct nf_why_part){ .cpu = s->cpu,
			                   .origin_tick = s->origin_tick,
			                   .next = next_quantum,
			                   .length = s->value,
			                   .n = s->n,
			                   .shortest = INT64_MAX };
		for (size_t k = 0; k < s->n; k++) {
			p->span_ticks += s->value[k];
			if (s->value[k] < p->shortest)
				p->shortest = s->value[k];
		}
	}
	return 0;
}

const struct nf_why_source nf_why_noise = {
	.noise = "quanta beyond the shortest of their CPU",
	.body_causes = offsetof(struct nf_rec_noise_body, causes),
	.parts = noise_parts,
};

/* --- detours --- */

static bool next_detour(void *ctx, struct nf_interval *ret)
{
	struct nf_why_part *p = ctx;

	if (p->at == p->n)
		return false;
	*ret = (struct nf_interval){ p->begin[p->at], p->length[p->at], p->length[p->at] };
	p->at++;
	return true;
}

static int detour_parts(const struct nf_step_input *in, const struct nf_event_log *log,
                        struct nf_why_parts *ret, struct nf_err *err)
{
	const struct nf_detour_result *res = in->run->result;
	double hz = in->session->clock.hz;
	int r = make_parts(ret, res->n_workers, hz, err);

	(void)log;
	for (size_t i = 0; r == 0 && i < res->n_workers; i++) {
		const struct nf_stream *start = &in->run->streams[2 * i], *length = start + 1;
		struct nf_why_part *p = &ret->part[ret->n++];

		*p = (struct nf_why_part){
			.cpu = start->cpu,
			.origin_tick = start->origin_tick,
			.span_ticks = (int64_t)(res->worker[i].span_ns * hz * 1e-9),
			.next = next_detour,
			.begin = start->value,
			.length = length->value,
			.n = start->n < length->n ? start->n : length->n,
		};
		/* Behind the last one that there was room for nothing is known of detours. */
		if (start->n_dropped > 0)
			p->span_ticks = p->n > 0 ? p->begin[p->n - 1] + p->length[p->n - 1] : 0;
	}
	return r;
}

const struct nf_why_source nf_why_detour = {
	.noise = "detours",
	.body_causes = offsetof(struct nf_rec_detour_body, causes),
	.parts = detour_parts,
};

/* --- collapsed samples of the reduction --- */

/* A sample that took more than half as long again as its variant's median. */
struct collapsed {
	struct nf_interval in; /* noise: what it took beyond the median */
	bool parallel; /* on all CPUs: else on the first */
	int cpu;
};

static int by_begin(const void *pa, const void *pb)
{
	const struct collapsed *a = pa, *b = pb;

	return (a->in.begin > b->in.begin) - (a->in.begin < b->in.begin);
}

static int collect(const struct nf_step_input *in, const char *name, bool parallel,
                   struct collapsed *all, size_t *n, struct nf_err *err)
{
	const struct nf_rec_summary *sum;
	const struct nf_stream *s = nf_step_stream(in->run, name), *begin;
	char other[sizeof(s->name)];
	int r;

	snprintf(other, sizeof(other), "%s.begin", name);
	begin = nf_step_stream(in->run, other);
	if (!s || !begin)
		return 0;
	r = nf_step_summary(in->session, s, &sum, err);
	if (r < 0 || !sum)
		return r;
	for (size_t i = 0; i < s->n && i < begin->n; i++) {
		int64_t median = (int64_t)sum->median;

		if ((double)s->value[i] <= 1.5 * sum->median || s->value[i] <= median)
			continue;
		all[(*n)++] = (struct collapsed){
			.in = { begin->value[i], s->value[i], s->value[i] - median },
			.parallel = parallel,
			.cpu = nf_step_stream(in->run, "numa.serial")->cpu,
		};
	}
	return 0;
}

/* Each parallel sample goes to the CPU whose events took most of it. */
static int place(const struct nf_step_input *in, const struct nf_event_log *log, uint64_t origin,
                 struct collapsed *all, size_t n, struct nf_err *err)
{
	struct nf_interval *interval = calloc(n ? n : 1, sizeof(*interval));
	int64_t *took = calloc(n ? n : 1, sizeof(*took)), *most = calloc(n ? n : 1, sizeof(*most));
	struct nf_attribute_cpu cpu = { .segments = { .measured = in->run->tids,
		                                      .n_measured = in->run->n_tids,
		                                      .not_asleep = true,
		                                      .ticks_per_ns = 1 } };
	int r = 0;

	if (!interval || !took || !most) {
		r = nf_fail_nomem(err, "intervals of noise", n * sizeof(*interval));
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		interval[i] = all[i].in;
		interval[i].begin += (int64_t)origin;
	}
	for (size_t t = 0; t < log->n_tracks; t++) {
		const struct nf_event_track *track = &log->track[t];

		cpu.tick = track->tick;
		cpu.word = track->word;
		cpu.n_events = track->n;
		nf_attribute_overlap(&cpu, interval, n, took);
		for (size_t i = 0; i < n; i++) {
			if (!all[i].parallel || took[i] <= most[i])
				continue;
			most[i] = took[i];
			all[i].cpu = track->cpu;
		}
	}
out:
	free(interval);
	free(took);
	free(most);
	return r;
}

static int numa_parts(const struct nf_step_input *in, const struct nf_event_log *log,
                      struct nf_why_parts *ret, struct nf_err *err)
{
	const struct nf_stream *s = nf_step_stream(in->run, "numa.serial.begin");
	const struct nf_numa_cfg *cfg = in->cfg;
	size_t n = 0;
	struct collapsed *all = calloc((size_t)cfg->repetitions, 3 * sizeof(*all));
	int r = make_parts(ret, log->n_tracks, 1e9, err);

	if (r == 0 && !all)
		r = nf_fail_nomem(err, "intervals of noise", 3 * sizeof(*all));
	if (r == 0)
		r = collect(in, "numa.serial", false, all, &n, err);
	if (r == 0)
		r = collect(in, "numa.parallel", true, all, &n, err);
	if (r == 0)
		r = collect(in, "numa.limit", false, all, &n, err);
	if (r < 0)
		goto out;
	qsort(all, n, sizeof(*all), by_begin);
	r = place(in, log, s->origin_tick, all, n, err);
	for (size_t t = 0; r == 0 && t < log->n_tracks; t++) {
		struct nf_why_part *p = &ret->part[ret->n++];

		*p = (struct nf_why_part){ .cpu = log->track[t].cpu,
			                   .origin_tick = s->origin_tick,
			                   .span_ticks = in->run->wall_ns,
			                   .next = next_owned,
			                   .interval = calloc(n ? n : 1, sizeof(*p->interval)) };
		if (!p->interval)
			r = nf_fail_nomem(err, "intervals of noise", n * sizeof(*p->interval));
		for (size_t i = 0; r == 0 && i < n; i++)
			if (all[i].cpu == p->cpu)
				p->interval[p->n++] = all[i].in;
	}
out:
	free(all);
	return r;
}

const struct nf_why_source nf_why_numa = {
	.noise = "what samples longer than 1.5 times their variant's median took beyond it",
	.raw_clock = true,
	.not_asleep = true,
	.body_causes = offsetof(struct nf_rec_numa_body, causes),
	.parts = numa_parts,
};
