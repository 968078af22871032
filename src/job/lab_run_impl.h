/* SPDX-License-Identifier: MIT */
/* lab_run_impl - what the parts of lab_run share. */
#ifndef NF_JOB_LAB_RUN_IMPL_H
#define NF_JOB_LAB_RUN_IMPL_H

#include "board/campaign_host.h"
#include "job/lab_attempt.h"
#include "job/lab_board.h"
#include "job/lab_phases.h"
#include "job/lab_plan.h"
#include "job/lab_run.h"
#include "job/session.h"

struct nf_run_config {
	const struct nf_campaign_config *config; /* borrowed from the campaign */
	const char *label; /* NAME, or BOARD.NAME where there are several boards */
	struct nf_campaign_image image[NF_CAMPAIGN_LOADS_MAX];
	size_t n_images;
	struct nf_rec_boot_image *images; /* the same for records */
	struct nf_list declared; /* likewise */
	struct nf_dialogue_opts dialogue;
	struct nf_lab_opts lab; /* how its captures are read */
};

enum nf_run_state {
	NF_RUN_NEXT, /* between two attempts */
	NF_RUN_WAITS, /* for its port or its switch to come back */
	NF_RUN_TALKS,
	NF_RUN_OVER,
};

struct nf_run_board {
	struct nf_run *run; /* borrowed */
	size_t index;
	const char *path; /* of its campaign file */
	struct nf_buf text; /* the file */
	char sha256[NF_SHA256_HEX];
	struct nf_campaign campaign;
	const char *name;
	struct nf_run_config *config;
	size_t n_configs;
	struct nf_lab_plan plan;
	struct nf_lab_board lab;
	struct nf_err power_failed; /* code set: the power did not end as asked */
	/* Of the attempt. */
	enum nf_run_state state;
	struct nf_lab_turn turn;
	const char *attempt; /* name of its folder */
	struct nf_instant began_utc, began_raw;
	int64_t give_up_ns; /* CLOCK_MONOTONIC_RAW: until then its port is waited for */
	int64_t try_ns; /* next */
	struct nf_lab_talk_watch watch;
};

/* One attempt of this campaign, taken over ones too; a list, newest first. */
struct nf_run_attempt {
	struct nf_run_attempt *next;
	const struct nf_run_board *board;
	size_t config;
	const char *name;
	struct nf_rec_boot_end end;
};

struct nf_run {
	const struct nf_job_opts *job;
	const struct nf_lab_run_opts *opts;
	struct nf_session session; /* its arena has all of this */
	struct nf_run_board *board;
	size_t n_boards;
	size_t n_opened; /* boards with lab opened */
	struct nf_run_attempt *attempts;
	size_t n_attempts;
	struct nf_lab_loop loop;
};

/* lab_run_check.c: fills boards, plans included. Nothing is opened. The arena is there already. */
NF_NODISCARD int nf_run_check(struct nf_run *x, struct nf_err *err);
void nf_run_free(struct nf_run *x); /* what nf_run_check() made */

/* lab_run_resume.c: tells plans and attempts what is in opts->resume. Nothing is written. */
NF_NODISCARD int nf_run_resume(struct nf_run *x, struct nf_err *err);
/* Copies those attempts into the new run folder. */
NF_NODISCARD int nf_run_take_over(struct nf_run *x, struct nf_err *err);
/* Keeps the campaign files in the run folder, for a later resume. */
NF_NODISCARD int nf_run_keep_campaigns(struct nf_run *x, struct nf_err *err);

/* lab_run_drive.c: ports, then guards, all or none. */
NF_NODISCARD int nf_run_open_boards(struct nf_run *x, bool power, struct nf_err *err);
/* As if they had never been opened: no power is set. */
void nf_run_drop_boards(struct nf_run *x);
/* Boots until all is done or it is stopped. */
NF_NODISCARD int nf_run_drive(struct nf_run *x, struct nf_err *err);
/* Ends all that goes on; the power is as the campaigns say. */
NF_NODISCARD int nf_run_close_boards(struct nf_run *x, struct nf_err *err);

NF_NODISCARD int nf_run_add_attempt(struct nf_run *x, const struct nf_run_board *b, size_t config,
                                    const char *name, const struct nf_rec_boot_end *end,
                                    struct nf_err *err);

/* lab_run_check.c: what is known of an attempt before it begins. */
struct nf_rec_boot_end nf_run_end(const struct nf_run_board *b, const struct nf_lab_turn *t);

/* lab_run_record.c */
NF_NODISCARD int nf_run_record(struct nf_run *x, struct nf_rec_boot_campaign *c,
                               struct nf_err *err);

#endif
