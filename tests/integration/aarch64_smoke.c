/* SPDX-License-Identifier: MIT */
/* On the virtual counter of aarch64: the clock opens and calibrates, and every kernel's loop runs. The
 * argument is a tree that names the counter as the kernel's clocksource. */
#include <stdio.h>

#include "measure/fwq_calibrate.h"
#include "measure/tick.h"

static const volatile sig_atomic_t never;

int main(int argc, char **argv)
{
	static double vectors[2 * NF_DAXPY_LEN];
	struct nf_tick_clock c;
	struct nf_rootfs root;
	struct nf_err e = { 0 };
	int bad = 0;

	if (argc != 2)
		return 2;
	if (nf_rootfs_open(&root, argv[1], &e) != 0) {
		printf("%s\n", e.msg);
		return 1;
	}
	if (nf_tick_open(&root, NF_TICK_AUTO, &c, &e) != 0) {
		printf("%s\n", e.msg);
		return 1;
	}
	printf("%s %.0f Hz (stated %.0f), step %lld, fallback '%s'\n", nf_tick_name(c.source), c.hz,
	       c.hz_nominal, (long long)c.step_ticks, c.fallback_reason);
	bad += c.source != NF_TICK_CNTVCT || c.hz_nominal <= 0;
	bad += c.hz < c.hz_nominal * 0.9 || c.hz > c.hz_nominal * 1.1;
	for (int k = 0; k < NF_N_KERNELS; k++) {
		int64_t sample[64];
		struct nf_fwq_loop l = { .work = 100000,
			                 .vector = vectors,
			                 .sample = sample,
			                 .n = 64,
			                 .deadline_tick = UINT64_MAX,
			                 .stop = &never };
		int64_t sum = 0;

		nf_kernels[k].loop_counter(&l);
		for (size_t i = 0; i < l.n; i++)
			sum += sample[i];
		printf("%s: %zu samples, %lld ticks\n", nf_kernels[k].name, l.n, (long long)sum);
		bad += l.n != 64 || sum <= 0 || (uint64_t)sum != l.last_tick - l.first_tick;
	}
	nf_rootfs_close(&root);
	return bad != 0;
}
