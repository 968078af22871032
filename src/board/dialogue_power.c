/* SPDX-License-Identifier: MIT */
/* dialogue_power - the states from power off to the first byte. */
#include "board/dialogue_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	GLITCH_BYTES = 3, /* a line that loses its level may look like so many bytes */
};

static const struct nf_dialogue_state off_wait, on, first, check;

static int ask_off(struct nf_dialogue *d, struct nf_err *err)
{
	return nf_dialogue_ask_power(d, NF_DIALOGUE_OFF, err);
}

static int off_answer(struct nf_dialogue *d, const char *failure, enum nf_power_state state,
                      struct nf_err *err)
{
	(void)state;
	if (failure)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_POWER_OFF, "%s", failure);
	return nf_dialogue_go(d, &off_wait, err);
}

static int off_late(struct nf_dialogue *d, struct nf_err *err)
{
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_POWER_OFF, "%s", "the switch does not answer");
}

static int wait_off(struct nf_dialogue *d, struct nf_err *err)
{
	(void)err;
	d->late_bytes = 0;
	nf_dialogue_pause(d, d->o->off_ns);
	return 0;
}

static int off_byte(struct nf_dialogue *d, struct nf_err *err)
{
	(void)err;
	d->late_bytes += d->now_ns - d->since_ns > d->o->off_ns / 2;
	return 0;
}

static int is_off(struct nf_dialogue *d, struct nf_err *err)
{
	char span[32];

	if (d->o->verify_silence && d->late_bytes > GLITCH_BYTES)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_POWER_STAYS,
		                       "%" PRIu64
		                       " bytes came from the console later than %s after it",
		                       d->late_bytes, nf_dialogue_span(d->o->off_ns / 2, span));
	return nf_dialogue_go(d, &on, err);
}

static int ask_on(struct nf_dialogue *d, struct nf_err *err)
{
	nf_dialogue_forget_line(d);
	d->n_bytes = d->n_text = 0;
	d->last_text[0] = '\0';
	return nf_dialogue_ask_power(d, NF_DIALOGUE_ON, err);
}

/* A slow switch may answer when the board is on its way already. */
int nf_dialogue_power_answer(struct nf_dialogue *d, const char *failure, enum nf_power_state state,
                             struct nf_err *err)
{
	(void)state;
	if (failure)
		return NF_DIALOGUE_END(d, err, NF_OUTCOME_POWER_ON, "%s", failure);
	d->powered = true;
	return d->state == &on ? nf_dialogue_go(d, &first, err) : 0;
}

static int on_late(struct nf_dialogue *d, struct nf_err *err)
{
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_POWER_ON, "%s", "the switch does not answer");
}

static int first_byte(struct nf_dialogue *d, struct nf_err *err)
{
	bool fresh = d->state == &on;
	int r = nf_dialogue_go(d, d->o->prompt ? &nf_dialogue_banner : &nf_dialogue_self_boot, err);

	if (r == 0 && fresh && d->state == &nf_dialogue_banner)
		nf_dialogue_limit(d, NF_LIMIT_PROMPT);
	return r;
}

/* Where nothing says that the power was off, the board may sit at its prompt. */
static int wait_first(struct nf_dialogue *d, struct nf_err *err)
{
	(void)err;
	if (!d->o->verify_silence && d->o->prompt)
		nf_dialogue_pause(d, d->o->prompt_ns / 2);
	return 0;
}

static int knock(struct nf_dialogue *d, struct nf_err *err)
{
	return nf_dialogue_send(d, nf_dialogue_eol(d), strlen(nf_dialogue_eol(d)), false, err);
}

static int no_first_byte(struct nf_dialogue *d, struct nf_err *err)
{
	return nf_dialogue_go(d, &check, err);
}

static int ask_status(struct nf_dialogue *d, struct nf_err *err)
{
	return nf_dialogue_ask_power(d, NF_DIALOGUE_STATUS, err);
}

static int status_answer(struct nf_dialogue *d, const char *failure, enum nf_power_state state,
                         struct nf_err *err)
{
	char span[32];

	nf_dialogue_span(d->o->prompt_ns, span);
	if (!failure && state == NF_POWER_OFF)
		return NF_DIALOGUE_END(
		        d, err, NF_OUTCOME_NO_POWER,
		        "not a byte within %s of power on, and the switch says that it is off",
		        span);
	return NF_DIALOGUE_END(d, err, NF_OUTCOME_NO_CONSOLE,
	                       "not a byte within %s of power on; %s%.150s", span,
	                       failure                ? "asked, the switch failed: "
	                       : state == NF_POWER_ON ? "the switch says that it is on"
	                                              : "the switch cannot say whether it is on",
	                       failure ? failure : "");
}

static int status_late(struct nf_dialogue *d, struct nf_err *err)
{
	return status_answer(d, "it does not answer", NF_POWER_UNKNOWN, err);
}

/* clang-format off */
const struct nf_dialogue_state nf_dialogue_off = { .name = "switches the power off", .limit = NF_LIMIT_POWER,
	.enter = ask_off, .power = off_answer, .late = off_late };
static const struct nf_dialogue_state off_wait = { .name = "waits with the power off", .limit = NF_LIMIT_NONE,
	.enter = wait_off, .byte = off_byte, .pause = is_off, .late = off_late };
static const struct nf_dialogue_state on = { .name = "switches the power on", .limit = NF_LIMIT_POWER,
	.enter = ask_on, .power = nf_dialogue_power_answer, .byte = first_byte, .late = on_late };
static const struct nf_dialogue_state first = { .name = "waits for the first byte", .limit = NF_LIMIT_PROMPT,
	.enter = wait_first, .pause = knock, .byte = first_byte, .late = no_first_byte };
static const struct nf_dialogue_state check = { .name = "asks the switch", .limit = NF_LIMIT_POWER,
	.enter = ask_status, .power = status_answer, .late = status_late };
/* clang-format on */
