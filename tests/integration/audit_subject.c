/* SPDX-License-Identifier: MIT */
/* audit_subject - regions of every kind, for audit.py: audit_subject MODE. */
#include <noisefloor/region.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, TIMES = 50, MANY = 20000, NAMES = 600, DEEP = 20 };

static int out_fd;

static void put(int fd, const char *text)
{
	size_t len = strlen(text);

	if (write(fd, text, len) != (ssize_t)len)
		abort();
}

/* 10 bytes in each of the outer, of which 4 are in the inner, too. */
static void nested(void)
{
	nf_region_begin("outer");
	put(STDERR_FILENO, "before");
	nf_region_begin("inner");
	put(STDERR_FILENO, "in.\n");
	nf_region_end("inner");
	nf_region_end("outer");
	nf_region_begin("none");
	nf_region_end("none");
}

static void *thread_writes(void *arg)
{
	char name[32];

	snprintf(name, sizeof(name), "thread %d", *(int *)arg);
	for (int i = 0; i < TIMES; i++) {
		nf_region_begin(name);
		if (*(int *)arg == 0)
			put(out_fd, "0123456789");
		nf_region_end(name);
		nf_region_begin("shared");
		nf_region_end("shared");
	}
	return NULL;
}

static void threads(void)
{
	pthread_t t[THREADS];
	int index[THREADS];

	for (int i = 0; i < THREADS; i++) {
		index[i] = i;
		if (pthread_create(&t[i], NULL, thread_writes, &index[i]) != 0)
			abort();
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static void *helper_writes(void *arg)
{
	(void)arg;
	put(out_fd, "from a helper");
	return NULL;
}

static void helper(void)
{
	pthread_t t;

	nf_region_begin("helped");
	if (pthread_create(&t, NULL, helper_writes, NULL) != 0)
		abort();
	pthread_join(t, NULL);
	nf_region_end("helped");
}

/* The child writes in the parent's region, ends it (which it must not), and has one of its own. */
static void forks(void)
{
	nf_region_begin("forking");
	pid_t pid = fork();
	if (pid == 0) {
		nf_region_end("forking");
		put(out_fd, "child");
		nf_region_begin("of the child");
		nf_region_end("of the child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	nf_region_end("forking");
}

static void *ends(void *arg)
{
	(void)arg;
	nf_region_end("elsewhere");
	return NULL;
}

static void elsewhere(void)
{
	pthread_t t;

	nf_region_begin("elsewhere");
	if (pthread_create(&t, NULL, ends, NULL) != 0)
		abort();
	pthread_join(t, NULL);
}

static jmp_buf back;

static void jumps(void)
{
	static volatile int n;

	n = 0;
	if (setjmp(back) != 0)
		n++;
	nf_region_begin("jumped out of");
	nf_region_begin("jumped out of, inside");
	if (n < 5)
		longjmp(back, 1);
	nf_region_end("jumped out of"); /* the inner one is abandoned */
}

static void many(void)
{
	for (int i = 0; i < MANY; i++) {
		nf_region_begin("often");
		nf_region_end("often");
	}
}

static void names(void)
{
	char name[200];

	for (int i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "%03d \x1b[31m\"\xff%0150d", i, 0);
		nf_region_begin(name);
		nf_region_end(name);
	}
}

static void deep(void)
{
	char name[32];

	for (int i = 0; i < DEEP; i++) {
		snprintf(name, sizeof(name), "depth %02d", i);
		nf_region_begin(name);
	}
	for (int i = DEEP; i-- > 0;) {
		snprintf(name, sizeof(name), "depth %02d", i);
		nf_region_end(name);
	}
}

/* printf in one region, the write of it in another. */
static void buffered(void)
{
	static char room[BUFSIZ];

	setvbuf(stdout, room, _IOFBF, sizeof(room));
	for (int i = 0; i < 3; i++) {
		nf_region_begin("prints");
		printf("0123456789");
		nf_region_end("prints");
	}
	nf_region_begin("flushes");
	fflush(stdout);
	nf_region_end("flushes");
}

static void reads(void)
{
	char text[64];
	int p[2];

	if (pipe(p) < 0)
		abort();
	put(p[1], "0123456789");
	nf_region_begin("reads");
	if (read(p[0], text, sizeof(text)) != 10)
		abort();
	nf_region_end("reads");
}

/* send() is none of /proc's writes. */
static void sends(void)
{
	int s[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) < 0)
		abort();
	nf_region_begin("sends");
	if (send(s[0], "0123456789", 10, 0) != 10)
		abort();
	nf_region_end("sends");
}

/* The audit's own files are closed, and their numbers are others'. */
static void closed(void)
{
	nf_region_begin("closing");
	for (int fd = 3; fd < 300; fd++)
		close(fd);
	for (int i = 0; i < 250; i++)
		if (dup(STDIN_FILENO) < 0)
			abort();
	nf_region_end("closing");
	nf_region_begin("after");
	put(STDERR_FILENO, "after");
	nf_region_end("after");
}

static void keeps_errno(void)
{
	errno = 4711;
	nf_region_begin("errno");
	nf_region_end("errno");
	if (errno != 4711)
		abort();
}

static void killed(void)
{
	nf_region_begin("done");
	put(STDERR_FILENO, "done");
	nf_region_end("done");
	nf_region_begin("killed in");
	kill(getpid(), SIGKILL);
}

static void fails(void)
{
	nested();
	exit(3);
}

static void waits(void)
{
	nf_region_begin("before");
	put(STDERR_FILENO, "waits");
	nf_region_end("before");
	sleep(600);
}

static void daemons(void)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			sleep(1);
		_exit(0);
	}
	many();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{ "nested", nested },     { "threads", threads },   { "helper", helper },
		{ "forks", forks },       { "jumps", jumps },       { "elsewhere", elsewhere },
		{ "many", many },         { "names", names },       { "deep", deep },
		{ "buffered", buffered }, { "reads", reads },       { "sends", sends },
		{ "closed", closed },     { "errno", keeps_errno }, { "killed", killed },
		{ "fails", fails },       { "waits", waits },       { "daemons", daemons },
	};

	out_fd = STDERR_FILENO;
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i].name, argv[1]) == 0) {
			modes[i].run();
			return 0;
		}
	return 2;
}
