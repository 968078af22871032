/* SPDX-License-Identifier: MIT */
#include "record/redact_record.h"

#include <ctype.h>
#include <string.h>

#include "record/json_record.h"

enum { TEXT_BYTES = 64 << 20, FILE_NAME = 255, STREAM_NAME = 47 };

/* Fields that hold words of this program or of the kernel, or digests of what is public. */
static const char *const own_fields[] = {
	"schema",
	"unit",
	"method",
	"claim_ceiling",
	"tool_version",
	"platform_kind",
	"clock",
	"kernel",
	"hypervisor",
	"cpu_vendor",
	"machine_arch",
	"realtime_source",
	"preemption_model",
	"clocksource",
	"clocksources",
	"clock_sync",
	"idle_driver",
	"frequency_driver",
	"governor",
	"smt_control",
	"transparent_hugepage",
	"config_source",
	"worst_interruption_source",
	"compiler",
	"build_type",
	"flags",
	"kernels_compiler",
	"kernels_flags",
	"sanitize",
	"commit",
	"binary_sha256",
	"seed",
	"measured",
	"derived",
	"declared",
	"synthetic",
	"version",
	"started_utc",
	"finished_utc",
	"read_utc",
	NULL,
};
static bool is_one_of(const char *key, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(*list, key) == 0)
			return true;
	return false;
}

/* "stream", "wake_stream", ... */
static bool is_stream_field(const char *key)
{
	size_t len = strlen(key);

	return len >= 6 && strcmp(key + len - 6, "stream") == 0;
}

static bool is_host_field(const struct nf_text_at *at)
{
	return strcmp(at->key, "host_name") == 0 || strcmp(at->key, "host") == 0 ||
	       (strcmp(at->key, "label") == 0 && strcmp(at->record->name, "Host") == 0);
}

/* "before" and "after" of a difference are values of the fact that `name` says. */
static const char *fact_of(const struct nf_text_at *at)
{
	bool value = strcmp(at->key, "before") == 0 || strcmp(at->key, "after") == 0;
	const char *name = json_string_value(json_object_get(at->object, "name"));

	return value && name && strcmp(at->record->name, "Difference") == 0 ? name : at->key;
}

static int learn(void *ctx, const struct nf_text_at *at, json_t **ret, struct nf_err *err)
{
	struct nf_redactor *r = ctx;
	const char *text = json_string_value(at->text);
	int rc = 0;

	(void)ret;
	if (is_host_field(at) || strcmp(fact_of(at), "host_name") == 0)
		rc = nf_redactor_add_host(r, text, err);
	else if (strcmp(at->key, "tag") == 0 && !nf_redact_own_word(text))
		rc = nf_redactor_add(r, "arg", text,
		                     err); /* it was an argument; run_id has it too */
	return rc < 0 ? rc : nf_redactor_learn(r, text, err);
}

int nf_redact_learn_record(struct nf_redactor *r, const struct nf_type *t, json_t *value,
                           struct nf_err *err)
{
	return nf_json_record_texts(t, value, learn, r, err);
}

void nf_redact_path(const struct nf_redactor *r, const char *path, struct nf_buf *out)
{
	char part[FILE_NAME + 1];

	for (;;) {
		size_t len = strcspn(path, "/");

		if (len <= FILE_NAME) {
			memcpy(part, path, len);
			part[len] = '\0';
			nf_redact_name(r, part, FILE_NAME, out);
		}
		if (path[len] == '\0')
			return;
		(void)nf_buf_addc(out, '/');
		path += len + 1;
	}
}

/* Digits, lists of them, with a unit or a sign: durations, counts, CPU lists, percentages. */
static bool is_number(const char *s)
{
	size_t len = strspn(s, "0123456789.,:^-+");

	return len > 0 && isdigit((unsigned char)s[strspn(s, "-+")]) && !strchr(s, ':') &&
	       strlen(s + len) <= 3 && strspn(s + len, "numshkKMGiB%") == strlen(s + len) &&
	       strchr(s, '.') == strrchr(s, '.');
}

static bool is_option(const char *s)
{
	size_t dashes = strspn(s, "-");

	return (dashes == 1 && isalpha((unsigned char)s[1]) && !s[2]) ||
	       (dashes == 2 &&
	        (!s[2] || (islower((unsigned char)s[2]) &&
	                   strspn(s + 2, "abcdefghijklmnopqrstuvwxyz-") == strlen(s + 2))));
}

static void put_argument(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out)
{
	char name[NF_PSEUDONYM];

	if (len > 4 && strncmp(s, "arg-", 4) == 0) {
		(void)nf_buf_add(out, s, len);
		return;
	}
	nf_pseudonym(r, "arg", s, len, name);
	(void)nf_buf_adds(out, name);
}

struct work {
	const struct nf_redactor *r;
	const struct nf_redact_files *files;
	struct nf_buf out;
};

static void put_word(const struct work *w, const char *s, size_t len, struct nf_buf *out)
{
	const char *equals = strchr(s, '=');
	char option[64];

	if (is_option(s) || is_number(s) || (w->files->keep && is_one_of(s, w->files->keep))) {
		(void)nf_buf_add(out, s, len);
	} else if (equals && (size_t)(equals - s) < sizeof(option)) {
		memcpy(option, s, (size_t)(equals - s));
		option[equals - s] = '\0';
		if (is_option(option)) {
			(void)nf_buf_addf(out, "%s=", option);
			put_word(w, equals + 1, len - (size_t)(equals + 1 - s), out);
		} else {
			put_argument(w->r, s, len, out);
		}
	} else {
		put_argument(w->r, s, len, out);
	}
}

/* The digest of a file of the run that the record refers to. */
static const char *new_digest(const struct work *w, const struct nf_text_at *at)
{
	const char *path = json_string_value(json_object_get(at->object, "file"));

	if (strcmp(at->key, "sha256") != 0 || !w->files->digest)
		return NULL;
	if (!path)
		path = json_string_value(json_object_get(at->object, "path"));
	return path ? w->files->digest(w->files->ctx, path) : NULL;
}

static int redact(void *ctx, const struct nf_text_at *at, json_t **ret, struct nf_err *err)
{
	struct work *w = ctx;
	const char *s = json_string_value(at->text), *key = fact_of(at);
	size_t len = json_string_length(at->text);
	const char *digest = new_digest(w, at);
	struct nf_buf *out = &w->out;
	bool name = strcmp(at->key, "name") == 0;

	if (is_one_of(key, own_fields) ||
	    (name && strcmp(at->record->name, "PropertyResult") != 0) ||
	    (strcmp(at->key, "sha256") == 0 && !digest))
		return 0;
	nf_buf_clear(out);
	if (digest)
		(void)nf_buf_adds(out, digest);
	else if (is_stream_field(key))
		nf_redact_name(w->r, s, STREAM_NAME, out);
	else if (strcmp(key, "file") == 0)
		nf_redact_path(w->r, s, out);
	else if (strcmp(key, "path") == 0 && w->files->digest && w->files->digest(w->files->ctx, s))
		nf_redact_path(w->r, s, out);
	else if (strcmp(key, "command") == 0)
		put_word(w, s, len, out);
	else if (strcmp(key, "under") == 0 || strcmp(key, "path") == 0)
		put_argument(w->r, s, len, out);
	else if (strcmp(key, "kernel_cmdline") == 0)
		nf_redact_cmdline(w->r, s, len, out);
	else
		nf_redact_text(w->r, s, len, out);
	int rc = nf_buf_failed(out, "a text", err);
	if (rc < 0 || (out->len_bytes == len && memcmp(out->data, s, len) == 0))
		return rc;
	*ret = json_stringn_nocheck(out->data, out->len_bytes);
	return *ret ? 0 : nf_fail_nomem(err, "a text", out->len_bytes);
}

int nf_redact_record(const struct nf_redactor *r, const struct nf_redact_files *files,
                     const struct nf_type *t, json_t *value, struct nf_err *err)
{
	struct work w = { .r = r, .files = files };

	nf_buf_init(&w.out, TEXT_BYTES);
	int rc = nf_json_record_texts(t, value, redact, &w, err);
	nf_buf_fini(&w.out);
	return rc;
}
