/* SPDX-License-Identifier: MIT */
/* Files of samples: what is written is read back. */
#include "base/rng.h"
#include "sample_file.h"

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

/* Interleaved chunks, of both widths: each stream by itself is what reading all of them gives. */
static void streams_can_be_read_one_at_a_time(void **state)
{
	struct nf_samplefile_reader *r = NULL;
	const struct nf_samplefile *about;
	int64_t v[5] = { 0 };

	(void)state;
	small_file("a");
	assert_int_equal(nf_samplefile_open(dirfd, "a", &r, NULL), 0);
	about = nf_samplefile_about(r);
	assert_int_equal(about->state, NF_SAMPLEFILE_COMPLETE);
	assert_int_equal(about->n_streams, 2);
	assert_int_equal(about->streams[0].n, 5);
	assert_int_equal(about->streams[1].n, 4);
	assert_null(about->streams[0].value);
	assert_int_equal(about->streams[0].n_dropped, 1);
	assert_int_equal(nf_samplefile_values(r, 1, v, NULL), 0);
	assert_memory_equal(v, late, sizeof(late));
	assert_int_equal(nf_samplefile_values(r, 0, v, NULL), 0);
	assert_memory_equal(v, ticks, sizeof(ticks));
	nf_samplefile_close(r);
	nf_samplefile_close(NULL);
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
	cmocka_unit_test(more_values_than_allowed_are_refused),
	cmocka_unit_test(streams_can_be_read_one_at_a_time),
	cmocka_unit_test(bad_streams_and_an_existing_file_are_refused),
	cmocka_unit_test(values_that_do_not_fit_are_refused_whole),
	cmocka_unit_test(an_abandoned_file_is_partial),
	cmocka_unit_test(many_values_take_many_chunks),
	cmocka_unit_test(two_streams_for_each_of_1200_cpus_fit),
};

NF_UNIT_MAIN_WITH(tests, open_folder, close_folder)
