/* SPDX-License-Identifier: MIT */
/*
 * cmd - what one command tells the dispatcher. One file per command: cmd_<name>.c defines exactly one
 * `const struct nf_cmd nf_cmd_<name>`; commands.c lists it (docs/HOWTO_ADD_COMMAND.md). A command with
 * subcommands is only a table of them; each is a row like any other, in a file <name>_<sub>.c. Help, man
 * pages, completion and the test that runs every command are made from the rows.
 */
#ifndef NF_CLI_CMD_H
#define NF_CLI_CMD_H

#include "base/buf.h"
#include "base/journal.h"
#include "base/stop.h"
#include "opt/opt.h"

enum nf_exit {
#define X(sym, value, rank, text) NF_EXIT_##sym = (value),
#include "exit.def"
#undef X
};
/* Of two exit codes the one with the higher rank. */
int nf_exit_worse(int a, int b);

struct nf_globals {
	bool json;
	bool quiet;
	bool strict;
	bool no_color;
	const char *runs;
	bool help;
	bool version;
	const char *target;
	const char *ssh_config;
	const char *target_binary;
	int64_t target_timeout_ns;
	bool target_timeout_given;
	const char *reached;
	bool print_man;
	bool print_commands;
	int print_completion;
};
extern const struct nf_opt nf_global_opts[]; /* accepted before and after the command */

/* What --target means to a command. */
enum {
	NF_CMD_TARGET_NO = 0, /* nothing: it is refused */
	NF_CMD_TARGET_RUN = 1, /* run there, the run folder brought back */
	NF_CMD_TARGET_TEXT = 2, /* run there, what it prints shown here */
	NF_CMD_TARGET_OWN = 3, /* it sees to it itself */
	NF_CMD_TARGET_KIND = 3, /* mask of these */
	NF_CMD_TARGET_ROOT =
	        4, /* with sudo, where that needs no password: without, it can measure less */
};

struct nf_cmd;
struct nf_progress;

/* What every command gets. All borrowed for the length of the run. */
struct nf_cli {
	const struct nf_globals *global;
	const struct nf_cmd *cmd;
	const char *
	        program; /* the name it was called by, for notes; NULL: noisefloor and the command */
	const struct nf_stop *stop;
	struct nf_journal *journal; /* NULL: nothing may be changed; also without cmd->measures */
	const char *no_journal; /* why there is none, though it was asked for; else NULL */
	const char *recovered; /* what was put back of killed runs, one line; NULL: nothing */
	struct nf_progress *progress;
	bool color; /* in texts on standard output */
	int argc; /* the whole command line, for the record */
	char *const *argv;
	const char *const *environment; /* allow-listed NAME=value, ends with NULL */
	int owner_uid; /* -1, or who called sudo */
	int owner_gid;
	int out_errno; /* why writing to standard output failed; 0: it has not */
};

/* Everything a command prints goes through this; -NF_EOS: standard output cannot be written. */
NF_NODISCARD int nf_cli_write(struct nf_cli *cli, const void *data, size_t len_bytes,
                              struct nf_err *err);
/* What was written so far goes out. */
NF_NODISCARD int nf_cli_flush(struct nf_cli *cli, struct nf_err *err);
/* The same as a sink (report/values.h); ctx is the struct nf_cli. */
NF_NODISCARD int nf_cli_sink(void *ctx, const void *data, size_t len_bytes, struct nf_err *err);
/* One line on standard error, "noisefloor COMMAND: ...", made a single line whatever it holds. */
void nf_cli_note(const struct nf_cli *cli, const char *fmt, ...) NF_PRINTF(2, 3);
/* The same broken into lines of a terminal's width. */
void nf_cli_say(const struct nf_cli *cli, const char *fmt, ...) NF_PRINTF(2, 3);

enum { NF_OPERANDS_ANY = 1 << 20 };

struct nf_cmd {
	const char *name; /* as it is typed: "wake"; of a subcommand "evidence check" */
	const char *operands; /* as the synopsis shows them; "" for none */
	int min_operands;
	int max_operands;
	const char *summary; /* one line, no full stop */
	const char *description; /* paragraphs separated by a blank line */
	const char *examples; /* lines "COMMAND LINE # what it does", without "noisefloor" */
	const struct nf_opt *opts;
	size_t params_size;
	/* Subcommands, ends with NULL, in the order of help; then the row has no operands, options, tests
	 * or run(). NULL: a command that runs. */
	const struct nf_cmd *const *subs;
	/* It takes time, keeps a run folder and may change the machine: a signal asks it to end early,
	 * it keeps what it has. Otherwise a signal ends it at once, there is nothing to keep. */
	bool measures;
	/* It keeps no run folder, but has something to put back: it is asked to end, too, and says so itself. */
	bool tidies;
	/* Its exit code is somebody else's: what fails here, whatever it is, has this one. 0: as tables/errors.def says. */
	int own_failure;
	unsigned target; /* NF_CMD_TARGET_... */
	/* For the test that runs every command: arguments with which it runs until it is stopped (or as
	 * long as it can), and with which it prints a result soon. {run} {runs} {samples} {big} {fifo}
	 * {root} {lanes} {ssh} {capture} {results} {key} {signers} stand for what the test makes, {out} for a folder that can be
	 * made, {fresh} for a run of its own. */
	const char *test_long;
	const char *test_short;
	/* params: of params_size, filled from opts. An exit code, or a negated error code with *err
	 * set, which becomes a line on standard error and the exit code of tables/errors.def. */
	int (*run)(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
	           struct nf_err *err);
};

extern const struct nf_cmd *const nf_cmds[]; /* NULL-terminated; in help order */
const struct nf_cmd *nf_cmd_find(const char *name); /* NULL: no such command */
/* What is typed last: "check" of "evidence check". */
const char *nf_cmd_word(const struct nf_cmd *cmd);
/* The command that words[0..n) name, n >= 1 and at most 2 of them used: with subcommands where one is
 * named, else the group. -NF_EARG: there is no such command. */
NF_NODISCARD int nf_cmd_resolve(const char *const words[], int n, const struct nf_cmd **ret,
                                struct nf_err *err);
/* The subcommand that word names; NULL word: none was typed. -NF_EARG: says which there are. */
NF_NODISCARD int nf_cmd_sub(const struct nf_cmd *group, const char *word, const struct nf_cmd **ret,
                            struct nf_err *err);

#endif
