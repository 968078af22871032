/* SPDX-License-Identifier: MIT */
/* fake_monitor - a QEMU monitor that keeps what it was asked in a file, one command a line; a process of its own. */
#ifndef NF_FAKE_MONITOR_H
#define NF_FAKE_MONITOR_H

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum fake_monitor_kind {
	FAKE_MONITOR_GOOD,
	FAKE_MONITOR_REFUSES, /* answers each command with an error */
	FAKE_MONITOR_SILENT, /* greets, then says nothing */
	FAKE_MONITOR_STRANGER, /* speaks something else */
	FAKE_MONITOR_ENDLESS, /* one line without end */
	FAKE_MONITOR_CLOSES, /* greets and goes */
};

static void fake_monitor_say(FILE *f, const char *text)
{
	fputs(text, f);
	fflush(f);
}

static void fake_monitor_serve(int fd, const char *log, enum fake_monitor_kind kind)
{
	FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
	static bool running; /* of this process: the machine's state outlives a connection */
	char line[512];

	fake_monitor_say(out, kind == FAKE_MONITOR_STRANGER ? "220 ready\r\n"
	                                                    : "{\"QMP\": {\"version\": {}}}\r\n");
	while (kind == FAKE_MONITOR_ENDLESS &&
	       fputs("{\"event\": \"xxxxxxxxxxxxxxxxxxxxxxxx", out) >= 0)
		;
	while (kind != FAKE_MONITOR_CLOSES && fgets(line, sizeof(line), in)) {
		FILE *f = fopen(log, "a");

		fputs(line, f);
		fclose(f);
		if (kind == FAKE_MONITOR_SILENT)
			continue;
		if (kind == FAKE_MONITOR_REFUSES && !strstr(line, "qmp_capabilities")) {
			fake_monitor_say(out,
			                 "{\"error\": {\"desc\": \"no \\u001b[31m way\"}}\r\n");
			continue;
		}
		running = strstr(line, "\"cont\"")   ? true
		          : strstr(line, "\"stop\"") ? false
		                                     : running;
		fake_monitor_say(out, "{\"event\": \"RTC_CHANGE\", \"data\": {}}\r\n");
		if (strstr(line, "query-status"))
			fake_monitor_say(out, running ? "{\"return\": {\"running\": true}}\r\n"
			                              : "{\"return\": {\"running\": false}}\r\n");
		else
			fake_monitor_say(out, "{\"return\": {}}\r\n");
	}
	fclose(in);
	fclose(out);
}

/* Its process; ends with the caller. */
static pid_t fake_monitor_start(const char *path, const char *log, enum fake_monitor_kind kind)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(strlen(path) < sizeof(at.sun_path));
	strcpy(at.sun_path, path);
	assert_int_equal(bind(s, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(s, 8), 0);
	pid_t pid = fork();
	if (pid != 0) {
		close(s);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		int fd = accept(s, NULL, NULL);
		if (fd < 0)
			_exit(1);
		fake_monitor_serve(fd, log, kind);
	}
}

static void fake_monitor_stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#endif
