/* SPDX-License-Identifier: MIT */
/* samplefile: the reader on arbitrary bytes, as they are and with every checksum put right, so that
 * what lies behind the checksums is reached too. What it calls complete is written again and read
 * back the same. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "fuzz.h"
#include "samples/samplefile.h"
#include "samples/samplefile_format.h"

static void repair(uint8_t *data, size_t size)
{
	size_t at = NF_SAMPLEFILE_PREFIX_BYTES;

	if (size < at || nf_padded(nf_le32_get(data + 12)) > size - at)
		return;
	at += (size_t)nf_padded(nf_le32_get(data + 12));
	while (size - at >= NF_SAMPLEFILE_CHUNK_BYTES) {
		struct nf_chunk c = nf_chunk_get(data + at);
		uint8_t *values = data + at + NF_SAMPLEFILE_CHUNK_BYTES;
		uint64_t room = size - at - NF_SAMPLEFILE_CHUNK_BYTES, bytes = c.count;

		/* Streams' widths are not known here: the corpus has 4 for odd ones and 8 for even. */
		if (c.stream != NF_SAMPLEFILE_CLOSING)
			bytes *= c.stream % 2 ? 4 : 8;
		if (nf_padded(bytes) > room)
			return;
		c.crc = nf_crc32c(0, values, (size_t)bytes);
		nf_chunk_put(&c, data + at);
		at += NF_SAMPLEFILE_CHUNK_BYTES + (size_t)nf_padded(bytes);
	}
}

static void write_again(const struct nf_samplefile *f)
{
	char folder[] = "/tmp/nf-fuzz-samplefile-XXXXXX";
	struct nf_samplefile_writer *w = NULL;
	struct nf_samplefile g = { 0 };
	int dirfd = -1;

	fuzz_require(mkdtemp(folder));
	dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fuzz_require(dirfd >= 0);
	fuzz_require(nf_samplefile_create(dirfd, "f", f->streams, f->n_streams, &w, NULL) == 0);
	for (size_t i = 0; i < f->n_streams; i++)
		fuzz_require(nf_samplefile_append(w, i, f->streams[i].value, f->streams[i].n,
		                                  NULL) == 0);
	fuzz_require(nf_samplefile_finish(w, f->streams, NULL) == 0);
	fuzz_require(nf_samplefile_read(dirfd, "f", SIZE_MAX, &g, NULL) == 0);
	fuzz_require(g.state == NF_SAMPLEFILE_COMPLETE && g.n_streams == f->n_streams);
	for (size_t i = 0; i < f->n_streams; i++) {
		const struct nf_stream *a = &f->streams[i], *b = &g.streams[i];

		fuzz_require(strcmp(a->name, b->name) == 0 && a->n == b->n);
		fuzz_require(a->cpu == b->cpu && a->tick_hz == b->tick_hz);
		fuzz_require(a->n_dropped == b->n_dropped && a->n_missed == b->n_missed);
		for (size_t k = 0; k < a->n; k++)
			fuzz_require(a->value[k] == b->value[k]);
	}
	nf_samplefile_fini(&g);
	unlinkat(dirfd, "f", 0);
	close(dirfd);
	rmdir(folder);
}

static void read_bytes(const uint8_t *data, size_t size)
{
	struct nf_samplefile f = { .n_streams = 99 };
	struct nf_err err = { 0 };
	char path[40];
	size_t total = 0;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	fuzz_require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (nf_samplefile_read(AT_FDCWD, path, 1 << 26, &f, &err) < 0) {
		fuzz_require(err.code == NF_EDATA && strstr(err.msg, "byte "));
		fuzz_require(f.n_streams == 99 && !f.streams);
		close(fd);
		return;
	}
	close(fd);
	fuzz_require(f.n_streams >= 1 && f.n_streams <= NF_SAMPLEFILE_STREAMS_MAX);
	fuzz_require((f.state == NF_SAMPLEFILE_COMPLETE) == (f.what[0] == '\0'));
	for (size_t i = 0; i < f.n_streams; i++) {
		fuzz_require(f.streams[i].n <= f.streams[i].cap);
		fuzz_require(f.streams[i].n == 0 || f.streams[i].value);
		fuzz_require(f.state == NF_SAMPLEFILE_COMPLETE ||
		             !nf_stream_incomplete(&f.streams[i]));
		total += f.streams[i].n;
	}
	fuzz_require(total <= size / 4);
	if (f.state == NF_SAMPLEFILE_COMPLETE)
		write_again(&f);
	nf_samplefile_fini(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	fuzz_require(copy);
	memcpy(copy, data, size);
	read_bytes(copy, size);
	repair(copy, size);
	read_bytes(copy, size);
	free(copy);
	return 0;
}
