/* SPDX-License-Identifier: MIT */
/* Which kernel is to be booted once, or why none is. */
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "lane/loader.h"

/* Of several entries for one kernel the one whose id names the release: it stays what it is when another kernel is
 * installed. */
static bool is_better(const struct nf_lane_entry *e, const struct nf_lane_entry *than)
{
	bool names = strstr(e->id, e->release) != NULL;

	return names && strstr(than->id, than->release) == NULL;
}

int nf_lane_candidates(const struct nf_lane_survey *s, int ret[])
{
	int n = 0;

	for (int i = 0; i < s->n; i++) {
		const struct nf_lane_entry *e = &s->entry[i];
		int same = 0;

		if (e->lane != NF_LANE_RT || e->recovery || !e->release)
			continue;
		while (same < n && strcmp(s->entry[ret[same]].release, e->release) != 0)
			same++;
		if (same == n)
			ret[n++] = i;
		else if (is_better(e, &s->entry[ret[same]]))
			ret[same] = i;
	}
	return n;
}

static bool is_meant(const struct nf_lane_entry *e, const char *want)
{
	return strcmp(e->id, want) == 0 || (e->release && strcmp(e->release, want) == 0) ||
	       strcmp(e->title, want) == 0;
}

static int wanted(const struct nf_lane_survey *s, const int candidate[], int n, const char *want,
                  int *ret, struct nf_err *err)
{
	char quoted[NF_QUOTED];

	/* By release the candidate for it; by id or title also another entry of that kernel. */
	for (int i = 0; i < n; i++)
		if (is_meant(&s->entry[candidate[i]], want)) {
			*ret = candidate[i];
			return 0;
		}
	for (int i = 0; i < s->n; i++)
		if (is_meant(&s->entry[i], want) && s->entry[i].lane == NF_LANE_RT &&
		    !s->entry[i].recovery) {
			*ret = i;
			return 0;
		}
	nf_quote(want, quoted);
	return nf_fail(
	        err, NF_EARG,
	        "no realtime kernel %s to boot; allowed: an id or release that `lane status` lists "
	        "as rt",
	        quoted);
}

/* "a, b and 3 more" */
static void name_all(const struct nf_lane_survey *s, const int candidate[], int n, char *ret,
                     size_t cap)
{
	size_t len = 0;

	ret[0] = '\0';
	for (int i = 0; i < n; i++) {
		int more = i == 4 ? snprintf(ret + len, cap - len, " and %d more", n - i)
		                  : snprintf(ret + len, cap - len, "%s%.60s", i ? ", " : "",
		                             s->entry[candidate[i]].release);

		if (i == 4 || more < 0 || (size_t)more >= cap - len)
			return;
		len += (size_t)more;
	}
}

static int refuse_state(const struct nf_lane_survey *s, struct nf_err *err)
{
	char quoted[NF_QUOTED];

	if (s->n_reasons > 0)
		return nf_fail(err, NF_EUNSUPPORTED, "%s", s->reason[0]);
	if (s->default_entry < 0)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "what boots by default is not known (%s), so nothing says that the machine "
		        "comes back from the realtime kernel",
		        s->default_why ? s->default_why : "no reason given");
	if (s->entry[s->default_entry].lane == NF_LANE_RT)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "the default kernel %s is realtime already; a one-shot boot needs a "
		               "generic "
		               "one to fall back to",
		               s->entry[s->default_entry].release);
	if (s->entry[s->default_entry].lane == NF_LANE_UNKNOWN)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "nothing says whether the default kernel is realtime: %s",
		               s->entry[s->default_entry].lane_from);
	if (!s->next_known)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "whether an entry for the next boot is set cannot be read");
	if (s->next) {
		nf_quote(s->next, quoted);
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "an entry for the next boot is set already: %s; `lane clear` takes it back",
		        quoted);
	}
	return 0;
}

int nf_lane_choose(const struct nf_lane_survey *s, const char *want, int *ret, struct nf_err *err)
{
	int candidate[NF_LANE_ENTRIES_MAX], n = nf_lane_candidates(s, candidate);
	char names[320];
	int r = refuse_state(s, err);

	if (r < 0)
		return r;
	if (n == 0)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "no realtime kernel to boot: of %d entries none has "
		               "CONFIG_PREEMPT_RT or is "
		               "named rt; install one (Debian: linux-image-rt-amd64)",
		               s->n);
	if (want)
		return wanted(s, candidate, n, want, ret, err);
	if (n > 1) {
		name_all(s, candidate, n, names, sizeof(names));
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%d realtime kernels to boot: %s; say which with --entry", n, names);
	}
	*ret = candidate[0];
	return 0;
}
