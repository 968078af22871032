/* SPDX-License-Identifier: MIT */
/* json_forms: any bytes as a record in JSON. What is in good form of a type becomes CSV, JSON that is the same record, JUnit's XML,
 * and a redacted record in good form; it does not differ from itself. */
#include <jansson.h>
#include <string.h>

#include "fuzz.h"
#include "record/check_form.h"
#include "record/json_diff.h"
#include "record/json_record.h"
#include "record/redact_record.h"
#include "report/junit.h"

enum { OUT_BYTES = 16 << 20, SIZE_MAX_BYTES = 60000 };

static int differ(void *ctx, const struct nf_difference *d, struct nf_err *err)
{
	(void)ctx;
	(void)err;
	fprintf(stderr, "%s differs from itself\n", d->path);
	abort();
}

static void forms(const struct nf_type *t, const json_t *v)
{
	struct nf_buf out;
	size_t n = 1;

	nf_buf_init(&out, OUT_BYTES);
	fuzz_require(nf_json_record_to_csv(t, v, &out, NULL) == 0);
	nf_buf_clear(&out);
	fuzz_require(nf_json_record_to_json(t, v, &out, NULL) == 0);
	json_t *again = json_loadb(out.data, out.len_bytes, JSON_ALLOW_NUL, NULL);
	fuzz_require(again && nf_check_form(t, again, NULL) == 0);
	fuzz_require(nf_json_diff(t, v, t, again, differ, NULL, &n, NULL) == 0 && n == 0);
	json_decref(again);
	nf_buf_clear(&out);
	nf_junit_begin(&out);
	nf_junit_suite(t, v, "fuzz", &out);
	nf_junit_end(&out);
	fuzz_require(nf_buf_failed(&out, "JUnit", NULL) == 0);
	again = json_stringn(out.data, out.len_bytes);
	fuzz_require(again); /* UTF-8 */
	json_decref(again);
	nf_buf_fini(&out);
}

static void redact(const struct nf_type *t, json_t *v)
{
	static const unsigned char key[NF_REDACT_KEY] = { 5 };
	const struct nf_redact_files files = { .digest = NULL };
	struct nf_redactor r;

	nf_redactor_init(&r, key);
	if (nf_redact_learn_record(&r, t, v, NULL) == 0) {
		fuzz_require(nf_redact_record(&r, &files, t, v, NULL) == 0);
		fuzz_require(nf_check_form(t, v, NULL) == 0);
	}
	nf_redactor_fini(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct nf_type *t = NULL;
	struct nf_err err = { 0 };

	if (size > SIZE_MAX_BYTES)
		return 0;
	json_t *v = json_loadb((const char *)data, size, JSON_ALLOW_NUL, NULL);
	int rc = v ? nf_json_record_type(v, &t, &err) : -NF_EDATA;
	fuzz_require(rc == 0 || !v || (rc == -NF_EDATA && err.msg[0] && !t));
	if (rc == 0) {
		forms(t, v);
		redact(t, v);
	}
	json_decref(v);
	return 0;
}
