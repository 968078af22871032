/* SPDX-License-Identifier: MIT */
#include "cli/evidence_dhall.h"

#include <string.h>

#include "report/text.h"

/* The message, and the line of the source that it speaks of. */
static int explain(const struct nf_cli *cli, const struct nf_dhall *d, int rc,
                   const struct nf_err *err)
{
	struct nf_buf lines;

	nf_buf_init(&lines, 4096);
	nf_dhall_show_line(d, &lines);
	nf_cli_note(cli, "%s", err->msg);
	for (char *line = lines.data, *end; (end = strchr(line, '\n')); line = end + 1)
		nf_cli_note(cli, "%.*s", (int)(end - line), line);
	nf_buf_fini(&lines);
	return nf_exit_code(rc);
}

int nf_evidence_session(struct nf_cli *cli, const struct nf_evidence_read *read, const char *path,
                        nf_evidence_work *work, struct nf_err *err)
{
	struct nf_dhall *d = NULL;
	struct nf_buf out;
	int rc;

	rc = nf_dhall_new(&d, err);
	if (rc < 0)
		return rc;
	nf_buf_init(&out, NF_DHALL_TEXT_BYTES + 1);
	if (read->root)
		rc = nf_dhall_set_root(d, read->root, err);
	if (rc == 0)
		rc = work(d, cli, path, &out, err);
	if (rc == 0) {
		(void)nf_text_escaped(&out);
		rc = nf_buf_failed(&out, "the text", err);
	}
	if (rc == 0 && !cli->global->quiet)
		rc = nf_cli_write(cli, out.data, out.len_bytes, err);
	else if (rc == -NF_EDATA && read->show_line)
		rc = explain(cli, d, rc, err);
	nf_buf_fini(&out);
	nf_dhall_free(d);
	return rc;
}
