/* SPDX-License-Identifier: MIT */
#include "lane/host.h"

#include <string.h>

#include "machine/span.h"

int nf_lane_read(const struct nf_lane_host *h, const char *path, struct nf_arena *a,
                 const char **ret, size_t *ret_len, struct nf_err *err)
{
	struct nf_buf text;

	nf_buf_init(&text, NF_LANE_FILE_MAX_BYTES);
	int r = h->ops->read(h->ctx, path, &text, err);
	for (size_t i = 0; r == 0 && i < text.len_bytes; i++)
		if (text.data[i] == '\0')
			text.data[i] = '?';
	if (r == 0) {
		const char *copy = nf_arena_strndup(a, text.data, text.len_bytes);

		if (!copy) {
			r = nf_arena_failed(a, path, err);
		} else {
			*ret = copy;
			if (ret_len)
				*ret_len = text.len_bytes;
		}
	}
	nf_buf_fini(&text);
	return r;
}

/* The failures that say something about a file, and not about the way to it. */
static bool is_of_the_file(int r)
{
	return r == -NF_ENODATA || r == -NF_EUNSUPPORTED || r == -NF_EDATA || r == -NF_EOS;
}

int nf_lane_line(const struct nf_lane_host *h, const char *path, struct nf_arena *a,
                 const char **ret, struct nf_err *err)
{
	struct nf_span rest, line = { 0 };
	struct nf_err e = { 0 };
	const char *text;
	size_t len;
	int r = nf_lane_read(h, path, a, &text, &len, &e);

	if (r < 0 && !is_of_the_file(r)) {
		*err = e;
		return r;
	}
	*ret = NULL;
	if (r < 0)
		return 0;
	rest = (struct nf_span){ text, len };
	(void)nf_span_line(&rest, &line);
	line = nf_span_trim(line);
	*ret = nf_arena_strndup(a, line.n ? line.p : "", line.n);
	return nf_arena_failed(a, path, err);
}

int nf_lane_exists(const struct nf_lane_host *h, const char *path, bool *ret, struct nf_err *err)
{
	struct nf_err e = { 0 };
	struct nf_buf text;

	nf_buf_init(&text, NF_LANE_FILE_MAX_BYTES);
	int r = h->ops->read(h->ctx, path, &text, &e);
	nf_buf_fini(&text);
	if (r < 0 && !is_of_the_file(r)) {
		*err = e;
		return r;
	}
	*ret = r != -NF_ENODATA;
	return 0;
}

int nf_lane_do(const struct nf_lane_host *h, const char *const argv[], struct nf_buf *out,
               struct nf_err *err)
{
	struct nf_lane_ran ran = { 0 };
	struct nf_buf own;

	if (!h->ops->run)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s: nothing can be run there; without --root it can", h->name);
	nf_buf_init(&own, NF_LANE_ANSWER_MAX_BYTES);
	int r = h->ops->run(h->ctx, argv, true, NF_LANE_COMMAND_NS, out ? out : &own, &ran, err);
	nf_buf_fini(&own);
	if (r < 0 || ran.status == 0)
		return r;
	return nf_fail(err, NF_EUNSUPPORTED, "%s: %s fails with status %d%s%s", h->name, argv[0],
	               ran.status, *ran.said ? ": " : "", ran.said);
}
