/* SPDX-License-Identifier: MIT */
/* compat_measure - the fwq probe for the programs of other names: no run folder, their file instead. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/compat.h"
#include "cli/fwq_output.h"
#include "cli/jobs.h"
#include "job/job.h"
#include "measure/probe_fwq.h"

enum { CPU_TEXT = 12 };

static int write_streams(const struct nf_compat_fwq *f, const struct nf_probe_run *run,
                         const struct nf_sink *sink, struct nf_err *err)
{
	const struct nf_fwq_result *result = run->result;
	struct nf_fwq_worker_text *w = calloc(run->n_streams, sizeof(*w));
	char(*cpu)[CPU_TEXT] = calloc(run->n_streams, sizeof(*cpu));
	int r = 0;

	if (!w || !cpu)
		r = nf_fail_nomem(err, "the workers", run->n_streams * sizeof(*w));
	for (size_t i = 0; i < run->n_streams && r == 0; i++) {
		const struct nf_stream *s = &run->streams[i];
		int64_t sum = 0;

		r = nf_fwq_sum(s->value, s->n, &sum, err);
		snprintf(cpu[i], sizeof(cpu[i]), "%d", result->worker[i].cpu);
		w[i] = (struct nf_fwq_worker_text){ .index = (int)i,
			                            .cpus = cpu[i],
			                            .seconds = (double)sum / s->tick_hz,
			                            .ghz = s->tick_hz / 1e9,
			                            .value = s->value,
			                            .n = s->n };
	}
	if (r == 0)
		r = nf_fwq_write(f->form, w, run->n_streams, sink, err);
	free(cpu);
	free(w);
	return r;
}

static int say_threads(struct nf_cli *cli, const struct nf_probe_run *run, struct nf_err *err)
{
	const struct nf_fwq_result *result = run->result;
	int r = 0;

	for (size_t i = 0; i < run->n_streams && r == 0; i++)
		r = nf_compat_say(cli, err, "Thread %zu running on CPUs %d\n", i,
		                  result->worker[i].cpu);
	return r;
}

static int write_run(struct nf_cli *cli, const struct nf_compat_fwq *f,
                     const struct nf_probe_run *run, struct nf_fwq_output *output,
                     struct nf_err *err)
{
	struct nf_sink sink = nf_fwq_output_sink(output, cli);
	int r = f->say_threads && f->path ? say_threads(cli, run, err) : 0;

	if (r == 0)
		r = write_streams(f, run, &sink, err);
	if (r == 0)
		r = nf_fwq_output_commit(output, err);
	return r;
}

static void tell(const struct nf_cli *cli, const struct nf_compat_fwq *f,
                 const struct nf_probe_run *run)
{
	for (size_t i = 0; i < run->n_notes; i++)
		nf_cli_note(cli, "%s", run->note[i]);
	for (size_t i = 0; i < run->n_streams; i++)
		if (run->streams[i].n_dropped)
			nf_cli_note(cli, "%s: %llu samples were dropped", run->streams[i].name,
			            (unsigned long long)run->streams[i].n_dropped);
	if (run->stopped_by)
		nf_cli_note(cli, "ended by %s; what was sampled is in %s",
		            nf_stop_name(cli->stop, run->stopped_by),
		            f->path ? f->path : "standard output");
}

static size_t half_of_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

	return pages > 0 && bytes > 0 ? (size_t)pages / 2 * (size_t)bytes : (size_t)256 << 20;
}

int nf_compat_measure(struct nf_cli *cli, const struct nf_compat_fwq *f, struct nf_err *err)
{
	const struct nf_job_opts job = { .clock = NF_TICK_AUTO,
		                         .stop = cli->stop,
		                         .no_journal = "it changes nothing" };
	struct nf_fwq_output output;
	struct nf_probe_run run = { 0 };
	struct nf_fwq_cfg *cfg = NULL;
	void *config = NULL;

	int r = nf_fwq_output_open(f->path, f->force, "output file", &output, err);
	if (r < 0)
		return r;
	r = nf_compat_say(cli, err, "%s", f->banner);
	if (r == 0)
		r = nf_probe_config(&nf_probe_fwq, sizeof(struct nf_fwq_cfg), &config, err);
	if (r < 0)
		goto out;
	cfg = config;
	cfg->common.cpus = f->cpus;
	cfg->common.max_sample_bytes = half_of_memory();
	cfg->n_threads = f->n_threads;
	cfg->n_samples = f->n_samples;
	cfg->work = (uint64_t)1 << f->bits;
	cfg->kernel = NF_KERNEL_NOP; /* a counted loop, as those programs have */
	r = nf_job_cpus_blame(nf_job_bare_probe(&job, &nf_probe_fwq, cfg, &run, err), f->cpus, err);
	if (r < 0)
		goto out;
	tell(cli, f, &run);
	r = write_run(cli, f, &run, &output, err);
	if (r == 0 && run.stopped_by)
		r = 128 + run.stopped_by;
	nf_probe_run_fini(&nf_probe_fwq, &run);
out:
	free(config);
	nf_fwq_output_fini(&output);
	return r;
}
