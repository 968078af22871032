/* SPDX-License-Identifier: MIT */
/*
 * audit_child - an audited command: a process group of its own that finds the page for its regions by an
 * environment variable. Standard input is this process's, but nothing where that is a terminal; output and
 * errors go where this process's go.
 */
#ifndef NF_BENCH_AUDIT_CHILD_H
#define NF_BENCH_AUDIT_CHILD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/stop.h"
#include "bench/region_page.h"

struct nf_audit_cfg {
	const char *const *argv; /* ends with NULL */
	char *const *env; /* of the command, "NAME=value", ends with NULL */
	bool output_to_stderr; /* the command's standard output is this process's standard error */
	const struct nf_stop *stop; /* may be NULL */
};

struct nf_audit_end {
	int wait_status;
	int64_t wall_ns;
	struct rusage usage; /* of the command and what it waited for */
	bool stopped; /* by a stop request */
};

struct nf_audit_child {
	pid_t pid; /* 0: none */
	int page_fd; /* -1: none */
	int gate; /* held: a byte written here lets it go; -1: it runs */
	int failed; /* read end: the errno of an exec that failed; -1: read already */
	struct nf_region_page *page; /* shared with it; NULL: none */
	int64_t start_ns;
	int64_t stop_ns; /* when it was asked to end; 0: it was not */
};

/* Starts the command, or holds it right before. nf_audit_child_end() after success and failure alike. */
NF_NODISCARD int nf_audit_child_start(const struct nf_audit_cfg *cfg, bool traced, bool held,
                                      struct nf_audit_child *c, struct nf_err *err);
/* Lets it go. */
NF_NODISCARD int nf_audit_child_release(struct nf_audit_child *c, struct nf_err *err);
/* Waits until the command was executed. -NF_EARG: it cannot be. */
NF_NODISCARD int nf_audit_child_executed(struct nf_audit_child *c, const char *name,
                                         struct nf_err *err);
/* Once a stop request is there: asks the group to end, and ends it when that took too long. */
void nf_audit_child_attend(struct nf_audit_child *c, const struct nf_stop *stop);
/* Ends what is left of the group and waits for the command; then unmaps and closes. */
void nf_audit_child_end(struct nf_audit_child *c);
/* Kills a child, or what is traced, and waits for it; one that is gone is fine. */
void nf_audit_end_process(pid_t pid);

/* Runs the command to its end and hands out what its regions were. -NF_EARG: it cannot be executed. */
NF_NODISCARD int nf_audit_measure(const struct nf_audit_cfg *cfg, struct nf_region_page *ret,
                                  struct nf_audit_end *ret_end, struct nf_err *err);

#endif
