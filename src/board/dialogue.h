/* SPDX-License-Identifier: MIT */
/*
 * dialogue - what is said to a board, and when: power, bootloader, loads, boot, until it is done or has failed
 * (nf_dialogue_boot); or login and one command in its shell (nf_dialogue_shell). A state machine whose states are
 * rows of a table (dialogue_boot.c, dialogue_shell.c).
 *
 * Pure: bytes and times in, actions out, through a callback. Nothing is opened, waited for or read from a clock, so that a
 * transcript replays exactly, however its bytes are split into reads, and one owner can drive any number of machines: it
 * waits until some port is readable or the least nf_dialogue_due_ns() is there.
 *
 * Times are ns of one clock. Silence is claimed only where it was seen: bytes that came in (lo, hi] count before whatever was due
 * in there. So an owner reads the port until it is empty before it calls nf_dialogue_tick().
 *
 * It always ends by itself: every state has a limit. After FINISH it does nothing more: no byte is sent, no power
 * is switched. Memory is constant. Threads: one at a time per machine.
 */
#ifndef NF_BOARD_DIALOGUE_H
#define NF_BOARD_DIALOGUE_H

#include "board/line.h"
#include "board/outcome.h"
#include "board/phases.h"
#include "board/power.h"

enum {
	NF_DIALOGUE_FAILS_MAX = 16,
	NF_DIALOGUE_MARKS_MAX = 17,
	NF_DIALOGUE_TYPED_MAX = 1200, /* bytes of one command */
	NF_DIALOGUE_SEND_MAX = 64,
	NF_DIALOGUE_SHELL_MAX = 700, /* bytes of a command for the shell, as it is sent */
	NF_DIALOGUE_NONCE = 33, /* 32 hex digits and a NUL */
};

struct nf_dialogue_load {
	const char *image;
	const char *addr;
	const char *server; /* NULL: known to the bootloader */
	int64_t bytes; /* of the image; -1: unknown */
	unsigned tries; /* 1.. */
};

/* All borrowed until the machine is freed. */
struct nf_dialogue_opts {
	int64_t off_ns; /* power stays off for so long */
	bool verify_silence; /* the console is silent in the second half of it */
	/* Bootloader. prompt NULL: none, the board boots by itself. */
	const char *autoboot;
	const char *keys; /* NULL: Ctrl-C */
	const char *prompt;
	const char *eol; /* NULL: \r; also of the shell */
	const char *const *command;
	size_t n_commands;
	const struct nf_dialogue_load *load;
	size_t n_loads;
	const char *boot;
	const char *done;
	const char *const *fail;
	size_t n_fails;
	const struct nf_phase_want *mark; /* told when first seen, for whoever watches */
	size_t n_marks;
	int64_t prompt_ns, load_ns, boot_ns, silence_ns; /* > 0 */
	/* Shell; for nf_dialogue_shell only. */
	const char *login; /* pattern */
	const char *user; /* NULL: a login prompt is a failure */
	const char *password; /* NULL: none */
	const char *shell_prompt;
	const char *shell_command; /* any text without NUL */
	const char *nonce; /* 128 random bits as 32 hex digits */
	int64_t shell_ns; /* the command ends within; > 0 */
};

enum nf_dialogue_do {
	NF_DIALOGUE_POWER, /* ask */
	NF_DIALOGUE_SEND, /* bytes, all at once */
	NF_DIALOGUE_STATE, /* another state; text is what it does */
	NF_DIALOGUE_NOTE, /* worth telling: a retry and why; text */
	NF_DIALOGUE_MARK, /* a mark was seen for the first time; index */
	NF_DIALOGUE_OUTPUT, /* the shell command's output; bytes */
	NF_DIALOGUE_FINISH, /* the last: outcome, status */
};
enum nf_dialogue_power {
	NF_DIALOGUE_OFF,
	NF_DIALOGUE_ON,
	NF_DIALOGUE_STATUS,
};
struct nf_dialogue_action {
	enum nf_dialogue_do what;
	int64_t at_ns;
	enum nf_dialogue_power power;
	const char *bytes; /* borrowed until the callback returns, as text and outcome */
	size_t len;
	bool secret; /* a password: not for logs */
	const char *text;
	size_t index;
	const struct nf_outcome *outcome;
	int status; /* of the shell command; -1: none */
};
/* May not call into the machine. Its failure ends the call and is returned. */
typedef int nf_dialogue_fn(void *ctx, const struct nf_dialogue_action *a, struct nf_err *err);

struct nf_dialogue; /* opaque */

/* -NF_EARG: a pattern is none, something is missing or too long; -NF_ENOMEM. */
NF_NODISCARD int nf_dialogue_boot(const struct nf_dialogue_opts *o, nf_dialogue_fn *fn, void *ctx,
                                  struct nf_dialogue **ret, struct nf_err *err);
NF_NODISCARD int nf_dialogue_shell(const struct nf_dialogue_opts *o, nf_dialogue_fn *fn, void *ctx,
                                   struct nf_dialogue **ret, struct nf_err *err);
void nf_dialogue_free(struct nf_dialogue *d); /* NULL is fine */

/* Events, in the order of their times. Each returns 0, or what the callback failed with, or -NF_ENOMEM. */
NF_NODISCARD int nf_dialogue_start(struct nf_dialogue *d, int64_t now_ns, struct nf_err *err);
/* The answer to POWER: 0 and a state, or the failure's words. */
NF_NODISCARD int nf_dialogue_answer(struct nf_dialogue *d, int64_t now_ns, const char *failure,
                                    enum nf_power_state state, struct nf_err *err);
NF_NODISCARD int nf_dialogue_bytes(struct nf_dialogue *d, const struct nf_line_time *time,
                                   const void *data, size_t len_bytes, struct nf_err *err);
NF_NODISCARD int nf_dialogue_tick(struct nf_dialogue *d, int64_t now_ns, struct nf_err *err);
NF_NODISCARD int nf_dialogue_lost(struct nf_dialogue *d, int64_t now_ns, const char *words,
                                  struct nf_err *err);
NF_NODISCARD int nf_dialogue_stop(struct nf_dialogue *d, int64_t now_ns, struct nf_err *err);

/* When nf_dialogue_tick() is due; INT64_MAX: never (not started, finished). */
int64_t nf_dialogue_due_ns(const struct nf_dialogue *d);
const struct nf_outcome *nf_dialogue_outcome(const struct nf_dialogue *d); /* NULL: goes on */
unsigned nf_dialogue_retries(const struct nf_dialogue *d); /* commands and loads sent again */

#endif
