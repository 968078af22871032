/* SPDX-License-Identifier: MIT */
/* csv_lab - boots as a table, a row a figure of a boot. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/lab.h"

static void add_field(struct nf_buf *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		(void)nf_buf_adds(out, text);
		return;
	}
	(void)nf_buf_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			(void)nf_buf_addc(out, '"');
		(void)nf_buf_addc(out, *text);
	}
	(void)nf_buf_addc(out, '"');
}

struct row {
	const char *kind, *name, *place;
	struct nf_some_real value;
	const char *unit;
};

static void add_row(struct nf_buf *out, const struct nf_rec_boot_attempt *at, const struct row *r)
{
	add_field(out, at->config);
	(void)nf_buf_addf(out, ",%" PRIu64 ",%" PRIu64 ",%s,", at->run, at->attempt,
	                  at->counts ? "true" : "false");
	add_field(out, at->path);
	(void)nf_buf_addf(out, ",%s,", r->kind);
	add_field(out, r->name);
	(void)nf_buf_addc(out, ',');
	add_field(out, r->place ? r->place : "");
	(void)nf_buf_addc(out, ',');
	if (r->value.some)
		(void)nf_buf_add_double(out, r->value.v);
	(void)nf_buf_addc(out, ',');
	add_field(out, r->unit ? r->unit : "");
	(void)nf_buf_addc(out, ',');
	if (at->resolution_s.some)
		(void)nf_buf_add_double(out, at->resolution_s.v);
	(void)nf_buf_adds(out, "\n");
}

static struct nf_some_real real_of(struct nf_some_nat n)
{
	return n.some ? nf_some_real((double)n.v) : (struct nf_some_real){ 0 };
}

static void add_interval(struct nf_buf *out, const struct nf_rec_boot_attempt *at,
                         const struct nf_rec_boot_interval *v)
{
	const struct nf_rec_boot_gap *g = v->gaps.items;

	add_row(out, at, &(struct row){ "interval", v->name, NULL, v->duration_s, "s" });
	add_row(out, at, &(struct row){ "bytes", v->name, NULL, real_of(v->bytes), "byte" });
	add_row(out, at, &(struct row){ "uart", v->name, NULL, v->uart_s, "s" });
	for (size_t i = 0; i < v->gaps.n; i++)
		add_row(out, at,
		        &(struct row){ "gap", v->name, g[i].text, nf_some_real(g[i].length_s),
		                       "s" });
	if (v->guest) {
		add_row(out, at,
		        &(struct row){ "guest_claims", v->name, NULL,
		                       nf_some_real(v->guest->claims_s), "s" });
		add_row(out, at,
		        &(struct row){ "guest_host", v->name, NULL, nf_some_real(v->guest->host_s),
		                       "s" });
	}
}

static void add_attempt(struct nf_buf *out, const struct nf_rec_boot_attempt *at)
{
	const struct nf_rec_boot_event *e = at->phases.items;
	const struct nf_rec_boot_interval *v = at->intervals.items;
	const struct nf_rec_boot_value *x = at->values.items;
	const struct nf_rec_boot_fault *f = at->faults.items;

	for (size_t i = 0; i < at->phases.n; i++)
		add_row(out, at, &(struct row){ "phase", e[i].name, NULL, e[i].time_s, "s" });
	for (size_t i = 0; i < at->intervals.n; i++)
		add_interval(out, at, &v[i]);
	for (size_t i = 0; i < at->values.n; i++) {
		char nth[32];

		snprintf(nth, sizeof(nth), "#%" PRIu64, x[i].nth);
		add_row(out, at,
		        &(struct row){ "value", x[i].name, x[i].section ? x[i].section : nth,
		                       nf_some_real(x[i].value), x[i].unit });
	}
	for (size_t i = 0; i < at->faults.n; i++)
		add_row(out, at,
		        &(struct row){ "fault", f[i].kind, f[i].interval, f[i].time_s, "s" });
}

int nf_csv_lab(const struct nf_rec_boot_campaign *c, struct nf_buf *out)
{
	const struct nf_rec_boot_attempt *at = c->attempts.items;

	(void)nf_buf_adds(out, "config,run,attempt,counts,path,kind,name,place,value,unit,"
	                       "resolution_s\n");
	for (size_t i = 0; i < c->attempts.n; i++)
		add_attempt(out, &at[i]);
	return -(int)out->failed;
}
