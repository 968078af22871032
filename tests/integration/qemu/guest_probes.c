/* SPDX-License-Identifier: MIT */
/*
 * guest_probes - what guest_probes.sh runs on a real kernel: one probe a call, facts one a line on
 * standard output, exit 0 or the exit code of the failure.
 *
 *   guest_probes numa flat|local|interleave|remote
 *   guest_probes wake METHOD CPUS        (20 activations of 20 ms)
 *   guest_probes smi N                   (N SMIs raised within the window)
 *   guest_probes hwlat SECONDS THRESHOLD_US [CPUS]
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>

#include "measure/probe_hwlat.h"
#include "measure/probe_numa.h"
#include "measure/probe_osnoise.h"
#include "measure/probe_smi.h"
#include "measure/probe_timerlat.h"
#include "measure/probe_wake.h"

enum { SMI_PORT = 0xb2 };

struct host {
	struct nf_rootfs root;
	struct nf_topology *topo;
	struct nf_journal *journal;
	struct nf_probe_env env;
	int smis_to_raise;
};

static void raise_smis(void *ctx, double fraction)
{
	struct host *h = ctx;

	(void)fraction;
	for (; h->smis_to_raise > 0; h->smis_to_raise--)
		outb(0, SMI_PORT);
}

static void print_set(const char *key, const struct nf_cpuset *set)
{
	struct nf_buf text;

	nf_buf_init(&text, 65536);
	if (nf_cpuset_print(set, &text) == 0)
		printf("%s %s\n", key, text.data);
	nf_buf_fini(&text);
}

static void print_numa(const struct nf_probe_run *run)
{
	const struct nf_numa_result *r = run->result;

	printf("nodes %zu partitions %zu threads %zu\n", r->n_nodes, r->n_partitions, r->n_threads);
	printf("pages %zu %zu unknown %zu verified %d\n", r->pages_on_node[0],
	       r->n_nodes > 1 ? r->pages_on_node[1] : 0, r->pages_unknown, r->placement_verified);
	printf("sums %s\n",
	       isfinite(r->serial_sum) && fabs(r->difference) < 1e-6 ? "agree" : "differ");
	for (size_t i = 0; i < r->n_pairs; i++)
		printf("pair %d %d\n", r->pair[i].cpu_node, r->pair[i].mem_node);
}

static void print_wake(const struct nf_probe_run *run)
{
	const struct nf_wake_result *r = run->result;

	for (size_t i = 0; i < r->n_workers; i++) {
		const struct nf_wake_worker *w = &r->worker[i];
		const struct nf_stream *s = &run->streams[2 * i];

		printf("worker %d stream %s due %llu balanced %d\n", w->cpu, s->name,
		       (unsigned long long)w->n_due, w->n_due == s->n + s->n_dropped + w->n_missed);
	}
}

static void print_smi(const struct nf_probe_run *run)
{
	const struct nf_smi_result *r = run->result;

	printf("smi %s trusted %d min %llu max %llu\n", r->source == NF_SMI_MSR ? "msr" : "perf",
	       r->trusted, (unsigned long long)r->min_count, (unsigned long long)r->max_count);
}

/* The CPUs in a stream of CPU numbers. */
static void print_seen(const struct nf_stream *s)
{
	struct nf_cpuset seen;
	int rc = 0;

	nf_cpuset_init(&seen);
	for (size_t i = 0; i < s->n && rc == 0; i++)
		rc = nf_cpuset_add(&seen, (int)s->value[i], NULL);
	print_set("seen", &seen);
	nf_cpuset_fini(&seen);
}

static void print_hwlat(const struct nf_probe_run *run)
{
	const struct nf_hwlat_result *r = run->result;
	bool equal = true;
	int64_t longest = -1;

	for (size_t i = 0; i < run->n_streams; i++)
		equal = equal && run->streams[i].n == r->n_gaps;
	for (size_t i = 0; i < run->n_streams; i++)
		if (strcmp(run->streams[i].name, "hwlat.cpu") == 0)
			print_seen(&run->streams[i]);
	for (size_t i = 0; equal && i < r->n_gaps; i++)
		for (size_t s = 0; s < 2; s++)
			if (run->streams[s].value[i] > longest)
				longest = run->streams[s].value[i];
	printf("hwlat threshold %lld gaps %s streams %s max %s\n",
	       (long long)r->settings.threshold_us, r->n_gaps > 0 ? "some" : "none",
	       equal ? "equal" : "unequal", longest == r->max_ns ? "right" : "wrong");
}

static void print_osnoise(const struct nf_probe_run *run)
{
	const struct nf_osnoise_result *r = run->result;
	const struct nf_stream *noise = &run->streams[0], *runtime = &run->streams[1];
	const struct nf_stream *longest = &run->streams[2];
	bool equal = true, sane = true;

	for (size_t i = 0; i < run->n_streams; i++) {
		equal = equal && run->streams[i].n == r->n_periods;
		if (strcmp(run->streams[i].name, "osnoise.cpu") == 0)
			print_seen(&run->streams[i]);
	}
	for (size_t i = 0; equal && i < r->n_periods; i++)
		sane = sane && runtime->value[i] > 0 && noise->value[i] <= runtime->value[i] &&
		       longest->value[i] <= noise->value[i];
	for (size_t i = 0; i < r->n_causes; i++)
		sane = sane && r->cause[i].n > 0 && r->cause[i].longest_ns <= r->cause[i].total_ns;
	printf("osnoise period %lld runtime %lld threshold %lld limit %d\n",
	       (long long)r->settings.period_us, (long long)r->settings.runtime_us,
	       (long long)r->settings.threshold_us, r->at_limit);
	printf("periods %s streams %s figures %s causes %s\n", r->n_periods > 0 ? "some" : "none",
	       equal ? "equal" : "unequal", sane ? "sane" : "wrong",
	       r->n_causes > 0 ? "some" : "none");
	for (size_t i = 0; i < r->n_causes; i++)
		printf("cause %d '%s' %llu\n", (int)r->cause[i].source, r->cause[i].name,
		       (unsigned long long)r->cause[i].n);
}

static void print_timerlat(const struct nf_probe_run *run)
{
	const struct nf_timerlat_result *r = run->result;

	printf("timerlat period %lld limit %d\n", (long long)r->settings.period_us, r->at_limit);
	for (size_t i = 0; i < r->n_cpus; i++) {
		const struct nf_stream *irq = &run->streams[2 * i], *thread = irq + 1;
		bool sane = true;

		for (size_t k = 0; k < irq->n; k++)
			sane = sane && irq->value[k] >= 0;
		for (size_t k = 0; k < thread->n; k++)
			sane = sane && thread->value[k] > 0;
		printf("cpu %d irq %s thread %s figures %s\n", r->cpu[i],
		       irq->n > 0 ? "some" : "none", thread->n > 0 ? "some" : "none",
		       sane ? "sane" : "wrong");
	}
}

static int run_probe(struct host *h, const struct nf_probe *p, const void *cfg,
                     void (*print)(const struct nf_probe_run *run))
{
	static const char *const policies[] = { "other", "fifo", "rr", "deadline" };
	struct nf_probe_run run = { 0 };
	struct nf_err err = { 0 };
	int rc = p->run(&h->env, cfg, &run, &err);

	if (rc < 0) {
		printf("%s failed %s\n", p->name, err.msg);
		return nf_exit_code(rc);
	}
	printf("policy %s %d\n", policies[run.policy], run.priority);
	print_set("cpus", &run.cpus_got);
	print(&run);
	for (size_t i = 0; i < run.n_notes; i++)
		printf("note %s\n", run.note[i]);
	nf_probe_run_fini(p, &run);
	return 0;
}

static int numa(struct host *h, const char *placement)
{
	struct nf_numa_cfg c;

	nf_probe_numa.defaults(&c);
	c.repetitions = 2;
	c.n_channels = 20;
	c.n_samples = 1250;
	while (strcmp(nf_placement_name(c.placement), placement) != 0)
		if (c.placement++ == NF_PLACE_REMOTE)
			return 2;
	return run_probe(h, &nf_probe_numa, &c, print_numa);
}

static int wake(struct host *h, const char *method, const char *cpus)
{
	struct nf_wake_cfg c;

	nf_probe_wake.defaults(&c);
	c.period_ns = 20000000;
	c.n_activations = 20;
	c.common.cpus = cpus;
	while (strcmp(nf_wake_method_name(c.method), method) != 0)
		if (c.method++ == NF_WAKE_DEADLINE)
			return 2;
	return run_probe(h, &nf_probe_wake, &c, print_wake);
}

static int smi(struct host *h, const char *n)
{
	struct nf_smi_cfg c;
	cpu_set_t first;

	nf_probe_smi.defaults(&c);
	c.common.cpus = "0";
	c.common.duration_ns = 500000000;
	h->smis_to_raise = atoi(n);
	h->env.progress = raise_smis;
	h->env.progress_ctx = h;
	/* The emulated port interrupts the CPU that writes to it. */
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (iopl(3) != 0 || sched_setaffinity(0, sizeof(first), &first) != 0)
		return 4;
	return run_probe(h, &nf_probe_smi, &c, print_smi);
}

static int hwlat(struct host *h, const char *seconds, const char *threshold_us, const char *cpus)
{
	struct nf_hwlat_probe_cfg c;

	nf_probe_hwlat.defaults(&c);
	c.common.duration_ns = atoll(seconds) * 1000000000;
	c.threshold_ns = atoll(threshold_us) * 1000;
	if (cpus) { /* short windows: the thread moves on after each */
		c.common.cpus = cpus;
		c.window_ns = 100000000;
		c.width_ns = 50000000;
	}
	return run_probe(h, &nf_probe_hwlat, &c, print_hwlat);
}

/* A limit in microseconds, 0: none. */
static int osnoise(struct host *h, const char *seconds, const char *cpus, const char *stop_us)
{
	struct nf_osnoise_probe_cfg c;

	nf_probe_osnoise.defaults(&c);
	c.common.duration_ns = atoll(seconds) * 1000000000;
	c.common.cpus = cpus;
	c.period_ns = 200000000;
	c.runtime_ns = 100000000;
	c.threshold_ns = 50000;
	c.stop_ns = atoll(stop_us) * 1000;
	return run_probe(h, &nf_probe_osnoise, &c, print_osnoise);
}

static int timerlat(struct host *h, const char *seconds, const char *cpus, const char *stop_us)
{
	struct nf_timerlat_cfg c;

	nf_probe_timerlat.defaults(&c);
	c.common.duration_ns = atoll(seconds) * 1000000000;
	c.common.cpus = cpus;
	c.period_ns = 20000000;
	c.stop_thread_ns = atoll(stop_us) * 1000;
	return run_probe(h, &nf_probe_timerlat, &c, print_timerlat);
}

int main(int argc, char **argv)
{
	struct host h = { 0 };
	struct nf_err err = { 0 };
	const char *what = argc > 2 ? argv[1] : "";
	int rc = nf_rootfs_open(&h.root, NULL, &err);

	if (rc == 0)
		rc = nf_topology_load(&h.root, &h.topo, &err);
	if (rc == 0)
		rc = nf_journal_open("/run/noisefloor", "/proc", &h.journal, &err);
	if (rc < 0) {
		printf("set-up failed %s\n", err.msg);
		return nf_exit_code(rc);
	}
	h.env = (struct nf_probe_env){ .root = &h.root, .topo = h.topo, .journal = h.journal };
	if (strcmp(what, "numa") == 0)
		rc = numa(&h, argv[2]);
	else if (strcmp(what, "wake") == 0 && argc == 4)
		rc = wake(&h, argv[2], argv[3]);
	else if (strcmp(what, "smi") == 0)
		rc = smi(&h, argv[2]);
	else if (strcmp(what, "hwlat") == 0 && (argc == 4 || argc == 5))
		rc = hwlat(&h, argv[2], argv[3], argc == 5 ? argv[4] : NULL);
	else if (strcmp(what, "osnoise") == 0 && argc == 5)
		rc = osnoise(&h, argv[2], argv[3], argv[4]);
	else if (strcmp(what, "timerlat") == 0 && argc == 5)
		rc = timerlat(&h, argv[2], argv[3], argv[4]);
	else
		rc = 2;
	if (nf_journal_close(h.journal, NULL) < 0)
		rc = 4;
	nf_topology_free(h.topo);
	nf_rootfs_close(&h.root);
	return rc;
}
