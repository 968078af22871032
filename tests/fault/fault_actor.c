/* SPDX-License-Identifier: MIT */
/* The actor runtime with every allocation, mapping and thread failing: nothing is left, and an
 * actor that could not be run or served says so. */
#include <string.h>

#include "fault.h"
#include "nf_unit.h"
#include "noisefloor/actor.h"

#define CALLS \
	"malloc,calloc,realloc,aligned_alloc,mmap,mmap64,mprotect,madvise,sigaction,pthread_" \
	"create," \
	"pthread_attr_init,pthread_attr_setaffinity_np,sched_getaffinity"

struct subject {
	struct nf_actor_knobs knobs;
	struct nf_actor_rt *rt;
	bool ran;
};

static void prepare(void *ctx)
{
	struct subject *s = ctx;

	s->rt = NULL;
	s->ran = false;
}

static int make(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_actor_rt_new(&s->knobs, &s->rt, err);
}

static void finish(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0)
		assert_null(s->rt);
	nf_actor_rt_free(s->rt);
}

static void making_a_runtime(void **state)
{
	static const int cpu0;
	struct subject s;

	(void)state;
	nf_actor_knobs_init(&s.knobs);
	s.knobs.max_actors = 64;
	s.knobs.spin_ns = 0;
	/* Without a count of CPUs there is another one; huge pages are a wish; the second kind
	 * of guard. */
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = make,
	                                     .finish = finish,
	                                     .only = CALLS,
	                                     .tolerates = "sched_getaffinity,madvise" },
	            &s);
	s.knobs.workers = 3;
	s.knobs.cpus = &cpu0;
	s.knobs.n_cpus = 1;
	s.knobs.guard = NF_ACTOR_GUARD_MPROTECT;
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = make,
	                                     .finish = finish,
	                                     .only = CALLS,
	                                     .tolerates = "madvise" },
	            &s);
	/* What a wake costs is measured with a thread; without one the least is taken. */
	s.knobs.spin_ns = -1;
	s.knobs.n_cpus = 0;
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = make,
	                                     .finish = finish,
	                                     .only = "pthread_create",
	                                     .tolerates = "pthread_create",
	                                     .any_code = true },
	            &s);
}

static void *child(void *arg)
{
	nf_actor_yield();
	return arg;
}

/* Whatever fails, it says which. */
static void *uses_everything(void *arg)
{
	struct nf_chan *c;
	struct nf_actor a;
	struct nf_actor_timer t;
	struct nf_actor_msg m = { 0 };
	struct nf_actor_status s;
	struct nf_err err = { 0 };
	char *p = nf_actor_alloc(100);

	if (!p)
		nf_actor_panic("no memory");
	if (nf_chan_new(NULL, &c, &err) != 0)
		nf_actor_panic(err.msg);
	if (nf_chan_send(c, m) != 0 || nf_chan_recv(c, &m) != 0)
		nf_actor_panic("no message");
	if (nf_actor_spawn(NULL, NULL, child, arg, &a, &err) != 0 ||
	    nf_actor_join(a, &s, &err) != 0)
		nf_actor_panic(err.msg);
	if (s.end != NF_ACTOR_RETURNED)
		nf_actor_panic(s.message);
	if (nf_actor_timer_start(c, m, nf_actor_now_ns(), &t, &err) != 0)
		nf_actor_panic(err.msg);
	if (nf_chan_recv(c, &m) != 0)
		nf_actor_panic("no timer");
	nf_actor_sleep(1000);
	nf_actor_free(p);
	return arg;
}

static int use(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	struct nf_actor_status st;
	int r = make(ctx, err);

	if (r < 0)
		return r;
	r = nf_actor_rt_run(s->rt, uses_everything, s, &st, err);
	if (r == 0 && st.end != NF_ACTOR_RETURNED) {
		assert_string_not_equal(st.message, "");
		r = nf_fail(err, NF_ENOMEM, "%s", st.message);
	}
	if (r < 0) {
		nf_actor_rt_free(s->rt);
		s->rt = NULL;
	}
	return r;
}

static void using_one(void **state)
{
	struct subject s;

	(void)state;
	nf_actor_knobs_init(&s.knobs);
	s.knobs.workers = 1;
	s.knobs.max_actors = 64;
	s.knobs.spin_ns = 0;
	/* A sleep without memory for its timer yields until the time has come. */
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = use,
	                                     .finish = finish,
	                                     .only = CALLS,
	                                     .tolerates = "madvise",
	                                     .any_code = true },
	            &s);
	s.knobs.guard = NF_ACTOR_GUARD_MPROTECT;
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = use,
	                                     .finish = finish,
	                                     .only = CALLS,
	                                     .tolerates = "madvise,mprotect",
	                                     .any_code = true },
	            &s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(making_a_runtime),
	cmocka_unit_test(using_one),
};

NF_UNIT_MAIN(tests)
