/* SPDX-License-Identifier: MIT */
/* What takes time away from realtime tasks or from this process: throttling, fair server, quota. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/cgroup.h"
#include "machine/facts.h"

enum { PATH_BYTES = 4096 };

static void realtime_throttling(struct nf_facts *f)
{
	struct nf_posture *p = f->p;
	int64_t runtime_us, period_us;
	bool have_runtime, have_period;

	have_runtime =
	        nf_facts_i64(f, "proc/sys/kernel/sched_rt_runtime_us", NF_EXPECTED, &runtime_us);
	have_period =
	        nf_facts_i64(f, "proc/sys/kernel/sched_rt_period_us", NF_EXPECTED, &period_us);
	if (have_period && period_us > 0)
		p->rt_period_us = (struct nf_fact_nat){ true, (uint64_t)period_us };
	else if (have_period)
		nf_facts_unread(f, "proc/sys/kernel/sched_rt_period_us", "not a positive time");
	if (!have_runtime)
		return;
	if (runtime_us < -1) {
		nf_facts_unread(f, "proc/sys/kernel/sched_rt_runtime_us", "neither a time nor -1");
		return;
	}
	p->rt_runtime_us = (struct nf_fact_nat){ true, runtime_us < 0 ? 0 : (uint64_t)runtime_us };
	if (runtime_us < 0)
		p->rt_throttled = (struct nf_fact_bool){ true, false };
	else if (p->rt_period_us.some)
		p->rt_throttled = (struct nf_fact_bool){ true, runtime_us < period_us };
}

/* Major and minor number at the start of a release. */
static bool release_numbers(const char *release, uint64_t *ret_major, uint64_t *ret_minor)
{
	struct nf_span s = { release, strspn(release, "0123456789.") }, major, minor;

	return nf_span_cut(&s, '.', &major) && nf_span_cut(&s, '.', &minor) &&
	       nf_span_u64(major, ret_major) && nf_span_u64(minor, ret_minor);
}

#define FAIR_SERVER "sys/kernel/debug/sched/fair_server"

struct fair_runtimes {
	const struct nf_rootfs *root;
	size_t n_read;
	bool any; /* some CPU's server has time to give */
};

static int add_fair_runtime(void *ctx, const char *name)
{
	struct fair_runtimes *f = ctx;
	char path[PATH_BYTES];
	int64_t runtime_ns;
	int r;

	if (strncmp(name, "cpu", 3) != 0)
		return 0;
	snprintf(path, sizeof(path), FAIR_SERVER "/%s/runtime", name);
	r = nf_rootfs_read_i64(f->root, path, &runtime_ns, NULL);
	if (r == 0) {
		f->n_read++;
		f->any = f->any || runtime_ns > 0;
	}
	return r == -NF_ENOMEM ? r : 0;
}

/* Files that cannot be read count for nothing: only a lack of memory fails. */
static int read_fair_runtimes(const struct nf_rootfs *root, struct fair_runtimes *ret)
{
	int r;

	*ret = (struct fair_runtimes){ .root = root };
	r = nf_rootfs_list(root, FAIR_SERVER, add_fair_runtime, ret, NULL);
	return r == -NF_ENOMEM ? r : 0;
}

bool nf_posture_fair_server_read(const struct nf_rootfs *root)
{
	struct fair_runtimes runtimes;

	return read_fair_runtimes(root, &runtimes) == 0 && runtimes.n_read > 0;
}

/* Its files tell: a server whose runtime is 0 is off. Where they cannot be read (debugfs is for root),
 * the version does: mainline has it since 6.12. Older releases may carry it too: only a visible
 * debugfs folder without it says no. */
static struct nf_fact_bool fair_server(struct nf_facts *f)
{
	const struct nf_err why = { .code = NF_ENOMEM, .msg = "the fair server's files" };
	struct nf_fact_bool fact = { 0 };
	struct fair_runtimes runtimes;
	uint64_t major, minor;

	if (!nf_facts_ok(f, read_fair_runtimes(f->root, &runtimes), &why, FAIR_SERVER, NF_OPTIONAL))
		return fact;
	if (runtimes.n_read > 0)
		fact = (struct nf_fact_bool){ true, runtimes.any };
	else if (nf_rootfs_exists(f->root, FAIR_SERVER))
		fact = (struct nf_fact_bool){ true, true };
	else if (f->p->kernel_release && release_numbers(f->p->kernel_release, &major, &minor) &&
	         (major > 6 || (major == 6 && minor >= 12)))
		fact = (struct nf_fact_bool){ true, true };
	else if (nf_rootfs_exists(f->root, "sys/kernel/debug/sched"))
		fact = (struct nf_fact_bool){ true, false };
	return fact;
}

struct quota {
	bool limited;
	uint64_t quota_us;
	uint64_t period_us;
};

/* "max 100000" or "150000 100000". */
static bool parse_cpu_max(const char *line, struct quota *q)
{
	struct nf_span rest = { line, strlen(line) }, first, second;

	if (!nf_span_word(&rest, &first) || !nf_span_word(&rest, &second) ||
	    !nf_span_u64(second, &q->period_us) || q->period_us == 0)
		return false;
	q->limited = !nf_span_is(first, "max");
	return !q->limited || nf_span_u64(first, &q->quota_us);
}

/* The quota of one level. 1: read, 0: this level has none of the files, -1: unreadable (noted). */
static int level_quota(struct nf_facts *f, const struct nf_cgroup *c, const char *dir,
                       struct quota *q)
{
	size_t noted = f->p->n_unread;
	int64_t quota_us, period_us;
	char path[PATH_BYTES];
	const char *line;

	if (c->version == 2) {
		snprintf(path, sizeof(path), "%s/cpu.max", dir);
		line = nf_facts_line(f, path, NF_OPTIONAL);
		if (!line)
			return f->p->n_unread > noted ? -1 : 0;
		if (parse_cpu_max(line, q))
			return 1;
		nf_facts_unread(f, path, "not 'QUOTA PERIOD'");
		return -1;
	}
	snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", dir);
	if (!nf_facts_i64(f, path, NF_OPTIONAL, &quota_us))
		return f->p->n_unread > noted ? -1 : 0;
	snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", dir);
	if (!nf_facts_i64(f, path, NF_EXPECTED, &period_us) || period_us <= 0)
		return -1;
	*q = (struct quota){ quota_us >= 0, quota_us >= 0 ? (uint64_t)quota_us : 0,
		             (uint64_t)period_us };
	return 1;
}

static bool tighter(const struct quota *a, const struct quota *b)
{
	return (double)a->quota_us / (double)a->period_us <
	       (double)b->quota_us / (double)b->period_us;
}

/* The tightest quota of all visible levels. The top of a hierarchy has no quota files: no limit. A level
 * that cannot be read might be the tightest: then the answer is unknown. */
static void quota(struct nf_facts *f)
{
	struct quota best = { 0 }, q;
	struct nf_cgroup c = { 0 };
	struct nf_err why = { 0 };
	bool known = true;

	if (f->failed)
		return;
	if (!nf_facts_ok(f, nf_cgroup_find(f->root, f->a, &c, &why), &why, "proc/self/cgroup",
	                 NF_OPTIONAL))
		return;
	f->p->cgroup_path = c.path;
	for (size_t i = 0; i < c.n_dirs && !f->failed; i++) {
		int r = level_quota(f, &c, c.dir[i], &q);

		known = known && r >= 0;
		if (r == 1 && q.limited && (!best.limited || tighter(&q, &best)))
			best = q;
	}
	if (!known)
		return;
	if (best.limited)
		f->p->cgroup_quota = nf_arena_printf(f->a, "%" PRIu64 "/%" PRIu64, best.quota_us,
		                                     best.period_us);
	else
		f->p->cgroup_quota = "max";
}

void nf_facts_read_sched(struct nf_facts *f)
{
	realtime_throttling(f);
	f->p->fair_server = fair_server(f);
	quota(f);
}
