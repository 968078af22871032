/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

static struct nf_instant now(clockid_t clock)
{
	struct timespec ts = { 0 };

	/* Cannot fail: the clock exists on every supported kernel and ts is writable. */
	clock_gettime(clock, &ts);
	return (struct nf_instant){ .ns = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec };
}

struct nf_instant nf_now_monotonic(void)
{
	return now(CLOCK_MONOTONIC);
}

struct nf_instant nf_now_raw(void)
{
	return now(CLOCK_MONOTONIC_RAW);
}

struct nf_instant nf_now_utc(void)
{
	return now(CLOCK_REALTIME);
}

/* Splits into calendar fields, rounding down also before 1970. Every int64 of nanoseconds is in the
 * years 1677 to 2262, which gmtime_r() takes. */
static int split(struct nf_instant utc, struct tm *ret)
{
	int64_t sec = utc.ns / 1000000000, rest = utc.ns % 1000000000;
	time_t t;

	if (rest < 0) {
		rest += 1000000000;
		sec--;
	}
	t = (time_t)sec;
	gmtime_r(&t, ret);
	return (int)(rest / 1000000);
}

int nf_utc_print(struct nf_instant utc, struct nf_buf *out)
{
	struct tm tm = { 0 };
	int ms = split(utc, &tm);

	return nf_buf_addf(out, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900,
	                   tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ms);
}

int nf_utc_print_compact(struct nf_instant utc, struct nf_buf *out)
{
	struct tm tm = { 0 };

	split(utc, &tm);
	return nf_buf_addf(out, "%04d%02d%02dT%02d%02d%02dZ", tm.tm_year + 1900, tm.tm_mon + 1,
	                   tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}
