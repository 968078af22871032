/* SPDX-License-Identifier: MIT */
/* Files and what they import. Each file is read, checked and normalised once a session. */
#include <stdio.h>
#include <string.h>

#include "dhall/import_open.h"
#include "dhall/session.h"

struct nf_dloaded {
	struct nf_dloaded *next;
	const char *path; /* absolute */
	bool done; /* false: being loaded, so an import of it is a cycle */
	const struct nf_dexpr *source, *type, *value;
};

static struct nf_dloaded *find(struct nf_dhall *d, const char *path)
{
	struct nf_dloaded *l = d->loaded;

	while (l && strcmp(l->path, path) != 0)
		l = l->next;
	return l;
}

static struct nf_dloaded *add(struct nf_dhall *d, struct nf_dplace at, const char *path)
{
	struct nf_dloaded *l;

	if (d->n_loaded >= NF_DHALL_IMPORTS)
		return nf_dhall_fail_at(d, at, "more than %d files", (int)NF_DHALL_IMPORTS);
	l = nf_dhall_alloc(d, 1, sizeof(*l));
	if (!l)
		return NULL;
	l->path = path;
	l->next = d->loaded;
	d->loaded = l;
	d->n_loaded++;
	return l;
}

static void forget(struct nf_dhall *d, const struct nf_dloaded *l)
{
	struct nf_dloaded **at = &d->loaded;

	while (*at && *at != l)
		at = &(*at)->next;
	if (*at) {
		*at = l->next;
		d->n_loaded--;
	}
}

static bool resolve(struct nf_dhall *d, const struct nf_dexpr *e, const char *folder);

/* text is what the file holds. l has been added, and is forgotten on failure. */
static bool complete(struct nf_dhall *d, struct nf_dloaded *l, const char *name,
                     struct nf_dstr text, const char *folder)
{
	uint16_t file = nf_dhall_add_file(d, name, text.p, text.n);

	l->source = file ? nf_dhall_parse_source(d, file) : NULL;
	if (!l->source || !resolve(d, l->source, folder))
		return false;
	l->type = nf_dhall_type_of(d, NULL, l->source);
	l->value = l->type ? nf_dhall_eval(d, NULL, l->source) : NULL;
	l->done = l->value;
	return l->done;
}

static const char *refusal(const struct nf_dimport *m)
{
	switch (m->mode) {
	case NF_DM_TEXT:
		return "imports as Text";
	case NF_DM_LOCATION:
		return "imports as Location";
	case NF_DM_BYTES:
		return "imports as Bytes";
	case NF_DM_CODE:
		break;
	}
	switch (m->scheme) {
	case NF_DS_HTTP:
	case NF_DS_HTTPS:
		return "remote imports";
	case NF_DS_HOME:
		return "imports from the home folder (~/)";
	case NF_DS_ENV:
		return "imports of environment variables (env:)";
	case NF_DS_MISSING:
		return "missing";
	case NF_DS_ABSOLUTE:
	case NF_DS_HERE:
	case NF_DS_PARENT:
		break;
	}
	return NULL;
}

static bool check_hash(struct nf_dhall *d, struct nf_dplace at, const struct nf_dimport *m)
{
	char wanted[NF_SHA256_HEX], got[NF_SHA256_HEX];
	uint8_t digest[NF_SHA256_BYTES];

	if (!nf_dhall_digest(d, m->value, digest))
		return false;
	if (memcmp(digest, m->hash, sizeof(digest)) == 0)
		return true;
	nf_sha256_hex(m->hash, wanted);
	nf_sha256_hex(digest, got);
	return nf_dhall_fail_at(d, at, "the import is not what its hash says: sha256:%s, not %s",
	                        got, wanted);
}

static bool import(struct nf_dhall *d, const struct nf_dexpr *e, const char *folder)
{
	struct nf_dimport *m = e->import;
	const char *why = refusal(m), *path, *own_folder;
	struct nf_dplace at = NF_DPLACE(e);
	struct nf_dloaded *l;
	struct nf_dstr text;
	size_t n;
	bool fine;

	if (m->value)
		return true;
	if (why)
		return nf_dhall_fail_at(
		        d, at, "%s: outside the part of Dhall that is evaluated here", why);
	path = nf_dimport_join(d, at, folder, m);
	if (!path)
		return false;
	l = find(d, path);
	if (l && !l->done)
		return nf_dhall_fail_at(d, at, "the import of %s comes back to itself", path);
	if (!l) {
		if (d->import_depth >= NF_DHALL_IMPORT_DEPTH)
			return nf_dhall_fail_at(d, at, "imports nested more than %d deep",
			                        (int)NF_DHALL_IMPORT_DEPTH);
		if (!nf_dimport_read(d, at, path, true, &text))
			return false;
		n = (size_t)(nf_dimport_base(path) - path);
		own_folder = nf_dstr_copy(d, path, n > 1 ? n - 1 : n).p; /* without its slash */
		l = own_folder ? add(d, at, path) : NULL;
		if (!l)
			return false;
		d->import_depth++;
		fine = complete(d, l, path, text, own_folder);
		d->import_depth--;
		if (!fine) {
			forget(d, l);
			return false;
		}
	}
	m->type = l->type;
	m->value = l->value;
	if (!m->has_hash || check_hash(d, at, m))
		return true;
	m->value = NULL;
	return false;
}

static bool resolve_fields(struct nf_dhall *d, const struct nf_dexpr *e, const char *folder)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->field[i].value && !resolve(d, e->field[i].value, folder))
			return false;
	return true;
}

static bool resolve_let(struct nf_dhall *d, const struct nf_dexpr *e, const char *folder)
{
	for (size_t i = 0; i < e->n; i++) {
		if (e->let.bind[i].type && !resolve(d, e->let.bind[i].type, folder))
			return false;
		if (!resolve(d, e->let.bind[i].value, folder))
			return false;
	}
	return resolve(d, e->let.body, folder);
}

static bool resolve(struct nf_dhall *d, const struct nf_dexpr *e, const char *folder)
{
	if (!nf_dhall_step(d, e))
		return false;
	switch ((enum nf_dkind)e->kind) {
	case NF_D_IMPORT:
		return import(d, e, folder);
	case NF_D_TEXT:
		for (size_t i = 0; i + 1 < e->n; i++)
			if (!resolve(d, e->chunk[i].expr, folder))
				return false;
		return true;
	case NF_D_LAMBDA:
	case NF_D_PI:
		return resolve(d, e->fn.type, folder) && resolve(d, e->fn.body, folder);
	case NF_D_APP:
	case NF_D_IF:
	case NF_D_LIST:
		for (size_t i = 0; i < e->n; i++)
			if (!resolve(d, e->item[i], folder))
				return false;
		return true;
	case NF_D_OP:
		/* Of "?" neither side: the operator itself is refused, by name. */
		if (e->op == NF_DOP_ALTERNATIVE)
			return true;
		return resolve(d, e->two.a, folder) && resolve(d, e->two.b, folder);
	case NF_D_ANNOT:
		return resolve(d, e->two.a, folder) && resolve(d, e->two.b, folder);
	case NF_D_EMPTY:
	case NF_D_SOME:
		return resolve(d, e->two.a, folder);
	case NF_D_RECORD:
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
		return resolve_fields(d, e, folder);
	case NF_D_FIELD:
		return resolve(d, e->sel.of, folder);
	case NF_D_LET:
		return resolve_let(d, e, folder);
	case NF_D_VAR:
	case NF_D_BOUND:
	case NF_D_BUILTIN:
	case NF_D_BOOL:
	case NF_D_NATURAL:
	case NF_D_INTEGER:
	case NF_D_DOUBLE:
		break;
	}
	return true;
}

int nf_dhall_resolve(struct nf_dhall *d, const struct nf_dexpr *e, const char *path,
                     struct nf_err *err)
{
	nf_dhall_begin(d);
	const char *folder = nf_dimport_folder(d, path);
	if (folder && nf_dimport_choose_root(d, folder))
		(void)resolve(d, e, folder);
	return nf_dhall_end(d, err);
}

int nf_dhall_load(struct nf_dhall *d, const char *path, struct nf_dhall_loaded *ret,
                  struct nf_err *err)
{
	static const struct nf_dplace nowhere;
	const struct nf_dexpr *type = NULL, *value = NULL;
	struct nf_dloaded *l = NULL;
	struct nf_dstr text;
	const char *folder, *absolute;

	nf_dhall_begin(d);
	folder = nf_dimport_folder(d, path);
	if (!folder || !nf_dimport_choose_root(d, folder) ||
	    !nf_dimport_read(d, nowhere, path, false, &text))
		return nf_dhall_end(d, err);
	absolute = nf_arena_printf(&d->arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
	                           nf_dimport_base(path));
	if (!absolute) {
		(void)nf_dhall_alloc(d, 1, 1); /* says why */
		return nf_dhall_end(d, err);
	}
	l = find(d, absolute);
	if (!l || !l->done)
		l = add(d, nowhere, absolute);
	if (l && (l->done || complete(d, l, path, text, folder))) {
		type = nf_dhall_quote(d, l->type, false);
		value = type ? nf_dhall_quote(d, l->value, false) : NULL;
	}
	if (value)
		*ret = (struct nf_dhall_loaded){ .source = l->source,
			                         .type = type,
			                         .value = value };
	if (l && !l->done)
		forget(d, l);
	return nf_dhall_end(d, err);
}
