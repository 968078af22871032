/* SPDX-License-Identifier: MIT */
/* audit_record - what was measured of regions, and what follows from it, as records. */
#include <inttypes.h>
#include <stdio.h>

#include "job/audit.h"

enum { WARNINGS = 8 };

void nf_audit_record_sums(const struct nf_region_sums *s, struct nf_rec_audit_sums *ret)
{
	*ret = (struct nf_rec_audit_sums){
		.entered = s->entered,
		.ended = s->ended,
		.abandoned = s->abandoned,
		.unread = s->unread,
		.with_io = s->with_io,
		.wall_ns = s->wall_ns,
		.audit_ns = s->audit_ns,
		.user_ns = s->user_us * 1000,
		.system_ns = s->system_us * 1000,
		.minor_faults = s->minor_faults,
		.major_faults = s->major_faults,
		.voluntary_switches = s->voluntary_switches,
		.involuntary_switches = s->involuntary_switches,
		.io = { .rchar = s->io.rchar,
		        .wchar = s->io.wchar,
		        .syscr = s->io.syscr,
		        .syscw = s->io.syscw,
		        .read_bytes = s->io.read_bytes,
		        .write_bytes = s->io.write_bytes,
		        .cancelled_write_bytes = s->io.cancelled_write_bytes },
		.others_wchar = s->others_wchar,
		.others_syscw = s->others_syscw,
		.buffered_bytes = s->buffered_bytes,
		.flushed_bytes = s->flushed_bytes,
	};
	if (s->first_io)
		ret->first_io = nf_some_nat(s->first_io);
	if (s->ended) {
		ret->min_ns = nf_some_nat(s->min_ns);
		ret->max_ns = nf_some_nat(s->max_ns);
	}
}

/* A sum less what as many regions with nothing in them would have given. */
static double net(uint64_t sum, uint64_t ended, uint64_t empty_sum, uint64_t empty_ended)
{
	double of_empty = empty_ended ? (double)empty_sum / (double)empty_ended : 0;
	double v = (double)sum - (double)ended * of_empty;

	return v > 0 ? v : 0;
}

struct warnings {
	struct nf_arena *a;
	const char **item;
	size_t n;
};

static void warn(struct warnings *w, const char *text)
{
	if (w->item && w->n < WARNINGS)
		w->item[w->n++] = text;
}

static void judge_times(struct nf_rec_audit_region *r, struct warnings *w)
{
	if (r->kernel_ratio.some && r->kernel_ratio.v > NF_AUDIT_KERNEL_RATIO)
		warn(w, nf_arena_printf(w->a, "kernel time is %.3g %% of the region, over 5 %%",
		                        100 * r->kernel_ratio.v));
	if (r->overhead_ratio.some && r->overhead_ratio.v > NF_AUDIT_OVERHEAD_RATIO)
		warn(w,
		     nf_arena_printf(w->a,
		                     "the audit's marks took %.3g %% of the region's time beside "
		                     "it, over 10 %%",
		                     100 * r->overhead_ratio.v));
}

static void judge_counts(struct nf_rec_audit_region *r, struct warnings *w)
{
	const struct nf_rec_audit_sums *s = &r->sums;
	uint64_t open =
	        s->entered > s->ended + s->abandoned ? s->entered - s->ended - s->abandoned : 0;

	if (s->abandoned)
		warn(w, nf_arena_printf(w->a,
		                        "left without its end %" PRIu64 " times (longjmp, an early "
		                        "return): not measured",
		                        s->abandoned));
	if (open)
		warn(w, nf_arena_printf(w->a,
		                        "not ended %" PRIu64 " times in the thread that began it: "
		                        "not measured",
		                        open));
	if (s->unread)
		warn(w, nf_arena_printf(w->a, "/proc/self/io told nothing %" PRIu64 " times",
		                        s->unread));
	if (s->buffered_bytes)
		warn(w, nf_arena_printf(w->a,
		                        "%" PRIu64 " bytes stay in stdio's buffers: they are "
		                        "written later, maybe in another region",
		                        s->buffered_bytes));
	r->complete = !s->abandoned && !open && !s->unread && s->ended > 0;
}

void nf_audit_record_region(const char *name, const struct nf_region_sums *from,
                            const struct nf_rec_audit_sums *empty, int64_t baud, int64_t tick_ns,
                            struct nf_arena *a, struct nf_rec_audit_region *ret)
{
	struct warnings w = { .a = a, .item = nf_arena_alloc(a, WARNINGS, sizeof(*w.item)) };
	uint64_t n, printed;

	*ret = (struct nf_rec_audit_region){ .name = nf_arena_strdup(a, name) };
	struct nf_rec_audit_sums *s = &ret->sums;
	nf_audit_record_sums(from, s);
	n = s->ended;
	ret->net_ns = net(s->wall_ns, n, empty->wall_ns, empty->ended);
	printed = s->io.wchar + s->buffered_bytes;
	printed = printed > s->flushed_bytes ? printed - s->flushed_bytes : 0;
	ret->console_bytes = (printed > s->io.wchar ? printed : s->io.wchar) + s->others_wchar;
	ret->console_ns = (double)ret->console_bytes * NF_AUDIT_BITS_PER_BYTE * 1e9 / (double)baud;
	ret->has_io = s->with_io > 0;
	if (ret->net_ns > 0) {
		double system = net(s->system_ns, n, empty->system_ns, empty->ended);

		ret->console_ratio = nf_some_real(ret->console_ns / ret->net_ns);
		ret->overhead_ratio = nf_some_real((double)s->audit_ns / ret->net_ns);
		if (s->user_ns + s->system_ns >= (uint64_t)tick_ns * NF_AUDIT_MIN_TICKS)
			ret->kernel_ratio = nf_some_real(system / ret->net_ns);
	}
	judge_times(ret, &w);
	judge_counts(ret, &w);
	ret->warnings = (struct nf_list){ w.item, w.n };
}

static void record_call(const struct nf_audit_row *row, const struct nf_audit_trace *t,
                        int64_t baud, struct nf_arena *a, struct nf_rec_audit_call *ret)
{
	const char *name = nf_audit_call_name(row->nr);

	*ret = (struct nf_rec_audit_call){
		.region = row->region == NF_AUDIT_NO_REGION
		                  ? NULL
		                  : nf_arena_strdup(a, t->region[row->region]),
		.others = row->others,
		.call = name ? name : nf_arena_printf(a, "number %" PRIu64, row->nr),
		.is_io = row->kind.way != NF_AUDIT_NO_IO,
		.is_write = row->kind.way == NF_AUDIT_OUT,
		.target = row->target[0] ? nf_arena_strdup(a, row->target) : NULL,
		.target_kind = (int)row->target_kind,
		.calls = row->calls,
		.failed = row->failed,
		.bytes = row->bytes,
	};
	if (ret->is_write)
		ret->console_ns = nf_some_real((double)row->bytes * NF_AUDIT_BITS_PER_BYTE * 1e9 /
		                               (double)baud);
}

void nf_audit_record_trace(const struct nf_audit_trace *t, int64_t baud, struct nf_arena *a,
                           struct nf_rec_audit_trace *ret)
{
	struct nf_rec_audit_call *call =
	        nf_arena_alloc(a, t->n_rows ? t->n_rows : 1, sizeof(*call));

	*ret = (struct nf_rec_audit_trace){
		.wait_status = { true, t->end.wait_status },
		.calls = { call, call ? t->n_rows : 0 },
		.rows_lost = t->rows_lost,
		.regions_lost = t->regions_lost,
		.foreign = t->foreign,
	};
	for (size_t i = 0; call && i < t->n_rows; i++)
		record_call(&t->row[i], t, baud, a, &call[i]);
}
