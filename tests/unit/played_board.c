/* SPDX-License-Identifier: MIT */
#include "played_board.h"

#include <stdlib.h>
#include <string.h>

#include "noisefloor/err.h"

enum { TEXT_MAX = 1 << 20, EVENTS_MAX = 1000000 };
#define AUTOBOOT_NS INT64_C(2000000000)
#define ON_NS INT64_C(100000000) /* a board says nothing before */
#define END_NS INT64_C(100000000000000) /* more than a day: it never ends */

static bool is(unsigned char c, const char *what)
{
	return c == (unsigned char)what[0];
}

static bool is_mode(unsigned char c)
{
	return is(c, PLAYED_LINE) || is(c, PLAYED_SECRET) || is(c, PLAYED_AUTOBOOT) ||
	       is(c, PLAYED_RESET);
}

static int64_t pause_of(unsigned char c)
{
	return is(c, PLAYED_100MS) ? INT64_C(100000000)
	       : is(c, PLAYED_1S)  ? INT64_C(1000000000)
	       : is(c, PLAYED_10S) ? INT64_C(10000000000)
	                           : 0;
}

/* --- the board --- */

static void queue_byte(struct played *p, unsigned char c, int64_t after_ns)
{
	int64_t from = p->now_ns;

	if (p->next == p->n_queued)
		p->next = p->n_queued = 0;
	else if (p->queue[p->n_queued - 1].at_ns > from)
		from = p->queue[p->n_queued - 1].at_ns;
	if (p->n_queued == PLAYED_QUEUE) {
		p->over = true;
		return;
	}
	p->queue[p->n_queued].at_ns = from + after_ns;
	p->queue[p->n_queued++].byte = c;
}

static void say(struct played *p, const char *text)
{
	int64_t wait = p->delay_ns;

	p->delay_ns = 0;
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (pause_of(c)) {
			wait += pause_of(c);
			continue;
		}
		queue_byte(p, c, wait + PLAYED_BYTE_NS);
		wait = 0;
	}
}

static bool reply(struct played *p, const char *to)
{
	const struct played_script *s = p->script;

	for (size_t i = 0; i < s->n_replies; i++) {
		if (strcmp(s->reply[i].to, to) != 0)
			continue;
		if (s->reply[i].times && p->used[i] >= s->reply[i].times)
			continue;
		p->used[i]++;
		say(p, s->reply[i].say);
		return true;
	}
	return false;
}

static void take_line(struct played *p)
{
	const char *said = NULL;

	p->line[p->n_line] = '\0';
	p->n_line = 0;
	p->lines++;
	p->lost = 0;
	p->mode = 0;
	queue_byte(p, '\r', PLAYED_BYTE_NS);
	queue_byte(p, '\n', PLAYED_BYTE_NS);
	if (reply(p, p->line))
		return;
	if (p->script->run)
		said = p->script->run(p->script->ctx, p->line);
	say(p, said ? said : PLAYED_LINE);
}

static void type_at(struct played *p, char c);

static void set_mode(struct played *p, unsigned char mode)
{
	char ahead[PLAYED_LINE_MAX];
	size_t n = p->n_ahead;

	p->mode = mode;
	if (is(mode, PLAYED_RESET)) {
		p->mode = 0;
		(void)reply(p, "<on>");
		return;
	}
	if (is(mode, PLAYED_AUTOBOOT))
		p->autoboot_ns = p->now_ns + AUTOBOOT_NS;
	p->n_ahead = 0;
	memcpy(ahead, p->ahead, n);
	for (size_t i = 0; i < n; i++)
		type_at(p, ahead[i]);
}

static void take_char(struct played *p, char c)
{
	const struct played_script *s = p->script;
	unsigned of = s->lose_lines ? s->lose_lines : 1;

	if (c == '\r' || c == '\n') {
		take_line(p);
		return;
	}
	if (p->lines < of && p->lost < s->lose) {
		p->lost++;
		return;
	}
	if (p->n_line < sizeof(p->line) - 1)
		p->line[p->n_line++] = c;
	if (!s->mute && !is(p->mode, PLAYED_SECRET))
		queue_byte(p, (unsigned char)c, PLAYED_BYTE_NS);
}

static bool autoboot_comes(const struct played *p)
{
	for (size_t i = p->next; i < p->n_queued; i++)
		if (is(p->queue[i].byte, PLAYED_AUTOBOOT))
			return true;
	return false;
}

static void type_at(struct played *p, char c)
{
	if (!p->powered)
		return;
	if (is(p->mode, PLAYED_AUTOBOOT)) {
		p->mode = 0;
		p->n_queued = p->next; /* no more counting */
		(void)reply(p, "<key>");
	} else if (c == '\003' && !autoboot_comes(p)) {
		p->n_queued = p->next;
		p->n_line = p->n_ahead = 0;
		p->lines++; /* what is typed next is another line */
		p->lost = 0;
		p->mode = 0;
		(void)reply(p, "<break>");
	} else if (p->mode) {
		take_char(p, c);
	} else if (p->n_ahead < sizeof(p->ahead)) {
		p->ahead[p->n_ahead++] = c;
	}
}

static void switch_power(struct played *p, bool on)
{
	p->powered = on;
	p->n_queued = p->next;
	p->n_line = p->n_ahead = 0;
	p->mode = 0;
	p->delay_ns = on ? ON_NS : 0;
	if (on)
		(void)reply(p, "<on>");
	else if (p->script->at_off)
		say(p, p->script->at_off);
}

/* --- the switch --- */

static const char *answer_of(const struct played *p)
{
	const struct played_script *s = p->script;

	return p->asked == NF_DIALOGUE_OFF  ? s->off_fails
	       : p->asked == NF_DIALOGUE_ON ? s->on_fails
	                                    : s->status_fails;
}

static int answer(struct played *p, struct nf_err *err)
{
	p->answer_ns = INT64_MAX;
	return nf_dialogue_answer(p->d, p->now_ns, answer_of(p), p->script->status, err);
}

static void ask(struct played *p, enum nf_dialogue_power what)
{
	static const char *const names[] = {
		[NF_DIALOGUE_OFF] = "<off>",
		[NF_DIALOGUE_ON] = "<on>",
		[NF_DIALOGUE_STATUS] = "<status>",
	};

	(void)nf_buf_adds(&p->sent, names[what]);
	p->asked = what;
	p->ons += what == NF_DIALOGUE_ON;
	p->offs += what == NF_DIALOGUE_OFF;
	if (!p->script->switch_is_deaf)
		p->answer_ns = p->now_ns + p->script->power_ns;
	if (what != NF_DIALOGUE_STATUS && !answer_of(p) && !p->script->switch_is_deaf)
		switch_power(p, what == NF_DIALOGUE_ON);
}

/* --- the owner --- */

static int act(void *ctx, const struct nf_dialogue_action *a, struct nf_err *err)
{
	struct played *p = ctx;

	(void)err;
	p->after_finish = p->after_finish || p->finishes > 0;
	switch (a->what) {
	case NF_DIALOGUE_POWER:
		ask(p, a->power);
		break;
	case NF_DIALOGUE_SEND:
		(void)nf_buf_add(&p->sent, a->bytes, a->len);
		for (size_t i = 0; i < a->len; i++)
			type_at(p, a->bytes[i]);
		break;
	case NF_DIALOGUE_STATE:
		(void)nf_buf_addf(&p->states, "%s\n", a->text);
		break;
	case NF_DIALOGUE_NOTE:
		(void)nf_buf_addf(&p->states, "! %s\n", a->text);
		break;
	case NF_DIALOGUE_MARK:
		(void)nf_buf_addf(&p->states, "# %zu\n", a->index);
		break;
	case NF_DIALOGUE_OUTPUT:
		(void)nf_buf_add(&p->output, a->bytes, a->len);
		break;
	case NF_DIALOGUE_FINISH:
		p->finishes++;
		p->outcome = *a->outcome;
		p->status = a->status;
		break;
	}
	return 0;
}

static int read_some(struct played *p, unsigned char *bytes, size_t n, struct nf_err *err)
{
	struct nf_line_time time = { p->last_ns, p->now_ns, p->now_ns, false };

	p->last_ns = p->now_ns;
	return n ? nf_dialogue_bytes(p->d, &time, bytes, n, err) : 0;
}

/* All that has come by now, in as many reads as are drawn. */
static int read_all(struct played *p, struct nf_err *err)
{
	unsigned char bytes[64];
	size_t n = 0, most = 1;
	int r = 0;

	while (r == 0 && p->next < p->n_queued && p->queue[p->next].at_ns <= p->now_ns) {
		unsigned char c = p->queue[p->next++].byte;

		if (is_mode(c)) {
			set_mode(p, c);
			continue;
		}
		bytes[n++] = c;
		if (n < most)
			continue;
		r = read_some(p, bytes, n, err);
		n = 0;
		if (p->draw)
			most = (size_t)p->draw(p->draw_ctx, sizeof(bytes) - 1) + 1;
	}
	return r < 0 ? r : read_some(p, bytes, n, err);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t outside_ns(const struct played *p)
{
	int64_t lost = p->script->lost_ns ? p->script->lost_ns : INT64_MAX;
	int64_t stop = p->script->stop_ns ? p->script->stop_ns : INT64_MAX;

	return least(lost, stop);
}

static int64_t next_ns(const struct played *p)
{
	int64_t t = least(nf_dialogue_due_ns(p->d), p->answer_ns);

	if (p->next < p->n_queued)
		t = least(t, p->queue[p->next].at_ns);
	if (is(p->mode, PLAYED_AUTOBOOT))
		t = least(t, p->autoboot_ns);
	return least(t, outside_ns(p));
}

/* As an owner does: what can be read is read before time passes for the machine. */
static int step(struct played *p, struct nf_err *err)
{
	int64_t t = next_ns(p);
	int r;

	if (t >= END_NS)
		return nf_fail(err, NF_ENODATA, "it waits for ever");
	if (p->draw)
		t += (int64_t)p->draw(p->draw_ctx, PLAYED_JITTER_NS);
	p->now_ns = t > p->now_ns ? t : p->now_ns;
	if (is(p->mode, PLAYED_AUTOBOOT) && p->now_ns >= p->autoboot_ns) {
		p->mode = 0;
		(void)reply(p, "<auto>");
	}
	r = read_all(p, err);
	if (r == 0 && p->answer_ns <= p->now_ns)
		r = answer(p, err);
	if (r == 0)
		r = nf_dialogue_tick(p->d, p->now_ns, err);
	if (r == 0 && outside_ns(p) <= p->now_ns)
		r = p->script->lost_ns ? nf_dialogue_lost(p->d, p->now_ns, "the port hung up", err)
		                       : nf_dialogue_stop(p->d, p->now_ns, err);
	return r;
}

/* Whatever comes after the end: nothing is done any more. */
static int linger(struct played *p, struct nf_err *err)
{
	static const char more[] = "Hit any key to stop autoboot:  0 \r\n=> \r\n";
	struct nf_line_time time = { p->now_ns, p->now_ns, p->now_ns, false };
	int r = nf_dialogue_bytes(p->d, &time, more, sizeof(more) - 1, err);

	if (r == 0)
		r = nf_dialogue_tick(p->d, p->now_ns + END_NS, err);
	if (r == 0)
		r = nf_dialogue_answer(p->d, p->now_ns + END_NS, "late", NF_POWER_OFF, err);
	if (r == 0)
		r = nf_dialogue_lost(p->d, p->now_ns + END_NS, "late", err);
	return r < 0 ? r : nf_dialogue_stop(p->d, p->now_ns + END_NS, err);
}

int played_run(struct played *p, const struct nf_dialogue_opts *o, bool shell,
               const struct played_script *script, played_draw *draw, void *draw_ctx,
               struct nf_err *err)
{
	int r;

	*p = (struct played){ .script = script, .draw = draw, .draw_ctx = draw_ctx };
	p->answer_ns = INT64_MAX;
	nf_buf_init(&p->sent, TEXT_MAX);
	nf_buf_init(&p->states, TEXT_MAX);
	nf_buf_init(&p->output, TEXT_MAX);
	p->powered = shell;
	if (script->n_replies > sizeof(p->used) / sizeof(*p->used))
		return nf_fail(err, NF_EARG, "%zu rows", script->n_replies);
	p->queue = calloc(PLAYED_QUEUE, sizeof(*p->queue));
	if (!p->queue)
		return nf_fail_nomem(err, "a play", PLAYED_QUEUE);
	r = shell ? nf_dialogue_shell(o, act, p, &p->d, err)
	          : nf_dialogue_boot(o, act, p, &p->d, err);
	if (r < 0)
		return r;
	if (shell)
		(void)reply(p, "<on>");
	r = nf_dialogue_start(p->d, 0, err);
	for (unsigned i = 0; r == 0 && !nf_dialogue_outcome(p->d); i++)
		r = i < EVENTS_MAX ? step(p, err) : nf_fail(err, NF_ENODATA, "it goes on");
	p->retries = nf_dialogue_retries(p->d);
	return r < 0 ? r : linger(p, err);
}

void played_fini(struct played *p)
{
	nf_dialogue_free(p->d);
	nf_buf_fini(&p->sent);
	nf_buf_fini(&p->states);
	nf_buf_fini(&p->output);
	free(p->queue);
	*p = (struct played){ 0 };
}
