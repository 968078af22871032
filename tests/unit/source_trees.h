/* SPDX-License-Identifier: MIT */
/* source_trees - small trees of C sources, and what is found in them. */
#ifndef SOURCE_TREES_H
#define SOURCE_TREES_H

#include "nf_scratch.h"
#include "source/timed.h"

struct source_tree {
	char dir[128];
	struct nf_arena a;
	struct nf_src_tree tree;
	struct nf_src_index index;
	struct nf_src_macros macros;
	struct nf_src_timed timed;
};

static inline void source_write(const struct source_tree *t, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", t->dir, name);
	for (char *p = path + strlen(t->dir) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		(void)mkdir(path, 0700);
		*p = '/';
	}
	nf_scratch_write(path, text);
}

static inline void source_begin(struct source_tree *t)
{
	memset(t, 0, sizeof(*t));
	nf_scratch_make(t->dir, sizeof(t->dir));
	nf_arena_init(&t->a, (size_t)1 << 24);
	nf_src_tree_init(&t->tree, &t->a);
}

static inline void source_look(struct source_tree *t)
{
	const struct nf_src_scan_opts scan = { .threads = 2 };
	const struct nf_src_timed_opts timed = { 0 };

	assert_int_equal(nf_src_tree_add(&t->tree, t->dir, NULL), 0);
	nf_src_tree_finish(&t->tree);
	assert_int_equal(nf_src_index_make(&t->tree, &scan, &t->index, NULL), 0);
	assert_int_equal(nf_src_macros_find(&t->index, &t->a, NULL, &t->macros, NULL), 0);
	assert_int_equal(nf_src_timed_find(&t->index, &timed, &t->a, &t->timed, NULL), 0);
}

static inline void source_end(struct source_tree *t)
{
	nf_src_timed_fini(&t->timed);
	nf_src_macros_fini(&t->macros);
	nf_src_index_fini(&t->index);
	nf_src_tree_fini(&t->tree);
	nf_arena_fini(&t->a);
	nf_scratch_remove(t->dir);
}

/* The part of a path that is of the tree. */
static inline const char *source_name(const struct source_tree *t, const char *path)
{
	assert_memory_equal(path, t->dir, strlen(t->dir));
	return path + strlen(t->dir) + 1;
}

/* Certain findings. */
static inline size_t source_certain(const struct source_tree *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->macros.n; i++)
		n += nf_src_mistake_certain(&t->macros.item[i]);
	return n;
}

#endif
