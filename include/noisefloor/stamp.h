/* SPDX-License-Identifier: MIT */
/*
 * stamp.h - time stamps for code on a board: taken in memory, printed when the timed region is over.
 *
 * Freestanding: no library, no allocation, nothing printed by taking a stamp. aarch64 reads CNTPCT_EL0 (or, with
 * NF_STAMP_VIRTUAL defined, CNTVCT_EL0: programs under an operating system may read no other) and its rate from
 * CNTFRQ_EL0, never from a constant. x86 reads the time-stamp counter, whose rate no instruction tells
 * reliably: it is printed as unknown unless the program sets s.hz. For another processor define
 * NF_STAMP_READ() and NF_STAMP_HZ() (0: unknown) before including this.
 *
 *     static struct nf_stamp_entry room[64];
 *     struct nf_stamps s;
 *
 *     nf_stamps_init(&s, room, 64);
 *     nf_stamp_take(&s, "start");
 *     load();
 *     nf_stamp_take(&s, "load");      the time since the stamp before is called "load"
 *     spawn();
 *     nf_stamp_take(&s, "spawn");
 *     nf_stamps_print(&s, my_putc, my_uart);
 *
 * prints, with lines that end in LF (or what s.eol says),
 *
 *     nf-stamp: load us=1200 cntpct_diff=75004 cntfrq=62500000
 *     nf-stamp: spawn us=8173 cntpct_diff=510860 cntfrq=62500000
 *     nf-stamp: 3 kept, 0 lost
 *
 * The form of a line, for those who read it (`noisefloor lab phases` does):
 *
 *     nf-stamp: NAME [us=N] COUNTER_diff=N RATE=N|unknown
 *
 * NAME: what of A-Z a-z 0-9 . _ - the label has, others as '_', at most NF_STAMP_NAME bytes; an empty one is "-".
 * us: diff / rate in microseconds, cut to a whole number; absent where the rate is unknown. COUNTER_diff:
 * ticks since the stamp before; COUNTER is cntpct, cntvct, tsc or counter. RATE: ticks a second as the
 * counter's own register gave it: cntfrq, or tsc_hz, counter_hz. So a reader can hold us to diff / rate. Where the counter went back (two processors
 * that disagree) COUNTER_back=N stands in place of us and diff. The last line says how many stamps were kept
 * and how many found no room: with a lost one the list ends early, nothing in it is wrong.
 */
#ifndef NOISEFLOOR_STAMP_H
#define NOISEFLOOR_STAMP_H

#include <stddef.h>
#include <stdint.h>

enum { NF_STAMP_NAME = 40 };

struct nf_stamp_entry {
	uint64_t ticks;
	const char *label; /* borrowed until it is printed */
};

/* One writer at a time. */
struct nf_stamps {
	struct nf_stamp_entry *room; /* the caller's */
	uint64_t hz; /* 0: unknown */
	const char *eol; /* "\n" */
	size_t cap;
	size_t n;
	size_t lost; /* stamps that found no room */
};

#if defined(NF_STAMP_READ)
#define NF_STAMP_DIFF "counter"
#define NF_STAMP_RATE "counter_hz"
static inline uint64_t nf_stamp_counter(void)
{
	return NF_STAMP_READ();
}
static inline uint64_t nf_stamp_hz(void)
{
	return NF_STAMP_HZ();
}
#elif defined(__aarch64__)
#ifdef NF_STAMP_VIRTUAL
#define NF_STAMP_REGISTER "cntvct_el0"
#define NF_STAMP_DIFF "cntvct"
#else
#define NF_STAMP_REGISTER "cntpct_el0"
#define NF_STAMP_DIFF "cntpct"
#endif
#define NF_STAMP_RATE "cntfrq"
/* isb: what stands before it is done, and the counter is not read early (Arm ARM, D11.2.1). */
static inline uint64_t nf_stamp_counter(void)
{
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, " NF_STAMP_REGISTER : "=r"(t) : : "memory");
	return t;
}
static inline uint64_t nf_stamp_hz(void)
{
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz & UINT32_MAX;
}
#elif defined(__x86_64__) || defined(__i386__)
#define NF_STAMP_DIFF "tsc"
#define NF_STAMP_RATE "tsc_hz"
static inline uint64_t nf_stamp_counter(void)
{
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}
static inline uint64_t nf_stamp_hz(void)
{
	return 0;
}
#else
#error "noisefloor/stamp.h: no counter is known here; define NF_STAMP_READ() and NF_STAMP_HZ()"
#endif

static inline void nf_stamps_init(struct nf_stamps *s, struct nf_stamp_entry *room, size_t cap)
{
	s->room = room;
	s->hz = nf_stamp_hz();
	s->eol = "\n";
	s->cap = cap;
	s->n = 0;
	s->lost = 0;
}

/* The time since the stamp before is what `label` names; the first stamp's only begins. */
static inline void nf_stamp_take(struct nf_stamps *s, const char *label)
{
	if (s->n == s->cap) {
		s->lost++;
		return;
	}
	s->room[s->n].label = label;
	s->room[s->n].ticks = nf_stamp_counter();
	s->n++;
}

/* diff / hz in microseconds, cut. hz is neither 0 nor above 18 THz; what does not fit is UINT64_MAX. */
static inline uint64_t nf_stamp_us(uint64_t diff, uint64_t hz)
{
	if (diff / hz > UINT64_MAX / 1000000 - 1)
		return UINT64_MAX;
	return diff / hz * 1000000 + diff % hz * 1000000 / hz;
}

typedef void nf_stamp_putc_fn(void *ctx, char c);

static inline void nf_stamp_put_text(nf_stamp_putc_fn *put, void *ctx, const char *text)
{
	while (*text)
		put(ctx, *text++);
}

static inline void nf_stamp_put_number(nf_stamp_putc_fn *put, void *ctx, uint64_t v)
{
	char digit[20];
	int n = 0;

	do {
		digit[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	while (n > 0)
		put(ctx, digit[--n]);
}

static inline void nf_stamp_put_name(nf_stamp_putc_fn *put, void *ctx, const char *label)
{
	int n = 0;

	for (; label && *label && n < NF_STAMP_NAME; label++, n++) {
		char c = *label;
		int fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		           (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';

		put(ctx, fits ? c : '_');
	}
	if (n == 0)
		put(ctx, '-');
}

/* From one entry to the next, as a line. */
static inline void nf_stamp_put_line(const struct nf_stamps *s, size_t i, nf_stamp_putc_fn *put,
                                     void *ctx)
{
	uint64_t from = s->room[i - 1].ticks, to = s->room[i].ticks;

	nf_stamp_put_text(put, ctx, "nf-stamp: ");
	nf_stamp_put_name(put, ctx, s->room[i].label);
	if (to >= from && s->hz) {
		nf_stamp_put_text(put, ctx, " us=");
		nf_stamp_put_number(put, ctx, nf_stamp_us(to - from, s->hz));
	}
	nf_stamp_put_text(put, ctx,
	                  to >= from ? " " NF_STAMP_DIFF "_diff=" : " " NF_STAMP_DIFF "_back=");
	nf_stamp_put_number(put, ctx, to >= from ? to - from : from - to);
	nf_stamp_put_text(put, ctx, " " NF_STAMP_RATE "=");
	if (s->hz)
		nf_stamp_put_number(put, ctx, s->hz);
	else
		nf_stamp_put_text(put, ctx, "unknown");
	nf_stamp_put_text(put, ctx, s->eol);
}

/* All lines, after what was timed. put gets one character at a time. */
static inline void nf_stamps_print(const struct nf_stamps *s, nf_stamp_putc_fn *put, void *ctx)
{
	for (size_t i = 1; i < s->n; i++)
		nf_stamp_put_line(s, i, put, ctx);
	nf_stamp_put_text(put, ctx, "nf-stamp: ");
	nf_stamp_put_number(put, ctx, s->n);
	nf_stamp_put_text(put, ctx, " kept, ");
	nf_stamp_put_number(put, ctx, s->lost);
	nf_stamp_put_text(put, ctx, " lost");
	nf_stamp_put_text(put, ctx, s->eol);
}

#endif
