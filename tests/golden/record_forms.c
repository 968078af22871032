/* SPDX-License-Identifier: MIT */
/*
 * record_forms - writes what the tests of the record forms compare.
 *
 *   record_forms schema DIR          <Type>.dhall, <Type>.schema.json for every record type, package.dhall
 *   record_forms samples DIR N       <Type>.<i>.json, .dhall and .csv of N sample values each
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/write.h"
#include "record_samples.h"

static int save(const char *dir, const char *name, const char *suffix, const struct nf_buf *b)
{
	char path[4096];
	FILE *f;
	int n = snprintf(path, sizeof(path), "%s/%s%s", dir, name, suffix);

	if (n < 0 || (size_t)n >= sizeof(path))
		return 1;
	f = fopen(path, "w");
	if (!f || fwrite(b->data, 1, b->len_bytes, f) != b->len_bytes || fclose(f) != 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return 1;
	}
	return 0;
}

static int complain(int rc, const struct nf_err *err)
{
	if (rc != 0)
		fprintf(stderr, "record_forms: %s\n", err->msg);
	return rc != 0;
}

static int write_schema(const char *dir)
{
	struct nf_err err;
	struct nf_buf b;
	int bad = 0;

	nf_buf_init(&b, 1 << 24);
	for (size_t i = 0; nf_record_types[i]; i++) {
		const struct nf_type *t = nf_record_types[i];

		nf_buf_clear(&b);
		bad |= complain(nf_type_to_dhall(t, &b, &err), &err);
		bad |= save(dir, t->name, ".dhall", &b);
		nf_buf_clear(&b);
		bad |= complain(nf_type_to_json_schema(t, &b, &err), &err);
		bad |= save(dir, t->name, ".schema.json", &b);
	}
	nf_buf_clear(&b);
	bad |= complain(nf_types_to_dhall(nf_record_types, &b, &err), &err);
	bad |= save(dir, "package", ".dhall", &b);
	nf_buf_fini(&b);
	return bad;
}

static int write_sample(const char *dir, const struct nf_type *t, uint64_t variant)
{
	struct nf_arena a;
	struct nf_err err;
	struct nf_buf b;
	char name[96];
	uint64_t replaced[2] = { 0, 0 };
	int bad = 1;

	nf_arena_init(&a, 1 << 26);
	nf_buf_init(&b, 1 << 26);
	snprintf(name, sizeof(name), "%s.%llu", t->name, (unsigned long long)variant);
	const void *v = record_sample(t, &a, variant);
	if (!v)
		goto out;
	bad = complain(nf_record_to_json(t, v, &b, &replaced[0], &err), &err);
	bad |= save(dir, name, ".json", &b);
	nf_buf_clear(&b);
	bad |= complain(nf_record_to_dhall(t, v, &b, &replaced[1], &err), &err);
	bad |= save(dir, name, ".dhall", &b);
	nf_buf_clear(&b);
	bad |= complain(nf_record_to_csv(t, v, &b, &err), &err);
	bad |= save(dir, name, ".csv", &b);
	if (replaced[0] != replaced[1] || replaced[0] != nf_record_replaced(t, v)) {
		fprintf(stderr, "record_forms: %s: counts of replaced text differ\n", name);
		bad = 1;
	}
out:
	nf_buf_fini(&b);
	nf_arena_fini(&a);
	return bad;
}

int main(int argc, char **argv)
{
	int bad = 0;

	if (argc == 3 && strcmp(argv[1], "schema") == 0)
		return write_schema(argv[2]);
	if (argc == 4 && strcmp(argv[1], "samples") == 0) {
		for (size_t i = 0; nf_record_types[i]; i++)
			for (uint64_t v = 0; v < strtoull(argv[3], NULL, 10); v++)
				bad |= write_sample(argv[2], nf_record_types[i], v);
		return bad;
	}
	fprintf(stderr, "usage: record_forms schema DIR | samples DIR N\n");
	return 2;
}
