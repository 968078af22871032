/* SPDX-License-Identifier: MIT */
/*
 * dialogue_cut - a command for a shell between two markers, and its output cut out of what the console says.
 *
 * A marker is a nonce of 128 bits, printed in two halves that what is typed does not have side by side: no echo can be taken for
 * it. The text is sent in characters that line editing, completion and history leave alone (all others as octal), with
 * its length, so that a character that got lost keeps it from being run. It is run by a shell of its own: `exit` ends that one,
 * and Ctrl-C, too: the trap keeps the shell that was typed to from forgetting the rest of its line, the end marker.
 *
 * A kernel message may go into the middle of a marker: it is passed over if it begins with its stamp's bracket. A
 * marker that something else went into is known by its first half, and the second one asked for again.
 */
#include "board/dialogue_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"

enum { HALF = (NF_DIALOGUE_NONCE - 1) / 2 };

static int encode(const char *command, struct nf_buf *out)
{
	for (const char *p = command; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == '%')
			(void)nf_buf_adds(out, "%%");
		else if (c < ' ' || c >= 0x7f || c == '\'' || c == '\\' || c == '!' ||
		         (c == '-' && p == command))
			(void)nf_buf_addf(out, "\\%03o", c);
		else
			(void)nf_buf_addc(out, (char)c);
	}
	return out->failed == NF_OK ? 0 : -1;
}

/* The status is "-" where the command was not run. */
int nf_cutter_command(const char *command, const char *nonce, char *ret, size_t size,
                      size_t *ret_len, struct nf_err *err)
{
	struct nf_buf text;
	int n = -1, r = 0;

	nf_buf_init(&text, NF_DIALOGUE_SHELL_MAX);
	if (encode(command, &text) == 0)
		n = snprintf(ret, size,
		             "c='%s'; [ ${#c} -eq %zu ] && printf '%%s%%s\\n' %.*s "
		             "%s-b && { trap : INT; sh -c "
		             "\" $(printf \"$c\")\" </dev/null; n=$?; trap - INT; } || n=-; printf "
		             "'%%s%%s "
		             "%%s\\n' %.*s "
		             "%s-e $n; c=",
		             text.data, text.len_bytes, HALF, nonce, nonce + HALF, HALF, nonce,
		             nonce + HALF);
	if (text.failed == NF_ENOMEM)
		r = nf_buf_failed(&text, "a command", err);
	else if (n < 0 || (size_t)n >= size)
		r = nf_fail(
		        err, NF_EARG,
		        "a command of %zu bytes; allowed: up to %d, counting 4 for each control "
		        "character, quote and byte beyond ASCII; put it into a script on the board",
		        strlen(command), NF_DIALOGUE_SHELL_MAX);
	if (r == 0)
		*ret_len = (size_t)n;
	nf_buf_fini(&text);
	return r;
}

void nf_cutter_again(const char *nonce, char *ret, size_t size)
{
	snprintf(ret, size, "printf '%%s%%s %%s\\n' %.*s %s-e $n", HALF, nonce, nonce + HALF);
}

int nf_cutter_init(struct nf_cutter *c, const char *nonce, struct nf_err *err)
{
	if (!nonce || strlen(nonce) != NF_DIALOGUE_NONCE - 1 ||
	    strspn(nonce, "0123456789abcdef") != NF_DIALOGUE_NONCE - 1)
		return nf_fail(err, NF_EARG, "no nonce; allowed: %d hex digits",
		               NF_DIALOGUE_NONCE - 1);
	*c = (struct nf_cutter){ .status = -1 };
	snprintf(c->core, sizeof(c->core), "%s-", nonce);
	return 0;
}

/* --- output --- */

static void give(struct nf_cutter *c, char byte)
{
	if (c->n_out < sizeof(c->out))
		c->out[c->n_out++] = byte;
}

/* The terminal sends CR LF for LF. */
static void give_text(struct nf_cutter *c, char byte)
{
	if (c->cr && byte != '\n')
		give(c, '\r');
	c->cr = byte == '\r';
	if (!c->cr)
		give(c, byte);
}

static void consume(struct nf_cutter *c, size_t n)
{
	c->n_held -= n;
	memmove(c->held, c->held + n, c->n_held);
}

/* --- markers --- */

/* 'b', 'e': held begins with that marker; '?': it may come to; 0: cannot. ret_n: bytes of the marker that are there;
 * ret_used: of held, of a marker that is there. */
static char compare(const struct nf_cutter *c, size_t *ret_n, size_t *ret_used)
{
	const size_t n_core = strlen(c->core);
	enum { MARKER, STAMP, MESSAGE } in = MARKER;
	size_t n = 0;

	for (size_t i = 0; i < c->n_held; i++) {
		char byte = c->held[i];

		*ret_n = n;
		*ret_used = i + 1;
		if (in == MESSAGE)
			in = byte == '\n' ? MARKER : MESSAGE;
		else if (in == STAMP && byte == ']')
			in = MESSAGE;
		else if (in == STAMP &&
		         (byte == ' ' || byte == '.' || (byte >= '0' && byte <= '9')))
			continue;
		else if (in == STAMP)
			return '\0';
		else if (n < n_core && byte == c->core[n])
			n++;
		else if (n == n_core && (byte == 'b' || byte == 'e'))
			return byte;
		else if (n > 0 && byte == '[')
			in = STAMP;
		else
			return '\0';
	}
	return c->n_held < sizeof(c->held) ? '?' : '\0';
}

static void take_marker(struct nf_cutter *c, char which)
{
	c->text = c->inside = false;
	if (which == 'e') {
		if (c->cr)
			give(c, '\r');
		c->cr = false;
		c->digits = 0;
		c->status = -1;
		c->at = NF_CUT_STATUS;
	} else if (c->at != NF_CUT_TORN) {
		/* Seen before, it was an echo in which a blank got lost. */
		c->began = true;
		c->cr = false;
		c->at = NF_CUT_LINE_END;
	}
}

/* The first of what is held, or a marker. False: more has to come. */
static bool seek(struct nf_cutter *c)
{
	size_t n = 0, used = 0;
	char which = compare(c, &n, &used);

	if (which == '?')
		return false;
	if (which) {
		consume(c, used);
		take_marker(c, which);
		return true;
	}
	if (n > HALF) { /* nothing else begins like this */
		c->torn = true;
		c->at = c->began ? NF_CUT_TORN : c->at;
	}
	if (c->at == NF_CUT_OUTPUT)
		give_text(c, c->held[0]);
	consume(c, 1);
	return true;
}

/* A kernel message may have come between the marker and its line's end. */
static void take_line_end(struct nf_cutter *c, char byte)
{
	if (byte != '\n')
		c->text = c->text || byte != '\r';
	else if (c->text)
		c->text = false;
	else
		c->at = NF_CUT_OUTPUT;
}

static void take_status(struct nf_cutter *c, char byte)
{
	if (c->inside) {
		c->inside = byte != '\n';
	} else if (byte >= '0' && byte <= '9' && c->digits < 3) {
		c->status = (c->digits ? c->status * 10 : 0) + (byte - '0');
		c->digits++;
	} else if (byte == '-' && c->digits == 0) {
		c->digits = 3;
	} else if (byte == '[') {
		c->inside = true;
	} else if ((byte == '\r' || byte == '\n') && c->digits > 0) {
		c->at = NF_CUT_OVER;
	} else if (byte != ' ') {
		c->torn = true;
		c->at = c->began ? NF_CUT_TORN : NF_CUT_BEFORE;
	}
}

void nf_cutter_byte(struct nf_cutter *c, char byte)
{
	bool goes_on = true;

	c->n_out = 0;
	c->held[c->n_held++] = byte;
	while (goes_on && c->n_held > 0 && c->at != NF_CUT_OVER) {
		char first = c->held[0];

		if (c->at != NF_CUT_LINE_END && c->at != NF_CUT_STATUS) {
			goes_on = seek(c);
			continue;
		}
		consume(c, 1);
		if (c->at == NF_CUT_LINE_END)
			take_line_end(c, first);
		else
			take_status(c, first);
	}
	if (c->at == NF_CUT_OVER)
		c->n_held = 0;
}
