/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "board/screen.h"
#include "cli/jobs.h"
#include "cli/lab_target.h"
#include "cli/lab_terminal.h"
#include "job/lab_console.h"
#include "report/text_console.h"

enum { ESCAPE = 0x1d /* Ctrl-] */, LINE_BYTES = 1 << 18, FOLLOW_MS = 20 };

struct params {
	struct nf_job_params job;
	int64_t baud;
	bool baud_given;
	int64_t duration_ns;
	bool interactive;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_COUNT('b', "baud", struct params, baud, 50, 4000000, NF_PORT_BAUD,
		"speed of a serial port, eight bits, no parity; a campaign file says it itself"),
	  NF_OPT_GIVEN(struct params, baud_given) },
	{ NF_OPT_DURATION('d', "duration", struct params, duration_ns, 1000000, INT64_C(366) * 24 * 3600 * 1000000000, 0,
		"how long to capture"), .def_text = "until it is stopped" },
	{ NF_OPT_FLAG('i', "interactive", struct params, interactive,
		"what is typed goes to the board; Ctrl-] q ends, Ctrl-] Ctrl-] sends one"), .conflicts = "json quiet" },
	{ NF_OPT_TEXT(0, "tag", struct params, job.tag, NULL, "TEXT",
		"last part of the run folder's name and the label that runs are compared by"),
	  .def_text = "the command" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

struct console {
	struct nf_cli *cli;
	bool show; /* lines, or what the filter lets through */
	bool interactive;
	bool escaped; /* Ctrl-] was typed */
	struct nf_screen screen;
	struct nf_buf out;
	uint64_t tail_end; /* of the unfinished line that was shown last, in the capture */
};

static int flush_text(struct console *c, struct nf_err *err)
{
	int r = nf_buf_failed(&c->out, "a line", err);

	if (r == 0)
		r = nf_cli_write(c->cli, c->out.data, c->out.len_bytes, err);
	if (r == 0)
		r = nf_cli_flush(c->cli, err);
	nf_buf_clear(&c->out);
	return r;
}

static int show_line(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	struct console *c = ctx;
	bool unfinished = line->ending == NF_LINE_UNTERMINATED;
	uint64_t end = line->raw_offset + line->raw_bytes;

	if (!c->show || (unfinished && end == c->tail_end))
		return 0;
	if (unfinished)
		c->tail_end = end;
	(void)nf_text_console_line(line->text, line->len, line->first_lo_ns, line->first_hi_ns,
	                           unfinished, &c->out);
	return flush_text(c, err);
}

static int show_bytes(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct console *c = ctx;

	int r = nf_screen_filter(&c->screen, data, len_bytes, &c->out);

	return r < 0 ? nf_buf_failed(&c->out, "what is shown", err) : flush_text(c, err);
}

static int take_typed(void *ctx, char *ret, size_t max_bytes, size_t *ret_n, bool *ret_end,
                      struct nf_err *err)
{
	struct console *c = ctx;
	char typed[512];
	size_t n = 0;
	ssize_t got =
	        read(STDIN_FILENO, typed, sizeof(typed) < max_bytes ? sizeof(typed) : max_bytes);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		got = 0;
	else if (got < 0 && errno != EIO)
		return nf_fail_os(err, errno, "cannot read the terminal");
	else if (got <= 0)
		*ret_end = true; /* the terminal is gone */
	for (ssize_t i = 0; i < got && !*ret_end; i++) {
		bool escape = typed[i] == ESCAPE;

		if (!c->escaped && escape) {
			c->escaped = true;
			continue;
		}
		*ret_end = c->escaped && (typed[i] == 'q' || typed[i] == 'Q');
		if (!*ret_end)
			ret[n++] = typed[i];
		c->escaped = false;
	}
	*ret_n = n;
	return 0;
}

static int tell_port(void *ctx, const struct nf_port_facts *facts, const char *folder,
                     struct nf_err *err)
{
	struct console *c = ctx;
	char advice[NF_PORT_ADVICE_MAX], *save = NULL;

	(void)err;
	nf_port_advice(facts, advice);
	for (char *line = strtok_r(advice, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		nf_cli_note(c->cli, "%s", line);
	/* For who looks on from another terminal meanwhile; the summary says it, too. */
	if (isatty(STDERR_FILENO) && !c->cli->global->quiet && !c->cli->global->json)
		nf_cli_note(c->cli, "%s; captured to %s", facts->name, folder);
	if (c->interactive)
		nf_cli_note(c->cli, "Ctrl-] q ends, Ctrl-] Ctrl-] sends one");
	return 0;
}

static int capture(struct nf_cli *cli, const struct params *p, const struct nf_port_spec *port,
                   struct nf_err *err)
{
	struct console c = { .cli = cli, .show = !cli->global->json && !cli->global->quiet };
	struct nf_console_watch watch = { .ctx = &c, .begin = tell_port };
	struct nf_console_opts console = {
		.port = *port, .duration_ns = p->duration_ns, .input = -1, .watch = &watch
	};
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	int r = nf_job_opts_fill(cli, &p->job, &job, err);

	if (r < 0)
		return r;
	nf_buf_init(&c.out, LINE_BYTES * 4);
	nf_job_outcome_init(&outcome);
	if (p->interactive) {
		watch.bytes = show_bytes;
		watch.input = take_typed;
		console.input = STDIN_FILENO;
		c.interactive = true;
		r = nf_terminal_raw(STDIN_FILENO, err);
	} else {
		watch.line = show_line;
		watch.silence = show_line;
	}
	if (r == 0)
		r = nf_job_console(&job, &console, &outcome, err);
	nf_terminal_restore();
	if (r == 0 && p->interactive)
		r = nf_cli_write(cli, "\n", 1, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	nf_buf_fini(&c.out);
	return r;
}

/* --- looking at a capture, also while another process makes it --- */

static int follow(struct console *c, struct nf_capture_reader *reader, struct nf_lines *lines,
                  struct nf_err *err)
{
	for (;;) {
		/* Asked before the last look: what came until then is seen. */
		bool live = nf_capture_is_live(reader);
		struct nf_capture_read read;
		const void *data;
		int r;

		while ((r = nf_capture_next(reader, &read, &data, err)) == 1) {
			struct nf_line_time t = nf_capture_time(&reader->head, &read);

			r = nf_line_feed(lines, data, read.bytes, &t, show_line, c, err);
			if (r < 0)
				return r;
			if (nf_stop_signo(c->cli->stop))
				break;
		}
		if (r < 0)
			return r;
		if (!live || nf_stop_signo(c->cli->stop))
			return nf_line_finish(lines, show_line, c, err);
		nanosleep(&(struct timespec){ .tv_nsec = FOLLOW_MS * 1000000L }, NULL);
	}
}

static int tell_rest(struct console *c, const struct nf_capture_reader *reader, struct nf_err *err)
{
	struct nf_capture_rest rest;
	int r = nf_capture_rest(reader, &rest, err);

	if (r < 0)
		return r;
	if (rest.untimed_bytes)
		nf_cli_note(c->cli, "%llu bytes at the end have no time and are not shown",
		            (unsigned long long)rest.untimed_bytes);
	if (rest.missing_bytes)
		nf_cli_note(c->cli, "%llu bytes of the index are missing in the capture",
		            (unsigned long long)rest.missing_bytes);
	return rest.missing_bytes || rest.untimed_bytes || rest.torn_bytes ? NF_EXIT_UNSUPPORTED
	                                                                   : NF_EXIT_PASS;
}

static int look_at(struct nf_cli *cli, const char *folder, struct nf_err *err)
{
	struct console c = { .cli = cli, .show = !cli->global->quiet };
	struct nf_capture_reader reader = { .raw = -1, .idx = -1 };
	struct nf_lines lines = { 0 };
	char path[4096];
	int dir, r;

	if (snprintf(path, sizeof(path), "%s/captures", folder) >= (int)sizeof(path))
		return nf_fail(err, NF_EARG, "'%s': the path is too long", folder);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return nf_fail(err, NF_EARG,
		               "'%s': a folder without captures%s%s; allowed: a run folder of lab "
		               "console, a port, or a campaign file",
		               folder, errno == ENOENT ? "" : ": ",
		               errno == ENOENT ? "" : strerror(errno));
	nf_buf_init(&c.out, LINE_BYTES * 4);
	r = nf_capture_open(&reader, dir, NF_CONSOLE_CAPTURE, err);
	if (r == 0)
		r = nf_line_init(&lines, NF_LINE_LIMIT, err);
	if (r == 0)
		r = follow(&c, &reader, &lines, err);
	if (r == 0)
		r = nf_stop_signo(cli->stop) ? 128 + nf_stop_signo(cli->stop)
		                             : tell_rest(&c, &reader, err);
	nf_line_fini(&lines);
	nf_capture_reader_fini(&reader);
	nf_buf_fini(&c.out);
	close(dir);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_lab_target target = { 0 };
	struct stat st;
	int r;

	(void)argc;
	if (stat(argv[0], &st) == 0 && S_ISDIR(st.st_mode)) {
		if (p->interactive || cli->global->json)
			return nf_fail(err, NF_EARG,
			               "%s: a run folder is only looked at; allowed with it: no %s",
			               argv[0], p->interactive ? "--interactive" : "--json");
		return look_at(cli, argv[0], err);
	}
	r = nf_lab_target_read(argv[0], (uint32_t)p->baud, p->baud_given, &target, err);
	if (r == 0)
		r = capture(cli, p, &target.port, err);
	nf_lab_target_fini(&target);
	return r;
}

const struct nf_cmd nf_cmd_lab_console = {
	.name = "lab console",
	.operands = "PORT|FILE|RUN",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "captures a console, with the time of every line",
	.description =
	        "PORT is /dev/NAME, device:PATH, by_path:NAME, by_id:NAME, pty:PATH, unix:PATH or "
	        "tcp:HOST:PORT; FILE is a campaign file, whose console it is then. Every line is "
	        "shown with the time of its first byte, in seconds "
	        "since "
	        "the beginning, with as many digits as the time is known to; ~ marks a line that "
	        "has no end yet. Bytes and times go into captures/ of the run folder as they come, "
	        "from which all else can be made again.\n\n"
	        "The port is this command's alone while it runs. Others look at what it captures: "
	        "given RUN, the run folder, this command shows the lines that are there and "
	        "follows "
	        "while more come.\n\n"
	        "What a terminal would obey is shown as \\xNN and never reaches yours. With "
	        "--interactive the console's text does, with cursor movements, colours and "
	        "erasing; "
	        "titles, the clipboard and all else are dropped.\n\n"
	        "Exit code: 5 when the port is held by another program or goes away; what was "
	        "captured is kept.",
	.examples =
	        "lab console by_path:pci-0000:00:14.0-usb-0:2.2:1.0-port0 # a port that keeps its "
	        "name\n"
	        "lab console --interactive --baud 1500000 /dev/ttyUSB0 # and type to the board\n"
	        "lab console c4.yaml # the console of a campaign file\n"
	        "lab console runs/20260102T030405Z-lab-lab-console # look at what another captures",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "lab console {pty}",
	.test_short = "lab console --duration 100ms {pty}",
	.run = run,
};
