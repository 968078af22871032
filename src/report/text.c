/* SPDX-License-Identifier: MIT */
/* text - pieces that every report is made of. */
#include "report/text.h"

#include <math.h>
#include <string.h>

#include "base/duration.h"
#include "base/utf8.h"

const char *nf_text_result(int result)
{
	static const char *const names[] = {
		[NF_RESULT_BLOCKED] = "blocked", [NF_RESULT_FAIL] = "FAIL",
		[NF_RESULT_PARTIAL] = "partial", [NF_RESULT_PASS] = "pass",
		[NF_STEP_SKIPPED] = "skipped",
	};

	return result >= 0 && result < (int)(sizeof(names) / sizeof(names[0])) ? names[result]
	                                                                       : "unknown";
}

/* Marks that turn the direction of what follows (Unicode, UAX #9), and what ends a line elsewhere: a text
 * would look like another one. */
static bool is_direction(uint32_t cp)
{
	return cp == 0x061c || cp == 0x200e || cp == 0x200f || (cp >= 0x2028 && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

static bool is_c1(uint32_t cp)
{
	return cp >= 0x80 && cp < 0xa0;
}

static void put_bytes(struct nf_buf *out, const char *p, size_t n)
{
	for (size_t k = 0; k < n; k++)
		nf_buf_addf(out, "\\x%02x", (unsigned char)p[k]);
}

/* How what cannot be shown is written. */
enum form { FORM_LINES, FORM_TABLE, FORM_ESCAPED };

static bool is_shown(uint32_t cp, enum form form)
{
	if (is_c1(cp) || is_direction(cp))
		return false;
	return form == FORM_ESCAPED || cp == '\n' || (cp == '\t' && form == FORM_TABLE) ||
	       (cp >= 0x20 && cp != 0x7f);
}

static int clean_up(struct nf_buf *text, enum form form)
{
	struct nf_buf clean;
	size_t i = 0;

	nf_buf_init(&clean, text->max_bytes);
	while (i < text->len_bytes) {
		uint32_t cp = 0;
		int bad = 0;
		size_t n = nf_utf8_next(text->data + i, text->len_bytes - i, &cp, &bad);

		if (!bad && is_shown(cp, form))
			nf_buf_add(&clean, text->data + i, n);
		else if (!bad && form == FORM_ESCAPED)
			nf_buf_addf(&clean, "\\u%04X", (unsigned)cp);
		else
			put_bytes(&clean, text->data + i, n);
		i += n;
	}
	enum nf_code failed = text->failed ? text->failed : clean.failed;
	nf_buf_fini(text);
	*text = clean;
	text->failed = failed;
	return -(int)failed;
}

int nf_text_printable(struct nf_buf *text)
{
	return clean_up(text, FORM_LINES);
}

int nf_text_printable_table(struct nf_buf *text)
{
	return clean_up(text, FORM_TABLE);
}

int nf_text_escaped(struct nf_buf *text)
{
	return clean_up(text, FORM_ESCAPED);
}

int nf_text_ns(struct nf_buf *out, bool some, double ns)
{
	return some ? nf_duration_print_short(ns, out) : nf_buf_adds(out, "unknown");
}

int nf_text_percent(struct nf_buf *out, bool some, double ratio)
{
	return some ? nf_buf_addf(out, "%.3g %%", 100 * ratio) : nf_buf_adds(out, "unknown");
}

int nf_text_sparkline(struct nf_buf *out, const uint64_t *count, size_t n)
{
	static const char *const block[] = { " ",      "\u2581", "\u2582", "\u2583", "\u2584",
		                             "\u2585", "\u2586", "\u2587", "\u2588" };
	double top = 0;
	int r = 0;

	for (size_t i = 0; i < n; i++)
		top = fmax(top, log2(1.0 + (double)count[i]));
	for (size_t i = 0; i < n && r == 0; i++) {
		double v = log2(1.0 + (double)count[i]);

		r = nf_buf_adds(out, block[count[i] == 0 ? 0 : 1 + (int)(7 * v / top)]);
	}
	return r;
}

static int fact(struct nf_buf *out, const char *value)
{
	return nf_buf_adds(out, value && value[0] ? value : "unknown");
}

int nf_text_head(const struct nf_rec_setup *s, int lane, const struct nf_rec_clock *clock,
                 struct nf_buf *out)
{
	static const char *const lanes[] = { "unknown", "generic", "rt" };

	nf_buf_adds(out, "host     ");
	fact(out, s->host_name);
	nf_buf_adds(out, " (");
	fact(out, s->platform_kind);
	if (s->hypervisor)
		nf_buf_addf(out, ", %s", s->hypervisor);
	nf_buf_adds(out, ")  ");
	fact(out, s->cpu_model);
	nf_buf_adds(out, "\nkernel   ");
	fact(out, s->kernel_release);
	nf_buf_addf(out, "  lane %s", lanes[lane >= 0 && lane <= 2 ? lane : 0]);
	if (s->preemption_model)
		nf_buf_addf(out, "  preemption %s", s->preemption_model);
	nf_buf_adds(out, "\ncpus     allowed ");
	fact(out, s->cpus_allowed);
	nf_buf_adds(out, " of ");
	fact(out, s->cpus_online);
	nf_buf_addf(out, "  isolated %s",
	            s->cpus_isolated ? (s->cpus_isolated[0] ? s->cpus_isolated : "none")
	                             : "unknown");
	nf_buf_adds(out, "  nodes ");
	fact(out, s->numa_nodes);
	nf_buf_adds(out, "\n");
	if (clock) {
		static const char *const sources[] = { "tsc", "cntvct", "monotonic_raw" };

		nf_buf_addf(out, "clock    %s %.6f MHz +- %.2g ppm, step ",
		            sources[clock->source >= 0 && clock->source <= 2 ? clock->source : 2],
		            clock->hz * 1e-6, clock->hz_error_ppm);
		nf_text_ns(out, true, (double)clock->step_ticks * 1e9 / clock->hz);
		nf_buf_adds(out, ", read ");
		nf_text_ns(out, true, clock->read_median_ns);
		if (clock->fallback_reason)
			nf_buf_addf(out, "\n         not the hardware counter: %s",
			            clock->fallback_reason);
		nf_buf_adds(out, "\n");
	}
	return -(int)out->failed;
}
