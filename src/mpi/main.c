/* SPDX-License-Identifier: MIT */
/* main - options in, job run, exit code out. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_info.h"
#include "mpi/job.h"

enum { DOCS_BYTES = 1 << 18, PAIRS = 32 };

/* What launchers say about the job, and what changes how it runs. */
static const char *const environment_names[] = {
	"LANG",
	"LC_ALL",
	"LD_PRELOAD",
	"LD_LIBRARY_PATH",
	"GLIBC_TUNABLES",
	"MALLOC_ARENA_MAX",
	"HWLOC_XMLFILE",
	"SLURM_JOB_ID",
	"SLURM_STEP_ID",
	"SLURM_STEP_NUM_TASKS",
	"SLURM_STEP_NUM_NODES",
	"SLURM_CPUS_PER_TASK",
	"SLURM_CPU_BIND",
	"SLURM_DISTRIBUTION",
	"FLUX_JOB_ID",
	"FLUX_JOB_SIZE",
	"OMPI_COMM_WORLD_SIZE",
	"OMPI_MCA_rmaps_base_oversubscribe",
	"PMI_SIZE",
	"MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
	NULL,
};
_Static_assert(sizeof(environment_names) / sizeof(environment_names[0]) <= PAIRS, "room");

static const char *program = "noisefloor-mpi";

static void say(const char *text)
{
	char line[600];

	snprintf(line, sizeof(line), "%s", text);
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = ' ';
	fprintf(stderr, "%s: %s\n", program, line);
}

/* Pairs of the environment by name; they stay where environ has them. */
static void pick_environment(const char *ret[PAIRS + 1])
{
	size_t n = 0;

	for (const char *const *name = environment_names; *name; name++) {
		size_t len = strlen(*name);

		for (char **e = environ; *e; e++)
			if (strncmp(*e, *name, len) == 0 && (*e)[len] == '=')
				ret[n++] = *e;
	}
	ret[n] = NULL;
}

static int print_docs(const struct nf_mpi_params *p)
{
	struct nf_buf out;
	int code = 0;

	nf_buf_init(&out, DOCS_BYTES);
	if (p->version)
		(void)nf_buf_adds(&out, "noisefloor-mpi " NF_VERSION "\n");
	else if (p->print_man)
		nf_mpi_options_man(&out);
	else
		nf_mpi_options_help(p->as_fwq_mpi, &out);
	if (out.failed || fwrite(out.data, 1, out.len_bytes, stdout) != out.len_bytes ||
	    fflush(stdout) != 0) {
		say("cannot write standard output");
		code = 4;
	}
	nf_buf_fini(&out);
	return code;
}

/* Before MPI, whose launcher may have started many of us: one of them speaks. */
static int refuse(const struct nf_launch *l, int r, const struct nf_err *err)
{
	if (l->rank <= 0)
		say(err->msg);
	return nf_exit_code(r);
}

static int run(const struct nf_mpi_params *p, const struct nf_launch *launch, int argc,
               char *const argv[])
{
	const char *pairs[PAIRS + 1];
	const struct nf_mpi_start start = {
		.params = p, .launch = launch, .argc = argc, .argv = argv, .environment = pairs
	};
	struct nf_err err = { 0 };
	struct nf_mpi m;
	int size = 0;

	pick_environment(pairs);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int r = p->single ? 0 : nf_launch_check(launch, size, NF_MPI_LIBRARY, &err);
	if (r < 0)
		return refuse(launch, r, &err);
	nf_mpi_open(&m);
	r = nf_mpi_job_run(&m, &start, &err);
	if (r < 0 && m.rank == 0)
		say(err.msg);
	else if (r > 128 && m.rank == 0)
		say("stopped before its end: what was sampled is kept");
	nf_mpi_close(&m);
	return r < 0 ? nf_exit_code(r) : r;
}

int main(int argc, char **argv)
{
	struct nf_mpi_params params;
	struct nf_launch launch;
	struct nf_err err = { 0 };
	int provided = 0;

	nf_launch_read((const char *const *)environ, &launch);
	int r = nf_mpi_options_parse(argc, argv, &params, &err);
	if (r < 0)
		return refuse(&launch, r, &err);
	if (params.as_fwq_mpi)
		program = "fwq-mpi";
	if (params.help || params.version || params.print_man)
		return launch.rank <= 0 ? print_docs(&params) : 0;
	/* Calibration starts threads, which do not call MPI. */
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	int code = run(&params, &launch, argc, argv);
	MPI_Finalize();
	return code;
}
