/* SPDX-License-Identifier: MIT */
/* rec_inject - ground truth: what a probe saw of bursts that are known exactly (docs/METHOD.md). */
#ifndef NF_RECORD_REC_INJECT_H
#define NF_RECORD_REC_INJECT_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_INJECT_PLAN(X, S) \
	X(S, NAT,  cpu,              DECLARED, "CPU that bursts are injected into, and that is measured") \
	X(S, NAT,  period_ns,        DECLARED, "from one burst to the next") \
	X(S, NAT,  length_ns,        DECLARED, "of a burst") \
	X(S, NAT,  phase_ns,         DECLARED, "of the first burst after the grid's origin") \
	X(S, BOOL, phase_drawn,      DECLARED, "the phase was drawn from the seed, not given") \
	X(S, NAT,  duration_ns,      DECLARED, "of each pass") \
	X(S, REAL, min_recall_ratio, DECLARED, "share of the bursts that a probe has to see") \
	X(S, REAL, alpha,            DECLARED, "level of the test whether a phase is preferred")
NF_RECORD(inject_plan, NF_ROWS_INJECT_PLAN)

/* The thread that made the bursts. */
#define NF_ROWS_INJECT_BURSTS(X, S) \
	X(S, ENUM(policy), policy, MEASURED, "scheduling policy in force") \
	X(S, NAT,   priority, MEASURED, "realtime priority in force, else 0") \
	X(S, NAT,   made,     MEASURED, "bursts made and kept") \
	X(S, NAT,   dropped,  MEASURED, "made and not kept: the log was full") \
	X(S, NAT,   late,     MEASURED, "begun after they were due because an earlier one ran") \
	X(S, NAT,   skipped,  MEASURED, "never made: the next was due before they could begin") \
	X(S, BOOL,  locked,   MEASURED, "the log was locked in memory") \
	X(S, OREC(summary), length,   BY_FIELD, "end minus begin on the tick clock, ns") \
	X(S, OREC(summary), lateness, BY_FIELD, "begin minus the instant it was due, ns")
NF_RECORD(inject_bursts, NF_ROWS_INJECT_BURSTS)

#define NF_ROWS_INJECT_FOUND(X, S) \
	X(S, NAT,   bursts,         DERIVED, "wholly within the span that the probe looked at") \
	X(S, NAT,   outside,        DERIVED, "before, after or across the ends of that span") \
	X(S, NAT,   found,          DERIVED, "bursts that some hit overlaps") \
	X(S, OREAL, recall_ratio,   DERIVED, "found over bursts; None: no bursts") \
	X(S, OREAL, recall_lo,      DERIVED, "lower end of the exact 95 % interval of the recall (Clopper and Pearson), bursts taken as independent") \
	X(S, OREAL, recall_hi,      DERIVED, "upper end") \
	X(S, NAT,   enclosed,       DERIVED, "found by a hit that begins no later and ends no earlier than the burst") \
	X(S, NAT,   begin_late,     DERIVED, "found, but the hit begins after the burst") \
	X(S, NAT,   end_early,      DERIVED, "found, but the hit ends before the burst") \
	X(S, NAT,   shared,         DERIVED, "hits that overlap more than one burst") \
	X(S, NAT,   hits,           DERIVED, "all hits of the probe") \
	X(S, NAT,   hits_on_bursts, DERIVED, "hits that overlap a burst") \
	X(S, OREAL, hits_on_bursts_ratio, DERIVED, "hits_on_bursts over hits: every other interruption of the machine lowers it") \
	X(S, OREC(summary), begin_error, BY_FIELD, "begin of the hit minus begin of its burst, ns") \
	X(S, OREC(summary), excess, BY_FIELD, "what the probe lost beyond the burst's length, ns: two switches, and what came with them")
NF_RECORD(inject_found, NF_ROWS_INJECT_FOUND)

/* What a pass without bursts covers of the instants at which they would have been. */
#define NF_ROWS_INJECT_CHANCE(X, S) \
	X(S, REAL,  shift_ns, DERIVED, "the bursts of the other pass, so much later: the fewest whole periods that are no less than from its first sample to this pass's") \
	X(S, NAT,   bursts,   DERIVED, "of those, wholly within the span that the probe looked at") \
	X(S, NAT,   covered,  DERIVED, "of those, that some hit overlaps") \
	X(S, OREAL, recall_by_chance_ratio, DERIVED, "covered over bursts: the recall that hits have which know of no burst; None: no bursts")
NF_RECORD(inject_chance, NF_ROWS_INJECT_CHANCE)

/* Where in the period hits begin. */
#define NF_ROWS_INJECT_PHASE(X, S) \
	X(S, NAT,   windows,    DERIVED, "equal windows that a period is cut into; the first is the injected one") \
	X(S, REAL,  lead_ns,    DERIVED, "the injected window begins so long before a burst is due") \
	X(S, REAL,  width_ns,   DERIVED, "length of a window") \
	X(S, NAT,   periods,    DERIVED, "whole periods looked at") \
	X(S, NAT,   hits,       DERIVED, "hits that begin in them") \
	X(S, NAT,   injected,   DERIVED, "of those, in the injected window") \
	X(S, NAT,   most,       DERIVED, "in the fullest of the other windows") \
	X(S, OREAL, rate_ratio, DERIVED, "injected over the mean of the other windows; None: those are empty") \
	X(S, REAL,  p_rank,     DERIVED, "share of the windows, the injected one included, with no fewer hits than it: one-sided randomisation test") \
	X(S, REAL,  p_binomial, DERIVED, "P(X >= injected), X binomial (hits, 1 / windows): one-sided, exact where hits are independent") \
	X(S, BOOL,  preferred,  DERIVED, "p_rank is at most alpha: hits prefer the injected phase") \
	X(S, NAT,   on_bursts,  DERIVED, "hits in the injected window that overlap a burst") \
	X(S, OREAL, precision_ratio, DERIVED, "on_bursts over injected; None: the window is empty or nothing was injected")
NF_RECORD(inject_phase, NF_ROWS_INJECT_PHASE)

/* One run of a probe. An instant of the grid is ns from its origin, one of the samples ticks from the probe's
 * first; two readings of both clocks, taken around the run, lead from one to the other. */
#define NF_ROWS_INJECT_PASS(X, S) \
	X(S, REC(facts), facts,       BY_FIELD, "what the run stands on") \
	X(S, REAL, tick_hz,           MEASURED, "rate of the clock that bursts and samples share") \
	X(S, INT,  before_tick,       MEASURED, "the clock before the run, from the first sample on") \
	X(S, INT,  before_ns,         MEASURED, "CLOCK_MONOTONIC then, from the grid's origin on") \
	X(S, INT,  after_tick,        MEASURED, "the clock after the run, from the first sample on") \
	X(S, INT,  after_ns,          MEASURED, "CLOCK_MONOTONIC then, from the grid's origin on") \
	X(S, NAT,  span_ticks,        MEASURED, "length of what the probe looked at, from its first sample") \
	X(S, NAT,  threshold_ticks,   DECLARED, "a gap, or a quantum beyond the shortest, is a hit when it is longer") \
	X(S, OREC(inject_bursts), bursts, BY_FIELD, "what was injected; None: nothing") \
	X(S, OREC(inject_found), found, BY_FIELD, "what the probe saw of it; None: nothing was injected") \
	X(S, OREC(inject_chance), chance, BY_FIELD, "what hits cover by chance; None: bursts were injected") \
	X(S, OREC(inject_phase), phase, BY_FIELD, "where in the period hits begin; None: no whole period was looked at")
NF_RECORD(inject_pass, NF_ROWS_INJECT_PASS)

#define NF_ROWS_INJECT_PROBE(X, S) \
	X(S, TEXT,  probe,  DECLARED, "name") \
	X(S, TEXT,  hit,    DECLARED, "what is taken for a hit") \
	X(S, ENUM(result), result, DERIVED, "verdict on this probe") \
	X(S, OTEXT, reason, DERIVED, "why it is not pass") \
	X(S, OTEXT, caution, DERIVED, "why the recall says little, whatever the verdict; None: it does not") \
	X(S, OREC(inject_pass), injected, BY_FIELD, "with bursts; None: it could not run, or was not reached") \
	X(S, OREC(inject_pass), control,  BY_FIELD, "without bursts; None: it could not run, or was not reached")
NF_RECORD(inject_probe, NF_ROWS_INJECT_PROBE)

/* InjectRun/1 */
#define NF_ROWS_INJECT_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "InjectRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(inject_plan), plan, BY_FIELD, "what was injected and demanded") \
	X(S, LIST(inject_probe), probes, BY_FIELD, "in the order they ran")
NF_RECORD(inject_run, NF_ROWS_INJECT_RUN)
/* clang-format on */

#endif
