/* SPDX-License-Identifier: MIT */
/* interchange_lines - forms that are lines: JSON objects, and Go's benchmarks. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "bench/interchange_forms.h"
#include "bench/json_in.h"

struct line {
	const char *text; /* without its end */
	size_t n;
	size_t number; /* from 1 */
	const char *name; /* of the text */
};
typedef int read_line(const struct line *l, struct nf_results *ret, struct nf_err *err);

static int each_line(const char *text, size_t len_bytes, const char *name, read_line *read,
                     struct nf_results *ret, struct nf_err *err)
{
	struct line l = { .name = name };
	int r = 0;

	while (r == 0 && len_bytes > 0) {
		const char *end = memchr(text, '\n', len_bytes);
		size_t n = end ? (size_t)(end - text) : len_bytes;

		l.text = text;
		l.n = n > 0 && text[n - 1] == '\r' ? n - 1 : n;
		l.number++;
		r = read(&l, ret, err);
		n += end != NULL;
		text += n;
		len_bytes -= n;
	}
	return r;
}

static int add(const struct line *l, const char *bench, const char *unit, double value,
               struct nf_results *ret, struct nf_result **ret_to, struct nf_err *err)
{
	struct nf_err why = { 0 };
	double factor;
	const char *own = nf_result_unit(unit, &factor);
	int r = nf_results_get(ret, bench, own, ret_to, &why);

	if (r == 0)
		r = nf_results_add(ret, *ret_to, value * factor, &why);
	if (r == -NF_EDATA)
		return nf_fail(err, NF_EDATA, "%s:%zu: %s", l->name, l->number, why.msg);
	return r < 0 ? nf_fail_nomem(err, "results", l->n) : 0;
}

static int say(const struct line *l, struct nf_result *to, enum nf_better better,
               struct nf_err *err)
{
	struct nf_err why = { 0 };

	return nf_results_say(to, better, &why) == 0
	               ? 0
	               : nf_fail(err, NF_EDATA, "%s:%zu: %s", l->name, l->number, why.msg);
}

/* --- JSON objects --- */

static int read_object(const struct line *l, struct nf_results *ret, struct nf_err *err)
{
	static const char allowed[] = "allowed: {\"bench\":NAME,\"value\":NUMBER,\"unit\":UNIT}";
	enum nf_better better = NF_BETTER_UNSAID;
	size_t blank = 0;
	json_t *root;

	while (blank < l->n && (l->text[blank] == ' ' || l->text[blank] == '\t'))
		blank++;
	if (blank == l->n)
		return 0;
	int r = nf_json_in(l->text, l->n, l->name, l->number, &root, err);
	if (r < 0)
		return r;
	const char *bench = json_string_value(json_object_get(root, "bench"));
	const char *unit = json_string_value(json_object_get(root, "unit"));
	const json_t *value = json_object_get(root, "value");
	const json_t *said = json_object_get(root, "better");
	struct nf_result *to;
	for (int i = NF_BETTER_SMALLER; i < NF_N_BETTER && json_is_string(said); i++)
		if (strcmp(json_string_value(said), nf_better_names[i]) == 0)
			better = (enum nf_better)i;
	if (!bench || !unit || !json_is_number(value))
		r = nf_fail(err, NF_EDATA, "%s:%zu: '%s' is missing or of the wrong kind; %s",
		            l->name, l->number,
		            !bench  ? "bench"
		            : !unit ? "unit"
		                    : "value",
		            allowed);
	else if (said && better == NF_BETTER_UNSAID)
		r = nf_fail(err, NF_EDATA, "%s:%zu: bad 'better'; allowed: smaller, larger",
		            l->name, l->number);
	else
		r = add(l, bench, unit, json_number_value(value), ret, &to, err);
	if (r == 0 && said)
		r = say(l, to, better, err);
	json_decref(root);
	return r;
}

static int read_objects(const char *text, size_t len_bytes, const char *name,
                        struct nf_results *ret, struct nf_err *err)
{
	return each_line(text, len_bytes, name, read_object, ret, err);
}

const struct nf_interchange nf_interchange_lines = { "lines", read_objects };

/* --- Go --- */

enum { LINE_BYTES = 1 << 16 };

static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t");

	if (!*word)
		return NULL;
	*at = word + strcspn(word, " \t");
	if (**at)
		*(*at)++ = '\0';
	return word;
}

/* Whether the word can be a benchmark's name: what follows "Benchmark" does not begin with a lower-case
 * letter. */
static bool is_bench(const char *word)
{
	static const char prefix[] = "Benchmark";
	size_t n = sizeof(prefix) - 1;

	return strncmp(word, prefix, n) == 0 && !(word[n] >= 'a' && word[n] <= 'z');
}

static bool parse_number(const char *word, double *ret)
{
	char *end;

	/* strtod() takes more than the format has: inf, nan, hexadecimal. */
	if (word[strspn(word, "0123456789.eE+-")] || !*word)
		return false;
	errno = 0;
	*ret = strtod(word, &end);
	return *end == '\0' && isfinite(*ret);
}

/* The rest of the line after the name. A line that does not go on as a result is none, as the name alone is
 * printed first. */
static int read_pairs(const struct line *l, const char *bench, char *at, struct nf_results *ret,
                      struct nf_err *err)
{
	char *word = next_word(&at), *unit;
	struct nf_result *to;
	char *end;
	int r = 0;

	if (!word || word[strspn(word, "0123456789")])
		return 0;
	errno = 0;
	unsigned long long operations = strtoull(word, &end, 10);
	if (errno || operations == 0)
		return nf_fail(err, NF_EDATA, "%s:%zu: bad number of iterations '%.*s'", l->name,
		               l->number, NF_UTF8_CUT(word, 40));
	while (r == 0 && (word = next_word(&at)) != NULL) {
		double value;

		if (!parse_number(word, &value))
			return nf_fail(err, NF_EDATA, "%s:%zu: bad value '%.*s'", l->name,
			               l->number, NF_UTF8_CUT(word, 40));
		unit = next_word(&at);
		if (!unit)
			return nf_fail(err, NF_EDATA, "%s:%zu: the value '%.*s' has no unit",
			               l->name, l->number, NF_UTF8_CUT(word, 40));
		r = add(l, bench, unit, value, ret, &to, err);
		if (r == 0)
			to->item[to->n - 1].operations = operations;
	}
	return r;
}

static int read_result(const struct line *l, struct nf_results *ret, struct nf_err *err)
{
	static const char prefix[] = "Benchmark";
	char *copy, *at, *bench;
	int r = 0;

	if (l->n < sizeof(prefix) - 1 || memcmp(l->text, prefix, sizeof(prefix) - 1) != 0)
		return 0;
	if (l->n > LINE_BYTES)
		return nf_fail(err, NF_EDATA, "%s:%zu: a line of %zu bytes; allowed: at most %d",
		               l->name, l->number, l->n, (int)LINE_BYTES);
	copy = strndup(l->text, l->n);
	if (!copy)
		return nf_fail_nomem(err, "a line", l->n);
	at = copy;
	bench = next_word(&at);
	if (bench && is_bench(bench))
		r = read_pairs(l, bench, at, ret, err);
	free(copy);
	return r;
}

/* "Unit UNIT better=higher": what pkg.go.dev/golang.org/x/perf/benchfmt calls unit metadata, of every result in
 * that unit. Other keys and values are left out. */
static int read_unit(const struct line *l, struct nf_results *ret, struct nf_err *err)
{
	enum nf_better better = NF_BETTER_UNSAID;
	char text[LINE_BYTES / 64], *at = text, *word, *unit;
	double factor;
	int r = 0;

	if (l->n < 5 || l->n >= sizeof(text) || memcmp(l->text, "Unit ", 5) != 0)
		return 0;
	memcpy(text, l->text, l->n);
	text[l->n] = '\0';
	(void)next_word(&at);
	unit = next_word(&at);
	while (unit && (word = next_word(&at)) != NULL) {
		if (strcmp(word, "better=higher") == 0)
			better = NF_BETTER_LARGER;
		else if (strcmp(word, "better=lower") == 0)
			better = NF_BETTER_SMALLER;
	}
	if (better == NF_BETTER_UNSAID)
		return 0;
	const char *own = nf_result_unit(unit, &factor);
	for (size_t i = 0; r == 0 && i < ret->n; i++)
		if (strcmp(ret->result[i].unit, own) == 0)
			r = say(l, &ret->result[i], better, err);
	return r;
}

static int read_go(const char *text, size_t len_bytes, const char *name, struct nf_results *ret,
                   struct nf_err *err)
{
	int r = each_line(text, len_bytes, name, read_result, ret, err);

	return r < 0 ? r : each_line(text, len_bytes, name, read_unit, ret, err);
}

const struct nf_interchange nf_interchange_go = { "go", read_go };
