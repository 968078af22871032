/* SPDX-License-Identifier: MIT */
#include "cli/signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A handler can reach only static objects. */
static struct nf_stop stop;
static volatile sig_atomic_t n_signals, ask_first;
static void (*volatile before_exit)(void);

static void say(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));
	(void)n; /* nothing else could be told that it failed */
}

static const char *line_of(int signo)
{
	switch (signo) {
	case SIGINT:
		return "noisefloor: interrupted\n";
	case SIGHUP:
		return "noisefloor: terminated: the terminal is gone (SIGHUP)\n";
	case SIGXCPU:
		return "noisefloor: terminated: the limit of CPU time is reached (SIGXCPU)\n";
	default:
		return "noisefloor: terminated\n";
	}
}

static void on_signal(int signo)
{
	int saved = errno;

	if (!ask_first) {
		if (before_exit)
			before_exit();
		say(line_of(signo));
		_exit(128 + (signo == SIGINT ? SIGINT : SIGTERM));
	}
	/* The kernel repeats this one every second: that is not somebody losing patience. */
	if (signo == SIGXCPU && n_signals > 0)
		return;
	n_signals = n_signals + 1;
	if (n_signals == 1) {
		nf_stop_ask(&stop, signo);
	} else if (n_signals == 2) {
		say("noisefloor: already ending, keeping results and putting settings back; "
		    "a third signal ends at once\n");
	} else {
		if (before_exit)
			before_exit();
		_exit(128 + (int)stop.signo);
	}
	errno = saved;
}

static void on_failed_write(int signo)
{
	(void)signo;
}

int nf_signals_install(struct nf_err *err)
{
	static const int asked[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU };
	struct sigaction sa = { .sa_handler = on_signal }, old;
	sigset_t open_set;

	sigemptyset(&sa.sa_mask);
	sigemptyset(&open_set);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		sigaddset(&open_set, asked[i]);
		if (sigaction(asked[i], NULL, &old) < 0)
			return nf_fail_os(err, errno, "cannot read a signal's handler");
		if (old.sa_handler == SIG_IGN && asked[i] != SIGINT && asked[i] != SIGTERM)
			continue;
		if (sigaction(asked[i], &sa, NULL) < 0)
			return nf_fail_os(err, errno, "cannot install a signal handler");
	}
	/* Then the write fails, with EPIPE or EFBIG. A handler, not SIG_IGN: exec puts it back to the default
	 * for programs that are started. */
	sa.sa_handler = on_failed_write;
	sa.sa_flags = SA_RESTART;
	if (sigaction(SIGPIPE, &sa, NULL) < 0 || sigaction(SIGXFSZ, &sa, NULL) < 0)
		return nf_fail_os(err, errno, "cannot install a signal handler");
	if (sigprocmask(SIG_UNBLOCK, &open_set, NULL) < 0)
		return nf_fail_os(err, errno, "cannot unblock signals");
	return 0;
}

void nf_signals_ask_first(bool ask)
{
	ask_first = ask;
}

const struct nf_stop *nf_signals_stop(void)
{
	return &stop;
}

void nf_signals_before_exit(void (*fn)(void))
{
	before_exit = fn;
}
