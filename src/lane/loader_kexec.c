/* SPDX-License-Identifier: MIT */
/* kexec: a kernel of /boot is loaded beside the running one and takes over at the next reboot; the firmware and its
 * loader are not asked, so the persistent default cannot change. What it is, is not known to the kernel: the one that
 * runs counts as the default, as long as it was not itself started by kexec. */
#include <stdio.h>
#include <string.h>

#include "lane/loader.h"
#include "machine/span.h"

static const char LOADED[] = "/sys/kernel/kexec_loaded";

static int find(const struct nf_lane_host *h, struct nf_arena *a, bool *ret, struct nf_err *err)
{
	struct nf_err e = { 0 };
	struct nf_buf names;

	(void)a;
	nf_buf_init(&names, NF_LANE_ANSWER_MAX_BYTES);
	int r = h->ops->list(h->ctx, "/boot", &names, &e);
	*ret = r == 0 && strstr(names.data, "vmlinuz-");
	nf_buf_fini(&names);
	if (r != -NF_ESUBJECT && r != -NF_ETIMEOUT && r != -NF_ENOMEM)
		return 0;
	*err = e;
	return r;
}

static int add_image(const struct nf_lane_host *h, struct nf_span name, const char *all,
                     struct nf_lane_survey *s, struct nf_arena *a, struct nf_err *err)
{
	const char *image = nf_arena_printf(a, "/boot/%.*s", (int)name.n, name.p);

	if (!image)
		return nf_arena_failed(a, "a path", err);
	const char *release = nf_lane_release_of(image);
	if (!release)
		return 0;
	const char *initrd = nf_arena_printf(a, "initrd.img-%s\n", release);
	bool there = initrd && strstr(all, initrd);
	const struct nf_lane_entry e = {
		.id = image,
		.title = image,
		.image = image,
		.initrd = there ? nf_arena_printf(a, "/boot/initrd.img-%s", release) : NULL,
		.args = s->cmdline,
	};
	return nf_lane_add(h, s, a, "/boot", &e, err);
}

static void take_default(struct nf_lane_survey *s, struct nf_arena *a)
{
	for (int i = 0; i < s->n; i++)
		if (s->release && s->entry[i].release &&
		    strcmp(s->entry[i].release, s->release) == 0)
			s->default_entry = i;
	if (s->default_entry < 0)
		s->default_why = "the kernel that runs is not in /boot";
	else if (s->cmdline && strstr(s->cmdline, "noisefloor.kexec"))
		s->default_entry = -1, s->default_why = "the kernel that runs was started by kexec";
	else
		s->default_token = nf_arena_printf(a, "firmware=%s", s->release);
}

static int survey(const struct nf_lane_host *h, struct nf_arena *a, struct nf_lane_survey *s,
                  struct nf_err *err)
{
	struct nf_span rest, name;
	const char *loaded;
	struct nf_buf names;
	int r = nf_lane_line(h, LOADED, a, &loaded, err);

	if (r < 0)
		return r;
	nf_buf_init(&names, NF_LANE_ANSWER_MAX_BYTES);
	r = h->ops->list(h->ctx, "/boot", &names, err);
	rest = nf_span_of(&names);
	while (r == 0 && nf_span_line(&rest, &name))
		if (nf_span_starts(name, "vmlinuz-"))
			r = add_image(h, name, names.data, s, a, err);
	nf_buf_fini(&names);
	if (r < 0)
		return r;
	take_default(s, a);
	s->next_known = loaded != NULL;
	s->next = loaded && strcmp(loaded, "1") == 0 ? "a kernel loaded by kexec" : NULL;
	if (!loaded)
		nf_lane_reason(s, a,
		               "the running kernel has no kexec (%s is absent: CONFIG_KEXEC_FILE)",
		               LOADED);
	return 0;
}

static int arm(const struct nf_lane_host *h, const struct nf_lane_survey *s, int i,
               struct nf_err *err)
{
	const struct nf_lane_entry *e = &s->entry[i];
	char args[4096], initrd[1024];

	/* The mark tells the kernel that comes back from the one that was started so. */
	int n = snprintf(args, sizeof(args), "--command-line=%s noisefloor.kexec",
	                 e->args ? e->args : "");
	int k = snprintf(initrd, sizeof(initrd), "--initrd=%s", e->initrd ? e->initrd : "");
	if (n < 0 || (size_t)n >= sizeof(args) || k < 0 || (size_t)k >= sizeof(initrd))
		return nf_fail(err, NF_EUNSUPPORTED,
		               "the command line is too long to be passed on");
	const char *const argv[] = { "kexec", "-s", "-l", e->image, args, e->initrd ? initrd : NULL,
		                     NULL };
	return nf_lane_do(h, argv, NULL, err);
}

static int clear(const struct nf_lane_host *h, const struct nf_lane_survey *s, struct nf_err *err)
{
	static const char *const argv[] = { "kexec", "-u", NULL };

	(void)s;
	return nf_lane_do(h, argv, NULL, err);
}

/* As systemd's reboot target does it where it runs; kexec -e would not stop the services. */
static const char *const reboot_argv[] = { "systemctl", "kexec", NULL };

static const char *const back_argv[] = { "systemctl", "reboot", NULL };

const struct nf_lane_loader nf_lane_loader_kexec = {
	.name = "kexec",
	.title = "kexec",
	.find = find,
	.survey = survey,
	.arm = arm,
	.clear = clear,
	.reboot = reboot_argv,
	.back = back_argv,
};
