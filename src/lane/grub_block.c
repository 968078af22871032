/* SPDX-License-Identifier: MIT */
#include "lane/grub_block.h"

#include <string.h>

static const char SIGNATURE[] = "# GRUB Environment Block\n";

/* The end of the line that begins at `from`: its newline, one behind a backslash being of the value. */
static size_t line_end(const char *data, size_t len, size_t from)
{
	size_t i = from;

	for (; i < len && data[i] != '\n'; i++)
		if (data[i] == '\\' && i + 1 < len)
			i++;
	return i;
}

static const char *unescaped(struct nf_arena *a, const char *p, size_t n)
{
	char *value = nf_arena_alloc(a, n + 1, 1);
	size_t to = 0;

	for (size_t i = 0; value && i < n; i++) {
		if (p[i] == '\\' && i + 1 < n)
			i++;
		value[to++] = p[i];
	}
	return value;
}

/* What begins with '#' is padding, or a comment of a later GRUB: lines of it are passed over. */
static int add_lines(const char *data, size_t len, const char *path, struct nf_arena *a,
                     struct nf_grub_block *b, struct nf_err *err)
{
	for (size_t at = sizeof(SIGNATURE) - 1, line = 2; at < len; line++) {
		size_t end = line_end(data, len, at);
		const char *eq = memchr(data + at, '=', end - at);

		if (data[at] == '#') {
			at = end + 1;
			continue;
		}
		if (!eq || eq == data + at)
			return nf_fail(err, NF_EDATA,
			               "%s:%zu:1: no environment block of GRUB's; allowed: lines "
			               "NAME=VALUE, "
			               "then '#' to the end",
			               path, line);
		if (end == len)
			return nf_fail(err, NF_EDATA,
			               "%s:%zu:1: no environment block of GRUB's: its last line "
			               "has no end",
			               path, line);
		size_t name_len = (size_t)(eq - data) - at;
		b->var[b->n].name = nf_arena_strndup(a, data + at, name_len);
		b->var[b->n].value = unescaped(a, eq + 1, end - at - name_len - 1);
		b->n++;
		at = end + 1;
	}
	return nf_arena_failed(a, "an environment block", err);
}

int nf_grub_block_parse(const char *data, size_t len_bytes, const char *path, struct nf_arena *a,
                        struct nf_grub_block *ret, struct nf_err *err)
{
	struct nf_grub_block b = { 0 };
	size_t lines = 1;

	if (len_bytes > NF_GRUB_BLOCK_MAX_BYTES)
		return nf_fail(err, NF_EDATA, "%s: no environment block of GRUB's: %zu bytes", path,
		               len_bytes);
	if (len_bytes < sizeof(SIGNATURE) - 1 ||
	    memcmp(data, SIGNATURE, sizeof(SIGNATURE) - 1) != 0)
		return nf_fail(err, NF_EDATA,
		               "%s:1:1: no environment block of GRUB's: it does not begin with its "
		               "signature",
		               path);
	if (memchr(data, '\0', len_bytes))
		return nf_fail(err, NF_EDATA, "%s: no environment block of GRUB's: a NUL byte",
		               path);
	for (size_t i = 0; i < len_bytes; i++)
		lines += data[i] == '\n';
	b.var = nf_arena_alloc(a, lines, sizeof(*b.var));
	if (!b.var)
		return nf_arena_failed(a, "an environment block", err);
	int r = add_lines(data, len_bytes, path, a, &b, err);
	if (r == 0)
		*ret = b;
	return r;
}

const char *nf_grub_block_get(const struct nf_grub_block *b, const char *name)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->var[i].name, name) == 0)
			return b->var[i].value;
	return NULL;
}
