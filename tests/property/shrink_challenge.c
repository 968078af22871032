/* SPDX-License-Identifier: MIT */
/*
 * shrink_challenge [SEEDS [NAME]] - runs each problem with this many seeds (100) and prints how often it
 * ended at the minimal case, and at what cost. Exit status 1 when a bound does not hold.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "challenge.h"

enum { MAX_SEEDS = 1000, MEAN_CALLS = 500, MIN_PERCENT = 95 };

struct tally {
	unsigned n, minimal, calls, most_calls, shrinks, not_found;
	unsigned distinct;
	char *seen[MAX_SEEDS];
	unsigned count[MAX_SEEDS];
};

static void add_result(struct tally *y, const char *notes)
{
	unsigned i = 0;

	while (i < y->distinct && strcmp(y->seen[i], notes) != 0)
		i++;
	if (i == y->distinct && i < MAX_SEEDS) {
		y->seen[i] = strdup(notes);
		if (!y->seen[i])
			abort();
		y->distinct++;
	}
	y->count[i]++;
}

static void add(struct tally *y, const struct challenge *c, const struct pt_result *r)
{
	y->n++;
	if (r->outcome != PT_FAILED) {
		y->not_found++;
		return;
	}
	for (size_t k = 0; k < 3 && c->minimal[k]; k++)
		if (strstr(r->notes, c->minimal[k])) {
			y->minimal++;
			break;
		}
	y->calls += r->shrink_calls;
	y->shrinks += r->shrinks;
	if (r->shrink_calls > y->most_calls)
		y->most_calls = r->shrink_calls;
	add_result(y, r->notes);
}

/* True: the bounds hold. */
static bool run(const struct challenge *c, unsigned seeds, bool verbose)
{
	struct tally y = { .n = 0 };
	struct pt_property p = { .name = c->name, .fn = c->fn };
	struct timespec a, b;
	bool ok;

	clock_gettime(CLOCK_MONOTONIC, &a);
	for (unsigned seed = 1; seed <= seeds; seed++) {
		struct pt_config config = { .seed = seed, .cases = 20000 };
		struct pt_result r;
		int err = pt_check(&p, &config, &r);

		if (err) {
			fprintf(stderr, "%s: %s\n", c->name, pt_strerror(err));
			return false;
		}
		add(&y, c, &r);
		pt_result_fini(&r);
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	ok = y.minimal * 100 >= (c->min_percent ? c->min_percent : MIN_PERCENT) * y.n &&
	     y.calls <= MEAN_CALLS * y.n && (!c->max_distinct || y.distinct <= c->max_distinct);
	printf("%-18s %5.1f %8u %10.1f %6u %7.1f %8.2f  %s\n", c->name, 100.0 * y.minimal / y.n,
	       y.distinct, (double)y.calls / y.n, y.most_calls, (double)y.shrinks / y.n,
	       (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec),
	       ok ? "" : "BELOW");
	for (unsigned i = 0; i < y.distinct; i++) {
		if (verbose)
			printf("%5u of:\n%s", y.count[i], y.seen[i]);
		free(y.seen[i]);
	}
	fflush(stdout);
	return ok;
}

int main(int argc, char **argv)
{
	unsigned long seeds = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
	bool ok = true;
	unsigned ran = 0;

	if (seeds < 1 || seeds > MAX_SEEDS) {
		fprintf(stderr, "usage: shrink_challenge [SEEDS (1..%d) [NAME]]\n", MAX_SEEDS);
		return 2;
	}
	printf("%-18s %5s %8s %10s %6s %7s %8s\n", "problem", "min %", "distinct", "mean calls",
	       "most", "steps", "seconds");
	for (size_t k = 0; k < 2; k++)
		for (const struct challenge *c = k ? challenges_more : challenges; c->name; c++)
			if (argc < 3 || strcmp(argv[2], c->name) == 0) {
				ok &= run(c, (unsigned)seeds, argc > 2);
				ran++;
			}
	if (ran == 0) {
		fprintf(stderr, "no problem is called '%s'\n", argv[2]);
		return 2;
	}
	return ok ? 0 : 1;
}
