/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "cli/jobs.h"
#include "job/audit.h"

struct params {
	struct nf_job_params job;
	int64_t baud;
	bool syscalls;
	bool any_status;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_FLAG(0, "syscalls", struct params, syscalls,
		"run the command a second time, under a tracer, and name the system calls of each region and where "
		"they went") },
	{ NF_OPT_COUNT(0, "baud", struct params, baud, 50, 100000000, 115200,
		"speed of the console that writes are priced for, ten bits a byte") },
	{ NF_OPT_FLAG(0, "any-status", struct params, any_status, "an exit status other than 0 is no failure") },
	{ NF_OPT_TEXT(0, "tag", struct params, job.tag, NULL, "TEXT",
		"last part of the run folder's name and the label that runs are compared by"),
	  .def_text = "the command" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_job_opts job;
	struct nf_job_outcome outcome;
	const struct nf_audit_opts audit = {
		.argv = argv,
		.env = environ,
		.baud = p->baud,
		.syscalls = p->syscalls,
		.any_status = p->any_status,
		.output_to_stderr = cli->global->json,
	};

	if (argc == 0)
		return nf_fail(err, NF_EARG, "nothing to run; allowed: a command after --");
	int r = nf_job_opts_fill(cli, &p->job, &job, err);
	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_audit_run(&job, &audit, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_audit_run = {
	.name = "audit run",
	.operands = "COMMAND [ARG...]",
	.max_operands = NF_OPERANDS_ANY,
	.summary = "which I/O falls into the timed regions of a program",
	.description =
	        "Runs the command and reads, around every region that it marks, what the kernel "
	        "counted: bytes and calls of reading and writing, CPU time, page faults. A region "
	        "is "
	        "marked by nf_region_begin() and nf_region_end() (noisefloor/region.h); every "
	        "iteration of a benchmark of noisefloor/bench.h is one "
	        "(under 'noisefloor bench run --program FILE'). What the audit reads "
	        "itself "
	        "is taken out. Bytes written are priced as what they take on a serial console.\n\n"
	        "What printf() leaves in the buffer of stdout or stderr is counted where it was "
	        "printed, and said: its write falls elsewhere. Other streams are not looked into. "
	        "Writes by other threads and by children that were waited for count for every "
	        "region "
	        "that is open meanwhile. send() to a socket is seen by --syscalls only.\n\n"
	        "With --syscalls the command runs twice: the second time, under a tracer, is never "
	        "the one whose times are shown.\n\n"
	        "The command's output goes where this command's goes, with --json to standard "
	        "error; "
	        "it has no terminal as standard input. Write -- before it. What it leaves running "
	        "in "
	        "its process group is ended.\n\n"
	        "Exit code: 1 when I/O was found, 0 when there was none, 3 when the command began "
	        "no "
	        "region or some could not be measured, 5 when the command failed.",
	.examples =
	        "audit run -- ./program # counts\n"
	        "audit run --syscalls --baud 9600 -- ./program # which calls, on a slow console",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "audit run -- sleep 600",
	.test_short = "audit run -- true",
	.run = run,
};
