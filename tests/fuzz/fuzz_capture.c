/* SPDX-License-Identifier: MIT */
/* capture: an index as anybody may write it, beside 300 bytes. What is read lies in the bytes, in order; the rest is
 * told; nothing is read twice. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "board/capture_format.h"
#include "fuzz.h"

enum { RAW_BYTES = 300 };

static int count(void *ctx, const struct nf_line *l, struct nf_err *err)
{
	(void)err;
	*(uint64_t *)ctx += l->raw_bytes;
	return 0;
}

static void put(int dir, const char *name, const void *data, size_t n)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	fuzz_require(fd >= 0 && write(fd, data, n) == (ssize_t)n && close(fd) == 0);
}

/* The input is entries only, or, from a first byte of 1, a whole index. */
static void put_index(int dir, const uint8_t *data, size_t size)
{
	static char index[NF_CAPTURE_HEAD_BYTES + (1 << 16)];
	struct nf_capture_head head = { .kind = NF_PORT_PTY, .baud = 9600, .port = "x" };

	if (size && data[0] == 1) {
		put(dir, "c.idx", data + 1, size - 1);
		return;
	}
	fuzz_require(nf_capture_head_put(&head, index, NULL) == 0);
	if (size > sizeof(index) - NF_CAPTURE_HEAD_BYTES)
		size = sizeof(index) - NF_CAPTURE_HEAD_BYTES;
	if (size)
		memcpy(index + NF_CAPTURE_HEAD_BYTES, data, size);
	put(dir, "c.idx", index, NF_CAPTURE_HEAD_BYTES + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* In memory where there is such a place: a disk would be what is tested. */
	char path[] = "/dev/shm/nf-capture-XXXXXX", raw[RAW_BYTES];
	if (access("/dev/shm", W_OK) < 0)
		memcpy(path, "/var/tmp", 8);
	int dir = mkdtemp(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1, r;
	struct nf_capture_reader reader;
	struct nf_capture_rest rest;
	struct nf_lines lines;
	uint64_t n = 0;

	fuzz_require(dir >= 0);
	memset(raw, 'x', sizeof(raw));
	put(dir, "c.raw", raw, sizeof(raw));
	put_index(dir, data, size);
	if (nf_capture_open(&reader, dir, "c", NULL) == 0) {
		fuzz_require(nf_line_init(&lines, 64, NULL) == 0);
		r = nf_capture_lines(&reader, &lines, count, &n, NULL);
		fuzz_require(r == 0 || r == -NF_EDATA);
		fuzz_require(reader.raw_at <= RAW_BYTES && (r < 0 || n == reader.raw_at));
		fuzz_require(nf_capture_rest(&reader, &rest, NULL) == 0);
		fuzz_require(reader.raw_at + rest.untimed_bytes == RAW_BYTES);
		nf_line_fini(&lines);
		nf_capture_reader_fini(&reader);
	}
	unlinkat(dir, "c.idx", 0);
	unlinkat(dir, "c.raw", 0);
	close(dir);
	rmdir(path);
	return 0;
}
