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

static int hash(struct nf_dhall *d, const struct nf_cli *cli, const char *path, struct nf_buf *out,
                struct nf_err *err)
{
	struct nf_dhall_loaded l;
	char hex[NF_SHA256_HEX];
	int rc = nf_dhall_load(d, path, &l, err);

	if (rc == 0)
		rc = nf_dhall_hash(d, l.value, hex, err);
	if (rc < 0)
		return rc;
	if (cli->global->json)
		(void)nf_buf_addf(out, "{\"hash\": \"sha256:%s\"}\n", hex);
	else
		(void)nf_buf_addf(out, "sha256:%s\n", hex);
	return nf_buf_failed(out, "the hash", err);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;

	(void)argc;
	return nf_evidence_session(cli, &p->read, argv[0], hash, err);
}

const struct nf_cmd nf_cmd_evidence_hash = {
	.name = "evidence hash",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "the semantic hash of a Dhall file: a record's id",
	.description =
	        "Prints the semantic hash of a Dhall file (standard v23.1.0), which is a record's "
	        "id: it stays the same when only the layout changes. Local imports are followed "
	        "within the root; functions, remote and environment imports are refused by name.",
	.examples = "evidence hash runs/X/record.dhall # the record's id",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence hash {run}/record.dhall",
	.test_short = "evidence hash {run}/record.dhall",
	.run = run,
};
