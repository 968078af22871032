/* SPDX-License-Identifier: MIT */
#include "mpi/place.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MASK_BYTES = NF_CPU_MAX / 8, LIST_BYTES = 1 << 19 };

int nf_mpi_current_cpu(int *ret_node)
{
	unsigned cpu = 0, node = 0;

	if (getcpu(&cpu, &node) < 0) {
		cpu = (unsigned)-1;
		node = (unsigned)-1;
	}
	if (ret_node)
		*ret_node = (int)node;
	return (int)cpu;
}

static int read_mask(struct nf_cpuset *ret, struct nf_err *err)
{
	unsigned long *mask = calloc(1, MASK_BYTES);
	const unsigned bits = 8 * sizeof(*mask);
	int r = 0;

	if (!mask)
		return nf_fail_nomem(err, "a CPU mask", MASK_BYTES);
	nf_cpuset_init(ret);
	if (sched_getaffinity(0, MASK_BYTES, (cpu_set_t *)(void *)mask) < 0)
		r = nf_fail_os(err, errno, "reading the affinity mask");
	for (int cpu = 0; cpu < NF_CPU_MAX && r == 0; cpu++)
		if (mask[(unsigned)cpu / bits] >> ((unsigned)cpu % bits) & 1)
			r = nf_cpuset_add(ret, cpu, err);
	free(mask);
	if (r < 0)
		nf_cpuset_fini(ret);
	return r;
}

/* Binds to the i-th CPU of the mask, going round. */
static int bind_to(const struct nf_cpuset *cpus, size_t i, struct nf_err *err)
{
	unsigned long *mask = calloc(1, MASK_BYTES);
	const unsigned bits = 8 * sizeof(*mask);
	int cpu = nf_cpuset_next(cpus, -1), r = 0;

	if (!mask)
		return nf_fail_nomem(err, "a CPU mask", MASK_BYTES);
	for (i %= nf_cpuset_count(cpus); i > 0; i--)
		cpu = nf_cpuset_next(cpus, cpu);
	mask[(unsigned)cpu / bits] |= 1UL << ((unsigned)cpu % bits);
	if (sched_setaffinity(0, MASK_BYTES, (cpu_set_t *)(void *)mask) < 0)
		r = nf_fail_os(err, errno, "--pin: binding to CPU %d", cpu);
	free(mask);
	return r;
}

static int print_cpus(struct nf_mpi_place *p, struct nf_err *err)
{
	struct nf_buf list;

	nf_buf_init(&list, LIST_BYTES);
	(void)nf_cpuset_print(&p->cpus, &list);
	int r = nf_buf_failed(&list, "a CPU list", err);
	if (r == 0) {
		int n = snprintf(p->text, sizeof(p->text), "%s", list.data);

		if (n >= (int)sizeof(p->text))
			memcpy(p->text + sizeof(p->text) - 4, "...", 4);
	}
	nf_buf_fini(&list);
	return r;
}

int nf_mpi_place_read(const struct nf_mpi *m, bool pin, struct nf_mpi_place *ret,
                      struct nf_err *err)
{
	struct nf_mpi_place p = { .node = -1 };
	int r = read_mask(&p.cpus, err);

	if (r < 0)
		return r;
	if (pin && nf_cpuset_count(&p.cpus) > 1) {
		r = bind_to(&p.cpus, (size_t)m->node_rank, err);
		nf_cpuset_fini(&p.cpus);
		if (r == 0)
			r = read_mask(&p.cpus, err);
		if (r < 0)
			return r;
	}
	p.unbound = nf_cpuset_count(&p.cpus) > 1;
	p.cpu = nf_mpi_current_cpu(&p.node);
	r = print_cpus(&p, err);
	if (r < 0) {
		nf_cpuset_fini(&p.cpus);
		return r;
	}
	*ret = p;
	return 0;
}

int nf_mpi_place_compare(const struct nf_mpi *m, struct nf_mpi_place *p, struct nf_err *err)
{
	int own_words = (int)p->cpus.n_words, words = 0, r = 0;

	MPI_Allreduce(&own_words, &words, 1, MPI_INT, MPI_MAX, m->node);
	/* Per CPU: ranks that are bound to it, and ranks that may run on it. */
	size_t n_cpus = 64 * (size_t)words;
	int *own = calloc(2 * n_cpus, sizeof(*own)), *all = calloc(2 * n_cpus, sizeof(*all));

	if (!own || !all)
		r = nf_fail_nomem(err, "the node's CPUs", 4 * n_cpus * sizeof(*own));
	r = nf_mpi_agree(m, r, err);
	if (r < 0 || !own || !all)
		goto out;
	for (int cpu = -1; (cpu = nf_cpuset_next(&p->cpus, cpu)) >= 0;) {
		own[n_cpus + (size_t)cpu] = 1;
		if (!p->unbound)
			own[cpu] = 1;
	}
	MPI_Allreduce(own, all, (int)(2 * n_cpus), MPI_INT, MPI_SUM, m->node);
	int usable = 0;
	for (size_t cpu = 0; cpu < n_cpus; cpu++)
		usable += all[n_cpus + cpu] > 0;
	p->sharing = p->unbound ? m->node_size > usable : all[nf_cpuset_next(&p->cpus, -1)] > 1;
out:
	free(own);
	free(all);
	return r;
}

void nf_mpi_place_fini(struct nf_mpi_place *p)
{
	nf_cpuset_fini(&p->cpus);
}
