/* SPDX-License-Identifier: MIT */
#include "stats/select.h"

#include <math.h>
#include <string.h>

enum {
	BLOCK = 1024, /* values looked at together: they stay in the first-level cache */
	SPLITTERS = 2 * NF_ORDERS_MAX,
	TABLE = 64, /* power of two above SPLITTERS */
	CLASSES = 2 * SPLITTERS + 1,
};

static const size_t copied = (size_t)1 << 20;

void nf_source_load(const struct nf_source *s, size_t start, size_t n, double *ret)
{
	if (s->f64)
		memcpy(ret, s->f64 + start, n * sizeof(*ret));
	else
		for (size_t i = 0; i < n; i++)
			ret[i] = (double)s->i64[start + i] * s->factor;
	if (s->deviation)
		for (size_t i = 0; i < n; i++)
			ret[i] = fabs(ret[i] - s->centre);
}

static double at(const struct nf_source *s, size_t i)
{
	double v;

	nf_source_load(s, i, 1, &v);
	return v;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* --- splitters ------------------------------------------------------------------------------- */

/* Splitters cut the line into classes: class 2j is open, between splitters j - 1 and j; class 2j + 1
 * is equal to splitter j. Values of kept classes go to the scratch, all others are only counted. */
struct classes {
	double split[TABLE]; /* ascending, distinct; padded with infinity */
	size_t n_split;
	uint8_t kept[CLASSES];
	size_t count[CLASSES];
};

/* One value from each run of n / m, at a pseudo-random place in it: what is periodic in the samples
 * must not meet a period of ours. */
static void take_sample(const struct nf_source *s, size_t n, double *ret, size_t m)
{
	size_t stride = n / m;
	uint64_t z = n;

	for (size_t i = 0; i < m; i++) {
		/* The middle bits of a 64-bit linear congruential generator (Knuth's MMIX). */
		z = z * 6364136223846793005u + 1442695040888963407u;
		ret[i] = at(s, i * stride + (size_t)((z >> 33) % stride));
	}
}

/* Sample ranks around a rank of the whole: five standard deviations of a binomial on each side. -1 and
 * m stand for no bound on that side. order is sorted. Returns the number of brackets. */
static size_t brackets(const struct nf_order *order, size_t n_orders, size_t n, size_t m,
                       long (*ret)[2])
{
	size_t n_ret = 0;

	for (size_t i = 0; i < n_orders; i++) {
		double q = ((double)order[i].rank + 0.5) / (double)n, c = q * (double)m;
		double d = 5 * sqrt(c * (1 - q)) + 3;
		long lo = c - d < 0 ? -1 : (long)(c - d);
		long hi = c + d >= (double)m ? (long)m : (long)(c + d);

		if (n_ret > 0 && lo <= ret[n_ret - 1][1]) {
			if (hi > ret[n_ret - 1][1])
				ret[n_ret - 1][1] = hi;
		} else {
			ret[n_ret][0] = lo;
			ret[n_ret++][1] = hi;
		}
	}
	return n_ret;
}

static void choose_splitters(struct classes *k, const struct nf_order *order, size_t n_orders,
                             size_t n, double *sample, size_t m)
{
	long br[NF_ORDERS_MAX][2];
	size_t pos[SPLITTERS], n_pos = 0;
	size_t n_br = brackets(order, n_orders, n, m, br);

	for (size_t i = 0; i < n_br; i++)
		for (size_t side = 0; side < 2; side++)
			if (br[i][side] >= 0 && br[i][side] < (long)m)
				pos[n_pos++] = (size_t)br[i][side];
	nf_multiselect(sample, m, pos, n_pos);

	k->n_split = 0;
	for (size_t i = 0; i < n_pos; i++)
		if (k->n_split == 0 || sample[pos[i]] > k->split[k->n_split - 1])
			k->split[k->n_split++] = sample[pos[i]];
	for (size_t i = k->n_split; i < TABLE; i++)
		k->split[i] = (double)INFINITY;

	memset(k->kept, 0, sizeof(k->kept));
	memset(k->count, 0, sizeof(k->count));
	for (size_t i = 0; i < n_br; i++) {
		double lo = br[i][0] < 0 ? -(double)INFINITY : sample[br[i][0]];
		double hi = br[i][1] >= (long)m ? (double)INFINITY : sample[br[i][1]];

		for (size_t j = 0; j <= k->n_split; j++) {
			double below = j == 0 ? -(double)INFINITY : k->split[j - 1];

			if (below >= lo && k->split[j] <= hi)
				k->kept[2 * j] = 1;
		}
	}
}

/* The class of each value by binary search; `levels` is a constant where it is called. */
static inline __attribute__((always_inline)) void
classify_by(const struct classes *k, const double *x, size_t n, uint8_t *ret, unsigned levels)
{
	for (size_t i = 0; i < n; i++) {
		size_t c = 0; /* splitters <= x[i] */

		for (unsigned l = levels; l-- > 0;)
			c += (size_t)(k->split[c + ((size_t)1 << l) - 1] <= x[i]) << l;

		size_t prev = c - (c > 0);

		ret[i] = (uint8_t)(2 * c - (size_t)((c > 0) & (k->split[prev] == x[i])));
	}
}

static void classify(const struct classes *k, const double *x, size_t n, uint8_t *ret)
{
	if (k->n_split < 4)
		classify_by(k, x, n, ret, 2);
	else if (k->n_split < 8)
		classify_by(k, x, n, ret, 3);
	else if (k->n_split < 16)
		classify_by(k, x, n, ret, 4);
	else
		classify_by(k, x, n, ret, 6);
}

/* Counts every value's class and keeps those of the kept ones. Returns how many were kept, or
 * SIZE_MAX when there were more than max (the counts are right all the same). */
static size_t count_and_keep(const struct nf_source *s, size_t n, struct classes *k, double *ret,
                             size_t max)
{
	double x[BLOCK];
	uint8_t cls[BLOCK];
	size_t count[4][CLASSES] = { 0 }; /* in turn: the same counter twice in a row would wait */
	size_t n_kept = 0;

	for (size_t start = 0; start < n; start += BLOCK) {
		size_t len = smaller(BLOCK, n - start);

		nf_source_load(s, start, len, x);
		classify(k, x, len, cls);
		for (size_t i = 0; i < len; i++)
			count[i % 4][cls[i]]++;
		if (n_kept > max - len) /* also SIZE_MAX */
			n_kept = SIZE_MAX;
		else
			for (size_t i = 0; i < len; i++) {
				ret[n_kept] = x[i];
				n_kept += k->kept[cls[i]];
			}
	}
	for (size_t c = 0; c < CLASSES; c++)
		k->count[c] = count[0][c] + count[1][c] + count[2][c] + count[3][c];
	return n_kept;
}

/* --- by digits ------------------------------------------------------------------------------- */

/* Bits in the order of the values; both zeros are one value. */
static uint64_t key_of(double v)
{
	uint64_t b;

	v += 0.0; /* -0.0 + 0.0 is 0.0 */
	memcpy(&b, &v, sizeof(b));
	return b >> 63 ? ~b : b | (uint64_t)1 << 63;
}

static double value_of(uint64_t key)
{
	uint64_t b = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
	double v;

	memcpy(&v, &b, sizeof(v));
	return v;
}

static void select_by_digits(const struct nf_source *s, size_t n, struct nf_order *order)
{
	uint64_t prefix = 0, mask = 0; /* what is known of the key, and which bits */
	size_t below = 0;

	for (int shift = 56; shift >= 0; shift -= 8) {
		size_t count[256] = { 0 };
		double x[BLOCK];

		for (size_t start = 0; start < n; start += BLOCK) {
			size_t len = smaller(BLOCK, n - start);

			nf_source_load(s, start, len, x);
			for (size_t i = 0; i < len; i++) {
				uint64_t key = key_of(x[i]);

				count[key >> shift & 255] += (key & mask) == prefix;
			}
		}

		uint64_t digit = 0;

		while (digit < 255 && below + count[digit] <= order->rank)
			below += count[digit++];
		prefix |= digit << shift;
		mask |= (uint64_t)255 << shift;
	}
	order->value = value_of(prefix);
	order->n_below = below;
}

/* --- putting it together --------------------------------------------------------------------- */

/* Selects in a[0..n); base is the rank of its smallest value in the whole array, offset[i] the place
 * of order[i] in it. Both ascending. */
static void select_in(double *a, size_t n, struct nf_order *const *order, const size_t *place,
                      size_t n_orders)
{
	size_t from = 0, equal = 0;

	nf_multiselect(a, n, place, n_orders);
	for (size_t i = 0; i < n_orders; i++) {
		double v = a[place[i]];

		/* Between two selected places everything is at least the lower one's value. */
		if (i > 0 && v > a[place[i - 1]])
			equal = 0;
		for (; from < place[i]; from++)
			equal += a[from] == v;
		order[i]->value = v;
		order[i]->n_below = order[i]->rank - equal;
	}
}

static void select_by_sample(const struct nf_source *s, size_t n, struct nf_order *order,
                             size_t n_orders, double *scratch, size_t n_scratch)
{
	struct classes k;
	size_t m = smaller(n_scratch, n / 64 > 131072 ? n / 64 : 131072);

	m = smaller(m, n);
	take_sample(s, n, scratch, m);
	choose_splitters(&k, order, n_orders, n, scratch, m);

	size_t n_kept = count_and_keep(s, n, &k, scratch, n_scratch);
	struct nf_order *in[NF_ORDERS_MAX];
	size_t place[NF_ORDERS_MAX], n_in = 0;

	for (size_t i = 0, c = 0, below = 0, kept_below = 0; i < n_orders; i++) {
		while (below + k.count[c] <= order[i].rank) {
			kept_below += k.kept[c] ? k.count[c] : 0;
			below += k.count[c++];
		}
		if (c % 2) {
			order[i].value = k.split[c / 2];
			order[i].n_below = below;
		} else if (k.kept[c] && n_kept != SIZE_MAX) {
			place[n_in] = kept_below + (order[i].rank - below);
			in[n_in++] = &order[i];
		} else {
			select_by_digits(s, n, &order[i]);
		}
	}
	if (n_in > 0)
		select_in(scratch, n_kept, in, place, n_in);
}

size_t nf_select_scratch(size_t n)
{
	size_t min = 2 * BLOCK;

	if (n <= copied)
		return n > min ? n : min;
	return n / 12;
}

void nf_select(const struct nf_source *s, size_t n, struct nf_order *order, size_t n_orders,
               double *scratch, size_t n_scratch)
{
	for (size_t i = 1; i < n_orders; i++)
		for (size_t j = i; j > 0 && order[j].rank < order[j - 1].rank; j--) {
			struct nf_order t = order[j];

			order[j] = order[j - 1];
			order[j - 1] = t;
		}
	if (n > n_scratch) {
		select_by_sample(s, n, order, n_orders, scratch, n_scratch);
		return;
	}

	struct nf_order *in[NF_ORDERS_MAX];
	size_t place[NF_ORDERS_MAX];

	for (size_t i = 0; i < n_orders; i++) {
		in[i] = &order[i];
		place[i] = order[i].rank;
	}
	nf_source_load(s, 0, n, scratch);
	select_in(scratch, n, in, place, n_orders);
}
