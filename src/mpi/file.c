/* SPDX-License-Identifier: MIT */
#include "mpi/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi/ending.h"

enum { TAG_GO = 1, TAG_PIECE = 2 };

static int mpi_fail(int code, const char *what, const char *path, struct nf_err *err)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int len = 0;

	(void)MPI_Error_string(code, text, &len);
	return nf_fail(err, NF_EOS, "%s %.200s: %.200s", what, path, text);
}

/* --- names --- */

/* The folder of path and the last part of its name. */
static void split(const char *path, char folder[NF_MPI_PATH_BYTES], char name[NF_MPI_PATH_BYTES])
{
	char copy[NF_MPI_PATH_BYTES];

	snprintf(copy, sizeof(copy), "%s", path);
	snprintf(folder, NF_MPI_PATH_BYTES, "%s", dirname(copy));
	snprintf(copy, sizeof(copy), "%s", path);
	snprintf(name, NF_MPI_PATH_BYTES, "%s", basename(copy));
}

int nf_mpi_file_check(const char *path, bool replace, const char *what, struct nf_err *err)
{
	char folder[NF_MPI_PATH_BYTES], name[NF_MPI_PATH_BYTES];
	struct stat st;

	if (strlen(path) > NF_MPI_PATH_BYTES - 512)
		return nf_fail(err, NF_EARG, "%s: the path is too long; allowed: %d bytes", what,
		               NF_MPI_PATH_BYTES - 512);
	if (lstat(path, &st) == 0) {
		if (!replace)
			return nf_fail(err, NF_EEXIST,
			               "%s: %s exists; allowed: a new file, or "
			               "--force",
			               what, path);
		if (!S_ISREG(st.st_mode))
			return nf_fail(err, NF_EEXIST,
			               "%s: %s is no regular file and is not replaced, not even "
			               "with --force; allowed: a regular file or a new name",
			               what, path);
	} else if (errno != ENOENT) {
		return nf_fail(err, NF_EARG,
		               "%s: %s: %s; allowed: a new file in a folder that "
		               "exists",
		               what, path, strerror(errno));
	}
	split(path, folder, name);
	if (stat(folder, &st) < 0 || !S_ISDIR(st.st_mode))
		return nf_fail(err, NF_EARG,
		               "%s: %s: no folder %s; allowed: a new file in a "
		               "folder that exists",
		               what, path, folder);
	if (access(folder, W_OK) < 0)
		return nf_fail_os(err, errno, "%s: %s", what, path);
	return 0;
}

/* Temporary names are ".NAME.HOST-PID.nftmp": those of this host whose process is gone are stale. */
static void remove_stale(const struct nf_mpi *m, const char *path)
{
	char folder[NF_MPI_PATH_BYTES], name[NF_MPI_PATH_BYTES], prefix[2 * NF_MPI_PATH_BYTES];
	struct dirent *e;

	split(path, folder, name);
	int len = snprintf(prefix, sizeof(prefix), ".%s.%s-", name, m->host);
	DIR *d = opendir(folder);
	if (!d)
		return;
	while ((e = readdir(d))) {
		char *end = NULL;

		if (strncmp(e->d_name, prefix, (size_t)len) != 0)
			continue;
		long pid = strtol(e->d_name + len, &end, 10);
		if (pid > 0 && strcmp(end, ".nftmp") == 0 && kill((pid_t)pid, 0) < 0 &&
		    errno == ESRCH)
			(void)unlinkat(dirfd(d), e->d_name, 0);
	}
	closedir(d);
}

/* --- writing --- */

static int create(const struct nf_mpi *m, const char *path, int mode, struct nf_mpi_file *f,
                  struct nf_err *err)
{
	char folder[NF_MPI_PATH_BYTES], name[NF_MPI_PATH_BYTES];

	split(path, folder, name);
	int n = snprintf(f->temporary, sizeof(f->temporary), "%s/.%s.%s-%ld.nftmp", folder, name,
	                 m->host, (long)getpid());
	if (n >= (int)sizeof(f->temporary))
		return nf_fail(err, NF_EARG, "%.200s...: the path is too long", path);
	remove_stale(m, path);
	int fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot make %s", f->temporary);
	close(fd);
	return 0;
}

int nf_mpi_file_open(const struct nf_mpi *m, const char *path, int mode, bool replace,
                     struct nf_mpi_file *ret, struct nf_err *err)
{
	struct nf_mpi_file *f = ret;
	int r = 0;

	*f = (struct nf_mpi_file){ .replace = replace };
	snprintf(f->path, sizeof(f->path), "%s", path);
	if (m->rank == 0)
		r = create(m, path, mode, f, err);
	f->piece = malloc(NF_MPI_PIECE_BYTES);
	if (r == 0 && !f->piece)
		r = nf_fail_nomem(err, "a piece of a file", NF_MPI_PIECE_BYTES);
	r = nf_mpi_agree(m, r, err);
	if (r < 0)
		goto out;
	MPI_Bcast(f->temporary, (int)sizeof(f->temporary), MPI_CHAR, 0, m->world);
	nf_mpi_guard_begin(f->temporary);
	if (access(f->temporary, W_OK) < 0)
		r = nf_fail(err, NF_EARG,
		            "%.300s is not seen here (%s): files of a job must lie on a file "
		            "system that "
		            "all its nodes share",
		            f->temporary, strerror(errno));
	r = nf_mpi_agree(m, r, err);
	if (r < 0)
		goto out;
	int code =
	        MPI_File_open(m->world, f->temporary, MPI_MODE_WRONLY, MPI_INFO_NULL, &f->handle);
	f->is_open = code == MPI_SUCCESS;
	if (!f->is_open)
		r = mpi_fail(code, "cannot open", f->temporary, err);
	r = nf_mpi_agree(m, r, err);
out:
	if (r < 0)
		nf_mpi_file_abandon(m, f);
	return r;
}

static void measure_source(const struct nf_mpi_source *s, char *piece, uint64_t *ret_bytes,
                           uint64_t *ret_pieces)
{
	uint64_t bytes = 0, pieces = 0;
	size_t n;

	s->rewind(s->ctx);
	while ((n = s->next(s->ctx, piece)) > 0) {
		bytes += n;
		pieces++;
	}
	*ret_bytes = bytes;
	*ret_pieces = pieces;
	s->rewind(s->ctx);
}

int nf_mpi_file_append(const struct nf_mpi *m, struct nf_mpi_file *f,
                       const struct nf_mpi_source *own, struct nf_err *err)
{
	uint64_t bytes, pieces, before = 0, total = 0, rounds = 0;
	int r = 0;

	measure_source(own, f->piece, &bytes, &pieces);
	MPI_Exscan(&bytes, &before, 1, MPI_UINT64_T, MPI_SUM, m->world);
	if (m->rank == 0)
		before = 0; /* undefined there */
	MPI_Allreduce(&bytes, &total, 1, MPI_UINT64_T, MPI_SUM, m->world);
	MPI_Allreduce(&pieces, &rounds, 1, MPI_UINT64_T, MPI_MAX, m->world);
	MPI_Offset at = f->end + (MPI_Offset)before;
	for (uint64_t i = 0; i < rounds; i++) {
		size_t n = own->next(own->ctx, f->piece);
		MPI_Status status;
		int got = 0;

		if (r < 0)
			n = 0; /* the others go on: the calls are collective */
		int code =
		        MPI_File_write_at_all(f->handle, at, f->piece, (int)n, MPI_BYTE, &status);
		if (code != MPI_SUCCESS && r == 0) {
			r = mpi_fail(code, "cannot write", f->temporary, err);
		} else if (r == 0) {
			MPI_Get_count(&status, MPI_BYTE, &got);
			if (got != (int)n)
				r = nf_fail(err, NF_EOS, "cannot write %.200s: %d of %zu bytes",
				            f->temporary, got, n);
		}
		at += (MPI_Offset)n;
		nf_mpi_guard_progress();
	}
	f->end += (MPI_Offset)total;
	return nf_mpi_agree(m, r, err);
}

/* On rank 0, when all have closed the file: stored, and under its name. */
static int publish(const struct nf_mpi_file *f, struct nf_err *err)
{
	struct stat st;
	int fd = open(f->temporary, O_RDONLY | O_CLOEXEC), r = 0;

	if (fd < 0)
		return nf_fail_os(err, errno, "%s", f->temporary);
	if (fsync(fd) < 0 && errno != EINVAL && errno != EROFS)
		r = nf_fail_os(err, errno, "cannot store %s", f->temporary);
	else if (fstat(fd, &st) < 0 || st.st_size != f->end)
		r = nf_fail(err, NF_EOS,
		            "cannot write %.200s: it is not as long as what was "
		            "written",
		            f->temporary);
	close(fd);
	if (r < 0)
		return r;
	if (f->replace) {
		r = nf_mpi_file_check(f->path, true, "--output", err);
		if (r == 0 && rename(f->temporary, f->path) < 0)
			r = nf_fail_os(err, errno, "cannot make %s", f->path);
		return r;
	}
	if (renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST)
		return nf_fail(err, NF_EEXIST, "%s: made by somebody else meanwhile", f->path);
	/* File systems without that flag: a link replaces nothing either. */
	if (link(f->temporary, f->path) < 0)
		return nf_fail_os(err, errno, "cannot make %s", f->path);
	return unlink(f->temporary) < 0 ? nf_fail_os(err, errno, "%s", f->temporary) : 0;
}

int nf_mpi_file_finish(const struct nf_mpi *m, struct nf_mpi_file *f, struct nf_err *err)
{
	nf_mpi_guard_written();
	int r = 0, code = MPI_File_sync(f->handle);

	if (code != MPI_SUCCESS)
		r = mpi_fail(code, "cannot store", f->temporary, err);
	code = MPI_File_close(&f->handle);
	f->is_open = false;
	if (code != MPI_SUCCESS && r == 0)
		r = mpi_fail(code, "cannot close", f->temporary, err);
	r = nf_mpi_agree(m, r, err);
	if (r < 0)
		return r;
	if (m->rank == 0)
		r = publish(f, err);
	r = nf_mpi_agree(m, r, err);
	if (r == 0) {
		nf_mpi_guard_end();
		free(f->piece);
		f->piece = NULL;
		f->temporary[0] = '\0';
	}
	return r;
}

void nf_mpi_file_abandon(const struct nf_mpi *m, struct nf_mpi_file *f)
{
	if (f->is_open)
		(void)MPI_File_close(&f->handle);
	f->is_open = false;
	if (m->rank == 0 && f->temporary[0])
		(void)unlink(f->temporary);
	if (f->temporary[0])
		nf_mpi_guard_end();
	f->temporary[0] = '\0';
	free(f->piece);
	f->piece = NULL;
}

/* --- standard output --- */

static int print_piece(const char *piece, size_t n, struct nf_err *err)
{
	errno = 0;
	return fwrite(piece, 1, n, stdout) == n
	               ? 0
	               : nf_fail_os(err, errno ? errno : EIO, "cannot write standard output");
}

/* One rank at a time sends, when its turn has come. */
static int print_all(const struct nf_mpi *m, const struct nf_mpi_source *own, char *piece,
                     struct nf_err *err)
{
	size_t n;
	int r = 0;

	while (r == 0 && (n = own->next(own->ctx, piece)) > 0)
		r = print_piece(piece, n, err);
	for (int from = 1; from < m->size; from++) {
		int go = r == 0, got = 1;

		MPI_Send(&go, 1, MPI_INT, from, TAG_GO, m->world);
		while (go && got > 0) {
			MPI_Status status;

			MPI_Recv(piece, NF_MPI_PIECE_BYTES, MPI_BYTE, from, TAG_PIECE, m->world,
			         &status);
			MPI_Get_count(&status, MPI_BYTE, &got);
			if (got > 0 && r == 0)
				r = print_piece(piece, (size_t)got, err);
		}
	}
	if (r == 0 && fflush(stdout) != 0)
		r = nf_fail_os(err, errno ? errno : EIO, "cannot write standard output");
	return r;
}

static void send_all(const struct nf_mpi *m, const struct nf_mpi_source *own, char *piece)
{
	MPI_Request request;
	size_t n;
	int go = 0;

	MPI_Irecv(&go, 1, MPI_INT, 0, TAG_GO, m->world, &request);
	nf_mpi_wait(&request);
	do {
		n = go ? own->next(own->ctx, piece) : 0;
		if (go)
			MPI_Send(piece, (int)n, MPI_BYTE, 0, TAG_PIECE, m->world);
	} while (n > 0);
}

int nf_mpi_print(const struct nf_mpi *m, const struct nf_mpi_source *own, struct nf_err *err)
{
	char *piece = malloc(NF_MPI_PIECE_BYTES);
	int r = piece ? 0 : nf_fail_nomem(err, "a piece of output", NF_MPI_PIECE_BYTES);

	r = nf_mpi_agree(m, r, err);
	if (r == 0) {
		own->rewind(own->ctx);
		if (m->rank == 0)
			r = print_all(m, own, piece, err);
		else
			send_all(m, own, piece);
		r = nf_mpi_agree(m, r, err);
	}
	free(piece);
	return r;
}

static void text_rewind(void *ctx)
{
	((struct nf_mpi_text *)ctx)->given = false;
}

static size_t text_next(void *ctx, char *buf)
{
	struct nf_mpi_text *t = ctx;

	if (t->given)
		return 0;
	t->given = true;
	memcpy(buf, t->data, t->len_bytes);
	return t->len_bytes;
}

struct nf_mpi_source nf_mpi_text_source(struct nf_mpi_text *t)
{
	return (struct nf_mpi_source){ t, text_rewind, text_next };
}
