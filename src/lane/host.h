/* SPDX-License-Identifier: MIT */
/*
 * host - the machine whose lanes are looked at: this one, a captured tree, one behind ssh, or a test's. Everything
 * that a loader asks or does goes through these calls.
 */
#ifndef NF_LANE_HOST_H
#define NF_LANE_HOST_H

#include "base/buf.h"
#include "base/rootfs.h"
#include "base/stop.h"
#include "remote/ssh.h"

enum {
	NF_LANE_FILE_MAX_BYTES = 8 << 20, /* a kernel's configuration is some 300 KiB */
	NF_LANE_ANSWER_MAX_BYTES = 1 << 20, /* of a command */
};
#define NF_LANE_COMMAND_NS (INT64_C(30) * 1000000000)

struct nf_lane_ran {
	int status; /* exit status; 127: there is no such program; above 128: killed by a signal */
	char said[NF_SAID_LINE]; /* last line on its standard error, printable; "": none */
};

struct nf_lane_host_ops {
	/* Appends the file, path absolute. -NF_ENODATA: it is not there. -NF_EUNSUPPORTED: it may not be read (with
	 * what would help). -NF_ESUBJECT, -NF_ETIMEOUT: the connection. */
	int (*read)(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err);
	/* Appends the names in a folder, a line each, sorted. Errors as of read. */
	int (*list)(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err);
	/* Runs argv (ends with NULL), as root when asked to, for at most timeout_ns; its standard output is appended.
	 * NULL: nothing can be run there. That it fails is no failure of the call. -NF_EUNSUPPORTED: root cannot be
	 * had. */
	int (*run)(void *ctx, const char *const argv[], bool as_root, int64_t timeout_ns,
	           struct nf_buf *out, struct nf_lane_ran *ret, struct nf_err *err);
};

struct nf_lane_host {
	const struct nf_lane_host_ops *ops;
	void *ctx; /* borrowed */
	const char *name; /* for messages: "this machine", "root@board" */
};

/* The file as text in the arena, NULs replaced by '?'. ret_len may be NULL. Errors as of ops->read. */
NF_NODISCARD int nf_lane_read(const struct nf_lane_host *h, const char *path, struct nf_arena *a,
                              const char **ret, size_t *ret_len, struct nf_err *err);
/* Its first line, trimmed; NULL: it is not there or may not be read. Fails as the connection does, or for memory. */
NF_NODISCARD int nf_lane_line(const struct nf_lane_host *h, const char *path, struct nf_arena *a,
                              const char **ret, struct nf_err *err);
/* Whether it is there, also when it may not be read. */
NF_NODISCARD int nf_lane_exists(const struct nf_lane_host *h, const char *path, bool *ret,
                                struct nf_err *err);
/* Runs a command that has to succeed: -NF_EUNSUPPORTED says that it did not and what it said. out may be NULL. */
NF_NODISCARD int nf_lane_do(const struct nf_lane_host *h, const char *const argv[],
                            struct nf_buf *out, struct nf_err *err);

/* This machine, or a captured tree: then nothing can be run. fs is borrowed. */
struct nf_lane_local {
	const struct nf_rootfs *fs;
	const struct nf_stop *stop;
};
struct nf_lane_host nf_lane_host_local(struct nf_lane_local *l);

/* Behind an open connection, which may be replaced between calls: after a reboot there is a new one. */
struct nf_lane_remote {
	struct nf_ssh *ssh; /* borrowed; NULL: there is none now */
	const char *name;
};
struct nf_lane_host nf_lane_host_remote(struct nf_lane_remote *r);

#endif
