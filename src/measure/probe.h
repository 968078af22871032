/* SPDX-License-Identifier: MIT */
/*
 * probe - one way to measure timing behaviour. Rows live in probes.c; adding one means one new file
 * probe_<name>.c, a row there, a captured host (docs/HOWTO_ADD_PROBE.md).
 *
 * A probe fills streams and a result of facts: it does not print, open output files or compute
 * statistics. It allocates, prefaults and locks its buffers before timing, starts its threads behind one
 * barrier, warms up without recording, and never prints, allocates or faults inside a timed
 * region. It puts back everything it changed on every way out, and keeps what it has when stopped.
 */
#ifndef NF_MEASURE_PROBE_H
#define NF_MEASURE_PROBE_H

#include "base/journal.h"
#include "base/rng.h"
#include "base/stop.h"
#include "machine/bracket.h"
#include "machine/topology.h"
#include "measure/tick.h"
#include "samples/stream.h"

/* What the run stands on; the same for all probes of a run. All borrowed. */
struct nf_probe_env {
	const struct nf_rootfs *root; /* live for measuring */
	const struct nf_topology *topo;
	const struct nf_posture *posture;
	const struct nf_tick_clock *clock;
	struct nf_journal *journal; /* NULL: nothing may be changed */
	const char *no_journal; /* why there is none; NULL: nobody said */
	const struct nf_stop *stop;
	/* Progress in 0..1; called from the controlling thread only, outside timed regions, at most ten
	 * times a second. May be NULL. */
	void (*progress)(void *ctx, double fraction);
	void *progress_ctx;
};

enum nf_policy { NF_POLICY_OTHER, NF_POLICY_FIFO, NF_POLICY_RR, NF_POLICY_DEADLINE };

/* What every probe takes. */
struct nf_probe_common {
	const char *cpus; /* "allowed", "isolated" or a list; borrowed */
	int64_t duration_ns; /* 0: by count, or the probe's default */
	enum nf_policy policy;
	bool policy_given; /* false: the probe's own default, which may step down and then says so */
	int priority; /* 1..99 for FIFO and RR, else 0 */
	uint64_t seed;
	size_t max_sample_bytes; /* ceiling for raw samples in memory */
};

enum nf_probe_needs {
	NF_NEEDS_ROOT = 1 << 0,
	NF_NEEDS_RT = 1 << 1, /* CAP_SYS_NICE or RLIMIT_RTPRIO */
	NF_NEEDS_TRACER = 1 << 2,
	NF_NEEDS_COUNTER = 1 << 3,
};

enum { NF_PROBE_NOTES = 16 };

/* What every probe gives besides its own result. */
struct nf_probe_run {
	struct nf_stream *streams; /* owned */
	size_t n_streams;
	int stopped_by; /* 0, or the signal that ended it early: the run is partial */
	struct nf_cpuset cpus_asked;
	struct nf_cpuset cpus_got; /* from the masks read back after binding */
	int controller_cpu; /* where the controlling thread sat; -1: moved */
	bool controller_measured; /* it is one of the measured CPUs */
	bool sibling_measured; /* a measured CPU shares a core with it */
	enum nf_policy policy; /* in force */
	int priority;
	int64_t warmup_ns;
	int64_t wall_ns; /* measured span on CLOCK_MONOTONIC_RAW */
	double overhead_ns; /* cost of the empty loop per sample */
	uint64_t faults_inside; /* page faults of measuring threads between first and last sample */
	bool locked; /* buffers were locked in memory */
	struct nf_bracket_diff bracket;
	int *tids; /* owned; ids of the measuring threads, so that a trace can tell them from others */
	size_t n_tids;
	char note[NF_PROBE_NOTES][240]; /* what a reader must know: holes, fallbacks, sharing */
	size_t n_notes;
	uint64_t n_notes_lost;
	void *result; /* owned; the probe's own struct (probe_<name>.h) */
};

/* Says in a note that buffers could not be locked, where run->locked is false. */
void nf_probe_note_unlocked(struct nf_probe_run *run);
void nf_probe_note(struct nf_probe_run *run, const char *fmt, ...) NF_PRINTF(2, 3);

struct nf_probe {
	const char *name; /* "wake": also the command and the step */
	const char *summary; /* one line */
	unsigned needs; /* NF_NEEDS_* at its defaults */
	size_t cfg_size; /* of the probe's config struct, whose first member is nf_probe_common */
	void (*defaults)(void *cfg);
	/* 0, -NF_EARG (an option out of place), or -NF_EUNSUPPORTED saying what is missing and what would
	 * help. Changes nothing. */
	int (*check)(const struct nf_probe_env *env, const void *cfg, struct nf_err *err);
	/* How long run() will take, in ns. */
	int64_t (*estimate_ns)(const struct nf_probe_env *env, const void *cfg);
	/* Adds the CPUs that run() is going to measure to ret, for what is set up around it. NULL: those
	 * that nf_probe_select() gives for threads that do not sleep. */
	int (*cpus)(const struct nf_probe_env *env, const void *cfg, struct nf_cpuset *ret,
	            struct nf_err *err);
	/* Measures. A stop request is not a failure: 0 with stopped_by set. *ret is untouched on
	 * failure, with everything put back. */
	int (*run)(const struct nf_probe_env *env, const void *cfg, struct nf_probe_run *ret,
	           struct nf_err *err);
	void (*result_fini)(
	        void *result); /* frees what result owns, not result itself; may be NULL */
};

extern const struct nf_probe *const nf_probes[]; /* NULL-terminated, in the order of `host` */
const struct nf_probe *nf_probe_find(const char *name); /* NULL: no such probe */
/* The CPUs that the probe is going to measure; ret is an initialised set, its content is replaced. */
NF_NODISCARD int nf_probe_cpus(const struct nf_probe *p, const struct nf_probe_env *env,
                               const void *cfg, struct nf_cpuset *ret, struct nf_err *err);
void nf_probe_run_fini(const struct nf_probe *p, struct nf_probe_run *run);

#endif
