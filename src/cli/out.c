/* SPDX-License-Identifier: MIT */
/* out - standard output that notices when it cannot be written, and one-line notes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/progress.h"
#include "report/text.h"

int nf_cli_write(struct nf_cli *cli, const void *data, size_t len_bytes, struct nf_err *err)
{
	errno = 0;
	if (!cli->out_errno && fwrite(data, 1, len_bytes, stdout) == len_bytes)
		return 0;
	if (!cli->out_errno)
		cli->out_errno = errno ? errno : EIO;
	return nf_fail_os(err, cli->out_errno, "cannot write standard output");
}

int nf_cli_flush(struct nf_cli *cli, struct nf_err *err)
{
	errno = 0;
	if (!cli->out_errno && fflush(stdout) == 0)
		return 0;
	if (!cli->out_errno)
		cli->out_errno = errno ? errno : EIO;
	return nf_fail_os(err, cli->out_errno, "cannot write standard output");
}

int nf_cli_sink(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	return nf_cli_write(ctx, data, len_bytes, err);
}

void nf_cli_note(const struct nf_cli *cli, const char *fmt, ...)
{
	struct nf_buf shown;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = ' ';
	nf_buf_init(&shown, 4 * sizeof(text));
	(void)nf_buf_adds(&shown, text);
	/* Without memory for it no byte that could be anything else than ASCII. */
	if (nf_text_printable(&shown) < 0)
		for (char *p = text; *p; p++)
			if ((unsigned char)*p >= 0x80)
				*p = '?';
	const char *line = shown.failed ? text : shown.data;
	nf_progress_clear(cli->progress);
	if (cli->program)
		fprintf(stderr, "%s: %s\n", cli->program, line);
	else
		fprintf(stderr, "noisefloor%s%s: %s\n", cli->cmd ? " " : "",
		        cli->cmd ? cli->cmd->name : "", line);
	nf_buf_fini(&shown);
}
