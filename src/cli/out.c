/* SPDX-License-Identifier: MIT */
/* out - standard output that notices when it cannot be written, and one-line notes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/progress.h"

int nf_cli_write(struct nf_cli *cli, const void *data, size_t len_bytes, struct nf_err *err)
{
	errno = 0;
	if (!cli->out_errno && fwrite(data, 1, len_bytes, stdout) == len_bytes)
		return 0;
	if (!cli->out_errno)
		cli->out_errno = errno ? errno : EIO;
	return nf_fail_os(err, cli->out_errno, "cannot write standard output");
}

int nf_cli_printf(struct nf_cli *cli, struct nf_err *err, const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	int n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		return nf_fail_nomem(err, "a line of output", 0);
	int r = nf_cli_write(cli, s, (size_t)n, err);
	free(s);
	return r;
}

void nf_cli_note(const struct nf_cli *cli, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = ' ';
	nf_progress_clear(cli->progress);
	fprintf(stderr, "noisefloor%s%s: %s\n", cli->cmd ? " " : "", cli->cmd ? cli->cmd->name : "",
	        text);
}
