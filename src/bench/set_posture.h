/* SPDX-License-Identifier: MIT */
/* set_posture - what the system did during a set: readings of /proc and /sys before and after. */
#ifndef NF_BENCH_SET_POSTURE_H
#define NF_BENCH_SET_POSTURE_H

#include "base/cpuset.h"
#include "base/rootfs.h"
#include "bench/set.h"

/* A set that begins so soon after the last one's end has that one's readings as its own before: these cost
 * about as much as a short command, and what is counted in them goes by hundredths of a second. */
#define NF_SET_WATCH_GAP_NS 1000000

struct nf_set_watch; /* serves any number of sets, one after the other */

/* cpus: those that the benchmark runs on; NULL: those of the calling thread. Reads the live host. */
NF_NODISCARD int nf_set_watch_open(const struct nf_cpuset *cpus, struct nf_set_watch **ret,
                                   struct nf_err *err);
/* The readings before. */
NF_NODISCARD int nf_set_watch_begin(struct nf_set_watch *w, struct nf_err *err);
/* Everything but context_switches and migrations, which belong to the benchmark's process: those are left
 * as they are. */
NF_NODISCARD int nf_set_watch_end(struct nf_set_watch *w, struct nf_set_posture *ret,
                                  struct nf_err *err);
void nf_set_watch_free(struct nf_set_watch *w); /* NULL is fine */

struct nf_bracket_diff;
/* The same from readings. Unknown where any CPU's is; frequencies are means over the CPUs that tell. */
void nf_set_posture_of(const struct nf_bracket_diff *d, long user_hz, struct nf_set_posture *ret);

#endif
