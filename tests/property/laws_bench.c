/* SPDX-License-Identifier: MIT */
/* Length of iterations, and the environment that a benchmark is given. */
#include <stdio.h>
#include <string.h>

#include "bench/environment.h"
#include "bench/iterate.h"
#include "laws.h"

enum { LENGTH_NS = 1000000, ITEMS = 20, ITEM_BYTES = 8 };

struct fake {
	double ns; /* of an operation */
	uint64_t every; /* this call of so many is interrupted, never two in a row; 0: none */
	int64_t interruption_ns;
	uint64_t n_calls;
};

static int run_fake(void *ctx, uint64_t n, int64_t *ret_ns, struct nf_err *err)
{
	struct fake *f = ctx;

	(void)err;
	*ret_ns = (int64_t)(f->ns * (double)n);
	if (f->every && f->n_calls++ % f->every == 0)
		*ret_ns += f->interruption_ns;
	return 0;
}

static bool iterations_last_long_enough(struct pt_case *t, void *arg)
{
	struct fake f = { .ns = pt_draw_real(t, 0.001, 5e6),
		          .every = (uint64_t)pt_draw_int(t, 0, 6),
		          .interruption_ns = pt_draw_int(t, 0, 50 * LENGTH_NS) };
	uint64_t n = 0;

	(void)arg;
	if (f.every == 1)
		f.every = 0;
	PT_ASSERT(t, nf_iteration_calibrate(run_fake, &f, LENGTH_NS, &n, NULL) == 0);
	PT_ASSERT(t, n >= 1);
	/* Whole ns, as a clock reads them. */
	PT_ASSERT(t, f.ns * (double)n >= LENGTH_NS - 1);
	/* No more than ten times what is needed, the growth of a step. */
	PT_ASSERT(t, n == 1 || f.ns * (double)n <= 10.0 * LENGTH_NS + 10 * f.ns);
	return true;
}

static void draw_items(struct pt_case *t, char (*text)[ITEM_BYTES], char **item)
{
	struct pt_loop l = { .max = ITEMS };
	size_t n = 0;

	while (pt_more(t, &l)) {
		snprintf(text[n], ITEM_BYTES, "%c=%d", (char)('A' + pt_draw_int(t, 0, 5)),
		         (int)pt_draw_int(t, 0, 9));
		item[n] = text[n];
		n++;
	}
	item[n] = NULL;
}

/* The last text of a name; NULL: none. */
static const char *last_of(char *const *item, char name)
{
	const char *found = NULL;

	for (; *item; item++)
		if ((*item)[0] == name && (*item)[1] == '=')
			found = *item;
	return found;
}

static void fini_environment(void *e)
{
	nf_environment_fini(e);
}

static bool variables_are_put_over(struct pt_case *t, void *arg)
{
	char own_text[ITEMS][ITEM_BYTES], over_text[ITEMS][ITEM_BYTES];
	char *own[ITEMS + 1], *over[ITEMS + 1];
	struct nf_environment *e = pt_alloc(t, sizeof(*e));
	size_t n = 0, wanted = 1; /* the padding */

	(void)arg;
	draw_items(t, own_text, own);
	draw_items(t, over_text, over);
	PT_ASSERT(t, nf_environment_make(own, (const char *const *)over,
	                                 (uint64_t)pt_draw_int(t, 0, 1000), e, NULL) == 0);
	pt_cleanup(t, fini_environment, e);
	for (char name = 'A'; name <= 'F'; name++) {
		const char *was = last_of(over, name), *is = last_of(e->item, name);

		was = was ? was : last_of(own, name);
		PT_ASSERT(t, !was == !is);
		if (was) {
			PT_ASSERT(t, strcmp(was, is) == 0);
			wanted++;
		}
	}
	while (e->item[n])
		n++;
	PT_ASSERT(t, n == wanted); /* each name once */
	return true;
}

const struct law laws_bench[] = {
	{ "iterations",
	  "Iterations last long enough whatever an operation takes, also when some were "
	  "interrupted.",
	  iterations_last_long_enough, NULL },
	{ "put over",
	  "A benchmark's environment has each name once, with the value that was put over the "
	  "others.",
	  variables_are_put_over, NULL },
	{ .name = NULL },
};
