/* SPDX-License-Identifier: MIT */
/* clocks - the names by which C code reads a clock, and by which it prints on a console. */
#ifndef NF_SOURCE_CLOCKS_H
#define NF_SOURCE_CLOCKS_H

#include "source/text.h"

/* How a call hands out what it read. */
enum nf_src_clock {
	NF_SRC_CLOCK_NONE,
	NF_SRC_CLOCK_VALUE, /* t = ktime_get() */
	NF_SRC_CLOCK_MARK, /* nf_stamp_take(&s, label): the next one with the same first argument ends it */
	NF_SRC_CLOCK_ARGUMENT, /* clock_gettime(id, &t): the last argument, or rdtscll(t): the only one */
};
enum nf_src_clock nf_src_clock_read(struct nf_src_word w);
/* Cheap: false for most words that are none. len >= 2. */
bool nf_src_clock_likely(const char *end_of_word);
/* A register that counts time, named in an asm text: cntpct_el0, cntvct_el0, rdtsc, rdtime ... */
bool nf_src_clock_in_asm(const char *text, size_t len);

enum nf_src_print {
	NF_SRC_PRINT_NONE,
	NF_SRC_PRINT_CONSOLE,
	NF_SRC_PRINT_DESCRIPTOR, /* on its first argument: write(1, ...) */
	NF_SRC_PRINT_STREAM, /* on the stream that is its first (fprintf) or last argument (fputs) */
};
enum nf_src_print nf_src_print_call(struct nf_src_word w);

#endif
