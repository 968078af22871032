/* SPDX-License-Identifier: MIT */
/*
 * The tracer is chosen while the instance is off, and only then the threshold is set: choosing it makes the
 * kernel put its own default into tracing_thresh, so the value found there is the one to put back, and
 * dropping the tracer restores what was there before (kernel/trace/trace_hwlat.c). A run that is killed
 * leaves the journal, which is undone newest first: threshold, width and window, then the instance, whose
 * removal makes the kernel drop the tracer.
 */
#include "machine/hwlat.h"

#include <inttypes.h>
#include <stdlib.h>

#include "machine/tracer.h"
#include "machine/tracer_parse.h"

enum { MASK_MAX_BYTES = 1 << 20 };

static const char *const systems[] = { "ftrace", NULL };
static const struct nf_tracer_kind kind = { "hwlat", "CONFIG_HWLAT_TRACER", systems };

struct nf_hwlat {
	struct nf_tracer *tracer; /* owned */
	struct tep_event *event; /* borrowed from it */
};

int nf_hwlat_check(const struct nf_rootfs *root, struct nf_err *err)
{
	return nf_tracer_check(root, &kind, err);
}

/* Before the tracer is chosen. The mask goes with the instance. */
static int set_cpus(struct nf_tracer *t, const struct nf_cpuset *cpus, struct nf_err *err)
{
	struct nf_buf mask;
	int r;

	if (!cpus)
		return 0;
	if (nf_cpuset_count(cpus) == 0)
		return nf_fail(err, NF_EARG, "hwlat: an empty list of CPUs");
	nf_buf_init(&mask, MASK_MAX_BYTES);
	nf_tracer_print_mask(cpus, &mask);
	r = nf_buf_failed(&mask, "a mask of CPUs", err);
	if (r == 0)
		r = nf_tracer_write(t, "tracing_cpumask", mask.data, err);
	nf_buf_fini(&mask);
	return r;
}

int nf_hwlat_cpus(struct nf_hwlat *h, struct nf_cpuset *ret, struct nf_err *err)
{
	char *text = NULL;
	int r = nf_tracer_read(h->tracer, "tracing_cpumask", &text, err);

	if (r == 0)
		r = nf_tracer_parse_mask(text, ret, err);
	free(text);
	return r;
}

static int start(struct nf_tracer *t, const struct nf_hwlat_cfg *cfg,
                 struct nf_hwlat_settings *ret_got, struct nf_err *err)
{
	static const char *const names[2] = { "hwlat_detector/window", "hwlat_detector/width" };
	const int64_t limits[2] = { cfg->window_us, cfg->width_us };
	struct nf_hwlat_settings got;
	int r;

	if ((r = set_cpus(t, cfg->cpus, err)) < 0 ||
	    (r = nf_tracer_set_pair(t, names, limits, err)) < 0 ||
	    (r = nf_tracer_choose(t, err)) < 0)
		return r;
	if (cfg->threshold_us > 0 &&
	    (r = nf_tracer_set_number(t, "tracing_thresh", cfg->threshold_us, err)) < 0)
		return r;
	if ((r = nf_tracer_get_number(t, names[0], &got.window_us, err)) < 0 ||
	    (r = nf_tracer_get_number(t, names[1], &got.width_us, err)) < 0 ||
	    (r = nf_tracer_get_number(t, "tracing_thresh", &got.threshold_us, err)) < 0 ||
	    (r = nf_tracer_begin(t, err)) < 0)
		return r;
	*ret_got = got;
	return 0;
}

int nf_hwlat_start(const struct nf_rootfs *root, struct nf_journal *journal,
                   const struct nf_hwlat_cfg *cfg, struct nf_hwlat **ret,
                   struct nf_hwlat_settings *ret_got, struct nf_err *err)
{
	struct nf_hwlat *h;
	int r;

	if (cfg->window_us < 0 || cfg->width_us < 0 || cfg->threshold_us < 0 ||
	    (cfg->window_us > 0 && cfg->width_us > cfg->window_us))
		return nf_fail(err, NF_EARG,
		               "hwlat: window %" PRId64 " us, width %" PRId64
		               " us, threshold %" PRId64
		               " us: none may be negative, the width at most the window",
		               cfg->window_us, cfg->width_us, cfg->threshold_us);
	h = calloc(1, sizeof(*h));
	if (!h)
		return nf_fail_nomem(err, "the hwlat tracer", sizeof(*h));
	r = nf_tracer_open(root, journal, &kind, &h->tracer, err);
	if (r < 0) {
		free(h);
		return r;
	}
	h->event = nf_tracer_event(h->tracer, "ftrace", "hwlat");
	r = start(h->tracer, cfg, ret_got, err);
	if (r < 0) {
		struct nf_err later; /* the first failure is the one to tell */

		(void)!nf_hwlat_stop(h, NULL, &later);
		return r;
	}
	*ret = h;
	return 0;
}

int nf_hwlat_decode(struct tep_event *ev, const struct tep_record *rec, int cpu, int64_t t0_ns,
                    struct nf_hwlat_gap *ret, struct nf_err *err)
{
	struct nf_hwlat_gap gap = { .cpu = cpu };
	struct nf_err no_count;
	int r;

	if ((r = nf_tracer_field(ev, rec, "duration", &gap.inner_ns, err)) < 0 ||
	    (r = nf_tracer_field(ev, rec, "outer_duration", &gap.outer_ns, err)) < 0)
		return r == -NF_ENODATA ? nf_fail(err, NF_EDATA, "hwlat event without durations")
		                        : r;
	r = nf_tracer_field(ev, rec, "count", &gap.n_in_window, &no_count); /* since Linux 5.6 */
	if (r == -NF_ENODATA)
		gap.n_in_window = 1;
	else if (r < 0 || gap.n_in_window < 1)
		return nf_fail(err, NF_EDATA, "hwlat event: not a count of gaps");
	/* The kernel keeps microseconds. */
	if (__builtin_mul_overflow(gap.inner_ns, 1000, &gap.inner_ns) ||
	    __builtin_mul_overflow(gap.outer_ns, 1000, &gap.outer_ns))
		return nf_fail(err, NF_EDATA, "hwlat event: durations out of range");
	if ((r = nf_tracer_time(rec, t0_ns, &gap.t_ns, err)) < 0)
		return r;
	*ret = gap;
	return 0;
}

struct drain {
	const struct nf_hwlat *h;
	nf_hwlat_fn *fn;
	void *ctx;
};

static int on_record(void *ctx, struct tep_event *ev, const struct tep_record *rec, int cpu,
                     struct nf_err *err)
{
	const struct drain *d = ctx;
	struct nf_hwlat_gap gap;
	int r;

	if (ev != d->h->event)
		return 0;
	r = nf_hwlat_decode(ev, rec, cpu, nf_tracer_t0_ns(d->h->tracer), &gap, err);
	return r ? r : d->fn(d->ctx, &gap);
}

int nf_hwlat_drain(struct nf_hwlat *h, nf_hwlat_fn *fn, void *ctx, uint64_t *ret_missed,
                   struct nf_err *err)
{
	struct drain d = { h, fn, ctx };

	return nf_tracer_drain(h->tracer, on_record, &d, ret_missed, err);
}

int nf_hwlat_stop(struct nf_hwlat *h, bool *ret_left_alone, struct nf_err *err)
{
	int r = nf_tracer_close(h->tracer, ret_left_alone, err);

	free(h);
	return r;
}
