/* SPDX-License-Identifier: MIT */
/*
 * opt - typed option tables. One row gives parsing, range check, --help, the man page section and
 * shell completion, so that they cannot drift apart.
 *
 * Forms: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, combined short flags (-ab), "--" ends the
 * options, a lone "-" is an operand. Names are never abbreviated. An option with a value may be given
 * once (NF_OPT_LIST as often as there is room); a repeated flag says the same thing again and is fine.
 * Every error is one line that names the option, the value and what is allowed.
 * Rows are const data. Nothing here prints or reads the environment.
 */
#ifndef NF_OPT_OPT_H
#define NF_OPT_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/quote.h"

enum nf_opt_kind {
	NF_OPT_END = 0,
	NF_OPT_FLAG, /* bool */
	NF_OPT_INT, /* int64_t, decimal, may be negative */
	NF_OPT_COUNT, /* int64_t >= 0, decimal or 2^N */
	NF_OPT_DURATION, /* int64_t ns, written with a unit */
	NF_OPT_TEXT, /* const char *, not empty */
	NF_OPT_PATH, /* const char *, not empty; completed as a file name */
	NF_OPT_CPUS, /* const char *: a CPU list, "allowed" or "isolated"; only the form is checked here */
	NF_OPT_CHOICE, /* int: index into names */
	NF_OPT_LIST, /* struct nf_opt_list of texts */
};

enum { NF_OPT_ROWS = 64, NF_OPT_LIST_MAX = 16 };

struct nf_opt_list {
	const char *item[NF_OPT_LIST_MAX]; /* borrowed from argv */
	size_t n;
};

/* A row is written as { NF_OPT_...(...), extras }, extras being any of .conflicts, .needs, .def_text,
 * .hidden, .carried and NF_OPT_GIVEN(). */
struct nf_opt {
	enum nf_opt_kind kind;
	char short_name; /* 0: none */
	const char *name; /* long name, without dashes */
	size_t off; /* of the field in the parameter struct */
	int64_t min, max, def; /* INT, COUNT, DURATION (ns); def alone for CHOICE */
	const char *text; /* default of TEXT, PATH, CPUS; NULL: none */
	const char *const *names; /* CHOICE: ends with NULL; an empty name cannot be chosen */
	const char *unit; /* placeholder of the value in help; NULL for flags */
	const char *help; /* one line, no full stop */
	size_t given_off; /* of a bool that is set when the option is given; valid if has_given */
	bool has_given;
	bool hidden; /* not in help, man pages and completion */
	bool carried; /* PATH: a small file that is read, which --target takes along */
	const char *conflicts; /* names separated by spaces that may not be given beside it */
	const char *needs; /* names separated by spaces that must be given beside it */
	const char *def_text; /* shown as the default instead of the value; "" shows none */
};

/* Offset of a field that must have type `type`: a mismatch does not compile. */
#define NF_OPT_FIELD(s, type, f) (offsetof(s, f) + 0 * sizeof((type *)0 == &((s *)0)->f))

#define NF_OPT_FLAG(c, n, s, f, h) \
	.kind = NF_OPT_FLAG, .short_name = (c), .name = (n), .off = NF_OPT_FIELD(s, bool, f), \
	.help = (h)
#define NF_OPT_NUMBER_(k, c, n, s, f, lo, hi, d, u, h) \
	.kind = (k), .short_name = (c), .name = (n), .off = NF_OPT_FIELD(s, int64_t, f), \
	.min = (lo), .max = (hi), .def = (d), .unit = (u), .help = (h)
#define NF_OPT_INT(c, n, s, f, lo, hi, d, h) \
	NF_OPT_NUMBER_(NF_OPT_INT, c, n, s, f, lo, hi, d, "N", h)
#define NF_OPT_COUNT(c, n, s, f, lo, hi, d, h) \
	NF_OPT_NUMBER_(NF_OPT_COUNT, c, n, s, f, lo, hi, d, "N", h)
#define NF_OPT_DURATION(c, n, s, f, lo, hi, d, h) \
	NF_OPT_NUMBER_(NF_OPT_DURATION, c, n, s, f, lo, hi, d, "TIME", h)
#define NF_OPT_STRING_(k, c, n, s, f, d, u, h) \
	.kind = (k), .short_name = (c), .name = (n), .off = NF_OPT_FIELD(s, const char *, f), \
	.text = (d), .unit = (u), .help = (h)
#define NF_OPT_TEXT(c, n, s, f, d, u, h) NF_OPT_STRING_(NF_OPT_TEXT, c, n, s, f, d, u, h)
#define NF_OPT_PATH(c, n, s, f, d, u, h) NF_OPT_STRING_(NF_OPT_PATH, c, n, s, f, d, u, h)
#define NF_OPT_CPUS(c, n, s, f, d, h) NF_OPT_STRING_(NF_OPT_CPUS, c, n, s, f, d, "LIST", h)
#define NF_OPT_CHOICE(c, n, s, f, list, d, u, h) \
	.kind = NF_OPT_CHOICE, .short_name = (c), .name = (n), .off = NF_OPT_FIELD(s, int, f), \
	.names = (list), .def = (d), .unit = (u), .help = (h)
#define NF_OPT_LIST(c, n, s, f, u, h) \
	.kind = NF_OPT_LIST, .short_name = (c), .name = (n), \
	.off = NF_OPT_FIELD(s, struct nf_opt_list, f), .unit = (u), .help = (h)
#define NF_OPT_GIVEN(s, f) .given_off = NF_OPT_FIELD(s, bool, f), .has_given = true

/* A table with the struct it fills. Several sets may be parsed together (a command's options and the
 * global ones); `given` lives on between two calls. */
struct nf_opt_set {
	const struct nf_opt *opts; /* ends with kind NF_OPT_END; at most NF_OPT_ROWS rows */
	void *params; /* borrowed */
	uint64_t given; /* bit i: row i was given */
};

/* Writes every row's default into params, which the caller has zeroed. */
void nf_opt_defaults(const struct nf_opt_set *set);

/* What stands besides the options. */
struct nf_opt_rest {
	const char **item; /* room for argc, from the caller; scratch on failure */
	int n; /* operands, in order, borrowed from argv */
	int n_before; /* how many of them stood before "--"; n when there was none */
	int n_used; /* arguments consumed */
};

/* Parses argv[0..argc). first_only: stops before the first operand and stores none (item may be NULL);
 * otherwise options and operands may be mixed, and conflicts and needs are judged at the end.
 * -NF_EARG: params may have been written to, *ret's counts are untouched. */
NF_NODISCARD int nf_opt_parse(struct nf_opt_set *sets, size_t n_sets, int argc, char *const argv[],
                              bool first_only, struct nf_opt_rest *ret, struct nf_err *err);

/* Appends what stands behind "--name=" to say again what was given for row o, or its item-th text for a LIST. Nothing for a
 * FLAG. */
void nf_opt_value_text(const struct nf_opt *o, const void *params, size_t item, struct nf_buf *out);

/* "a whole number from 1 to 100": what a row allows, as errors, help and man pages say it. */
void nf_opt_allowed(const struct nf_opt *o, struct nf_buf *out);
/* The default as a user would type it; nothing when there is none to show. */
void nf_opt_default_text(const struct nf_opt *o, struct nf_buf *out);

enum { NF_OPT_QUOTED = NF_QUOTED };
static inline void nf_opt_quote(const char *text, char ret[NF_OPT_QUOTED])
{
	nf_quote(text, ret);
}

/* Help for a terminal: a line or more per row, 80 columns. */
void nf_opt_help(const struct nf_opt *opts, struct nf_buf *out);
/* man(7) paragraphs for the rows, and text with what roff would interpret made harmless. */
void nf_opt_man(const struct nf_opt *opts, struct nf_buf *out);
void nf_opt_man_text(const char *text, struct nf_buf *out);
/* The long and short names separated by spaces, as completion offers them. */
void nf_opt_complete_words(const struct nf_opt *opts, struct nf_buf *out);
/* Arms of a bash `case` over "COMMAND:OPTION" that set COMPREPLY for options with a value. */
void nf_opt_complete_cases(const char *command, const struct nf_opt *opts, struct nf_buf *out);
/* Frees part; if it failed, out fails too: a text is whole or known not to be. */
void nf_opt_part_done(struct nf_buf *part, struct nf_buf *out);
/* text wrapped at `width` columns, each line after the first indented by `indent`. */
void nf_opt_wrap(const char *text, size_t indent, size_t width, struct nf_buf *out);

#endif
