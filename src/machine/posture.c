/* SPDX-License-Identifier: MIT */
#include "machine/posture.h"

#include "machine/facts.h"

int nf_posture_read(const struct nf_rootfs *root, struct nf_arena *a, struct nf_posture *ret,
                    struct nf_err *err)
{
	struct nf_posture p = { 0 };
	struct nf_facts f = { .root = root, .a = a, .p = &p };
	int r;

	nf_cpuset_init(&f.cpus);
	nf_facts_read_cpus(&f);
	nf_facts_read_cpuinfo(&f);
	nf_facts_read_kernel(&f);
	nf_facts_read_platform(&f);
	nf_facts_read_sched(&f);
	nf_facts_read_load(&f);
	if (f.n_unread_dropped && p.unread) {
		p.unread[p.n_unread] = nf_arena_printf(a, "and %zu more files", f.n_unread_dropped);
		p.n_unread++;
	}
	r = f.failed;
	if (r < 0) {
		if (err)
			*err = f.why;
		goto out;
	}
	r = nf_arena_failed(a, "the posture", err);
	if (r < 0)
		goto out;
	*ret = p;

out:
	nf_cpuset_fini(&f.cpus);
	return r;
}
