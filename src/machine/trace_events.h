/* SPDX-License-Identifier: MIT */
/* trace_events - from the kernel's event records to a log of events. */
#ifndef NF_MACHINE_TRACE_EVENTS_H
#define NF_MACHINE_TRACE_EVENTS_H

#include <event-parse.h>

#include "base/event_log.h"

/* One event that is traced, with its layout. */
struct nf_trace_row {
	struct tep_event *event; /* borrowed from its tep_handle */
	enum nf_event_kind kind; /* of a context switch: THREAD_IN */
	struct tep_format_field *arg; /* what the event's arg is; of a context switch: next_pid */
	struct tep_format_field *name; /* of an interrupt line; of a context switch: next_comm */
	struct tep_format_field *prev_pid;
	struct tep_format_field *prev_comm;
	struct tep_format_field *prev_state;
	uint32_t index; /* of the name where no field holds it: of a vector, of NMIs */
};

struct nf_trace_rows {
	struct nf_trace_row *row; /* owned */
	size_t n;
};

/* The events of irq_vectors that have an entry and an exit, irq_handler, softirq, sched_switch and
 * nmi_handler, as far as tep knows them; names go into the log. -NF_EUNSUPPORTED: without context
 * switches or any interrupt there is nothing to tell. */
NF_NODISCARD int nf_trace_rows_find(struct tep_handle *tep, struct nf_event_log *log,
                                    struct nf_trace_rows *ret, struct nf_err *err);
void nf_trace_rows_fini(struct nf_trace_rows *rows); /* zeroed is fine */

/* Puts the record into the track; one that is shorter than its layout is -NF_EDATA. Events without a row
 * are passed over. */
NF_NODISCARD int nf_trace_record(const struct nf_trace_rows *rows, const struct tep_event *ev,
                                 const struct tep_record *rec, struct nf_event_log *log,
                                 struct nf_event_track *track, struct nf_err *err);

#endif
