/* SPDX-License-Identifier: MIT */
#include "cli/fwq_output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "report/values.h"
#include "samples/samplefile.h"

#define MAX_VALUE_BYTES ((size_t)1 << 36)

/* --force replaces regular files only: a device, a pipe or a link is somebody's on purpose. */
static int check_replaceable(const struct nf_fwq_output *o, struct nf_err *err)
{
	struct stat st;

	if (lstat(o->path, &st) < 0 || S_ISREG(st.st_mode))
		return 0; /* absent: made; another failure: opening says it better */
	return nf_fail(err, NF_EEXIST,
	               "%s: %s is no regular file and is not replaced, not even with --force; "
	               "allowed: a regular file or a new name",
	               o->what, o->path);
}

int nf_fwq_output_open(const char *path, bool force, const char *what, struct nf_fwq_output *ret,
                       struct nf_err *err)
{
	struct nf_fwq_output o = { .path = path, .what = what, .fd = -1 };

	if (!path) {
		*ret = o;
		return 0;
	}
	if (force) {
		int r = check_replaceable(&o, err);
		if (r < 0)
			return r;
	}
	if (force && asprintf(&o.temporary, "%s.%ld.tmp", path, (long)getpid()) < 0)
		return nf_fail_nomem(err, "a file's name", 0);
	o.fd = open(force ? o.temporary : path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (o.fd < 0) {
		int os_errno = errno;

		free(o.temporary);
		if (os_errno == EEXIST)
			return nf_fail(err, NF_EEXIST,
			               "%s: %s exists; allowed: a new file, or --force", what,
			               path);
		if (os_errno == ENOENT || os_errno == ENOTDIR || os_errno == EISDIR)
			return nf_fail(err, NF_EARG,
			               "%s: %s: %s; allowed: a new file in a folder that exists",
			               what, path, strerror(os_errno));
		return nf_fail_os(err, os_errno, "%s: %s", what, path);
	}
	*ret = o;
	return 0;
}

static int to_fd(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	const struct nf_fwq_output *o = ctx;

	return nf_write_all(o->fd, data, len_bytes, o->path, err);
}

/* The sample file as it is. */
static int copy(const char *sample_file, const struct nf_sink *sink, struct nf_err *err)
{
	static char piece[1 << 16];
	int r = 0, fd = open(sample_file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return nf_fail_os(err, errno, "%s", sample_file);
	for (;;) {
		ssize_t n = read(fd, piece, sizeof(piece));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			r = nf_fail_os(err, errno, "%s", sample_file);
		if (n > 0)
			r = sink->write(sink->ctx, piece, (size_t)n, err);
		if (n <= 0 || r < 0)
			break;
	}
	close(fd);
	return r;
}

static int convert(const char *sample_file, enum nf_fwq_format format, const struct nf_sink *sink,
                   struct nf_err *err)
{
	static const struct nf_values_opts raw;
	struct nf_samplefile f = { 0 };

	int r = nf_samplefile_read(AT_FDCWD, sample_file, MAX_VALUE_BYTES, &f, err);
	if (r < 0)
		return r;
	if (format == NF_FWQ_LLNL)
		r = nf_values_fwq(f.streams, f.n_streams, sink, err);
	else
		r = nf_values_csv(f.streams, f.n_streams, &raw, sink, err);
	nf_samplefile_fini(&f);
	return r;
}

struct nf_sink nf_fwq_output_sink(struct nf_fwq_output *o, struct nf_cli *cli)
{
	return o->path ? (struct nf_sink){ to_fd, o } : (struct nf_sink){ nf_cli_sink, cli };
}

int nf_fwq_output_write(struct nf_fwq_output *o, struct nf_cli *cli, const char *sample_file,
                        enum nf_fwq_format format, struct nf_err *err)
{
	struct nf_sink sink = nf_fwq_output_sink(o, cli);
	int r = format == NF_FWQ_NOISEFLOOR ? copy(sample_file, &sink, err)
	                                    : convert(sample_file, format, &sink, err);

	return r < 0 ? r : nf_fwq_output_commit(o, err);
}

int nf_fwq_output_commit(struct nf_fwq_output *o, struct nf_err *err)
{
	if (!o->path)
		return 0;
	if (fsync(o->fd) < 0 && errno != EINVAL && errno != EROFS)
		return nf_fail_os(err, errno, "%s: %s", o->what, o->path);
	int closed = close(o->fd);
	o->fd = -1;
	if (closed < 0)
		return nf_fail_os(err, errno, "%s: %s", o->what, o->path);
	if (o->temporary) {
		int r = check_replaceable(o, err);

		if (r < 0)
			return r;
		if (rename(o->temporary, o->path) < 0)
			return nf_fail_os(err, errno, "%s: %s", o->what, o->path);
	}
	free(o->temporary);
	*o = (struct nf_fwq_output){ .fd = -1 };
	return 0;
}

int nf_fwq_output_lines(const char *sample_file, const char *path, uint64_t work,
                        struct nf_buf *out, struct nf_err *err)
{
	struct nf_samplefile_reader *f = NULL;
	uint64_t most = 0;

	int r = nf_samplefile_open(AT_FDCWD, sample_file, &f, err);
	if (r < 0)
		return r;
	const struct nf_samplefile *about = nf_samplefile_about(f);
	for (size_t i = 0; i < about->n_streams; i++)
		most = about->streams[i].n > most ? about->streams[i].n : most;
	(void)nf_buf_addf(out, "Number of threads: %zu\n", about->n_streams);
	if (work > 0 && (work & (work - 1)) == 0)
		(void)nf_buf_addf(out, "Work per thread: 2^%d\n", __builtin_ctzll(work));
	else if (work > 0)
		(void)nf_buf_addf(out, "Work per thread: %" PRIu64 "\n", work);
	(void)nf_buf_addf(out, "Number of samples per thread: %" PRIu64 "\nOutput file: %s\n", most,
	                  path);
	for (size_t i = 0; i < about->n_streams; i++)
		(void)nf_buf_addf(out, "Thread %zu running on CPUs %d\n", i, about->streams[i].cpu);
	nf_samplefile_close(f);
	return nf_buf_failed(out, "the lines", err);
}

void nf_fwq_output_fini(struct nf_fwq_output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	if (o->path)
		(void)unlink(o->temporary ? o->temporary : o->path);
	free(o->temporary);
	*o = (struct nf_fwq_output){ .fd = -1 };
}
