/* SPDX-License-Identifier: MIT */
/* ssh_child - one ssh process with its three streams, none of which can make this process wait. */
#ifndef NF_REMOTE_SSH_CHILD_H
#define NF_REMOTE_SSH_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/fail.h"
#include "remote/said.h"

struct nf_ssh_child {
	pid_t pid; /* -1: none, or ended */
	int in_fd; /* -1: closed; a socket, written to without SIGPIPE */
	int out_fd; /* -1: at its end */
	int err_fd;
	int wait_status; /* once pid is -1 */
	struct nf_said said; /* on its standard error */
};

/* argv[0] is looked for in PATH. input_fd: its standard input; -1: a socket, in_fd of *ret. It gets a process group of its
 * own: a terminal's ^C does not reach it. -NF_EUNSUPPORTED: there is no such program. */
NF_NODISCARD int nf_ssh_child_start(const char *const argv[], int input_fd,
                                    struct nf_ssh_child *ret, struct nf_err *err);
/* Whether it has ended; never waits. */
bool nf_ssh_child_ended(struct nf_ssh_child *c);
/* Waits up to limit_ns for its end. */
bool nf_ssh_child_await(struct nf_ssh_child *c, int64_t limit_ns);
/* Closes in_fd. */
void nf_ssh_child_hush(struct nf_ssh_child *c);
/* Ends it and its group, and closes everything. Also for one that never started (all zero but pid and fds -1). */
void nf_ssh_child_end(struct nf_ssh_child *c);
/* Reads what is there of its standard error. */
void nf_ssh_child_listen(struct nf_ssh_child *c);

#define NF_SSH_CHILD_NONE \
	((struct nf_ssh_child){ .pid = -1, .in_fd = -1, .out_fd = -1, .err_fd = -1 })

#endif
