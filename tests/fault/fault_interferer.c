/* SPDX-License-Identifier: MIT */
/* The interferer with every allocation, thread and call failing: no thread and no log is left, or it runs
 * and says under which policy. */
#include <errno.h>

#include "fault.h"
#include "measure/interferer.h"
#include "nf_unit.h"

#define CALLS \
	"malloc,calloc,realloc,mmap,mmap64,pthread_create,pthread_attr_init," \
	"pthread_attr_setstacksize,pthread_mutex_init,pthread_cond_init,sched_getaffinity," \
	"sched_setaffinity,mlock,prctl,getrlimit,getrlimit64"

struct subject {
	struct nf_rootfs root;
	struct nf_topology *topo;
	struct nf_tick_clock clock;
	struct nf_interferer_tone tone;
	struct nf_interferer_cfg cfg;
	struct nf_interferer *it;
};

static void prepare(void *ctx)
{
	struct subject *s = ctx;

	s->it = NULL;
	s->cfg.origin_ns = nf_now_monotonic().ns + 1000000;
}

static int start(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_interferer_start(&s->cfg, &s->it, err);
}

static void finish(void *ctx, int r)
{
	struct subject *s = ctx;
	struct nf_interferer_log log = { 0 };

	if (r < 0) {
		assert_null(s->it);
		return;
	}
	assert_non_null(s->it);
	/* A refused policy is stepped down from, and said. */
	if (strcmp(fault_hit_name(), "syscall") == 0)
		assert_string_not_equal(nf_interferer_note(s->it), "");
	nf_interferer_stop(s->it, &log);
	assert_int_equal(log.cap, s->cfg.max_bursts);
	nf_interferer_log_fini(&log);
}

static int open_subject(void **state)
{
	struct subject *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(nf_rootfs_open(&s->root, NULL, NULL), 0);
	assert_int_equal(nf_topology_load(&s->root, &s->topo, NULL), 0);
	assert_int_equal(nf_tick_open(&s->root, NF_TICK_AUTO, &s->clock, NULL), 0);
	s->tone = (struct nf_interferer_tone){ 1000000, 1000, 0 };
	s->cfg = (struct nf_interferer_cfg){
		.topo = s->topo,
		.clock = &s->clock,
		.cpu = nf_cpuset_next(nf_topology_allowed(s->topo), -1),
		.tone = &s->tone,
		.n_tones = 1,
		.max_bursts = 100,
	};
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

static void a_start_fails_whole(void **state)
{
	const struct fault_subject f = { .prepare = prepare,
		                         .run = start,
		                         .finish = finish,
		                         .only = CALLS,
		                         .tolerates = "mlock",
		                         .any_code = true };

	fault_every(&f, *state);
}

static void a_policy_that_was_asked_for_is_had_or_refused(void **state)
{
	struct subject *s = *state;
	const struct fault_subject f = { .prepare = prepare,
		                         .run = start,
		                         .finish = finish,
		                         .only = "syscall",
		                         .any_code = true };

	s->cfg.policy_given = true;
	s->cfg.policy = NF_POLICY_OTHER;
	fault_every(&f, s);
}

static void a_policy_that_is_not_permitted_is_stepped_down_from(void **state)
{
	struct subject *s = *state;
	const struct fault_subject f = { .prepare = prepare,
		                         .run = start,
		                         .finish = finish,
		                         .only = "syscall",
		                         .tolerates = "syscall",
		                         .os_errno = EPERM };

	fault_every(&f, s);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, open_subject, close_subject)
static const struct CMUnitTest tests[] = {
	CASE(a_start_fails_whole),
	CASE(a_policy_that_was_asked_for_is_had_or_refused),
	CASE(a_policy_that_is_not_permitted_is_stepped_down_from),
};

NF_UNIT_MAIN(tests)
