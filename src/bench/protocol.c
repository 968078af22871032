/* SPDX-License-Identifier: MIT */
#include "bench/protocol.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

/* "NFB1", the type, the length of the payload, CRC-32C over the 12 bytes before and the payload. */
enum { MAGIC = 0x3142464e, SUMMED_BYTES = 12 };

static uint32_t sum(const uint8_t *head, const void *payload, size_t len_bytes)
{
	return nf_crc32c(nf_crc32c(0, head, SUMMED_BYTES), payload, len_bytes);
}

void nf_frame_head(enum nf_frame_type type, const void *payload, size_t len_bytes,
                   uint8_t ret[NF_FRAME_HEAD_BYTES])
{
	uint32_t word[3] = { MAGIC, (uint32_t)type, (uint32_t)len_bytes };

	memcpy(ret, word, sizeof(word));
	uint32_t crc = sum(ret, payload, len_bytes);
	memcpy(ret + SUMMED_BYTES, &crc, sizeof(crc));
}

int nf_frame_length(const uint8_t head[NF_FRAME_HEAD_BYTES], size_t *ret_len_bytes,
                    struct nf_err *err)
{
	uint32_t word[4];

	memcpy(word, head, sizeof(word));
	if (word[0] != MAGIC)
		return nf_fail(err, NF_EDATA, "an answer that is none of a benchmark program");
	if (word[1] < NF_FRAME_REQUEST || word[1] > NF_FRAME_UNSUPPORTED)
		return nf_fail(err, NF_EDATA, "an answer of the unknown type %u", word[1]);
	if (word[2] > NF_FRAME_PAYLOAD_MAX)
		return nf_fail(err, NF_EDATA, "an answer of %u bytes; allowed: at most %d", word[2],
		               (int)NF_FRAME_PAYLOAD_MAX);
	*ret_len_bytes = word[2];
	return 0;
}

int nf_frame_next(const void *data, size_t len_bytes, size_t *at, struct nf_frame *ret,
                  struct nf_err *err)
{
	const uint8_t *p = (const uint8_t *)data + *at;
	size_t left = len_bytes - *at, n;
	uint32_t type, crc;

	if (left < NF_FRAME_HEAD_BYTES)
		return nf_fail(err, NF_EDATA, "an answer that is cut short");
	int r = nf_frame_length(p, &n, err);
	if (r < 0)
		return r;
	if (left - NF_FRAME_HEAD_BYTES < n)
		return nf_fail(err, NF_EDATA, "an answer that is cut short");
	memcpy(&type, p + 4, sizeof(type));
	memcpy(&crc, p + SUMMED_BYTES, sizeof(crc));
	if (sum(p, p + NF_FRAME_HEAD_BYTES, n) != crc)
		return nf_fail(err, NF_EDATA, "a damaged answer: its checksum does not match");
	*ret = (struct nf_frame){ (enum nf_frame_type)type, p + NF_FRAME_HEAD_BYTES, n };
	*at += NF_FRAME_HEAD_BYTES + n;
	return 0;
}

static bool ends(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

bool nf_bench_name_ok(const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || n > NF_BENCH_NAME_MAX || name[0] == '.' || name[n - 1] == '.' ||
	    strstr(name, ".."))
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-_") == n;
}

int nf_frame_request(const struct nf_frame *f, struct nf_bench_request *ret, struct nf_err *err)
{
	struct nf_bench_request q;

	if (f->type != NF_FRAME_REQUEST || f->len_bytes < sizeof(q.protocol))
		return nf_fail(err, NF_EDATA, "no request");
	memcpy(&q.protocol, f->payload, sizeof(q.protocol));
	if (q.protocol != NF_BENCH_PROTOCOL)
		return nf_fail(
		        err, NF_EDATA,
		        "built with a library that speaks version %d of the protocol, not %u",
		        (int)NF_BENCH_PROTOCOL, q.protocol);
	if (f->len_bytes != sizeof(q))
		return nf_fail(err, NF_EDATA, "a request of %zu bytes", f->len_bytes);
	memcpy(&q, f->payload, sizeof(q));
	if ((q.ask != NF_BENCH_ASK_LIST && q.ask != NF_BENCH_ASK_SET) || q.warm_up > 1 ||
	    !ends(q.name, sizeof(q.name)) || q.min_iteration_ns < 0)
		return nf_fail(err, NF_EDATA, "a request that makes no sense");
	*ret = q;
	return 0;
}

int nf_frame_row(const struct nf_frame *f, struct nf_bench_row *ret, struct nf_err *err)
{
	struct nf_bench_row row;

	if (f->type != NF_FRAME_ROW || f->len_bytes != sizeof(row))
		return nf_fail(err, NF_EDATA, "no row of a table of benchmarks");
	memcpy(&row, f->payload, sizeof(row));
	if (!ends(row.name, sizeof(row.name)) || !ends(row.doc, sizeof(row.doc)) ||
	    !nf_bench_name_ok(row.name))
		return nf_fail(err, NF_EDATA,
		               "a benchmark's name; allowed: 1 to %d of a-z 0-9 . - _",
		               (int)NF_BENCH_NAME_MAX);
	if (row.min_threads < 1 || row.default_threads < row.min_threads ||
	    row.max_threads < row.default_threads || row.max_threads > NF_BENCH_THREADS_MAX)
		return nf_fail(err, NF_EDATA, "%s: threads from %u to %u, %u by default", row.name,
		               row.min_threads, row.max_threads, row.default_threads);
	*ret = row;
	return 0;
}

int nf_frame_values(const struct nf_frame *f, struct nf_bench_values *ret, const uint8_t **ret_ns,
                    struct nf_err *err)
{
	struct nf_bench_values v;

	if (f->type != NF_FRAME_VALUES || f->len_bytes < sizeof(v))
		return nf_fail(err, NF_EDATA, "an answer without values");
	memcpy(&v, f->payload, sizeof(v));
	if (v.n > (f->len_bytes - sizeof(v)) / sizeof(double) ||
	    f->len_bytes != sizeof(v) + (size_t)v.n * sizeof(double))
		return nf_fail(err, NF_EDATA, "%llu values in %zu bytes", (unsigned long long)v.n,
		               f->len_bytes);
	if (v.operations < 1)
		return nf_fail(err, NF_EDATA, "values of no operation");
	if (!isnan(v.warm_up_ns) && !(isfinite(v.warm_up_ns) && v.warm_up_ns > 0))
		return nf_fail(err, NF_EDATA, "a warm-up of %g ns", v.warm_up_ns);
	for (size_t i = 0; i < (size_t)v.n; i++) {
		double ns;

		memcpy(&ns, f->payload + sizeof(v) + i * sizeof(ns), sizeof(ns));
		if (!(isfinite(ns) && ns > 0))
			return nf_fail(err, NF_EDATA, "value %zu is %g ns; allowed: above 0", i + 1,
			               ns);
	}
	*ret = v;
	*ret_ns = f->payload + sizeof(v);
	return 0;
}

int nf_frame_fact(const struct nf_frame *f, struct nf_bench_fact *ret, struct nf_err *err)
{
	struct nf_bench_fact fact;

	if (f->type != NF_FRAME_FACT || f->len_bytes != sizeof(fact))
		return nf_fail(err, NF_EDATA, "no fact");
	memcpy(&fact, f->payload, sizeof(fact));
	if (!ends(fact.name, sizeof(fact.name)) || !ends(fact.text, sizeof(fact.text)) ||
	    !fact.name[0] || fact.name[strspn(fact.name, "abcdefghijklmnopqrstuvwxyz0123456789_")])
		return nf_fail(err, NF_EDATA, "a fact's name; allowed: 1 to 31 of a-z 0-9 _");
	for (const char *p = fact.text; *p; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e)
			return nf_fail(err, NF_EDATA, "%s: a text that is not printable ASCII",
			               fact.name);
	if (!isfinite(fact.value))
		return nf_fail(err, NF_EDATA, "%s is no number", fact.name);
	*ret = fact;
	return 0;
}
