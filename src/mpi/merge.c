/* SPDX-License-Identifier: MIT */
#include "mpi/merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/summary.h"
#include "samples/histogram_packed.h"

int64_t nf_mpi_ticks_to_ps(int64_t ticks, double hz)
{
	double ps = (double)ticks * (1e12 / hz);

	if (!(ps > 0))
		return 0;
	return ps >= (double)NF_MPI_PS_MAX ? NF_MPI_PS_MAX : llround(ps);
}

static int fill_histogram(const struct nf_stream *s, struct nf_mpi_merged *ret, struct nf_err *err)
{
	struct nf_hist *h = NULL;
	int r = nf_hist_new(NF_MPI_HIST_ERROR, &h, err);

	for (size_t i = 0; i < s->n && r == 0; i++) {
		int64_t ps = nf_mpi_ticks_to_ps(s->value[i], s->tick_hz);

		ret->clipped += ps == NF_MPI_PS_MAX;
		r = nf_hist_add(h, (uint64_t)ps, 1, err);
	}
	if (r == 0)
		nf_hist_pack(h, ret->hist);
	nf_hist_free(h);
	return r;
}

static void fill_rank(const struct nf_mpi *m, const struct nf_mpi_place *place,
                      const struct nf_mpi_measured *got, const struct nf_summary *s,
                      struct nf_mpi_rank *ret)
{
	*ret = (struct nf_mpi_rank){
		.rank = m->rank,
		.cpu = got->moved ? -1 : got->cpu,
		.node = got->stream.node,
		.unbound = place->unbound,
		.sharing = place->sharing,
		.n = s->n,
		.min_ns = s->min,
		.median_ns = s->median,
		.p99_ns = s->percentile[4].value,
		.max_ns = s->max,
		.mean_ns = s->mean,
		.sd_ns = s->has_sd ? s->sd : -1,
		.noise_ratio = 1 - s->min / s->mean,
		.dropped = got->stream.n_dropped,
		.faults = got->faults,
		.involuntary_switches = got->involuntary_switches,
		.wall_ns = got->wall_ns,
	};
	memcpy(ret->host, m->host, sizeof(ret->host));
	memcpy(ret->cpus, place->text, sizeof(ret->cpus));
}

int nf_mpi_merge_own(const struct nf_mpi *m, const struct nf_mpi_place *place,
                     const struct nf_mpi_measured *got, struct nf_mpi_rank *ret_rank,
                     struct nf_mpi_merged *ret, struct nf_err *err)
{
	const struct nf_stream *st = &got->stream;
	struct nf_summary s;
	int r = nf_summarize_i64(st->value, st->n, 1e9 / st->tick_hz, &s, err);

	if (r < 0)
		return r;
	if (!(s.min > 0))
		return nf_fail(
		        err, NF_EDATA,
		        "a quantum that took no time: more --work is needed with this clock");
	fill_rank(m, place, got, &s, ret_rank);
	memset(ret, 0, sizeof(*ret)); /* padding too: the block is sent as bytes */
	ret->ranks = 1;
	ret->n = s.n;
	ret->mean_ns = s.mean;
	ret->m2 = s.has_sd ? s.sd * s.sd * (double)(s.n - 1) : 0;
	ret->floor_ns = (double)s.n * s.min;
	ret->total_ns = (double)s.n * s.mean;
	ret->rank_mean_min_ns = ret->rank_mean_max_ns = s.mean;
	ret->hz_min = ret->hz_max = st->tick_hz;
	ret->unbound = place->unbound;
	ret->moved = got->moved;
	ret->sharing = place->sharing;
	ret->dropped = st->n_dropped;
	ret->faults = got->faults;
	ret->involuntary_switches = got->involuntary_switches;
	ret->wall_ns = got->wall_ns;
	ret->stop = *m->stop;
	ret->n_slow = 1;
	ret->slow[0] = *ret_rank;
	return fill_histogram(st, ret, err);
}

static bool slower(const struct nf_mpi_rank *a, const struct nf_mpi_rank *b)
{
	return a->mean_ns > b->mean_ns || (a->mean_ns == b->mean_ns && a->rank < b->rank);
}

/* The first NF_MPI_SLOWEST of two sorted lists. */
static void merge_slow(struct nf_mpi_merged *dst, const struct nf_mpi_merged *src)
{
	struct nf_mpi_rank both[NF_MPI_SLOWEST] = { { 0 } };
	size_t n = 0, i = 0, k = 0;

	while (n < NF_MPI_SLOWEST && (i < dst->n_slow || k < src->n_slow)) {
		bool own = k >= src->n_slow ||
		           (i < dst->n_slow && slower(&dst->slow[i], &src->slow[k]));

		both[n++] = own ? dst->slow[i++] : src->slow[k++];
	}
	memcpy(dst->slow, both, n * sizeof(both[0]));
	dst->n_slow = n;
}

/* Mean and m2 of two sets from those of each: Chan, Golub, LeVeque, Algorithms for computing the sample
 * variance, The American Statistician 37(3), 1983. */
static void merge_moments(struct nf_mpi_merged *dst, const struct nf_mpi_merged *src)
{
	double a = (double)dst->n, b = (double)src->n, distance = src->mean_ns - dst->mean_ns;

	dst->mean_ns += distance * (b / (a + b));
	dst->m2 += src->m2 + distance * distance * (a * b / (a + b));
	dst->n += src->n;
}

void nf_mpi_merge(struct nf_mpi_merged *dst, const struct nf_mpi_merged *src)
{
	merge_moments(dst, src);
	merge_slow(dst, src);
	dst->ranks += src->ranks;
	dst->floor_ns += src->floor_ns;
	dst->total_ns += src->total_ns;
	dst->rank_mean_min_ns = fmin(dst->rank_mean_min_ns, src->rank_mean_min_ns);
	dst->rank_mean_max_ns = fmax(dst->rank_mean_max_ns, src->rank_mean_max_ns);
	dst->hz_min = fmin(dst->hz_min, src->hz_min);
	dst->hz_max = fmax(dst->hz_max, src->hz_max);
	dst->unbound += src->unbound;
	dst->moved += src->moved;
	dst->sharing += src->sharing;
	dst->dropped += src->dropped;
	dst->clipped += src->clipped;
	dst->faults += src->faults;
	dst->involuntary_switches += src->involuntary_switches;
	dst->wall_ns = src->wall_ns > dst->wall_ns ? src->wall_ns : dst->wall_ns;
	dst->stop = src->stop.signo > dst->stop.signo ? src->stop : dst->stop;
	nf_hist_packed_merge(dst->hist, src->hist);
}

static void merge_op(void *in, void *inout, int *len, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *len; i++)
		nf_mpi_merge((struct nf_mpi_merged *)inout + i, (struct nf_mpi_merged *)in + i);
}

void nf_mpi_merge_reduce(MPI_Comm comm, const struct nf_mpi_merged *own, struct nf_mpi_merged *ret)
{
	MPI_Datatype block;
	MPI_Op op;

	/* Bytes: every rank runs this program on the same kind of machine. */
	MPI_Type_contiguous((int)sizeof(*own), MPI_BYTE, &block);
	MPI_Type_commit(&block);
	MPI_Op_create(merge_op, 1, &op);
	MPI_Reduce(own, ret, 1, block, op, 0, comm);
	MPI_Op_free(&op);
	MPI_Type_free(&block);
}
