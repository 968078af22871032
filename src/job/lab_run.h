/* SPDX-License-Identifier: MIT */
/*
 * lab_run - campaigns: boards are booted again and again, all of them from this process, and timed (BootCampaign/1).
 *
 * Everything that can be wrong is looked for before any power is switched: files, names, devices, images, consoles
 * that cannot be had. Then each board goes through its plan (job/lab_plan.h) on its own; what fails with one is in the
 * record and disturbs no other. Attempts are kept as they end (job/lab_attempt.h), so that a program that is killed loses
 * none, and --resume goes on from there.
 *
 * lab_run_check.c reads and checks, lab_run_resume.c takes over earlier attempts, lab_run_drive.c boots, lab_run_record.c makes
 * the record, lab_run_plan.c tells what would be done.
 */
#ifndef NF_JOB_LAB_RUN_H
#define NF_JOB_LAB_RUN_H

#include "board/outcome.h"
#include "job/job.h"

enum nf_lab_event_kind {
	NF_LAB_EVENT_BEGIN, /* an attempt */
	NF_LAB_EVENT_STATE, /* text: what it does now */
	NF_LAB_EVENT_MARK, /* text: a phase that was reached */
	NF_LAB_EVENT_NOTE, /* text: worth telling */
	NF_LAB_EVENT_END, /* text: the outcome's words */
	NF_LAB_EVENT_OVER, /* the board has nothing left to do */
};

struct nf_lab_event {
	enum nf_lab_event_kind kind;
	size_t board; /* index, as many as files */
	const char *name; /* of the board */
	const char *config; /* as in nf_lab_turn; NULL with OVER */
	uint64_t run, attempt;
	uint64_t done, of; /* runs that have a result, and all of them */
	const char *text; /* borrowed until the call returns; NULL: none */
	enum nf_outcome_class class; /* END */
	int64_t wall_ns; /* since the attempt began */
};

struct nf_lab_run_watch {
	void *ctx;
	void (*event)(void *ctx, const struct nf_lab_event *e);
	void (*advice)(void *ctx, const char *text); /* about a port, before anything is done */
};

struct nf_lab_run_opts {
	const char *const *file; /* campaign files, one a board */
	size_t n_files;
	int64_t runs; /* 0: as each file says */
	const char *const *config; /* names; none: all */
	size_t n_configs;
	const char *resume; /* run folder; NULL: a new campaign */
	const char *
	        search; /* folders that power commands are looked for in, as PATH; NULL: not looked for */
	const struct nf_lab_run_watch *watch; /* may be NULL */
};

/* The whole. -NF_EDATA (with file, line, column), -NF_EARG, -NF_ESUBJECT: refused, nothing was switched and there is no
 * run folder. Exit code: 0 every run is ok; 5 one failed; 2 one cannot be as it is asked for; 130, 143 stopped. */
NF_NODISCARD int nf_job_lab_run(const struct nf_job_opts *o, const struct nf_lab_run_opts *lab,
                                struct nf_job_outcome *ret, struct nf_err *err);
/* The same checks, consoles opened and closed again, nothing switched; summary and json tell what would be done. */
NF_NODISCARD int nf_job_lab_dry_run(const struct nf_job_opts *o, const struct nf_lab_run_opts *lab,
                                    struct nf_job_outcome *ret, struct nf_err *err);

#endif
