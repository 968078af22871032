/* SPDX-License-Identifier: MIT */
#include "machine/bracket_tables.h"

#include <stdlib.h>
#include <string.h>

int nf_percpu_slots_init(struct nf_percpu_slots *s, const int *cpus, size_t n_cpus,
                         struct nf_err *err)
{
	size_t n = 0;
	int32_t *slot;

	for (size_t i = 0; i < n_cpus; i++)
		if ((size_t)cpus[i] >= n)
			n = (size_t)cpus[i] + 1;
	slot = malloc((n ? n : 1) * sizeof(*slot));
	if (!slot)
		return nf_fail_nomem(err, "positions of CPUs", n * sizeof(*slot));
	for (size_t i = 0; i < n; i++)
		slot[i] = -1;
	for (size_t i = 0; i < n_cpus; i++)
		slot[cpus[i]] = (int32_t)i;
	*s = (struct nf_percpu_slots){ slot, n, n_cpus };
	return 0;
}

void nf_percpu_slots_fini(struct nf_percpu_slots *s)
{
	free(s->slot);
	*s = (struct nf_percpu_slots){ 0 };
}

int nf_percpu_diff_init(struct nf_percpu_diff *d, size_t n_slots, struct nf_err *err)
{
	size_t n = n_slots ? n_slots : 1;

	d->all = calloc(n, sizeof(*d->all));
	d->timer = calloc(n, sizeof(*d->timer));
	d->before = calloc(n, sizeof(*d->before));
	d->after = calloc(n, sizeof(*d->after));
	d->in_before = calloc(n, sizeof(*d->in_before));
	d->in_after = calloc(n, sizeof(*d->in_after));
	if (!d->all || !d->timer || !d->before || !d->after || !d->in_before || !d->in_after)
		return nf_fail_nomem(err, "differences of CPUs", n * sizeof(*d->all));
	return 0;
}

void nf_percpu_diff_fini(struct nf_percpu_diff *d)
{
	free(d->all);
	free(d->timer);
	free(d->before);
	free(d->after);
	free(d->in_before);
	free(d->in_after);
	d->all = d->timer = NULL;
	d->before = d->after = NULL;
	d->in_before = d->in_after = NULL;
}

static int slot_of(const struct nf_percpu_slots *s, struct nf_span number)
{
	uint64_t cpu;

	return nf_span_u64(number, &cpu) && cpu < s->n ? s->slot[cpu] : -1;
}

/* A table being read line by line. */
struct table {
	struct nf_span header; /* "CPU0 CPU2 ..." */
	struct nf_span rest; /* the lines not yet read */
	size_t n_columns;
	struct nf_span label; /* of the current line */
	struct nf_span values; /* what follows its colon */
	bool some; /* there is a current line */
};

static bool next_line(struct table *t)
{
	struct nf_span line;

	t->some = false;
	while (!t->some && nf_span_line(&t->rest, &line)) {
		const char *colon = line.n ? memchr(line.p, ':', line.n) : NULL;

		if (!colon)
			continue;
		t->label = nf_span_trim((struct nf_span){ line.p, (size_t)(colon - line.p) });
		t->values = (struct nf_span){ colon + 1, (size_t)(line.p + line.n - colon) - 1 };
		t->some = true;
	}
	return t->some;
}

/* Reads the header and marks which measured CPUs have a column. False: no table. */
static bool open_table(struct nf_percpu_diff *d, struct nf_span text, bool *has, struct table *ret)
{
	struct table t = { .rest = text };
	struct nf_span rest, word;

	memset(has, 0, d->slots->n_slots * sizeof(*has));
	if (!nf_span_line(&t.rest, &t.header))
		return false;
	rest = t.header;
	while (nf_span_word(&rest, &word)) {
		int slot;

		if (!nf_span_starts(word, "CPU"))
			return false;
		slot = slot_of(d->slots, (struct nf_span){ word.p + 3, word.n - 3 });
		if (slot >= 0)
			has[slot] = true;
		t.n_columns++;
	}
	*ret = t;
	return t.n_columns > 0;
}

/* The current line's counts by slot. False: it has no count for every column, so it belongs to no
 * CPU. *ret_what is what follows the counts. */
static bool counts(const struct nf_percpu_diff *d, const struct table *t, uint64_t *to,
                   struct nf_span *ret_what)
{
	struct nf_span header = t->header, values = t->values, column, word;

	if (nf_span_is(t->label, "ERR") || nf_span_is(t->label, "Err") ||
	    nf_span_is(t->label, "MIS"))
		return false;
	while (nf_span_word(&header, &column)) {
		uint64_t v;
		int slot;

		if (!nf_span_word(&values, &word) || !nf_span_u64(word, &v))
			return false;
		slot = slot_of(d->slots, (struct nf_span){ column.p + 3, column.n - 3 });
		if (slot >= 0)
			to[slot] = v;
	}
	*ret_what = values;
	return true;
}

static bool is_timer(struct nf_span label, struct nf_span what)
{
	return nf_span_is(label, "LOC") || nf_span_has_word(what, "arch_timer") ||
	       nf_span_has_word(what, "riscv-timer");
}

static void unknown(struct nf_fact_nat *fact)
{
	*fact = (struct nf_fact_nat){ 0 };
}

/* Adds after - before of one 32-bit counter. */
static void add(struct nf_fact_nat *sum, uint64_t before, uint64_t after)
{
	uint64_t rise = after - before;

	if (!sum->some)
		return;
	if (after < before && before <= UINT32_MAX)
		rise = (uint32_t)rise;
	else if (after < before) {
		unknown(sum);
		return;
	}
	if (__builtin_add_overflow(sum->v, rise, &sum->v))
		unknown(sum);
}

static void add_line(struct nf_percpu_diff *d, bool timer)
{
	for (size_t i = 0; i < d->slots->n_slots; i++) {
		add(&d->all[i], d->before[i], d->after[i]);
		if (timer)
			add(&d->timer[i], d->before[i], d->after[i]);
	}
}

static bool same_label(const struct table *a, const struct table *b)
{
	return a->label.n == b->label.n && memcmp(a->label.p, b->label.p, a->label.n) == 0;
}

/* Moves `before` to the line with the label of `after`'s. Both tables are in the same order, so a line
 * that is not ahead is new; then before stays. */
static bool find_line(struct table *before, const struct table *after, bool *ret_skipped)
{
	struct table at = *before;
	bool skipped = false;

	while (next_line(&at)) {
		if (same_label(&at, after)) {
			*before = at;
			*ret_skipped = skipped;
			return true;
		}
		skipped = true;
	}
	return false;
}

void nf_percpu_table(struct nf_percpu_diff *d, struct nf_span before, struct nf_span after)
{
	size_t n = d->slots->n_slots;
	struct table x = { 0 }, y = { 0 };
	struct nf_span what;
	bool lost = false, timer = false, skipped;

	memset(d->timer, 0, n * sizeof(*d->timer));
	memset(d->all, 0, n * sizeof(*d->all));
	if (!open_table(d, before, d->in_before, &x) || !open_table(d, after, d->in_after, &y))
		return;
	for (size_t i = 0; i < n; i++) {
		d->all[i].some = d->in_before[i] && d->in_after[i];
		d->timer[i].some = d->all[i].some;
	}
	while (next_line(&y)) {
		bool found = find_line(&x, &y, &skipped), is_loc;

		lost = lost || (found && skipped);
		if (!counts(d, &y, d->after, &what))
			continue;
		is_loc = is_timer(y.label, what);
		memset(d->before, 0, n * sizeof(*d->before));
		if (found && !counts(d, &x, d->before, &what))
			lost = true;
		timer = timer || is_loc;
		add_line(d, is_loc);
	}
	lost = lost || next_line(&x);
	for (size_t i = 0; i < n; i++) {
		if (lost)
			unknown(&d->all[i]);
		if (!timer)
			unknown(&d->timer[i]);
	}
}

/* The cpuN lines' steal (the eighth number, proc(5)) by slot; lines may come in any order. */
static void read_steal(const struct nf_percpu_diff *d, struct nf_span text, uint64_t *to, bool *has)
{
	struct nf_span line, word;

	memset(has, 0, d->slots->n_slots * sizeof(*has));
	while (nf_span_line(&text, &line)) {
		bool more = nf_span_word(&line, &word);
		uint64_t v;
		int slot;

		if (!more || !nf_span_starts(word, "cpu") || word.n == 3)
			continue;
		slot = slot_of(d->slots, (struct nf_span){ word.p + 3, word.n - 3 });
		for (int i = 0; i < 8 && more; i++)
			more = nf_span_word(&line, &word);
		if (slot < 0 || !more || !nf_span_u64(word, &v))
			continue;
		to[slot] = v;
		has[slot] = true;
	}
}

void nf_percpu_steal(struct nf_percpu_diff *d, struct nf_span before, struct nf_span after)
{
	read_steal(d, before, d->before, d->in_before);
	read_steal(d, after, d->after, d->in_after);
	for (size_t i = 0; i < d->slots->n_slots; i++) {
		bool some = d->in_before[i] && d->in_after[i] && d->after[i] >= d->before[i];

		d->all[i] = (struct nf_fact_nat){ some, some ? d->after[i] - d->before[i] : 0 };
	}
}
