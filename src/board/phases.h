/* SPDX-License-Identifier: MIT */
/*
 * phases - what the lines of one boot say about time: when patterns were first seen after t0, what was printed between
 * them and how long that takes on the wire, where the console was silent, what the kernel's own clock claims, which values and which faults
 * were printed.
 *
 * Stamps that code on the board printed with noisefloor/stamp.h are values without a pattern.
 *
 * Pure: lines with times in (of a capture of ours, or of somebody's text log), a result out; how the bytes were split into reads does not
 * matter. Memory is bounded by the limits below; what is beyond them is counted. Threads: one at a time per struct nf_phases.
 *
 * An event's time is that of the first byte of its match: in [lo, hi], of which hi (when it was read) is the
 * estimate. Phases are given as pairs: t0 to the first, the first to the second, ...
 */
#ifndef NF_BOARD_PHASES_H
#define NF_BOARD_PHASES_H

#include "board/grid.h"
#include "board/line.h"
#include "board/printk.h"
#include "board/restart.h"

enum {
	NF_PHASES_MAX = 16, /* patterns beside t0 */
	NF_PHASE_VALUES_MAX = 16, /* patterns of printed values */
	NF_PHASE_NAME = 48, /* bytes of a name, NUL included */
	NF_PHASE_TEXT = 120, /* bytes kept of a line */
	NF_PHASE_GAPS = 5, /* longest silences that are kept, each */
	NF_PHASE_HITS_MAX = 4096, /* values that are kept of one boot */
	NF_PHASE_FAULTS_MAX = 64, /* faults, likewise */
};

struct nf_phase_want {
	const char *name; /* borrowed, as everything in nf_phases_opts */
	const char *regex;
};

struct nf_value_want {
	const char *name;
	const char *regex; /* group 1, or all of it, is the number */
	double per_s; /* units a second, for times (us: 1e6); 0: no time */
};

struct nf_phases_opts {
	const char *t0; /* pattern; NULL: the first line is t0 */
	const struct nf_phase_want *phase;
	size_t n_phases;
	const struct nf_value_want *value;
	size_t n_values;
	const char *
	        section; /* pattern; a line with it begins a section that values belong to. NULL: none */
	/* Where in the capture the byte of line->text[at] lies and when it came. NULL: text logs, which have a time a line. */
	int (*locate)(void *ctx, const struct nf_line *line, size_t at, uint64_t *ret_raw,
	              int64_t *ret_lo_ns, int64_t *ret_hi_ns, struct nf_err *err);
	void *ctx;
};

struct nf_phase_event {
	bool found;
	bool before_t0; /* the pattern was in a line before t0, too: that one is not meant */
	bool unstamped; /* the line has no stamp of its own: [lo, hi] are its neighbours' */
	uint64_t line; /* counted from 1 */
	uint64_t raw_offset; /* of the match */
	int64_t lo_ns, hi_ns;
	char text[NF_PHASE_TEXT];
};

/* The console said nothing. */
struct nf_phase_gap {
	int64_t length_ns;
	int64_t begin_ns; /* when the last byte before it was read */
	uint64_t line; /* the line before it, counted from 1 */
	bool inside; /* inside that line */
	char text[NF_PHASE_TEXT]; /* of the line before it */
};

/* From event `from` to event `to` (0: t0, i: phase i - 1). */
struct nf_phase_interval {
	size_t from, to;
	bool seen; /* both were, in this order: the rest is of it */
	int64_t duration_ns; /* below 0: the other order, and nothing else is known */
	int64_t lo_ns, hi_ns; /* it lies in here, as far as the lines' times go */
	uint64_t lines; /* from the one with `from` to before the one with `to` */
	uint64_t bytes; /* from match to match */
	struct nf_phase_gap gap[NF_PHASE_GAPS]; /* longest first */
	size_t n_gaps;
	struct nf_printk_span guest; /* stamps 0 or 1: it claims nothing */
	uint64_t faults;
};

struct nf_phase_value {
	size_t want; /* index of its pattern; SIZE_MAX: a stamp of noisefloor/stamp.h */
	char stamp
	        [NF_PHASE_NAME]; /* name of that stamp; the value is us, or ticks where has_counter is false */
	uint64_t nth; /* of this pattern in this boot, counted from 1 */
	uint64_t line;
	double value; /* in its unit, as printed */
	int64_t hi_ns;
	size_t interval; /* index; SIZE_MAX: outside all of them */
	char section[NF_PHASE_NAME]; /* empty: none */
	bool has_section_time;
	int64_t section_lo_ns;
	/* "diff=196167 frq=24000000" in the same line */
	bool has_counter;
	uint64_t counter_diff, counter_hz;
	bool counter_agrees; /* diff / frq in the unit, truncated as the value is printed */
	char text[NF_PHASE_TEXT];
};

struct nf_phase_fault {
	const char *name; /* static */
	uint64_t line;
	int64_t hi_ns;
	size_t interval; /* SIZE_MAX: outside all of them */
	char text[NF_PHASE_TEXT];
};

struct nf_phases_result {
	struct nf_phase_event event[1 + NF_PHASES_MAX]; /* [0] is t0 */
	size_t n_events;
	struct nf_phase_interval interval[NF_PHASES_MAX]; /* [i]: event i to event i + 1 */
	size_t n_intervals;
	const struct nf_phase_value *value; /* borrowed until free */
	size_t n_values;
	uint64_t values_lost;
	uint64_t
	        not_numbers; /* matches whose group is no number; stamps that are broken or went back */
	struct nf_phase_fault fault[NF_PHASE_FAULTS_MAX];
	size_t n_faults;
	uint64_t faults_lost;
	struct nf_restarts restarts; /* after t0; interval SIZE_MAX: outside all of them */
	struct nf_grid grid;
	uint64_t lines, bytes, unstamped;
	uint64_t backwards; /* times that a stamp was before the one before it */
	int64_t worst_backwards_ns;
	int64_t first_ns, last_ns; /* of the first and the last line with a time */
	char last_text[NF_PHASE_TEXT]; /* of the last line with text */
	uint32_t kernel_baud; /* of "console=tty...,115200" in the log; 0: it is not there */
	char emulator[NF_PHASE_NAME]; /* words in the log that name an emulator; empty: none */
};

struct nf_phases;

/* -NF_EARG: a pattern is none, or too many; -NF_ENOMEM. */
NF_NODISCARD int nf_phases_new(const struct nf_phases_opts *o, struct nf_phases **ret,
                               struct nf_err *err);
void nf_phases_free(struct nf_phases *p); /* NULL is fine */

/* In the order of the console. stamped: the line has a time of its own; else its times are those of the line
 * before it. -NF_EARG: a pattern costs too much; -NF_ENOMEM; what locate returns. */
NF_NODISCARD int nf_phases_line(struct nf_phases *p, const struct nf_line *line, bool stamped,
                                struct nf_err *err);
/* After the last line; once. The result lives until free. */
const struct nf_phases_result *nf_phases_finish(struct nf_phases *p);

/* Seconds that `bytes` take on a line of 8N1: a start bit, eight of data, a stop bit. */
double nf_uart_s(uint64_t bytes, uint64_t baud);

#endif
