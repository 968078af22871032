/* SPDX-License-Identifier: MIT */
/* GRUB: entries and default of grub.cfg, next_entry in the environment block. */
#include <string.h>

#include "lane/grub_block.h"
#include "lane/grub_menu.h"
#include "lane/loader.h"
#include "lane/mount.h"

static const char *const folders[] = { "/boot/grub", "/boot/grub2", NULL };

static int menu_folder(const struct nf_lane_host *h, struct nf_arena *a, const char **ret,
                       struct nf_err *err)
{
	*ret = NULL;
	for (const char *const *f = folders; *f && !*ret; f++) {
		const char *path = nf_arena_printf(a, "%s/grub.cfg", *f);
		bool there;

		if (!path)
			return nf_arena_failed(a, "a path", err);
		int r = nf_lane_exists(h, path, &there, err);
		if (r < 0)
			return r;
		if (there)
			*ret = *f;
	}
	return 0;
}

static int find(const struct nf_lane_host *h, struct nf_arena *a, bool *ret, struct nf_err *err)
{
	const char *folder;
	int r = menu_folder(h, a, &folder, err);

	if (r == 0)
		*ret = folder != NULL;
	return r;
}

/* --- where GRUB cannot write --- */

/* What GRUB reads through its own volume and file system layers it cannot write: an entry that was booted would be
 * booted again for ever (GNU GRUB manual, "Environment block"). */
static int judge_volume(const struct nf_lane_host *h, struct nf_arena *a, const char *folder,
                        struct nf_lane_survey *s, struct nf_err *err)
{
	static const char *const cannot[] = { "btrfs", "zfs",      "overlay",  "tmpfs", "nfs",
		                              "nfs4",  "squashfs", "bcachefs", NULL };
	struct nf_lane_mount m = { 0 };
	const char *text, *uuid, *level;
	size_t len;
	int r = nf_lane_read(h, "/proc/self/mountinfo", a, &text, &len, err);

	if (r == 0)
		r = nf_lane_mount_of(text, len, folder, a, &m, err);
	if (r == -NF_ENODATA || r == -NF_EUNSUPPORTED) {
		nf_lane_reason(s, a,
		               "which volume %s is on cannot be read: GRUB may be unable to clear "
		               "the one-shot entry there",
		               folder);
		return 0;
	}
	if (r < 0 || !m.type)
		return r;
	for (const char *const *c = cannot; *c; c++)
		if (strcmp(m.type, *c) == 0) {
			nf_lane_reason(
			        s, a,
			        "%s is on %s (%s): GRUB cannot clear the one-shot entry there and "
			        "would boot it for ever; a /boot of its own on ext4 helps",
			        folder, m.type, m.source);
			return 0;
		}
	r = nf_lane_line(h, nf_arena_printf(a, "/sys/dev/block/%s/dm/uuid", m.device), a, &uuid,
	                 err);
	if (r == 0)
		r = nf_lane_line(h, nf_arena_printf(a, "/sys/dev/block/%s/md/level", m.device), a,
		                 &level, err);
	if (r < 0)
		return r;
	const char *kind = NULL;
	if (level || strncmp(m.source, "/dev/md", 7) == 0) /* or a partition of an array */
		kind = "RAID";
	else if (uuid)
		kind = strncmp(uuid, "LVM-", 4) == 0     ? "LVM"
		       : strncmp(uuid, "CRYPT-", 6) == 0 ? "an encrypted volume"
		                                         : "a device-mapper volume";
	if (kind)
		nf_lane_reason(s, a,
		               "%s is on %s (%s): GRUB cannot clear the one-shot entry there and "
		               "would boot "
		               "it for ever; a /boot of its own on a plain partition helps",
		               folder, kind, m.source);
	return 0;
}

/* --- the menu --- */

/* The entry that boots by default, and what of the block it hangs on. */
static void take_default(const struct nf_grub_menu *m, const struct nf_grub_block *b,
                         const int node_of_entry[], struct nf_lane_survey *s, struct nf_arena *a)
{
	const char *spec = m->default_spec ? m->default_spec : "0";
	const char *saved = b ? nf_grub_block_get(b, "saved_entry") : NULL;
	bool is_saved = strcmp(spec, "${saved_entry}") == 0 || strcmp(spec, "$saved_entry") == 0;

	s->default_token =
	        nf_arena_printf(a, "default=%s saved_entry=%s", spec, saved ? saved : "");
	if (is_saved && !b) {
		s->default_why = "it is the saved entry, and the environment block cannot be read";
		s->default_token = NULL;
		return;
	}
	if (is_saved)
		spec = saved ? saved : "0";
	int node = nf_grub_menu_find(m, *spec ? spec : "0");
	for (int i = 0; i < s->n && node >= 0; i++)
		if (node_of_entry[i] == node)
			s->default_entry = i;
	if (s->default_entry < 0)
		s->default_why = nf_arena_printf(
		        a, "default=%.100s is no entry that is there for certain", spec);
}

static int add_entries(const struct nf_lane_host *h, const struct nf_grub_menu *m,
                       struct nf_arena *a, struct nf_lane_survey *s, int node_of_entry[],
                       struct nf_err *err)
{
	int r = 0;

	for (int i = 0; i < m->n && r == 0; i++) {
		const struct nf_grub_node *n = &m->node[i];
		const struct nf_lane_entry e = { .id = nf_grub_menu_spec(m, i, a),
			                         .title = n->title,
			                         .image = n->image,
			                         .initrd = n->initrd,
			                         .args = n->args };

		if (n->submenu || !n->image)
			continue;
		if (!e.id)
			return nf_arena_failed(a, "a boot menu", err);
		node_of_entry[s->n] = i;
		r = nf_lane_add(h, s, a, "/boot", &e, err);
	}
	return r;
}

static int read_menu(const struct nf_lane_host *h, struct nf_arena *a, struct nf_lane_survey *s,
                     const struct nf_grub_block *b, struct nf_err *err)
{
	int node_of_entry[NF_GRUB_MENU_ENTRIES_MAX] = { 0 };
	struct nf_grub_menu m = { 0 };
	struct nf_err e = { 0 };
	const char *text;
	size_t len;
	int r = nf_lane_read(h, s->menu_path, a, &text, &len, &e);

	if (r == 0)
		r = nf_grub_menu_parse(text, len, s->menu_path, a, &m, &e);
	if (r == -NF_EUNSUPPORTED || r == -NF_EDATA || r == -NF_EOS) {
		s->default_why = "the menu cannot be read";
		nf_lane_reason(s, a, "%s", e.msg);
		return 0;
	}
	if (r < 0) {
		*err = e;
		return r;
	}
	r = add_entries(h, &m, a, s, node_of_entry, err);
	if (r < 0)
		return r;
	take_default(&m, b, node_of_entry, s, a);
	if (m.snippets)
		nf_lane_reason(
		        s, a,
		        "%s takes its entries from loader snippets (blscfg), which are not read "
		        "here: "
		        "GRUB_ENABLE_BLSCFG=false in /etc/default/grub and grub2-mkconfig help",
		        s->menu_path);
	else if (!m.boots_next)
		nf_lane_reason(s, a,
		               "%s does not boot next_entry and clear it: update-grub writes one "
		               "that does",
		               s->menu_path);
	return 0;
}

static int survey(const struct nf_lane_host *h, struct nf_arena *a, struct nf_lane_survey *s,
                  struct nf_err *err)
{
	struct nf_grub_block b = { 0 };
	struct nf_err e = { 0 };
	const char *folder, *text, *next;
	size_t len;
	int r = menu_folder(h, a, &folder, err);

	if (r < 0)
		return r;
	if (!folder)
		folder = folders[0];
	s->menu_path = nf_arena_printf(a, "%s/grub.cfg", folder);
	s->block_path = nf_arena_printf(a, "%s/grubenv", folder);
	if (!s->menu_path || !s->block_path)
		return nf_arena_failed(a, "a path", err);
	r = judge_volume(h, a, folder, s, err);
	if (r < 0)
		return r;
	int block = nf_lane_read(h, s->block_path, a, &text, &len, &e);
	if (block == 0)
		block = nf_grub_block_parse(text, len, s->block_path, a, &b, &e);
	if (block == -NF_ESUBJECT || block == -NF_ETIMEOUT || block == -NF_ENOMEM) {
		*err = e;
		return block;
	}
	if (block < 0) {
		nf_lane_reason(s, a, "%s%s", e.msg,
		               block == -NF_ENODATA ? "; `grub-editenv create` makes one" : "");
	} else {
		next = nf_grub_block_get(&b, "next_entry");
		s->next_known = true;
		s->next = next && *next ? next : NULL;
	}
	return read_menu(h, a, s, block < 0 ? NULL : &b, err);
}

/* --- the one-shot entry --- */

/* Debian's names, then Fedora's. grub-editenv is what grub-reboot runs. */
static int run_first(const struct nf_lane_host *h, const char *const *const argv[],
                     struct nf_err *err)
{
	struct nf_lane_ran ran = { .status = 127 };
	struct nf_buf out;
	int r = 0;

	if (!h->ops->run)
		return nf_fail(err, NF_EUNSUPPORTED, "%s: nothing can be changed there", h->name);
	nf_buf_init(&out, NF_LANE_ANSWER_MAX_BYTES);
	for (int i = 0; argv[i] && r == 0 && ran.status == 127; i++)
		r = h->ops->run(h->ctx, argv[i], true, NF_LANE_COMMAND_NS, &out, &ran, err);
	nf_buf_fini(&out);
	if (r < 0 || ran.status == 0)
		return r;
	if (ran.status == 127)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "%s: neither grub-editenv nor grub2-editenv is there; Debian: grub-common",
		        h->name);
	return nf_fail(err, NF_EUNSUPPORTED, "%s: %s fails with status %d%s%s", h->name, argv[0][0],
	               ran.status, *ran.said ? ": " : "", ran.said);
}

static int arm(const struct nf_lane_host *h, const struct nf_lane_survey *s, int i,
               struct nf_err *err)
{
	char set[1200] = "next_entry=";
	size_t len = strlen(set), n = strlen(s->entry[i].id);

	if (n >= 900 || n >= sizeof(set) - len)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "the entry's id of %zu bytes does not fit into GRUB's environment block",
		        n);
	memcpy(set + len, s->entry[i].id, n + 1);
	const char *const debian[] = { "grub-editenv", s->block_path, "set", set, NULL };
	const char *const fedora[] = { "grub2-editenv", s->block_path, "set", set, NULL };
	const char *const *const argv[] = { debian, fedora, NULL };
	return run_first(h, argv, err);
}

static int clear(const struct nf_lane_host *h, const struct nf_lane_survey *s, struct nf_err *err)
{
	const char *const debian[] = { "grub-editenv", s->block_path, "unset", "next_entry", NULL };
	const char *const fedora[] = { "grub2-editenv", s->block_path, "unset", "next_entry",
		                       NULL };
	const char *const *const argv[] = { debian, fedora, NULL };

	return run_first(h, argv, err);
}

static const char *const reboot_argv[] = { "reboot", NULL };

const struct nf_lane_loader nf_lane_loader_grub = {
	.name = "grub",
	.title = "GRUB",
	.find = find,
	.survey = survey,
	.arm = arm,
	.clear = clear,
	.reboot = reboot_argv,
	.back = reboot_argv,
};
