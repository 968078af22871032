/* SPDX-License-Identifier: MIT */
/* inject - every probe with bursts and without, the verdict, the record. */
#include "job/inject.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/rng.h"
#include "job/head.h"
#include "job/inject_pass.h"
#include "job/inject_verdict.h"
#include "measure/interferer.h"
#include "report/text.h"

enum {
	RESERVE_BYTES = 4 << 20, /* the record, captures and texts beside the samples */
	KINDS_MAX = 16,
	BURST_BYTES = 7 * 8, /* in the streams of a burst */
};

struct job {
	struct nf_session session;
	struct nf_injection injection;
	struct nf_rec_inject_run record;
	struct nf_rec_inject_probe probe[KINDS_MAX];
	void *cfg[KINDS_MAX]; /* owned */
	size_t n;
	struct nf_verdict verdict;
};

/* --- before anything is kept --- */

static int choose_cpu(struct job *j, struct nf_err *err)
{
	struct nf_injection *in = &j->injection;
	struct nf_cpuset set;

	nf_cpuset_init(&set);
	int r = nf_topology_select(j->session.topo, in->in->cpus ? in->in->cpus : "allowed", &set,
	                           err);
	if (r == 0 && in->in->cpus && nf_cpuset_count(&set) != 1)
		r = nf_fail(err, NF_EARG,
		            "the CPU list selects %zu CPUs; allowed: exactly one, into which "
		            "bursts are "
		            "injected",
		            nf_cpuset_count(&set));
	for (int cpu = nf_cpuset_next(&set, -1); r == 0 && cpu >= 0;
	     cpu = nf_cpuset_next(&set, cpu))
		in->cpu = cpu;
	nf_cpuset_fini(&set);
	if (r == 0)
		in->cpu_text = nf_arena_printf(&j->session.arena, "%d", in->cpu);
	return r < 0 ? r : nf_arena_failed(&j->session.arena, "record", err);
}

static int check_bursts(const struct job *j, struct nf_err *err)
{
	const struct nf_inject_opts *in = j->injection.in;
	const struct nf_interferer_tone tone = {
		.period_ns = in->period_ns,
		.length_ns = in->length_ns,
		.phase_ns = j->injection.phase_ns,
	};
	const struct nf_interferer_cfg c = {
		.cpu = j->injection.cpu,
		.tone = &tone,
		.n_tones = 1,
		.origin_ns = j->injection.origin_ns,
		.max_bursts = 1,
	};

	if (!(in->min_recall >= 0 && in->min_recall <= 1))
		return nf_fail(err, NF_EARG, "a least recall of %g; allowed: 0 to 1",
		               in->min_recall);
	if (in->duration_ns < 2 * in->period_ns)
		return nf_fail(err, NF_EARG,
		               "a duration of less than two periods; allowed: %" PRId64 " ns and "
		               "more",
		               2 * in->period_ns);
	return nf_interferer_check(&c, err);
}

/* What no option can help is the probe's own result. */
static int prepare(struct job *j, uint64_t *ret_bytes, struct nf_err *err)
{
	const struct nf_inject_opts *in = j->injection.in;
	uint64_t bytes = RESERVE_BYTES;
	struct nf_rng rng;

	j->injection.origin_ns = nf_now_monotonic().ns;
	nf_rng_seed(&rng, in->seed);
	j->injection.phase_ns = in->phase_given
	                                ? in->phase_ns
	                                : (int64_t)nf_rng_below(&rng, (uint64_t)in->period_ns);
	int r = check_bursts(j, err);
	if (r < 0)
		return r;
	for (j->n = 0; nf_inject_kinds[j->n].probe; j->n++) {
		const struct nf_inject_kind *k = &nf_inject_kinds[j->n];
		const struct nf_step_kind *step = nf_step_find(k->probe->name);

		r = nf_inject_config(&j->injection, k, &j->cfg[j->n], err);
		if (r == 0)
			r = k->probe->check(&j->session.env, j->cfg[j->n], err);
		if (r < 0 && r != -NF_EUNSUPPORTED)
			return r;
		bytes += 2 * step->sample_bytes(&j->session.env, j->cfg[j->n]);
		bytes += (uint64_t)(in->duration_ns / in->period_ns) * BURST_BYTES;
	}
	*ret_bytes = bytes;
	return 0;
}

/* --- what a user sees meanwhile --- */

static void tell_plan(const struct job *j)
{
	const struct nf_session *s = &j->session;
	const struct nf_job_watch *w = s->opts->watch;
	struct nf_rec_setup setup;
	struct nf_rec_clock clock;
	int64_t total_ns = 0;
	struct nf_arena a;
	struct nf_buf text;

	if (!w || !w->header)
		return;
	nf_arena_init(&a, 1 << 16);
	nf_buf_init(&text, 1 << 16);
	nf_head_setup(&s->before, &setup);
	nf_head_clock(&s->clock, &a, &clock);
	for (size_t i = 0; i < j->n; i++)
		total_ns +=
		        2 * nf_inject_estimate_ns(&j->injection, &nf_inject_kinds[i], j->cfg[i]);
	if (nf_text_head(&setup, (int)nf_posture_lane(&s->before), &clock, &text) == 0 &&
	    nf_text_inject_plan(&j->record.plan, &text) == 0 &&
	    nf_buf_addf(&text, "passes   %zu probes, with bursts and without: about ", j->n) == 0 &&
	    nf_text_ns(&text, true, (double)total_ns) == 0 &&
	    nf_buf_adds(&text, " in all\n") == 0 && nf_text_printable(&text) == 0)
		w->header(w->ctx, text.data);
	nf_buf_fini(&text);
	nf_arena_fini(&a);
}

static void tell_end(const struct job *j, const struct nf_rec_inject_pass *pass,
                     const struct nf_err *failed)
{
	const struct nf_job_watch *w = j->session.opts->watch;
	struct nf_buf text;

	if (!w || !w->step_end)
		return;
	nf_buf_init(&text, 1 << 16);
	if (pass)
		nf_text_inject_pass(pass, &text);
	else
		nf_buf_addf(&text, "%s: %s\n",
		            failed->code == NF_EUNSUPPORTED ? "unsupported here"
		            : failed->code                  ? "failed"
		                                            : "stopped",
		            failed->msg);
	if (nf_text_printable(&text) == 0)
		w->step_end(w->ctx, j->session.step, text.data);
	nf_buf_fini(&text);
}

/* --- the passes --- */

static int pass(struct job *j, size_t i, bool inject, struct nf_inject_window *window,
                const struct nf_rec_inject_pass **ret, struct nf_err *failed, struct nf_err *err)
{
	const struct nf_job_watch *w = j->session.opts->watch;
	const struct nf_inject_kind *k = &nf_inject_kinds[i];
	struct nf_rec_inject_pass *rec = NULL;

	j->session.step = inject ? k->probe->name : "no bursts";
	if (w && w->step_begin)
		w->step_begin(w->ctx, j->session.step,
		              nf_inject_estimate_ns(&j->injection, k, j->cfg[i]));
	int r = nf_inject_pass(&j->injection, k, j->cfg[i], inject, window, &rec, failed, err);
	if (r == 0) {
		tell_end(j, rec, failed);
		*ret = rec;
	}
	j->session.step = NULL;
	return r;
}

static void block(struct job *j, struct nf_rec_inject_probe *p, const struct nf_err *failed)
{
	p->result = NF_RESULT_BLOCKED;
	if (failed->code == NF_OK) {
		p->result = NF_RESULT_PARTIAL;
		p->reason = "stopped before it was reached";
		return;
	}
	p->reason = nf_arena_strdup(&j->session.arena, failed->msg);
	if (failed->code != NF_EUNSUPPORTED)
		j->verdict.failed = true;
}

static int run_probe(struct job *j, size_t i, struct nf_err *err)
{
	struct nf_rec_inject_probe *p = &j->probe[i];
	struct nf_inject_window window = { 0 };
	struct nf_err failed = { 0 };
	int r = 0;

	*p = (struct nf_rec_inject_probe){
		.probe = nf_inject_kinds[i].probe->name,
		.hit = nf_inject_kinds[i].hit,
	};
	if (!j->session.stopped_by)
		r = pass(j, i, true, &window, &p->injected, &failed, err);
	if (r == 0 && p->injected && !j->session.stopped_by)
		r = pass(j, i, false, &window, &p->control, &failed, err);
	nf_inject_window_fini(&window);
	if (r < 0)
		return r;
	p->caution = nf_inject_caution(&j->session.arena, p->control);
	if (p->injected)
		j->verdict.undecided =
		        nf_inject_judge(j->injection.in->min_recall, j->session.stopped_by,
		                        &j->session.arena, p) ||
		        j->verdict.undecided;
	else
		block(j, p, &failed);
	if (p->injected && !p->control && failed.code) {
		/* The recall stands; what could not run is said. */
		p->reason = nf_arena_printf(&j->session.arena, "%s%sthe pass without bursts: %s",
		                            p->reason ? p->reason : "", p->reason ? "; " : "",
		                            failed.msg);
		if (p->result == NF_RESULT_PASS)
			p->result = NF_RESULT_PARTIAL;
		j->verdict.failed = j->verdict.failed || failed.code != NF_EUNSUPPORTED;
	}
	return nf_arena_failed(&j->session.arena, "record", err);
}

/* --- the whole --- */

static void text(const void *record, struct nf_buf *out)
{
	nf_text_inject(record, out);
}

static void fill_plan(struct job *j)
{
	const struct nf_inject_opts *in = j->injection.in;

	j->record.schema = "InjectRun/1";
	j->record.plan = (struct nf_rec_inject_plan){
		.cpu = (uint64_t)j->injection.cpu,
		.period_ns = (uint64_t)in->period_ns,
		.length_ns = (uint64_t)in->length_ns,
		.phase_ns = (uint64_t)j->injection.phase_ns,
		.phase_drawn = !in->phase_given,
		.duration_ns = (uint64_t)in->duration_ns,
		.min_recall_ratio = in->min_recall,
		.alpha = NF_INJECT_ALPHA,
	};
}

static const char ceiling[] =
        "Shows what these probes see of bursts like these, on this CPU, as loaded as it was; "
        "shorter "
        "interruptions, and those that stop all CPUs at once, remain unknown.";

int nf_job_inject(const struct nf_job_opts *o, const struct nf_inject_opts *in,
                  struct nf_job_outcome *ret, struct nf_err *err)
{
	struct job j = { .injection.in = in, .verdict.claim_ceiling = ceiling };
	uint64_t bytes;

	j.injection.session = &j.session;
	int r = nf_session_open(&j.session, o, err);
	if (r < 0)
		goto out;
	j.session.seed = in->seed;
	r = choose_cpu(&j, err);
	if (r == 0)
		r = prepare(&j, &bytes, err);
	if (r == 0)
		r = nf_session_folder(&j.session, bytes, err);
	if (r == 0)
		r = nf_session_clock(&j.session, err);
	if (r < 0)
		goto out;
	fill_plan(&j);
	tell_plan(&j);
	for (size_t i = 0; i < j.n && r == 0; i++)
		r = run_probe(&j, i, err);
	if (r == 0)
		r = nf_inject_conclude(j.probe, j.n, &j.session.arena, &j.verdict, err);
	if (r < 0)
		goto out;
	j.record.probes = (struct nf_list){ j.probe, j.n };
	r = nf_session_finish(&j.session, &nf_rec_inject_run_type, &j.record, &j.record.head,
	                      &j.verdict, text, ret, err);
out:
	for (size_t i = 0; i < KINDS_MAX; i++)
		free(j.cfg[i]);
	nf_session_close(&j.session);
	return r;
}
