/* SPDX-License-Identifier: MIT */
/* What a grub.cfg and an environment block say. */
#include "lane/grub_block.h"
#include "lane/grub_menu.h"

#include "grub_texts.h"
#include "nf_unit.h"

struct fixture {
	struct nf_arena a;
	struct nf_err e;
	struct nf_grub_menu m;
	struct nf_grub_block b;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (f)
		nf_arena_init(&f->a, (size_t)64 << 20);
	*state = f;
	return f ? 0 : -1;
}

static int end(void **state)
{
	struct fixture *f = *state;

	nf_arena_fini(&f->a);
	free(f);
	return 0;
}

static void menu(struct fixture *f, const char *text)
{
	if (nf_grub_menu_parse(text, strlen(text), "grub.cfg", &f->a, &f->m, &f->e) != 0)
		fail_msg("%s", f->e.msg);
}

static void block(struct fixture *f, const char *text)
{
	if (nf_grub_block_parse(text, strlen(text), "grubenv", &f->a, &f->b, &f->e) != 0)
		fail_msg("%s", f->e.msg);
}

static void entries_have_their_titles_ids_kernels_and_places(void **state)
{
	struct fixture *f = *state;

	menu(f, GRUB_HEAD GRUB_BOTH);
	assert_int_equal(f->m.n, 6);
	assert_string_equal(f->m.node[0].title, "GNU/Linux");
	assert_string_equal(f->m.node[0].id, "gnulinux-simple-1-2");
	assert_string_equal(f->m.node[0].image, "/boot/vmlinuz-" GRUB_GENERIC);
	assert_string_equal(f->m.node[0].args, "root=UUID=1-2 ro quiet");
	assert_string_equal(f->m.node[0].initrd, "/boot/initrd.img-" GRUB_GENERIC);
	assert_int_equal(f->m.node[0].parent, -1);
	assert_true(f->m.node[1].submenu);
	assert_null(f->m.node[1].image);
	assert_int_equal(f->m.node[1].index, 1);
	assert_int_equal(f->m.node[2].parent, 1);
	assert_int_equal(f->m.node[2].index, 0);
	assert_int_equal(f->m.node[5].index, 3);
	assert_string_equal(f->m.node[2].args, "root=UUID=1-2 ro quiet isolcpus=1");
	assert_false(f->m.node[2].conditional);
	assert_true(f->m.boots_next);
	assert_false(f->m.snippets);
	assert_string_equal(f->m.default_spec, "0");
}

static void the_default_is_the_last_assignment_that_is_not_the_one_shot_entry(void **state)
{
	struct fixture *f = *state;

	menu(f, GRUB_HEAD_WITH("set default=\"${saved_entry}\"") GRUB_BOTH);
	assert_string_equal(f->m.default_spec, "${saved_entry}");
	menu(f, "set default='1>2'; set timeout=1\n");
	assert_string_equal(f->m.default_spec, "1>2");
	menu(f, "function f {\n set default=3\n}\n");
	assert_null(f->m.default_spec);
}

static void a_menu_that_does_not_clear_the_one_shot_entry_does_not_boot_it_once(void **state)
{
	struct fixture *f = *state;

	menu(f, "set default=\"${next_entry}\"\n");
	assert_false(f->m.boots_next);
	menu(f, "save_env next_entry\n");
	assert_false(f->m.boots_next);
	menu(f, "set default=\"${next_entry}\"\nset next_entry=\nsave_env next_entry\n");
	assert_true(f->m.boots_next);
	menu(f, "insmod blscfg\nblscfg\n");
	assert_true(f->m.snippets);
}

static void an_entry_is_found_by_number_id_and_title(void **state)
{
	struct fixture *f = *state;

	menu(f, GRUB_HEAD GRUB_BOTH);
	assert_int_equal(nf_grub_menu_find(&f->m, "0"), 0);
	assert_int_equal(nf_grub_menu_find(&f->m, "1>0"), 2);
	assert_int_equal(nf_grub_menu_find(&f->m, ""), 0);
	assert_int_equal(nf_grub_menu_find(&f->m, GRUB_RT_SPEC), 2);
	assert_int_equal(nf_grub_menu_find(&f->m, "1>GNU/Linux, with Linux " GRUB_GENERIC), 4);
	/* A submenu is no entry, and an entry has nothing below it. */
	assert_int_equal(nf_grub_menu_find(&f->m, "1"), -1);
	assert_int_equal(nf_grub_menu_find(&f->m, "0>0"), -1);
	assert_int_equal(nf_grub_menu_find(&f->m, "7"), -1);
	assert_int_equal(nf_grub_menu_find(&f->m, "99999999999999999999"), -1);
	assert_int_equal(nf_grub_menu_find(&f->m, "${saved_entry}"), -1);
}

static void a_number_behind_an_entry_that_may_be_absent_is_not_sure(void **state)
{
	struct fixture *f = *state;

	menu(f,
	     "menuentry a --id=a {\n linux /k\n}\n"
	     "if [ \"$grub_platform\" = \"efi\" ]; then\n menuentry fw --id fw { fwsetup\n }\nfi\n"
	     "menuentry b --id b {\n linux /k\n}\n");
	assert_int_equal(f->m.n, 3);
	assert_true(f->m.node[1].conditional);
	assert_int_equal(nf_grub_menu_find(&f->m, "0"), 0);
	assert_int_equal(nf_grub_menu_find(&f->m, "1"), -1);
	assert_int_equal(nf_grub_menu_find(&f->m, "2"), -1);
	assert_int_equal(nf_grub_menu_find(&f->m, "b"), 2);
}

static void a_spec_means_its_own_entry_also_with_the_separator_in_a_title(void **state)
{
	struct fixture *f = *state;

	menu(f, GRUB_HEAD GRUB_BOTH "submenu 'a > b' {\n menuentry 'c>d>>e' {\n linux /k\n }\n}\n");
	for (int i = 0; i < f->m.n; i++)
		if (!f->m.node[i].submenu)
			assert_int_equal(
			        nf_grub_menu_find(&f->m, nf_grub_menu_spec(&f->m, i, &f->a)), i);
	assert_string_equal(nf_grub_menu_spec(&f->m, 2, &f->a), GRUB_RT_SPEC);
	assert_string_equal(nf_grub_menu_spec(&f->m, 7, &f->a), "a >> b>c>>d>>>>e");
}

static void quotes_escapes_comments_and_joined_lines_are_undone(void **state)
{
	struct fixture *f = *state;

	menu(f, "menuentry \"a \\\"b\\\" \\n\" # not { this\n"
	        "menuentry 'it'\\''s' \\\n  --id \"x\"y { # open\n  linux /k a\\ b \"c d\"\n}\n");
	assert_int_equal(f->m.n, 1);
	assert_string_equal(f->m.node[0].title, "it's");
	assert_string_equal(f->m.node[0].id, "xy");
	assert_string_equal(f->m.node[0].args, "a b c d");
	menu(f, "menuentry '{' {\n}\n");
	assert_int_equal(f->m.n, 1);
	assert_string_equal(f->m.node[0].title, "{");
}

static void a_broken_menu_is_refused_with_its_line(void **state)
{
	struct fixture *f = *state;
	char deep[600] = "";

	assert_int_equal(nf_grub_menu_parse("a\nset x='b\n\n", 11, "g", &f->a, &f->m, &f->e),
	                 -NF_EDATA);
	assert_string_equal(f->e.msg, "g:2:1: a quote that is not closed");
	assert_int_equal(nf_grub_menu_parse("a\nb\0c", 5, "g", &f->a, &f->m, &f->e), -NF_EDATA);
	assert_non_null(strstr(f->e.msg, "g:2:1: a NUL byte"));
	for (int i = 0; i <= NF_GRUB_MENU_DEPTH_MAX; i++)
		memcpy(deep + (size_t)i * 12, "submenu a { ", 13);
	assert_int_equal(nf_grub_menu_parse(deep, strlen(deep), "g", &f->a, &f->m, &f->e),
	                 -NF_EDATA);
	assert_non_null(strstr(f->e.msg, "blocks inside each other"));
}

static void a_block_has_its_variables_with_escapes_undone(void **state)
{
	struct fixture *f = *state;

	block(f, GRUB_BLOCK_HEAD "saved_entry=a>b\nnext_entry=\nodd=x\\\\y\\\nz=1\n######");
	assert_int_equal(f->b.n, 3);
	assert_string_equal(nf_grub_block_get(&f->b, "saved_entry"), "a>b");
	assert_string_equal(nf_grub_block_get(&f->b, "next_entry"), "");
	assert_string_equal(nf_grub_block_get(&f->b, "odd"), "x\\y\nz=1");
	assert_null(nf_grub_block_get(&f->b, "other"));
	block(f, GRUB_BLOCK_HEAD "# WARNING: Do not edit this file\nx=1\n####");
	assert_int_equal(f->b.n, 1);
	block(f, GRUB_BLOCK_HEAD);
	assert_int_equal(f->b.n, 0);
}

static void what_is_no_block_is_refused(void **state)
{
	static const char *const bad[] = { "",
		                           "saved_entry=1\n",
		                           "# GRUB Environment Block",
		                           GRUB_BLOCK_HEAD "no value\n####",
		                           GRUB_BLOCK_HEAD "=1\n####",
		                           GRUB_BLOCK_HEAD "a=1",
		                           GRUB_BLOCK_HEAD "a=1\\" };
	struct fixture *f = *state;
	char large[NF_GRUB_BLOCK_MAX_BYTES + 1];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(
		        nf_grub_block_parse(bad[i], strlen(bad[i]), "/e", &f->a, &f->b, &f->e),
		        -NF_EDATA);
		assert_int_equal(strncmp(f->e.msg, "/e", 2), 0);
	}
	assert_int_equal(
	        nf_grub_block_parse(GRUB_BLOCK_HEAD "a=\0\n", 29, "/e", &f->a, &f->b, &f->e),
	        -NF_EDATA);
	memset(large, '#', sizeof(large));
	assert_int_equal(nf_grub_block_parse(large, sizeof(large), "/e", &f->a, &f->b, &f->e),
	                 -NF_EDATA);
	assert_int_equal(f->b.n, 0);
}

static const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
	CASE(entries_have_their_titles_ids_kernels_and_places),
	CASE(the_default_is_the_last_assignment_that_is_not_the_one_shot_entry),
	CASE(a_menu_that_does_not_clear_the_one_shot_entry_does_not_boot_it_once),
	CASE(an_entry_is_found_by_number_id_and_title),
	CASE(a_number_behind_an_entry_that_may_be_absent_is_not_sure),
	CASE(a_spec_means_its_own_entry_also_with_the_separator_in_a_title),
	CASE(quotes_escapes_comments_and_joined_lines_are_undone),
	CASE(a_broken_menu_is_refused_with_its_line),
	CASE(a_block_has_its_variables_with_escapes_undone),
	CASE(what_is_no_block_is_refused),
};

NF_UNIT_MAIN(tests)
