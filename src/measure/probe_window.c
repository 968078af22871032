/* SPDX-License-Identifier: MIT */
#include "measure/probe_window.h"

#include <time.h>

#define WINDOW_MAX_NS (INT64_C(366) * 86400 * 1000000000)

int nf_window_check(const struct nf_probe_env *env, const struct nf_probe_common *c,
                    struct nf_err *err)
{
	(void)env;
	if (c->duration_ns < 0 || c->duration_ns > WINDOW_MAX_NS)
		return nf_fail(err, NF_EARG,
		               "a window of %lld ns: more than 0 and at most 366 days",
		               (long long)c->duration_ns);
	if (c->policy_given && c->policy != NF_POLICY_OTHER)
		return nf_fail(err, NF_EARG,
		               "a scheduling policy has no effect here: no thread measures");
	return 0;
}

int nf_window_sleep(const struct nf_probe_env *env, struct nf_instant start, int64_t window_ns,
                    int (*tick)(void *ctx, struct nf_err *err), void *ctx, struct nf_err *err)
{
	int64_t left;

	while (!nf_stop_signo(env->stop) &&
	       (left = window_ns - nf_since_ns(start, nf_now_raw())) > 0) {
		int64_t slice = left < NF_WINDOW_SLICE_NS ? left : NF_WINDOW_SLICE_NS;
		struct timespec ts = { .tv_sec = 0, .tv_nsec = slice };

		/* An interrupted sleep is what a stop request looks like. */
		(void)!clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
		int rc = tick ? tick(ctx, err) : 0;
		if (rc != 0)
			return rc;
		if (env->progress) {
			double f = (double)nf_since_ns(start, nf_now_raw()) / (double)window_ns;

			env->progress(env->progress_ctx, f < 1 ? f : 1);
		}
	}
	return 0;
}
