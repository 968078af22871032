/* SPDX-License-Identifier: MIT */
/*
 * dialogue_cut - a command for a shell between two markers, and its output cut out of what the console says.
 *
 * A marker is a nonce of 128 bits, printed in two halves that what is typed does not have side by side: no echo can be taken for
 * it. The text is sent in characters that line editing, completion and history leave alone (all others as octal), with
 * its length, so that a character that got lost keeps it from being run. It is run by a shell of its own: `exit` ends that one.
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

int nf_cutter_command(const char *command, const char *nonce, char *ret, size_t size,
                      size_t *ret_len, struct nf_err *err)
{
	struct nf_buf text;
	int n = -1, r = 0;

	nf_buf_init(&text, NF_DIALOGUE_SHELL_MAX);
	if (encode(command, &text) == 0)
		n = snprintf(ret, size,
		             "c='%s'; [ ${#c} -eq %zu ] && printf '%%s%%s\\n' %.*s %s-b && sh -c "
		             "\"$(printf \"$c\")\" </dev/null; n=$?; printf '%%s%%s %%d\\n' %.*s "
		             "%s-e $n",
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

int nf_cutter_init(struct nf_cutter *c, const char *nonce, struct nf_err *err)
{
	if (!nonce || strlen(nonce) != NF_DIALOGUE_NONCE - 1 ||
	    strspn(nonce, "0123456789abcdef") != NF_DIALOGUE_NONCE - 1)
		return nf_fail(err, NF_EARG, "no nonce; allowed: %d hex digits",
		               NF_DIALOGUE_NONCE - 1);
	*c = (struct nf_cutter){ .status = -1 };
	snprintf(c->begin, sizeof(c->begin), "%.*s-b", NF_DIALOGUE_NONCE - 1, nonce);
	snprintf(c->end, sizeof(c->end), "%.*s-e", NF_DIALOGUE_NONCE - 1, nonce);
	return 0;
}

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

/* Whether the last bytes end with the second half of a marker. */
static bool half_seen(struct nf_cutter *c, const char *marker)
{
	const char *half = marker + HALF;
	size_t n = strlen(half);

	return memcmp(c->recent + sizeof(c->recent) - n, half, n) == 0;
}

static void remember(struct nf_cutter *c, char byte)
{
	memmove(c->recent, c->recent + 1, sizeof(c->recent) - 1);
	c->recent[sizeof(c->recent) - 1] = byte;
}

static void take_status(struct nf_cutter *c, char byte)
{
	if (byte >= '0' && byte <= '9' && c->digits < 3) {
		c->status = (c->digits ? c->status : 0) * 10 + (byte - '0');
		c->digits++;
	} else if (byte == '\r' || byte == '\n') {
		c->ended = false;
	}
}

/* What is held is no beginning of the marker any more: gives as much of it as cannot be one. */
static void let_go(struct nf_cutter *c, const char *marker)
{
	size_t from = 1;

	if (c->n_held > HALF + 1)
		c->broken = true;
	while (from < c->n_held && memcmp(c->held + from, marker, c->n_held - from) != 0)
		from++;
	for (size_t i = 0; c->began && i < from; i++)
		give_text(c, c->held[i]);
	memmove(c->held, c->held + from, c->n_held - from);
	c->n_held -= from;
}

void nf_cutter_byte(struct nf_cutter *c, char byte)
{
	const char *marker = c->began ? c->end : c->begin;

	c->n_out = 0;
	if (c->ended) {
		take_status(c, byte);
		return;
	}
	if (c->to_line_end) {
		c->to_line_end = byte != '\n';
		return;
	}
	remember(c, byte);
	c->held[c->n_held++] = byte;
	if (memcmp(c->held, marker, c->n_held) != 0)
		let_go(c, marker);
	bool whole = c->n_held == strlen(marker);
	if (!whole && !half_seen(c, marker) && !(c->broken && !c->began && byte == '\n')) {
		/* Without a beginning the end says that nothing was run. */
		if (!c->began && half_seen(c, c->end))
			c->ended = true;
		return;
	}
	c->n_held = 0;
	c->broken = false;
	memset(c->recent, 0, sizeof(c->recent));
	if (c->began) {
		c->ended = true;
	} else {
		c->began = true;
		c->to_line_end = byte != '\n';
	}
}
