/* SPDX-License-Identifier: MIT */
#include "record/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Room for one more item of `size` bytes behind n; NULL when there is none. */
static void *grown(struct nf_arena *a, void *item, size_t n, size_t *cap, size_t max, size_t size)
{
	size_t want = *cap ? *cap * 2 : 8;
	void *more;

	if (n < *cap)
		return item;
	if (n >= max)
		return NULL;
	more = nf_arena_alloc(a, want, size);
	if (!more)
		return NULL;
	if (n > 0)
		memcpy(more, item, n * size);
	*cap = want;
	return more;
}

void nf_trace_add(struct nf_trace_list *l, struct nf_rec_trace t)
{
	struct nf_rec_trace *item =
	        grown(l->a, l->item, l->n, &l->cap, NF_TRACE_MAX, sizeof(*l->item));

	if (!item)
		return;
	l->item = item;
	l->item[l->n++] = t;
}

void nf_note_add(struct nf_note_list *l, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	void *grown_to;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->text[i], text) == 0)
			return;
	grown_to = grown(l->a, l->text, l->n, &l->cap, NF_NOTES_MAX, sizeof(*l->text));
	if (!grown_to) {
		l->n_lost++;
		return;
	}
	l->text = grown_to;
	l->text[l->n] = nf_arena_strdup(l->a, text);
	if (l->text[l->n])
		l->n++;
}

struct nf_list nf_note_done(struct nf_note_list *l)
{
	if (l->n_lost > 0 && l->n > 0) {
		const char *last =
		        nf_arena_printf(l->a, "%zu more notes had no room", l->n_lost + 1);

		l->text[l->n - 1] = last ? last : l->text[l->n - 1];
	}
	return (struct nf_list){ l->text, l->n };
}
