/* SPDX-License-Identifier: MIT */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Here they are defined, not called. */
#undef nf_fail
#undef nf_fail_os
#undef nf_fail_nomem

#define X(sym, exit_code, text) _Static_assert(NF_##sym > 0, "listed in err.h");
#include "errors.def"
#undef X

static const char *const texts[NF_NCODES] = {
	[NF_OK] = "ok",
#define X(sym, exit_code, text) [NF_##sym] = (text),
#include "errors.def"
#undef X
};

static const int exits[NF_NCODES] = {
#define X(sym, exit_code, text) [NF_##sym] = (exit_code),
#include "errors.def"
#undef X
};

static unsigned magnitude(int code)
{
	return code < 0 ? 0u - (unsigned)code : (unsigned)code;
}

const char *nf_strerror(int code)
{
	unsigned u = magnitude(code);

	return u < NF_NCODES && texts[u] ? texts[u] : "unknown error";
}

int nf_exit_code(int code)
{
	unsigned u = magnitude(code);

	return u < NF_NCODES ? exits[u] : exits[NF_EOS];
}

/* A message that was cut does not end within a character of UTF-8 (base/utf8.h is not linked everywhere). */
static void end_at_character(char *msg)
{
	size_t n = strlen(msg), back = 0, need;

	while (back < 3 && back < n && ((unsigned char)msg[n - 1 - back] & 0xc0) == 0x80)
		back++;
	if (back == n)
		return;
	unsigned char lead = (unsigned char)msg[n - 1 - back];
	need = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	if (need > back + 1)
		msg[n - 1 - back] = '\0';
}

int nf_fail(struct nf_err *err, enum nf_code code, const char *fmt, ...)
{
	if (err) {
		va_list ap;

		err->code = code;
		err->os_errno = 0;
		va_start(ap, fmt);
		if (vsnprintf(err->msg, sizeof(err->msg), fmt, ap) >= (int)sizeof(err->msg))
			end_at_character(err->msg);
		va_end(ap);
	}
	return -(int)code;
}

int nf_fail_os(struct nf_err *err, int os_errno, const char *fmt, ...)
{
	if (err) {
		char text[96];
		va_list ap;

		err->code = NF_EOS;
		err->os_errno = os_errno;
		va_start(ap, fmt);
		int n = vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
		va_end(ap);
		if (n >= 0 && (size_t)n < sizeof(err->msg))
			snprintf(err->msg + n, sizeof(err->msg) - (size_t)n, ": %s",
			         strerror_r(os_errno, text, sizeof(text)));
	}
	return -NF_EOS;
}

int nf_fail_nomem(struct nf_err *err, const char *what, size_t bytes)
{
	return nf_fail(err, NF_ENOMEM, "out of memory: %zu bytes for %s", bytes, what);
}
