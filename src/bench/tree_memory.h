/* SPDX-License-Identifier: MIT */
/*
 * tree_memory - what all processes of a command use together at their highest. What single processes
 * reach at different times does not add up to it; so it is looked for while they run, which
 * disturbs them: in an execution whose time does not count.
 *
 * Sampled: a process belongs to a command by its group or by a parent that does. Of each its proportional
 * set size (Pss of smaps_rollup: a page that k processes share counts 1/k for each), or, where that cannot be
 * read of one, its resident size, which counts shared pages in full. What was used for less time than two
 * samples are apart may be missed: the result is a lower bound.
 */
#ifndef NF_BENCH_TREE_MEMORY_H
#define NF_BENCH_TREE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/fail.h"

/* In the order of enum nf_rec_memory_method. */
enum nf_tree_method {
	NF_TREE_UNKNOWN,
	NF_TREE_CGROUP, /* the kernel's own count; page cache and kernel memory are in it */
	NF_TREE_PSS,
	NF_TREE_RSS, /* of one process at least */
};

enum {
	NF_TREE_PROCESSES_MAX = 1 << 16, /* of the system */
	NF_TREE_STEP_MIN_US = 1000,
	NF_TREE_STEP_MAX_US = 20000,
};

struct nf_tree_process;
struct nf_tree_memory {
	enum nf_tree_method method; /* UNKNOWN: peak_bytes means nothing */
	double peak_bytes;
	size_t samples;
	struct nf_tree_process *process; /* owned */
	size_t cap;
	int64_t step_ns; /* until the next sample: at least four times what the last one took */
};

void nf_tree_memory_init(struct nf_tree_memory *m);
void nf_tree_memory_fini(struct nf_tree_memory *m);
/* proc_fd: of /proc. leader: the command's process and its group. What cannot be read counts as ended.
 * -NF_ENOMEM; -NF_EUNSUPPORTED: more than NF_TREE_PROCESSES_MAX processes. */
NF_NODISCARD int nf_tree_memory_sample(struct nf_tree_memory *m, int proc_fd, pid_t leader,
                                       struct nf_err *err);

#endif
