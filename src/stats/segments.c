/* SPDX-License-Identifier: MIT */
#include "stats/segments.h"

void nf_segments_init(struct nf_segments *s, const struct nf_segments_cfg *cfg, const int64_t *tick,
                      const int64_t *word, size_t n)
{
	*s = (struct nf_segments){ .cfg = cfg, .tick = tick, .word = word, .n = n };
}

static bool is_measured(const struct nf_segments *s, uint32_t id)
{
	for (size_t i = 0; i < s->cfg->n_measured; i++)
		if ((uint32_t)s->cfg->measured[i] == id)
			return true;
	return false;
}

/* Who has the CPU; NULL: nobody that counts. */
static struct nf_segment *owner(struct nf_segments *s)
{
	if (s->asleep && s->cfg->not_asleep)
		return NULL;
	if (s->depth > 0)
		return &s->nest[s->depth - 1].s;
	return s->runs == NF_RUNS_OTHER ? &s->thread : NULL;
}

/* The time from `last` to `end`, if it is any. */
static void emit(struct nf_segments *s, struct nf_segment *who, int64_t end)
{
	if (who && s->begun && end > s->last) {
		s->ready[s->n_ready++] = (struct nf_segment){
			.begin = s->last,
			.end = end,
			.cause = who->cause,
			.first = who->first,
			.met = who->first && who->met,
		};
		who->first = false;
	}
	if (!s->begun || end > s->last)
		s->last = end;
	s->begun = true;
}

/* Nothing stands between the measuring thread and the CPU. */
static bool measures(const struct nf_segments *s)
{
	return s->runs == NF_RUNS_MEASURED && !s->asleep && s->depth == 0;
}

static void set_thread(struct nf_segments *s, const struct nf_event *e)
{
	bool met = s->runs == NF_RUNS_MEASURED && !s->asleep;

	s->runs = is_measured(s, e->arg) ? NF_RUNS_MEASURED : NF_RUNS_OTHER;
	s->thread = (struct nf_segment){
		.cause = { NF_CAUSE_THREAD, e->name, e->arg },
		.first = true,
		.met = met,
	};
}

/* Ends the innermost of this kind (arg matters for interrupts) and what is above it. */
static void pop(struct nf_segments *s, enum nf_event_kind kind, uint32_t arg)
{
	for (size_t i = s->depth; i > 0; i--) {
		if (s->nest[i - 1].kind != kind)
			continue;
		if (kind == NF_EVENT_IRQ_IN && s->nest[i - 1].arg != arg)
			continue;
		s->depth = i - 1;
		return;
	}
}

static void push(struct nf_segments *s, const struct nf_event *e)
{
	pop(s, e->kind, e->arg);
	if (s->depth == NF_SEGMENT_NESTING)
		return;
	bool met = measures(s);
	s->nest[s->depth].kind = e->kind;
	s->nest[s->depth].arg = e->arg;
	s->nest[s->depth++].s = (struct nf_segment){
		.cause = { e->kind == NF_EVENT_IRQ_IN ? NF_CAUSE_IRQ : NF_CAUSE_SOFTIRQ, e->name,
		           0 },
		.first = true,
		.met = met,
	};
}

static void lost(struct nf_segments *s, int64_t tick)
{
	struct nf_segment who = { .cause = { NF_CAUSE_LOST, 0, 0 }, .first = true };

	if (!s->begun) {
		s->last = INT64_MIN;
		s->begun = true;
	}
	emit(s, &who, tick);
	s->depth = 0;
	s->runs = NF_RUNS_UNKNOWN;
	s->asleep = false;
}

/* Stamped at its end. */
static void nmi(struct nf_segments *s, const struct nf_event *e)
{
	struct nf_segment who = { .cause = { NF_CAUSE_NMI, e->name, 0 }, .first = true };
	double ticks = (double)e->arg * s->cfg->ticks_per_ns;
	int64_t begin;

	if (!s->begun) {
		emit(s, NULL, e->tick);
		return;
	}
	if (!(ticks >= 0 && ticks < 0x1p62) ||
	    __builtin_sub_overflow(e->tick, (int64_t)ticks, &begin) || begin < s->last)
		begin = s->last;
	emit(s, owner(s), begin);
	who.met = measures(s);
	emit(s, &who, e->tick);
}

static void step(struct nf_segments *s, const struct nf_event *e)
{
	switch (e->kind) {
	case NF_EVENT_LOST:
		lost(s, e->tick);
		return;
	case NF_EVENT_NMI:
		nmi(s, e);
		return;
	case NF_EVENT_THREAD_OUT:
	case NF_EVENT_THREAD_SLEEP:
		/* Whoever goes was there since what is known began. */
		if (s->runs == NF_RUNS_UNKNOWN)
			set_thread(s, e);
		break;
	case NF_EVENT_NONE:
	case NF_EVENT_IRQ_IN:
	case NF_EVENT_IRQ_OUT:
	case NF_EVENT_SOFTIRQ_IN:
	case NF_EVENT_SOFTIRQ_OUT:
	case NF_EVENT_THREAD_IN:
	case NF_N_EVENTS:
		break;
	}
	emit(s, owner(s), e->tick);
	if (e->kind == NF_EVENT_IRQ_IN || e->kind == NF_EVENT_SOFTIRQ_IN) {
		push(s, e);
	} else if (e->kind == NF_EVENT_IRQ_OUT) {
		pop(s, NF_EVENT_IRQ_IN, e->arg);
	} else if (e->kind == NF_EVENT_SOFTIRQ_OUT) {
		pop(s, NF_EVENT_SOFTIRQ_IN, e->arg);
	} else if (e->kind == NF_EVENT_THREAD_IN) {
		s->depth = 0;
		set_thread(s, e);
		s->asleep = s->asleep && s->runs != NF_RUNS_MEASURED;
	} else if (is_measured(s, e->arg)) {
		s->asleep = e->kind == NF_EVENT_THREAD_SLEEP;
	}
}

bool nf_segments_next(struct nf_segments *s, struct nf_segment *ret)
{
	while (s->next_ready == s->n_ready) {
		struct nf_event e;

		s->next_ready = s->n_ready = 0;
		if (s->at == s->n)
			return false;
		size_t i = s->at++;
		if (!nf_event_unpack(s->tick[i], s->word[i], &e))
			continue;
		if (s->begun && e.tick < s->last)
			e.tick = s->last;
		step(s, &e);
	}
	*ret = s->ready[s->next_ready++];
	return true;
}
