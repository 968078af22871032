/* SPDX-License-Identifier: MIT */
#include "samples/stream.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t max_values = (size_t)1 << 37;

int nf_stream_init(struct nf_stream *ret, const char *name, size_t cap, struct nf_err *err)
{
	size_t len = name ? strlen(name) : 0;

	if (len == 0 || len >= sizeof(ret->name))
		return nf_fail(err, NF_EARG, "stream name: 1..%zu bytes, not %zu",
		               sizeof(ret->name) - 1, len);
	if (cap == 0 || cap > max_values)
		return nf_fail(err, NF_EARG, "stream '%s': capacity 1..%zu values, not %zu", name,
		               max_values, cap);

	size_t bytes = cap * sizeof(int64_t);
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return errno == ENOMEM ? nf_fail_nomem(err, name, bytes)
		                       : nf_fail_os(err, errno, "mmap for stream '%s'", name);
	*ret = (struct nf_stream){ .cpu = -1, .node = -1, .value = p, .cap = cap };
	memcpy(ret->name, name, len + 1);
	return 0;
}

void nf_stream_fini(struct nf_stream *s)
{
	if (s->value)
		munmap(s->value, s->cap * sizeof(int64_t)); /* unlocks too */
	*s = (struct nf_stream){ .cpu = -1, .node = -1 };
}

void nf_stream_prefault(struct nf_stream *s)
{
	size_t step = (size_t)sysconf(_SC_PAGESIZE) / sizeof(int64_t);
	volatile int64_t *v = s->value;

	/* A read would only map the zero page: the write is what makes the page ours. */
	for (size_t i = 0; i < s->cap; i += step)
		v[i] = v[i]; /* cppcheck-suppress selfAssignment */
	s->locked = s->value && mlock(s->value, s->cap * sizeof(int64_t)) == 0;
}

bool nf_stream_incomplete(const struct nf_stream *s)
{
	return s->n_dropped || s->n_saturated || s->n_missed || s->n_truncated;
}

double nf_stream_ns(const struct nf_stream *s, int64_t value)
{
	if (s->unit != NF_UNIT_TICK)
		return (double)value;
	return s->tick_hz > 0 ? (double)value * 1e9 / s->tick_hz : (double)NAN;
}
