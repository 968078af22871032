/* SPDX-License-Identifier: MIT */
/*
 * execution - a command, run from outside and timed: from before it is started to the moment its end is
 * known, on CLOCK_MONOTONIC_RAW. It is a process group of its own: what it leaves running there is ended with it.
 * Signals that end this program do not reach it by the terminal; a stop request ends it.
 */
#ifndef NF_BENCH_EXECUTION_H
#define NF_BENCH_EXECUTION_H

#include <spawn.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "bench/backend.h"
#include "bench/environment.h"
#include "bench/tree_memory.h"

enum {
	NF_EXECUTION_PATH_BYTES = 4096,
	NF_EXECUTION_SAID_BYTES = 64 << 20, /* of standard output that is listened to */
};

/* How one process ended. */
struct nf_ended {
	double wall_ns;
	int wait_status;
	struct rusage usage;
	bool timed_out;
	bool stopped;
	bool too_much; /* said more than `said` has room for, and was ended */
	enum nf_tree_method
	        tree_method; /* of the memory of all its processes; UNKNOWN: not weighed */
	double tree_bytes;
	size_t tree_samples;
};

/* What the executions of a set share. */
struct nf_launch {
	const struct nf_variant *v; /* borrowed */
	const struct nf_set_cfg *cfg; /* borrowed */
	struct nf_environment environment; /* owned, with everything below */
	char path[NF_EXECUTION_PATH_BYTES];
	int pipe[2]; /* from its standard output; -1: none */
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_t beside; /* of what is run before and after */
	posix_spawnattr_t attr;
	bool has_actions;
	bool has_beside;
	bool has_attr;
	bool weighs;
	int proc_fd; /* -1: it weighs nothing, or there is no /proc */
};

/* The file that would be executed, as the shell finds it. -NF_EARG: there is none. */
NF_NODISCARD int nf_launch_program(const struct nf_variant *v, char ret[NF_EXECUTION_PATH_BYTES],
                                   struct nf_err *err);
/* backend.h, check. */
NF_NODISCARD int nf_launch_check(const struct nf_variant *v, struct nf_err *err);
/* That a file for standard input can be opened, again for each execution. NULL: there is none, fine. */
NF_NODISCARD int nf_launch_check_input(const char *path, struct nf_err *err);
/* listen: its standard output goes to nf_launch_run()'s said. -NF_EARG: there is no such program. */
NF_NODISCARD int nf_launch_open(const struct nf_variant *v, const struct nf_set_cfg *cfg,
                                bool listen, struct nf_launch *ret, struct nf_err *err);
void nf_launch_close(struct nf_launch *c);
/* The variant's command once. said: appended to if it listens, else NULL. -NF_EOS, -NF_ENOMEM. */
NF_NODISCARD int nf_launch_run(const struct nf_launch *c, struct nf_buf *said, struct nf_ended *ret,
                               struct nf_err *err);
/* The variant's prepare or cleanup, in the same environment. */
NF_NODISCARD int nf_launch_shell(const struct nf_launch *c, const char *text, struct nf_ended *ret,
                                 struct nf_err *err);

#endif
