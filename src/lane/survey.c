/* SPDX-License-Identifier: MIT */
#include "lane/survey.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lane/loader.h"
#include "machine/kconfig.h"

void nf_lane_reason(struct nf_lane_survey *s, struct nf_arena *a, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was started a line above */
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const char *copy = nf_arena_strdup(a, text);
	if (copy && s->n_reasons < NF_LANE_REASONS_MAX)
		s->reason[s->n_reasons++] = copy;
}

/* --- what runs --- */

/* The file says it; without the file a kernel that is built so says it in its version; else nobody does. */
static enum nf_lane running_lane(const char *flag, const char *version)
{
	if (flag)
		return strcmp(flag, "1") == 0 ? NF_LANE_RT : NF_LANE_GENERIC;
	if (!version)
		return NF_LANE_UNKNOWN;
	return strstr(version, "PREEMPT_RT") ? NF_LANE_RT : NF_LANE_GENERIC;
}

int nf_lane_running(const struct nf_lane_host *h, struct nf_arena *a, struct nf_lane_survey *ret,
                    struct nf_err *err)
{
	const char *flag = NULL;
	const struct {
		const char *path;
		const char **to;
	} file[] = {
		{ "/proc/sys/kernel/osrelease", &ret->release },
		{ "/proc/sys/kernel/version", &ret->version },
		{ "/proc/cmdline", &ret->cmdline },
		{ "/proc/sys/kernel/random/boot_id", &ret->boot_id },
		{ "/proc/sys/kernel/hostname", &ret->host_name },
		{ "/etc/tuned/active_profile", &ret->tuned_profile },
		{ "/sys/kernel/realtime", &flag },
	};

	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		int r = nf_lane_line(h, file[i].path, a, file[i].to, err);

		if (r < 0)
			return r;
	}
	ret->running_lane = running_lane(flag, ret->version);
	return 0;
}

/* --- what can be booted --- */

/* What another entry of the same release was told, else what its configuration says. */
static int judge_lane(const struct nf_lane_host *h, const struct nf_lane_survey *s,
                      struct nf_arena *a, const char *folder, struct nf_lane_entry *e,
                      struct nf_err *err)
{
	struct nf_span value = { 0 };
	struct nf_err ignored = { 0 };
	struct nf_buf config;

	if (!e->release) {
		e->lane_from = "its image's name has no release";
		return 0;
	}
	for (int i = 0; i < s->n; i++)
		if (s->entry[i].release && strcmp(s->entry[i].release, e->release) == 0) {
			e->lane = s->entry[i].lane;
			e->lane_from = s->entry[i].lane_from;
			return 0;
		}
	const char *path = nf_arena_printf(a, "%s/config-%s", folder, e->release);
	if (!path)
		return nf_arena_failed(a, "a boot menu", err);
	nf_buf_init(&config, NF_KCONFIG_MAX_BYTES);
	int r = h->ops->read(h->ctx, path, &config, &ignored);
	if (r == 0 && config.len_bytes > 0) {
		bool on = nf_kconfig_get(&config, "PREEMPT_RT", &value) && nf_span_is(value, "y");

		e->lane = on ? NF_LANE_RT : NF_LANE_GENERIC;
		e->lane_from = path;
	} else {
		e->lane = nf_lane_release_is_rt(e->release) ? NF_LANE_RT : NF_LANE_GENERIC;
		e->lane_from = "its name";
	}
	nf_buf_fini(&config);
	if (r == -NF_ESUBJECT || r == -NF_ETIMEOUT || r == -NF_ENOMEM) {
		*err = ignored;
		return r;
	}
	return 0;
}

int nf_lane_add(const struct nf_lane_host *h, struct nf_lane_survey *s, struct nf_arena *a,
                const char *boot_folder, const struct nf_lane_entry *entry, struct nf_err *err)
{
	struct nf_lane_entry e = *entry;

	if (s->n == NF_LANE_ENTRIES_MAX)
		return nf_fail(err, NF_EDATA, "more than %d kernels to boot", NF_LANE_ENTRIES_MAX);
	if ((s->n & (s->n - 1)) == 0) { /* full at every power of two */
		struct nf_lane_entry *more =
		        nf_arena_alloc(a, s->n ? 2 * (size_t)s->n : 1, sizeof(*more));

		if (!more)
			return nf_arena_failed(a, "kernels to boot", err);
		if (s->n)
			memcpy(more, s->entry, (size_t)s->n * sizeof(*more));
		s->entry = more;
	}
	if (e.image && !e.release)
		e.release = nf_lane_release_of(e.image);
	e.recovery = e.args && nf_lane_args_are_recovery(e.args);
	int r = judge_lane(h, s, a, boot_folder, &e, err);
	if (r == 0)
		s->entry[s->n++] = e;
	return r;
}

static int find_loader(const struct nf_lane_host *h, const char *name, struct nf_arena *a,
                       const struct nf_lane_loader **ret, struct nf_err *err)
{
	for (const struct nf_lane_loader *const *l = nf_lane_loaders; *l; l++) {
		bool found = false;

		if (name && strcmp((*l)->name, name) != 0)
			continue;
		int r = (*l)->find(h, a, &found, err);
		if (r < 0)
			return r;
		if (found) {
			*ret = *l;
			return 0;
		}
		if (name)
			return nf_fail(err, NF_EUNSUPPORTED, "%s: there is no %s here", h->name,
			               (*l)->title);
	}
	if (name)
		return nf_fail(err, NF_EARG, "unknown loader; allowed: grub, systemd-boot, kexec");
	*ret = NULL;
	return 0;
}

int nf_lane_survey(const struct nf_lane_host *h, const char *loader, struct nf_arena *a,
                   struct nf_lane_survey *ret, struct nf_err *err)
{
	struct nf_lane_survey s = { .default_entry = -1 };
	int r = nf_lane_running(h, a, &s, err);

	if (r == 0)
		r = find_loader(h, loader, a, &s.loader, err);
	if (r == 0 && s.loader)
		r = s.loader->survey(h, a, &s, err);
	if (r == 0 && !s.loader) {
		s.default_why = "no boot loader was found";
		nf_lane_reason(&s, a,
		               "no boot loader that can boot an entry once: no systemd-boot, no "
		               "GRUB with a "
		               "grub.cfg, no kernel in /boot for kexec");
	}
	if (r == 0)
		r = nf_arena_failed(a, "what can be booted", err);
	if (r == 0)
		*ret = s;
	return r;
}
