/* SPDX-License-Identifier: MIT */
#include "mpi/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/fwq_calibrate.h"
#include "mpi/content.h"
#include "mpi/node.h"
#include "mpi/report.h"
#include "report/text_mpi.h"

enum { RESERVE_BYTES = 8 << 20, RANK_LINE_BYTES = 512, SPARE_SAMPLES = 1024 };
static const char samples_name[] = "samples/fwq.nfsamples";

struct job {
	struct nf_mpi *m;
	const struct nf_mpi_start *start;
	const struct nf_mpi_params *p;
	struct nf_job_opts opts;
	struct nf_session session; /* of rank 0 */
	bool has_folder;
	char folder[NF_MPI_PATH_BYTES]; /* on all ranks */
	struct nf_mpi_node node;
	struct nf_mpi_plan plan;
	struct nf_mpi_place place;
	struct nf_mpi_measured got;
	struct nf_mpi_rank own;
	struct nf_mpi_merged
	        *blocks; /* owned: this rank's, the node's (leader), the job's (rank 0) */
	struct nf_mpi_merged *of_rank, *of_node, *of_job;
	uint64_t growth_bytes; /* the most seen so far */
};

/* --- before measuring --- */

static bool keeps_samples(const struct job *j)
{
	return !j->p->as_fwq_mpi && !j->p->no_samples;
}

/* Room for raw samples per rank, as far as it is known before the work is. */
static int fill_counts(struct job *j, struct nf_err *err)
{
	const struct nf_mpi_params *p = j->p;
	int64_t room = p->max_sample_bytes / (int64_t)sizeof(int64_t);

	j->plan.kernel = p->kernel;
	j->plan.duration_ns = p->duration_given ? p->duration_ns : 0;
	j->plan.n_samples = p->duration_given && !p->samples_given ? 0 : p->samples;
	if (j->plan.n_samples <= room)
		return 0;
	return nf_fail(
	        err, NF_EARG,
	        "--samples %lld: 8 bytes each exceed --max-sample-bytes %lld; allowed: at most "
	        "%lld samples",
	        (long long)p->samples, (long long)p->max_sample_bytes, (long long)room);
}

static uint64_t bytes_to_expect(const struct job *j)
{
	uint64_t ranks = (uint64_t)j->m->size, per_rank = (uint64_t)j->plan.n_samples, n;

	if (per_rank == 0 && j->p->work == 0)
		per_rank = (uint64_t)(j->p->duration_ns / j->p->quantum_ns);
	if (!keeps_samples(j) || __builtin_mul_overflow(per_rank, ranks, &n))
		n = 0;
	return RESERVE_BYTES + ranks * RANK_LINE_BYTES +
	       nf_mpi_samples_bytes(j->m->size, n < UINT64_MAX / 16 ? n : UINT64_MAX / 16);
}

/* What only rank 0 does: everything that can be refused, the machine, the run folder. */
static int open_session(struct job *j, struct nf_err *err)
{
	const struct nf_mpi_params *p = j->p;
	int r = 0;

	if (keeps_samples(j) || (p->output && p->format == NF_MPI_NOISEFLOOR))
		r = nf_mpi_samples_check(j->m->size, err);
	if (r == 0 && p->output)
		r = nf_mpi_file_check(p->output, p->force, p->as_fwq_mpi ? "-o" : "--output", err);
	if (r == 0)
		r = nf_session_open(&j->session, &j->opts, err);
	if (r == 0 && !p->as_fwq_mpi) {
		r = nf_session_folder(&j->session, bytes_to_expect(j), err);
		j->has_folder = r == 0;
	}
	if (r == 0)
		r = nf_session_clock(&j->session, err);
	return r;
}

static int share_folder(struct job *j, struct nf_err *err)
{
	if (j->p->as_fwq_mpi)
		return 0;
	if (j->m->rank == 0) {
		int n = snprintf(j->folder, sizeof(j->folder), "%s",
		                 nf_runfolder_path(j->session.folder));

		if (n >= (int)sizeof(j->folder) - 256)
			j->folder[0] = '\0';
	}
	MPI_Bcast(j->folder, (int)sizeof(j->folder), MPI_CHAR, 0, j->m->world);
	if (!j->folder[0])
		return nf_fail(err, NF_EARG, "--runs: the path is too long; allowed: 3800 bytes");
	return nf_mpi_node_setup_keep(j->m, &j->opts, j->folder, err);
}

/* Rank 0 times the work on its own CPU, under the ordinary policy; the others do the same work. */
static int choose_work(struct job *j, struct nf_err *err)
{
	struct nf_fwq_calibration cal = { 0 };
	const struct nf_mpi_params *p = j->p;
	struct nf_mpi_plan *plan = &j->plan;
	MPI_Request request;
	int r = 0;

	if (j->m->rank == 0) {
		r = nf_fwq_calibrate(&j->session.env, j->place.cpu, (enum nf_kernel_id)p->kernel,
		                     (uint64_t)p->work, p->quantum_ns ? p->quantum_ns : 1000000,
		                     &cal, err);
		if (r == 0) {
			int64_t room = p->max_sample_bytes / (int64_t)sizeof(int64_t);
			double expected =
			        (double)plan->duration_ns / cal.quantum_ns * 1.25 + SPARE_SAMPLES;
			bool counted = plan->n_samples > 0 && (plan->duration_ns == 0 ||
			                                       (double)plan->n_samples <= expected);

			plan->work = cal.work;
			plan->quantum_ns = cal.quantum_ns;
			plan->iteration_ns = cal.iteration_ns;
			plan->drop = !counted;
			if (!counted)
				plan->n_samples =
				        expected < (double)room ? (int64_t)expected : room;
		}
	}
	r = nf_mpi_agree(j->m, r, err);
	if (r < 0)
		return r;
	MPI_Ibcast(plan, (int)sizeof(*plan), MPI_BYTE, 0, j->m->world, &request);
	nf_mpi_wait(&request);
	return 0;
}

static int begin(struct job *j, struct nf_err *err)
{
	int r = fill_counts(j, err);

	if (r == 0 && j->m->rank == 0)
		r = open_session(j, err);
	if (r == 0)
		r = nf_mpi_node_open(j->m, j->m->rank == 0 ? &j->session : NULL, j->opts.clock,
		                     &j->node, err);
	r = nf_mpi_agree(j->m, r, err);
	if (r < 0)
		return r;
	nf_mpi_node_share(j->m, &j->node);
	r = nf_mpi_agree(j->m, share_folder(j, err), err);
	if (r < 0)
		return r;
	r = nf_mpi_agree(j->m, nf_mpi_place_read(j->m, j->p->pin, &j->place, err), err);
	if (r < 0)
		return r;
	r = nf_mpi_place_compare(j->m, &j->place, err);
	return r < 0 ? r : choose_work(j, err);
}

/* --- after measuring --- */

static void note_growth(struct job *j)
{
	const struct nf_stream *s = &j->got.stream;
	uint64_t now = nf_mpi_memory_bytes(), base = j->m->memory_at_init_bytes;

	base += (uint64_t)s->cap * sizeof(*s->value);
	if (now > base && now - base > j->growth_bytes)
		j->growth_bytes = now - base;
}

static int merge(struct job *j, struct nf_err *err)
{
	size_t n = j->m->rank == 0 ? 3 : nf_mpi_is_leader(j->m) ? 2 : 1;
	int r = 0;

	j->blocks = calloc(n, sizeof(*j->blocks));
	if (!j->blocks)
		r = nf_fail_nomem(err, "statistics", n * sizeof(*j->blocks));
	if (r == 0) {
		j->of_rank = &j->blocks[0];
		j->of_node = n > 1 ? &j->blocks[1] : NULL;
		j->of_job = n > 2 ? &j->blocks[2] : NULL;
		r = nf_mpi_merge_own(j->m, &j->place, &j->got, &j->own, j->of_rank, err);
	}
	r = nf_mpi_agree(j->m, r, err);
	if (r < 0)
		return r;
	nf_mpi_merge_reduce(j->m->node, j->of_rank, j->of_node);
	if (nf_mpi_is_leader(j->m))
		nf_mpi_merge_reduce(j->m->leaders, j->of_node, j->of_job);
	note_growth(j);
	return 0;
}

/* Its content is written by a function of all ranks. */
enum content { SAMPLES, FWQ, RANKS, NODES };

static int write_file(struct job *j, const char *path, int mode, bool replace, enum content what,
                      struct nf_err *err)
{
	const struct nf_stream *s = &j->got.stream;
	struct nf_mpi_file f;
	int r = nf_mpi_file_open(j->m, path, mode, replace, &f, err);

	if (r < 0)
		return r;
	switch (what) {
	case SAMPLES:
		r = nf_mpi_samples_write(j->m, &f, s, err);
		break;
	case FWQ:
		r = nf_mpi_fwq_write(j->m, &f, &j->place, s, err);
		break;
	case RANKS:
		r = nf_mpi_ranks_write(j->m, &f, &j->own, err);
		break;
	case NODES:
		r = nf_mpi_nodes_write(j->m, &f, j->of_node, err);
		break;
	}
	if (r == 0)
		r = nf_mpi_file_finish(j->m, &f, err);
	if (r < 0)
		nf_mpi_file_abandon(j->m, &f);
	return r;
}

static int write_below(struct job *j, const char *name, enum content what, struct nf_err *err)
{
	char path[NF_MPI_PATH_BYTES];

	if (snprintf(path, sizeof(path), "%s/%s", j->folder, name) >= (int)sizeof(path))
		return nf_fail(err, NF_EARG, "--runs: the path is too long"); /* on all ranks */
	return write_file(j, path, 0600, false, what, err);
}

static int write_all(struct job *j, struct nf_err *err)
{
	const struct nf_mpi_params *p = j->p;
	int r = 0;

	if (keeps_samples(j))
		r = write_below(j, samples_name, SAMPLES, err);
	if (r == 0 && !p->as_fwq_mpi)
		r = write_below(j, "ranks.csv", RANKS, err);
	if (r == 0 && !p->as_fwq_mpi)
		r = write_below(j, "nodes.csv", NODES, err);
	if (r == 0 && p->output)
		r = write_file(j, p->output, 0666, p->force,
		               p->format == NF_MPI_NOISEFLOOR ? SAMPLES : FWQ, err);
	if (r == 0 && p->to_stdout)
		r = nf_mpi_fwq_write(j->m, NULL, &j->place, &j->got.stream, err);
	return r;
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_mpi(record, out);
}

static int print(const struct nf_mpi_params *p, const struct nf_job_outcome *o, struct nf_err *err)
{
	const struct nf_buf *b = p->json ? &o->json : &o->summary;

	if (p->quiet || (p->to_stdout && !p->json))
		return 0;
	errno = 0;
	if (fwrite(b->data, 1, b->len_bytes, stdout) != b->len_bytes ||
	    (!p->json && fprintf(stdout, "run      %s\n", o->folder.data) < 0) ||
	    fflush(stdout) != 0)
		return nf_fail_os(err, errno ? errno : EIO, "cannot write standard output");
	return 0;
}

/* Rank 0: the record, complete, and what people see of it. An exit code or a failure. */
static int conclude(struct job *j, uint64_t growth_bytes, struct nf_err *err)
{
	struct nf_session *s = &j->session;
	const struct nf_mpi_facts facts = {
		.m = j->m,
		.params = j->p,
		.launch = j->start->launch,
		.plan = &j->plan,
		.all = j->of_job,
		.nodes_alike = j->node.alike,
		.growth_bytes = growth_bytes,
		.has_growth = j->m->memory_at_init_bytes > 0,
		.samples_file = keeps_samples(j) ? samples_name : NULL,
	};
	struct nf_verdict v = { .result = NF_RESULT_PASS, .claim_ceiling = nf_mpi_claim_ceiling };
	struct nf_rec_mpi_noise_run record = { .schema = "MpiNoiseRun/1" };
	struct nf_job_outcome outcome;

	s->stopped_by = nf_stop_signo(&j->of_job->stop);
	if (s->stopped_by || j->of_job->dropped > 0 || j->of_job->clipped > 0) {
		v.result = NF_RESULT_PARTIAL;
		v.reason = s->stopped_by ? "stopped before its end" : "samples are incomplete";
	}
	nf_job_outcome_init(&outcome);
	int r = nf_mpi_body_fill(s, &facts, &record.body, err);
	if (r == 0)
		r = nf_session_finish(s, &nf_rec_mpi_noise_run_type, &record, &record.head, &v,
		                      text, &outcome, err);
	if (r == 0)
		r = print(j->p, &outcome, err);
	if (r == 0)
		r = outcome.exit_code;
	nf_job_outcome_fini(&outcome);
	return r;
}

static int finish(struct job *j, struct nf_err *err)
{
	uint64_t growth = 0;
	int stopped = 0, own_stop = nf_stop_signo(j->m->stop), code = 0;

	note_growth(j);
	MPI_Reduce(&j->growth_bytes, &growth, 1, MPI_UINT64_T, MPI_MAX, 0, j->m->world);
	MPI_Allreduce(&own_stop, &stopped, 1, MPI_INT, MPI_MAX, j->m->world);
	if (j->p->as_fwq_mpi)
		return stopped ? 128 + stopped : 0;
	if (j->m->rank == 0)
		code = conclude(j, growth, err);
	int r = nf_mpi_agree(j->m, code < 0 ? code : 0, err);
	if (r < 0)
		return r;
	MPI_Bcast(&code, 1, MPI_INT, 0, j->m->world);
	return code;
}

int nf_mpi_job_run(struct nf_mpi *m, const struct nf_mpi_start *start, struct nf_err *err)
{
	struct job j = { .m = m, .start = start, .p = start->params };

	j.opts = (struct nf_job_opts){ .runs_dir = j.p->runs,
		                       .tag = j.p->tag,
		                       .no_samples = j.p->no_samples,
		                       .clock = (enum nf_tick_want)j.p->clock,
		                       .budget = nf_job_budget_default(),
		                       .argc = start->argc,
		                       .argv = start->argv,
		                       .environment = start->environment,
		                       .owner_uid = -1,
		                       .owner_gid = -1,
		                       .stop = m->stop };
	int r = begin(&j, err);
	if (r == 0 && j.p->as_fwq_mpi && !j.p->to_stdout)
		r = nf_mpi_fwq_banner(m, &j.place, err);
	if (r == 0)
		r = nf_mpi_measure(m, &j.node.clock, &j.plan, &j.place, &j.got, err);
	if (r == 0)
		r = merge(&j, err);
	if (r == 0)
		r = write_all(&j, err);
	if (r == 0)
		r = finish(&j, err);
	free(j.blocks);
	nf_mpi_measured_fini(&j.got);
	nf_mpi_place_fini(&j.place);
	if (m->rank == 0)
		nf_session_close(&j.session);
	return r;
}
