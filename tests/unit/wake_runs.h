/* SPDX-License-Identifier: MIT */
/* wake_runs - small runs of the wake probe on this host, for its tests. */
#ifndef NF_TEST_WAKE_RUNS_H
#define NF_TEST_WAKE_RUNS_H

#include "machine/posture.h"
#include "measure/probe_threads.h"
#include "measure/probe_wake.h"
#include "measure/wake_loop.h"
#include "nf_live.h"

#define MS INT64_C(1000000)

static inline struct nf_wake_cfg config(void)
{
	struct nf_wake_cfg c;

	memset(&c, 0xff, sizeof(c));
	nf_probe_wake.defaults(&c);
	return c;
}

/* 50 activations of 1 ms under SCHED_OTHER. */
static inline struct nf_wake_cfg small_config(void)
{
	struct nf_wake_cfg c = config();

	c.period_ns = MS;
	c.n_activations = 50;
	c.common.policy_given = true;
	c.common.policy = NF_POLICY_OTHER;
	return c;
}

static inline struct nf_probe_run run_ok(const struct nf_live *l, const struct nf_wake_cfg *c)
{
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	if (nf_probe_wake.run(&l->env, c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	return run;
}

static inline int check_code(const struct nf_live *l, const struct nf_wake_cfg *c, const char *says)
{
	struct nf_err e = { 0 };
	struct nf_probe_run run = { .wall_ns = 77 };
	int rc = nf_probe_wake.check(&l->env, c, &e);

	if (rc < 0) {
		if (!strstr(e.msg, says))
			fail_msg("'%s' does not say '%s'", e.msg, says);
		assert_null(strchr(e.msg, '\n'));
		assert_int_equal(nf_probe_wake.run(&l->env, c, &run, NULL), rc);
		assert_int_equal(run.wall_ns, 77);
		assert_null(run.streams);
	}
	return rc;
}

/* What must hold of every run: nothing is lost silently. */
static inline void assert_books_balance(const struct nf_probe_run *run)
{
	const struct nf_wake_result *r = run->result;

	assert_int_equal(run->n_streams, 2 * r->n_workers);
	for (size_t i = 0; i < r->n_workers; i++) {
		const struct nf_wake_worker *w = &r->worker[i];
		const struct nf_stream *late = &run->streams[2 * i], *wake = late + 1;
		uint64_t missed = 0, holes = 0;
		int64_t k = 0;

		assert_int_equal(late->n, wake->n);
		assert_int_equal(w->n_due, late->n + late->n_dropped + w->n_missed);
		assert_int_equal(late->n_missed, w->n_missed);
		assert_int_equal(wake->n_missed, w->n_missed);
		assert_int_equal(wake->n_dropped, late->n_dropped);
		if (late->n_dropped > 0)
			continue;
		for (size_t j = 0; j < late->n; j++) {
			int64_t m =
			        late->value[j] < r->period_ns ? 0 : late->value[j] / r->period_ns;

			/* The k-th deadline is where the record says it is. */
			assert_int_equal(wake->value[j] - late->value[j], k * r->period_ns);
			if (m > (int64_t)w->n_due - 1 - k)
				m = (int64_t)w->n_due - 1 - k;
			missed += (uint64_t)m;
			holes += m > 0;
			k += 1 + m;
		}
		assert_int_equal(missed, w->n_missed);
		assert_int_equal(holes, w->n_holes);
		assert_int_equal(k, w->n_due);
	}
}

#endif
