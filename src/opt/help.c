/* SPDX-License-Identifier: MIT */
/* help - option rows for people: terminal help, man page paragraphs, completion. */
#include <stdio.h>
#include <string.h>

#include "opt/internal.h"

enum { COLUMN = 27, WIDTH = 80, TEXT_BYTES = 4096 };

void nf_opt_part_done(struct nf_buf *part, struct nf_buf *out)
{
	if (part->failed && !out->failed)
		out->failed = part->failed;
	nf_buf_fini(part);
}

void nf_opt_wrap(const char *text, size_t indent, size_t width, struct nf_buf *out)
{
	const char *pos = text, *word = NULL;
	size_t at = indent, len;
	bool first = true;

	while ((len = nf_opt_word(&pos, &word)) > 0) {
		if (!first && at + 1 + len > width) {
			(void)nf_buf_addf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			(void)nf_buf_addc(out, ' ');
			at++;
		}
		(void)nf_buf_add(out, word, len);
		at += len;
		first = false;
	}
}

/* "help (allowed; default x)": what is said about one row, without markup. */
static void describe(const struct nf_opt *o, struct nf_buf *out)
{
	struct nf_buf def;

	nf_buf_init(&def, TEXT_BYTES);
	nf_opt_default_text(o, &def);
	(void)nf_buf_adds(out, o->help);
	bool number =
	        o->kind == NF_OPT_INT || o->kind == NF_OPT_COUNT || o->kind == NF_OPT_DURATION;
	bool range = number || o->kind == NF_OPT_CHOICE;
	if (range || def.len_bytes) {
		(void)nf_buf_adds(out, " [");
		if (number)
			nf_opt_range(o, out);
		else if (range)
			nf_opt_allowed(o, out);
		if (def.len_bytes)
			(void)nf_buf_addf(out, "%sdefault %s", range ? "; " : "", def.data);
		(void)nf_buf_addc(out, ']');
	}
	if (o->kind == NF_OPT_LIST)
		(void)nf_buf_adds(out, " (may be given several times)");
	nf_opt_part_done(&def, out);
}

void nf_opt_help(const struct nf_opt *opts, struct nf_buf *out)
{
	for (const struct nf_opt *o = opts; o->kind != NF_OPT_END; o++) {
		char left[96];
		struct nf_buf text;

		if (o->hidden)
			continue;
		char shrt[8] = "    ";
		if (o->short_name)
			snprintf(shrt, sizeof(shrt), "-%c, ", o->short_name);
		int n = snprintf(left, sizeof(left), "  %s--%s%s%s", shrt, o->name,
		                 o->unit ? " " : "", o->unit ? o->unit : "");
		if (n < COLUMN - 1)
			(void)nf_buf_addf(out, "%-*s", COLUMN, left);
		else
			(void)nf_buf_addf(out, "%s\n%*s", left, COLUMN, "");
		nf_buf_init(&text, TEXT_BYTES);
		describe(o, &text);
		nf_opt_wrap(text.data, COLUMN, WIDTH, out);
		nf_opt_part_done(&text, out);
		(void)nf_buf_addc(out, '\n');
	}
}

void nf_opt_man_text(const char *text, struct nf_buf *out)
{
	bool line_start = true;

	for (const char *p = text; *p; p++) {
		if (line_start && (*p == '.' || *p == '\''))
			(void)nf_buf_adds(out, "\\&");
		line_start = *p == '\n';
		if (*p == '\\')
			(void)nf_buf_adds(out, "\\e");
		else if (*p == '-')
			(void)nf_buf_adds(out, "\\-");
		else if (*p == '^')
			(void)nf_buf_adds(out, "\\(ha");
		else if (*p == '~')
			(void)nf_buf_adds(out, "\\(ti");
		else if (*p == '\'')
			(void)nf_buf_adds(out, "\\(aq");
		else
			(void)nf_buf_addc(out, *p);
	}
}

void nf_opt_man(const struct nf_opt *opts, struct nf_buf *out)
{
	for (const struct nf_opt *o = opts; o->kind != NF_OPT_END; o++) {
		struct nf_buf text;

		if (o->hidden)
			continue;
		(void)nf_buf_adds(out, ".TP\n");
		if (o->short_name)
			(void)nf_buf_addf(out, "\\fB\\-%c\\fR, ", o->short_name);
		(void)nf_buf_adds(out, "\\fB\\-\\-");
		nf_opt_man_text(o->name, out);
		(void)nf_buf_adds(out, "\\fR");
		if (o->unit)
			(void)nf_buf_addf(out, " \\fI%s\\fR", o->unit);
		(void)nf_buf_addc(out, '\n');
		nf_buf_init(&text, TEXT_BYTES);
		describe(o, &text);
		nf_opt_man_text(text.data, out);
		nf_opt_part_done(&text, out);
		(void)nf_buf_addc(out, '\n');
	}
}

void nf_opt_complete_words(const struct nf_opt *opts, struct nf_buf *out)
{
	const char *sep = "";

	for (const struct nf_opt *o = opts; o->kind != NF_OPT_END; o++) {
		if (o->hidden)
			continue;
		if (o->short_name)
			(void)nf_buf_addf(out, "%s-%c --%s", sep, o->short_name, o->name);
		else
			(void)nf_buf_addf(out, "%s--%s", sep, o->name);
		sep = " ";
	}
}

void nf_opt_complete_cases(const char *command, const struct nf_opt *opts, struct nf_buf *out)
{
	for (const struct nf_opt *o = opts; o->kind != NF_OPT_END; o++) {
		if (o->hidden || o->kind == NF_OPT_FLAG)
			continue;
		(void)nf_buf_addf(out, "\t%s:--%s", command, o->name);
		if (o->short_name)
			(void)nf_buf_addf(out, "|%s:-%c", command, o->short_name);
		(void)nf_buf_adds(out, ")");
		if (o->kind == NF_OPT_PATH) {
			(void)nf_buf_adds(out, " COMPREPLY=($(compgen -f -- \"$cur\"));");
		} else if (o->kind == NF_OPT_CPUS) {
			(void)nf_buf_adds(
			        out, " COMPREPLY=($(compgen -W 'allowed isolated' -- \"$cur\"));");
		} else if (o->kind == NF_OPT_CHOICE) {
			(void)nf_buf_adds(out, " COMPREPLY=($(compgen -W '");
			for (const char *const *n = o->names; *n; n++)
				if (**n)
					(void)nf_buf_addf(out, "%s%s", n == o->names ? "" : " ",
					                  *n);
			(void)nf_buf_adds(out, "' -- \"$cur\"));");
		}
		(void)nf_buf_adds(out, " return ;;\n");
	}
}
