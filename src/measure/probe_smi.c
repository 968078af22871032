/* SPDX-License-Identifier: MIT */
#include "measure/probe_smi.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure/probe_window.h"

#define WINDOW_DEFAULT_NS INT64_C(10000000000)
#define MSR_COUNT_MASK UINT64_C(0xffffffff) /* MSR_SMI_COUNT is 32 bits wide and wraps */

struct counts {
	uint64_t *before; /* owned; one per CPU */
	uint64_t *after;
	size_t n;
};

bool nf_smi_trusted(bool hypervisor, const uint64_t *before, const uint64_t *after, size_t n)
{
	if (!hypervisor)
		return true;
	for (size_t i = 0; i < n; i++)
		if (before[i] != after[i])
			return true;
	return false;
}

static int read_all(const struct nf_smi *smi, uint64_t *count, size_t n, struct nf_err *err)
{
	for (size_t i = 0; i < n; i++) {
		int rc = nf_smi_read(smi, i, &count[i], err);

		if (rc < 0)
			return rc;
	}
	return 0;
}

static int count_window(const struct nf_probe_env *env, const struct nf_smi_cfg *cfg,
                        const struct nf_smi *smi, struct counts *c, struct nf_probe_run *run,
                        struct nf_err *err)
{
	int64_t window_ns = cfg->common.duration_ns ? cfg->common.duration_ns : WINDOW_DEFAULT_NS;
	struct nf_instant start = nf_now_raw();
	int rc = read_all(smi, c->before, c->n, err);

	if (rc < 0)
		return rc;
	nf_window_sleep(env, start, window_ns, NULL, NULL, NULL);
	rc = read_all(smi, c->after, c->n, err);
	run->wall_ns = nf_since_ns(start, nf_now_raw());
	run->stopped_by = nf_stop_signo(env->stop);
	return rc;
}

static int collect(const struct nf_smi *smi, const struct counts *c, struct nf_probe_run *run,
                   struct nf_err *err)
{
	struct nf_smi_result *res = calloc(1, sizeof(*res));
	bool msr = nf_smi_source(smi) == NF_SMI_MSR;

	if (!res)
		return nf_fail_nomem(err, "smi result", sizeof(*res));
	run->result = res;
	res->source = nf_smi_source(smi);
	res->trusted = nf_smi_trusted(nf_smi_hypervisor(), c->before, c->after, c->n);
	res->window_ns = run->wall_ns;
	res->min_count = UINT64_MAX;
	for (size_t i = 0; i < c->n; i++) {
		uint64_t d = c->after[i] - c->before[i];

		if (msr)
			d &= MSR_COUNT_MASK;
		res->max_count = d > res->max_count ? d : res->max_count;
		res->min_count = d < res->min_count ? d : res->min_count;
		nf_stream_put(&run->streams[0], (int64_t)d);
	}
	if (!res->trusted)
		nf_probe_note(run,
		              "under a hypervisor and no count ever moved: the counter may not "
		              "count here, so this is no \"0 SMIs\"");
	if (res->max_count != res->min_count)
		nf_probe_note(run,
		              "CPUs counted %llu to %llu: an SMI stops all of them, so some came "
		              "while the counts were being read",
		              (unsigned long long)res->min_count,
		              (unsigned long long)res->max_count);
	return 0;
}

static int make_stream(size_t n, struct nf_probe_run *run, struct nf_err *err)
{
	run->streams = calloc(1, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "smi stream", sizeof(*run->streams));
	int rc = nf_stream_init(&run->streams[0], "smi.count", n, err);
	if (rc < 0)
		return rc;
	run->n_streams = 1;
	nf_stream_prefault(&run->streams[0]);
	run->streams[0].cpu = -1;
	run->streams[0].node = -1;
	run->streams[0].unit = NF_UNIT_COUNT;
	run->streams[0].kind = NF_KIND_COUNT;
	run->locked = run->streams[0].locked;
	nf_probe_note_unlocked(run);
	return 0;
}

static int smi_run(const struct nf_probe_env *env, const void *config, struct nf_probe_run *ret,
                   struct nf_err *err)
{
	const struct nf_smi_cfg *cfg = config;
	struct nf_probe_run run = { .policy = NF_POLICY_OTHER, .controller_cpu = -1 };
	struct nf_bracket *bracket = NULL;
	struct nf_smi *smi = NULL;
	struct counts c = { 0 };
	int rc = nf_window_check(env, &cfg->common, err);

	if (rc == 0)
		rc = nf_topology_select(env->topo, cfg->common.cpus, &run.cpus_asked, err);
	if (rc == 0)
		rc = nf_cpuset_copy(&run.cpus_got, &run.cpus_asked, err);
	if (rc == 0)
		rc = nf_smi_open(env->root, &run.cpus_asked, &smi, err);
	if (rc < 0)
		goto out;
	c.n = nf_smi_n_cpus(smi);
	c.before = calloc(c.n, sizeof(*c.before));
	c.after = calloc(c.n, sizeof(*c.after));
	if (!c.before || !c.after) {
		rc = nf_fail_nomem(err, "smi counts", c.n * sizeof(*c.before));
		goto out;
	}
	rc = make_stream(c.n, &run, err);
	if (rc == 0)
		rc = nf_bracket_open(env->root, &run.cpus_asked, &bracket, err);
	if (rc == 0)
		rc = count_window(env, cfg, smi, &c, &run, err);
	if (rc == 0)
		rc = nf_bracket_close(bracket, &run.bracket, err);
	if (rc == 0)
		rc = collect(smi, &c, &run, err);
out:
	nf_bracket_free(bracket);
	nf_smi_close(smi);
	free(c.before);
	free(c.after);
	if (rc < 0)
		nf_probe_run_fini(&nf_probe_smi, &run);
	else
		*ret = run;
	return rc;
}

static void smi_defaults(void *config)
{
	struct nf_smi_cfg *cfg = config;

	*cfg = (struct nf_smi_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = WINDOW_DEFAULT_NS,
		            .max_sample_bytes = (size_t)256 << 20 },
	};
}

/* Opens the counters and closes them again: whether they work is not known before. */
static int smi_check(const struct nf_probe_env *env, const void *config, struct nf_err *err)
{
	const struct nf_smi_cfg *cfg = config;
	struct nf_smi *smi = NULL;
	struct nf_cpuset cpus;
	int rc = nf_window_check(env, &cfg->common, err);

	nf_cpuset_init(&cpus);
	if (rc == 0)
		rc = nf_topology_select(env->topo, cfg->common.cpus, &cpus, err);
	if (rc == 0)
		rc = nf_smi_open(env->root, &cpus, &smi, err);
	nf_smi_close(smi);
	nf_cpuset_fini(&cpus);
	return rc;
}

static int64_t smi_estimate_ns(const struct nf_probe_env *env, const void *config)
{
	const struct nf_smi_cfg *cfg = config;

	(void)env;
	return cfg->common.duration_ns ? cfg->common.duration_ns : WINDOW_DEFAULT_NS;
}

const struct nf_probe nf_probe_smi = {
	.name = "smi",
	.summary = "system management interrupts counted over a window",
	.needs = NF_NEEDS_ROOT | NF_NEEDS_COUNTER,
	.cfg_size = sizeof(struct nf_smi_cfg),
	.defaults = smi_defaults,
	.check = smi_check,
	.estimate_ns = smi_estimate_ns,
	.run = smi_run,
};
