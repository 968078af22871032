/* SPDX-License-Identifier: MIT */
/*
 * backend - one set of one variant: the step that every kind of benchmark has in common. Rows live in
 * backends.c; adding one means one file backend_<name>.c and a row there.
 *
 * A set is a fresh process (docs/METHOD_STATISTICS.md, vocabulary): it discards one warm-up and gives
 * n values in the order they were measured. Everything above (plan, schedule, compare, sweep) knows
 * variants and sets only.
 */
#ifndef NF_BENCH_BACKEND_H
#define NF_BENCH_BACKEND_H

#include "base/cpuset.h"
#include "base/stop.h"
#include "bench/set.h"

enum nf_backend_id {
	NF_BACKEND_BUILTIN, /* a benchmark of this program's table, by name */
	NF_BACKEND_COMMAND, /* any command, timed from outside: one value a set */
	NF_BACKEND_REPORT, /* a command that prints its own numbers */
	NF_N_BACKENDS,
};

/* What is run. All borrowed; the same struct serves every set of a variant. */
struct nf_variant {
	const char *label; /* "old", "new", "KNOB=3": unique in an experiment */
	enum nf_backend_id backend;
	const char *program; /* BUILTIN: executable that holds the benchmark; NULL: this one */
	const char *
	        bench; /* BUILTIN: its name; REPORT: take this benchmark's values; NULL: the only one */
	unsigned threads; /* BUILTIN: 0 is its own default */
	const char *const *argv; /* COMMAND, REPORT: NULL-terminated; without a shell */
	const char *shell; /* COMMAND, REPORT: instead of argv, text for `/bin/sh -c`; else NULL */
	const char *const
	        *env; /* "NAME=value" put over the environment, NULL-terminated; may be NULL */
	const char *setup; /* COMMAND, REPORT: shell text once, before its first set; NULL: none */
	const char *prepare; /* shell text before each execution, not timed; NULL: none */
	const char *cleanup; /* after each, not timed */
	const char *input; /* file for standard input; NULL: /dev/null */
	const char *output; /* file for standard output and error; NULL: /dev/null */
	int report_form; /* REPORT: enum nf_interchange_id, or NF_INTERCHANGE_AUTO */
	const char *report_file; /* REPORT: it writes this file; NULL: to its standard output */
	int better; /* REPORT: enum nf_better; unsaid: as it says, else as its unit tells */
	bool any_status; /* a non-zero exit status is no failure */
	int64_t timeout_ns; /* 0: none; a set that takes longer has failed */
};

struct nf_set_cfg {
	uint64_t seed; /* of this set: environment padding, whatever the benchmark draws */
	size_t n_values; /* BUILTIN: iterations after the warm-up; others: executions, usually 1 */
	bool set_up; /* the variant's first set: its setup runs before */
	bool warm_up; /* one more before, discarded */
	bool weigh; /* COMMAND, REPORT: find the memory of all processes together (tree_memory.h), which
	             * disturbs their times */
	int64_t min_iteration_ns; /* BUILTIN: a value is timed over at least so long */
	const struct nf_cpuset *cpus; /* bind the process to these; NULL: as it is */
	struct nf_set_watch
	        *watch; /* set_posture.h; of the same CPUs; NULL: the set's posture is unknown */
	const struct nf_stop *stop; /* may be NULL: asked between executions */
};

struct nf_backend {
	const char *name;
	/* Whether the variant can be run at all, before anything is: an unknown benchmark, a command that is
	 * not found, a file that cannot be opened. -NF_EARG with what is allowed. */
	int (*check)(const struct nf_variant *v, struct nf_err *err);
	/* Runs one set. That the benchmark fails (crashes, times out, exits non-zero, prints nothing usable)
	 * is no failure of this function: ret->failed says why. A stop request gives the values so far. ret is
	 * initialised by the callee; nf_set_fini() it. */
	int (*run)(const struct nf_variant *v, const struct nf_set_cfg *cfg, struct nf_set *ret,
	           struct nf_err *err);
};
/* By enum nf_backend_id; NULL: this build has none. */
extern const struct nf_backend *const nf_backends[NF_N_BACKENDS];

#endif
