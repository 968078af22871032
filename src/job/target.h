/* SPDX-License-Identifier: MIT */
/* target - a command of this program on another machine (remote/deploy.h), and its evidence in a run folder here: the same
 * folder that the other machine made, checked before it gets its name. */
#ifndef NF_JOB_TARGET_H
#define NF_JOB_TARGET_H

#include "job/job.h"
#include "remote/deploy.h"

/* A word of the command line there: before FOLDER behind, or before alone. */
struct nf_target_word {
	const char *before;
	const char *behind; /* NULL: the folder on the target does not come into it */
};

/* A file that goes along, to FOLDER/name. */
struct nf_target_file {
	const char *name;
	const void *data;
	size_t len_bytes;
};

struct nf_target_job {
	struct nf_deploy_cfg deploy;
	const char *how; /* "ssh USER@HOST": for the record, with as whom it was run there */
	const struct nf_target_word *words;
	size_t n_words;
	const struct nf_target_file *files;
	size_t n_files;
	bool as_root; /* where the target allows it without a password */
	bool keeps_run; /* its words say --runs FOLDER/runs; else its standard output is the result */
	int64_t timeout_ns;
	const char *runs_dir; /* here */
	int owner_uid, owner_gid; /* nf_job_opts */
};

struct nf_target_result {
	int status; /* the exit status there; 0 to 254 */
	bool stopped; /* by a stop request here */
	bool timed_out;
	bool has_run; /* folder, summary and json are filled */
	bool left_there; /* the folder on the target may not be removed */
	char message[NF_SAID_LINE]; /* the last line that it wrote to standard error */
	struct nf_buf folder; /* path of the run folder here */
	struct nf_buf summary; /* its summary, or what the command printed; safe for a terminal */
	struct nf_buf json; /* its record.json; nothing in it that a terminal obeys */
};
void nf_target_result_init(struct nf_target_result *r);
void nf_target_result_fini(struct nf_target_result *r);

/* -NF_EDATA: what came back is no run, is damaged, or holds control characters: nothing is kept of it. Others as
 * deploy.h. The target is left clean on every way out, as far as it can be reached. */
NF_NODISCARD int nf_job_target(const struct nf_target_job *job, struct nf_target_result *ret,
                               struct nf_err *err);

#endif
