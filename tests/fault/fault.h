/* SPDX-License-Identifier: MIT */
/*
 * fault - makes every allocation and every system call of a module fail, one after the other.
 *
 * A fault test is linked with -Wl,--wrap for the functions in meson.build here, so that calls from
 * the project's code (not those inside shared libraries) pass through fault.c, which counts them and
 * lets one fail: allocations with ENOMEM, the rest with EIO or what fits the call.
 *
 * To add one:
 *   1. write fault_<module>.c with one subject a function and a cmocka test that calls
 *      fault_every(&subject, ctx); with fault_survives() too where calls may be interrupted or short;
 *   2. add <module> to fault_tests in meson.build.
 * A call that is not wrapped yet: a line in fault_wraps.c and its name in meson.build (the link fails
 * when only one of the two was done).
 *
 *   static int run(void *ctx, struct nf_err *err)    // all of this runs with the fault armed
 *   {
 *           struct thing *t = ctx;
 *           return nf_thing_open(&t->fd, "x", err);
 *   }
 *   static void finish(void *ctx, int r)             // no faults: clean up, check the outputs
 *   {
 *           if (r < 0)
 *                   assert_int_equal(t->fd, UNTOUCHED);
 *           ...
 *   }
 *   fault_every(&(struct fault_subject){ .run = run, .finish = finish }, &thing);
 */
#ifndef NF_FAULT_H
#define NF_FAULT_H

#include <stdbool.h>

#include "base/fail.h"

struct fault_subject {
	/* Optional, before every run and without faults. */
	void (*prepare)(void *ctx);
	/* The subject: 0 or a negated code with *err filled. */
	int (*run)(void *ctx, struct nf_err *err);
	/* Optional, after every run and without faults; r is what run returned. Frees what a successful
	 * run gave and asserts that a failed one left the outputs untouched. */
	void (*finish)(void *ctx, int r);
	/* Names, with commas, of calls whose failure the subject may ignore: "close,madvise". A success
	 * in spite of any other failed call is an error of the subject. */
	const char *tolerates;
	/* Only calls with these names count and fail. NULL: all that are wrapped. */
	const char *only;
	/* errno of calls that are not allocations; 0: what fits the call. */
	int os_errno;
	/* A failed allocation may give another code than NF_ENOMEM. */
	bool any_code;
	/* For subjects with very many calls: only the 1st, (1 + stride)th ... fail, but every one with
	 * NF_LONG=1. 0: every one. */
	unsigned stride;
};

/* Runs the subject once without a fault (it must succeed), then with the 1st, 2nd, ... wrapped call
 * failing until none is left to fail. Asserts: at least one fault fired; the run failed, with *err
 * filled to match; no allocation, mapping or file descriptor is left behind by prepare + run +
 * finish. Call it from a cmocka test. */
void fault_every(const struct fault_subject *s, void *ctx);

/* The same, but each call that may be interrupted fails once with EINTR, and then each transfer
 * (read, write and their relatives) is cut to one byte: the subject has to succeed every time. */
void fault_survives(const struct fault_subject *s, void *ctx);

/* For tests with a loop of their own: the n-th counted call from now fails, once. n >= 1. */
void fault_arm(unsigned long n);
void fault_disarm(void);
unsigned long fault_hits(void); /* faults fired since fault_arm() */
const char *fault_hit_name(void); /* the call that failed; "" before */
unsigned long
fault_live(void); /* allocations and mappings made by wrapped calls and not released */
unsigned long fault_open_fds(void);

#endif
