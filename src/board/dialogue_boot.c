/* SPDX-License-Identifier: MIT */
/* dialogue_boot - the states from the first byte to a boot that is done or has failed. */
#include "board/dialogue_impl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_TRIES = 3, /* the keys that stop autoboot, while its line stands */
	BREAK_TRIES = 5,
	RESETS = 3, /* banners before the prompt: a supply that comes up may begin twice */
	GARBAGE_BYTES = 16, /* fewer say nothing */
	GARBAGE_PERCENT = 70, /* of text is less than any bootloader sends */
};
#define KEY_NS (500 * NF_DIALOGUE_MS)
#define BREAK_NS (2 * NF_DIALOGUE_SECOND)
/* What follows a failure is worth having in the capture. */
#define LINGER_NS (500 * NF_DIALOGUE_MS)

static const struct nf_dialogue_state keys, run, load, load_break, boot, linger;

/* --- failures that are listened to --- */

static void keep_why(struct nf_dialogue *d, const char *line, size_t len)
{
	snprintf(d->why, sizeof(d->why), "'%.*s'", (int)(len < 100 ? len : 100), line);
}

static int fail_later(struct nf_dialogue *d, enum nf_outcome_kind kind, const char *line,
                      size_t len, struct nf_err *err)
{
	d->pending.kind = kind;
	keep_why(d, line, len);
	d->asked_seen = d->line_no;
	return nf_dialogue_go(d, &linger, err);
}

/* SPL and TPL have banners of their own, before U-Boot's: one boot has one of each. */
static bool is_banner(const char *line, size_t len)
{
	return !memmem(line, len, " SPL", 4) && !memmem(line, len, " TPL", 4);
}

int nf_dialogue_reset(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
                      struct nf_err *err)
{
	(void)w;
	return fail_later(d, NF_OUTCOME_RESET, line, len, err);
}

/* --- to the prompt --- */

static bool is_garbage(const struct nf_dialogue *d)
{
	return d->n_bytes >= GARBAGE_BYTES && d->n_text * 100 / d->n_bytes < GARBAGE_PERCENT;
}

static int end_garbage(struct nf_dialogue *d, struct nf_err *err)
{
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_GARBAGE,
	                       "of %" PRIu64 " bytes %" PRIu64 " are text", d->n_bytes, d->n_text);
}

static int no_prompt(struct nf_dialogue *d, struct nf_err *err)
{
	char span[32];

	if (is_garbage(d))
		return end_garbage(d, err);
	return NF_DIALOGUE_END(
	        d, err,
	        d->state == &nf_dialogue_banner ? NF_OUTCOME_NO_BANNER : NF_OUTCOME_NO_PROMPT,
	        "%swithin %s; the last line: '%.100s'",
	        d->state == &nf_dialogue_banner ? "" : "keys were sent at the autoboot line; ",
	        nf_dialogue_span(d->o->prompt_ns, span), nf_dialogue_last_text(d));
}

static int saw_banner(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
                      struct nf_err *err)
{
	if (w == NF_WATCH_RESET)
		return is_banner(line, len) && ++d->resets > RESETS
		               ? fail_later(d, NF_OUTCOME_RESET, line, len, err)
		               : 0;
	d->tries = 0;
	return nf_dialogue_go(d, &keys, err);
}

static int press(struct nf_dialogue *d, struct nf_err *err)
{
	const char *k = d->o->keys ? d->o->keys : "\x03";

	if (d->tries == 0)
		d->asked_seen = d->line_no;
	else if (d->tries >= KEY_TRIES || d->asked_seen != d->line_no)
		return 0; /* the line is over: no more of them */
	d->tries++;
	nf_dialogue_pause(d, KEY_NS);
	return nf_dialogue_send(d, k, strlen(k), false, err);
}

/* --- commands --- */

static bool is_load(const struct nf_dialogue *d)
{
	return d->step >= d->o->n_commands && (d->step - d->o->n_commands) / 2 < d->o->n_loads;
}

/* Of a step that is_load(). */
static const struct nf_dialogue_load *load_of(const struct nf_dialogue *d)
{
	return &d->o->load[(d->step - d->o->n_commands) / 2];
}

static NF_PRINTF(3, 4) int compose(struct nf_dialogue *d, struct nf_err *err, const char *fmt, ...)
{
	struct nf_typing *t = &d->typing;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->text, sizeof(t->text), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(t->text))
		return nf_fail(err, NF_EARG, "a command of %d bytes; allowed: up to %d", n,
		               NF_DIALOGUE_TYPED_MAX);
	t->len = (size_t)n;
	return 0;
}

/* Commands, then for each load where its server is and the load, then boot. */
static int type_step(struct nf_dialogue *d, struct nf_err *err)
{
	const struct nf_dialogue_state *next = &run;
	bool server = is_load(d) && (d->step - d->o->n_commands) % 2 == 0;
	int r;

	if (server && !load_of(d)->server) {
		d->step++;
		server = false;
	}
	if (d->step < d->o->n_commands) {
		r = compose(d, err, "%s", d->o->command[d->step]);
	} else if (!is_load(d)) {
		r = compose(d, err, "%s", d->o->boot);
		next = &boot;
	} else if (server) {
		r = compose(d, err, "setenv serverip %s", load_of(d)->server);
	} else {
		r = compose(d, err, "tftpboot %s %s", load_of(d)->addr, load_of(d)->image);
		next = &load;
	}
	return r < 0 ? r : nf_dialogue_type(d, next, err);
}

static int first_prompt(struct nf_dialogue *d, struct nf_err *err)
{
	d->step = 0;
	d->load_try = 0;
	return type_step(d, err);
}

static int next_step(struct nf_dialogue *d, struct nf_err *err)
{
	d->step++;
	d->load_try = 0;
	return type_step(d, err);
}

static int run_found(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
                     struct nf_err *err)
{
	enum nf_outcome_kind kind = w == NF_WATCH_REFUSED ? NF_OUTCOME_REFUSED : NF_OUTCOME_NETWORK;

	if (w == NF_WATCH_RESET)
		return nf_dialogue_reset(d, w, line, len, err);
	return NF_DIALOGUE_END(d, err, kind, "'%.100s': '%.*s'", d->typing.text,
	                       (int)(len < 100 ? len : 100), line);
}

static int run_late(struct nf_dialogue *d, struct nf_err *err)
{
	char span[32];

	return NF_DIALOGUE_END(d, err, NF_OUTCOME_COMMAND_LATE,
	                       "'%.100s', within %s; the last line: '%.100s'", d->typing.text,
	                       nf_dialogue_span(d->o->load_ns, span), nf_dialogue_last_text(d));
}

/* --- loads --- */

static int begin_load(struct nf_dialogue *d, struct nf_err *err)
{
	(void)err;
	d->loaded = -1;
	d->why[0] = '\0';
	return 0;
}

/* Another try, if one is left. at_prompt: the bootloader is; else it has to be broken off. */
static int load_failed(struct nf_dialogue *d, bool at_prompt, struct nf_err *err)
{
	const struct nf_dialogue_load *l = load_of(d);
	int r;

	if (d->load_try + 1 >= l->tries)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_TFTP, "'%.100s', %u %s; the last: %s",
		                       l->image, l->tries, l->tries == 1 ? "try" : "tries", d->why);
	d->load_try++;
	d->retries++;
	r = nf_dialogue_note(d, err, "'%.80s' is loaded again: %s", l->image, d->why);
	if (r < 0)
		return r;
	return at_prompt ? type_step(d, err) : nf_dialogue_go(d, &load_break, err);
}

static int load_found(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
                      struct nf_err *err)
{
	size_t at, n;

	if (w == NF_WATCH_NETWORK || w == NF_WATCH_STALL) {
		if (w == NF_WATCH_STALL)
			snprintf(d->why, sizeof(d->why), "%s", "three timeouts in a row (T T T)");
		else
			keep_why(d, line, len);
		return load_failed(d, false, err);
	}
	if (w == NF_WATCH_NO_FILE)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_FILE, "'%.100s'", load_of(d)->image);
	if (w == NF_WATCH_REFUSED || w == NF_WATCH_RESET)
		return run_found(d, w, line, len, err);
	if (w == NF_WATCH_TFTP_ERROR)
		keep_why(d, line, len);
	if (w == NF_WATCH_LOADED && nf_match_group(d->watch[w].match, 1, &at, &n) && n < 19)
		d->loaded = strtoll(line + at, NULL, 10);
	return 0;
}

static int loaded(struct nf_dialogue *d, struct nf_err *err)
{
	int64_t bytes = load_of(d)->bytes;

	if (d->loaded >= 0 && (bytes < 0 || d->loaded == bytes))
		return next_step(d, err);
	if (d->loaded >= 0)
		snprintf(d->why, sizeof(d->why),
		         "%" PRId64 " bytes were loaded, the file has %" PRId64, d->loaded, bytes);
	else if (d->why[0] == '\0')
		snprintf(d->why, sizeof(d->why), "%s", "back at the prompt without it");
	return load_failed(d, true, err);
}

static int load_late(struct nf_dialogue *d, struct nf_err *err)
{
	char span[32];

	snprintf(d->why, sizeof(d->why), "not loaded within %s",
	         nf_dialogue_span(d->o->load_ns, span));
	return load_failed(d, false, err);
}

static int break_again(struct nf_dialogue *d, struct nf_err *err)
{
	if (d->tries++ >= BREAK_TRIES)
		return 0;
	d->asked_seen = d->seen;
	nf_dialogue_pause(d, BREAK_NS);
	return nf_dialogue_send(d, "\x03", 1, false, err);
}

static int break_load(struct nf_dialogue *d, struct nf_err *err)
{
	d->tries = 0;
	return break_again(d, err);
}

static int broken(struct nf_dialogue *d, struct nf_err *err)
{
	return d->seen > d->asked_seen ? type_step(d, err) : 0;
}

static int break_late(struct nf_dialogue *d, struct nf_err *err)
{
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_PROMPT,
	                       "after %u times Ctrl-C, to break off a load: %s", BREAK_TRIES,
	                       d->why);
}

/* --- boot --- */

static int boot_found(struct nf_dialogue *d, enum nf_watch w, const char *line, size_t len,
                      struct nf_err *err)
{
	char span[32];

	if (w == NF_WATCH_DONE)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_DONE, "%s after boot",
		                       nf_dialogue_span(d->now_ns - d->since_ns, span));
	if (w == NF_WATCH_PANIC)
		return fail_later(d, NF_OUTCOME_PANIC, line, len, err);
	if (w >= NF_WATCH_FAIL && w < NF_WATCH_MARK) {
		d->tries = (unsigned)(w - NF_WATCH_FAIL);
		return fail_later(d, NF_OUTCOME_FAIL, line, len, err);
	}
	if (w == NF_WATCH_KERNEL)
		d->kernel = true;
	/* Without a bootloader of ours its first banner is this boot's. */
	if ((w == NF_WATCH_RESET && d->o->prompt) || w == NF_WATCH_AUTOBOOT ||
	    (w == NF_WATCH_RESET && is_banner(line, len) && d->resets++ > 0))
		return nf_dialogue_reset(d, w, line, len, err);
	return 0;
}

static int boot_prompted(struct nf_dialogue *d, struct nf_err *err)
{
	if (d->kernel)
		return 0;
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_BOOT_RETURNED, "'%.100s'; before it: '%.100s'",
	                       d->typing.text, d->last_text);
}

static int boot_silent(struct nf_dialogue *d, struct nf_err *err)
{
	const char *text = nf_dialogue_last_text(d);
	char span[32];

	if (is_garbage(d))
		return end_garbage(d, err);
	return NF_DIALOGUE_END(
	        d, err,
	        strstr(text, "Starting kernel") ? NF_OUTCOME_SILENT_KERNEL : NF_OUTCOME_HANG,
	        "silent for %s after '%.100s'", nf_dialogue_span(d->o->silence_ns, span), text);
}

static int boot_late(struct nf_dialogue *d, struct nf_err *err)
{
	char span[32];

	if (is_garbage(d))
		return end_garbage(d, err);
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_LATE, "%s after boot; the last line: '%.100s'",
	                       nf_dialogue_span(d->o->boot_ns, span), nf_dialogue_last_text(d));
}

static int linger_begin(struct nf_dialogue *d, struct nf_err *err)
{
	(void)err;
	nf_dialogue_pause(d, LINGER_NS);
	return 0;
}

/* The rest of the line that told of the failure. */
static int linger_byte(struct nf_dialogue *d, struct nf_err *err)
{
	(void)err;
	if (d->ended && d->asked_seen + 1 == d->line_no)
		keep_why(d, d->last_text, strlen(d->last_text));
	return 0;
}

static int failed(struct nf_dialogue *d, struct nf_err *err)
{
	if (d->pending.kind == NF_OUTCOME_FAIL)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_FAIL, "'%.100s' in %s",
		                       d->o->fail[d->tries], d->why);
	return NF_DIALOGUE_END(d, err, d->pending.kind, "%s", d->why);
}

/* --- the table --- */

#define WATCH_BOOT \
	(NF_WATCHES(NF_WATCH_DONE) | NF_WATCHES(NF_WATCH_PANIC) | NF_WATCHES(NF_WATCH_RESET) | \
	 NF_WATCHES(NF_WATCH_KERNEL) | NF_WATCHES_FAIL | NF_WATCHES_MARK)
#define WATCH_LOAD \
	(NF_WATCHES(NF_WATCH_NETWORK) | NF_WATCHES(NF_WATCH_STALL) | \
	 NF_WATCHES(NF_WATCH_NO_FILE) | NF_WATCHES(NF_WATCH_TFTP_ERROR) | \
	 NF_WATCHES(NF_WATCH_LOADED) | NF_WATCHES(NF_WATCH_REFUSED) | NF_WATCHES(NF_WATCH_RESET))
#define WATCH_BANNER (NF_WATCHES(NF_WATCH_AUTOBOOT) | NF_WATCHES(NF_WATCH_RESET))

/* clang-format off */
const struct nf_dialogue_state nf_dialogue_banner = { .name = "waits for the autoboot line", .limit = NF_LIMIT_GOES_ON,
	.watch = WATCH_BANNER, .found = saw_banner, .prompted = first_prompt, .power = nf_dialogue_power_answer, .late = no_prompt };
static const struct nf_dialogue_state keys = { .name = "waits for the prompt", .limit = NF_LIMIT_GOES_ON,
	.watch = WATCH_BANNER, .found = saw_banner, .enter = press, .pause = press, .prompted = first_prompt, .power = nf_dialogue_power_answer, .late = no_prompt };
static const struct nf_dialogue_state run = { .name = "runs a command", .limit = NF_LIMIT_LOAD, .after_line = true,
	.watch = NF_WATCHES(NF_WATCH_REFUSED) | NF_WATCHES(NF_WATCH_NETWORK) | NF_WATCHES(NF_WATCH_RESET), .found = run_found, .prompted = next_step,
	.power = nf_dialogue_power_answer, .late = run_late };
static const struct nf_dialogue_state load = { .name = "loads an image", .limit = NF_LIMIT_LOAD, .after_line = true,
	.watch = WATCH_LOAD, .enter = begin_load, .found = load_found, .prompted = loaded, .power = nf_dialogue_power_answer, .late = load_late };
static const struct nf_dialogue_state load_break = { .name = "breaks a load off", .limit = NF_LIMIT_BREAK,
	.watch = NF_WATCHES(NF_WATCH_RESET), .found = nf_dialogue_reset, .enter = break_load, .pause = break_again, .prompted = broken, .power = nf_dialogue_power_answer, .late = break_late };
static const struct nf_dialogue_state boot = { .name = "boots", .limit = NF_LIMIT_BOOT, .after_line = true,
	.watch = WATCH_BOOT | NF_WATCHES(NF_WATCH_AUTOBOOT), .found = boot_found, .prompted = boot_prompted, .silent = boot_silent,
	.power = nf_dialogue_power_answer, .late = boot_late };
/* Without a bootloader to speak to. */
const struct nf_dialogue_state nf_dialogue_self_boot = { .name = "boots", .limit = NF_LIMIT_BOOT,
	.watch = WATCH_BOOT, .found = boot_found, .silent = boot_silent, .power = nf_dialogue_power_answer, .late = boot_late };
static const struct nf_dialogue_state linger = { .name = "listens to a failure", .limit = NF_LIMIT_NONE,
	.enter = linger_begin, .byte = linger_byte, .pause = failed, .power = nf_dialogue_power_answer, .late = failed };
/* clang-format on */

int nf_dialogue_boot(const struct nf_dialogue_opts *o, nf_dialogue_fn *fn, void *ctx,
                     struct nf_dialogue **ret, struct nf_err *err)
{
	if (!o->done || (o->prompt && !o->boot))
		return nf_fail(err, NF_EARG, "a boot without %s; allowed: with it",
		               o->done ? "a command that boots" : "a pattern for its end");
	if (o->prompt_ns <= 0 || o->load_ns <= 0 || o->boot_ns <= 0 || o->silence_ns <= 0 ||
	    o->off_ns < 0)
		return nf_fail(err, NF_EARG, "a boot with a time of 0; allowed: more");
	for (size_t i = 0; i < o->n_loads; i++)
		if (o->load[i].tries == 0 || !o->load[i].image || !o->load[i].addr)
			return nf_fail(err, NF_EARG,
			               "load %zu without tries, image or address; allowed: with "
			               "them",
			               i + 1);
	return nf_dialogue_new(o, o->prompt, &nf_dialogue_off, fn, ctx, ret, err);
}
