/* SPDX-License-Identifier: MIT */
/*
 * driver - noisefloor's side of peers/sched.py: `sched_driver actors|threads WORKERS NAME=N...` runs the scheduler suite's own
 * rows and prints "NAME wall_ns cpu_ns operations" lines; "# NAME VALUE" lines are facts. Two rows more: overflow, and pair_apart, the
 * calibration.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "bench/child.h"
#include "bench/sched_state.h"
#include "bench/suites.h"

enum { FRAME_BYTES = 1024, SLEEPERS = 10000, THREAD_SLEEPERS = 1000 };

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* --- a stack overflow that only its joiner sees --- */

/* Called through a pointer: a compiler that sees that it never ends makes a warning of it. */
static uint64_t (*volatile deeper)(uint64_t);

static uint64_t deep(uint64_t n)
{
	volatile uint8_t frame[FRAME_BYTES];

	frame[n % FRAME_BYTES] = 1;
	return deeper(n + 1) + frame[0];
}

static void *overflows(void *arg)
{
	(void)arg;
	nf_bench_keep(deeper(0));
	return NULL;
}

static void *overflow_all(void *arg)
{
	const struct nf_sched_job *job = arg;
	struct nf_err err;

	for (uint64_t i = 0; i < job->n; i++) {
		struct nf_actor_status status;

		if (nf_actor_join(nf_sched_spawn(overflows, NULL), &status, &err) < 0)
			nf_actor_panic(err.msg);
		if (status.end != NF_ACTOR_OVERFLOWED)
			nf_actor_panic("an overflow was not seen");
	}
	return NULL;
}

static int overflow_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)thread;
	return nf_sched_run_actor(state, overflow_all, n, err);
}

static const struct nf_bench own_rows[] = {
	{ .name = "sched.overflow.actors",
	  .setup = nf_sched_actors_setup,
	  .run = overflow_run,
	  .teardown = nf_sched_teardown,
	  .facts = nf_sched_facts },
	{ .name = NULL },
};

/* --- measuring --- */

static void print_fact(void *to, const char *name, double value, const char *text)
{
	(void)to;
	if (text)
		printf("# %s %s\n", name, text);
	else
		printf("# %s %.3f\n", name, value);
}

static const struct nf_bench *find(const char *backend, const char *name, size_t len)
{
	const struct nf_bench *const own[] = { own_rows, NULL };
	char full[NF_BENCH_NAME_MAX];

	if (strncmp(name, "pair_apart", len) == 0 && len == strlen("pair_apart"))
		snprintf(full, sizeof(full), "sched.calibration.pair_apart");
	else
		snprintf(full, sizeof(full), "sched.%.*s.%s", (int)len, name, backend);
	const struct nf_bench *b = nf_bench_find(nf_suites, full);
	return b ? b : nf_bench_find(own, full);
}

static int measure(const char *backend, const char *arg, struct nf_err *err)
{
	const char *eq = strchr(arg, '=');
	const struct nf_bench *b = eq ? find(backend, arg, (size_t)(eq - arg)) : NULL;
	uint64_t n = eq ? strtoull(eq + 1, NULL, 10) : 0, ops = n;
	struct nf_bench_env env = { 1, 1 };
	void *state;

	if (!b || n < 1)
		return nf_fail(err, NF_EARG, "%s; allowed: NAME=N of the suite", arg);
	if (strncmp(arg, "many_timers", strlen("many_timers")) == 0) { /* its operation is many */
		ops = strcmp(backend, "actors") == 0 ? n / SLEEPERS : n / THREAD_SLEEPERS;
		ops = ops ? ops : 1;
	}
	int r = b->setup(&env, &state, err);
	for (int i = 0; r == 0 && i < 4; i++) { /* the reader leaves the first out */
		int64_t cpu = cpu_ns();
		struct nf_instant from = nf_now_raw();

		r = b->run(state, 0, ops, err);
		int64_t wall = nf_since_ns(from, nf_now_raw());
		if (r == 0)
			printf("%.*s %lld %lld %llu\n", (int)(eq - arg), arg, (long long)wall,
			       (long long)(cpu_ns() - cpu), (unsigned long long)n);
	}
	if (r == 0)
		r = b->facts(state, print_fact, NULL, err);
	if (r == 0)
		b->teardown(state);
	return r;
}

int main(int argc, char **argv)
{
	struct nf_err err;
	int r = 0;

	deeper = deep;
	if (argc < 3 || (strcmp(argv[1], "actors") != 0 && strcmp(argv[1], "threads") != 0)) {
		fprintf(stderr, "usage: sched_driver actors|threads WORKERS NAME=N...\n");
		return 2;
	}
	if (setenv("NOISEFLOOR_ACTOR_WORKERS", argv[2], 1) < 0)
		return 4;
	for (int i = 3; r == 0 && i < argc; i++)
		r = measure(argv[1], argv[i], &err);
	if (r < 0)
		fprintf(stderr, "sched_driver: %s\n", err.msg);
	return nf_exit_code(r);
}
