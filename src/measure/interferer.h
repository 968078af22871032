/* SPDX-License-Identifier: MIT */
/*
 * interferer - ground truth: a thread that takes one CPU away in bursts that are known exactly, so that
 * what a probe on that CPU has seen can be scored.
 *
 * Burst k of a tone is due at origin + phase + k * period on CLOCK_MONOTONIC (plus jitter, if asked
 * for). The thread, named "nf-inject", sleeps until then, reads the tick clock (begin_tick), spins
 * until `length` has passed on that clock by its own reads, and keeps both readings. They are raw
 * readings of the clock that the probes use: begin_tick - nf_stream.origin_tick (samples/stream.h) is
 * the place of the burst in a probe's samples. A probe loses somewhat more than begin to end: the
 * switch to the thread and the switch back lie outside.
 *
 * What the CPU was doing is interrupted at once only if the thread outranks it: a probe that is to be
 * measured under FIFO or RR needs a priority below the interferer's. Under policy other the scheduler
 * decides when, and for how long without a break, the thread gets the CPU: begin and end are still
 * those of the burst, but others may have run in between. The note says so.
 *
 * All signals are blocked in the thread, its timer slack is 1 ns, it allocates nothing once started,
 * and between two bursts it sleeps without waking up.
 * Threads: start and stop from one thread; the rest reads what does not change between them.
 */
#ifndef NF_MEASURE_INTERFERER_H
#define NF_MEASURE_INTERFERER_H

#include <sys/types.h>

#include "machine/topology.h"
#include "measure/probe_threads.h"
#include "measure/tick.h"

#define NF_INTERFERER_THREAD_NAME "nf-inject"

enum {
	NF_INTERFERER_TONES = 16, /* at most */
	NF_INTERFERER_PRIORITY = 50, /* FIFO, tried first when no policy was asked for */
	NF_INTERFERER_BURSTS = 1 << 24, /* at most this many are kept */
	NF_INTERFERER_MIN_PERIOD_NS = 20 * 1000,
};
#define NF_INTERFERER_MAX_PERIOD_NS INT64_C(3600000000000)
/* What all tones together may take of the CPU: realtime throttling begins above (95 % by default). */
#define NF_INTERFERER_MAX_SHARE 0.9

struct nf_interferer_tone {
	int64_t period_ns; /* NF_INTERFERER_MIN_PERIOD_NS .. NF_INTERFERER_MAX_PERIOD_NS */
	int64_t length_ns; /* 1 .. period_ns */
	int64_t phase_ns; /* 0 .. period_ns - 1 */
};

struct nf_interferer_cfg {
	const struct nf_topology *topo; /* borrowed until start returns; of this host */
	const struct nf_tick_clock *clock; /* borrowed until stop; the probes' */
	int cpu;
	const struct nf_interferer_tone *tone; /* n_tones, 1 .. NF_INTERFERER_TONES; copied */
	size_t n_tones;
	/* CLOCK_MONOTONIC; 1 .. an hour from now. When it has passed already, the first burst is the next
	 * that is due: k counts from the origin all the same. */
	int64_t origin_ns;
	/* Without policy_given: FIFO 50; else FIFO as high as the rtprio limit lets it; else other. */
	enum nf_policy policy;
	bool policy_given; /* exactly that, or -NF_EUNSUPPORTED; deadline is -NF_EARG */
	int priority;
	size_t max_bursts; /* 1 .. NF_INTERFERER_BURSTS; later ones are made, dropped and counted */
	/* Every burst is later by its own amount, uniform in 0 .. jitter_ns, a function of seed, tone and
	 * k. jitter_ns + length_ns <= period_ns for every tone. 0: none. */
	int64_t jitter_ns;
	uint64_t seed;
};

struct nf_interferer_burst {
	uint64_t begin_tick; /* raw readings of the clock: first and last of the burst */
	uint64_t end_tick;
	int64_t scheduled_ns; /* CLOCK_MONOTONIC, with jitter */
	uint64_t k; /* of its tone, from the origin */
	uint32_t tone;
	bool late; /* due while an earlier burst ran or before the thread was back: it began at once */
};

struct nf_interferer_log {
	struct nf_interferer_burst
	        *burst; /* owned; n of them, in the order in which they were made */
	size_t n;
	size_t cap;
	uint64_t n_dropped; /* made and not kept: the log was full */
	uint64_t n_late; /* of all that were made */
	/* Never made: the next one of the same tone was due before this one could begin. */
	uint64_t n_skipped;
	bool locked; /* the log was locked in memory */
};

struct nf_interferer;

/* What can be refused before anything is started: -NF_EARG. */
NF_NODISCARD int nf_interferer_check(const struct nf_interferer_cfg *cfg, struct nf_err *err);

/* Returns when the thread is bound, has its policy and waits for its first burst. -NF_EARG,
 * -NF_EUNSUPPORTED (the policy), -NF_ENOMEM, -NF_EOS. */
NF_NODISCARD int nf_interferer_start(const struct nf_interferer_cfg *cfg,
                                     struct nf_interferer **ret, struct nf_err *err);

pid_t nf_interferer_tid(const struct nf_interferer *it); /* as traces name the thread */
/* In force; *ret_priority (may be NULL) is 0 unless FIFO or RR. */
enum nf_policy nf_interferer_policy(const struct nf_interferer *it, int *ret_priority);
/* What a reader must know of the policy that it got; "": nothing. Until stop. */
const char *nf_interferer_note(const struct nf_interferer *it);

/* Ends the thread (a burst that has begun is finished and kept), joins it and frees `it`. Hands out the
 * log, owned by the caller; ret NULL: not wanted. */
void nf_interferer_stop(struct nf_interferer *it, struct nf_interferer_log *ret);
void nf_interferer_log_fini(struct nf_interferer_log *log); /* zeroed is fine */

#endif
