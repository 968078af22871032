/* SPDX-License-Identifier: MIT */
#include "job/lane_validation.h"

#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "job/head.h"
#include "job/profile_file.h"

/* --- the profiles --- */

int nf_lane_profile_read(const char *path, struct nf_arena *a, struct nf_profile *ret,
                         struct nf_err *err)
{
	*ret = (struct nf_profile){ 0 };
	return path ? nf_job_profile_read(path, a, ret, err) : 0;
}

static void first_miss(const struct nf_profile *p, struct nf_arena *a, const char **why)
{
	for (size_t i = 0; i < p->n && !*why; i++) {
		const struct nf_profile_line *l = &p->line[i];

		if (l->match != NF_PROFILE_MATCHED || l->unread)
			*why = nf_arena_printf(a, "\"%.100s\" does not hold (%.100s)", l->text,
			                       l->unread  ? l->unread
			                       : l->found ? l->found
			                                  : "missing");
	}
}

static int limited(uint64_t n)
{
	return n < 1 << 20 ? (int)n : 1 << 20;
}

int nf_lane_profiles_check(const struct nf_lane_host *h, struct nf_profile *base,
                           struct nf_profile *overlay, const char *release, struct nf_arena *a,
                           struct nf_trip_notes *n, bool *ret_ok, const char **why,
                           struct nf_err *err)
{
	struct nf_lane_verdict b = { 0 }, o = { 0 };
	int r = base->n ? nf_lane_verify(h, base, release, a, &b, err) : 0;

	if (r == 0 && overlay->n)
		r = nf_lane_verify(h, overlay, release, a, &o, err);
	if (r < 0)
		return r;
	n->base_matched = limited(b.config.matched);
	n->base_mismatched = limited(b.config.mismatched);
	n->has_overlay = overlay->n > 0;
	n->overlay_matched = limited(o.config.matched);
	n->overlay_mismatched = limited(o.config.mismatched);
	n->cmdline_matched = limited(b.cmdline.matched + o.cmdline.matched);
	n->cmdline_missing = limited(b.cmdline.mismatched + o.cmdline.mismatched);
	*ret_ok = n->base_mismatched == 0 && n->overlay_mismatched == 0 && n->cmdline_missing == 0;
	if (why) {
		*why = NULL;
		first_miss(base, a, why);
		first_miss(overlay, a, why);
	}
	return 0;
}

/* --- the record --- */

static struct nf_some_bool maybe(enum nf_maybe m)
{
	struct nf_some_bool unknown = { 0 };

	return m == NF_MAYBE_UNKNOWN ? unknown : nf_some_bool(m == NF_MAYBE_YES);
}

/* Rounded up: a wait that was cut is no shorter than it was. */
static struct nf_some_nat seconds(int64_t ns)
{
	struct nf_some_nat unknown = { 0 };

	return ns < 0 ? unknown : nf_some_nat((uint64_t)(ns / 1000000000 + (ns % 1000000000 != 0)));
}

static const char *text_or_none(const char *text)
{
	return text && *text ? text : NULL;
}

static struct nf_list texts(const char *const text[], size_t max, struct nf_arena *a)
{
	const char **copy = nf_arena_alloc(a, max + 1, sizeof(*copy));
	size_t n = 0;

	for (size_t i = 0; copy && i < max; i++)
		if (text[i] && *text[i])
			copy[n++] = nf_arena_strdup(a, text[i]);
	return (struct nf_list){ copy, n };
}

int nf_lane_validation_fill(const struct nf_lane_validation *v, const struct nf_trip_notes *n,
                            struct nf_arena *a, struct nf_rec_kernel_validation_run *ret,
                            struct nf_err *err)
{
	const char *const evidence[] = { v->run_generic, v->run_rt };
	const char *date = nf_head_utc(a, nf_now_utc());
	const char *day = date ? nf_arena_strndup(a, date, strlen("2026-01-02")) : NULL;

	if (!day)
		return nf_arena_failed(a, "record", err);
	*ret = (struct nf_rec_kernel_validation_run){
		.date = day,
		.ownerIssue = text_or_none(v->owner_issue),
		.host = *n->host ? n->host : "unknown",
		.lane = n->rt_flag ? NF_KERNEL_LANE_RT : NF_KERNEL_LANE_GENERIC,
		.phase = v->phase,
		.intent = text_or_none(v->intent),
		.kernelVersion = n->release_rt,
		.unameVariant = text_or_none(n->version_rt),
		.sysKernelRealtime = nf_some_bool(n->rt_flag),
		.tunedProfile = text_or_none(n->tuned_rt),
		.defaultKernel = text_or_none(v->default_kernel),
		.defaultPreserved = maybe(v->default_preserved),
		.nextEntryState = text_or_none(v->next_state),
		.nextEntryConsumed = maybe(v->next_consumed),
		.baseMatched = (uint64_t)n->base_matched,
		.baseMismatched = (uint64_t)n->base_mismatched,
		.cmdlineMatched = (uint64_t)n->cmdline_matched,
		.cmdlineMissing = (uint64_t)n->cmdline_missing,
		.validatorPass = n->rt_ok,
		.smiCountPer10s = v->smi_per_10s,
		.hwlatMaxUs = v->hwlat_max_us,
		.reconnectSeconds = seconds(v->reconnect_ns),
		.returnToGenericSeconds = seconds(v->return_ns),
		.returnKernelVersion = text_or_none(v->return_release),
		.returnBaselinePass = maybe(v->return_pass),
		.result = (int)v->result,
		.evidence = texts(evidence, 2, a),
		.notes = texts(v->note, sizeof(v->note) / sizeof(v->note[0]), a),
	};
	if (n->has_overlay) {
		ret->rtMatched = nf_some_nat((uint64_t)n->overlay_matched);
		ret->rtMismatched = nf_some_nat((uint64_t)n->overlay_mismatched);
	}
	return nf_arena_failed(a, "record", err);
}

/* --- for people --- */

static const char *said(struct nf_some_bool b)
{
	return !b.some ? "unknown" : b.v ? "yes" : "NO";
}

static void counts(const char *name, uint64_t good, uint64_t bad, struct nf_buf *out)
{
	if (good + bad)
		(void)nf_buf_addf(out, "%-9s %llu of %llu lines hold\n", name,
		                  (unsigned long long)good,
		                  (unsigned long long)good + (unsigned long long)bad);
}

static void number(const char *name, const struct nf_some_nat *n, const char *unit,
                   struct nf_buf *out)
{
	if (n->some)
		(void)nf_buf_addf(out, "%-9s %llu %s\n", name, (unsigned long long)n->v, unit);
}

void nf_lane_validation_text(const struct nf_rec_kernel_validation_run *r, struct nf_buf *out)
{
	static const char *const results[] = { "partial", "FAIL", "historical", "pass" };
	const char *const *note = r->notes.items, *const *evidence = r->evidence.items;

	(void)nf_buf_addf(out, "machine   %s\nkernel    %s, lane %s\n", r->host, r->kernelVersion,
	                  nf_rec_kernel_lane_type.names[r->lane]);
	counts("base", r->baseMatched, r->baseMismatched, out);
	if (r->rtMatched.some)
		counts("overlay", r->rtMatched.v, r->rtMismatched.v, out);
	counts("cmdline", r->cmdlineMatched, r->cmdlineMissing, out);
	number("SMIs", &r->smiCountPer10s, "in ten seconds", out);
	number("hwlat", &r->hwlatMaxUs, "us at most", out);
	number("there in", &r->reconnectSeconds, "s", out);
	number("back in", &r->returnToGenericSeconds, "s", out);
	if (r->returnKernelVersion)
		(void)nf_buf_addf(out, "returned  %s, as the base asks: %s\n",
		                  r->returnKernelVersion, said(r->returnBaselinePass));
	if (r->defaultKernel)
		(void)nf_buf_addf(out, "default   %s, kept: %s\n", r->defaultKernel,
		                  said(r->defaultPreserved));
	if (r->nextEntryConsumed.some)
		(void)nf_buf_addf(out, "one-shot  consumed: %s\n", said(r->nextEntryConsumed));
	for (size_t i = 0; i < r->evidence.n; i++)
		(void)nf_buf_addf(out, "window    %s\n", evidence[i]);
	for (size_t i = 0; i < r->notes.n; i++)
		(void)nf_buf_addf(out, "note      %s\n", note[i]);
	(void)nf_buf_addf(out, "result    %s\n", results[r->result]);
}
