/* SPDX-License-Identifier: MIT */
/* What a trip leaves: its state for another process, the record, the text. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "job/lane_trip_impl.h"
#include "job/lane_window.h"
#include "record/write.h"
#include "report/text.h"

static const char STATE[] = "trip";

/* --- the state --- */

static int derived_fd(const char *run, struct nf_err *err)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/derived", run);

	if (n < 0 || (size_t)n >= sizeof(path))
		return nf_fail_os(err, ENAMETOOLONG, "run folder");
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : nf_fail_os(err, errno, "cannot open %s", path);
}

static int replace_state(const struct nf_lane_going *g, const struct nf_buf *text,
                         struct nf_err *err)
{
	int dir = derived_fd(nf_runfolder_path(g->folder), err);

	if (dir < 0)
		return dir;
	int r = nf_replace_file_atomic_as(dir, STATE, text->data, text->len_bytes, 0600,
	                                  g->o->owner_uid, g->o->owner_gid, err);
	close(dir);
	return r;
}

int nf_lane_going_save(struct nf_lane_going *g, struct nf_err *err)
{
	struct nf_buf text;

	if (!g->folder)
		return 0;
	nf_buf_init(&text, NF_TRIP_FILE_MAX_BYTES);
	int r = nf_trip_print(&g->t, &g->n, &text, err);
	if (r == 0 && g->state_is_there)
		r = replace_state(g, &text, err);
	else if (r == 0)
		r = nf_runfolder_put(g->folder, "derived/trip", text.data, text.len_bytes, err);
	g->state_is_there |= r == 0;
	nf_buf_fini(&text);
	return r;
}

static int read_state(struct nf_lane_going *g, struct nf_buf *text, struct nf_err *err)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/derived/%s", g->j->resume, STATE);

	if (n < 0 || (size_t)n >= sizeof(path))
		return nf_fail(err, NF_EARG, "--resume: the path is too long");
	int fd = nf_open_input(path, "the run folder of a trip", err);
	if (fd < 0)
		return fd;
	int r = nf_read_all(fd, text, path, err);
	close(fd);
	return r < 0 ? r : nf_trip_parse(text->data, text->len_bytes, path, &g->t, &g->n, err);
}

int nf_lane_going_load(struct nf_lane_going *g, struct nf_err *err)
{
	struct nf_buf text;

	nf_buf_init(&text, NF_TRIP_FILE_MAX_BYTES);
	int r = read_state(g, &text, err);
	nf_buf_fini(&text);
	if (r < 0)
		return r;
	if (strcmp(g->n.target, g->j->lane.where.target) != 0)
		return nf_fail(err, NF_EARG,
		               "--resume: that trip was of %s; allowed: the same --target",
		               g->n.target);
	if (g->t.end == NF_TRIP_PASS && g->t.state == NF_TRIP_AT_END)
		return nf_fail(err, NF_EARG,
		               "--resume: that trip ended well; allowed: one that did not");
	if (g->n.measures != g->j->trip.measures)
		return nf_fail(
		        err, NF_EARG,
		        "--resume: that trip was begun by `lane %s`; allowed: the same command",
		        g->n.measures ? "campaign" : "arm --reboot");
	nf_trip_resume(&g->t, &g->j->trip, nf_now_monotonic().ns);
	return nf_runfolder_create(g->o->runs_dir, nf_now_utc(), *g->n.host ? g->n.host : "unknown",
	                           g->o->tag ? g->o->tag : "lane", g->o->owner_uid, g->o->owner_gid,
	                           GOING_RESERVE_BYTES, &g->folder, err);
}

/* --- the record --- */

static enum nf_rec_validation result_of(const struct nf_lane_going *g)
{
	if (g->t.end == NF_TRIP_STOPPED)
		return NF_VALIDATION_PARTIAL;
	if (g->t.end != NF_TRIP_PASS || !g->n.rt_ok || g->default_preserved == NF_MAYBE_NO ||
	    g->next_consumed == NF_MAYBE_NO || g->return_pass == NF_MAYBE_NO)
		return NF_VALIDATION_FAIL;
	if (g->default_preserved == NF_MAYBE_UNKNOWN || g->next_consumed == NF_MAYBE_UNKNOWN)
		return NF_VALIDATION_PARTIAL;
	return NF_VALIDATION_PASS;
}

static int put_forms(struct nf_lane_going *g, const struct nf_rec_kernel_validation_run *rec,
                     const struct nf_buf *json, struct nf_err *err)
{
	struct nf_buf dhall;

	nf_buf_init(&dhall, NF_RECORD_TEXT_BYTES);
	int r = nf_runfolder_put(g->folder, "record.json", json->data, json->len_bytes, err);
	if (r == 0)
		r = nf_record_to_dhall(&nf_rec_kernel_validation_run_type, rec, &dhall, NULL, err);
	if (r == 0)
		r = nf_runfolder_put(g->folder, "record.dhall", dhall.data, dhall.len_bytes, err);
	nf_buf_fini(&dhall);
	return r;
}

static int write_record(struct nf_lane_going *g, struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_lane_window seen = { 0 };
	const char *window =
	        *g->n.run_rt ? nf_arena_printf(&g->arena, "%s/%s", g->o->runs_dir, g->n.run_rt)
	                     : NULL;
	int r = window ? nf_lane_window_open(window, &g->arena, &seen, err) : 0;
	if (r < 0)
		return r;
	const struct nf_lane_validation v = {
		.phase = g->n.measures ? "campaign" : "one-shot",
		.owner_issue = g->j->owner_issue,
		.intent = g->j->intent,
		.default_kernel = g->default_kernel,
		.default_preserved = g->default_preserved,
		.next_consumed = g->next_consumed,
		.next_state = g->n.entry,
		.return_release = g->return_release,
		.return_pass = g->return_pass,
		.reconnect_ns = g->t.reconnect_ns,
		.return_ns = g->t.return_ns,
		.run_generic = g->n.run_generic,
		.run_rt = g->n.run_rt,
		.note = { g->t.why, g->t.left, g->why_rt, g->why_back,
		          g->j->resume
		                  ? "gone on with by another process; times of waits that were "
		                    "interrupted are not known"
		                  : NULL,
		          seen.smi_note, seen.hwlat_note },
		.smi_per_10s = seen.smi_per_10s,
		.hwlat_max_us = seen.hwlat_max_us,
		.result = result_of(g),
	};
	struct nf_rec_kernel_validation_run rec;

	r = nf_lane_validation_fill(&v, &g->n, &g->arena, &rec, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_kernel_validation_run_type, &rec, &ret->json, NULL,
		                      err);
	if (r == 0)
		r = put_forms(g, &rec, &ret->json, err);
	if (r < 0)
		return r;
	nf_lane_validation_text(&rec, &ret->summary);
	(void)nf_buf_add(&ret->summary, g->comparison.data, g->comparison.len_bytes);
	(void)nf_text_escaped(&ret->json);
	ret->result = v.result == NF_VALIDATION_PASS   ? NF_RESULT_PASS
	              : v.result == NF_VALIDATION_FAIL ? NF_RESULT_FAIL
	                                               : NF_RESULT_PARTIAL;
	ret->exit_code = ret->result == NF_RESULT_PASS ? 0 : ret->result == NF_RESULT_FAIL ? 1 : 3;
	return 0;
}

/* --- the end --- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

/* Where nothing was changed and nothing measured there is nothing to keep. */
static void drop_folder(struct nf_lane_going *g)
{
	if (!g->folder || g->j->resume || g->t.has_generic)
		return;
	(void)nftw(nf_runfolder_path(g->folder), remove_one, 16, FTW_DEPTH | FTW_PHYS);
	nf_runfolder_free(g->folder);
	g->folder = NULL;
}

static int failed_end(const struct nf_lane_going *g, struct nf_err *err)
{
	return nf_fail(err, g->t.end == NF_TRIP_REFUSED ? NF_EUNSUPPORTED : NF_ESUBJECT,
	               "%s%s%s%s%s", g->t.why, *g->t.left ? "; " : "", g->t.left,
	               g->folder && g->t.end != NF_TRIP_REFUSED ? "; --resume " : "",
	               g->folder && g->t.end != NF_TRIP_REFUSED ? nf_runfolder_path(g->folder)
	                                                        : "");
}

int nf_lane_going_conclude(struct nf_lane_going *g, struct nf_job_outcome *ret, struct nf_err *err)
{
	bool stopped = g->t.end == NF_TRIP_STOPPED;
	int r;

	if (g->broken < 0) {
		*err = g->broken_err;
		return g->broken;
	}
	if (g->t.end == NF_TRIP_REFUSED)
		drop_folder(g);
	if (!g->n.verified && (!stopped || !g->folder))
		return failed_end(g, err);
	(void)nf_buf_adds(&ret->folder, nf_runfolder_path(g->folder));
	if (!g->n.verified) {
		(void)nf_buf_addf(&ret->summary, "%s%s%s\n", g->t.why, *g->t.left ? "; " : "",
		                  g->t.left);
		ret->result = NF_RESULT_PARTIAL;
	} else {
		r = write_record(g, ret, err);
		if (r < 0)
			return r;
	}
	(void)nf_text_printable(&ret->summary);
	if (stopped)
		ret->exit_code = nf_stop_signo(g->o->stop) == SIGINT ? 130 : 143;
	else if (g->t.end == NF_TRIP_BROKEN)
		ret->exit_code = 5;
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r == 0)
		r = nf_runfolder_put(g->folder, "derived/summary.txt", ret->summary.data,
		                     ret->summary.len_bytes, err);
	if (r == 0 && g->n.verified && !stopped)
		r = nf_runfolder_commit(g->folder, err);
	return r;
}
