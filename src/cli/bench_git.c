/* SPDX-License-Identifier: MIT */
#include "cli/bench_git.h"

#include <stdio.h>
#include <string.h>

/* The first line of what a command prints; false: it failed or printed nothing. */
static bool first_line(const char *command, char *ret, int size)
{
	FILE *f = popen(command, "re"); /* NOLINT(cert-env33-c): fixed text */
	char rest[256];

	if (!f)
		return false;
	bool got = fgets(ret, size, f) != NULL;
	while (got && fgets(rest, sizeof(rest), f))
		;
	if (pclose(f) != 0 || !got)
		return false;
	ret[strcspn(ret, "\n")] = '\0';
	return true;
}

void nf_bench_git(char ret[NF_GIT_COMMIT_MAX], struct nf_some_bool *ret_dirty)
{
	char changed[16];

	*ret_dirty = (struct nf_some_bool){ 0 };
	if (!first_line("git rev-parse --verify --quiet HEAD 2>/dev/null", ret,
	                NF_GIT_COMMIT_MAX)) {
		ret[0] = '\0';
		return;
	}
	/* Prints "clean" where nothing that is tracked has changed. */
	if (first_line("git diff --quiet --ignore-submodules HEAD -- 2>/dev/null && echo clean || "
	               "echo dirty",
	               changed, sizeof(changed)))
		*ret_dirty = nf_some_bool(strcmp(changed, "dirty") == 0);
}
