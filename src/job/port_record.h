/* SPDX-License-Identifier: MIT */
/* port_record - a port's facts and counters as parts of records. */
#ifndef NF_JOB_PORT_RECORD_H
#define NF_JOB_PORT_RECORD_H

#include "board/port.h"
#include "record/rec_console.h"

/* Texts are copied into a. */
void nf_port_record(const struct nf_port_facts *f, struct nf_arena *a,
                    struct nf_rec_console_port *ret);
/* What was counted from b to e; false: the driver counts nothing. */
bool nf_port_errors_record(const struct nf_port_errors *b, const struct nf_port_errors *e,
                           struct nf_rec_console_errors *ret);

#endif
