/* SPDX-License-Identifier: MIT */
#include "measure/numa_layout.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rng.h"
#include "noisefloor/budget.h"

enum { NODE_INTERLEAVED = -1, NODE_FIRST_TOUCH = -2 }; /* of nf_topology_mem_alloc() */

/* One group of threads: those of a node. */
struct group {
	size_t n_threads;
	size_t n_rows; /* to reduce */
};

struct share {
	const size_t *thread_node;
	size_t n_threads;
	struct nf_partition *partition; /* owned */
	size_t n_partitions;
	size_t *home; /* owned; the group that reduces each partition */
	struct group *group; /* owned; n_nodes */
};

static void share_fini(struct share *s)
{
	free(s->partition);
	free(s->home);
	free(s->group);
}

/* --- memory --- */

static int add_block(struct nf_numa_layout *l, size_t rows, int os_node, size_t node,
                     struct nf_err *err)
{
	struct nf_numa_block *b = &l->block[l->n_blocks];
	void *p = NULL;
	int rc;

	b->rows = rows;
	b->len_bytes = rows * l->n_samples * sizeof(double);
	b->node = node;
	rc = nf_topology_mem_alloc(l->topo, b->len_bytes, os_node, &p, err);
	if (rc < 0)
		return rc;
	b->p = p;
	l->n_blocks++;
	return 0;
}

static int add_blocks(struct nf_numa_layout *l, const struct share *s, enum nf_placement placement,
                      struct nf_err *err)
{
	int rc = 0;

	if (placement == NF_PLACE_FLAT)
		return add_block(l, l->n_channels, NODE_FIRST_TOUCH, 0, err);
	if (placement == NF_PLACE_INTERLEAVE)
		return add_block(l, l->n_channels, NODE_INTERLEAVED, l->n_nodes, err);
	for (size_t i = 0; i < s->n_partitions && rc == 0; i++) {
		size_t node = l->allowed[(i + (placement == NF_PLACE_REMOTE)) % l->n_allowed];

		rc = add_block(l, s->partition[i].count, nf_topology_node_os_index(l->topo, node),
		               node, err);
	}
	return rc;
}

/* Where a row lies. */
static const double *row_at(const struct nf_numa_layout *l, const struct share *s, size_t partition,
                            size_t row)
{
	if (l->n_blocks == 1)
		return l->block[0].p + (s->partition[partition].start + row) * l->n_samples;
	return l->block[partition].p + row * l->n_samples;
}

/* --- sharing out --- */

/* Each partition to its node's threads, or, where it has none, to the group with the fewest rows. */
static void choose_homes(struct nf_numa_layout *l, struct share *s)
{
	for (size_t i = 0; i < s->n_threads; i++)
		s->group[s->thread_node[i]].n_threads++;
	for (size_t i = 0; i < s->n_partitions; i++) {
		size_t home = l->allowed[i % l->n_allowed];

		if (s->group[home].n_threads == 0) {
			l->n_strayed++;
			for (size_t g = 0; g < l->n_nodes; g++)
				if (s->group[g].n_threads > 0 &&
				    (s->group[home].n_threads == 0 ||
				     s->group[g].n_rows < s->group[home].n_rows))
					home = g;
		}
		s->home[i] = home;
		s->group[home].n_rows += s->partition[i].count;
	}
}

/* The pieces of rows [from, from + count) of what group g reduces, all its partitions one after the other. */
static size_t cut(const struct nf_numa_layout *l, const struct share *s, size_t g, size_t from,
                  size_t count, struct nf_piece *out)
{
	size_t n = 0, at = 0;

	for (size_t i = 0; i < s->n_partitions && count > 0; i++) {
		size_t rows = s->partition[i].count;

		if (s->home[i] != g)
			continue;
		if (from < at + rows) {
			size_t skip = from - at;
			size_t take = rows - skip < count ? rows - skip : count;

			out[n++] = (struct nf_piece){ row_at(l, s, i, skip), take, l->n_samples };
			from += take;
			count -= take;
		}
		at += rows;
	}
	return n;
}

/* The parallel job: thread t of a group takes its part of the group's rows. */
static int share_out(struct nf_numa_layout *l, const struct share *s, struct nf_piece *piece,
                     size_t *first, struct nf_err *err)
{
	size_t n = 0, max_group = 1;
	struct nf_partition *part;
	size_t *next;
	int rc = 0;

	for (size_t g = 0; g < l->n_nodes; g++)
		if (s->group[g].n_threads > max_group)
			max_group = s->group[g].n_threads;
	part = calloc(max_group, sizeof(*part));
	next = calloc(l->n_nodes, sizeof(*next));
	if (!part || !next) {
		rc = nf_fail_nomem(err, "shares of threads", max_group * sizeof(*part));
		goto out;
	}
	for (size_t t = 0; t < s->n_threads; t++) {
		size_t g = s->thread_node[t];

		rc = nf_partition_channels(s->group[g].n_rows, s->group[g].n_threads, part, err);
		if (rc < 0)
			goto out;
		first[t] = n;
		/* There is a node, so there is memory. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
		n += cut(l, s, g, part[next[g]].start, part[next[g]].count, piece + n);
		next[g]++;
	}
	first[s->n_threads] = n;
out:
	free(part);
	free(next);
	return rc;
}

static int make_jobs(struct nf_numa_layout *l, const struct share *s, struct nf_err *err)
{
	/* A thread's part is cut by at most every partition's end: one piece more than cuts. */
	size_t n_parallel = s->n_partitions + s->n_threads;
	size_t n_pieces = n_parallel + s->n_partitions + l->n_blocks;

	l->piece = calloc(n_pieces, sizeof(*l->piece));
	l->first = calloc(s->n_threads + 1 + 2 + 2, sizeof(*l->first));
	if (!l->piece || !l->first)
		return nf_fail_nomem(err, "the list of rows", n_pieces * sizeof(*l->piece));

	struct nf_piece *serial = l->piece + n_parallel;
	struct nf_piece *limit = serial + s->n_partitions;
	size_t *serial_first = l->first + s->n_threads + 1;
	size_t *limit_first = serial_first + 2;
	int rc = share_out(l, s, l->piece, l->first, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < s->n_partitions; i++)
		serial[i] = (struct nf_piece){ row_at(l, s, i, 0), s->partition[i].count,
			                       l->n_samples };
	for (size_t i = 0; i < l->n_blocks; i++)
		limit[i] = (struct nf_piece){ l->block[i].p, l->block[i].rows, l->n_samples };
	serial_first[1] = s->n_partitions;
	limit_first[1] = l->n_blocks;
	l->parallel = (struct nf_team_job){ l->piece, l->first, false };
	l->serial = (struct nf_team_job){ serial, serial_first, false };
	l->limit = (struct nf_team_job){ limit, limit_first, true };
	return 0;
}

static int list_allowed(struct nf_numa_layout *l, struct nf_err *err)
{
	l->allowed = calloc(l->n_nodes, sizeof(*l->allowed));
	if (!l->allowed)
		return nf_fail_nomem(err, "nodes", l->n_nodes * sizeof(*l->allowed));
	for (size_t i = 0; i < l->n_nodes; i++)
		if (nf_topology_node_allowed(l->topo, nf_topology_node_os_index(l->topo, i)))
			l->allowed[l->n_allowed++] = i;
	if (l->n_allowed == 0)
		l->n_allowed = 1;
	return 0;
}

int nf_numa_layout_init(struct nf_numa_layout *ret, const struct nf_topology *topo,
                        const struct nf_numa_cfg *cfg, size_t n_partitions,
                        const size_t *thread_node, size_t n_threads, struct nf_err *err)
{
	size_t n_nodes = nf_topology_n_nodes(topo);
	struct nf_numa_layout l = {
		.n_channels = (size_t)cfg->n_channels,
		.n_samples = (size_t)cfg->n_samples,
		.n_nodes = n_nodes > 0 ? n_nodes : 1,
		.topo = topo,
	};
	struct share s = { .thread_node = thread_node,
		           .n_threads = n_threads,
		           .n_partitions = n_partitions };
	int rc;

	if (cfg->placement == NF_PLACE_REMOTE && nf_topology_n_nodes_allowed(topo) < 2)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "one node: there is no remote memory to place the matrix on; "
		               "it needs a machine with two nodes or more");
	s.partition = calloc(n_partitions, sizeof(*s.partition));
	s.home = calloc(n_partitions, sizeof(*s.home));
	s.group = calloc(l.n_nodes, sizeof(*s.group));
	l.block = calloc(n_partitions, sizeof(*l.block));
	if (!s.partition || !s.home || !s.group || !l.block) {
		rc = nf_fail_nomem(err, "partitions", n_partitions * sizeof(*l.block));
		goto out;
	}
	rc = list_allowed(&l, err);
	if (rc == 0)
		rc = nf_partition_channels(l.n_channels, n_partitions, s.partition, err);
	if (rc < 0)
		goto out;
	choose_homes(&l, &s);
	rc = add_blocks(&l, &s, cfg->placement, err);
	if (rc == 0)
		rc = make_jobs(&l, &s, err);
out:
	share_fini(&s);
	if (rc < 0)
		nf_numa_layout_fini(&l);
	else
		*ret = l;
	return rc;
}

void nf_numa_layout_fini(struct nf_numa_layout *l)
{
	for (size_t i = 0; i < l->n_blocks; i++)
		nf_topology_mem_free(l->topo, l->block[i].p, l->block[i].len_bytes);
	free(l->allowed);
	free(l->block);
	free(l->piece);
	free(l->first);
	*l = (struct nf_numa_layout){ 0 };
}

/* --- content and pages --- */

void nf_numa_layout_fill(struct nf_numa_layout *l, int64_t rate_hz, uint64_t seed)
{
	const double two_pi = 6.283185307179586;
	struct nf_rng rng;
	size_t channel = 0;

	nf_rng_seed(&rng, seed);
	for (size_t b = 0; b < l->n_blocks; b++) {
		double *p = l->block[b].p;

		for (size_t r = 0; r < l->block[b].rows; r++, channel++) {
			/* A quadrature oscillator: no sine per element, no table. */
			double step = two_pi * 10.0 / (double)rate_hz;
			double c = cos(step), s = sin(step);
			double phase = two_pi * nf_rng_unit(&rng);
			double x = 20.0 * cos(phase), y = 20.0 * sin(phase);

			for (size_t i = 0; i < l->n_samples; i++) {
				double turned = x * c - y * s;

				*p++ = y + 20.0 * nf_rng_unit(&rng) - 10.0;
				y = x * s + y * c;
				x = turned;
			}
		}
		l->block[b].locked = mlock(l->block[b].p, l->block[b].len_bytes) == 0;
	}
}

size_t nf_numa_layout_n_pages(const struct nf_numa_layout *l)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), n = 0;

	for (size_t b = 0; b < l->n_blocks; b++)
		n += (l->block[b].len_bytes + page_bytes - 1) / page_bytes;
	return n;
}

/* Whether a block's pages are where they were asked for. Interleaving starts at any node and goes round:
 * counts may differ by one round. */
static bool block_as_asked(const struct nf_numa_layout *l, enum nf_placement placement, size_t node,
                           const size_t *count, size_t total)
{
	if (placement != NF_PLACE_INTERLEAVE)
		return count[node] == total;
	for (size_t i = 0; i < l->n_nodes; i++)
		if (count[i] > 0 &&
		    !nf_topology_node_allowed(l->topo, nf_topology_node_os_index(l->topo, i)))
			return false;
	for (size_t i = 0; i < l->n_allowed; i++) {
		size_t here = count[l->allowed[i]], share = total / l->n_allowed;

		if (here + 1 < share || here > share + 2)
			return false;
	}
	return true;
}

int nf_numa_layout_pages(const struct nf_numa_layout *l, enum nf_placement placement,
                         size_t node_of_filler, struct nf_numa_pages *ret, struct nf_err *err)
{
	struct nf_numa_pages out = { .as_asked = true };
	size_t *count = calloc(l->n_nodes, sizeof(*count));
	int rc = 0;

	out.on_node = calloc(l->n_nodes, sizeof(*out.on_node));
	if (!count || !out.on_node) {
		rc = nf_fail_nomem(err, "page counts", l->n_nodes * sizeof(*count));
		goto out;
	}
	for (size_t b = 0; b < l->n_blocks; b++) {
		const struct nf_numa_block *block = &l->block[b];
		size_t unknown = 0, total = 0;
		size_t node = placement == NF_PLACE_FLAT ? node_of_filler : block->node;

		rc = nf_topology_page_nodes(l->topo, block->p, block->len_bytes, count, &unknown,
		                            err);
		if (rc < 0)
			goto out;
		for (size_t i = 0; i < l->n_nodes; i++) {
			out.on_node[i] += count[i];
			total += count[i];
		}
		out.unknown += unknown;
		if (unknown > 0 || !block_as_asked(l, placement, node, count, total))
			out.as_asked = false;
	}
	*ret = out;
	out.on_node = NULL;
out:
	free(out.on_node);
	free(count);
	return rc;
}
