/* SPDX-License-Identifier: MIT */
#include <jansson.h>

#include "base/buf.h"
#include "nf_unit.h"
#include "report/values.h"

struct out {
	struct nf_buf text;
	size_t pieces, largest;
	int fail_at; /* the piece that fails; 0: none */
};

static int take(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct out *o = ctx;

	o->pieces++;
	if (len_bytes > o->largest)
		o->largest = len_bytes;
	if (o->fail_at && (size_t)o->fail_at == o->pieces)
		return nf_fail(err, NF_EOS, "the sink is full");
	return nf_buf_add(&o->text, data, len_bytes);
}

static void begin(struct out *o)
{
	*o = (struct out){ 0 };
	nf_buf_init(&o->text, 1 << 26);
}

static struct nf_stream stream(const char *name, enum nf_sample_unit unit, double hz, size_t n)
{
	struct nf_stream s;

	assert_int_equal(nf_stream_init(&s, name, n ? n : 1, NULL), 0);
	s.unit = unit;
	s.tick_hz = hz;
	s.cpu = 3;
	for (size_t i = 0; i < n; i++)
		nf_stream_put(&s, (int64_t)i * 7 - 3);
	return s;
}

static const struct nf_values_opts raw;
static const struct nf_values_opts as_ns = { .ns = true };

static void plain_values_stand_alone_on_their_lines(void **state)
{
	struct nf_stream s = stream("a", NF_UNIT_TICK, 2e9, 3);
	struct out o;
	struct nf_sink sink = { take, &o };

	(void)state;
	begin(&o);
	assert_int_equal(nf_values_plain(&s, 1, &raw, &sink, NULL), 0);
	assert_string_equal(o.text.data, "-3\n4\n11\n");
	nf_buf_clear(&o.text);
	assert_int_equal(nf_values_plain(&s, 1, &as_ns, &sink, NULL), 0);
	assert_string_equal(o.text.data, "-1.5\n2.0\n5.5\n");
	nf_buf_fini(&o.text);
	nf_stream_fini(&s);
}

static void csv_names_stream_index_and_unit(void **state)
{
	struct nf_stream s[] = { stream("a,\"b", NF_UNIT_TICK, 1e9, 1),
		                 stream("c", NF_UNIT_COUNT, 0, 1), stream("d", NF_UNIT_NS, 0, 0) };
	struct out o;
	struct nf_sink sink = { take, &o };

	(void)state;
	begin(&o);
	assert_int_equal(nf_values_csv(s, 3, &raw, &sink, NULL), 0);
	assert_string_equal(o.text.data,
	                    "stream,index,value,unit\n\"a,\"\"b\",0,-3,tick\nc,0,-3,count\n");
	nf_buf_clear(&o.text);
	struct nf_values_opts only = { .only = "c" };
	assert_int_equal(nf_values_csv(s, 3, &only, &sink, NULL), 0);
	assert_string_equal(o.text.data, "stream,index,value,unit\nc,0,-3,count\n");
	nf_buf_clear(&o.text);
	only.no_heading = true;
	assert_int_equal(nf_values_csv(s, 3, &only, &sink, NULL), 0);
	assert_string_equal(o.text.data, "c,0,-3,count\n");
	nf_buf_fini(&o.text);
	for (size_t i = 0; i < 3; i++)
		nf_stream_fini(&s[i]);
}

static void json_is_one_document_with_losses_and_values(void **state)
{
	struct nf_stream s[] = { stream("a", NF_UNIT_TICK, 2e9, 4),
		                 stream("b", NF_UNIT_COUNT, 0, 0) };
	struct out o;
	struct nf_sink sink = { take, &o };

	(void)state;
	s[0].n_dropped = 5;
	begin(&o);
	assert_int_equal(nf_values_json("x.nfsamples", s, 2, &as_ns, &sink, NULL), 0);
	json_t *j = json_loadb(o.text.data, o.text.len_bytes, 0, NULL);
	assert_non_null(j);
	json_t *streams = json_object_get(j, "streams");
	assert_int_equal(json_array_size(streams), 2);
	json_t *a = json_array_get(streams, 0);
	assert_int_equal(json_integer_value(json_object_get(a, "dropped")), 5);
	assert_string_equal(json_string_value(json_object_get(a, "unit")), "ns");
	assert_int_equal(json_array_size(json_object_get(a, "values")), 4);
	assert_true(json_real_value(json_array_get(json_object_get(a, "values"), 0)) == -1.5);
	assert_true(json_is_null(json_object_get(json_array_get(streams, 1), "tick_hz")));
	json_decref(j);
	nf_buf_fini(&o.text);
	nf_stream_fini(&s[0]);
	nf_stream_fini(&s[1]);
}

static void the_fwq_file_has_all_speeds_first(void **state)
{
	struct nf_stream s[] = { stream("a", NF_UNIT_TICK, 2e9, 2), stream("b", NF_UNIT_NS, 0, 3) };
	struct out o;
	struct nf_sink sink = { take, &o };
	struct nf_err err = { 0 };

	(void)state;
	begin(&o);
	assert_int_equal(nf_values_fwq(s, 2, &sink, NULL), 0);
	assert_string_equal(o.text.data,
	                    "Speed: thread 0, cycles 1, seconds 0.000000, GHz 2.000000\n"
	                    "Speed: thread 1, cycles 12, seconds 0.000000, GHz 1.000000\n"
	                    "Thread 0 running on CPUs 3\n-3\n4\n"
	                    "Thread 1 running on CPUs 3\n-3\n4\n11\n");
	nf_buf_clear(&o.text);
	s[0].value[0] = s[0].value[1] = INT64_MAX;
	assert_int_equal(nf_values_fwq(s, 2, &sink, &err), -NF_EDATA);
	s[1].kind = NF_KIND_INSTANT;
	assert_int_equal(nf_values_fwq(s, 2, &sink, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "stream b"));
	assert_int_equal(o.text.len_bytes, 0);
	nf_buf_fini(&o.text);
	nf_stream_fini(&s[0]);
	nf_stream_fini(&s[1]);
}

/* Many values go out in bounded pieces, and none is lost between them. */
static void long_streams_go_out_in_pieces(void **state)
{
	enum { N = 200000 };
	struct nf_stream s = stream("a", NF_UNIT_TICK, 2e9, N);
	struct out o;
	struct nf_sink sink = { take, &o };
	size_t lines = 0;

	(void)state;
	begin(&o);
	assert_int_equal(nf_values_csv(&s, 1, &raw, &sink, NULL), 0);
	for (size_t i = 0; i < o.text.len_bytes; i++)
		lines += o.text.data[i] == '\n';
	assert_int_equal(lines, N + 1);
	assert_true(o.pieces > 10 && o.largest < 1 << 17);
	nf_buf_fini(&o.text);
	nf_stream_fini(&s);
}

static void a_full_sink_ends_the_writing(void **state)
{
	struct nf_stream s = stream("a", NF_UNIT_TICK, 2e9, 200000);
	struct nf_err err = { 0 };
	struct out o;
	struct nf_sink sink = { take, &o };

	(void)state;
	for (int form = 0; form < 4; form++) {
		begin(&o);
		o.fail_at = 2;
		int r = form == 0   ? nf_values_plain(&s, 1, &raw, &sink, &err)
		        : form == 1 ? nf_values_csv(&s, 1, &raw, &sink, &err)
		        : form == 2 ? nf_values_json("f", &s, 1, &raw, &sink, &err)
		                    : nf_values_fwq(&s, 1, &sink, &err);
		assert_int_equal(r, -NF_EOS);
		assert_int_equal(o.pieces, 2);
		nf_buf_fini(&o.text);
	}
	nf_stream_fini(&s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(plain_values_stand_alone_on_their_lines),
	cmocka_unit_test(csv_names_stream_index_and_unit),
	cmocka_unit_test(json_is_one_document_with_losses_and_values),
	cmocka_unit_test(the_fwq_file_has_all_speeds_first),
	cmocka_unit_test(long_streams_go_out_in_pieces),
	cmocka_unit_test(a_full_sink_ends_the_writing),
};

NF_UNIT_MAIN(tests)
