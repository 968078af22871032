/* SPDX-License-Identifier: MIT */
/*
 * deploy - this program on a target for the length of one run: a private folder there, the static program of its
 * architecture copied into it and checked by digest, run, its run folder brought back, everything removed. Nothing has to be
 * installed there but a shell, mktemp, cat, sha256sum and tar. What the target says is data: it is bounded, checked, and
 * never run here.
 */
#ifndef NF_REMOTE_DEPLOY_H
#define NF_REMOTE_DEPLOY_H

#include "remote/receive.h"
#include "remote/ssh.h"

enum { NF_DEPLOY_FOLDER = 200, NF_DEPLOY_ARCH = 16 };

struct nf_deploy_cfg {
	const struct nf_target *target; /* borrowed, as everything here, until nf_deploy_close() */
	const char *ssh_config; /* ssh.h */
	const char
	        *program; /* the static program; NULL: noisefloor-static-ARCH in one of folders */
	const char *const *folders; /* ends with NULL */
	int64_t connect_ns; /* 0: ssh.h's */
	const struct nf_stop *stop;
};

enum nf_deploy_root { NF_ROOT_NO, NF_ROOT_IS, NF_ROOT_SUDO };

struct nf_deploy {
	struct nf_deploy_cfg cfg;
	struct nf_ssh *ssh;
	char folder[NF_DEPLOY_FOLDER]; /* there */
	char arch[NF_DEPLOY_ARCH]; /* x86_64, aarch64 */
	char sha256[65]; /* of the program, the same here and there */
	enum nf_deploy_root root; /* what it can be run as */
	bool stopped; /* a stop request ended the last step early */
};

/* Connects, makes the folder, copies the program, compares its digest there with ours. -NF_EUNSUPPORTED: another
 * architecture, or no program for it; -NF_EARG: cfg.program is none. -NF_ESUBJECT, -NF_ETIMEOUT as ssh.h. d: fini with
 * nf_deploy_close() after success alone. */
NF_NODISCARD int nf_deploy_open(const struct nf_deploy_cfg *cfg, struct nf_deploy *d,
                                struct nf_err *err);
/* Puts a file beside the program; name: letters, digits, '.', '_', '-'. Its path there is folder/name. */
NF_NODISCARD int nf_deploy_put(struct nf_deploy *d, const char *name, const void *data,
                               size_t len_bytes, struct nf_err *err);
/* Runs the program with words (end with NULL) behind its name, as root if as_root and d->root allow it. A stop request and
 * the end of timeout_ns ask it to end as a signal would; it has two minutes for that, or timeout_ns where that is less (at least 2 s). ret->status: its exit status. */
NF_NODISCARD int nf_deploy_run(struct nf_deploy *d, const char *const *words, bool as_root,
                               int64_t timeout_ns, struct nf_ssh_end *ret, struct nf_err *err);
/* What it wrote to standard output, up to out's ceiling; unchecked bytes of the target. */
NF_NODISCARD int nf_deploy_output(struct nf_deploy *d, struct nf_buf *out, struct nf_err *err);
/* The last line on its standard error, printable. */
NF_NODISCARD int nf_deploy_message(struct nf_deploy *d, char ret[NF_SAID_LINE], struct nf_err *err);
/* The one folder that it made in RUNS (the option --runs folder/runs), received below dir_fd. *ret_name: its name, as
 * tar.h takes names; *ret_found: whether there is one. */
NF_NODISCARD int nf_deploy_fetch(struct nf_deploy *d, int dir_fd, int uid, int gid,
                                 char ret_name[NF_TAR_NAME], bool *ret_found, struct nf_err *err);
/* Removes the folder there and ends the connection. false: it may be left there. */
bool nf_deploy_close(struct nf_deploy *d);

#endif
