/* SPDX-License-Identifier: MIT */
/* dialogue_impl - what dialogue.c (time, bytes, patterns), dialogue_type.c (typing) and the two tables share. */
#ifndef NF_BOARD_DIALOGUE_IMPL_H
#define NF_BOARD_DIALOGUE_IMPL_H

#include "board/dialogue.h"
#include "board/match.h"

#define NF_DIALOGUE_MS INT64_C(1000000)
#define NF_DIALOGUE_SECOND INT64_C(1000000000)
/* A prompt is one when nothing follows it for so long: longer than what an adapter keeps bytes back for. */
#define NF_DIALOGUE_QUIET_NS (50 * NF_DIALOGUE_MS)

enum nf_watch {
	/* Patterns of our own; rows in dialogue.c. */
	NF_WATCH_NETWORK,
	NF_WATCH_STALL,
	NF_WATCH_NO_FILE,
	NF_WATCH_TFTP_ERROR,
	NF_WATCH_LOADED,
	NF_WATCH_REFUSED,
	NF_WATCH_PANIC,
	NF_WATCH_RESET,
	NF_WATCH_KERNEL,
	NF_WATCH_PASSWORD,
	NF_WATCH_BAD_LOGIN,
	/* The caller's; absent ones have no pattern. */
	NF_WATCH_AUTOBOOT,
	NF_WATCH_LOGIN,
	NF_WATCH_DONE,
	NF_WATCH_FAIL,
	NF_WATCH_MARK = NF_WATCH_FAIL + NF_DIALOGUE_FAILS_MAX,
	NF_WATCH_N = NF_WATCH_MARK + NF_DIALOGUE_MARKS_MAX,
};
#define NF_WATCHES(w) (UINT64_C(1) << (w))
#define NF_WATCHES_FAIL (((UINT64_C(1) << NF_DIALOGUE_FAILS_MAX) - 1) << NF_WATCH_FAIL)
#define NF_WATCHES_MARK (((UINT64_C(1) << NF_DIALOGUE_MARKS_MAX) - 1) << NF_WATCH_MARK)

struct nf_watched {
	struct nf_match *match; /* owned; NULL: not sought */
	uint64_t byte; /* the last one that it was sought at: what stood then it knows */
	bool hit; /* in the present line */
};

enum nf_dialogue_limit {
	NF_LIMIT_GOES_ON, /* that of the state before */
	NF_LIMIT_POWER,
	NF_LIMIT_PROMPT,
	NF_LIMIT_LOAD,
	NF_LIMIT_BOOT,
	NF_LIMIT_BREAK,
	NF_LIMIT_SHELL,
	NF_LIMIT_NONE, /* the state's own pause ends it */
};

struct nf_dialogue;
typedef int nf_dialogue_step_fn(struct nf_dialogue *d, struct nf_err *err);

/* NULL: nothing happens. */
struct nf_dialogue_state {
	const char *name; /* "waits for the prompt" */
	uint64_t watch;
	enum nf_dialogue_limit limit;
	bool after_line; /* the line that it begins in is an echo: patterns begin with the next */
	nf_dialogue_step_fn *enter;
	nf_dialogue_step_fn *late; /* the limit is reached; never NULL but with LIMIT_NONE */
	nf_dialogue_step_fn *pause; /* d->pause_ns is reached */
	nf_dialogue_step_fn *prompted; /* quiet, and the prompt is at the end of the line */
	nf_dialogue_step_fn *quiet; /* quiet, no prompt, and the line has text */
	nf_dialogue_step_fn *silent; /* nothing came for o->silence_ns */
	nf_dialogue_step_fn *byte; /* d->byte, after patterns were sought */
	/* line: no NUL need follow. */
	int (*found)(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
	             struct nf_err *err);
	int (*power)(struct nf_dialogue *d, const char *failure, enum nf_power_state state,
	             struct nf_err *err);
};

/* What is typed and whether its echo came. */
struct nf_typing {
	char text[NF_DIALOGUE_TYPED_MAX + 1];
	size_t len;
	size_t sent;
	size_t line_at; /* of the tail: the echo begins there */
	uint64_t line_no;
	unsigned tries; /* that went wrong */
	bool wrong; /* the echo is not what was sent */
	bool broken; /* Ctrl-C was sent: a new prompt is to come */
	char echo[NF_PHASE_TEXT]; /* what came instead */
	const struct nf_dialogue_state *next; /* once it is echoed and ended */
};

/* Finds the shell command's output between its markers. */
enum nf_cut {
	NF_CUT_BEFORE, /* the first marker */
	NF_CUT_LINE_END, /* of the first marker */
	NF_CUT_OUTPUT,
	NF_CUT_TORN, /* a marker was seen in parts: nothing that follows is output */
	NF_CUT_STATUS, /* the second marker was there: its status */
	NF_CUT_OVER,
};
struct nf_cutter {
	char core[NF_DIALOGUE_NONCE + 1]; /* of both markers; "b" and "e" follow it */
	enum nf_cut at;
	bool began; /* the first marker was seen */
	bool torn; /* some marker was seen in parts */
	bool text; /* a line has some */
	bool inside; /* a kernel message, as far as its line ends */
	bool cr; /* one is held back: the terminal puts it before LF */
	int status; /* -1: the command was not run */
	unsigned digits;
	char held[640]; /* may be the beginning of a marker, kernel messages included */
	size_t n_held;
	char out[642];
	size_t n_out;
};

struct nf_dialogue {
	const struct nf_dialogue_opts *o; /* borrowed */
	nf_dialogue_fn *fn;
	void *ctx;
	const struct nf_dialogue_state *beginning;
	const struct nf_dialogue_state *state; /* NULL: not started, or finished */
	bool started, finished;
	struct nf_outcome outcome;
	int status;

	struct nf_lines lines;
	struct nf_watched watch[NF_WATCH_N];
	struct nf_match *prompt; /* owned; with its end at the end of the text */
	uint64_t n_bytes; /* since the power was switched on */
	uint64_t n_text; /* of these: printable, or a line's end */
	uint64_t seen; /* bytes altogether */
	uint64_t line_no;
	uint64_t skip_line; /* no pattern is sought in it; UINT64_MAX: none */
	uint8_t byte;
	bool ended; /* line: the last byte ended one */
	char torn[256]; /* of a line that a kernel message went into: what stood before it */
	size_t n_torn;
	char last_text[NF_PHASE_TEXT]; /* of the last line with text, the present one included */

	int64_t now_ns;
	int64_t since_ns; /* the state began */
	int64_t limit_ns, pause_ns, quiet_ns, silence_ns; /* INT64_MAX: none */
	int64_t spoke_ns; /* the last byte */

	/* dialogue_power.c, dialogue_boot.c */
	size_t step; /* of the commands, loads, boot */
	unsigned load_try, tries; /* of the present state */
	uint64_t asked_seen; /* `seen` when something was asked: an answer is later */
	bool powered; /* the switch answered */
	unsigned resets;
	unsigned retries;
	uint64_t late_bytes; /* after the power was switched off */
	int64_t loaded; /* bytes; -1: not said */
	bool kernel, stalled;
	char why[NF_PHASE_TEXT]; /* of the last failure that is retried */
	struct nf_outcome pending;
	struct nf_typing typing;
	/* dialogue_shell.c */
	struct nf_cutter cut;
	unsigned logins;
	bool refused;
};

/* dialogue.c */
int nf_dialogue_new(const struct nf_dialogue_opts *o, const char *prompt,
                    const struct nf_dialogue_state *beginning, nf_dialogue_fn *fn, void *ctx,
                    struct nf_dialogue **ret, struct nf_err *err);
int nf_dialogue_go(struct nf_dialogue *d, const struct nf_dialogue_state *to, struct nf_err *err);
int nf_dialogue_end(struct nf_dialogue *d, const struct nf_outcome *how, struct nf_err *err);
/* With the words of the kind, and more. */
#define NF_DIALOGUE_END(d, err, kind, ...) \
	(nf_outcome_set(&(d)->pending, kind, __VA_ARGS__), nf_dialogue_end(d, &(d)->pending, err))
int nf_dialogue_act(struct nf_dialogue *d, struct nf_dialogue_action a, struct nf_err *err);
int nf_dialogue_send(struct nf_dialogue *d, const char *bytes, size_t len, bool secret,
                     struct nf_err *err);
int nf_dialogue_note(struct nf_dialogue *d, struct nf_err *err, const char *fmt, ...)
        NF_PRINTF(3, 4);
int nf_dialogue_ask_power(struct nf_dialogue *d, enum nf_dialogue_power what, struct nf_err *err);
const char *nf_dialogue_eol(const struct nf_dialogue *d);
void nf_dialogue_pause(struct nf_dialogue *d, int64_t ns); /* from now */
void nf_dialogue_limit(struct nf_dialogue *d, enum nf_dialogue_limit limit); /* from now */
/* The text of the present line, or of the last with text. */
const char *nf_dialogue_last_text(struct nf_dialogue *d);
void nf_dialogue_forget_line(struct nf_dialogue *d); /* what stands there was before */
bool nf_dialogue_blank(const char *text, size_t len);
/* A duration for words: "45 s". */
const char *nf_dialogue_span(int64_t ns, char ret[32]);

/* dialogue_power.c; the attempt begins with it */
extern const struct nf_dialogue_state nf_dialogue_off;
/* A slow switch may answer when the board is on its way already. */
int nf_dialogue_power_answer(struct nf_dialogue *d, const char *failure, enum nf_power_state state,
                             struct nf_err *err);

/* dialogue_boot.c: what follows the first byte, with a bootloader that is spoken to and without. */
extern const struct nf_dialogue_state nf_dialogue_banner, nf_dialogue_self_boot;

/* dialogue_boot.c: the bootloader's banner, where the board should not begin anew. */
int nf_dialogue_reset(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
                      struct nf_err *err);

/* dialogue_type.c: types d->typing.text at the prompt that stands now, its echo verified; then `next`. */
int nf_dialogue_type(struct nf_dialogue *d, const struct nf_dialogue_state *next,
                     struct nf_err *err);

/* dialogue_cut.c */
int nf_cutter_init(struct nf_cutter *c, const char *nonce, struct nf_err *err);
/* What is sent: the command between its markers. -NF_EARG: too long. */
int nf_cutter_command(const char *command, const char *nonce, char *ret, size_t size,
                      size_t *ret_len, struct nf_err *err);
/* What is sent to have the second marker again. */
void nf_cutter_again(const char *nonce, char *ret, size_t size);
/* One byte of the console; output is given in c->out, n_out bytes. */
void nf_cutter_byte(struct nf_cutter *c, char byte);

#endif
