/* SPDX-License-Identifier: MIT */
/*
 * dialogue_shell - one command in the shell of a board that is up: login where it is asked for, the command between
 * markers (dialogue_cut.c), its output, its exit status. What the kernel prints in between is tolerated: a prompt that it hides is asked for
 * again, a marker that it breaks is found by one half, or asked for again.
 */
#include "board/dialogue_impl.h"

#include <stdio.h>
#include <string.h>

enum { LOGINS = 3, TRIES = 3, CHUNK = 16 };
#define KNOCK_NS (2 * NF_DIALOGUE_SECOND)
#define CHUNK_NS (10 * NF_DIALOGUE_MS)
#define STANDS_NS (1 * NF_DIALOGUE_SECOND)

static const struct nf_dialogue_state reach, user, password, send_command, output;

/* --- what stands at the end of the line --- */

static int stands(struct nf_dialogue *d, enum nf_watch w, struct nf_err *err)
{
	struct nf_match *m = d->watch[w].match;
	struct nf_line tail;
	size_t at, n;

	if (!m)
		return 0;
	(void)nf_line_tail(&d->lines, &tail);
	int r = nf_match_line(m, tail.text, tail.len, err);
	if (r != NF_MATCH_YES)
		return r;
	return nf_match_group(m, 0, &at, &n) &&
	       nf_dialogue_blank(tail.text + at + n, tail.len - at - n);
}

static int no_shell(struct nf_dialogue *d, struct nf_err *err)
{
	char span[32];

	return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_SHELL, "%swithin %s; the last line: '%.100s'",
	                       d->n_bytes ? "no prompt " : "not a byte ",
	                       nf_dialogue_span(d->o->prompt_ns, span), nf_dialogue_last_text(d));
}

/* --- login --- */

/* A prompt may stand there already, or be hidden by what was printed after it. */
static int knock(struct nf_dialogue *d, struct nf_err *err)
{
	const char *eol = nf_dialogue_eol(d);

	nf_dialogue_pause(d, KNOCK_NS);
	return nf_dialogue_send(d, eol, strlen(eol), false, err);
}

static int log_in(struct nf_dialogue *d, struct nf_err *err)
{
	if (!d->o->user)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_LOGIN, "%s",
		                       "the board asks who logs in, and no user is given");
	if (d->refused || d->logins >= LOGINS)
		return NF_DIALOGUE_END(d, err, d->refused ? NF_OUTCOME_LOGIN : NF_OUTCOME_NO_SHELL,
		                       "as '%.60s'", d->o->user);
	d->logins++;
	return nf_dialogue_go(d, &user, err);
}

static int reach_quiet(struct nf_dialogue *d, struct nf_err *err)
{
	int r = stands(d, NF_WATCH_LOGIN, err);

	return r > 0 ? log_in(d, err) : r;
}

static int reached(struct nf_dialogue *d, struct nf_err *err)
{
	d->tries = 0;
	return nf_dialogue_go(d, &send_command, err);
}

static int send_user(struct nf_dialogue *d, struct nf_err *err)
{
	int r = nf_dialogue_send(d, d->o->user, strlen(d->o->user), false, err);

	d->asked_seen = d->line_no;
	return r < 0 ? r : knock(d, err);
}

static int user_quiet(struct nf_dialogue *d, struct nf_err *err)
{
	int r = stands(d, NF_WATCH_PASSWORD, err);

	if (r > 0 && !d->o->password)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_LOGIN, "'%.60s' needs a password",
		                       d->o->user);
	if (r > 0)
		return nf_dialogue_go(d, &password, err);
	if (r == 0 && d->line_no != d->asked_seen)
		return reach_quiet(d, err);
	return r;
}

static int send_password(struct nf_dialogue *d, struct nf_err *err)
{
	int r = nf_dialogue_send(d, d->o->password, strlen(d->o->password), true, err);

	d->asked_seen = d->line_no;
	return r < 0 ? r : knock(d, err);
}

static int password_quiet(struct nf_dialogue *d, struct nf_err *err)
{
	return d->line_no != d->asked_seen ? reach_quiet(d, err) : 0;
}

static int bad_login(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
                     struct nf_err *err)
{
	(void)w;
	(void)line;
	(void)len;
	(void)err;
	d->refused = true;
	return 0;
}

/* --- the command --- */

static int send_some(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_typing *t = &d->typing;
	const char *eol = nf_dialogue_eol(d);
	size_t n = t->len - t->sent < CHUNK ? t->len - t->sent : CHUNK;

	if (n == 0) {
		int r = nf_dialogue_send(d, eol, strlen(eol), false, err);

		return r < 0 ? r : nf_dialogue_go(d, &output, err);
	}
	t->sent += n;
	nf_dialogue_pause(d, CHUNK_NS);
	return nf_dialogue_send(d, t->text + t->sent - n, n, false, err);
}

static int begin_command(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_typing *t = &d->typing;
	int r = nf_cutter_init(&d->cut, d->o->nonce, err);

	if (r == 0)
		r = nf_cutter_command(d->o->shell_command, d->o->nonce, t->text, sizeof(t->text),
		                      &t->len, err);
	t->sent = 0;
	return r < 0 ? r : send_some(d, err);
}

static int not_taken(struct nf_dialogue *d, struct nf_err *err)
{
	int r;

	if (++d->tries >= TRIES)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_MARKER,
		                       "sent %d times; the last line: '%.100s'", TRIES,
		                       nf_dialogue_last_text(d));
	d->retries++;
	r = nf_dialogue_note(d, err, "the command is sent again: it did not arrive whole");
	return r < 0 ? r : nf_dialogue_go(d, &send_command, err);
}

/* The second marker is there. */
static int taken(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_cutter *c = &d->cut;

	if (c->began && c->status >= 0) {
		d->status = c->status;
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_DONE, "exit status %d", c->status);
	}
	if (c->status >= 0 || c->began)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_OUTPUT,
		                       "a marker of it was broken by what else was printed; exit "
		                       "status %d",
		                       c->status);
	c->at = NF_CUT_BEFORE; /* not run: its prompt comes */
	return 0;
}

static int output_byte(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_cutter *c = &d->cut;
	int r = 0;

	nf_cutter_byte(c, (char)d->byte);
	if (c->n_out)
		r = nf_dialogue_act(d,
		                    (struct nf_dialogue_action){ .what = NF_DIALOGUE_OUTPUT,
		                                                 .bytes = c->out,
		                                                 .len = c->n_out },
		                    err);
	return r == 0 && c->at == NF_CUT_OVER ? taken(d, err) : r;
}

/* The prompt, or what looks like it in the output: it matters before the output alone, or where its end was torn; and if
 * nothing follows it. */
static int output_prompted(struct nf_dialogue *d, struct nf_err *err)
{
	(void)err;
	if (!d->cut.began || d->cut.at == NF_CUT_TORN) {
		d->asked_seen = d->seen;
		nf_dialogue_pause(d, STANDS_NS);
	}
	return 0;
}

static int output_stands(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_cutter *c = &d->cut;
	char text[128];
	int r;

	if (d->seen != d->asked_seen)
		return 0;
	if (!c->torn)
		return not_taken(d, err);
	if (d->tries++ >= TRIES)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_OUTPUT,
		                       "its end was asked for %d times", TRIES);
	r = nf_dialogue_note(d, err, "the end of the output is asked for again");
	if (r < 0)
		return r;
	nf_cutter_again(d->o->nonce, text, sizeof(text));
	r = nf_dialogue_send(d, text, strlen(text), false, err);
	return r < 0 ? r
	             : nf_dialogue_send(d, nf_dialogue_eol(d), strlen(nf_dialogue_eol(d)), false,
	                                err);
}

/* A quote got lost: the shell wants to have more of the command. */
static int output_quiet(struct nf_dialogue *d, struct nf_err *err)
{
	struct nf_line tail;

	(void)nf_line_tail(&d->lines, &tail);
	if (d->cut.began || d->cut.torn || tail.len != 2 || memcmp(tail.text, "> ", 2) != 0)
		return 0;
	return nf_dialogue_send(d, "\x03", 1, false, err);
}

static int output_late(struct nf_dialogue *d, struct nf_err *err)
{
	char span[32];

	return NF_DIALOGUE_END(
	        d, err, d->cut.began || d->cut.torn ? NF_OUTCOME_SHELL_LATE : NF_OUTCOME_NO_MARKER,
	        "within %s; the last line: '%.100s'", nf_dialogue_span(d->o->shell_ns, span),
	        nf_dialogue_last_text(d));
}

/* clang-format off */
static const struct nf_dialogue_state reach = { .name = "looks for a prompt", .limit = NF_LIMIT_PROMPT,
	.enter = knock, .pause = knock, .prompted = reached, .quiet = reach_quiet, .late = no_shell };
static const struct nf_dialogue_state user = { .name = "says who logs in", .limit = NF_LIMIT_GOES_ON,
	.watch = NF_WATCHES(NF_WATCH_BAD_LOGIN), .found = bad_login, .enter = send_user, .prompted = reached, .quiet = user_quiet,
	.late = no_shell };
static const struct nf_dialogue_state password = { .name = "waits for the login", .limit = NF_LIMIT_GOES_ON,
	.watch = NF_WATCHES(NF_WATCH_BAD_LOGIN), .found = bad_login, .enter = send_password, .pause = knock, .prompted = reached,
	.quiet = password_quiet, .late = no_shell };
static const struct nf_dialogue_state send_command = { .name = "sends the command", .limit = NF_LIMIT_BREAK,
	.enter = begin_command, .pause = send_some, .late = output_late };
static const struct nf_dialogue_state output = { .name = "waits for the command", .limit = NF_LIMIT_SHELL,
	.after_line = true, .byte = output_byte, .prompted = output_prompted, .pause = output_stands, .quiet = output_quiet, .late = output_late };
/* clang-format on */

int nf_dialogue_shell(const struct nf_dialogue_opts *o, nf_dialogue_fn *fn, void *ctx,
                      struct nf_dialogue **ret, struct nf_err *err)
{
	char line[NF_DIALOGUE_TYPED_MAX + 1];
	struct nf_cutter c;
	size_t len;
	int r;

	if (!o->shell_prompt || !o->shell_command || o->shell_ns <= 0 || o->prompt_ns <= 0)
		return nf_fail(
		        err, NF_EARG,
		        "a shell without prompt, command or time; allowed: with all of them");
	r = nf_cutter_init(&c, o->nonce, err);
	if (r == 0)
		r = nf_cutter_command(o->shell_command, o->nonce, line, sizeof(line), &len, err);
	return r < 0 ? r : nf_dialogue_new(o, o->shell_prompt, &reach, fn, ctx, ret, err);
}
