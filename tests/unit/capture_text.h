/* SPDX-License-Identifier: MIT */
/* capture_text - captures that tests project: the fixtures, and a run of the projector over texts. */
#ifndef NF_TESTS_CAPTURE_TEXT_H
#define NF_TESTS_CAPTURE_TEXT_H

#include <stdio.h>

#include "nf_unit.h"
#include "record/project.h"

enum { CAPTURE_TEXT = 1 << 16 };

/* The fixture of this name, NUL-terminated, in text[CAPTURE_TEXT]. */
static inline void capture_fixture(const char *name, char *text)
{
	char path[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/fixtures/captures/%s", getenv("NF_SOURCE"), name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s cannot be opened", path);
	n = fread(text, 1, CAPTURE_TEXT - 1, f);
	text[n] = '\0';
	fclose(f);
}

/* Every place of `from` in text becomes `to`. */
static inline void capture_replace(char *text, const char *from, const char *to)
{
	char copy[CAPTURE_TEXT];
	char *at = strstr(text, from);

	assert_non_null(at);
	while (at) {
		size_t before = (size_t)(at - text);

		snprintf(copy, sizeof(copy), "%s", at + strlen(from));
		snprintf(at, CAPTURE_TEXT - before, "%s%.60000s", to, copy);
		at = strstr(at + strlen(to), from);
	}
}

static inline bool capture_has_note(const struct nf_list *notes, const char *part)
{
	const char *const *note = notes->items;

	for (size_t i = 0; i < notes->n; i++)
		if (strstr(note[i], part))
			return true;
	return false;
}

#endif
