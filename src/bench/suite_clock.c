/* SPDX-License-Identifier: MIT */
/* suite_clock - what one read of each clock costs: through the vDSO, by system call, from the counter. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "bench/suites.h"
#include "measure/tick_arch.h"

enum { READS = 512 };

static int check_clock(clockid_t id, const char *name, struct nf_err *err)
{
	struct timespec t;

	if (clock_gettime(id, &t) < 0)
		return nf_fail(err, NF_EUNSUPPORTED, "this kernel has no clock %s", name);
	return 0;
}

/* The C library's call: the vDSO where it serves that clock; BY_CALL: by system call. */
#define CLOCK(word, id) \
	static int setup_##word(const struct nf_bench_env *env, void **ret, struct nf_err *err) \
	{ \
		(void)env; \
		(void)ret; \
		return check_clock(id, #id, err); \
	} \
	static int run_##word(void *state, unsigned thread, uint64_t n, struct nf_err *err) \
	{ \
		(void)state; \
		(void)thread; \
		(void)err; \
		for (uint64_t i = 0; i < n; i++) { \
			struct timespec t; \
\
			clock_gettime(id, &t); \
			nf_bench_touch(&t); \
		} \
		return 0; \
	}
#define BY_CALL(word, id) \
	static int call_##word(void *state, unsigned thread, uint64_t n, struct nf_err *err) \
	{ \
		(void)state; \
		(void)thread; \
		(void)err; \
		for (uint64_t i = 0; i < n; i++) { \
			struct timespec t; \
\
			syscall(SYS_clock_gettime, id, &t); \
			nf_bench_touch(&t); \
		} \
		return 0; \
	}
CLOCK(realtime, CLOCK_REALTIME)
BY_CALL(realtime, CLOCK_REALTIME)
CLOCK(realtime_coarse, CLOCK_REALTIME_COARSE)
CLOCK(monotonic, CLOCK_MONOTONIC)
BY_CALL(monotonic, CLOCK_MONOTONIC)
CLOCK(monotonic_raw, CLOCK_MONOTONIC_RAW)
BY_CALL(monotonic_raw, CLOCK_MONOTONIC_RAW)
CLOCK(monotonic_coarse, CLOCK_MONOTONIC_COARSE)
CLOCK(boottime, CLOCK_BOOTTIME)
BY_CALL(boottime, CLOCK_BOOTTIME)
CLOCK(tai, CLOCK_TAI)
BY_CALL(tai, CLOCK_TAI)
CLOCK(process_cpu, CLOCK_PROCESS_CPUTIME_ID)
CLOCK(thread_cpu, CLOCK_THREAD_CPUTIME_ID)

static int run_gettimeofday(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state;
	(void)thread;
	(void)err;
	for (uint64_t i = 0; i < n; i++) {
		struct timeval t;

		gettimeofday(&t, NULL);
		nf_bench_touch(&t);
	}
	return 0;
}

/* --- the counter --- */

static const struct nf_tick_read *find_read(const char *name)
{
	const struct nf_tick_read *r = nf_tick_arch_reads;

	while (r->name && strcmp(r->name, name) != 0)
		r++;
	return r->name ? r : NULL;
}

static int setup_read(const char *name, void **ret, struct nf_err *err)
{
	const struct nf_tick_read *read = find_read(name);
	struct nf_tick_facts facts;
	struct nf_tick_choice choice;
	struct nf_rootfs root;

	if (!read)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "this architecture has no read of a counter by %s", name);
	int r = nf_rootfs_open(&root, NULL, err);
	if (r < 0)
		return r;
	r = nf_tick_arch_facts(&root, &facts, err);
	if (r == 0)
		r = nf_tick_decide(&facts, NF_TICK_WANT_COUNTER, &choice, err);
	nf_rootfs_close(&root);
	if (r == 0)
		memcpy(ret, &read, sizeof(*ret)); /* nothing changes it */
	return r;
}

static int run_read(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	const struct nf_tick_read *read = state;
	uint64_t t[READS];

	(void)thread;
	(void)err;
	for (uint64_t left = n; left > 0;) {
		size_t part = left < READS ? (size_t)left : READS;

		read->series(t, part);
		nf_bench_touch(t);
		left -= part;
	}
	return 0;
}

#define READ(word, name) \
	static int setup_##word(const struct nf_bench_env *env, void **ret, struct nf_err *err) \
	{ \
		(void)env; \
		return setup_read(name, ret, err); \
	}
READ(rdtsc, "rdtsc")
READ(lfence_rdtsc, "lfence+rdtsc")
READ(rdtscp, "rdtscp")
READ(rdtscp_lfence, "rdtscp+lfence")
READ(cntvct, "cntvct")
READ(isb_cntvct, "isb+cntvct")
READ(isb_cntvct_isb, "isb+cntvct+isb")

/* clang-format off */
#define ROW(n, word, d) { .name = "clock." n, .doc = (d), .max_threads = NF_BENCH_THREADS_MAX, \
	.setup = setup_##word, .run = run_##word }
#define CALL(n, word, d) { .name = "clock." n "-syscall", .doc = (d), \
	.max_threads = NF_BENCH_THREADS_MAX, .setup = setup_##word, .run = call_##word }
#define COUNTER(n, word, d) { .name = "clock." n, .doc = (d), .max_threads = NF_BENCH_THREADS_MAX, \
	.setup = setup_##word, .run = run_read }
const struct nf_bench nf_suite_clock[] = {
	ROW("realtime", realtime, "a read of CLOCK_REALTIME by clock_gettime()"),
	CALL("realtime", realtime, "a read of CLOCK_REALTIME by system call"),
	ROW("realtime-coarse", realtime_coarse, "a read of CLOCK_REALTIME_COARSE"),
	ROW("monotonic", monotonic, "a read of CLOCK_MONOTONIC by clock_gettime()"),
	CALL("monotonic", monotonic, "a read of CLOCK_MONOTONIC by system call"),
	ROW("monotonic-raw", monotonic_raw, "a read of CLOCK_MONOTONIC_RAW by clock_gettime()"),
	CALL("monotonic-raw", monotonic_raw, "a read of CLOCK_MONOTONIC_RAW by system call"),
	ROW("monotonic-coarse", monotonic_coarse, "a read of CLOCK_MONOTONIC_COARSE"),
	ROW("boottime", boottime, "a read of CLOCK_BOOTTIME by clock_gettime()"),
	CALL("boottime", boottime, "a read of CLOCK_BOOTTIME by system call"),
	ROW("tai", tai, "a read of CLOCK_TAI by clock_gettime()"),
	CALL("tai", tai, "a read of CLOCK_TAI by system call"),
	ROW("process-cpu", process_cpu, "a read of the process's CPU time"),
	ROW("thread-cpu", thread_cpu, "a read of the thread's CPU time"),
	{ .name = "clock.gettimeofday", .doc = "a call of gettimeofday()",
	  .max_threads = NF_BENCH_THREADS_MAX, .run = run_gettimeofday },
	COUNTER("rdtsc", rdtsc, "a read of the TSC (x86-64)"),
	COUNTER("lfence-rdtsc", lfence_rdtsc, "a read of the TSC behind an lfence (x86-64)"),
	COUNTER("rdtscp", rdtscp, "a read of the TSC by rdtscp (x86-64)"),
	COUNTER("rdtscp-lfence", rdtscp_lfence, "rdtscp, then an lfence (x86-64)"),
	COUNTER("cntvct", cntvct, "a read of CNTVCT_EL0 (aarch64)"),
	COUNTER("isb-cntvct", isb_cntvct, "a read of CNTVCT_EL0 behind an isb (aarch64)"),
	COUNTER("isb-cntvct-isb", isb_cntvct_isb, "CNTVCT_EL0 between two isb (aarch64)"),
	{ .name = NULL },
};
/* clang-format on */
