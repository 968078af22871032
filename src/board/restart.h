/* SPDX-License-Identifier: MIT */
/*
 * restart - did a board begin anew while its boot was timed? Told by the line of t0, printed again word for word from its
 * match on, and by the kernel's clock, which falls back. Pure; what one reset shows in both ways counts once.
 *
 * Several kernels on one console (guests of a hypervisor) interleave their clocks: where a clock that fell jumps forward
 * again further than time went on, what clocks told is taken back.
 */
#ifndef NF_BOARD_RESTART_H
#define NF_BOARD_RESTART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NF_RESTARTS_MAX = 16, NF_RESTART_TEXT = 120 };

enum nf_restart_sign {
	NF_RESTART_NONE,
	NF_RESTART_T0, /* t0's line again */
	NF_RESTART_CLOCK, /* the kernel's clock fell back */
};

struct nf_restart {
	enum nf_restart_sign sign;
	uint64_t line;
	int64_t host_ns;
	size_t interval; /* as it was given */
	char text[NF_RESTART_TEXT];
};

struct nf_restarts {
	struct nf_restart item[NF_RESTARTS_MAX]; /* the first ones */
	size_t n;
	/* private */
	bool began;
	char t0_rest[NF_RESTART_TEXT]; /* of t0's line, from the match on */
	bool any; /* a stamp was seen since t0 */
	bool awaits_t0; /* the clock told already what t0's line tells next */
	bool fell;
	bool interleaved; /* no clock tells anything here */
	int64_t guest_ns, host_ns; /* of the last stamp */
	int64_t peak_ns; /* of the clock before it fell */
};

/* t0: its line from the match on. Zeroed before. */
void nf_restarts_begin(struct nf_restarts *r, const char *rest, size_t len);
/* A line after t0's; before nf_restarts_begin() it does nothing. interval: of the line, for the item. */
void nf_restarts_line(struct nf_restarts *r, const char *text, size_t len, uint64_t line,
                      int64_t host_ns, size_t interval);
/* After the last line: only now the items are what they say. */
void nf_restarts_finish(struct nf_restarts *r);

#endif
