/* SPDX-License-Identifier: MIT */
/* posture_facts - a posture that was read, and its facts by name. */
#ifndef POSTURE_FACTS_H
#define POSTURE_FACTS_H

#include "host_tree.h"
#include "machine/posture.h"

static struct nf_arena arena;
static struct nf_posture posture;

static inline int setup(void **state)
{
	(void)state;
	nf_arena_init(&arena, 16 << 20);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	nf_arena_fini(&arena);
	return 0;
}

static inline void read_posture(const struct nf_rootfs *root, const char *name)
{
	struct nf_err e = { 0 };

	if (nf_posture_read(root, &arena, &posture, &e) != 0)
		fail_msg("%s: %s", name, e.msg);
}

static inline void read_host(const char *name)
{
	struct nf_rootfs root;

	open_host(name, &root);
	read_posture(&root, name);
	nf_rootfs_close(&root);
}

static inline const char *fact(const char *name)
{
	for (size_t i = 0; i < nf_posture_count(); i++)
		if (strcmp(nf_posture_name(i), name) == 0)
			return nf_posture_text(&posture, i, &arena);
	fail_msg("no fact '%s'", name);
	return NULL;
}

static inline void assert_fact(const char *name, const char *want)
{
	const char *got = fact(name);

	if (!want && got)
		fail_msg("%s: '%s', not unknown", name, got);
	else if (want && !got)
		fail_msg("%s: unknown, not '%s'", name, want);
	else if (want && strcmp(got, want) != 0)
		fail_msg("%s: '%s', not '%s'", name, got, want);
}

static inline bool is_unread(const char *start)
{
	for (size_t i = 0; i < posture.n_unread; i++)
		if (strncmp(posture.unread[i], start, strlen(start)) == 0)
			return true;
	return false;
}

#endif
