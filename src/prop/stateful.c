/* SPDX-License-Identifier: MIT */
/* Commands against a model: a list whose elements are steps. */
#include "prop/gen.h"
#include "prop/rand.h"

enum { DEFAULT_STEPS = 50 };

static bool allowed(const struct pt_command *c, const void *state, void *arg)
{
	return !c->allowed || c->allowed(state, arg);
}

/* A random step is one of those allowed now, by weight; all that are not allowed: none. */
static uint64_t wish(struct pt_case *t, const struct pt_machine *m, const void *state, void *arg)
{
	uint64_t sum = 0, r;
	size_t last = 0;

	for (size_t i = 0; i < m->n_commands; i++)
		if (allowed(&m->command[i], state, arg))
			sum += m->command[i].weight ? m->command[i].weight : 1;
	if (sum == 0)
		return 0;
	r = pt_rand_upto(&t->rng, sum - 1);
	for (size_t i = 0; i < m->n_commands; i++) {
		uint64_t w = m->command[i].weight ? m->command[i].weight : 1;

		if (!allowed(&m->command[i], state, arg))
			continue;
		last = i;
		if (r < w)
			break;
		r -= w;
	}
	return last;
}

struct stop {
	void (*fn)(void *);
	void *state;
};

static void run_stop(void *arg)
{
	struct stop *s = arg;

	s->fn(s->state);
}

/* The number of a command means the same whatever the model allows: a step that is not allowed after
 * others were deleted does nothing, and can be deleted too. */
static bool step(struct pt_case *t, const struct pt_machine *m, void *state, void *arg)
{
	struct pt_choice like = { .max = m->n_commands - 1, .kind = PT_CHOICE_INT };
	const struct pt_command *c =
	        &m->command[pt_take(t, &like, pt_is_random(t) ? wish(t, m, state, arg) : 0)];

	if (!allowed(c, state, arg))
		return true;
	pt_note(t, "%s", c->name);
	return c->run(t, state, arg) && (!m->invariant || m->invariant(t, state, arg));
}

bool pt_run_machine(struct pt_case *t, const struct pt_machine *m, void *arg)
{
	struct pt_loop l = { .max = m->max_steps ? m->max_steps : DEFAULT_STEPS };
	struct stop *s;
	void *state;
	bool held = true;

	if (m->n_commands == 0)
		PT_FAIL(t, "pt_run_machine: no commands");
	s = pt_alloc(t, sizeof(*s));
	state = m->start(t, arg);
	*s = (struct stop){ m->stop, state };
	if (m->stop)
		pt_cleanup(t, run_stop, s);
	if (m->invariant && !m->invariant(t, state, arg))
		return false;
	while (held && pt_more(t, &l))
		held = step(t, m, state, arg);
	pt_loop_end(t, &l);
	return held;
}
