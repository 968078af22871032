/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "board/screen.h"
#include "cli/cmd.h"
#include "cli/lab_target.h"
#include "job/lab_shell.h"

enum { COMMAND_BYTES = 1 << 16, OUT_BYTES = 64 << 20, OWN_FAILURE = 255 };

struct params {
	int64_t timeout_ns;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_DURATION('t', "timeout", struct params, timeout_ns, 1000000, INT64_C(366) * 24 * 3600 * 1000000000,
		INT64_C(600000000000), "how long the command may take; then the board gets Ctrl-C") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

struct shell {
	struct nf_cli *cli;
	bool on_terminal;
	struct nf_screen screen;
	struct nf_buf out; /* of one turn; with --json of all */
};

static int give(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct shell *s = ctx;
	int r = s->on_terminal && !s->cli->global->json
	                ? nf_screen_filter(&s->screen, data, len_bytes, &s->out)
	                : nf_buf_add(&s->out, data, len_bytes);

	r = r < 0 ? nf_buf_failed(&s->out, "what the command prints", err) : 0;
	if (r < 0 || s->cli->global->json)
		return r;
	r = nf_cli_write(s->cli, s->out.data, s->out.len_bytes, err);
	if (r == 0)
		r = nf_cli_flush(s->cli, err);
	nf_buf_clear(&s->out);
	return r;
}

static void tell(void *ctx, const char *text)
{
	const struct shell *s = ctx;

	nf_cli_note(s->cli, "%s", text);
}

static int print_json(struct shell *s, const struct nf_campaign *c, const char *command,
                      const struct nf_lab_shell_result *result, struct nf_err *err)
{
	struct nf_buf text, out;
	struct nf_json j;
	uint64_t replaced = 0;
	int r;

	nf_buf_init(&text, (size_t)4 * OUT_BYTES);
	nf_buf_init(&out, (size_t)8 * OUT_BYTES);
	(void)nf_utf8_clean(&text, s->out.data ? s->out.data : "", s->out.len_bytes, &replaced);
	nf_json_init(&j, &out, true);
	nf_json_object(&j);
	nf_json_key(&j, "board");
	nf_json_text(&j, c->file->board.name.v);
	nf_json_key(&j, "command");
	nf_json_text(&j, command);
	nf_json_key(&j, "class");
	nf_json_text(&j, nf_outcome_class_name(result->outcome.class));
	nf_json_key(&j, "kind");
	nf_json_text(&j, nf_outcome_kind_name(result->outcome.kind));
	nf_json_key(&j, "words");
	nf_json_text(&j, result->outcome.words);
	nf_json_key(&j, "status");
	if (result->status < 0)
		nf_json_null(&j);
	else
		nf_json_i64(&j, result->status);
	nf_json_key(&j, "output_bytes");
	nf_json_u64(&j, s->out.len_bytes);
	nf_json_key(&j, "output");
	nf_json_textn(&j, text.data, text.len_bytes);
	nf_json_key(&j, "replaced_text");
	nf_json_u64(&j, replaced);
	nf_json_end(&j);
	(void)nf_buf_addc(&out, '\n');
	r = nf_buf_failed(&text, "what the command prints", err);
	if (r == 0)
		r = nf_buf_failed(&out, "the answer", err);
	if (r == 0)
		r = nf_cli_write(s->cli, out.data, out.len_bytes, err);
	if (r == 0)
		r = nf_cli_flush(s->cli, err);
	nf_buf_fini(&out);
	nf_buf_fini(&text);
	return r;
}

static int conclude(struct shell *s, const struct nf_lab_shell_result *result, struct nf_err *err)
{
	if (result->stopped_by) {
		nf_cli_note(s->cli, "%s; the board got Ctrl-C",
		            result->stopped_by == SIGINT ? "interrupted" : "terminated");
		return 128 + result->stopped_by;
	}
	if (result->outcome.class != NF_OUTCOME_OK || result->status < 0)
		return nf_fail(err, NF_ESUBJECT, "%s", result->outcome.words);
	return result->status;
}

static int find_password(const struct nf_campaign *c, const char **ret, struct nf_err *err)
{
	const struct nf_conf_text *name = &c->file->board.shell.password_env;

	*ret = name->v ? getenv(name->v) : NULL;
	if (name->v && !*ret)
		return nf_conf_refuse(&c->conf, name->pos, err,
		                      "'password_env': the variable %s is not set; allowed: the "
		                      "password in it",
		                      name->v);
	return 0;
}

static int run_command(struct shell *s, const struct params *p, const struct nf_campaign *c,
                       const char *command, struct nf_err *err)
{
	struct nf_lab_shell_opts o = { .campaign = c,
		                       .command = command,
		                       .timeout_ns = p->timeout_ns,
		                       .stop = s->cli->stop,
		                       .ctx = s,
		                       .output = give,
		                       .note = tell };
	struct nf_lab_shell_result result;
	int r = find_password(c, &o.password, err);

	if (r == 0)
		r = nf_job_lab_shell(&o, &result, err);
	if (r == 0 && s->cli->global->json)
		r = print_json(s, c, command, &result, err);
	return r < 0 ? r : conclude(s, &result, err);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	struct shell s = { .cli = cli, .on_terminal = isatty(STDOUT_FILENO) };
	struct nf_campaign c = { 0 };
	struct nf_buf command;
	int r = nf_lab_campaign_read(argv[0], &c, err);

	if (r < 0)
		return r;
	nf_buf_init(&command, COMMAND_BYTES);
	nf_buf_init(&s.out, OUT_BYTES);
	r = nf_lab_shell_line(argc - 1, argv + 1, &command, err);
	if (r == 0)
		r = run_command(&s, params, &c, command.data, err);
	nf_buf_fini(&s.out);
	nf_buf_fini(&command);
	nf_campaign_fini(&c);
	return r;
}

const struct nf_cmd nf_cmd_lab_shell = {
	.name = "lab shell",
	.operands = "FILE COMMAND [ARG...]",
	.min_operands = 2,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "runs a command on a board, through its console",
	.description =
	        "FILE is a campaign file with board.shell. Who has to log in is logged in first. "
	        "One word after -- is a line for the board's shell (sh); several are a command and "
	        "its "
	        "arguments, which get there as they are, blanks, quotes and # included.\n\n"
	        "Standard output is what the command prints, nothing else and nothing less: no "
	        "prompt, no echo, also without a newline at the end. It stands between two marks "
	        "with "
	        "128 random bits that no echo and no output can look like. On a terminal it is "
	        "shown as lab console --interactive does, without what a terminal would obey; into "
	        "a "
	        "file or a pipe it goes as it is. What the kernel prints meanwhile cannot be told "
	        "from it. "
	        "The command's input is empty. With --json: the "
	        "output, the status and how it ended, as one document.\n\n"
	        "A signal sends Ctrl-C to the board, once; so does --timeout.\n\n"
	        "Exit status: the command's own ($?); 255 for all that fails on this side of it, "
	        "bad options included: no shell, no prompt, the port is held, time is up; 130 and "
	        "143 after "
	        "signals.",
	.examples = "lab shell c4.yaml -- uname -a\n"
	            "lab shell c4.yaml -- 'dmesg | tail -5' # one word: a line for the shell\n"
	            "lab shell --timeout 1h c4.yaml -- ./cyclictest -q -D 30m >latency.txt",
	.opts = opts,
	.params_size = sizeof(struct params),
	.tidies = true,
	.own_failure = OWN_FAILURE,
	.test_long = "lab shell {shell} -- sleep 5",
	.test_short = "lab shell {shell} -- echo hello",
	.run = run,
};
