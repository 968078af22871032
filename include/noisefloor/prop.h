/* SPDX-License-Identifier: MIT */
/*
 * prop - property-based testing with integrated shrinking. Needs nothing but libc.
 *
 * A property is a function that draws values from a case and says whether they satisfy a rule. It is run
 * for many random cases in a worker process; a case that fails, crashes, hangs, exits or runs out of
 * memory is shrunk to a simplest one that fails in the same way, and reported with a blob that replays
 * it.
 *
 *   static bool reversed_twice_is_the_same(struct pt_case *t, void *arg)
 *   {
 *           struct pt_mem *m = pt_case_mem(t);
 *           struct pt_value xs = pt_draw(t, "xs", pt_list(m, pt_int(m, -100, 100), 0, 50));
 *           ...
 *           return same;
 *   }
 *
 * What shrinks is the sequence of choices that the draws made: nobody writes a shrinker. The order is
 * shortlex: first fewer choices, then simpler ones from the front. Simplest first: integers 0, 1, -1, 2,
 * -2 ... (in a range without 0: from the end nearest to it); reals: whole numbers in that order, then
 * fractions with few binary digits; the first alternative, character or element of those listed; the
 * shortest list or text; false before true.
 *
 * Functions that can fail return 0 or -PT_E...; their outputs are untouched on failure.
 * Threads: a case belongs to the thread that runs the property; pt_check() may run in several threads
 * at a time, but a worker lives no longer than the thread that started it.
 */
#ifndef NOISEFLOOR_PROP_H
#define NOISEFLOOR_PROP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PT_API __attribute__((visibility("default")))
#define PT_NODISCARD __attribute__((warn_unused_result))
#define PT_PRINTF(f, a) __attribute__((format(printf, f, a)))

enum pt_error {
	PT_EARG = 1, /* the caller's mistake: an impossible range, a damaged blob */
	PT_EDATA = 2, /* a file that is not what it should be */
	PT_EOS = 3, /* a system call failed; errno says why */
	PT_ENOMEM = 4,
};
PT_API const char *pt_strerror(int error); /* of PT_E... or -PT_E... */

struct pt_case; /* one run of a property */
struct pt_mem; /* memory that is released as a whole */
struct pt_gen; /* how to draw a value */

/* ---- memory ---- */
/* Memory of the case: gone when the case ends. Never NULL; running out of it fails the case. */
PT_API struct pt_mem *pt_case_mem(struct pt_case *t);
PT_API void *pt_alloc(struct pt_case *t, size_t size); /* zeroed; never NULL */
/* For generators that outlive a case. NULL: no memory. Generators made of what is NULL are NULL, and
 * drawing from NULL fails the case. */
PT_API struct pt_mem *pt_mem_new(void);
PT_API void pt_mem_free(struct pt_mem *m);
PT_API void *pt_mem_alloc(struct pt_mem *m,
                          size_t size); /* zeroed, aligned to 16; NULL: no memory */
/* Called when the case ends, however it ends short of a crash; last registered first. */
PT_API void pt_cleanup(struct pt_case *t, void (*fn)(void *), void *arg);

/* ---- values ---- */
enum pt_kind { PT_NOTHING, PT_BOOL, PT_INT, PT_REAL, PT_TEXT, PT_LIST, PT_TUPLE, PT_POINTER };
struct pt_value {
	enum pt_kind kind;
	size_t n; /* bytes of a text (without its NUL), members of a list or tuple */
	union {
		bool b;
		int64_t i;
		double r;
		const char
		        *text; /* ends in NUL; may hold NUL bytes when its generator makes them */
		struct pt_value *at; /* members */
		void *pointer;
	};
};
PT_API struct pt_value pt_value_bool(bool b);
PT_API struct pt_value pt_value_int(int64_t i);
PT_API struct pt_value pt_value_real(double r);
PT_API struct pt_value pt_value_text(const char *text); /* borrowed */
PT_API struct pt_value pt_value_pointer(void *p); /* equal when the pointers are */
/* n members from at (borrowed), as a list or tuple */
PT_API struct pt_value pt_value_list(enum pt_kind kind, struct pt_value *at, size_t n);
/* Same kind and content; NaN equals NaN, 0.0 equals -0.0. */
PT_API bool pt_equal(struct pt_value a, struct pt_value b);
/* As pt_equal, but reals may differ by max(absolute, relative * the larger magnitude). */
PT_API bool pt_near(struct pt_value a, struct pt_value b, double absolute, double relative);
/* Total order: kinds, then values (NaN last, 0.0 and -0.0 equal), texts by byte, lists by member. */
PT_API int pt_compare(struct pt_value a, struct pt_value b);
/* As snprintf: writes at most size bytes with NUL, returns the length of the whole. */
PT_API size_t pt_format(char *buf, size_t size, struct pt_value v);

/* ---- direct draws, in a property ---- */
PT_API int64_t pt_draw_int(struct pt_case *t, int64_t lo, int64_t hi); /* lo <= hi */
PT_API size_t pt_draw_size(struct pt_case *t, size_t lo, size_t hi); /* hi <= INT64_MAX */
PT_API bool pt_draw_bool(struct pt_case *t, double p_true); /* p is for drawing: both shrink */
PT_API double pt_draw_real(struct pt_case *t, double lo, double hi); /* finite, lo <= hi */
PT_API size_t pt_draw_pick(struct pt_case *t, size_t n); /* 0..n-1, all alike; n > 0 */
/* name: as the report calls it (NULL: by its number). */
PT_API struct pt_value pt_draw(struct pt_case *t, const char *name, const struct pt_gen *g);
/* A list drawn by hand: struct pt_loop l = { .min = 0, .max = 10 }; while (pt_more(t, &l)) ... draw one
 * element ... To leave the loop early, call pt_loop_end(). */
struct pt_loop {
	size_t min, max;
	size_t n; /* elements so far */
	size_t aim;
	bool started, open;
};
PT_API bool pt_more(struct pt_case *t, struct pt_loop *l);
PT_API void pt_loop_end(struct pt_case *t, struct pt_loop *l);
/* Draws that belong together: what the shrinker deletes, reorders and replaces as a whole. A span may be
 * replaced by one inside it of the same label (a tree by its branch); label: anything but 0. */
PT_API void pt_span_begin(struct pt_case *t, uint32_t label);
PT_API void pt_span_end(struct pt_case *t);
PT_API unsigned pt_size(const struct pt_case *t); /* 0..100, goes round from case to case */

/* ---- generators: cheap, made in a pt_mem ---- */
PT_API const struct pt_gen *pt_int(struct pt_mem *m, int64_t lo, int64_t hi);
PT_API const struct pt_gen *pt_any_int(struct pt_mem *m); /* all of int64_t, small ones often */
PT_API const struct pt_gen *pt_nat(struct pt_mem *m, int64_t hi); /* 0..hi */
PT_API const struct pt_gen *pt_positive(struct pt_mem *m, int64_t hi); /* 1..hi */
PT_API const struct pt_gen *pt_bool(struct pt_mem *m, double p_true);
PT_API const struct pt_gen *pt_real(struct pt_mem *m, double lo,
                                    double hi); /* uniform, ends often */
PT_API const struct pt_gen *pt_normal(struct pt_mem *m, double mean, double sd);
PT_API const struct pt_gen *pt_exponential(struct pt_mem *m, double mean);
/* Any double: whole, fractional, huge, tiny, subnormal, -0.0; with specials also infinite and NaN. */
PT_API const struct pt_gen *pt_any_real(struct pt_mem *m, bool specials);
/* min..max characters, each one of those in charset (UTF-8, the simplest first; NULL: printable ASCII,
 * letters first). */
PT_API const struct pt_gen *pt_text(struct pt_mem *m, size_t min, size_t max, const char *charset);
PT_API const struct pt_gen *pt_alpha(struct pt_mem *m, size_t min, size_t max);
PT_API const struct pt_gen *pt_alnum(struct pt_mem *m, size_t min, size_t max);
PT_API const struct pt_gen *pt_digits(struct pt_mem *m, size_t min, size_t max);
/* min..max code points of lo..hi in UTF-8 (surrogates left out), the lowest is the simplest;
 * hi <= 0x10FFFF. With lo 0 a text may hold NUL bytes. */
PT_API const struct pt_gen *pt_unicode(struct pt_mem *m, size_t min, size_t max, uint32_t lo,
                                       uint32_t hi);
PT_API const struct pt_gen *pt_bytes(struct pt_mem *m, size_t min, size_t max); /* any bytes */
PT_API const struct pt_gen *pt_constant(struct pt_mem *m, struct pt_value v);
PT_API const struct pt_gen *pt_elements(struct pt_mem *m, const struct pt_value *at, size_t n);
/* n member generators, copied. */
PT_API const struct pt_gen *pt_tuple(struct pt_mem *m, const struct pt_gen *const *g, size_t n);
PT_API const struct pt_gen *pt_list(struct pt_mem *m, const struct pt_gen *g, size_t min,
                                    size_t max);
/* Elements differ from each other (pt_equal); gives the case up when min is not reached. */
PT_API const struct pt_gen *pt_unique_list(struct pt_mem *m, const struct pt_gen *g, size_t min,
                                           size_t max);
PT_API const struct pt_gen *pt_permutation(struct pt_mem *m, size_t n); /* list of 0..n-1 */
PT_API const struct pt_gen *pt_one_of(struct pt_mem *m, const struct pt_gen *const *g, size_t n);
struct pt_weighted {
	unsigned weight;
	const struct pt_gen *gen;
};
PT_API const struct pt_gen *pt_frequency(struct pt_mem *m, const struct pt_weighted *w, size_t n);
/* The same with the members listed: PT_TUPLE_OF(m, pt_int(m, 0, 9), pt_alpha(m, 0, 5)). */
#define PT_COUNT_OF(type, ...) (sizeof((type[]){ __VA_ARGS__ }) / sizeof(type))
#define PT_TUPLE_OF(m, ...) \
	pt_tuple(m, (const struct pt_gen *const[]){ __VA_ARGS__ }, \
	         PT_COUNT_OF(const struct pt_gen *, __VA_ARGS__))
#define PT_ONE_OF(m, ...) \
	pt_one_of(m, (const struct pt_gen *const[]){ __VA_ARGS__ }, \
	          PT_COUNT_OF(const struct pt_gen *, __VA_ARGS__))
#define PT_FREQUENCY(m, ...) \
	pt_frequency(m, (const struct pt_weighted[]){ __VA_ARGS__ }, \
	             PT_COUNT_OF(struct pt_weighted, __VA_ARGS__))
#define PT_ELEMENTS(m, ...) \
	pt_elements(m, (const struct pt_value[]){ __VA_ARGS__ }, \
	            PT_COUNT_OF(struct pt_value, __VA_ARGS__))

typedef struct pt_value (*pt_map_fn)(struct pt_mem *m, struct pt_value v, void *arg);
typedef bool (*pt_filter_fn)(struct pt_value v, void *arg);
typedef const struct pt_gen *(*pt_flat_fn)(struct pt_mem *m, struct pt_value v, void *arg);
typedef const struct pt_gen *(*pt_sized_fn)(struct pt_mem *m, unsigned size, void *arg);
typedef const struct pt_gen *(*pt_branch_fn)(struct pt_mem *m, const struct pt_gen *self,
                                             void *arg);
PT_API const struct pt_gen *pt_map(struct pt_mem *m, const struct pt_gen *g, pt_map_fn fn,
                                   void *arg);
/* Draws again up to 100 times, then gives the case up. */
PT_API const struct pt_gen *pt_filter(struct pt_mem *m, const struct pt_gen *g, pt_filter_fn fn,
                                      void *arg);
/* The generator of the second value depends on the first. fn's m is the case's memory. */
PT_API const struct pt_gen *pt_flat_map(struct pt_mem *m, const struct pt_gen *g, pt_flat_fn fn,
                                        void *arg);
PT_API const struct pt_gen *pt_sized(struct pt_mem *m, pt_sized_fn fn, void *arg);
/* Either leaf, or what fn makes of the generator itself, at most max_depth (1..64) deep. */
PT_API const struct pt_gen *pt_recursive(struct pt_mem *m, const struct pt_gen *leaf,
                                         pt_branch_fn fn, void *arg, unsigned max_depth);
/* A generator in C: draws as a property does. */
PT_API const struct pt_gen *
pt_custom(struct pt_mem *m, struct pt_value (*fn)(struct pt_case *t, void *arg), void *arg);

/* ---- what a property says ---- */
/* Ends the case as failed. The place (file:line) is what makes two failures the same to the shrinker. */
PT_API void pt_fail(struct pt_case *t, const char *file, int line, const char *format, ...)
        PT_PRINTF(4, 5) __attribute__((noreturn));
#define PT_FAIL(t, ...) pt_fail(t, __FILE__, __LINE__, __VA_ARGS__)
#define PT_ASSERT(t, cond) \
	do { \
		if (!(cond)) \
			pt_fail(t, __FILE__, __LINE__, "%s", #cond); \
	} while (0)
#define PT_ASSERT_INT_EQ(t, a, b) \
	do { \
		long long pt_a_ = (long long)(a), pt_b_ = (long long)(b); \
		if (pt_a_ != pt_b_) \
			pt_fail(t, __FILE__, __LINE__, "%s = %lld, but %s = %lld", #a, pt_a_, #b, \
			        pt_b_); \
	} while (0)
/* Ends the case as discarded unless cond. */
PT_API void pt_assume(struct pt_case *t, bool cond);
PT_API void pt_label(struct pt_case *t,
                     const char *label); /* the share of each label is reported */
PT_API void pt_classify(struct pt_case *t, bool cond, const char *label);
/* As classify; the property does not pass when fewer than min_percent of the cases have it. */
PT_API void pt_cover(struct pt_case *t, bool cond, double min_percent, const char *label);
/* Later cases climb towards higher scores. NaN is ignored; one score a case. */
PT_API void pt_target(struct pt_case *t, double score);
/* A line in the report of the failing case. */
PT_API void pt_note(struct pt_case *t, const char *format, ...) PT_PRINTF(2, 3);

/* ---- properties and results ---- */
/* false: the case fails. Also PT_ASSERT and its like. */
typedef bool (*pt_property_fn)(struct pt_case *t, void *arg);

struct pt_property {
	const char *name;
	pt_property_fn fn;
	void *arg;
	unsigned cases; /* 0: as configured */
};

enum pt_isolation {
	PT_WORKER, /* one worker, forked again only after it died */
	PT_FORK, /* a worker per case: for properties that leave traces in their process */
	PT_INLINE, /* in this process: a crash ends it, a hang hangs it */
};

/* Zero means the default in brackets. */
struct pt_config {
	uint64_t seed; /* any value; 0 is a seed like the others */
	unsigned cases; /* [100] */
	unsigned discard_ratio; /* discarded cases per passed one before giving up [10] */
	unsigned case_limit_ms; /* longest case [5000]; a longer one fails as a hang */
	unsigned total_limit_ms; /* generating stops there, with the cases so far [none] */
	unsigned shrink_limit_ms; /* [60000] */
	unsigned
	        shrink_calls; /* runs of the property while shrinking [5000]; UINT_MAX: no shrinking */
	uint64_t
	        memory_limit_bytes; /* what a worker may map beyond what it has at its start [1 GiB] */
	enum pt_isolation isolation;
	const char *replay; /* a blob: runs that case once and nothing else; NULL: none */
	const char *save_dir; /* where failures are kept; NULL: nowhere. Made if absent. */
	bool output; /* leave the workers' stdout and stderr as they are [to /dev/null, and the
	                reported case's into the report] */
};

enum pt_outcome {
	PT_PASSED,
	PT_FAILED,
	PT_GAVE_UP, /* too many cases were discarded */
	PT_VACUOUS, /* no case got as far as its end */
	PT_UNCOVERED, /* a pt_cover() below its share */
	PT_BROKEN, /* the property could not be run: message says why */
	PT_OUTCOMES,
};
PT_API const char *pt_outcome_name(enum pt_outcome outcome);

enum pt_failure { PT_NO_FAILURE, PT_FALSE, PT_CRASH, PT_HANG, PT_EXIT };
PT_API const char *pt_failure_name(enum pt_failure failure);

struct pt_share {
	char label[64];
	uint64_t n; /* cases with it */
	double min_percent; /* negative: none asked */
};
enum { PT_MAX_LABELS = 64 };

struct pt_result {
	enum pt_outcome outcome;
	uint64_t seed;
	uint64_t cases; /* that reached their end, the failing one included */
	uint64_t discarded;
	struct pt_share *share; /* owned, n_share of them */
	size_t n_share;
	uint64_t lost_labels; /* labels beyond PT_MAX_LABELS */
	bool has_score;
	double best_score;
	/* of a failure */
	enum pt_failure failure;
	int code; /* the signal of a crash, the status of an exit */
	bool from_saved; /* a saved failure that still fails */
	bool flaky; /* the shrunk case passed when it was run again */
	bool shrink_ended; /* false: a limit ended it */
	unsigned shrink_calls; /* runs of the property while shrinking */
	unsigned shrinks; /* steps that made it simpler */
	size_t n_choices; /* of the reported case */
	char *message; /* owned; what failed; never NULL */
	char *notes; /* owned; the drawn values and notes, a line each; never NULL */
	char *output; /* owned; end of what the reported case wrote; never NULL */
	char *blob; /* owned; replays it; NULL: no failure */
	unsigned saved_dropped; /* saved failures that passed now */
};

/* Runs a property. -PT_EARG: an argument or a damaged blob; -PT_EOS, -PT_ENOMEM. What is wrong with the
 * property is a result, not an error. config may be NULL. */
PT_API PT_NODISCARD int pt_check(const struct pt_property *p, const struct pt_config *config,
                                 struct pt_result *ret);
PT_API void pt_result_fini(struct pt_result *r);
/* for_all: the rule of one generator's values. */
typedef bool (*pt_rule_fn)(struct pt_value v, void *arg);
PT_API PT_NODISCARD int pt_for_all(const char *name, const struct pt_gen *g, pt_rule_fn rule,
                                   void *arg, const struct pt_config *config,
                                   struct pt_result *ret);

/* ---- patterns: laws of functions over drawn values; false where one does not hold ---- */
typedef struct pt_value (*pt_op1)(struct pt_mem *m, struct pt_value a, void *arg);
typedef struct pt_value (*pt_op2)(struct pt_mem *m, struct pt_value a, struct pt_value b,
                                  void *arg);
typedef bool (*pt_relation)(struct pt_value a, struct pt_value b, void *arg);
PT_API bool pt_commutative(struct pt_case *t, const struct pt_gen *g, pt_op2 op, void *arg);
PT_API bool pt_associative(struct pt_case *t, const struct pt_gen *g, pt_op2 op, void *arg);
/* op(a, e) = a = op(e, a) */
PT_API bool pt_identity(struct pt_case *t, const struct pt_gen *g, pt_op2 op, struct pt_value e,
                        void *arg);
/* op(a, inverse(a)) = e = op(inverse(a), a) */
PT_API bool pt_inverse(struct pt_case *t, const struct pt_gen *g, pt_op2 op, pt_op1 inverse,
                       struct pt_value e, void *arg);
/* times(a, plus(b, c)) = plus(times(a, b), times(a, c)), and from the right */
PT_API bool pt_distributive(struct pt_case *t, const struct pt_gen *g, pt_op2 times, pt_op2 plus,
                            void *arg);
/* meet(a, join(a, b)) = a = join(a, meet(a, b)) */
PT_API bool pt_absorptive(struct pt_case *t, const struct pt_gen *g, pt_op2 meet, pt_op2 join,
                          void *arg);
PT_API bool pt_idempotent(struct pt_case *t, const struct pt_gen *g, pt_op1 f, void *arg);
PT_API bool pt_involution(struct pt_case *t, const struct pt_gen *g, pt_op1 f, void *arg);
/* f(from(a, b)) = to(f(a), f(b)) */
PT_API bool pt_homomorphism(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_op2 from,
                            pt_op2 to, void *arg);
/* le(a, b) implies le(f(a), f(b)) */
PT_API bool pt_monotonic(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_relation le,
                         void *arg);
/* back(to(a)) = a */
PT_API bool pt_round_trip(struct pt_case *t, const struct pt_gen *g, pt_op1 to, pt_op1 back,
                          void *arg);
PT_API bool pt_reflexive(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg);
PT_API bool pt_symmetric(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg);
/* r(a, b) and r(b, a) imply a = b */
PT_API bool pt_antisymmetric(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg);
PT_API bool pt_transitive(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg);
PT_API bool pt_total(struct pt_case *t, const struct pt_gen *g, pt_relation r, void *arg);
/* f keeps the n of texts, lists and tuples */
PT_API bool pt_length_preserving(struct pt_case *t, const struct pt_gen *g, pt_op1 f, void *arg);
PT_API bool pt_equivalent(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_op1 model,
                          void *arg);
PT_API bool pt_near_equivalent(struct pt_case *t, const struct pt_gen *g, pt_op1 f, pt_op1 model,
                               double absolute, double relative, void *arg);
/* Discards the case unless premise: a premise that never holds makes the property vacuous. */
PT_API bool pt_implies(struct pt_case *t, bool premise, bool conclusion);

/* ---- stateful: commands against a model ---- */
struct pt_command {
	const char *name;
	unsigned weight; /* 0 is 1 */
	/* Whether the model allows it now; NULL: always. */
	bool (*allowed)(const void *state, void *arg);
	/* Draws its arguments, does it to system and model, compares. false: the case fails. */
	bool (*run)(struct pt_case *t, void *state, void *arg);
};
struct pt_machine {
	/* The start state: system and model. Never NULL. */
	void *(*start)(struct pt_case *t, void *arg);
	void (*stop)(void *state); /* NULL: nothing to release. Also called when a command fails. */
	bool (*invariant)(struct pt_case *t, void *state, void *arg); /* after each; NULL: none */
	const struct pt_command *command;
	size_t n_commands;
	size_t max_steps; /* 0 is 50 */
};
PT_API bool pt_run_machine(struct pt_case *t, const struct pt_machine *machine, void *arg);

/* ---- reporters and the stand-alone main ---- */
struct pt_reporter; /* a format: pt_reporter_find() */
PT_API const struct pt_reporter *pt_reporter_find(const char *name); /* NULL: no such */
PT_API const char *
pt_reporter_name(size_t i); /* console tap junit json quiet; NULL past the last */
struct pt_report {
	const char *suite;
	const char *const *name;
	const struct pt_result *result;
	size_t n;
	uint64_t seed;
};
/* The whole report: byte for byte the same for the same results. -PT_EOS: out has an error. */
PT_API PT_NODISCARD int pt_report_write(const struct pt_reporter *r, const struct pt_report *report,
                                        FILE *out);

struct pt_suite {
	const char *name;
	const struct pt_property *property;
	size_t n;
	struct pt_config config; /* what the command line does not say */
	/* Called with the results before main returns; NULL: nothing. Not 0: exit status 4. */
	int (*done)(const struct pt_report *report, void *arg);
	void *arg;
};
/* Options: --help. Environment: PT_SEED, PT_CASES, PT_SAVE as defaults of --seed, --cases, --save.
 * Returns the exit status: 0 all pass, 1 some do not, 2 usage, 4 system failure. */
PT_API int pt_main(const struct pt_suite *suite, int argc, char **argv);

/* ---- blobs ---- */
enum { PT_MAX_CHOICES = 8192 };
/* Whether text is a whole, undamaged blob; *ret_n (may be NULL): its choices. -PT_EARG. */
PT_API PT_NODISCARD int pt_blob_check(const char *text, size_t *ret_n);

#ifdef __cplusplus
}
#endif

#endif
