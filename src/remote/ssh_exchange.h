/* SPDX-License-Identifier: MIT */
/* ssh_exchange - what goes in and out of one ssh process, until its outputs end, its time is over, or a stop request. */
#ifndef NF_REMOTE_SSH_EXCHANGE_H
#define NF_REMOTE_SSH_EXCHANGE_H

#include "base/stop.h"
#include "remote/ssh.h"
#include "remote/ssh_child.h"

enum { NF_SSH_ENOUGH = 1 }; /* of a sink: the rest is not waited for */

struct nf_ssh_exchange {
	struct nf_ssh_child *child; /* borrowed, as all pointers */
	struct nf_ssh_child *beside; /* whose outputs are read and dropped meanwhile; NULL: none */
	const char *token; /* what comes before it is skipped, and it itself */
	const char *who; /* for messages */
	const struct nf_stop *stop;
	const char *input;
	size_t input_bytes;
	bool controlled; /* nf_ssh_call */
	int64_t grace_ns;
	int64_t timeout_ns;
	size_t max_bytes;
	nf_ssh_sink *sink;
	void *sink_ctx;
	/* How it came to its end. */
	bool begun; /* the token was seen */
	bool at_end; /* both outputs are */
	bool stopped;
	bool timed_out;
	bool enough;
};

/* -NF_ESUBJECT: it said more than it may. A sink's own failures. */
NF_NODISCARD int nf_ssh_exchange_run(struct nf_ssh_exchange *x, struct nf_err *err);

#endif
