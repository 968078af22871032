/* SPDX-License-Identifier: MIT */
#include "dhall/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

/* Here they are defined, not called. */
#undef nf_dhall_fail_at
#undef nf_dhall_fail_code
#undef nf_dhall_fail_err

enum { LINE_SHOWN = 200 /* bytes of a source line */ };

int nf_dhall_new(struct nf_dhall **ret, struct nf_err *err)
{
	struct nf_dhall *d = calloc(1, sizeof(*d));

	if (!d)
		return nf_fail_nomem(err, "a Dhall session", sizeof(*d));
	nf_arena_init(&d->arena, NF_DHALL_MEMORY_BYTES);
	d->root_fd = -1;
	d->n_files = 1;
	*ret = d;
	return 0;
}

void nf_dhall_free(struct nf_dhall *d)
{
	if (!d)
		return;
	if (d->root_fd >= 0)
		close(d->root_fd);
	free(d->file);
	nf_arena_fini(&d->arena);
	free(d);
}

void nf_dhall_begin(struct nf_dhall *d)
{
	d->failed = 0;
	d->steps = 0;
	d->placed = false;
	memset(&d->error, 0, sizeof(d->error));
}

int nf_dhall_end(struct nf_dhall *d, struct nf_err *err)
{
	if (d->failed && err)
		*err = d->error;
	return d->failed;
}

uint16_t nf_dhall_add_file(struct nf_dhall *d, const char *name, const char *text, size_t n)
{
	const char *copy = nf_arena_strdup(&d->arena, name);

	if (d->n_files >= NF_DHALL_FILES) {
		nf_dhall_fail_code(d, NF_EDATA, "%s: more than %d texts in one session", name,
		                   (int)NF_DHALL_FILES);
		return 0;
	}
	if (d->n_files >= d->cap_files) {
		size_t cap = d->cap_files ? 2 * d->cap_files : 8;
		struct nf_dfile *more = reallocarray(d->file, cap, sizeof(*more));

		if (!more) {
			nf_dhall_fail_code(d, NF_ENOMEM, "out of memory for the names of files");
			return 0;
		}
		d->file = more;
		d->cap_files = cap;
	}
	if (!copy) {
		(void)nf_dhall_alloc(d, 1, 1);
		return 0;
	}
	d->file[d->n_files] = (struct nf_dfile){ copy, text, n };
	return (uint16_t)d->n_files++;
}

/* Start and end of the line that holds the offset, its number and the column in characters. */
static void locate(const struct nf_dfile *f, uint32_t at, size_t *ret_start, size_t *ret_end,
                   size_t *ret_line, size_t *ret_column)
{
	size_t pos = at < f->n ? at : f->n, start = 0, end, line = 1, column = 1;

	for (size_t i = 0; i < pos; i++)
		if (f->text[i] == '\n') {
			line++;
			start = i + 1;
		}
	for (size_t i = start; i < pos; i++)
		column += ((unsigned char)f->text[i] & 0xc0) != 0x80;
	for (end = pos; end < f->n && f->text[end] != '\n'; end++)
		;
	if (end > start && f->text[end - 1] == '\r')
		end--;
	*ret_start = start;
	*ret_end = end;
	*ret_line = line;
	*ret_column = column;
}

void *nf_dhall_fail_at(struct nf_dhall *d, struct nf_dplace p, const char *fmt, ...)
{
	char what[sizeof(d->error.msg)];
	size_t start, end, line, column;
	va_list ap;

	if (d->failed)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (p.file == 0 || p.file >= d->n_files) {
		d->failed = nf_fail(&d->error, NF_EDATA, "%s", what);
		return NULL;
	}
	locate(&d->file[p.file], p.at, &start, &end, &line, &column);
	d->failed = nf_fail(&d->error, NF_EDATA, "%s:%zu:%zu: %s", d->file[p.file].name, line,
	                    column, what);
	d->placed = true;
	d->place = p;
	return NULL;
}

void *nf_dhall_fail_code(struct nf_dhall *d, enum nf_code code, const char *fmt, ...)
{
	char what[sizeof(d->error.msg)];
	va_list ap;

	if (d->failed)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	d->failed = nf_fail(&d->error, code, "%s", what);
	return NULL;
}

void *nf_dhall_fail_err(struct nf_dhall *d, const struct nf_err *e)
{
	if (!d->failed) {
		d->error = *e;
		d->failed = -(int)e->code;
	}
	return NULL;
}

void *nf_dhall_alloc(struct nf_dhall *d, size_t n, size_t size)
{
	struct nf_err e = { 0 };
	void *p;

	if (d->failed)
		return NULL;
	p = nf_arena_alloc(&d->arena, n, size);
	if (!p && nf_arena_failed(&d->arena, "the Dhall expression", &e) < 0)
		nf_dhall_fail_err(d, &e);
	return p;
}

void *nf_dhall_grow(struct nf_dhall *d, void *array, size_t n, size_t *cap, size_t size)
{
	size_t more = *cap ? 2 * *cap : 8;
	void *p;

	if (n < *cap)
		return array;
	p = nf_dhall_alloc(d, more, size);
	if (!p)
		return NULL;
	if (n)
		memcpy(p, array, n * size);
	*cap = more;
	return p;
}

bool nf_dhall_step(struct nf_dhall *d, const struct nf_dexpr *at)
{
	if (d->failed)
		return false;
	if (++d->steps > NF_DHALL_STEPS) {
		nf_dhall_fail_at(d, NF_DPLACE(at), "the expression takes more than %d steps",
		                 (int)NF_DHALL_STEPS);
		return false;
	}
	return true;
}

void nf_dhall_show_line(const struct nf_dhall *d, struct nf_buf *out)
{
	size_t start, end, line, column;
	const struct nf_dfile *f;

	if (!d->placed)
		return;
	f = &d->file[d->place.file];
	locate(f, d->place.at, &start, &end, &line, &column);
	/* Of a long line the part around the place. */
	size_t at = d->place.at < end ? d->place.at : end;
	size_t from = at - start > LINE_SHOWN / 2 ? at - LINE_SHOWN / 2 : start;
	size_t to = end - from > LINE_SHOWN ? from + LINE_SHOWN : end;
	while (from > start && ((unsigned char)f->text[from] & 0xc0) == 0x80)
		from--;
	while (to > at && to < end && ((unsigned char)f->text[to] & 0xc0) == 0x80)
		to--;
	size_t text_at = out->len_bytes;
	nf_utf8_clean(out, f->text + from, to - from, NULL);
	for (size_t i = text_at; i < out->len_bytes; i++)
		if ((unsigned char)out->data[i] < 0x20 || out->data[i] == 0x7f)
			out->data[i] = ' ';
	nf_buf_addc(out, '\n');
	for (size_t i = from; i < at; i++)
		if (((unsigned char)f->text[i] & 0xc0) != 0x80)
			nf_buf_addc(out, ' ');
	nf_buf_adds(out, "^\n");
}
