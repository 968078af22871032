/* SPDX-License-Identifier: MIT */
#include <signal.h>

#include "cli/jobs.h"
#include "cli/lab_target.h"
#include "job/lab_doctor.h"

struct params {
	int64_t baud;
	bool baud_given;
	int64_t duration_ns;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_COUNT('b', "baud", struct params, baud, 50, 4000000, NF_PORT_BAUD,
		"speed of a serial port, eight bits, no parity; a campaign file says it itself"),
	  NF_OPT_GIVEN(struct params, baud_given) },
	{ NF_OPT_DURATION('d', "duration", struct params, duration_ns, 10000000, INT64_C(3600000000000),
		INT64_C(3000000000), "how long to listen; at each other rate at most as long") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int examine(struct nf_cli *cli, const struct params *p, const struct nf_lab_target *t,
                   struct nf_err *err)
{
	static const struct nf_job_params none;
	const struct nf_doctor_opts d = { .port = t->port,
		                          .campaign = t->has_campaign ? &t->campaign : NULL,
		                          .duration_ns = p->duration_ns };
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	int r = nf_job_opts_fill(cli, &none, &job, err), signo;

	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_doctor(&job, &d, &outcome, err);
	signo = nf_stop_signo(cli->stop);
	if (r == 0 && signo) {
		nf_cli_note(cli, "%s; the port is as it was",
		            signo == SIGINT ? "interrupted" : "terminated");
		r = outcome.exit_code;
	} else if (r == 0) {
		r = nf_job_print(cli, &outcome, true, err);
	}
	nf_job_outcome_fini(&outcome);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_lab_target target = { 0 };
	int r = nf_lab_target_read(argv[0], (uint32_t)p->baud, p->baud_given, &target, err);

	(void)argc;
	if (r == 0)
		r = examine(cli, p, &target, err);
	nf_lab_target_fini(&target);
	return r;
}

const struct nf_cmd nf_cmd_lab_doctor = {
	.name = "lab doctor",
	.operands = "FILE|PORT",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "looks at a board's port: what comes, at which rate, what spoils its times",
	.description =
	        "FILE is a campaign file, whose power switch is asked, too; PORT is as in lab "
	        "console. Nothing is sent and nothing is switched; the port is as it was "
	        "afterwards.\n\n"
	        "Told are: the bytes that come and how many of them are text; whether the rate is "
	        "the board's: when what comes is no text, other rates are tried in turn, and the "
	        "first that reads as text is named (95 of 100 bytes, at least 16); how long an "
	        "FTDI adapter keeps bytes back; names of the port that stay; who holds it; what "
	        "the power switch says; and rules for udev that make it better.\n\n"
	        "Exit code: 1 when something is wrong (a latency timer above 1 ms, a name by "
	        "number, another rate, errors on the line); 5 when the port is held or nobody "
	        "listens there, or the switch does not answer. That nothing came is no finding; "
	        "with --strict it exits 3.",
	.examples = "lab doctor c4.yaml # its console and its power switch\n"
	            "lab doctor --duration 10s /dev/ttyUSB0 # while the board is reset\n"
	            "--json lab doctor by_id:usb-FTDI_TTL232R-if00-port0 # the record as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.tidies = true,
	.test_long = "lab doctor --duration 1h {board}",
	.test_short = "lab doctor --duration 100ms {board}",
	.run = run,
};
