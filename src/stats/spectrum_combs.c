/* SPDX-License-Identifier: MIT */
/* spectrum_combs - fundamentals whose multiples together exceed chance, even where none does alone. */
#include <math.h>
#include <stdlib.h>

#include "stats/select.h"
#include "stats/spectrum_impl.h"

enum {
	LOBE = NF_SPECTRUM_LOBE,
	LOWEST = 2 * LOBE + 1, /* bins; closer teeth overlap */
	TEETH_LEAST = 4,
	TEETH_MOST = 128,
	BESIDE = 4, /* teeth on each side that one is held against */
	MOST_SURPRISE = 8, /* of one tooth: a strong line alone makes no comb */
};

/* One point of the search: the fundamental is num / (2 grid) bins. */
struct point {
	size_t grid; /* the fewest teeth */
	size_t num;
	size_t n_teeth; /* grid, or all up to the last bin if those are fewer than of the next grid */
	double ln; /* of the chance, Bonferroni's factor in it */
	double surprise; /* of all teeth, not limited: between points that are equally unlikely */
};

struct nf_spectrum_combs {
	const struct nf_spectrum_series *s;
	size_t last; /* bin */
	bool *used; /* owned; by combs that were found, or below the first that can be judged */
	float *limited; /* owned; surprise of each bin as a tooth */
	double ln_tests;
	struct point *point; /* owned; in the order of the search */
	size_t n;
	size_t cap;
};

static size_t tooth_bin(const struct point *p, size_t m)
{
	return (m * p->num + p->grid) / (2 * p->grid);
}

/* ln of the bound on the chance that n exponentials of mean 1 add up to sum. */
static double ln_tail(double sum, size_t n)
{
	double m = (double)n;

	return n == 0 || sum <= m ? 0 : m - sum + m * log(sum / m);
}

/* Of all teeth. Most of the search is here: no division within. */
static void judge(const struct nf_spectrum_combs *h, struct point *p)
{
	size_t by = 2 * p->grid, whole = p->num / by, part = p->num % by;
	size_t k = 0, rest = p->grid, n = 0;
	double sum = 0, all = 0;

	for (size_t m = p->n_teeth; m > 0; m--) {
		bool carry;

		k += whole;
		rest += part;
		carry = rest >= by;
		k += carry;
		rest -= carry ? by : 0;
		if (h->used[k])
			continue;
		sum += (double)h->limited[k];
		all += (double)h->s->surprise[k];
		n++;
	}
	p->ln = ln_tail(sum, n) + h->ln_tests;
	p->surprise = all;
}

/* Of the teeth whose number is no multiple of `without`, which were not searched for. */
static double ln_chance_without(const struct nf_spectrum_combs *h, const struct point *p,
                                size_t without)
{
	double sum = 0;
	size_t n = 0;

	for (size_t m = 1; m <= p->n_teeth; m++) {
		size_t k = tooth_bin(p, m);

		if (m % without == 0 || h->used[k])
			continue;
		sum += (double)h->limited[k];
		n++;
	}
	return ln_tail(sum, n);
}

static bool prime(size_t n)
{
	for (size_t d = 2; d * d <= n; d++)
		if (n % d == 0)
			return false;
	return n >= 2;
}

/* No p times the fundamental explains the comb: the other teeth are no chance either. */
static bool is_fundamental(const struct nf_spectrum_combs *h, const struct point *p)
{
	for (size_t q = 2; q <= p->n_teeth; q++)
		if (prime(q) && ln_chance_without(h, p, q) > log(NF_SPECTRUM_LEVEL_EACH))
			return false;
	return true;
}

/* 4, 6, 8, 12, 16 .. */
static size_t more_teeth(size_t n)
{
	return (n & (n - 1)) == 0 ? n / 2 * 3 : n / 3 * 4;
}

static size_t first_num(size_t grid)
{
	return 2 * grid * LOWEST;
}

static double count_points(size_t last)
{
	double n = 0;

	for (size_t m = TEETH_LEAST; m <= TEETH_MOST; m = more_teeth(m))
		n += 2 * last >= first_num(m) ? (double)(2 * last - first_num(m) + 1) : 0;
	return n;
}

static int keep(struct nf_spectrum_combs *h, const struct point *p, struct nf_err *err)
{
	if (h->n == h->cap) {
		/* No more than points of the search: 22 times the bins. */
		size_t more = h->cap ? 2 * h->cap : 256;
		struct point *grown = reallocarray(h->point, more, sizeof(*grown));

		if (!grown)
			return nf_fail_nomem(err, "the combs", more * sizeof(*grown));
		h->point = grown;
		h->cap = more;
	}
	h->point[h->n++] = *p;
	return 0;
}

/* Every point whose teeth exceed chance. */
static int look(struct nf_spectrum_combs *h, struct nf_err *err)
{
	for (size_t m = TEETH_LEAST; m <= TEETH_MOST; m = more_teeth(m)) {
		struct point p = { .grid = m, .num = first_num(m) };

		for (; p.num <= 2 * h->last; p.num++) {
			p.n_teeth = more_teeth(m) * p.num > 2 * m * h->last
			                    ? 2 * m * h->last / p.num
			                    : m;
			judge(h, &p);
			if (p.ln > log(NF_SPECTRUM_LEVEL_EACH))
				continue;
			int rc = keep(h, &p, err);

			if (rc != 0)
				return rc;
		}
	}
	return 0;
}

static bool less_likely(const struct point *a, const struct point *b)
{
	return a->ln < b->ln || (a->ln <= b->ln && a->surprise > b->surprise);
}

/* The least likely one with the teeth that are free; NULL: none is left. */
static const struct point *best_point(struct nf_spectrum_combs *h)
{
	const struct point *best = NULL;
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++) {
		struct point p = h->point[i];

		judge(h, &p);
		if (p.ln <= log(NF_SPECTRUM_LEVEL_EACH))
			h->point[n++] = p;
	}
	h->n = n;
	for (size_t i = 0; i < n; i++)
		if ((!best || less_likely(&h->point[i], best)) && is_fundamental(h, &h->point[i]))
			best = &h->point[i];
	return best;
}

static double tooth_power(const struct nf_spectrum_series *s, double place, size_t m)
{
	size_t k = (size_t)((double)m * place + 0.5), last = s->n / 2;

	return s->power[k < last ? k : last];
}

/* Median over multiples from .. to; 0: none. */
static double median_power(const struct nf_spectrum_series *s, double place, size_t from, size_t to)
{
	double p[BESIDE];
	size_t n = 0;

	for (size_t m = from; m <= to; m++)
		p[n++] = tooth_power(s, place, m);
	if (n == 0)
		return 0;
	const size_t middle[2] = { (n - 1) / 2, n / 2 };

	nf_multiselect(p, n, middle, middle[0] == middle[1] ? 1 : 2);
	return (p[middle[0]] + p[middle[1]]) / 2;
}

bool nf_spectrum_tooth_towers(const struct nf_spectrum_series *s, double place, size_t m)
{
	size_t top = (size_t)((double)(s->n / 2) / place);
	size_t above = m + BESIDE < top ? m + BESIDE : top;

	if (m <= 1)
		return false;
	return tooth_power(s, place, m) >
	       NF_SPECTRUM_HARMONIC *
	               fmax(median_power(s, place, m > BESIDE ? m - BESIDE : 1, m - 1),
	                    median_power(s, place, m + 1, above));
}

/* From where each tooth is; the higher ones and the stronger ones tell more. */
static double refine(const struct nf_spectrum_combs *h, const struct point *p)
{
	double place = (double)p->num / (2 * (double)p->grid), num = 0, den = 0;
	double slack = 1 / (double)p->grid; /* the highest tooth may be a bin beside */

	for (size_t m = 1; m <= p->n_teeth; m++) {
		size_t k = tooth_bin(p, m);
		double w;

		if (h->used[k] || nf_spectrum_tooth_towers(h->s, place, m))
			continue;
		if (k > 0 && h->s->power[k - 1] > h->s->power[k])
			k--;
		else if (k < h->last && h->s->power[k + 1] > h->s->power[k])
			k++;
		double at = nf_spectrum_series_place(h->s, k, &w);

		num += w * (double)m * at;
		den += w * (double)m * (double)m;
	}
	return den > 0 ? fmin(fmax(num / den, place - slack), place + slack) : place;
}

void nf_spectrum_combs_use(struct nf_spectrum_combs *h, size_t k)
{
	for (size_t i = k - (k < LOBE ? k : LOBE); i <= k + LOBE && i <= h->last; i++)
		h->used[i] = true;
}

/* All multiples, the ones that were not looked at too. */
static void use_comb(struct nf_spectrum_combs *h, const struct point *p, double place)
{
	for (size_t m = 1; m <= p->n_teeth; m++)
		nf_spectrum_combs_use(h, tooth_bin(p, m));
	for (size_t m = 1; (double)m * place <= (double)h->last; m++)
		nf_spectrum_combs_use(h, (size_t)((double)m * place + 0.5));
}

int nf_spectrum_combs_new(const struct nf_spectrum_series *s, struct nf_spectrum_combs **ret,
                          struct nf_err *err)
{
	struct nf_spectrum_combs *h = calloc(1, sizeof(*h));
	int rc;

	if (!h)
		return nf_fail_nomem(err, "the combs", sizeof(*h));
	h->s = s;
	h->last = s->n / 2;
	h->ln_tests = log(fmax(count_points(h->last), 1));
	h->used = calloc(h->last + 1, sizeof(*h->used));
	h->limited = calloc(h->last + 1, sizeof(*h->limited));
	if (!h->used || !h->limited) {
		rc = nf_fail_nomem(err, "the combs", (h->last + 1) * sizeof(*h->limited));
		goto out;
	}
	for (size_t k = 0; k <= h->last; k++) {
		h->used[k] = k < s->first;
		h->limited[k] = fminf(s->surprise[k], MOST_SURPRISE);
	}
	rc = look(h, err);
out:
	if (rc == 0)
		*ret = h;
	else
		nf_spectrum_combs_free(h);
	return rc;
}

bool nf_spectrum_combs_next(struct nf_spectrum_combs *h, struct nf_spectrum_comb *ret)
{
	const struct point *p = best_point(h);

	if (!p)
		return false;
	*ret = (struct nf_spectrum_comb){ refine(h, p), p->n_teeth, exp(p->ln) };
	use_comb(h, p, ret->place);
	return true;
}

void nf_spectrum_combs_free(struct nf_spectrum_combs *h)
{
	if (!h)
		return;
	free(h->point);
	free(h->used);
	free(h->limited);
	free(h);
}
