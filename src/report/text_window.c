/* SPDX-License-Identifier: MIT */
/* text_window - the whole of `host`, for people. */
#include <inttypes.h>
#include <string.h>

#include "report/text.h"

static void indent(struct nf_buf *out, const char *lines)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		nf_buf_adds(out, "         ");
		nf_buf_add(out, lines, len);
		nf_buf_adds(out, "\n");
		lines += len + (lines[len] == '\n');
	}
}

/* One line that names the step, then its own lines. */
static void section(struct nf_buf *out, const char *name, struct nf_buf *lines)
{
	char *first = lines->data;
	char *rest = strchr(first, '\n');

	nf_buf_addf(out, "%-8s ", name);
	nf_buf_add(out, first, rest ? (size_t)(rest - first) : strlen(first));
	nf_buf_adds(out, "\n");
	if (rest)
		indent(out, rest + 1);
}

#define SECTION(step_name, fn, step) \
	do { \
		struct nf_buf lines; \
		nf_buf_init(&lines, out->max_bytes); \
		fn(&(step)->facts, &(step)->body, &lines); \
		section(out, step_name, &lines); \
		nf_buf_fini(&lines); \
	} while (0)

/* What kept the result from being a pass, a line a step. */
static void reasons(const struct nf_rec_window_run *w, struct nf_buf *out)
{
	const struct nf_rec_step *s = w->steps.items;

	for (size_t i = 0; i < w->steps.n; i++)
		if (s[i].result != NF_STEP_PASS)
			nf_buf_addf(out, "         %-8s %s: %s\n", s[i].name,
			            nf_text_result(s[i].result),
			            s[i].reason ? s[i].reason : "no reason recorded");
}

static void differences(const struct nf_rec_head *h, struct nf_buf *out)
{
	const struct nf_rec_difference *d = h->differences.items;

	for (size_t i = 0; i < h->differences.n; i++)
		if (!d[i].is_volatile)
			nf_buf_addf(out, "changed  %s: %s -> %s\n", d[i].name,
			            d[i].before ? d[i].before : "unknown",
			            d[i].after ? d[i].after : "unknown");
}

int nf_text_window(const struct nf_rec_window_run *w, struct nf_buf *out)
{
	const struct nf_rec_smi_step *smi = w->smi.items;
	const struct nf_rec_hwlat_step *hwlat = w->hwlat.items;
	const struct nf_rec_numa_step *numa = w->numa.items;

	nf_buf_addf(out, "%s\n\n", w->headline.text);
	nf_text_head(&w->head.setup_before, w->head.lane, w->head.clock, out);
	nf_buf_adds(out, "\n");
	if (w->clock)
		SECTION("clock", nf_text_clock, w->clock);
	for (size_t i = 0; i < w->smi.n; i++)
		SECTION("smi", nf_text_smi, &smi[i]);
	for (size_t i = 0; i < w->hwlat.n; i++)
		SECTION("hwlat", nf_text_hwlat, &hwlat[i]);
	if (w->noise)
		SECTION("fwq", nf_text_noise, w->noise);
	if (w->wake)
		SECTION("wake", nf_text_wake, w->wake);
	for (size_t i = 0; i < w->numa.n; i++)
		SECTION("numa", nf_text_numa, &numa[i]);
	differences(&w->head, out);
	if (w->host_probe_reason)
		nf_buf_addf(out, "note     no HostProbeRun: %s\n", w->host_probe_reason);
	nf_buf_addf(out, "\nresult   %s\n", nf_text_result(w->head.result));
	reasons(w, out);
	if (w->load_note)
		nf_buf_addf(out, "note     %s\n", w->load_note);
	nf_buf_addf(out, "ceiling  %s\n", w->head.claim_ceiling);
	return -(int)out->failed;
}
