/* SPDX-License-Identifier: MIT */
#include "bench/executions.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/duration.h"
#include "bench/set_posture.h"

enum { MASK_SETS = 16 /* of 1,024 CPUs each */ };

struct executions {
	struct nf_launch launch;
	const struct nf_variant *v;
	const struct nf_set_cfg *cfg;
	const struct nf_executions *how;
	void *ctx;
};

static void say_timeout(const struct executions *c, struct nf_set *set)
{
	struct nf_buf text;

	nf_buf_init(&text, 64);
	(void)nf_duration_print(c->v->timeout_ns, &text);
	nf_set_fail(set, "took longer than %s", text.data);
	nf_buf_fini(&text);
}

/* Whether the set goes on after this. */
static bool went_well(const struct executions *c, const struct nf_ended *e, const char *what,
                      bool any, struct nf_set *set)
{
	if (e->stopped) {
		set->stopped = true;
		return false;
	}
	if (e->timed_out) {
		say_timeout(c, set);
		return false;
	}
	if (e->too_much) {
		nf_set_fail(set, "said more than %d MiB", (int)(NF_EXECUTION_SAID_BYTES >> 20));
		return false;
	}
	if (e->wait_status == 0 || (any && WIFEXITED(e->wait_status)))
		return true;
	nf_set_fail_status(set, what, e->wait_status);
	return false;
}

static int beside(const struct executions *c, const char *text, const char *what,
                  struct nf_set *set, bool *ret_well, struct nf_err *err)
{
	struct nf_ended e = { 0 };

	*ret_well = true;
	int r = text ? nf_launch_shell(&c->launch, text, &e, err) : 0;
	if (r == 0 && text)
		*ret_well = went_well(c, &e, what, false, set);
	return r;
}

/* One execution with what belongs before and after it. */
static int once(const struct executions *c, bool warm_up, struct nf_set *set, bool *ret_on,
                struct nf_err *err)
{
	struct nf_ended e = { 0 };
	bool well;
	int r = beside(c, c->v->prepare, "prepare", set, ret_on, err);

	if (r < 0 || !*ret_on)
		return r;
	r = c->how->execute(&c->launch, c->ctx, &e, err);
	if (r < 0)
		return r;
	if (e.tree_method != NF_TREE_UNKNOWN && !(e.tree_bytes < set->tree_bytes)) {
		set->tree_method = e.tree_method;
		set->tree_bytes = e.tree_bytes;
		set->tree_samples = e.tree_samples;
	}
	well = went_well(c, &e, NULL, c->v->any_status, set);
	if (well)
		r = c->how->keep(c->ctx, &e, warm_up, set, err);
	if (r < 0)
		return r;
	well = well && !set->failed;
	r = beside(c, c->v->cleanup, "cleanup", set, ret_on, err);
	*ret_on = *ret_on && well;
	return r;
}

static int executions(const struct executions *c, struct nf_set *set, struct nf_err *err)
{
	bool on = true;
	int r = c->cfg->set_up ? beside(c, c->v->setup, "setup", set, &on, err) : 0;

	if (r == 0 && on && c->cfg->warm_up)
		r = once(c, true, set, &on, err);

	for (size_t i = 0; r == 0 && on && i < c->cfg->n_values; i++) {
		if (nf_stop_signo(c->cfg->stop)) {
			set->stopped = true;
			break;
		}
		r = once(c, false, set, &on, err);
	}
	return r;
}

/* A process takes the CPUs of who starts it. */
static int bound_executions(const struct executions *c, struct nf_set *set, struct nf_err *err)
{
	cpu_set_t before[MASK_SETS], mask[MASK_SETS];

	if (!c->cfg->cpus)
		return executions(c, set, err);
	memset(mask, 0, sizeof(mask));
	for (int cpu = nf_cpuset_next(c->cfg->cpus, -1); cpu >= 0;
	     cpu = nf_cpuset_next(c->cfg->cpus, cpu))
		if (cpu < MASK_SETS * CPU_SETSIZE)
			CPU_SET_S((size_t)cpu, sizeof(mask), mask);
	if (sched_getaffinity(0, sizeof(before), before) < 0 ||
	    sched_setaffinity(0, sizeof(mask), mask) < 0)
		return nf_fail_os(err, errno, "cannot bind a command to its CPUs");
	int r = executions(c, set, err);
	if (sched_setaffinity(0, sizeof(before), before) < 0 && r == 0)
		r = nf_fail_os(err, errno, "cannot go back to the CPUs from before");
	return r;
}

int nf_executions_run(const struct nf_executions *how, void *ctx, const struct nf_variant *v,
                      const struct nf_set_cfg *cfg, const char *unit, struct nf_set *ret,
                      struct nf_err *err)
{
	struct executions c = { .v = v, .cfg = cfg, .how = how, .ctx = ctx };
	struct nf_instant begin = nf_now_raw();

	nf_set_init(ret, unit);
	ret->posture.context_switches = 0;
	int r = nf_launch_open(v, cfg, how->listens, &c.launch, err);
	if (r < 0)
		goto out;
	r = nf_set_reserve(ret, cfg->n_values, how->with_process, err);
	if (r == 0 && cfg->watch)
		r = nf_set_watch_begin(cfg->watch, err);
	if (r == 0)
		r = bound_executions(&c, ret, err);
	if (r == 0 && cfg->watch)
		r = nf_set_watch_end(cfg->watch, &ret->posture, err);
	nf_launch_close(&c.launch);
	ret->wall_ns = nf_since_ns(begin, nf_now_raw());
out:
	if (r < 0)
		nf_set_fini(ret);
	return r;
}
