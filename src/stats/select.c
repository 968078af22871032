/* SPDX-License-Identifier: MIT */
#include "stats/select.h"

#include <math.h>
#include <string.h>

enum {
	BLOCK = 1024, /* values looked at together: they stay in the first-level cache */
	SPLITTERS = 2 * NF_ORDERS_MAX,
	CUTS = 2 * SPLITTERS,
	CLASSES = CUTS + 1,
};

/* Two values next to each other, and the result of comparing them: -1 for true. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_mask __attribute__((vector_size(16)));

static const size_t copied = (size_t)1 << 20;

static pair pair_at(const double *x)
{
	pair p;

	memcpy(&p, x, sizeof(p));
	return p;
}

/* |x - centre|; ret may be x. */
static void take_distances(const double *x, size_t n, double centre, double *ret)
{
	const pair_mask no_sign = { INT64_MAX, INT64_MAX };
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		pair v = (pair)((pair_mask)(pair_at(x + i) - centre) & no_sign);

		memcpy(ret + i, &v, sizeof(v));
	}
	for (; i < n; i++)
		ret[i] = fabs(x[i] - centre);
}

void nf_source_load(const struct nf_source *s, size_t start, size_t n, double *ret)
{
	const double *x = ret;

	if (s->i64) {
		for (size_t i = 0; i < n; i++)
			ret[i] = (double)s->i64[start + i] * s->factor;
	} else {
		x = s->f64 + start;
	}
	if (s->deviation)
		take_distances(x, n, s->centre, ret);
	else if (x != ret)
		memcpy(ret, x, n * sizeof(*ret));
}

const double *nf_source_block(const struct nf_source *s, size_t start, size_t n, double *room)
{
	if (s->f64 && !s->deviation)
		return s->f64 + start;
	nf_source_load(s, start, n, room);
	return room;
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

/* --- classes ------------------------------------------------------------------------------- */

/* Cuts divide the line into classes: class i is from cut i - 1 up to, and without, cut i. A splitter
 * gives a cut; one that occurs more than once in the sample, and so may be very frequent, a second one
 * just above it, for a class of its own. Values of kept classes go to the scratch, all others are only
 * counted. */
struct classes {
	double cut[CLASSES]; /* n_cuts, ascending, distinct; then infinity */
	size_t n_cuts;
	bool single[CLASSES]; /* holds one value only, its lower cut */
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

static void add_cut(struct classes *k, double at)
{
	if (k->n_cuts == 0 || at > k->cut[k->n_cuts - 1])
		k->cut[k->n_cuts++] = at;
}

static bool occurs_again(const double *a, size_t from, size_t to, double v)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += a[i] == v;
	return n > 1;
}

static void choose_cuts(struct classes *k, const struct nf_order *order, size_t n_orders, size_t n,
                        double *sample, size_t m)
{
	long br[NF_ORDERS_MAX][2];
	size_t pos[SPLITTERS] = { 0 }, n_pos = 0;
	size_t n_br = brackets(order, n_orders, n, m, br);

	for (size_t i = 0; i < n_br; i++)
		for (size_t side = 0; side < 2; side++)
			if (br[i][side] >= 0 && br[i][side] < (long)m)
				pos[n_pos++] = (size_t)br[i][side];
	nf_multiselect(sample, m, pos, n_pos);

	memset(k, 0, sizeof(*k));
	for (size_t i = 0; i < n_pos; i++) {
		double v = sample[pos[i]];
		/* Equals of v stand between the places selected before and after it. */
		size_t from = i > 0 ? pos[i - 1] : 0, to = i + 1 < n_pos ? pos[i + 1] + 1 : m;

		add_cut(k, v);
		if (occurs_again(sample, from, to, v)) {
			add_cut(k, nextafter(v, (double)INFINITY));
			k->single[k->n_cuts - 1] = true;
		}
	}
	k->cut[k->n_cuts] = (double)INFINITY;
	for (size_t i = 0; i < n_br; i++) {
		double lo = br[i][0] < 0 ? -(double)INFINITY : sample[br[i][0]];
		double hi = br[i][1] >= (long)m ? (double)INFINITY : sample[br[i][1]];

		for (size_t c = 0; c <= k->n_cuts; c++) {
			double from = c == 0 ? -(double)INFINITY : k->cut[c - 1];

			if (from >= lo && k->cut[c] <= hi && !k->single[c])
				k->kept[c] = 1;
		}
	}
}

/* The class of each value: how many cuts are at most it. Comparing with all of them, two values at a
 * time, is faster than a search. */
static void classify(const struct classes *k, const double *x, size_t n, uint8_t *ret)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		pair a = pair_at(x + i), b = pair_at(x + i + 2);
		pair c = pair_at(x + i + 4), d = pair_at(x + i + 6);
		pair_mask na = { 0 }, nb = { 0 }, nc = { 0 }, nd = { 0 };

		for (size_t j = 0; j < k->n_cuts; j++) {
			pair cut = { k->cut[j], k->cut[j] };

			na -= a >= cut;
			nb -= b >= cut;
			nc -= c >= cut;
			nd -= d >= cut;
		}
		ret[i] = (uint8_t)na[0];
		ret[i + 1] = (uint8_t)na[1];
		ret[i + 2] = (uint8_t)nb[0];
		ret[i + 3] = (uint8_t)nb[1];
		ret[i + 4] = (uint8_t)nc[0];
		ret[i + 5] = (uint8_t)nc[1];
		ret[i + 6] = (uint8_t)nd[0];
		ret[i + 7] = (uint8_t)nd[1];
	}
	for (; i < n; i++) {
		ret[i] = 0;
		for (size_t j = 0; j < k->n_cuts; j++)
			ret[i] = (uint8_t)(ret[i] + (x[i] >= k->cut[j]));
	}
}

/* Counts the classes of a block and keeps its values of kept classes; returns how many. Four tables of
 * counters in turn: the same counter twice in a row would wait for itself. */
static size_t tally(const double *x, const uint8_t *cls, size_t n, const uint8_t *kept,
                    size_t (*count)[CLASSES], double *ret)
{
	size_t i = 0, k = 0;

	for (; i + 4 <= n; i += 4) {
		uint8_t a = cls[i], b = cls[i + 1], c = cls[i + 2], d = cls[i + 3];

		count[0][a]++;
		count[1][b]++;
		count[2][c]++;
		count[3][d]++;
		ret[k] = x[i];
		k += kept[a];
		ret[k] = x[i + 1];
		k += kept[b];
		ret[k] = x[i + 2];
		k += kept[c];
		ret[k] = x[i + 3];
		k += kept[d];
	}
	for (; i < n; i++) {
		count[0][cls[i]]++;
		ret[k] = x[i];
		k += kept[cls[i]];
	}
	return k;
}

/* Counts every value's class and keeps those of the kept ones. Returns how many were kept, or
 * SIZE_MAX when there were more than max (the counts are right all the same). */
static size_t count_and_keep(const struct nf_source *s, size_t n, struct classes *k, double *ret,
                             size_t max)
{
	double room[BLOCK], lost[BLOCK];
	uint8_t cls[BLOCK];
	size_t count[4][CLASSES] = { 0 };
	size_t n_kept = 0;

	for (size_t start = 0; start < n; start += BLOCK) {
		size_t len = smaller(BLOCK, n - start), more;
		const double *x = nf_source_block(s, start, len, room);

		if (n_kept > max - len) /* also SIZE_MAX */
			n_kept = SIZE_MAX;
		classify(k, x, len, cls);
		/* What does not fit is written where nobody reads it. */
		/* cppcheck-suppress legacyUninitvar */
		more = tally(x, cls, len, k->kept, count, n_kept == SIZE_MAX ? lost : ret + n_kept);
		if (n_kept != SIZE_MAX)
			n_kept += more;
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
	choose_cuts(&k, order, n_orders, n, scratch, m);

	size_t n_kept = count_and_keep(s, n, &k, scratch, n_scratch);
	struct nf_order *in[NF_ORDERS_MAX];
	size_t place[NF_ORDERS_MAX], n_in = 0;

	for (size_t i = 0, c = 0, below = 0, kept_below = 0; i < n_orders; i++) {
		while (below + k.count[c] <= order[i].rank) {
			kept_below += k.kept[c] ? k.count[c] : 0;
			below += k.count[c++];
		}
		if (k.single[c]) {
			order[i].value = k.cut[c - 1];
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
