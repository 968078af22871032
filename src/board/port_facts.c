/* SPDX-License-Identifier: MIT */
/* port_facts - what /sys, /dev and /proc say about a serial port: its driver, how long it keeps bytes back, who
 * has it open. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "board/port_impl.h"

enum {
	ARENA_BYTES = 1 << 16,
	LOCKS_BYTES = 1 << 20,
	NS_PER_MS = 1000000,
	PTY_NS = 50000, /* what write() takes until its bytes are on the other side */
	FIFO_CHARS = 16, /* of a 16550 whose trigger level is not told */
	TIMEOUT_CHARS = 4, /* after which a 16550 gives what is below its trigger level */
	BITS = 10, /* of a character on the wire: start, eight, stop */
};

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

struct link_name {
	const struct nf_rootfs *root;
	const char *folder; /* "dev/serial/by-path" */
	const char *device; /* "ttyUSB0" */
	char *ret;
};

static int look_at_name(void *ctx, const char *name)
{
	struct link_name *b = ctx;
	char path[NF_PORT_PATH_MAX + 32], target[NF_PORT_PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%.200s", b->folder, name);
	n = readlinkat(b->root->dirfd, path, target, sizeof(target) - 1);
	if (n <= 0)
		return 0;
	target[n] = '\0';
	if (strcmp(base_of(target), b->device) != 0)
		return 0;
	snprintf(b->ret, NF_PORT_PATH_MAX, "%.200s", name);
	return 1;
}

static void find_name(const struct nf_rootfs *root, const char *folder, const char *device,
                      char *ret)
{
	struct link_name b = { root, folder, device, ret };

	if (nf_rootfs_list(root, folder, look_at_name, &b, NULL) < 0)
		ret[0] = '\0';
}

/* How long a FIFO keeps a byte back: until as many as its trigger level came, or the line was idle for four
 * characters (TI SLLS057, 16550D data sheet, "FIFO interrupt mode"). */
static int64_t fifo_delay_ns(const struct nf_rootfs *root, const char *device, uint32_t baud)
{
	char path[NF_PORT_PATH_MAX + 40];
	int64_t level;

	snprintf(path, sizeof(path), "sys/class/tty/%.200s/rx_trig_bytes", device);
	if (nf_rootfs_read_i64(root, path, &level, NULL) < 0 || level < 1 || level > 1024)
		level = FIFO_CHARS;
	return baud ? (level + TIMEOUT_CHARS) * BITS * INT64_C(1000000000) / baud : -1;
}

static const char *link_of(const struct nf_rootfs *root, const char *device, const char *what,
                           struct nf_arena *a)
{
	char path[NF_PORT_PATH_MAX + 40];
	const char *base;

	snprintf(path, sizeof(path), "sys/class/tty/%.200s/device/%s", device, what);
	return nf_rootfs_readlink_base(root, path, a, &base, NULL) < 0 ? "" : base;
}

static void find_serial(struct nf_port_facts *f, const struct nf_rootfs *root, const char *device)
{
	char path[NF_PORT_PATH_MAX + 40];
	struct nf_arena a;
	int64_t ms;

	nf_arena_init(&a, ARENA_BYTES);
	snprintf(f->driver, sizeof(f->driver), "%.31s", link_of(root, device, "driver", &a));
	const char *bus = link_of(root, device, "subsystem", &a);
	snprintf(path, sizeof(path), "sys/class/tty/%.200s/device/latency_timer", device);
	if (nf_rootfs_read_i64(root, path, &ms, NULL) == 0 && ms >= 0 && ms <= 255) {
		f->latency_timer_ms = (int32_t)ms;
		f->delay_ns = (ms + 1) * NS_PER_MS; /* and one frame of the bus */
	} else if (f->driver[0] && strncmp(bus, "usb", 3) != 0) {
		f->delay_ns = fifo_delay_ns(root, device, f->baud);
	}
	nf_arena_fini(&a);
}

void nf_port_find_device(struct nf_port_facts *f, const char *path)
{
	char real[PATH_MAX];

	if (realpath(path, real) && strlen(real) < sizeof(f->device))
		memcpy(f->device, real, strlen(real) + 1);
}

void nf_port_find_facts(struct nf_port_facts *f, const struct nf_rootfs *root)
{
	const char *device = base_of(f->device);

	f->by_number = strncmp(base_of(f->name), "ttyUSB", 6) == 0 ||
	               strncmp(base_of(f->name), "ttyACM", 6) == 0;
	if (f->kind == NF_PORT_PTY)
		f->delay_ns = PTY_NS;
	if (!root || f->kind != NF_PORT_SERIAL || !device[0])
		return;
	find_serial(f, root, device);
	find_name(root, "dev/serial/by-path", device, f->by_path);
	find_name(root, "dev/serial/by-id", device, f->by_id);
}

/* "N: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE START END" of the file that `where` tells; 0: another one. */
static long pid_of_lock(char *line, const char *where)
{
	char *save = NULL, *word = strtok_r(line, " ", &save);
	long pid = 0;

	for (int i = 0; word && i < 6; i++) {
		if ((i == 1 && strcmp(word, "FLOCK") != 0) || (i == 5 && strcmp(word, where) != 0))
			return 0;
		if (i == 4)
			pid = strtol(word, NULL, 10);
		if (i == 5)
			return pid > 0 ? pid : 0;
		word = strtok_r(NULL, " ", &save);
	}
	return 0;
}

/* The process that has flock() on the device, from /proc/locks; 0: none that can be seen. */
static long locker_of(const struct nf_rootfs *root, const struct stat *st)
{
	char where[64];
	struct nf_buf b;
	long pid = 0;

	snprintf(where, sizeof(where), "%02x:%02x:%" PRIu64, major(st->st_dev), minor(st->st_dev),
	         (uint64_t)st->st_ino);
	nf_buf_init(&b, LOCKS_BYTES);
	if (nf_rootfs_read(root, "proc/locks", &b, NULL) == 0) {
		char *save = NULL;

		for (char *line = strtok_r(b.data, "\n", &save); line && !pid;
		     line = strtok_r(NULL, "\n", &save))
			pid = pid_of_lock(line, where);
	}
	nf_buf_fini(&b);
	return pid;
}

struct open_files {
	const struct nf_rootfs *root;
	long pid;
	const char *device; /* look for this path */
	bool has_device;
	char capture[NF_PORT_PATH_MAX]; /* a file NAME.raw that it has open; "" for none */
};

static int look_at_file(void *ctx, const char *name)
{
	struct open_files *o = ctx;
	char path[64], target[NF_PORT_PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "proc/%ld/fd/%.20s", o->pid, name);
	n = readlinkat(o->root->dirfd, path, target, sizeof(target) - 1);
	if (n <= 0)
		return 0;
	target[n] = '\0';
	if (strcmp(target, o->device) == 0)
		o->has_device = true;
	if (n > 4 && strcmp(target + n - 4, ".raw") == 0)
		memcpy(o->capture, target, (size_t)n + 1);
	return 0;
}

static void look_at_process(struct open_files *o, long pid)
{
	char path[64];

	o->pid = pid;
	o->has_device = false;
	o->capture[0] = '\0';
	snprintf(path, sizeof(path), "proc/%ld/fd", pid);
	if (nf_rootfs_list(o->root, path, look_at_file, o, NULL) < 0)
		o->has_device = false;
}

static int look_for_opener(void *ctx, const char *name)
{
	struct open_files *o = ctx;
	char *end;
	long pid = strtol(name, &end, 10);

	if (*end || pid <= 0 || pid == getpid())
		return 0;
	look_at_process(o, pid);
	return o->has_device ? 1 : 0;
}

void nf_port_find_holder(const struct nf_rootfs *root, const struct stat *st, const char *path,
                         char ret[NF_PORT_HOLDER_MAX])
{
	char real[PATH_MAX], comm_path[64];
	struct open_files o = { .root = root, .device = realpath(path, real) ? real : path };
	const char *comm = "";
	struct nf_arena a;
	long pid;

	snprintf(ret, NF_PORT_HOLDER_MAX, "another program");
	if (!root)
		return;
	pid = locker_of(root, st);
	if (pid)
		look_at_process(&o, pid);
	else if (nf_rootfs_list(root, "proc", look_for_opener, &o, NULL) == 1)
		pid = o.pid;
	if (!pid)
		return;
	nf_arena_init(&a, ARENA_BYTES);
	snprintf(comm_path, sizeof(comm_path), "proc/%ld/comm", pid);
	if (nf_rootfs_read_line(root, comm_path, &a, &comm, NULL) < 0)
		comm = "a program";
	snprintf(ret, NF_PORT_HOLDER_MAX, "%.32s (process %ld)%s%.250s", comm, pid,
	         o.capture[0] ? ", which captures to " : "", o.capture);
	nf_arena_fini(&a);
}
