/* SPDX-License-Identifier: MIT */
/* opt - which argument belongs to which row. */
#include "opt/opt.h"

#include <string.h>

#include "opt/internal.h"

enum { HINT_LEN = 48 };

struct hit {
	struct nf_opt_set *set;
	const struct nf_opt *row;
	uint64_t bit;
};

size_t nf_opt_word(const char **pos, const char **ret_word)
{
	const char *p = *pos;

	if (!p)
		return 0;
	p += strspn(p, " ");
	size_t len = strcspn(p, " ");
	*ret_word = p;
	*pos = p + len;
	return len;
}

static size_t count(const struct nf_opt *opts)
{
	size_t n = 0;

	while (n < NF_OPT_ROWS && opts[n].kind != NF_OPT_END)
		n++;
	return n;
}

void nf_opt_defaults(const struct nf_opt_set *set)
{
	for (size_t i = 0, n = count(set->opts); i < n; i++) {
		const struct nf_opt *o = &set->opts[i];
		char *field = (char *)set->params + o->off;

		switch (o->kind) {
		case NF_OPT_INT:
		case NF_OPT_COUNT:
		case NF_OPT_DURATION:
			memcpy(field, &o->def, sizeof(o->def));
			break;
		case NF_OPT_CHOICE: {
			int def = (int)o->def;
			memcpy(field, &def, sizeof(def));
			break;
		}
		case NF_OPT_TEXT:
		case NF_OPT_PATH:
		case NF_OPT_CPUS:
			memcpy(field, &o->text, sizeof(o->text));
			break;
		case NF_OPT_FLAG:
		case NF_OPT_LIST:
		case NF_OPT_END:
			break;
		}
	}
}

/* len 0: by short name c. */
static bool find(struct nf_opt_set *sets, size_t n_sets, const char *name, size_t len, char c,
                 struct hit *ret)
{
	for (size_t s = 0; s < n_sets; s++) {
		for (size_t i = 0, n = count(sets[s].opts); i < n; i++) {
			const struct nf_opt *o = &sets[s].opts[i];
			bool same = len ? strlen(o->name) == len && memcmp(o->name, name, len) == 0
			                : o->short_name == c;

			if (!same)
				continue;
			*ret = (struct hit){ &sets[s], o, UINT64_C(1) << i };
			return true;
		}
	}
	return false;
}

/* Levenshtein distance, for names that fit; what does not fit is far away. */
static size_t distance(const char *a, size_t n, const char *b)
{
	size_t row[HINT_LEN + 1];
	size_t m = strlen(b);

	if (n > HINT_LEN || m > HINT_LEN)
		return HINT_LEN;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[m];
}

/* The name that the user may have meant: the only one it abbreviates, else the nearest by spelling. */
static const char *guess(const struct nf_opt_set *sets, size_t n_sets, const char *name, size_t len)
{
	const char *near = NULL, *full = NULL;
	size_t best = 3, n_full = 0;

	for (size_t s = 0; s < n_sets; s++) {
		for (size_t i = 0, n = count(sets[s].opts); i < n; i++) {
			const struct nf_opt *o = &sets[s].opts[i];

			if (o->hidden)
				continue;
			if (len && strncmp(o->name, name, len) == 0) {
				full = o->name;
				n_full++;
			}
			size_t d = distance(name, len, o->name);
			if (d < best && d < len) {
				best = d;
				near = o->name;
			}
		}
	}
	return n_full == 1 ? full : near;
}

static int unknown(const struct nf_opt_set *sets, size_t n_sets, const char *arg,
                   struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED], name[HINT_LEN + 3];
	bool is_long = arg[1] == '-';
	size_t len = strcspn(arg, "=");

	if (len >= sizeof(name))
		len = sizeof(name) - 1;
	memcpy(name, arg, len);
	name[len] = '\0';
	nf_opt_quote(name, quoted);
	const char *meant = is_long ? guess(sets, n_sets, name + 2, strlen(name + 2)) : NULL;
	if (meant)
		return nf_fail(err, NF_EARG, "unknown option %s; did you mean --%s?", quoted,
		               meant);
	return nf_fail(err, NF_EARG, "unknown option %s; --help lists the options", quoted);
}

static int store(const struct hit *h, const char *value, struct nf_err *err)
{
	const struct nf_opt *o = h->row;

	if ((h->set->given & h->bit) && o->kind != NF_OPT_LIST && o->kind != NF_OPT_FLAG) {
		char quoted[NF_OPT_QUOTED];

		nf_opt_quote(value, quoted);
		return nf_fail(err, NF_EARG, "--%s: given again with %s; allowed: once", o->name,
		               quoted);
	}
	int r = nf_opt_store(o, h->set->params, value, err);
	if (r == 0)
		h->set->given |= h->bit;
	return r;
}

static int needs_value(const struct nf_opt *o, struct nf_err *err)
{
	struct nf_buf allowed;

	nf_buf_init(&allowed, 400);
	nf_opt_allowed(o, &allowed);
	int r = nf_fail(err, NF_EARG, "--%s: the value is missing; allowed: %s", o->name,
	                allowed.data);
	nf_buf_fini(&allowed);
	return r;
}

/* One argument that begins with "--"; *i moves over a value that stands apart. */
static int parse_long(struct nf_opt_set *sets, size_t n_sets, int argc, char *const argv[], int *i,
                      struct nf_err *err)
{
	const char *arg = argv[*i];
	size_t len = strcspn(arg + 2, "=");
	const char *value = arg[2 + len] == '=' ? arg + 2 + len + 1 : NULL;
	struct hit h;

	if (!len || !find(sets, n_sets, arg + 2, len, 0, &h))
		return unknown(sets, n_sets, arg, err);
	if (h.row->kind == NF_OPT_FLAG) {
		char quoted[NF_OPT_QUOTED];

		if (!value)
			return store(&h, "", err);
		nf_opt_quote(value, quoted);
		return nf_fail(err, NF_EARG, "--%s: value %s not allowed; allowed: --%s alone",
		               h.row->name, quoted, h.row->name);
	}
	if (!value) {
		if (*i + 1 >= argc)
			return needs_value(h.row, err);
		value = argv[++*i];
	}
	return store(&h, value, err);
}

/* One argument of short options: -a, -ab, -n5, -abn 5. */
static int parse_short(struct nf_opt_set *sets, size_t n_sets, int argc, char *const argv[], int *i,
                       struct nf_err *err)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		struct hit h;

		if (!find(sets, n_sets, NULL, 0, *p, &h)) {
			char one[3] = { '-', *p, '\0' };
			return unknown(sets, n_sets, one, err);
		}
		if (h.row->kind == NF_OPT_FLAG) {
			int r = store(&h, "", err);
			if (r < 0)
				return r;
			continue;
		}
		if (p[1])
			return store(&h, p + 1, err);
		if (*i + 1 >= argc)
			return needs_value(h.row, err);
		return store(&h, argv[++*i], err);
	}
	return 0;
}

/* Is the option called name[0..len) given in any of the sets? */
static bool is_given(struct nf_opt_set *sets, size_t n_sets, const char *name, size_t len)
{
	struct hit h;

	return find(sets, n_sets, name, len, 0, &h) && (h.set->given & h.bit);
}

static int check_groups(struct nf_opt_set *sets, size_t n_sets, struct nf_err *err)
{
	for (size_t s = 0; s < n_sets; s++) {
		for (size_t i = 0, n = count(sets[s].opts); i < n; i++) {
			const struct nf_opt *o = &sets[s].opts[i];
			const char *pos = o->conflicts, *word = NULL;
			size_t len;

			if (!(sets[s].given & UINT64_C(1) << i))
				continue;
			while ((len = nf_opt_word(&pos, &word)) > 0)
				if (is_given(sets, n_sets, word, len))
					return nf_fail(err, NF_EARG,
					               "--%s and --%.*s cannot be given together; "
					               "allowed: one of them",
					               o->name, (int)len, word);
			pos = o->needs;
			while ((len = nf_opt_word(&pos, &word)) > 0)
				if (!is_given(sets, n_sets, word, len))
					return nf_fail(
					        err, NF_EARG,
					        "--%s needs --%.*s; allowed: both or neither",
					        o->name, (int)len, word);
		}
	}
	return 0;
}

int nf_opt_parse(struct nf_opt_set *sets, size_t n_sets, int argc, char *const argv[],
                 bool first_only, struct nf_opt_rest *ret, struct nf_err *err)
{
	int n = 0, before = -1, i = 0, r;

	for (; i < argc; i++) {
		const char *arg = argv[i];

		if (before >= 0 || arg[0] != '-' || arg[1] == '\0') {
			if (first_only)
				break;
			ret->item[n++] = arg;
			continue;
		}
		if (strcmp(arg, "--") == 0) {
			before = n;
			continue;
		}
		if (arg[1] == '-')
			r = parse_long(sets, n_sets, argc, argv, &i, err);
		else
			r = parse_short(sets, n_sets, argc, argv, &i, err);
		if (r < 0)
			return r;
	}
	r = first_only ? 0 : check_groups(sets, n_sets, err);
	if (r < 0)
		return r;
	ret->n = n;
	ret->n_before = before >= 0 ? before : n;
	ret->n_used = i;
	return 0;
}
