/* SPDX-License-Identifier: MIT */
/* interchange - THE table of forms, and telling one from another. */
#include "bench/interchange.h"

#include <string.h>

#include "bench/interchange_forms.h"

const struct nf_interchange *const nf_interchange[NF_N_INTERCHANGE] = {
	[NF_INTERCHANGE_LINES] = &nf_interchange_lines,
	[NF_INTERCHANGE_HYPERFINE] = &nf_interchange_hyperfine,
	[NF_INTERCHANGE_GOOGLE] = &nf_interchange_google,
	[NF_INTERCHANGE_GO] = &nf_interchange_go,
	[NF_INTERCHANGE_SMALLER] = &nf_interchange_smaller,
};

/* The first key of the JSON object that the text begins with. */
static bool has_key(const char *text, size_t len_bytes, const char *key)
{
	return memmem(text, len_bytes, key, strlen(key)) != NULL;
}

static bool any_line_begins(const char *text, size_t len_bytes, const char *with)
{
	size_t n = strlen(with);

	while (len_bytes > 0) {
		const char *end = memchr(text, '\n', len_bytes);
		size_t line = end ? (size_t)(end - text) + 1 : len_bytes;

		if (line >= n && memcmp(text, with, n) == 0)
			return true;
		text += line;
		len_bytes -= line;
	}
	return false;
}

/* By the first line that holds anything: an object that is whole on its line and has a `bench` is one of
 * lines; else the document's members tell. */
static int tell(const char *text, size_t len_bytes)
{
	size_t skip = 0;

	while (skip < len_bytes && strchr(" \t\r\n", text[skip]) && text[skip])
		skip++;
	text += skip;
	len_bytes -= skip;
	if (len_bytes > 0 && text[0] == '[')
		return NF_INTERCHANGE_SMALLER;
	if (len_bytes > 0 && text[0] == '{') {
		const char *end = memchr(text, '\n', len_bytes);
		size_t line = end ? (size_t)(end - text) : len_bytes;

		if (has_key(text, line, "\"bench\""))
			return NF_INTERCHANGE_LINES;
		if (has_key(text, len_bytes, "\"benchmarks\""))
			return NF_INTERCHANGE_GOOGLE;
		if (has_key(text, len_bytes, "\"results\""))
			return NF_INTERCHANGE_HYPERFINE;
	}
	if (any_line_begins(text, len_bytes, "Benchmark"))
		return NF_INTERCHANGE_GO;
	return NF_INTERCHANGE_LINES; /* whose message is about JSON */
}

int nf_interchange_read(int id, const char *text, size_t len_bytes, const char *name,
                        struct nf_results *ret, int *ret_id, struct nf_err *err)
{
	struct nf_results results;

	if (len_bytes > NF_INTERCHANGE_BYTES)
		return nf_fail(err, NF_EDATA, "%s: more than %d MiB of results", name,
		               (int)(NF_INTERCHANGE_BYTES >> 20));
	if (id == NF_INTERCHANGE_AUTO)
		id = tell(text, len_bytes);
	nf_results_init(&results);
	int r = nf_interchange[id]->read(text, len_bytes, name, &results, err);
	if (r == 0 && results.n == 0)
		r = nf_fail(err, NF_EDATA, "%s: no result in the form '%s'", name,
		            nf_interchange[id]->name);
	if (r < 0) {
		/* Messages quote the text. */
		for (char *p = err ? err->msg : NULL; p && *p; p++)
			if ((unsigned char)*p < 0x20 || *p == 0x7f)
				*p = '?';
		nf_results_fini(&results);
		return r;
	}
	*ret = results;
	if (ret_id)
		*ret_id = id;
	return 0;
}
