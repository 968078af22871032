/* SPDX-License-Identifier: MIT */
/*
 * signals - SIGINT, SIGTERM, SIGHUP and SIGXCPU (the last two taken as SIGTERM).
 *
 * A command that measures is asked to end: it keeps what it has and puts back what it changed. A
 * second signal is answered with a line; a third ends the process at once, and the next run puts back
 * what this one left. A command that only reads ends at the first signal.
 */
#ifndef NF_CLI_SIGNALS_H
#define NF_CLI_SIGNALS_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/stop.h"

/* Installs the handlers. SIGINT and SIGTERM are taken even where the caller's shell ignored them for a
 * background job; an ignored SIGHUP (nohup) or SIGXCPU stays ignored. SIGPIPE becomes EPIPE
 * and SIGXFSZ (a limit of file size) EFBIG here; both stay the default in programs that are started. */
NF_NODISCARD int nf_signals_install(struct nf_err *err);
/* From now on: ask first (true), or end at the first signal. */
void nf_signals_ask_first(bool ask);
const struct nf_stop *nf_signals_stop(void);
/* Called by a handler before it ends the process at once: what must not be left behind (a terminal's settings).
 * Async-signal-safe; NULL: nothing. */
void nf_signals_before_exit(void (*fn)(void));

#endif
