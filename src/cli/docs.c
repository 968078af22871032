/* SPDX-License-Identifier: MIT */
#include "cli/docs.h"

#include <string.h>

#include "build_info.h"
#include "cli/context.h"

enum { WIDTH = 80 };

void nf_docs_version(struct nf_buf *out)
{
	(void)nf_buf_adds(out, "noisefloor " NF_VERSION "\n");
}

static void synopsis(const struct nf_cmd *cmd, struct nf_buf *out)
{
	if (!cmd)
		(void)nf_buf_adds(out, "noisefloor [GLOBAL OPTIONS] COMMAND [OPTIONS] [OPERANDS]");
	else if (cmd->subs)
		(void)nf_buf_addf(out, "noisefloor %s SUBCOMMAND [OPTIONS] [OPERANDS]", cmd->name);
	else
		(void)nf_buf_addf(out, "noisefloor %s [OPTIONS]%s%s", cmd->name,
		                  *cmd->operands ? " " : "", cmd->operands);
}

static const char program_summary[] = "measure the timing noise of a machine";
static const char program_description[] =
        "noisefloor answers whether the timing numbers from a machine can be trusted, and what "
        "they "
        "are. It measures the noise floor under them, judges it against a budget and keeps it as "
        "evidence: every run that measures makes a folder with its raw samples and its record, and "
        "every number that is printed can be computed from that folder again.\n\n"
        "Global options may stand before or after the command. Names of options are never "
        "abbreviated. "
        "An option that takes a value may be given once. A duration (TIME) is a number and a unit "
        "(ns "
        "us ms s m h), a count (N) may be written as 2^N, a CPU list (LIST) looks like 0-3,8 or is "
        "'allowed' or 'isolated'. Nothing that exists is overwritten.";

static const char signal_text[] =
        "SIGINT, SIGTERM, SIGHUP and SIGXCPU ask a command that measures to end: it keeps what it "
        "has as a "
        "partial record, puts back what it changed and exits 130 or 143. A second signal is "
        "answered with a line; a third ends the process at once, and the next run puts back what "
        "it "
        "left. Other commands end at the first signal.";

/* Calls for each paragraph of text (separated by a blank line). */
static void paragraphs(const char *text, void (*add)(struct nf_buf *, const char *, size_t),
                       struct nf_buf *out)
{
	while (text && *text) {
		const char *end = strstr(text, "\n\n");
		size_t len = end ? (size_t)(end - text) : strlen(text);

		add(out, text, len);
		text = end ? end + 2 : NULL;
	}
}

static void help_paragraph(struct nf_buf *out, const char *text, size_t len)
{
	struct nf_buf one;

	nf_buf_init(&one, 1 << 14);
	(void)nf_buf_add(&one, text, len);
	nf_opt_wrap(one.data, 0, WIDTH, out);
	nf_opt_part_done(&one, out);
	(void)nf_buf_adds(out, "\n\n");
}

static void man_paragraph(struct nf_buf *out, const char *text, size_t len)
{
	struct nf_buf one;

	nf_buf_init(&one, 1 << 14);
	(void)nf_buf_add(&one, text, len);
	(void)nf_buf_adds(out, ".PP\n");
	nf_opt_man_text(one.data, out);
	(void)nf_buf_addc(out, '\n');
	nf_opt_part_done(&one, out);
}

static void help_examples(const char *examples, struct nf_buf *out)
{
	(void)nf_buf_adds(out, "\nexamples:\n");
	for (const char *line = examples; line && *line;) {
		size_t len = strcspn(line, "\n"), cmd = strcspn(line, "#");

		if (cmd > len)
			cmd = len;
		while (cmd && line[cmd - 1] == ' ')
			cmd--;
		(void)nf_buf_addf(out, "  noisefloor %.*s\n", (int)cmd, line);
		const char *why = memchr(line, '#', len);
		if (why)
			(void)nf_buf_addf(out, "      %.*s\n",
			                  (int)(len - (size_t)(why + 2 - line)), why + 2);
		line += len + (line[len] == '\n');
	}
}

static void help_exit(struct nf_buf *out)
{
	(void)nf_buf_adds(out, "\nexit status:\n");
#define X(sym, value, rank, text) (void)nf_buf_addf(out, "  %3d  %s\n", value, text);
#include "exit.def"
#undef X
}

static void help_commands(const struct nf_cmd *const *list, const char *title, struct nf_buf *out)
{
	(void)nf_buf_addf(out, "%s:\n", title);
	for (const struct nf_cmd *const *c = list; *c; c++)
		(void)nf_buf_addf(out, "  %-12s %s\n", nf_cmd_word(*c), (*c)->summary);
	(void)nf_buf_addc(out, '\n');
}

void nf_docs_help(const struct nf_cmd *cmd, struct nf_buf *out)
{
	(void)nf_buf_adds(out, "usage: ");
	synopsis(cmd, out);
	(void)nf_buf_adds(out, "\n\n");
	if (cmd) {
		paragraphs(cmd->description, help_paragraph, out);
		if (cmd->subs) {
			help_commands(cmd->subs, "subcommands", out);
		} else if (cmd->opts[0].kind != NF_OPT_END) {
			(void)nf_buf_adds(out, "options:\n");
			nf_opt_help(cmd->opts, out);
			(void)nf_buf_addc(out, '\n');
		}
	} else {
		paragraphs(program_description, help_paragraph, out);
		help_commands(nf_cmds, "commands", out);
	}
	(void)nf_buf_adds(out, "global options:\n");
	nf_opt_help(nf_global_opts, out);
	if (cmd && cmd->examples)
		help_examples(cmd->examples, out);
	help_exit(out);
}

static void man_head(const char *title, const char *name, const char *summary, struct nf_buf *out)
{
	(void)nf_buf_addf(
	        out, ".TH %s 1 \"\" \"noisefloor " NF_VERSION "\" \"noisefloor manual\"\n", title);
	(void)nf_buf_adds(out, ".SH NAME\n");
	nf_opt_man_text(name, out);
	(void)nf_buf_adds(out, " \\- ");
	nf_opt_man_text(summary, out);
	(void)nf_buf_addc(out, '\n');
}

static void man_examples(const char *examples, struct nf_buf *out)
{
	struct nf_buf line;

	(void)nf_buf_adds(out, ".SH EXAMPLES\n");
	nf_buf_init(&line, 4096);
	for (const char *p = examples; p && *p;) {
		size_t len = strcspn(p, "\n"), cmd = strcspn(p, "#");
		const char *why = memchr(p, '#', len);

		if (cmd > len)
			cmd = len;
		while (cmd && p[cmd - 1] == ' ')
			cmd--;
		nf_buf_clear(&line);
		(void)nf_buf_addf(&line, "noisefloor %.*s", (int)cmd, p);
		(void)nf_buf_adds(out, ".TP\n.B ");
		nf_opt_man_text(line.data, out);
		(void)nf_buf_addc(out, '\n');
		nf_buf_clear(&line);
		if (why)
			(void)nf_buf_add(&line, why + 2, len - (size_t)(why + 2 - p));
		nf_opt_man_text(line.data, out);
		(void)nf_buf_addc(out, '\n');
		p += len + (p[len] == '\n');
	}
	nf_opt_part_done(&line, out);
}

static void man_row(const char *left, const char *text, struct nf_buf *out)
{
	(void)nf_buf_adds(out, ".TP\n.B ");
	nf_opt_man_text(left, out);
	(void)nf_buf_addc(out, '\n');
	nf_opt_man_text(text, out);
	(void)nf_buf_addc(out, '\n');
}

static void man_exit(struct nf_buf *out)
{
	(void)nf_buf_adds(out, ".SH EXIT STATUS\n");
#define X(sym, value, rank, text) man_row(#value, text, out);
#include "exit.def"
#undef X
}

/* "evidence check" as part of a page's name: evidence-check. */
static void dashed(const char *name, struct nf_buf *out)
{
	for (const char *p = name; *p; p++)
		(void)nf_buf_addc(out, *p == ' ' ? '-' : *p);
}

static void man_page_name(const char *name, struct nf_buf *out)
{
	struct nf_buf text;

	nf_buf_init(&text, 256);
	dashed(name, &text);
	(void)nf_buf_adds(out, ".BR noisefloor\\-");
	nf_opt_man_text(text.data, out);
	(void)nf_buf_adds(out, " (1)");
	nf_opt_part_done(&text, out);
}

static void man_pages(const struct nf_cmd *const *list, struct nf_buf *out)
{
	for (const struct nf_cmd *const *c = list; *c; c++) {
		man_page_name((*c)->name, out);
		(void)nf_buf_adds(out, c[1] ? ",\n" : "\n");
	}
}

/* What a command's page points to: its subcommands, and the pages above it. */
static void man_see_also(const struct nf_cmd *cmd, struct nf_buf *out)
{
	const char *blank = strchr(cmd->name, ' ');

	(void)nf_buf_adds(out, ".SH SEE ALSO\n");
	if (blank) {
		char group[32] = "";

		memcpy(group, cmd->name,
		       (size_t)(blank - cmd->name) < sizeof(group) ? (size_t)(blank - cmd->name)
		                                                   : sizeof(group) - 1);
		man_page_name(group, out);
		(void)nf_buf_adds(out, ",\n");
	}
	(void)nf_buf_adds(out, ".BR noisefloor (1)");
	(void)nf_buf_adds(out, cmd->subs ? ",\n" : "\n");
	if (cmd->subs)
		man_pages(cmd->subs, out);
}

static void man_program_tail(struct nf_buf *out)
{
	(void)nf_buf_adds(out,
	                  ".SH ERRORS\nThe library's errors and the exit status each becomes:\n");
#define X(sym, value, text) man_row(#sym ", " #value, text, out);
#include "errors.def"
#undef X
	(void)nf_buf_adds(out, ".SH ENVIRONMENT\n");
	man_row("NOISEFLOOR_RUN_DIR",
	        "folder of the undo journal; otherwise /run/noisefloor as root and "
	        "$XDG_RUNTIME_DIR/noisefloor as another user. Without any, nothing on the machine "
	        "is changed.",
	        out);
	man_row("NO_COLOR", "set and not empty: no colours", out);
	man_row("TERM", "dumb: lines instead of bars", out);
	man_row("SUDO_UID, SUDO_GID", "under sudo the run folder is given to this user", out);
	(void)nf_buf_adds(out, ".PP\nThese go into records when set:");
	for (const char *const *n = nf_context_names; *n; n++)
		(void)nf_buf_addf(out, "%s %s", n == nf_context_names ? "" : ",", *n);
	(void)nf_buf_adds(out, ".\n.SH SIGNALS\n");
	nf_opt_man_text(signal_text, out);
	(void)nf_buf_adds(out, "\n.SH FILES\n");
	man_row("runs/<UTC time>-<host>-<tag>/",
	        "a run: samples/, captures/, record.json, record.dhall and a MANIFEST, which is "
	        "written "
	        "last and can be checked with sha256sum -c",
	        out);
	(void)nf_buf_adds(out, ".SH SEE ALSO\n");
	man_pages(nf_cmds, out);
}

void nf_docs_man(const struct nf_cmd *cmd, struct nf_buf *out)
{
	struct nf_buf text;

	nf_buf_init(&text, 1 << 12);
	if (cmd) {
		char title[48] = "NOISEFLOOR\\-";
		size_t n = strlen(title);

		for (const char *p = cmd->name; *p && n + 1 < sizeof(title); p++)
			title[n++] = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A'
			                    : *p == ' '            ? '-'
			                                           : *p);
		title[n] = '\0';
		(void)nf_buf_adds(&text, "noisefloor-");
		dashed(cmd->name, &text);
		man_head(title, text.data, cmd->summary, out);
	} else {
		man_head("NOISEFLOOR", "noisefloor", program_summary, out);
	}
	nf_buf_clear(&text);
	synopsis(cmd, &text);
	(void)nf_buf_adds(out, ".SH SYNOPSIS\n.B ");
	nf_opt_man_text(text.data, out);
	(void)nf_buf_adds(out, "\n.SH DESCRIPTION\n");
	paragraphs(cmd ? cmd->description : program_description, man_paragraph, out);
	if (!cmd || cmd->subs) {
		(void)nf_buf_addf(out, ".SH %sCOMMANDS\n", cmd ? "SUB" : "");
		for (const struct nf_cmd *const *c = cmd ? cmd->subs : nf_cmds; *c; c++)
			man_row(nf_cmd_word(*c), (*c)->summary, out);
	} else if (cmd->opts[0].kind != NF_OPT_END) {
		(void)nf_buf_adds(out, ".SH OPTIONS\n");
		nf_opt_man(cmd->opts, out);
	}
	(void)nf_buf_adds(out, ".SH GLOBAL OPTIONS\n");
	nf_opt_man(nf_global_opts, out);
	if (cmd && cmd->examples)
		man_examples(cmd->examples, out);
	man_exit(out);
	if (cmd)
		man_see_also(cmd, out);
	else
		man_program_tail(out);
	nf_opt_part_done(&text, out);
}

/* The words of a list, and what follows each command or subcommand; key: "evidence-check". */
static void completion_words(const struct nf_cmd *const *list, const char *key, struct nf_buf *out)
{
	(void)nf_buf_addf(out, "\t%s) words='", key);
	for (const struct nf_cmd *const *c = list; *c; c++)
		(void)nf_buf_addf(out, "%s%s", c == list ? "" : " ", nf_cmd_word(*c));
	(void)nf_buf_adds(out, "' ;;\n");
	for (const struct nf_cmd *const *c = list; *c; c++) {
		struct nf_buf name;

		nf_buf_init(&name, 256);
		dashed((*c)->name, &name);
		if ((*c)->subs) {
			completion_words((*c)->subs, name.data, out);
		} else {
			(void)nf_buf_addf(out, "\t%s) words='", name.data);
			nf_opt_complete_words((*c)->opts, out);
			(void)nf_buf_adds(out, "' ;;\n");
		}
		nf_opt_part_done(&name, out);
	}
}

static void completion_values(const struct nf_cmd *const *list, struct nf_buf *out)
{
	for (const struct nf_cmd *const *c = list; *c; c++) {
		struct nf_buf name;

		nf_buf_init(&name, 256);
		dashed((*c)->name, &name);
		if ((*c)->subs)
			completion_values((*c)->subs, out);
		else
			nf_opt_complete_cases(name.data, (*c)->opts, out);
		nf_opt_part_done(&name, out);
	}
}

void nf_docs_completion(struct nf_buf *out)
{
	(void)nf_buf_adds(out, "# bash completion for noisefloor; made from its option tables\n"
	                       "_noisefloor()\n{\n"
	                       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev= cmd= word i files=\n"
	                       "\t((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	                       "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	                       "\t\tword=${COMP_WORDS[i]}\n"
	                       "\t\tcase $word in\n"
	                       "\t\t--runs) ((i++)); continue ;;\n"
	                       "\t\t-*) continue ;;\n"
	                       "\t\tesac\n"
	                       "\t\tcmd=${cmd:+$cmd-}$word\n"
	                       "\t\tcase $cmd in\n\t\t''");
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
		if ((*c)->subs)
			(void)nf_buf_addf(out, "|%s", (*c)->name);
	(void)nf_buf_adds(out, ") ;;\n\t\t*) files=1; break ;;\n\t\tesac\n\tdone\n"
	                       "\tcase $cmd:$prev in\n");
	nf_opt_complete_cases("*", nf_global_opts, out);
	completion_values(nf_cmds, out);
	(void)nf_buf_adds(out, "\tesac\n\tlocal globals='");
	nf_opt_complete_words(nf_global_opts, out);
	(void)nf_buf_adds(out, "' words=\n\tcase $cmd in\n");
	completion_words(nf_cmds, "''", out);
	(void)nf_buf_adds(
	        out, "\tesac\n"
	             "\tCOMPREPLY=($(compgen -W \"$words $globals\" -- \"$cur\"))\n"
	             "\t[[ -z $files || $cur == -* ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
	             "}\n"
	             "complete -F _noisefloor noisefloor\n");
}

static void command_rows(const struct nf_cmd *const *list, struct nf_buf *out)
{
	for (const struct nf_cmd *const *c = list; *c; c++) {
		if ((*c)->subs)
			command_rows((*c)->subs, out);
		else
			(void)nf_buf_addf(out, "%s\t%s\t%s\t%s\n", (*c)->name,
			                  (*c)->measures      ? "measures"
			                  : (*c)->own_failure ? "remote"
			                                      : "reads",
			                  (*c)->test_long, (*c)->test_short);
	}
}

void nf_docs_commands(struct nf_buf *out)
{
	command_rows(nf_cmds, out);
}
