/* SPDX-License-Identifier: MIT */
/*
 * wake_driver - runs the wake probe once on one CPU and prints every lateness in ns, one a line, for
 * the comparison in wake.py.
 *
 *   wake_driver CPU PRIORITY PERIOD_NS ACTIVATIONS METHOD DMA_LATENCY_US
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/probe_wake.h"

static int number(const char *text, int64_t *ret)
{
	char *end;

	errno = 0;
	long long v = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return -1;
	*ret = v;
	return 0;
}

static int print(const struct nf_probe_run *run)
{
	const struct nf_wake_result *r = run->result;
	const struct nf_stream *s = &run->streams[0];

	printf("# missed %llu, overhead %.1f ns\n", (unsigned long long)r->worker[0].n_missed,
	       run->overhead_ns);
	for (size_t i = 0; i < s->n; i++)
		printf("%lld\n", (long long)s->value[i]);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 4;
}

int main(int argc, char **argv)
{
	struct nf_rootfs root;
	struct nf_topology *topo = NULL;
	struct nf_probe_run run = { 0 };
	struct nf_wake_cfg cfg;
	struct nf_err err = { 0 };
	int64_t priority;
	int method = NF_WAKE_NANOSLEEP;

	nf_probe_wake.defaults(&cfg);
	if (argc != 7 || number(argv[2], &priority) != 0 || number(argv[3], &cfg.period_ns) != 0 ||
	    number(argv[4], &cfg.n_activations) != 0 || number(argv[6], &cfg.dma_latency_us) != 0) {
		fprintf(stderr, "usage: wake_driver CPU PRIORITY PERIOD_NS ACTIVATIONS METHOD "
		                "DMA_LATENCY_US\n");
		return 2;
	}
	while (method < NF_WAKE_DEADLINE &&
	       strcmp(nf_wake_method_name((enum nf_wake_method)method), argv[5]) != 0)
		method++;
	cfg.method = (enum nf_wake_method)method;
	cfg.common.cpus = argv[1];
	cfg.common.policy_given = true;
	cfg.common.policy = NF_POLICY_FIFO;
	cfg.common.priority = (int)priority;

	int rc = nf_rootfs_open(&root, NULL, &err);
	if (rc < 0)
		goto failed;
	rc = nf_topology_load(&root, &topo, &err);
	if (rc == 0) {
		struct nf_probe_env env = { .root = &root, .topo = topo };

		rc = nf_probe_wake.run(&env, &cfg, &run, &err);
	}
	if (rc == 0) {
		rc = print(&run);
		nf_probe_run_fini(&nf_probe_wake, &run);
	}
	nf_topology_free(topo);
	nf_rootfs_close(&root);
	if (rc >= 0)
		return rc;
failed:
	fprintf(stderr, "wake_driver: %s\n", err.msg);
	return nf_exit_code(rc);
}
