/* SPDX-License-Identifier: MIT */
#include "prop/store.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noisefloor/prop.h"

enum { MAX_FILE = 4 << 20, NAME = 64 };

/* The letters and digits of the name, and a hash of all of it. Owned; NULL: no memory. */
static char *path_of(const char *dir, const char *property, const char *suffix)
{
	char plain[NAME + 1], *path = NULL;
	uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	size_t n = 0;

	for (const char *c = property; *c; c++) {
		unsigned char u = (unsigned char)*c;
		bool word =
		        (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9');

		h = (h ^ u) * UINT64_C(0x100000001b3);
		if (n < NAME)
			plain[n++] = (char)(word ? u : '_');
	}
	plain[n] = '\0';
	if (asprintf(&path, "%s/%s-%08x.pt%s", dir, plain, (unsigned)(h ^ h >> 32), suffix) < 0)
		return NULL;
	return path;
}

void pt_saved_fini(struct pt_saved *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->blob[i]);
	s->n = 0;
}

void pt_saved_drop(struct pt_saved *s, size_t i)
{
	free(s->blob[i]);
	memmove(s->blob + i, s->blob + i + 1, (s->n - i - 1) * sizeof(s->blob[0]));
	s->n--;
}

int pt_saved_add(struct pt_saved *s, const char *blob)
{
	char *copy = strdup(blob);

	if (!copy)
		return -PT_ENOMEM;
	for (size_t i = s->n; i-- > 0;)
		if (strcmp(s->blob[i], copy) == 0)
			pt_saved_drop(s, i);
	if (s->n == PT_STORE_MAX)
		pt_saved_drop(s, s->n - 1);
	memmove(s->blob + 1, s->blob, s->n * sizeof(s->blob[0]));
	s->blob[0] = copy;
	s->n++;
	return 0;
}

int pt_store_load(const char *dir, const char *property, struct pt_saved *ret)
{
	struct pt_saved s = { .n = 0 };
	char *path = path_of(dir, property, ""), *line = NULL;
	size_t cap = 0, bytes = 0;
	ssize_t len;
	int err = 0;
	FILE *f;

	if (!path)
		return -PT_ENOMEM;
	f = fopen(path, "re");
	free(path);
	if (!f) {
		if (errno != ENOENT && errno != ENOTDIR)
			return -PT_EOS;
		*ret = s;
		return 0;
	}
	while (s.n < PT_STORE_MAX && (len = getline(&line, &cap, f)) > 0) {
		bytes += (size_t)len;
		if (bytes > MAX_FILE)
			break;
		line[strcspn(line, "\r\n")] = '\0';
		err = pt_blob_check(line, NULL);
		if (err == -PT_ENOMEM)
			break;
		if (err == 0) {
			s.blob[s.n] = strdup(line);
			if (!s.blob[s.n]) {
				err = -PT_ENOMEM;
				break;
			}
			s.n++;
		}
		err = 0;
	}
	if (!err && ferror(f))
		err = -PT_EOS;
	free(line);
	fclose(f);
	if (err)
		pt_saved_fini(&s);
	else
		*ret = s;
	return err;
}

int pt_store_save(const char *dir, const char *property, const struct pt_saved *s)
{
	char *path = path_of(dir, property, ""), *part = path_of(dir, property, ".part");
	int err = 0;
	FILE *f;

	if (!path || !part) {
		err = -PT_ENOMEM;
		goto out;
	}
	if (s->n == 0) {
		if (unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
			err = -PT_EOS;
		goto out;
	}
	if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
		err = -PT_EOS;
		goto out;
	}
	f = fopen(part, "we");
	if (!f) {
		err = -PT_EOS;
		goto out;
	}
	for (size_t i = 0; i < s->n; i++)
		if (fprintf(f, "%s\n", s->blob[i]) < 0)
			err = -PT_EOS;
	if (fflush(f) != 0 || fsync(fileno(f)) != 0)
		err = -PT_EOS;
	if (fclose(f) != 0)
		err = -PT_EOS;
	if (!err && rename(part, path) != 0)
		err = -PT_EOS;
	if (err)
		unlink(part);
out:
	free(path);
	free(part);
	return err;
}
