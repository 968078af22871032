/* SPDX-License-Identifier: MIT */
#include "lane/entry.h"

#include <string.h>

const char *nf_lane_release_of(const char *image)
{
	static const char *const names[] = { "vmlinuz-", "vmlinux-", "kernel-",
		                             "bzImage-", "Image-",   NULL };
	const char *slash = strrchr(image, '/'), *name = slash ? slash + 1 : image;

	for (const char *const *n = names; *n; n++)
		if (strncmp(name, *n, strlen(*n)) == 0 && name[strlen(*n)])
			return name + strlen(*n);
	return NULL;
}

bool nf_lane_release_is_rt(const char *release)
{
	for (const char *p = release; *p;) {
		size_t n = strcspn(p, "-._+~");

		if (n == strlen("realtime") && strncmp(p, "realtime", n) == 0)
			return true;
		if (n >= 2 && strncmp(p, "rt", 2) == 0 && 2 + strspn(p + 2, "0123456789") == n)
			return true;
		p += n;
		p += *p != '\0';
	}
	return false;
}

bool nf_lane_args_are_recovery(const char *args)
{
	static const char *const words[] = { "single",
		                             "recovery",
		                             "emergency",
		                             "rescue",
		                             "systemd.unit=rescue.target",
		                             "systemd.unit=emergency.target",
		                             NULL };

	for (const char *p = args; *p;) {
		size_t n = strcspn(p, " \t");

		for (const char *const *w = words; *w; w++)
			if (strlen(*w) == n && strncmp(p, *w, n) == 0)
				return true;
		p += n;
		p += strspn(p, " \t");
	}
	return false;
}
