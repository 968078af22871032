/* SPDX-License-Identifier: MIT */
/*
 * job - what a command does from options to evidence: open the machine, measure, summarise, build the
 * record, write the run folder, judge.
 *
 * Jobs do not print; they hand out texts. One path: everything a caller can show was rendered from the
 * record that is in the run folder.
 */
#ifndef NF_JOB_JOB_H
#define NF_JOB_JOB_H

#include "base/buf.h"
#include "base/journal.h"
#include "base/stop.h"
#include "measure/probe.h"
#include "noisefloor/budget.h"
#include "record/rec_window.h"

/* Told by the controlling thread between and during steps, never inside a timed region. */
struct nf_job_watch {
	void *ctx;
	void (*header)(void *ctx, const char *text); /* once, lines about the host */
	void (*step_begin)(void *ctx, const char *name, int64_t estimate_ns);
	void (*step_progress)(void *ctx, const char *name, double fraction);
	void (*step_end)(void *ctx, const char *name, const char *text); /* its result, lines */
};

/* Limits that a run is judged by. Fields that are absent set no limit. */
struct nf_job_budget {
	struct nf_budget_ns timing;
	bool has_max_smi; /* SMIs per CPU in one window */
	uint64_t max_smi;
	bool has_max_hwlat_ns; /* longest gap of the hwlat tracer */
	int64_t max_hwlat_ns;
	bool has_max_noise_ratio; /* share of the time that fixed work, or the gap loop, lost */
	double max_noise_ratio;
	bool has_max_detour_ns; /* longest interruption of fixed work or of the gap loop */
	int64_t max_detour_ns;
};

enum nf_expect_lane { NF_EXPECT_ANY, NF_EXPECT_GENERIC, NF_EXPECT_RT };

struct nf_job_opts {
	const char *runs_dir;
	const char *tag; /* NULL: the command's name */
	bool strict;
	bool no_samples; /* keep summaries only */
	bool why; /* trace the kernel's events and name causes, where a step can */
	bool color; /* in texts */
	enum nf_tick_want clock;
	enum nf_expect_lane expect_lane;
	struct nf_job_budget budget; /* nf_job_budget_default() */
	const char *
	        budget_path; /* the file it was read from, for the record; NULL: options or defaults */
	int argc; /* the exact command, for the record */
	char *const *argv;
	const char *const
	        *environment; /* allow-listed "NAME=value" pairs, ends with NULL; may be NULL */
	int owner_uid; /* -1, or SUDO_UID/SUDO_GID: the run folder is given to them */
	int owner_gid;
	const struct nf_stop *stop;
	struct nf_journal
	        *journal; /* opened and recovered by the caller; NULL: nothing may be changed */
	const char *no_journal; /* why it is NULL, for a step that needs it; may be NULL */
	const char *reached; /* how this machine was reached from another; NULL: it was not */
	const char *recovered; /* what recovery did, one line; NULL: nothing was left changed */
	const struct nf_job_watch *watch; /* may be NULL */
};

struct nf_job_outcome {
	enum nf_rec_result result;
	int exit_code; /* 0, 1, 3, 130 or 143, with the ranks of tables/exit.def */
	struct nf_buf folder; /* path of the run folder; text */
	struct nf_buf summary; /* for people; the same as derived/summary.txt */
	struct nf_buf json; /* the same bytes as record.json */
};
void nf_job_outcome_init(struct nf_job_outcome *o);
void nf_job_outcome_fini(struct nf_job_outcome *o);

/* Period 4 ms, jitter 1 ms, latency 5 ms, no other limit. */
struct nf_job_budget nf_job_budget_default(void);
/* For another period: jitter a quarter of it, latency period plus jitter. */
struct nf_job_budget nf_job_budget_for_period(int64_t period_ns);
void nf_job_budget_record(const struct nf_job_budget *b, struct nf_rec_timing_budget *ret);
/* A budget file: lines "name = value" (period, max_jitter, max_latency, max_hwlat, max_detour:
 * durations; max_smi: count; max_noise: ratio or percentage), '#' comments. -NF_EDATA with
 * file:line:column. */
NF_NODISCARD int nf_job_budget_read(const char *path, struct nf_job_budget *ret,
                                    struct nf_err *err);

/* Runs one probe and keeps its evidence. cfg: the probe's config struct. A stop request is no
 * failure: partial, with exit code 130 or 143. -NF_EUNSUPPORTED: the probe cannot run here; nothing is
 * written then. */
NF_NODISCARD int nf_job_probe(const struct nf_job_opts *o, const struct nf_probe *probe,
                              const void *cfg, struct nf_job_outcome *ret, struct nf_err *err);

/* Runs one probe and hands out what it measured, without a record or a run folder: of o only the clock
 * and the stop flag matter. ret: nf_probe_run_fini(). */
NF_NODISCARD int nf_job_bare_probe(const struct nf_job_opts *o, const struct nf_probe *probe,
                                   const void *cfg, struct nf_probe_run *ret, struct nf_err *err);

/* What `host` measures. 0 or NULL: the profile's own. */
struct nf_window_opts {
	enum nf_rec_profile profile; /* quick, standard or deep */
	const char *under; /* shell command run as load during noise, wake and numa */
	int64_t smi_samples;
	int64_t smi_duration_ns;
	int64_t hwlat_duration_ns;
	int64_t numa_samples;
	int64_t noise_duration_ns;
	int64_t wake_duration_ns;
	const char *cpus;
	int64_t channels;
	int64_t samples;
	int64_t rate_hz;
	int64_t partitions;
	uint64_t seed;
};

/* The whole characterisation. -NF_EUNSUPPORTED before anything is measured when the expected lane is
 * not the one found. A step that cannot run says why in the record and does not stop the others. */
NF_NODISCARD int nf_job_window(const struct nf_job_opts *o, const struct nf_window_opts *w,
                               struct nf_job_outcome *ret, struct nf_err *err);

struct nf_posture_opts {
	const char *root; /* a captured tree; NULL: the live host */
	const char *profile; /* file to check it against (machine/profile.h); NULL: none */
	bool advise;
};

/* The posture as a record, without a run folder. The outcome fails where the host has another value
 * than a line of the profile or lacks it, and is undecided (exit 3) where lines are left that cannot be
 * read here. -NF_EDATA with file:line:column: no such profile, or no line of one. */
NF_NODISCARD int nf_job_posture(const struct nf_job_opts *o, const struct nf_posture_opts *p,
                                struct nf_job_outcome *ret, struct nf_err *err);

#endif
