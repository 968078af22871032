/* SPDX-License-Identifier: MIT */
/*
 * region - marks the parts of a program that are timed, so that `noisefloor audit run` can say what I/O
 * falls into them. Link with the noisefloor library.
 *
 *   nf_region_begin("work");
 *   start = now();
 *   work();
 *   end = now();
 *   nf_region_end("work");
 *
 * The marks stand outside the clock readings: what the audit costs is then not in the time.
 *
 * Cost: unless an audit runs the program, a call that reads one variable. Under an audit each mark reads two
 * files of /proc and getrusage(), a few microseconds; the audit measures that and reports it.
 *
 * Threads: a region belongs to the thread that begins it, and the same thread ends it. Regions nest, up to
 * 16 deep, but not in themselves: beginning one that is open in the thread abandons that time, and the
 * regions begun inside it since (longjmp, an early return). An end without a begin in the same thread is
 * counted and told. Not for signal handlers, nor for a child of vfork(). errno is kept.
 */
#ifndef NOISEFLOOR_REGION_H
#define NOISEFLOOR_REGION_H

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* name: what the report calls it, up to 95 bytes of UTF-8; longer ones are cut. Read during the call only. */
NF_API void nf_region_begin(const char *name);
NF_API void nf_region_end(const char *name);

#ifdef __cplusplus
}
#endif

#endif
