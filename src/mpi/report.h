/* SPDX-License-Identifier: MIT */
/* report - the record's body from what the ranks have merged. On rank 0; no MPI calls. */
#ifndef NF_MPI_REPORT_H
#define NF_MPI_REPORT_H

#include "job/session.h"
#include "mpi/job.h"
#include "record/rec_mpi.h"

/* What else the body says. */
struct nf_mpi_facts {
	const struct nf_mpi *m;
	const struct nf_mpi_params *params;
	const struct nf_launch *launch;
	const struct nf_mpi_plan *plan;
	const struct nf_mpi_merged *all;
	bool nodes_alike;
	uint64_t growth_bytes;
	bool has_growth;
	const char *samples_file; /* below the run folder; NULL: not kept */
};

/* Texts and lists live in the session's arena; digests of the files are taken. */
NF_NODISCARD int nf_mpi_body_fill(struct nf_session *s, const struct nf_mpi_facts *f,
                                  struct nf_rec_mpi_body *ret, struct nf_err *err);
extern const char nf_mpi_claim_ceiling[];

#endif
