/* SPDX-License-Identifier: MIT */
/* The clocks and the fwq and clock probes, with every allocation, thread and call failing: threads are
 * joined, the affinity is back, the outputs are untouched. A stop request is pending, so that no run
 * lasts. */
#include <sched.h>

#include "fault.h"
#include "measure/probe_clock.h"
#include "measure/probe_fwq.h"
#include "measure/tick_calibrate.h"
#include "nf_unit.h"

enum { UNTOUCHED = 77 };

/* What the measure layer calls; reads of /proc and /sys may fail without failing a run (the bracket's
 * facts are then unknown), and are left out. */
#define CALLS \
	"malloc,calloc,realloc,reallocarray,aligned_alloc,mmap,mmap64,pthread_create," \
	"pthread_attr_init,pthread_attr_setstacksize,pthread_mutex_init,pthread_cond_init," \
	"sched_getaffinity,sched_setaffinity,mlock,getrusage"
/* Locking memory is tried, putting the affinity back does what it can, and what the bracket reads may be
 * unknown. */
#define TOLERATES "mlock,sched_setaffinity,getrusage"

struct subject {
	const struct nf_probe *probe;
	union {
		struct nf_fwq_cfg fwq;
		struct nf_clock_cfg clock;
	} cfg;
	char cpus[16];
	struct nf_rootfs root;
	struct nf_topology *topo;
	struct nf_tick_clock clock;
	struct nf_stop stop;
	struct nf_probe_env env;
	struct nf_probe_run run;
	cpu_set_t affinity;
	struct nf_tick_skew skew[1024];
	size_t n_skew;
};

static void prepare(void *ctx)
{
	struct subject *s = ctx;

	assert_int_equal(sched_getaffinity(0, sizeof(s->affinity), &s->affinity), 0);
	memset(&s->run, 0, sizeof(s->run));
	s->run.stopped_by = UNTOUCHED;
	s->n_skew = sizeof(s->skew) / sizeof(s->skew[0]);
}

static int run_probe(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return s->probe->run(&s->env, &s->cfg, &s->run, err);
}

static void finish_probe(void *ctx, int r)
{
	struct subject *s = ctx;
	cpu_set_t now;

	assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
	/* Only a failure to put it back may leave another affinity behind. */
	if (strcmp(fault_hit_name(), "sched_setaffinity") != 0)
		assert_true(CPU_EQUAL(&now, &s->affinity));
	assert_int_equal(sched_setaffinity(0, sizeof(s->affinity), &s->affinity), 0);
	if (r < 0) {
		assert_int_equal(s->run.stopped_by, UNTOUCHED);
		assert_null(s->run.streams);
		assert_null(s->run.result);
		return;
	}
	assert_int_equal(s->run.stopped_by, SIGINT);
	nf_probe_run_fini(s->probe, &s->run);
}

static int run_check(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return s->probe->check(&s->env, &s->cfg, err);
}

static int run_open(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_tick_open(&s->root, NF_TICK_AUTO, &s->clock, err);
}

static int run_skew(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_tick_skew(&s->clock, s->topo, nf_topology_allowed(s->topo), s->skew, &s->n_skew,
	                    NULL, err);
}

static void finish_skew(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0)
		assert_int_equal(s->n_skew, sizeof(s->skew) / sizeof(s->skew[0]));
	else
		assert_in_range(s->n_skew, 1, nf_cpuset_count(nf_topology_allowed(s->topo)));
}

static int run_fit(void *ctx, struct nf_err *err)
{
	struct nf_tick_window w[10];
	struct nf_tick_fit fit = { .n_kept = UNTOUCHED };
	int r;

	(void)ctx;
	for (size_t i = 0; i < 10; i++)
		w[i] = (struct nf_tick_window){ 1000 * i, 1000 * i + 10, (int64_t)(500 * i) };
	r = nf_tick_fit_windows(w, 10, &fit, err);
	assert_int_equal(fit.n_kept, r < 0 ? UNTOUCHED : 10);
	return r;
}

static int open_subject(void **state)
{
	struct subject *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(nf_rootfs_open(&s->root, NULL, NULL), 0);
	assert_int_equal(nf_topology_load(&s->root, &s->topo, NULL), 0);
	assert_int_equal(nf_tick_open(&s->root, NF_TICK_AUTO, &s->clock, NULL), 0);
	s->stop.signo = SIGINT;
	s->env = (struct nf_probe_env){
		.root = &s->root, .topo = s->topo, .clock = &s->clock, .stop = &s->stop
	};
	/* One CPU of several, so that the controlling thread is moved and moved back. */
	snprintf(s->cpus, sizeof(s->cpus), "%d", nf_cpuset_next(nf_topology_allowed(s->topo), -1));
	*state = s;
	return 0;
}

static int close_subject(void **state)
{
	struct subject *s = *state;

	nf_topology_free(s->topo);
	nf_rootfs_close(&s->root);
	free(s);
	return 0;
}

/* calls: CALLS, with "syscall" where that sets policies (the clock probe also measures a system call by
 * the thousand). */
static void every_failure_of_a(struct subject *s, const struct nf_probe *p, const char *calls)
{
	const struct fault_subject run = {
		.prepare = prepare,
		.run = run_probe,
		.finish = finish_probe,
		.tolerates = TOLERATES,
		.any_code = true,
		.only = calls,
	};
	const struct fault_subject check = { .run = run_check, .only = CALLS ",syscall" };

	s->probe = p;
	fault_every(&run, s);
	fault_every(&check, s);
}

static void an_fwq_run_fails_whole(void **state)
{
	struct subject *s = *state;

	nf_probe_fwq.defaults(&s->cfg);
	s->cfg.fwq.common.cpus = s->cpus;
	every_failure_of_a(s, &nf_probe_fwq, CALLS ",syscall");
}

static void a_clock_run_fails_whole(void **state)
{
	struct subject *s = *state;

	nf_probe_clock.defaults(&s->cfg);
	s->cfg.clock.common.cpus = s->cpus;
	every_failure_of_a(s, &nf_probe_clock, CALLS);
}

static void a_clock_opens_or_says_why(void **state)
{
	const struct fault_subject f = { .run = run_open, .only = CALLS };

	fault_every(&f, *state);
}

static void the_skew_of_all_cpus_or_none(void **state)
{
	struct subject *s = *state;
	const struct fault_subject f = {
		.prepare = prepare, .run = run_skew, .finish = finish_skew, .only = CALLS
	};

	skip_unless(nf_cpuset_count(nf_topology_allowed(s->topo)) >= 2, "two-cpus",
	            "needs two allowed CPUs");
	fault_every(&f, s);
}

static void a_fit_needs_memory(void **state)
{
	const struct fault_subject f = { .run = run_fit };

	fault_every(&f, *state);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, open_subject, close_subject)
static const struct CMUnitTest tests[] = {
	/* clang-format off */
	CASE(an_fwq_run_fails_whole),
	CASE(a_clock_run_fails_whole),
	CASE(a_clock_opens_or_says_why),
	CASE(the_skew_of_all_cpus_or_none),
	CASE(a_fit_needs_memory),
	/* clang-format on */
};

NF_UNIT_MAIN(tests)
