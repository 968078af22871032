/* SPDX-License-Identifier: MIT */
#include "job/port_record.h"

static struct nf_some_nat some_nat(bool some, int64_t v)
{
	return (struct nf_some_nat){ some, some ? (uint64_t)v : 0 };
}

static const char *text_or_none(struct nf_arena *a, const char *s)
{
	return s[0] ? nf_arena_strdup(a, s) : NULL;
}

void nf_port_record(const struct nf_port_facts *f, struct nf_arena *a,
                    struct nf_rec_console_port *ret)
{
	*ret = (struct nf_rec_console_port){
		.kind = (int)f->kind,
		.name = nf_arena_strdup(a, f->name),
		.device = text_or_none(a, f->device),
		.by_path = text_or_none(a, f->by_path),
		.driver = text_or_none(a, f->driver),
		.baud = some_nat(f->baud > 0, f->baud),
		.latency_timer_ms = some_nat(f->latency_timer_ms >= 0, f->latency_timer_ms),
		.delay_ns = some_nat(f->delay_ns >= 0, f->delay_ns),
		.carrier = { f->modem_known, f->dcd },
		.clear_to_send = { f->modem_known, f->cts },
		.data_set_ready = { f->modem_known, f->dsr },
	};
}

bool nf_port_errors_record(const struct nf_port_errors *b, const struct nf_port_errors *e,
                           struct nf_rec_console_errors *ret)
{
	if (!b->known || !e->known)
		return false;
	/* Counters of 32 bits: their difference is right across an overflow. */
	*ret = (struct nf_rec_console_errors){
		.overrun = e->overrun - b->overrun,
		.buf_overrun = e->buf_overrun - b->buf_overrun,
		.frame = e->frame - b->frame,
		.parity = e->parity - b->parity,
		.breaks = e->brk - b->brk,
		.bytes = e->rx - b->rx,
	};
	return true;
}
