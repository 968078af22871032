/* SPDX-License-Identifier: MIT */
#include "mpi/launch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The first row whose markers are all set names the launcher. Open MPI's mpirun and MPICH's mpiexec start their own
 * daemons through Slurm or Flux, whose variables reach the tasks too and count the daemons: so they come
 * first. A batch script has SLURM_NTASKS without being a task: only a step counts. */
/* clang-format off */
static const struct row {
	const char *launcher, *marker, *size, *rank;
} rows[] = {
	{ "Open MPI mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
	{ "MPICH mpiexec",   "HYDI_CONTROL_FD PMI_SIZE", "PMI_SIZE",         "PMI_RANK" },
	{ "Slurm (PMI)",     "SLURM_STEP_ID PMI_SIZE", "PMI_SIZE",           "PMI_RANK" },
	{ "Flux",            "FLUX_JOB_SIZE",        "FLUX_JOB_SIZE",        "FLUX_TASK_RANK" },
	{ "PMI",             "PMI_SIZE",             "PMI_SIZE",             "PMI_RANK" },
	{ "Slurm",           "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
	{ "Slurm",           "SLURM_STEP_ID SLURM_NTASKS", "SLURM_NTASKS",   "SLURM_PROCID" },
	{ "PMIx",            "PMIX_RANK",            NULL,                   "PMIX_RANK" },
};
/* clang-format on */

static const char *value_of(const char *const *env, const char *name, size_t len)
{
	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	return NULL;
}

/* At least `least`, decimal digits only; else absent. */
static long number(const char *const *env, const char *name, long least, long absent)
{
	const char *text = name ? value_of(env, name, strlen(name)) : NULL;
	char *end = NULL;

	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return absent;
	errno = 0;
	long v = strtol(text, &end, 10);
	return errno == 0 && v >= least ? v : absent;
}

/* Every name of the list is set. */
static bool all_set(const char *const *env, const char *names)
{
	while (*names) {
		size_t len = strcspn(names, " ");

		if (!value_of(env, names, len))
			return false;
		names += len + (names[len] == ' ');
	}
	return true;
}

void nf_launch_read(const char *const *env, struct nf_launch *ret)
{
	struct nf_launch l = { .rank = -1 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !l.launcher; i++) {
		const struct row *r = &rows[i];

		if (!all_set(env, r->marker))
			continue;
		l.launcher = r->launcher;
		l.size = number(env, r->size, 1, 0);
		l.size_name = l.size > 0 ? r->size : NULL;
		l.rank = number(env, r->rank, 0, -1);
	}
	*ret = l;
}

int nf_launch_check(const struct nf_launch *l, int mpi_size, const char *library,
                    struct nf_err *err)
{
	if (mpi_size > 1 || l->size <= 1)
		return 0;
	return nf_fail(err, NF_EUNSUPPORTED,
	               "%s started %ld tasks (%s=%ld), but MPI sees a job of one rank in each of "
	               "them: %s does not speak this launcher's protocol; use its own launcher or "
	               "another --mpi of srun (MPICH: pmi2, Open MPI: pmix), or --single to "
	               "measure one rank all the same",
	               l->launcher, l->size, l->size_name, l->size, library);
}
