/* SPDX-License-Identifier: MIT */
/* tar: whatever comes, and however it is cut, names stay below the folder, no more data arrives than was announced and than
 * the limits allow, and one piece and many give the same. */
#include <string.h>

#include "fuzz.h"
#include "remote/tar.h"

static const struct nf_tar_limits limits = { .bytes = 100000, .entries = 20, .depth = 3 };

struct seen {
	uint64_t bytes, announced, left;
	size_t entries;
	bool open;
	uint64_t digest;
};

static void mix(struct seen *s, const void *data, size_t len)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		s->digest = (s->digest ^ p[i]) * UINT64_C(1099511628211);
}

static void check_path(struct seen *s, const char *path)
{
	size_t depth = 1;

	fuzz_require(!s->open && *path && strlen(path) < NF_TAR_NAME + 2);
	for (const char *p = path; *p; p++) {
		bool first = p == path || p[-1] == '/';

		fuzz_require(!first || (*p != '.' && *p != '/' && *p != '-'));
		fuzz_require((unsigned char)*p > 0x20 && (unsigned char)*p < 0x7f);
		depth += *p == '/';
	}
	fuzz_require(depth <= limits.depth && path[strlen(path) - 1] != '/');
	fuzz_require(++s->entries <= limits.entries);
	mix(s, path, strlen(path) + 1);
}

static int on_folder(void *ctx, const char *path, struct nf_err *err)
{
	(void)err;
	check_path(ctx, path);
	return 0;
}

static int on_file(void *ctx, const char *path, uint64_t size_bytes, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	check_path(s, path);
	s->announced += size_bytes;
	fuzz_require(s->announced <= limits.bytes);
	s->left = size_bytes;
	s->open = true;
	return 0;
}

static int on_data(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(s->open && len_bytes > 0 && len_bytes <= s->left);
	s->left -= len_bytes;
	s->bytes += len_bytes;
	mix(s, data, len_bytes);
	return 0;
}

static int on_file_end(void *ctx, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(s->open && s->left == 0);
	s->open = false;
	return 0;
}

static int read_all(const uint8_t *data, size_t size, size_t step, struct seen *s)
{
	const struct nf_tar_events on = { s, on_folder, on_file, on_data, on_file_end };
	struct nf_err err = { 0 };
	struct nf_tar t;
	int r = 0;

	nf_tar_init(&t, &on, &limits);
	for (size_t at = 0; r == 0 && at < size; at += step)
		r = nf_tar_feed(&t, data + at, size - at < step ? size - at : step, &err);
	if (r == 0)
		r = nf_tar_finish(&t, &err);
	fuzz_require(r == 0 || (r == -NF_EDATA && err.msg[0]));
	fuzz_require(r < 0 || !s->open);
	for (const char *p = err.msg; *p; p++)
		fuzz_require((unsigned char)*p >= 0x20 && *p != 0x7f);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen whole = { 0 }, cut = { 0 };

	int r = read_all(data, size, size ? size : 1, &whole);
	fuzz_require(read_all(data, size, 7, &cut) == r);
	fuzz_require(cut.digest == whole.digest && cut.entries == whole.entries);
	fuzz_require(cut.bytes == whole.bytes);
	return 0;
}
