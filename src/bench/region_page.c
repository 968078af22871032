/* SPDX-License-Identifier: MIT */
#include "bench/region_page.h"

#include <string.h>

#define SUM_MAX ((UINT64_C(1) << 53) - 1)

void nf_region_page_init(struct nf_region_page *p, bool traced)
{
	memset(p, 0, sizeof(*p));
	p->magic = NF_REGION_MAGIC;
	p->size_bytes = sizeof(*p);
	p->traced = traced;
}

static uint64_t bounded(uint64_t v)
{
	return v < SUM_MAX ? v : SUM_MAX;
}

static void copy_slot(const struct nf_region_slot *from, struct nf_region_slot *to)
{
	uint64_t sum[NF_REGION_N_SUMS];

	memcpy(sum, &from->sums, sizeof(sum));
	for (size_t i = 0; i < NF_REGION_N_SUMS; i++)
		sum[i] = bounded(sum[i]);
	memmove(to->name, from->name, sizeof(to->name));
	memcpy(&to->sums, sum, sizeof(sum));
	to->name[sizeof(to->name) - 1] = '\0';
	to->state = NF_REGION_NAMED;
	to->zero = 0;
}

int nf_region_page_read(const struct nf_region_page *p, struct nf_region_page *ret,
                        struct nf_err *err)
{
	size_t n = 0;

	if (p->magic != NF_REGION_MAGIC || p->size_bytes != sizeof(*p))
		return nf_fail(err, NF_EDATA, "the program wrote over what the audit measured");
	ret->magic = p->magic;
	ret->size_bytes = p->size_bytes;
	ret->traced = p->traced != 0;
	ret->processes = bounded(p->processes);
	ret->stray_ends = bounded(p->stray_ends);
	ret->too_deep = bounded(p->too_deep);
	ret->lost = bounded(p->lost);
	copy_slot(&p->empty, &ret->empty);
	/* A slot may be left unnamed by a process that was killed. */
	for (size_t i = 0; i < NF_REGION_SLOTS; i++)
		if (p->slot[i].state == NF_REGION_NAMED)
			copy_slot(&p->slot[i], &ret->slot[n++]);
	if (n < NF_REGION_SLOTS)
		memset(&ret->slot[n], 0, (NF_REGION_SLOTS - n) * sizeof(ret->slot[0]));
	return 0;
}

static const struct {
	const char *key;
	size_t off;
} lines[] = {
	{ "rchar", offsetof(struct nf_region_io, rchar) },
	{ "wchar", offsetof(struct nf_region_io, wchar) },
	{ "syscr", offsetof(struct nf_region_io, syscr) },
	{ "syscw", offsetof(struct nf_region_io, syscw) },
	{ "read_bytes", offsetof(struct nf_region_io, read_bytes) },
	{ "write_bytes", offsetof(struct nf_region_io, write_bytes) },
	{ "cancelled_write_bytes", offsetof(struct nf_region_io, cancelled_write_bytes) },
};
enum { N_LINES = sizeof(lines) / sizeof(*lines) };

/* "KEY: NUMBER\n" at *at, which moves behind it. */
static bool take_line(const char *text, size_t len, size_t *at, const char *key, uint64_t *ret)
{
	size_t n = strlen(key), i = *at;
	uint64_t v = 0;

	if (len - i < n + 3 || memcmp(text + i, key, n) != 0 || memcmp(text + i + n, ": ", 2) != 0)
		return false;
	i += n + 2;
	size_t digits = i;
	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		if (__builtin_mul_overflow(v, 10U, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(text[i] - '0'), &v))
			return false;
	if (i == digits || i == len || text[i] != '\n')
		return false;
	*at = i + 1;
	*ret = v;
	return true;
}

int nf_region_io_parse(const char *text, size_t len_bytes, struct nf_region_io *ret,
                       struct nf_err *err)
{
	struct nf_region_io io;
	size_t at = 0;

	for (size_t i = 0; i < N_LINES; i++) {
		uint64_t v = 0;

		if (!take_line(text, len_bytes, &at, lines[i].key, &v))
			return nf_fail(err, NF_EDATA,
			               "/proc/PID/io:%zu:1: allowed: '%s: ' and a number", i + 1,
			               lines[i].key);
		memcpy((char *)&io + lines[i].off, &v, sizeof(v));
	}
	*ret = io;
	return 0;
}
