/* SPDX-License-Identifier: MIT */
#include "base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/journal_knob.h"
#include "base/journal_state.h"
#include "base/sysio.h"

enum {
	OWNERS_MAX = 64, /* journals of one process */
	LOCKS_MAX = 256,
};

/* Opens the folder, made if absent. It decides what root writes where: nobody else may write to it. */
static int open_folder(struct nf_journal *j, const char *dir, struct nf_err *err)
{
	struct stat st;

	if (mkdir(dir, 0700) < 0 && errno != EEXIST)
		return nf_fail_os(err, errno, "cannot create %s", dir);
	j->dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (j->dirfd < 0)
		return nf_fail_os(err, errno, "cannot open %s", dir);
	if (fstat(j->dirfd, &st) < 0)
		return nf_fail_os(err, errno, "cannot look at %s", dir);
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "%s may be written by others: it has to belong to this user, mode 0700",
		        dir);
	snprintf(j->dir, sizeof(j->dir), "%s", dir);
	return 0;
}

/* Who we are: boot id, pid, start time. */
static int identify(struct nf_journal *j, struct nf_err *err)
{
	struct nf_buf b;
	char state;
	int r;

	nf_buf_init(&b, 4096);
	r = nf_rootfs_read(&j->proc, "sys/kernel/random/boot_id", &b, err);
	if (r < 0)
		goto out;
	b.data[strcspn(b.data, "\n")] = '\0';
	if (strlen(b.data) < 8 || strlen(b.data) >= sizeof(j->boot_id) ||
	    strspn(b.data, "0123456789abcdef-") != strlen(b.data)) {
		r = nf_fail(err, NF_EDATA, "'%.60s' is not a boot id", b.data);
		goto out;
	}
	snprintf(j->boot_id, sizeof(j->boot_id), "%s", b.data);
	memcpy(j->tag.boot, b.data, 8);
	j->tag.pid = (int)getpid();
	r = nf_journal_process(&j->proc, j->tag.pid, &state, &j->tag.start_ticks, err);

out:
	nf_buf_fini(&b);
	return r;
}

static void owner_name(const struct nf_journal *j, char ret[NAME_MAX + 1])
{
	char tag[NAME_MAX + 1];

	nf_journal_tag_print(&j->tag, tag);
	snprintf(ret, NAME_MAX + 1, "%.200s.owner", tag);
}

/* Makes and locks the file that shows that this journal's owner lives. */
static int own(struct nf_journal *j, struct nf_err *err)
{
	char name[NAME_MAX + 1];
	int guard = nf_journal_enter(j, err);
	int r = 0;

	if (guard < 0)
		return guard;
	for (; j->tag.k < OWNERS_MAX; j->tag.k++) {
		owner_name(j, name);
		j->owner_fd =
		        openat(j->dirfd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (j->owner_fd < 0) {
			r = nf_fail_os(err, errno, "cannot create %s/%s", j->dir, name);
			goto out;
		}
		if (nf_journal_flock(j->owner_fd, LOCK_EX | LOCK_NB) == 0)
			goto out;
		if (errno != EWOULDBLOCK) {
			r = nf_fail_os(err, errno, "cannot lock %s/%s", j->dir, name);
			unlinkat(j->dirfd, name, 0);
			goto out;
		}
		close(j->owner_fd);
		j->owner_fd = -1;
	}
	r = nf_fail(err, NF_EARG, "more than %d journals in one process", OWNERS_MAX);

out:
	close(guard);
	return r;
}

static void free_entry(struct nf_journal_entry *e)
{
	if (e) {
		nf_buf_fini(&e->text);
		free(e);
	}
}

/* Frees without undoing. */
static void free_journal(struct nf_journal *j)
{
	struct nf_journal_entry *older;

	for (struct nf_journal_entry *e = j->newest; e; e = older) {
		older = e->older;
		free_entry(e);
	}
	for (size_t i = 0; i < j->n_locks; i++)
		close(j->locks[i].fd);
	free(j->locks);
	if (j->owner_fd >= 0)
		close(j->owner_fd);
	if (j->dirfd >= 0)
		close(j->dirfd);
	nf_rootfs_close(&j->proc);
	free(j);
}

int nf_journal_open(const char *dir, const char *proc_root, struct nf_journal **ret,
                    struct nf_err *err)
{
	struct nf_journal *j = calloc(1, sizeof(*j));
	int r;

	if (!j)
		return nf_fail_nomem(err, "the journal", sizeof(*j));
	j->dirfd = -1;
	j->owner_fd = -1;
	j->proc.dirfd = -1;
	r = nf_rootfs_open(&j->proc, proc_root, err);
	if (r == 0)
		r = identify(j, err);
	if (r == 0)
		r = open_folder(j, dir, err);
	if (r == 0)
		r = own(j, err);
	if (r < 0) {
		free_journal(j);
		return r;
	}
	*ret = j;
	return 0;
}

int nf_journal_close(struct nf_journal *j, struct nf_err *err)
{
	char name[NAME_MAX + 1];
	int ret = 0;

	if (!j)
		return 0;
	/* A forked child has a copy of the journal, but the changes are its parent's. */
	if (getpid() == j->tag.pid) {
		for (struct nf_journal_entry *e = j->newest, *older; e; e = older) {
			bool left_alone;
			int r;

			older = e->older;
			r = nf_journal_undo(j, e, &left_alone, ret == 0 ? err : NULL);
			if (r < 0 && ret == 0)
				ret = r;
		}
		owner_name(j, name);
		unlinkat(j->dirfd, name, 0);
	}
	free_journal(j);
	return ret;
}

static int64_t since_boot_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Gives e the text of rec and reads it back, so that e->rec does not depend on rec's strings. */
static int fill(struct nf_journal_entry *e, const struct nf_journal_record *rec,
                struct nf_buf *disk, struct nf_err *err)
{
	int r;

	nf_journal_entry_print(rec, disk);
	r = nf_buf_failed(disk, "a journal entry", err);
	if (r < 0)
		return r;
	nf_buf_add(&e->text, disk->data, disk->len_bytes);
	r = nf_buf_failed(&e->text, "a journal entry", err);
	if (r < 0)
		return r;
	return nf_journal_entry_parse(e->text.data, e->text.len_bytes, &e->rec, err);
}

/* Writes an entry to disk and lists it as the newest. The change may be made after that. */
static int add_entry(struct nf_journal *j, bool folder, const char *path, const char *old,
                     const char *set, struct nf_journal_entry **ret, struct nf_err *err)
{
	struct nf_journal_record rec = { .boot_id = j->boot_id,
		                         .pid = j->tag.pid,
		                         .start_ticks = j->tag.start_ticks,
		                         .time_ns = since_boot_ns(),
		                         .folder = folder,
		                         .path = path,
		                         .old = old,
		                         .set = set };
	struct nf_journal_entry *e = calloc(1, sizeof(*e));
	char tag[NAME_MAX + 1];
	struct nf_buf disk;
	int r;

	if (!e)
		return nf_fail_nomem(err, "a journal entry", sizeof(*e));
	nf_buf_init(&e->text, NF_JOURNAL_ENTRY_MAX);
	nf_buf_init(&disk, NF_JOURNAL_ENTRY_MAX);
	r = fill(e, &rec, &disk, err);
	if (r < 0)
		goto out;
	nf_journal_tag_print(&j->tag, tag);
	/* A name that is taken is of an earlier journal with this tag which could not undo all. */
	do {
		snprintf(e->name, sizeof(e->name), "%.200s-%08u.entry", tag, j->next_seq++);
		r = nf_write_file_atomic(j->dirfd, e->name, disk.data, disk.len_bytes, 0600, err);
	} while (r == -NF_EEXIST && j->next_seq < UINT_MAX);
	if (r < 0)
		goto out;
	e->older = j->newest;
	j->newest = e;
	*ret = e;
	e = NULL;

out:
	nf_buf_fini(&disk);
	free_entry(e);
	return r;
}

/* Takes the entry off the list and frees it; its file stays. */
static void forget(struct nf_journal *j, struct nf_journal_entry *e)
{
	struct nf_journal_entry **p = &j->newest;

	while (*p && *p != e)
		p = &(*p)->older;
	if (*p)
		*p = e->older;
	free_entry(e);
}

/* Replaces what the entry says was set, on disk first. */
static int amend(struct nf_journal *j, struct nf_journal_entry *e, const char *set,
                 struct nf_err *err)
{
	struct nf_journal_record rec = e->rec;
	struct nf_journal_entry next = { 0 };
	char tmp[NAME_MAX + 1];
	struct nf_buf disk;
	int r;

	rec.set = set;
	nf_buf_init(&next.text, NF_JOURNAL_ENTRY_MAX);
	nf_buf_init(&disk, NF_JOURNAL_ENTRY_MAX);
	r = fill(&next, &rec, &disk, err);
	if (r < 0)
		goto out;
	snprintf(tmp, sizeof(tmp), "%.240s.amended", e->name);
	r = nf_write_file_atomic(j->dirfd, tmp, disk.data, disk.len_bytes, 0600, err);
	if (r < 0)
		goto out;
	if (renameat(j->dirfd, tmp, j->dirfd, e->name) < 0) {
		r = nf_fail_os(err, errno, "cannot replace %s/%s", j->dir, e->name);
		unlinkat(j->dirfd, tmp, 0);
		goto out;
	}
	nf_buf_fini(&e->text);
	e->text = next.text;
	e->rec = next.rec;
	nf_buf_init(&next.text, NF_JOURNAL_ENTRY_MAX);
	if (fsync(j->dirfd) < 0)
		r = nf_fail_os(err, errno, "cannot store %s", j->dir);

out:
	nf_buf_fini(&disk);
	nf_buf_fini(&next.text);
	return r;
}

/* After a failure behind add_entry(): the machine back as it was and the entry gone, or, where that
 * fails too, the entry kept for nf_journal_close() and the next run. */
static void back_out(struct nf_journal *j, struct nf_journal_entry *e)
{
	bool left_alone;

	if (nf_journal_undo(j, e, &left_alone, NULL) < 0)
		return; /* still listed and on disk */
}

static int check_path(const char *path, struct nf_err *err)
{
	if (path[0] != '/' || strlen(path) > NF_JOURNAL_VALUE_MAX)
		return nf_fail(err, NF_EARG, "'%.100s' is not an absolute path of at most %d bytes",
		               path, NF_JOURNAL_VALUE_MAX);
	return 0;
}

int nf_journal_set(struct nf_journal *j, const char *path, const char *value,
                   struct nf_journal_entry **ret, struct nf_err *err)
{
	struct nf_journal_entry *e = NULL;
	struct nf_buf old, now;
	int r = check_path(path, err);

	if (r < 0)
		return r;
	if (strlen(value) > NF_JOURNAL_VALUE_MAX || strchr(value, '\n'))
		return nf_fail(err, NF_EARG,
		               "'%.100s' is not one line of at most %d bytes (for %s)", value,
		               NF_JOURNAL_VALUE_MAX, path);
	nf_buf_init(&old, NF_JOURNAL_VALUE_MAX);
	nf_buf_init(&now, NF_JOURNAL_VALUE_MAX);
	r = nf_journal_value_read(path, &old, err);
	if (r < 0)
		goto out;
	if (strcmp(old.data, value) == 0) {
		*ret = NULL;
		goto out;
	}
	r = add_entry(j, false, path, old.data, value, &e, err);
	if (r < 0)
		goto out;
	r = nf_journal_value_write(path, value, err);
	if (r == 0)
		r = nf_journal_value_read(path, &now, err);
	if (r == 0 && strcmp(now.data, old.data) == 0)
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "%s still reads '%.100s' after '%.100s' was written", path, old.data,
		            value);
	if (r == 0 && strcmp(now.data, value) != 0)
		r = amend(j, e, now.data, err);
	if (r < 0)
		back_out(j, e);
	else
		*ret = e;

out:
	nf_buf_fini(&now);
	nf_buf_fini(&old);
	return r;
}

int nf_journal_mkdir(struct nf_journal *j, const char *path, struct nf_journal_entry **ret,
                     struct nf_err *err)
{
	struct nf_journal_entry *e = NULL;
	struct nf_buf id;
	struct stat st;
	int r = check_path(path, err);

	if (r < 0)
		return r;
	/* Before an entry exists: one for a folder of somebody else must never be on disk. */
	if (lstat(path, &st) == 0)
		return nf_fail(err, NF_EEXIST, "%s exists already", path);
	if (errno != ENOENT)
		return nf_fail_os(err, errno, "cannot look at %s", path);
	nf_buf_init(&id, 64);
	r = add_entry(j, true, path, "", "", &e, err);
	if (r < 0)
		goto out;
	if (mkdir(path, 0700) < 0) {
		r = errno == EEXIST ? nf_fail(err, NF_EEXIST, "%s exists already", path)
		                    : nf_fail_os(err, errno, "cannot create %s", path);
		if (nf_journal_remove(j, e->name, NULL) == 0)
			forget(j, e);
		goto out;
	}
	r = nf_journal_folder_id(path, &id, err);
	if (r == 0)
		r = amend(j, e, id.data, err);
	if (r < 0)
		back_out(j, e);
	else
		*ret = e;

out:
	nf_buf_fini(&id);
	return r;
}

int nf_journal_undo(struct nf_journal *j, struct nf_journal_entry *e, bool *ret_left_alone,
                    struct nf_err *err)
{
	bool left_alone = false;
	int r;

	if (e) {
		r = nf_journal_put_back(&e->rec, &left_alone, err);
		if (r == 0)
			r = nf_journal_remove(j, e->name, err);
		if (r < 0)
			return r;
		forget(j, e);
	}
	*ret_left_alone = left_alone;
	return 0;
}

static int fail_held(int fd, const char *name, struct nf_err *err)
{
	char text[16] = "";
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	size_t digits;

	if (n > 0)
		text[n] = '\0';
	digits = strspn(text, "0123456789");
	text[digits] = '\0';
	return nf_fail(err, NF_EUNSUPPORTED,
	               "'%s' is in use by another run%s%s%s: wait for its end", name,
	               digits ? " (pid " : "", text, digits ? ")" : "");
}

int nf_journal_lock(struct nf_journal *j, const char *name, struct nf_err *err)
{
	struct nf_journal_lock *locks;
	char file[NAME_MAX + 1], pid[16];
	int fd, n, r;

	if (!name[0] || strlen(name) >= sizeof(j->locks->name) ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != strlen(name))
		return nf_fail(err, NF_EARG, "'%.100s' is not a lock's name (a-z 0-9 - _)", name);
	for (size_t i = 0; i < j->n_locks; i++)
		if (strcmp(j->locks[i].name, name) == 0)
			return 0;
	if (j->n_locks == LOCKS_MAX)
		return nf_fail(err, NF_EARG, "more than %d locks", LOCKS_MAX);
	locks = realloc(j->locks, (j->n_locks + 1) * sizeof(*locks));
	if (!locks)
		return nf_fail_nomem(err, "a lock", (j->n_locks + 1) * sizeof(*locks));
	j->locks = locks;
	snprintf(file, sizeof(file), "%s.lock", name);
	fd = openat(j->dirfd, file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s/%s", j->dir, file);
	if (nf_journal_flock(fd, LOCK_EX | LOCK_NB) < 0) {
		r = errno == EWOULDBLOCK
		            ? fail_held(fd, name, err)
		            : nf_fail_os(err, errno, "cannot lock %s/%s", j->dir, file);
		goto out;
	}
	/* The pid is for the message of others only. */
	n = snprintf(pid, sizeof(pid), "%d\n", j->tag.pid);
	if (ftruncate(fd, 0) < 0) {
		r = nf_fail_os(err, errno, "cannot write %s/%s", j->dir, file);
		goto out;
	}
	r = nf_write_all(fd, pid, (size_t)n, file, err);
	if (r < 0)
		goto out;
	locks[j->n_locks].fd = fd;
	snprintf(locks[j->n_locks].name, sizeof(locks->name), "%s", name);
	j->n_locks++;
	return 0;

out:
	close(fd);
	return r;
}
