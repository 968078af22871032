/* SPDX-License-Identifier: MIT */
/* capture_format - the head and the entries of an index, as bytes. */
#include "board/capture_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/samplefile_format.h"

#define TITLE "noisefloor capture index"
static const uint32_t waiting_bit = UINT32_C(1) << 31;

/* A port's name on one line: what is not plain becomes %XX, as in a URL. */
static int put_escaped(const char *name, char *ret, size_t size)
{
	size_t at = 0;

	for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
		bool plain = *p > 0x20 && *p < 0x7f && *p != '%';

		if (at + 4 > size)
			return -1;
		if (plain)
			ret[at++] = (char)*p;
		else
			at += (size_t)snprintf(ret + at, size - at, "%%%02X", *p);
	}
	ret[at] = '\0';
	return 0;
}

static int digit(char c)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static bool get_escaped(char *text)
{
	char *out = text;

	for (const char *p = text; *p; p++) {
		int byte = (unsigned char)*p;

		if (byte == '%') {
			int high = digit(p[1]), low = high >= 0 ? digit(p[2]) : -1;

			if (low < 0 || (high == 0 && low == 0))
				return false;
			byte = high << 4 | low;
			p += 2;
		}
		*out++ = (char)byte; /* not before p has gone past what stood here */
	}
	*out = '\0';
	return true;
}

int nf_capture_head_put(const struct nf_capture_head *head, char ret[NF_CAPTURE_HEAD_BYTES],
                        struct nf_err *err)
{
	char port[600], delay[24] = "unknown", baud[16] = "unknown";
	int n;

	if (head->delay_ns >= 0)
		snprintf(delay, sizeof(delay), "%" PRId64, head->delay_ns);
	if (head->baud)
		snprintf(baud, sizeof(baud), "%" PRIu32, head->baud);
	if (put_escaped(head->port, port, sizeof(port)) < 0)
		return nf_fail(err, NF_EARG, "the port's name is too long for a capture: %s",
		               head->port);
	memset(ret, '\n', NF_CAPTURE_HEAD_BYTES);
	n = snprintf(ret, NF_CAPTURE_HEAD_BYTES,
	             TITLE " %d\n"
	                   "clock monotonic_raw\n"
	                   "epoch_utc_ns %" PRId64 "\n"
	                   "kind %s\n"
	                   "port %s\n"
	                   "baud %s\n"
	                   "delay_ns %s\n"
	                   "entries_from %d\n"
	                   "entry u64 offset, i64 t_ns, i64 lo_ns, u32 bytes (bit 31: waiting), "
	                   "u32 done_ns - t_ns; little-endian\n",
	             NF_CAPTURE_VERSION, head->epoch_utc_ns, nf_port_kind_name(head->kind), port,
	             baud, delay, NF_CAPTURE_HEAD_BYTES);
	if (n < 0 || n >= NF_CAPTURE_HEAD_BYTES)
		return nf_fail(err, NF_EARG, "the port's name is too long for a capture: %s",
		               head->port);
	ret[n] = '\n';
	return 0;
}

/* The value of "KEY VALUE\n" in text. */
static bool value_of(const char *text, const char *key, char *ret, size_t size)
{
	size_t len = strlen(key);

	for (const char *p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		const char *end = strchr(p, '\n');

		if (!end || strncmp(p, key, len) != 0 || p[len] != ' ')
			continue;
		p += len + 1;
		if ((size_t)(end - p) >= size)
			return false;
		memcpy(ret, p, (size_t)(end - p));
		ret[end - p] = '\0';
		return true;
	}
	return false;
}

/* A whole number from min up; "unknown" is `unknown`, if that is below min. */
static bool number_of(const char *text, const char *key, int64_t min, int64_t max, int64_t unknown,
                      int64_t *ret)
{
	char value[32], *end;

	if (!value_of(text, key, value, sizeof(value)))
		return false;
	if (strcmp(value, "unknown") == 0 && unknown < min) {
		*ret = unknown;
		return true;
	}
	errno = 0;
	*ret = strtoll(value, &end, 10);
	return value[0] >= '-' && value[0] <= '9' && *end == '\0' && !errno && *ret >= min &&
	       *ret <= max;
}

static bool kind_of(const char *text, enum nf_port_kind *ret)
{
	static const enum nf_port_kind kinds[] = { NF_PORT_SERIAL, NF_PORT_PTY, NF_PORT_UNIX,
		                                   NF_PORT_TCP };
	char value[32];

	if (!value_of(text, "kind", value, sizeof(value)))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(value, nf_port_kind_name(kinds[i])) == 0) {
			*ret = kinds[i];
			return true;
		}
	return false;
}

int nf_capture_head_get(const char text[NF_CAPTURE_HEAD_BYTES], const char *what,
                        struct nf_capture_head *ret, struct nf_err *err)
{
	static const char title[] = TITLE " ";
	char copy[NF_CAPTURE_HEAD_BYTES + 1], clock[32], port[600];
	struct nf_capture_head h = { 0 };
	int64_t version, baud = 0;

	memcpy(copy, text, NF_CAPTURE_HEAD_BYTES);
	copy[NF_CAPTURE_HEAD_BYTES] = '\0';
	if (strncmp(copy, title, sizeof(title) - 1) != 0)
		return nf_fail(err, NF_EDATA, "%s: not the index of a capture", what);
	if (!number_of(copy, TITLE, 1, INT32_MAX, 0, &version) || version != NF_CAPTURE_VERSION)
		return nf_fail(err, NF_EDATA,
		               "%s: a capture of another version; this program "
		               "reads version %d",
		               what, NF_CAPTURE_VERSION);
	if (!value_of(copy, "clock", clock, sizeof(clock)) || strcmp(clock, "monotonic_raw") != 0)
		return nf_fail(err, NF_EDATA, "%s: head: no clock monotonic_raw", what);
	if (!number_of(copy, "epoch_utc_ns", INT64_MIN, INT64_MAX, 0, &h.epoch_utc_ns) ||
	    !number_of(copy, "delay_ns", 0, INT64_MAX, -1, &h.delay_ns) ||
	    !number_of(copy, "baud", 1, UINT32_MAX, 0, &baud) || !kind_of(copy, &h.kind) ||
	    !value_of(copy, "port", port, sizeof(port)) || !get_escaped(port) ||
	    strlen(port) >= sizeof(h.port))
		return nf_fail(err, NF_EDATA,
		               "%s: head: epoch_utc_ns, kind, port, baud or delay_ns is missing or "
		               "not as it should be",
		               what);
	h.baud = (uint32_t)baud;
	memcpy(h.port, port, strlen(port) + 1);
	*ret = h;
	return 0;
}

void nf_capture_entry_put(const struct nf_capture_read *read,
                          unsigned char ret[NF_CAPTURE_ENTRY_BYTES])
{
	int64_t done = read->done_ns - read->t_ns;

	nf_le64_put(read->offset, ret);
	nf_le64_put((uint64_t)read->t_ns, ret + 8);
	nf_le64_put((uint64_t)read->lo_ns, ret + 16);
	nf_le32_put(read->bytes | (read->waiting ? waiting_bit : 0), ret + 24);
	nf_le32_put(done < 0 ? 0 : done > UINT32_MAX ? UINT32_MAX : (uint32_t)done, ret + 28);
}

void nf_capture_entry_get(const unsigned char entry[NF_CAPTURE_ENTRY_BYTES],
                          struct nf_capture_read *ret)
{
	uint32_t bytes = nf_le32_get(entry + 24);
	int64_t t = (int64_t)nf_le64_get(entry + 8), done;

	if (__builtin_add_overflow(t, (int64_t)nf_le32_get(entry + 28), &done))
		done = INT64_MAX;
	*ret = (struct nf_capture_read){
		.offset = nf_le64_get(entry),
		.t_ns = t,
		.lo_ns = (int64_t)nf_le64_get(entry + 16),
		.bytes = bytes & ~waiting_bit,
		.waiting = bytes & waiting_bit,
		.done_ns = done,
	};
}
