/* SPDX-License-Identifier: MIT */
#include "subjects.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST = 37, CHUNK = 16 << 20 };

struct pt_result check_with(const char *name, pt_property_fn fn, void *arg,
                            const struct pt_config *config)
{
	struct pt_property p = { .name = name, .fn = fn, .arg = arg };
	struct pt_config c = config ? *config : (struct pt_config){ .seed = 1 };
	struct pt_result r;
	int err = pt_check(&p, &c, &r);

	if (err) {
		fprintf(stderr, "%s: %s\n", name, pt_strerror(err));
		abort();
	}
	return r;
}

static bool bad(struct pt_case *t)
{
	return pt_draw_int(t, 0, 1000) >= LEAST;
}

bool subject_false(struct pt_case *t, void *arg)
{
	(void)arg;
	return !bad(t);
}

bool subject_assert(struct pt_case *t, void *arg)
{
	(void)arg;
	PT_ASSERT(t, !bad(t));
	return true;
}

bool subject_null(struct pt_case *t, void *arg)
{
	(void)arg;
	if (bad(t)) {
		volatile int *volatile p = NULL;

		*p = 1;
	}
	return true;
}

bool subject_abort(struct pt_case *t, void *arg)
{
	(void)arg;
	if (bad(t)) {
		fprintf(stderr, "about to abort\n");
		abort();
	}
	return true;
}

bool subject_hang(struct pt_case *t, void *arg)
{
	(void)arg;
	if (bad(t))
		for (;;)
			pause();
	return true;
}

bool subject_exit(struct pt_case *t, void *arg)
{
	(void)arg;
	if (bad(t))
		exit(3);
	return true;
}

bool subject_allocates(struct pt_case *t, void *arg)
{
	(void)arg;
	if (!bad(t))
		return true;
	for (;;) {
		char *p = malloc(CHUNK);

		if (!p)
			abort();
		memset(p, 1, 4096);
		__asm__ volatile(""
		                 :
		                 : "r"(p)
		                 : "memory"); /* a compiler may drop what nobody reads */
	}
}

bool subject_holds(struct pt_case *t, void *arg)
{
	(void)arg;
	return pt_draw_int(t, -1000, 1000) <= 1000;
}
