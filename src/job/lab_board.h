/* SPDX-License-Identifier: MIT */
/*
 * lab_board - a board of a campaign file while it is talked to: console, capture, dialogue, and its power switch
 * behind a guard; and the one loop that waits for any number of boards.
 *
 * Nothing here waits for one board alone: consoles are read and written without blocking, switches are asked through
 * their guards (board/power_guard.h), processes that wait in our place. So neither a board nor a switch that
 * is slow or broken holds up another. What goes wrong with a board is an event of its own dialogue and ends that
 * one; only what is this machine's fault (memory, disk, epoll) ends the loop.
 *
 *   open        port and guard; nothing is switched
 *   talk        begins a capture and a dialogue; nf_lab_loop_turn() drives it; nf_lab_board_outcome() says when it is over
 *   hush        ends both; then the next talk
 *   close       the guard sets the power as the campaign says; the port is put back
 *
 * Threads: one. Opening forks (the guard).
 */
#ifndef NF_JOB_LAB_BOARD_H
#define NF_JOB_LAB_BOARD_H

#include "board/campaign.h"
#include "board/console.h"
#include "board/dialogue.h"

enum { NF_LAB_BOARDS_MAX = 64, NF_LAB_OUT_MAX = 8192 };

/* What a talk is watched by; all may be NULL. A failure ends the loop and is returned. */
struct nf_lab_talk_watch {
	void *ctx;
	/* After it was acted upon; POWER and SEND, too. May not call into the board. */
	int (*action)(void *ctx, const struct nf_dialogue_action *a, struct nf_err *err);
	int (*bytes)(void *ctx, const void *data, size_t len_bytes, struct nf_err *err);
};

struct nf_lab_talk {
	const struct nf_dialogue_opts *opts; /* borrowed until hush */
	bool shell; /* nf_dialogue_shell; else nf_dialogue_boot */
	int dirfd; /* captures go there; -1: none is kept */
	const char *name; /* of the capture */
	const struct nf_lab_talk_watch *watch; /* borrowed until hush; may be NULL */
};

struct nf_lab_board {
	const struct nf_campaign *campaign; /* borrowed */
	const struct nf_rootfs *root; /* borrowed */
	struct nf_port port; /* fd -1: lost; nf_lab_board_reopen() */
	struct nf_power_guard guard; /* fd -1: none, or it is gone */
	bool guarded; /* it was there once: the power has to end as asked */
	struct nf_port_errors before; /* counters when the talk began */
	/* Of the talk. */
	struct nf_console console;
	struct nf_dialogue *dialogue; /* owned; NULL: none */
	const struct nf_lab_talk_watch *watch;
	char out[NF_LAB_OUT_MAX]; /* what the port has not taken yet */
	size_t n_out;
	uint32_t asked; /* of the guard, for this talk; 0: nothing */
	struct nf_err power_failed; /* code set: to be told at the next turn */
	struct nf_err port_failed;
	/* Of the loop. */
	int watched_port, watched_guard; /* descriptors that epoll has; -1 */
	bool watched_out;
	bool ready_port, ready_guard;
};

/* Opens the console and, with power, starts the guard; root: of /sys, may be NULL. -NF_EARG, -NF_ESUBJECT: as
 * nf_port_open() and nf_power_guard_start(). */
NF_NODISCARD int nf_lab_board_open(struct nf_lab_board *ret, const struct nf_campaign *campaign,
                                   const struct nf_rootfs *root, bool power, struct nf_err *err);
/* After the port or the guard was lost: tries again what is not there. */
NF_NODISCARD int nf_lab_board_reopen(struct nf_lab_board *b, bool power, struct nf_err *err);
/* -NF_EARG: as the dialogue; -NF_EEXIST: the capture is there. */
NF_NODISCARD int nf_lab_board_talk(struct nf_lab_board *b, const struct nf_lab_talk *talk,
                                   struct nf_err *err);
/* NULL: it goes on, or there is no talk. */
const struct nf_outcome *nf_lab_board_outcome(const struct nf_lab_board *b);
/* Asks the dialogue to end; it does at once. Nothing to do where none goes on. */
NF_NODISCARD int nf_lab_board_stop(struct nf_lab_board *b, struct nf_err *err);
/* Types beside the dialogue. -NF_ESUBJECT: the port takes no more. */
NF_NODISCARD int nf_lab_board_send(struct nf_lab_board *b, const void *data, size_t len_bytes,
                                   struct nf_err *err);
/* Ends the talk; the capture is closed. -NF_EOS: it may not be on the disk. No talk: fine. */
NF_NODISCARD int nf_lab_board_hush(struct nf_lab_board *b, struct nf_err *err);
/* Asks the guard to set the power as the campaign says, without waiting for it. */
void nf_lab_board_settle(struct nf_lab_board *b);
/* Hushes; waits until the guard has set the power. Its failure is said last, all is closed anyhow. Zeroed by
 * nf_lab_board_none(), or closed, is fine. */
NF_NODISCARD int nf_lab_board_close(struct nf_lab_board *b, struct nf_err *err);
void nf_lab_board_none(struct nf_lab_board *b);

struct nf_lab_loop {
	int epoll; /* owned; -1: none */
	struct nf_lab_board *board[NF_LAB_BOARDS_MAX]; /* borrowed */
	size_t n;
};
NF_NODISCARD int nf_lab_loop_init(struct nf_lab_loop *ret, struct nf_err *err);
/* -NF_EARG: too many. */
NF_NODISCARD int nf_lab_loop_add(struct nf_lab_loop *l, struct nf_lab_board *b, struct nf_err *err);
/* Once around: waits until something is there, at most a millisecond while a dialogue goes on (board/console.h says why)
 * and idle_ms else, and drives every dialogue. A signal ends the wait. */
NF_NODISCARD int nf_lab_loop_turn(struct nf_lab_loop *l, int idle_ms, struct nf_err *err);
void nf_lab_loop_fini(struct nf_lab_loop *l); /* the boards stay the caller's */

#endif
