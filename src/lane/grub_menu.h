/* SPDX-License-Identifier: MIT */
/*
 * grub_menu - what a grub.cfg offers to boot, and which of it by default. Pure.
 *
 * The file is a script; only its menu is read: menuentry and submenu with their titles, ids, linux and initrd
 * lines, assignments to `default` at the top, and whether it boots `next_entry` once and clears it. Nothing is
 * run: where an answer hangs on what the script finds while booting, it is unknown.
 */
#ifndef NF_LANE_GRUB_MENU_H
#define NF_LANE_GRUB_MENU_H

#include <stdbool.h>

#include "base/arena.h"

enum {
	NF_GRUB_MENU_MAX_BYTES = 4 << 20,
	NF_GRUB_MENU_ENTRIES_MAX = 4096,
	NF_GRUB_MENU_DEPTH_MAX = 32
};

struct nf_grub_node {
	int parent; /* index of its submenu; -1: at the top */
	int index; /* among its siblings, from 0 */
	bool submenu;
	bool conditional; /* stands inside an `if`: it may be absent, and its siblings' numbers with it */
	const char *title;
	const char *id; /* NULL: none */
	const char *image; /* of its linux line, as GRUB names it; NULL: none */
	const char *args; /* rest of that line; NULL without image */
	const char *initrd; /* NULL: none */
};

struct nf_grub_menu {
	struct nf_grub_node
	        *node; /* in the arena, like every text; a submenu before what is in it */
	int n;
	const char *default_spec; /* "0", "1>2", "${saved_entry}", an id; NULL: not set */
	bool boots_next; /* next_entry becomes the default, and is cleared by save_env */
	bool snippets; /* entries also come from loader/entries (blscfg), which stand elsewhere */
};

/* path: for messages. -NF_EDATA with path:line:column: text behind an open quote, blocks nested too deep,
 * too many entries, too large. */
NF_NODISCARD int nf_grub_menu_parse(const char *text, size_t len_bytes, const char *path,
                                    struct nf_arena *a, struct nf_grub_menu *ret,
                                    struct nf_err *err);
/* The entry that spec ("0", "1>2", "id>id", a title, "" for the first) means; -1: none, or not sure. */
int nf_grub_menu_find(const struct nf_grub_menu *m, const char *spec);
/* A spec that means node i whatever comes and goes around it: ids, else titles. NULL: no memory. */
const char *nf_grub_menu_spec(const struct nf_grub_menu *m, int i, struct nf_arena *a);

#endif
