/* SPDX-License-Identifier: MIT */
/*
 * A ring buffer against a model, with a bug: it forgets what it holds when it is filled to the last place
 * after its start has moved. The report shows the shortest commands that show it. Exit status 1.
 */
#include <string.h>

#include <noisefloor/prop.h>

enum { PLACES = 4 };

struct ring {
	int at[PLACES];
	unsigned first, n;
};

static void ring_put(struct ring *r, int v)
{
	r->at[(r->first + r->n) % PLACES] = v;
	r->n++;
	if (r->n == PLACES && r->first == 2)
		r->first = 0; /* the bug */
}

static int ring_take(struct ring *r)
{
	int v = r->at[r->first];

	r->first = (r->first + 1) % PLACES;
	r->n--;
	return v;
}

/* The system and what it should be: a plain array. */
struct both {
	struct ring ring;
	int model[PLACES];
	unsigned n;
};

static void *start(struct pt_case *t, void *arg)
{
	(void)arg;
	return pt_alloc(t, sizeof(struct both));
}

static bool has_room(const void *state, void *arg)
{
	(void)arg;
	return ((const struct both *)state)->n < PLACES;
}

static bool has_some(const void *state, void *arg)
{
	(void)arg;
	return ((const struct both *)state)->n > 0;
}

static bool put(struct pt_case *t, void *state, void *arg)
{
	struct both *b = state;
	int v = (int)pt_draw_int(t, 0, 100);

	(void)arg;
	ring_put(&b->ring, v);
	b->model[b->n++] = v;
	return true;
}

static bool take(struct pt_case *t, void *state, void *arg)
{
	struct both *b = state;
	int want = b->model[0], got = ring_take(&b->ring);

	(void)arg;
	b->n--;
	memmove(b->model, b->model + 1, b->n * sizeof(b->model[0]));
	PT_ASSERT_INT_EQ(t, got, want);
	return true;
}

static const struct pt_command commands[] = {
	{ .name = "put", .weight = 2, .allowed = has_room, .run = put },
	{ .name = "take", .allowed = has_some, .run = take },
};
static const struct pt_machine machine = { .start = start, .command = commands, .n_commands = 2 };

static bool behaves_as_the_model(struct pt_case *t, void *arg)
{
	return pt_run_machine(t, &machine, arg);
}

int main(int argc, char **argv)
{
	static const struct pt_property property = { .name = "ring",
		                                     .fn = behaves_as_the_model,
		                                     .cases = 2000 };
	const struct pt_suite suite = { .name = "ring", .property = &property, .n = 1 };

	return pt_main(&suite, argc, argv);
}
