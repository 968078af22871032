/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <jansson.h>

#include "dhall/dhall.h"
#include "record/check.h"

enum { JSON_MAX = 64 << 20 };

/* The file as JSON text in out. *ret_fine false: it is not well-typed, and noted so, or JSON has no form for
 * it (a type, say), which is noted when only a value will do. */
static int to_json(const char *path, const char *root, bool value, struct nf_checked *c,
                   struct nf_buf *out, bool *ret_fine, struct nf_err *err)
{
	struct nf_dhall_loaded loaded;
	struct nf_err why = { .code = NF_OK };
	struct nf_dhall *d = NULL;
	bool typed = false;
	int rc = nf_dhall_new(&d, err);

	if (rc != 0)
		return rc;
	if (root)
		rc = nf_dhall_set_root(d, root, &why);
	if (rc == 0)
		rc = nf_dhall_load(d, path, &loaded, &why);
	typed = rc == 0;
	if (rc == 0)
		rc = nf_dhall_to_json(d, loaded.value, false, out, &why);
	nf_dhall_free(d);
	*ret_fine = rc == 0;
	if (rc == -NF_EDATA && typed && !value)
		return 0;
	if (rc == -NF_EDATA) {
		nf_checked_note(c, NF_CHECK_DAMAGED, "%.230s", why.msg);
		return 0;
	}
	if (rc != 0 && err)
		*err = why;
	return rc;
}

int nf_check_dhall_file(const char *path, struct nf_checked *c, struct nf_err *err)
{
	json_error_t where;
	struct nf_buf text;
	bool fine = false;
	int rc;

	nf_buf_init(&text, JSON_MAX);
	rc = to_json(path, NULL, false, c, &text, &fine, err);
	if (rc == 0 && fine) {
		/* Values that are no records of ours have a type, and that is all to be said. */
		json_t *v = json_loadb(text.data, text.len_bytes, JSON_DECODE_ANY | JSON_ALLOW_NUL,
		                       &where);
		if (json_is_string(json_object_get(v, "schema")))
			rc = nf_check_record(text.data, text.len_bytes, c, NULL, err);
		json_decref(v);
	}
	nf_buf_fini(&text);
	return rc;
}

int nf_check_dhall_twin(const char *path, const char *root, const struct nf_buf *json,
                        struct nf_checked *c, struct nf_err *err)
{
	json_error_t where;
	struct nf_buf text;
	bool fine = false;
	int rc;

	nf_buf_init(&text, JSON_MAX);
	rc = to_json(path, root, true, c, &text, &fine, err);
	if (rc == 0 && fine) {
		json_t *own = json_loadb(text.data, text.len_bytes, JSON_ALLOW_NUL, &where);
		json_t *other = json_loadb(json->data, json->len_bytes, JSON_ALLOW_NUL, &where);

		if (!own || !other || !json_equal(own, other))
			nf_checked_note(c, NF_CHECK_DAMAGED, "not the same record as record.json");
		json_decref(own);
		json_decref(other);
	}
	nf_buf_fini(&text);
	return rc;
}
