/* SPDX-License-Identifier: MIT */
/* capture_take - how a value is taken out of a line. Internal to record/. */
#ifndef NF_RECORD_CAPTURE_TAKE_H
#define NF_RECORD_CAPTURE_TAKE_H

#include "record/capture.h"

enum nf_taken { NF_TAKEN_NOTHING, NF_TAKEN, NF_TAKEN_ODD /* the line has another form */ };

/* *ret is a part of the line or lives in a. arg: what the function's comment says. */
typedef enum nf_taken nf_take_fn(const struct nf_capture_line *l, const char *arg,
                                 struct nf_arena *a, struct nf_slice *ret);

nf_take_fn nf_take_value; /* the value; a word for "not known" is nothing */
/* The number that begins it, with arg as its unit or without one. With arg not NULL nothing but a remark in
 * brackets or behind a comma or dashes may follow; arg "": it has no unit. */
nf_take_fn nf_take_number;
nf_take_fn nf_take_part; /* what follows arg anywhere in the line, to a blank, comma or bracket */
nf_take_fn nf_take_host; /* USER@HOST or HOST */
nf_take_fn nf_take_of; /* "1/5": arg "1" the first number, "2" the second */
nf_take_fn nf_take_hz; /* the number before " Hz" */
nf_take_fn nf_take_uname; /* uname -a: arg "host", "release" or "variant" */
nf_take_fn nf_take_rt_variant; /* uname -v: whether it names PREEMPT_RT */
nf_take_fn nf_take_rt_value; /* /sys/kernel/realtime: 1 or 0; "absent" is nothing */
nf_take_fn nf_take_rt_word; /* "enabled", "not enabled" */
nf_take_fn nf_take_bool; /* true, false, yes, no, 1, 0, PASS, FAIL */
nf_take_fn nf_take_uptime; /* uptime(1): seconds */
nf_take_fn nf_take_load; /* uptime(1): the first load average */
nf_take_fn nf_take_utc; /* RFC 3339 in UTC */
nf_take_fn nf_take_chpl; /* "chpl version VERSION", whatever the program calls itself behind chpl */
nf_take_fn nf_take_chapel; /* VERSION of "...chapel-VERSION" */

#endif
