/* SPDX-License-Identifier: MIT */
/* Sets and lists of benchmark programs with every allocation, process and call failing: no process, file
 * or memory is left, and no half of an answer. */
#include <errno.h>
#include <sys/wait.h>

#include "bench/backend.h"
#include "bench/environment.h"
#include "bench/program.h"
#include "fault.h"
#include "nf_unit.h"

#define CALLS \
	"malloc,calloc,realloc,socketpair,fork,syscall,poll,wait4,sched_getaffinity,openat," \
	"openat64"

struct subject {
	struct nf_variant variant;
	struct nf_set_cfg cfg;
	struct nf_set set;
	struct nf_bench_list list;
};

static int make_set(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_backends[NF_BACKEND_BUILTIN]->run(&s->variant, &s->cfg, &s->set, err);
}

static void no_child_is_left(void)
{
	/* A wait that was made to fail left one that has ended. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void finish_set(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0) {
		assert_null(s->set.value);
		assert_int_equal(s->set.n, 0);
	} else {
		if (s->set.failed)
			fail_msg("%s", s->set.why);
		assert_int_equal(s->set.n, 2);
	}
	nf_set_fini(&s->set);
	no_child_is_left();
}

static int make_list(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_bench_list_make(s->variant.program, NULL, &s->list, err);
}

static void finish_list(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_true(r < 0 ? !s->list.row : s->list.n > 10);
	nf_bench_list_fini(&s->list);
	no_child_is_left();
}

static struct subject subject(void)
{
	return (struct subject){ .variant = { .program = getenv("NF_BIN"),
		                              .bench = "clock.monotonic" },
		                 .cfg = { .seed = 3, .n_values = 2, .min_iteration_ns = 1 } };
}

static void a_set_is_made_or_fails_whole(void **state)
{
	struct subject s = subject();
	/* What cannot be opened of /proc and /sys is unknown; the root must be. */
	const struct fault_subject f = { .run = make_set,
		                         .finish = finish_set,
		                         .only = CALLS,
		                         .tolerates = "openat,openat64",
		                         .any_code = true };

	(void)state;
	assert_non_null(s.variant.program);
	fault_every(&f, &s);
}

static void interrupted_waits_change_nothing(void **state)
{
	struct subject s = subject();
	const struct fault_subject f = { .run = make_set,
		                         .finish = finish_set,
		                         .only = "poll,wait4" };

	(void)state;
	fault_survives(&f, &s);
}

static void a_list_is_had_or_fails_whole(void **state)
{
	struct subject s = subject();
	const struct fault_subject f = {
		.run = make_list, .finish = finish_list, .only = CALLS, .any_code = true
	};

	(void)state;
	fault_every(&f, &s);
	s.variant.program = NULL; /* this program's own */
	fault_every(&f, &s);
}

static int make_environment(void *ctx, struct nf_err *err)
{
	static char item[] = "A=1";
	static char *const own[] = { item, NULL };

	return nf_environment_make(own, NULL, 1, ctx, err);
}

static void finish_environment(void *ctx, int r)
{
	struct nf_environment *e = ctx;

	if (r < 0)
		assert_null(e->item);
	nf_environment_fini(e);
}

static void an_environment_is_made_or_fails_whole(void **state)
{
	struct nf_environment e = { 0 };
	const struct fault_subject f = { .run = make_environment, .finish = finish_environment };

	(void)state;
	fault_every(&f, &e);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_set_is_made_or_fails_whole),
	cmocka_unit_test(interrupted_waits_change_nothing),
	cmocka_unit_test(a_list_is_had_or_fails_whole),
	cmocka_unit_test(an_environment_is_made_or_fails_whole),
};

NF_UNIT_MAIN(tests)
