/* SPDX-License-Identifier: MIT */
/* json_record: any bytes as the JSON of a record. The check gives a verdict with a reason, and a run folder's
 * record is never judged better than the same text by itself; what it takes for one of our records
 * becomes Dhall of that record's type. JSON that becomes Dhall goes back and forth without a
 * change. The first byte picks the type that the rest is read as. */
#include <jansson.h>
#include <string.h>

#include "dhall/dhall.h"
#include "fuzz.h"
#include "record/check.h"
#include "record/write.h"

enum { OUT_BYTES = 4 << 20, SIZE_MAX_BYTES = 60000 };

static const char *const types[] = {
	NULL, /* made from the JSON itself */
	"Double",
	"{ a : Natural, b : Optional Integer, c : List Text, d : < x | y : Natural | z >, e : "
	"Double }",
	"List { mapKey : Text, mapValue : List { n : Natural, on : Bool } }",
	"Optional { a : { b : { c : Optional (List (List (Optional Text))) } } }",
};
enum { N_TYPES = sizeof(types) / sizeof(types[0]) };

/* The value of the JSON that `e` becomes is e. */
static void back_and_forth(struct nf_dhall *d, const struct nf_dexpr *e)
{
	char before[NF_SHA256_HEX], after[NF_SHA256_HEX];
	const struct nf_dexpr *type, *again, *own;
	struct nf_buf json, text;

	nf_buf_init(&json, OUT_BYTES);
	nf_buf_init(&text, OUT_BYTES);
	/* A limit may be hit. */
	if (nf_dhall_infer(d, e, &type, NULL) < 0 || nf_dhall_hash(d, e, before, NULL) < 0 ||
	    nf_dhall_to_json(d, e, false, &json, NULL) < 0)
		goto out;
	fuzz_require(
	        nf_dhall_from_json(d, type, "again", json.data, json.len_bytes, &again, NULL) == 0);
	fuzz_require(nf_dhall_hash(d, again, after, NULL) == 0 && strcmp(before, after) == 0);
	if (nf_dhall_print(d, e, &text, NULL) == 0 &&
	    nf_dhall_parse(d, "printed", text.data, text.len_bytes, &own, NULL) == 0)
		fuzz_require(nf_dhall_hash(d, own, after, NULL) == 0 && strcmp(before, after) == 0);
out:
	nf_buf_fini(&text);
	nf_buf_fini(&json);
}

static void as_dhall(const char *type, const char *text, size_t size)
{
	const struct nf_dexpr *t = NULL, *e = NULL, *source, *inferred;
	struct nf_err err = { 0 };
	struct nf_dhall *d = NULL;

	fuzz_require(nf_dhall_new(&d, NULL) == 0);
	if (type)
		fuzz_require(nf_dhall_parse(d, "type", type, strlen(type), &source, NULL) == 0 &&
		             nf_dhall_normalise(d, source, &t, NULL) == 0);
	if (nf_dhall_from_json(d, t, "fuzz", text, size, &e, &err) == 0) {
		fuzz_require(err.code == NF_OK);
		fuzz_require(nf_dhall_infer(d, e, &inferred, NULL) == 0 || !t);
		back_and_forth(d, e);
	} else {
		fuzz_require((err.code == NF_EDATA || err.code == NF_ENOMEM) && err.msg[0] && !e);
	}
	nf_dhall_free(d);
}

static const struct nf_type *type_of(const char *text, size_t size)
{
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const struct nf_type *found = NULL;

	for (size_t i = 0; schema && nf_record_types[i]; i++) {
		const char *own = nf_record_schema(nf_record_types[i]);

		if (own && strcmp(own, schema) == 0)
			found = nf_record_types[i];
	}
	json_decref(root);
	return found;
}

static void as_record(const char *text, size_t size)
{
	struct nf_checked alone = { .path = "record.json" }, inside = { .path = "record.json" };
	struct nf_checked other = { .path = "samples/wake.nfsamples", .on_disk = true };
	struct nf_checklist all = { .item = &other, .n = 1 };
	struct nf_err err = { 0 };
	const struct nf_type *t;
	struct nf_buf dhall;

	int r = nf_check_record(text, size, &alone, NULL, &err);
	fuzz_require(r == 0 || (r == -NF_EDATA && err.code == NF_EDATA && err.msg[0]));
	fuzz_require((alone.state == NF_CHECK_COMPLETE) == (alone.why[0] == '\0'));
	fuzz_require(nf_check_record(text, size, &inside, &all, NULL) == 0);
	fuzz_require((inside.state == NF_CHECK_COMPLETE) == (inside.why[0] == '\0'));
	fuzz_require(inside.state >= alone.state);
	fuzz_require(r == 0 || inside.state == NF_CHECK_DAMAGED);
	if (r != 0 || alone.state > NF_CHECK_PARTIAL || !(t = type_of(text, size)))
		return;
	nf_buf_init(&dhall, OUT_BYTES);
	fuzz_require(nf_type_to_dhall(t, &dhall, NULL) == 0);
	struct nf_dhall *d = NULL;
	const struct nf_dexpr *source, *type, *e;
	fuzz_require(nf_dhall_new(&d, NULL) == 0);
	fuzz_require(nf_dhall_parse(d, "type", dhall.data, dhall.len_bytes, &source, NULL) == 0);
	fuzz_require(nf_dhall_normalise(d, source, &type, NULL) == 0);
	fuzz_require(nf_dhall_from_json(d, type, "record", text, size, &e, NULL) == 0);
	back_and_forth(d, e);
	nf_dhall_free(d);
	nf_buf_fini(&dhall);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size == 0 || size > SIZE_MAX_BYTES)
		return 0;
	text = malloc(size); /* no NUL behind it: readers go by the length */
	fuzz_require(text);
	memcpy(text, data + 1, size - 1);
	as_dhall(types[data[0] % N_TYPES], text, size - 1);
	as_record(text, size - 1);
	free(text);
	return 0;
}
