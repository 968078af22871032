/* SPDX-License-Identifier: MIT */
#include "mpi/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "samples/histogram_packed.h"
#include "stats/bsp.h"

const char nf_mpi_claim_ceiling[] =
        "Shows what this work lost on these ranks in this job; not what other work, another "
        "placement "
        "or another day would lose. The cost for larger jobs assumes independent quanta.";

enum { NOTES_MAX = 8 };
static const double percents[] = { 25, 50, 75, 90, 99, 99.9, 99.99 };
static const uint64_t job_sizes[] = { 100, 1000, 10000, 100000, 1000000 };
#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

static int fill_percentiles(struct nf_arena *a, const struct nf_hist *h, struct nf_rec_mpi_body *b,
                            struct nf_err *err)
{
	struct nf_rec_percentile *p = nf_arena_alloc(a, COUNT(percents), sizeof(*p));

	if (!p)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < COUNT(percents); i++) {
		uint64_t ps = 0, n = nf_hist_count(h);
		int r = nf_hist_quantile(h, percents[i] / 100, &ps, err);

		if (r < 0)
			return r;
		double at = ceil(percents[i] / 100 * (double)n * (1 - 0x1p-51));
		p[i] = (struct nf_rec_percentile){
			.p = percents[i],
			.value = (double)ps * 1e-3,
			.n_beyond = n - (uint64_t)(at < 1 ? 1 : at) + 1,
		};
	}
	b->percentiles = (struct nf_list){ p, COUNT(percents) };
	return 0;
}

static int fill_buckets(struct nf_arena *a, const struct nf_hist *h, struct nf_rec_mpi_body *b,
                        struct nf_err *err)
{
	uint64_t lo, hi, count;
	size_t n = 0;

	for (size_t pos = 0; nf_hist_next(h, &pos, &lo, &hi, &count);)
		n++;
	uint64_t *from = nf_arena_alloc(a, n, sizeof(*from));
	uint64_t *to = nf_arena_alloc(a, n, sizeof(*to));
	uint64_t *counts = nf_arena_alloc(a, n, sizeof(*counts));
	if (!from || !to || !counts)
		return nf_arena_failed(a, "record", err);
	n = 0;
	for (size_t pos = 0; nf_hist_next(h, &pos, &lo, &hi, &count); n++) {
		from[n] = lo;
		to[n] = hi < (uint64_t)NF_MPI_PS_MAX ? hi : (uint64_t)NF_MPI_PS_MAX;
		counts[n] = count;
	}
	b->histogram_error = nf_hist_relative_error(h);
	b->bucket_from_ps = (struct nf_list){ from, n };
	b->bucket_to_ps = (struct nf_list){ to, n };
	b->bucket_count = (struct nf_list){ counts, n };
	return 0;
}

static int fill_bsp(struct nf_arena *a, const struct nf_hist *h, double mean_ns,
                    struct nf_rec_mpi_body *b, struct nf_err *err)
{
	struct nf_rec_mpi_bsp *p = nf_arena_alloc(a, COUNT(job_sizes), sizeof(*p));

	if (!p)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < COUNT(job_sizes); i++) {
		struct nf_bsp one;
		int r = nf_bsp_histogram(h, mean_ns * 1e3, job_sizes[i], &one, err);

		if (r < 0)
			return r;
		p[i] = (struct nf_rec_mpi_bsp){
			.ranks = job_sizes[i],
			.step_ns = one.step * 1e-3,
			.to_mean = one.to_mean,
			.to_min = one.to_min,
			.lower_bound = one.lower_bound,
		};
	}
	b->bsp = (struct nf_list){ p, COUNT(job_sizes) };
	return 0;
}

/* Why a rank is slow, as far as its figures tell. */
static const char *reason(struct nf_arena *a, const struct nf_mpi_rank *s, double job_min_ns)
{
	const char *first = "";

	if (s->sharing)
		first = "shares its CPU with other ranks; ";
	else if (s->min_ns > 1.02 * job_min_ns)
		first = nf_arena_printf(a, "its shortest quantum is %.3g %% above the job's; ",
		                        100 * (s->min_ns / job_min_ns - 1));
	return nf_arena_printf(a, "%s%.3g %% noise, %" PRIu64 " forced switch%s%s",
	                       first ? first : "", 100 * s->noise_ratio, s->involuntary_switches,
	                       s->involuntary_switches == 1 ? "" : "es",
	                       s->unbound ? ", not bound" : "");
}

static int fill_slowest(struct nf_arena *a, const struct nf_mpi_merged *all,
                        struct nf_rec_mpi_body *b, struct nf_err *err)
{
	struct nf_rec_mpi_slow *p = nf_arena_alloc(a, all->n_slow, sizeof(*p));

	if (!p)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < all->n_slow; i++) {
		const struct nf_mpi_rank *s = &all->slow[i];

		p[i] = (struct nf_rec_mpi_slow){
			.rank = (uint64_t)s->rank,
			.host = nf_arena_strdup(a, s->host),
			.cpu = s->cpu >= 0 ? nf_some_nat((uint64_t)s->cpu)
			                   : (struct nf_some_nat){ 0 },
			.cpus = nf_arena_strdup(a, s->cpus),
			.mean_ns = s->mean_ns,
			.min_ns = s->min_ns,
			.max_ns = s->max_ns,
			.noise_ratio = s->noise_ratio,
			.involuntary_switches = s->involuntary_switches,
			.shared = s->sharing,
			.what = reason(a, s, b->min_ns),
		};
	}
	b->slowest = (struct nf_list){ p, all->n_slow };
	return nf_arena_failed(a, "record", err);
}

static int fill_notes(struct nf_session *s, const struct nf_mpi_facts *f, struct nf_rec_mpi_body *b,
                      struct nf_err *err)
{
	struct nf_arena *a = &s->arena;
	const char **note = nf_arena_alloc(a, NOTES_MAX, sizeof(*note));
	size_t n = 0;

	if (!note)
		return nf_arena_failed(a, "record", err);
	if (f->all->unbound > 0)
		note[n++] = nf_arena_printf(
		        a,
		        "%" PRIu64 " of %" PRIu64 " ranks may run on several CPUs: the scheduler's "
		        "moves are part of the noise (--pin, or the launcher's binding, fix them)",
		        f->all->unbound, f->all->ranks);
	if (f->all->sharing > 0)
		note[n++] = nf_arena_printf(a,
		                            "%" PRIu64 " of %" PRIu64
		                            " ranks share CPUs with others (oversubscribed): "
		                            "their quanta include each other's turns",
		                            f->all->sharing, f->all->ranks);
	if (s->clock.fallback_reason[0])
		note[n++] = nf_arena_printf(a, "measured on %s: %s", nf_tick_name(s->clock.source),
		                            s->clock.fallback_reason);
	if (!f->nodes_alike)
		note[n++] = "the nodes differ in kernel, command line, CPU model or tick source: "
		            "see nodes/";
	if (f->all->dropped > 0)
		note[n++] = "quanta were dropped: their memory was full before the duration ended";
	b->notes = (struct nf_list){ note, n };
	return nf_arena_failed(a, "record", err);
}

static int fill_files(struct nf_session *s, const struct nf_mpi_facts *f, struct nf_rec_mpi_body *b,
                      struct nf_err *err)
{
	static const char *const tables[] = { "ranks.csv", "nodes.csv" };
	struct nf_arena *a = &s->arena;
	struct nf_rec_file_ref *ref = nf_arena_alloc(a, COUNT(tables), sizeof(*ref));
	char hex[65];
	int r;

	if (!ref)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < COUNT(tables); i++) {
		r = nf_runfolder_digest(s->folder, tables[i], hex, err);
		if (r < 0)
			return r;
		ref[i] = (struct nf_rec_file_ref){ tables[i], nf_arena_strdup(a, hex) };
	}
	b->tables = (struct nf_list){ ref, COUNT(tables) };
	if (!f->samples_file)
		return nf_arena_failed(a, "record", err);
	r = nf_runfolder_digest(s->folder, f->samples_file, hex, err);
	if (r < 0)
		return r;
	struct nf_rec_mpi_samples *samples = nf_arena_alloc(a, 1, sizeof(*samples));
	if (samples)
		*samples = (struct nf_rec_mpi_samples){ f->samples_file, "fwq.rank#",
			                                nf_arena_strdup(a, hex) };
	b->samples = samples;
	return nf_arena_failed(a, "record", err);
}

static void fill_figures(struct nf_session *s, const struct nf_mpi_facts *f,
                         struct nf_rec_mpi_body *b)
{
	const struct nf_mpi_merged *all = f->all;
	char library[128];
	int version = 0, subversion = 0;

	nf_mpi_library(library, sizeof(library));
	MPI_Get_version(&version, &subversion);
	*b = (struct nf_rec_mpi_body){
		.library = nf_arena_strdup(&s->arena, library),
		.standard = nf_arena_printf(&s->arena, "%d.%d", version, subversion),
		.launcher = f->launch->launcher,
		.ranks = all->ranks,
		.nodes = (uint64_t)f->m->n_nodes,
		.nodes_alike = nf_some_bool(f->nodes_alike),
		.pinned = f->params->pin,
		.unbound_ranks = all->unbound,
		.moved_ranks = all->moved,
		.sharing_ranks = all->sharing,
		.kernel = nf_kernels[f->plan->kernel].name,
		.work = f->plan->work,
		.quantum_ns = f->params->work == 0 ? nf_some_real((double)f->params->quantum_ns)
		                                   : (struct nf_some_real){ 0 },
		.samples_asked = f->params->duration_given && !f->params->samples_given
		                         ? 0
		                         : (uint64_t)f->params->samples,
		.duration_ns = f->params->duration_given
		                       ? nf_some_nat((uint64_t)f->params->duration_ns)
		                       : (struct nf_some_nat){ 0 },
		.n = all->n,
		.mean_ns = all->mean_ns,
		.sd_ns = all->n > 1 ? nf_some_real(sqrt(all->m2 / (double)(all->n - 1)))
		                    : (struct nf_some_real){ 0 },
		.noise_ratio = 1 - all->floor_ns / all->total_ns,
		.rank_mean_min_ns = all->rank_mean_min_ns,
		.rank_mean_max_ns = all->rank_mean_max_ns,
		.dropped = all->dropped,
		.clipped = all->clipped,
		.minor_faults = all->faults,
		.involuntary_switches = all->involuntary_switches,
		.tick_hz_min = all->hz_min,
		.tick_hz_max = all->hz_max,
		.wall_ns = (uint64_t)all->wall_ns,
		.own_memory_growth_bytes =
		        f->has_growth ? nf_some_nat(f->growth_bytes) : (struct nf_some_nat){ 0 },
		.stopped_by = nf_stop_name(&all->stop, nf_stop_signo(&all->stop)),
	};
}

int nf_mpi_body_fill(struct nf_session *s, const struct nf_mpi_facts *f,
                     struct nf_rec_mpi_body *ret, struct nf_err *err)
{
	struct nf_hist *h = NULL;
	uint64_t min = 0, max = 0;
	int r = nf_hist_unpack(f->all->hist, &h, err);

	if (r < 0)
		return r;
	fill_figures(s, f, ret);
	r = nf_hist_min(h, &min, err);
	if (r == 0)
		r = nf_hist_max(h, &max, err);
	ret->min_ns = (double)min * 1e-3;
	ret->max_ns = (double)max * 1e-3;
	if (r == 0)
		r = fill_percentiles(&s->arena, h, ret, err);
	if (r == 0)
		r = fill_buckets(&s->arena, h, ret, err);
	if (r == 0)
		r = fill_bsp(&s->arena, h, ret->mean_ns, ret, err);
	nf_hist_free(h);
	if (r == 0)
		r = fill_slowest(&s->arena, f->all, ret, err);
	if (r == 0)
		r = fill_notes(s, f, ret, err);
	return r < 0 ? r : fill_files(s, f, ret, err);
}
