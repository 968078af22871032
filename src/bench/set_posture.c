/* SPDX-License-Identifier: MIT */
#include "bench/set_posture.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "machine/bracket.h"

struct nf_set_watch {
	struct nf_rootfs root;
	struct nf_bracket *bracket;
	long user_hz;
	bool ended; /* a set, at `end` */
	struct nf_instant end;
};

static int own_cpus(struct nf_cpuset *ret, struct nf_err *err)
{
	size_t bytes = CPU_ALLOC_SIZE(NF_CPU_MAX);
	cpu_set_t *mask = calloc(1, bytes);
	int r = 0;

	if (!mask)
		return nf_fail_nomem(err, "a set of CPUs", bytes);
	if (sched_getaffinity(0, bytes, mask) < 0)
		r = nf_fail_os(err, errno, "the CPUs of this process");
	for (int cpu = 0; r == 0 && cpu < NF_CPU_MAX; cpu++)
		if (CPU_ISSET_S((size_t)cpu, bytes, mask))
			r = nf_cpuset_add(ret, cpu, err);
	free(mask);
	return r;
}

int nf_set_watch_open(const struct nf_cpuset *cpus, struct nf_set_watch **ret, struct nf_err *err)
{
	struct nf_set_watch *w = calloc(1, sizeof(*w));
	struct nf_cpuset own;

	if (!w)
		return nf_fail_nomem(err, "readings around a set", sizeof(*w));
	nf_cpuset_init(&own);
	w->root.dirfd = -1;
	w->user_hz = sysconf(_SC_CLK_TCK);
	int r = cpus ? 0 : own_cpus(&own, err);
	if (r == 0)
		r = nf_rootfs_open(&w->root, NULL, err);
	if (r == 0)
		r = nf_bracket_open_system(&w->root, cpus ? cpus : &own, &w->bracket, err);
	nf_cpuset_fini(&own);
	if (r < 0)
		nf_set_watch_free(w);
	else
		*ret = w;
	return r;
}

int nf_set_watch_begin(struct nf_set_watch *w, struct nf_err *err)
{
	if (w->ended && nf_since_ns(w->end, nf_now_raw()) < NF_SET_WATCH_GAP_NS) {
		nf_bracket_continue(w->bracket);
		return 0;
	}
	return nf_bracket_restart(w->bracket, err);
}

void nf_set_watch_free(struct nf_set_watch *w)
{
	if (!w)
		return;
	nf_bracket_free(w->bracket);
	if (w->root.dirfd >= 0)
		nf_rootfs_close(&w->root);
	free(w);
}

static double mean_mhz(const struct nf_bracket_diff *d, bool after)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < d->n_cpus; i++) {
		const struct nf_fact_nat *f =
		        after ? &d->cpu[i].freq_after_khz : &d->cpu[i].freq_before_khz;

		if (f->some) {
			sum += (double)f->v / 1e3;
			n++;
		}
	}
	return n ? sum / (double)n : -1;
}

static double steal_s(const struct nf_bracket_diff *d, long user_hz)
{
	double sum = 0;

	for (size_t i = 0; i < d->n_cpus; i++) {
		if (!d->cpu[i].steal_ticks.some)
			return -1;
		sum += (double)d->cpu[i].steal_ticks.v;
	}
	return d->n_cpus && user_hz > 0 ? sum / (double)user_hz : -1;
}

void nf_set_posture_of(const struct nf_bracket_diff *d, long user_hz, struct nf_set_posture *ret)
{
	ret->steal_s = steal_s(d, user_hz);
	ret->throttled_s =
	        d->cgroup_throttled_us.some ? (double)d->cgroup_throttled_us.v / 1e6 : -1;
	ret->mhz_before = mean_mhz(d, false);
	ret->mhz_after = mean_mhz(d, true);
	ret->load_before = d->load_before.some ? d->load_before.v : -1;
}

int nf_set_watch_end(struct nf_set_watch *w, struct nf_set_posture *ret, struct nf_err *err)
{
	struct nf_bracket_diff d = { 0 };
	int r = nf_bracket_close(w->bracket, &d, err);

	if (r < 0)
		return r;
	w->ended = true;
	w->end = nf_now_raw();
	nf_set_posture_of(&d, w->user_hz, ret);
	nf_bracket_diff_fini(&d);
	return 0;
}
