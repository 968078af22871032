/* SPDX-License-Identifier: MIT */
/* out - standard output that notices when it cannot be written, and one-line notes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "cli/cmd.h"
#include "cli/progress.h"
#include "report/text.h"
#include "report/text_fit.h"

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

/* deep 0: one line, however long; else it is broken, and goes on so many columns in. */
NF_PRINTF(3, 0)
static void tell(const struct nf_cli *cli, size_t deep, const char *fmt, va_list ap)
{
	struct nf_buf shown;
	char text[1024];

	if (vsnprintf(text, sizeof(text), fmt, ap) >= (int)sizeof(text))
		text[nf_utf8_cut(text, sizeof(text) - 5)] = '\0';
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = ' ';
	nf_buf_init(&shown, 8 * sizeof(text));
	if (cli->program)
		(void)nf_buf_addf(&shown, "%s: %s", cli->program, text);
	else
		(void)nf_buf_addf(&shown, "noisefloor%s%s: %s", cli->cmd ? " " : "",
		                  cli->cmd ? cli->cmd->name : "", text);
	if (deep)
		nf_text_fit(&shown, 0, deep);
	/* Without memory for it no byte that could be anything else than ASCII. */
	if (nf_text_printable(&shown) < 0)
		for (char *p = text; *p; p++)
			if ((unsigned char)*p >= 0x80)
				*p = '?';
	nf_progress_clear(cli->progress);
	fprintf(stderr, "%s\n", shown.failed ? text : shown.data);
	nf_buf_fini(&shown);
}

void nf_cli_note(const struct nf_cli *cli, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(cli, 0, fmt, ap);
	va_end(ap);
}

void nf_cli_say(const struct nf_cli *cli, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(cli, 2, fmt, ap);
	va_end(ap);
}
