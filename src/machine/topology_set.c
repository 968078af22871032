/* SPDX-License-Identifier: MIT */
/* CPU sets of this project and of hwloc, one made from the other. */
#include "machine/topology_impl.h"

int nf_topology_from_bitmap(hwloc_const_bitmap_t b, struct nf_cpuset *dst, struct nf_err *err)
{
	if (hwloc_bitmap_weight(b) < 0)
		return nf_fail(err, NF_EDATA, "hwloc gave an infinite CPU set");
	for (int i = hwloc_bitmap_first(b); i >= 0; i = hwloc_bitmap_next(b, i)) {
		int r = nf_cpuset_add(dst, i, err);

		if (r < 0)
			return r;
	}
	return 0;
}

int nf_topology_to_bitmap(const struct nf_cpuset *s, hwloc_bitmap_t *ret, struct nf_err *err)
{
	hwloc_bitmap_t b = hwloc_bitmap_alloc();

	if (!b)
		return nf_fail_nomem(err, "a CPU set", s->n_words * sizeof(*s->words));
	for (int i = nf_cpuset_next(s, -1); i >= 0; i = nf_cpuset_next(s, i)) {
		if (hwloc_bitmap_set(b, (unsigned)i) != 0) {
			hwloc_bitmap_free(b);
			return nf_fail_nomem(err, "a CPU set", s->n_words * sizeof(*s->words));
		}
	}
	*ret = b;
	return 0;
}
