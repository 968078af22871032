/* SPDX-License-Identifier: MIT */
#include "measure/probe_tracer.h"

#include "measure/probe_window.h"

int nf_tracer_check_common(const struct nf_probe_env *env, const struct nf_probe_common *c,
                           struct nf_err *err)
{
	struct nf_cpuset cpus;
	int rc = nf_window_check(env, c, err);

	if (rc < 0)
		return rc;
	nf_cpuset_init(&cpus);
	rc = nf_topology_select(env->topo, c->cpus ? c->cpus : "allowed", &cpus, err);
	nf_cpuset_fini(&cpus);
	return rc;
}

int nf_tracer_check_journal(const struct nf_probe_env *env, const char *tracer, struct nf_err *err)
{
	if (env->journal)
		return 0;
	return nf_fail(err, NF_EUNSUPPORTED,
	               "%s changes tracer settings and needs a journal to undo them: %s", tracer,
	               env->no_journal ? env->no_journal : "a writable runtime folder");
}

int nf_tracer_check_us(const char *tracer, const char *name, int64_t ns, struct nf_err *err)
{
	if (ns >= 0 && ns % NF_TRACER_US_NS == 0)
		return 0;
	return nf_fail(err, NF_EARG, "%s: %s %lld ns: the kernel takes whole microseconds", tracer,
	               name, (long long)ns);
}

/* While the tracer runs. What ended is put back by the caller. */
static int watch(const struct nf_probe_env *env, const struct nf_probe_common *c,
                 const struct nf_tracer_ops *ops, void *ctx, struct nf_probe_run *run,
                 struct nf_err *err)
{
	int64_t span = c->duration_ns ? c->duration_ns : NF_TRACER_DURATION_NS;
	struct nf_instant start = nf_now_raw();
	int rc = ops->cpus(ctx, &run->cpus_got, err);

	if (rc == 0)
		rc = nf_window_sleep(env, start, span, ops->drain, ctx, err);
	run->wall_ns = nf_since_ns(start, nf_now_raw());
	run->stopped_by = nf_stop_signo(env->stop);
	if (rc >= 0)
		rc = ops->drain(ctx, err);
	return rc < 0 ? rc : 0;
}

int nf_tracer_window(const struct nf_probe_env *env, const struct nf_probe_common *c,
                     const struct nf_tracer_ops *ops, void *ctx, struct nf_probe_run *run,
                     struct nf_err *err)
{
	struct nf_bracket *bracket = NULL;
	struct nf_err stop_err = { 0 };
	bool left_alone = false;
	int rc =
	        nf_topology_select(env->topo, c->cpus ? c->cpus : "allowed", &run->cpus_asked, err);

	if (rc == 0)
		rc = nf_bracket_open(env->root, &run->cpus_asked, &bracket, err);
	if (rc == 0)
		rc = ops->start(ctx, &run->cpus_asked, err);
	if (rc < 0)
		goto out;
	rc = watch(env, c, ops, ctx, run, err);
	/* Puts everything back, whatever happened before. What was seen stays good where that fails: the
	 * journal keeps what is left to do. */
	if (ops->stop(ctx, &left_alone, &stop_err) < 0)
		nf_probe_note(run,
		              "the tracer's settings could not all be put back (%.120s): tried "
		              "again when the program ends",
		              stop_err.msg);
	if (left_alone)
		nf_probe_note(run,
		              "a setting of the tracer was changed by someone else meanwhile and "
		              "was left alone");
	if (rc == 0)
		rc = nf_bracket_close(bracket, &run->bracket, err);
out:
	nf_bracket_free(bracket);
	return rc;
}
