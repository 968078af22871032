/* SPDX-License-Identifier: MIT */
/*
 * ssh - a connection to a target by the system's OpenSSH, run as a child: no question is ever asked (BatchMode), no
 * forwarding, no terminal. One connection is held open and the commands share it (ControlMaster, its socket in a private
 * folder here). Every wait has a limit and every answer a ceiling; what ssh and the target say is kept for one printable line.
 *
 * The holding command on the target reads its standard input: it ends, and cleans up, whenever the connection or this
 * process does, also when that is killed.
 *
 * ssh is taken from PATH. One thread at a time per connection.
 */
#ifndef NF_REMOTE_SSH_H
#define NF_REMOTE_SSH_H

#include <stdint.h>

#include "base/buf.h"
#include "base/stop.h"
#include "remote/said.h"
#include "remote/target.h"

struct nf_ssh;

enum { NF_SSH_HELD = 512 };

struct nf_ssh_cfg {
	const char *config; /* file for ssh's -F; NULL: the user's and the system's */
	/* POSIX shell text: prints one line, then reads its standard input to the end, then cleans up.
	 * NULL: does only that. */
	const char *hold;
	int64_t connect_ns; /* for the connection and that line; 0: 30 s */
	int64_t silence_ns; /* a connection that answers nothing for this long is lost; 0: 120 s */
	const struct nf_stop *stop; /* NULL: never */
};

/* ret_line (may be NULL): what hold printed, without the newline, at most NF_SSH_HELD bytes, printable ASCII
 * (-NF_ESUBJECT otherwise). -NF_EUNSUPPORTED: no ssh on PATH. -NF_ESUBJECT: not reached, refused, or lost (with ssh's
 * last line). -NF_ETIMEOUT. A stop request: -NF_ESUBJECT. */
NF_NODISCARD int nf_ssh_open(const struct nf_target *t, const struct nf_ssh_cfg *cfg,
                             struct nf_ssh **ret, char ret_line[NF_SSH_HELD], struct nf_err *err);
/* Whether the holding command still runs. */
bool nf_ssh_is_open(struct nf_ssh *s);
/* Lets the holding command clean up (at most 20 s), then ends everything; NULL is fine. false: it had to be killed, or
 * was gone before: what it would have cleaned up may be left. */
bool nf_ssh_close(struct nf_ssh *s);

/* Takes a part of a command's standard output. A negative code ends the command and is nf_ssh_run()'s. */
typedef int nf_ssh_sink(void *ctx, const void *data, size_t len_bytes, struct nf_err *err);

struct nf_ssh_call {
	const char *script; /* POSIX shell text */
	const void *input; /* written to its standard input, which is then closed; NULL: none */
	size_t input_bytes;
	int input_fd; /* read as its standard input instead, if input_from_fd */
	bool input_from_fd;
	/* Its standard input stays open and gets a line "INT" or "TERM" at a stop request; the command ends by itself then,
	 * within grace_ns. Without: a stop request ends the command here at once. */
	bool controlled;
	int64_t grace_ns;
	int64_t timeout_ns; /* at it, a controlled command gets "TERM" and grace_ns, another is ended; > 0 */
	size_t max_bytes; /* of its standard output */
	nf_ssh_sink *sink; /* NULL: it should say nothing */
	void *sink_ctx;
};

struct nf_ssh_end {
	int status; /* the command's exit status, 0 to 254 */
	bool stopped; /* a stop request came; an uncontrolled command was ended and has no status (-1) */
	bool timed_out; /* controlled: it was asked to end because of timeout_ns */
	char said[NF_SAID_LINE]; /* the last line on its standard error, printable; "": none */
};

/* Runs one command. What the target's shell prints before it (of a profile) is skipped, at most 64 KiB. -NF_ESUBJECT: the
 * connection was lost, or it said more than max_bytes. -NF_ETIMEOUT: it had to be ended. */
NF_NODISCARD int nf_ssh_run(struct nf_ssh *s, const struct nf_ssh_call *call,
                            struct nf_ssh_end *ret, struct nf_err *err);
/* The same for a short question: no input, the answer appended to out, up to its ceiling. */
NF_NODISCARD int nf_ssh_ask(struct nf_ssh *s, const char *script, int64_t timeout_ns,
                            struct nf_buf *out, struct nf_ssh_end *ret, struct nf_err *err);

/* From now on a stop request ends nothing: for what is still to be done after one. */
void nf_ssh_finish(struct nf_ssh *s);

/* Appends word as one word of a POSIX shell. */
void nf_ssh_quote(const char *word, struct nf_buf *out);

#endif
