/* SPDX-License-Identifier: MIT */
/* fake_ssh - a program "ssh", first in PATH, that runs the command here instead of on a target, and notes its arguments. */
#ifndef NF_FAKE_SSH_H
#define NF_FAKE_SSH_H

#include <limits.h>

#include "nf_scratch.h"

struct fake_ssh {
	char dir[256];
	char path[PATH_MAX]; /* the PATH that was */
};

/* body: shell text that has the command in $cmd, "yes" in $master for the holding one, and the folder in $dir. NULL: runs
 * it. */
static inline void fake_ssh_make(struct fake_ssh *f, const char *body)
{
	char file[300], text[4096], path[PATH_MAX + 300];

	nf_scratch_make(f->dir, sizeof(f->dir));
	snprintf(file, sizeof(file), "%s/ssh", f->dir);
	snprintf(text, sizeof(text),
	         "#!/bin/sh\ndir='%s'\nmaster=no\n"
	         "for cmd; do case $cmd in -oControlMaster=yes) master=yes;; esac; "
	         "printf '%%s\\n' \"$cmd\" >>\"$dir/args\"; done\n%s\n",
	         f->dir, body ? body : "exec sh -c \"$cmd\"");
	nf_scratch_write(file, text);
	assert_int_equal(chmod(file, 0700), 0);
	snprintf(f->path, sizeof(f->path), "%s", getenv("PATH"));
	snprintf(path, sizeof(path), "%s:%s", f->dir, f->path);
	setenv("PATH", path, 1);
}

static inline void fake_ssh_remove(struct fake_ssh *f)
{
	setenv("PATH", f->path, 1);
	nf_scratch_remove(f->dir);
}

#endif
