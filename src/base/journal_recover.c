/* SPDX-License-Identifier: MIT */
/* The other half of journal.h: who is alive, and what dead owners left. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/journal_knob.h"
#include "base/journal_state.h"
#include "base/sysio.h"

enum { NAMES_MAX_BYTES = 16 << 20 };

bool nf_journal_tag_parse(const char *name, struct nf_journal_tag *ret, const char **ret_rest)
{
	struct nf_journal_tag tag = { 0 };
	int n = -1;

	/* The widths keep every number within its type. NOLINTNEXTLINE(cert-err34-c) */
	if (sscanf(name, "%8[0-9a-f]-%9d-%19" SCNu64 ".%9u%n", tag.boot, &tag.pid, &tag.start_ticks,
	           &tag.k, &n) < 4 ||
	    n < 0 || strlen(tag.boot) != 8 || tag.pid < 1)
		return false;
	*ret = tag;
	*ret_rest = name + n;
	return true;
}

void nf_journal_tag_print(const struct nf_journal_tag *tag, char ret[NAME_MAX + 1])
{
	snprintf(ret, NAME_MAX + 1, "%s-%d-%" PRIu64 ".%u", tag->boot, tag->pid, tag->start_ticks,
	         tag->k);
}

int nf_journal_process(const struct nf_rootfs *proc, int pid, char *ret_state,
                       uint64_t *ret_start_ticks, struct nf_err *err)
{
	struct nf_err why = { 0 };
	char path[32];
	struct nf_buf b;
	const char *p;
	uint64_t start;
	char state;
	int r;

	nf_buf_init(&b, 16384);
	snprintf(path, sizeof(path), "%d/stat", pid);
	r = nf_rootfs_read(proc, path, &b, &why);
	if (r == -NF_EOS && why.os_errno == ESRCH) /* it ended while its file was read */
		r = nf_fail(&why, NF_ENODATA, "no process %d", pid);
	if (r < 0) {
		if (err)
			*err = why;
		goto out;
	}
	/* "PID (COMM) S ...": COMM may hold blanks and parentheses, so field 3 is after the last one.
	 * Fields 4 to 21 are skipped. The kernel prints field 22 from 64 bits. */
	p = strrchr(b.data, ')');
	if (!p || sscanf(p + 1, /* NOLINT(cert-err34-c) */
	                 " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s"
	                 " %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64,
	                 &state, &start) != 2) {
		r = nf_fail(err, NF_EDATA, "%s/%s has an unknown form", proc->path, path);
		goto out;
	}
	*ret_state = state;
	*ret_start_ticks = start;

out:
	nf_buf_fini(&b);
	return r;
}

int nf_journal_flock(int fd, int op)
{
	int r;

	do
		r = flock(fd, op);
	while (r < 0 && errno == EINTR);
	return r;
}

int nf_journal_enter(const struct nf_journal *j, struct nf_err *err)
{
	int fd = openat(j->dirfd, "recover", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s/recover", j->dir);
	if (nf_journal_flock(fd, LOCK_EX) < 0) {
		r = nf_fail_os(err, errno, "cannot lock %s/recover", j->dir);
		close(fd);
		return r;
	}
	return fd;
}

int nf_journal_remove(const struct nf_journal *j, const char *name, struct nf_err *err)
{
	if (unlinkat(j->dirfd, name, 0) < 0 && errno != ENOENT)
		return nf_fail_os(err, errno, "cannot remove %s/%s", j->dir, name);
	if (fsync(j->dirfd) < 0)
		return nf_fail_os(err, errno, "cannot store %s", j->dir);
	return 0;
}

/* Whether the owner called tag may still be alive. What cannot be found out counts as alive: its
 * changes must not be taken back under it. */
static bool is_alive(const struct nf_journal *j, const struct nf_journal_tag *tag)
{
	char name[NAME_MAX + 1], print[NAME_MAX + 1];
	struct nf_err why = { 0 };
	uint64_t start;
	char state;
	int fd, r;

	if (strncmp(tag->boot, j->boot_id, 8) != 0)
		return false;
	/* The lock first: it is right also for an owner in another pid namespace. */
	nf_journal_tag_print(tag, print);
	snprintf(name, sizeof(name), "%.200s.owner", print);
	fd = openat(j->dirfd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0) {
		r = nf_journal_flock(fd, LOCK_EX | LOCK_NB);
		close(fd);
		if (r < 0)
			return true;
	} else if (errno != ENOENT) {
		return true;
	}
	r = nf_journal_process(&j->proc, tag->pid, &state, &start, &why);
	if (r == -NF_ENODATA)
		return false;
	if (r < 0)
		return true;
	return start == tag->start_ticks && state != 'Z' && state != 'X';
}

/* An entry of a dead owner. */
struct found {
	struct nf_journal_record rec;
	struct nf_buf text;
	const char *name; /* of the arena */
	bool broken;
};

struct sweep {
	struct nf_journal *j;
	struct nf_arena names;
	struct found *found; /* owned */
	size_t n_found;
	size_t cap;
	struct nf_err *err;
};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

/* *ret_gone: the owner removed it before it ended. */
static int read_entry(struct sweep *s, const char *name, struct found *f, bool *ret_gone)
{
	struct nf_err why = { 0 };
	struct stat st;
	int fd, r;

	fd = openat(s->j->dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	*ret_gone = fd < 0 && errno == ENOENT;
	if (*ret_gone)
		return 0;
	if (fd < 0)
		return nf_fail_os(s->err, errno, "cannot read %s/%s", s->j->dir, name);
	if (fstat(fd, &st) < 0) {
		r = nf_fail_os(s->err, errno, "cannot read %s/%s", s->j->dir, name);
		goto out;
	}
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid()) {
		f->broken = true;
		r = 0;
		goto out;
	}
	r = nf_read_all(fd, &f->text, name, &why);
	if (r == -NF_EDATA) {
		f->broken = true; /* too long */
		r = 0;
	} else if (r < 0) {
		if (s->err)
			*s->err = why;
	} else if (nf_journal_entry_parse(f->text.data, f->text.len_bytes, &f->rec, &why) < 0) {
		f->broken = true;
	}

out:
	close(fd);
	return r;
}

/* Called for every name in the folder: collects the entries of dead owners, and removes what else dead
 * owners left: their lock files and half-written files. */
static int visit(void *ctx, const char *name)
{
	struct sweep *s = ctx;
	struct nf_journal_tag tag = { 0 };
	const char *rest = NULL;
	bool hidden = name[0] == '.';
	bool known = nf_journal_tag_parse(name + hidden, &tag, &rest);
	struct found *f;
	bool gone;
	int r;

	if (hidden || ends_with(name, ".amended")) {
		if (known && (ends_with(name, ".tmp") || !hidden) && !is_alive(s->j, &tag))
			unlinkat(s->j->dirfd, name, 0);
		return 0;
	}
	if (!ends_with(name, ".entry") || (known && is_alive(s->j, &tag)))
		return 0;
	if (s->n_found == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 16;

		f = reallocarray(s->found, cap, sizeof(*f));
		if (!f)
			return nf_fail_nomem(s->err, "journal entries", cap * sizeof(*f));
		s->found = f;
		s->cap = cap;
	}
	f = &s->found[s->n_found];
	*f = (struct found){ .name = nf_arena_strdup(&s->names, name) };
	r = nf_arena_failed(&s->names, "journal entries", s->err);
	if (r < 0)
		return r;
	nf_buf_init(&f->text, NF_JOURNAL_ENTRY_MAX);
	s->n_found++;
	r = read_entry(s, name, f, &gone);
	if (r < 0)
		return r;
	if (gone) {
		s->n_found--;
		return 0;
	}
	/* The name decides who is asked for life, the entry whose change it is: they must agree. */
	if (!f->broken &&
	    (!known || tag.pid != f->rec.pid || tag.start_ticks != f->rec.start_ticks ||
	     strncmp(tag.boot, f->rec.boot_id, 8) != 0))
		f->broken = true;
	return 0;
}

static int visit_owner(void *ctx, const char *name)
{
	struct sweep *s = ctx;
	struct nf_journal_tag tag;
	const char *rest;

	if (nf_journal_tag_parse(name, &tag, &rest) && strcmp(rest, ".owner") == 0 &&
	    !is_alive(s->j, &tag))
		unlinkat(s->j->dirfd, name, 0);
	return 0;
}

static int newest_first(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->broken != y->broken)
		return x->broken ? 1 : -1;
	if (!x->broken && x->rec.time_ns != y->rec.time_ns)
		return x->rec.time_ns < y->rec.time_ns ? 1 : -1;
	return strcmp(y->name, x->name);
}

static int set_aside(struct sweep *s, const char *name)
{
	char to[NAME_MAX + 1];

	snprintf(to, sizeof(to), "%.247s.broken", name);
	if (renameat(s->j->dirfd, name, s->j->dirfd, to) < 0)
		return nf_fail_os(s->err, errno, "cannot set %s/%s aside", s->j->dir, name);
	return 0;
}

static int recover_one(struct sweep *s, struct found *f, nf_recover_fn *fn, void *ctx)
{
	enum nf_recovered what = NF_RECOVERED_UNDONE;
	bool left_alone = false;
	int r = 0;

	if (f->broken) {
		r = set_aside(s, f->name);
		if (r == 0 && fn)
			fn(ctx, NF_RECOVERED_BROKEN, f->name, NULL, NULL, 0);
		return r;
	}
	if (strcmp(f->rec.boot_id, s->j->boot_id) != 0)
		what = NF_RECOVERED_STALE;
	else if (nf_journal_put_back(&f->rec, &left_alone, NULL) < 0)
		what = NF_RECOVERED_FAILED;
	else if (left_alone)
		what = NF_RECOVERED_LEFT_ALONE;
	if (what != NF_RECOVERED_FAILED)
		r = nf_journal_remove(s->j, f->name, s->err);
	if (r == 0 && fn)
		fn(ctx, what, f->rec.path, f->rec.folder ? NULL : f->rec.old,
		   f->rec.folder ? NULL : f->rec.set, f->rec.pid);
	return r;
}

int nf_journal_recover(struct nf_journal *j, nf_recover_fn *fn, void *ctx, struct nf_err *err)
{
	struct sweep s = { .j = j, .err = err };
	struct nf_rootfs folder = { .dirfd = j->dirfd, .live = true };
	int guard, r;

	guard = nf_journal_enter(j, err);
	if (guard < 0)
		return guard;
	snprintf(folder.path, sizeof(folder.path), "%.255s", j->dir);
	nf_arena_init(&s.names, NAMES_MAX_BYTES);
	r = nf_rootfs_list(&folder, "", visit, &s, err);
	if (r < 0)
		goto out;
	if (s.n_found)
		qsort(s.found, s.n_found, sizeof(*s.found), newest_first);
	for (size_t i = 0; i < s.n_found; i++) {
		r = recover_one(&s, &s.found[i], fn, ctx);
		if (r < 0)
			goto out;
	}
	r = nf_rootfs_list(&folder, "", visit_owner, &s, err);

out:
	for (size_t i = 0; i < s.n_found; i++)
		nf_buf_fini(&s.found[i].text);
	free(s.found);
	nf_arena_fini(&s.names);
	close(guard);
	return r;
}
