/* SPDX-License-Identifier: MIT */
#include "machine/trace_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 128, NAME_BYTES = 64 };

/* include/linux/interrupt.h: part of the kernel's interface through /proc/softirqs. */
static const char *const softirqs[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	                                "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };
enum { N_SOFTIRQS = sizeof(softirqs) / sizeof(softirqs[0]) };

/* --- layouts --- */

static bool ends_with(const char *text, const char *end, size_t *ret_stem)
{
	size_t n = strlen(text), m = strlen(end);

	if (n <= m || strcmp(text + n - m, end) != 0)
		return false;
	*ret_stem = n - m;
	return true;
}

static struct nf_trace_row *add_row(struct nf_trace_rows *rows, struct tep_event *ev,
                                    enum nf_event_kind kind, const char *arg)
{
	struct tep_format_field *f = ev ? tep_find_field(ev, arg) : NULL;
	struct nf_trace_row *row;

	if (!f || rows->n == ROWS_MAX)
		return NULL;
	row = &rows->row[rows->n++];
	*row = (struct nf_trace_row){ .event = ev, .kind = kind, .arg = f };
	return row;
}

/* Entry and exit of each vector: "local_timer_entry" begins "local_timer". */
static int add_vectors(struct tep_handle *tep, struct nf_event_log *log, struct nf_trace_rows *rows,
                       struct nf_err *err)
{
	int n = tep_get_events_count(tep);

	for (int i = 0; i < n; i++) {
		struct tep_event *in = tep_get_event(tep, i), *out;
		struct nf_trace_row *row;
		char other[NAME_BYTES];
		uint32_t name;
		size_t stem;
		int r;

		if (!in || strcmp(in->system, "irq_vectors") != 0 ||
		    !ends_with(in->name, "_entry", &stem) || stem + sizeof("_exit") > NAME_BYTES)
			continue;
		snprintf(other, sizeof(other), "%.*s_exit", (int)stem, in->name);
		out = tep_find_event_by_name(tep, "irq_vectors", other);
		if (!out)
			continue;
		r = nf_event_log_name(log, in->name, stem, &name, err);
		if (r < 0)
			return r;
		row = add_row(rows, in, NF_EVENT_IRQ_IN, "vector");
		if (row)
			row->index = name;
		row = add_row(rows, out, NF_EVENT_IRQ_OUT, "vector");
		if (row)
			row->index = name;
	}
	return 0;
}

static bool add_switch(struct tep_handle *tep, struct nf_trace_rows *rows)
{
	struct tep_event *ev = tep_find_event_by_name(tep, "sched", "sched_switch");
	struct nf_trace_row *row = add_row(rows, ev, NF_EVENT_THREAD_IN, "next_pid");

	if (!row)
		return false;
	row->name = tep_find_field(ev, "next_comm");
	row->prev_pid = tep_find_field(ev, "prev_pid");
	row->prev_comm = tep_find_field(ev, "prev_comm");
	row->prev_state = tep_find_field(ev, "prev_state");
	return row->name && row->prev_pid && row->prev_comm && row->prev_state;
}

int nf_trace_rows_find(struct tep_handle *tep, struct nf_event_log *log, struct nf_trace_rows *ret,
                       struct nf_err *err)
{
	struct nf_trace_rows rows = { .row = calloc(ROWS_MAX, sizeof(*rows.row)) };
	struct nf_trace_row *row;
	bool switches;
	int r;

	if (!rows.row)
		return nf_fail_nomem(err, "the layout of events", ROWS_MAX * sizeof(*rows.row));
	r = add_vectors(tep, log, &rows, err);
	if (r < 0)
		goto out;
	row = add_row(&rows, tep_find_event_by_name(tep, "irq", "irq_handler_entry"),
	              NF_EVENT_IRQ_IN, "irq");
	if (row)
		row->name = tep_find_field(row->event, "name");
	add_row(&rows, tep_find_event_by_name(tep, "irq", "irq_handler_exit"), NF_EVENT_IRQ_OUT,
	        "irq");
	if (rows.n < 2) {
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "this kernel has no trace events for interrupts (irq_vectors, irq)");
		goto out;
	}
	add_row(&rows, tep_find_event_by_name(tep, "irq", "softirq_entry"), NF_EVENT_SOFTIRQ_IN,
	        "vec");
	add_row(&rows, tep_find_event_by_name(tep, "irq", "softirq_exit"), NF_EVENT_SOFTIRQ_OUT,
	        "vec");
	switches = add_switch(tep, &rows);
	if (!switches) {
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "this kernel has no trace event sched_switch with the usual fields");
		goto out;
	}
	row = add_row(&rows, tep_find_event_by_name(tep, "nmi", "nmi_handler"), NF_EVENT_NMI,
	              "delta_ns");
	if (row) {
		r = nf_event_log_name(log, "nmi", 3, &row->index, err);
		if (r < 0)
			goto out;
	}
	*ret = rows;
	return 0;
out:
	nf_trace_rows_fini(&rows);
	return r;
}

void nf_trace_rows_fini(struct nf_trace_rows *rows)
{
	free(rows->row);
	*rows = (struct nf_trace_rows){ 0 };
}

/* --- records --- */

/* The library reads where the layout points without looking at the record's size. */
static int read_number(const struct tep_event *ev, const struct tep_record *rec,
                       struct tep_format_field *f, uint32_t *ret, struct nf_err *err)
{
	unsigned long long v;

	if (f->offset < 0 || f->size <= 0 || f->size > rec->size ||
	    f->offset > rec->size - f->size || tep_read_number_field(f, rec->data, &v) != 0)
		return nf_fail(err, NF_EDATA, "event %s: field %s is not in its %d bytes", ev->name,
		               f->name, rec->size);
	*ret = v > UINT32_MAX && f->size > 4 ? UINT32_MAX : (uint32_t)v;
	return 0;
}

/* A text in the record: of fixed size, or (a __data_loc field) at an offset and of a length that the
 * field holds. Not always ended by a NUL. */
static int read_text(const struct tep_event *ev, const struct tep_record *rec,
                     struct tep_format_field *f, const char **ret, size_t *ret_len,
                     struct nf_err *err)
{
	int64_t at = f->offset, n = f->size;

	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		uint32_t where;
		int r = read_number(ev, rec, f, &where, err);

		if (r < 0)
			return r;
		at = where & 0xffff;
		n = where >> 16;
		if (f->flags & TEP_FIELD_IS_RELATIVE)
			at += f->offset + f->size;
	}
	if (at < 0 || n <= 0 || n > rec->size || at > rec->size - n)
		return nf_fail(err, NF_EDATA, "event %s: text %s is not in its %d bytes", ev->name,
		               f->name, rec->size);
	*ret = (const char *)rec->data + at;
	*ret_len = (size_t)n;
	return 0;
}

static int name_of(const struct tep_event *ev, const struct tep_record *rec,
                   struct tep_format_field *f, struct nf_event_log *log, uint32_t *ret,
                   struct nf_err *err)
{
	const char *text;
	size_t n;
	int r = read_text(ev, rec, f, &text, &n, err);

	return r < 0 ? r : nf_event_log_name(log, text, n, ret, err);
}

/* "24 virtio0-req.0": one line may be shared, one device may have several. */
static int line_name(const struct tep_event *ev, const struct tep_record *rec,
                     struct tep_format_field *f, uint32_t irq, struct nf_event_log *log,
                     uint32_t *ret, struct nf_err *err)
{
	char both[NAME_BYTES];
	const char *text;
	size_t n;
	int r = read_text(ev, rec, f, &text, &n, err);

	if (r < 0)
		return r;
	snprintf(both, sizeof(both), "%u %.*s", irq, (int)(n < NAME_BYTES ? n : NAME_BYTES), text);
	return nf_event_log_name(log, both, sizeof(both), ret, err);
}

/* prev_state as the event prints it: 'R' has no bit, 'R+' (preempted) one above those of the states. */
static bool can_run_on(uint32_t state)
{
	return (state & 0xff) == 0;
}

static int put_switch(const struct nf_trace_row *row, const struct tep_record *rec,
                      struct nf_event_log *log, struct nf_event_track *track, struct nf_err *err)
{
	struct {
		uint32_t pid, name;
	} prev, next;
	int64_t tick = (int64_t)rec->ts;
	uint32_t state;
	int r;

	if ((r = read_number(row->event, rec, row->prev_pid, &prev.pid, err)) < 0 ||
	    (r = read_number(row->event, rec, row->prev_state, &state, err)) < 0 ||
	    (r = read_number(row->event, rec, row->arg, &next.pid, err)) < 0 ||
	    (r = name_of(row->event, rec, row->prev_comm, log, &prev.name, err)) < 0 ||
	    (r = name_of(row->event, rec, row->name, log, &next.name, err)) < 0)
		return r;
	r = nf_event_log_put(log, track, tick,
	                     can_run_on(state) ? NF_EVENT_THREAD_OUT : NF_EVENT_THREAD_SLEEP,
	                     prev.name, prev.pid, err);
	if (r < 0)
		return r;
	return nf_event_log_put(log, track, tick, NF_EVENT_THREAD_IN, next.name, next.pid, err);
}

static const struct nf_trace_row *find_row(const struct nf_trace_rows *rows,
                                           const struct tep_event *ev)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->row[i].event == ev)
			return &rows->row[i];
	return NULL;
}

int nf_trace_record(const struct nf_trace_rows *rows, const struct tep_event *ev,
                    const struct tep_record *rec, struct nf_event_log *log,
                    struct nf_event_track *track, struct nf_err *err)
{
	const struct nf_trace_row *row = find_row(rows, ev);
	uint32_t arg, name;
	int r;

	if (!row)
		return 0;
	if (row->kind == NF_EVENT_THREAD_IN)
		return put_switch(row, rec, log, track, err);
	r = read_number(ev, rec, row->arg, &arg, err);
	if (r < 0)
		return r;
	name = row->index;
	if (row->name)
		r = line_name(ev, rec, row->name, arg, log, &name, err);
	else if (row->kind == NF_EVENT_SOFTIRQ_IN && arg < N_SOFTIRQS)
		r = nf_event_log_name(log, softirqs[arg], NAME_BYTES, &name, err);
	if (r < 0)
		return r;
	return nf_event_log_put(log, track, (int64_t)rec->ts, row->kind, name, arg, err);
}
