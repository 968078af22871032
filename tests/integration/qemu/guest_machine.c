/* SPDX-License-Identifier: MIT */
/*
 * guest_machine - what guest_machine.sh runs on a real kernel: one subcommand a module, facts one a
 * line on standard output ("key value..."), exit 0 or the exit code of the failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <time.h>
#include <unistd.h>

#include "base/journal.h"
#include "machine/hwlat.h"
#include "machine/posture.h"
#include "machine/smi.h"
#include "machine/topology.h"

enum { SMI_PORT = 0xb2 };

static const char journal_dir[] = "/run/noisefloor";

static int report(const char *what, int r, const struct nf_err *err)
{
	if (r == 0)
		return 0;
	printf("%s failed %s\n", what, err->msg);
	return nf_exit_code(r);
}

static void print_set(const char *key, const struct nf_cpuset *set)
{
	struct nf_buf text;

	nf_buf_init(&text, 65536);
	if (nf_cpuset_print(set, &text) == 0)
		printf("%s %s\n", key, text.len_bytes > 0 ? text.data : "none");
	nf_buf_fini(&text);
}

static int do_lane(struct nf_rootfs *root)
{
	struct nf_arena a;
	struct nf_posture p;
	struct nf_err err = { 0 };
	int r;

	nf_arena_init(&a, 1 << 24);
	r = nf_posture_read(root, &a, &p, &err);
	if (r == 0)
		printf("lane %s\n", nf_lane_name(nf_posture_lane(&p)));
	nf_arena_fini(&a);
	return report("posture", r, &err);
}

struct seen {
	unsigned long n;
	int64_t max_ns;
	int64_t last_ns;
	int bad;
};

static int see(void *ctx, const struct nf_hwlat_gap *gap)
{
	struct seen *s = ctx;
	int64_t longest = gap->inner_ns > gap->outer_ns ? gap->inner_ns : gap->outer_ns;

	s->n++;
	s->max_ns = longest > s->max_ns ? longest : s->max_ns;
	s->last_ns = gap->t_ns;
	s->bad += gap->t_ns < 0 || longest <= 0 || gap->n_in_window < 1 || gap->cpu < 0;
	return 0;
}

static int stop_at_first(void *ctx, const struct nf_hwlat_gap *gap)
{
	(void)gap;
	++*(int *)ctx;
	return 77;
}

/* Runs for so many tenths of a second; `hold` is killed by the script before it ends. */
static int do_hwlat(struct nf_rootfs *root, const char *tenths, const char *threshold_us)
{
	struct nf_hwlat_cfg cfg = { .window_us = 200000, .width_us = 150000 };
	struct nf_hwlat_settings got = { 0 };
	struct nf_journal *j = NULL;
	struct nf_hwlat *h = NULL;
	struct seen seen = { .max_ns = -1 };
	struct nf_err err = { 0 };
	uint64_t missed = 0;
	bool left_alone = false;
	int n_first = 0, r, stopped;

	cfg.threshold_us = atoi(threshold_us);
	r = nf_journal_open(journal_dir, "/proc", &j, &err);
	if (r < 0)
		return report("journal", r, &err);
	r = nf_hwlat_start(root, j, &cfg, &h, &got, &err);
	if (r < 0) {
		(void)nf_journal_close(j, NULL);
		return report("start", r, &err);
	}
	printf("settings %lld %lld %lld\n", (long long)got.window_us, (long long)got.width_us,
	       (long long)got.threshold_us);
	fflush(stdout);
	for (int i = atoi(tenths); i > 0 && r == 0; i--) {
		const struct timespec tenth = { .tv_nsec = 100000000 };

		(void)nanosleep(&tenth, NULL);
		r = nf_hwlat_drain(h, see, &seen, &missed, &err);
	}
	(void)report("drain", r, &err);
	if (r == 0) {
		const struct timespec half = { .tv_nsec = 500000000 };

		(void)nanosleep(&half, NULL);
		stopped = nf_hwlat_drain(h, stop_at_first, &n_first, &missed, &err);
		printf("early-stop %d %d\n", n_first, stopped);
	}
	stopped = nf_hwlat_stop(h, &left_alone, &err);
	(void)report("stop", stopped, &err);
	printf("gaps %lu max-ns %lld bad %d missed %llu last-s %lld left-alone %d\n", seen.n,
	       (long long)seen.max_ns, seen.bad, (unsigned long long)missed,
	       (long long)(seen.last_ns / 1000000000), left_alone);
	r = r ? r : stopped;
	stopped = nf_journal_close(j, &err);
	(void)report("close", stopped, &err);
	return nf_exit_code(r ? r : stopped);
}

static void on_recovered(void *ctx, enum nf_recovered what, const char *path, const char *old,
                         const char *set, int pid)
{
	static const char *const name[] = {
		[NF_RECOVERED_UNDONE] = "undone", [NF_RECOVERED_LEFT_ALONE] = "left-alone",
		[NF_RECOVERED_STALE] = "stale",   [NF_RECOVERED_BROKEN] = "broken",
		[NF_RECOVERED_FAILED] = "failed",
	};

	(void)ctx;
	(void)pid;
	printf("recovered %s %s old %s set %s\n", name[what], path, old ? old : "-",
	       set ? set : "-");
}

static int do_recover(void)
{
	struct nf_journal *j = NULL;
	struct nf_err err = { 0 };
	int r = nf_journal_open(journal_dir, "/proc", &j, &err), closed;

	if (r < 0)
		return report("journal", r, &err);
	r = nf_journal_recover(j, on_recovered, NULL, &err);
	(void)report("recover", r, &err);
	closed = nf_journal_close(j, &err);
	return nf_exit_code(r ? r : closed);
}

/* Raises n SMIs on CPU 0 and prints what every CPU counted. */
static int do_smi(struct nf_rootfs *root, const char *n_text)
{
	struct nf_topology *t = NULL;
	struct nf_smi *s = NULL;
	struct nf_cpuset zero, got;
	struct nf_err err = { 0 };
	uint64_t before[64], after = 0;
	int r;

	nf_cpuset_init(&zero);
	nf_cpuset_init(&got);
	if ((r = nf_topology_load(root, &t, &err)) < 0 ||
	    (r = nf_smi_open(root, nf_topology_online(t), &s, &err)) < 0 ||
	    (r = nf_cpuset_add(&zero, 0, &err)) < 0 ||
	    (r = nf_topology_bind_self(t, &zero, &got, &err)) < 0)
		goto out;
	printf("source %s hypervisor %d\n", nf_smi_source(s) == NF_SMI_MSR ? "msr" : "perf",
	       nf_smi_hypervisor());
	if (ioperm(SMI_PORT, 1, 1) != 0) {
		r = nf_fail(&err, NF_EOS, "ioperm");
		goto out;
	}
	for (size_t i = 0; i < nf_smi_n_cpus(s) && i < 64 && r == 0; i++)
		r = nf_smi_read(s, i, &before[i], &err);
	for (int i = atoi(n_text); i > 0; i--)
		outb(0, SMI_PORT);
	for (size_t i = 0; i < nf_smi_n_cpus(s) && i < 64 && r == 0; i++) {
		r = nf_smi_read(s, i, &after, &err);
		printf("smi cpu %d counted %llu\n", nf_smi_cpu(s, i),
		       (unsigned long long)(after - before[i]));
	}
out:
	nf_cpuset_fini(&got);
	nf_cpuset_fini(&zero);
	nf_smi_close(s);
	nf_topology_free(t);
	return report("smi", r, &err);
}

static int print_placement(const struct nf_topology *t, int node, struct nf_err *err)
{
	size_t len = 1 << 20, pages[8] = { 0 }, unknown = 0;
	void *p = NULL;
	int r = nf_topology_mem_alloc(t, len, node, &p, err);

	if (r < 0)
		return r;
	memset(p, 1, len);
	r = nf_topology_page_nodes(t, p, len, pages, &unknown, err);
	if (r == 0)
		printf("memory asked %d pages %zu %zu unknown %zu\n", node, pages[0], pages[1],
		       unknown);
	nf_topology_mem_free(t, p, len);
	return r;
}

static int do_topology(struct nf_rootfs *root)
{
	struct nf_topology *t = NULL;
	struct nf_cpuset set, got;
	struct nf_err err = { 0 };
	int r;

	nf_cpuset_init(&set);
	nf_cpuset_init(&got);
	if ((r = nf_topology_load(root, &t, &err)) < 0)
		goto out;
	printf("cpus %zu cores %zu packages %zu nodes %zu\n", nf_topology_n_cpus(t),
	       nf_topology_n_cores(t, false), nf_topology_n_packages(t), nf_topology_n_nodes(t));
	for (size_t i = 0; i < nf_topology_n_cpus(t); i++)
		printf("cpu %d node %d\n", nf_topology_cpu_at(t, i)->cpu,
		       nf_topology_cpu_at(t, i)->node);
	printf("distance %d %d %d %d\n", nf_topology_distance(t, 0, 0),
	       nf_topology_distance(t, 0, 1), nf_topology_distance(t, 1, 0),
	       nf_topology_distance(t, 1, 1));
	print_set("allowed", nf_topology_allowed(t));
	print_set("isolated", nf_topology_isolated(t));
	if ((r = nf_topology_select(t, "isolated", &set, &err)) < 0 ||
	    (r = nf_topology_bind_self(t, &set, &got, &err)) < 0)
		goto out;
	print_set("bound", &got);
	for (int node = -1; node < 2 && r == 0; node++)
		r = print_placement(t, node, &err);
out:
	nf_cpuset_fini(&got);
	nf_cpuset_fini(&set);
	nf_topology_free(t);
	return report("topology", r, &err);
}

int main(int argc, char **argv)
{
	struct nf_rootfs root;
	struct nf_err err = { 0 };
	const char *what = argc > 1 ? argv[1] : "";
	int r = nf_rootfs_open(&root, NULL, &err);

	if (r < 0)
		return report("root", r, &err);
	if (strcmp(what, "lane") == 0)
		r = do_lane(&root);
	else if (strcmp(what, "check") == 0)
		r = report("check", nf_hwlat_check(&root, &err), &err);
	else if (strcmp(what, "hwlat") == 0 && argc == 4)
		r = do_hwlat(&root, argv[2], argv[3]);
	else if (strcmp(what, "recover") == 0)
		r = do_recover();
	else if (strcmp(what, "smi") == 0 && argc == 3)
		r = do_smi(&root, argv[2]);
	else if (strcmp(what, "topology") == 0)
		r = do_topology(&root);
	else
		r = 2;
	nf_rootfs_close(&root);
	return r;
}
