/* SPDX-License-Identifier: MIT */
/* lab_read - one log becomes an attempt. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "job/head.h"
#include "job/lab_capture.h"

#define S_PER_NS 1e-9
/* What the guest's clock and the host's may differ by beside the stamps' resolution. */
#define GUEST_SLACK_S 0.010
#define GUEST_SLACK_RATIO 0.01
#define GAP_RESOLUTIONS 1.5

/* --- an imported log --- */

struct reading {
	const struct nf_lab_observer *observer;
	struct nf_phases *phases;
	struct nf_rec_boot_attempt *at;
};

static int on_line(void *ctx, const struct nf_line *l, bool stamped, struct nf_err *err)
{
	struct reading *r = ctx;

	r->at->cut_bytes += l->cut_bytes;
	r->at->nul_bytes += l->n_nul;
	r->at->bad_utf8 += l->n_bad_utf8;
	if (r->observer && r->observer->line) {
		int seen = r->observer->line(r->observer->ctx, l, err);

		if (seen < 0)
			return seen;
	}
	return nf_phases_line(r->phases, l, stamped, err);
}

static int feed_file(int fd, const char *path, struct nf_import *im, struct nf_sha256 *sha,
                     const struct nf_stop *stop, struct nf_err *err)
{
	char chunk[1 << 16];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "%s", path);
		if (n == 0 || (stop && nf_stop_signo(stop)))
			return nf_import_finish(im, err);
		nf_sha256_add(sha, chunk, (size_t)n);
		int r = nf_import_feed(im, chunk, (size_t)n, err);
		if (r < 0)
			return r;
	}
}

static void take_facts(const struct nf_import_facts *f, struct nf_lab_log *log,
                       const struct nf_lab_opts *o, struct nf_arena *a,
                       struct nf_rec_boot_attempt *at)
{
	uint64_t run = 0;

	at->form = f->form->name;
	at->digit_s = nf_some_real((double)f->unit_ns * S_PER_NS);
	at->status = f->head.status[0] ? nf_arena_strdup(a, f->head.status) : NULL;
	/* A name that was given stands; else the log knows best. */
	if (f->head.config[0] && o->n_configs == 0)
		log->config = nf_arena_strdup(a, f->head.config);
	for (const char *p = f->head.run; *p >= '0' && *p <= '9' && run < 100000000; p++)
		run = run * 10 + (uint64_t)(*p - '0');
	if (run)
		log->run = run;
}

static int read_import(const struct nf_lab_opts *o, struct nf_lab_log *log, struct nf_arena *a,
                       const struct nf_stop *stop, struct reading *rd, struct nf_err *err)
{
	struct nf_import *im = NULL;
	uint8_t digest[NF_SHA256_BYTES];
	char hex[NF_SHA256_HEX];
	struct nf_sha256 sha;
	int fd = nf_open_input(log->path, "a console log", err);

	if (fd < 0)
		return fd;
	nf_sha256_init(&sha);
	int r = nf_import_new(o->form, log->path, on_line, rd, &im, err);
	if (r == 0)
		r = feed_file(fd, log->path, im, &sha, stop, err);
	if (r == 0) {
		nf_sha256_done(&sha, digest);
		nf_sha256_hex(digest, hex);
		rd->at->sha256 = nf_arena_strdup(a, hex);
		take_facts(nf_import_facts(im), log, o, a, rd->at);
	}
	nf_import_free(im);
	close(fd);
	return r;
}

/* --- the record of it --- */

static double since(int64_t ns, int64_t t0_ns)
{
	return (double)(ns - t0_ns) * S_PER_NS;
}

static void take_event(const struct nf_phase_event *e, const struct nf_phase_event *t0,
                       const char *name, struct nf_arena *a, struct nf_rec_boot_event *ret)
{
	*ret = (struct nf_rec_boot_event){ .name = name,
		                           .unstamped = e->unstamped,
		                           .before_t0 = e->before_t0 };
	if (!e->found)
		return;
	ret->time_s = nf_some_real(since(e->hi_ns, t0 ? t0->hi_ns : 0));
	ret->lo_s = nf_some_real(since(e->lo_ns, t0 ? t0->hi_ns : 0));
	ret->hi_s = nf_some_real(since(e->hi_ns, t0 ? t0->lo_ns : 0));
	ret->line = nf_some_nat(e->line);
	ret->text = nf_arena_strdup(a, e->text);
}

static void take_guest(const struct nf_printk_span *g, double resolution_s, struct nf_arena *a,
                       struct nf_rec_boot_interval *ret)
{
	struct nf_rec_boot_guest *to;

	if (g->stamps < 2)
		return;
	to = nf_arena_alloc(a, 1, sizeof(*to));
	if (!to)
		return;
	*to = (struct nf_rec_boot_guest){
		.stamps = g->stamps,
		.restarts = g->restarts,
		.claims_s = (double)g->guest_ns * S_PER_NS,
		.host_s = (double)g->host_ns * S_PER_NS,
	};
	to->difference_s = to->host_s - to->claims_s;
	to->tolerance_s = 2 * resolution_s + GUEST_SLACK_S + GUEST_SLACK_RATIO * to->host_s;
	to->disagrees = to->difference_s > to->tolerance_s || -to->difference_s > to->tolerance_s;
	ret->guest = to;
}

static void take_gaps(const struct nf_phase_interval *v, int64_t t0_ns, double resolution_s,
                      struct nf_arena *a, struct nf_rec_boot_interval *ret)
{
	struct nf_rec_boot_gap *g = nf_arena_alloc(a, NF_PHASE_GAPS, sizeof(*g));
	double duration = (double)v->duration_ns * S_PER_NS, sum = 0;
	size_t n = 0;

	for (size_t i = 0; g && i < v->n_gaps; i++) {
		double length = (double)v->gap[i].length_ns * S_PER_NS;

		if (length <= GAP_RESOLUTIONS * resolution_s || duration <= 0)
			break;
		g[n++] = (struct nf_rec_boot_gap){ .length_s = length,
			                           .begin_s = since(v->gap[i].begin_ns, t0_ns),
			                           .ratio = length / duration,
			                           .line = v->gap[i].line,
			                           .inside = v->gap[i].inside,
			                           .text = nf_arena_strdup(a, v->gap[i].text) };
		sum += length;
	}
	ret->gaps = (struct nf_list){ g, n };
	if (duration > 0)
		ret->silence_ratio = nf_some_real(sum / duration);
}

static void take_interval(const struct nf_phases_result *p, size_t i, const char *from,
                          const char *to, uint64_t baud, double resolution_s, struct nf_arena *a,
                          struct nf_rec_boot_interval *ret)
{
	const struct nf_phase_interval *v = &p->interval[i];
	double grid = p->grid.found ? (double)p->grid.step_ns * S_PER_NS : 0;

	*ret = (struct nf_rec_boot_interval){ .name = nf_arena_printf(a, "%s..%s", from, to),
		                              .lines = v->lines,
		                              .faults = v->faults };
	if (!v->seen)
		return;
	ret->duration_s = nf_some_real((double)v->duration_ns * S_PER_NS);
	ret->lo_s = nf_some_real((double)v->lo_ns * S_PER_NS - grid);
	ret->hi_s = nf_some_real((double)v->hi_ns * S_PER_NS + grid);
	if (v->duration_ns < 0)
		return;
	ret->bytes = nf_some_nat(v->bytes);
	ret->uart_s = nf_some_real(nf_uart_s(v->bytes, baud));
	if (v->duration_ns > 0)
		ret->uart_ratio = nf_some_real(ret->uart_s.v / ret->duration_s.v);
	take_gaps(v, p->event[0].hi_ns, resolution_s, a, ret);
	take_guest(&v->guest, resolution_s, a, ret);
}

static const char *interval_name(const struct nf_rec_boot_attempt *at, size_t i)
{
	const struct nf_rec_boot_interval *v = at->intervals.items;

	return i < at->intervals.n ? v[i].name : NULL;
}

static void take_value(const struct nf_lab_opts *o, const struct nf_phases_result *p,
                       const struct nf_phase_value *v, double resolution_s, struct nf_arena *a,
                       const struct nf_rec_boot_attempt *at, struct nf_rec_boot_value *ret)
{
	static const struct nf_value_want stamp = { NULL, NULL, 1e6 }, ticks = { NULL, NULL, 0 };
	bool stamped = v->want == SIZE_MAX;
	const struct nf_value_want *w = !stamped         ? &o->phases.value[v->want]
	                                : v->has_counter ? &stamp
	                                                 : &ticks;
	const char *unit = !stamped         ? (o->value_unit ? o->value_unit[v->want] : NULL)
	                   : v->has_counter ? "us"
	                                    : "tick";

	*ret = (struct nf_rec_boot_value){
		.name = nf_arena_strdup(a, stamped ? v->stamp : w->name),
		.nth = v->nth,
		.section = v->section[0] ? nf_arena_strdup(a, v->section) : NULL,
		.value = v->value,
		.unit = nf_arena_strdup(a, unit),
		.line = v->line,
		.interval = interval_name(at, v->interval),
		.text = nf_arena_strdup(a, v->text),
	};
	if (w->per_s > 0)
		ret->claims_s = nf_some_real(v->value / w->per_s);
	if (v->has_section_time)
		ret->host_s = nf_some_real(since(v->hi_ns, v->section_lo_ns));
	else if (v->interval != SIZE_MAX)
		ret->host_s = nf_some_real(
		        since(v->hi_ns, p->event[p->interval[v->interval].from].lo_ns));
	if (ret->claims_s.some && ret->host_s.some)
		ret->fits = nf_some_bool(ret->claims_s.v <=
		                         ret->host_s.v + resolution_s + GUEST_SLACK_S +
		                                 GUEST_SLACK_RATIO * ret->claims_s.v);
	if (v->has_counter) {
		ret->counter_diff = nf_some_nat(v->counter_diff);
		ret->counter_hz = nf_some_nat(v->counter_hz);
		ret->counter_agrees = nf_some_bool(v->counter_agrees);
	}
}

static void take_faults(const struct nf_phases_result *p, struct nf_arena *a,
                        struct nf_rec_boot_attempt *at)
{
	struct nf_rec_boot_fault *f = nf_arena_alloc(a, p->n_faults + 1, sizeof(*f));

	for (size_t i = 0; f && i < p->n_faults; i++)
		f[i] = (struct nf_rec_boot_fault){
			.kind = p->fault[i].name,
			.time_s = p->event[0].found ? nf_some_real(since(p->fault[i].hi_ns,
			                                                 p->event[0].hi_ns))
			                            : (struct nf_some_real){ 0 },
			.line = p->fault[i].line,
			.interval = interval_name(at, p->fault[i].interval),
			.text = nf_arena_strdup(a, p->fault[i].text),
		};
	at->faults = (struct nf_list){ f, f ? p->n_faults : 0 };
	at->faults_lost = p->faults_lost;
}

static void take_restarts(const struct nf_phases_result *p, struct nf_arena *a,
                          struct nf_rec_boot_attempt *at)
{
	const struct nf_restarts *from = &p->restarts;
	struct nf_rec_boot_restart *r = nf_arena_alloc(a, from->n + 1, sizeof(*r));

	for (size_t i = 0; r && i < from->n; i++)
		r[i] = (struct nf_rec_boot_restart){
			.sign = (int)from->item[i].sign,
			.time_s = since(from->item[i].host_ns, p->event[0].hi_ns),
			.line = from->item[i].line,
			.interval = interval_name(at, from->item[i].interval),
			.text = nf_arena_strdup(a, from->item[i].text),
		};
	at->restarts = (struct nf_list){ r, r ? from->n : 0 };
}

static void take_lists(const struct nf_lab_opts *o, const struct nf_phases_result *p,
                       struct nf_arena *a, struct nf_rec_boot_attempt *at)
{
	double resolution_s = at->resolution_s.some ? at->resolution_s.v : 0;
	size_t n = o->phases.n_phases;
	struct nf_rec_boot_event *e = nf_arena_alloc(a, n + 1, sizeof(*e));
	struct nf_rec_boot_event *t0 = nf_arena_alloc(a, 1, sizeof(*t0));
	struct nf_rec_boot_interval *v = nf_arena_alloc(a, n + 1, sizeof(*v));
	struct nf_rec_boot_value *x = nf_arena_alloc(a, p->n_values + 1, sizeof(*x));

	if (!e || !t0 || !v || !x)
		return;
	take_event(&p->event[0], NULL, "t0", a, t0);
	at->t0 = p->event[0].found ? t0 : NULL;
	for (size_t i = 0; i < n; i++) {
		const char *name = o->phases.phase[i].name;

		take_event(&p->event[1 + i], &p->event[0], name, a, &e[i]);
		take_interval(p, i, i ? o->phases.phase[i - 1].name : "t0", name, at->baud,
		              resolution_s, a, &v[i]);
	}
	at->phases = (struct nf_list){ e, n };
	at->intervals = (struct nf_list){ v, n };
	for (size_t i = 0; i < p->n_values; i++)
		take_value(o, p, &p->value[i], resolution_s, a, at, &x[i]);
	at->values = (struct nf_list){ x, p->n_values };
	at->values_lost = p->values_lost + p->not_numbers;
	take_faults(p, a, at);
	take_restarts(p, a, at);
}

static void take_baud(const struct nf_lab_opts *o, const struct nf_phases_result *p,
                      uint32_t captured, struct nf_rec_boot_attempt *at)
{
	at->baud = o->baud          ? o->baud
	           : captured       ? captured
	           : p->kernel_baud ? p->kernel_baud
	                            : NF_LAB_BAUD;
	at->baud_why = o->baud          ? "option"
	               : captured       ? "capture"
	               : p->kernel_baud ? "kernel command line"
	                                : "assumed";
}

static void take_platform(const struct nf_lab_opts *o, const struct nf_phases_result *p,
                          struct nf_arena *a, struct nf_rec_boot_attempt *at)
{
	for (size_t i = 0; i < o->n_platforms; i++) {
		if (o->platform[i].name && strcmp(o->platform[i].name, at->config) != 0)
			continue;
		at->platform = strcmp(o->platform[i].text, "board") == 0 ? NF_BOOT_BOARD
		                                                         : NF_BOOT_EMULATOR;
		at->platform_why = "option";
		return;
	}
	if (p->emulator[0] && !at->platform_why) {
		at->platform = NF_BOOT_EMULATOR;
		at->platform_why = nf_arena_printf(a, "'%s' in the log", p->emulator);
	}
}

/* The coarser of what is printed (or of the port's delay) and of the grid. */
static void take_resolution(const struct nf_phases_result *p, struct nf_rec_boot_attempt *at)
{
	if (p->grid.found)
		at->grid_s = nf_some_real((double)p->grid.step_ns * S_PER_NS);
	if (at->digit_s.some)
		at->resolution_s = at->digit_s;
	else if (at->port && at->port->delay_s.some)
		at->resolution_s = at->port->delay_s;
	if (at->grid_s.some && (!at->resolution_s.some || at->grid_s.v > at->resolution_s.v))
		at->resolution_s = at->grid_s;
}

static void take_result(const struct nf_lab_opts *o, const struct nf_phases_result *p,
                        const struct nf_lab_log *log, uint32_t captured_baud, struct nf_arena *a,
                        struct nf_rec_boot_attempt *at)
{
	at->config = log->config;
	at->run = log->run;
	at->attempt = log->attempt;
	at->path = log->path;
	at->lines = p->lines;
	at->bytes = p->bytes;
	at->unstamped_lines = p->unstamped;
	at->backwards = p->backwards;
	if (p->backwards)
		at->worst_backwards_s = nf_some_real((double)p->worst_backwards_ns * S_PER_NS);
	if (p->last_text[0])
		at->last_text = nf_arena_strdup(a, p->last_text);
	take_baud(o, p, captured_baud, at);
	take_platform(o, p, a, at);
	take_resolution(p, at);
	take_lists(o, p, a, at);
}

int nf_lab_read(const struct nf_lab_opts *o, struct nf_lab_log *log, struct nf_arena *a,
                const struct nf_stop *stop, struct nf_rec_boot_attempt *ret, struct nf_err *err)
{
	struct nf_rec_boot_attempt at = { 0 };
	struct nf_phases_opts opts = o->phases;
	struct reading rd = { .observer = o->observer, .at = &at };
	uint32_t baud = 0;
	int r;

	if (log->capture) {
		r = nf_lab_read_capture(o, log, a, stop, &at, &rd.phases, &baud, err);
	} else {
		opts.locate = NULL;
		r = nf_phases_new(&opts, &rd.phases, err);
		if (r == 0)
			r = read_import(o, log, a, stop, &rd, err);
	}
	if (r == 0) {
		const struct nf_phases_result *p = nf_phases_finish(rd.phases);

		take_result(o, p, log, baud, a, &at);
		if (o->observer && o->observer->result)
			o->observer->result(o->observer->ctx, p);
		r = nf_arena_failed(a, "an attempt", err);
	}
	nf_phases_free(rd.phases);
	if (r == 0)
		*ret = at;
	return r;
}

int nf_lab_read_none(const struct nf_lab_opts *o, const struct nf_lab_log *log, struct nf_arena *a,
                     struct nf_rec_boot_attempt *ret, struct nf_err *err)
{
	struct nf_rec_boot_attempt at = { .form = "none" };
	struct nf_phases *p = NULL;
	int r = nf_phases_new(&o->phases, &p, err);

	if (r < 0)
		return r;
	take_result(o, nf_phases_finish(p), log, 0, a, &at);
	nf_phases_free(p);
	r = nf_arena_failed(a, "an attempt", err);
	if (r == 0)
		*ret = at;
	return r;
}
