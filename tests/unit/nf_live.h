/* SPDX-License-Identifier: MIT */
/* nf_live - this host as a probe's environment, for tests of probes. */
#ifndef NF_LIVE_H
#define NF_LIVE_H

#include "measure/probe.h"
#include "nf_unit.h"

struct nf_live {
	struct nf_rootfs root;
	struct nf_topology *topo;
	struct nf_tick_clock clock; /* by nf_live_open_clock() */
	struct nf_stop stop;
	struct nf_probe_env env;
	int stop_at_progress; /* progress reports until a stop is asked for; 0: never */
	int n_progress;
	double last_progress;
};

static inline void nf_live_progress(void *ctx, double fraction)
{
	struct nf_live *l = ctx;

	l->last_progress = fraction;
	if (++l->n_progress == l->stop_at_progress)
		__atomic_store_n(&l->stop.signo, SIGINT, __ATOMIC_RELAXED);
}

static inline int nf_live_open(void **state)
{
	struct nf_live *l = calloc(1, sizeof(*l));
	struct nf_err e = { 0 };

	if (!l)
		return -1;
	if (nf_rootfs_open(&l->root, NULL, &e) != 0 ||
	    nf_topology_load(&l->root, &l->topo, &e) != 0) {
		printf("# %s\n", e.msg);
		free(l);
		return -1;
	}
	l->env = (struct nf_probe_env){
		.root = &l->root,
		.topo = l->topo,
		.stop = &l->stop,
		.progress = nf_live_progress,
		.progress_ctx = l,
	};
	*state = l;
	return 0;
}

/* With the clock that `host` would use (200 ms). */
static inline int nf_live_open_clock(void **state)
{
	struct nf_err e = { 0 };
	int rc = nf_live_open(state);
	struct nf_live *l = *state;

	if (rc != 0)
		return rc;
	if (nf_tick_open(&l->root, NF_TICK_AUTO, &l->clock, &e) != 0) {
		printf("# %s\n", e.msg);
		return -1;
	}
	l->env.clock = &l->clock;
	return 0;
}

static inline int nf_live_close(void **state)
{
	struct nf_live *l = *state;

	nf_topology_free(l->topo);
	nf_rootfs_close(&l->root);
	free(l);
	return 0;
}

static inline bool nf_live_noted(const struct nf_probe_run *run, const char *what)
{
	for (size_t i = 0; i < run->n_notes; i++)
		if (strstr(run->note[i], what))
			return true;
	return false;
}

static inline size_t nf_live_n_cpus(const struct nf_live *l)
{
	return nf_cpuset_count(nf_topology_allowed(l->topo));
}

/* A selection that leaves another CPU to the controlling thread, where there are two: only then is
 * progress reported while measuring. */
static inline const char *nf_live_one_cpu(const struct nf_live *l, char buf[16])
{
	snprintf(buf, 16, "%d", nf_cpuset_next(nf_topology_allowed(l->topo), -1));
	return buf;
}

/* valgrind and ThreadSanitizer fault pages of their own in the program's name. */
static inline bool nf_live_faults_are_ours(void)
{
	return !NF_UNIT_THREAD_SANITIZED && !nf_unit_valgrind();
}

/* Runs in which no page fault is looked for: a page that is not there faults in each of them. The
 * kernel itself takes one away for a moment now and then (compaction, reclaim), which says nothing of
 * the program. */
enum { NF_LIVE_FAULT_TRIES = 20 };

/* The allowed CPUs as a list. */
static inline const char *nf_live_all_cpus(const struct nf_live *l, struct nf_buf *b)
{
	nf_buf_clear(b);
	assert_int_equal(nf_cpuset_print(nf_topology_allowed(l->topo), b), 0);
	return b->data;
}

#endif
