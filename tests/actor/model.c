/* SPDX-License-Identifier: MIT */
/* Spawn, join, detach, exit and cancel, by actors and by a thread outside, against a model of
 * what may come of it. */
#include <stdlib.h>
#include <string.h>

#include "noisefloor/actor.h"
#include "noisefloor/prop.h"

enum { SLOTS = 24, STEPS = 100, CASES = 200, CASES_LONG = 10000 };

enum kind {
	RETURNS,
	EXITS,
	PANICS,
	YIELDS,
	WAITS, /* for a message */
	SLEEPS, /* for a moment */
	SLEEPS_LONG,
	SPAWNS, /* one of its own, and joins it */
	SELECTS, /* its channel, with a deadline far away */
	KINDS,
};

struct slot {
	struct nf_actor a;
	struct nf_chan *chan;
	enum kind kind;
	bool used, released, cancelled, detached;
};

struct model {
	struct pt_case *t;
	struct nf_actor_rt *rt;
	struct slot slot[SLOTS];
	struct nf_actor stale[SLOTS];
	unsigned n_stale;
	uint64_t spawned;
	bool inside;
};

/* ---- the actors ---- */

static void *child(void *arg)
{
	nf_actor_yield();
	return arg;
}

static void *returns(void *arg)
{
	return arg;
}

static void *exits(void *arg)
{
	nf_actor_exit(arg);
}

static void *panics(void *arg)
{
	(void)arg;
	nf_actor_panic("as told");
}

static void *yields(void *arg)
{
	for (int i = 0; i < 20; i++)
		nf_actor_yield();
	return arg;
}

static void *waits(void *arg)
{
	struct slot *s = arg;
	struct nf_actor_msg m;

	return nf_chan_recv(s->chan, &m) == 0 && m.ptr == s ? s : NULL;
}

static void *selects(void *arg)
{
	struct slot *s = arg;
	struct nf_actor_msg m;
	size_t which;

	return nf_chan_select(&s->chan, 1, nf_actor_now_ns() + 3600000000000, &which, &m) == 0 &&
	                       m.ptr == s
	               ? s
	               : NULL;
}

static void *sleeps(void *arg)
{
	nf_actor_sleep(20000);
	return arg;
}

static void *sleeps_long(void *arg)
{
	nf_actor_sleep(INT64_MAX);
	return arg;
}

static void *spawns(void *arg)
{
	struct nf_actor_status s;
	struct nf_actor a;

	if (nf_actor_spawn(NULL, NULL, child, arg, &a, NULL) != 0 ||
	    nf_actor_join(a, &s, NULL) != 0)
		return NULL;
	return s.value;
}

static nf_actor_fn *const fns[KINDS] = {
	[RETURNS] = returns,         [EXITS] = exits,   [PANICS] = panics,
	[YIELDS] = yields,           [WAITS] = waits,   [SLEEPS] = sleeps,
	[SLEEPS_LONG] = sleeps_long, [SPAWNS] = spawns, [SELECTS] = selects,
};

static bool waits_for_a_message(enum kind k)
{
	return k == WAITS || k == SELECTS;
}

/* It ends without being told to. */
static bool ends(const struct slot *s)
{
	if (s->cancelled)
		return true;
	return waits_for_a_message(s->kind) ? s->released : s->kind != SLEEPS_LONG;
}

/* ---- operations, here or in an actor ---- */

enum what { SPAWN, JOIN, DETACH, CANCEL, SEND, FREE_CHAN };

struct op {
	enum what what;
	struct slot *slot;
	struct nf_actor a;
	struct nf_actor_opts opts;
	struct nf_actor_status status;
	struct nf_actor_rt *rt;
	int result;
};

static void *perform(void *arg)
{
	struct op *o = arg;

	switch (o->what) {
	case SPAWN:
		o->result =
		        nf_actor_spawn(o->rt, &o->opts, fns[o->slot->kind], o->slot, &o->a, NULL);
		break;
	case JOIN:
		o->result = nf_actor_join(o->a, &o->status, NULL);
		break;
	case DETACH:
		o->result = nf_actor_detach(o->a, NULL);
		break;
	case CANCEL:
		o->result = nf_actor_cancel(o->a, NULL);
		break;
	case SEND:
		o->result = nf_chan_send(o->slot->chan, (struct nf_actor_msg){ .ptr = o->slot });
		break;
	case FREE_CHAN:
		nf_chan_free(o->slot->chan);
		break;
	}
	return NULL;
}

static void operate(struct model *m, struct op *o)
{
	o->rt = m->rt;
	if (!pt_draw_bool(m->t, 0.6)) {
		perform(o);
		return;
	}
	m->spawned++;
	PT_ASSERT(m->t, nf_actor_rt_run(m->rt, perform, o, NULL, NULL) == 0);
}

static struct slot *pick(struct model *m, bool used)
{
	size_t first = pt_draw_pick(m->t, SLOTS);

	for (size_t i = 0; i < SLOTS; i++)
		if (m->slot[(first + i) % SLOTS].used == used)
			return &m->slot[(first + i) % SLOTS];
	return &m->slot[first]; /* .allowed says that there is one */
}

static void forget(struct model *m, struct slot *s)
{
	struct op o = { .what = FREE_CHAN, .slot = s };

	m->stale[m->n_stale++ % SLOTS] = s->a;
	operate(m, &o);
	*s = (struct slot){ 0 };
}

static void check_end(struct pt_case *t, const struct slot *s, const struct nf_actor_status *st)
{
	if (st->end == NF_ACTOR_CANCELLED) {
		PT_ASSERT(t, s->cancelled);
		return;
	}
	PT_ASSERT(t, !(s->cancelled && !s->released && waits_for_a_message(s->kind)));
	PT_ASSERT(t, s->kind != SLEEPS_LONG);
	PT_ASSERT_INT_EQ(t, st->end, s->kind == PANICS ? NF_ACTOR_PANICKED : NF_ACTOR_RETURNED);
	PT_ASSERT(t, st->value == (s->kind == PANICS ? NULL : (const void *)s));
	PT_ASSERT(t, strcmp(st->message, s->kind == PANICS ? "as told" : "") == 0);
}

/* ---- commands ---- */

static bool has_free(const void *state, void *arg)
{
	const struct model *m = state;

	(void)arg;
	for (size_t i = 0; i < SLOTS; i++)
		if (!m->slot[i].used)
			return true;
	return false;
}

static bool has_used(const void *state, void *arg)
{
	const struct model *m = state;

	(void)arg;
	for (size_t i = 0; i < SLOTS; i++)
		if (m->slot[i].used)
			return true;
	return false;
}

static bool spawn(struct pt_case *t, void *state, void *arg)
{
	struct model *m = state;
	struct slot *s = pick(m, false);
	struct op o = { .what = SPAWN, .slot = s };

	(void)arg;
	*s = (struct slot){ .used = true, .kind = (enum kind)pt_draw_pick(t, KINDS) };
	if (pt_draw_bool(t, 0.3))
		o.opts.pin = (uint32_t)pt_draw_int(t, 0, 1);
	PT_ASSERT_INT_EQ(t, nf_chan_new(m->rt, &s->chan, NULL), 0);
	operate(m, &o);
	PT_ASSERT_INT_EQ(t, o.result, 0);
	s->a = o.a;
	m->spawned += 1;
	return true;
}

static bool release(struct pt_case *t, void *state, void *arg)
{
	struct model *m = state;
	struct slot *s = pick(m, true);
	struct op o = { .what = SEND, .slot = s };

	(void)arg;
	operate(m, &o);
	PT_ASSERT_INT_EQ(t, o.result, 0);
	s->released = true;
	return true;
}

static bool cancel(struct pt_case *t, void *state, void *arg)
{
	struct model *m = state;
	struct slot *s = pick(m, true);
	struct op o = { .what = CANCEL, .slot = s, .a = s->a };

	(void)arg;
	operate(m, &o);
	if (ends(s))
		PT_ASSERT(t, o.result == 0 || o.result == -NF_ENODATA);
	else
		PT_ASSERT_INT_EQ(t, o.result, 0);
	if (o.result == 0)
		s->cancelled = true;
	return true;
}

static bool join(struct pt_case *t, void *state, void *arg)
{
	struct model *m = state;
	struct slot *s = pick(m, true);
	struct op o = { .what = JOIN, .slot = s, .a = s->a };

	(void)arg;
	if (!ends(s))
		return true;
	operate(m, &o);
	PT_ASSERT_INT_EQ(t, o.result, 0);
	check_end(t, s, &o.status);
	forget(m, s);
	return true;
}

static bool detach(struct pt_case *t, void *state, void *arg)
{
	struct model *m = state;
	struct slot *s = pick(m, true);
	struct op o = { .what = DETACH, .slot = s, .a = s->a };

	(void)arg;
	/* A detached one may still use its channel: only those that do not are. */
	if (waits_for_a_message(s->kind) || s->kind == SLEEPS_LONG)
		return true;
	operate(m, &o);
	PT_ASSERT_INT_EQ(t, o.result, 0);
	forget(m, s);
	return true;
}

static bool stale(struct pt_case *t, void *state, void *arg)
{
	struct model *m = state;
	const enum what any[] = { JOIN, DETACH, CANCEL };
	struct op o = { .what = any[pt_draw_pick(t, 3)] };

	(void)arg;
	if (m->n_stale == 0)
		return true;
	o.a = m->stale[pt_draw_pick(t, m->n_stale < SLOTS ? m->n_stale : SLOTS)];
	operate(m, &o);
	/* One that was detached may live still. */
	PT_ASSERT(t, o.result == -NF_ENODATA || o.result == -NF_EEXIST ||
	                     (o.what == CANCEL && o.result == 0));
	return true;
}

static void *start(struct pt_case *t, void *arg)
{
	struct model *m = pt_alloc(t, sizeof(*m));
	struct nf_actor_knobs k;
	struct nf_err err;

	(void)arg;
	m->t = t;
	nf_actor_knobs_init(&k);
	k.workers = (uint32_t)pt_draw_int(t, 1, 3);
	k.max_actors = 256;
	k.spin_ns = pt_draw_int(t, 0, 1) * 20000;
	k.run_queue = pt_draw_bool(t, 0.2) ? NF_ACTOR_SHARED : NF_ACTOR_STEALING;
	k.lifo_cap = (uint32_t)pt_draw_int(t, 0, 2);
	if (nf_actor_rt_new(&k, &m->rt, &err) != 0)
		PT_FAIL(t, "no runtime: %s", err.msg);
	return m;
}

static void stop(void *state)
{
	struct model *m = state;

	nf_actor_rt_free(m->rt);
}

static const struct {
	bool (*allowed)(const void *state, void *arg);
	bool (*run)(struct pt_case *t, void *state, void *arg);
} commands[] = {
	/* As often as they are listed; the first shrinks to nothing done. */
	{ NULL, stale },       { has_used, join },    { has_free, spawn },  { has_free, spawn },
	{ has_used, release }, { has_used, cancel },  { has_used, detach }, { has_free, spawn },
	{ has_used, join },    { has_used, release }, { has_free, spawn },  { has_used, join },
};

/* Not pt_run_machine(), whose runs are short: what piles up shows in long ones. */
static bool behaves(struct pt_case *t, void *arg)
{
	struct model *m = start(t, arg);

	pt_cleanup(t, stop, m);
	for (int i = 0; i < STEPS; i++) {
		size_t c = pt_draw_pick(t, sizeof(commands) / sizeof(commands[0]));

		if (commands[c].allowed && !commands[c].allowed(m, arg))
			continue;
		if (!commands[c].run(t, m, arg))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	const char *in_the_long_run = getenv("NF_LONG");
	bool all = in_the_long_run && strcmp(in_the_long_run, "1") == 0;
	const struct pt_property property = { .name = "actors end as the model says",
		                              .fn = behaves };
	const struct pt_suite suite = { .name = "actor-model",
		                        .property = &property,
		                        .n = 1,
		                        .config = { .cases = all ? CASES_LONG : CASES,
		                                    .case_limit_ms = 60000,
		                                    .memory_limit_bytes = (uint64_t)1 << 44 } };

	return pt_main(&suite, argc, argv);
}
