/* SPDX-License-Identifier: MIT */
#include "bench/sched_knobs.h"
#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum knob {
	WORKERS,
	ALLOC_INTERVAL,
	TIMESLICE_TICKS,
	STACK_BYTES,
	MAX_ACTORS,
	MAX_MESSAGES,
	SPIN_NS,
	LIFO_CAP,
	RUN_QUEUE,
	GUARD,
	SAVE_FPU,
	N_KNOBS,
};

/* clang-format off */
const struct nf_sched_knob nf_sched_knobs[] = {
	[WORKERS] = { "NOISEFLOOR_ACTOR_WORKERS", "0 to 256", "worker threads; 0: as many as CPUs" },
	[ALLOC_INTERVAL] = { "NOISEFLOOR_ACTOR_ALLOC_INTERVAL", "1 to 4294967295",
		"every so many-th alloc, send or checkpoint reads the ticks" },
	[TIMESLICE_TICKS] = { "NOISEFLOOR_ACTOR_TIMESLICE_TICKS", "0 to 18446744073709551615",
		"ticks after which it then yields; 0: at each reading" },
	[STACK_BYTES] = { "NOISEFLOOR_ACTOR_STACK_BYTES", "16384 to 1073741824", "of an actor's stack, guard page included" },
	[MAX_ACTORS] = { "NOISEFLOOR_ACTOR_MAX_ACTORS", "1 to 134217728", "actors that may be alive at a time" },
	[MAX_MESSAGES] = { "NOISEFLOOR_ACTOR_MAX_MESSAGES", "1 to 18446744073709551615", "waiting in all channels together" },
	[SPIN_NS] = { "NOISEFLOOR_ACTOR_SPIN_NS", "-1 to 9223372036854775807",
		"an idle worker looks for work that long; -1: as long as a wake costs" },
	[LIFO_CAP] = { "NOISEFLOOR_ACTOR_LIFO_CAP", "0 to 4294967295", "woken actors run first, at most so many in a row" },
	[RUN_QUEUE] = { "NOISEFLOOR_ACTOR_RUN_QUEUE", "stealing or shared", "a queue a worker, or one for all" },
	[GUARD] = { "NOISEFLOOR_ACTOR_GUARD", "auto, install, mprotect or none", "how an overflow of a stack is caught" },
	[SAVE_FPU] = { "NOISEFLOOR_ACTOR_SAVE_FPU", "0 or 1", "rounding mode, traps and flags are each actor's own" },
};
/* clang-format on */
const size_t nf_sched_n_knobs = N_KNOBS;
_Static_assert(sizeof(nf_sched_knobs) / sizeof(*nf_sched_knobs) == N_KNOBS, "a row each");

static int refuse(enum knob id, const char *text, struct nf_err *err)
{
	return nf_fail(err, NF_EARG, "%s=%.*s; allowed: %s", nf_sched_knobs[id].name,
	               NF_UTF8_CUT(text, 60), nf_sched_knobs[id].allowed);
}

/* Digits only. */
static int take_count(enum knob id, const char *text, uint64_t least, uint64_t most, uint64_t *ret,
                      struct nf_err *err)
{
	size_t digits = strspn(text, "0123456789");

	errno = 0;
	uint64_t v = strtoumax(text, NULL, 10);
	if (digits == 0 || text[digits] || errno || v < least || v > most)
		return refuse(id, text, err);
	*ret = v;
	return 0;
}

static int take_word(enum knob id, const char *text, const char *const *word, unsigned *ret,
                     struct nf_err *err)
{
	for (unsigned i = 0; word[i]; i++)
		if (strcmp(text, word[i]) == 0) {
			*ret = i;
			return 0;
		}
	return refuse(id, text, err);
}

static int take_spin(const char *text, int64_t *ret, struct nf_err *err)
{
	uint64_t v = 0;

	if (strcmp(text, "-1") == 0) {
		*ret = -1;
		return 0;
	}
	int r = take_count(SPIN_NS, text, 0, INT64_MAX, &v, err);
	if (r == 0)
		*ret = (int64_t)v;
	return r;
}

static int take(enum knob id, const char *text, struct nf_actor_knobs *k, struct nf_err *err)
{
	/* In the order of their enums. */
	static const char *const queue[] = { "stealing", "shared", NULL };
	static const char *const guard[] = { "auto", "install", "mprotect", "none", NULL };
	static const char *const flag[] = { "0", "1", NULL };
	unsigned word = 0;
	uint64_t v = 0;
	int r = 0;

	switch (id) {
	case WORKERS:
		r = take_count(id, text, 0, 256, &v, err);
		k->workers = (uint32_t)v;
		break;
	case ALLOC_INTERVAL:
		r = take_count(id, text, 1, UINT32_MAX, &v, err);
		k->alloc_interval = (uint32_t)v;
		break;
	case TIMESLICE_TICKS:
		r = take_count(id, text, 0, UINT64_MAX, &k->timeslice_ticks, err);
		break;
	case STACK_BYTES:
		r = take_count(id, text, 16384, 1 << 30, &v, err);
		k->stack_bytes = (size_t)v;
		break;
	case MAX_ACTORS:
		r = take_count(id, text, 1, 1 << 27, &v, err);
		k->max_actors = (uint32_t)v;
		break;
	case MAX_MESSAGES:
		r = take_count(id, text, 1, UINT64_MAX, &k->max_messages, err);
		break;
	case SPIN_NS:
		r = take_spin(text, &k->spin_ns, err);
		break;
	case LIFO_CAP:
		r = take_count(id, text, 0, UINT32_MAX, &v, err);
		k->lifo_cap = (uint32_t)v;
		break;
	case RUN_QUEUE:
		r = take_word(id, text, queue, &word, err);
		k->run_queue = (enum nf_actor_run_queue)word;
		break;
	case GUARD:
		r = take_word(id, text, guard, &word, err);
		k->guard = (enum nf_actor_guard)word;
		break;
	case SAVE_FPU:
		r = take_word(id, text, flag, &word, err);
		k->save_fpu = word == 1;
		break;
	case N_KNOBS:
		break;
	}
	return r;
}

int nf_sched_knobs_read(nf_sched_env_fn *env, void *ctx, struct nf_actor_knobs *k,
                        struct nf_err *err)
{
	struct nf_actor_knobs over = *k;
	int r = 0;

	for (unsigned id = 0; r == 0 && id < N_KNOBS; id++) {
		const char *text = env(ctx, nf_sched_knobs[id].name);

		if (text)
			r = take((enum knob)id, text, &over, err);
	}
	if (r == 0)
		*k = over;
	return r;
}
