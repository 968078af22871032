/* SPDX-License-Identifier: MIT */
#include "lane/bootctl.h"

#include <jansson.h>
#include <string.h>

static const char *text_of(const json_t *o, const char *key, struct nf_arena *a)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? nf_arena_strdup(a, s) : NULL;
}

/* A list of paths, or one. */
static const char *initrds_of(const json_t *o, struct nf_arena *a)
{
	const json_t *list = json_object_get(o, "initrd");

	if (json_is_array(list))
		list = json_array_get(list, 0);
	return json_is_string(list) ? nf_arena_strdup(a, json_string_value(list)) : NULL;
}

static bool take(const json_t *o, struct nf_arena *a, struct nf_bootctl_entry *ret)
{
	*ret = (struct nf_bootctl_entry){
		.id = text_of(o, "id", a),
		.title = text_of(o, "showTitle", a),
		.image = text_of(o, "linux", a),
		.release = text_of(o, "version", a),
		.initrd = initrds_of(o, a),
		.args = text_of(o, "options", a),
		.is_default = json_is_true(json_object_get(o, "isDefault")),
	};
	if (!ret->title)
		ret->title = text_of(o, "title", a);
	if (!ret->title)
		ret->title = ret->id;
	return ret->id && *ret->id;
}

int nf_bootctl_parse(const char *json, size_t len_bytes, struct nf_arena *a,
                     struct nf_bootctl_list *ret, struct nf_err *err)
{
	struct nf_bootctl_list list = { 0 };
	json_error_t e;
	json_t *root = json_loadb(json, len_bytes, 0, &e);
	int r = 0;

	if (!root || !json_is_array(root)) {
		json_decref(root);
		return nf_fail(
		        err, NF_EDATA,
		        "bootctl list says no list of entries as JSON; systemd 250 and later do");
	}
	list.entry = nf_arena_alloc(a, json_array_size(root) + 1, sizeof(*list.entry));
	for (size_t i = 0; list.entry && i < json_array_size(root); i++)
		list.n += take(json_array_get(root, i), a, &list.entry[list.n]);
	json_decref(root);
	r = nf_arena_failed(a, "entries of bootctl", err);
	if (r == 0)
		*ret = list;
	return r;
}

const char *nf_bootctl_variable(const char *data, size_t len_bytes, struct nf_arena *a)
{
	if (len_bytes < 4 || len_bytes % 2 != 0)
		return NULL;
	char *text = nf_arena_alloc(a, len_bytes / 2, 1), *to = text;
	for (size_t i = 4; text && i < len_bytes; i += 2) {
		unsigned unit = (unsigned char)data[i] | (unsigned)(unsigned char)data[i + 1] << 8;

		if (unit == 0)
			break;
		*to++ = unit >= 0x20 && unit < 0x7f ? (char)unit : '?';
	}
	return text;
}
