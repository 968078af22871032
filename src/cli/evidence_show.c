/* SPDX-License-Identifier: MIT */
#include "cli/evidence_dhall.h"

struct params {
	struct nf_evidence_read read;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_EVIDENCE_READ_OPTS(struct params, read),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int show(struct nf_dhall *d, const struct nf_cli *cli, const char *path, struct nf_buf *out,
                struct nf_err *err)
{
	struct nf_dhall_loaded l;
	int rc = nf_dhall_load(d, path, &l, err);

	(void)cli;
	return rc < 0 ? rc : nf_dhall_print(d, l.value, out, err);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;

	(void)argc;
	return nf_evidence_session(cli, &p->read, argv[0], show, err);
}

const struct nf_cmd nf_cmd_evidence_show = {
	.name = "evidence show",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "a Dhall file in normal form",
	.description =
	        "Prints a Dhall file in normal form, imports filled in. Local imports are followed "
	        "within the root; functions, remote and environment imports are refused by name.",
	.examples = "evidence show runs/X/record.dhall # imports filled in, one line",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence show {run}/record.dhall",
	.test_short = "evidence show {run}/record.dhall",
	.run = run,
};
