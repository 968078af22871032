/* SPDX-License-Identifier: MIT */
/*
 * region - the marks of noisefloor/region.h: code that runs in an audited program. A part of that program, as
 * the benchmark child is: it reads one variable of the environment, once, and keeps what belongs to the
 * process.
 *
 * What each thread may use of the kernel's counts: those of /proc/thread-self/io are the thread's, those of
 * /proc/self/io the process's with the children it waited for. A read of either is counted in the next one,
 * so each thread keeps what its own reads were and takes it out: exactly, not by an average.
 */
#include "noisefloor/region.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/region_page.h"

enum {
	IO_BYTES = 512,
	EMPTY_TIMES = 64,
	NAMING_LOOKS = 1 << 20, /* how long a slot may stay without its name */
	HIGH_FD = 200, /* out of the way of programs that expect low numbers */
};

/* What the counters were. */
struct reading {
	size_t pending; /* bytes in stdout's and stderr's buffers */
	bool readable;
	struct nf_region_io process, thread;
	uint64_t own_rchar, own_syscr; /* of the thread, when `thread` was read */
	struct rusage usage;
};

struct open_region {
	struct nf_region_slot *slot;
	struct reading at_begin;
	int64_t begin_ns;
	int64_t audit_ns; /* the thread's, at begin_ns */
	int64_t cost_ns; /* of its begin */
};

struct thread {
	pid_t pid;
	int process_fd, thread_fd; /* -1: not open */
	uint64_t own_rchar, own_syscr; /* the audit's reads */
	int64_t audit_ns; /* time spent here */
	unsigned skipped; /* begins that were not taken, and not ended yet */
	unsigned depth;
	struct open_region open[NF_REGION_DEPTH];
};

static struct {
	struct nf_region_page *page; /* NULL: nobody audits this program */
	pthread_key_t key;
	pid_t calibrated; /* atomic: the process that measured empty regions */
} shared;

static _Thread_local struct thread *self;

static void add(uint64_t *sum, uint64_t v)
{
	if (v)
		__atomic_add_fetch(sum, v, __ATOMIC_RELAXED);
}

/* --- what is read --- */

static int open_high(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static bool read_once(struct thread *t, int fd, struct nf_region_io *ret)
{
	char text[IO_BYTES];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof(text), 0);
	struct nf_err err;

	if (n < 0)
		return false;
	t->own_rchar += (uint64_t)n;
	t->own_syscr++;
	return nf_region_io_parse(text, (size_t)n, ret, &err) == 0;
}

/* Opens the file anew where the program has closed it, or put another in its place. */
static bool read_io(struct thread *t, int *fd, const char *path, struct nf_region_io *ret)
{
	if (read_once(t, *fd, ret))
		return true;
	*fd = open_high(path);
	return read_once(t, *fd, ret);
}

static size_t pending(void)
{
	return __fpending(stdout) + __fpending(stderr);
}

static void read_process(struct thread *t, struct reading *r)
{
	if (!read_io(t, &t->process_fd, "/proc/self/io", &r->process))
		r->readable = false;
}

static void read_thread(struct thread *t, struct reading *r)
{
	uint64_t rchar = t->own_rchar, syscr = t->own_syscr;

	if (!read_io(t, &t->thread_fd, "/proc/thread-self/io", &r->thread))
		r->readable = false;
	r->own_rchar = rchar;
	r->own_syscr = syscr;
}

static void read_usage(struct reading *r)
{
	if (getrusage(RUSAGE_THREAD, &r->usage) != 0)
		r->readable = false;
}

/* --- the thread --- */

static void thread_gone(void *arg)
{
	struct thread *t = arg;

	if (t->pid == getpid()) {
		if (t->process_fd >= 0)
			close(t->process_fd);
		if (t->thread_fd >= 0)
			close(t->thread_fd);
	}
	self = NULL;
	free(t);
}

/* NULL: no memory. After fork() it begins anew: the files are the parent's, and so are open regions. */
static struct thread *own_thread(void)
{
	struct thread *t = self;
	pid_t pid = getpid();

	if (t && t->pid == pid)
		return t;
	if (!t) {
		t = calloc(1, sizeof(*t));
		if (!t)
			return NULL;
		if (pthread_setspecific(shared.key, t) != 0) {
			free(t);
			return NULL;
		}
		self = t;
	} else {
		if (t->process_fd >= 0)
			close(t->process_fd);
		if (t->thread_fd >= 0)
			close(t->thread_fd);
	}
	t->pid = pid;
	t->process_fd = t->thread_fd = -1;
	t->own_rchar = t->own_syscr = 0;
	t->audit_ns = 0;
	t->depth = t->skipped = 0;
	return t;
}

/* --- the region's slot --- */

static uint32_t hash_name(const char *name, size_t len)
{
	uint32_t h = 2166136261U; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619U;
	return h;
}

static uint32_t settled_state(const struct nf_region_slot *s)
{
	uint32_t state = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);

	for (int i = 0; state == NF_REGION_BEING_NAMED && i < NAMING_LOOKS; i++)
		state = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
	return state;
}

static bool claim(struct nf_region_slot *s, const char *name, size_t len)
{
	uint32_t none = NF_REGION_FREE;

	if (!__atomic_compare_exchange_n(&s->state, &none, NF_REGION_BEING_NAMED, false,
	                                 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	memcpy(s->name, name, len);
	__atomic_store_n(&s->state, NF_REGION_NAMED, __ATOMIC_RELEASE);
	return true;
}

/* NULL: the table is full. make false: or it is not there. */
static struct nf_region_slot *find_slot(const char *name, size_t len, bool make)
{
	uint32_t at = hash_name(name, len);

	for (size_t i = 0; i < NF_REGION_SLOTS; i++) {
		struct nf_region_slot *s = &shared.page->slot[(at + i) % NF_REGION_SLOTS];

		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == NF_REGION_FREE) {
			if (!make)
				return NULL;
			if (claim(s, name, len))
				return s;
		}
		if (settled_state(s) == NF_REGION_NAMED && strncmp(s->name, name, len) == 0 &&
		    s->name[len] == '\0')
			return s;
	}
	return NULL;
}

/* --- the sums --- */

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t us_between(struct timeval a, struct timeval b)
{
	int64_t us = (int64_t)(b.tv_sec - a.tv_sec) * 1000000 + (b.tv_usec - a.tv_usec);

	return us > 0 ? (uint64_t)us : 0;
}

static void add_usage(struct nf_region_sums *s, const struct rusage *a, const struct rusage *b)
{
	add(&s->user_us, us_between(a->ru_utime, b->ru_utime));
	add(&s->system_us, us_between(a->ru_stime, b->ru_stime));
	add(&s->minor_faults, (uint64_t)(b->ru_minflt - a->ru_minflt));
	add(&s->major_faults, (uint64_t)(b->ru_majflt - a->ru_majflt));
	add(&s->voluntary_switches, (uint64_t)(b->ru_nvcsw - a->ru_nvcsw));
	add(&s->involuntary_switches, (uint64_t)(b->ru_nivcsw - a->ru_nivcsw));
}

/* Whether there was any. */
static bool add_io(struct nf_region_sums *s, const struct reading *a, const struct reading *b)
{
	const struct nf_region_io *x = &a->thread, *y = &b->thread;
	const struct nf_region_io io = {
		.rchar = less(y->rchar - x->rchar, b->own_rchar - a->own_rchar),
		.wchar = less(y->wchar, x->wchar),
		.syscr = less(y->syscr - x->syscr, b->own_syscr - a->own_syscr),
		.syscw = less(y->syscw, x->syscw),
		.read_bytes = less(y->read_bytes, x->read_bytes),
		.write_bytes = less(y->write_bytes, x->write_bytes),
		.cancelled_write_bytes = less(y->cancelled_write_bytes, x->cancelled_write_bytes),
	};
	uint64_t all_wchar = less(b->process.wchar, a->process.wchar);
	uint64_t all_syscw = less(b->process.syscw, a->process.syscw);

	add(&s->io.rchar, io.rchar);
	add(&s->io.wchar, io.wchar);
	add(&s->io.syscr, io.syscr);
	add(&s->io.syscw, io.syscw);
	add(&s->io.read_bytes, io.read_bytes);
	add(&s->io.write_bytes, io.write_bytes);
	add(&s->io.cancelled_write_bytes, io.cancelled_write_bytes);
	add(&s->others_wchar, less(all_wchar, io.wchar));
	add(&s->others_syscw, less(all_syscw, io.syscw));
	return io.rchar || io.syscr || io.read_bytes || io.write_bytes || all_wchar || all_syscw;
}

static void add_extremes(struct nf_region_sums *s, uint64_t ns)
{
	uint64_t max = __atomic_load_n(&s->max_ns, __ATOMIC_RELAXED);
	uint64_t min = __atomic_load_n(&s->min_ns, __ATOMIC_RELAXED);

	while (ns > max && !__atomic_compare_exchange_n(&s->max_ns, &max, ns, true,
	                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	/* 0 stands for none yet: a region of no time at all would be 1 ns. */
	ns = ns ? ns : 1;
	while ((ns < min || min == 0) &&
	       !__atomic_compare_exchange_n(&s->min_ns, &min, ns, true, __ATOMIC_RELAXED,
	                                    __ATOMIC_RELAXED))
		;
}

/* --- begin and end --- */

static void begin_measuring(struct thread *t, struct nf_region_slot *slot, int64_t from_ns)
{
	struct open_region *o = &t->open[t->depth++];

	o->slot = slot;
	o->at_begin.readable = true;
	o->at_begin.pending = pending();
	read_process(t, &o->at_begin);
	read_thread(t, &o->at_begin);
	read_usage(&o->at_begin);
	o->begin_ns = nf_now_raw().ns;
	o->cost_ns = o->begin_ns - from_ns;
	t->audit_ns += o->cost_ns;
	o->audit_ns = t->audit_ns;
}

static void end_measuring(struct thread *t, const struct open_region *o)
{
	struct nf_region_sums *s = &o->slot->sums;
	const int64_t end_ns = nf_now_raw().ns;
	struct reading r = { .readable = true };
	bool any = false;

	read_usage(&r);
	read_thread(t, &r);
	read_process(t, &r);
	r.pending = pending();
	if (r.readable && o->at_begin.readable) {
		add_usage(s, &o->at_begin.usage, &r.usage);
		any = add_io(s, &o->at_begin, &r);
	} else {
		add(&s->unread, 1);
	}
	add(&s->buffered_bytes, less(r.pending, o->at_begin.pending));
	add(&s->flushed_bytes, less(o->at_begin.pending, r.pending));
	any = any || r.pending > o->at_begin.pending;
	int64_t wall_ns = end_ns - o->begin_ns - (t->audit_ns - o->audit_ns);
	wall_ns = wall_ns > 0 ? wall_ns : 0;
	add(&s->wall_ns, (uint64_t)wall_ns);
	add_extremes(s, (uint64_t)wall_ns);
	uint64_t times = __atomic_add_fetch(&s->ended, 1, __ATOMIC_RELAXED), none = 0;
	add(&s->with_io, any);
	if (any)
		(void)__atomic_compare_exchange_n(&s->first_io, &none, times, false,
		                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	int64_t cost_ns = nf_now_raw().ns - end_ns;
	t->audit_ns += cost_ns;
	add(&s->audit_ns, (uint64_t)(o->cost_ns + cost_ns));
}

/* Once in every process, before its first region: what is measured of nothing. */
static void measure_empty(struct thread *t)
{
	pid_t before = __atomic_load_n(&shared.calibrated, __ATOMIC_RELAXED);

	if (before == t->pid ||
	    !__atomic_compare_exchange_n(&shared.calibrated, &before, t->pid, false,
	                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return;
	add(&shared.page->processes, 1);
	for (int i = 0; i < EMPTY_TIMES; i++) {
		add(&shared.page->empty.sums.entered, 1);
		begin_measuring(t, &shared.page->empty, nf_now_raw().ns);
		end_measuring(t, &t->open[--t->depth]);
	}
}

/* The outermost open region of this slot; -1: none. */
static int find_open(const struct thread *t, const struct nf_region_slot *slot)
{
	for (unsigned i = 0; i < t->depth; i++)
		if (t->open[i].slot == slot)
			return (int)i;
	return -1;
}

static void abandon_down_to(struct thread *t, unsigned depth)
{
	while (t->depth > depth)
		add(&t->open[--t->depth].slot->sums.abandoned, 1);
}

static size_t length_of(const char *name)
{
	return strnlen(name, NF_REGION_NAME_BYTES - 1);
}

static void begin_region(const char *name)
{
	struct thread *t = own_thread();

	if (!t) {
		add(&shared.page->lost, 1);
		return;
	}
	measure_empty(t);
	int64_t from_ns = nf_now_raw().ns;
	struct nf_region_slot *slot = find_slot(name, length_of(name), true);
	int again = slot ? find_open(t, slot) : -1;
	if (again >= 0)
		abandon_down_to(t, (unsigned)again);
	if (!slot || t->depth == NF_REGION_DEPTH) {
		add(slot ? &shared.page->too_deep : &shared.page->lost, 1);
		t->skipped++;
		return;
	}
	add(&slot->sums.entered, 1);
	begin_measuring(t, slot, from_ns);
}

static void end_region(const char *name)
{
	struct thread *t = own_thread();

	if (!t)
		return; /* so was its begin */
	struct nf_region_slot *slot = find_slot(name, length_of(name), false);
	int at = slot ? find_open(t, slot) : -1;
	if (at >= 0) {
		abandon_down_to(t, (unsigned)at + 1);
		end_measuring(t, &t->open[--t->depth]);
	} else if (t->skipped) {
		t->skipped--;
	} else {
		add(&shared.page->stray_ends, 1);
	}
}

static void mark(long option, const char *name)
{
	(void)syscall(SYS_prctl, option, (unsigned long)(uintptr_t)name,
	              (unsigned long)length_of(name), 0UL, 0UL);
}

void nf_region_begin(const char *name)
{
	if (!shared.page || !name)
		return;
	int saved = errno;
	if (shared.page->traced)
		mark(NF_REGION_TRACE_BEGIN, name);
	else
		begin_region(name);
	errno = saved;
}

void nf_region_end(const char *name)
{
	if (!shared.page || !name)
		return;
	int saved = errno;
	if (shared.page->traced)
		mark(NF_REGION_TRACE_END, name);
	else
		end_region(name);
	errno = saved;
}

/* Before main(), while there is one thread. */
__attribute__((constructor)) static void find_page(void)
{
	const char *path = secure_getenv(NF_REGION_ENV);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK) : -1;
	struct nf_region_page *p = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == (off_t)sizeof(*p))
		p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return;
	if (p->magic == NF_REGION_MAGIC && p->size_bytes == sizeof(*p) &&
	    pthread_key_create(&shared.key, thread_gone) == 0)
		shared.page = p;
	else
		munmap(p, sizeof(*p));
}
