/* SPDX-License-Identifier: MIT */
/* host_probe - the published HostProbeRun records: one per NUMA sample of a window. */
#include <stdio.h>
#include <string.h>

#include "build_info.h"
#include "job/head.h"
#include "job/window.h"
#include "record/rec_hostprobe.h"
#include "record/write.h"

enum { TEXT_BYTES = 1 << 20 };

/* NULL when every field that is not optional is known. */
static const char *what_is_unknown(const struct nf_window *win)
{
	const struct nf_rec_window_run *w = &win->record;

	if (w->numa.n == 0)
		return "there is no NUMA sample";
	if (!w->wake)
		return "wake-ups were not measured, so conformance and jitter are unknown";
	if (!w->wake->body.conforms.some)
		return "wake-up samples are incomplete, so conformance is unknown";
	if (!w->wake->body.jitter)
		return "there are no wake-up intervals, so the jitter is unknown";
	if (!win->session.before.kernel_release)
		return "the kernel's release is unknown";
	return NULL;
}

static struct nf_some_real seconds(const struct nf_rec_summary *s)
{
	return s ? nf_some_real(s->median * 1e-9) : (struct nf_some_real){ 0 };
}

static struct nf_list texts(struct nf_arena *a, const char *const *v, size_t n)
{
	const char **list = nf_arena_alloc(a, n, sizeof(*list));

	for (size_t i = 0; list && i < n; i++)
		list[i] = v[i];
	return (struct nf_list){ list, list ? n : 0 };
}

static int expected(const struct nf_job_opts *o)
{
	return o->expect_lane == NF_EXPECT_RT        ? NF_LANE_RT
	       : o->expect_lane == NF_EXPECT_GENERIC ? NF_LANE_GENERIC
	                                             : NF_LANE_UNKNOWN;
}

/* Only what /sys/kernel/realtime itself says: the field is named after that file. */
static struct nf_some_bool flag_of(const struct nf_posture *m)
{
	bool read = m->realtime_source && strcmp(m->realtime_source, "/sys/kernel/realtime") == 0;

	return read ? (struct nf_some_bool){ m->realtime.some, m->realtime.v }
	            : (struct nf_some_bool){ 0 };
}

static void fill(struct nf_window *win, const struct nf_rec_numa_step *numa,
                 struct nf_rec_host_probe_run *p)
{
	struct nf_session *s = &win->session;
	struct nf_arena *a = &s->arena;
	const struct nf_posture *m = &s->before;
	const struct nf_rec_wake_body *wake = &win->record.wake->body;
	const struct nf_rec_stream_ref *numa_ref = numa->facts.streams.items;
	const struct nf_rec_stream_ref *wake_ref = win->record.wake->facts.streams.items;
	const char *files[] = { "record.json", wake_ref[0].file, numa_ref[0].file };
	const char *notes[] = {
		"jitter is measured: distances of wake-up intervals from the period, all workers",
		"serialSeconds and parallelSeconds are medians; speedup is their ratio; the base "
		"is "
		"vectorised",
		"channel data is synthetic",
	};

	*p = (struct nf_rec_host_probe_run){
		.date = nf_arena_strndup(a, nf_head_utc(a, s->started_utc), strlen("2026-01-02")),
		.host = m->host_name ? m->host_name : "unknown",
		.compilerSource = "build of this program",
		.compilerRef = NF_BUILD_COMPILER,
		.expectedLane = expected(s->opts),
		.kernelVersion = m->kernel_release,
		.unameVariant = m->kernel_version,
		.sysKernelRealtime = flag_of(m),
		.tunedProfile = m->tuned_profile,
		.localeCount = 1,
		.sublocaleCount = numa->body.nodes,
		.coresPerLocale = nf_topology_n_cores(s->topo, true),
		.channelCount = numa->body.channels,
		.sampleCount = numa->body.samples,
		.sampleRateHz = numa->body.rate_hz,
		.partitionCount = numa->body.partitions,
		.timingConforms = wake->conforms.v,
		.jitterMinSeconds = wake->jitter->min * 1e-9,
		.jitterMaxSeconds = wake->jitter->max * 1e-9,
		.jitterMeanSeconds = wake->jitter->mean * 1e-9,
		.serialSeconds = seconds(numa->body.serial),
		.parallelSeconds = seconds(numa->body.parallel),
		.speedup = numa->body.speedup,
		.delta = numa->body.difference,
		.contractCeiling =
		        "one reduction over synthetic data and the wake-ups of this run; no "
		        "comparison of lanes",
		.result = !wake->conforms.v || numa->facts.result == NF_RESULT_FAIL
		                  ? NF_RESULT_FAIL
		                  : numa->facts.result,
		.evidence = texts(a, files, sizeof(files) / sizeof(files[0])),
		.notes = texts(a, notes, sizeof(notes) / sizeof(notes[0])),
	};
}

static int put(struct nf_session *s, const struct nf_rec_host_probe_run *p, size_t number,
               struct nf_rec_file_ref *ref, struct nf_err *err)
{
	struct nf_buf text;
	char name[64], hex[65];
	int r;

	nf_buf_init(&text, TEXT_BYTES);
	snprintf(name, sizeof(name), "host-probe/sample-%02zu.json", number);
	r = nf_record_to_json(&nf_rec_host_probe_run_type, p, &text, NULL, err);
	if (r < 0)
		goto out;
	r = nf_runfolder_put(s->folder, name, text.data, text.len_bytes, err);
	if (r < 0)
		goto out;
	nf_buf_clear(&text);
	snprintf(name, sizeof(name), "host-probe/sample-%02zu.dhall", number);
	r = nf_record_to_dhall(&nf_rec_host_probe_run_type, p, &text, NULL, err);
	if (r < 0)
		goto out;
	r = nf_runfolder_put(s->folder, name, text.data, text.len_bytes, err);
	if (r < 0)
		goto out;
	r = nf_runfolder_digest(s->folder, name, hex, err);
	if (r < 0)
		goto out;
	ref->path = nf_arena_strdup(&s->arena, name);
	ref->sha256 = nf_arena_strdup(&s->arena, hex);
	r = nf_arena_failed(&s->arena, "record", err);
out:
	nf_buf_fini(&text);
	return r;
}

int nf_window_host_probes(struct nf_window *win, struct nf_err *err)
{
	struct nf_rec_window_run *w = &win->record;
	const struct nf_rec_numa_step *numa = w->numa.items;
	struct nf_session *s = &win->session;

	w->host_probe_reason = what_is_unknown(win);
	if (w->host_probe_reason)
		return 0;
	struct nf_rec_file_ref *ref = nf_arena_alloc(&s->arena, w->numa.n, sizeof(*ref));
	if (!ref)
		return nf_arena_failed(&s->arena, "record", err);
	for (size_t i = 0; i < w->numa.n; i++) {
		struct nf_rec_host_probe_run p;

		fill(win, &numa[i], &p);
		int r = nf_arena_failed(&s->arena, "record", err);
		if (r < 0)
			return r;
		r = put(s, &p, i + 1, &ref[i], err);
		if (r < 0)
			return r;
	}
	w->host_probe_runs = (struct nf_list){ ref, w->numa.n };
	return 0;
}
