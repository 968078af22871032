/* SPDX-License-Identifier: MIT */
/* set_posture - what the system did during a set: readings of /proc and /sys before and after. */
#ifndef NF_BENCH_SET_POSTURE_H
#define NF_BENCH_SET_POSTURE_H

#include "base/cpuset.h"
#include "base/rootfs.h"
#include "bench/set.h"

struct nf_set_watch; /* the readings before */

/* cpus: those that the benchmark runs on; NULL: those of the calling thread. Reads the live host. */
NF_NODISCARD int nf_set_watch_open(const struct nf_cpuset *cpus, struct nf_set_watch **ret,
                                   struct nf_err *err);
/* Everything but context_switches and migrations, which belong to the benchmark's process: those are left
 * as they are. Frees w, also on failure. */
NF_NODISCARD int nf_set_watch_close(struct nf_set_watch *w, struct nf_set_posture *ret,
                                    struct nf_err *err);
void nf_set_watch_free(struct nf_set_watch *w); /* without an answer; NULL is fine */

struct nf_bracket_diff;
/* The same from readings. Unknown where any CPU's is; frequencies are means over the CPUs that tell. */
void nf_set_posture_of(const struct nf_bracket_diff *d, long user_hz, struct nf_set_posture *ret);

#endif
