/* SPDX-License-Identifier: MIT */
/* Records of the osnoise and timerlat tracers (kernel/trace/trace_entries.h, include/trace/events/osnoise.h). */
#include <stdio.h>
#include <string.h>

#include "machine/osnoise.h"
#include "machine/tracer_parse.h"

enum { MICROSECOND_NS = 1000 };

/* A number times `unit`. */
static int scaled(struct tep_event *ev, const struct tep_record *rec, const char *field,
                  int64_t unit, int64_t *ret, struct nf_err *err)
{
	int64_t v;
	int r = nf_tracer_field(ev, rec, field, &v, err);

	if (r == -NF_ENODATA)
		return nf_fail(err, NF_EDATA, "%s event without %s", ev->name, field);
	if (r < 0)
		return r;
	if (__builtin_mul_overflow(v, unit, &v))
		return nf_fail(err, NF_EDATA, "%s event: %s is out of range", ev->name, field);
	*ret = v;
	return 0;
}

static int period(struct tep_event *ev, const struct tep_record *rec, struct nf_osnoise_report *p,
                  struct nf_err *err)
{
	static const char *const counts[NF_OSNOISE_SOURCES] = {
		[NF_OSNOISE_HARDWARE] = "hw_count",   [NF_OSNOISE_NMI] = "nmi_count",
		[NF_OSNOISE_IRQ] = "irq_count",       [NF_OSNOISE_SOFTIRQ] = "softirq_count",
		[NF_OSNOISE_THREAD] = "thread_count",
	};
	int r;

	p->what = NF_OSNOISE_PERIOD;
	if ((r = scaled(ev, rec, "runtime", MICROSECOND_NS, &p->period.runtime_ns, err)) < 0 ||
	    (r = scaled(ev, rec, "noise", MICROSECOND_NS, &p->period.noise_ns, err)) < 0 ||
	    (r = scaled(ev, rec, "max_sample", MICROSECOND_NS, &p->period.longest_ns, err)) < 0)
		return r;
	for (size_t i = 0; i < NF_OSNOISE_SOURCES; i++) {
		r = scaled(ev, rec, counts[i], 1, &p->period.count[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int latency(struct tep_event *ev, const struct tep_record *rec, struct nf_osnoise_report *p,
                   struct nf_err *err)
{
	int64_t context;
	int r;

	p->what = NF_OSNOISE_LATENCY;
	if ((r = scaled(ev, rec, "context", 1, &context, err)) < 0 ||
	    (r = scaled(ev, rec, "seqnum", 1, &p->latency.activation, err)) < 0 ||
	    (r = scaled(ev, rec, "timer_latency", 1, &p->latency.latency_ns, err)) < 0)
		return r;
	if (context > NF_TIMERLAT_USER)
		return nf_fail(err, NF_EDATA, "timerlat event: %lld is no context",
		               (long long)context);
	p->latency.context = (enum nf_timerlat_context)context;
	return 0;
}

static void append(char name[NF_OSNOISE_NAME_BYTES], const char *sep, int64_t number)
{
	size_t len = strlen(name);

	snprintf(name + len, NF_OSNOISE_NAME_BYTES - len, "%s%lld", sep, (long long)number);
}

/* Names are for people: a kernel without one of these fields gives none. */
static void name_of(struct tep_event *ev, const struct tep_record *rec, struct nf_osnoise_report *p)
{
	/* The order of the vectors is the kernel's binary interface (include/linux/interrupt.h). */
	static const char *const softirqs[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
		                                "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };
	char *name = p->cause.name;
	int64_t number;

	if (p->cause.source == NF_OSNOISE_IRQ) {
		nf_tracer_text(ev, rec, "desc", name, NF_OSNOISE_NAME_BYTES);
		if (name[0] == '\0' && nf_tracer_field(ev, rec, "vector", &number, NULL) == 0)
			append(name, "", number);
	} else if (p->cause.source == NF_OSNOISE_SOFTIRQ) {
		if (nf_tracer_field(ev, rec, "vector", &number, NULL) != 0)
			return;
		if ((size_t)number < sizeof(softirqs) / sizeof(softirqs[0]))
			snprintf(name, NF_OSNOISE_NAME_BYTES, "%s", softirqs[number]);
		else
			append(name, "", number);
	} else if (p->cause.source == NF_OSNOISE_THREAD) {
		nf_tracer_text(ev, rec, "comm", name, NF_OSNOISE_NAME_BYTES);
		if (nf_tracer_field(ev, rec, "pid", &number, NULL) == 0)
			append(name, "-", number);
	}
}

static int cause(struct tep_event *ev, const struct tep_record *rec, enum nf_osnoise_source source,
                 struct nf_osnoise_report *p, struct nf_err *err)
{
	p->what = NF_OSNOISE_CAUSE;
	p->cause.source = source;
	name_of(ev, rec, p);
	return scaled(ev, rec, "duration", 1, &p->cause.duration_ns, err);
}

int nf_osnoise_decode(struct tep_event *ev, const struct tep_record *rec, int cpu, int64_t t0_ns,
                      struct nf_osnoise_report *ret, struct nf_err *err)
{
	static const struct {
		const char *event;
		enum nf_osnoise_source source;
	} causes[] = {
		{ "nmi_noise", NF_OSNOISE_NMI },
		{ "irq_noise", NF_OSNOISE_IRQ },
		{ "softirq_noise", NF_OSNOISE_SOFTIRQ },
		{ "thread_noise", NF_OSNOISE_THREAD },
	};
	struct nf_osnoise_report p = { .cpu = cpu };
	int64_t inside;
	int r = 1;

	if (strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, "osnoise") == 0)
		r = period(ev, rec, &p, err);
	else if (strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, "timerlat") == 0)
		r = latency(ev, rec, &p, err);
	else if (strcmp(ev->system, "osnoise") == 0 && strcmp(ev->name, "sample_threshold") == 0) {
		/* A noise in which nothing else was counted is the hardware's. */
		r = scaled(ev, rec, "interference", 1, &inside, err);
		if (r == 0)
			r = inside > 0 ? 1 : cause(ev, rec, NF_OSNOISE_HARDWARE, &p, err);
	}
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (strcmp(ev->system, "osnoise") == 0 && strcmp(ev->name, causes[i].event) == 0)
			r = cause(ev, rec, causes[i].source, &p, err);
	if (r == 0)
		r = nf_tracer_time(rec, t0_ns, &p.t_ns, err);
	if (r == 0)
		*ret = p;
	return r;
}
