/* SPDX-License-Identifier: MIT */
#include "job/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "job/head.h"
#include "record/write.h"
#include "report/text.h"

enum {
	ARENA_BYTES = 256 << 20, /* 1,200 CPUs with all their figures take about 10 MiB */
	CAPTURE_BYTES = 16 << 20,
};

static void on_progress(void *ctx, double fraction)
{
	const struct nf_session *s = ctx;
	const struct nf_job_watch *w = s->opts->watch;

	if (w && w->step_progress && s->step)
		w->step_progress(w->ctx, s->step, fraction);
}

static int check_lane(const struct nf_session *s, struct nf_err *err)
{
	enum nf_lane lane = nf_posture_lane(&s->before);
	enum nf_lane want = s->opts->expect_lane == NF_EXPECT_RT ? NF_LANE_RT : NF_LANE_GENERIC;

	if (s->opts->expect_lane == NF_EXPECT_ANY || lane == want)
		return 0;
	return nf_fail(
	        err, NF_EUNSUPPORTED,
	        "--expect-lane %s: this kernel's lane is %s (%s); boot the expected kernel or "
	        "expect any",
	        nf_lane_name(want), nf_lane_name(lane),
	        s->before.realtime_source ? s->before.realtime_source : "nothing could be read");
}

int nf_session_open(struct nf_session *s, const struct nf_job_opts *opts, struct nf_err *err)
{
	int r;

	s->opts = opts;
	s->root.dirfd = -1;
	nf_arena_init(&s->arena, ARENA_BYTES);
	s->started_utc = nf_now_utc();
	s->started_raw = nf_now_raw();
	r = nf_rootfs_open(&s->root, NULL, err);
	if (r < 0)
		return r;
	r = nf_posture_read(&s->root, &s->arena, &s->before, err);
	if (r < 0)
		return r;
	r = check_lane(s, err);
	if (r < 0)
		return r;
	r = nf_topology_load(&s->root, &s->topo, err);
	if (r < 0)
		return r;
	s->env = (struct nf_probe_env){
		.root = &s->root,
		.topo = s->topo,
		.posture = &s->before,
		.clock = &s->clock,
		.journal = opts->journal,
		.no_journal = opts->no_journal,
		.stop = opts->stop,
		.progress = on_progress,
		.progress_ctx = s,
	};
	return 0;
}

int nf_session_clock(struct nf_session *s, struct nf_err *err)
{
	return nf_tick_open(&s->root, s->opts->clock, &s->clock, err);
}

/* What the record was made from, as read: before and, where it moves, after. */
static const struct {
	const char *path;
	bool again;
} captures[] = {
	{ "proc/version", false },
	{ "proc/cmdline", false },
	{ "proc/cpuinfo", false },
	{ "proc/meminfo", true },
	{ "proc/loadavg", true },
	{ "proc/uptime", true },
	{ "proc/stat", true },
	{ "proc/interrupts", true },
	{ "proc/softirqs", true },
	{ "proc/self/status", false },
	{ "proc/self/cgroup", false },
	{ "sys/kernel/realtime", false },
	{ "sys/devices/system/clocksource/clocksource0/current_clocksource", false },
	{ "sys/devices/system/clocksource/clocksource0/available_clocksource", false },
	{ "sys/devices/system/cpu/online", false },
	{ "sys/devices/system/cpu/isolated", false },
	{ "sys/devices/system/node/online", false },
	{ "sys/kernel/tracing/available_tracers", false },
};

static int capture(struct nf_session *s, bool after, struct nf_err *err)
{
	struct nf_buf text;
	int r = 0;

	nf_buf_init(&text, CAPTURE_BYTES);
	for (size_t i = 0; i < sizeof(captures) / sizeof(captures[0]) && r == 0; i++) {
		char name[160];

		if (after && !captures[i].again)
			continue;
		nf_buf_clear(&text);
		/* Absent, unreadable or too long: the posture says so where it matters. */
		r = nf_rootfs_read(&s->root, captures[i].path, &text, err);
		if (r == -NF_ENOMEM)
			break;
		if (r < 0) {
			r = 0;
			continue;
		}
		snprintf(name, sizeof(name), "captures/%s%s.txt", captures[i].path,
		         !captures[i].again ? ""
		         : after            ? ".after"
		                            : ".before");
		for (char *c = name + strlen("captures/"); *c; c++)
			if (*c == '/')
				*c = '_';
		r = nf_runfolder_put(s->folder, name, text.data, text.len_bytes, err);
	}
	nf_buf_fini(&text);
	return r;
}

int nf_session_folder(struct nf_session *s, uint64_t reserve_bytes, struct nf_err *err)
{
	const struct nf_job_opts *o = s->opts;
	int r = nf_runfolder_create(o->runs_dir, s->started_utc,
	                            s->before.host_name ? s->before.host_name : "unknown",
	                            o->tag ? o->tag : "run", o->owner_uid, o->owner_gid,
	                            reserve_bytes, &s->folder, err);

	if (r < 0)
		return r;
	return capture(s, false, err);
}

void nf_session_close(struct nf_session *s)
{
	nf_runfolder_free(s->folder);
	nf_topology_free(s->topo);
	if (s->root.dirfd >= 0)
		nf_rootfs_close(&s->root);
	nf_arena_fini(&s->arena);
}

/* One table for JSON, Dhall and CSV. */
static int put_forms(struct nf_session *s, const struct nf_type *t, const void *record,
                     const struct nf_buf *json, struct nf_err *err)
{
	struct nf_buf text;
	int r;

	nf_buf_init(&text, NF_RECORD_TEXT_BYTES);
	r = nf_runfolder_put(s->folder, "record.json", json->data, json->len_bytes, err);
	if (r < 0)
		goto out;
	r = nf_record_to_dhall(t, record, &text, NULL, err);
	if (r < 0)
		goto out;
	r = nf_runfolder_put(s->folder, "record.dhall", text.data, text.len_bytes, err);
	if (r < 0)
		goto out;
	nf_buf_clear(&text);
	r = nf_record_to_csv(t, record, &text, err);
	if (r < 0)
		goto out;
	r = nf_runfolder_put(s->folder, "derived/record.csv", text.data, text.len_bytes, err);
out:
	nf_buf_fini(&text);
	return r;
}

static int exit_of(const struct nf_session *s, const struct nf_verdict *v)
{
	if (s->stopped_by)
		return 128 + s->stopped_by;
	if (v->failed)
		return 4;
	if (v->subject_failed)
		return 5;
	if (v->result == NF_RESULT_FAIL)
		return 1;
	if (v->undecided || v->result == NF_RESULT_BLOCKED)
		return 3;
	if (v->result == NF_RESULT_PARTIAL && s->opts->strict)
		return 3;
	return 0;
}

int nf_session_finish(struct nf_session *s, const struct nf_type *t, void *record,
                      struct nf_rec_head *head, const struct nf_verdict *verdict,
                      nf_session_text_fn *text, struct nf_job_outcome *ret, struct nf_err *err)
{
	int r = capture(s, true, err);

	if (r < 0)
		return r;
	r = nf_head_fill(s, verdict, head, err);
	if (r < 0)
		return r;
	r = nf_rec_head_finish(head, t, record, &s->arena, err);
	if (r < 0)
		return r;
	r = nf_record_to_json(t, record, &ret->json, NULL, err);
	if (r < 0)
		return r;
	text(record, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	nf_buf_adds(&ret->folder, nf_runfolder_path(s->folder));
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r < 0)
		return r;
	r = nf_buf_failed(&ret->folder, "path", err);
	if (r < 0)
		return r;
	r = put_forms(s, t, record, &ret->json, err);
	if (r < 0)
		return r;
	r = nf_runfolder_put(s->folder, "derived/summary.txt", ret->summary.data,
	                     ret->summary.len_bytes, err);
	if (r < 0)
		return r;
	r = nf_runfolder_commit(s->folder, err);
	if (r < 0)
		return r;
	ret->result = verdict->result;
	ret->exit_code = exit_of(s, verdict);
	return 0;
}

void nf_job_outcome_init(struct nf_job_outcome *o)
{
	*o = (struct nf_job_outcome){ .result = NF_RESULT_BLOCKED };
	nf_buf_init(&o->folder, 8192);
	nf_buf_init(&o->summary, 64 << 20);
	nf_buf_init(&o->json, NF_RECORD_TEXT_BYTES);
}

void nf_job_outcome_fini(struct nf_job_outcome *o)
{
	nf_buf_fini(&o->folder);
	nf_buf_fini(&o->summary);
	nf_buf_fini(&o->json);
}
