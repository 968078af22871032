/* SPDX-License-Identifier: MIT */
#include "record/redact_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

enum { BLOCK_BYTES = 1 << 20 };

/* Hands over the first len bytes and moves the rest to the front. */
static int hand_over(struct nf_buf *text, size_t len, nf_lines_fn *fn, void *ctx,
                     struct nf_err *err)
{
	char after = text->data[len];

	if (len == 0)
		return 0;
	text->data[len] = '\0';
	int rc = fn(ctx, text->data, len, err);
	text->data[len] = after;
	memmove(text->data, text->data + len, text->len_bytes - len + 1);
	text->len_bytes -= len;
	return rc;
}

int nf_redact_lines(int fd, const char *what, nf_lines_fn *fn, void *ctx, struct nf_err *err)
{
	struct nf_buf text;
	char *block = malloc(BLOCK_BYTES);
	int rc = block ? 0 : nf_fail_nomem(err, "a block of text", BLOCK_BYTES);

	nf_buf_init(&text, NF_LINE_BYTES);
	while (rc == 0) {
		ssize_t n = read(fd, block, BLOCK_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			rc = nf_fail_os(err, errno, "cannot read %s", what);
			break;
		}
		(void)nf_buf_add(&text, block, (size_t)n);
		if (text.failed == NF_ENOMEM)
			rc = nf_fail_nomem(err, what, NF_LINE_BYTES);
		else if (text.failed)
			rc = nf_fail(err, NF_EDATA, "%s: a line is longer than %d bytes", what,
			             NF_LINE_BYTES);
		size_t len = text.len_bytes;
		while (n > 0 && len > 0 && text.data[len - 1] != '\n')
			len--;
		if (rc == 0)
			rc = hand_over(&text, len, fn, ctx, err);
		if (n == 0)
			break;
	}
	nf_buf_fini(&text);
	free(block);
	return rc;
}
