/* SPDX-License-Identifier: MIT */
#include "measure/numa_bandwidth.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "noisefloor/budget.h"

enum {
	NODE_FIRST_TOUCH = -2,
	READ_BYTES_MIN = 1024 * 1024,
	PAIRS_MAX = 4096,
};
#define ALL_READS_BYTES (UINT64_C(20) << 30) /* about 2 s */

struct nf_numa_reads nf_numa_reads_for(size_t n_nodes)
{
	struct nf_numa_reads r = { NF_NUMA_READ_BYTES, NF_NUMA_READS, n_nodes };
	uint64_t n_pairs, bytes;

	if (n_nodes == 0)
		return r;
	if (n_nodes > PAIRS_MAX / n_nodes)
		r.n_from = n_nodes < PAIRS_MAX ? PAIRS_MAX / n_nodes : 1;
	n_pairs = (uint64_t)r.n_from * n_nodes;
	bytes = ALL_READS_BYTES / n_pairs / (NF_NUMA_READS + 1);
	if (bytes >= NF_NUMA_READ_BYTES)
		return r;
	r.bytes_max = bytes < READ_BYTES_MIN ? READ_BYTES_MIN : (size_t)bytes / 4096 * 4096;
	for (; r.repeats > 1; r.repeats--)
		if (n_pairs * (r.repeats + 1) * r.bytes_max <= ALL_READS_BYTES)
			break;
	return r;
}

int64_t nf_numa_reads_estimate_ns(size_t n_nodes)
{
	const struct nf_numa_reads r = nf_numa_reads_for(n_nodes);
	double bytes =
	        (double)r.n_from * (double)n_nodes * (double)(r.repeats + 1) * (double)r.bytes_max;
	double ns = bytes * 0.1;

	return ns < (double)NF_NUMA_READS_MAX_NS ? (int64_t)ns : NF_NUMA_READS_MAX_NS;
}

static size_t read_bytes(const struct nf_topology *topo, int os_node, size_t bytes_max)
{
	int64_t node_bytes = nf_topology_node_mem_bytes(topo, os_node);
	size_t sixteenth = node_bytes > 0 ? (size_t)node_bytes / 16 : bytes_max;

	if (node_bytes == 0 || !nf_topology_node_allowed(topo, os_node))
		return 0;
	if (sixteenth > bytes_max)
		return bytes_max;
	return sixteenth < READ_BYTES_MIN ? READ_BYTES_MIN : sixteenth / 4096 * 4096;
}

static int make_buffer(struct nf_numa_bandwidth *b, size_t pos, struct nf_err *err)
{
	int os_node = nf_topology_node_os_index(b->topo, pos);
	size_t len = read_bytes(b->topo, os_node, b->reads.bytes_max);
	int rc;

	if (len == 0)
		return 0;
	/* With one node there is nothing to bind to: kernels without NUMA refuse it. */
	rc = nf_topology_mem_alloc(b->topo, len, b->n_nodes > 1 ? os_node : NODE_FIRST_TOUCH,
	                           &b->buffer[pos], err);
	if (rc < 0)
		return rc;
	b->buffer_bytes[pos] = len;

	double *p = b->buffer[pos];

	for (size_t i = 0; i < len / sizeof(double); i++)
		p[i] = 1.0;
	(void)!mlock(p, len);
	return 0;
}

/* Threads of node `from` read the buffer of node `to`, each its share. */
static int add_read(struct nf_numa_bandwidth *b, size_t from, size_t to, const size_t *thread_node,
                    size_t n_threads, struct nf_err *err)
{
	struct nf_piece *piece = b->piece + b->n_reads * n_threads;
	size_t *first = b->first + b->n_reads * (n_threads + 1);
	struct nf_partition *part;
	size_t n_from = 0, n = 0;
	int rc;

	for (size_t t = 0; t < n_threads; t++)
		n_from += thread_node[t] == from;
	if (n_from == 0 || !b->buffer[to])
		return 0;
	part = calloc(n_from, sizeof(*part));
	if (!part)
		return nf_fail_nomem(err, "shares of threads", n_from * sizeof(*part));
	rc = nf_partition_channels(b->buffer_bytes[to] / sizeof(double), n_from, part, err);
	if (rc < 0)
		goto out;
	for (size_t t = 0; t < n_threads; t++) {
		first[t] = n;
		if (thread_node[t] != from)
			continue;
		piece[n] = (struct nf_piece){ (const double *)b->buffer[to] + part[n].start, 1,
			                      part[n].count };
		n++;
	}
	first[n_threads] = n;
	b->read[b->n_reads++] = (struct nf_numa_read){
		.cpu_node = nf_topology_node_os_index(b->topo, from),
		.mem_node = nf_topology_node_os_index(b->topo, to),
		.len_bytes = b->buffer_bytes[to],
		.job = { piece, first, true },
	};
out:
	free(part);
	return rc;
}

int nf_numa_bandwidth_init(struct nf_numa_bandwidth *ret, const struct nf_topology *topo,
                           const size_t *thread_node, size_t n_threads, struct nf_err *err)
{
	size_t n_nodes = nf_topology_n_nodes(topo);
	struct nf_numa_bandwidth b = { .topo = topo,
		                       .n_nodes = n_nodes,
		                       .reads = nf_numa_reads_for(n_nodes) };
	size_t n_pairs, n_first;
	int rc = 0;

	if (__builtin_mul_overflow(b.reads.n_from, n_nodes, &n_pairs) ||
	    __builtin_mul_overflow(n_pairs, n_threads + 1, &n_first))
		return nf_fail(err, NF_EARG, "numa: %zu nodes are too many", n_nodes);
	if (n_nodes == 0)
		goto out;
	b.buffer = calloc(n_nodes, sizeof(*b.buffer));
	b.buffer_bytes = calloc(n_nodes, sizeof(*b.buffer_bytes));
	b.read = calloc(n_pairs, sizeof(*b.read));
	b.piece = calloc(n_first, sizeof(*b.piece));
	b.first = calloc(n_first, sizeof(*b.first));
	if (!b.buffer || !b.buffer_bytes || !b.read || !b.piece || !b.first) {
		rc = nf_fail_nomem(err, "pairs of nodes", n_first * sizeof(*b.piece));
		goto out;
	}
	for (size_t i = 0; i < n_nodes && rc == 0; i++)
		rc = make_buffer(&b, i, err);
	for (size_t i = 0; i < n_pairs && rc == 0; i++)
		rc = add_read(&b, i / n_nodes, i % n_nodes, thread_node, n_threads, err);
out:
	if (rc < 0)
		nf_numa_bandwidth_fini(&b);
	else
		*ret = b;
	return rc;
}

void nf_numa_bandwidth_fini(struct nf_numa_bandwidth *b)
{
	for (size_t i = 0; b->buffer && b->buffer_bytes && i < b->n_nodes; i++)
		nf_topology_mem_free(b->topo, b->buffer[i], b->buffer_bytes[i]);
	free(b->buffer);
	free(b->buffer_bytes);
	free(b->read);
	free(b->piece);
	free(b->first);
	*b = (struct nf_numa_bandwidth){ 0 };
}
