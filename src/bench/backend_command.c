/* SPDX-License-Identifier: MIT */
/* backend_command - any command, timed from outside (execution.h). An execution is one value. */
#include "bench/executions.h"

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec * 1e9 + (double)t.tv_usec * 1e3;
}

/* The kernel counts what the process was before it became the command, which is this program: a peak that
 * is no greater than that cannot be told. */
static double peak_of(const struct rusage *u)
{
	struct rusage own;

	if (getrusage(RUSAGE_SELF, &own) < 0 || u->ru_maxrss <= own.ru_maxrss)
		return -1;
	return (double)u->ru_maxrss * 1024;
}

static int keep(void *ctx, const struct nf_ended *e, bool warm_up, struct nf_set *set,
                struct nf_err *err)
{
	(void)ctx;
	(void)err;
	if (warm_up) {
		set->warm_up = e->wall_ns;
		return 0;
	}
	set->value[set->n] = e->wall_ns;
	set->user_ns[set->n] = seconds_of(e->usage.ru_utime);
	set->system_ns[set->n] = seconds_of(e->usage.ru_stime);
	set->peak_bytes[set->n] = peak_of(&e->usage);
	set->wait_status[set->n] = e->wait_status;
	set->posture.context_switches += e->usage.ru_nvcsw + e->usage.ru_nivcsw;
	set->n++;
	return 0;
}

static int execute(const struct nf_launch *l, void *ctx, struct nf_ended *ret, struct nf_err *err)
{
	(void)ctx;
	return nf_launch_run(l, NULL, ret, err);
}

static int run(const struct nf_variant *v, const struct nf_set_cfg *cfg, struct nf_set *ret,
               struct nf_err *err)
{
	static const struct nf_executions how = { .with_process = true,
		                                  .execute = execute,
		                                  .keep = keep };

	return nf_executions_run(&how, NULL, v, cfg, "ns", ret, err);
}

const struct nf_backend nf_backend_command = { .name = "command",
	                                       .check = nf_launch_check,
	                                       .run = run };
