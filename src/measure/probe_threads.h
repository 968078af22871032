/* SPDX-License-Identifier: MIT */
/*
 * probe_threads - what probes with measuring threads share: choosing CPUs with a housekeeping CPU
 * left alone, keeping the controlling thread out of the way, scheduling policies, and a crew of
 * bound threads that start behind one gate and are bracketed together.
 */
#ifndef NF_MEASURE_PROBE_THREADS_H
#define NF_MEASURE_PROBE_THREADS_H

#include "measure/probe.h"

enum {
	NF_WARMUP_NS = 200 * 1000 * 1000, /* frequencies settle over about this long */
	NF_CREW_STACK_BYTES = 256 * 1024, /* of a measuring thread */
	NF_CREW_STACK_TOUCHED_BYTES =
	        64 * 1024, /* written, and locked if possible, before timing */
};

/* --- CPUs --- */

/* Selects c->cpus. With `spins` under FIFO or RR one allowed CPU must stay free for the system: the
 * default selection ("allowed") then leaves out its lowest CPU (*ret_left_out, else -1); any other
 * selection that covers every allowed CPU is -NF_EARG, and a machine with one allowed CPU is
 * -NF_EUNSUPPORTED. `spins`: the probe's threads do not sleep while measuring. */
NF_NODISCARD int nf_probe_select(const struct nf_probe_env *env, const struct nf_probe_common *c,
                                 bool spins, struct nf_cpuset *ret, int *ret_left_out,
                                 struct nf_err *err);

/* What a run of spinning threads says before it begins: the CPUs asked for, the one left out (-1: none),
 * the holes of its policy, the clock it fell back to. */
NF_NODISCARD int nf_probe_note_plan(const struct nf_probe_env *env, const struct nf_probe_common *c,
                                    const struct nf_cpuset *cpus, int left_out,
                                    struct nf_probe_run *run, struct nf_err *err);

/* --- the controlling thread --- */

struct nf_controller {
	void *saved; /* owned: the affinity mask found */
	size_t saved_bytes;
	struct nf_cpuset mask; /* owned; where the calling thread may sit until it leaves */
	int cpu_at_entry;
};

/* Whether an allowed CPU is left besides the measured ones. */
bool nf_controller_has_room(const struct nf_probe_env *env, const struct nf_cpuset *measured);
/* Moves the calling thread off the measured CPUs where any other allowed CPU exists (one that is no
 * sibling of a measured CPU, if there is one). Changes nothing when all are measured. */
NF_NODISCARD int nf_controller_enter(struct nf_controller *c, const struct nf_probe_env *env,
                                     const struct nf_cpuset *measured, struct nf_err *err);
/* Fills controller_cpu, controller_measured and sibling_measured of run, with notes. A thread may have
 * moved and come back: siblings are those of its whole mask. Call once, after measuring and before
 * leaving. */
NF_NODISCARD int nf_controller_report(const struct nf_controller *c, const struct nf_probe_env *env,
                                      const struct nf_cpuset *measured, struct nf_probe_run *run,
                                      struct nf_err *err);
/* Puts the affinity back. A zeroed controller is fine; twice is fine. */
void nf_controller_leave(struct nf_controller *c);

/* --- scheduling policy --- */

struct nf_sched {
	enum nf_policy policy;
	int priority; /* FIFO and RR: 1..99 */
	int64_t runtime_ns; /* DEADLINE only */
	int64_t deadline_ns;
	int64_t period_ns;
};

const char *nf_policy_name(enum nf_policy p); /* "other", "fifo", "rr", "deadline" */
/* -NF_EARG unless the priority fits the policy (1..99 for FIFO and RR, else 0). */
NF_NODISCARD int nf_policy_check(enum nf_policy p, int priority, struct nf_err *err);
/* Of the calling thread, with sched_setattr(2), read back. A refusal for lack of rights or
 * bandwidth is -NF_EUNSUPPORTED with what would help. */
NF_NODISCARD int nf_policy_set_self(const struct nf_sched *s, struct nf_err *err);
/* Whether a thread of this process can have it: tried on a thread that ends at once. */
NF_NODISCARD int nf_policy_possible(const struct nf_sched *s, struct nf_err *err);
/* Notes the holes that realtime throttling and the fair server cut into threads under FIFO or RR;
 * nothing for other policies. `spins`: the threads do not sleep while measuring, so that they use up
 * the allowance by themselves; else other realtime threads have to. */
void nf_policy_note_holes(const struct nf_probe_env *env, enum nf_policy p, bool spins,
                          struct nf_probe_run *run);

/* --- crew --- */

struct nf_crew_member {
	int cpu; /* asked; after the run what was read back */
	int tid; /* of its thread, as the kernel counts them */
	/* RUSAGE_THREAD differences taken right outside measure(). */
	uint64_t minor_faults;
	uint64_t major_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
};

/* Open while warming up; see nf_crew_warm(). */
struct nf_crew_gate;
bool nf_crew_warm(const struct nf_crew_gate *g); /* false: stop warming up, measuring begins */

struct nf_crew_ops {
	/* On the thread, bound and under its policy, before the gate: allocate, prefault,
	 * calibrate. May be NULL. A failure ends the run for all. */
	int (*prepare)(void *ctx, size_t i, struct nf_err *err);
	/* Works without recording while nf_crew_warm(); must come back within some ms of it
	 * turning false. NULL: the thread sleeps through the warm-up. */
	void (*warm)(void *ctx, size_t i, const struct nf_crew_gate *g);
	/* Measures. Begins and ends with clock reads of its own; must not allocate, print or fault.
	 * Ends by itself when env->stop is set. */
	void (*measure)(void *ctx, size_t i);
};

struct nf_crew_cfg {
	const struct nf_probe_env *env;
	const struct nf_crew_ops *ops;
	void *ctx;
	struct nf_sched sched;
	int64_t warmup_ns; /* 0: none */
	/* For progress; <= 0: unknown, none is reported. Where every allowed CPU is measured, it is
	 * reported at the beginning and at the end only: the controlling thread sleeps in between. */
	int64_t expected_ns;
	const struct nf_cpuset *measured;
};

/* Starts one thread per member, bound to member[i].cpu, waits until all are prepared, warms up,
 * opens the bracket, lets all measure, waits, closes the bracket, joins. All signals are blocked in
 * the threads. A thread that is done sleeps until all are, so that its end disturbs nobody. Fills
 * the members and, in run: cpus_got, tids, policy, priority, warmup_ns, faults_inside, bracket,
 * stopped_by. n >= 1. On failure every thread is joined and run is untouched but for notes. */
NF_NODISCARD int nf_crew_run(const struct nf_crew_cfg *cfg, struct nf_crew_member *member, size_t n,
                             struct nf_probe_run *run, struct nf_err *err);

#endif
