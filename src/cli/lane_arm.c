/* SPDX-License-Identifier: MIT */
#include "cli/lane_opts.h"

struct params {
	struct nf_lane_params lane;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_LANE_ROOT_OPT(struct params, lane),
	NF_LANE_LOADER_OPT(struct params, lane),
	NF_LANE_ENTRY_OPT(struct params, lane),
	{ NF_OPT_FLAG(0, "dry-run", struct params, lane.dry_run, "check everything and set nothing") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;

	(void)argc;
	(void)argv;
	return nf_lane_command_run(cli, &p->lane, nf_job_lane_arm, err);
}

const struct nf_cmd nf_cmd_lane_arm = {
	.name = "lane arm",
	.operands = "",
	.summary = "the realtime kernel at the next boot, once",
	.description = "Sets the loader's entry for the next boot to the realtime kernel, reads it "
	               "back, and "
	               "checks that the persistent default is what it was. The tool's word is not "
	               "taken: what is "
	               "not there when it is read back was not set.\n\n"
	               "Refused before anything is changed, exit 3: the default is realtime "
	               "already or not known; "
	               "no realtime kernel, or several and no --entry; an entry is set already; "
	               "the boot folder is "
	               "on LVM, RAID, btrfs or ZFS, where GRUB could not clear the entry and would "
	               "boot it for "
	               "ever; the menu does not boot next_entry.",
	.examples = "lane arm # the only realtime kernel\n"
	            "lane arm --dry-run # could it be done?\n"
	            "lane arm --entry 6.1.0-18-rt-amd64 # one of several",
	.opts = opts,
	.params_size = sizeof(struct params),
	.tidies = true,
	.test_long = "lane arm --dry-run --root {lanes}",
	.test_short = "lane arm --dry-run --root {lanes}",
	.run = run,
};
