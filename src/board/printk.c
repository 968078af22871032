/* SPDX-License-Identifier: MIT */
#include "board/printk.h"

#include <ctype.h>

#define NS_PER_S INT64_C(1000000000)
enum { FRACTION = 6, SECONDS_MAX = 9 };
/* Messages of several CPUs can stand a little out of order; what falls back further is another boot. */
#define BACK_NS (NS_PER_S / 2)
/* Of a clock that runs: 0 is said before it does only. */
#define RUNS_NS (NS_PER_S / 100)

/* text[0] is the bracket. Bytes used, 0: no stamp. */
static size_t parse(const char *text, size_t len, int64_t *ret_ns)
{
	size_t i = 1, digits = 0;
	int64_t s = 0, us = 0;

	while (i < len && text[i] == ' ')
		i++;
	for (; i < len && isdigit((unsigned char)text[i]) && digits <= SECONDS_MAX; i++, digits++)
		s = s * 10 + (text[i] - '0');
	if (digits == 0 || digits > SECONDS_MAX || i >= len || text[i] != '.')
		return 0;
	i++;
	for (digits = 0; i < len && isdigit((unsigned char)text[i]) && digits <= FRACTION;
	     i++, digits++)
		us = us * 10 + (text[i] - '0');
	if (digits != FRACTION || i >= len || text[i] != ']')
		return 0;
	*ret_ns = s * NS_PER_S + us * 1000;
	return i + 1;
}

bool nf_printk_stamp(const char *text, size_t len, int64_t *ret_ns, size_t *ret_at)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '[' && parse(text + i, len - i, ret_ns) > 0) {
			*ret_at = i;
			return true;
		}
	}
	return false;
}

bool nf_printk_begins_anew(int64_t last_ns, int64_t now_ns)
{
	return now_ns < last_ns - BACK_NS || (now_ns == 0 && last_ns >= RUNS_NS);
}

void nf_printk_add(struct nf_printk_span *s, int64_t guest_ns, int64_t host_ns)
{
	if (s->stamps == 0 || (s->stamps == 1 && s->last_guest_ns == 0 && guest_ns == 0)) {
		s->stamps = 1;
	} else if (nf_printk_begins_anew(s->last_guest_ns, guest_ns)) {
		s->restarts++;
		s->stamps++;
	} else {
		s->guest_ns += guest_ns - s->last_guest_ns;
		s->host_ns += host_ns - s->last_host_ns;
		s->stamps++;
	}
	s->last_guest_ns = guest_ns;
	s->last_host_ns = host_ns;
}
