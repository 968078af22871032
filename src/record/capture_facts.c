/* SPDX-License-Identifier: MIT */
#include "record/capture_facts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "record/capture_take.h"
#include "record/trace.h"

#define EVERY ~0U
#define BIT(kind) (1U << (kind))
#define PROBE BIT(NF_CAPTURE_PROBE)
#define VALIDATOR BIT(NF_CAPTURE_VALIDATOR)
#define SMI BIT(NF_CAPTURE_SMI)
#define WINDOW BIT(NF_CAPTURE_WINDOW)
#define LANE BIT(NF_CAPTURE_LANE)

/* What tells the kinds apart: a capture is of the kind of which it has most signs. */
struct sign {
	enum nf_capture_kind kind;
	const char *section; /* one of the two is NULL */
	const char *key;
};
/* clang-format off */
static const struct sign signs[] = {
	{ NF_CAPTURE_PROBE,     "HostNumaProbe",    NULL },
	{ NF_CAPTURE_PROBE,     "chpl --version",   NULL },
	{ NF_CAPTURE_PROBE,     NULL, "compiler_ref" },
	{ NF_CAPTURE_PROBE,     NULL, "capture_mode" },
	{ NF_CAPTURE_PROBE,     NULL, "probe_args" },
	{ NF_CAPTURE_PROBE,     NULL, "Sublocales" },
	{ NF_CAPTURE_PROBE,     NULL, "Speedup" },
	{ NF_CAPTURE_VALIDATOR, "Base Fragment",    NULL },
	{ NF_CAPTURE_VALIDATOR, "RT Overlay",       NULL },
	{ NF_CAPTURE_VALIDATOR, "Cmdline",          NULL },
	{ NF_CAPTURE_VALIDATOR, NULL, "expect_rt" },
	{ NF_CAPTURE_VALIDATOR, NULL, "RESULT" },
	{ NF_CAPTURE_SMI,       "SMI Activity",     NULL },
	{ NF_CAPTURE_SMI,       "Hardware Latency", NULL },
	{ NF_CAPTURE_SMI,       NULL, "SMI count" },
	{ NF_CAPTURE_WINDOW,    "preflight",        NULL },
	{ NF_CAPTURE_WINDOW,    "postflight",       NULL },
	{ NF_CAPTURE_WINDOW,    NULL, "expect_lane" },
	{ NF_CAPTURE_LANE,      "default kernel",   NULL },
	{ NF_CAPTURE_LANE,      "grub env",         NULL },
	{ NF_CAPTURE_LANE,      "RT candidates",    NULL },
};

#define ANY_LINE ""

/* Which lines say what. */
struct rule {
	const char *fact; /* a field of CaptureFacts */
	unsigned kinds;
	const char *section; /* NULL: anywhere */
	const char *key; /* NULL: the section's first line that is not blank; ANY_LINE: every one */
	nf_take_fn *take;
	const char *arg;
};
static const struct rule rules[] = {
	{ "tag",            EVERY, NULL, "series_tag",             nf_take_value,  NULL },
	{ "tag",            WINDOW, NULL, "tag",                   nf_take_value,  NULL },
	{ "sample",         EVERY, NULL, "sample",                 nf_take_of,     "1" },
	{ "sample_count",   EVERY, NULL, "sample",                 nf_take_of,     "2" },
	{ "run_id",         EVERY, NULL, "run_id",                 nf_take_value,  NULL },
	{ "host",           EVERY, NULL, "target",                 nf_take_host,   NULL },
	{ "host",           EVERY, "uname -a", NULL,               nf_take_uname,  "host" },
	{ "host",           WINDOW, "preflight", "host",           nf_take_host,   NULL },
	{ "captured_utc",   EVERY, NULL, "captured_at",            nf_take_utc,    NULL },
	{ "captured_utc",   WINDOW, NULL, "started_at",            nf_take_utc,    NULL },
	{ "expected_lane",  WINDOW, NULL, "expect_lane",           nf_take_value,  NULL },
	{ "compiler_source", PROBE, NULL, "capture_mode",          nf_take_value,  NULL },
	{ "compiler_ref",   PROBE, NULL, "compiler_ref",           nf_take_value,  NULL },
	{ "chapel_version", PROBE, "chpl --version", ANY_LINE,     nf_take_chpl,   NULL },
	{ "chapel_version", PROBE, NULL, "compiler_ref",           nf_take_chapel, NULL },
	{ "kernel_version", EVERY, "uname -a", NULL,               nf_take_uname,  "release" },
	{ "kernel_version", EVERY, NULL, "uname -r",               nf_take_value,  NULL },
	{ "kernel_version", EVERY, "uname -r", NULL,               nf_take_value,  NULL },
	{ "kernel_version", VALIDATOR | WINDOW, NULL, "kernel",    nf_take_value,  NULL },
	{ "kernel_version", LANE, "uname", NULL,                   nf_take_value,  NULL },
	{ "uname_variant",  EVERY, "uname -v", NULL,               nf_take_value,  NULL },
	{ "uname_variant",  EVERY, "uname -a", NULL,               nf_take_uname,  "variant" },
	{ "realtime",       EVERY, "/sys/kernel/realtime", NULL,   nf_take_rt_value, NULL },
	{ "realtime",       EVERY, "uname -v", NULL,               nf_take_rt_variant, NULL },
	{ "realtime",       SMI, NULL, "PREEMPT_RT",               nf_take_rt_word, NULL },
	{ "realtime",       VALIDATOR | WINDOW, NULL, "realtime",  nf_take_rt_value, NULL },
	{ "tuned_profile",  EVERY, NULL, "Current active profile", nf_take_value,  NULL },
	{ "tuned_profile",  WINDOW, "preflight", "tuned",          nf_take_value,  NULL },
	{ "kernel_cmdline", EVERY, "/proc/cmdline", NULL,          nf_take_value,  NULL },
	{ "uptime_s",       EVERY, "uptime", NULL,                 nf_take_uptime, NULL },
	{ "uptime_s",       WINDOW, "preflight", "uptime",         nf_take_number, "s" },
	{ "load_1min",      EVERY, "/proc/loadavg", NULL,          nf_take_number, NULL },
	{ "load_1min",      EVERY, "uptime", NULL,                 nf_take_load,   NULL },
	{ "load_1min",      WINDOW, "preflight", "loadavg",        nf_take_number, NULL },
	{ "clocksource",    SMI, "Clocksource", "Current",         nf_take_value,  NULL },
	{ "cpus_isolated",  SMI, NULL, "Isolated cores",           nf_take_value,  NULL },
	{ "nohz_full",      SMI, NULL, "nohz_full",                nf_take_part,   "nohz_full=" },
	{ "default_kernel", WINDOW, "preflight", "default_kernel", nf_take_value,  NULL },
	{ "default_kernel", LANE, "default kernel", NULL,          nf_take_value,  NULL },
	{ "next_entry",     WINDOW | LANE, NULL, "next_entry",     nf_take_value,  NULL },
	{ "locale_count",   PROBE, NULL, "Locales",                nf_take_number, NULL },
	{ "cores_per_locale", PROBE, NULL, "Cores",                nf_take_number, NULL },
	{ "sublocale_count", PROBE, NULL, "Sublocales",            nf_take_number, NULL },
	{ "channel_count",  PROBE, NULL, "Channels",               nf_take_number, NULL },
	{ "samples_per_channel", PROBE, NULL, "Samples",           nf_take_number, NULL },
	{ "sample_rate_hz", PROBE, NULL, "Samples",                nf_take_hz,     NULL },
	{ "period_s",       PROBE, NULL, "Period",                 nf_take_number, "s" },
	{ "timing_conforms", PROBE, NULL, "Conforms",              nf_take_bool,   NULL },
	{ "jitter_min_s",   PROBE, NULL, "Jitter",                 nf_take_part,   "min=" },
	{ "jitter_max_s",   PROBE, NULL, "Jitter",                 nf_take_part,   "max=" },
	{ "jitter_mean_s",  PROBE, NULL, "Jitter",                 nf_take_part,   "mean=" },
	{ "serial_s",       PROBE, NULL, "Serial",                 nf_take_number, "s" },
	{ "parallel_s",     PROBE, NULL, "Parallel",               nf_take_number, "s" },
	{ "speedup",        PROBE, NULL, "Speedup",                nf_take_number, "x" },
	{ "delta",          PROBE, NULL, "Delta",                  nf_take_number, "" },
	{ "expect_rt",      VALIDATOR, NULL, "expect_rt",          nf_take_bool,   NULL },
	{ "base_matched",   VALIDATOR, "Base Fragment", "matched", nf_take_part,   "matched=" },
	{ "base_mismatched", VALIDATOR, "Base Fragment", "matched", nf_take_part,  "mismatched=" },
	{ "rt_matched",     VALIDATOR, "RT Overlay", "matched",    nf_take_part,   "matched=" },
	{ "rt_mismatched",  VALIDATOR, "RT Overlay", "matched",    nf_take_part,   "mismatched=" },
	{ "cmdline_matched", VALIDATOR, "Cmdline", "matched",      nf_take_part,   "matched=" },
	{ "cmdline_missing", VALIDATOR, "Cmdline", "matched",      nf_take_part,   "missing=" },
	{ "validator_pass", VALIDATOR, NULL, "RESULT",             nf_take_bool,   NULL },
	{ "smi_count",      SMI, NULL, "SMI count",                nf_take_number, NULL },
	{ "smi_s",          SMI, NULL, "SMI count",                nf_take_part,   "in " },
	{ "smi_s",          SMI | WINDOW, NULL, "smi_duration_seconds", nf_take_number, "s" },
	{ "hwlat_max_us",   SMI, NULL, "tracefs hwlat max latency", nf_take_number, "us" },
	{ "hwlat_max_us",   SMI, NULL, "Max Latency",              nf_take_number, "us" },
	{ "hwlat_s",        SMI | WINDOW, NULL, "hwlat_duration_seconds", nf_take_number, "s" },
	{ "hwlat_threshold_us", SMI, NULL, "hwlat_threshold_us",   nf_take_number, "us" },
};
/* clang-format on */

struct reading {
	const char *name;
	struct nf_arena *a;
	struct nf_rec_capture_facts facts;
	struct nf_trace_list trace;
	struct nf_note_list notes;
	struct nf_note_list missing;
};

static const struct nf_field *field_of(const char *key)
{
	const struct nf_field *f = nf_rec_capture_facts_type.fields;

	while (f->key && strcmp(f->key, key) != 0)
		f++;
	return f;
}

static bool in_section(const struct nf_capture *c, const char *section)
{
	for (size_t i = 0; i < c->n_lines; i++)
		if (c->line[i].heading && nf_slice_is(c->line[i].section, section))
			return true;
	return false;
}

static bool has_key(const struct nf_capture *c, const char *key)
{
	for (size_t i = 0; i < c->n_lines; i++)
		if (c->line[i].key.n && nf_slice_is(c->line[i].key, key))
			return true;
	return false;
}

static enum nf_capture_kind kind_of(const struct nf_capture *c)
{
	unsigned n[NF_CAPTURE_LANE + 1] = { 0 };
	enum nf_capture_kind best = NF_CAPTURE_UNKNOWN;

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (signs[i].section ? in_section(c, signs[i].section) : has_key(c, signs[i].key))
			n[signs[i].kind]++;
	for (enum nf_capture_kind k = NF_CAPTURE_PROBE; k <= NF_CAPTURE_LANE; k++)
		if (n[k] > n[best])
			best = k;
	return best;
}

/* The line a rule speaks of: whether l is it. first: l is its section's first line that is not blank. */
static bool rule_holds(const struct rule *r, const struct nf_capture_line *l, bool first)
{
	if (l->heading || (r->section && !nf_slice_is(l->section, r->section)))
		return false;
	if (r->key && !*r->key)
		return true;
	return r->key ? l->key.n > 0 && nf_slice_is(l->key, r->key) : first;
}

/* text as a number, all of it. */
static bool number(const char *text, double *ret)
{
	char *end = NULL;

	if (!*text || strspn(text, "0123456789.eE+-") != strlen(text))
		return false;
	errno = 0;
	*ret = strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*ret);
}

static bool natural(const char *text, uint64_t *ret)
{
	char *end = NULL;
	unsigned long long v;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return false;
	errno = 0;
	v = strtoull(text, &end, 10);
	*ret = v;
	return errno == 0 && *end == '\0' && v <= (unsigned long long)NF_RECORD_INT_MAX;
}

/* A difference, and jitters, which some programs sign. Times, rates and loads are not below 0. */
static bool may_be_negative(const struct nf_field *f)
{
	static const char *const keys[] = { "delta", "jitter_min_s", "jitter_mean_s" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(f->key, keys[i]) == 0)
			return true;
	return false;
}

enum outcome { SET, SAME, OTHER, ODD };

/* Gives a fact its value, or compares with the one it has. */
static enum outcome settle(const struct nf_field *f, void *at, const char *text)
{
	if (f->type->kind == NF_T_TEXT) {
		const char **v = at;

		if (*v)
			return strcmp(*v, text) == 0 ? SAME : OTHER;
		*v = text;
		return SET;
	}
	if (f->type->kind == NF_T_REAL) {
		struct nf_some_real *v = at;
		double x;

		if (!number(text, &x) || (x < 0 && !may_be_negative(f)))
			return ODD;
		if (v->some)
			return v->v >= x && v->v <= x ? SAME : OTHER;
		*v = nf_some_real(x);
		return SET;
	}
	if (f->type->kind == NF_T_BOOL) {
		struct nf_some_bool *v = at;
		bool b = strcmp(text, "1") == 0;

		if (v->some)
			return v->v == b ? SAME : OTHER;
		*v = nf_some_bool(b);
		return SET;
	}
	struct nf_some_nat *v = at;
	uint64_t x;

	if (!natural(text, &x))
		return ODD;
	if (v->some)
		return v->v == x ? SAME : OTHER;
	*v = nf_some_nat(x);
	return SET;
}

static const char *shown(const struct nf_field *f, const char *text)
{
	if (f->type->kind == NF_T_BOOL)
		return strcmp(text, "1") == 0 ? "true" : "false";
	return text;
}

static const char *line_text(struct reading *r, const struct nf_capture_line *l)
{
	return nf_arena_strndup(r->a, l->text.p, l->text.n);
}

static void trace_line(struct reading *r, const char *field, const char *value,
                       const struct nf_capture_line *l)
{
	nf_trace_add(&r->trace, (struct nf_rec_trace){ .field = field,
	                                               .value = value,
	                                               .origin = NF_ORIGIN_LINE,
	                                               .capture = r->name,
	                                               .line = nf_some_nat(l->no),
	                                               .text = line_text(r, l) });
}

/* The trace entry that gave a field its value. */
static const struct nf_rec_trace *first_trace(const struct reading *r, const char *field)
{
	for (size_t i = 0; i < r->trace.n; i++)
		if (strcmp(r->trace.item[i].field, field) == 0)
			return &r->trace.item[i];
	return NULL;
}

static void on_value(struct reading *r, const struct rule *rule, const struct nf_capture_line *l,
                     struct nf_slice v)
{
	const struct nf_field *f = field_of(rule->fact);
	char *text = nf_arena_strndup(r->a, v.p, v.n);
	const struct nf_rec_trace *before;

	if (!text || !f->key)
		return;
	/* "in 120s" */
	if (f->type->kind == NF_T_NAT && v.n > 1 && text[v.n - 1] == 's')
		text[v.n - 1] = '\0';
	switch (settle(f, (char *)&r->facts + f->off, text)) {
	case SET:
	case SAME:
		trace_line(r, f->key, shown(f, text), l);
		return;
	case OTHER:
		before = first_trace(r, f->key);
		nf_note_add(&r->notes, "%s:%llu says %s %.200s, %s:%llu says %.200s, which is kept",
		            r->name, (unsigned long long)l->no, f->key, shown(f, text), r->name,
		            (unsigned long long)(before ? before->line.v : 0),
		            before ? before->value : "otherwise");
		return;
	case ODD:
		nf_note_add(&r->notes, "%s:%llu: %.100s is no %s", r->name,
		            (unsigned long long)l->no, text, f->key);
		return;
	}
}

static void apply(struct reading *r, const struct rule *rule, const struct nf_capture_line *l)
{
	struct nf_capture_line whole = *l;
	struct nf_slice v = { NULL, 0 };

	whole.value = nf_slice_trim(l->text); /* a section's line has no key of ours */
	switch (rule->take(rule->key && *rule->key ? l : &whole, rule->arg, r->a, &v)) {
	case NF_TAKEN:
		on_value(r, rule, l, v);
		break;
	case NF_TAKEN_ODD:
		nf_note_add(&r->notes, "%s:%llu: no %s understood in: %.*s", r->name,
		            (unsigned long long)l->no, rule->fact,
		            (int)(l->text.n < 200 ? l->text.n : 200), l->text.p);
		break;
	case NF_TAKEN_NOTHING:
		break;
	}
}

/* Rules in the order of the table, so that the first that speaks does not depend on the order of lines of
 * different keys. */
static void apply_rules(struct reading *r, const struct nf_capture *c, enum nf_capture_kind kind)
{
	for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]); k++) {
		struct nf_slice section = { NULL, 0 };
		bool first = true;

		if (!(rules[k].kinds & BIT(kind)))
			continue;
		for (size_t i = 0; i < c->n_lines; i++) {
			const struct nf_capture_line *l = &c->line[i];

			if (l->heading || l->section.p != section.p) {
				section = l->section;
				first = true;
			}
			if (l->heading || nf_slice_trim(l->text).n == 0)
				continue;
			if (rule_holds(&rules[k], l, first))
				apply(r, &rules[k], l);
			first = false;
		}
	}
}

/* "  part 0: start=0 count=50": one a partition. */
static void count_partitions(struct reading *r, const struct nf_capture *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->n_lines; i++) {
		struct nf_slice key = c->line[i].key;

		if (key.n > 5 && nf_slice_is((struct nf_slice){ key.p, 5 }, "part ") &&
		    nf_slice_find(c->line[i].value, "count=")) {
			trace_line(r, "partition_count",
			           nf_arena_printf(r->a, "%llu", (unsigned long long)++n),
			           &c->line[i]);
		}
	}
	if (n > 0)
		r->facts.partition_count = nf_some_nat(n);
}

static void name_missing_parameters(struct reading *r, const struct nf_capture *c)
{
	static const char word[] = "MISSING ";

	for (size_t i = 0; i < c->n_lines; i++) {
		struct nf_slice s = nf_slice_trim(c->line[i].text);

		if (c->line[i].heading || !nf_slice_is(c->line[i].section, "Cmdline") ||
		    s.n < sizeof(word) || memcmp(s.p, word, sizeof(word) - 1) != 0)
			continue;
		s = nf_slice_word(nf_slice_trim(
		        (struct nf_slice){ s.p + sizeof(word) - 1, s.n - (sizeof(word) - 1) }));
		nf_note_add(&r->missing, "%.*s", (int)s.n, s.p);
		trace_line(r, "missing_parameters", nf_arena_strndup(r->a, s.p, s.n), &c->line[i]);
	}
}

/* Scripts say why they stopped under a heading of its own. */
static void note_abort(struct reading *r, const struct nf_capture *c)
{
	for (size_t i = 0; i < c->n_lines; i++) {
		const struct nf_capture_line *l = &c->line[i];

		if (l->section.n >= 7 &&
		    nf_slice_is((struct nf_slice){ l->section.p, 7 }, "aborted") &&
		    nf_slice_is(l->key, "reason"))
			nf_note_add(&r->notes, "%s:%llu: the run was ended early: %.*s", r->name,
			            (unsigned long long)l->no,
			            (int)(l->value.n < 400 ? l->value.n : 400), l->value.p);
	}
}

/* What several facts give together. */
static void derive(struct nf_rec_capture_facts *f)
{
	double elements = (double)f->channel_count.v * (double)f->samples_per_channel.v;

	if (f->smi_count.some && f->smi_s.some && f->smi_s.v > 0)
		f->smi_per_10s = nf_some_real(10.0 * (double)f->smi_count.v / (double)f->smi_s.v);
	if (f->serial_s.some && elements > 0)
		f->serial_ns_per_element = nf_some_real(f->serial_s.v * 1e9 / elements);
}

/* Half a unit in the last digit that was printed. */
static double half_step(const char *printed)
{
	const char *dot = strchr(printed, '.'), *e = strpbrk(printed, "eE");
	size_t digits = dot ? (e ? (size_t)(e - dot) : strlen(dot)) - 1 : 0;

	return 0.5 * pow(10.0, -(double)digits) * (e ? pow(10.0, strtod(e + 1, NULL)) : 1.0);
}

/* The printed ratio against the printed times, as far as their digits go. */
static void check_speedup(struct reading *r)
{
	const struct nf_rec_capture_facts *f = &r->facts;
	const struct nf_rec_trace *s = first_trace(r, "serial_s"),
	                          *p = first_trace(r, "parallel_s"), *x = first_trace(r, "speedup");
	double lo, hi, half;

	if (!s || !p || !x || f->parallel_s.v <= half_step(p->value))
		return;
	half = half_step(x->value);
	lo = (f->serial_s.v - half_step(s->value)) / (f->parallel_s.v + half_step(p->value));
	hi = (f->serial_s.v + half_step(s->value)) / (f->parallel_s.v - half_step(p->value));
	if (f->speedup.v + half < lo || f->speedup.v - half > hi)
		nf_note_add(&r->notes,
		            "%s:%llu says speedup %s; serial_s / parallel_s of lines %llu and %llu "
		            "is %.6g",
		            r->name, (unsigned long long)x->line.v, x->value,
		            (unsigned long long)s->line.v, (unsigned long long)p->line.v,
		            f->serial_s.v / f->parallel_s.v);
}

/* The image that was booted carries the release. */
static void check_image(struct reading *r)
{
	const char *cmdline = r->facts.kernel_cmdline, *release = r->facts.kernel_version;

	if (cmdline && release && strstr(cmdline, "BOOT_IMAGE=") && !strstr(cmdline, release))
		nf_note_add(&r->notes,
		            "%s: BOOT_IMAGE of /proc/cmdline does not name the kernel %.100s",
		            r->name, release);
}

int nf_capture_facts(const char *name, const void *data, size_t len_bytes, struct nf_arena *a,
                     struct nf_rec_capture *ret, struct nf_err *err)
{
	struct reading r = { .a = a, .trace.a = a, .notes.a = a, .missing.a = a };
	char hex[NF_SHA256_HEX];
	uint8_t digest[NF_SHA256_BYTES];
	struct nf_sha256 sha;
	struct nf_capture c;
	enum nf_capture_kind kind;
	int rc = nf_capture_split(data, len_bytes, a, &c, err);

	if (rc < 0)
		return rc;
	nf_sha256_init(&sha);
	nf_sha256_add(&sha, data, len_bytes);
	nf_sha256_done(&sha, digest);
	nf_sha256_hex(digest, hex);
	r.name = nf_arena_strdup(a, name);
	kind = kind_of(&c);
	if (r.name && kind != NF_CAPTURE_UNKNOWN) {
		apply_rules(&r, &c, kind);
		if (kind == NF_CAPTURE_PROBE)
			count_partitions(&r, &c);
		if (kind == NF_CAPTURE_VALIDATOR)
			name_missing_parameters(&r, &c);
		/* uptime(1) prints minutes; /proc/uptime has hundredths. */
		if (r.facts.uptime_s.some)
			r.facts.uptime_step_s =
			        nf_some_real(kind == NF_CAPTURE_WINDOW ? 0.01 : 60.0);
		r.facts.missing_parameters = nf_note_done(&r.missing);
		derive(&r.facts);
		check_speedup(&r);
		check_image(&r);
		note_abort(&r, &c);
	}
	if (c.n_replaced > 0)
		nf_note_add(&r.notes, "%s: %llu pieces that are no text were replaced", name,
		            (unsigned long long)c.n_replaced);
	struct nf_rec_capture out = { .name = r.name,
		                      .kind = (int)kind,
		                      .sha256 = nf_arena_strdup(a, hex),
		                      .bytes = len_bytes,
		                      .lines = c.n_lines,
		                      .replaced = c.n_replaced,
		                      .facts = r.facts,
		                      .trace = { r.trace.item, r.trace.n },
		                      .notes = nf_note_done(&r.notes) };
	rc = nf_arena_failed(a, "the facts of a capture", err);
	if (rc == 0)
		*ret = out;
	return rc;
}
