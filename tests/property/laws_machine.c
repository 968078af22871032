/* SPDX-License-Identifier: MIT */
/* The posture reader on random trees of /proc and /sys. */
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "laws.h"
#include "machine/posture.h"

struct tree {
	char dir[40];
	struct nf_rootfs root;
	struct nf_arena arena;
};

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
	(void)st;
	(void)flag;
	(void)at;
	return remove(path);
}

static void remove_tree(void *arg)
{
	struct tree *tree = arg;

	nf_arena_fini(&tree->arena);
	if (tree->root.dirfd > 0)
		nf_rootfs_close(&tree->root);
	nftw(tree->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file with the folders above it. */
static void put(struct pt_case *t, const struct tree *tree, const char *path,
                struct pt_value content)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", tree->dir, path);
	for (char *p = full + strlen(tree->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		PT_ASSERT(t, mkdir(full, 0777) == 0 || errno == EEXIST);
		*p = '/';
	}
	f = fopen(full, "w");
	PT_ASSERT(t, f != NULL);
	fwrite(content.text, 1, content.n, f);
	fclose(f);
}

static const char *const files[] = {
	"proc/cmdline",
	"proc/version",
	"proc/cpuinfo",
	"proc/loadavg",
	"proc/meminfo",
	"proc/stat",
	"proc/sys/kernel/osrelease",
	"proc/sys/kernel/sched_rt_runtime_us",
	"proc/sys/kernel/nmi_watchdog",
	"proc/sys/kernel/randomize_va_space",
	"sys/kernel/realtime",
	"sys/devices/system/cpu/online",
	"sys/devices/system/cpu/isolated",
	"sys/devices/system/cpu/nohz_full",
	"sys/devices/system/cpu/smt/active",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	"sys/devices/system/clocksource/clocksource0/current_clocksource",
	"sys/kernel/mm/transparent_hugepage/enabled",
	"sys/devices/system/node/online",
};

static const struct pt_gen *contents(struct pt_mem *m)
{
	return PT_ONE_OF(
	        m, pt_text(m, 0, 12, "0123456789-,\n"),
	        PT_ELEMENTS(m, pt_value_text("1\n"), pt_value_text("0-3\n"), pt_value_text(""),
	                    pt_value_text("isolcpus=1-2 nohz_full=1 quiet\n"),
	                    pt_value_text("always [madvise] never\n"), pt_value_text("tsc\n"),
	                    pt_value_text("processor : 0\nflags : tsc\n")),
	        pt_text(m, 0, 60, NULL), pt_bytes(m, 0, 200));
}

static struct tree *draw_tree(struct pt_case *t)
{
	struct pt_mem *m = pt_case_mem(t);
	const struct pt_gen *content = contents(m);
	struct tree *tree = pt_alloc(t, sizeof(*tree));

	strcpy(tree->dir, "/tmp/nf-property-XXXXXX");
	PT_ASSERT(t, mkdtemp(tree->dir) != NULL);
	nf_arena_init(&tree->arena, 1 << 24);
	pt_cleanup(t, remove_tree, tree);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (pt_draw_bool(t, 0.5))
			put(t, tree, files[i], pt_draw(t, files[i], content));
	PT_ASSERT(t, nf_rootfs_open(&tree->root, tree->dir, NULL) == 0);
	return tree;
}

static bool posture_reads_any_tree_the_same_twice(struct pt_case *t, void *arg)
{
	struct tree *tree = draw_tree(t);
	struct nf_posture a, b;
	struct nf_posture_diff *diff = NULL;
	size_t n = 1;

	(void)arg;
	PT_ASSERT(t, nf_posture_read(&tree->root, &tree->arena, &a, NULL) == 0);
	PT_ASSERT(t, nf_posture_read(&tree->root, &tree->arena, &b, NULL) == 0);
	PT_ASSERT(t, nf_posture_compare(&a, &b, &tree->arena, &diff, &n, NULL) == 0);
	PT_ASSERT_INT_EQ(t, n, 0);
	PT_ASSERT_INT_EQ(t, a.n_unread, b.n_unread);
	for (size_t i = 0; i < a.n_unread; i++)
		PT_ASSERT(t, strstr(a.unread[i], ": ") != NULL);
	return nf_posture_lane(&a) <= NF_LANE_RT;
}

static bool lane_is_known_where_the_kernel_says(struct pt_case *t, void *arg)
{
	static const char text[] = "1\n";
	struct tree *tree = draw_tree(t);
	struct nf_posture p;

	(void)arg;
	/* "realtime" is known exactly when its file holds a number */
	if (pt_draw_bool(t, 0.5))
		put(t, tree, "sys/kernel/realtime", pt_value_text(text));
	else
		put(t, tree, "sys/kernel/realtime", pt_value_text("0\n"));
	PT_ASSERT(t, nf_posture_read(&tree->root, &tree->arena, &p, NULL) == 0);
	return nf_posture_lane(&p) != NF_LANE_UNKNOWN;
}

/* clang-format off */
const struct law laws_machine[] = {
	{ "posture of any tree", "The posture of any tree of /proc and /sys can be read, twice with the same result; what is unread has a reason.", posture_reads_any_tree_the_same_twice, NULL },
	{ "posture lane", "The lane is known wherever the kernel says whether it is realtime, whatever else the tree holds.", lane_is_known_where_the_kernel_says, NULL },
	{ .name = NULL },
};
/* clang-format on */
