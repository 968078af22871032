/* SPDX-License-Identifier: MIT */
#include "board/phases.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "board/faults.h"
#include "board/match.h"
#include "board/pattern.h"
#include "board/phase_value.h"
#include "board/stamp_line.h"

enum { DIFFS_MAX = 1 << 16, HITS_A_LINE = 64 };
/* A pause inside a line is one when its bytes came slower than two in this time: 2,400 baud. */
#define SLOWEST_BYTE_NS INT64_C(8333333)

struct nf_phases {
	const struct nf_phases_opts *o; /* borrowed */
	struct nf_match *t0, *section; /* owned, as all here */
	struct nf_match *phase[NF_PHASES_MAX];
	struct nf_match *value[NF_PHASE_VALUES_MAX];
	struct nf_phases_result r;
	struct nf_phase_value *hits;
	size_t cap;
	uint64_t nth[NF_PHASE_VALUES_MAX];
	int64_t *diff; /* of consecutive stamps */
	size_t n_diffs;
	bool any; /* a line with a time was seen: the next two are of the last */
	int64_t last_first_hi_ns, last_hi_ns;
	char last_text[NF_PHASE_TEXT];
	uint64_t last_line;
	size_t dump_lines;
	char section_name[NF_PHASE_NAME];
	bool has_section_time;
	int64_t section_lo_ns;
};

double nf_uart_s(uint64_t bytes, uint64_t baud)
{
	return baud ? 10.0 * (double)bytes / (double)baud : 0;
}

/* --- patterns --- */

static int compile(const char *what, const char *regex, struct nf_match **ret, struct nf_err *err)
{
	struct nf_err why = { 0 };

	if (!regex)
		return 0;
	int r = nf_pattern_check(regex, NF_LINE_LIMIT, &why);
	if (r == 0)
		r = nf_match_new(regex, ret, &why);
	if (r == -NF_EARG)
		return nf_fail(err, NF_EARG, "%s: %.200s", what, why.msg);
	if (r < 0 && err)
		*err = why;
	return r;
}

static int compile_all(struct nf_phases *p, struct nf_err *err)
{
	const struct nf_phases_opts *o = p->o;
	int r = compile("t0", o->t0, &p->t0, err);

	if (r == 0)
		r = compile("section", o->section, &p->section, err);
	for (size_t i = 0; r == 0 && i < o->n_phases; i++)
		r = compile(o->phase[i].name, o->phase[i].regex, &p->phase[i], err);
	for (size_t i = 0; r == 0 && i < o->n_values; i++)
		r = compile(o->value[i].name, o->value[i].regex, &p->value[i], err);
	return r;
}

int nf_phases_new(const struct nf_phases_opts *o, struct nf_phases **ret, struct nf_err *err)
{
	struct nf_phases *p;

	if (o->n_phases > NF_PHASES_MAX || o->n_values > NF_PHASE_VALUES_MAX)
		return nf_fail(err, NF_EARG,
		               "%zu phases and %zu values; allowed: at most %d and %d", o->n_phases,
		               o->n_values, NF_PHASES_MAX, NF_PHASE_VALUES_MAX);
	p = calloc(1, sizeof(*p));
	if (!p)
		return nf_fail_nomem(err, "phases", sizeof(*p));
	p->o = o;
	p->r.n_events = 1 + o->n_phases;
	p->r.n_intervals = o->n_phases;
	for (size_t i = 0; i < o->n_phases; i++)
		p->r.interval[i] = (struct nf_phase_interval){ .from = i, .to = i + 1 };
	p->diff = malloc(DIFFS_MAX * sizeof(*p->diff));
	int r = p->diff ? compile_all(p, err) : nf_fail_nomem(err, "stamps", DIFFS_MAX);
	if (r < 0) {
		nf_phases_free(p);
		return r;
	}
	*ret = p;
	return 0;
}

void nf_phases_free(struct nf_phases *p)
{
	if (!p)
		return;
	nf_match_free(p->t0);
	nf_match_free(p->section);
	for (size_t i = 0; i < NF_PHASES_MAX; i++)
		nf_match_free(p->phase[i]);
	for (size_t i = 0; i < NF_PHASE_VALUES_MAX; i++)
		nf_match_free(p->value[i]);
	free(p->hits);
	free(p->diff);
	free(p);
}

/* --- pieces --- */

static void keep_text(char *to, size_t size, const char *text, size_t len)
{
	size_t n = len < size ? len : size - 1;

	memcpy(to, text, n);
	to[n] = '\0';
}

static void keep_line(char to[NF_PHASE_TEXT], const struct nf_line *l)
{
	keep_text(to, NF_PHASE_TEXT, l->text, l->len);
}

/* When and where the byte of text[at] came. */
static int place(const struct nf_phases *p, const struct nf_line *l, size_t at,
                 struct nf_phase_event *e, struct nf_err *err)
{
	if (p->o->locate)
		return p->o->locate(p->o->ctx, l, at, &e->raw_offset, &e->lo_ns, &e->hi_ns, err);
	e->raw_offset = l->raw_offset + (at < l->raw_bytes ? at : l->raw_bytes);
	e->lo_ns = l->first_lo_ns;
	e->hi_ns = at == 0 ? l->first_hi_ns : l->last_hi_ns;
	return 0;
}

static int seen(struct nf_phases *p, const struct nf_line *l, size_t at, bool stamped,
                struct nf_phase_event *e, struct nf_err *err)
{
	int r = place(p, l, at, e, err);

	if (r < 0)
		return r;
	e->found = true;
	e->unstamped = !stamped;
	e->line = p->r.lines;
	keep_line(e->text, l);
	return 0;
}

static void add_gap(struct nf_phase_interval *v, const struct nf_phase_gap *g)
{
	size_t i = v->n_gaps;

	if (g->length_ns <= 0 || (i == NF_PHASE_GAPS && v->gap[i - 1].length_ns >= g->length_ns))
		return;
	if (i == NF_PHASE_GAPS)
		i--;
	else
		v->n_gaps++;
	for (; i > 0 && v->gap[i - 1].length_ns < g->length_ns; i--)
		v->gap[i] = v->gap[i - 1];
	v->gap[i] = *g;
}

static void add_guest(struct nf_phase_interval *v, const struct nf_line *l)
{
	int64_t guest;
	size_t at;

	if (nf_printk_stamp(l->text, l->len, &guest, &at))
		nf_printk_add(&v->guest, guest, at == 0 ? l->first_hi_ns : l->last_hi_ns);
}

/* --- what a whole log tells in passing --- */

static void note_baud(struct nf_phases *p, const struct nf_line *l)
{
	static const char word[] = "console=tty";
	const char *at = memmem(l->text, l->len, word, sizeof(word) - 1);
	const char *end = l->text + l->len;
	uint32_t baud = 0;

	if (!at || p->r.kernel_baud)
		return;
	at += sizeof(word) - 1;
	while (at < end && *at != ',' && !isspace((unsigned char)*at))
		at++;
	if (at >= end || *at != ',')
		return;
	for (at++; at < end && isdigit((unsigned char)*at) && baud < 100000000; at++)
		baud = baud * 10 + (uint32_t)(*at - '0');
	p->r.kernel_baud = baud;
}

static void note_emulator(struct nf_phases *p, const struct nf_line *l)
{
	static const char *const words[] = { "QEMU", "qemu-", "linux,dummy-virt" };

	for (size_t i = 0; !p->r.emulator[0] && i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(l->text, l->len, words[i], strlen(words[i])))
			keep_text(p->r.emulator, sizeof(p->r.emulator), words[i], strlen(words[i]));
}

static void note_time(struct nf_phases *p, const struct nf_line *l)
{
	if (!p->any) {
		p->r.first_ns = l->first_hi_ns;
		return;
	}
	int64_t d = l->first_hi_ns - p->last_first_hi_ns;
	if (d < 0) {
		p->r.backwards++;
		if (-d > p->r.worst_backwards_ns)
			p->r.worst_backwards_ns = -d;
	} else if (p->n_diffs < DIFFS_MAX) {
		p->diff[p->n_diffs++] = d;
	}
}

/* --- events --- */

static int find_t0(struct nf_phases *p, const struct nf_line *l, bool stamped, size_t *ret_at,
                   struct nf_err *err)
{
	size_t len;
	int r = 1;

	*ret_at = 0;
	if (p->r.event[0].found)
		return 0;
	if (p->t0)
		r = nf_match_line(p->t0, l->text, l->len, err);
	if (r < 0)
		return r;
	if (p->t0 && r != (int)NF_MATCH_YES)
		return 0;
	if (p->t0 && !nf_match_group(p->t0, 0, ret_at, &len))
		*ret_at = 0;
	/* Whoever captures may be who types: the beat of its commands to a bootloader is no step of the stamps. */
	if (p->t0 && p->o->locate)
		p->n_diffs = 0;
	nf_restarts_begin(&p->r.restarts, l->text + *ret_at, l->len - *ret_at);
	return seen(p, l, *ret_at, stamped, &p->r.event[0], err);
}

/* from: where in the line t0 stands, if it does. */
static int find_phases(struct nf_phases *p, const struct nf_line *l, bool stamped, size_t from,
                       struct nf_err *err)
{
	for (size_t i = 0; i < p->o->n_phases; i++) {
		struct nf_phase_event *e = &p->r.event[1 + i];
		size_t at, len;

		if (e->found || (!p->r.event[0].found && e->before_t0))
			continue;
		int r = nf_match_line(p->phase[i], l->text + from, l->len - from, err);
		if (r < 0)
			return r;
		if (r != (int)NF_MATCH_YES || !nf_match_group(p->phase[i], 0, &at, &len))
			continue;
		if (!p->r.event[0].found) {
			e->before_t0 = true;
			continue;
		}
		r = seen(p, l, from + at, stamped, e, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static void close_interval(const struct nf_phases *p, struct nf_phase_interval *v)
{
	const struct nf_phase_event *a = &p->r.event[v->from], *b = &p->r.event[v->to];

	v->seen = true;
	v->bytes = b->raw_offset > a->raw_offset ? b->raw_offset - a->raw_offset : 0;
}

/* --- intervals --- */

/* before: which events were found before this line. */
static void add_to_intervals(struct nf_phases *p, const struct nf_line *l, bool stamped,
                             const bool *before)
{
	struct nf_phase_gap gap = { .begin_ns = p->last_hi_ns, .line = p->last_line };
	struct nf_phase_gap inside = { .begin_ns = l->first_hi_ns,
		                       .line = p->r.lines,
		                       .inside = true };

	if (stamped && p->any)
		gap.length_ns = l->first_hi_ns - p->last_hi_ns;
	memcpy(gap.text, p->last_text, sizeof(gap.text));
	keep_line(inside.text, l);
	if ((l->last_hi_ns - l->first_hi_ns) / SLOWEST_BYTE_NS > (int64_t)(l->raw_bytes >> 1))
		inside.length_ns = l->last_hi_ns - l->first_hi_ns;
	for (size_t i = 0; i < p->r.n_intervals; i++) {
		struct nf_phase_interval *v = &p->r.interval[i];
		bool began = before[v->from], begins = !began && p->r.event[v->from].found;

		if (before[v->to] || !(began || begins))
			continue;
		if (began)
			add_gap(v, &gap);
		add_guest(v, l);
		if (p->r.event[v->to].found) {
			close_interval(p, v);
			continue;
		}
		v->lines++;
		add_gap(v, &inside);
	}
}

/* The first that is going on; SIZE_MAX: none. */
static size_t current_interval(const struct nf_phases *p)
{
	for (size_t i = 0; i < p->r.n_intervals; i++)
		if (p->r.event[p->r.interval[i].from].found &&
		    !p->r.event[p->r.interval[i].to].found)
			return i;
	return SIZE_MAX;
}

/* --- faults and values --- */

static void add_fault(struct nf_phases *p, const struct nf_line *l)
{
	const char *name = nf_fault_of_line(l->text, l->len, &p->dump_lines);
	size_t at = current_interval(p);

	if (!name)
		return;
	if (at != SIZE_MAX)
		p->r.interval[at].faults++;
	if (p->r.n_faults == NF_PHASE_FAULTS_MAX) {
		p->r.faults_lost++;
		return;
	}
	struct nf_phase_fault *f = &p->r.fault[p->r.n_faults++];
	*f = (struct nf_phase_fault){
		.name = name, .line = p->r.lines, .hi_ns = l->first_hi_ns, .interval = at
	};
	keep_line(f->text, l);
}

static int find_section(struct nf_phases *p, const struct nf_line *l, bool stamped,
                        struct nf_err *err)
{
	size_t at, len;

	if (!p->section)
		return 0;
	int r = nf_match_line(p->section, l->text, l->len, err);
	if (r != (int)NF_MATCH_YES)
		return r < 0 ? r : 0;
	if (!nf_match_group(p->section, 1, &at, &len) && !nf_match_group(p->section, 0, &at, &len))
		return 0;
	keep_text(p->section_name, sizeof(p->section_name), l->text + at, len);
	p->has_section_time = stamped;
	p->section_lo_ns = l->first_lo_ns;
	return 0;
}

static int new_hit(struct nf_phases *p, struct nf_phase_value **ret, struct nf_err *err)
{
	if (p->r.n_values == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 16;
		struct nf_phase_value *more = realloc(p->hits, cap * sizeof(*more));

		if (!more)
			return nf_fail_nomem(err, "values", cap * sizeof(*more));
		p->hits = more;
		p->cap = cap;
	}
	*ret = &p->hits[p->r.n_values++];
	return 0;
}

/* rest: of the line, from the match on. */
static int add_value(struct nf_phases *p, size_t want, const struct nf_line *l, size_t at,
                     size_t len, size_t rest, struct nf_err *err)
{
	double per_s = p->o->value[want].per_s, number;
	struct nf_phase_value *v = NULL;
	unsigned decimals;

	if (!nf_printed_number(l->text + at, len, &number, &decimals)) {
		p->r.not_numbers++;
		return 0;
	}
	p->nth[want]++;
	if (p->r.n_values == NF_PHASE_HITS_MAX) {
		p->r.values_lost++;
		return 0;
	}
	int r = new_hit(p, &v, err);
	if (r < 0)
		return r;
	*v = (struct nf_phase_value){ .want = want,
		                      .nth = p->nth[want],
		                      .line = p->r.lines,
		                      .value = number,
		                      .hi_ns = l->last_hi_ns,
		                      .interval = current_interval(p),
		                      .has_section_time = p->has_section_time,
		                      .section_lo_ns = p->section_lo_ns };
	memcpy(v->section, p->section_name, sizeof(v->section));
	keep_line(v->text, l);
	v->has_counter = per_s > 0 && nf_printed_counter(l->text + rest, l->len - rest,
	                                                 &v->counter_diff, &v->counter_hz);
	v->counter_agrees = v->has_counter && nf_counter_gives(v->counter_diff, v->counter_hz,
	                                                       per_s, number, decimals);
	return 0;
}

static int find_values(struct nf_phases *p, const struct nf_line *l, struct nf_err *err)
{
	for (size_t i = 0; i < p->o->n_values; i++) {
		size_t from = 0;

		for (int hit = 0; hit < HITS_A_LINE && from <= l->len; hit++) {
			size_t at, len, group, group_len;
			int r = nf_match_line(p->value[i], l->text + from, l->len - from, err);

			if (r < 0)
				return r;
			if (r != (int)NF_MATCH_YES || !nf_match_group(p->value[i], 0, &at, &len))
				break;
			if (!nf_match_group(p->value[i], 1, &group, &group_len)) {
				group = at;
				group_len = len;
			}
			r = add_value(p, i, l, from + group, group_len, from + at, err);
			if (r < 0)
				return r;
			from += at + (len ? len : 1);
		}
	}
	return 0;
}

/* Lines of noisefloor/stamp.h are values that bring their own name and counter. */
static int find_stamp(struct nf_phases *p, const struct nf_line *l, struct nf_err *err)
{
	struct nf_phase_value *v = NULL;
	struct nf_stamp_line s;

	nf_stamp_line_read(l->text, l->len, &s);
	if (s.kind == NF_STAMP_LINE_END)
		p->r.values_lost += s.lost;
	else if (s.kind == NF_STAMP_LINE_BROKEN || (s.kind == NF_STAMP_LINE_TIME && s.back))
		p->r.not_numbers++;
	if (s.kind != NF_STAMP_LINE_TIME || s.back)
		return 0;
	if (p->r.n_values == NF_PHASE_HITS_MAX) {
		p->r.values_lost++;
		return 0;
	}
	int r = new_hit(p, &v, err);
	if (r < 0)
		return r;
	*v = (struct nf_phase_value){ .want = SIZE_MAX,
		                      .nth = 1,
		                      .line = p->r.lines,
		                      .value = (double)(s.has_us ? s.us : s.diff),
		                      .hi_ns = l->last_hi_ns,
		                      .interval = current_interval(p),
		                      .has_section_time = p->has_section_time,
		                      .section_lo_ns = p->section_lo_ns,
		                      .has_counter = s.has_us && s.hz > 0,
		                      .counter_diff = s.diff,
		                      .counter_hz = s.hz,
		                      .counter_agrees = s.agrees };
	for (size_t i = 0; i + 1 < p->r.n_values; i++)
		v->nth += p->hits[i].want == SIZE_MAX && strcmp(p->hits[i].stamp, s.name) == 0;
	memcpy(v->section, p->section_name, sizeof(v->section));
	keep_text(v->stamp, sizeof(v->stamp), s.name, strlen(s.name));
	keep_line(v->text, l);
	return 0;
}

/* --- a line --- */

/* Events in lines without a stamp lie before the next that has one. */
static void bound_events(struct nf_phases *p, const struct nf_line *l)
{
	for (size_t i = 0; i < p->r.n_events; i++) {
		struct nf_phase_event *e = &p->r.event[i];

		if (e->found && e->unstamped && e->hi_ns < l->first_hi_ns && e->line > p->last_line)
			e->hi_ns = l->first_hi_ns;
	}
}

static void passed(struct nf_phases *p, const struct nf_line *l, bool stamped)
{
	p->r.bytes += l->raw_bytes;
	if (l->len > 0)
		keep_line(p->r.last_text, l);
	if (!stamped) {
		p->r.unstamped++;
		return;
	}
	p->any = true;
	p->last_first_hi_ns = l->first_hi_ns;
	p->last_hi_ns = l->last_hi_ns;
	p->last_line = p->r.lines;
	keep_line(p->last_text, l);
	p->r.last_ns = l->last_hi_ns;
}

int nf_phases_line(struct nf_phases *p, const struct nf_line *l, bool stamped, struct nf_err *err)
{
	bool before[1 + NF_PHASES_MAX] = { false };
	size_t from;

	p->r.lines++;
	for (size_t i = 0; i < p->r.n_events; i++)
		before[i] = p->r.event[i].found;
	if (stamped) {
		note_time(p, l);
		bound_events(p, l);
	}
	note_baud(p, l);
	note_emulator(p, l);
	int r = find_t0(p, l, stamped, &from, err);
	if (r == 0)
		r = find_phases(p, l, stamped, from, err);
	if (r == 0)
		r = find_section(p, l, stamped, err);
	if (r == 0)
		r = find_values(p, l, err);
	if (r == 0)
		r = find_stamp(p, l, err);
	if (r < 0)
		return r;
	add_to_intervals(p, l, stamped, before);
	add_fault(p, l);
	if (before[0])
		nf_restarts_line(&p->r.restarts, l->text, l->len, p->r.lines, l->first_hi_ns,
		                 current_interval(p));
	passed(p, l, stamped);
	return 0;
}

const struct nf_phases_result *nf_phases_finish(struct nf_phases *p)
{
	for (size_t i = 0; i < p->r.n_intervals; i++) {
		struct nf_phase_interval *v = &p->r.interval[i];
		const struct nf_phase_event *a = &p->r.event[v->from], *b = &p->r.event[v->to];

		if (!a->found || !b->found)
			continue;
		v->seen = true;
		v->duration_ns = b->hi_ns - a->hi_ns;
		v->lo_ns = b->lo_ns - a->hi_ns;
		v->hi_ns = b->hi_ns - a->lo_ns;
	}
	nf_restarts_finish(&p->r.restarts);
	p->r.grid = nf_grid_find(p->diff, p->n_diffs);
	p->n_diffs = 0;
	p->r.value = p->hits;
	return &p->r;
}
