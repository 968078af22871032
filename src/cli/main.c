/* SPDX-License-Identifier: MIT */
/* main - options in, command called, exit code out. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/child.h"
#include "bench/suites.h"
#include "cli/cmd.h"
#include "cli/compat.h"
#include "cli/context.h"
#include "cli/docs.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/target.h"

enum { DOCS_BYTES = 1 << 20 };

/* A closed standard stream must not become a run's file: its number is taken by something on which the
 * wrong direction fails. */
static void hold_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		int got = open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR);
		if (got >= 0 && got != fd)
			close(got);
	}
}

static int print_docs(struct nf_cli *cli, void (*make)(struct nf_buf *), struct nf_err *err)
{
	struct nf_buf out;

	nf_buf_init(&out, DOCS_BYTES);
	make(&out);
	int r = nf_buf_failed(&out, "the text", err);
	if (r == 0)
		r = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return r;
}

static int print_page(struct nf_cli *cli, const struct nf_cmd *cmd,
                      void (*make)(const struct nf_cmd *, struct nf_buf *), struct nf_err *err)
{
	struct nf_buf out;

	nf_buf_init(&out, DOCS_BYTES);
	make(cmd, &out);
	int r = nf_buf_failed(&out, "the text", err);
	if (r == 0)
		r = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return r;
}

static int check_operands(const struct nf_cmd *cmd, const struct nf_opt_rest *rest,
                          struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];

	if (rest->n < cmd->min_operands)
		return nf_fail(err, NF_EARG, "an operand is missing; allowed: %s", cmd->operands);
	if (rest->n <= cmd->max_operands)
		return 0;
	nf_opt_quote(rest->item[cmd->max_operands], quoted);
	return nf_fail(err, NF_EARG, "unexpected operand %s; allowed: %s", quoted,
	               *cmd->operands ? cmd->operands : "none");
}

/* Before hours of work: whether there is a standard output at all (hold_standard_streams()). */
static int check_output(const struct nf_cli *cli, struct nf_err *err)
{
	bool silent = cli->global->quiet && !cli->global->json;
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (!cli->cmd->measures || silent || (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY))
		return 0;
	return nf_fail_os(err, EBADF, "cannot write standard output");
}

static int run_command(struct nf_cli *cli, const struct nf_opt_set *set,
                       const struct nf_opt_rest *rest, struct nf_err *err)
{
	bool there =
	        cli->global->target && (cli->cmd->target & NF_CMD_TARGET_KIND) != NF_CMD_TARGET_OWN;
	struct nf_context ctx;
	struct nf_err close_err = { 0 };

	int r = check_output(cli, err);
	if (r < 0)
		return r;
	r = nf_context_open(&ctx, cli, err);
	if (r == 0 && cli->cmd->measures && !there)
		nf_context_journal(&ctx, cli);
	if (r == 0)
		r = there ? nf_cli_target_run(cli, set, rest->n, rest->item, err)
		          : cli->cmd->run(cli, set->params, rest->n, rest->item, err);
	if (nf_context_close(&ctx, cli, &close_err) < 0) {
		nf_cli_note(cli, "not everything was put back: %s", close_err.msg);
		if (r >= 0)
			r = nf_exit_worse(r, NF_EXIT_ERROR);
	}
	return r;
}

/* The command that argv[*at] names, or its subcommand; global options may stand between the two. *at
 * moves behind the names. A group alone comes back as itself where a page of it is wanted. */
static int find_command(struct nf_opt_set *globals, const struct nf_globals *g, int argc,
                        char *argv[], int *at, const struct nf_cmd **ret, struct nf_err *err)
{
	struct nf_opt_rest rest = { 0 };
	const char *const word = argv[*at];
	int r = nf_cmd_resolve(&word, 1, ret, err);

	if (r < 0)
		return r;
	++*at;
	if (!(*ret)->subs)
		return 0;
	r = nf_opt_parse(globals, 1, argc - *at, argv + *at, true, &rest, err);
	if (r < 0)
		return r;
	*at += rest.n_used;
	if (*at >= argc && (g->help || g->print_man))
		return 0;
	r = nf_cmd_sub(*ret, *at < argc ? argv[*at] : NULL, ret, err);
	if (r == 0)
		++*at;
	return r;
}

/* Everything up to the exit code; r < 0 is a failure with *err set. */
static int dispatch(struct nf_cli *cli, struct nf_globals *g, int argc, char *argv[],
                    struct nf_err *err)
{
	struct nf_opt_set sets[2] = { { .opts = nf_global_opts, .params = g } };
	struct nf_opt_rest rest = { 0 };
	struct nf_progress progress;
	void *params = NULL;
	const char **operands = NULL;

	nf_opt_defaults(&sets[0]);
	int r = nf_opt_parse(sets, 1, argc - 1, argv + 1, true, &rest, err);
	if (r < 0)
		return r;
	int at = 1 + rest.n_used;
	if (g->version)
		return print_docs(cli, nf_docs_version, err);
	if (g->print_commands)
		return print_docs(cli, nf_docs_commands, err);
	if (g->print_completion)
		return print_docs(cli, nf_docs_completion, err);
	if (at >= argc) {
		if (g->print_man)
			return print_page(cli, NULL, nf_docs_man, err);
		if (g->help)
			return print_page(cli, NULL, nf_docs_help, err);
		return nf_fail(err, NF_EARG,
		               "a command is missing; 'noisefloor --help' lists them");
	}
	r = find_command(sets, g, argc, argv, &at, &cli->cmd, err);
	if (r < 0)
		return r;
	const struct nf_cmd *cmd = cli->cmd;
	if (cmd->subs)
		return print_page(cli, cmd, g->help ? nf_docs_help : nf_docs_man, err);
	params = calloc(1, cmd->params_size ? cmd->params_size : 1);
	operands = calloc((size_t)argc + 1, sizeof(*operands));
	if (!params || !operands) {
		r = nf_fail_nomem(err, "the options", cmd->params_size);
		goto out;
	}
	sets[1] = sets[0]; /* the command's options first: they are what help is about */
	sets[0] = (struct nf_opt_set){ .opts = cmd->opts, .params = params };
	rest.item = operands;
	nf_opt_defaults(&sets[0]);
	r = nf_opt_parse(sets, 2, argc - at, argv + at, false, &rest, err);
	if (r < 0)
		goto out;
	if (g->help || g->print_man) {
		r = print_page(cli, cmd, g->help ? nf_docs_help : nf_docs_man, err);
		goto out;
	}
	r = check_operands(cmd, &rest, err);
	if (r < 0)
		goto out;

	const char *no_color = getenv("NO_COLOR");
	bool color = !g->no_color && !(no_color && *no_color);
	const char *term = getenv("TERM");
	cli->color = color && isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
	nf_progress_init(&progress, cmd->measures && !g->quiet && !g->json, isatty(STDERR_FILENO),
	                 term, color);
	cli->progress = &progress;
	nf_signals_ask_first(cmd->measures || cmd->tidies || g->target);
	r = run_command(cli, &sets[0], &rest, err);
	nf_progress_clear(&progress);
	cli->progress = NULL;
out:
	free(operands);
	free(params);
	return r;
}

int main(int argc, char **argv)
{
	struct nf_globals globals = { 0 };
	struct nf_err err = { 0 };
	struct nf_cli cli = { .global = &globals,
		              .stop = nf_signals_stop(),
		              .argc = argc,
		              .argv = argv,
		              .owner_uid = -1,
		              .owner_gid = -1 };
	int exit_code;

	if (nf_bench_child_asked(argc, argv))
		return nf_bench_child(nf_suites);
	hold_standard_streams();
	int r = nf_signals_install(&err);
	const struct nf_cmd *compat = argc > 0 ? nf_compat_find(argv[0]) : NULL;
	if (r == 0)
		r = compat ? nf_compat_run(&cli, compat, argc, argv, &err)
		           : dispatch(&cli, &globals, argc, argv, &err);
	if (r < 0) {
		exit_code = nf_exit_code(r);
		/* A reader that went away needs no line. */
		if (err.os_errno != EPIPE || !cli.out_errno)
			nf_cli_note(&cli, "%s", err.msg);
	} else {
		exit_code = r;
	}
	if (r < 0 && cli.cmd && cli.cmd->own_failure)
		exit_code = cli.cmd->own_failure;
	errno = 0;
	if (fflush(stdout) != 0 && !cli.out_errno) {
		int os_errno = errno;

		exit_code = nf_exit_worse(exit_code, NF_EXIT_ERROR);
		if (os_errno != EPIPE)
			nf_cli_note(&cli, "cannot write standard output: %s", strerror(os_errno));
	} else if (cli.out_errno) {
		exit_code = nf_exit_worse(exit_code, NF_EXIT_ERROR);
	}
	return exit_code;
}
