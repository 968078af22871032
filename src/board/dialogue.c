/* SPDX-License-Identifier: MIT */
/* dialogue - time, bytes and patterns of the machine; what it does with them is in the tables. */
#include "board/dialogue_impl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPOSED = NF_MATCH_PATTERN_MAX + 16 };

/* What bootloader, kernel and getty say. */
static const struct {
	enum nf_watch watch;
	const char *pattern;
} own[] = {
	{ NF_WATCH_NETWORK, "(?:Retry count exceeded|No ethernet found|[Nn]o link\\b).*$" },
	{ NF_WATCH_STALL, "(?:T ){3}" },
	{ NF_WATCH_NO_FILE, "TFTP error: '?[Ff]ile not found" },
	{ NF_WATCH_TFTP_ERROR, "TFTP error: (?!'?[Ff]ile not found).*$" },
	{ NF_WATCH_LOADED, "Bytes transferred = (\\d+) \\(" },
	{ NF_WATCH_REFUSED, "^(?:Unknown command '|## Error: |Usage:$).*$" },
	{ NF_WATCH_PANIC, "Kernel panic - not syncing" },
	{ NF_WATCH_RESET, "^U-Boot (?:SPL |TPL )?2\\d\\d\\d\\." },
	{ NF_WATCH_KERNEL, "Starting kernel|Linux version |Booting Linux" },
	{ NF_WATCH_PASSWORD, "[Pp]assword:" },
	{ NF_WATCH_BAD_LOGIN, "[Ll]ogin incorrect" },
};

/* --- actions --- */

int nf_dialogue_act(struct nf_dialogue *d, struct nf_dialogue_action a, struct nf_err *err)
{
	a.at_ns = d->now_ns;
	return d->fn(d->ctx, &a, err);
}

int nf_dialogue_send(struct nf_dialogue *d, const char *bytes, size_t len, bool secret,
                     struct nf_err *err)
{
	int r = 0;

	for (size_t at = 0; r == 0 && at < len; at += NF_DIALOGUE_SEND_MAX) {
		size_t n = len - at < NF_DIALOGUE_SEND_MAX ? len - at : NF_DIALOGUE_SEND_MAX;

		r = nf_dialogue_act(d,
		                    (struct nf_dialogue_action){ .what = NF_DIALOGUE_SEND,
		                                                 .bytes = bytes + at,
		                                                 .len = n,
		                                                 .secret = secret },
		                    err);
	}
	return r;
}

int nf_dialogue_note(struct nf_dialogue *d, struct nf_err *err, const char *fmt, ...)
{
	struct nf_outcome o; /* for its printable words */
	char text[NF_OUTCOME_WORDS];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	nf_outcome_set(&o, NF_OUTCOME_DONE, "%s", text);
	return nf_dialogue_act(d,
	                       (struct nf_dialogue_action){ .what = NF_DIALOGUE_NOTE,
	                                                    .text = o.words + strlen("done: ") },
	                       err);
}

int nf_dialogue_ask_power(struct nf_dialogue *d, enum nf_dialogue_power what, struct nf_err *err)
{
	return nf_dialogue_act(
	        d, (struct nf_dialogue_action){ .what = NF_DIALOGUE_POWER, .power = what }, err);
}

const char *nf_dialogue_eol(const struct nf_dialogue *d)
{
	return d->o->eol ? d->o->eol : "\r";
}

/* As nf_duration_print_short() does, without memory. */
const char *nf_dialogue_span(int64_t ns, char ret[32])
{
	static const struct {
		double ns;
		const char *name;
	} unit[] = { { 60e9, "min" }, { 1e9, "s" }, { 1e6, "ms" } };
	size_t i = 0;
	double v;

	while (i + 1 < sizeof(unit) / sizeof(*unit) && (double)ns < unit[i].ns)
		i++;
	v = (double)ns / unit[i].ns;
	snprintf(ret, 32, "%.*f %s", v < 10 ? 2 : v < 100 ? 1 : 0, v, unit[i].name);
	return ret;
}

/* --- states and times --- */

static int64_t later(int64_t from, int64_t ns)
{
	int64_t t;

	return __builtin_add_overflow(from, ns, &t) ? INT64_MAX : t;
}

void nf_dialogue_pause(struct nf_dialogue *d, int64_t ns)
{
	d->pause_ns = later(d->now_ns, ns);
}

void nf_dialogue_limit(struct nf_dialogue *d, enum nf_dialogue_limit limit)
{
	const struct nf_dialogue_opts *o = d->o;
	/* Drivers of power bound themselves, at a minute; this is for when nobody answers at all. */
	const int64_t ns[] = { [NF_LIMIT_POWER] = 100 * NF_DIALOGUE_SECOND,
		               [NF_LIMIT_PROMPT] = o->prompt_ns,
		               [NF_LIMIT_LOAD] = o->load_ns,
		               [NF_LIMIT_BOOT] = o->boot_ns,
		               [NF_LIMIT_BREAK] = 30 * NF_DIALOGUE_SECOND,
		               [NF_LIMIT_SHELL] = o->shell_ns,
		               [NF_LIMIT_NONE] = INT64_MAX };

	if (limit != NF_LIMIT_GOES_ON)
		d->limit_ns = later(d->now_ns, ns[limit]);
}

int nf_dialogue_go(struct nf_dialogue *d, const struct nf_dialogue_state *to, struct nf_err *err)
{
	int r;

	d->state = to;
	d->since_ns = d->now_ns;
	d->pause_ns = INT64_MAX;
	d->silence_ns = to->silent ? later(d->now_ns, d->o->silence_ns) : INT64_MAX;
	/* What stands on the line may be the prompt that this state waits for. */
	d->quiet_ns =
	        to->prompted || to->quiet ? later(d->now_ns, NF_DIALOGUE_QUIET_NS) : INT64_MAX;
	if (to->after_line)
		d->skip_line = d->line_no;
	nf_dialogue_limit(d, to->limit);
	r = nf_dialogue_act(
	        d, (struct nf_dialogue_action){ .what = NF_DIALOGUE_STATE, .text = to->name }, err);
	return r == 0 && to->enter ? to->enter(d, err) : r;
}

int nf_dialogue_end(struct nf_dialogue *d, const struct nf_outcome *how, struct nf_err *err)
{
	if (d->finished)
		return 0;
	d->finished = true;
	d->state = NULL;
	if (how != &d->outcome)
		d->outcome = *how;
	return nf_dialogue_act(d,
	                       (struct nf_dialogue_action){ .what = NF_DIALOGUE_FINISH,
	                                                    .outcome = &d->outcome,
	                                                    .status = d->status },
	                       err);
}

int64_t nf_dialogue_due_ns(const struct nf_dialogue *d)
{
	int64_t due = d->limit_ns;

	if (!d->state)
		return INT64_MAX;
	due = d->pause_ns < due ? d->pause_ns : due;
	due = d->quiet_ns < due ? d->quiet_ns : due;
	return d->silence_ns < due ? d->silence_ns : due;
}

/* --- patterns --- */

static int pattern_failed(struct nf_dialogue *d, int r, const struct nf_err *why,
                          struct nf_err *err)
{
	if (r == -NF_EARG)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_PATTERN, "%s", why->msg);
	if (err)
		*err = *why;
	return r;
}

static bool live(const struct nf_dialogue *d, size_t w)
{
	return d->state && (d->state->watch & NF_WATCHES(w)) && d->watch[w].match &&
	       !d->watch[w].hit && d->skip_line != d->line_no;
}

static int mark(struct nf_dialogue *d, size_t w, struct nf_err *err)
{
	nf_match_free(d->watch[w].match); /* the first time is all that is told */
	d->watch[w].match = NULL;
	return nf_dialogue_act(
	        d,
	        (struct nf_dialogue_action){ .what = NF_DIALOGUE_MARK, .index = w - NF_WATCH_MARK },
	        err);
}

static int found(struct nf_dialogue *d, size_t w, const char *text, size_t len, struct nf_err *err)
{
	d->watch[w].hit = true;
	if (w >= NF_WATCH_MARK)
		return mark(d, w, err);
	return d->state->found ? d->state->found(d, (enum nf_watch)w, text, len, err) : 0;
}

enum when { WHOLE_LINE, SO_FAR, SILENCE };

static int seek(struct nf_dialogue *d, enum when when, const struct nf_line *line, size_t stable,
                struct nf_err *err)
{
	const struct nf_dialogue_state *state = d->state;

	for (size_t w = 0; w < NF_WATCH_N && d->state == state; w++) {
		struct nf_watched *at = &d->watch[w];
		struct nf_err why = { 0 };
		int r;

		if (!live(d, w))
			continue;
		if (when == WHOLE_LINE)
			r = nf_match_line(at->match, line->text, line->len, &why);
		else if (when == SILENCE)
			r = nf_match_silence(at->match, line->text, line->len, &why);
		else
			r = nf_match_tail(at->match, line->text, line->len,
			                  at->byte + 1 == d->seen ? stable : 0, &why);
		at->byte = d->seen;
		if (r < 0)
			return pattern_failed(d, r, &why, err);
		r = r == NF_MATCH_YES ? found(d, w, line->text, line->len, err) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

/* A kernel message goes into the middle of what a program prints, as far as the message's line ends: what
 * stood before it and what follows are one text, in which the end of the boot is sought too. */
static int seek_rejoined(struct nf_dialogue *d, const struct nf_line *line, struct nf_err *err)
{
	char text[2 * sizeof(d->torn)];
	struct nf_watched *w = &d->watch[NF_WATCH_DONE];
	struct nf_err why = { 0 };
	int64_t stamp_ns;
	size_t len = line->len;
	int r;

	(void)nf_printk_stamp(line->text, line->len, &stamp_ns, &len);
	if (len > sizeof(d->torn))
		len = sizeof(d->torn);
	memcpy(text, d->torn, d->n_torn);
	memcpy(text + d->n_torn, line->text, len);
	r = nf_match_line(w->match, text, d->n_torn + len, &why);
	w->byte = UINT64_MAX - 1;
	if (r < 0)
		return pattern_failed(d, r, &why, err);
	return r == NF_MATCH_YES ? found(d, NF_WATCH_DONE, text, d->n_torn + len, err) : 0;
}

static void keep_torn(struct nf_dialogue *d, const struct nf_line *line)
{
	int64_t stamp_ns;
	size_t at;

	if (!nf_printk_stamp(line->text, line->len, &stamp_ns, &at) ||
	    at > sizeof(d->torn) - d->n_torn) {
		d->n_torn = 0;
		return;
	}
	memcpy(d->torn + d->n_torn, line->text, at);
	d->n_torn += at;
}

bool nf_dialogue_blank(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && (text[i] == ' ' || text[i] == '\t'))
		i++;
	return i == len;
}

static void keep_text(struct nf_dialogue *d, const struct nf_line *line)
{
	size_t n = line->len < NF_PHASE_TEXT - 1 ? line->len : NF_PHASE_TEXT - 1;

	if (nf_dialogue_blank(line->text, line->len))
		return;
	memcpy(d->last_text, line->text, n);
	d->last_text[n] = '\0';
}

static int on_line(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	struct nf_dialogue *d = ctx;
	int r;

	keep_text(d, line);
	r = seek(d, WHOLE_LINE, line, 0, err);
	if (r == 0 && d->n_torn > 0 && live(d, NF_WATCH_DONE))
		r = seek_rejoined(d, line, err);
	keep_torn(d, line);
	for (size_t w = 0; w < NF_WATCH_N; w++) {
		d->watch[w].hit = false;
		d->watch[w].byte = UINT64_MAX - 1;
	}
	d->line_no++;
	d->ended = true;
	return r;
}

const char *nf_dialogue_last_text(struct nf_dialogue *d)
{
	struct nf_line tail;

	(void)nf_line_tail(&d->lines, &tail);
	if (tail.len > 0)
		keep_text(d, &tail);
	return d->last_text;
}

static int drop_line(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	struct nf_dialogue *d = ctx;

	(void)line;
	(void)err;
	for (size_t w = 0; w < NF_WATCH_N; w++) {
		d->watch[w].hit = false;
		d->watch[w].byte = UINT64_MAX - 1;
	}
	d->line_no++;
	d->n_torn = 0;
	return 0;
}

void nf_dialogue_forget_line(struct nf_dialogue *d)
{
	(void)!nf_line_finish(&d->lines, drop_line, d, NULL); /* drop_line never fails */
}

/* --- due --- */

static int on_quiet(struct nf_dialogue *d, struct nf_err *err)
{
	const struct nf_dialogue_state *state = d->state;
	struct nf_line tail;
	struct nf_err why = { 0 };
	int r;

	d->quiet_ns = INT64_MAX;
	(void)nf_line_tail(&d->lines, &tail);
	if (!state || tail.len == 0)
		return 0;
	r = seek(d, SILENCE, &tail, 0, err);
	if (r == 0 && d->n_torn > 0 && live(d, NF_WATCH_DONE))
		r = seek_rejoined(d, &tail, err);
	if (r < 0 || d->state != state || (state->after_line && d->skip_line == d->line_no))
		return r;
	if (state->prompted && d->prompt) {
		r = nf_match_line(d->prompt, tail.text, tail.len, &why);
		if (r < 0)
			return pattern_failed(d, r, &why, err);
		if (r == NF_MATCH_YES)
			return state->prompted(d, err);
	}
	return state->quiet ? state->quiet(d, err) : 0;
}

/* All that is due up to then, in order; of the same time: quiet, pause, silence, limit. */
static int expire(struct nf_dialogue *d, int64_t upto_ns, struct nf_err *err)
{
	int r = 0;

	while (r == 0 && d->state && nf_dialogue_due_ns(d) <= upto_ns) {
		int64_t due = nf_dialogue_due_ns(d);

		d->now_ns = due > d->now_ns ? due : d->now_ns;
		if (d->quiet_ns == due) {
			r = on_quiet(d, err);
		} else if (d->pause_ns == due) {
			d->pause_ns = INT64_MAX;
			r = d->state->pause ? d->state->pause(d, err) : 0;
		} else if (d->silence_ns == due) {
			d->silence_ns = INT64_MAX;
			r = d->state->silent(d, err);
		} else {
			d->limit_ns = INT64_MAX;
			r = d->state->late(d, err);
		}
	}
	if (upto_ns > d->now_ns)
		d->now_ns = upto_ns;
	return r;
}

/* --- events --- */

static int take_byte(struct nf_dialogue *d, uint8_t c, const struct nf_line_time *time,
                     struct nf_err *err)
{
	struct nf_line tail;
	size_t stable;
	int r;

	d->seen++;
	d->n_bytes++;
	d->n_text += (c >= ' ' && c < 0x7f) || c == '\n' || c == '\r' || c == '\t' || c == '\b';
	d->byte = c;
	d->ended = false;
	d->spoke_ns = d->now_ns;
	d->quiet_ns = later(d->now_ns, NF_DIALOGUE_QUIET_NS);
	if (d->state->silent)
		d->silence_ns = later(d->now_ns, d->o->silence_ns);
	r = nf_line_feed(&d->lines, &c, 1, time, on_line, d, err);
	if (r < 0 || !d->state)
		return r;
	stable = nf_line_tail(&d->lines, &tail);
	if (tail.len > 0)
		r = seek(d, SO_FAR, &tail, stable, err);
	if (r == 0 && d->state && d->state->byte)
		r = d->state->byte(d, err);
	return r;
}

int nf_dialogue_bytes(struct nf_dialogue *d, const struct nf_line_time *time, const void *data,
                      size_t len_bytes, struct nf_err *err)
{
	const uint8_t *p = data;
	int r = expire(d, time->lo_ns, err);

	if (time->hi_ns > d->now_ns)
		d->now_ns = time->hi_ns;
	for (size_t i = 0; r == 0 && d->state && i < len_bytes; i++)
		r = take_byte(d, p[i], time, err);
	return r;
}

int nf_dialogue_tick(struct nf_dialogue *d, int64_t now_ns, struct nf_err *err)
{
	return expire(d, now_ns, err);
}

int nf_dialogue_answer(struct nf_dialogue *d, int64_t now_ns, const char *failure,
                       enum nf_power_state state, struct nf_err *err)
{
	if (now_ns > d->now_ns)
		d->now_ns = now_ns;
	return d->state && d->state->power ? d->state->power(d, failure, state, err) : 0;
}

int nf_dialogue_lost(struct nf_dialogue *d, int64_t now_ns, const char *words, struct nf_err *err)
{
	if (!d->state)
		return 0;
	if (now_ns > d->now_ns)
		d->now_ns = now_ns;
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_PORT_LOST, "%s, while it %s", words,
	                       d->state->name);
}

int nf_dialogue_stop(struct nf_dialogue *d, int64_t now_ns, struct nf_err *err)
{
	if (!d->state)
		return 0;
	if (now_ns > d->now_ns)
		d->now_ns = now_ns;
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_STOPPED, "while it %s", d->state->name);
}

const struct nf_outcome *nf_dialogue_outcome(const struct nf_dialogue *d)
{
	return d->finished ? &d->outcome : NULL;
}

unsigned nf_dialogue_retries(const struct nf_dialogue *d)
{
	return d->retries;
}

/* --- life --- */

static int watch(struct nf_dialogue *d, size_t w, const char *pattern, struct nf_err *err)
{
	d->watch[w].byte = UINT64_MAX - 1;
	return pattern ? nf_match_new(pattern, &d->watch[w].match, err) : 0;
}

static int watch_all(struct nf_dialogue *d, const char *prompt, struct nf_err *err)
{
	const struct nf_dialogue_opts *o = d->o;
	char composed[COMPOSED];
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(own) / sizeof(*own); i++)
		r = watch(d, own[i].watch, own[i].pattern, err);
	for (size_t i = 0; r == 0 && i < o->n_fails; i++)
		r = watch(d, NF_WATCH_FAIL + i, o->fail[i], err);
	for (size_t i = 0; r == 0 && i < o->n_marks; i++)
		r = watch(d, NF_WATCH_MARK + i, o->mark[i].regex, err);
	if (r == 0)
		r = watch(d, NF_WATCH_AUTOBOOT, o->autoboot, err);
	if (r == 0)
		r = watch(d, NF_WATCH_LOGIN, o->login, err);
	if (r == 0)
		r = watch(d, NF_WATCH_DONE, o->done, err);
	if (r < 0 || !prompt)
		return r;
	if (strlen(prompt) > NF_MATCH_PATTERN_MAX - 8)
		return nf_fail(err, NF_EARG, "a prompt of %zu bytes; allowed: up to %d",
		               strlen(prompt), NF_MATCH_PATTERN_MAX - 8);
	snprintf(composed, sizeof(composed), "(?:%s)$", prompt);
	return nf_match_new(composed, &d->prompt, err);
}

int nf_dialogue_start(struct nf_dialogue *d, int64_t now_ns, struct nf_err *err)
{
	if (d->started)
		return 0;
	d->started = true;
	d->now_ns = now_ns;
	return nf_dialogue_go(d, d->beginning, err);
}

int nf_dialogue_new(const struct nf_dialogue_opts *o, const char *prompt,
                    const struct nf_dialogue_state *beginning, nf_dialogue_fn *fn, void *ctx,
                    struct nf_dialogue **ret, struct nf_err *err)
{
	struct nf_dialogue *d;
	int r;

	if (o->n_fails > NF_DIALOGUE_FAILS_MAX || o->n_marks > NF_DIALOGUE_MARKS_MAX)
		return nf_fail(err, NF_EARG,
		               "%zu fail patterns, %zu marks; allowed: up to %d and %d", o->n_fails,
		               o->n_marks, NF_DIALOGUE_FAILS_MAX, NF_DIALOGUE_MARKS_MAX);
	d = calloc(1, sizeof(*d));
	if (!d)
		return nf_fail_nomem(err, "a dialogue", sizeof(*d));
	d->o = o;
	d->fn = fn;
	d->ctx = ctx;
	d->beginning = beginning;
	d->status = -1;
	d->loaded = -1;
	d->skip_line = UINT64_MAX;
	d->now_ns = INT64_MIN;
	r = nf_line_init(&d->lines, NF_LINE_LIMIT, err);
	if (r == 0)
		r = watch_all(d, prompt, err);
	if (r < 0) {
		nf_dialogue_free(d);
		return r;
	}
	*ret = d;
	return 0;
}

void nf_dialogue_free(struct nf_dialogue *d)
{
	if (!d)
		return;
	for (size_t w = 0; w < NF_WATCH_N; w++)
		nf_match_free(d->watch[w].match);
	nf_match_free(d->prompt);
	nf_line_fini(&d->lines);
	free(d);
}
