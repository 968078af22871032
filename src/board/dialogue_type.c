/* SPDX-License-Identifier: MIT */
/*
 * dialogue_type - types a command at a bootloader's prompt, a few characters at a time, each lot once the echo of the one
 * before is there, and ends the line only when all of it stands on the console as it was meant. What was lost or changed
 * is broken off (Ctrl-C gives a new prompt) and typed again.
 */
#include "board/dialogue_impl.h"

#include <string.h>

enum { CHUNK = 8, TRIES = 3 };
#define ECHO_NS (2 * NF_DIALOGUE_SECOND)
#define WRONG_NS (300 * NF_DIALOGUE_MS) /* what is wrong may not be all yet */

static int send_chunk(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_typing *t = &d->typing;
	size_t n = t->len - t->sent < CHUNK ? t->len - t->sent : CHUNK;

	t->sent += n;
	nf_dialogue_pause(d, ECHO_NS);
	return nf_dialogue_send(d, t->text + t->sent - n, n, false, err);
}

static int enter(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_typing *t = &d->typing;
	struct nf_line tail;

	(void)nf_line_tail(&d->lines, &tail);
	t->line_at = tail.len;
	t->line_no = d->line_no;
	t->sent = 0;
	t->wrong = t->broken = false;
	t->echo[0] = '\0';
	return send_chunk(d, err);
}

static void keep_echo(struct nf_typing *t, const char *text, size_t len)
{
	size_t n = len < sizeof(t->echo) - 1 ? len : sizeof(t->echo) - 1;

	memcpy(t->echo, text, n);
	t->echo[n] = '\0';
}

static int byte(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_typing *t = &d->typing;
	struct nf_line tail;

	if (t->broken)
		return 0;
	(void)nf_line_tail(&d->lines, &tail);
	if (!t->wrong && d->line_no == t->line_no && tail.len >= t->line_at &&
	    tail.len - t->line_at <= t->sent &&
	    memcmp(tail.text + t->line_at, t->text, tail.len - t->line_at) == 0) {
		keep_echo(t, tail.text + t->line_at, tail.len - t->line_at);
		if (tail.len - t->line_at < t->sent)
			return 0;
		if (t->sent < t->len)
			return send_chunk(d, err);
		int r = nf_dialogue_send(d, nf_dialogue_eol(d), strlen(nf_dialogue_eol(d)), false,
		                         err);
		return r < 0 ? r : nf_dialogue_go(d, t->next, err);
	}
	t->wrong = true;
	if (d->line_no == t->line_no && tail.len >= t->line_at)
		keep_echo(t, tail.text + t->line_at, tail.len - t->line_at);
	nf_dialogue_pause(d, WRONG_NS);
	return 0;
}

static int give_up(struct nf_dialogue *d, struct nf_err *err)
{
	const struct nf_typing *t = &d->typing;

	if (!t->wrong && t->echo[0] == '\0')
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_ECHO, "'%.100s', %d times", t->text,
		                       TRIES);
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_WRONG_ECHO, "'%.100s' as '%.100s', %d times",
	                       t->text, t->echo, TRIES);
}

static int again(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_typing *t = &d->typing;
	int r;

	if (++t->tries >= TRIES)
		return give_up(d, err);
	if (!t->broken) {
		d->retries++;
		r = nf_dialogue_note(d, err, "typed again: '%.80s' came back as '%.80s'", t->text,
		                     t->echo);
		if (r < 0)
			return r;
	}
	t->broken = true;
	d->asked_seen = d->seen;
	nf_dialogue_pause(d, ECHO_NS);
	return nf_dialogue_send(d, "\x03", 1, false, err);
}

static int prompted(struct nf_dialogue *d, struct nf_err *err)
{
	return d->typing.broken && d->seen > d->asked_seen ? enter(d, err) : 0;
}

static const struct nf_dialogue_state types = {
	.name = "types a command",
	.limit = NF_LIMIT_BREAK,
	.watch = NF_WATCHES(NF_WATCH_RESET),
	.found = nf_dialogue_reset,
	.enter = enter,
	.byte = byte,
	.pause = again,
	.prompted = prompted,
	.late = give_up,
};

int nf_dialogue_type(struct nf_dialogue *d, const struct nf_dialogue_state *next,
                     struct nf_err *err)
{
	d->typing.next = next;
	d->typing.tries = 0;
	return nf_dialogue_go(d, &types, err);
}
