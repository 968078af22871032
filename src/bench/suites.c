/* SPDX-License-Identifier: MIT */
/* suites - THE table: one suite_<name>.c each. */
#include "bench/suites.h"

/* clang-format off */
extern const struct nf_bench nf_suite_clock[];
extern const struct nf_bench nf_suite_spawn[];
extern const struct nf_bench nf_suite_mem[];
extern const struct nf_bench nf_suite_sync[];
extern const struct nf_bench nf_suite_spin[];
extern const struct nf_bench nf_suite_sched_general[];
extern const struct nf_bench nf_suite_sched_thread_favored[];
extern const struct nf_bench nf_suite_sched_actor_favored[];
/* clang-format on */

const struct nf_bench *const nf_suites[] = {
	nf_suite_clock,
	nf_suite_spawn,
	nf_suite_mem,
	nf_suite_sync,
	nf_suite_spin,
	nf_suite_sched_general,
	nf_suite_sched_thread_favored,
	nf_suite_sched_actor_favored,
	NULL,
};
