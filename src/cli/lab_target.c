/* SPDX-License-Identifier: MIT */
#include "cli/lab_target.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int nf_lab_campaign_read(const char *path, struct nf_campaign *ret, struct nf_err *err)
{
	int r = nf_campaign_read_file(path, ret, err);

	if (r == 0)
		ret->power.search = getenv("PATH");
	return r;
}

int nf_lab_target_read(const char *operand, uint32_t baud, bool given_baud,
                       struct nf_lab_target *ret, struct nf_err *err)
{
	struct nf_lab_target t = { 0 };
	struct stat st;
	int r;

	if (stat(operand, &st) == 0 && S_ISREG(st.st_mode)) {
		if (given_baud)
			return nf_fail(err, NF_EARG,
			               "--baud: the campaign file says it (board.console.baud); "
			               "allowed: with a port");
		r = nf_lab_campaign_read(operand, &t.campaign, err);
		if (r < 0)
			return r;
		t.has_campaign = true;
		t.port = t.campaign.console;
	} else {
		struct nf_err why = { 0 };

		r = nf_port_parse(operand, baud, &t.port, &why);
		if (r < 0 && !strchr(operand, ':'))
			return nf_fail(err, NF_EARG, "%s; or a campaign file", why.msg);
		if (r < 0) {
			*err = why;
			return r;
		}
	}
	*ret = t;
	return 0;
}

void nf_lab_target_fini(struct nf_lab_target *t)
{
	nf_campaign_fini(&t->campaign);
	*t = (struct nf_lab_target){ 0 };
}
