/* SPDX-License-Identifier: MIT */
#include "cli/lane_opts.h"

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	(void)argc;
	(void)argv;
	return nf_lane_plain_run(cli, params, nf_job_lane_status, err);
}

const struct nf_cmd nf_cmd_lane_status = {
	.name = "lane status",
	.operands = "",
	.summary = "kernels, the default, the entry for the next boot",
	.description =
	        "Reads what boots this machine: its kernels and whether each is realtime (by its "
	        "configuration in /boot, else by its name), which of them boots by default, "
	        "whether "
	        "another is set for the next boot, and what hinders a one-shot boot. Nothing is "
	        "changed. What cannot be read is unknown.\n\n"
	        "GRUB's grub.cfg is read, not run: where the default hangs on what the script "
	        "finds "
	        "while booting, it is unknown.",
	.examples = "lane status # this machine\n"
	            "lane status --root captured/host-a # a tree captured elsewhere\n"
	            "--json lane status # as JSON",
	.opts = nf_lane_plain_opts,
	.params_size = sizeof(struct nf_lane_plain),
	.target = NF_CMD_TARGET_OWN,
	.tidies = true,
	.test_long = "lane status --root {lanes}",
	.test_short = "lane status",
	.run = run,
};
