/* SPDX-License-Identifier: MIT */
/* Folders laid out as the language's own test suite: what is parsed, typed, normalised, imported, hashed
 * and decoded, and what has to fail. Our cases (tests/fixtures/dhall) and, where it is there, the suite's
 * own (<shared data>/dhall-tests, never copied). Both are counted. */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <sys/stat.h>

#include "dhall/dhall.h"
#include "nf_unit.h"

enum { FILE_BYTES = 1 << 20 };

struct suite {
	const char *root;
	unsigned n; /* cases */
	unsigned n_bad;
};

static bool read_file(const char *path, struct nf_buf *out)
{
	char chunk[4096];
	FILE *f = fopen(path, "rb");
	size_t n;

	nf_buf_clear(out);
	if (!f)
		return false;
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		assert_int_equal(nf_buf_add(out, chunk, n), 0);
	fclose(f);
	return true;
}

static int parse_file(struct nf_dhall *d, const char *path, const struct nf_dexpr **ret,
                      struct nf_err *err)
{
	struct nf_buf text;

	nf_buf_init(&text, FILE_BYTES);
	assert_true(read_file(path, &text));
	int r = nf_dhall_parse(d, path, text.data, text.len_bytes, ret, err);
	nf_buf_fini(&text);
	return r;
}

/* Both encoded, after renaming bound variables; normal: after evaluation too. */
static bool same(struct nf_dhall *d, const struct nf_dexpr *a, const struct nf_dexpr *b,
                 bool normal, struct nf_err *err)
{
	struct nf_buf x, y;

	nf_buf_init(&x, FILE_BYTES);
	nf_buf_init(&y, FILE_BYTES);
	bool fine = (!normal ||
	             (nf_dhall_alpha(d, a, &a, err) == 0 && nf_dhall_alpha(d, b, &b, err) == 0)) &&
	            nf_dhall_encode(d, a, &x, err) == 0 && nf_dhall_encode(d, b, &y, err) == 0;
	if (fine && (x.len_bytes != y.len_bytes || memcmp(x.data, y.data, x.len_bytes) != 0)) {
		snprintf(err->msg, sizeof(err->msg), "not what is expected");
		fine = false;
	}
	nf_buf_fini(&x);
	nf_buf_fini(&y);
	return fine;
}

/* FILE + "B" + suffix, for FILE + "A.dhall" or "A.dhallb". */
static void counterpart(const char *path, const char *suffix, char ret[PATH_MAX])
{
	const char *dot = strrchr(path, '.');

	snprintf(ret, PATH_MAX, "%.*sB%s", (int)(dot - path - 1), path, suffix);
}

/* What is printed reads as the same. */
static bool prints(struct nf_dhall *d, const struct nf_dexpr *e, struct nf_err *err)
{
	const struct nf_dexpr *again = NULL;
	struct nf_buf text;

	nf_buf_init(&text, FILE_BYTES);
	bool fine = nf_dhall_print(d, e, &text, err) == 0 &&
	            nf_dhall_parse(d, "printed", text.data, text.len_bytes, &again, err) == 0 &&
	            same(d, e, again, false, err);
	if (!fine)
		printf("# printed: %s", text.data);
	nf_buf_fini(&text);
	return fine;
}

static bool parses(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	const struct nf_dexpr *e = NULL, *decoded = NULL;
	char other[PATH_MAX];
	struct nf_buf want, got;

	counterpart(path, ".dhallb", other);
	nf_buf_init(&want, FILE_BYTES);
	nf_buf_init(&got, FILE_BYTES);
	assert_true(read_file(other, &want));
	bool fine = parse_file(d, path, &e, err) == 0 && nf_dhall_encode(d, e, &got, err) == 0;
	if (fine &&
	    (want.len_bytes != got.len_bytes || memcmp(want.data, got.data, want.len_bytes) != 0)) {
		snprintf(err->msg, sizeof(err->msg), "encoded otherwise");
		fine = false;
	}
	/* And it comes back. */
	fine = fine && nf_dhall_decode(d, want.data, want.len_bytes, &decoded, err) == 0 &&
	       same(d, decoded, e, false, err) && prints(d, e, err);
	nf_buf_fini(&want);
	nf_buf_fini(&got);
	return fine;
}

static bool does_not_parse(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	const struct nf_dexpr *e = NULL;

	return parse_file(d, path, &e, err) == -NF_EDATA && !e;
}

static bool has_type(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	const struct nf_dexpr *e, *type, *want;
	char other[PATH_MAX];

	counterpart(path, ".dhall", other);
	return parse_file(d, path, &e, err) == 0 && nf_dhall_resolve(d, e, path, err) == 0 &&
	       nf_dhall_infer(d, e, &type, err) == 0 && parse_file(d, other, &want, err) == 0 &&
	       same(d, type, want, true, err);
}

static bool has_no_type(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	const struct nf_dexpr *e, *type = NULL;

	if (parse_file(d, path, &e, err) < 0)
		return true;
	return nf_dhall_infer(d, e, &type, err) == -NF_EDATA && !type;
}

static bool normalises(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	const struct nf_dexpr *e, *value, *want;
	char other[PATH_MAX];

	counterpart(path, ".dhall", other);
	return parse_file(d, path, &e, err) == 0 && nf_dhall_resolve(d, e, path, err) == 0 &&
	       nf_dhall_normalise(d, e, &value, err) == 0 &&
	       parse_file(d, other, &want, err) == 0 && same(d, value, want, true, err);
}

static bool imports(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	struct nf_dhall_loaded loaded;
	const struct nf_dexpr *want;
	char other[PATH_MAX];

	counterpart(path, ".dhall", other);
	return nf_dhall_load(d, path, &loaded, err) == 0 && parse_file(d, other, &want, err) == 0 &&
	       same(d, loaded.value, want, true, err);
}

static bool does_not_import(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	struct nf_dhall_loaded loaded = { 0 };

	return nf_dhall_load(d, path, &loaded, err) < 0 && !loaded.value && err->msg[0];
}

static bool hashes(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	struct nf_dhall_loaded loaded;
	char other[PATH_MAX], hex[NF_SHA256_HEX];
	struct nf_buf want;

	counterpart(path, ".hash", other);
	if (nf_dhall_load(d, path, &loaded, err) < 0 ||
	    nf_dhall_hash(d, loaded.value, hex, err) < 0)
		return false;
	nf_buf_init(&want, FILE_BYTES);
	assert_true(read_file(other, &want));
	bool fine = strncmp(want.data, "sha256:", 7) == 0 && strncmp(want.data + 7, hex, 64) == 0;
	nf_buf_fini(&want);
	snprintf(err->msg, sizeof(err->msg), "the hash is %s", hex);
	return fine;
}

static bool decodes(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	const struct nf_dexpr *e, *want;
	char other[PATH_MAX];
	struct nf_buf bytes;

	counterpart(path, ".dhall", other);
	nf_buf_init(&bytes, FILE_BYTES);
	assert_true(read_file(path, &bytes));
	bool fine = nf_dhall_decode(d, bytes.data, bytes.len_bytes, &e, err) == 0 &&
	            parse_file(d, other, &want, err) == 0 && same(d, e, want, false, err);
	nf_buf_fini(&bytes);
	return fine;
}

static bool does_not_decode(struct nf_dhall *d, const char *path, struct nf_err *err)
{
	const struct nf_dexpr *e = NULL;
	struct nf_buf bytes;

	nf_buf_init(&bytes, FILE_BYTES);
	assert_true(read_file(path, &bytes));
	int r = nf_dhall_decode(d, bytes.data, bytes.len_bytes, &e, err);
	nf_buf_fini(&bytes);
	return r == -NF_EDATA && !e;
}

static const struct {
	const char *folder, *suffix;
	bool (*check)(struct nf_dhall *d, const char *path, struct nf_err *err);
} kinds[] = {
	{ "/parser/success/", "A.dhall", parses },
	{ "/parser/failure/", ".dhall", does_not_parse },
	{ "/type-inference/success/", "A.dhall", has_type },
	{ "/type-inference/failure/", ".dhall", has_no_type },
	{ "/normalization/success/", "A.dhall", normalises },
	{ "/import/success/", "A.dhall", imports },
	{ "/import/failure/", ".dhall", does_not_import },
	{ "/semantic-hash/success/", "A.dhall", hashes },
	{ "/binary-decode/success/", "A.dhallb", decodes },
	{ "/binary-decode/failure/", ".dhallb", does_not_decode },
};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

static void one_file(struct suite *s, const char *path)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct nf_dhall *d = NULL;
		struct nf_err err = { 0 };

		if (strncmp(path + strlen(s->root), kinds[i].folder, strlen(kinds[i].folder)) !=
		            0 ||
		    !ends_with(path, kinds[i].suffix))
			continue;
		assert_int_equal(nf_dhall_new(&d, NULL), 0);
		assert_int_equal(nf_dhall_set_root(d, s->root, NULL), 0);
		s->n++;
		if (!kinds[i].check(d, path, &err)) {
			s->n_bad++;
			printf("# %s: %s\n", path, err.msg);
		}
		nf_dhall_free(d);
	}
}

static void run_suite(struct suite *s)
{
	char *roots[] = { strdup(s->root), NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	assert_non_null(tree);
	while ((entry = fts_read(tree)))
		if (entry->fts_info == FTS_F)
			one_file(s, entry->fts_path);
	fts_close(tree);
	free(roots[0]);
	printf("# %s: %u cases, %u wrong\n", s->root, s->n, s->n_bad);
}

static void our_cases_hold(void **state)
{
	char root[PATH_MAX];
	struct suite s = { .root = root };

	(void)state;
	snprintf(root, sizeof(root), "%s/tests/fixtures/dhall", getenv("NF_SOURCE"));
	run_suite(&s);
	assert_int_equal(s.n_bad, 0);
	assert_true(s.n >= 150);
}

static void the_cases_of_the_language_hold(void **state)
{
	const char *shared = getenv("NF_SHARED_DATA");
	char root[PATH_MAX];
	struct suite s = { .root = root };
	struct stat st;

	(void)state;
	if (shared)
		snprintf(root, sizeof(root), "%s/dhall-tests", shared);
	else
		snprintf(root, sizeof(root), "%s/../shared/data/dhall-tests", getenv("NF_SOURCE"));
	skip_unless(stat(root, &st) == 0, "shared-data", "no dhall-tests beside the source");
	run_suite(&s);
	assert_int_equal(s.n_bad, 0);
	assert_true(s.n >= 200);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(our_cases_hold),
	cmocka_unit_test(the_cases_of_the_language_hold),
};
NF_UNIT_MAIN(tests)
