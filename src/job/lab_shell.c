/* SPDX-License-Identifier: MIT */
#include "job/lab_shell.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "job/lab_board.h"

enum { OUTPUT_BYTES = 1 << 20, TURN_MS = 100, WRITE_MS = 2000, NONCE_BYTES = 16 };
/* After Ctrl-C a shell says no more of the command's list: how long its last words are waited for. */
#define LAST_WORDS_NS INT64_C(2000000000)
static const char ctrl_c[] = "\x03";

struct job {
	const struct nf_lab_shell_opts *o;
	struct nf_lab_board board;
	struct nf_buf out; /* of one turn */
	bool echo_due; /* the console's own "^C" is to come */
	struct nf_lab_shell_result result;
};

static const char *const plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";

static void add_word(const char *word, struct nf_buf *out)
{
	if (word[0] && word[strspn(word, plain)] == '\0') {
		(void)nf_buf_adds(out, word);
		return;
	}
	(void)nf_buf_addc(out, '\'');
	for (const char *p = word; *p; p++)
		if (*p == '\'')
			(void)nf_buf_adds(out, "'\\''");
		else
			(void)nf_buf_addc(out, *p);
	(void)nf_buf_addc(out, '\'');
}

int nf_lab_shell_line(int argc, const char *const argv[], struct nf_buf *out, struct nf_err *err)
{
	if (argc == 1)
		(void)nf_buf_adds(out, argv[0]);
	for (int i = 0; argc > 1 && i < argc; i++) {
		if (i)
			(void)nf_buf_addc(out, ' ');
		add_word(argv[i], out);
	}
	return nf_buf_failed(out, "the command", err);
}

static int make_nonce(char ret[NF_DIALOGUE_NONCE], struct nf_err *err)
{
	unsigned char raw[NONCE_BYTES];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw))
		return nf_fail_os(err, errno, "no random bytes");
	for (size_t i = 0; i < sizeof(raw); i++)
		snprintf(ret + 2 * i, 3, "%02x", raw[i]);
	return 0;
}

static int take_action(void *ctx, const struct nf_dialogue_action *a, struct nf_err *err)
{
	struct job *j = ctx;

	if (a->what == NF_DIALOGUE_OUTPUT) {
		(void)nf_buf_add(&j->out, a->bytes, a->len);
		return nf_buf_failed(&j->out, "what the command prints", err);
	}
	if (a->what == NF_DIALOGUE_NOTE && j->o->note)
		j->o->note(j->o->ctx, a->text);
	if (a->what == NF_DIALOGUE_FINISH) {
		j->result.outcome = *a->outcome;
		j->result.status = a->status;
	}
	return 0;
}

/* The terminal's echo of Ctrl-C is not the command's. How much of out may go out now. */
static size_t drop_echo(struct job *j)
{
	static const char echo[] = "^C";
	const size_t n = sizeof(echo) - 1;
	char *at = j->echo_due ? memmem(j->out.data, j->out.len_bytes, echo, n) : NULL;

	if (at) {
		memmove(at, at + n, j->out.len_bytes - (size_t)(at - j->out.data) - n);
		j->out.len_bytes -= n;
		j->echo_due = false;
	}
	return j->out.len_bytes -
	       (j->echo_due && j->out.len_bytes && j->out.data[j->out.len_bytes - 1] == echo[0]);
}

/* What one turn brought goes out at once: who reads it sees a slow command's lines when they come. */
static int hand_out(struct job *j, struct nf_err *err)
{
	bool more = !nf_lab_board_outcome(&j->board);
	size_t n = j->out.len_bytes ? drop_echo(j) : 0;
	size_t held = more ? j->out.len_bytes - n : 0;
	int r = 0;

	n = more ? n : j->out.len_bytes;
	if (n && j->o->output)
		r = j->o->output(j->o->ctx, j->out.data, n, err);
	nf_buf_clear(&j->out);
	if (held)
		(void)nf_buf_addc(&j->out, '^');
	return r;
}

static int drive(struct job *j, struct nf_lab_loop *loop, struct nf_err *err)
{
	int64_t until = 0;
	int r = 0;

	while (r == 0 && !nf_lab_board_outcome(&j->board)) {
		r = nf_lab_loop_turn(loop, TURN_MS, err);
		if (r == 0)
			r = hand_out(j, err);
		if (r < 0 || !nf_stop_signo(j->o->stop))
			continue;
		if (!until) {
			until = nf_now_monotonic().ns + LAST_WORDS_NS;
			j->result.stopped_by = nf_stop_signo(j->o->stop);
			j->echo_due = true;
			(void)!nf_lab_board_send(&j->board, ctrl_c, 1, NULL);
		} else if (nf_now_monotonic().ns >= until) {
			r = nf_lab_board_stop(&j->board, err);
		}
	}
	return r;
}

/* A command that nobody waits for any more does not hold the console for the next. */
static void interrupt(struct job *j, int r)
{
	bool late = j->result.outcome.kind == NF_OUTCOME_SHELL_LATE;

	if ((r < 0 || late) && !j->result.stopped_by && j->board.port.fd >= 0)
		(void)!nf_port_write(&j->board.port, ctrl_c, 1, WRITE_MS, NULL);
}

static int talk(struct job *j, const struct nf_dialogue_opts *opts, struct nf_err *err)
{
	const struct nf_lab_talk_watch watch = { .ctx = j, .action = take_action };
	const struct nf_lab_talk t = { .opts = opts, .shell = true, .dirfd = -1, .watch = &watch };
	struct nf_lab_loop loop = { .epoll = -1 };
	struct nf_err ending = { 0 };
	int r = nf_lab_loop_init(&loop, err), s;

	if (r == 0)
		r = nf_lab_loop_add(&loop, &j->board, err);
	if (r == 0)
		r = nf_lab_board_talk(&j->board, &t, err);
	if (r == 0) {
		r = drive(j, &loop, err);
		interrupt(j, r);
	}
	nf_lab_loop_fini(&loop);
	s = nf_lab_board_hush(&j->board, &ending);
	if (r == 0 && s < 0) {
		*err = ending;
		r = s;
	}
	return r;
}

static int fill_opts(const struct nf_lab_shell_opts *o, char nonce[NF_DIALOGUE_NONCE],
                     struct nf_dialogue_opts *ret, struct nf_err *err)
{
	const struct nf_campaign_file *file = o->campaign->file;
	const struct nf_campaign_shell *shell = &file->board.shell;

	if (!shell->pos.line)
		return nf_conf_refuse(&o->campaign->conf, file->board.pos, err,
		                      "the key 'shell' is missing; allowed: a mapping with login, "
		                      "user, password_env and prompt");
	*ret = (struct nf_dialogue_opts){
		.login = shell->login.v,
		.user = shell->user.v,
		.password = o->password,
		.shell_prompt = shell->prompt.v,
		.shell_command = o->command,
		.nonce = nonce,
		.shell_ns = o->timeout_ns,
		.prompt_ns = nf_campaign_config(o->campaign, 0)->timeout.prompt.v,
		.eol = file->board.uboot.eol.v,
	};
	return make_nonce(nonce, err);
}

int nf_job_lab_shell(const struct nf_lab_shell_opts *o, struct nf_lab_shell_result *ret,
                     struct nf_err *err)
{
	struct job j = { .o = o, .result.status = -1 };
	char nonce[NF_DIALOGUE_NONCE];
	struct nf_dialogue_opts opts;
	struct nf_rootfs root;
	struct nf_err closing = { 0 };
	int r = fill_opts(o, nonce, &opts, err), s;

	if (r < 0)
		return r;
	if (nf_rootfs_open(&root, NULL, NULL) < 0)
		root.dirfd = -1;
	nf_buf_init(&j.out, OUTPUT_BYTES);
	r = nf_lab_board_open(&j.board, o->campaign, root.dirfd >= 0 ? &root : NULL, false, err);
	if (r == 0)
		r = talk(&j, &opts, err);
	s = nf_lab_board_close(&j.board, &closing);
	if (r == 0 && s < 0) {
		*err = closing;
		r = s;
	}
	nf_buf_fini(&j.out);
	if (root.dirfd >= 0)
		nf_rootfs_close(&root);
	if (r == 0)
		*ret = j.result;
	return r;
}
