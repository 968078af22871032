/* SPDX-License-Identifier: MIT */
/*
 * lab_terminal - the user's terminal while he types to a board: raw, and as it was on every way out that a process
 * can see: the end, failures, signals that end it (also at once), stopping (SIGTSTP; raw again with SIGCONT),
 * crashes. What SIGKILL leaves `stty sane` puts right. One at a time: a handler can reach only static objects.
 */
#ifndef NF_CLI_LAB_TERMINAL_H
#define NF_CLI_LAB_TERMINAL_H

#include "base/fail.h"

/* -NF_EARG: fd is no terminal. */
NF_NODISCARD int nf_terminal_raw(int fd, struct nf_err *err);
void nf_terminal_restore(void); /* nothing to do: fine */

#endif
