/* SPDX-License-Identifier: MIT */
/* bench_run - benchmarks without a comparison: how long each takes. */
#include <inttypes.h>
#include <stdlib.h>

#include "job/bench_sets.h"
#include "noisefloor/schedule.h"
#include "report/text_bench.h"
#include "report/text_bench_sched.h"

struct job {
	struct nf_bench_sets sets;
	struct nf_rec_bench_run record;
	struct nf_bench_slot *slot; /* owned */
	size_t n_slots;
	struct nf_verdict verdict;
};

/* Every benchmark once a row, so that a drift falls on all alike and a run that is stopped has some of each. */
static int schedule(struct job *j, struct nf_err *err)
{
	size_t k = j->sets.n_variants, rows = j->sets.plan.sets;
	uint8_t *order;
	int r = 0;

	if (rows == 0)
		return 0; /* stopped before there was a plan */
	order = calloc(k * rows, 1);
	j->slot = calloc(k * rows, sizeof(*j->slot));
	if (!order || !j->slot)
		r = nf_fail_nomem(err, "a schedule", k * rows * sizeof(*j->slot));
	else if (k > 1)
		r = nf_schedule_williams(j->sets.opts->seed, k, rows, order, err);
	for (size_t i = 0; r == 0 && i < k * rows; i++)
		j->slot[i] = (struct nf_bench_slot){ order[i], (uint32_t)(i / k) };
	j->n_slots = r == 0 ? k * rows : 0;
	free(order);
	return r;
}

static int measure(struct job *j, struct nf_err *err)
{
	const struct nf_bench_want want = {
		.shape = j->sets.variant[0].backend == NF_BACKEND_BUILTIN ? NF_BENCH_RUN_BUILTIN
		                                                          : NF_BENCH_COMMANDS,
		.sets = j->sets.opts->sets,
		.iters = j->sets.opts->iters,
		.min_sets = j->sets.opts->sets && j->sets.opts->sets < NF_BENCH_RUN_MIN_SETS
		                    ? j->sets.opts->sets
		                    : NF_BENCH_RUN_MIN_SETS,
		.max_time_ns = j->sets.opts->max_time_ns,
	};
	struct nf_bench_cost cost;
	int r = nf_bench_sets_pilot(&j->sets, &cost, err);

	j->record.plan.order =
	        j->sets.n_variants > 1 ? "randomised Williams designs" : "one after the other";
	if (r == 0 && !j->sets.session.stopped_by)
		r = nf_bench_sets_plan(&j->sets, &want, &cost, &j->record.plan, err);
	if (r == 0)
		r = nf_bench_sets_folder(&j->sets, err);
	if (r == 0)
		r = schedule(j, err);
	if (r == 0)
		r = nf_bench_sets_run(&j->sets, j->slot, j->n_slots, err);
	return r < 0 ? r : nf_bench_sets_summarize(&j->sets, err);
}

static void conclude(struct job *j)
{
	uint64_t cpus = 0;
	uint64_t crowded = nf_bench_crowded(j->sets.set, j->sets.n_sets, &cpus);

	j->verdict = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.claim_ceiling = "Shows how long these took here, now; whether another program is "
		                 "faster is for a comparison that runs both in turn.",
	};
	if (crowded)
		j->verdict.claim_ceiling = nf_arena_printf(
		        &j->sets.session.arena,
		        "%s %" PRIu64 " workers on %" PRIu64
		        " CPU%s: what that shows is how these are shared out.",
		        j->verdict.claim_ceiling, crowded, cpus, cpus == 1 ? "" : "s");
	for (size_t i = 0; i < j->sets.n_variants; i++)
		if (j->sets.rec_variant[i].failure) {
			j->verdict.result = NF_RESULT_FAIL;
			j->verdict.subject_failed = true;
			j->verdict.reason = nf_arena_printf(&j->sets.session.arena, "%s: %s",
			                                    j->sets.rec_variant[i].label,
			                                    j->sets.rec_variant[i].failure);
			return;
		}
	if (j->sets.session.stopped_by) {
		j->verdict.result = NF_RESULT_PARTIAL;
		j->verdict.reason = "stopped before its planned end";
	}
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_bench_run(record, out);
}

int nf_job_bench_run(const struct nf_job_opts *o, const struct nf_bench_opts *opts,
                     struct nf_job_outcome *ret, struct nf_err *err)
{
	struct job j = { .record.schema = "BenchRun/1" };
	int r = nf_bench_sets_open(&j.sets, o, opts, opts->variant, opts->n_variants, 1, err);

	if (r == 0)
		r = measure(&j, err);
	if (r < 0)
		goto out;
	conclude(&j);
	j.record.variants = (struct nf_list){ j.sets.rec_variant, j.sets.n_variants };
	j.record.sets = (struct nf_list){ j.sets.set, j.sets.n_sets };
	r = nf_session_finish(&j.sets.session, &nf_rec_bench_run_type, &j.record, &j.record.head,
	                      &j.verdict, text, ret, err);
out:
	free(j.slot);
	nf_bench_sets_close(&j.sets);
	return r;
}
