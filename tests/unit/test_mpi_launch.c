/* SPDX-License-Identifier: MIT */
#include "mpi/launch.h"

#include "nf_unit.h"

/* Environments as launchers make them (Open MPI 4.1, MPICH 4.0, Slurm 22.05; Flux by its manual, flux-environment(7)),
 * cut to what matters and what could mislead. */
/* clang-format off */
static const struct {
	const char *what;
	const char *env[10];
	const char *launcher;
	long size, rank;
	int mpi_size;
	bool refused;
} cases[] = {
	{ "nothing", { "HOME=/root", NULL }, NULL, 0, -1, 1, false },
	{ "mpirun of Open MPI", { "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=1", "PMIX_RANK=1", NULL },
	  "Open MPI mpirun", 2, 1, 2, false },
	{ "MPICH's program under Open MPI's mpirun",
	  { "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=1", "PMIX_RANK=1", NULL }, "Open MPI mpirun", 2, 1, 1, true },
	{ "one rank under mpirun", { "OMPI_COMM_WORLD_SIZE=1", "OMPI_COMM_WORLD_RANK=0", NULL }, "Open MPI mpirun", 1, 0, 1, false },
	{ "mpiexec of MPICH", { "HYDI_CONTROL_FD=7", "PMI_RANK=0", "PMI_SIZE=4", "PMI_FD=8", "MPI_LOCALNRANKS=4", NULL },
	  "MPICH mpiexec", 4, 0, 4, false },
	{ "Open MPI's program under mpiexec of MPICH",
	  { "HYDI_CONTROL_FD=7", "PMI_RANK=3", "PMI_SIZE=4", NULL }, "MPICH mpiexec", 4, 3, 1, true },
	{ "srun --mpi=pmi2", { "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "SLURM_NTASKS=2", "SLURM_PROCID=1", "PMI_RANK=1",
	  "PMI_SIZE=2", "PMI_FD=12", NULL }, "Slurm (PMI)", 2, 1, 2, false },
	{ "MPICH under srun --mpi=none", { "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "SLURM_NTASKS=2", "SLURM_PROCID=1", NULL },
	  "Slurm", 2, 1, 1, true },
	{ "MPICH under srun --mpi=pmix", { "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "SLURM_NTASKS=2", "SLURM_PROCID=0",
	  "PMIX_RANK=0", "PMIX_NAMESPACE=slurm.pmix.3.0", NULL }, "Slurm", 2, 0, 1, true },
	{ "Open MPI under srun --mpi=pmix", { "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "SLURM_PROCID=0", "PMIX_RANK=0", NULL },
	  "Slurm", 2, 0, 2, false },
	{ "a batch script that runs the program itself", { "SLURM_JOB_ID=7", "SLURM_NTASKS=8", "SLURM_PROCID=0", NULL }, NULL, 0, -1, 1, false },
	{ "a step that only tells the job's tasks", { "SLURM_STEP_ID=1", "SLURM_NTASKS=8", "SLURM_PROCID=5", NULL }, "Slurm", 8, 5, 1, true },
	/* mpirun started its daemons as a step of 4; the job has one rank. */
	{ "mpirun inside a Slurm step", { "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=4", "OMPI_COMM_WORLD_SIZE=1", "OMPI_COMM_WORLD_RANK=0", NULL },
	  "Open MPI mpirun", 1, 0, 1, false },
	{ "Flux", { "FLUX_JOB_SIZE=8", "FLUX_JOB_NNODES=2", "FLUX_TASK_RANK=3", "PMI_RANK=3", "PMI_SIZE=8", NULL }, "Flux", 8, 3, 8, false },
	{ "a program that Flux's PMI does not reach", { "FLUX_JOB_SIZE=8", "FLUX_TASK_RANK=3", NULL }, "Flux", 8, 3, 1, true },
	{ "another PMI", { "PMI_SIZE=2", "PMI_RANK=1", NULL }, "PMI", 2, 1, 1, true },
	{ "PMIx alone", { "PMIX_RANK=3", NULL }, "PMIx", 0, 3, 1, false },
	{ "values that are no numbers", { "PMI_SIZE=two", "PMI_RANK=-1", NULL }, "PMI", 0, -1, 1, false },
	{ "an empty value", { "PMI_SIZE=", "PMI_RANK=99999999999999999999999", NULL }, "PMI", 0, -1, 1, false },
	{ "names that only begin alike", { "PMI_SIZES=9", "XPMI_SIZE=9", "PMI_SIZ=9", NULL }, NULL, 0, -1, 1, false },
	{ "fewer ranks than tasks, but more than one", { "PMI_SIZE=8", "PMI_RANK=0", NULL }, "PMI", 8, 0, 2, false },
};
/* clang-format on */

static void every_environment_is_told_from_the_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_launch l;

		nf_launch_read(cases[i].env, &l);
		if ((l.launcher == NULL) != (cases[i].launcher == NULL) ||
		    (l.launcher && strcmp(l.launcher, cases[i].launcher) != 0) ||
		    l.size != cases[i].size || l.rank != cases[i].rank)
			fail_msg("%s: launcher %s, size %ld, rank %ld", cases[i].what,
			         l.launcher ? l.launcher : "none", l.size, l.rank);
	}
}

static void jobs_of_one_rank_that_should_be_more_are_refused_in_one_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_err err = { .msg = "untouched" };
		struct nf_launch l;

		nf_launch_read(cases[i].env, &l);
		int r = nf_launch_check(&l, cases[i].mpi_size, "MPICH", &err);
		if (r != (cases[i].refused ? -NF_EUNSUPPORTED : 0))
			fail_msg("%s: %d", cases[i].what, r);
		if (!cases[i].refused) {
			assert_string_equal(err.msg, "untouched");
			continue;
		}
		assert_null(strchr(err.msg, '\n'));
		assert_non_null(strstr(err.msg, "MPICH"));
		assert_non_null(strstr(err.msg, l.size_name));
		assert_int_equal(nf_exit_code(r), 3);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_environment_is_told_from_the_others),
	cmocka_unit_test(jobs_of_one_rank_that_should_be_more_are_refused_in_one_line),
};

NF_UNIT_MAIN(tests)
