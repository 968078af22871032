/* SPDX-License-Identifier: MIT */
/* set - the values of one set, in order, with what happened around them. */
#ifndef NF_BENCH_SET_H
#define NF_BENCH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "bench/tree_memory.h"

/* Differences over the set, of the system or of the process; negative: unknown. */
struct nf_set_posture {
	double steal_s;
	double throttled_s; /* cgroup */
	double mhz_before; /* of the CPUs in use, mean */
	double mhz_after;
	double load_before;
	int64_t context_switches;
	int64_t migrations;
};

enum { NF_SET_VALUES_MAX = 1 << 20 };

/* What the benchmark told beside its values (nf_bench_fact_fn). */
struct nf_set_fact {
	char name[32];
	char text[32]; /* "": the number counts */
	double value;
};

struct nf_set {
	double *value; /* owned; in `unit`, in the order they were measured */
	size_t n;
	const char *unit; /* "ns", or what the program said: then it is unit_owned */
	char *unit_owned; /* NULL: unit is static */
	bool larger_is_better; /* of its values */
	double warm_up; /* the discarded value; NaN: none */
	uint64_t operations; /* timed together for one value; 1 for commands */
	/* COMMAND: per execution, n of each; else NULL. */
	double *user_ns, *system_ns; /* owned */
	double *peak_bytes; /* owned; of the largest process */
	int *wait_status; /* owned */
	/* Of all processes together, at its highest in any execution of a set that was weighed. */
	enum nf_tree_method tree_method;
	double tree_bytes; /* unless the method is NF_TREE_UNKNOWN */
	size_t tree_samples;
	struct nf_set_posture posture;
	struct nf_set_fact *fact; /* owned */
	size_t n_facts;
	int64_t wall_ns; /* of the whole set, start of the process included */
	size_t cap; /* room in value and in the owned arrays that are not NULL */
	bool stopped; /* a stop request ended it early */
	bool failed;
	bool unsupported; /* it failed as this machine cannot have it */
	char why[400]; /* for people, when failed: "exit status 3", "SIGSEGV", "took longer than 10s" */
};
/* Everything unknown, no values. */
void nf_set_init(struct nf_set *s, const char *unit);
void nf_set_fini(struct nf_set *s); /* zeroed is fine */
/* Room for n values at least, n <= NF_SET_VALUES_MAX; with_process: also for what commands have of each. */
NF_NODISCARD int nf_set_reserve(struct nf_set *s, size_t n, bool with_process, struct nf_err *err);
/* The unit of its values, copied; where it has values in another one the set fails. */
NF_NODISCARD int nf_set_unit(struct nf_set *s, const char *unit, struct nf_err *err);
/* The benchmark failed; a first reason stays. Control characters become '?'. */
void nf_set_fail(struct nf_set *s, const char *fmt, ...) NF_PRINTF(2, 3);
/* The same from a wait status: "exit status 3", "SIGSEGV (Segmentation fault)"; of what, "setup: exit status 3". */
void nf_set_fail_status(struct nf_set *s, const char *what, int wait_status);

#endif
