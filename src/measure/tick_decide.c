/* SPDX-License-Identifier: MIT */
#include "measure/tick_decide.h"

#include <stdio.h>
#include <string.h>

/* Why the counter cannot be trusted; "" if it can. */
static void doubt(const struct nf_tick_facts *f, char *out, size_t out_bytes)
{
	const char *name = nf_tick_name(f->counter);

	if (f->unreadable[0] != '\0')
		snprintf(out, out_bytes, "%s", f->unreadable);
	else if (!f->invariant_known)
		snprintf(out, out_bytes, "whether the %s runs at a constant rate is unknown", name);
	else if (!f->invariant)
		snprintf(out, out_bytes,
		         "the %s is not invariant (constant_tsc and nonstop_tsc on every CPU)",
		         name);
	else if (f->clocksource[0] == '\0')
		snprintf(out, out_bytes, "the kernel's clocksource is unknown");
	else if (strcmp(f->clocksource, f->clocksource_wanted) != 0)
		snprintf(out, out_bytes, "the kernel's clocksource is %s, not %s", f->clocksource,
		         f->clocksource_wanted);
	else
		out[0] = '\0';
}

int nf_tick_decide(const struct nf_tick_facts *f, enum nf_tick_want want,
                   struct nf_tick_choice *ret, struct nf_err *err)
{
	struct nf_tick_choice c = { .source = NF_TICK_MONOTONIC_RAW };

	if (want != NF_TICK_WANT_MONOTONIC) {
		doubt(f, c.reason, sizeof(c.reason));
		if (c.reason[0] == '\0')
			c.source = f->counter;
		else if (want == NF_TICK_WANT_COUNTER)
			return nf_fail(err, NF_EUNSUPPORTED,
			               "the counter cannot be used: %s; --clock monotonic works "
			               "everywhere",
			               c.reason);
	}
	*ret = c;
	return 0;
}
