/* SPDX-License-Identifier: MIT */
#include "job/lab_doctor.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "board/baud.h"
#include "board/campaign_host.h"
#include "board/line.h"
#include "build_info.h"
#include "job/head.h"
#include "job/lab_power.h"
#include "job/port_record.h"
#include "record/rec_port_check.h"
#include "record/write.h"
#include "report/text.h"
#include "report/text_port_check.h"

enum {
	ARENA_BYTES = 4 << 20,
	SLICE_MS = 100,
	NS_PER_MS = 1000000,
	ENOUGH_BYTES = 512, /* to tell whether another rate reads as text */
	LAST_BYTES = 200,
	WAITING_BYTES = 1 << 20,
	LINE_LIMIT = 4096,
	TRIES_MAX = 24,
	TEXTS_MAX = 8,
};

struct texts {
	const char *item[TEXTS_MAX];
	size_t n;
};

struct doctor {
	const struct nf_job_opts *o;
	const struct nf_doctor_opts *d;
	struct nf_arena a;
	struct nf_rootfs root;
	struct nf_port port;
	struct nf_lines lines;
	char last[LAST_BYTES + 1];
	struct nf_rec_port_listened listened, tried[TRIES_MAX];
	struct nf_rec_console_errors errors;
	struct nf_rec_port_power power;
	struct texts findings, advice, rules;
	struct nf_rec_port_check rec;
};

static void add(struct texts *t, const char *text)
{
	if (t->n < TEXTS_MAX)
		t->item[t->n++] = text;
}

static bool stopped(const struct doctor *x)
{
	return nf_stop_signo(x->o->stop) != 0;
}

/* --- listening --- */

static int take_line(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	struct doctor *x = ctx;
	size_t n = line->len < LAST_BYTES ? line->len : LAST_BYTES;

	(void)err;
	if (strspn(line->text, " \t") == line->len)
		return 0;
	memcpy(x->last, line->text, n);
	x->last[n] = '\0';
	return 0;
}

static int hear(struct doctor *x, struct nf_baud_look *look, bool keep, struct nf_err *err)
{
	static const struct nf_line_time never = { 0 };
	char data[4096];
	size_t n = 0;
	int r = nf_port_read(&x->port, data, sizeof(data), &n, err);

	if (r < 0)
		return r;
	nf_baud_look(look, data, n);
	return keep ? nf_line_feed(&x->lines, data, n, &never, take_line, x, err) : 0;
}

/* For the duration, or until enough_bytes came (0: all of it). A port that goes is told in rec.trouble. */
static int listen_at(struct doctor *x, uint64_t enough_bytes, bool keep,
                     struct nf_rec_port_listened *ret, struct nf_baud_look *look,
                     struct nf_err *err)
{
	struct pollfd p = { .fd = x->port.fd, .events = POLLIN };
	struct nf_instant begin = nf_now_monotonic();
	struct nf_err why = { 0 };
	int r = 0;

	for (;;) {
		int64_t left = x->d->duration_ns - nf_since_ns(begin, nf_now_monotonic());

		if (left <= 0 || stopped(x) || (enough_bytes && look->bytes >= enough_bytes))
			break;
		if (left > (int64_t)SLICE_MS * NS_PER_MS)
			left = (int64_t)SLICE_MS * NS_PER_MS;
		if (poll(&p, 1, (int)((left + NS_PER_MS - 1) / NS_PER_MS)) != 1)
			continue;
		r = hear(x, look, keep, &why);
		if (r < 0)
			break;
	}
	/* What is on its way to where it can be polled for. */
	if (r == 0)
		r = hear(x, look, keep, &why);
	*ret = (struct nf_rec_port_listened){
		.baud = { x->port.facts.kind == NF_PORT_SERIAL, x->port.facts.baud },
		.wall_ns = (uint64_t)nf_since_ns(begin, nf_now_monotonic()),
		.bytes = look->bytes,
		.text_bytes = look->text_bytes,
	};
	if (r == -NF_ESUBJECT) {
		x->rec.trouble = nf_arena_strdup(&x->a, why.msg);
		return 0;
	}
	if (r < 0)
		*err = why;
	return r;
}

/* What came before it was opened may have been read at another rate: it is no evidence. */
static int drain(struct doctor *x, struct nf_baud_look *look, struct nf_err *err)
{
	uint64_t before;
	int r;

	do {
		before = look->bytes + look->n_held;
		r = hear(x, look, true, err);
	} while (r == 0 && look->bytes + look->n_held > before && look->bytes < WAITING_BYTES);
	x->rec.waiting_bytes = look->bytes + look->n_held;
	if (r == -NF_ESUBJECT) {
		x->rec.trouble = nf_arena_strdup(&x->a, err->msg);
		r = 0;
	}
	return r;
}

static void keep_last(struct doctor *x)
{
	struct nf_baud_look look = { 0 };
	struct nf_line tail;

	(void)nf_line_tail(&x->lines, &tail);
	if (tail.len)
		(void)take_line(x, &tail, NULL);
	/* Noise is no text. */
	nf_baud_look(&look, x->last, strlen(x->last));
	if (look.bytes && look.text_bytes * 2 >= look.bytes)
		x->rec.last_line = x->last;
}

static int try_rates(struct doctor *x, uint32_t given, struct nf_err *err)
{
	size_t n = 0;
	int r = 0;

	x->rec.rate = NF_PORT_RATE_NONE_FITS;
	for (const uint32_t *rate = nf_baud_rates; *rate && n < TRIES_MAX && r == 0; rate++) {
		struct nf_baud_look look = { 0 };

		if (*rate == given || nf_port_set_baud(&x->port, *rate, NULL) < 0)
			continue; /* a rate that it does not have */
		r = listen_at(x, ENOUGH_BYTES, false, &x->tried[n++], &look, err);
		if (r < 0 || x->rec.trouble || stopped(x))
			break;
		if (!nf_baud_reads_as_text(&look))
			continue;
		x->rec.rate = NF_PORT_RATE_ANOTHER;
		x->rec.rate_baud = nf_some_nat(*rate);
		break;
	}
	x->rec.tried = (struct nf_list){ x->tried, n };
	return r;
}

static int judge_rate(struct doctor *x, const struct nf_baud_look *look, struct nf_err *err)
{
	uint32_t given = x->d->port.baud;

	if (x->port.facts.kind != NF_PORT_SERIAL) {
		x->rec.rate = NF_PORT_RATE_NOT_APPLICABLE;
		return 0;
	}
	if (look->bytes < NF_BAUD_BYTES_MIN) {
		x->rec.rate = look->bytes ? NF_PORT_RATE_UNKNOWN : NF_PORT_RATE_SILENT;
		return 0;
	}
	if (nf_baud_reads_as_text(look)) {
		x->rec.rate = NF_PORT_RATE_AS_GIVEN;
		x->rec.rate_baud = nf_some_nat(given);
		return 0;
	}
	return try_rates(x, given, err);
}

static int examine_port(struct doctor *x, struct nf_err *err)
{
	struct nf_baud_look waiting = { 0 }, look = { 0 };
	struct nf_port_errors before, after;
	int r = drain(x, &waiting, err);

	if (r < 0)
		return r;
	nf_port_read_errors(&x->port, &before);
	if (!x->rec.trouble)
		r = listen_at(x, 0, true, &x->listened, &look, err);
	if (r < 0)
		return r;
	nf_port_read_errors(&x->port, &after);
	if (nf_port_errors_record(&before, &after, &x->errors))
		x->rec.errors = &x->errors;
	keep_last(x);
	x->rec.listened = &x->listened;
	return x->rec.trouble || stopped(x) ? 0 : judge_rate(x, &look, err);
}

static int open_port(struct doctor *x, struct nf_err *err)
{
	const struct nf_rootfs *root = x->d->root ? x->d->root : &x->root;
	struct nf_port_facts facts;
	struct nf_err why = { 0 };
	int r = nf_port_open(&x->port, &x->d->port, root, x->d->os, &why);

	if (r == 0)
		facts = x->port.facts;
	else
		nf_port_look(&x->d->port, root, &facts);
	nf_port_record(&facts, &x->a, &x->rec.port);
	x->rec.by_id = facts.by_id[0] ? nf_arena_strdup(&x->a, facts.by_id) : NULL;
	if (r == 0)
		return examine_port(x, err);
	if (r == -NF_ESUBJECT) {
		x->rec.trouble = nf_arena_strdup(&x->a, why.msg);
		return 0;
	}
	*err = why;
	return r;
}

/* --- the switch --- */

static int ask_power(struct doctor *x, struct nf_err *err)
{
	const struct nf_campaign *c = x->d->campaign;
	struct nf_lab_power_result power = { 0 };
	struct nf_err why = { 0 };
	int r;

	if (!c || stopped(x))
		return 0;
	r = nf_job_lab_power(c, NF_LAB_POWER_STATUS, x->o->stop, &power, &why);
	x->power = (struct nf_rec_port_power){ .driver = nf_power_rows[c->power.driver]->name,
		                               .state = (int)power.state };
	if (r == -NF_ESUBJECT || r == -NF_ETIMEOUT) {
		x->power.trouble = nf_arena_strdup(&x->a, why.msg);
		r = 0;
	}
	x->rec.power = &x->power;
	if (r < 0)
		*err = why;
	return r;
}

/* --- what follows --- */

static void find_faults(struct doctor *x)
{
	const struct nf_rec_port_check *rec = &x->rec;
	const struct nf_rec_console_errors *e = rec->errors;

	if (rec->rate == NF_PORT_RATE_ANOTHER)
		add(&x->findings,
		    nf_arena_printf(&x->a,
		                    "at %u baud it is no text; it is at %llu: say so where the "
		                    "port is named",
		                    x->d->port.baud, (unsigned long long)rec->rate_baud.v));
	if (rec->rate == NF_PORT_RATE_NONE_FITS)
		add(&x->findings,
		    nf_arena_printf(&x->a,
		                    "what comes is no text at %u baud, nor at %zu other rates: "
		                    "another rate, another line, or no text at all",
		                    x->d->port.baud, rec->tried.n));
	if (e && rec->rate == NF_PORT_RATE_AS_GIVEN && e->frame + e->parity > 0)
		add(&x->findings, "bytes came broken (framing, parity): noise on the line, or a "
		                  "rate that is a little off");
	if (e && e->overrun + e->buf_overrun > 0)
		add(&x->findings, "bytes were lost on the way into this machine (overruns)");
}

/* What stands in by-path is ENV{ID_PATH} and, of an adapter, "-portN". */
static void add_name_rule(struct doctor *x, const char *by_path)
{
	const char *end = strstr(by_path, "-port");
	int n = end && end[strspn(end, "-port0123456789")] == '\0' ? (int)(end - by_path)
	                                                           : (int)strlen(by_path);
	const char *name = x->rec.board ? x->rec.board : "NAME";

	if (strpbrk(by_path, "\"\\"))
		return;
	add(&x->rules, nf_arena_printf(&x->a,
	                               "SUBSYSTEM==\"tty\", ENV{ID_PATH}==\"%.*s\", "
	                               "SYMLINK+=\"board-%s\"",
	                               n, by_path, name));
}

static void advise(struct doctor *x)
{
	const struct nf_rec_console_port *p = &x->rec.port;
	const char *slash = strrchr(p->name, '/'), *base = slash ? slash + 1 : p->name;

	if (p->latency_timer_ms.some && p->latency_timer_ms.v > 1) {
		add(&x->findings, nf_arena_printf(&x->a,
		                                  "the adapter keeps bytes back for up to %llu ms "
		                                  "(latency_timer)",
		                                  (unsigned long long)p->latency_timer_ms.v));
		add(&x->advice, "latency_timer 1 makes the times better");
		add(&x->rules, NF_PORT_UDEV_RULE);
	}
	if (p->kind == NF_REC_PORT_SERIAL &&
	    (strncmp(base, "ttyUSB", 6) == 0 || strncmp(base, "ttyACM", 6) == 0)) {
		add(&x->findings, "a name by number may be another adapter's next time");
		if (p->by_path)
			add(&x->advice, nf_arena_printf(&x->a, "by_path:%s stays", p->by_path));
		else if (x->rec.by_id)
			add(&x->advice, nf_arena_printf(&x->a, "by_id:%s stays", x->rec.by_id));
	}
	if (p->by_path)
		add_name_rule(x, p->by_path);
	if (x->rec.rate == NF_PORT_RATE_SILENT || (x->rec.listened && !x->rec.listened->bytes))
		add(&x->advice, "nothing came: let the board say something meanwhile (a key on its "
		                "console, a reset), or listen longer");
}

static struct nf_list list_of(struct texts *t)
{
	return (struct nf_list){ t->item, t->n };
}

static int make_record(struct doctor *x, struct nf_err *err)
{
	struct nf_rec_port_check *rec = &x->rec;
	const char **command = nf_arena_alloc(&x->a, (size_t)x->o->argc + 1, sizeof(*command));
	int r;

	for (int i = 0; command && i < x->o->argc; i++)
		command[i] = x->o->argv[i];
	rec->command = (struct nf_list){ command, command ? (size_t)x->o->argc : 0 };
	rec->findings = list_of(&x->findings);
	rec->advice = list_of(&x->advice);
	rec->udev_rules = list_of(&x->rules);
	rec->claim_ceiling =
	        "What came while it was listened to, and what the system says of the port. A rate "
	        "at which text comes is the board's most likely one; silence says nothing.";
	r = nf_arena_failed(&x->a, "record", err);
	if (r < 0)
		return r;
	rec->replaced_text = nf_record_replaced(&nf_rec_port_check_type, rec);
	return nf_rec_honesty_fill(&rec->honesty, &nf_rec_port_check_type, rec, &x->a, err);
}

static void judge(const struct doctor *x, struct nf_job_outcome *ret)
{
	const struct nf_rec_port_check *rec = &x->rec;
	bool heard = rec->listened && rec->listened->bytes > 0;

	if (rec->trouble || (rec->power && rec->power->trouble)) {
		ret->result = NF_RESULT_FAIL;
		ret->exit_code = 5;
	} else if (rec->findings.n) {
		ret->result = NF_RESULT_FAIL;
		ret->exit_code = 1;
	} else {
		ret->result = heard ? NF_RESULT_PASS : NF_RESULT_PARTIAL;
		ret->exit_code = !heard && x->o->strict ? 3 : 0;
	}
}

static int examine(struct doctor *x, struct nf_err *err)
{
	int r = x->d->root ? 0 : nf_rootfs_open(&x->root, NULL, err);

	if (r == 0 && x->d->campaign)
		r = nf_campaign_find_devices(x->d->campaign, err);
	if (r == 0)
		r = nf_line_init(&x->lines, LINE_LIMIT, err);
	if (r == 0)
		r = open_port(x, err);
	nf_port_close(&x->port);
	if (r == 0)
		r = ask_power(x, err);
	return r;
}

static int show(struct doctor *x, struct nf_job_outcome *ret, struct nf_err *err)
{
	int r;

	find_faults(x);
	advise(x);
	r = make_record(x, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_port_check_type, &x->rec, &ret->json, NULL, err);
	if (r < 0)
		return r;
	(void)nf_text_port_check(&x->rec, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r == 0)
		judge(x, ret);
	return r;
}

int nf_job_doctor(const struct nf_job_opts *o, const struct nf_doctor_opts *d,
                  struct nf_job_outcome *ret, struct nf_err *err)
{
	struct doctor x = { .o = o, .d = d, .root.dirfd = -1, .port.fd = -1 };
	int r;

	nf_arena_init(&x.a, ARENA_BYTES);
	x.rec.schema = "PortCheck/1";
	x.rec.tool_version = NF_VERSION;
	x.rec.checked_utc = nf_head_utc(&x.a, nf_now_utc());
	x.rec.board = d->campaign ? d->campaign->file->board.name.v : NULL;
	r = examine(&x, err);
	if (r == 0 && stopped(&x))
		ret->exit_code = 128 + nf_stop_signo(o->stop);
	else if (r == 0)
		r = show(&x, ret, err);
	nf_line_fini(&x.lines);
	if (x.root.dirfd >= 0)
		nf_rootfs_close(&x.root);
	nf_arena_fini(&x.a);
	return r;
}
