/* SPDX-License-Identifier: MIT */
/*
 * store - failures kept from run to run: a file per property in a folder, a blob a line, the latest
 * first. Written whole under another name and renamed.
 */
#ifndef PT_STORE_H
#define PT_STORE_H

#include <stddef.h>

enum { PT_STORE_MAX = 8 };

struct pt_saved {
	char *blob[PT_STORE_MAX]; /* owned */
	size_t n;
};

/* No folder or no file: none saved. Lines that are not blobs are left out. -PT_EOS, -PT_ENOMEM. */
int pt_store_load(const char *dir, const char *property, struct pt_saved *ret);
/* None: the file goes. -PT_EOS, -PT_ENOMEM. */
int pt_store_save(const char *dir, const char *property, const struct pt_saved *s);
/* Puts blob first, once, and drops the oldest beyond PT_STORE_MAX. -PT_ENOMEM. */
int pt_saved_add(struct pt_saved *s, const char *blob);
void pt_saved_drop(struct pt_saved *s, size_t i);
void pt_saved_fini(struct pt_saved *s);

#endif
