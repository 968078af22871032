/* SPDX-License-Identifier: MIT */
/*
 * lab_phases - boots of boards from their console logs: imported ones and captures of ours, as one BootCampaign.
 *
 * lab_files.c finds the logs and tells configuration and run, lab_read.c makes an attempt of each, lab_figures.c
 * the figures over runs, lab_findings.c what a reader has to know, lab_phases.c the record.
 */
#ifndef NF_JOB_LAB_PHASES_H
#define NF_JOB_LAB_PHASES_H

#include "board/import.h"
#include "board/phases.h"
#include "job/job.h"
#include "record/rec_boot_campaign.h"

enum { NF_LAB_NAMED_MAX = 16, NF_LAB_LOGS_MAX = 4096, NF_LAB_BAUD = 115200 };

struct nf_lab_named {
	const char *name;
	const char *text; /* config: glob; platform: "board" or "emulator", name NULL: of all */
};

/* Sees what a log is made from; both may be NULL. */
struct nf_lab_observer {
	void *ctx;
	/* Each line, before its phases are looked for. A failure ends the reading and is returned. */
	int (*line)(void *ctx, const struct nf_line *line, struct nf_err *err);
	/* Once all are read; r is gone afterwards. */
	void (*result)(void *ctx, const struct nf_phases_result *r);
};

struct nf_lab_opts {
	const char *const *path;
	size_t n_paths;
	const struct nf_import_form *form; /* NULL: found */
	struct nf_phases_opts phases; /* locate is set here */
	const char *const *value_unit; /* beside phases.value; NULL: a plain number */
	uint32_t baud; /* 0: the capture's, the kernel's, or NF_LAB_BAUD */
	const char *base; /* configuration that ratios are to; NULL: the first */
	struct nf_lab_named config[NF_LAB_NAMED_MAX];
	size_t n_configs;
	struct nf_lab_named platform[NF_LAB_NAMED_MAX];
	size_t n_platforms;
	const struct nf_lab_observer *observer; /* NULL: none */
	bool csv; /* the outcome's summary is a table instead of a text */
};

/* --- of the parts --- */

struct nf_lab_log {
	const char *path; /* of a capture: of its NAME.raw */
	const char *config;
	uint64_t run, attempt; /* run 0: not told by any name */
	bool tried; /* the attempt's number is told: several are attempts at one run */
	bool capture;
	bool found; /* in a folder; else it was named */
};
/* In the order of configuration, run and path; texts in a. -NF_EARG: a path is not there, or holds no log. */
NF_NODISCARD int nf_lab_find(const struct nf_lab_opts *o, struct nf_arena *a,
                             struct nf_lab_log **ret, size_t *ret_n, struct nf_err *err);

/* One log; config and run may be told by the log itself. */
NF_NODISCARD int nf_lab_read(const struct nf_lab_opts *o, struct nf_lab_log *log,
                             struct nf_arena *a, const struct nf_stop *stop,
                             struct nf_rec_boot_attempt *ret, struct nf_err *err);

/* An attempt of which there is no log: none of its phases was seen. */
NF_NODISCARD int nf_lab_read_none(const struct nf_lab_opts *o, const struct nf_lab_log *log,
                                  struct nf_arena *a, struct nf_rec_boot_attempt *ret,
                                  struct nf_err *err);

/* configs and ratios of c from its attempts, which are in order. */
NF_NODISCARD int nf_lab_figures(const struct nf_lab_opts *o, struct nf_arena *a,
                                struct nf_rec_boot_campaign *c, struct nf_err *err);
/* findings of c from the rest. */
NF_NODISCARD int nf_lab_findings(struct nf_arena *a, struct nf_rec_boot_campaign *c,
                                 struct nf_err *err);

/* The whole. -NF_EDATA: a log of no known form. Exit code 3 where no run has any phase or value; under strict
 * also where one run lacks a phase, the board restarted inside one, a log says that it failed, or a file was skipped. */
NF_NODISCARD int nf_job_lab_phases(const struct nf_job_opts *o, const struct nf_lab_opts *lab,
                                   struct nf_job_outcome *ret, struct nf_err *err);

#endif
