/* SPDX-License-Identifier: MIT */
#include "machine/smi.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum {
	MSR_SMI_COUNT = 0x34,
	WHY_BYTES = 200,
	FILE_MAX_BYTES = 4096,
	CPUINFO_MAX_BYTES = 16 << 20, /* 4,096 CPUs take about 6 MB */
};

struct nf_smi {
	enum nf_smi_source source;
	size_t n;
	struct {
		int cpu;
		int fd; /* owned; -1: not open */
	} one[];
};

/* What read(2) gives for the read_format asked for. */
struct perf_reading {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

bool nf_smi_hypervisor(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c >> 31 & 1);
#else
	return false;
#endif
}

static void close_all(struct nf_smi *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->one[i].fd >= 0)
			close(s->one[i].fd);
		s->one[i].fd = -1;
	}
}

static int read_msr(int fd, uint64_t *ret)
{
	uint64_t v;
	ssize_t n;

	do
		n = pread(fd, &v, sizeof(v), MSR_SMI_COUNT);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno;
	if (n != (ssize_t)sizeof(v))
		return EIO;
	*ret = v & UINT32_MAX; /* bits 63:32 are reserved */
	return 0;
}

static int read_perf(int fd, struct perf_reading *ret)
{
	struct perf_reading v;
	ssize_t n;

	do
		n = read(fd, &v, sizeof(v));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno;
	if (n != (ssize_t)sizeof(v))
		return EIO;
	*ret = v;
	return 0;
}

static bool open_msr(const struct nf_rootfs *root, struct nf_smi *s, char why[WHY_BYTES])
{
	for (size_t i = 0; i < s->n; i++) {
		char path[40];
		uint64_t v = 0;
		int e;

		snprintf(path, sizeof(path), "dev/cpu/%d/msr", s->one[i].cpu);
		s->one[i].fd = openat(root->dirfd, path, O_RDONLY | O_CLOEXEC);
		e = s->one[i].fd < 0 ? errno : 0;
		if (e == ENOENT || e == ENXIO || e == ENODEV)
			snprintf(why, WHY_BYTES,
			         "/%s is absent (as root: modprobe msr, then run as root)", path);
		else if (e == EACCES || e == EPERM)
			snprintf(why, WHY_BYTES,
			         "/%s: not permitted (run as root, or with CAP_SYS_RAWIO and read "
			         "access)",
			         path);
		else if (e != 0)
			snprintf(why, WHY_BYTES, "/%s: %s", path, strerrordesc_np(e));
		else if ((e = read_msr(s->one[i].fd, &v)) != 0)
			snprintf(why, WHY_BYTES, "/%s: MSR 0x34 cannot be read (%s)", path,
			         strerrordesc_np(e));
		if (e != 0) {
			close_all(s);
			return false;
		}
	}
	s->source = NF_SMI_MSR;
	return true;
}

/* PMU type and config of msr/smi/. The event file reads "event=0x04". */
static int find_perf_event(const struct nf_rootfs *root, struct perf_event_attr *attr,
                           struct nf_err *err)
{
	static const char dir[] = "sys/bus/event_source/devices/msr";
	static const char key[] = "event=";
	struct nf_buf text;
	char path[64];
	int64_t type;
	int r;

	nf_buf_init(&text, FILE_MAX_BYTES);
	snprintf(path, sizeof(path), "%s/type", dir);
	if ((r = nf_rootfs_read_i64(root, path, &type, err)) < 0)
		goto out;
	snprintf(path, sizeof(path), "%s/events/smi", dir);
	if ((r = nf_rootfs_read(root, path, &text, err)) < 0)
		goto out;
	attr->type = (uint32_t)type;
	attr->config = strncmp(text.data, key, sizeof(key) - 1) == 0
	                       ? strtoull(text.data + sizeof(key) - 1, NULL, 0)
	                       : 0;
	if (type < 0 || type > INT32_MAX || attr->config == 0)
		r = nf_fail(err, NF_EDATA, "%s does not describe an event", dir);
out:
	nf_buf_fini(&text);
	return r;
}

/* 0; -NF_EUNSUPPORTED with the reason in why; -NF_ENOMEM with *err filled. */
static int open_perf(const struct nf_rootfs *root, struct nf_smi *s, char why[WHY_BYTES],
                     struct nf_err *err)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct nf_err not_found;
	int r = find_perf_event(root, &attr, &not_found);

	if (r == -NF_ENOMEM) {
		if (err)
			*err = not_found;
		return r;
	}
	if (r < 0) {
		snprintf(why, WHY_BYTES, "this kernel or CPU has no msr/smi event");
		return -NF_EUNSUPPORTED;
	}
	if (!root->live) {
		snprintf(why, WHY_BYTES, "a captured host cannot count");
		return -NF_EUNSUPPORTED;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct perf_reading v;
		int e = 0;

		s->one[i].fd = (int)syscall(SYS_perf_event_open, &attr, -1, s->one[i].cpu, -1,
		                            PERF_FLAG_FD_CLOEXEC);
		if (s->one[i].fd < 0)
			e = errno;
		else
			e = read_perf(s->one[i].fd, &v);
		if (e == EACCES || e == EPERM)
			snprintf(why, WHY_BYTES,
			         "not permitted (CAP_PERFMON, or sysctl "
			         "kernel.perf_event_paranoid=0)");
		else if (e != 0)
			snprintf(why, WHY_BYTES, "CPU %d: %s", s->one[i].cpu, strerrordesc_np(e));
		if (e != 0) {
			close_all(s);
			return -NF_EUNSUPPORTED;
		}
	}
	s->source = NF_SMI_PERF;
	return 0;
}

/* The vendor in /proc/cpuinfo, "" where there is none (not x86). */
static int read_vendor(const struct nf_rootfs *root, char ret[16], struct nf_err *err)
{
	static const char key[] = "vendor_id";
	struct nf_buf text;
	const char *p;
	int r;

	nf_buf_init(&text, CPUINFO_MAX_BYTES);
	r = nf_rootfs_read(root, "proc/cpuinfo", &text, err);
	if (r < 0)
		goto out;
	ret[0] = '\0';
	for (p = text.data; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, key, sizeof(key) - 1) == 0) {
			(void)sscanf(p + sizeof(key) - 1, " : %15s", ret);
			break;
		}
	}
out:
	nf_buf_fini(&text);
	return r;
}

int nf_smi_open(const struct nf_rootfs *root, const struct nf_cpuset *cpus, struct nf_smi **ret,
                struct nf_err *err)
{
	size_t n = nf_cpuset_count(cpus), bytes;
	char vendor[16], why_msr[WHY_BYTES] = "", why_perf[WHY_BYTES] = "";
	struct nf_smi *s;
	int r;

	if (n == 0)
		return nf_fail(err, NF_EARG, "no CPU to count SMIs on");
	r = read_vendor(root, vendor, err);
	if (r < 0)
		return r;
	if (strcmp(vendor, "GenuineIntel") != 0)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "SMIs are counted by Intel CPUs only; this one is %s",
		               vendor[0] ? vendor : "of another architecture or unknown");
	bytes = sizeof(*s) + n * sizeof(s->one[0]); /* n <= NF_CPU_MAX */
	s = malloc(bytes);
	if (!s)
		return nf_fail_nomem(err, "SMI counters", bytes);
	s->n = 0;
	for (int c = nf_cpuset_next(cpus, -1); c >= 0; c = nf_cpuset_next(cpus, c)) {
		s->one[s->n].cpu = c;
		s->one[s->n++].fd = -1;
	}
	r = open_msr(root, s, why_msr) ? 0 : open_perf(root, s, why_perf, err);
	if (r == -NF_EUNSUPPORTED)
		r = nf_fail(err, NF_EUNSUPPORTED, "SMIs cannot be counted: %s; perf: %s", why_msr,
		            why_perf);
	if (r < 0)
		free(s);
	else
		*ret = s;
	return r;
}

void nf_smi_close(struct nf_smi *s)
{
	if (!s)
		return;
	close_all(s);
	free(s);
}

enum nf_smi_source nf_smi_source(const struct nf_smi *s)
{
	return s->source;
}

size_t nf_smi_n_cpus(const struct nf_smi *s)
{
	return s->n;
}

int nf_smi_cpu(const struct nf_smi *s, size_t i)
{
	return i < s->n ? s->one[i].cpu : -1;
}

int nf_smi_read(const struct nf_smi *s, size_t i, uint64_t *ret, struct nf_err *err)
{
	struct perf_reading p = { 0 };
	int e;

	if (i >= s->n)
		return nf_fail(err, NF_EARG, "SMI counter %zu of %zu", i, s->n);
	if (s->source == NF_SMI_MSR) {
		e = read_msr(s->one[i].fd, ret);
		return e == 0 ? 0 : nf_fail_os(err, e, "read MSR 0x34 of CPU %d", s->one[i].cpu);
	}
	e = read_perf(s->one[i].fd, &p);
	if (e != 0)
		return nf_fail_os(err, e, "read perf's SMI count of CPU %d", s->one[i].cpu);
	if (p.running_ns != p.enabled_ns)
		return nf_fail(err, NF_ENODATA,
		               "perf counted SMIs on CPU %d for a part of the time only",
		               s->one[i].cpu);
	*ret = p.value;
	return 0;
}
