/* SPDX-License-Identifier: MIT */
#include "fault.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "fault_wraps.h"
#include "nf_unit.h"

enum { SLOTS = 1 << 18 };

enum mode { OFF, FAIL, INTERRUPT, CUT };

/* The subject may have threads: everything here is behind the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	enum mode mode;
	unsigned long left; /* counted calls until the fault */
	unsigned long hits;
	enum fault_kind kind; /* of the call that failed */
	char name[40];
	const char *only;
	int os_errno;
} st;

/* Live pointers, open addressing. Complemented, so that a leak checker does not take them for
 * references. 0: free slot. */
static uintptr_t slots[SLOTS];
static unsigned long n_live;

static size_t home(uintptr_t key)
{
	return (size_t)(key >> 4) * 0x9e3779b1u % SLOTS;
}

void *fault_made(void *p)
{
	uintptr_t key = ~(uintptr_t)p;
	size_t i = home(key);

	if (!p)
		return NULL;
	pthread_mutex_lock(&lock);
	while (slots[i] && slots[i] != key)
		i = (i + 1) % SLOTS;
	if (!slots[i]) {
		slots[i] = key;
		n_live++;
	}
	if (n_live > SLOTS / 2)
		abort(); /* raise SLOTS */
	pthread_mutex_unlock(&lock);
	return p;
}

void fault_gone(const void *p)
{
	uintptr_t key = ~(uintptr_t)p;
	size_t i = home(key), hole;

	if (!p)
		return;
	pthread_mutex_lock(&lock);
	while (slots[i] && slots[i] != key)
		i = (i + 1) % SLOTS;
	if (slots[i]) {
		n_live--;
		/* Close the gap, so that a search never ends before its key. */
		for (hole = i, i = (i + 1) % SLOTS; slots[i]; i = (i + 1) % SLOTS) {
			size_t from_home = (i + SLOTS - home(slots[i])) % SLOTS;

			if (from_home >= (i + SLOTS - hole) % SLOTS) {
				slots[hole] = slots[i];
				hole = i;
			}
		}
		slots[hole] = 0;
	}
	pthread_mutex_unlock(&lock);
}

/* name is one of the names in list, which are separated by commas. */
static bool listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		if (strncmp(p, name, len) == 0 && (p[len] == ',' || p[len] == '\0'))
			return true;
	return false;
}

static bool due(const char *name, enum fault_kind kind)
{
	if ((st.only && !listed(st.only, name)) || st.left == 0 || --st.left > 0)
		return false;
	st.hits++;
	st.kind = kind;
	snprintf(st.name, sizeof(st.name), "%s", name);
	return true;
}

bool fault_fires(const char *name, enum fault_kind kind, int os_errno, int *ret_errno)
{
	bool fires = false;

	pthread_mutex_lock(&lock);
	if (st.mode == FAIL) {
		fires = due(name, kind);
		*ret_errno = kind != FAULT_ALLOC && st.os_errno ? st.os_errno : os_errno;
	} else if (st.mode == INTERRUPT && (kind == FAULT_SLOW || kind == FAULT_TRANSFER)) {
		fires = due(name, kind);
		*ret_errno = EINTR;
	}
	pthread_mutex_unlock(&lock);
	return fires;
}

size_t fault_cut(const char *name, size_t n)
{
	pthread_mutex_lock(&lock);
	if (st.mode == CUT && n > 1 && due(name, FAULT_TRANSFER))
		n = 1;
	pthread_mutex_unlock(&lock);
	return n;
}

static void arm(enum mode mode, unsigned long n, const struct fault_subject *s)
{
	pthread_mutex_lock(&lock);
	memset(&st, 0, sizeof(st));
	st.mode = mode;
	st.left = n;
	st.only = s ? s->only : NULL;
	st.os_errno = s ? s->os_errno : 0;
	pthread_mutex_unlock(&lock);
}

void fault_arm(unsigned long n)
{
	arm(FAIL, n, NULL);
}

void fault_disarm(void)
{
	pthread_mutex_lock(&lock);
	st.mode = OFF;
	pthread_mutex_unlock(&lock);
}

unsigned long fault_hits(void)
{
	return st.hits;
}

const char *fault_hit_name(void)
{
	return st.name;
}

unsigned long fault_live(void)
{
	return n_live;
}

unsigned long fault_open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned long n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* One prepare + run + finish. Leaves nothing behind, or fails the test. */
static int once(const struct fault_subject *s, void *ctx, enum mode mode, unsigned long n,
                struct nf_err *err)
{
	unsigned long live, fds;
	int r;

	fault_disarm();
	fds = fault_open_fds();
	live = fault_live();
	if (s->prepare)
		s->prepare(ctx);
	arm(mode, n, s);
	r = s->run(ctx, err);
	fault_disarm();
	if (s->finish)
		s->finish(ctx, r);
	if (fault_live() != live)
		fail_msg("call %lu, %s: %ld allocations left behind (run returned %d)", n, st.name,
		         (long)(fault_live() - live), r);
	if (fault_open_fds() != fds)
		fail_msg("call %lu, %s: %ld file descriptors left behind (run returned %d)", n,
		         st.name, (long)(fault_open_fds() - fds), r);
	return r;
}

static void baseline(const struct fault_subject *s, void *ctx)
{
	struct nf_err err = { 0 };
	int r = once(s, ctx, OFF, 0, &err);

	if (r != 0)
		fail_msg("without a fault: %d, %s", r, err.msg);
}

void fault_every(const struct fault_subject *s, void *ctx)
{
	const char *all = getenv("NF_LONG");
	unsigned long step = s->stride && !(all && *all == '1') ? s->stride : 1;
	unsigned long n;

	baseline(s, ctx);
	for (n = 1;; n += step) {
		struct nf_err err = { 0 };
		int r = once(s, ctx, FAIL, n, &err);

		if (fault_hits() == 0) {
			if (r != 0)
				fail_msg("no fault, but %d: %s", r, err.msg);
			break;
		}
		if (r == 0) {
			if (!listed(s->tolerates, st.name))
				fail_msg("call %lu, %s, failed and was ignored", n, st.name);
			continue;
		}
		if (r > 0 || r <= -NF_NCODES || err.code != (enum nf_code) - r || !err.msg[0])
			fail_msg("call %lu, %s: returned %d, but the error says %d '%s'", n,
			         st.name, r, (int)err.code, err.msg);
		if (st.kind == FAULT_ALLOC && !s->any_code && r != -NF_ENOMEM)
			fail_msg("call %lu, %s: out of memory gave %d, %s", n, st.name, r, err.msg);
	}
	if (n == 1)
		fail_msg("no wrapped call was made: nothing was tested");
}

static unsigned long survives(const struct fault_subject *s, void *ctx, enum mode mode)
{
	for (unsigned long n = 1;; n++) {
		struct nf_err err = { 0 };
		int r = once(s, ctx, mode, n, &err);

		if (r != 0)
			fail_msg("call %lu, %s, %s: %d, %s", n, st.name,
			         mode == CUT ? "cut short" : "interrupted", r, err.msg);
		if (fault_hits() == 0)
			return n - 1;
	}
}

void fault_survives(const struct fault_subject *s, void *ctx)
{
	unsigned long n;

	baseline(s, ctx);
	n = survives(s, ctx, INTERRUPT);
	n += survives(s, ctx, CUT);
	if (n == 0)
		fail_msg("no call could be interrupted or cut short: nothing was tested");
}
