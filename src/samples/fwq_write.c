/* SPDX-License-Identifier: MIT */
#include "samples/fwq_write.h"

#include <inttypes.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 15, LINES_BYTES = 1 << 16, LINES_MAX_BYTES = 1 << 20 };

/* The forms with headers. */
static const struct {
	const char *lower, *upper;
} names[] = {
	[NF_FWQ_SERIAL] = { "", "" },
	[NF_FWQ_THREADS] = { "thread", "Thread" },
	[NF_FWQ_PROCESSES] = { "process", "Process" },
};

void nf_fwq_add_speed(enum nf_fwq_form form, const struct nf_fwq_worker_text *w, int64_t sum_ticks,
                      struct nf_buf *out)
{
	if (form != NF_FWQ_SERIAL)
		(void)nf_buf_addf(out, "Speed: %s %d, cycles %" PRId64 ", seconds %f, GHz %f\n",
		                  names[form].lower, w->index, sum_ticks, w->seconds, w->ghz);
}

void nf_fwq_add_worker(enum nf_fwq_form form, const struct nf_fwq_worker_text *w,
                       struct nf_buf *out)
{
	if (form != NF_FWQ_SERIAL)
		(void)nf_buf_addf(out, "%s %d running on CPUs %s\n", names[form].upper, w->index,
		                  w->cpus);
}

size_t nf_fwq_put_value(int64_t v, char ret[NF_FWQ_VALUE_BYTES])
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
	                            "25262728293031323334353637383940414243444546474849"
	                            "50515253545556575859606162636465666768697071727374"
	                            "75767778798081828384858687888990919293949596979899";
	char text[NF_FWQ_VALUE_BYTES];
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
	size_t at = sizeof(text);

	text[--at] = '\n';
	while (u >= 100) {
		at -= 2;
		memcpy(text + at, pairs + 2 * (u % 100), 2);
		u /= 100;
	}
	if (u >= 10) {
		at -= 2;
		memcpy(text + at, pairs + 2 * u, 2);
	} else {
		text[--at] = (char)('0' + u);
	}
	if (v < 0)
		text[--at] = '-';
	memcpy(ret, text + at, sizeof(text) - at);
	return sizeof(text) - at;
}

int nf_fwq_write_values(const int64_t *v, size_t n, const struct nf_sink *sink, struct nf_err *err)
{
	char piece[PIECE_BYTES];
	size_t len = 0;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		len += nf_fwq_put_value(v[i], piece + len);
		if (len > sizeof(piece) - NF_FWQ_VALUE_BYTES) {
			r = sink->write(sink->ctx, piece, len, err);
			len = 0;
		}
	}
	if (r == 0 && len > 0)
		r = sink->write(sink->ctx, piece, len, err);
	return r;
}

int nf_fwq_sum(const int64_t *v, size_t n, int64_t *ret, struct nf_err *err)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (__builtin_add_overflow(sum, v[i], &sum))
			return nf_fail(err, NF_EDATA, "value %zu: the sum is beyond 64 bits",
			               i + 1);
	*ret = sum;
	return 0;
}

/* Hands over what has gathered when it is longer than `above`. */
static int hand_over(struct nf_buf *lines, size_t above, const struct nf_sink *sink,
                     struct nf_err *err)
{
	if (lines->len_bytes <= above && !lines->failed)
		return 0;
	int r = nf_buf_failed(lines, "the headers", err);
	if (r == 0)
		r = sink->write(sink->ctx, lines->data, lines->len_bytes, err);
	nf_buf_clear(lines);
	return r;
}

int nf_fwq_write(enum nf_fwq_form form, const struct nf_fwq_worker_text *w, size_t n,
                 const struct nf_sink *sink, struct nf_err *err)
{
	struct nf_buf lines;
	int r = 0;

	if (form == NF_FWQ_SERIAL && n != 1)
		return nf_fail(err, NF_EARG, "a serial FWQ file holds one worker, not %zu", n);
	nf_buf_init(&lines, LINES_MAX_BYTES);
	for (size_t i = 0; i < n && r == 0; i++) {
		int64_t sum = 0;

		r = nf_fwq_sum(w[i].value, w[i].n, &sum, err);
		if (r == 0) {
			nf_fwq_add_speed(form, &w[i], sum, &lines);
			r = hand_over(&lines, LINES_BYTES, sink, err);
		}
	}
	for (size_t i = 0; i < n && r == 0; i++) {
		nf_fwq_add_worker(form, &w[i], &lines);
		r = hand_over(&lines, 0, sink, err);
		if (r == 0)
			r = nf_fwq_write_values(w[i].value, w[i].n, sink, err);
	}
	if (r == 0)
		r = hand_over(&lines, 0, sink, err);
	nf_buf_fini(&lines);
	return r;
}
