/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <jansson.h>

#include "record/check.h"
#include "record/check_derived.h"
#include "record/check_figures.h"
#include "record/check_form.h"
#include "record/rec_baseline.h"
#include "record/rec_kernel_validation.h"
#include "record/write.h"

enum { REF_DEPTH = 32 };

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* A pair of a path below the folder and its digest, wherever it stands in the record. */
static void check_reference(const char *path, const char *sha256, struct nf_checked *c,
                            const struct nf_checklist *all)
{
	const struct nf_checked *file = nf_checklist_find(all, path);

	if (!file || !file->on_disk)
		nf_checked_note(c, NF_CHECK_DAMAGED, "refers to %s, which is not there", path);
	else if (file->digest[0] && strcmp(file->digest, sha256) != 0)
		nf_checked_note(c, NF_CHECK_DAMAGED, "another %s than the record was made from",
		                path);
}

/* Streams are {file, stream, sha256}; HostProbeRun records {path, sha256} under host_probe_runs. Inputs
 * are files elsewhere and not looked for. */
static void check_references(const json_t *v, int depth, struct nf_checked *c,
                             const struct nf_checklist *all)
{
	const char *key;
	json_t *inner;
	size_t i;

	if (depth > REF_DEPTH)
		return;
	if (json_is_object(v)) {
		const char *file = text_of(v, "file"), *sha256 = text_of(v, "sha256");

		if (file && sha256 && text_of(v, "stream"))
			check_reference(file, sha256, c, all);
		/* jansson's iterators take no const object; they do not change it. */
		json_t *object = json_incref((json_t *)(uintptr_t)v);
		json_object_foreach(object, key, inner)
		{
			check_references(inner, depth + 1, c, all);
		}
		json_decref(object);
	} else if (json_is_array(v)) {
		json_array_foreach(v, i, inner)
		{
			check_references(inner, depth + 1, c, all);
		}
	}
}

static const struct nf_type *type_of(const char *schema)
{
	for (size_t i = 0; nf_record_types[i]; i++) {
		const char *own = nf_record_schema(nf_record_types[i]);
		if (own && strcmp(own, schema) == 0)
			return nf_record_types[i];
	}
	return NULL;
}

/* Published types carry no version: their fields tell. */
static bool is_of_a_type_without_schema(const json_t *root)
{
	struct nf_err err;

	for (size_t i = 0; nf_record_types[i]; i++)
		if (!nf_record_schema(nf_record_types[i]) &&
		    nf_check_form(nf_record_types[i], root, &err) == 0)
			return true;
	return false;
}

/* `lane campaign` leaves a run folder whose record is of a published type. */
static bool is_validation(const json_t *root)
{
	struct nf_err err;

	return nf_check_form(&nf_rec_kernel_validation_run_type, root, &err) == 0;
}

/* What the form of a baseline does not say: there is a logarithm of every median, and one median a benchmark. */
static void check_baseline(const json_t *root, struct nf_checked *c)
{
	static const char *const key[] = { "bench", "is_command", "threads", "knobs" };
	const json_t *session, *m;
	size_t i, k;

	json_array_foreach(json_object_get(root, "sessions"), i, session)
	{
		const json_t *medians = json_object_get(session, "medians");

		json_array_foreach(medians, k, m)
		{
			if (!(json_number_value(json_object_get(m, "median")) > 0))
				nf_checked_note(c, NF_CHECK_DAMAGED,
				                "sessions[%zu].medians[%zu].median is not above 0",
				                i, k);
			for (size_t before = 0; before < k; before++) {
				const json_t *other = json_array_get(medians, before);
				size_t same = 0;

				for (size_t n = 0; n < 4; n++)
					same += json_equal(json_object_get(m, key[n]),
					                   json_object_get(other, key[n])) == 1;
				if (same == 4)
					nf_checked_note(c, NF_CHECK_DAMAGED,
					                "sessions[%zu].medians[%zu] is of the "
					                "same benchmark as [%zu]",
					                i, k, before);
			}
		}
	}
}

/* root's schema is known. */
static int check_known(const struct nf_type *t, const json_t *root, struct nf_checked *c,
                       const struct nf_checklist *all, struct nf_err *err)
{
	const json_t *head = json_object_get(root, "head");
	const char *state = text_of(head, "state"), *reason = text_of(head, "reason");
	struct nf_err why;

	if (nf_check_form(t, root, &why) != 0) {
		nf_checked_note(c, NF_CHECK_DAMAGED, "%.200s", why.msg);
		return 0;
	}
	if (t == &nf_rec_bench_baseline_type)
		check_baseline(root, c);
	if (state && strcmp(state, "partial") == 0)
		nf_checked_note(c, NF_CHECK_PARTIAL, "the run was stopped early%s%.120s",
		                reason ? ": " : "", reason ? reason : "");
	if (all) {
		const json_t *probes = json_object_get(root, "host_probe_runs");
		const json_t *one;
		size_t i;

		check_references(root, 0, c, all);
		json_array_foreach(probes, i, one)
		{
			check_reference(text_of(one, "path"), text_of(one, "sha256"), c, all);
		}
	}
	if (!all || c->state == NF_CHECK_DAMAGED)
		return 0;
	nf_check_derived(t, root, c);
	return nf_check_figures(t, root, all, c, err);
}

int nf_check_record(const char *text, size_t len_bytes, struct nf_checked *c,
                    const struct nf_checklist *all, struct nf_err *err)
{
	json_error_t where;
	json_t *root = json_loadb(text, len_bytes, JSON_REJECT_DUPLICATES, &where);
	int rc = 0;

	if (!root && json_error_code(&where) == json_error_out_of_memory)
		return nf_fail_nomem(err, "a record", len_bytes);
	if (!root) {
		nf_checked_note(c, NF_CHECK_DAMAGED, "line %d, column %d: %s", where.line,
		                where.column, where.text);
		return 0;
	}
	const char *schema = text_of(root, "schema");
	const struct nf_type *t = schema ? type_of(schema) : NULL;
	if (t)
		rc = check_known(t, root, c, all, err);
	else if (schema)
		nf_checked_note(c, NF_CHECK_UNKNOWN, "schema %.80s is not known to this version",
		                schema);
	else if (all &&
	         !is_validation(root)) /* of a run folder: only records of a run stand there */
		nf_checked_note(c, NF_CHECK_DAMAGED, "no record: it has no text named schema");
	else if (!all && !is_of_a_type_without_schema(root))
		rc = nf_fail(err, NF_EDATA, "%s is no record: it has no text named schema",
		             c->path);
	json_decref(root);
	return rc;
}
