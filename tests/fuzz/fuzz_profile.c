/* SPDX-License-Identifier: MIT */
/* profile: what parses has a name that stays below /proc/sys, and its lines parse again to the same;
 * checking it against the tree of this process's own folder never fails. */
#include <string.h>

#include "fuzz.h"
#include "machine/profile.h"

static void check_line(const struct nf_profile_line *l, struct nf_arena *a)
{
	struct nf_profile again = { 0 };
	struct nf_err err = { 0 };

	fuzz_require(l->name[0] != '\0');
	if (l->kind == NF_PROFILE_SYSCTL) {
		fuzz_require(l->name[0] != '/');
		fuzz_require(strncmp(l->name, "..", 2) != 0 && !strstr(l->name, "/.."));
	}
	fuzz_require(nf_profile_parse(l->text, strlen(l->text), "again", a, &again, &err) == 0);
	fuzz_require(again.n == 1 && again.line[0].kind == l->kind);
	fuzz_require(strcmp(again.line[0].name, l->name) == 0);
	fuzz_require(!again.line[0].value == !l->value);
	fuzz_require(!l->value || strcmp(again.line[0].value, l->value) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_profile p = { 0 };
	struct nf_err err = { 0 };
	struct nf_rootfs root;
	struct nf_arena a;

	nf_arena_init(&a, (size_t)64 << 20);
	if (nf_profile_parse((const char *)data, size, "fuzz", &a, &p, &err) == 0) {
		for (size_t i = 0; i < p.n; i++)
			check_line(&p.line[i], &a);
		fuzz_require(nf_rootfs_open(&root, "/", &err) == 0);
		fuzz_require(nf_profile_check(&p, &root, NULL, &a, &err) == 0);
		for (size_t i = 0; i < p.n; i++)
			fuzz_require(!p.line[i].unread || p.line[i].match == NF_PROFILE_MISSING);
		nf_rootfs_close(&root);
	} else {
		fuzz_require(err.code == NF_EDATA && err.msg[0] && p.n == 0);
	}
	nf_arena_fini(&a);
	return 0;
}
