/* SPDX-License-Identifier: MIT */
#include "cli/lane_opts.h"

struct params {
	struct nf_lane_params lane;
	bool reboot;
	struct nf_lane_trip_params trip;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_LANE_ROOT_OPT(struct params, lane),
	NF_LANE_LOADER_OPT(struct params, lane),
	NF_LANE_ENTRY_OPT(struct params, lane),
	{ NF_OPT_FLAG(0, "dry-run", struct params, lane.dry_run, "check everything and set nothing") },
	{ NF_OPT_FLAG(0, "reboot", struct params, reboot,
		"boot the realtime kernel, wait, verify it, boot back, verify that"),
	  .conflicts = "root dry-run", .needs = "target" },
	NF_LANE_TRIP_OPTS(struct params, trip),
	NF_LANE_WAIT_OPTS(struct params, trip),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;

	(void)argc;
	(void)argv;
	if (p->reboot)
		return nf_lane_trip_run(cli, &p->lane, &p->trip, NULL, err);
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
	               "ever; the menu does not boot next_entry.\n\n"
	               "With --reboot (and --target) it goes there and back: it waits with a limit "
	               "for the realtime "
	               "kernel, measures how long that takes, verifies its release, "
	               "/sys/kernel/realtime and the "
	               "profiles, boots back, and verifies that the default is what it was and the "
	               "entry is "
	               "consumed. That makes a run folder with a KernelValidationRun. Exit 1: "
	               "something is not as "
	               "it should be; 5: the machine did not do what it was asked to.",
	.examples = "lane arm # the only realtime kernel\n"
	            "lane arm --dry-run # could it be done?\n"
	            "lane arm --entry 6.1.0-18-rt-amd64 # one of several\n"
	            "--target root@board lane arm --reboot --overlay rt.profile # there and back",
	.opts = opts,
	.params_size = sizeof(struct params),
	.target = NF_CMD_TARGET_OWN,
	.tidies = true,
	.test_long = "lane arm --dry-run --root {lanes}",
	.test_short = "lane arm --dry-run --root {lanes}",
	.run = run,
};
