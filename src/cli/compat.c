/* SPDX-License-Identifier: MIT */
#include "cli/compat.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/signals.h"

/* clang-format off */
extern const struct nf_cmd nf_compat_fwq;
extern const struct nf_cmd nf_compat_fwq_th;
extern const struct nf_cmd nf_compat_fwq_mpi;
extern const struct nf_cmd nf_compat_fwq_stats;

const struct nf_cmd *const nf_compats[] = {
	&nf_compat_fwq,
	&nf_compat_fwq_th,
	&nf_compat_fwq_mpi,
	&nf_compat_fwq_stats,
	NULL,
};
/* clang-format on */

enum { HELP_BYTES = 1 << 16, LINE_BYTES = 1 << 16 };

const struct nf_cmd *nf_compat_find(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	const char *name = slash ? slash + 1 : argv0;

	for (const struct nf_cmd *const *c = nf_compats; name && *c; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

static int print_help(struct nf_cli *cli, const struct nf_cmd *cmd, struct nf_err *err)
{
	struct nf_buf out;

	nf_buf_init(&out, HELP_BYTES);
	(void)nf_buf_addf(&out, "usage: %s [OPTIONS]%s%s\n\n%s.\n\n", cmd->name,
	                  *cmd->operands ? " " : "", cmd->operands, cmd->summary);
	nf_opt_wrap(cmd->description, 0, 80, &out);
	(void)nf_buf_adds(&out, "\n\nOptions:\n");
	nf_opt_help(cmd->opts, &out);
	int r = nf_buf_failed(&out, "the help text", err);
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

int nf_compat_run(struct nf_cli *cli, const struct nf_cmd *cmd, int argc, char *const argv[],
                  struct nf_err *err)
{
	void *params = calloc(1, cmd->params_size);
	const char **operands = calloc((size_t)argc + 1, sizeof(*operands));
	struct nf_opt_set set = { .opts = cmd->opts, .params = params };
	struct nf_opt_rest rest = { .item = operands };
	int r = 0;

	cli->cmd = cmd;
	cli->program = cmd->name;
	if (!params || !operands) {
		r = nf_fail_nomem(err, "the options", cmd->params_size);
		goto out;
	}
	nf_opt_defaults(&set);
	/* What is not done here takes any options and says where it is done. */
	if (cmd == &nf_compat_fwq_mpi && argc > 1 && strcmp(argv[1], "--help") != 0)
		argc = 1;
	r = nf_opt_parse(&set, 1, argc - 1, argv + 1, false, &rest, err);
	if (r == 0 && ((const struct nf_compat_params *)params)->help) {
		r = print_help(cli, cmd, err);
		goto out;
	}
	if (r == 0)
		r = check_operands(cmd, &rest, err);
	if (r < 0)
		goto out;
	nf_signals_ask_first(cmd->measures);
	r = cmd->run(cli, params, rest.n, rest.item, err);
out:
	free(operands);
	free(params);
	return r;
}

int nf_compat_say(struct nf_cli *cli, struct nf_err *err, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	int n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return nf_fail_nomem(err, "a line", LINE_BYTES);
	int r = nf_cli_write(cli, text, (size_t)n, err);
	free(text);
	if (r == 0)
		r = nf_cli_flush(cli, err);
	return r;
}
