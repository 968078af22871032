/* SPDX-License-Identifier: MIT */
#include "source/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"

enum { SNIFF_BYTES = 8192, ROOM_BYTES = 1 << 17 };

static const char *const endings[] = { ".c",   ".h",   ".S",   ".s",   ".cc",  ".cpp", ".cxx",
	                               ".c++", ".hh",  ".hpp", ".hxx", ".h++", ".inc", ".inl",
	                               ".ipp", ".def", ".C",   ".H",   ".lds" };

bool nf_src_is_source_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

void nf_src_tree_init(struct nf_src_tree *t, struct nf_arena *a)
{
	*t = (struct nf_src_tree){ .a = a };
}

void nf_src_tree_fini(struct nf_src_tree *t)
{
	free(t->path);
	free(t->trouble);
	*t = (struct nf_src_tree){ .a = t->a };
}

int nf_src_tree_note(struct nf_src_tree *t, const char *path, const char *why, struct nf_err *err)
{
	if (!t->trouble) {
		t->trouble = calloc(NF_SRC_NOTES_MAX, sizeof(*t->trouble));
		if (!t->trouble)
			return nf_fail_nomem(err, "notes", NF_SRC_NOTES_MAX * sizeof(*t->trouble));
	}
	if (t->n_trouble < NF_SRC_NOTES_MAX) {
		struct nf_src_trouble *note = &t->trouble[t->n_trouble];

		note->path = nf_arena_strdup(t->a, path);
		note->why = nf_arena_strdup(t->a, why);
		if (!note->path || !note->why)
			return nf_arena_failed(t->a, "notes", err);
		t->n_trouble++;
	}
	t->troubles++;
	return 0;
}

static int add_file(struct nf_src_tree *t, const char *path, struct nf_err *err)
{
	if (t->n == NF_SRC_FILES_MAX)
		return nf_fail(err, NF_EARG, "%s: more than %d files; give fewer folders", path,
		               NF_SRC_FILES_MAX);
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 256;
		const char **more = realloc(t->path, cap * sizeof(*more));

		if (!more)
			return nf_fail_nomem(err, "files", cap * sizeof(*more));
		t->path = more;
		t->cap = cap;
	}
	t->path[t->n] = nf_arena_strdup(t->a, path);
	if (!t->path[t->n])
		return nf_arena_failed(t->a, "files", err);
	t->n++;
	return 0;
}

static int add_folder(struct nf_src_tree *t, int fd, struct nf_buf *path, unsigned depth,
                      struct nf_err *err);

/* d_type, or what stat says where the file system does not tell. */
static unsigned char type_of(DIR *d, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type;
	if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return DT_UNKNOWN;
	return S_ISREG(st.st_mode)   ? DT_REG
	       : S_ISDIR(st.st_mode) ? DT_DIR
	       : S_ISLNK(st.st_mode) ? DT_LNK
	                             : DT_UNKNOWN;
}

static int add_subfolder(struct nf_src_tree *t, DIR *d, const char *name, struct nf_buf *path,
                         unsigned depth, struct nf_err *err)
{
	if (depth >= NF_SRC_DEPTH_MAX)
		return nf_src_tree_note(t, path->data, "too many folders in folders", err);
	int fd = openat(dirfd(d), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return nf_src_tree_note(t, path->data, strerror(errno), err);
	return add_folder(t, fd, path, depth + 1, err);
}

static int add_entry(struct nf_src_tree *t, DIR *d, const struct dirent *e, struct nf_buf *path,
                     unsigned depth, struct nf_err *err)
{
	size_t len = path->len_bytes;
	int r = 0;

	if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
	    strcmp(e->d_name, ".git") == 0)
		return 0;
	unsigned char type = type_of(d, e);
	if (type == DT_LNK)
		t->links++;
	if (type != DT_DIR && (type != DT_REG || !nf_src_is_source_name(e->d_name)))
		return 0;
	if (len > 0 && path->data[len - 1] != '/')
		(void)nf_buf_addc(path, '/');
	(void)nf_buf_adds(path, e->d_name);
	r = nf_buf_failed(path, "a path", err);
	if (r == 0 && type == DT_DIR)
		r = add_subfolder(t, d, e->d_name, path, depth, err);
	else if (r == 0)
		r = add_file(t, path->data, err);
	path->len_bytes = len;
	path->data[len] = '\0';
	return r;
}

/* fd is taken. */
static int add_folder(struct nf_src_tree *t, int fd, struct nf_buf *path, unsigned depth,
                      struct nf_err *err)
{
	DIR *d = fdopendir(fd);
	struct dirent *e;
	int r = 0;

	if (!d) {
		r = nf_src_tree_note(t, path->data, strerror(errno), err);
		close(fd);
		return r;
	}
	while (r == 0) {
		errno = 0;
		e = readdir(d);
		if (!e && errno != 0)
			r = nf_src_tree_note(t, path->data, strerror(errno), err);
		if (!e)
			break;
		r = add_entry(t, d, e, path, depth, err);
	}
	closedir(d);
	return r;
}

/* Without "./" before it, slashes after it and slashes twice: one file has one name. */
static void add_operand_path(struct nf_buf *out, const char *path)
{
	const char *p = path;

	while (p[0] == '.' && p[1] == '/') {
		p += 2;
		while (*p == '/')
			p++;
	}
	if (*p == '\0' && p != path)
		p = ".";
	for (; *p; p++)
		if (*p != '/' || p[1] != '/')
			(void)nf_buf_addc(out, *p);
	if (out->len_bytes > 1 && out->data[out->len_bytes - 1] == '/')
		out->data[--out->len_bytes] = '\0';
}

int nf_src_tree_add(struct nf_src_tree *t, const char *path, struct nf_err *err)
{
	static const char allowed[] = "allowed: a source file or a folder";
	struct nf_buf full;
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 && nf_errno_is_of_path(errno))
		return nf_fail(err, NF_EARG, "%s: %s; %s", path, strerror(errno), allowed);
	if (fd < 0)
		return nf_fail_os(err, errno, "%s", path);
	nf_buf_init(&full, (size_t)1 << 16);
	add_operand_path(&full, path);
	int r = nf_buf_failed(&full, "a path", err);
	if (r == 0 && fstat(fd, &st) != 0)
		r = nf_fail_os(err, errno, "%s", path);
	else if (r == 0 && S_ISDIR(st.st_mode)) {
		/* The files of the folder in which one stands have no ./ before them. */
		if (strcmp(full.data, ".") == 0) {
			full.len_bytes = 0;
			full.data[0] = '\0';
		}
		r = add_folder(t, fd, &full, 0, err);
		fd = -1;
	} else if (r == 0 && S_ISREG(st.st_mode))
		r = add_file(t, full.data, err);
	else if (r == 0)
		r = nf_fail(err, NF_EARG, "%s: neither a file nor a folder; %s", path, allowed);
	if (fd >= 0)
		close(fd);
	nf_buf_fini(&full);
	return r;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void nf_src_tree_finish(struct nf_src_tree *t)
{
	size_t n = 0;

	if (t->n > 1)
		qsort(t->path, t->n, sizeof(*t->path), compare_paths);
	for (size_t i = 0; i < t->n; i++)
		if (n == 0 || strcmp(t->path[n - 1], t->path[i]) != 0)
			t->path[n++] = t->path[i];
	t->n = n;
}

static int grow(struct nf_src_bytes *b, size_t need, struct nf_err *err)
{
	size_t cap = b->cap ? b->cap : ROOM_BYTES;

	while (cap < need)
		cap *= 2;
	if (cap == b->cap)
		return 0;
	char *more = realloc(b->data, cap);
	if (!more)
		return nf_fail_nomem(err, "a source file", cap);
	b->data = more;
	b->cap = cap;
	return 0;
}

/* From fd to its end, however its size grows. */
static int read_to_end(int fd, struct nf_src_bytes *b, enum nf_src_read *ret, struct nf_err *err)
{
	for (;;) {
		int r = grow(b, b->len + 1, err);
		if (r < 0)
			return r;
		ssize_t n = read(fd, b->data + b->len, b->cap - b->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			b->os_errno = errno;
			*ret = NF_SRC_READ_FAILED;
			return 0;
		}
		if (n == 0)
			return 0;
		if (b->len < SNIFF_BYTES) {
			size_t look =
			        b->len + (size_t)n < SNIFF_BYTES ? (size_t)n : SNIFF_BYTES - b->len;

			if (memchr(b->data + b->len, '\0', look)) {
				*ret = NF_SRC_READ_BINARY;
				return 0;
			}
		}
		b->len += (size_t)n;
		if (b->len > NF_SRC_FILE_BYTES_MAX) {
			*ret = NF_SRC_READ_LARGE;
			return 0;
		}
	}
}

int nf_src_read_file(const char *path, struct nf_src_bytes *b, enum nf_src_read *ret,
                     struct nf_err *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int r = 0;

	b->len = 0;
	b->os_errno = 0;
	b->dev = b->ino = 0;
	*ret = NF_SRC_READ_OK;
	if (fd < 0 || fstat(fd, &st) != 0) {
		b->os_errno = errno;
		*ret = NF_SRC_READ_FAILED;
	} else if (st.st_size > NF_SRC_FILE_BYTES_MAX) {
		*ret = NF_SRC_READ_LARGE;
	} else {
		b->dev = st.st_dev;
		b->ino = st.st_ino;
		r = grow(b, (size_t)st.st_size + 1, err);
		if (r == 0)
			r = read_to_end(fd, b, ret, err);
	}
	if (fd >= 0)
		close(fd);
	return r;
}
