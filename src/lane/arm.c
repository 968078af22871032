/* SPDX-License-Identifier: MIT */
#include "lane/arm.h"

#include <string.h>

#include "lane/loader.h"

int nf_lane_same_default(const struct nf_lane_survey *x, const struct nf_lane_survey *y)
{
	if (!x->default_token || !y->default_token)
		return -1;
	return strcmp(x->default_token, y->default_token) == 0;
}

static bool is_set(const struct nf_lane_survey *s, const struct nf_lane_entry *e)
{
	if (!s->next)
		return false;
	return s->loader == &nf_lane_loader_kexec || strcmp(s->next, e->id) == 0;
}

int nf_lane_arm(const struct nf_lane_host *h, const struct nf_lane_survey *before, int entry,
                struct nf_arena *a, struct nf_lane_survey *ret, struct nf_err *err)
{
	const struct nf_lane_entry *e = &before->entry[entry];
	struct nf_lane_survey after;
	struct nf_err ignored = { 0 };
	int r = before->loader->arm(h, before, entry, err);

	if (r < 0)
		return r;
	r = nf_lane_survey(h, before->loader->name, a, &after, err);
	if (r < 0)
		return r;
	if (!is_set(&after, e))
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "%s: the one-shot entry was written and is not there when it is read "
		            "back; the "
		            "boot folder may be read-only: nothing is rebooted",
		            h->name);
	else if (nf_lane_same_default(before, &after) == 0)
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "%s: setting the one-shot entry changed the persistent default from "
		            "\"%.100s\" to "
		            "\"%.100s\"",
		            h->name, before->default_token, after.default_token);
	if (r < 0) {
		/* As far as it can be: the failure above is the one to tell. */
		int cleared = before->loader->clear(h, before, &ignored);

		(void)cleared;
		return r;
	}
	if (ret)
		*ret = after;
	return 0;
}

int nf_lane_clear(const struct nf_lane_host *h, const struct nf_lane_survey *before,
                  struct nf_arena *a, struct nf_lane_survey *ret, struct nf_err *err)
{
	struct nf_lane_survey after = *before;
	int r = 0;

	if (!before->loader)
		return nf_fail(err, NF_EUNSUPPORTED, "%s", before->reason[0]);
	if (before->next_known && !before->next)
		goto out;
	r = before->loader->clear(h, before, err);
	if (r == 0)
		r = nf_lane_survey(h, before->loader->name, a, &after, err);
	if (r < 0)
		return r;
	if (!after.next_known || after.next)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "%s: the one-shot entry was taken back and is still there when it is read "
		        "again",
		        h->name);
	if (nf_lane_same_default(before, &after) == 0)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s: taking it back changed the persistent default", h->name);
out:
	if (ret)
		*ret = after;
	return 0;
}
