/* SPDX-License-Identifier: MIT */
#include "mpi/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "measure/fwq_calibrate.h"

enum {
	WARMUP_NS = 200 * 1000 * 1000, /* frequencies settle over about this long */
	BATCH_NS = 1000 * 1000, /* the warm-up looks at the time about so often */
};

struct loop {
	const struct nf_mpi *m;
	const struct nf_tick_clock *clock;
	const struct nf_mpi_plan *plan;
	nf_fwq_loop_fn *run;
	struct nf_fwq_room *room; /* owned */
};

static struct nf_fwq_loop loop_over(const struct loop *l, int64_t *sample, size_t n)
{
	return (struct nf_fwq_loop){ .work = l->plan->work,
		                     .vector = l->room->vector,
		                     .sample = sample,
		                     .n = n,
		                     .deadline_tick = UINT64_MAX,
		                     .stop = &l->m->stop->signo };
}

static int prepare(struct loop *l, const struct nf_mpi_place *place, struct nf_stream *s,
                   struct nf_err *err)
{
	char name[sizeof(s->name)];

	l->run = nf_fwq_loop_for(l->clock, (enum nf_kernel_id)l->plan->kernel);
	if (!l->run)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "no loop on this architecture's counter; --clock monotonic works "
		               "everywhere");
	l->room = nf_fwq_room_new();
	if (!l->room)
		return nf_fail_nomem(err, "a rank", sizeof(*l->room));
	snprintf(name, sizeof(name), "fwq.rank%d", l->m->rank);
	int r = nf_stream_init(s, name, (size_t)l->plan->n_samples, err);
	if (r < 0)
		return r;
	snprintf(s->clock, sizeof(s->clock), "%s", nf_tick_name(l->clock->source));
	s->cpu = place->cpu;
	s->node = place->node;
	s->unit = NF_UNIT_TICK;
	s->kind = NF_KIND_DURATION;
	s->tick_hz = l->clock->hz;
	nf_stream_prefault(s);
	nf_fwq_room_fill(l->room);
	return 0;
}

/* Works without recording for WARMUP_NS, in batches of about BATCH_NS. */
static void warm(const struct loop *l)
{
	const struct nf_mpi_plan *p = l->plan;
	struct nf_instant start = nf_now_raw();
	size_t n = p->quantum_ns < BATCH_NS ? (size_t)(BATCH_NS / p->quantum_ns) : 1;

	n = n < 1 ? 1 : n > NF_FWQ_SCRATCH ? NF_FWQ_SCRATCH : n;
	do {
		struct nf_fwq_loop f = loop_over(l, l->room->scratch, n);

		if (p->quantum_ns > BATCH_NS)
			f.work = (uint64_t)(BATCH_NS / p->iteration_ns);
		l->run(&f);
	} while (nf_since_ns(start, nf_now_raw()) < WARMUP_NS && !nf_stop_signo(l->m->stop));
}

static void measure(const struct loop *l, struct nf_mpi_measured *ret)
{
	struct nf_stream *s = &ret->stream;
	struct rusage before = { 0 }, after = { 0 };
	struct nf_fwq_loop f = loop_over(l, s->value, s->cap);
	int begun_on, node;

	(void)getrusage(RUSAGE_THREAD, &before);
	MPI_Barrier(l->m->world); /* spinning: the start is what counts */
	begun_on = nf_mpi_current_cpu(NULL);
	if (l->plan->duration_ns > 0)
		f.deadline_tick = nf_tick_end(l->clock) +
		                  (uint64_t)((double)l->plan->duration_ns * l->clock->hz / 1e9);
	struct nf_instant start = nf_now_raw();
	l->run(&f);
	ret->wall_ns = nf_since_ns(start, nf_now_raw());
	s->n = f.n;
	while (l->plan->drop && f.last_tick <= f.deadline_tick && !nf_stop_signo(l->m->stop)) {
		uint64_t deadline = f.deadline_tick;

		f = loop_over(l, l->room->scratch, NF_FWQ_SCRATCH);
		f.deadline_tick = deadline;
		l->run(&f);
		s->n_dropped += f.n;
	}
	(void)getrusage(RUSAGE_THREAD, &after);
	ret->cpu = nf_mpi_current_cpu(&node);
	ret->moved = ret->cpu != begun_on;
	s->cpu = ret->moved ? -1 : ret->cpu;
	s->node = node;
	ret->faults =
	        (uint64_t)(after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt);
	ret->involuntary_switches = (uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
}

int nf_mpi_measure(const struct nf_mpi *m, const struct nf_tick_clock *clock,
                   const struct nf_mpi_plan *plan, const struct nf_mpi_place *place,
                   struct nf_mpi_measured *ret, struct nf_err *err)
{
	struct loop l = { .m = m, .clock = clock, .plan = plan };
	struct nf_mpi_measured done = { 0 };
	int r = prepare(&l, place, &done.stream, err);

	r = nf_mpi_agree(m, r, err);
	if (r == 0) {
		warm(&l);
		measure(&l, &done);
		nf_mpi_barrier(m); /* asleep: others may still measure */
		*ret = done;
	} else {
		nf_stream_fini(&done.stream);
	}
	free(l.room);
	return r;
}

void nf_mpi_measured_fini(struct nf_mpi_measured *r)
{
	nf_stream_fini(&r->stream);
}
