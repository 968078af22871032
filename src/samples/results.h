/* SPDX-License-Identifier: MIT */
/*
 * results - values of benchmarks as programs exchange them: what readers of other programs' forms make
 * and writers take.
 */
#ifndef NF_SAMPLES_RESULTS_H
#define NF_SAMPLES_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fail.h"

enum nf_interchange_id {
#define X(symbol, name, what) NF_INTERCHANGE_##symbol,
#include "interchange.def"
#undef X
	NF_N_INTERCHANGE,
};
extern const char *const nf_interchange_names[NF_N_INTERCHANGE + 1]; /* ends with NULL */

enum {
	NF_RESULTS_MAX = 4096, /* benchmarks, each unit of one counted */
	NF_RESULT_VALUES_MAX = 1 << 20, /* of all of them */
	NF_RESULT_NAME_MAX = 4096, /* bytes of a name or of a unit */
};

/* Which way is better. */
enum nf_better { NF_BETTER_UNSAID, NF_BETTER_SMALLER, NF_BETTER_LARGER, NF_N_BETTER };
extern const char
        *const nf_better_names[NF_N_BETTER + 1]; /* "", "smaller", "larger"; ends with NULL */

/* Beside the value what is known of it: negative is unknown. */
struct nf_result_value {
	double value; /* finite, in the unit of its result */
	double user_ns, system_ns; /* CPU time */
	double peak_bytes;
	uint64_t operations; /* timed together for it; at least 1 */
	uint32_t set; /* process that it comes from, counted from 0 */
	int exit_code;
};

struct nf_result {
	const char *bench; /* in the arena, as the unit */
	const char *unit; /* "ns" for times of every kind */
	enum nf_better
	        better; /* never unsaid: nf_result_better() of its unit, until the form says it */
	bool better_said; /* the form did */
	bool is_counter; /* what is counted beside a time: has to be asked for by its name and unit */
	const char *failure; /* why it has no values; NULL: it has */
	unsigned threads; /* 0: unknown */
	struct nf_result_value *item; /* owned; in the order they were measured */
	size_t n;
	size_t cap;
};

struct nf_results {
	struct nf_arena arena; /* names */
	struct nf_result *result; /* owned; in the order of their first values */
	size_t n;
	size_t cap;
	size_t n_values; /* of all */
	uint32_t *slot; /* owned; hash of bench and unit to index + 1 */
};
/* Zeroed is empty, but for the arena: */
void nf_results_init(struct nf_results *r);
void nf_results_fini(struct nf_results *r); /* zeroed is fine */

/* The result of this name and unit, which is made if there is none. Until the next call *ret stays where it is.
 * -NF_EDATA: too many, a name that is empty or too long, or a control character in it. */
NF_NODISCARD int nf_results_get(struct nf_results *r, const char *bench, const char *unit,
                                struct nf_result **ret, struct nf_err *err);
/* One more value of it; what is beside it is unknown and may be set in the item that is the last now.
 * -NF_EDATA: too many, or no finite number. */
NF_NODISCARD int nf_results_add(struct nf_results *r, struct nf_result *to, double value,
                                struct nf_err *err);
/* What a form says of it. -NF_EDATA: it said the other before. */
NF_NODISCARD int nf_results_say(struct nf_result *r, enum nf_better better, struct nf_err *err);
/* By name; where a name has several units also by "NAME UNIT". name NULL: the only one that is no counter. NULL: not
 * there, or not the only one. */
const struct nf_result *nf_results_find(const struct nf_results *r, const char *name);
/* "a, b, c, ...": names with their units where those differ, cut to the room there is. */
void nf_results_names(const struct nf_results *r, char *ret, size_t size);

/* As far as a unit tells: of what ends in "/s", a rate, larger is better; else smaller. */
enum nf_better nf_result_better(const char *unit);
/* A unit as programs write it: times in any unit per anything ("ms", "ns/op", "seconds") become "ns", and
 * values are to be multiplied by *ret_factor. Others stay as they are, factor 1. */
const char *nf_result_unit(const char *unit, double *ret_factor);

#endif
