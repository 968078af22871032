/* SPDX-License-Identifier: MIT */
/* journal_folder - a scratch folder with knobs and a journal. */
#ifndef JOURNAL_FOLDER_H
#define JOURNAL_FOLDER_H

#include <dirent.h>
#include <unistd.h>

#include "base/journal.h"
#include "nf_scratch.h"
#include "nf_unit.h"

/* A scratch folder with knobs of ours and the journal in it. */
struct fixture {
	char dir[64];
	char journal[96];
	char knob[96];
	char other[96];
};

static inline int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	nf_scratch_make(f->dir, sizeof(f->dir));
	snprintf(f->journal, sizeof(f->journal), "%s/journal", f->dir);
	snprintf(f->knob, sizeof(f->knob), "%s/knob", f->dir);
	snprintf(f->other, sizeof(f->other), "%s/other", f->dir);
	nf_scratch_write(f->knob, "powersave\n");
	nf_scratch_write(f->other, "always [madvise] never\n");
	*state = f;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;

	nf_scratch_remove(f->dir);
	free(f);
	return 0;
}

static inline struct nf_journal *open_journal(const struct fixture *f)
{
	struct nf_journal *j = NULL;
	struct nf_err e = { 0 };
	int r = nf_journal_open(f->journal, "/proc", &j, &e);

	if (r != 0)
		fail_msg("%d: %s", r, e.msg);
	return j;
}

/* Files in the journal's folder whose name ends so; the last one's name is left in ret. */
static inline int count(const struct fixture *f, const char *end, char ret[400])
{
	DIR *d = opendir(f->journal);
	struct dirent *e;
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (len >= strlen(end) && strcmp(e->d_name + len - strlen(end), end) == 0) {
			n++;
			if (ret)
				snprintf(ret, 400, "%s/%s", f->journal, e->d_name);
		}
	}
	closedir(d);
	return n;
}

#define assert_knob(path, text) \
	do { \
		char got[5000]; \
		nf_scratch_read(path, got, sizeof(got)); \
		assert_string_equal(got, text); \
	} while (0)

#endif
