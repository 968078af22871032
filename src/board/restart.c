/* SPDX-License-Identifier: MIT */
#include "board/restart.h"

#include <string.h>

#include "board/printk.h"

/* What lines and their times may be late by. */
#define SLACK_NS INT64_C(500000000)
enum { T0_BYTES_MIN = 8 }; /* what is shorter comes again by chance */

static void keep(char to[NF_RESTART_TEXT], const char *text, size_t len)
{
	size_t n = len < NF_RESTART_TEXT ? len : NF_RESTART_TEXT - 1;

	memcpy(to, text, n);
	to[n] = '\0';
}

void nf_restarts_begin(struct nf_restarts *r, const char *rest, size_t len)
{
	r->began = true;
	keep(r->t0_rest, rest, len);
}

/* Another line with the pattern may be of the same boot; the same words are not. */
static bool is_t0_again(const struct nf_restarts *r, const char *text, size_t len)
{
	size_t n = strlen(r->t0_rest);

	if (n < T0_BYTES_MIN || len < n)
		return false;
	return n == NF_RESTART_TEXT - 1 ? memmem(text, len, r->t0_rest, n) != NULL
	                                : memcmp(text + len - n, r->t0_rest, n) == 0;
}

static bool clock_fell(struct nf_restarts *r, const char *text, size_t len, int64_t host_ns)
{
	int64_t guest_ns, step, passed;
	bool fell = false;
	size_t at;

	if (!nf_printk_stamp(text, len, &guest_ns, &at))
		return false;
	step = guest_ns - r->guest_ns;
	passed = host_ns - r->host_ns;
	if (r->any && nf_printk_begins_anew(r->guest_ns, guest_ns)) {
		fell = true;
		r->fell = true;
		r->peak_ns = r->guest_ns;
	} else if (r->any && r->fell && guest_ns >= r->peak_ns && step > 2 * passed + SLACK_NS) {
		r->interleaved = true;
	}
	r->any = true;
	r->guest_ns = guest_ns;
	r->host_ns = host_ns;
	return fell;
}

static enum nf_restart_sign sign_of(struct nf_restarts *r, const char *text, size_t len,
                                    int64_t host_ns)
{
	bool fell = clock_fell(r, text, len, host_ns);

	if (!is_t0_again(r, text, len)) {
		r->awaits_t0 = r->awaits_t0 || fell;
		return fell ? NF_RESTART_CLOCK : NF_RESTART_NONE;
	}
	bool told = r->awaits_t0 && !fell;

	/* The kernel's first stamp after this is of the same reset. */
	r->any = false;
	r->awaits_t0 = false;
	return told ? NF_RESTART_NONE : NF_RESTART_T0;
}

void nf_restarts_line(struct nf_restarts *r, const char *text, size_t len, uint64_t line,
                      int64_t host_ns, size_t interval)
{
	enum nf_restart_sign sign = r->began ? sign_of(r, text, len, host_ns) : NF_RESTART_NONE;

	if (sign == NF_RESTART_NONE || r->n == NF_RESTARTS_MAX)
		return;
	struct nf_restart *to = &r->item[r->n++];
	*to = (struct nf_restart){
		.sign = sign, .line = line, .host_ns = host_ns, .interval = interval
	};
	keep(to->text, text, len);
}

void nf_restarts_finish(struct nf_restarts *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (!r->interleaved || r->item[i].sign != NF_RESTART_CLOCK)
			r->item[n++] = r->item[i];
	r->n = n;
}
