/* SPDX-License-Identifier: MIT */
/* The problems of the public shrinking challenge (github.com/jlink/shrinking-challenge), as rows. */
#include "challenge.h"

#include <stdlib.h>
#include <string.h>

static int64_t sum16(struct pt_value list)
{
	int16_t sum = 0;

	for (size_t i = 0; i < list.n; i++)
		sum = (int16_t)(sum + (int16_t)list.at[i].i);
	return sum;
}

static int by_value(const void *a, const void *b)
{
	return pt_compare(*(const struct pt_value *)b, *(const struct pt_value *)a);
}

static bool bound5(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *l = pt_list(m, pt_int(m, INT16_MIN, INT16_MAX), 0, 10);
	struct pt_value v = pt_draw(t, NULL, PT_TUPLE_OF(m, l, l, l, l, l));
	int16_t total = 0;
	char text[256];

	(void)arg;
	for (size_t i = 0; i < 5; i++) {
		pt_assume(t, sum16(v.at[i]) < 256);
		total = (int16_t)(total + sum16(v.at[i]));
	}
	qsort(v.at, 5, sizeof(v.at[0]), by_value);
	pt_format(text, sizeof(text), v);
	pt_note(t, "sorted %s", text);
	return total < 5 * 256;
}

static bool reverse(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_list(m, pt_any_int(m), 0, 100));

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		if (v.at[i].i != v.at[v.n - 1 - i].i)
			return false;
	return true;
}

/* Distinct integers in v, which may be nested; counted up to most. */
static size_t distinct_in(struct pt_value v, int64_t *seen, size_t n, size_t most)
{
	if (v.kind == PT_INT) {
		for (size_t i = 0; i < n; i++)
			if (seen[i] == v.i)
				return n;
		if (n < most)
			seen[n++] = v.i;
		return n;
	}
	for (size_t i = 0; i < v.n; i++)
		n = distinct_in(v.at[i], seen, n, most);
	return n;
}

static bool large_union_list(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	int64_t seen[5];

	(void)arg;
	return distinct_in(pt_draw(t, "v", pt_list(m, pt_list(m, pt_any_int(m), 0, 100), 0, 100)),
	                   seen, 0, 5) <= 4;
}

static bool distinct(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	int64_t seen[3];

	(void)arg;
	return distinct_in(pt_draw(t, "v", pt_list(m, pt_any_int(m), 0, 100)), seen, 0, 3) < 3;
}

/* An expression: an integer, or (operator, left, right) with operator 0 for +, 1 for /. */
static const struct pt_gen *operation(struct pt_mem *m, const struct pt_gen *self, void *arg)
{
	(void)arg;
	return PT_TUPLE_OF(m, pt_int(m, 0, 1), self, self);
}

static bool divides_by_literal_zero(struct pt_value e)
{
	if (e.kind == PT_INT)
		return false;
	if (e.at[0].i == 1 && e.at[2].kind == PT_INT && e.at[2].i == 0)
		return true;
	return divides_by_literal_zero(e.at[1]) || divides_by_literal_zero(e.at[2]);
}

static bool evaluates(struct pt_value e, int64_t *ret)
{
	int64_t a, b;

	if (e.kind == PT_INT) {
		*ret = e.i;
		return true;
	}
	if (!evaluates(e.at[1], &a) || !evaluates(e.at[2], &b))
		return false;
	if (e.at[0].i == 0)
		*ret = (int64_t)((uint64_t)a + (uint64_t)b);
	else if (b == 0)
		return false;
	else
		*ret = b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
	return true;
}

static bool calculator(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value e = pt_draw(t, "v", pt_recursive(m, pt_any_int(m), operation, NULL, 8));
	int64_t v;

	(void)arg;
	pt_assume(t, !divides_by_literal_zero(e));
	return evaluates(e, &v);
}

static const struct pt_gen *list_of_length(struct pt_mem *m, struct pt_value n, void *arg)
{
	(void)arg;
	return pt_list(m, pt_int(m, 0, 1000), (size_t)n.i, (size_t)n.i);
}

static bool lengthlist(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v =
	        pt_draw(t, "v", pt_flat_map(m, pt_int(m, 1, 100), list_of_length, NULL));

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		if (v.at[i].i >= 900)
			return false;
	return true;
}

/* As lengthlist, drawn by hand. */
static bool lengthlist_direct(struct pt_case *t, void *arg)
{
	int64_t n = pt_draw_int(t, 1, 100), most = 0;

	(void)arg;
	for (int64_t i = 0; i < n; i++) {
		int64_t v = pt_draw_int(t, 0, 1000);

		most = v > most ? v : most;
	}
	return most < 900;
}

static struct pt_value two_positive(struct pt_case *t)
{
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *g = pt_positive(m, 1000000);

	return pt_draw(t, "v", PT_TUPLE_OF(m, g, g));
}

static bool difference_not_zero(struct pt_case *t, void *arg)
{
	struct pt_value v = two_positive(t);

	(void)arg;
	return v.at[0].i < 10 || v.at[0].i != v.at[1].i;
}

static bool difference_not_small(struct pt_case *t, void *arg)
{
	struct pt_value v = two_positive(t);
	int64_t d = llabs(v.at[0].i - v.at[1].i);

	(void)arg;
	return v.at[0].i < 10 || !(d >= 1 && d <= 4);
}

static bool difference_not_one(struct pt_case *t, void *arg)
{
	struct pt_value v = two_positive(t);

	(void)arg;
	return v.at[0].i < 10 || llabs(v.at[0].i - v.at[1].i) != 1;
}

static bool coupling(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_list(m, pt_int(m, 0, 10), 0, 20));

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		pt_assume(t, v.at[i].i < (int64_t)v.n);
	for (size_t i = 0; i < v.n; i++) {
		size_t j = (size_t)v.at[i].i;

		if (j != i && v.at[j].i == (int64_t)i)
			return false;
	}
	return true;
}

static bool deletion(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_list(m, pt_any_int(m), 1, 50));
	size_t i = pt_draw_size(t, 0, v.n - 1);
	bool removed = false;

	(void)arg;
	for (size_t k = 0; k < v.n; k++)
		if (v.at[k].i == v.at[i].i) {
			if (removed)
				return false; /* the second one is still there */
			removed = true;
		}
	return true;
}

static bool nestedlists(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_list(m, pt_list(m, pt_any_int(m), 0, 100), 0, 100));
	size_t n = 0;

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		n += v.at[i].n;
	return n <= 10;
}

/* ---- others, of the kinds that users meet ---- */
static const struct pt_gen *ints(struct pt_mem *m, int64_t lo, int64_t hi)
{
	return pt_list(m, pt_int(m, lo, hi), 0, 40);
}

static bool sum_of_list(struct pt_case *t, void *arg)
{
	struct pt_value v = pt_draw(t, "v", ints(pt_case_mem(t), -1000, 1000));
	int64_t sum = 0;

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		sum += v.at[i].i;
	return sum < 700;
}

static bool three_and_sum(struct pt_case *t, void *arg)
{
	struct pt_value v = pt_draw(t, "v", ints(pt_case_mem(t), 0, 100000));
	int64_t sum = 0;

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		sum += v.at[i].i;
	return !(v.n >= 3 && sum >= 10);
}

static bool sorted_pair(struct pt_case *t, void *arg)
{
	struct pt_value v = pt_draw(t, "v", ints(pt_case_mem(t), -100000, 100000));

	(void)arg;
	for (size_t i = 0; i + 1 < v.n; i++)
		if (v.at[i].i >= v.at[i + 1].i + 5)
			return false;
	return true;
}

static bool duplicate_far(struct pt_case *t, void *arg)
{
	struct pt_value v = pt_draw(t, "v", ints(pt_case_mem(t), 0, 1 << 30));

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		for (size_t j = i + 2; j < v.n; j++)
			if (v.at[i].i == v.at[j].i && v.at[i].i > 100)
				return false;
	return true;
}

static bool text_of_two(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_unicode(m, 0, 40, 'a', 0x2fff));
	bool wide = false, plain = false;

	(void)arg;
	for (size_t i = 0; i < v.n; i++) {
		wide = wide || (unsigned char)v.text[i] >= 0xe0;
		plain = plain || (v.text[i] >= 'm' && v.text[i] <= 'z');
	}
	return !(wide && plain);
}

static bool real_above(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	double x = pt_draw(t, "v", pt_any_real(m, false)).r;

	(void)arg;
	return !(x > 1000.3 && x < 1e300);
}

static bool real_fraction(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	double x = pt_draw(t, "v", pt_real(m, -100.0, 100.0)).r;

	(void)arg;
	return x == (double)(int)x;
}

static bool real_sum(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "v", pt_list(m, pt_real(m, 0.0, 10.0), 0, 20));
	double sum = 0.0;

	(void)arg;
	for (size_t i = 0; i < v.n; i++)
		sum += v.at[i].r;
	return sum < 15.0;
}

static bool product(struct pt_case *t, void *arg)
{
	int64_t a = pt_draw_int(t, 0, 10000), b = pt_draw_int(t, 0, 10000);

	(void)arg;
	return a * b < 5000 || a > b;
}

static const struct pt_gen *branch(struct pt_mem *m, const struct pt_gen *self, void *arg)
{
	(void)arg;
	return pt_list(m, self, 0, 4);
}

static unsigned tree_depth(struct pt_value v)
{
	unsigned most = 0;

	if (v.kind != PT_LIST)
		return 0;
	for (size_t i = 0; i < v.n; i++) {
		unsigned d = tree_depth(v.at[i]);

		most = d > most ? d : most;
	}
	return most + 1;
}

static bool tree_deep(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);

	(void)arg;
	return tree_depth(pt_draw(t, "v", pt_recursive(m, pt_int(m, 0, 9), branch, NULL, 12))) < 4;
}

static bool matrix(struct pt_case *t, void *arg)
{
	size_t rows = pt_draw_size(t, 1, 12), columns = pt_draw_size(t, 1, 12);
	int64_t most = 0;

	(void)arg;
	for (size_t i = 0; i < rows * columns; i++) {
		int64_t v = pt_draw_int(t, 0, 100);

		most = v > most ? v : most;
	}
	return most < 77;
}

struct queue {
	int64_t at[3];
	size_t n, taken;
};

static void *queue_start(struct pt_case *t, void *arg)
{
	(void)arg;
	return pt_alloc(t, sizeof(struct queue));
}

/* Forgets the third one when one has been taken before. */
static bool queue_put(struct pt_case *t, void *state, void *arg)
{
	struct queue *q = state;
	int64_t v = pt_draw_int(t, 0, 1000);

	(void)arg;
	if (q->n == 3)
		return true;
	q->at[q->n++] = v;
	return !(q->n == 3 && q->taken >= 2 && v > 10);
}

static bool queue_some(const void *state, void *arg)
{
	(void)arg;
	return ((const struct queue *)state)->n > 0;
}

static bool queue_take(struct pt_case *t, void *state, void *arg)
{
	struct queue *q = state;

	(void)t;
	(void)arg;
	q->n--;
	q->taken++;
	return true;
}

static bool queue_look(struct pt_case *t, void *state, void *arg)
{
	(void)t;
	(void)state;
	(void)arg;
	return true;
}

static bool queue(struct pt_case *t, void *arg)
{
	static const struct pt_command command[] = {
		{ "put", 2, NULL, queue_put },
		{ "take", 1, queue_some, queue_take },
		{ "look", 1, NULL, queue_look },
	};
	static const struct pt_machine machine = { .start = queue_start,
		                                   .command = command,
		                                   .n_commands = 3 };

	return pt_run_machine(t, &machine, arg);
}

/* ---- binheap ---- */
struct heap {
	int64_t head;
	const struct heap *left, *right;
};

static const struct heap *draw_heap(struct pt_case *t, int64_t least, unsigned depth)
{
	struct heap *h = NULL;

	pt_span_begin(t, 7);
	if (pt_draw_bool(t, depth == 0 ? 0.9 : 0.5) && depth < 12) {
		h = pt_alloc(t, sizeof(*h));
		h->head = pt_draw_int(t, least, 1 << 20);
		h->left = draw_heap(t, h->head, depth + 1);
		h->right = draw_heap(t, h->head, depth + 1);
	}
	pt_span_end(t);
	return h;
}

static const struct heap *merge(struct pt_case *t, const struct heap *a, const struct heap *b)
{
	struct heap *h;

	if (!a || !b)
		return a ? a : b;
	h = pt_alloc(t, sizeof(*h));
	if (a->head > b->head) {
		const struct heap *swap = a;

		a = b;
		b = swap;
	}
	h->head = a->head;
	h->left = merge(t, a->right, b);
	h->right = a->left;
	return h;
}

static size_t list_of(const struct heap *h, int64_t *to, size_t n, size_t most)
{
	if (!h || n >= most)
		return n;
	to[n++] = h->head;
	n = list_of(h->right, to, n, most);
	return list_of(h->left, to, n, most);
}

static size_t print_heap(const struct heap *h, char *to, size_t n, size_t size)
{
	if (!h)
		return n + (size_t)snprintf(to + n, size - n, "-");
	n += (size_t)snprintf(to + n, size - n, "(%lld ", (long long)h->head);
	if (n < size)
		n = print_heap(h->left, to, n, size);
	if (n < size)
		n += (size_t)snprintf(to + n, size - n, " ");
	if (n < size)
		n = print_heap(h->right, to, n, size);
	if (n < size)
		n += (size_t)snprintf(to + n, size - n, ")");
	return n < size ? n : size - 1;
}

static bool binheap(struct pt_case *t, void *arg)
{
	enum { MOST = 4096 };
	const struct heap *h = draw_heap(t, 0, 0);
	int64_t *list;
	char text[1024] = "";
	size_t n;

	(void)arg;
	if (!h)
		return true;
	print_heap(h, text, 0, sizeof(text));
	pt_note(t, "heap %s", text);
	list = pt_alloc(t, MOST * sizeof(*list));
	list[0] = h->head;
	n = list_of(merge(t, h->left, h->right), list, 1, MOST); /* wrong: not sorted on the way */
	for (size_t i = 1; i < n; i++)
		if (list[i - 1] > list[i])
			return false;
	return true;
}

const struct challenge challenges[] = {
	{ "bound5", bound5, { "sorted ([-1], [-32768], [], [], [])" } },
	{ "reverse", reverse, { "v = [0, 1]", "v = [0, -1]" } },
	{ "large_union_list", large_union_list, { "v = [[0, 1, -1, 2, -2]]" } },
	{ "calculator", calculator, { "v = (1, 0, (0, 0, 0))", "v = (1, 0, (1, 0, 1))" } },
	{ "lengthlist", lengthlist, { "v = [900]" } },
	{ "lengthlist_direct", lengthlist_direct, { "draw 1 = 1\ndraw 2 = 900" } },
	{ "difference_zero", difference_not_zero, { "v = (10, 10)" } },
	{ "difference_small", difference_not_small, { "v = (10, 6)" } },
	{ "difference_one", difference_not_one, { "v = (10, 9)" } },
	{ "coupling", coupling, { "v = [1, 0]" } },
	{ "deletion", deletion, { "v = [0, 0]\ndraw 2 = 0" } },
	{ "distinct", distinct, { "v = [0, 1, -1]", "v = [0, 1, 2]" } },
	{ "nestedlists", nestedlists, { "v = [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]" } },
	{ "binheap",
	  binheap,
	  { "heap (0 - (0 (0 - -) (1 - -)))" },
	  .min_percent = 35,
	  .max_distinct = 4 },
	{ "sum_of_list", sum_of_list, { "v = [700]" } },
	{ "three_and_sum", three_and_sum, { "v = [0, 0, 10]" } },
	{ "sorted_pair", sorted_pair, { "v = [0, -5]", "v = [5, 0]" } },
	{ "duplicate_far", duplicate_far, { "v = [101, 0, 101]" } },
	{ "text_of_two", text_of_two, { "v = \"m\\xe0\\xa0\\x80\"", "v = \"\\xe0\\xa0\\x80m\"" } },
	{ "real_above", real_above, { "v = 1001.0" } },
	{ "real_fraction", real_fraction, { "v = 1.5" } },
	{ "real_sum", real_sum, { "v = [5.0, 10.0]" } },
	{ "product", product, { "draw 1 = 1\ndraw 2 = 5000" } },
	{ "tree_deep", tree_deep, { "v = [[[[]]]]" } },
	{ "matrix", matrix, { "draw 1 = 1\ndraw 2 = 1\ndraw 3 = 77" } },
	{ "queue", queue, { "" } },
	{ NULL },
};
