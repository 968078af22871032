/* SPDX-License-Identifier: MIT */
#include "job/lab_console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job/head.h"
#include "job/port_record.h"
#include "job/session.h"
#include "record/rec_console.h"
#include "report/text_console.h"

enum { RESERVE_BYTES = 4 << 20, WRITE_MS = 5000, WAIT_MS = 100, NS_PER_MS = 1000000 };

struct job {
	struct nf_session session;
	const struct nf_console_opts *opts;
	struct nf_port port;
	struct nf_console console;
	struct nf_lines lines;
	struct nf_port_errors before;
	struct nf_port_errors after;
	int64_t last_ns; /* of the last byte; for silence */
	bool told; /* the present silence was */
	bool ended; /* by the user */
	uint64_t n_typed;
	double interval_sum_ns;
	int64_t interval_max_ns;
	uint64_t n_intervals, n_waiting;
	int64_t wall_ns;
	struct nf_err why; /* code set: what ended it */
	struct nf_rec_console_errors rec_errors;
	struct nf_rec_console_run record;
};

static int open_captures(const struct job *j, struct nf_err *err)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/captures", nf_runfolder_path(j->session.folder));
	int fd;

	if (n < 0 || (size_t)n >= sizeof(path))
		return nf_fail_os(err, ENAMETOOLONG, "run folder");
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : nf_fail_os(err, errno, "cannot open %s", path);
}

static int begin(struct job *j, struct nf_err *err)
{
	const struct nf_console_watch *w = j->opts->watch;
	int dir = open_captures(j, err), r;

	if (dir < 0)
		return dir;
	r = nf_console_open(&j->console, &j->port, dir, NF_CONSOLE_CAPTURE, j->opts->input, err);
	close(dir);
	if (r == 0)
		r = nf_runfolder_give(j->session.folder, "captures/" NF_CONSOLE_CAPTURE ".raw",
		                      err);
	if (r == 0)
		r = nf_runfolder_give(j->session.folder, "captures/" NF_CONSOLE_CAPTURE ".idx",
		                      err);
	nf_port_read_errors(&j->port, &j->before);
	if (r == 0 && w && w->begin)
		r = w->begin(w->ctx, &j->port.facts, nf_runfolder_path(j->session.folder), err);
	return r;
}

static int open_job(struct job *j, const struct nf_job_opts *o, struct nf_err *err)
{
	/* The port first: a folder of a console that cannot be had would be of nothing. */
	int r = nf_session_open(&j->session, o, err);

	if (r == 0)
		r = nf_port_open(&j->port, &j->opts->port, &j->session.root, NULL, err);
	if (r == 0)
		r = nf_line_init(&j->lines, NF_LINE_LIMIT, err);
	if (r == 0)
		r = nf_session_folder(&j->session, RESERVE_BYTES, err);
	return r < 0 ? r : begin(j, err);
}

static int take_line(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	struct job *j = ctx;
	const struct nf_console_watch *w = j->opts->watch;
	int64_t width = line->first_hi_ns - line->first_lo_ns;

	if (line->waiting) {
		j->n_waiting++;
	} else {
		j->interval_sum_ns += (double)width;
		j->n_intervals++;
		if (width > j->interval_max_ns)
			j->interval_max_ns = width;
	}
	return w && w->line ? w->line(w->ctx, line, err) : 0;
}

static int take_bytes(struct job *j, const struct nf_capture_read *read, struct nf_err *err)
{
	const struct nf_console_watch *w = j->opts->watch;
	struct nf_line_time t = nf_capture_time(&j->console.head, read);
	int r = 0;

	j->last_ns = read->done_ns;
	j->told = false;
	if (w && w->bytes)
		r = w->bytes(w->ctx, j->console.data, read->bytes, err);
	return r < 0 ? r
	             : nf_line_feed(&j->lines, j->console.data, read->bytes, &t, take_line, j, err);
}

static int take_input(struct job *j, struct nf_err *err)
{
	const struct nf_console_watch *w = j->opts->watch;
	char typed[1024];
	size_t n = 0;
	int r = w->input(w->ctx, typed, sizeof(typed), &n, &j->ended, err);

	if (r == 0 && n)
		r = nf_port_write(&j->port, typed, n, WRITE_MS, err);
	if (r == 0)
		j->n_typed += n;
	return r;
}

static int tell_silence(struct job *j, struct nf_err *err)
{
	const struct nf_console_watch *w = j->opts->watch;
	struct nf_line tail;

	if (j->told || nf_console_now_ns(&j->console) - j->last_ns <
	                       (int64_t)NF_CONSOLE_SILENCE_MS * NS_PER_MS)
		return 0;
	j->told = true;
	(void)nf_line_tail(&j->lines, &tail);
	return tail.len && w && w->silence ? w->silence(w->ctx, &tail, err) : 0;
}

/* Until the end, whichever. What ended it goes into *err: the capture is kept all the same. */
static int capture(struct job *j, struct nf_err *err)
{
	const struct nf_stop *stop = j->session.opts->stop;

	while (!nf_stop_signo(stop) && !j->ended) {
		int64_t now = nf_console_now_ns(&j->console), left = j->opts->duration_ns - now;
		enum nf_console_event event;
		struct nf_capture_read read;
		int wait_ms = WAIT_MS, r;

		if (j->opts->duration_ns && left <= 0)
			return 0;
		if (j->opts->duration_ns && left < (int64_t)WAIT_MS * NS_PER_MS)
			wait_ms = (int)(left / NS_PER_MS) + 1;
		r = nf_console_wait(&j->console, wait_ms, &event, &read, err);
		if (event == NF_CONSOLE_BYTES) {
			/* Also when it could not be kept: what was read is shown. */
			int taken = take_bytes(j, &read, r < 0 ? NULL : err);

			r = r < 0 ? r : taken;
		} else if (r == 0 && event == NF_CONSOLE_INPUT) {
			r = take_input(j, err);
		}
		if (r == 0)
			r = tell_silence(j, err);
		if (r < 0)
			return r;
	}
	j->session.stopped_by = nf_stop_signo(stop);
	return 0;
}

/* --- the record --- */

static void fill_lines(struct job *j)
{
	const struct nf_line_counts *c = &j->lines.counts;

	j->record.lines = (struct nf_rec_console_lines){
		.lines = c->n_lines,
		.lf = c->n_ending[NF_LINE_LF],
		.lfcr = c->n_lfcr,
		.crlf = c->n_ending[NF_LINE_CRLF],
		.crcrlf = c->n_ending[NF_LINE_CRCRLF],
		.unterminated = c->n_ending[NF_LINE_UNTERMINATED],
		.replaced = c->n_replaced,
		.replaced_bytes = c->replaced_bytes,
		.cut = c->n_cut,
		.cut_bytes = c->cut_bytes,
		.nul = c->n_nul,
		.bad_utf8 = c->n_bad_utf8,
		.controls = c->n_controls,
		.control_bytes = c->control_bytes,
	};
	if (j->n_intervals) {
		j->record.interval_mean_ns =
		        nf_some_real(j->interval_sum_ns / (double)j->n_intervals);
		j->record.interval_max_ns = nf_some_real((double)j->interval_max_ns);
	}
	j->record.waiting = j->n_waiting;
}

static int fill_files(struct job *j, struct nf_err *err)
{
	static const char *const names[] = { "captures/" NF_CONSOLE_CAPTURE ".raw",
		                             "captures/" NF_CONSOLE_CAPTURE ".idx" };
	struct nf_arena *a = &j->session.arena;
	struct nf_rec_file_ref *ref = nf_arena_alloc(a, 2, sizeof(*ref));

	for (size_t i = 0; ref && i < 2; i++) {
		char hex[65];
		int r = nf_runfolder_digest(j->session.folder, names[i], hex, err);

		if (r < 0)
			return r;
		ref[i] = (struct nf_rec_file_ref){ names[i], nf_arena_strdup(a, hex) };
	}
	j->record.files = (struct nf_list){ ref, ref ? 2 : 0 };
	return 0;
}

static int fill_record(struct job *j, struct nf_err *err)
{
	struct nf_rec_console_run *rec = &j->record;

	nf_port_record(&j->port.facts, &j->session.arena, &rec->port);
	if (nf_port_errors_record(&j->before, &j->after, &j->rec_errors))
		rec->errors = &j->rec_errors;
	fill_lines(j);
	rec->interactive = j->opts->input >= 0;
	rec->bytes_typed = j->n_typed;
	rec->limit_bytes = j->lines.limit;
	rec->epoch_utc =
	        nf_head_utc(&j->session.arena, (struct nf_instant){ j->console.head.epoch_utc_ns });
	rec->wall_ns = (uint64_t)j->wall_ns;
	rec->bytes = j->console.n_bytes;
	rec->reads = j->console.n_reads;
	int r = fill_files(j, err);
	return r < 0 ? r : nf_arena_failed(&j->session.arena, "record", err);
}

static void conclude(const struct job *j, struct nf_verdict *v)
{
	*v = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.claim_ceiling =
		        "Times are when bytes could be read here, within the interval that each "
		        "line has; what the board did before it printed is not seen.",
	};
	if (j->why.code == NF_ESUBJECT) {
		v->result = NF_RESULT_FAIL;
		v->subject_failed = true;
	} else if (j->why.code) {
		v->result = NF_RESULT_PARTIAL;
		v->failed = true;
	} else if (j->session.stopped_by) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = "stopped by a signal";
	}
	if (j->why.code)
		v->reason = j->why.msg;
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_console_run(record, out);
}

static int finish(struct job *j, struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_verdict verdict;
	int r;

	j->wall_ns = nf_console_now_ns(&j->console);
	nf_port_read_errors(&j->port, &j->after);
	r = nf_line_finish(&j->lines, take_line, j, j->why.code ? NULL : &j->why);
	if (r < 0 && !j->why.code)
		j->why.code = (enum nf_code) - r;
	r = nf_console_close(&j->console, err);
	if (r == 0)
		r = fill_record(j, err);
	if (r < 0)
		return r;
	conclude(j, &verdict);
	return nf_session_finish(&j->session, &nf_rec_console_run_type, &j->record, &j->record.head,
	                         &verdict, text, ret, err);
}

int nf_job_console(const struct nf_job_opts *o, const struct nf_console_opts *c,
                   struct nf_job_outcome *ret, struct nf_err *err)
{
	struct job j = { .opts = c,
		         .record.schema = "ConsoleRun/1",
		         .session.root.dirfd = -1,
		         .port.fd = -1,
		         .console.epoll = -1 };
	struct nf_err closing = { 0 };
	int r = open_job(&j, o, err), ended = 0;

	if (r == 0) {
		ended = capture(&j, &j.why);
		r = finish(&j, ret, ended < 0 ? &closing : err);
	}
	/* The first failure counts; that the port is gone is the outcome's to tell. */
	if (j.why.code && j.why.code != NF_ESUBJECT) {
		*err = j.why;
		r = -(int)j.why.code;
	} else if (r < 0 && ended < 0) {
		*err = closing;
	}
	if (nf_console_close(&j.console, NULL) < 0) /* closed already, but on failure */
		r = r ? r : -NF_EOS;
	nf_port_close(&j.port);
	nf_line_fini(&j.lines);
	nf_session_close(&j.session);
	return r;
}
