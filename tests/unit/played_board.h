/* SPDX-License-Identifier: MIT */
/*
 * played_board - a board and the owner of its port, on a clock that only the test moves: what it says is written down, with pauses;
 * what is typed at it is echoed as a bootloader or a terminal does. So a dialogue is played in no time, the same each time.
 */
#ifndef PLAYED_BOARD_H
#define PLAYED_BOARD_H

#include "base/buf.h"
#include "board/dialogue.h"

/* In what a board says. */
#define PLAYED_100MS "\001"
#define PLAYED_1S "\002"
#define PLAYED_10S "\004"
#define PLAYED_LINE "\005" /* it takes a line from here on, echoed */
#define PLAYED_SECRET "\006" /* the same without an echo */
#define PLAYED_AUTOBOOT "\016" /* any key within 2 s is "<key>", none is "<auto>" */
#define PLAYED_RESET "\017" /* as "<on>" */

struct played_reply {
	const char *
	        to; /* a line; "<on>", "<key>", "<auto>", "<break>": Ctrl-C but where it is a key */
	const char *say;
	unsigned times; /* 0: always; else the row is passed over afterwards */
};

struct played_script {
	const struct played_reply
	        *reply; /* the first row that fits; none: says nothing and takes a line */
	size_t n_replies;
	/* What the rows do not know. Returns what is said, borrowed until the next call; NULL: nothing. */
	const char *(*run)(void *ctx, const char *line);
	void *ctx;
	const char *at_off; /* said when the power is switched off: it stays, or is a glitch */
	const char *off_fails, *on_fails, *status_fails; /* words; NULL: the switch does */
	bool switch_is_deaf; /* it never answers */
	enum nf_power_state status;
	int64_t power_ns; /* the switch takes it to answer */
	unsigned lose; /* characters of the first line typed that get lost */
	unsigned lose_lines; /* lines that they are lost of; 0: one */
	bool mute; /* nothing is echoed */
	int64_t lost_ns, stop_ns; /* the port goes, somebody stops it; 0: never */
};

/* How the owner is disturbed: draws 0..max. NULL: reads come one byte at a time, when they are due. */
typedef uint64_t played_draw(void *ctx, uint64_t max);

enum { PLAYED_QUEUE = 1 << 17, PLAYED_LINE_MAX = 2048 };
#define PLAYED_BYTE_NS 87000
#define PLAYED_JITTER_NS 15000000

struct played {
	const struct played_script *script;
	played_draw *draw;
	void *draw_ctx;
	struct nf_dialogue *d;
	struct nf_outcome outcome;
	int status; /* of FINISH */
	unsigned finishes, retries;
	unsigned ons, offs;
	bool after_finish; /* something was done after FINISH */
	bool over; /* more than the play holds */
	struct nf_buf sent; /* what was typed, "<on>", "<off>", "<status>" */
	struct nf_buf states; /* one a line, notes as "! words", marks as "# 3" */
	struct nf_buf output;
	int64_t now_ns, last_ns; /* last: the previous read */
	/* The board. */
	struct {
		int64_t at_ns;
		unsigned char byte;
	} * queue; /* owned; PLAYED_QUEUE */
	size_t n_queued, next;
	unsigned char mode;
	bool powered;
	int64_t autoboot_ns;
	int64_t delay_ns; /* of what is said next */
	char line[PLAYED_LINE_MAX];
	size_t n_line;
	unsigned lines, lost;
	char ahead[PLAYED_LINE_MAX]; /* typed when nobody read */
	size_t n_ahead;
	unsigned used[64];
	/* The switch. */
	int64_t answer_ns;
	enum nf_dialogue_power asked;
};

/* Plays it to its end. -NF_ENODATA: it does not end. What the machine fails with is returned. */
NF_NODISCARD int played_run(struct played *p, const struct nf_dialogue_opts *o, bool shell,
                            const struct played_script *script, played_draw *draw, void *draw_ctx,
                            struct nf_err *err);
void played_fini(struct played *p); /* zeroed is fine */

#endif
