/* SPDX-License-Identifier: MIT */
#include "report/junit.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum outcome { PASSED, FAILED, SKIPPED };

struct one {
	const char *class_name;
	char name[160];
	enum outcome outcome;
	const char *kind; /* the record's own word: fail, blocked, mismatched */
	const json_t *message; /* a text; else none */
	double time_s; /* below 0: unknown */
};

/* Goes through a record twice: first to count, then to write. */
struct suite {
	struct nf_buf *out; /* NULL: only count */
	size_t n[3]; /* by outcome */
};

void nf_junit_text(struct nf_buf *out, const char *s, size_t len_bytes)
{
	size_t left = len_bytes;

	while (left > 0) {
		uint32_t c;
		int bad = 0;
		size_t n = nf_utf8_next(s, left, &c, &bad);
		bool none = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) ||
		            (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);

		if (bad || none)
			(void)nf_utf8_put(out, 0xfffd);
		else if (c == '<')
			(void)nf_buf_adds(out, "&lt;");
		else if (c == '>')
			(void)nf_buf_adds(out, "&gt;");
		else if (c == '&')
			(void)nf_buf_adds(out, "&amp;");
		else if (c == '"')
			(void)nf_buf_adds(out, "&quot;");
		else if (c == '\n' || c == '\t')
			(void)nf_buf_addf(out, "&#%u;", (unsigned)c);
		else
			(void)nf_buf_add(out, s, n);
		s += n;
		left -= n;
	}
}

static void attribute(struct nf_buf *out, const char *name, const char *value)
{
	(void)nf_buf_addf(out, " %s=\"", name);
	nf_junit_text(out, value, strlen(value));
	(void)nf_buf_addc(out, '"');
}

static void add(struct suite *s, const struct one *c)
{
	static const char *const elements[] = { "", "failure", "skipped" };
	struct nf_buf *out = s->out;

	s->n[c->outcome]++;
	if (!out)
		return;
	(void)nf_buf_adds(out, "    <testcase");
	attribute(out, "classname", c->class_name);
	attribute(out, "name", c->name);
	if (c->time_s >= 0)
		(void)nf_buf_addf(out, " time=\"%.6f\"", c->time_s);
	if (c->outcome == PASSED) {
		(void)nf_buf_adds(out, "/>\n");
		return;
	}
	(void)nf_buf_addf(out, ">\n      <%s", elements[c->outcome]);
	if (c->outcome == FAILED)
		attribute(out, "type", c->kind);
	/* A skipped case has no type; its word stands in front of the reason. */
	const char *message = json_string_value(c->message);
	(void)nf_buf_adds(out, " message=\"");
	if (c->outcome == SKIPPED || !message)
		nf_junit_text(out, c->kind, strlen(c->kind));
	if (c->outcome == SKIPPED && message)
		(void)nf_buf_adds(out, ": ");
	if (message)
		nf_junit_text(out, message, json_string_length(c->message));
	(void)nf_buf_adds(out, "\"/>\n    </testcase>\n");
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static enum outcome outcome_of(const char *word)
{
	static const char *const passed[] = { "pass", "passed", "matched" };
	static const char *const failed[] = { "fail",    "failed",    "broken",  "vacuous",
		                              "gave_up", "uncovered", "missing", "mismatched" };

	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		if (strcmp(word, passed[i]) == 0)
			return PASSED;
	for (size_t i = 0; i < sizeof(failed) / sizeof(failed[0]); i++)
		if (strcmp(word, failed[i]) == 0)
			return FAILED;
	return SKIPPED;
}

/* A step: that it came to a result, and whether the limits that it was judged against hold. */
static void step(struct suite *s, const char *class_name, const char *name, size_t number,
                 const json_t *verdict, double time_s, const char *limit)
{
	const char *word = text_of(verdict, "result");
	struct one c = { .class_name = class_name,
		         .kind = word,
		         .outcome = outcome_of(word),
		         .message = json_object_get(verdict, "reason"),
		         .time_s = time_s };
	int len = number > 1 ? snprintf(c.name, sizeof(c.name), "%.*s %zu", NF_UTF8_CUT(name, 64),
	                                number)
	                     : snprintf(c.name, sizeof(c.name), "%.*s", NF_UTF8_CUT(name, 64));
	struct one judged = c;

	/* With a limit, fail is the limit's: the step itself was carried out. */
	if (limit && c.outcome == FAILED)
		c.outcome = PASSED;
	add(s, &c);
	if (!limit || len < 0)
		return;
	snprintf(judged.name + len, sizeof(judged.name) - (size_t)len, ": %.*s",
	         NF_UTF8_CUT(limit, 80));
	judged.time_s = -1;
	add(s, &judged);
}

/* The facts of the number-th step of a name; NULL: it has none, as it never got to measure. */
static const json_t *facts_of(const json_t *root, const char *name, const json_t *verdict,
                              size_t *seen)
{
	const json_t *of = json_object_get(root, strcmp(name, "fwq") == 0 ? "noise" : name);
	const json_t *one = json_is_array(of) ? json_array_get(of, *seen) : of;
	const json_t *facts = json_object_get(one, "facts");
	const char *word = text_of(facts, "result");

	if (!word || strcmp(word, text_of(verdict, "result")) != 0)
		return NULL;
	++*seen;
	return facts;
}

static void window_steps(struct suite *s, const char *class_name, const json_t *root)
{
	const json_t *steps = json_object_get(root, "steps"), *one, *other;
	size_t i, k;

	json_array_foreach(steps, i, one)
	{
		const char *name = text_of(one, "name");
		size_t number = 1, seen = 0;

		json_array_foreach(steps, k, other)
		{
			if (k >= i)
				break;
			if (strcmp(text_of(other, "name"), name) != 0)
				continue;
			number++;
			(void)facts_of(root, name, other, &seen);
		}
		const json_t *facts = facts_of(root, name, one, &seen);
		step(s, class_name, name, number, one,
		     json_number_value(json_object_get(one, "duration_s")),
		     text_of(facts, "limit"));
	}
}

/* Lists of {word, ...}: lines of a profile, properties. */
static void list(struct suite *s, const char *class_name, const json_t *items, const char *name_key,
                 const char *word_key)
{
	const json_t *one;
	size_t i;

	json_array_foreach(items, i, one)
	{
		const json_t *found = json_object_get(one, "found");
		const json_t *unread = json_object_get(one, "unread");
		struct one c = { .class_name = class_name,
			         .kind = text_of(one, word_key),
			         .message = json_is_string(unread) ? unread
			                    : json_is_string(found)
			                            ? found
			                            : json_object_get(one, "message"),
			         .time_s = -1 };

		c.outcome = json_is_string(unread) ? SKIPPED : outcome_of(c.kind);
		snprintf(c.name, sizeof(c.name), "%.*s", NF_UTF8_CUT(text_of(one, name_key), 150));
		add(s, &c);
	}
}

static void cases(struct suite *s, const struct nf_type *t, const json_t *root)
{
	const json_t *head = json_object_get(root, "head"), *facts = json_object_get(root, "facts");
	const json_t *verdict = head ? head : root;
	size_t before = s->n[PASSED] + s->n[FAILED] + s->n[SKIPPED];
	char class_name[80], name[64];

	snprintf(class_name, sizeof(class_name), "noisefloor.%.*s", NF_UTF8_CUT(t->name, 60));
	if (json_is_array(json_object_get(root, "steps")))
		window_steps(s, class_name, root);
	if (facts) { /* NoiseRun: "noise" */
		snprintf(name, sizeof(name), "%.*s",
		         (int)(strlen(t->name) - (strlen(t->name) > 3 ? 3 : 0)), t->name);
		name[0] = (char)(name[0] >= 'A' && name[0] <= 'Z' ? name[0] + 32 : name[0]);
		step(s, class_name, name, 1, facts,
		     json_number_value(json_object_get(facts, "wall_ns")) / 1e9,
		     text_of(facts, "limit"));
	}
	list(s, class_name, json_object_get(root, "profile_lines"), "text", "match");
	list(s, class_name, json_object_get(root, "results"), "name", "outcome");
	/* What the cases do not say: a verdict without any, a run that was stopped, another lane than
	 * the one expected. */
	const char *word = text_of(verdict, "result"), *state = text_of(head, "state");
	bool stopped = state && strcmp(state, "complete") != 0;
	bool said = s->n[PASSED] + s->n[FAILED] + s->n[SKIPPED] > before;

	if (word && (stopped || !said || s->n[outcome_of(word)] == 0))
		step(s, class_name, "run", 1, verdict, -1, NULL);
}

void nf_junit_begin(struct nf_buf *out)
{
	(void)nf_buf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
}

void nf_junit_suite(const struct nf_type *t, const json_t *value, const char *name,
                    struct nf_buf *out)
{
	const json_t *head = json_object_get(value, "head");
	const json_t *host = json_object_get(head ? head : value, "host");
	const char *started = text_of(head, "started_utc");
	const char *label = json_is_object(host) ? text_of(host, "label") : json_string_value(host);
	struct suite s = { .out = NULL };
	double time_s = json_number_value(json_object_get(head, "duration_s"));

	cases(&s, t, value);
	(void)nf_buf_adds(out, "  <testsuite");
	attribute(out, "name", name);
	(void)nf_buf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"",
	                  s.n[PASSED] + s.n[FAILED] + s.n[SKIPPED], s.n[FAILED], s.n[SKIPPED]);
	if (started) { /* 2026-01-02T03:04:05.678Z; the form's own has no fraction and no zone: it is UTC */
		char utc[20];

		snprintf(utc, sizeof(utc), "%s", started);
		attribute(out, "timestamp", utc);
	}
	if (label)
		attribute(out, "hostname", label);
	if (head)
		(void)nf_buf_addf(out, " time=\"%.6f\"", time_s);
	(void)nf_buf_adds(out, ">\n    <properties>\n      <property name=\"schema\"");
	attribute(out, "value", text_of(value, "schema") ? text_of(value, "schema") : t->name);
	(void)nf_buf_adds(out, "/>\n    </properties>\n");
	s = (struct suite){ .out = out };
	cases(&s, t, value);
	(void)nf_buf_adds(out, "  </testsuite>\n");
}

void nf_junit_end(struct nf_buf *out)
{
	(void)nf_buf_adds(out, "</testsuites>\n");
}
