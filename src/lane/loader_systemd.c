/* SPDX-License-Identifier: MIT */
/* systemd-boot: entries as bootctl lists them, the one-shot entry in LoaderEntryOneShot, which the loader deletes before
 * it boots it (Boot Loader Interface). */
#include <string.h>

#include "lane/bootctl.h"
#include "lane/loader.h"

#define VARIABLE(name) "/sys/firmware/efi/efivars/" name "-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

/* *ret NULL: it is not set. -NF_EUNSUPPORTED and the like: it cannot be read. */
static int variable(const struct nf_lane_host *h, const char *path, struct nf_arena *a,
                    const char **ret, struct nf_err *err)
{
	struct nf_buf bytes;

	nf_buf_init(&bytes, 1 << 16);
	int r = h->ops->read(h->ctx, path, &bytes, err);
	*ret = NULL;
	if (r == -NF_ENODATA)
		r = 0;
	else if (r == 0) {
		*ret = nf_bootctl_variable(bytes.data, bytes.len_bytes, a);
		if (!*ret)
			r = nf_fail(err, NF_EDATA, "%s holds no text", path);
	}
	nf_buf_fini(&bytes);
	return r;
}

static bool is_of_the_way(int r)
{
	return r == -NF_ESUBJECT || r == -NF_ETIMEOUT || r == -NF_ENOMEM;
}

static int find(const struct nf_lane_host *h, struct nf_arena *a, bool *ret, struct nf_err *err)
{
	struct nf_err e = { 0 };
	const char *info;
	int r = variable(h, VARIABLE("LoaderInfo"), a, &info, &e);

	if (is_of_the_way(r)) {
		*err = e;
		return r;
	}
	*ret = r == 0 && info && strncmp(info, "systemd-boot", strlen("systemd-boot")) == 0;
	return 0;
}

/* With a one-shot entry set bootctl calls that the default. */
static void take_default(const struct nf_lane_host *h, struct nf_lane_survey *s, struct nf_arena *a,
                         int marked)
{
	static const char *const conf[] = { "/efi/loader/loader.conf",
		                            "/boot/efi/loader/loader.conf",
		                            "/boot/loader/loader.conf", NULL };
	const char *entry_default = NULL, *text = "";
	struct nf_err e = { 0 };

	for (const char *const *c = conf; *c; c++)
		if (nf_lane_read(h, *c, a, &text, NULL, &e) == 0)
			break;
	if (variable(h, VARIABLE("LoaderEntryDefault"), a, &entry_default, &e) == 0)
		s->default_token = nf_arena_printf(a, "LoaderEntryDefault=%s loader.conf=%s",
		                                   entry_default ? entry_default : "", text);
	for (int i = 0; i < s->n && entry_default && s->default_entry < 0; i++)
		if (strcmp(s->entry[i].id, entry_default) == 0)
			s->default_entry = i;
	if (s->default_entry < 0 && s->next_known && !s->next)
		s->default_entry = marked;
	if (s->default_entry < 0)
		s->default_why = s->next ? "an entry for the next boot hides it from bootctl"
		                         : "bootctl marks no entry";
}

static int take_list(const struct nf_lane_host *h, const struct nf_buf *json,
                     struct nf_lane_survey *s, struct nf_arena *a, struct nf_err *err)
{
	struct nf_bootctl_list list = { 0 };
	int marked = -1;
	int r = nf_bootctl_parse(json->data, json->len_bytes, a, &list, err);

	for (size_t i = 0; i < list.n && r == 0; i++) {
		const struct nf_bootctl_entry *b = &list.entry[i];
		const struct nf_lane_entry e = { .id = b->id,
			                         .title = b->title,
			                         .image = b->image,
			                         .release = b->release,
			                         .initrd = b->initrd,
			                         .args = b->args };

		if (!b->image)
			continue;
		if (b->is_default)
			marked = s->n;
		r = nf_lane_add(h, s, a, "/boot", &e, err);
	}
	if (r == 0)
		take_default(h, s, a, marked);
	return r;
}

static int survey(const struct nf_lane_host *h, struct nf_arena *a, struct nf_lane_survey *s,
                  struct nf_err *err)
{
	static const char *const argv[] = { "bootctl", "list", "--json=short", "--no-pager", NULL };
	struct nf_err e = { 0 };
	struct nf_buf json;
	int r = variable(h, VARIABLE("LoaderEntryOneShot"), a, &s->next, &e);

	if (is_of_the_way(r)) {
		*err = e;
		return r;
	}
	s->next_known = r == 0;
	if (s->next && !*s->next)
		s->next = NULL;
	nf_buf_init(&json, NF_LANE_ANSWER_MAX_BYTES);
	r = nf_lane_do(h, argv, &json, &e);
	if (r == 0)
		r = take_list(h, &json, s, a, &e);
	nf_buf_fini(&json);
	if (is_of_the_way(r)) {
		*err = e;
		return r;
	}
	if (r < 0) {
		s->default_why = "bootctl does not list the entries";
		nf_lane_reason(s, a, "%s", e.msg);
	}
	return 0;
}

static int arm(const struct nf_lane_host *h, const struct nf_lane_survey *s, int i,
               struct nf_err *err)
{
	const char *const argv[] = { "bootctl", "set-oneshot", s->entry[i].id, NULL };

	return nf_lane_do(h, argv, NULL, err);
}

static int clear(const struct nf_lane_host *h, const struct nf_lane_survey *s, struct nf_err *err)
{
	static const char *const argv[] = { "bootctl", "set-oneshot", "", NULL };

	(void)s;
	return nf_lane_do(h, argv, NULL, err);
}

static const char *const reboot_argv[] = { "systemctl", "reboot", NULL };

const struct nf_lane_loader nf_lane_loader_systemd = {
	.name = "systemd-boot",
	.title = "systemd-boot",
	.find = find,
	.survey = survey,
	.arm = arm,
	.clear = clear,
	.reboot = reboot_argv,
	.back = reboot_argv,
};
