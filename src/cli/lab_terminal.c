/* SPDX-License-Identifier: MIT */
#include "cli/lab_terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <termios.h>
#include <unistd.h>

#include "cli/signals.h"

static struct termios was, raw;
static volatile sig_atomic_t is_raw;
static int terminal = -1;
static const int crashes[] = { SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
static struct sigaction old_stop, old_go;

static void put_back(void)
{
	if (is_raw)
		(void)tcsetattr(terminal, TCSANOW, &was);
}

/* The default is put back already (SA_RESETHAND): the signal does what it always does. */
static void on_crash(int signo)
{
	put_back();
	(void)raise(signo);
}

static void on_stop(int signo)
{
	int saved = errno;
	sigset_t set;
	struct sigaction as_always = { .sa_handler = SIG_DFL }, mine;

	put_back();
	(void)sigaction(signo, &as_always, &mine);
	(void)raise(signo);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, signo);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL); /* stops here */
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)sigaction(signo, &mine, NULL);
	/* Here again after SIGCONT, or at once where nobody could continue it (an orphaned process group). */
	if (is_raw)
		(void)tcsetattr(terminal, TCSANOW, &raw);
	errno = saved;
}

/* After SIGSTOP, which cannot be caught, a shell has put the terminal back. */
static void on_go(int signo)
{
	int saved = errno;

	(void)signo;
	if (is_raw)
		(void)tcsetattr(terminal, TCSANOW, &raw);
	errno = saved;
}

static void watch_signals(void)
{
	struct sigaction crash = { .sa_handler = on_crash,
		                   .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };
	struct sigaction stop = { .sa_handler = on_stop, .sa_flags = SA_RESTART };
	struct sigaction go = { .sa_handler = on_go, .sa_flags = SA_RESTART };

	(void)sigemptyset(&crash.sa_mask);
	(void)sigemptyset(&stop.sa_mask);
	(void)sigemptyset(&go.sa_mask);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		(void)sigaction(crashes[i], &crash, NULL);
	(void)sigaction(SIGTSTP, &stop, &old_stop);
	(void)sigaction(SIGCONT, &go, &old_go);
	nf_signals_before_exit(put_back);
}

static void forget_signals(void)
{
	struct sigaction as_always = { .sa_handler = SIG_DFL };

	nf_signals_before_exit(NULL);
	(void)sigaction(SIGCONT, &old_go, NULL);
	(void)sigaction(SIGTSTP, &old_stop, NULL);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		(void)sigaction(crashes[i], &as_always, NULL);
}

int nf_terminal_raw(int fd, struct nf_err *err)
{
	if (tcgetattr(fd, &was) < 0)
		return errno == ENOTTY || errno == EINVAL
		               ? nf_fail(err, NF_EARG, "--interactive needs a terminal to type at")
		               : nf_fail_os(err, errno, "cannot read the terminal's settings");
	raw = was;
	cfmakeraw(&raw);
	raw.c_oflag = was.c_oflag; /* lines of ours end as they always do */
	terminal = fd;
	is_raw = 1; /* before: a signal in between puts back what is there */
	watch_signals();
	if (tcsetattr(fd, TCSANOW, &raw) == 0)
		return 0;
	int e = errno;
	nf_terminal_restore();
	return nf_fail_os(err, e, "cannot set up the terminal");
}

void nf_terminal_restore(void)
{
	if (!is_raw)
		return;
	put_back();
	is_raw = 0;
	forget_signals();
}
