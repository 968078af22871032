/* SPDX-License-Identifier: MIT */
/* window - the whole characterisation of a host: which steps, in which order, with which load. */
#include "job/window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "job/head.h"
#include "job/load.h"
#include "measure/probe_clock.h"
#include "measure/probe_fwq.h"
#include "measure/probe_hwlat.h"
#include "measure/probe_numa.h"
#include "measure/probe_smi.h"
#include "measure/probe_wake.h"
#include "report/text.h"

#define SECONDS INT64_C(1000000000)
/* Room for the records, captures and texts beside the samples. */
enum { RESERVE_BYTES = 8 << 20, MAX_REPEATS = 1000 };

/* clang-format off */
static const struct plan {
	int64_t smi_samples, smi_ns, hwlat_ns, noise_ns, wake_ns, numa_samples;
} plans[] = {
	/*                          SMI               hwlat          noise          wake         NUMA */
	[NF_PROFILE_QUICK]    = { 1,  10 * SECONDS,  10 * SECONDS,  10 * SECONDS,  10 * SECONDS, 3 },
	[NF_PROFILE_STANDARD] = { 3, 120 * SECONDS, 120 * SECONDS,  60 * SECONDS,  60 * SECONDS, 5 },
	[NF_PROFILE_DEEP]     = { 3, 120 * SECONDS, 600 * SECONDS, 600 * SECONDS, 600 * SECONDS, 5 },
};
/* clang-format on */

/* What one planned step is run with. The first member of every config is nf_probe_common. */
union config {
	struct nf_probe_common common;
	struct nf_clock_cfg clock;
	struct nf_smi_cfg smi;
	struct nf_hwlat_probe_cfg hwlat;
	struct nf_fwq_cfg fwq;
	struct nf_wake_cfg wake;
	struct nf_numa_cfg numa;
};

static int64_t pick(int64_t given, int64_t planned)
{
	return given > 0 ? given : planned;
}

static struct plan plan_of(const struct nf_window_opts *w)
{
	const struct plan *p = &plans[w->profile];

	return (struct plan){
		.smi_samples = pick(w->smi_samples, p->smi_samples),
		.smi_ns = pick(w->smi_duration_ns, p->smi_ns),
		.hwlat_ns = pick(w->hwlat_duration_ns, p->hwlat_ns),
		.noise_ns = pick(w->noise_duration_ns, p->noise_ns),
		.wake_ns = pick(w->wake_duration_ns, p->wake_ns),
		.numa_samples = pick(w->numa_samples, p->numa_samples),
	};
}

static const struct nf_step_kind *configure(const struct nf_window *win, const char *probe,
                                            int64_t duration_ns, int64_t repeat, union config *cfg)
{
	const struct nf_step_kind *kind = nf_step_find(probe);
	const struct nf_window_opts *w = win->opts;

	memset(cfg, 0, sizeof(*cfg));
	kind->probe->defaults(cfg);
	if (w->cpus)
		cfg->common.cpus = w->cpus;
	if (duration_ns > 0)
		cfg->common.duration_ns = duration_ns;
	cfg->common.seed = w->seed + (uint64_t)repeat;
	if (kind->probe == &nf_probe_wake)
		cfg->wake.period_ns = win->session.opts->budget.timing.period_ns;
	if (kind->probe == &nf_probe_numa) {
		cfg->numa.n_channels = pick(w->channels, cfg->numa.n_channels);
		cfg->numa.n_samples = pick(w->samples, cfg->numa.n_samples);
		cfg->numa.rate_hz = pick(w->rate_hz, cfg->numa.rate_hz);
		cfg->numa.n_partitions = pick(w->partitions, cfg->numa.n_partitions);
	}
	return kind;
}

/* One row of steps[], whether it ran or not. */
static int note_step(struct nf_window *win, const struct nf_step_kind *kind,
                     const struct nf_step_outcome *out, struct nf_err *err)
{
	if (win->n_steps == NF_WINDOW_STEPS)
		return nf_fail(err, NF_EARG, "more than %d steps", NF_WINDOW_STEPS);
	win->step[win->n_steps] = (struct nf_rec_step){
		.name = kind->probe->name,
		.result = (int)out->result,
		.reason = out->reason,
		.started_s = out->started_s,
		.duration_s = out->duration_s,
	};
	win->undecided = win->undecided || out->undecided;
	win->failed = win->failed || nf_exit_code((int)out->failed.code) == nf_exit_code(NF_EOS);
	win->n_steps++;
	return 0;
}

static int skip(struct nf_window *win, const struct nf_step_kind *kind, struct nf_err *err)
{
	const struct nf_step_outcome out = {
		.reason = "the run was stopped before it",
		.started_s = (double)nf_session_elapsed_ns(&win->session) * 1e-9,
	};
	int r = note_step(win, kind, &out, err);

	if (r == 0)
		win->step[win->n_steps - 1].result = NF_STEP_SKIPPED;
	return r;
}

/* Runs one step; *ret_step NULL when it could not run. */
static int run(struct nf_window *win, const char *probe, int64_t duration_ns, int64_t repeat,
               int64_t of, const void **ret_step, struct nf_err *err)
{
	union config cfg;
	const struct nf_step_kind *kind = configure(win, probe, duration_ns, repeat, &cfg);
	struct nf_step_outcome out;
	char stem[64];
	int r;

	*ret_step = NULL;
	if (win->session.stopped_by || nf_stop_signo(win->session.opts->stop)) {
		win->session.stopped_by = nf_stop_signo(win->session.opts->stop);
		return skip(win, kind, err);
	}
	if (of > 1)
		snprintf(stem, sizeof(stem), "%s-%02" PRId64, probe, repeat + 1);
	else
		snprintf(stem, sizeof(stem), "%s", probe);
	r = nf_step_run(&win->session, kind, &cfg, stem, &out, err);
	if (r < 0)
		return r;
	*ret_step = out.step;
	return note_step(win, kind, &out, err);
}

static int append(struct nf_window *win, struct nf_list *list, size_t size, int64_t room,
                  const void *step, struct nf_err *err)
{
	char *items;

	if (!step)
		return 0;
	if (!list->items)
		list->items = nf_arena_alloc(&win->session.arena, (size_t)room, size);
	if (!list->items)
		return nf_arena_failed(&win->session.arena, "record", err);
	memcpy(&items, &list->items, sizeof(items));
	memcpy(items + list->n * size, step, size);
	list->n++;
	return 0;
}

static int firmware_steps(struct nf_window *win, const struct plan *p, struct nf_err *err)
{
	struct nf_rec_window_run *rec = &win->record;
	const void *step;
	int r;

	for (int64_t i = 0; i < p->smi_samples; i++) {
		r = run(win, "smi", p->smi_ns, i, p->smi_samples, &step, err);
		if (r < 0)
			return r;
		r = append(win, &rec->smi, sizeof(struct nf_rec_smi_step), p->smi_samples, step,
		           err);
		if (r < 0)
			return r;
		r = run(win, "hwlat", p->hwlat_ns, i, p->smi_samples, &step, err);
		if (r < 0)
			return r;
		r = append(win, &rec->hwlat, sizeof(struct nf_rec_hwlat_step), p->smi_samples, step,
		           err);
		if (r < 0)
			return r;
		/* What cannot run now cannot run in a minute either: say it once. */
		if (!rec->smi.n && !rec->hwlat.n)
			break;
	}
	return 0;
}

static int software_steps(struct nf_window *win, const struct plan *p, struct nf_err *err)
{
	struct nf_rec_window_run *rec = &win->record;
	const void *step;
	int r;

	r = run(win, "fwq", p->noise_ns, 0, 1, &step, err);
	if (r < 0)
		return r;
	rec->noise = step;
	r = run(win, "wake", p->wake_ns, 0, 1, &step, err);
	if (r < 0)
		return r;
	rec->wake = step;
	for (int64_t i = 0; i < p->numa_samples; i++) {
		r = run(win, "numa", 0, i, p->numa_samples, &step, err);
		if (r < 0)
			return r;
		r = append(win, &rec->numa, sizeof(struct nf_rec_numa_step), p->numa_samples, step,
		           err);
		if (r < 0)
			return r;
		if (!rec->numa.n)
			break;
	}
	return 0;
}

/* The load runs beside the steps that measure software; its output is kept. */
static int under_load(struct nf_window *win, const struct plan *p, struct nf_err *err)
{
	struct nf_load load = { 0 };
	int status = 0, r;

	if (!win->opts->under || nf_stop_signo(win->session.opts->stop))
		return software_steps(win, p, err);
	FILE *log = tmpfile();
	if (!log)
		return nf_fail_os(err, errno, "a file for the output of --under");
	r = nf_load_start(&load, win->opts->under, fileno(log), err);
	if (r == 0) {
		r = software_steps(win, p, err);
		if (nf_load_ended(&load, &status))
			win->load_note = nf_arena_printf(
			        &win->session.arena,
			        WIFEXITED(status)
			                ? "the load of --under ended by itself with status %d "
			                  "before "
			                  "the steps did"
			                : "the load of --under was ended by signal %d before the "
			                  "steps ended",
			        WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		nf_load_stop(&load);
	}
	if (r == 0)
		r = nf_window_keep_log(win, log, err);
	(void)fclose(log);
	return r;
}

static uint64_t reserve(const struct nf_window *win, const struct plan *p)
{
	static const char *const probes[] = { "clock", "smi", "hwlat", "fwq", "wake", "numa" };
	const int64_t duration[] = { 0, p->smi_ns, p->hwlat_ns, p->noise_ns, p->wake_ns, 0 };
	const int64_t repeats[] = { 1, p->smi_samples, p->smi_samples, 1, 1, p->numa_samples };
	uint64_t bytes = RESERVE_BYTES;
	union config cfg;

	if (win->session.opts->no_samples)
		return bytes;
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
		const struct nf_step_kind *k = configure(win, probes[i], duration[i], 0, &cfg);

		bytes += (uint64_t)repeats[i] * k->sample_bytes(&win->session.env, &cfg);
	}
	return bytes;
}

static void tell_header(const struct nf_window *win)
{
	const struct nf_session *s = &win->session;
	const struct nf_job_watch *w = s->opts->watch;
	struct nf_rec_setup setup;
	struct nf_rec_clock clock;
	struct nf_arena a;
	struct nf_buf text;

	if (!w || !w->header)
		return;
	nf_arena_init(&a, 1 << 16);
	nf_buf_init(&text, 1 << 16);
	nf_head_setup(&s->before, &setup);
	nf_head_clock(&s->clock, &a, &clock);
	if (nf_text_head(&setup, (int)nf_posture_lane(&s->before), &clock, &text) == 0 &&
	    nf_text_printable(&text) == 0)
		w->header(w->ctx, text.data);
	nf_buf_fini(&text);
	nf_arena_fini(&a);
}

static void text(const void *record, struct nf_buf *out)
{
	nf_text_window(record, out);
}

static int check_opts(const struct nf_window *win, const struct plan *p, struct nf_err *err)
{
	struct nf_cpuset cpus;

	if (p->smi_samples > MAX_REPEATS || p->numa_samples > MAX_REPEATS)
		return nf_fail(err, NF_EARG, "at most %d samples of a step", MAX_REPEATS);
	if (!win->opts->cpus)
		return 0;
	nf_cpuset_init(&cpus);
	int r = nf_topology_select(win->session.topo, win->opts->cpus, &cpus, err);
	nf_cpuset_fini(&cpus);
	return r;
}

int nf_job_window(const struct nf_job_opts *o, const struct nf_window_opts *w,
                  struct nf_job_outcome *ret, struct nf_err *err)
{
	const struct plan p = plan_of(w);
	struct nf_window *win = calloc(1, sizeof(*win));
	struct nf_session *s;
	const void *step;
	int r;

	if (!win)
		return nf_fail_nomem(err, "window", sizeof(*win));
	win->opts = w;
	s = &win->session;
	s->root.dirfd = -1;
	s->under = w->under;
	s->seed = w->seed;
	r = nf_session_open(s, o, err);
	if (r < 0)
		goto out;
	r = check_opts(win, &p, err);
	if (r < 0)
		goto out;
	r = nf_session_folder(s, reserve(win, &p), err);
	if (r < 0)
		goto out;
	r = nf_session_clock(s, err);
	if (r < 0)
		goto out;
	tell_header(win);

	win->record.schema = "WindowRun/1";
	win->record.profile = (int)w->profile;
	nf_job_budget_record(&o->budget, &win->record.budget);
	r = run(win, "clock", 0, 0, 1, &step, err);
	if (r < 0)
		goto out;
	win->record.clock = step;
	r = firmware_steps(win, &p, err);
	if (r < 0)
		goto out;
	r = under_load(win, &p, err);
	if (r < 0)
		goto out;
	win->record.steps = (struct nf_list){ win->step, win->n_steps };

	struct nf_verdict verdict;
	r = nf_window_conclude(win, &verdict, err);
	if (r < 0)
		goto out;
	r = nf_session_finish(s, &nf_rec_window_run_type, &win->record, &win->record.head, &verdict,
	                      text, ret, err);
out:
	nf_session_close(s);
	free(win);
	return r;
}
