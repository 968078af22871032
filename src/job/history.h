/* SPDX-License-Identifier: MIT */
/* history - one figure over the runs of a folder: the index brought up to date, the series, and where
 * their level changed. Advisory: no verdict rests on it. */
#ifndef NF_JOB_HISTORY_H
#define NF_JOB_HISTORY_H

#include "job/job.h"
#include "store/store.h"

#define NF_HISTORY_INDEX NF_STORE_NAME

struct nf_history_opts {
	const char *runs_dir;
	const char *metric; /* NULL: list what there is */
	const char *host; /* label or machine hash; NULL: every */
	const char *tag;
	const char *lane;
	double min_ratio; /* smallest change reported, 0.01: 1 %; where every value is above 0 */
	uint64_t seed;
};

/* -NF_EARG: no such metric or folder. -NF_ENODATA: no committed run here has it. The outcome's exit code
 * is 0; its folder is empty. */
NF_NODISCARD int nf_job_history(const struct nf_history_opts *o, struct nf_job_outcome *ret,
                                struct nf_err *err);

#endif
