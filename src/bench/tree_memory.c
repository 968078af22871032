/* SPDX-License-Identifier: MIT */
#include "bench/tree_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

struct nf_tree_process {
	pid_t pid;
	pid_t parent;
	pid_t group;
	bool belongs;
};

enum { TEXT_BYTES = 4096, STEPS_OF_COST = 4 };

void nf_tree_memory_init(struct nf_tree_memory *m)
{
	*m = (struct nf_tree_memory){ .step_ns = INT64_C(1000) * NF_TREE_STEP_MIN_US };
}

void nf_tree_memory_fini(struct nf_tree_memory *m)
{
	free(m->process);
	*m = (struct nf_tree_memory){ 0 };
}

/* The begin of a file. False: there is nothing, as a process may end at any time. */
static bool read_of(int proc_fd, pid_t pid, const char *file, char text[TEXT_BYTES])
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/%s", (int)pid, file);
	int fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	do
		n = read(fd, text, TEXT_BYTES - 1);
	while (n < 0 && errno == EINTR);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* The number that text begins with, after blanks; *text: behind it. */
static bool number(const char **text, uint64_t *ret)
{
	char *end;

	*ret = strtoull(*text, &end, 10);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

/* "PID (COMM) STATE PPID PGRP ...", where COMM may hold anything. */
static bool parse_stat(const char *text, struct nf_tree_process *p)
{
	const char *at = strrchr(text, ')');
	uint64_t parent, group;

	if (!at || strlen(at) < 4)
		return false;
	at += 3; /* ") S" */
	if (!number(&at, &parent) || !number(&at, &group))
		return false;
	p->parent = (pid_t)parent;
	p->group = (pid_t)group;
	return true;
}

static int room(struct nf_tree_memory *m, size_t n, struct nf_err *err)
{
	if (n < m->cap)
		return 0;
	if (n >= NF_TREE_PROCESSES_MAX)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "more than %d processes: which of them are the command's is not "
		               "looked for",
		               (int)NF_TREE_PROCESSES_MAX);
	size_t cap = m->cap ? 2 * m->cap : 256;
	void *p = reallocarray(m->process, cap, sizeof(*m->process));
	if (!p)
		return nf_fail_nomem(err, "processes", cap * sizeof(*m->process));
	m->process = p;
	m->cap = cap;
	return 0;
}

static int list(struct nf_tree_memory *m, int proc_fd, pid_t leader, size_t *ret_n,
                struct nf_err *err)
{
	int fd = openat(proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	char text[TEXT_BYTES];
	size_t n = 0;
	int r = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		*ret_n = 0;
		return 0;
	}
	while (r == 0 && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[strspn(entry->d_name, "0123456789")])
			continue;
		r = room(m, n, err);
		if (r < 0)
			break;
		struct nf_tree_process *p = &m->process[n];
		p->pid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (!read_of(proc_fd, p->pid, "stat", text) || !parse_stat(text, p))
			continue;
		p->belongs = p->pid == leader || p->group == leader;
		n++;
	}
	closedir(dir);
	if (r == 0)
		*ret_n = n;
	return r;
}

/* Children of those that belong, until there are no more. */
static void add_children(struct nf_tree_process *p, size_t n)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; p[i].belongs && j < n; j++)
				if (!p[j].belongs && p[j].parent == p[i].pid)
					more = p[j].belongs = true;
	}
}

static bool proportional(int proc_fd, pid_t pid, double *ret)
{
	static const char key[] = "\nPss:";
	char text[TEXT_BYTES];
	uint64_t kib;

	if (!read_of(proc_fd, pid, "smaps_rollup", text))
		return false;
	const char *at = strstr(text, key);
	if (!at)
		return false;
	at += sizeof(key) - 1;
	if (!number(&at, &kib))
		return false;
	*ret = (double)kib * 1024;
	return true;
}

static bool resident(int proc_fd, pid_t pid, double *ret)
{
	char text[TEXT_BYTES];
	const char *at = text;
	uint64_t size, pages;

	if (!read_of(proc_fd, pid, "statm", text) || !number(&at, &size) || !number(&at, &pages))
		return false;
	*ret = (double)pages * (double)sysconf(_SC_PAGESIZE);
	return true;
}

int nf_tree_memory_sample(struct nf_tree_memory *m, int proc_fd, pid_t leader, struct nf_err *err)
{
	struct nf_instant begin = nf_now_raw();
	enum nf_tree_method method = NF_TREE_PSS;
	double sum = 0;
	size_t n, seen = 0;

	/* At once: a short command has ended before all processes were looked through. */
	if (m->samples == 0 && proportional(proc_fd, leader, &sum) && sum > 0) {
		m->samples = 1;
		m->peak_bytes = sum;
		m->method = NF_TREE_PSS;
	}
	sum = 0;
	int r = list(m, proc_fd, leader, &n, err);
	if (r < 0)
		return r;
	add_children(m->process, n);
	for (size_t i = 0; i < n; i++) {
		double bytes = 0;

		if (!m->process[i].belongs)
			continue;
		if (!proportional(proc_fd, m->process[i].pid, &bytes)) {
			/* Nothing of a process that has ended. */
			if (!resident(proc_fd, m->process[i].pid, &bytes) || !(bytes > 0))
				continue;
			method = NF_TREE_RSS;
		}
		sum += bytes;
		seen++;
	}
	if (seen > 0)
		m->samples++;
	if (sum > m->peak_bytes) {
		m->peak_bytes = sum;
		m->method = method;
	}
	int64_t step_ns = STEPS_OF_COST * nf_since_ns(begin, nf_now_raw());
	if (step_ns < INT64_C(1000) * NF_TREE_STEP_MIN_US)
		step_ns = INT64_C(1000) * NF_TREE_STEP_MIN_US;
	if (step_ns > INT64_C(1000) * NF_TREE_STEP_MAX_US)
		step_ns = INT64_C(1000) * NF_TREE_STEP_MAX_US;
	m->step_ns = step_ns;
	return 0;
}
