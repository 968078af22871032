/* SPDX-License-Identifier: MIT */
#include "remote/tar.h"

#include <string.h>

#include "base/quote.h"

/* Where the fields of a header lie, and their lengths (POSIX.1-1988, ustar). */
enum {
	NAME_AT = 0,
	NAME_LEN = 100,
	SIZE_AT = 124,
	SIZE_LEN = 12,
	SUM_AT = 148,
	SUM_LEN = 8,
	TYPE_AT = 156,
	MAGIC_AT = 257,
	PREFIX_AT = 345,
	PREFIX_LEN = 155,
};

void nf_tar_init(struct nf_tar *t, const struct nf_tar_events *on,
                 const struct nf_tar_limits *limit)
{
	*t = (struct nf_tar){ .on = *on, .limit = *limit };
}

/* Octal digits, blanks around them, to a NUL or the field's end. false: something else. */
static bool octal(const unsigned char *p, size_t len, uint64_t *ret)
{
	uint64_t v = 0;
	size_t i = 0, n = 0;

	while (i < len && p[i] == ' ')
		i++;
	for (; i < len && p[i] >= '0' && p[i] <= '7'; i++, n++)
		v = v << 3 | (uint64_t)(p[i] - '0'); /* 12 digits: 36 bits */
	for (; i < len; i++)
		if (p[i] != ' ' && p[i] != '\0')
			return false;
	*ret = v;
	return n > 0;
}

static bool sum_holds(const unsigned char *b)
{
	uint64_t said, sum = 0;

	for (size_t i = 0; i < NF_TAR_BLOCK; i++)
		sum += i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : b[i];
	return octal(b + SUM_AT, SUM_LEN, &said) && said == sum;
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '+' || c == '-';
}

/* NULL, or why the name cannot be taken. *ret_depth: its components. */
static const char *judge_name(const char *name, size_t *ret_depth)
{
	size_t depth = 1;

	for (const char *p = name; *p; p++) {
		bool first = p == name || p[-1] == '/';

		if (first && (*p == '.' || *p == '-' || *p == '/'))
			return "the name begins where it may not";
		if (*p == '/')
			depth++;
		else if (!is_plain(*p))
			return "the name holds what no name of a run does";
	}
	if (!*name || name[strlen(name) - 1] == '/')
		return "the name is empty";
	*ret_depth = depth;
	return NULL;
}

/* prefix/name without a "./" before and slashes behind. */
static void join_name(const unsigned char *b, char ret[NF_TAR_NAME + 2])
{
	size_t prefix = strnlen((const char *)b + PREFIX_AT, PREFIX_LEN), n = 0;
	size_t name = strnlen((const char *)b + NAME_AT, NAME_LEN);

	/* GNU's own header has other things there; its magic ends in a blank. */
	if (b[MAGIC_AT + 5] == ' ')
		prefix = 0;
	if (prefix > 0) {
		memcpy(ret, b + PREFIX_AT, prefix);
		ret[prefix] = '/';
		n = prefix + 1;
	}
	memcpy(ret + n, b + NAME_AT, name);
	n += name;
	while (n > 1 && ret[n - 1] == '/')
		n--;
	ret[n] = '\0';
	if (n >= 2 && ret[0] == '.' && ret[1] == '/')
		memmove(ret, ret + 2, n - 1);
}

static int refuse(const char *name, const char *why, struct nf_err *err)
{
	char quoted[NF_QUOTED];

	nf_quote(name, quoted);
	return nf_fail(err, NF_EDATA, "what came back is not taken: %s: %s", quoted, why);
}

static int take_file(struct nf_tar *t, const char *name, struct nf_err *err)
{
	uint64_t size;

	if (!octal(t->block + SIZE_AT, SIZE_LEN, &size))
		return refuse(name, "its size is no number", err);
	if (size > t->limit.bytes - t->total_bytes)
		return refuse(name, "with it there is more than may come back", err);
	t->total_bytes += size;
	int r = t->on.file(t->on.ctx, name, size, err);
	if (r < 0)
		return r;
	t->left = size;
	t->pad = (size_t)((NF_TAR_BLOCK - size % NF_TAR_BLOCK) % NF_TAR_BLOCK);
	t->in_file = true;
	if (size > 0)
		return 0;
	t->in_file = false;
	return t->on.file_end(t->on.ctx, err);
}

static int take_header(struct nf_tar *t, struct nf_err *err)
{
	static const unsigned char zero[NF_TAR_BLOCK];
	char name[NF_TAR_NAME + 2];
	size_t depth = 0;

	if (memcmp(t->block, zero, sizeof(zero)) == 0) {
		t->n_zero++;
		return 0;
	}
	if (t->n_zero > 0)
		return nf_fail(err, NF_EDATA, "what came back is no tar stream: a hole in it");
	if (memcmp(t->block + MAGIC_AT, "ustar", 5) != 0 || !sum_holds(t->block))
		return nf_fail(err, NF_EDATA, "what came back is no tar stream");
	join_name(t->block, name);
	char type = (char)t->block[TYPE_AT];
	if (type == '5' && (strcmp(name, ".") == 0 || !*name))
		return 0; /* the folder itself */
	const char *why = judge_name(name, &depth);
	if (!why && depth > t->limit.depth)
		why = "too deep";
	if (!why && type != '0' && type != '\0' && type != '5')
		why = "neither a file nor a folder";
	if (!why && ++t->n_entries > t->limit.entries)
		why = "there are too many";
	if (why)
		return refuse(name, why, err);
	return type == '5' ? t->on.folder(t->on.ctx, name, err) : take_file(t, name, err);
}

static int take_data(struct nf_tar *t, const char *p, size_t n, struct nf_err *err)
{
	int r = t->on.data(t->on.ctx, p, n, err);

	t->left -= n;
	if (r < 0 || t->left > 0)
		return r;
	t->in_file = false;
	return t->on.file_end(t->on.ctx, err);
}

int nf_tar_feed(struct nf_tar *t, const void *data, size_t len_bytes, struct nf_err *err)
{
	const char *p = data;

	if (t->failed)
		return nf_fail(err, (enum nf_code) - t->failed, "what came back was not taken");
	while (len_bytes > 0 && t->n_zero < 2 && !t->failed) {
		size_t n;

		if (t->in_file) {
			n = t->left < len_bytes ? (size_t)t->left : len_bytes;
			t->failed = take_data(t, p, n, err);
		} else if (t->pad > 0) {
			n = t->pad < len_bytes ? t->pad : len_bytes;
			t->pad -= n;
		} else {
			n = NF_TAR_BLOCK - t->have < len_bytes ? NF_TAR_BLOCK - t->have : len_bytes;
			memcpy(t->block + t->have, p, n);
			t->have += n;
			if (t->have == NF_TAR_BLOCK) {
				t->have = 0;
				t->failed = take_header(t, err);
			}
		}
		p += n;
		len_bytes -= n;
	}
	return t->failed;
}

int nf_tar_finish(struct nf_tar *t, struct nf_err *err)
{
	if (t->failed)
		return nf_fail(err, (enum nf_code) - t->failed, "what came back was not taken");
	if (t->n_zero < 2)
		return nf_fail(err, NF_EDATA,
		               "what came back ends in the middle: the connection was lost, or tar "
		               "failed there");
	return 0;
}
