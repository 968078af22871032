/* SPDX-License-Identifier: MIT */
/*
 * import - console logs that other tools have stamped become lines with times (board/line.h).
 *
 * Every form is a row of nf_import_forms (import_forms.c). Memory is constant: a line's text goes through the same assembly as a
 * capture's bytes, cut at NF_LINE_LIMIT. A log has no record of its line ends: the bytes of a line are those of its text and two
 * (CR LF). A line without a stamp keeps the time of the line before it and is given as unstamped.
 *
 * What is not printed by the form itself but changes what a stamp means has a form of its own, which has to be
 * named: times since the line before (ts -i), and a single number in brackets, which the kernel writes too (printk).
 */
#ifndef NF_BOARD_IMPORT_H
#define NF_BOARD_IMPORT_H

#include "board/import_stamp.h"
#include "board/line.h"

struct nf_import_form {
	const char *name;
	const char *text; /* for help */
	/* Bytes of a line up to its text; 0: it does not begin so. */
	size_t (*stamp)(const char *line, size_t len, struct nf_stamp *ret);
	bool incremental; /* since the line before */
	bool named_only; /* never recognised by itself */
};
extern const struct nf_import_form
        nf_import_forms[]; /* ends with name NULL; the first that fits best is taken */
/* NULL: there is none. */
const struct nf_import_form *nf_import_form_find(const char *name);

/* What a log says of itself: words key=value in its lines "# ..." before the first stamp. Empty: nothing. */
struct nf_import_head {
	char config[48];
	char run[16];
	char status[48];
};

struct nf_import_facts {
	const struct nf_import_form *form; /* NULL: not known yet */
	struct nf_import_head head;
	enum nf_stamp_kind kind; /* of the stamps */
	int64_t unit_ns; /* of the last digit that was printed; the smallest of all lines */
	uint64_t stamped, unstamped; /* lines */
	uint64_t
	        preamble; /* lines before the first stamp, left out but for what they say of the log */
	uint64_t blank; /* lines of nothing at all, left out */
	uint64_t
	        other_kind; /* lines that begin with a stamp of another kind than the first: taken as text */
	uint64_t midnights; /* times of day that began anew */
	bool unterminated; /* the last line has no end */
};

typedef int nf_import_fn(void *ctx, const struct nf_line *line, bool stamped, struct nf_err *err);

struct nf_import;

/* form NULL: found from the first 64 KiB, at least half of whose lines must have it. what: names the log in messages. */
NF_NODISCARD int nf_import_new(const struct nf_import_form *form, const char *what,
                               nf_import_fn *fn, void *ctx, struct nf_import **ret,
                               struct nf_err *err);
void nf_import_free(struct nf_import *im); /* NULL is fine */
/* -NF_EDATA: no form is known, or not a line has the named one. What fn returns ends it. */
NF_NODISCARD int nf_import_feed(struct nf_import *im, const void *data, size_t len_bytes,
                                struct nf_err *err);
NF_NODISCARD int nf_import_finish(struct nf_import *im, struct nf_err *err);
const struct nf_import_facts *nf_import_facts(const struct nf_import *im);

#endif
