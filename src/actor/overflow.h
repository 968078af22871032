/* SPDX-License-Identifier: MIT */
/* overflow - a stack that overflows ends its actor, not the program. */
#ifndef NF_ACTOR_OVERFLOW_H
#define NF_ACTOR_OVERFLOW_H

#include "actor/layout.h"

/* From the first runtime with guards to the last one, the process has our handler of SIGSEGV
 * (and SIGBUS). What is not on the guard of the stack in use goes to the handler that was there
 * before. */
int nf_overflow_install(struct nf_err *err);
void nf_overflow_uninstall(void);

/* The calling worker's alternate stack, and the one that clean-ups after an overflow run on. */
int nf_overflow_prepare(struct nf_wrk *w, struct nf_err *err);
void nf_overflow_thread(struct nf_wrk *w);
void nf_overflow_release(struct nf_wrk *w);

void nf_overflow_entry(void);

#endif
