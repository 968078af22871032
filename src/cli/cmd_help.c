/* SPDX-License-Identifier: MIT */
#include "cli/cmd.h"
#include "cli/docs.h"

struct params {
	char none;
};

static const struct nf_opt opts[] = { { .kind = NF_OPT_END } };

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct nf_cmd *cmd = NULL;
	struct nf_buf out;
	int r = argc ? nf_cmd_resolve(argv, argc, &cmd, err) : 0;

	(void)params;
	if (r < 0)
		return r;
	nf_buf_init(&out, 1 << 18);
	nf_docs_help(cmd, &out);
	r = nf_buf_failed(&out, "the help text", err);
	if (r == 0)
		r = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return r;
}

const struct nf_cmd nf_cmd_help = {
	.name = "help",
	.operands = "[COMMAND [SUBCOMMAND]]",
	.max_operands = 2,
	.summary = "show help, also for one command",
	.description =
	        "Shows what --help shows: the commands and the global options, or one command "
	        "with its options.",
	.examples = "help fwq # the options of fwq",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "help",
	.test_short = "help",
	.run = run,
};
