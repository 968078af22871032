/* SPDX-License-Identifier: MIT */
#include "measure/probe_threads.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Text of a set for messages; cut when long. */
static void set_text(const struct nf_cpuset *s, char *out, size_t out_bytes)
{
	struct nf_buf b;

	nf_buf_init(&b, out_bytes - 1);
	/* Cut text is better than none here, and the buffer keeps what fitted before. */
	if (nf_cpuset_print(s, &b) != 0 && b.len_bytes == 0)
		nf_buf_clear(&b);
	size_t n = b.len_bytes < out_bytes - 1 ? b.len_bytes : out_bytes - 1;
	memcpy(out, b.data, n);
	out[n] = '\0';
	nf_buf_fini(&b);
}

static bool covers(const struct nf_cpuset *a, const struct nf_cpuset *b)
{
	for (int cpu = -1; (cpu = nf_cpuset_next(b, cpu)) >= 0;)
		if (!nf_cpuset_has(a, cpu))
			return false;
	return true;
}

int nf_probe_select(const struct nf_probe_env *env, const struct nf_probe_common *c, bool spins,
                    struct nf_cpuset *ret, int *ret_left_out, struct nf_err *err)
{
	const struct nf_cpuset *allowed = nf_topology_allowed(env->topo);
	const char *spec = c->cpus ? c->cpus : "allowed";
	const char *policy = nf_policy_name(c->policy);
	struct nf_cpuset sel;
	int left_out = -1;
	int rc;

	nf_cpuset_init(&sel);
	rc = nf_topology_select(env->topo, spec, &sel, err);
	if (rc != 0)
		goto out;
	if (!spins || (c->policy != NF_POLICY_FIFO && c->policy != NF_POLICY_RR) ||
	    !covers(&sel, allowed))
		goto done;
	if (nf_cpuset_count(allowed) < 2) {
		rc = nf_fail(
		        err, NF_EUNSUPPORTED,
		        "under policy %s one allowed CPU must stay free for the system "
		        "(housekeeping), and only CPU %d is allowed here; allow a second CPU or "
		        "use --policy other",
		        policy, nf_cpuset_next(allowed, -1));
		goto out;
	}
	if (strcmp(spec, "allowed") != 0) {
		char list[160];

		set_text(allowed, list, sizeof(list));
		rc = nf_fail(
		        err, NF_EARG,
		        "--cpus %s covers every allowed CPU (%s): under policy %s one must stay "
		        "free for the system (housekeeping); leave one out or use --policy other",
		        spec, list, policy);
		goto out;
	}
	left_out = nf_cpuset_next(&sel, -1);
	nf_cpuset_remove(&sel, left_out);
done:
	*ret = sel;
	*ret_left_out = left_out;
	return 0;
out:
	nf_cpuset_fini(&sel);
	return rc;
}

/* *ret: whether a hardware thread that shares a core with cpu is in `set` (cpu itself not counted).
 */
static int sibling_in(const struct nf_topology *t, int cpu, const struct nf_cpuset *set, bool *ret,
                      struct nf_err *err)
{
	struct nf_cpuset sib;
	int rc;

	nf_cpuset_init(&sib);
	rc = nf_topology_siblings(t, cpu, &sib, err);
	if (rc == 0) {
		nf_cpuset_and(&sib, set);
		nf_cpuset_remove(&sib, cpu);
		*ret = nf_cpuset_count(&sib) > 0;
	}
	nf_cpuset_fini(&sib);
	return rc;
}

bool nf_controller_has_room(const struct nf_probe_env *env, const struct nf_cpuset *measured)
{
	return !covers(measured, nf_topology_allowed(env->topo));
}

int nf_controller_enter(struct nf_controller *c, const struct nf_probe_env *env,
                        const struct nf_cpuset *measured, struct nf_err *err)
{
	struct nf_controller made = { .saved_bytes = CPU_ALLOC_SIZE(NF_CPU_MAX),
		                      .cpu_at_entry = -1 };
	struct nf_cpuset other;
	struct nf_cpuset apart; /* the part of other that shares no core with a measured CPU */
	struct nf_cpuset got;
	bool any = false;
	int rc;

	nf_cpuset_init(&other);
	nf_cpuset_init(&apart);
	nf_cpuset_init(&got);
	rc = nf_cpuset_copy(&other, nf_topology_allowed(env->topo), err);
	if (rc != 0)
		goto out;
	nf_cpuset_andnot(&other, measured);
	for (int cpu = -1; (cpu = nf_cpuset_next(&other, cpu)) >= 0;) {
		bool shares = false;

		rc = sibling_in(env->topo, cpu, measured, &shares, err);
		if (rc == 0 && !shares)
			rc = nf_cpuset_add(&apart, cpu, err);
		if (rc != 0)
			goto out;
		any = true;
	}
	rc = nf_cpuset_copy(&made.mask,
	                    nf_cpuset_count(&apart) > 0 ? &apart
	                    : any                       ? &other
	                                                : nf_topology_allowed(env->topo),
	                    err);
	if (rc != 0)
		goto out;
	if (any) {
		made.saved = calloc(1, made.saved_bytes);
		if (!made.saved) {
			rc = nf_fail_nomem(err, "the affinity mask", made.saved_bytes);
			goto out;
		}
		if (sched_getaffinity(0, made.saved_bytes, made.saved) != 0) {
			rc = nf_fail_os(err, errno,
			                "reading the affinity of the controlling thread");
			goto out;
		}
		rc = nf_topology_bind_self(env->topo, &made.mask, &got, err);
		if (rc != 0) {
			/* A bind that failed half way may have changed the mask. */
			nf_controller_leave(&made);
			goto out;
		}
	}
	made.cpu_at_entry = sched_getcpu();
	*c = made;
	made.saved = NULL;
	nf_cpuset_init(&made.mask);
out:
	free(made.saved);
	nf_cpuset_fini(&made.mask);
	nf_cpuset_fini(&other);
	nf_cpuset_fini(&apart);
	nf_cpuset_fini(&got);
	return rc;
}

int nf_controller_report(const struct nf_controller *c, const struct nf_probe_env *env,
                         const struct nf_cpuset *measured, struct nf_probe_run *run,
                         struct nf_err *err)
{
	int now = sched_getcpu();
	bool moved = now < 0 || now != c->cpu_at_entry;
	bool is_measured = nf_cpuset_has(measured, now);
	bool shares = false;

	for (int cpu = -1; !shares && (cpu = nf_cpuset_next(&c->mask, cpu)) >= 0;) {
		int rc = sibling_in(env->topo, cpu, measured, &shares, err);

		if (rc != 0)
			return rc;
	}
	/* An unbound controller that moved may have been on any of them. */
	if (moved && !c->saved)
		is_measured = true;
	run->controller_cpu = moved ? -1 : now;
	run->controller_measured = is_measured;
	run->sibling_measured = shares;
	if (is_measured && !moved)
		nf_probe_note(run, "the controlling thread slept on CPU %d, which was measured",
		              now);
	else if (is_measured)
		nf_probe_note(run,
		              "every allowed CPU was measured: the controlling thread slept on "
		              "measured CPUs");
	if (shares) {
		char list[120];

		set_text(&c->mask, list, sizeof(list));
		nf_probe_note(run,
		              "the controlling thread slept on one of CPUs %s, which share cores "
		              "with measured CPUs",
		              list);
	}
	return 0;
}

void nf_controller_leave(struct nf_controller *c)
{
	if (c->saved)
		/* CPUs of the old mask may be gone by now; then the kernel's choice stands. */
		(void)!sched_setaffinity(0, c->saved_bytes, c->saved);
	free(c->saved);
	c->saved = NULL;
	nf_cpuset_fini(&c->mask);
}

int nf_probe_note_plan(const struct nf_probe_env *env, const struct nf_probe_common *c,
                       const struct nf_cpuset *cpus, int left_out, struct nf_probe_run *run,
                       struct nf_err *err)
{
	int rc = nf_cpuset_copy(&run->cpus_asked, cpus, err);

	if (rc == 0 && left_out >= 0)
		rc = nf_cpuset_add(&run->cpus_asked, left_out, err);
	if (rc != 0)
		return rc;
	if (left_out >= 0)
		nf_probe_note(
		        run,
		        "CPU %d was left to the system (housekeeping) under policy %s and not "
		        "measured",
		        left_out, nf_policy_name(c->policy));
	nf_policy_note_holes(env, c->policy, true, run);
	if (env->clock->fallback_reason[0] != '\0')
		nf_probe_note(run, "measured on %s: %s", nf_tick_name(env->clock->source),
		              env->clock->fallback_reason);
	return 0;
}
