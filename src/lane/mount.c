/* SPDX-License-Identifier: MIT */
#include "lane/mount.h"

#include <string.h>

#include "machine/span.h"

/* Blanks and backslashes stand as \ooo. */
static const char *unescaped(struct nf_span s, struct nf_arena *a)
{
	char *text = nf_arena_alloc(a, s.n + 1, 1), *to = text;

	for (size_t i = 0; text && i < s.n; i++) {
		const char *p = s.p + i;

		if (p[0] == '\\' && i + 3 < s.n && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' &&
		    p[2] <= '7' && p[3] >= '0' && p[3] <= '7') {
			*to++ = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
			i += 3;
		} else {
			*to++ = *p;
		}
	}
	return text;
}

static bool holds(const char *point, const char *path)
{
	size_t n = strlen(point);

	if (strcmp(point, "/") == 0)
		return path[0] == '/';
	return strncmp(path, point, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* "36 35 98:0 / /point rw,noatime shared:1 - ext4 /dev/root rw,errors=continue" */
static bool read_line(struct nf_span line, struct nf_arena *a, struct nf_lane_mount *ret)
{
	struct nf_span field[6], word, type, source, super = { 0 };

	for (int i = 0; i < 6; i++)
		if (!nf_span_word(&line, &field[i]))
			return false;
	do {
		if (!nf_span_word(&line, &word))
			return false;
	} while (!nf_span_is(word, "-"));
	if (!nf_span_word(&line, &type) || !nf_span_word(&line, &source))
		return false;
	(void)nf_span_word(&line, &super);
	*ret = (struct nf_lane_mount){
		.point = unescaped(field[4], a),
		.type = nf_arena_strndup(a, type.p, type.n),
		.source = unescaped(source, a),
		.device = nf_arena_strndup(a, field[2].p, field[2].n),
		.read_only = nf_span_has_member(field[5], ',', "ro") ||
		             nf_span_has_member(super, ',', "ro"),
	};
	return ret->point && ret->type && ret->source && ret->device;
}

int nf_lane_mount_of(const char *mountinfo, size_t len_bytes, const char *path, struct nf_arena *a,
                     struct nf_lane_mount *ret, struct nf_err *err)
{
	struct nf_span rest = { mountinfo, len_bytes }, line;
	struct nf_lane_mount m, best = { 0 };

	while (nf_span_line(&rest, &line))
		if (read_line(line, a, &m) && holds(m.point, path) &&
		    (!best.point || strlen(m.point) >= strlen(best.point)))
			best = m;
	int r = nf_arena_failed(a, "the mounts", err);
	if (r < 0)
		return r;
	if (!best.point)
		return nf_fail(err, NF_ENODATA, "no mount holds %s", path);
	*ret = best;
	return 0;
}
