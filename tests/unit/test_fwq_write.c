/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "nf_unit.h"
#include "samples/fwq_write.h"

struct out {
	struct nf_buf text;
	size_t largest, pieces;
	size_t fail_at; /* the piece that fails; 0: none */
};

static int take(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct out *o = ctx;

	o->pieces++;
	if (o->fail_at == o->pieces)
		return nf_fail(err, NF_EOS, "the sink is full");
	if (len_bytes > o->largest)
		o->largest = len_bytes;
	return nf_buf_add(&o->text, data, len_bytes);
}

static void begin(struct out *o)
{
	*o = (struct out){ 0 };
	nf_buf_init(&o->text, 1 << 26);
}

static const int64_t a[] = { 34772, 0, -1, INT64_MAX / 2 };
static const int64_t b[] = { 9, 10, 99, 100, 101, 999, 1000 };
static const struct nf_fwq_worker_text two[] = {
	{ .index = 0, .cpus = "1", .seconds = 0.069133, .ghz = 2.59989, .value = a, .n = 4 },
	{ .index = 7, .cpus = "0-2,4-5", .seconds = 1.5, .ghz = 0.024, .value = b, .n = 7 },
};

static void each_form_is_written_as_its_readers_scan_it(void **state)
{
	struct out o;
	struct nf_sink sink = { take, &o };

	(void)state;
	begin(&o);
	assert_int_equal(nf_fwq_write(NF_FWQ_THREADS, two, 1, &sink, NULL), 0);
	assert_string_equal(
	        o.text.data,
	        "Speed: thread 0, cycles 4611686018427422674, seconds 0.069133, GHz 2.599890\n"
	        "Thread 0 running on CPUs 1\n34772\n0\n-1\n4611686018427387903\n");
	nf_buf_clear(&o.text);
	assert_int_equal(nf_fwq_write(NF_FWQ_PROCESSES, two, 2, &sink, NULL), 0);
	assert_string_equal(
	        o.text.data,
	        "Speed: process 0, cycles 4611686018427422674, seconds 0.069133, GHz 2.599890\n"
	        "Speed: process 7, cycles 2318, seconds 1.500000, GHz 0.024000\n"
	        "Process 0 running on CPUs 1\n34772\n0\n-1\n4611686018427387903\n"
	        "Process 7 running on CPUs 0-2,4-5\n9\n10\n99\n100\n101\n999\n1000\n");
	nf_buf_clear(&o.text);
	assert_int_equal(nf_fwq_write(NF_FWQ_SERIAL, two + 1, 1, &sink, NULL), 0);
	assert_string_equal(o.text.data, "9\n10\n99\n100\n101\n999\n1000\n");
	nf_buf_fini(&o.text);
}

/* The formats of the programs that read these files. */
static void scanf_reads_back_what_was_written(void **state)
{
	struct out o;
	struct nf_sink sink = { take, &o };
	long long ticks, v;
	double seconds, ghz;
	char cpus[64];
	int index, cpu, used;

	(void)state;
	begin(&o);
	assert_int_equal(nf_fwq_write(NF_FWQ_THREADS, two, 1, &sink, NULL), 0);
	const char *p = o.text.data;
	assert_int_equal(sscanf(p, "Speed: thread %d, cycles %lld, seconds %lf, GHz %lf\n%n",
	                        &index, &ticks, &seconds, &ghz, &used),
	                 4);
	assert_int_equal(index, 0);
	assert_true(ticks == 4611686018427422674);
	assert_true(seconds == 0.069133 && ghz == 2.59989);
	p += used;
	assert_int_equal(sscanf(p, "Thread %d running on CPUs %d\n%n", &index, &cpu, &used), 2);
	assert_int_equal(cpu, 1);
	p += used;
	for (size_t i = 0; i < two[0].n; i++) {
		assert_int_equal(sscanf(p, "%lld\n%n", &v, &used), 1);
		assert_true(v == a[i]);
		p += used;
	}
	assert_int_equal(*p, 0);

	nf_buf_clear(&o.text);
	assert_int_equal(nf_fwq_write(NF_FWQ_PROCESSES, two + 1, 1, &sink, NULL), 0);
	p = o.text.data;
	assert_int_equal(sscanf(p, "Speed: process %d, cycles %lld, seconds %lf, GHz %lf\n%n",
	                        &index, &ticks, &seconds, &ghz, &used),
	                 4);
	assert_int_equal(index, 7);
	p += used;
	assert_int_equal(sscanf(p, "Process %d running on CPUs %63s\n%n", &index, cpus, &used), 2);
	assert_string_equal(cpus, "0-2,4-5");
	nf_buf_fini(&o.text);
}

static void every_value_reads_as_printf_writes_it(void **state)
{
	char text[NF_FWQ_VALUE_BYTES], want[32];
	int64_t edge[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1, 9, 10, 11, 99, 100, INT64_MAX };
	uint64_t p = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(edge) / sizeof(edge[0]); i++) {
		size_t n = (size_t)snprintf(want, sizeof(want), "%" PRId64 "\n", edge[i]);

		assert_int_equal(nf_fwq_put_value(edge[i], text), n);
		assert_memory_equal(text, want, n);
	}
	for (int digits = 1; digits <= 19; digits++, p *= 10)
		for (int d = -1; d <= 1; d++) {
			int64_t v = (int64_t)p + d;
			size_t n = (size_t)snprintf(want, sizeof(want), "%" PRId64 "\n", v);

			assert_int_equal(nf_fwq_put_value(v, text), n);
			assert_memory_equal(text, want, n);
		}
}

static void long_files_go_out_in_pieces(void **state)
{
	enum { N = 100000 };
	int64_t *v = malloc(N * sizeof(*v));
	struct nf_fwq_worker_text w = { .cpus = "0", .ghz = 1, .value = v, .n = N };
	struct nf_err err = { 0 };
	struct out o;
	struct nf_sink sink = { take, &o };
	size_t lines = 0;

	(void)state;
	assert_non_null(v);
	for (size_t i = 0; i < N; i++)
		v[i] = (int64_t)i * 1234567;
	begin(&o);
	assert_int_equal(nf_fwq_write(NF_FWQ_THREADS, &w, 1, &sink, NULL), 0);
	for (size_t i = 0; i < o.text.len_bytes; i++)
		lines += o.text.data[i] == '\n';
	assert_int_equal(lines, N + 2);
	assert_true(o.largest <= 1 << 15 && o.pieces > 10);
	for (size_t k = 1, n = o.pieces; k <= n; k++) {
		nf_buf_fini(&o.text);
		begin(&o);
		o.fail_at = k;
		assert_int_equal(nf_fwq_write(NF_FWQ_THREADS, &w, 1, &sink, &err), -NF_EOS);
		assert_int_equal(o.pieces, k);
	}
	nf_buf_fini(&o.text);
	free(v);
}

static void what_no_file_can_hold_is_refused(void **state)
{
	static const int64_t much[] = { INT64_MAX, 1 };
	struct nf_fwq_worker_text w = { .cpus = "0", .ghz = 1, .value = much, .n = 2 };
	struct nf_err err = { 0 };
	struct out o;
	struct nf_sink sink = { take, &o };

	(void)state;
	begin(&o);
	assert_int_equal(nf_fwq_write(NF_FWQ_THREADS, &w, 1, &sink, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "value 2"));
	assert_int_equal(nf_fwq_write(NF_FWQ_SERIAL, two, 2, &sink, &err), -NF_EARG);
	assert_int_equal(o.pieces, 0);
	nf_buf_fini(&o.text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_form_is_written_as_its_readers_scan_it),
	cmocka_unit_test(scanf_reads_back_what_was_written),
	cmocka_unit_test(every_value_reads_as_printf_writes_it),
	cmocka_unit_test(long_files_go_out_in_pieces),
	cmocka_unit_test(what_no_file_can_hold_is_refused),
};

NF_UNIT_MAIN(tests)
