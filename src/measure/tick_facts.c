/* SPDX-License-Identifier: MIT */
#include "measure/tick_facts.h"

#include <stdio.h>
#include <string.h>

int nf_tick_read_clocksource(const struct nf_rootfs *root, struct nf_tick_facts *f,
                             struct nf_err *err)
{
	struct nf_err why = { 0 };
	struct nf_arena a;
	const char *line = NULL;
	int rc;

	nf_arena_init(&a, 65536);
	rc = nf_rootfs_read_line(root,
	                         "sys/devices/system/clocksource/clocksource0/current_clocksource",
	                         &a, &line, &why);
	if (rc == 0)
		snprintf(f->clocksource, sizeof(f->clocksource), "%s", line);
	nf_arena_fini(&a);
	if (rc == -NF_ENOMEM) {
		if (err)
			*err = why;
		return rc;
	}
	return 0;
}

static bool line_has(const char *line, size_t len, const char *word)
{
	size_t w = strlen(word);

	for (size_t i = 1; i + w <= len; i++)
		if ((line[i - 1] == ' ' || line[i - 1] == '\t') && memcmp(line + i, word, w) == 0 &&
		    (i + w == len || line[i + w] == ' '))
			return true;
	return false;
}

bool nf_tick_flags_have(const char *cpuinfo, const char *const *words, bool *ret_known)
{
	bool all = true;

	*ret_known = false;
	for (const char *p = cpuinfo; *p != '\0';) {
		size_t len = strcspn(p, "\n");

		if (strncmp(p, "flags", 5) == 0 && (p[5] == ' ' || p[5] == '\t' || p[5] == ':')) {
			*ret_known = true;
			for (const char *const *w = words; *w; w++)
				all = all && line_has(p, len, *w);
		}
		p += len + (p[len] == '\n');
	}
	return *ret_known && all;
}
