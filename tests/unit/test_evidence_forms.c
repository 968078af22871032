/* SPDX-License-Identifier: MIT */
/* Records that were read as JSON: every form is that of the record itself, a record does not differ from itself, and a
 * difference is one from either side. */
#include "nf_unit.h"

#include <jansson.h>

#include "record/json_diff.h"
#include "record/json_record.h"
#include "record/redact_text.h"
#include "record/write.h"
#include "record_samples.h"
#include "report/junit.h"

enum { VARIANTS = 12, BYTES = 1 << 24 };

static json_t *parsed(const struct nf_type *t, const void *value)
{
	json_error_t where;
	struct nf_buf text;

	nf_buf_init(&text, BYTES);
	assert_int_equal(nf_record_to_json(t, value, &text, NULL, NULL), 0);
	json_t *root = json_loadb(text.data, text.len_bytes, JSON_ALLOW_NUL, &where);
	if (!root)
		fail_msg("%s: %s", t->name, where.text);
	nf_buf_fini(&text);
	return root;
}

static void forms_of_json_are_those_of_the_record(void **state)
{
	(void)state;
	for (size_t i = 0; nf_record_types[i]; i++)
		for (uint64_t v = 0; v < VARIANTS; v++) {
			const struct nf_type *t = nf_record_types[i];
			struct nf_buf a, b, c, d;
			struct nf_arena arena;

			nf_arena_init(&arena, BYTES);
			nf_buf_init(&a, BYTES);
			nf_buf_init(&b, BYTES);
			nf_buf_init(&c, BYTES);
			nf_buf_init(&d, BYTES);
			const void *value = record_sample(t, &arena, v);
			assert_non_null(value);
			json_t *root = parsed(t, value);
			assert_int_equal(nf_record_to_json(t, value, &a, NULL, NULL), 0);
			assert_int_equal(nf_json_record_to_json(t, root, &b, NULL), 0);
			assert_string_equal(a.data, b.data);
			assert_int_equal(nf_record_to_csv(t, value, &c, NULL), 0);
			assert_int_equal(nf_json_record_to_csv(t, root, &d, NULL), 0);
			assert_string_equal(c.data, d.data);
			json_decref(root);
			nf_buf_fini(&a);
			nf_buf_fini(&b);
			nf_buf_fini(&c);
			nf_buf_fini(&d);
			nf_arena_fini(&arena);
		}
}

struct sides {
	size_t n[4];
};

static int count(void *ctx, const struct nf_difference *d, struct nf_err *err)
{
	struct sides *s = ctx;

	(void)err;
	assert_true(*d->path != '\0');
	assert_true((d->kind == NF_DIFF_ONLY_B) == (d->a == NULL));
	assert_true((d->kind == NF_DIFF_ONLY_A) == (d->b == NULL));
	s->n[d->kind]++;
	return 0;
}

static void a_record_differs_from_others_and_not_from_itself(void **state)
{
	size_t differing = 0;

	(void)state;
	for (size_t i = 0; nf_record_types[i]; i++)
		for (uint64_t v = 0; v + 1 < VARIANTS; v++) {
			const struct nf_type *t = nf_record_types[i];
			struct sides same = { { 0 } }, ab = { { 0 } }, ba = { { 0 } };
			struct nf_arena arena;
			size_t n = 9;

			nf_arena_init(&arena, BYTES);
			json_t *a = parsed(t, record_sample(t, &arena, v));
			json_t *b = parsed(t, record_sample(t, &arena, v + 1));
			json_t *copy = json_deep_copy(a);
			assert_int_equal(nf_json_diff(t, a, t, copy, count, &same, &n, NULL), 0);
			assert_int_equal(n, 0);
			assert_int_equal(nf_json_diff(t, a, t, b, count, &ab, &n, NULL), 0);
			differing += n > 0;
			assert_int_equal(nf_json_diff(t, b, t, a, count, &ba, &n, NULL), 0);
			assert_int_equal(ab.n[NF_DIFF_CHANGED], ba.n[NF_DIFF_CHANGED]);
			assert_int_equal(ab.n[NF_DIFF_ONLY_A], ba.n[NF_DIFF_ONLY_B]);
			assert_int_equal(ab.n[NF_DIFF_ONLY_B], ba.n[NF_DIFF_ONLY_A]);
			json_decref(a);
			json_decref(b);
			json_decref(copy);
			nf_arena_fini(&arena);
		}
	assert_true(differing > 50);
}

static void units_come_from_names(void **state)
{
	(void)state;
	assert_string_equal(nf_unit_of_key("max_jitter_ns"), "ns");
	assert_string_equal(nf_unit_of_key("noise_ratio"), "ratio");
	assert_string_equal(nf_unit_of_key("duration_s"), "s");
	assert_string_equal(nf_unit_of_key("cpus"), "");
	assert_string_equal(nf_unit_of_key("ns"), "");
}

static void redacted(const struct nf_redactor *r, const char *text, const char *want)
{
	struct nf_buf out;

	nf_buf_init(&out, 1 << 16);
	nf_redact_text(r, text, strlen(text), &out);
	/* The digits depend on the key: what matters is what they stand in place of. */
	for (char *p = out.data; (p = strchr(p, '-'));) {
		p++;
		if (strspn(p, "0123456789abcdef") == 10)
			memset(p, 'X', 10);
	}
	assert_string_equal(out.data, want);
	nf_buf_fini(&out);
}

static void what_identifies_is_replaced_and_the_rest_stays(void **state)
{
	static const unsigned char key[NF_REDACT_KEY] = { 1, 2, 3 };
	struct nf_redactor r;

	(void)state;
	nf_redactor_init(&r, key);
	assert_int_equal(nf_redactor_add_host(&r, "node7.lab.example.org", NULL), 0);
	assert_int_equal(nf_redactor_learn(&r, "cd /home/jdoe/x", NULL), 0);
	redacted(&r, "", "");
	redacted(&r, "on NODE7.", "on host-XXXXXXXXXX.");
	redacted(&r, "node7.lab.example.org:22", "host-XXXXXXXXXX:22");
	redacted(&r, "node70 xnode7 node7_a", "node70 xnode7 host-XXXXXXXXXX_a");
	redacted(&r, "jdoe@farm.example.com", "user-XXXXXXXXXX@host-XXXXXXXXXX");
	redacted(&r, "/home/jdoe/y", "/home/user-XXXXXXXXXX/y");
	redacted(&r, "10.1.2.3 127.0.0.1 1.2.3 256.1.1.1",
	         "ip-XXXXXXXXXX 127.0.0.1 1.2.3 256.1.1.1");
	redacted(&r, "[2001:db8::1]:80 ::1 12:34:56", "[ip-XXXXXXXXXX]:80 ::1 12:34:56");
	redacted(&r, "52:54:00:12:34:56 0000:00:1f.2", "mac-XXXXXXXXXX 0000:00:1f.2");
	redacted(&r, "UUID=7d9f1c52-33a0-4c5e-9b0a-0e8a5d6c4b21.", "UUID=uuid-XXXXXXXXXX.");
	redacted(&r, "0123456789abcdef 000000000000 ffffffffffff 123456789012",
	         "id-XXXXXXXXXX 000000000000 ffffffffffff 123456789012");
	redacted(&r, "Serial Number: A 1\nserial8250: ttyS0",
	         "Serial Number: serial-XXXXXXXXXX\nserial8250: ttyS0");
	redacted(&r, "host-0123456789 id-0123456789", "host-XXXXXXXXXX id-XXXXXXXXXX");
	nf_redactor_fini(&r);
}

/* A host "a" and a user "me": such words say nothing by themselves, and texts are full of them. */
static void short_names_are_replaced_where_names_stand(void **state)
{
	static const unsigned char key[NF_REDACT_KEY] = { 1 };
	struct nf_redactor r;
	struct nf_buf out;

	(void)state;
	nf_redactor_init(&r, key);
	assert_int_equal(nf_redactor_add_host(&r, "a.lab.example.org", NULL), 0);
	assert_int_equal(nf_redactor_add_host(&r, "7", NULL), 0);
	assert_int_equal(nf_redactor_learn(&r, "/home/me/x", NULL), 0);
	redacted(&r, "a", "host-XXXXXXXXXX");
	redacted(&r, "give me a 7 for a.lab.example.org", "give me a 7 for host-XXXXXXXXXX");
	redacted(&r, "Linux a 6.1.0 #1 SMP", "Linux host-XXXXXXXXXX 6.1.0 #1 SMP");
	redacted(&r, "hostname: \"a\"; NODE=7",
	         "hostname: \"host-XXXXXXXXXX\"; NODE=host-XXXXXXXXXX");
	redacted(&r, "ghost a", "ghost a");
	redacted(&r, "/home/me/.ssh owner=me", "/home/user-XXXXXXXXXX/.ssh owner=user-XXXXXXXXXX");
	redacted(&r, "runs/20260102T030405Z-a-quiet",
	         "runs/20260102T030405Z-host-XXXXXXXXXX-quiet");
	redacted(&r, "20260102T030405-a", "20260102T030405-a");
	nf_buf_init(&out, 4096);
	nf_redact_name(&r, "a.json", 200, &out);
	assert_int_equal(strncmp(out.data, "host-", 5), 0);
	nf_buf_clear(&out);
	nf_redact_name(&r, "numa.bandwidth.7.0", 200, &out);
	assert_string_equal(out.data, "numa.bandwidth.7.0");
	nf_buf_fini(&out);
	nf_redactor_fini(&r);
}

static void xml_holds_no_character_that_it_may_not(void **state)
{
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 1 << 16);
	nf_junit_text(&out, "a<b>&\"\x1b\0\n\xff\xef\xbf\xbe", 13);
	assert_string_equal(
	        out.data,
	        "a&lt;b&gt;&amp;&quot;\xef\xbf\xbd\xef\xbf\xbd&#10;\xef\xbf\xbd\xef\xbf\xbd");
	nf_buf_fini(&out);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(forms_of_json_are_those_of_the_record),
	cmocka_unit_test(a_record_differs_from_others_and_not_from_itself),
	cmocka_unit_test(units_come_from_names),
	cmocka_unit_test(what_identifies_is_replaced_and_the_rest_stays),
	cmocka_unit_test(short_names_are_replaced_where_names_stand),
	cmocka_unit_test(xml_holds_no_character_that_it_may_not),
};
NF_UNIT_MAIN(tests)
