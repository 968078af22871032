/* SPDX-License-Identifier: MIT */
/* Captured hosts with files cut, garbled, swapped or taken away at random: whatever is there, the
 * readers end and give facts that can be printed. The seed is fixed; NF_MUTATIONS=N runs more. */
#include <dirent.h>

#include "base/rng.h"
#include "host_tree.h"
#include "machine/bracket.h"

enum { PATHS_MAX = 4096, BYTES_MAX = 1 << 16 };

static char tree[256];
static char *paths[PATHS_MAX];
static size_t n_paths;
static struct nf_rng rng;

static int note_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (type == FTW_F && n_paths < PATHS_MAX) {
		paths[n_paths] = strdup(path + strlen(tree) + 1);
		assert_non_null(paths[n_paths]);
		n_paths++;
	}
	return 0;
}

static size_t get(const char *path, char *ret)
{
	char full[1024];
	FILE *f;
	size_t n;

	snprintf(full, sizeof(full), "%s/%s", tree, path);
	f = fopen(full, "r");
	assert_non_null(f);
	n = fread(ret, 1, BYTES_MAX, f);
	fclose(f);
	return n;
}

/* What tends to break parsers of such files. */
static const char *const bits[] = {
	"18446744073709551616",
	"-1",
	"CPU",
	"0-",
	",",
	":",
	"-",
	"\n",
	"\n\n",
	" ",
	"\t",
	"4294967295",
	"65535",
	"0-65535",
	"max",
	"(",
	"[",
	"/..",
	"/",
	"\\040",
	"=",
	"99999999999999999999 0",
};

static size_t garble(char *data, size_t n)
{
	size_t at = n ? (size_t)nf_rng_below(&rng, n) : 0;
	const char *bit = bits[nf_rng_below(&rng, sizeof(bits) / sizeof(bits[0]))];
	size_t len = strlen(bit);

	switch (nf_rng_below(&rng, 6)) {
	case 0:
		return at; /* cut */
	case 1: /* one byte */
		if (n)
			data[at] = (char)nf_rng_below(&rng, 256);
		return n;
	case 2: /* something in between */
		if (n + len > BYTES_MAX)
			return n;
		memmove(data + at + len, data + at, n - at);
		memcpy(data + at, bit, len);
		return n + len;
	case 3: /* something instead */
		if (at + len > n)
			return n;
		memcpy(data + at, bit, len);
		return n;
	case 4: /* a piece twice */
		if (2 * n - at > BYTES_MAX)
			return n;
		memmove(data + n, data + at, n - at);
		return 2 * n - at;
	default: /* a piece missing */
		len = n - at ? (size_t)nf_rng_below(&rng, n - at) : 0;
		memmove(data + at, data + at + len, n - at - len);
		return n - len;
	}
}

static void check_posture(const struct nf_rootfs *root)
{
	struct nf_posture p;
	struct nf_arena a;
	struct nf_err e = { 0 };

	nf_arena_init(&a, 64 << 20);
	if (nf_posture_read(root, &a, &p, &e) != 0)
		fail_msg("%s", e.msg);
	for (size_t i = 0; i < nf_posture_count(); i++)
		(void)nf_posture_text(&p, i, &a);
	for (size_t i = 0; i < p.n_unread; i++)
		assert_int_equal(p.unread[i][0] == '/' || strncmp(p.unread[i], "and ", 4) == 0, 1);
	assert_int_equal(nf_arena_failed(&a, "the texts", &e), 0);
	/* Known or not: a lane says yes or no only with its source. */
	assert_int_equal(p.realtime.some, p.realtime_source != NULL);
	nf_arena_fini(&a);
}

static void mutate(const char *host, uint64_t seed, int rounds)
{
	static char original[BYTES_MAX], data[2 * BYTES_MAX];
	char command[1024], path[512];
	struct nf_bracket *bracket;
	struct nf_bracket_diff diff;
	struct nf_cpuset cpus;
	struct nf_rootfs root;
	struct nf_err e = { 0 };

	make_tree(tree, sizeof(tree));
	host_path(host, path, sizeof(path));
	snprintf(command, sizeof(command), "cp -r '%s/.' '%s'", path, tree);
	assert_int_equal(system(command), 0);
	n_paths = 0;
	assert_int_equal(nftw(tree, note_file, 16, FTW_PHYS), 0);
	assert_true(n_paths > 10);
	assert_int_equal(nf_rootfs_open(&root, tree, &e), 0);
	nf_cpuset_init(&cpus);
	assert_int_equal(nf_cpuset_parse("0-3", false, &cpus, &e), 0);
	nf_rng_seed(&rng, seed);
	for (int round = 0; round < rounds; round++) {
		const char *victim = paths[nf_rng_below(&rng, n_paths)];
		size_t n = get(victim, original), len = n;

		memcpy(data, original, n);
		assert_int_equal(nf_bracket_open(&root, &cpus, &bracket, &e), 0);
		for (uint64_t i = nf_rng_below(&rng, 3) + 1; i > 0; i--)
			len = garble(data, len);
		put_bytes(tree, victim, data, len);
		check_posture(&root);
		assert_int_equal(nf_bracket_close(bracket, &diff, &e), 0);
		assert_int_equal(diff.n_cpus, 4);
		nf_bracket_diff_fini(&diff);
		nf_bracket_free(bracket);
		if (nf_rng_below(&rng, 4)) /* some damage stays */
			put_bytes(tree, victim, original, n);
	}
	nf_cpuset_fini(&cpus);
	nf_rootfs_close(&root);
	while (n_paths)
		free(paths[--n_paths]);
	remove_tree(tree);
}

static int rounds(void)
{
	const char *more = getenv("NF_MUTATIONS");

	return more ? atoi(more) : nf_unit_valgrind() ? 50 : 300;
}

static void a_damaged_server_is_read_to_the_end(void **state)
{
	(void)state;
	mutate("server-2node-rt", 1, rounds());
}

static void a_damaged_container_is_read_to_the_end(void **state)
{
	(void)state;
	mutate("container", 2, rounds());
}

static void a_damaged_cgroup_v1_container_is_read_to_the_end(void **state)
{
	(void)state;
	mutate("container-v1", 3, rounds());
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_damaged_server_is_read_to_the_end),
	cmocka_unit_test(a_damaged_container_is_read_to_the_end),
	cmocka_unit_test(a_damaged_cgroup_v1_container_is_read_to_the_end),
};

NF_UNIT_MAIN(tests)
