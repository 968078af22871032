/* SPDX-License-Identifier: MIT */
/* sample_file - a small file of samples, and its bytes in memory, where a test may change them. */
#ifndef SAMPLE_FILE_H
#define SAMPLE_FILE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "nf_unit.h"
#include "samples/samplefile.h"

enum { BIG = 1 << 20 };
static const size_t no_limit = SIZE_MAX;

static char folder[] = "/tmp/nf-samplefile-XXXXXX";
static int dirfd = -1;
static unsigned char image[4 * BIG];

static inline int open_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dirfd < 0 ? -1 : 0;
}

static inline int close_folder(void **state)
{
	(void)state;
	close(dirfd);
	return rmdir(folder);
}

static inline size_t slurp(const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, image, sizeof(image));

	assert_true(fd >= 0 && n >= 0);
	close(fd);
	return (size_t)n;
}

static inline void spit(const char *name, const void *data, size_t n)
{
	int fd;

	/* A new file: what replaces a truncated one is written to the disk by some file systems. */
	unlinkat(dirfd, name, 0);
	fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
}

static inline void two_streams(struct nf_stream s[2])
{
	memset(s, 0, 2 * sizeof(*s));
	strcpy(s[0].name, "fwq.cpu3");
	strcpy(s[0].clock, "tsc");
	s[0].cpu = 3;
	s[0].node = 1;
	s[0].unit = NF_UNIT_TICK;
	s[0].tick_hz = 2893299999.125;
	strcpy(s[1].name, "wake.cpu1.\"late\"\x01ness");
	strcpy(s[1].clock, "monotonic");
	strcpy(s[1].origin, "first deadline \xc3\xa9");
	s[1].cpu = s[1].node = -1;
	s[1].unit = NF_UNIT_NS;
	s[1].kind = NF_KIND_INSTANT;
	s[1].width = 4;
}

static inline struct nf_samplefile_writer *create(const char *name, const struct nf_stream *s,
                                                  size_t n)
{
	struct nf_samplefile_writer *w = NULL;
	struct nf_err e = { 0 };

	unlinkat(dirfd, name, 0); /* what a failed case left */
	if (nf_samplefile_create(dirfd, name, s, n, &w, &e) != 0)
		fail_msg("%s", e.msg);
	return w;
}

static inline void append(struct nf_samplefile_writer *w, size_t stream, const int64_t *v, size_t n)
{
	struct nf_err e = { 0 };

	if (nf_samplefile_append(w, stream, v, n, &e) != 0)
		fail_msg("%s", e.msg);
}

/* Header, four chunks (0: 3 values, 1: 3, 0: 2, 1: 1) and the closing chunk. */
static const int64_t ticks[] = { INT64_MIN, -1, 0, INT64_MAX, 1 };
static const int64_t late[] = { INT32_MIN, 7, INT32_MAX, -3 };

static inline size_t small_file(const char *name)
{
	struct nf_stream s[2];
	struct nf_samplefile_writer *w;

	two_streams(s);
	w = create(name, s, 2);
	append(w, 0, ticks, 3);
	append(w, 1, late, 3);
	append(w, 0, ticks + 3, 2);
	append(w, 1, late + 3, 1);
	append(w, 1, NULL, 0);
	s[0].n_dropped = 1;
	s[0].n_saturated = UINT64_MAX;
	s[1].n_missed = ((uint64_t)1 << 53) - 1;
	s[1].n_truncated = (uint64_t)1 << 53;
	assert_int_equal(nf_samplefile_finish(w, s, NULL), 0);
	return slurp(name);
}

static inline struct nf_samplefile read_back(const char *name)
{
	struct nf_samplefile f = { 0 };
	struct nf_err e = { 0 };

	if (nf_samplefile_read(dirfd, name, no_limit, &f, &e) != 0)
		fail_msg("%s", e.msg);
	return f;
}

static inline void remove_file(const char *name)
{
	assert_int_equal(unlinkat(dirfd, name, 0), 0);
}

static inline uint32_t le32(size_t at)
{
	return image[at] | (uint32_t)image[at + 1] << 8 | (uint32_t)image[at + 2] << 16 |
	       (uint32_t)image[at + 3] << 24;
}

static inline void put32(size_t at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		image[at + (size_t)i] = (unsigned char)(v >> 8 * i);
}

static inline size_t first_chunk(void)
{
	return 16 + (le32(12) + 7) / 8 * 8;
}

#endif
