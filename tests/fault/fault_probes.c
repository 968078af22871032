/* SPDX-License-Identifier: MIT */
/* The wake, detour, ftq, numa and smi probes with every allocation and every call of theirs failing in turn. A stop is
 * asked for beforehand, so that a run sets everything up and puts it back without measuring. */
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "fault.h"
#include "measure/probe_detour.h"
#include "measure/probe_ftq.h"
#include "measure/probe_numa.h"
#include "measure/probe_smi.h"
#include "measure/probe_wake.h"
#include "measure/wake_loop.h"
#include "nf_live.h"

#define ALLOCATIONS "malloc,calloc,realloc,aligned_alloc,mmap,mmap64"
#define THREADS \
	"pthread_create,pthread_attr_init,pthread_attr_setstacksize,pthread_mutex_init," \
	"pthread_cond_init,sched_getaffinity"

enum { UNTOUCHED = 4711 };

struct job {
	struct nf_live *live;
	const struct nf_probe *probe;
	const void *cfg;
	struct nf_probe_run run;
};

static void prepare(void *ctx)
{
	struct job *j = ctx;

	j->live->stop.signo = SIGTERM;
	j->run = (struct nf_probe_run){ .wall_ns = UNTOUCHED };
}

static int run(void *ctx, struct nf_err *err)
{
	struct job *j = ctx;

	return j->probe->run(&j->live->env, j->cfg, &j->run, err);
}

static void finish(void *ctx, int r)
{
	struct job *j = ctx;

	if (r < 0) {
		assert_int_equal(j->run.wall_ns, UNTOUCHED);
		assert_null(j->run.streams);
		assert_null(j->run.result);
		return;
	}
	assert_int_equal(j->run.stopped_by, SIGTERM);
	assert_true(j->run.n_streams > 0);
	nf_probe_run_fini(j->probe, &j->run);
}

static int check(void *ctx, struct nf_err *err)
{
	struct job *j = ctx;

	return j->probe->check(&j->live->env, j->cfg, err);
}

static void fail_every(struct nf_live *l, const struct nf_probe *p, const void *cfg,
                       const char *only)
{
	struct job j = { .live = l, .probe = p, .cfg = cfg };

	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run,
	                                     .finish = finish,
	                                     .only = only,
	                                     .tolerates = "mlock" },
	            &j);
}

static void wake_by_timer(void **state)
{
	struct nf_wake_cfg c;

	nf_probe_wake.defaults(&c);
	c.common.policy_given = true;
	c.common.policy = NF_POLICY_OTHER;
	c.n_activations = 10;
	c.method = NF_WAKE_TIMERFD;
	fail_every(*state, &nf_probe_wake, &c,
	           ALLOCATIONS "," THREADS ",timerfd_create,timerfd_settime");
}

struct timer {
	struct nf_stream lateness;
	struct nf_stream wake;
	int fd;
};

static int wait_for_timer(void *ctx, struct nf_err *err)
{
	struct timer *t = ctx;
	struct nf_wake_loop l = {
		.method = NF_WAKE_TIMERFD,
		.period_ns = NF_WAKE_PERIOD_MIN_NS,
		.n = 3,
		.first_ns = nf_now_monotonic().ns,
		.timer_fd = t->fd,
		.lateness = &t->lateness,
		.wake = &t->wake,
	};

	nf_wake_loop_run(&l);
	return l.os_errno ? nf_fail_os(err, l.os_errno, "timer") : 0;
}

static void a_timer_that_cannot_be_read_ends_the_loop(void **state)
{
	struct timer t = { .fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC) };
	struct fault_subject s = { .run = wait_for_timer, .only = "timerfd_settime,read" };

	(void)state;
	assert_true(t.fd >= 0);
	assert_int_equal(nf_stream_init(&t.lateness, "lateness", 3, NULL), 0);
	assert_int_equal(nf_stream_init(&t.wake, "wake", 3, NULL), 0);
	fault_every(&s, &t);
	nf_stream_fini(&t.lateness);
	nf_stream_fini(&t.wake);
	close(t.fd);
}

static void wake_with_idle_states_kept_out(void **state)
{
	struct nf_wake_cfg c;

	skip_unless(access("/dev/cpu_dma_latency", W_OK) == 0, "dma-latency",
	            "/dev/cpu_dma_latency is not writable");
	nf_probe_wake.defaults(&c);
	c.common.policy_given = true;
	c.common.policy = NF_POLICY_OTHER;
	c.dma_latency_us = 0;
	struct job j = { .live = *state, .probe = &nf_probe_wake, .cfg = &c };

	/* The device that does not open is "unsupported here". */
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run,
	                                     .finish = finish,
	                                     .only = "open,open64,__open64_2,write",
	                                     .tolerates = "open,open64",
	                                     .any_code = true },
	            &j);
}

static void planning_a_wake_run_by_default(void **state)
{
	struct nf_wake_cfg c;

	nf_probe_wake.defaults(&c);
	struct job j = { .live = *state, .probe = &nf_probe_wake, .cfg = &c };

	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = check,
	                                     .only = ALLOCATIONS ",pthread_create" },
	            &j);
}

static void detour(void **state)
{
	struct nf_detour_cfg c;

	nf_probe_detour.defaults(&c);
	c.common.duration_ns = 1000000;
	fail_every(*state, &nf_probe_detour, &c, ALLOCATIONS "," THREADS);
}

static void ftq(void **state)
{
	struct nf_ftq_cfg c;

	nf_probe_ftq.defaults(&c);
	c.common.duration_ns = 1000000;
	fail_every(*state, &nf_probe_ftq, &c, ALLOCATIONS "," THREADS);
}

static void numa_on_every_placement(void **state)
{
	for (int p = NF_PLACE_FLAT; p <= NF_PLACE_INTERLEAVE; p++) {
		struct nf_numa_cfg c;

		nf_probe_numa.defaults(&c);
		c.n_channels = 4;
		c.n_samples = 10;
		c.n_partitions = 2;
		c.repetitions = 1;
		c.placement = (enum nf_placement)p;
		fail_every(*state, &nf_probe_numa, &c, ALLOCATIONS "," THREADS);
	}
}

static void smi_where_it_counts(void **state)
{
	const struct nf_live *l = *state;
	struct nf_smi_cfg c;
	struct nf_err e = { 0 };

	nf_probe_smi.defaults(&c);
	skip_unless(nf_probe_smi.check(&l->env, &c, &e) == 0, "smi-here", e.msg);
	fail_every(*state, &nf_probe_smi, &c, ALLOCATIONS);
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_timer_that_cannot_be_read_ends_the_loop),
	live(wake_by_timer),
	live(wake_with_idle_states_kept_out),
	live(planning_a_wake_run_by_default),
	cmocka_unit_test_setup_teardown(detour, nf_live_open_clock, nf_live_close),
	cmocka_unit_test_setup_teardown(ftq, nf_live_open_clock, nf_live_close),
	live(numa_on_every_placement),
	live(smi_where_it_counts),
};

NF_UNIT_MAIN(tests)
