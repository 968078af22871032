/* SPDX-License-Identifier: MIT */
/* grub: every entry that parses is found again by the spec that is made for it, and nothing is found outside of the
 * menu; a block's variables have names. */
#include <string.h>

#include "fuzz.h"
#include "lane/grub_block.h"
#include "lane/grub_menu.h"

/* Several may have one name: then the spec means the first of them. */
static void check_entry(const struct nf_grub_menu *m, int i, struct nf_arena *a)
{
	const struct nf_grub_node *n = &m->node[i];
	const char *spec = nf_grub_menu_spec(m, i, a);

	fuzz_require(spec && n->title && n->parent < i && n->index >= 0);
	fuzz_require(!n->image == !n->args);
	fuzz_require(n->parent < 0 || m->node[n->parent].submenu);
	int found = nf_grub_menu_find(m, spec);
	fuzz_require(found >= -1 && found < m->n && (found < 0 || !m->node[found].submenu));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_grub_block b = { 0 };
	struct nf_grub_menu m = { 0 };
	struct nf_err err = { 0 };
	struct nf_arena a;

	nf_arena_init(&a, (size_t)256 << 20);
	if (nf_grub_menu_parse((const char *)data, size, "fuzz", &a, &m, &err) == 0) {
		for (int i = 0; i < m.n; i++)
			check_entry(&m, i, &a);
		if (m.default_spec)
			fuzz_require(nf_grub_menu_find(&m, m.default_spec) < m.n);
	} else {
		fuzz_require(err.code == NF_EDATA && err.msg[0] && m.n == 0);
	}
	if (nf_grub_block_parse((const char *)data, size, "fuzz", &a, &b, &err) == 0)
		for (size_t i = 0; i < b.n; i++)
			fuzz_require(b.var[i].name[0] && b.var[i].value &&
			             nf_grub_block_get(&b, b.var[i].name));
	nf_arena_fini(&a);
	return 0;
}
