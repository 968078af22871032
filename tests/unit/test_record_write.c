/* SPDX-License-Identifier: MIT */
/* The forms of a record, as bytes. That they agree with other programs is tests/golden's. */
#include "nf_unit.h"

#include <jansson.h>

#include "base/rng.h"
#include "record/text.h"
#include "record/walk.h"
#include "record/write.h"
#include "record_samples.h"

/* A small record that uses every kind of row. */
/* clang-format off */
NF_RECORD_ENUM(shape)
NF_RECORD_ENUM_TYPE(shape, "Shape", "round", "if", "two words")

#define ROWS_INNER(X, S) \
	X(S, NAT,   a,      MEASURED,  "a") \
	X(S, OTEXT, as,     MEASURED,  "b")
NF_RECORD(inner, ROWS_INNER)
NF_RECORD_TYPE(inner, "Inner", ROWS_INNER)

#define ROWS_OUTER(X, S) \
	X(S, BOOL,  yes,        MEASURED,  "a") \
	X(S, INT,   i,          DERIVED,   "b") \
	X(S, REAL,  r,          SYNTHETIC, "c") \
	X(S, TEXT,  t,          DECLARED,  "d") \
	X(S, ENUM(shape), e,    DECLARED,  "e") \
	X(S, REC(inner), in,    BY_FIELD,  "f") \
	X(S, OBOOL, obool,      MEASURED,  "g") \
	X(S, ONAT,  onat,       MEASURED,  "h") \
	X(S, OINT,  oint,       MEASURED,  "i") \
	X(S, OREAL, oreal,      MEASURED,  "j") \
	X(S, OENUM(shape), oenum, MEASURED, "k") \
	X(S, OREC(inner), orec, BY_FIELD,  "l") \
	X(S, TEXTS, texts,      MEASURED,  "m") \
	X(S, NATS,  nats,       MEASURED,  "n") \
	X(S, REALS, reals,      MEASURED,  "o") \
	X(S, LIST(inner), list, BY_FIELD,  "p")
NF_RECORD(outer, ROWS_OUTER)
NF_RECORD_TYPE(outer, "Outer", ROWS_OUTER)
/* clang-format on */

static const char *const texts[] = { "x", "" };
static const uint64_t nats[] = { 1, 2 };
static const double reals[] = { 1.0, -0.0 };
static const struct nf_rec_inner inners[] = { { 1, NULL }, { 2, "${x}" } };
static const struct nf_rec_outer full = {
	.yes = true,
	.i = -3,
	.r = 1e300,
	.t = "say \"$\"\\\n",
	.e = 1,
	.in = { 9, NULL },
	.obool = { true, false },
	.onat = { true, 0 },
	.oint = { true, 7 },
	.oreal = { true, -0.0 },
	.oenum = { true, 2 },
	.orec = &inners[1],
	.texts = { texts, 2 },
	.nats = { nats, 2 },
	.reals = { reals, 2 },
	.list = { inners, 2 },
};
static const struct nf_rec_outer empty = { .t = "" };

static void dhall_of_every_kind_of_field(void **state)
{
	static const char want[] = "let Shape =\n"
	                           "      < round | `if` | `two words` >\n"
	                           "\n"
	                           "let Inner =\n"
	                           "      { a : Natural\n"
	                           "      , `as` : Optional Text\n"
	                           "      }\n";
	static const char value[] = "in  { yes = True\n"
	                            "    , i = -3\n"
	                            "    , r = 1e+300\n"
	                            "    , t = \"say \\\"\\u0024\\\"\\\\\\n\"\n"
	                            "    , e = Shape.`if`\n"
	                            "    , `in` =\n"
	                            "        { a = 9\n"
	                            "        , `as` = None Text\n"
	                            "        }\n"
	                            "    , obool = Some False\n"
	                            "    , onat = Some 0\n"
	                            "    , oint = Some +7\n"
	                            "    , oreal = Some -0.0\n"
	                            "    , oenum = Some Shape.`two words`\n"
	                            "    , orec = Some\n"
	                            "        { a = 2\n"
	                            "        , `as` = Some \"\\u0024{x}\"\n"
	                            "        }\n"
	                            "    , texts =\n"
	                            "        [ \"x\"\n"
	                            "        , \"\"\n"
	                            "        ]\n";
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 1 << 20);
	assert_int_equal(nf_record_to_dhall(&nf_rec_outer_type, &full, &b, NULL, NULL), 0);
	assert_memory_equal(b.data, want, strlen(want));
	if (!strstr(b.data, value))
		fail_msg("%s", b.data);
	assert_non_null(strstr(b.data, "\n    }\n    : Outer\n"));
	nf_buf_clear(&b);
	assert_int_equal(nf_record_to_dhall(&nf_rec_outer_type, &empty, &b, NULL, NULL), 0);
	assert_non_null(strstr(b.data, "    , obool = None Bool\n    , onat = None Natural\n"
	                               "    , oint = None Integer\n    , oreal = None Double\n"
	                               "    , oenum = None Shape\n    , orec = None Inner\n"
	                               "    , texts =\n        [] : List Text\n"));
	nf_buf_fini(&b);
}

static void json_of_every_kind_of_field(void **state)
{
	struct nf_buf b;
	uint64_t replaced = 5;

	(void)state;
	nf_buf_init(&b, 1 << 20);
	assert_int_equal(nf_record_to_json(&nf_rec_outer_type, &full, &b, &replaced, NULL), 0);
	assert_int_equal(replaced, 5);
	json_t *j = json_loadb(b.data, b.len_bytes, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(j);
	assert_int_equal(json_object_size(j), 16);
	assert_string_equal(json_string_value(json_object_get(j, "t")), "say \"$\"\\\n");
	assert_string_equal(json_string_value(json_object_get(j, "e")), "if");
	assert_true(json_is_false(json_object_get(j, "obool")));
	assert_true(json_is_null(json_object_get(json_object_get(j, "in"), "as")));
	assert_int_equal(json_array_size(json_object_get(j, "list")), 2);
	json_decref(j);
	assert_non_null(strstr(b.data, "\"oreal\": -0.0"));
	nf_buf_clear(&b);
	assert_int_equal(nf_record_to_json(&nf_rec_outer_type, &empty, &b, NULL, NULL), 0);
	assert_non_null(strstr(b.data, "\"orec\": null"));
	assert_non_null(strstr(b.data, "\"texts\": []"));
	nf_buf_fini(&b);
}

static void csv_tells_absent_from_empty(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 1 << 20);
	assert_int_equal(nf_record_to_csv(&nf_rec_outer_type, &full, &b, NULL), 0);
	assert_memory_equal(b.data, "field,value\nyes,true\ni,-3\n", 26);
	assert_non_null(strstr(b.data, "\nt,\"say \"\"$\"\"\\\n\"\n"));
	assert_non_null(strstr(b.data, "\nin.a,9\nin.as,\n"));
	assert_non_null(strstr(b.data, "\ntexts[0],x\ntexts[1],\"\"\n"));
	assert_non_null(strstr(b.data, "\nlist[1].as,${x}\n"));
	nf_buf_clear(&b);
	assert_int_equal(nf_record_to_csv(&nf_rec_outer_type, &empty, &b, NULL), 0);
	assert_non_null(strstr(b.data, "\nt,\"\"\n"));
	assert_non_null(strstr(b.data, "\norec,\ntexts,\n"));
	nf_buf_fini(&b);
}

static void labels_that_need_it_stand_in_backticks(void **state)
{
	static const char *const bare[] = {
		"a", "_", "a-b/c9", "iffy", "True", "Natural", "withs"
	};
	static const char *const ticked[] = { "if",  "in", "Some", "forall",   "9a",   "a b",
		                              "a.b", "",   "-a",   "\xc3\xa4", "with", "Infinity" };
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 1 << 10);
	for (size_t i = 0; i < sizeof(bare) / sizeof(bare[0]); i++) {
		nf_buf_clear(&b);
		nf_dhall_label(&b, bare[i]);
		assert_string_equal(b.data, bare[i]);
	}
	for (size_t i = 0; i < sizeof(ticked) / sizeof(ticked[0]); i++) {
		nf_buf_clear(&b);
		nf_dhall_label(&b, ticked[i]);
		assert_int_equal(b.data[0], '`');
		assert_memory_equal(b.data + 1, ticked[i], strlen(ticked[i]));
		assert_string_equal(b.data + 1 + strlen(ticked[i]), "`");
	}
	nf_buf_fini(&b);
}

/* Reads a Dhall literal back by the grammar's double-quote rules, independently of the writer. */
static void unescape(const char *s, struct nf_buf *out)
{
	assert_int_equal(*s, '"');
	for (s++; *s != '"'; s++) {
		unsigned char c = (unsigned char)*s;
		unsigned cp;

		assert_true(c >= 0x20 && c != '$');
		if (c != '\\') {
			nf_buf_addc(out, (char)c);
			continue;
		}
		s++;
		if (*s == 'u') {
			assert_int_equal(sscanf(s + 1, "%4X", &cp), 1);
			assert_true(cp < 0x80);
			nf_buf_addc(out, (char)cp);
			s += 4;
		} else {
			const char *from = "\"\\nt", *to = "\"\\\n\t";
			const char *at = strchr(from, *s);

			assert_non_null(at);
			nf_buf_addc(out, to[at - from]);
		}
	}
	assert_int_equal(s[1], '\0');
}

/* Whatever bytes are captured, both forms hold one text, and it is valid. */
static void random_bytes_come_out_as_one_text_in_both_forms(void **state)
{
	struct nf_buf dhall, back, json;
	struct nf_rng rng;

	(void)state;
	nf_buf_init(&dhall, 1 << 16);
	nf_buf_init(&back, 1 << 16);
	nf_buf_init(&json, 1 << 16);
	nf_rng_seed(&rng, 20260101);
	for (int left = nf_unit_valgrind() ? 2000 : 20000; left > 0; left--) {
		char raw[48];
		size_t n = (size_t)nf_rng_below(&rng, sizeof(raw));
		uint64_t in_dhall = 0, in_json = 0;
		const char *p = raw;

		for (size_t i = 0; i < n; i++) {
			uint64_t r = nf_rng_next(&rng);
			if (r % 4)
				raw[i] = (char)(1 + (r >> 8) % 255);
			else
				raw[i] = "${}\\\"'`\n\r\t"[(r >> 8) % 10];
		}
		raw[n] = '\0';
		nf_buf_clear(&dhall);
		nf_buf_clear(&back);
		nf_buf_clear(&json);
		nf_dhall_text(&dhall, raw, n, &in_dhall);
		unescape(dhall.data, &back);
		assert_int_equal(nf_record_to_json(&nf_t_text, &p, &json, &in_json, NULL), 0);
		json_t *j = json_loadb(json.data, json.len_bytes, JSON_DECODE_ANY, NULL);
		assert_non_null(j);
		assert_string_equal(json_string_value(j), back.data);
		assert_int_equal(in_dhall, in_json);
		assert_int_equal(in_dhall, nf_record_replaced(&nf_t_text, &p));
		if (in_dhall == 0)
			assert_string_equal(back.data, raw);
		json_decref(j);
	}
	nf_buf_fini(&dhall);
	nf_buf_fini(&back);
	nf_buf_fini(&json);
}

static void nul_is_kept_in_a_text_of_given_length(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100);
	nf_dhall_text(&b, "a\0b", 3, NULL);
	assert_string_equal(b.data, "\"a\\u0000b\"");
	nf_buf_fini(&b);
}

typedef int write_fn(const struct nf_type *t, const void *v, struct nf_buf *b, struct nf_err *err);

static int to_json(const struct nf_type *t, const void *v, struct nf_buf *b, struct nf_err *err)
{
	return nf_record_to_json(t, v, b, NULL, err);
}
static int to_dhall(const struct nf_type *t, const void *v, struct nf_buf *b, struct nf_err *err)
{
	return nf_record_to_dhall(t, v, b, NULL, err);
}
static int to_schema(const struct nf_type *t, const void *v, struct nf_buf *b, struct nf_err *err)
{
	(void)v;
	return nf_type_to_json_schema(t, b, err);
}
static int to_type(const struct nf_type *t, const void *v, struct nf_buf *b, struct nf_err *err)
{
	(void)v;
	return nf_type_to_dhall(t, b, err);
}

static void a_failed_writer_leaves_what_was_there_before(void **state)
{
	static write_fn *const writers[] = { to_json, to_dhall, nf_record_to_csv, to_schema,
		                             to_type };
	struct nf_rec_outer bad = full;
	struct nf_err err;
	struct nf_buf b;

	(void)state;
	bad.e = 3;
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		nf_buf_init(&b, 200);
		nf_buf_adds(&b, "before");
		assert_int_equal(writers[i](&nf_rec_outer_type, &full, &b, &err), -NF_EDATA);
		assert_string_equal(b.data, "before");
		nf_buf_fini(&b);
		if (i > 2)
			continue;
		nf_buf_init(&b, 1 << 16);
		nf_buf_adds(&b, "before");
		assert_int_equal(writers[i](&nf_rec_outer_type, &bad, &b, &err), -NF_EDATA);
		assert_non_null(strstr(err.msg, "e: 3 is no alternative of Shape"));
		assert_string_equal(b.data, "before");
		assert_int_equal(writers[i](&nf_rec_outer_type, &full, &b, &err), 0);
		nf_buf_fini(&b);
	}
}

static void two_types_of_one_name_are_refused(void **state)
{
	static const struct nf_field twin_fields[] = {
		{ "x", &nf_t_nat, 0, false, NF_MEASURED, "x" }, { .key = NULL }
	};
	static const struct nf_type twin = { .kind = NF_T_RECORD,
		                             .name = "Inner",
		                             .size = sizeof(uint64_t),
		                             .fields = twin_fields };
	static const struct nf_field fields[] = {
		{ "a", &nf_rec_inner_type, 0, false, NF_BY_FIELD, "a" },
		{ "b", &twin, sizeof(struct nf_rec_inner), false, NF_BY_FIELD, "b" },
		{ .key = NULL },
	};
	static const struct nf_type both = {
		.kind = NF_T_RECORD, .name = "Both", .size = 64, .fields = fields
	};
	struct nf_err err;
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 1 << 16);
	assert_int_equal(nf_type_to_dhall(&both, &b, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "Inner"));
	assert_int_equal(nf_type_to_json_schema(&both, &b, &err), -NF_EARG);
	assert_int_equal(b.len_bytes, 0);
	nf_buf_fini(&b);
}

static void scalars_and_lists_are_values_by_themselves(void **state)
{
	const struct nf_list none = { NULL, 0 };
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 1 << 10);
	assert_int_equal(nf_record_to_dhall(&nf_t_text_list, &none, &b, NULL, NULL), 0);
	assert_string_equal(b.data, "[] : List Text\n");
	nf_buf_fini(&b);
}

static void the_same_value_gives_the_same_bytes(void **state)
{
	struct nf_buf a, b;
	struct nf_arena arena;

	(void)state;
	nf_arena_init(&arena, 1 << 26);
	nf_buf_init(&a, 1 << 24);
	nf_buf_init(&b, 1 << 24);
	for (size_t i = 0; nf_record_types[i]; i++) {
		const void *x = record_sample(nf_record_types[i], &arena, 77);
		const void *y = record_sample(nf_record_types[i], &arena, 77);

		assert_true(x && y);
		nf_buf_clear(&a);
		nf_buf_clear(&b);
		assert_int_equal(nf_record_to_dhall(nf_record_types[i], x, &a, NULL, NULL), 0);
		assert_int_equal(nf_record_to_dhall(nf_record_types[i], y, &b, NULL, NULL), 0);
		assert_int_equal(a.len_bytes, b.len_bytes);
		assert_memory_equal(a.data, b.data, a.len_bytes);
	}
	nf_buf_fini(&a);
	nf_buf_fini(&b);
	nf_arena_fini(&arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(dhall_of_every_kind_of_field),
	cmocka_unit_test(json_of_every_kind_of_field),
	cmocka_unit_test(csv_tells_absent_from_empty),
	cmocka_unit_test(labels_that_need_it_stand_in_backticks),
	cmocka_unit_test(random_bytes_come_out_as_one_text_in_both_forms),
	cmocka_unit_test(nul_is_kept_in_a_text_of_given_length),
	cmocka_unit_test(a_failed_writer_leaves_what_was_there_before),
	cmocka_unit_test(two_types_of_one_name_are_refused),
	cmocka_unit_test(scalars_and_lists_are_values_by_themselves),
	cmocka_unit_test(the_same_value_gives_the_same_bytes),
};
NF_UNIT_MAIN(tests)
