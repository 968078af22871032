/* SPDX-License-Identifier: MIT */
/* injector CPU PERIOD_NS LENGTH_NS: known bursts on a CPU, for tests of what a probe beside it sees, until its
 * standard input ends. Prints "ready" and the thread's id once it runs, and how many bursts it made when it ends. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/interferer.h"

int main(int argc, char **argv)
{
	struct nf_interferer_tone tone;
	struct nf_interferer_log log;
	struct nf_interferer *it;
	struct nf_rootfs root;
	struct nf_topology *topo;
	struct nf_tick_clock clock;
	struct nf_err err = { 0 };
	int r;

	if (argc != 4)
		return 2;
	tone = (struct nf_interferer_tone){ .period_ns = atoll(argv[2]),
		                            .length_ns = atoll(argv[3]) };
	r = nf_rootfs_open(&root, NULL, &err);
	if (r == 0)
		r = nf_topology_load(&root, &topo, &err);
	if (r == 0)
		r = nf_tick_open(&root, NF_TICK_AUTO, &clock, &err);
	if (r == 0) {
		struct nf_interferer_cfg cfg = { .topo = topo,
			                         .clock = &clock,
			                         .cpu = atoi(argv[1]),
			                         .tone = &tone,
			                         .n_tones = 1,
			                         .origin_ns = nf_now_monotonic().ns + 100000000,
			                         .max_bursts = 1 << 20 };

		r = nf_interferer_start(&cfg, &it, &err);
	}
	if (r < 0) {
		fprintf(stderr, "injector: %s\n", err.msg);
		return r == -NF_EUNSUPPORTED ? 3 : 1;
	}
	printf("ready %d\n", (int)nf_interferer_tid(it));
	fflush(stdout);
	while (getchar() != EOF)
		;
	nf_interferer_stop(it, &log);
	printf("bursts %zu skipped %" PRIu64 "\n", log.n, log.n_skipped);
	nf_interferer_log_fini(&log);
	nf_topology_free(topo);
	nf_rootfs_close(&root);
	return 0;
}
