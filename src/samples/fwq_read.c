/* SPDX-License-Identifier: MIT */
#include "samples/fwq_read.h"

#include <stdlib.h>
#include <string.h>

#include "samples/samplefile_format.h"

/* Where the file is: what may come next. */
enum state {
	STATE_HEAD, /* no worker and no value yet */
	STATE_SERIAL, /* values without a worker: only values follow */
	STATE_WORKER,
};

struct nf_fwq_reader {
	const struct nf_fwq_reader_ops *ops; /* borrowed */
	void *ctx;
	const char *name; /* borrowed */
	enum state state;
	uint64_t n_lines; /* complete ones */
	size_t n_batch;
	size_t n_line; /* bytes of the line that the last chunk left open */
	int64_t batch[NF_FWQ_BATCH];
	char line[NF_FWQ_LINE_BYTES + 1];
};

/* What these programs say about themselves before their values. */
static const char *const banners[] = {
	"numsamples = ",     "work_length = ", "Number of threads: ",
	"Work per thread: ", "Output file: ",  "Number of samples per thread: ",
};

int nf_fwq_reader_new(const char *name, const struct nf_fwq_reader_ops *ops, void *ctx,
                      struct nf_fwq_reader **ret, struct nf_err *err)
{
	struct nf_fwq_reader *r = malloc(sizeof(*r));

	if (!r)
		return nf_fail_nomem(err, name, sizeof(*r));
	r->ops = ops;
	r->ctx = ctx;
	r->name = name;
	r->state = STATE_HEAD;
	r->n_lines = 0;
	r->n_batch = r->n_line = 0;
	*ret = r;
	return 0;
}

void nf_fwq_reader_free(struct nf_fwq_reader *r)
{
	free(r);
}

static int bad(const struct nf_fwq_reader *r, const char *what, struct nf_err *err)
{
	return nf_fail(err, NF_EDATA, "%s:%llu: %s", r->name, (unsigned long long)r->n_lines + 1,
	               what);
}

static int flush(struct nf_fwq_reader *r, struct nf_err *err)
{
	size_t n = r->n_batch;

	r->n_batch = 0;
	return n > 0 ? r->ops->values(r->ctx, r->batch, n, err) : 0;
}

/* Values begin: without a worker they are a serial file's. */
static int begin_values(struct nf_fwq_reader *r, struct nf_err *err)
{
	if (r->state != STATE_HEAD)
		return 0;
	r->state = STATE_SERIAL;
	return r->ops->worker(r->ctx, NF_FWQ_SERIAL, 0, "", err);
}

/* --- header lines; text ends with NUL ---------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number of at most nine digits at text; the first byte behind it, or NULL. */
static const char *scan_index(const char *text, int *ret)
{
	int v = 0, n = 0;

	for (; n < 10 && is_digit(text[n]); n++)
		v = n < 9 ? v * 10 + (text[n] - '0') : v;
	if (n < 1 || n > 9)
		return NULL;
	*ret = v;
	return text + n;
}

/* A rate as %f writes it, whatever the locale: exactly rounded below 2^53. 0: no rate; -1: no number. */
static double scan_ghz(const char *text)
{
	static const char *const no_rate[] = { "inf", "-inf", "nan", "-nan" };
	uint64_t mantissa = 0;
	double scale = 1;
	bool dot = false;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(no_rate) / sizeof(no_rate[0]); i++)
		if (strcmp(text, no_rate[i]) == 0)
			return 0;
	for (; is_digit(*text) || (*text == '.' && !dot); text++) {
		if (*text == '.') {
			dot = true;
			continue;
		}
		if (++n > 15)
			return -1;
		mantissa = mantissa * 10 + (uint64_t)(*text - '0');
		scale = dot ? scale * 10 : scale;
	}
	return n > 0 && *text == '\0' ? (double)mantissa / scale : -1;
}

static const char *skip(const char *text, const char *word)
{
	size_t n = strlen(word);

	return strncmp(text, word, n) == 0 ? text + n : NULL;
}

/* "thread 3" or "Process 3": the number, and the form that the word stands for. */
static const char *scan_who(const char *text, enum nf_fwq_form *ret_form, int *ret_index)
{
	static const struct {
		const char *word;
		enum nf_fwq_form form;
	} words[] = {
		{ "thread ", NF_FWQ_THREADS },
		{ "Thread ", NF_FWQ_THREADS },
		{ "process ", NF_FWQ_PROCESSES },
		{ "Process ", NF_FWQ_PROCESSES },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *number = skip(text, words[i].word);

		if (!number)
			continue;
		*ret_form = words[i].form;
		return scan_index(number, ret_index);
	}
	return NULL;
}

static int speed_line(struct nf_fwq_reader *r, const char *rest, struct nf_err *err)
{
	enum nf_fwq_form form;
	int index;

	rest += *rest == ':';
	rest += *rest == ' ';
	if (!scan_who(rest, &form, &index))
		return bad(r, "a Speed line without 'thread N' or 'process N'", err);
	const char *ghz = strstr(rest, "GHz ");
	double rate = ghz ? scan_ghz(ghz + strlen("GHz ")) : -1;
	if (rate < 0)
		return bad(r, "a Speed line without 'GHz' and a number at its end", err);
	return r->ops->speed(r->ctx, index, rate, err);
}

static int worker_line(struct nf_fwq_reader *r, const char *text, struct nf_err *err)
{
	enum nf_fwq_form form = NF_FWQ_SERIAL;
	int index = 0;
	const char *rest = scan_who(text, &form, &index);
	const char *cpus = rest ? strstr(rest, " CPUs ") : NULL;

	cpus = cpus ? cpus + strlen(" CPUs ") : NULL;
	if (!cpus || !*cpus || cpus[strspn(cpus, "0123456789,-")] != '\0')
		return bad(r, "not 'Thread N running on CPUs LIST' or 'Process N running on ...'",
		           err);
	if (r->state == STATE_SERIAL)
		return bad(r, "a worker begins after values that belong to none", err);
	r->state = STATE_WORKER;
	return r->ops->worker(r->ctx, form, index, cpus, err);
}

static int header_line(struct nf_fwq_reader *r, const char *text, struct nf_err *err)
{
	const char *rest;
	int rc = flush(r, err);

	if (rc < 0)
		return rc;
	rest = skip(text, "Speed");
	if (rest)
		return speed_line(r, rest, err);
	if (*text == 'T' || *text == 'P')
		return worker_line(r, text, err);
	for (size_t i = 0; r->state == STATE_HEAD && i < sizeof(banners) / sizeof(banners[0]); i++)
		if (skip(text, banners[i]))
			return 0;
	return bad(r, *text ? "neither a value nor a line of an FWQ file" : "an empty line", err);
}

/* --- values ------------------------------------------------------------------------------------ */

static bool scan_value(const char *p, size_t len, int64_t *ret)
{
	bool minus = len > 0 && *p == '-';
	uint64_t v = 0;

	p += minus;
	len -= minus;
	if (len == 0)
		return false;
	for (; len > 0; p++, len--)
		if (!is_digit(*p) || __builtin_mul_overflow(v, UINT64_C(10), &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return false;
	if (v > (uint64_t)INT64_MAX + minus)
		return false;
	*ret = minus ? (int64_t)-v : (int64_t)v;
	return true;
}

/* One line without its line feed, at most NF_FWQ_LINE_BYTES. */
static int take_line(struct nf_fwq_reader *r, const char *p, size_t len, struct nf_err *err)
{
	int64_t v;
	int rc;

	if (len > 0 && p[len - 1] == '\r')
		len--;
	if (scan_value(p, len, &v)) {
		if (v < 0)
			return bad(r,
			           "a negative value; allowed: ticks of a clock that never "
			           "goes back",
			           err);
		rc = begin_values(r, err);
		if (rc == 0 && r->n_batch == NF_FWQ_BATCH)
			rc = flush(r, err);
		if (rc < 0)
			return rc;
		r->batch[r->n_batch++] = v;
	} else if (len > 0 && (is_digit(*p) || *p == '-')) {
		return bad(r, "not a whole number of 64 bits", err);
	} else if (memchr(p, '\0', len)) {
		return bad(r, "a NUL byte", err);
	} else {
		if (p != r->line)
			memcpy(r->line, p, len);
		r->line[len] = '\0';
		rc = header_line(r, r->line, err);
		if (rc < 0)
			return rc;
	}
	r->n_lines++;
	return 0;
}

/* Lines of one to seven digits, eight bytes at a time: the way nearly all of a file goes. Stops before
 * anything else, before a full batch and before the last eight bytes. */
static const char *take_short(struct nf_fwq_reader *r, const char *p, const char *end)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	int64_t *out = r->batch + r->n_batch;
	const int64_t *const full = r->batch + NF_FWQ_BATCH;

	while (end - p >= 8 && out != full) {
		/* Digits become 0..9; the lowest byte that is none ends the number. */
		uint64_t d = nf_le64_get((const unsigned char *)p) ^ (ones * '0');
		uint64_t other = (((d & (ones * 0x7f)) + ones * 0x76) | d) & (ones * 0x80);
		unsigned bits = other ? (unsigned)__builtin_ctzll(other) & ~7U : 0;

		if (bits == 0 || p[bits / 8] != '\n')
			break;
		/* As if zeros stood before it; then neighbours are joined: 2, 4, 8 digits. */
		d <<= 64 - bits;
		d = d * 10 + (d >> 8);
		d = ((d & UINT64_C(0x000000ff000000ff)) * (100 + (UINT64_C(1000000) << 32)) +
		     (d >> 16 & UINT64_C(0x000000ff000000ff)) * (1 + (UINT64_C(10000) << 32))) >>
		    32;
		*out++ = (int64_t)d;
		p += bits / 8 + 1;
	}
	size_t n = (size_t)(out - r->batch) - r->n_batch;
	r->n_batch += n;
	r->n_lines += n;
	return p;
}

static int too_long(const struct nf_fwq_reader *r, struct nf_err *err)
{
	return bad(r, "a line of more than 65536 bytes", err);
}

/* Adds to the open line; *ret_p is behind what was used. */
static int finish_line(struct nf_fwq_reader *r, const char **p, const char *end, struct nf_err *err)
{
	const char *lf = memchr(*p, '\n', (size_t)(end - *p));
	size_t len = (size_t)((lf ? lf : end) - *p);

	if (len > NF_FWQ_LINE_BYTES - r->n_line)
		return too_long(r, err);
	memcpy(r->line + r->n_line, *p, len);
	r->n_line += len;
	*p += len + (lf != NULL);
	if (!lf)
		return 0;
	len = r->n_line;
	r->n_line = 0;
	return take_line(r, r->line, len, err);
}

int nf_fwq_reader_feed(struct nf_fwq_reader *r, const void *data, size_t len_bytes,
                       struct nf_err *err)
{
	const char *p = data, *end = p + len_bytes;
	int rc = 0;

	if (len_bytes > 0 && r->n_line > 0)
		rc = finish_line(r, &p, end, err);
	while (rc == 0 && p < end) {
		if (r->state != STATE_HEAD)
			p = take_short(r, p, end);
		if (r->n_batch == NF_FWQ_BATCH) {
			rc = flush(r, err);
			continue;
		}
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		if (!lf) {
			if (p < end)
				rc = finish_line(r, &p, end, err);
		} else if (lf - p > NF_FWQ_LINE_BYTES) {
			rc = too_long(r, err);
		} else {
			rc = take_line(r, p, (size_t)(lf - p), err);
			p = lf + 1;
		}
	}
	return rc;
}

int nf_fwq_reader_finish(struct nf_fwq_reader *r, bool *ret_torn, struct nf_err *err)
{
	int rc = flush(r, err);

	if (rc == 0)
		*ret_torn = r->n_line > 0;
	return rc;
}
