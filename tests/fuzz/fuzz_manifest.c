/* SPDX-License-Identifier: MIT */
/* manifest: any bytes as the MANIFEST of a run folder. What is read is in order, each path once and below
 * the folder; written again it reads the same. The check of a folder with it ends with a verdict, and
 * that is "complete" only where MANIFEST lists exactly the files that are there, with their digests. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "fuzz.h"
#include "record/check.h"
#include "record/filelist.h"

enum { ARENA_BYTES = 16 << 20, FOLDER_BYTES = 4096 };

static char folder[] = "/tmp/nf-fuzz-manifest-XXXXXX";
static int folder_fd = -1;
/* What stands in the folder besides MANIFEST; the corpus knows their digests. */
static const char *const names[] = { "captures/a.txt", "record.json" };
static const char *const texts[] = {
	"a\n",
	"{\"schema\":\"PropertyRun/1\",\"tool_version\":\"\",\"compiler\":\"\",\"sanitize\":"
	"\"\",\"commit\":null,\"finished_utc\":\"\",\"suite\":\"\",\"seed\":\"\",\"properties"
	"\":0,\"passed\":0,\"cases\":0,\"line\":\"\",\"results\":[],\"result\":\"blocked\",\""
	"replaced_text\":0,\"claim_ceiling\":\"\",\"honesty\":{\"measured\":[],\"derived\":[]"
	",\"declared\":[],\"synthetic\":[]}}\n",
};

static void put(const char *name, const void *data, size_t size)
{
	/* A new file: some file systems wait for the disk when one is cut and written again. */
	unlinkat(folder_fd, name, 0);
	int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	fuzz_require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void remove_folder(void)
{
	unlinkat(folder_fd, "MANIFEST", 0);
	for (size_t i = 0; i < 2; i++)
		unlinkat(folder_fd, names[i], 0);
	unlinkat(folder_fd, "captures", AT_REMOVEDIR);
	close(folder_fd);
	rmdir(folder);
}

static void make_folder(void)
{
	fuzz_require(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fuzz_require(folder_fd >= 0 && mkdirat(folder_fd, "captures", 0700) == 0);
	for (size_t i = 0; i < 2; i++)
		put(names[i], texts[i], strlen(texts[i]));
	fuzz_require(atexit(remove_folder) == 0);
}

static void read_again(const struct nf_checklist *l, bool was_clean)
{
	struct nf_checked own = { .path = "MANIFEST" };
	struct nf_checklist again = { .n = SIZE_MAX };
	struct nf_arena a;
	struct nf_buf text;

	nf_arena_init(&a, ARENA_BYTES);
	nf_buf_init(&text, ARENA_BYTES);
	for (size_t i = 0; i < l->n; i++)
		fuzz_require(nf_buf_addf(&text, "%s  %s\n", l->item[i].listed, l->item[i].path) ==
		             0);
	fuzz_require(nf_manifest_read(text.data, text.len_bytes, &a, &own, &again, NULL) == 0);
	fuzz_require(again.n == l->n);
	for (size_t i = 0; i < l->n; i++)
		fuzz_require(strcmp(again.item[i].path, l->item[i].path) == 0 &&
		             strcmp(again.item[i].listed, l->item[i].listed) == 0);
	fuzz_require((own.state == NF_CHECK_COMPLETE) == (l->n > 0));
	fuzz_require(!was_clean || l->n > 0);
	nf_buf_fini(&text);
	nf_arena_fini(&a);
}

/* Lists the files of the folder and nothing else, each with its digest. */
static bool is_true(const struct nf_checklist *l)
{
	char hex[NF_SHA256_HEX];

	if (l->n != 2)
		return false;
	for (size_t i = 0; i < 2; i++) {
		uint8_t digest[NF_SHA256_BYTES];
		struct nf_sha256 h;

		nf_sha256_init(&h);
		nf_sha256_add(&h, texts[i], strlen(texts[i]));
		nf_sha256_done(&h, digest);
		nf_sha256_hex(digest, hex);
		if (strcmp(l->item[i].path, names[i]) != 0 || strcmp(l->item[i].listed, hex) != 0)
			return false;
	}
	return true;
}

static void on_finding(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	size_t *n = ctx;

	fuzz_require(item[0] && (state == NF_CHECK_COMPLETE) == (why[0] == '\0'));
	++*n;
}

static void check_folder(const uint8_t *data, size_t size, bool is_complete)
{
	enum nf_check_state state = NF_CHECK_UNKNOWN;
	struct nf_err err = { 0 };
	size_t n = 0;

	if (folder_fd < 0)
		make_folder();
	put("MANIFEST", data, size);
	fuzz_require(nf_runfolder_check(folder, on_finding, &n, &state, &err) == 0);
	fuzz_require(n >= 4); /* MANIFEST, two files, the folder */
	fuzz_require(state == (is_complete ? NF_CHECK_COMPLETE : NF_CHECK_DAMAGED));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_checked own = { .path = "MANIFEST" };
	struct nf_checklist l = { .n = 0 };
	struct nf_arena a;
	char *text = malloc(size + 1);

	fuzz_require(text);
	memcpy(text, data, size);
	text[size] = '\0';
	nf_arena_init(&a, ARENA_BYTES);
	if (size < ARENA_BYTES / 1024 && nf_manifest_read(text, size, &a, &own, &l, NULL) == 0) {
		fuzz_require(own.state == NF_CHECK_COMPLETE || own.state == NF_CHECK_DAMAGED);
		fuzz_require((own.state == NF_CHECK_COMPLETE) == (own.why[0] == '\0'));
		for (size_t i = 0; i < l.n; i++) {
			fuzz_require(nf_path_is_safe(l.item[i].path));
			fuzz_require(strlen(l.item[i].listed) == 64);
			fuzz_require(strcmp(l.item[i].path, "MANIFEST") != 0);
			fuzz_require(i == 0 || strcmp(l.item[i - 1].path, l.item[i].path) < 0);
			fuzz_require(nf_checklist_find(&l, l.item[i].path) == &l.item[i]);
		}
		read_again(&l, own.state == NF_CHECK_COMPLETE);
		if (size <= FOLDER_BYTES)
			check_folder(data, size, own.state == NF_CHECK_COMPLETE && is_true(&l));
	}
	nf_arena_fini(&a);
	free(text);
	return 0;
}
