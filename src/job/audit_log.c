/* SPDX-License-Identifier: MIT */
#include "job/audit_log.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "build_info.h"
#include "job/head.h"
#include "record/write.h"
#include "report/text.h"
#include "report/text_audit_log.h"

#define ARENA_BYTES ((size_t)1 << 30)
enum { SEEN_MAX = 1 << 18 };

/* One line in one phase of one log. */
struct seen {
	uint64_t hash;
	uint64_t line;
	uint64_t bytes;
	double uart_s;
	uint32_t interval;
	uint32_t log;
	const char *text; /* in the arena */
};

/* From match to match, in bytes of the log. */
struct span {
	bool timed;
	uint64_t from, to;
	uint64_t lines;
};

struct audit {
	struct nf_arena a;
	const struct nf_audit_log_opts *opts;
	struct seen *seen; /* owned */
	size_t n_seen, cap_seen;
	uint64_t lost;
	/* of the log at hand */
	uint32_t log;
	uint64_t baud;
	uint64_t line;
	struct span span[NF_PHASES_MAX];
	size_t n_spans;
	/* of all */
	struct nf_lab_log *logs;
	size_t n_logs;
	struct nf_rec_audit_log_phase *phase; /* n_logs x n_phases */
};

/* --- texts --- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *behind_number(const char *p)
{
	while (is_digit(*p))
		p++;
	return p;
}

bool nf_audit_log_alike(const char *a, const char *b)
{
	while (*a && *b) {
		if (is_digit(*a) && is_digit(*b)) {
			a = behind_number(a);
			b = behind_number(b);
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

uint64_t nf_audit_log_hash(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */

	while (*text) {
		char c = *text;

		text = is_digit(c) ? behind_number(text) : text + 1;
		h = (h ^ (unsigned char)(is_digit(c) ? '0' : c)) * UINT64_C(1099511628211);
	}
	return h;
}

/* --- reading --- */

static void take_spans(void *ctx, const struct nf_phases_result *r)
{
	struct audit *d = ctx;

	d->n_spans = r->n_intervals;
	for (size_t i = 0; i < r->n_intervals; i++) {
		const struct nf_phase_interval *v = &r->interval[i];

		d->span[i] = (struct span){ .timed = v->seen && v->duration_ns >= 0,
			                    .from = r->event[v->from].raw_offset,
			                    .to = r->event[v->to].raw_offset };
	}
}

static int keep(struct audit *d, size_t interval, const struct nf_line *l, uint64_t bytes,
                struct nf_err *err)
{
	if (d->n_seen == d->cap_seen) {
		size_t cap = d->cap_seen ? 2 * d->cap_seen : 1024;
		void *p = cap > SEEN_MAX ? NULL : reallocarray(d->seen, cap, sizeof(*d->seen));

		if (cap > SEEN_MAX) {
			d->lost++;
			return 0;
		}
		if (!p)
			return nf_fail_nomem(err, "lines in phases", cap * sizeof(*d->seen));
		d->seen = p;
		d->cap_seen = cap;
	}
	size_t len = l->len < NF_PHASE_TEXT - 1 ? l->len : NF_PHASE_TEXT - 1;
	char *text = nf_arena_strndup(&d->a, l->text, len);
	if (!text)
		return nf_arena_failed(&d->a, "lines in phases", err);
	d->seen[d->n_seen++] = (struct seen){ .hash = nf_audit_log_hash(text),
		                              .line = d->line,
		                              .bytes = bytes,
		                              .uart_s = nf_uart_s(bytes, d->baud),
		                              .interval = (uint32_t)interval,
		                              .log = d->log,
		                              .text = text };
	return 0;
}

static int on_line(void *ctx, const struct nf_line *l, struct nf_err *err)
{
	struct audit *d = ctx;
	uint64_t begin = l->raw_offset, end = l->raw_offset + l->raw_bytes;
	int r = 0;

	d->line++;
	for (size_t i = 0; r == 0 && i < d->n_spans; i++) {
		struct span *s = &d->span[i];
		uint64_t from = begin > s->from ? begin : s->from, to = end < s->to ? end : s->to;

		if (!s->timed || from >= to)
			continue;
		s->lines++;
		r = keep(d, i, l, to - from, err);
	}
	return r;
}

static void take_phases(struct audit *d, const struct nf_rec_boot_attempt *at,
                        struct nf_rec_audit_log_phase *ret)
{
	const struct nf_rec_boot_interval *v = at->intervals.items;

	for (size_t i = 0; i < at->intervals.n; i++)
		ret[i] = (struct nf_rec_audit_log_phase){
			.path = at->path,
			.sha256 = at->sha256,
			.config = at->config,
			.run = at->run,
			.phase = v[i].name,
			.baud = at->baud,
			.baud_why = at->baud_why,
			.duration_s = v[i].duration_s,
			.resolution_s = at->resolution_s,
			.lines = i < d->n_spans ? d->span[i].lines : 0,
			.bytes = v[i].bytes.some ? v[i].bytes.v : 0,
			.uart_s = v[i].uart_s.some ? v[i].uart_s.v : 0,
			.uart_ratio = v[i].uart_ratio,
		};
}

/* Twice: where the phases are is known at the end of the first time. */
static int read_log(struct audit *d, const struct nf_job_opts *o, size_t i, struct nf_err *err)
{
	const struct nf_lab_observer first = { .ctx = d, .result = take_spans };
	const struct nf_lab_observer second = { .ctx = d, .line = on_line };
	struct nf_lab_opts lab = d->opts->lab;
	struct nf_lab_log *log = &d->logs[i], again = *log;
	struct nf_rec_boot_attempt at, same;

	d->log = (uint32_t)i;
	d->line = 0;
	lab.observer = &first;
	int r = nf_lab_read(&lab, log, &d->a, o->stop, &at, err);
	if (r < 0)
		return r;
	d->baud = at.baud;
	lab.observer = &second;
	r = nf_lab_read(&lab, &again, &d->a, o->stop, &same, err);
	if (r < 0)
		return r;
	if (at.lines != same.lines || !at.sha256 || !same.sha256 ||
	    strcmp(at.sha256, same.sha256) != 0)
		return nf_fail(err, NF_EDATA, "%.*s changed while it was read",
		               NF_UTF8_CUT(log->path, 300));
	take_phases(d, &at, &d->phase[i * lab.phases.n_phases]);
	return 0;
}

static int read_all(struct audit *d, const struct nf_job_opts *o, struct nf_err *err)
{
	size_t n_phases = d->opts->lab.phases.n_phases;

	if (n_phases == 0)
		return nf_fail(err, NF_EARG, "no phase to look into; allowed: --phase NAME=RE");
	int r = nf_lab_find(&d->opts->lab, &d->a, &d->logs, &d->n_logs, err);
	if (r < 0)
		return r;
	d->phase = nf_arena_alloc(&d->a, d->n_logs * n_phases, sizeof(*d->phase));
	r = nf_arena_failed(&d->a, "phases", err);
	for (size_t i = 0; r == 0 && i < d->n_logs && !nf_stop_signo(o->stop); i++)
		r = read_log(d, o, i, err);
	return r;
}

/* --- lines that are alike --- */

static int by_kind(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->interval != y->interval)
		return x->interval < y->interval ? -1 : 1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static int by_cost(const void *a, const void *b)
{
	const struct nf_rec_audit_log_line *x = a, *y = b;

	if (x->per_log_s != y->per_log_s)
		return x->per_log_s < y->per_log_s ? 1 : -1;
	int r = strcmp(x->phase, y->phase);
	r = r ? r : strcmp(x->path, y->path);
	return r ? r : (x->line > y->line) - (x->line < y->line);
}

/* Those from first on that are of its kind; they stand together. */
static size_t merge(const struct audit *d, size_t first, struct nf_rec_audit_log_line *ret)
{
	const struct seen *s = &d->seen[first];
	size_t n_phases = d->opts->lab.phases.n_phases, i = first;
	double duration_s = 0;

	*ret = (struct nf_rec_audit_log_line){
		.phase = d->phase[s->log * n_phases + s->interval].phase,
		.text = s->text,
		.path = d->phase[s->log * n_phases + s->interval].path,
		.line = s->line,
	};
	for (; i < d->n_seen && d->seen[i].interval == s->interval && d->seen[i].hash == s->hash &&
	       nf_audit_log_alike(d->seen[i].text, s->text);
	     i++) {
		const struct nf_rec_audit_log_phase *p =
		        &d->phase[d->seen[i].log * n_phases + s->interval];

		ret->times++;
		ret->bytes += d->seen[i].bytes;
		ret->uart_s += d->seen[i].uart_s;
		if (i > first && d->seen[i].log == d->seen[i - 1].log)
			continue;
		ret->logs++;
		duration_s += p->duration_s.some ? p->duration_s.v : 0;
	}
	ret->per_log_s = ret->uart_s / (double)ret->logs;
	if (duration_s > 0)
		ret->ratio = nf_some_real(ret->uart_s / duration_s);
	return i - first;
}

static int merge_all(struct audit *d, struct nf_rec_audit_log *rec, struct nf_err *err)
{
	struct nf_rec_audit_log_line *line =
	        nf_arena_alloc(&d->a, d->n_seen ? d->n_seen : 1, sizeof(*line));
	size_t n = 0;

	if (!line)
		return nf_arena_failed(&d->a, "lines", err);
	if (d->n_seen)
		qsort(d->seen, d->n_seen, sizeof(*d->seen), by_kind);
	for (size_t i = 0; i < d->n_seen; n++)
		i += merge(d, i, &line[n]);
	qsort(line, n, sizeof(*line), by_cost);
	rec->lines_found = n;
	rec->lines = (struct nf_list){ line, n < d->opts->top ? n : d->opts->top };
	return 0;
}

/* --- the record --- */

static struct nf_list list_patterns(const struct nf_phases_opts *p, struct nf_arena *a)
{
	struct nf_rec_boot_pattern *to = nf_arena_alloc(a, p->n_phases + 1, sizeof(*to));

	for (size_t i = 0; to && i < p->n_phases; i++)
		to[i] = (struct nf_rec_boot_pattern){ .name = p->phase[i].name,
			                              .pattern = p->phase[i].regex };
	return (struct nf_list){ to, to ? p->n_phases : 0 };
}

static int make_record(struct audit *d, const struct nf_job_opts *o, struct nf_rec_audit_log *rec,
                       struct nf_err *err)
{
	const char **command = nf_arena_alloc(&d->a, (size_t)o->argc + 1, sizeof(*command));

	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*rec = (struct nf_rec_audit_log){
		.schema = "AuditLog/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(&d->a, nf_now_utc()),
		.t0 = d->opts->lab.phases.t0,
		.patterns = list_patterns(&d->opts->lab.phases, &d->a),
		.phases = { d->phase, d->n_logs * d->opts->lab.phases.n_phases },
		.lines_lost = d->lost,
		.claim_ceiling =
		        "What the bytes take on a serial line of that speed. How much of a "
		        "phase that is depends on how the board sends: a buffer lets it go "
		        "on meanwhile.",
	};
	int r = merge_all(d, rec, err);
	if (r == 0)
		r = nf_arena_failed(&d->a, "record", err);
	if (r < 0)
		return r;
	rec->replaced_text = nf_record_replaced(&nf_rec_audit_log_type, rec);
	return nf_rec_honesty_fill(&rec->honesty, &nf_rec_audit_log_type, rec, &d->a, err);
}

static void judge(const struct nf_rec_audit_log *rec, const struct nf_stop *stop,
                  struct nf_job_outcome *ret)
{
	const struct nf_rec_audit_log_phase *p = rec->phases.items;
	int signo = nf_stop_signo(stop);
	bool timed = false;

	for (size_t i = 0; i < rec->phases.n; i++)
		timed = timed || (p[i].duration_s.some && p[i].duration_s.v >= 0);
	bool found = rec->lines.n > 0 || rec->lines_lost > 0;
	ret->result = found ? NF_RESULT_FAIL : timed ? NF_RESULT_PASS : NF_RESULT_BLOCKED;
	ret->exit_code = signo == SIGINT ? 130 : signo ? 143 : found ? 1 : timed ? 0 : 3;
}

int nf_job_audit_log(const struct nf_job_opts *o, const struct nf_audit_log_opts *a,
                     struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_rec_audit_log rec = { 0 };
	struct audit d = { .opts = a };

	nf_arena_init(&d.a, ARENA_BYTES);
	int r = read_all(&d, o, err);
	if (r == 0)
		r = make_record(&d, o, &rec, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_audit_log_type, &rec, &ret->json, NULL, err);
	if (r < 0)
		goto out;
	(void)nf_text_audit_log(&rec, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r == 0)
		judge(&rec, o->stop, ret);
out:
	free(d.seen);
	nf_arena_fini(&d.a);
	return r;
}
