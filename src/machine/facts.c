/* SPDX-License-Identifier: MIT */
#include "machine/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void nf_facts_unread(struct nf_facts *f, const char *path, const char *why)
{
	struct nf_posture *p = f->p;

	if (!p->unread)
		p->unread = nf_arena_alloc(f->a, NF_FACTS_UNREAD_MAX + 1, sizeof(*p->unread));
	if (!p->unread)
		return;
	if (p->n_unread == NF_FACTS_UNREAD_MAX) {
		f->n_unread_dropped++;
		return;
	}
	p->unread[p->n_unread] = nf_arena_printf(f->a, "/%s: %s", path, why);
	if (p->unread[p->n_unread])
		p->n_unread++;
}

/* A message without the "ROOT/PATH: " that some begin with: the note begins with the path already. */
static const char *without_path(const struct nf_facts *f, const char *path, const char *msg)
{
	size_t root = strlen(f->root->path), n = root + 1 + strlen(path);

	if (strncmp(msg, f->root->path, root) == 0 && msg[root] == '/' &&
	    strncmp(msg + root + 1, path, strlen(path)) == 0 && strncmp(msg + n, ": ", 2) == 0)
		return msg + n + 2;
	return msg;
}

bool nf_facts_ok(struct nf_facts *f, int r, const struct nf_err *why, const char *path,
                 enum nf_need need)
{
	char text[64];

	if (r == 0)
		return true;
	if (r == -NF_ENOMEM || f->a->failed != NF_OK) {
		if (f->failed)
			return false;
		f->why = *why;
		f->failed = r == -NF_ENOMEM ? r : nf_arena_failed(f->a, "the posture", &f->why);
		return false;
	}
	if (r == -NF_ENODATA) {
		if (need == NF_EXPECTED)
			nf_facts_unread(f, path, "absent");
	} else if (r == -NF_EOS) {
		nf_facts_unread(f, path, strerror_r(why->os_errno, text, sizeof(text)));
	} else {
		nf_facts_unread(f, path, without_path(f, path, why->msg));
	}
	return false;
}

const char *nf_facts_line(struct nf_facts *f, const char *path, enum nf_need need)
{
	struct nf_err why = { 0 };
	const char *line = NULL;

	if (f->failed)
		return NULL;
	if (!nf_facts_ok(f, nf_rootfs_read_line(f->root, path, f->a, &line, &why), &why, path,
	                 need))
		return NULL;
	return line;
}

const char *nf_facts_text(struct nf_facts *f, const char *path, enum nf_need need)
{
	const char *line = nf_facts_line(f, path, need);

	return line && *line ? line : NULL;
}

bool nf_facts_file(struct nf_facts *f, const char *path, enum nf_need need, struct nf_buf *b)
{
	struct nf_err why = { 0 };

	if (f->failed)
		return false;
	nf_buf_clear(b);
	return nf_facts_ok(f, nf_rootfs_read(f->root, path, b, &why), &why, path, need);
}

bool nf_facts_i64(struct nf_facts *f, const char *path, enum nf_need need, int64_t *ret)
{
	struct nf_err why = { 0 };

	if (f->failed)
		return false;
	return nf_facts_ok(f, nf_rootfs_read_i64(f->root, path, ret, &why), &why, path, need);
}

struct nf_fact_bool nf_facts_flag(struct nf_facts *f, const char *path, enum nf_need need)
{
	const char *line = nf_facts_line(f, path, need);

	if (line && (strcmp(line, "0") == 0 || strcmp(line, "1") == 0))
		return (struct nf_fact_bool){ .some = true, .v = line[0] == '1' };
	if (line)
		nf_facts_unread(f, path, "neither 0 nor 1");
	return (struct nf_fact_bool){ 0 };
}

const char *nf_facts_dup(struct nf_facts *f, struct nf_span s)
{
	return s.n ? nf_arena_strndup(f->a, s.p, s.n) : NULL;
}

const char *nf_facts_take(struct nf_facts *f, const struct nf_buf *b)
{
	struct nf_err why = { 0 };

	if (!nf_facts_ok(f, nf_buf_failed(b, "a fact", &why), &why, "posture", NF_OPTIONAL))
		return NULL;
	return nf_arena_strdup(f->a, b->data);
}

const char *nf_facts_cpulist(struct nf_facts *f, const struct nf_cpuset *s)
{
	struct nf_buf b;
	const char *text;

	nf_buf_init(&b, NF_FACTS_FILE_MAX_BYTES);
	nf_cpuset_print(s, &b);
	text = nf_facts_take(f, &b);
	nf_buf_fini(&b);
	return text;
}
