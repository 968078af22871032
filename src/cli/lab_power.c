/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <string.h>

#include "base/json.h"
#include "base/quote.h"
#include "cli/cmd.h"
#include "cli/lab_target.h"
#include "job/lab_power.h"

enum { OUT_BYTES = 1 << 16 };

static const char *const asks[] = { [NF_LAB_POWER_STATUS] = "status",
	                            [NF_LAB_POWER_ON] = "on",
	                            [NF_LAB_POWER_OFF] = "off",
	                            [NF_LAB_POWER_CYCLE] = "cycle" };
static const char *const ends[] = { [NF_POWER_END_OFF] = "off",
	                            [NF_POWER_END_ON] = "on",
	                            [NF_POWER_END_LEAVE] = "leave: what was begun was finished" };

static int find_ask(const char *word, enum nf_lab_power_ask *ret, struct nf_err *err)
{
	char quoted[NF_QUOTED];

	for (size_t i = 0; i < sizeof(asks) / sizeof(*asks); i++) {
		if (strcmp(word, asks[i]) != 0)
			continue;
		*ret = (enum nf_lab_power_ask)i;
		return 0;
	}
	nf_quote(word, quoted);
	return nf_fail(err, NF_EARG, "%s; allowed: on, off, cycle, status", quoted);
}

static void add_json(const struct nf_campaign *c, enum nf_lab_power_ask ask,
                     const struct nf_lab_power_result *result, struct nf_buf *out)
{
	struct nf_json j;

	nf_json_init(&j, out, true);
	nf_json_object(&j);
	nf_json_key(&j, "board");
	nf_json_text(&j, c->file->board.name.v);
	nf_json_key(&j, "driver");
	nf_json_text(&j, nf_power_rows[c->power.driver]->name);
	nf_json_key(&j, "asked");
	nf_json_text(&j, asks[ask]);
	nf_json_key(&j, "state");
	if (result->state == NF_POWER_UNKNOWN)
		nf_json_null(&j);
	else
		nf_json_text(&j, nf_power_state_name(result->state));
	nf_json_key(&j, "console_silent");
	if (result->silence == NF_LAB_SILENCE_SEEN)
		nf_json_bool(&j, true);
	else
		nf_json_null(&j);
	nf_json_end(&j);
	(void)nf_buf_addc(out, '\n');
}

/* What was reached; then how that is known. */
static void add_text(enum nf_lab_power_ask ask, const struct nf_lab_power_result *result,
                     struct nf_buf *out)
{
	static const enum nf_power_state wanted[] = { [NF_LAB_POWER_STATUS] = NF_POWER_UNKNOWN,
		                                      [NF_LAB_POWER_ON] = NF_POWER_ON,
		                                      [NF_LAB_POWER_OFF] = NF_POWER_OFF,
		                                      [NF_LAB_POWER_CYCLE] = NF_POWER_ON };
	bool known = result->state != NF_POWER_UNKNOWN;

	nf_buf_adds(out, nf_power_state_name(known ? result->state : wanted[ask]));
	if (ask != NF_LAB_POWER_STATUS) {
		nf_buf_adds(out, known ? ": the switch says so"
		                       : ": switched; the switch cannot be asked");
		if (result->silence == NF_LAB_SILENCE_SEEN)
			nf_buf_adds(out, "; the console fell silent");
	}
	nf_buf_addc(out, '\n');
}

static void tell(const struct nf_cli *cli, const struct nf_campaign *c, enum nf_lab_power_ask ask,
                 const struct nf_lab_power_result *result)
{
	if (result->silence == NF_LAB_SILENCE_UNKNOWN)
		nf_cli_note(cli, "whether the console fell silent is unknown: %s", result->why);
	if (c->power.driver == NF_POWER_GPIO && ask != NF_LAB_POWER_STATUS)
		nf_cli_note(cli,
		            "the line is nobody's again: whether it keeps its value is up to the "
		            "chip's driver; lab run holds it");
	else if (result->state == NF_POWER_UNKNOWN && ask == NF_LAB_POWER_STATUS)
		nf_cli_note(cli, "the switch (%s) cannot be asked%s",
		            nf_power_rows[c->power.driver]->name,
		            c->power.driver == NF_POWER_COMMAND
		                    ? "; power.status in the file would be a command that can"
		                    : "");
}

static int print(struct nf_cli *cli, const struct nf_campaign *c, enum nf_lab_power_ask ask,
                 const struct nf_lab_power_result *result, struct nf_err *err)
{
	struct nf_buf out;
	int r = 0;

	nf_buf_init(&out, OUT_BYTES);
	if (cli->global->json)
		add_json(c, ask, result, &out);
	else if (!cli->global->quiet)
		add_text(ask, result, &out);
	r = nf_buf_failed(&out, "the answer", err);
	if (r == 0)
		r = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	if (r < 0)
		return r;
	return ask == NF_LAB_POWER_STATUS && result->state == NF_POWER_UNKNOWN ? NF_EXIT_UNSUPPORTED
	                                                                       : NF_EXIT_PASS;
}

static int stopped(const struct nf_cli *cli, const struct nf_campaign *c, enum nf_lab_power_ask ask,
                   int signo)
{
	const char *how = signo == SIGINT ? "interrupted" : "terminated";

	if (ask == NF_LAB_POWER_STATUS)
		nf_cli_note(cli, "%s", how);
	else if (ask == NF_LAB_POWER_CYCLE)
		nf_cli_note(cli, "%s; the power is as on_abort says: %s", how,
		            ends[c->file->on_abort.v]);
	else
		nf_cli_note(cli, "%s; what was begun was finished", how);
	return 128 + signo;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	struct nf_lab_power_result result = { 0 };
	struct nf_campaign c = { 0 };
	enum nf_lab_power_ask ask = NF_LAB_POWER_STATUS;
	int r = find_ask(argv[1], &ask, err);

	(void)params;
	(void)argc;
	if (r < 0)
		return r;
	r = nf_lab_campaign_read(argv[0], &c, err);
	if (r < 0)
		return r;
	r = nf_job_lab_power(&c, ask, cli->stop, &result, err);
	if (r == 0 && result.stopped_by) {
		r = stopped(cli, &c, ask, result.stopped_by);
	} else if (r == 0) {
		r = print(cli, &c, ask, &result, err);
		if (r >= 0)
			tell(cli, &c, ask, &result);
	}
	nf_campaign_fini(&c);
	return r;
}

/* clang-format off */
static const struct nf_opt opts[] = {
	{ .kind = NF_OPT_END },
};
/* clang-format on */

const struct nf_cmd nf_cmd_lab_power = {
	.name = "lab power",
	.operands = "FILE on|off|cycle|status",
	.min_operands = 2,
	.max_operands = 2,
	.summary = "switches a board's power, or asks for it",
	.description =
	        "FILE is a campaign file: board.power says what switches. cycle is off, off_time, "
	        "on. With verify: silence the console is listened to after the power went off, "
	        "if nobody else has it: a board that talks on has not lost its power.\n\n"
	        "What a switch says afterwards is printed; one that cannot be asked is said to be "
	        "unknown, never taken to be what was last asked of it.\n\n"
	        "Exit code: 0 done, or known; 2 no such file, or the switch is not there; 3 status "
	        "of a switch that cannot be asked; 5 it did not switch, or does not answer. A "
	        "cycle that is interrupted leaves the power as on_abort says.",
	.examples = "lab power c4.yaml status # on, off or unknown\n"
	            "lab power c4.yaml cycle # off, off_time, on\n"
	            "--json lab power c4.yaml off # what was asked, what came of it",
	.opts = opts,
	.tidies = true,
	.test_long = "lab power {board} cycle",
	.test_short = "lab power {board} status",
	.run = run,
};
