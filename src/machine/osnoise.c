/* SPDX-License-Identifier: MIT */
/*
 * Everything is set before the tracer is chosen, as choosing it starts its threads, and put back after it is
 * dropped. The settings are the machine's, not the instance's (kernel/trace/trace_osnoise.c).
 */
#include "machine/osnoise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/tracer.h"

enum { CPUS_MAX_BYTES = 1 << 20 };

static const char *const systems[] = { "ftrace", "osnoise", NULL };
static const struct nf_tracer_kind kinds[] = {
	[NF_TRACER_OSNOISE] = { "osnoise", "CONFIG_OSNOISE_TRACER", systems },
	[NF_TRACER_TIMERLAT] = { "timerlat", "CONFIG_TIMERLAT_TRACER", systems },
};
static const char *const pair[2] = { "osnoise/period_us", "osnoise/runtime_us" };
static const char timerlat_period[] = "osnoise/timerlat_period_us";

struct nf_osnoise {
	struct nf_tracer *tracer; /* owned */
};

int nf_osnoise_check(const struct nf_rootfs *root, enum nf_osnoise_tracer which, struct nf_err *err)
{
	return nf_tracer_check(root, &kinds[which], err);
}

static int set_cpus(struct nf_tracer *t, const struct nf_cpuset *cpus, struct nf_err *err)
{
	struct nf_buf list;
	int r;

	if (!cpus)
		return 0;
	nf_buf_init(&list, CPUS_MAX_BYTES);
	r = nf_cpuset_print(cpus, &list);
	if (r == 0)
		r = nf_tracer_set(t, "osnoise/cpus", list.data, err);
	else
		r = nf_buf_failed(&list, "a list of CPUs", err);
	nf_buf_fini(&list);
	return r;
}

/* Period and runtime, of which the kernel refuses combinations without a word. */
static int set_osnoise(struct nf_tracer *t, const struct nf_osnoise_cfg *cfg, struct nf_err *err)
{
	const int64_t value[2] = { cfg->period_us, cfg->runtime_us };
	int64_t becomes[2];

	for (size_t i = 0; i < 2; i++) {
		int r = nf_tracer_get_number(t, pair[i], &becomes[i], err);

		if (r < 0)
			return r;
		if (value[i] > 0)
			becomes[i] = value[i];
	}
	if (becomes[1] > becomes[0])
		return nf_fail(err, NF_EARG,
		               "osnoise: a runtime of %" PRId64 " us in a period of %" PRId64
		               " us; the runtime may be at most the period",
		               becomes[1], becomes[0]);
	return nf_tracer_set_pair(t, pair, value, err);
}

static int set_timerlat(struct nf_tracer *t, const struct nf_osnoise_cfg *cfg, struct nf_err *err)
{
	return cfg->period_us > 0 ? nf_tracer_set_number(t, timerlat_period, cfg->period_us, err)
	                          : 0;
}

static int read_back(struct nf_tracer *t, enum nf_osnoise_tracer which,
                     struct nf_osnoise_settings *got, struct nf_err *err)
{
	int r;

	got->runtime_us = 0;
	if (which == NF_TRACER_OSNOISE &&
	    (r = nf_tracer_get_number(t, pair[1], &got->runtime_us, err)) < 0)
		return r;
	if ((r = nf_tracer_get_number(t, which == NF_TRACER_OSNOISE ? pair[0] : timerlat_period,
	                              &got->period_us, err)) < 0 ||
	    (r = nf_tracer_get_number(t, "tracing_thresh", &got->threshold_us, err)) < 0 ||
	    (r = nf_tracer_get_number(t, "osnoise/stop_tracing_us", &got->stop_us, err)) < 0)
		return r;
	return nf_tracer_get_number(t, "osnoise/stop_tracing_total_us", &got->stop_total_us, err);
}

static int start(struct nf_tracer *t, enum nf_osnoise_tracer which,
                 const struct nf_osnoise_cfg *cfg, struct nf_osnoise_settings *ret_got,
                 struct nf_err *err)
{
	struct nf_osnoise_settings got = { 0 };
	int r;

	if ((r = set_cpus(t, cfg->cpus, err)) < 0)
		return r;
	r = which == NF_TRACER_OSNOISE ? set_osnoise(t, cfg, err) : set_timerlat(t, cfg, err);
	if (r < 0)
		return r;
	if (cfg->threshold_us > 0 &&
	    (r = nf_tracer_set_number(t, "tracing_thresh", cfg->threshold_us, err)) < 0)
		return r;
	if ((r = nf_tracer_set_number(t, "osnoise/stop_tracing_us", cfg->stop_us, err)) < 0 ||
	    (r = nf_tracer_set_number(t, "osnoise/stop_tracing_total_us", cfg->stop_total_us,
	                              err)) < 0)
		return r;
	got.causes = cfg->causes && nf_tracer_event(t, "osnoise", "irq_noise");
	if (got.causes && (r = nf_tracer_write(t, "events/osnoise/enable", "1", err)) < 0)
		return r;
	if ((r = read_back(t, which, &got, err)) < 0 || (r = nf_tracer_choose(t, err)) < 0 ||
	    (r = nf_tracer_begin(t, err)) < 0)
		return r;
	*ret_got = got;
	return 0;
}

int nf_osnoise_start(const struct nf_rootfs *root, struct nf_journal *journal,
                     enum nf_osnoise_tracer which, const struct nf_osnoise_cfg *cfg,
                     struct nf_osnoise **ret, struct nf_osnoise_settings *ret_got,
                     struct nf_err *err)
{
	struct nf_osnoise *o;
	int r;

	if (cfg->period_us < 0 || cfg->runtime_us < 0 || cfg->threshold_us < 0 ||
	    cfg->stop_us < 0 || cfg->stop_total_us < 0)
		return nf_fail(err, NF_EARG, "%s: a negative setting", kinds[which].name);
	if (cfg->cpus && nf_cpuset_count(cfg->cpus) == 0)
		return nf_fail(err, NF_EARG, "%s: an empty list of CPUs", kinds[which].name);
	o = calloc(1, sizeof(*o));
	if (!o)
		return nf_fail_nomem(err, "the tracer", sizeof(*o));
	r = nf_tracer_open(root, journal, &kinds[which], &o->tracer, err);
	if (r < 0) {
		free(o);
		return r;
	}
	r = start(o->tracer, which, cfg, ret_got, err);
	if (r < 0) {
		struct nf_err later; /* the first failure is the one to tell */

		(void)!nf_osnoise_stop(o, NULL, &later);
		return r;
	}
	*ret = o;
	return 0;
}

int nf_osnoise_cpus(struct nf_osnoise *o, struct nf_cpuset *ret, struct nf_err *err)
{
	struct nf_buf list;
	int r;

	nf_buf_init(&list, CPUS_MAX_BYTES);
	r = nf_tracer_get(o->tracer, "osnoise/cpus", &list, err);
	if (r == 0) {
		list.data[strcspn(list.data, "\n")] = '\0';
		r = nf_cpuset_parse(list.data, false, ret, err);
	}
	nf_buf_fini(&list);
	return r;
}

struct drain {
	const struct nf_osnoise *o;
	nf_osnoise_fn *fn;
	void *ctx;
};

static int on_record(void *ctx, struct tep_event *ev, const struct tep_record *rec, int cpu,
                     struct nf_err *err)
{
	const struct drain *d = ctx;
	struct nf_osnoise_report report;
	int r = nf_osnoise_decode(ev, rec, cpu, nf_tracer_t0_ns(d->o->tracer), &report, err);

	if (r != 0)
		return r < 0 ? r : 0;
	return d->fn(d->ctx, &report);
}

int nf_osnoise_drain(struct nf_osnoise *o, nf_osnoise_fn *fn, void *ctx, uint64_t *ret_missed,
                     struct nf_err *err)
{
	struct drain d = { o, fn, ctx };

	return nf_tracer_drain(o->tracer, on_record, &d, ret_missed, err);
}

int nf_osnoise_stopped(struct nf_osnoise *o, bool *ret, struct nf_err *err)
{
	bool records;
	int r = nf_tracer_records(o->tracer, &records, err);

	if (r == 0)
		*ret = !records;
	return r;
}

int nf_osnoise_stop(struct nf_osnoise *o, bool *ret_left_alone, struct nf_err *err)
{
	int r = nf_tracer_close(o->tracer, ret_left_alone, err);

	free(o);
	return r;
}
