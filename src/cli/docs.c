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
        "SIGINT, SIGTERM and SIGHUP ask a command that measures to end: it keeps what it has as a "
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

void nf_docs_help(const struct nf_cmd *cmd, struct nf_buf *out)
{
	(void)nf_buf_adds(out, "usage: ");
	synopsis(cmd, out);
	(void)nf_buf_adds(out, "\n\n");
	if (cmd) {
		paragraphs(cmd->description, help_paragraph, out);
		if (cmd->opts[0].kind != NF_OPT_END) {
			(void)nf_buf_adds(out, "options:\n");
			nf_opt_help(cmd->opts, out);
			(void)nf_buf_addc(out, '\n');
		}
	} else {
		paragraphs(program_description, help_paragraph, out);
		(void)nf_buf_adds(out, "commands:\n");
		for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
			(void)nf_buf_addf(out, "  %-12s %s\n", (*c)->name, (*c)->summary);
		(void)nf_buf_addc(out, '\n');
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
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++) {
		(void)nf_buf_addf(out, ".BR noisefloor\\-%s (1)%s\n", (*c)->name, c[1] ? "," : "");
	}
}

void nf_docs_man(const struct nf_cmd *cmd, struct nf_buf *out)
{
	struct nf_buf text;

	nf_buf_init(&text, 1 << 12);
	if (cmd) {
		char title[48] = "NOISEFLOOR\\-";
		size_t n = strlen(title);

		for (const char *p = cmd->name; *p && n + 1 < sizeof(title); p++)
			title[n++] = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
		title[n] = '\0';
		(void)nf_buf_addf(&text, "noisefloor-%s", cmd->name);
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
	if (!cmd) {
		(void)nf_buf_adds(out, ".SH COMMANDS\n");
		for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
			man_row((*c)->name, (*c)->summary, out);
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
		(void)nf_buf_adds(out, ".SH SEE ALSO\n.BR noisefloor (1)\n");
	else
		man_program_tail(out);
	nf_opt_part_done(&text, out);
}

void nf_docs_completion(struct nf_buf *out)
{
	(void)nf_buf_adds(out, "# bash completion for noisefloor; made from its option tables\n"
	                       "_noisefloor()\n{\n"
	                       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev= cmd= word i\n"
	                       "\t((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	                       "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	                       "\t\tword=${COMP_WORDS[i]}\n"
	                       "\t\tcase $word in\n"
	                       "\t\t--runs) ((i++)) ;;\n"
	                       "\t\t-*) ;;\n"
	                       "\t\t*) cmd=$word; break ;;\n"
	                       "\t\tesac\n\tdone\n"
	                       "\tcase $cmd:$prev in\n");
	nf_opt_complete_cases("*", nf_global_opts, out);
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
		nf_opt_complete_cases((*c)->name, (*c)->opts, out);
	(void)nf_buf_adds(out, "\tesac\n\tlocal globals='");
	nf_opt_complete_words(nf_global_opts, out);
	(void)nf_buf_adds(out, "' words=\n\tcase $cmd in\n\t'') words='");
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
		(void)nf_buf_addf(out, "%s%s", c == nf_cmds ? "" : " ", (*c)->name);
	(void)nf_buf_adds(out, "' ;;\n");
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++) {
		(void)nf_buf_addf(out, "\t%s) words='", (*c)->name);
		nf_opt_complete_words((*c)->opts, out);
		(void)nf_buf_adds(out, "' ;;\n");
	}
	(void)nf_buf_adds(
	        out, "\tesac\n"
	             "\tCOMPREPLY=($(compgen -W \"$words $globals\" -- \"$cur\"))\n"
	             "\t[[ -z $cmd || $cur == -* ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
	             "}\n"
	             "complete -F _noisefloor noisefloor\n");
}

void nf_docs_commands(struct nf_buf *out)
{
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
		(void)nf_buf_addf(out, "%s\t%s\t%s\t%s\n", (*c)->name,
		                  (*c)->measures ? "measures" : "reads", (*c)->test_long,
		                  (*c)->test_short);
}
