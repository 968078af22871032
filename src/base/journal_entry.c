/* SPDX-License-Identifier: MIT */
#include "base/journal_entry.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

static const char magic[] = "noisefloor-undo 1\n";

static void put(struct nf_buf *out, const char *name, const char *value)
{
	nf_buf_addf(out, "%s %zu:%s\n", name, strlen(value), value);
}

static void put_u64(struct nf_buf *out, const char *name, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	put(out, name, text);
}

int nf_journal_entry_print(const struct nf_journal_record *rec, struct nf_buf *out)
{
	size_t start = out->len_bytes;

	nf_buf_adds(out, magic);
	put(out, "boot", rec->boot_id);
	put_u64(out, "pid", (uint64_t)rec->pid);
	put_u64(out, "start", rec->start_ticks);
	put_u64(out, "time", (uint64_t)rec->time_ns);
	put(out, "kind", rec->folder ? "folder" : "value");
	put(out, "path", rec->path);
	put(out, "old", rec->old);
	put(out, "set", rec->set);
	return nf_buf_addf(out, "crc 8:%08" PRIx32 "\n",
	                   nf_crc32c(0, out->data + start, out->len_bytes - start));
}

struct reader {
	char *p;
	char *end;
	const char *wrong; /* name of the first field that is not as it should be */
};

/* A decimal without leading zeros, from p up to end. */
static bool number(const char *p, const char *end, uint64_t max, uint64_t *ret)
{
	uint64_t v = 0;

	if (p == end || (*p == '0' && end - p > 1))
		return false;
	for (; p < end; p++) {
		if (*p < '0' || *p > '9' || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return false;
	}
	*ret = v;
	return v <= max;
}

/* The field `name`, NUL-terminated in place; "" and r->wrong set when it is not there. */
static char *field(struct reader *r, const char *name)
{
	static char none[1];
	size_t name_len = strlen(name);
	char *colon, *value;
	uint64_t len;

	if (r->wrong)
		return none;
	r->wrong = name;
	if ((size_t)(r->end - r->p) <= name_len || memcmp(r->p, name, name_len) != 0 ||
	    r->p[name_len] != ' ')
		return none;
	r->p += name_len + 1;
	colon = memchr(r->p, ':', (size_t)(r->end - r->p));
	if (!colon || !number(r->p, colon, NF_JOURNAL_VALUE_MAX, &len))
		return none;
	value = colon + 1;
	if ((uint64_t)(r->end - value) <= len || value[len] != '\n' || memchr(value, '\0', len))
		return none;
	value[len] = '\0';
	r->p = value + len + 1;
	r->wrong = NULL;
	return value;
}

static uint64_t field_u64(struct reader *r, const char *name, uint64_t min, uint64_t max)
{
	const char *s = field(r, name);
	uint64_t v = 0;

	if (!r->wrong && (!number(s, s + strlen(s), max, &v) || v < min))
		r->wrong = name;
	return v;
}

/* The last line: checked before fields are cut in place. */
static bool crc_matches(const char *text, size_t len_bytes)
{
	char want[32];
	int n;

	n = snprintf(want, sizeof(want), "crc 8:%08x\n", 0u);
	if (len_bytes < (size_t)n)
		return false;
	snprintf(want, sizeof(want), "crc 8:%08" PRIx32 "\n",
	         nf_crc32c(0, text, len_bytes - (size_t)n));
	return memcmp(text + len_bytes - (size_t)n, want, (size_t)n) == 0;
}

int nf_journal_entry_parse(char *text, size_t len_bytes, struct nf_journal_record *ret,
                           struct nf_err *err)
{
	struct reader r = { .p = text, .end = text + len_bytes };
	struct nf_journal_record rec = { 0 };
	const char *kind;

	if (len_bytes > NF_JOURNAL_ENTRY_MAX)
		return nf_fail(err, NF_EDATA, "a journal entry of %zu bytes", len_bytes);
	if (len_bytes < sizeof(magic) - 1 || memcmp(text, magic, sizeof(magic) - 1) != 0)
		return nf_fail(err, NF_EDATA, "not a journal entry of a known version");
	if (!crc_matches(text, len_bytes))
		return nf_fail(err, NF_EDATA, "the journal entry is damaged");
	r.p += sizeof(magic) - 1;
	rec.boot_id = field(&r, "boot");
	rec.pid = (int)field_u64(&r, "pid", 1, INT_MAX);
	rec.start_ticks = field_u64(&r, "start", 0, UINT64_MAX);
	rec.time_ns = (int64_t)field_u64(&r, "time", 0, INT64_MAX);
	kind = field(&r, "kind");
	rec.folder = strcmp(kind, "folder") == 0;
	if (!r.wrong && !rec.folder && strcmp(kind, "value") != 0)
		r.wrong = "kind";
	rec.path = field(&r, "path");
	if (!r.wrong && rec.path[0] != '/')
		r.wrong = "path";
	rec.old = field(&r, "old");
	rec.set = field(&r, "set");
	field(&r, "crc");
	if (!r.wrong && r.p != r.end)
		r.wrong = "crc";
	if (r.wrong)
		return nf_fail(err, NF_EDATA, "the field '%s' of the journal entry is malformed",
		               r.wrong);
	*ret = rec;
	return 0;
}
