/* SPDX-License-Identifier: MIT */
/* fake_osnoise - a tracer of the tests' own in the place of the kernel's: the linker puts these functions where
 * the module's are called (meson.build). It hands out what a test gives it. */
#ifndef NF_FAKE_OSNOISE_H
#define NF_FAKE_OSNOISE_H

#include "machine/osnoise.h"
#include "nf_unit.h"

static struct {
	struct nf_cpuset asked; /* owned */
	enum nf_osnoise_tracer which;
	struct nf_osnoise_cfg cfg; /* as it was started */
	const struct nf_osnoise_report *report; /* handed out by the first drain */
	size_t n_reports;
	uint64_t n_lost;
	bool at_limit;
	int stop_rc;
	int n_starts;
	int n_stops;
} fake;

int __wrap_nf_osnoise_check(const struct nf_rootfs *root, enum nf_osnoise_tracer which,
                            struct nf_err *err);
int __wrap_nf_osnoise_start(const struct nf_rootfs *root, struct nf_journal *journal,
                            enum nf_osnoise_tracer which, const struct nf_osnoise_cfg *cfg,
                            struct nf_osnoise **ret, struct nf_osnoise_settings *ret_got,
                            struct nf_err *err);
int __wrap_nf_osnoise_cpus(struct nf_osnoise *o, struct nf_cpuset *ret, struct nf_err *err);
int __wrap_nf_osnoise_drain(struct nf_osnoise *o, nf_osnoise_fn *fn, void *ctx,
                            uint64_t *ret_missed, struct nf_err *err);
int __wrap_nf_osnoise_stopped(struct nf_osnoise *o, bool *ret, struct nf_err *err);
int __wrap_nf_osnoise_stop(struct nf_osnoise *o, bool *ret_left_alone, struct nf_err *err);

int __wrap_nf_osnoise_check(const struct nf_rootfs *root, enum nf_osnoise_tracer which,
                            struct nf_err *err)
{
	(void)root;
	(void)which;
	(void)err;
	return 0;
}

int __wrap_nf_osnoise_start(const struct nf_rootfs *root, struct nf_journal *journal,
                            enum nf_osnoise_tracer which, const struct nf_osnoise_cfg *cfg,
                            struct nf_osnoise **ret, struct nf_osnoise_settings *ret_got,
                            struct nf_err *err)
{
	int rc;

	(void)root;
	(void)journal;
	assert_non_null(cfg->cpus);
	rc = nf_cpuset_copy(&fake.asked, cfg->cpus, err);
	if (rc < 0)
		return rc;
	fake.which = which;
	fake.cfg = *cfg;
	fake.n_starts++;
	*ret = (struct nf_osnoise *)&fake;
	*ret_got = (struct nf_osnoise_settings){
		.period_us = 1000000,
		.runtime_us = which == NF_TRACER_OSNOISE ? 950000 : 0,
		.threshold_us = 5,
		.stop_us = cfg->stop_us,
		.stop_total_us = cfg->stop_total_us,
		.causes = cfg->causes,
	};
	return 0;
}

int __wrap_nf_osnoise_cpus(struct nf_osnoise *o, struct nf_cpuset *ret, struct nf_err *err)
{
	(void)o;
	return nf_cpuset_copy(ret, &fake.asked, err);
}

int __wrap_nf_osnoise_drain(struct nf_osnoise *o, nf_osnoise_fn *fn, void *ctx,
                            uint64_t *ret_missed, struct nf_err *err)
{
	size_t n = fake.n_reports;

	(void)o;
	(void)err;
	*ret_missed += fake.n_lost;
	fake.n_reports = 0;
	fake.n_lost = 0;
	for (size_t i = 0; i < n; i++) {
		int rc = fn(ctx, &fake.report[i]);

		if (rc != 0)
			return rc;
	}
	return 0;
}

int __wrap_nf_osnoise_stopped(struct nf_osnoise *o, bool *ret, struct nf_err *err)
{
	(void)o;
	(void)err;
	*ret = fake.at_limit;
	return 0;
}

int __wrap_nf_osnoise_stop(struct nf_osnoise *o, bool *ret_left_alone, struct nf_err *err)
{
	(void)o;
	fake.n_stops++;
	nf_cpuset_fini(&fake.asked);
	if (fake.stop_rc < 0)
		return nf_fail(err, NF_EOS, "cannot write the period");
	*ret_left_alone = false;
	return 0;
}

static void fake_give(const struct nf_osnoise_report *report, size_t n)
{
	fake.report = report;
	fake.n_reports = n;
	fake.at_limit = false;
	fake.n_lost = 0;
	fake.stop_rc = 0;
	fake.n_starts = 0;
	fake.n_stops = 0;
}

#endif
