/* SPDX-License-Identifier: MIT */
/* tick_facts - readings that the architectures share. */
#ifndef NF_MEASURE_TICK_FACTS_H
#define NF_MEASURE_TICK_FACTS_H

#include "measure/tick_decide.h"

/* The kernel's current clocksource into f->clocksource; "" when it cannot be read. Only lack of memory
 * fails. */
NF_NODISCARD int nf_tick_read_clocksource(const struct nf_rootfs *root, struct nf_tick_facts *f,
                                          struct nf_err *err);
/* Whether every "flags" line of a /proc/cpuinfo text has all of the NULL-terminated words;
 * *ret_known is false when there is no such line. */
bool nf_tick_flags_have(const char *cpuinfo, const char *const *words, bool *ret_known);

#endif
