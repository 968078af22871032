/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/rng.h"
#include "nf_unit.h"
#include "samples/samplefile.h"

enum { BIG = 1 << 20 };
static const size_t no_limit = SIZE_MAX;

static char folder[] = "/tmp/nf-samplefile-XXXXXX";
static int dirfd = -1;
static unsigned char image[4 * BIG];

static int open_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dirfd < 0 ? -1 : 0;
}

static int close_folder(void **state)
{
	(void)state;
	close(dirfd);
	return rmdir(folder);
}

static size_t slurp(const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, image, sizeof(image));

	assert_true(fd >= 0 && n >= 0);
	close(fd);
	return (size_t)n;
}

static void spit(const char *name, const void *data, size_t n)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
}

static void two_streams(struct nf_stream s[2])
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

static struct nf_samplefile_writer *create(const char *name, const struct nf_stream *s, size_t n)
{
	struct nf_samplefile_writer *w = NULL;
	struct nf_err e = { 0 };

	unlinkat(dirfd, name, 0); /* what a failed case left */
	if (nf_samplefile_create(dirfd, name, s, n, &w, &e) != 0)
		fail_msg("%s", e.msg);
	return w;
}

static void append(struct nf_samplefile_writer *w, size_t stream, const int64_t *v, size_t n)
{
	struct nf_err e = { 0 };

	if (nf_samplefile_append(w, stream, v, n, &e) != 0)
		fail_msg("%s", e.msg);
}

/* Header, four chunks (0: 3 values, 1: 3, 0: 2, 1: 1) and the closing chunk. */
static const int64_t ticks[] = { INT64_MIN, -1, 0, INT64_MAX, 1 };
static const int64_t late[] = { INT32_MIN, 7, INT32_MAX, -3 };

static size_t small_file(const char *name)
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

static struct nf_samplefile read_back(const char *name)
{
	struct nf_samplefile f = { 0 };
	struct nf_err e = { 0 };

	if (nf_samplefile_read(dirfd, name, no_limit, &f, &e) != 0)
		fail_msg("%s", e.msg);
	return f;
}

static void remove_file(const char *name)
{
	assert_int_equal(unlinkat(dirfd, name, 0), 0);
}

static void what_is_written_is_read_back(void **state)
{
	struct nf_stream s[2];
	struct nf_samplefile f;

	(void)state;
	small_file("a");
	two_streams(s);
	f = read_back("a");
	assert_int_equal(f.state, NF_SAMPLEFILE_COMPLETE);
	assert_string_equal(f.what, "");
	assert_int_equal(f.n_streams, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(f.streams[i].name, s[i].name);
		assert_string_equal(f.streams[i].clock, s[i].clock);
		assert_string_equal(f.streams[i].origin, s[i].origin);
		assert_int_equal(f.streams[i].cpu, s[i].cpu);
		assert_int_equal(f.streams[i].node, s[i].node);
		assert_int_equal(f.streams[i].unit, s[i].unit);
		assert_int_equal(f.streams[i].kind, s[i].kind);
		assert_true(f.streams[i].tick_hz == s[i].tick_hz);
		assert_int_equal(f.streams[i].width, i ? 4 : 8);
	}
	assert_int_equal(f.streams[0].n, 5);
	assert_memory_equal(f.streams[0].value, ticks, sizeof(ticks));
	assert_int_equal(f.streams[1].n, 4);
	assert_memory_equal(f.streams[1].value, late, sizeof(late));
	assert_int_equal(f.streams[0].n_dropped, 1);
	assert_true(f.streams[0].n_saturated == UINT64_MAX);
	assert_true(f.streams[1].n_missed == ((uint64_t)1 << 53) - 1);
	assert_true(f.streams[1].n_truncated == (uint64_t)1 << 53);
	assert_int_equal(f.streams[1].n_dropped, 0);
	nf_samplefile_fini(&f);
	nf_samplefile_fini(&f);
	remove_file("a");
}

static uint32_t le32(size_t at)
{
	return image[at] | (uint32_t)image[at + 1] << 8 | (uint32_t)image[at + 2] << 16 |
	       (uint32_t)image[at + 3] << 24;
}

static void put32(size_t at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		image[at + (size_t)i] = (unsigned char)(v >> 8 * i);
}

static size_t first_chunk(void)
{
	return 16 + (le32(12) + 7) / 8 * 8;
}

static void the_bytes_are_as_documented(void **state)
{
	static const char header[] =
	        "[{\"name\": \"n\", \"cpu\": 0, \"node\": null, \"clock\": \"\", \"tick_hz\": 0.0, "
	        "\"unit\": \"count\", \"kind\": \"count\", \"origin\": \"\", \"width\": 4}]\n";
	struct nf_stream s = {
		.name = "n", .node = -1, .unit = NF_UNIT_COUNT, .kind = NF_KIND_COUNT, .width = 4
	};
	static const int64_t v[] = { 1, -2, 3 };
	static const unsigned char values[] = { 1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 3, 0, 0, 0 };
	struct nf_samplefile_writer *w = create("a", &s, 1);
	size_t n, at;

	(void)state;
	append(w, 0, v, 3);
	assert_int_equal(nf_samplefile_finish(w, &s, NULL), 0);
	n = slurp("a");
	assert_memory_equal(image, "nfsmpl\r\n\x01\0\0\0", 12);
	assert_int_equal(le32(12), strlen(header));
	assert_memory_equal(image + 16, header, strlen(header));
	for (at = 16 + strlen(header); at % 8; at++)
		assert_int_equal(image[at], 0);
	assert_int_equal(le32(at), 0);
	assert_int_equal(le32(at + 4), 3);
	assert_int_equal(le32(at + 8), 0);
	assert_int_equal(le32(at + 12), 0);
	assert_int_equal(le32(at + 16), nf_crc32c(0, values, sizeof(values)));
	assert_int_equal(le32(at + 20), 0);
	assert_memory_equal(image + at + 24, values, sizeof(values));
	assert_int_equal(le32(at + 36), 0);
	at += 40;
	assert_int_equal(le32(at), 0xffffffff);
	assert_memory_equal(image + at + 24, "[{\"n\": 3,", 9);
	assert_int_equal(n % 8, 0);
	remove_file("a");
}

static void a_file_cut_anywhere_is_partial_and_keeps_its_whole_chunks(void **state)
{
	size_t n = small_file("a"), chunks = first_chunk();
	unsigned char *copy = malloc(n);

	(void)state;
	assert_non_null(copy);
	memcpy(copy, image, n);
	for (size_t len = 0; len < n; len++) {
		struct nf_samplefile f = { .n_streams = 99 };
		struct nf_err e = { 0 };
		int r;

		spit("b", copy, len);
		r = nf_samplefile_read(dirfd, "b", no_limit, &f, &e);
		if (len < chunks) {
			assert_int_equal(r, -NF_EDATA);
			assert_non_null(strstr(e.msg, "byte "));
			assert_int_equal(f.n_streams, 99);
			continue;
		}
		assert_int_equal(r, 0);
		assert_int_equal(f.state, NF_SAMPLEFILE_PARTIAL);
		assert_non_null(strstr(f.what, "byte "));
		/* Chunks end 48, 88, 128, 160 bytes on: 24 + 24, 24 + 16, 24 + 16, 24 + 8. */
		assert_int_equal(f.streams[0].n, len - chunks >= 128  ? 5
		                                 : len - chunks >= 48 ? 3
		                                                      : 0);
		assert_int_equal(f.streams[1].n, len - chunks >= 160  ? 4
		                                 : len - chunks >= 88 ? 3
		                                                      : 0);
		assert_memory_equal(f.streams[0].value ? f.streams[0].value : ticks, ticks,
		                    f.streams[0].n * 8);
		assert_int_equal(f.streams[0].n_dropped, 0);
		nf_samplefile_fini(&f);
	}
	free(copy);
	remove_file("a");
	remove_file("b");
}

static void a_flipped_bit_never_passes_as_complete(void **state)
{
	size_t n = small_file("a"), chunks = first_chunk();
	unsigned char *copy = malloc(n);

	(void)state;
	assert_non_null(copy);
	memcpy(copy, image, n);
	for (size_t at = chunks; at < n; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			struct nf_samplefile f;

			copy[at] ^= (unsigned char)(1u << bit);
			spit("b", copy, n);
			f = read_back("b");
			assert_int_not_equal(f.state, NF_SAMPLEFILE_COMPLETE);
			assert_non_null(strstr(f.what, "byte "));
			/* In the first chunk: nothing is kept, and wrong values are damage. */
			if (at < chunks + 48)
				assert_int_equal(f.streams[0].n + f.streams[1].n, 0);
			if (at >= chunks + 24 && at < chunks + 48)
				assert_int_equal(f.state, NF_SAMPLEFILE_DAMAGED);
			/* In the closing chunk: all values are kept. */
			if (at >= chunks + 160)
				assert_int_equal(f.streams[0].n + f.streams[1].n, 9);
			nf_samplefile_fini(&f);
			copy[at] ^= (unsigned char)(1u << bit);
		}
	free(copy);
	remove_file("a");
	remove_file("b");
}

static void expect(size_t n, enum nf_samplefile_state want, const char *what, size_t n0)
{
	struct nf_samplefile f;

	spit("b", image, n);
	f = read_back("b");
	if (f.state != want || !strstr(f.what, what) || f.streams[0].n != n0)
		fail_msg("state %d, '%s', %zu values", (int)f.state, f.what, f.streams[0].n);
	nf_samplefile_fini(&f);
	remove_file("b");
}

static void damage_is_told_from_a_torn_end(void **state)
{
	size_t n = small_file("a"), c = first_chunk();

	(void)state;
	/* Lost writes leave zeros. */
	memset(image + n, 0, 4096);
	expect(n + 8, NF_SAMPLEFILE_DAMAGED, "follows the closing", 5);
	memset(image + c + 128, 0, n - c - 128);
	expect(n, NF_SAMPLEFILE_PARTIAL, "zeros", 5);
	expect(n + 4096, NF_SAMPLEFILE_PARTIAL, "zeros", 5);
	image[n + 4000] = 1;
	expect(n + 4096, NF_SAMPLEFILE_DAMAGED, "not a chunk", 5);
	/* The third chunk's values: the last one there is, then not. */
	n = slurp("a");
	image[c + 112]++;
	expect(c + 128, NF_SAMPLEFILE_PARTIAL, "checksum", 3);
	expect(n, NF_SAMPLEFILE_DAMAGED, "checksum", 3);
	/* Its padding and reserved field; an index that does not continue; no such stream. */
	slurp("a");
	image[c + 48 + 36] = 1;
	expect(n, NF_SAMPLEFILE_DAMAGED, "padding", 3);
	slurp("a");
	image[c + 88 + 20] = 1;
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	slurp("a");
	image[c + 88 + 8] = 2;
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	slurp("a");
	image[c + 88] = 2;
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	slurp("a");
	put32(c + 88 + 4, 65537);
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	put32(c + 88 + 4, 0);
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	/* A chunk taken out whole. */
	slurp("a");
	memmove(image + c + 88, image + c + 128, n - c - 128);
	expect(n - 40, NF_SAMPLEFILE_DAMAGED, "other values", 3);
	remove_file("a");
}

static void closing(size_t at, const char *json)
{
	size_t len = strlen(json);

	memset(image + at, 0, 24 + len + 8);
	put32(at, 0xffffffff);
	put32(at + 4, (uint32_t)len);
	put32(at + 16, nf_crc32c(0, json, len));
	memcpy(image + at + 24, json, len);
}

static void losses_that_do_not_parse_are_damage(void **state)
{
	static const char one[] =
	        "{\"n\":5,\"dropped\":1,\"saturated\":\"2\",\"missed\":3,\"truncated\":4}";
	static const char *const tails[] = {
		"[%s]",
		"[%s,{\"n\":4,\"dropped\":-1,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":4,\"dropped\":1.5,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":4,\"dropped\":\"x\",\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":4,\"dropped\":\"-1\",\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		("[%s,{\"n\":4,\"dropped\":\"99999999999999999999\",\"saturated\":0,\"missed\":0,"
		 "\"truncated\":0}]"),
		"[%s,{\"n\":4,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":3,\"dropped\":0,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,4]",
		"[%s",
		"{}",
	};
	size_t c = (small_file("a"), first_chunk() + 160);
	char json[400];
	struct nf_samplefile f;

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		const char *hole = strstr(tails[i], "%s");

		snprintf(json, sizeof(json), "%.*s%s%s", hole ? 1 : 0, "[", hole ? one : "",
		         hole ? hole + 2 : tails[i]);
		closing(c, json);
		spit("b", image, c + 24 + (strlen(json) + 7) / 8 * 8);
		f = read_back("b");
		assert_int_equal(f.state, NF_SAMPLEFILE_DAMAGED);
		assert_int_equal(f.streams[0].n_dropped + f.streams[0].n_missed, 0);
		assert_int_equal(f.streams[1].n, 4);
		nf_samplefile_fini(&f);
	}
	snprintf(json, sizeof(json),
	         "[%s,{\"more\":[],\"n\":4,\"dropped\":\"18446744073709551615\",\"saturated\":0,"
	         "\"missed\":0,\"truncated\":0}]",
	         one);
	closing(c, json);
	spit("b", image, c + 24 + (strlen(json) + 7) / 8 * 8);
	f = read_back("b");
	assert_int_equal(f.state, NF_SAMPLEFILE_COMPLETE);
	assert_int_equal(f.streams[0].n_saturated, 2);
	assert_true(f.streams[1].n_dropped == UINT64_MAX);
	nf_samplefile_fini(&f);
	remove_file("a");
	remove_file("b");
}

static void refuse_header(const char *json, const char *want)
{
	struct nf_samplefile f = { .n_streams = 99 };
	struct nf_err e = { 0 };
	size_t len = strlen(json);

	memcpy(image, "nfsmpl\r\n\x01\0\0\0", 12);
	put32(12, (uint32_t)len);
	memset(image + 16, 0, len + 8);
	memcpy(image + 16, json, len);
	spit("b", image, 16 + (len + 7) / 8 * 8);
	if (nf_samplefile_read(dirfd, "b", no_limit, &f, &e) != -NF_EDATA || !strstr(e.msg, want))
		fail_msg("%s: '%s' does not say '%s'", json, e.msg, want);
	assert_int_equal(f.n_streams, 99);
	remove_file("b");
}

#define MEMBERS(name, cpu, hz, unit, kind, width) \
	"{\"name\":" name ",\"cpu\":" cpu ",\"node\":null,\"clock\":\"\",\"tick_hz\":" hz \
	",\"unit\":" unit ",\"kind\":" kind ",\"origin\":\"\",\"width\":" width "}"

static void headers_that_do_not_parse_are_refused(void **state)
{
	(void)state;
	refuse_header("", "header is empty");
	refuse_header("[", "JSON");
	refuse_header("{}", "not an array");
	refuse_header("[]", "1..16384 streams");
	refuse_header("[1]", "stream 0: 'name'");
	refuse_header("[" MEMBERS("\"\"", "0", "0", "\"ns\"", "\"count\"", "8") "]", "empty");
	refuse_header("[" MEMBERS("\"a\\u0000b\"", "0", "0", "\"ns\"", "\"count\"", "8") "]",
	              "JSON");
	refuse_header("[" MEMBERS("\"012345678901234567890123456789012345678901234567\"", "0", "0",
	                          "\"ns\"", "\"count\"", "8") "]",
	              "'name'");
	refuse_header("[" MEMBERS("\"a\"", "-1", "0", "\"ns\"", "\"count\"", "8") "]", "'cpu'");
	refuse_header("[" MEMBERS("\"a\"", "2147483648", "0", "\"ns\"", "\"count\"", "8") "]",
	              "'cpu'");
	refuse_header("[" MEMBERS("\"a\"", "0", "\"1\"", "\"ns\"", "\"count\"", "8") "]",
	              "'tick_hz'");
	refuse_header("[" MEMBERS("\"a\"", "0", "5", "\"ns\"", "\"count\"", "8") "]",
	              "tick_hz is 5");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"tick\"", "\"count\"", "8") "]",
	              "tick_hz is 0");
	refuse_header("[" MEMBERS("\"a\"", "0", "-1", "\"tick\"", "\"count\"", "8") "]",
	              "tick_hz is -1");
	refuse_header("[" MEMBERS("\"a\"", "0", "1e999", "\"tick\"", "\"count\"", "8") "]", "JSON");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"s\"", "\"count\"", "8") "]", "'unit'");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"ns\"", "\"\"", "8") "]", "'kind'");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"ns\"", "\"count\"", "2") "]", "'width'");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"ns\"", "\"count\"", "8") "," MEMBERS(
	                      "\"b\"", "0", "0", "\"ns\"", "\"count\"",
	                      "8") "," MEMBERS("\"a\"", "1", "0", "\"ns\"", "\"count\"", "4") "]",
	              "two streams are called 'a'");
}

static void refuse_image(size_t n, const char *want)
{
	struct nf_samplefile f = { .n_streams = 99 };
	struct nf_err e = { 0 };

	spit("b", image, n);
	assert_int_equal(nf_samplefile_read(dirfd, "b", no_limit, &f, &e), -NF_EDATA);
	if (!strstr(e.msg, want))
		fail_msg("%s", e.msg);
	assert_int_equal(f.n_streams, 99);
	remove_file("b");
}

static void other_files_and_versions_are_refused(void **state)
{
	struct nf_samplefile f = { 0 };
	struct nf_err e = { 0 };
	size_t n = small_file("a");

	(void)state;
	image[8] = 2;
	refuse_image(n, "byte 8: version 2");
	slurp("a");
	image[6] = '\n'; /* what a line-end conversion leaves */
	refuse_image(n, "byte 0: not an .nfsamples");
	slurp("a");
	put32(12, (4 << 20) + 1);
	refuse_image(n, "longer than");
	put32(12, 0xffffffff);
	refuse_image(n, "longer than");
	put32(12, 4 << 20);
	refuse_image(n, "within its header");
	assert_int_equal(nf_samplefile_read(dirfd, "none", no_limit, &f, &e), -NF_EOS);
	assert_int_equal(nf_samplefile_read(dirfd, ".", no_limit, &f, &e), -NF_EDATA);
	assert_int_equal(mkfifoat(dirfd, "fifo", 0600), 0);
	assert_int_equal(nf_samplefile_read(dirfd, "fifo", no_limit, &f, &e), -NF_EDATA);
	remove_file("fifo");
	remove_file("a");
}

static void more_values_than_allowed_are_refused(void **state)
{
	struct nf_samplefile f = { 0 };
	struct nf_err e = { 0 };

	(void)state;
	small_file("a");
	assert_int_equal(nf_samplefile_read(dirfd, "a", 9 * 8 - 1, &f, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "71 bytes"));
	assert_int_equal(nf_samplefile_read(dirfd, "a", 9 * 8, &f, &e), 0);
	nf_samplefile_fini(&f);
	remove_file("a");
}

static void bad_streams_and_an_existing_file_are_refused(void **state)
{
	struct nf_stream s[2];
	struct nf_samplefile_writer *w = NULL;
	struct nf_err e = { 0 };

#define REFUSED(what) \
	do { \
		two_streams(s); \
		what; \
		assert_int_equal(nf_samplefile_create(dirfd, "a", s, 2, &w, &e), -NF_EARG); \
		assert_int_equal(faccessat(dirfd, "a", F_OK, 0), -1); \
	} while (0)

	(void)state;
	REFUSED(strcpy(s[1].name, s[0].name));
	REFUSED(s[0].name[0] = '\0');
	REFUSED(memset(s[0].name, 'x', sizeof(s[0].name)));
	REFUSED(memset(s[0].origin, 'x', sizeof(s[0].origin)));
	REFUSED(s[0].tick_hz = 0);
	REFUSED(s[1].tick_hz = 1);
	REFUSED(s[0].tick_hz = -1);
	REFUSED(s[0].cpu = -2);
	REFUSED(s[0].width = 5);
	REFUSED(s[0].clock[0] = '\xff');
	two_streams(s);
	assert_int_equal(nf_samplefile_create(dirfd, "a", s, 0, &w, &e), -NF_EARG);
	assert_int_equal(nf_samplefile_create(dirfd, "a", s, 16385, &w, &e), -NF_EARG);
	assert_null(w);
	spit("a", "mine", 4);
	assert_int_equal(nf_samplefile_create(dirfd, "a", s, 2, &w, &e), -NF_EEXIST);
	assert_int_equal(slurp("a"), 4);
	remove_file("a");
	assert_int_equal(nf_samplefile_create(dirfd, "no/a", s, 2, &w, &e), -NF_EOS);
	assert_null(w);
}

static void values_that_do_not_fit_are_refused_whole(void **state)
{
	static const int64_t v[] = { 1, (int64_t)INT32_MAX + 1 },
	                     low[] = { (int64_t)INT32_MIN - 1 };
	struct nf_stream s[2];
	struct nf_samplefile_writer *w;
	struct nf_samplefile f;
	struct nf_err e = { 0 };

	(void)state;
	two_streams(s);
	w = create("a", s, 2);
	assert_int_equal(nf_samplefile_append(w, 1, v, 2, &e), -NF_EDATA);
	assert_int_equal(nf_samplefile_append(w, 1, low, 1, &e), -NF_EDATA);
	assert_int_equal(nf_samplefile_append(w, 2, v, 1, &e), -NF_EARG);
	append(w, 1, v, 1);
	append(w, 0, v, 2);
	assert_int_equal(nf_samplefile_finish(w, s, NULL), 0);
	f = read_back("a");
	assert_int_equal(f.state, NF_SAMPLEFILE_COMPLETE);
	assert_true(f.streams[1].n == 1 && f.streams[0].n == 2);
	nf_samplefile_fini(&f);
	remove_file("a");
}

static void an_abandoned_file_is_partial(void **state)
{
	struct nf_stream s[2];
	struct nf_samplefile_writer *w;
	struct nf_samplefile f;

	(void)state;
	two_streams(s);
	w = create("a", s, 2);
	append(w, 0, ticks, 5);
	nf_samplefile_abandon(w);
	nf_samplefile_abandon(NULL);
	f = read_back("a");
	assert_int_equal(f.state, NF_SAMPLEFILE_PARTIAL);
	assert_non_null(strstr(f.what, "without its closing chunk"));
	assert_true(f.streams[0].n == 5 && f.streams[1].n == 0 && !f.streams[1].value);
	nf_samplefile_fini(&f);
	remove_file("a");
}

static void many_values_take_many_chunks(void **state)
{
	enum { N = 200001 };
	int64_t *v = malloc(N * sizeof(*v));
	struct nf_stream s[2];
	struct nf_samplefile_writer *w;
	struct nf_samplefile f;
	struct nf_rng r;

	(void)state;
	assert_non_null(v);
	nf_rng_seed(&r, 1);
	for (size_t i = 0; i < N; i++)
		v[i] = (int32_t)nf_rng_next(&r);
	two_streams(s);
	w = create("a", s, 2);
	append(w, 0, v, N);
	append(w, 1, v, N);
	assert_int_equal(nf_samplefile_finish(w, s, NULL), 0);
	f = read_back("a");
	assert_int_equal(f.state, NF_SAMPLEFILE_COMPLETE);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(f.streams[i].n, N);
		assert_memory_equal(f.streams[i].value, v, N * sizeof(*v));
	}
	nf_samplefile_fini(&f);
	remove_file("a");
	free(v);
}

static void two_streams_for_each_of_1200_cpus_fit(void **state)
{
	enum { N = 2400 };
	struct nf_stream *s = calloc(N, sizeof(*s));
	struct nf_samplefile_writer *w;
	struct nf_samplefile f;

	(void)state;
	assert_non_null(s);
	for (int i = 0; i < N; i++) {
		snprintf(s[i].name, sizeof(s[i].name), "%s.cpu%d.a-rather-long-name",
		         i % 2 ? "lateness" : "interval", i / 2);
		strcpy(s[i].clock, "monotonic_raw");
		strcpy(s[i].origin, "the first deadline, which is 1 ms after the start");
		s[i].cpu = i / 2;
		s[i].unit = NF_UNIT_NS;
		s[i].n_dropped = s[i].n_saturated = s[i].n_missed = s[i].n_truncated = UINT64_MAX;
	}
	w = create("a", s, N);
	for (int64_t i = 0; i < N; i++)
		append(w, (size_t)i, &i, 1);
	assert_int_equal(nf_samplefile_finish(w, s, NULL), 0);
	f = read_back("a");
	assert_int_equal(f.state, NF_SAMPLEFILE_COMPLETE);
	assert_int_equal(f.n_streams, N);
	for (int i = 0; i < N; i++) {
		assert_string_equal(f.streams[i].name, s[i].name);
		assert_int_equal(f.streams[i].value[0], i);
		assert_true(f.streams[i].n_truncated == UINT64_MAX);
	}
	nf_samplefile_fini(&f);
	remove_file("a");
	free(s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_is_written_is_read_back),
	cmocka_unit_test(the_bytes_are_as_documented),
	cmocka_unit_test(a_file_cut_anywhere_is_partial_and_keeps_its_whole_chunks),
	cmocka_unit_test(a_flipped_bit_never_passes_as_complete),
	cmocka_unit_test(damage_is_told_from_a_torn_end),
	cmocka_unit_test(losses_that_do_not_parse_are_damage),
	cmocka_unit_test(headers_that_do_not_parse_are_refused),
	cmocka_unit_test(other_files_and_versions_are_refused),
	cmocka_unit_test(more_values_than_allowed_are_refused),
	cmocka_unit_test(bad_streams_and_an_existing_file_are_refused),
	cmocka_unit_test(values_that_do_not_fit_are_refused_whole),
	cmocka_unit_test(an_abandoned_file_is_partial),
	cmocka_unit_test(many_values_take_many_chunks),
	cmocka_unit_test(two_streams_for_each_of_1200_cpus_fit),
};

NF_UNIT_MAIN_WITH(tests, open_folder, close_folder)
