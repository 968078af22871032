/* SPDX-License-Identifier: MIT */
#include "remote/ssh.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quote.h"
#include "remote/ssh_child.h"
#include "remote/ssh_exchange.h"

enum {
	FOLDER = 32,
	TOKEN = 40, /* "@nf-", 32 hex digits, newline */
	ARGV = 48,
	COMMAND_BYTES = 1 << 17,
	LOST = 255, /* ssh's own exit status (ssh(1)) */
	CONNECT_S = 30,
	SILENCE_S = 120,
	ALIVE_COUNT = 8,
	CLOSE_S = 20,
};
static const int64_t SECOND_NS = INT64_C(1000000000);

struct nf_ssh {
	struct nf_target target;
	char config[4096]; /* "": ssh's own */
	const struct nf_stop *stop; /* borrowed */
	char folder[FOLDER]; /* private, holds the control socket; "": not made */
	char token[TOKEN]; /* before what a command says */
	int64_t silence_ns;
	struct nf_ssh_child master;
	bool held; /* the holding command has begun */
	struct nf_buf skipped; /* of the master's output up to its line */
};

struct args {
	const char *v[ARGV];
	size_t n;
	char control[64], alive[48], count[40], connect[32], port[16];
};

static void add(struct args *a, const char *s)
{
	if (a->n + 1 < ARGV)
		a->v[a->n++] = s;
}

static void arguments(const struct nf_ssh *s, bool master, int64_t connect_ns, struct args *a)
{
	static const char *const fixed[] = {
		"-oBatchMode=yes",      "-oClearAllForwardings=yes", "-oForwardAgent=no",
		"-oForwardX11=no",      "-oPermitLocalCommand=no",   "-oRequestTTY=no",
		"-oRemoteCommand=none", "-oControlPersist=no",       "-oUpdateHostKeys=no",
		"-oEscapeChar=none",    "-oLogLevel=ERROR",          "-oTunnel=no",
		"-oVisualHostKey=no",
	};
	int64_t interval_s = s->silence_ns / SECOND_NS / ALIVE_COUNT;

	a->n = 0;
	add(a, "ssh");
	if (*s->config) {
		add(a, "-F");
		add(a, s->config);
	}
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		add(a, fixed[i]);
	snprintf(a->control, sizeof(a->control), "-oControlPath=%s/c", s->folder);
	snprintf(a->alive, sizeof(a->alive), "-oServerAliveInterval=%lld",
	         (long long)(interval_s > 0 ? interval_s : 1));
	snprintf(a->count, sizeof(a->count), "-oServerAliveCountMax=%d", ALIVE_COUNT);
	snprintf(a->connect, sizeof(a->connect), "-oConnectTimeout=%d",
	         (int)(connect_ns / SECOND_NS > 0 ? connect_ns / SECOND_NS : 1));
	add(a, a->control);
	add(a, master ? "-oControlMaster=yes" : "-oControlMaster=no");
	add(a, a->alive);
	add(a, a->count);
	add(a, a->connect);
	if (*s->target.user) {
		add(a, "-l");
		add(a, s->target.user);
	}
	if (s->target.port) {
		snprintf(a->port, sizeof(a->port), "-p%d", s->target.port);
		add(a, a->port);
	}
	add(a, "--");
	add(a, s->target.host);
}

void nf_ssh_quote(const char *word, struct nf_buf *out)
{
	(void)nf_buf_addc(out, '\'');
	for (const char *p = word; *p; p++)
		if (*p == '\'')
			(void)nf_buf_adds(out, "'\\''");
		else
			(void)nf_buf_addc(out, *p);
	(void)nf_buf_addc(out, '\'');
}

/* The script as one word in single quotes that no login shell reads anything into, whichever it is: what
 * shells disagree on inside of quotes is written in octal for printf %b (POSIX). */
static int wrap(const char *token, const char *script, struct nf_buf *out, struct nf_err *err)
{
	static const char plain[] = " _./=-,:;+@[]{}()<>|&#*?~^";

	(void)nf_buf_adds(out, "exec sh -c 'eval \"$(printf %b \"echo ");
	(void)nf_buf_add(out, token, strlen(token) - 1);
	(void)nf_buf_adds(out, ";");
	for (const char *p = script; *p; p++) {
		char c = *p;
		bool is_word =
		        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

		if (is_word || strchr(plain, c))
			(void)nf_buf_addc(out, c);
		else
			(void)nf_buf_addf(out, "\\0%03o", (unsigned)(unsigned char)c);
	}
	(void)nf_buf_adds(out, "\")\"'");
	return nf_buf_failed(out, "a command for the target", err);
}

static int make_token(char ret[TOKEN], struct nf_err *err)
{
	unsigned char r[16];

	if (getrandom(r, sizeof(r), 0) != (ssize_t)sizeof(r))
		return nf_fail_os(err, errno, "cannot get random bytes");
	memcpy(ret, "@nf-", 4);
	for (size_t i = 0; i < sizeof(r); i++)
		snprintf(ret + 4 + 2 * i, 3, "%02x", (unsigned)r[i]);
	ret[36] = '\n';
	ret[37] = '\0';
	return 0;
}

/* Why a connection that failed did: what ssh said of it, itself first. */
static int lost(const struct nf_ssh *s, const struct nf_said *said, const char *what,
                struct nf_err *err)
{
	char line[NF_SAID_LINE];

	nf_said_line(said, line);
	if (!*line)
		nf_said_line(&s->master.said, line);
	return nf_fail(err, NF_ESUBJECT, "%s: %s%s%s", s->target.text, what, *line ? ": " : "",
	               line);
}

/* A line of the master's answer, if it is whole. */
static bool held_line(struct nf_ssh *s, char ret[NF_SSH_HELD], const char **ret_wrong)
{
	const char *end = memchr(s->skipped.data, '\n', s->skipped.len_bytes);
	size_t len = end ? (size_t)(end - s->skipped.data) : s->skipped.len_bytes;

	*ret_wrong = NULL;
	if (len >= NF_SSH_HELD) {
		*ret_wrong = "answers with a line that is too long";
		return true;
	}
	if (!end)
		return false;
	for (size_t i = 0; i < len; i++)
		if (s->skipped.data[i] < 0x20 || s->skipped.data[i] > 0x7e) {
			*ret_wrong = "answers with what is no text";
			return true;
		}
	memcpy(ret, s->skipped.data, len);
	ret[len] = '\0';
	return true;
}

static int take_line(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct nf_ssh *s = ctx;

	(void)nf_buf_add(&s->skipped, data,
	                 len_bytes < NF_SSH_HELD ? len_bytes : (size_t)NF_SSH_HELD);
	(void)err;
	return memchr(s->skipped.data, '\n', s->skipped.len_bytes) ||
	                       s->skipped.len_bytes >= NF_SSH_HELD
	               ? NF_SSH_ENOUGH
	               : 0;
}

static int start_master(struct nf_ssh *s, const struct nf_ssh_cfg *cfg, char ret_line[NF_SSH_HELD],
                        struct nf_err *err)
{
	int64_t connect_ns = cfg->connect_ns > 0 ? cfg->connect_ns : CONNECT_S * SECOND_NS;
	struct nf_ssh_exchange x = { .child = &s->master,
		                     .token = s->token,
		                     .who = s->target.text,
		                     .stop = s->stop,
		                     .timeout_ns = connect_ns,
		                     .max_bytes = SIZE_MAX,
		                     .sink = take_line,
		                     .sink_ctx = s };
	char line[NF_SSH_HELD] = "";
	struct nf_buf command;
	struct args a;
	const char *wrong;

	nf_buf_init(&command, COMMAND_BYTES);
	arguments(s, true, connect_ns, &a);
	int r = wrap(s->token, cfg->hold ? cfg->hold : "echo held; cat >/dev/null", &command, err);
	if (r == 0) {
		add(&a, command.data);
		a.v[a.n] = NULL;
		r = nf_ssh_child_start(a.v, -1, &s->master, err);
	}
	if (r == 0)
		r = nf_ssh_exchange_run(&x, err);
	if (r == 0 && x.stopped)
		r = nf_fail(err, NF_ESUBJECT, "%s: stopped before it was reached", s->target.text);
	else if (r == 0 && x.timed_out)
		r = nf_fail(err, NF_ETIMEOUT, "%s: no answer within %g s", s->target.text,
		            (double)connect_ns / 1e9);
	else if (r == 0 && !held_line(s, line, &wrong))
		r = lost(s, &s->master.said, "not reached", err);
	else if (r == 0 && wrong)
		r = nf_fail(err, NF_ESUBJECT, "%s: %s", s->target.text, wrong);
	if (r == 0 && ret_line)
		memcpy(ret_line, line, sizeof(line));
	s->held = r == 0;
	nf_buf_fini(&command);
	return r;
}

int nf_ssh_open(const struct nf_target *t, const struct nf_ssh_cfg *cfg, struct nf_ssh **ret,
                char ret_line[NF_SSH_HELD], struct nf_err *err)
{
	struct nf_ssh *s = calloc(1, sizeof(*s));
	int r = 0;

	if (!s)
		return nf_fail_nomem(err, "a connection", sizeof(*s));
	s->target = *t;
	s->stop = cfg->stop;
	s->silence_ns = cfg->silence_ns > 0 ? cfg->silence_ns : SILENCE_S * SECOND_NS;
	s->master = NF_SSH_CHILD_NONE;
	nf_buf_init(&s->skipped, NF_SSH_HELD * 2);
	if (cfg->config && strlen(cfg->config) >= sizeof(s->config))
		r = nf_fail(err, NF_EARG, "the path of ssh's configuration is too long");
	else if (cfg->config)
		memcpy(s->config, cfg->config, strlen(cfg->config) + 1);
	if (r == 0)
		r = make_token(s->token, err);
	if (r == 0) {
		/* Short: the path of a socket has 107 bytes, and ssh appends 17 to it while it makes one. */
		memcpy(s->folder, "/tmp/nf-ssh-XXXXXX", sizeof("/tmp/nf-ssh-XXXXXX"));
		if (!mkdtemp(s->folder)) {
			*s->folder = '\0';
			r = nf_fail_os(err, errno, "cannot make a folder in /tmp");
		}
	}
	if (r == 0)
		r = start_master(s, cfg, ret_line, err);
	if (r < 0) {
		(void)nf_ssh_close(s);
		return r;
	}
	*ret = s;
	return 0;
}

bool nf_ssh_is_open(struct nf_ssh *s)
{
	nf_ssh_child_listen(&s->master);
	return !nf_ssh_child_ended(&s->master);
}

void nf_ssh_finish(struct nf_ssh *s)
{
	s->stop = NULL;
}

bool nf_ssh_close(struct nf_ssh *s)
{
	if (!s)
		return true;
	bool running = s->master.pid >= 0 && !nf_ssh_child_ended(&s->master);
	nf_ssh_child_hush(&s->master);
	/* Of one that never came so far the end of the connection is all it gets. */
	bool clean = running && s->held && nf_ssh_child_await(&s->master, CLOSE_S * SECOND_NS);
	nf_ssh_child_end(&s->master);
	if (*s->folder) {
		char path[FOLDER + 4];

		snprintf(path, sizeof(path), "%s/c", s->folder);
		(void)unlink(path); /* ssh does it where it can */
		(void)rmdir(s->folder);
	}
	nf_buf_fini(&s->skipped);
	free(s);
	return clean;
}

/* What the command's end means. */
static int judge(struct nf_ssh *s, struct nf_ssh_child *c, const struct nf_ssh_exchange *x,
                 const struct nf_ssh_call *call, struct nf_ssh_end *ret, struct nf_err *err)
{
	struct nf_ssh_end end = { .stopped = x->stopped, .timed_out = x->timed_out, .status = -1 };

	nf_said_line(&c->said, end.said);
	if (x->stopped && !call->controlled) {
		*ret = end;
		return 0;
	}
	if (x->timed_out && (!call->controlled || !x->at_end))
		return nf_fail(err, NF_ETIMEOUT, "%s: no end within %g s", s->target.text,
		               (double)call->timeout_ns / 1e9);
	if (!x->at_end || !nf_ssh_child_await(c, 5 * SECOND_NS))
		return nf_fail(err, NF_ETIMEOUT, "%s: asked to end, and did not within %g s",
		               s->target.text, (double)call->grace_ns / 1e9);
	if (!WIFEXITED(c->wait_status) || WEXITSTATUS(c->wait_status) == LOST || !x->begun) {
		nf_ssh_child_listen(&s->master);
		return lost(s, nf_ssh_child_ended(&s->master) ? &s->master.said : &c->said,
		            "the connection is lost", err);
	}
	end.status = WEXITSTATUS(c->wait_status);
	*ret = end;
	return 0;
}

int nf_ssh_run(struct nf_ssh *s, const struct nf_ssh_call *call, struct nf_ssh_end *ret,
               struct nf_err *err)
{
	struct nf_ssh_child child = NF_SSH_CHILD_NONE;
	struct nf_ssh_exchange x = { .child = &child,
		                     .beside = &s->master,
		                     .token = s->token,
		                     .who = s->target.text,
		                     .stop = s->stop,
		                     .input = call->input,
		                     .input_bytes = call->input_bytes,
		                     .controlled = call->controlled,
		                     .grace_ns = call->grace_ns,
		                     .timeout_ns = call->timeout_ns,
		                     .max_bytes = call->max_bytes,
		                     .sink = call->sink,
		                     .sink_ctx = call->sink_ctx };
	struct nf_buf command;
	struct args a;

	if (!nf_ssh_is_open(s))
		return lost(s, &s->master.said, "the connection is lost", err);
	nf_buf_init(&command, COMMAND_BYTES);
	arguments(s, false, CONNECT_S * SECOND_NS, &a);
	int r = wrap(s->token, call->script, &command, err);
	if (r == 0) {
		add(&a, command.data);
		a.v[a.n] = NULL;
		r = nf_ssh_child_start(a.v, call->input_from_fd ? call->input_fd : -1, &child, err);
	}
	if (r == 0)
		r = nf_ssh_exchange_run(&x, err);
	if (r == 0)
		r = judge(s, &child, &x, call, ret, err);
	nf_ssh_child_end(&child);
	nf_buf_fini(&command);
	return r;
}

static int to_buf(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct nf_buf *out = ctx;

	(void)nf_buf_add(out, data, len_bytes);
	return nf_buf_failed(out, "the target's answer", err);
}

int nf_ssh_ask(struct nf_ssh *s, const char *script, int64_t timeout_ns, struct nf_buf *out,
               struct nf_ssh_end *ret, struct nf_err *err)
{
	const struct nf_ssh_call call = { .script = script,
		                          .timeout_ns = timeout_ns,
		                          .max_bytes = out->max_bytes - out->len_bytes,
		                          .sink = to_buf,
		                          .sink_ctx = out };

	return nf_ssh_run(s, &call, ret, err);
}
