/* SPDX-License-Identifier: MIT */
/* What is said to boards, however what they say is split and delayed, and whatever it is. */
#include <string.h>

#include "dialogue_faults.h"
#include "laws.h"
#include "uboot_texts.h"

#define NONCE "0123456789abcdeffedcba9876543210"

static void fini(void *p)
{
	played_fini(p);
}

static struct played *new_play(struct pt_case *t)
{
	struct played *p = pt_alloc(t, sizeof(*p));

	memset(p, 0, sizeof(*p));
	pt_cleanup(t, fini, p);
	return p;
}

/* Thousands of draws a play: of one seed. */
static uint64_t disturb(void *ctx, uint64_t max)
{
	uint64_t *x = ctx;

	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x % (max + 1);
}

static uint64_t draw_seed(struct pt_case *t)
{
	return (uint64_t)pt_draw_int(t, 1, INT64_MAX);
}

/* --- the same transcript --- */

static bool split_and_delayed(struct pt_case *t, void *arg)
{
	const struct dialogue_fault *f = &dialogue_faults[pt_draw_pick(t, dialogue_n_faults)];
	struct played *plain = new_play(t), *other = new_play(t);
	uint64_t seed = draw_seed(t);
	struct nf_dialogue_opts o = uboot_opts();
	struct nf_err err = { 0 };

	(void)arg;
	pt_note(t, "%s", f->name);
	if (f->opts)
		f->opts(&o);
	PT_ASSERT_INT_EQ(t, played_run(plain, &o, false, &f->script, NULL, NULL, &err), 0);
	PT_ASSERT_INT_EQ(t, played_run(other, &o, false, &f->script, disturb, &seed, &err), 0);
	PT_ASSERT_INT_EQ(t, other->outcome.kind, plain->outcome.kind);
	pt_note(t, "%s---\n%s", plain->states.data, other->states.data);
	PT_ASSERT(t, strcmp(other->states.data, plain->states.data) == 0);
	PT_ASSERT(t, strcmp(other->sent.data, plain->sent.data) == 0);
	return other->retries == plain->retries && other->finishes == 1;
}

/* --- any board --- */

static const char *draw_text(struct pt_case *t, struct nf_buf *out)
{
	static const char *const words[] = {
		"=> ",
		PLAYED_LINE,
		"\r\n",
		PLAYED_100MS,
		PLAYED_1S,
		PLAYED_10S,
		UBOOT_BANNER,
		UBOOT_AUTOBOOT,
		"stop autoboot",
		"Bytes transferred = 32768000 (1f40000 hex)\r\n",
		"Bytes transferred = 99999999999999999999 (1)\r\n",
		"T T T ",
		"TFTP error: 'File not found' (1)\r\n",
		"ARP Retry count exceeded; starting again\r\n",
		KERNEL_BOOTS,
		"Kernel panic - not syncing: x",
		"Oops",
		"buildroot login:",
		"buildroot lo[    1.000000] x\r\ngin:",
		"[    1.000000] x\r\n",
		COMMAND_1,
		LOAD,
		PLAYED_RESET,
		"\b\b\b",
		"\r",
		"\033[2K",
		"\377\200",
	};
	struct pt_loop l = { .max = 12 };

	while (pt_more(t, &l))
		(void)nf_buf_adds(out, words[pt_draw_pick(t, sizeof(words) / sizeof(*words))]);
	return out->data;
}

static void fini_buf(void *b)
{
	nf_buf_fini(b);
}

static void draw_board(struct pt_case *t, struct played_script *s, struct played_reply *rows)
{
	static const char *const to[] = { "<on>",    "<key>", "<auto>", "<break>", COMMAND_1,
		                          COMMAND_2, SERVER,  LOAD,     BOOT,      "" };
	static const struct played_reply common[] = { UBOOT_ROWS };
	const size_t n_common = sizeof(common) / sizeof(*common);

	s->reply = rows;
	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++) {
		struct nf_buf *text;

		if (!pt_draw_bool(t, 0.4))
			continue;
		text = pt_alloc(t, sizeof(*text));
		nf_buf_init(text, 1 << 16);
		pt_cleanup(t, fini_buf, text);
		rows[s->n_replies++] = (struct played_reply){ to[i], draw_text(t, text),
			                                      (unsigned)pt_draw_int(t, 0, 2) };
	}
	memcpy(rows + s->n_replies, common, sizeof(common));
	s->n_replies += n_common;
	s->mute = pt_draw_bool(t, 0.1);
	s->lose = (unsigned)pt_draw_int(t, 0, 3);
	s->lose_lines = (unsigned)pt_draw_int(t, 0, 4);
	s->switch_is_deaf = pt_draw_bool(t, 0.05);
	s->off_fails = pt_draw_bool(t, 0.05) ? "x" : NULL;
	s->on_fails = pt_draw_bool(t, 0.05) ? "x" : NULL;
	s->status = (enum nf_power_state)pt_draw_pick(t, 3);
	s->power_ns = pt_draw_int(t, 0, 3 * SECONDS);
	s->lost_ns = pt_draw_bool(t, 0.1) ? pt_draw_int(t, 1, 100 * SECONDS) : 0;
	s->stop_ns = pt_draw_bool(t, 0.1) ? pt_draw_int(t, 1, 100 * SECONDS) : 0;
}

/* It ends by itself, says one end, and does nothing after it; power goes off once, and then on at most once; nothing is
 * typed before it is. */
static bool always_ends(struct pt_case *t, void *arg)
{
	struct played_reply rows[24];
	struct played_script s = { 0 };
	struct played *p = new_play(t);
	struct nf_dialogue_opts o = uboot_opts();
	uint64_t seed;
	struct nf_err err = { 0 };
	int r;

	(void)arg;
	draw_board(t, &s, rows);
	o.verify_silence = pt_draw_bool(t, 0.5);
	if (pt_draw_bool(t, 0.2)) {
		o.prompt = NULL;
		o.n_commands = o.n_loads = 0;
	}
	seed = draw_seed(t);
	r = played_run(p, &o, false, &s, pt_draw_bool(t, 0.5) ? disturb : NULL, &seed, &err);
	if (p->over) /* more than a play holds: a board that resets for ever */
		return true;
	pt_note(t, "%s %s", err.msg, p->outcome.words);
	PT_ASSERT_INT_EQ(t, r, 0);
	pt_label(t, nf_outcome_class_name(p->outcome.class));
	PT_ASSERT_INT_EQ(t, p->finishes, 1);
	PT_ASSERT(t, !p->after_finish && p->offs == 1 && p->ons <= 1);
	PT_ASSERT(t, strncmp(p->sent.data, "<off>", 5) == 0);
	PT_ASSERT(t, p->sent.len_bytes == 5 || strncmp(p->sent.data + 5, "<on>", 4) == 0);
	PT_ASSERT(t, p->outcome.words[0] != '\0' &&
	                     p->outcome.class == nf_outcome_class_of(p->outcome.kind));
	return p->now_ns < 3600 * SECONDS;
}

/* --- a shell --- */

struct shell {
	char said[1 << 13];
};

static const char *run_shell(void *ctx, const char *line)
{
	struct shell *s = ctx;

	return strstr(line, &NONCE[16]) ? s->said : "# " PLAYED_LINE;
}

/* A kernel message, now and then, in the middle of a marker. */
static void say_marker(struct pt_case *t, char **to, const char *text)
{
	size_t at = pt_draw_bool(t, 0.5) ? pt_draw_pick(t, strlen(text) - 1) + 1 : 0;

	for (size_t i = 0; text[i]; i++) {
		if (at > 0 && i == at)
			*to = stpcpy(*to, "[    1.000000] random: crng init done\r\n");
		*(*to)++ = text[i];
	}
	*to = stpcpy(*to, "\r\n");
}

static bool shell_output(struct pt_case *t, void *arg)
{
	static const char *const words[] = { "a",
		                             "# ",
		                             "\n",
		                             "\r",
		                             "login: ",
		                             "0123456789abcdef",
		                             "01[",
		                             "[    1.000000] x\n",
		                             " fedcba9876543210-e 3",
		                             "> " };
	static const struct played_reply rows[] = { { "<on>", PLAYED_LINE, 0 },
		                                    { "", "# " PLAYED_LINE, 0 } };
	struct shell *sh = pt_alloc(t, sizeof(*sh));
	struct played_script s = { .reply = rows, .n_replies = 2, .run = run_shell, .ctx = sh };
	struct nf_dialogue_opts o = { .shell_prompt = "# $",
		                      .shell_command = "x",
		                      .nonce = NONCE,
		                      .prompt_ns = 30 * SECONDS,
		                      .shell_ns = 600 * SECONDS };
	struct played *p = new_play(t);
	char want[1024] = "", end[64], *w = want, *to = sh->said;
	int status = (int)pt_draw_int(t, 0, 255);
	uint64_t seed;
	struct nf_err err = { 0 };
	struct pt_loop l = { .max = 30 };

	(void)arg;
	say_marker(t, &to, NONCE "-b");
	while (pt_more(t, &l)) {
		const char *word = words[pt_draw_pick(t, sizeof(words) / sizeof(*words))];

		w = stpcpy(w, word);
		for (; *word; word++) {
			if (*word == '\n')
				*to++ = '\r';
			*to++ = *word;
		}
		if (pt_draw_bool(t, 0.2))
			to = stpcpy(to, PLAYED_10S);
	}
	snprintf(end, sizeof(end), NONCE "-e %d", status);
	say_marker(t, &to, end);
	strcpy(to, "# " PLAYED_LINE);
	seed = draw_seed(t);
	PT_ASSERT_INT_EQ(t, played_run(p, &o, true, &s, disturb, &seed, &err), 0);
	pt_note(t, "%s", p->outcome.words);
	PT_ASSERT(t, strcmp(p->output.data, want) == 0);
	return p->outcome.kind == NF_OUTCOME_DONE && p->status == status;
}

const struct law laws_dialogue[] = {
	{ "dialogue transcript",
	  "However what a board says is split into reads and delayed, below the limits, the same "
	  "is typed and the attempt ends the same.",
	  split_and_delayed, NULL },
	{ "dialogue ends",
	  "Whatever a board says, an attempt at it ends by itself, with one outcome; nothing is "
	  "done after it; power goes off once, and on at most once.",
	  always_ends, NULL },
	{ "shell output",
	  "The output and the exit status of a command on a board come back whole, whatever they "
	  "hold and wherever the kernel prints into the markers.",
	  shell_output, NULL },
	{ NULL, NULL, NULL, NULL },
};
