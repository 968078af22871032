/* SPDX-License-Identifier: MIT */
/*
 * dialogue: whatever a board says and a switch answers, and whenever, an attempt ends once and does nothing after it; bytes of one
 * read are the same as one by one.
 *
 * Input: a byte of options; then events: a byte of kind (% 8) and time (/ 8: 32 lengths), answers and bytes take more.
 */
#include <string.h>

#include "board/dialogue.h"
#include "fuzz.h"

#define MS INT64_C(1000000)
#define SECONDS INT64_C(1000000000)
enum { STEPS_MAX = 100000 };

struct seen {
	uint64_t hash;
	unsigned finishes, ons, offs;
	bool started;
};

static void mix(struct seen *s, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		s->hash = (s->hash ^ p[i]) * UINT64_C(0x100000001B3);
}

static int look(void *ctx, const struct nf_dialogue_action *a, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(s->finishes == 0 && s->started);
	if (a->what != NF_DIALOGUE_OUTPUT)
		mix(s, &a->what, sizeof(a->what));
	s->finishes += a->what == NF_DIALOGUE_FINISH;
	s->ons += a->what == NF_DIALOGUE_POWER && a->power == NF_DIALOGUE_ON;
	s->offs += a->what == NF_DIALOGUE_POWER && a->power == NF_DIALOGUE_OFF;
	fuzz_require(s->offs <= 1 && s->ons <= s->offs);
	if (a->what == NF_DIALOGUE_SEND)
		fuzz_require(a->len > 0 && a->len <= NF_DIALOGUE_SEND_MAX);
	if (a->bytes)
		mix(s, a->bytes, a->len);
	if (a->text)
		mix(s, a->text, strlen(a->text));
	for (const char *p = a->text; p && *p; p++)
		fuzz_require(*p >= ' ' && *p < 0x7f);
	if (a->outcome) {
		mix(s, a->outcome->words, strlen(a->outcome->words));
		fuzz_require(a->outcome->words[0] &&
		             a->outcome->class == nf_outcome_class_of(a->outcome->kind));
	}
	return 0;
}

static struct nf_dialogue *make(uint8_t how, struct nf_dialogue_opts *o, struct seen *s)
{
	static const char *const commands[] = { "dhcp", "setenv a b" };
	static const char *const fails[] = { "Oops" };
	static const struct nf_dialogue_load loads[] = { { "Image", "0x1", NULL, 10, 2 } };
	static const struct nf_phase_want marks[] = { { "k", "Linux version " } };
	struct nf_dialogue *d = NULL;

	*o = (struct nf_dialogue_opts){
		.off_ns = SECONDS,
		.verify_silence = how & 1,
		.autoboot = "stop autoboot",
		.prompt = how & 2 ? "^=> " : NULL,
		.command = commands,
		.n_commands = (how & 34) == 2 ? 2 : 0,
		.load = loads,
		.n_loads = how & 2 ? 1 : 0,
		.boot = "booti",
		.done = how & 4 ? "# $" : "login:",
		.fail = fails,
		.n_fails = 1,
		.mark = marks,
		.n_marks = 1,
		.prompt_ns = 5 * SECONDS,
		.load_ns = 5 * SECONDS,
		.boot_ns = 10 * SECONDS,
		.silence_ns = 3 * SECONDS,
		.login = "login:",
		.user = how & 8 ? "root" : NULL,
		.password = how & 16 ? "pw" : NULL,
		.shell_prompt = "# $",
		.shell_command = "x 'y'",
		.nonce = "00000000000000001111111111111111",
		.shell_ns = 20 * SECONDS,
	};
	*s = (struct seen){ .hash = 1, .started = true };
	fuzz_require((how & 128 ? nf_dialogue_shell(o, look, s, &d, NULL)
	                        : nf_dialogue_boot(o, look, s, &d, NULL)) == 0);
	fuzz_require(nf_dialogue_due_ns(d) == INT64_MAX);
	fuzz_require(nf_dialogue_start(d, 0, NULL) == 0);
	return d;
}

static void read_bytes(struct nf_dialogue *d, int64_t lo, int64_t hi, const uint8_t *p, size_t n,
                       bool single)
{
	struct nf_line_time t = { lo, hi, hi, false };

	if (!single || n == 0) {
		fuzz_require(nf_dialogue_bytes(d, &t, p, n, NULL) == 0);
		return;
	}
	for (size_t i = 0; i < n; i++)
		fuzz_require(nf_dialogue_bytes(d, &t, p + i, 1, NULL) == 0);
}

static uint64_t play(const uint8_t *data, size_t size, bool single)
{
	struct nf_dialogue_opts o;
	struct seen s;
	struct nf_dialogue *d = make(data[0], &o, &s);
	int64_t now = 0, last = 0;

	for (size_t i = 1; i < size;) {
		uint8_t kind = data[i] % 8, n;

		now += (INT64_C(1) << data[i] / 8) * 10000 - 10000; /* up to 6 h */
		i++;
		if (kind == 0) {
			fuzz_require(nf_dialogue_tick(d, now, NULL) == 0);
		} else if (kind == 1 && i < size) {
			fuzz_require(nf_dialogue_answer(d, now, data[i] & 4 ? "no" : NULL,
			                                (enum nf_power_state)(data[i] % 3),
			                                NULL) == 0);
			i++;
		} else if (kind == 2 && i < size && data[i] == 0xff) {
			fuzz_require(nf_dialogue_lost(d, now, "gone", NULL) == 0);
		} else if (kind == 3 && i < size && data[i] == 0xff) {
			fuzz_require(nf_dialogue_stop(d, now, NULL) == 0);
		} else if (i < size) {
			n = data[i++];
			n = n < size - i ? n : (uint8_t)(size - i);
			read_bytes(d, last, now, data + i, n, single);
			last = now;
			i += n;
		}
	}
	for (unsigned i = 0; !nf_dialogue_outcome(d); i++) {
		int64_t due = nf_dialogue_due_ns(d);

		fuzz_require(i < STEPS_MAX && due < INT64_MAX);
		now = due > now ? due : now;
		fuzz_require(nf_dialogue_tick(d, now, NULL) == 0);
	}
	fuzz_require(s.finishes == 1 && nf_dialogue_due_ns(d) == INT64_MAX);
	read_bytes(d, now, now + SECONDS, (const uint8_t *)"=> \r\nlogin:", 11, single);
	fuzz_require(nf_dialogue_stop(d, now, NULL) == 0);
	nf_dialogue_free(d);
	return s.hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0)
		fuzz_require(play(data, size, false) == play(data, size, true));
	return 0;
}
