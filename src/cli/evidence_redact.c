/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/json.h"
#include "cli/cmd.h"
#include "cli/signals.h"
#include "record/redact.h"

struct params {
	const char *output;
	struct nf_opt_list also;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_PATH('o', "output", struct params, output, NULL, "DIR", "folder to make; must not exist") },
	{ NF_OPT_LIST(0, "also", struct params, also, "TEXT",
		"a further text to replace, such as a project's name") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

enum { KEEP_MAX = 128, WORDS_MAX = NF_OPT_LIST_MAX + 8 };

/* Words of command lines that say nothing of anybody: the commands. */
static void keep_commands(const char *ret[KEEP_MAX + 1])
{
	size_t n = 0;

	ret[n++] = "noisefloor";
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++) {
		if (n < KEEP_MAX)
			ret[n++] = nf_cmd_word(*c);
		for (const struct nf_cmd *const *s = (*c)->subs; s && *s && n < KEEP_MAX; s++)
			ret[n++] = nf_cmd_word(*s);
	}
	ret[n] = NULL;
}

/* What the user said, and who the user is here: often the one who measured. */
static void collect_words(const struct params *p, const char *ret[WORDS_MAX + 1])
{
	static const char *const names[] = { "USER", "LOGNAME", "SUDO_USER" };
	size_t n = 0;

	for (size_t i = 0; i < p->also.n; i++)
		ret[n++] = p->also.item[i];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *user = getenv(names[i]);

		if (user && *user && strcmp(user, "root") != 0)
			ret[n++] = user;
	}
	ret[n] = NULL;
}

static void left_out(void *ctx, const char *path, const char *why)
{
	const struct nf_cli *cli = ctx;

	if (!cli->global->quiet)
		nf_cli_note(cli, "left out: %s: %s", path, why);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	const char *keep[KEEP_MAX + 1], *words[WORDS_MAX + 1];
	unsigned char key[NF_REDACT_KEY];
	const struct nf_redact_opts o = { .key = key,
		                          .words = words,
		                          .keep = keep,
		                          .stop = cli->stop,
		                          .left_out = left_out,
		                          .ctx = cli };

	(void)argc;
	if (!p->output)
		return nf_fail(err, NF_EARG, "-o DIR is missing: the folder to make");
	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key))
		return nf_fail_os(err, errno, "no random key");
	keep_commands(keep);
	collect_words(p, words);
	/* A copy that is half written is taken away again. */
	nf_signals_ask_first(true);
	int rc = nf_redact_run(argv[0], p->output, &o, err);
	explicit_bzero(key, sizeof(key));
	if (rc < 0 && err->os_errno == EINTR && nf_stop_signo(cli->stop)) {
		bool interrupted = nf_stop_signo(cli->stop) == SIGINT;

		nf_cli_note(cli, "%s; no copy was made",
		            interrupted ? "interrupted" : "terminated");
		return interrupted ? NF_EXIT_SIGINT : NF_EXIT_SIGTERM;
	}
	if (rc == 0 && cli->global->json) {
		struct nf_json j;
		struct nf_buf out;

		nf_buf_init(&out, 1 << 16);
		nf_json_init(&j, &out, true);
		nf_json_object(&j);
		nf_json_key(&j, "folder");
		nf_json_text(&j, p->output);
		nf_json_end(&j);
		rc = nf_json_done(&j, err);
		if (rc == 0)
			rc = nf_cli_write(cli, out.data, out.len_bytes, err);
		nf_buf_fini(&out);
	} else if (rc == 0 && !cli->global->quiet) {
		rc = nf_cli_write(cli, p->output, strlen(p->output), err);
		if (rc == 0)
			rc = nf_cli_write(cli, "\n", 1, err);
	}
	return rc;
}

const struct nf_cmd nf_cmd_evidence_redact = {
	.name = "evidence redact",
	.operands = "RUN",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "a copy of a run that can be given away",
	.description =
	        "Makes a copy of a run's folder in which host names, user names, IP and MAC "
	        "addresses, UUIDs, machine and container ids, serial numbers, arguments of command "
	        "lines and kernel parameters not known to be harmless are replaced by pseudonyms, "
	        "in every file: the record in both forms, captures, headers of sample files, "
	        "summaries. What is the same in the run has the same pseudonym in the copy; the "
	        "key "
	        "they are made with is random and not kept, so that two copies cannot be joined "
	        "and nothing leads back.\n\n"
	        "The copy has a MANIFEST of its own, and evidence check says of it what it says of "
	        "the run. A damaged run is refused. Signatures are left out, and so is what is no "
	        "text. Samples, figures, the CPU's model and the kernel's version stay: they are "
	        "what the copy is for. Look at the copy before you give it away, and name with "
	        "--also what only you know to be private.",
	.examples = "evidence redact runs/X -o shared/X # look at it, then share it\n"
	            "evidence redact runs/X -o shared/X --also apollo # also a project's name",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence redact {run} -o {out}",
	.test_short = "evidence redact {run} -o {out}",
	.run = run,
};
