/* SPDX-License-Identifier: MIT */
#include "report/results_of_record.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

struct source {
	const json_t *variants;
	const json_t *sets;
	const json_t *comparisons; /* NULL: the record has none */
	struct nf_results *to;
};

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static double number_at(const json_t *array, size_t i, double unknown)
{
	const json_t *v = json_array_get(array, i);

	return json_is_number(v) ? json_number_value(v) : unknown;
}

/* As a shell would tell it; what ended by a signal is told as 128 and its number. */
static int exit_code_of(double wait_status)
{
	int status = wait_status >= 0 && wait_status <= 0xffff ? (int)wait_status : -1;

	if (status < 0)
		return -1;
	return status & 0x7f ? 128 + (status & 0x7f) : status >> 8;
}

static int add_set(const struct source *s, const json_t *set, uint32_t index, struct nf_result *to,
                   struct nf_err *err)
{
	const json_t *values = json_object_get(set, "values");
	json_int_t operations = json_integer_value(json_object_get(set, "operations"));
	int r = 0;

	for (size_t i = 0; r == 0 && i < json_array_size(values); i++) {
		r = nf_results_add(s->to, to, number_at(values, i, 0), err);
		if (r < 0)
			break;
		struct nf_result_value *v = &to->item[to->n - 1];
		v->user_ns = number_at(json_object_get(set, "user_ns"), i, -1);
		v->system_ns = number_at(json_object_get(set, "system_ns"), i, -1);
		v->peak_bytes = number_at(json_object_get(set, "peak_bytes"), i, -1);
		v->exit_code = exit_code_of(number_at(json_object_get(set, "wait_status"), i, -1));
		v->operations = operations > 0 ? (uint64_t)operations : 1;
		v->set = index;
	}
	return r;
}

static bool is_there(const struct nf_results *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->result[i].bench, name) == 0)
			return true;
	return false;
}

/* Two variants of one name are two results. */
static const char *unique(const struct source *s, const char *name, struct nf_err *err)
{
	const char *own = name;
	/* Labels may hold what a name may not. */
	char *copy = nf_arena_strdup(&s->to->arena, name);

	for (char *p = copy; p && *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = ' ';
	own = copy;
	for (int i = 2; own && is_there(s->to, own); i++)
		own = nf_arena_printf(&s->to->arena, "%s #%d", copy, i);
	if (!own)
		(void)!nf_arena_failed(&s->to->arena, "results", err);
	return own;
}

static int add_variant(const struct source *s, size_t index, const char *name, struct nf_err *err)
{
	const json_t *v = json_array_get(s->variants, index);
	const char *unit = text_of(v, "unit"), *failure = text_of(v, "failure");
	json_int_t threads = json_integer_value(json_object_get(v, "threads"));
	struct nf_result *to;
	uint32_t n = 0;

	name = unique(s, name, err);
	if (!name)
		return -NF_ENOMEM;
	int r = nf_results_get(s->to, name, unit ? unit : "ns", &to, err);
	if (r < 0)
		return r;
	if (unit)
		to->better = json_is_true(json_object_get(v, "higher_is_better"))
		                     ? NF_BETTER_LARGER
		                     : NF_BETTER_SMALLER;
	to->threads = threads > 0 && threads <= 1 << 20 ? (unsigned)threads : 0;
	for (size_t i = 0; r == 0 && i < json_array_size(s->sets); i++) {
		const json_t *set = json_array_get(s->sets, i);

		if (json_integer_value(json_object_get(set, "variant")) != (json_int_t)index ||
		    text_of(set, "failure"))
			continue;
		r = add_set(s, set, n++, to, err);
	}
	if (r == 0 && to->n == 0) {
		to->failure =
		        nf_arena_strdup(&s->to->arena, failure ? failure : "it was not reached");
		r = nf_arena_failed(&s->to->arena, "results", err);
	}
	return r;
}

/* "LABEL BENCH", where the label does not say the benchmark already. */
static const char *name_of(const struct source *s, size_t index, const char *side)
{
	const json_t *v = json_array_get(s->variants, index);
	const char *label = text_of(v, "label"), *bench = text_of(v, "bench");

	if (bench && (!label || strstr(label, bench)))
		bench = NULL;
	return nf_arena_printf(&s->to->arena, "%s%s%s%s", label ? label : "", bench ? " " : "",
	                       bench ? bench : "", side);
}

static int add_comparison(const struct source *s, const json_t *c, enum nf_results_side side,
                          struct nf_err *err)
{
	const char *name = text_of(c, "name");
	size_t old = (size_t)json_integer_value(json_object_get(c, "old_variant"));
	size_t new_ = (size_t)json_integer_value(json_object_get(c, "new_variant"));

	if (side == NF_SIDE_OLD)
		return add_variant(s, old, name, err);
	if (side == NF_SIDE_NEW)
		return add_variant(s, new_, name, err);
	const char *of_old = name_of(s, old, ""), *of_new = name_of(s, new_, "");
	if (of_old && of_new && strcmp(of_old, of_new) == 0) {
		of_old = name_of(s, old, " (old)");
		of_new = name_of(s, new_, " (new)");
	}
	int r = nf_arena_failed(&s->to->arena, "results", err);
	if (r == 0)
		r = add_variant(s, old, of_old, err);
	return r < 0 ? r : add_variant(s, new_, of_new, err);
}

static int add_all(const struct source *s, enum nf_results_side side, struct nf_err *err)
{
	int r = 0;

	if (!s->comparisons && side != NF_SIDE_BOTH)
		return nf_fail(err, NF_EARG, "the record has no old and new side");
	for (size_t i = 0; r == 0 && i < json_array_size(s->comparisons); i++) {
		const json_t *c = json_array_get(s->comparisons, i);

		if (!json_is_true(json_object_get(c, "is_null")))
			r = add_comparison(s, c, side, err);
	}
	for (size_t i = 0; !s->comparisons && r == 0 && i < json_array_size(s->variants); i++) {
		const char *name = name_of(s, i, "");

		if (name && text_of(json_array_get(s->variants, i), "unsupported"))
			continue;
		r = name ? add_variant(s, i, name, err)
		         : nf_arena_failed(&s->to->arena, "results", err);
	}
	return r;
}

int nf_results_of_record(const json_t *record, enum nf_results_side side, struct nf_results *ret,
                         struct nf_err *err)
{
	struct nf_results results;
	const struct source s = { .variants = json_object_get(record, "variants"),
		                  .sets = json_object_get(record, "sets"),
		                  .comparisons = json_object_get(record, "comparisons"),
		                  .to = &results };
	const char *schema = text_of(record, "schema");

	if (!schema || strncmp(schema, "Bench", 5) != 0 || !json_is_array(s.variants) ||
	    !json_is_array(s.sets))
		return nf_fail(err, NF_EARG,
		               "a record of type %.*s holds no results of benchmarks; allowed: "
		               "a record of bench run, compare, regress or sweep",
		               NF_UTF8_CUT(schema ? schema : "unknown", 60));
	nf_results_init(&results);
	int r = add_all(&s, side, err);
	if (r < 0)
		nf_results_fini(&results);
	else
		*ret = results;
	return r;
}
