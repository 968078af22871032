/* SPDX-License-Identifier: MIT */
/* lab_findings - what a reader of the figures has to know, found in the figures themselves. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "job/lab_phases.h"

/* A share of an interval that is more its story than the rest is. */
#define MOST 0.5
/* A gap of fewer steps of the stamps may be none. */
enum { CLEAR_STEPS = 5 };
enum { FINDINGS_MAX = 256, WORDS = 160 };

struct findings {
	struct nf_arena *a;
	const struct nf_rec_boot_campaign *c;
	struct nf_rec_boot_finding *item;
	size_t n;
};

/* What text says is in the arena, or the arena has failed. */
static void add(struct findings *f, struct nf_rec_boot_finding what)
{
	if (f->n < FINDINGS_MAX && what.text)
		f->item[f->n++] = what;
}

static const struct nf_rec_boot_attempt *attempts(const struct findings *f)
{
	return f->c->attempts.items;
}

/* "3 of 3 runs", "9 logs" */
static const char *counted(const struct findings *f, uint64_t n, uint64_t of)
{
	if (n == of)
		return nf_arena_printf(f->a, of == 1 ? "the one log" : "all %" PRIu64 " logs", of);
	return nf_arena_printf(f->a, "%" PRIu64 " of %" PRIu64 " logs", n, of);
}

/* "79-88 %"; without decimals. */
static const char *range(const struct findings *f, double lo, double hi, double scale,
                         const char *unit)
{
	char a[32], b[32];

	snprintf(a, sizeof(a), "%.0f", lo * scale);
	snprintf(b, sizeof(b), "%.0f", hi * scale);
	if (strcmp(a, b) == 0)
		return nf_arena_printf(f->a, "%s %s", a, unit);
	return nf_arena_printf(f->a, "%s-%s %s", a, b, unit);
}

/* --- of all logs --- */

static void stamp_grid(struct findings *f)
{
	const struct nf_rec_boot_attempt *at = attempts(f);
	double lo = 0, hi = 0, digit = 0;
	uint64_t n = 0, same = 0;

	for (size_t i = 0; i < f->c->attempts.n; i++) {
		if (!at[i].grid_s.some ||
		    (at[i].digit_s.some && at[i].grid_s.v < 2 * at[i].digit_s.v))
			continue;
		lo = n ? fmin(lo, at[i].grid_s.v) : at[i].grid_s.v;
		hi = fmax(hi, at[i].grid_s.v);
		digit = fmax(digit, at[i].digit_s.v);
		same += at[i].digit_s.some;
		n++;
	}
	if (n == 0)
		return;
	const char *printed = same ? nf_arena_printf(f->a, "printed to %g s, but ", digit) : "";
	add(f, (struct nf_rec_boot_finding){
	               .kind = NF_FINDING_GRID,
	               .runs = n,
	               .of = f->c->attempts.n,
	               .text = nf_arena_printf(
	                       f->a,
	                       "Timestamps are %squantised to about %s (%s): lines are stamped "
	                       "when a reader wakes up, not when they come. No difference below "
	                       "that means anything, and the sd of runs that fall on the same "
	                       "step is too small.",
	                       printed, range(f, lo, hi, 1000, "ms"),
	                       counted(f, n, f->c->attempts.n)) });
}

static void backwards(struct findings *f)
{
	const struct nf_rec_boot_attempt *at = attempts(f);
	uint64_t n = 0, times = 0;
	double worst = 0;

	for (size_t i = 0; i < f->c->attempts.n; i++) {
		n += at[i].backwards > 0;
		times += at[i].backwards;
		worst = fmax(worst, at[i].worst_backwards_s.v);
	}
	if (n)
		add(f, (struct nf_rec_boot_finding){
		               .kind = NF_FINDING_BACKWARDS,
		               .runs = n,
		               .of = f->c->attempts.n,
		               .text = nf_arena_printf(
		                       f->a,
		                       "The clock that stamped goes backwards %" PRIu64
		                       " times, by up to %.6g s (%s): it was set, or stamps are "
		                       "not what the form says.",
		                       times, worst, counted(f, n, f->c->attempts.n)) });
}

static void unstamped(struct findings *f)
{
	const struct nf_rec_boot_attempt *at = attempts(f);
	uint64_t n = 0, lines = 0, phases = 0;

	for (size_t i = 0; i < f->c->attempts.n; i++) {
		const struct nf_rec_boot_event *e = at[i].phases.items;

		n += at[i].unstamped_lines > 0;
		lines += at[i].unstamped_lines;
		for (size_t k = 0; k < at[i].phases.n; k++)
			phases += e[k].unstamped;
	}
	if (n)
		add(f, (struct nf_rec_boot_finding){
		               .kind = NF_FINDING_UNSTAMPED,
		               .runs = n,
		               .of = f->c->attempts.n,
		               .text = nf_arena_printf(
		                       f->a,
		                       "%" PRIu64 " lines have no stamp of their own (%s); "
		                       "%" PRIu64 " phases were seen in such a line and have the "
		                       "next stamp's time.",
		                       lines, counted(f, n, f->c->attempts.n), phases) });
}

static void platforms(struct findings *f)
{
	const struct nf_rec_boot_attempt *at = attempts(f);
	bool seen[3] = { false };

	for (size_t i = 0; i < f->c->attempts.n; i++)
		seen[at[i].platform] = true;
	if (seen[NF_BOOT_EMULATOR] && (seen[NF_BOOT_BOARD] || seen[NF_BOOT_PLATFORM_UNKNOWN]))
		add(f,
		    (struct nf_rec_boot_finding){
		            .kind = NF_FINDING_PLATFORMS,
		            .of = f->c->attempts.n,
		            .text = "Some of these ran on an emulator and some did not, or it is "
		                    "not known: their times are not of one kind, and ratios "
		                    "between them say nothing about a board (--platform says "
		                    "what ran where)." });
}

/* --- of a configuration --- */

static bool of_config(const struct nf_rec_boot_attempt *at, const struct nf_rec_boot_config *c)
{
	return at->counts && strcmp(at->config, c->name) == 0;
}

static uint64_t config_runs(const struct findings *f, const struct nf_rec_boot_config *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->c->attempts.n; i++)
		n += of_config(&attempts(f)[i], c);
	return n;
}

static void uart_time(struct findings *f, const struct nf_rec_boot_config *c,
                      const struct nf_rec_boot_shares *s, const struct nf_rec_boot_times *t)
{
	uint64_t baud = 0, n = 0;
	const char *why = "";

	if (!s->uart_ratio_median.some || s->uart_ratio_median.v < MOST)
		return;
	for (size_t i = 0; i < f->c->attempts.n; i++) {
		if (!of_config(&attempts(f)[i], c))
			continue;
		baud = attempts(f)[i].baud;
		why = attempts(f)[i].baud_why;
		n++;
	}
	add(f, (struct nf_rec_boot_finding){
	               .kind = NF_FINDING_UART,
	               .config = c->name,
	               .phase = s->name,
	               .runs = t->n,
	               .of = n,
	               .text = nf_arena_printf(
	                       f->a,
	                       "%s of %s is UART time: %.0f bytes at %.6g bytes/s (%" PRIu64
	                       " baud, %s). It times the console, not the board: print less, "
	                       "or after it.",
	                       range(f, s->uart_ratio_min.v, s->uart_ratio_max.v, 100, "%"),
	                       s->name, s->bytes_median.v, (double)baud / 10, baud, why) });
}

static void silence(struct findings *f, const struct nf_rec_boot_config *c, size_t i,
                    const struct nf_rec_boot_shares *s, const struct nf_rec_boot_times *t)
{
	double lo = 0, hi = 0;
	const char *after = NULL;
	uint64_t n = 0;

	if (!s->gap_ratio_median.some || s->gap_ratio_median.v < MOST || t->n == 0 ||
	    s->longest_gap_s.v < CLEAR_STEPS * t->resolution_s.v)
		return;
	for (size_t k = 0; k < f->c->attempts.n; k++) {
		const struct nf_rec_boot_interval *v = attempts(f)[k].intervals.items;
		const struct nf_rec_boot_gap *g;

		if (!of_config(&attempts(f)[k], c) || v[i].gaps.n == 0)
			continue;
		g = v[i].gaps.items;
		if (g[0].ratio < MOST)
			continue;
		lo = n ? fmin(lo, g[0].ratio) : g[0].ratio;
		hi = fmax(hi, g[0].ratio);
		after = g[0].text;
		n++;
	}
	add(f, (struct nf_rec_boot_finding){
	               .kind = NF_FINDING_SILENCE,
	               .config = c->name,
	               .phase = s->name,
	               .runs = n,
	               .of = t->n,
	               .text = nf_arena_printf(
	                       f->a,
	                       "One silent gap of %.2f s holds %s of %s (median %.2f s); it "
	                       "follows '%.*s'. In all %.0f %% of it are silence: what "
	                       "happens there is not on the console.",
	                       s->longest_gap_s.v, range(f, lo, hi, 100, "%"), s->name,
	                       t->median_s.v, NF_UTF8_CUT(after ? after : "", 60),
	                       100 * s->silence_ratio_median.v) });
}

static void add_kind(char kinds[WORDS], const char *kind)
{
	size_t n = strlen(kinds);

	if (!strstr(kinds, kind))
		snprintf(kinds + n, WORDS - n, "%s%s", n ? ", " : "", kind);
}

/* Faults inside timed phases; outside of all they may be somebody's test of them. */
static void faults(struct findings *f, const struct nf_rec_boot_config *c, const char *phase)
{
	char kinds[WORDS] = "", status[WORDS] = "";
	uint64_t runs = config_runs(f, c), n = 0;

	for (size_t k = 0; k < f->c->attempts.n; k++) {
		const struct nf_rec_boot_attempt *at = &attempts(f)[k];
		const struct nf_rec_boot_fault *x = at->faults.items;
		bool hit = false;

		for (size_t i = 0; of_config(at, c) && i < at->faults.n; i++) {
			if (!x[i].interval || strcmp(x[i].interval, phase) != 0)
				continue;
			add_kind(kinds, x[i].kind);
			hit = true;
		}
		if (hit && at->status)
			add_kind(status, at->status);
		if (hit && at->outcome.some && at->outcome.v == NF_BOOT_OK)
			add_kind(status, "ok");
		n += hit;
	}
	if (n == 0)
		return;
	const char *although =
	        status[0] ? nf_arena_printf(f->a, ", although the status says %s", status) : "";
	add(f, (struct nf_rec_boot_finding){
	               .kind = NF_FINDING_FAULT,
	               .config = c->name,
	               .phase = phase,
	               .runs = n,
	               .of = runs,
	               .text = nf_arena_printf(f->a,
	                                       "Faults inside the timed phase %s of %s%s: %s. "
	                                       "What is timed there is not a run without "
	                                       "faults.",
	                                       phase, counted(f, n, runs), although, kinds) });
}

static bool restarted_in(const struct nf_rec_boot_attempt *at, const char *phase)
{
	const struct nf_rec_boot_restart *r = at->restarts.items;

	for (size_t i = 0; i < at->restarts.n; i++)
		if (r[i].interval && strcmp(r[i].interval, phase) == 0)
			return true;
	return false;
}

static uint64_t restarted(const struct findings *f, const struct nf_rec_boot_config *c,
                          const char *phase)
{
	uint64_t n = 0;

	for (size_t k = 0; k < f->c->attempts.n; k++)
		n += of_config(&attempts(f)[k], c) && restarted_in(&attempts(f)[k], phase);
	return n;
}

static void restarts(struct findings *f, const struct nf_rec_boot_config *c, const char *phase)
{
	uint64_t n = restarted(f, c, phase), runs = config_runs(f, c);

	if (n == 0)
		return;
	add(f, (struct nf_rec_boot_finding){
	               .kind = NF_FINDING_RESTART,
	               .config = c->name,
	               .phase = phase,
	               .runs = n,
	               .of = runs,
	               .text = nf_arena_printf(
	                       f->a,
	                       "The board restarted inside %s of %s: t0's line came again, or "
	                       "the kernel's clock began anew. What is timed there is more than "
	                       "one boot.",
	                       phase, counted(f, n, runs)) });
}

static void guest_clock(struct findings *f, const struct nf_rec_boot_config *c,
                        const struct nf_rec_boot_shares *s, const struct nf_rec_boot_times *t)
{
	const char *why;

	/* Of two boots a clock that was held says nothing. */
	if (s->guest_disagrees == 0 || 2 * s->guest_disagrees < t->n || restarted(f, c, s->name))
		return;
	why = s->guest_host_s.v > s->guest_claims_s.v
	              ? "Time passed that the guest did not see (a virtual machine that was "
	                "held), or its console lags behind it"
	              : "Lines were kept back before they were sent, or its clock runs fast";
	add(f, (struct nf_rec_boot_finding){
	               .kind = NF_FINDING_GUEST_CLOCK,
	               .config = c->name,
	               .phase = s->name,
	               .runs = s->guest_disagrees,
	               .of = t->n,
	               .text = nf_arena_printf(
	                       f->a,
	                       "The kernel's own clock disagrees with the host's in %s: it claims "
	                       "%.3f s where the host saw %.3f s between the same lines (%s). "
	                       "%s; do not take phases from it.",
	                       s->name, s->guest_claims_s.v, s->guest_host_s.v,
	                       counted(f, s->guest_disagrees, t->n), why) });
}

static void values(struct findings *f, const struct nf_rec_boot_config *c)
{
	uint64_t counters = 0, wrong = 0, unfit = 0, n = 0;
	const char *line = "", *unfit_line = "";
	double host = 0, claims = 0;

	for (size_t k = 0; k < f->c->attempts.n; k++) {
		const struct nf_rec_boot_attempt *at = &attempts(f)[k];
		const struct nf_rec_boot_value *v = at->values.items;

		for (size_t i = 0; of_config(at, c) && i < at->values.n; i++, n++) {
			counters += v[i].counter_agrees.some;
			if (v[i].counter_agrees.some && !v[i].counter_agrees.v) {
				wrong++;
				line = v[i].text;
			}
			if (v[i].fits.some && !v[i].fits.v) {
				unfit++;
				unfit_line = v[i].name;
				host = v[i].host_s.v;
				claims = v[i].claims_s.v;
			}
		}
	}
	if (wrong)
		add(f, (struct nf_rec_boot_finding){
		               .kind = NF_FINDING_COUNTER,
		               .config = c->name,
		               .runs = wrong,
		               .of = counters,
		               .text = nf_arena_printf(
		                       f->a,
		                       "%" PRIu64 " of %" PRIu64 " printed values are not what the "
		                       "counter printed beside them gives (ticks / rate, cut): "
		                       "'%.*s'.",
		                       wrong, counters, NF_UTF8_CUT(line, 80)) });
	if (unfit)
		add(f,
		    (struct nf_rec_boot_finding){
		            .kind = NF_FINDING_HOST_DISAGREES,
		            .config = c->name,
		            .runs = unfit,
		            .of = n,
		            .text = nf_arena_printf(f->a,
		                                    "%" PRIu64 " of %" PRIu64
		                                    " printed values cannot be: %s claims %.6g s "
		                                    "inside what the host saw as %.6g s. The "
		                                    "board's counter or its "
		                                    "rate is wrong.",
		                                    unfit, n, unfit_line, claims, host) });
}

/* "status=FAIL", as the log's head has it; what says nothing, or that all is well, is no finding. */
static bool says_failed(const char *status)
{
	static const char *const bad[] = { "fail", "error", "abort", "timeout", "panic", "crash" };

	for (size_t i = 0; status && i < sizeof(bad) / sizeof(bad[0]); i++)
		if (strncasecmp(status, bad[i], strlen(bad[i])) == 0)
			return true;
	return false;
}

static void statuses(struct findings *f, const struct nf_rec_boot_config *c)
{
	uint64_t n = 0, runs = config_runs(f, c);
	const char *status = "";

	for (size_t k = 0; k < f->c->attempts.n; k++) {
		const struct nf_rec_boot_attempt *at = &attempts(f)[k];

		if (!of_config(at, c) || !says_failed(at->status))
			continue;
		status = at->status;
		n++;
	}
	if (n)
		add(f, (struct nf_rec_boot_finding){
		               .kind = NF_FINDING_STATUS,
		               .config = c->name,
		               .runs = n,
		               .of = runs,
		               .text = nf_arena_printf(
		                       f->a,
		                       "%s %s of itself that the run failed (status=%.*s): its "
		                       "phases are in the figures all the same, as far as they "
		                       "were reached.",
		                       counted(f, n, runs), n == 1 ? "says" : "say",
		                       NF_UTF8_CUT(status, 40)) });
}

static void skipped(struct findings *f)
{
	const struct nf_rec_boot_skipped *s = f->c->skipped.items;
	size_t n = f->c->skipped.n;

	if (n)
		add(f, (struct nf_rec_boot_finding){
		               .kind = NF_FINDING_SKIPPED,
		               .of = f->c->attempts.n,
		               .text = nf_arena_printf(
		                       f->a,
		                       "%zu file%s of the folder%s no log of a "
		                       "known form and not read: %.*s%s",
		                       n, n == 1 ? "" : "s", n == 1 ? " is" : " are",
		                       NF_UTF8_CUT(s[0].why, 300), n == 1 ? "" : ", ...") });
}

static void not_reached(struct findings *f, const struct nf_rec_boot_config *c)
{
	const struct nf_rec_boot_times *t = c->phases.items;
	const struct nf_rec_boot_attempt *one = NULL;
	uint64_t no_t0 = 0, earlier = 0;

	for (size_t k = 0; k < f->c->attempts.n; k++) {
		const struct nf_rec_boot_attempt *at = &attempts(f)[k];
		const struct nf_rec_boot_event *e = at->phases.items;

		if (!of_config(at, c))
			continue;
		no_t0 += !at->t0;
		for (size_t i = 0; i < at->phases.n; i++) {
			one = at->t0 && !e[i].time_s.some ? at : one;
			earlier += at->t0 && e[i].before_t0;
		}
	}
	if (no_t0 && c->phases.n)
		add(f, (struct nf_rec_boot_finding){
		               .kind = NF_FINDING_FAILED,
		               .config = c->name,
		               .runs = no_t0,
		               .of = c->runs,
		               .text = nf_arena_printf(f->a,
		                                       "t0 was not seen in %s: no phase of "
		                                       "these is timed.",
		                                       counted(f, no_t0, c->runs)) });
	for (size_t i = 0; i < c->phases.n; i++) {
		if (t[i].failed <= no_t0)
			continue;
		add(f, (struct nf_rec_boot_finding){
		               .kind = NF_FINDING_FAILED,
		               .config = c->name,
		               .phase = t[i].name,
		               .runs = t[i].failed - no_t0,
		               .of = c->runs,
		               .text = nf_arena_printf(
		                       f->a, "%s was not reached in %s; the last line is '%.*s'.",
		                       t[i].name, counted(f, t[i].failed - no_t0, c->runs),
		                       NF_UTF8_CUT(one && one->last_text ? one->last_text : "",
		                                   60)) });
	}
	if (earlier)
		add(f, (struct nf_rec_boot_finding){ .kind = NF_FINDING_EARLIER,
		                                     .config = c->name,
		                                     .runs = earlier,
		                                     .of = c->runs * c->phases.n,
		                                     .text = "A phase's pattern is in a line "
		                                             "before t0, too: the first at or "
		                                             "after t0 is the one that counts." });
}

int nf_lab_findings(struct nf_arena *a, struct nf_rec_boot_campaign *c, struct nf_err *err)
{
	struct findings f = { .a = a,
		              .c = c,
		              .item = nf_arena_alloc(a, FINDINGS_MAX, sizeof(*f.item)) };
	const struct nf_rec_boot_config *x = c->configs.items;
	int r = nf_arena_failed(a, "findings", err);

	if (r < 0)
		return r;
	stamp_grid(&f);
	backwards(&f);
	unstamped(&f);
	platforms(&f);
	skipped(&f);
	for (size_t i = 0; i < c->configs.n; i++) {
		const struct nf_rec_boot_shares *s = x[i].shares.items;
		const struct nf_rec_boot_times *t = x[i].intervals.items;

		not_reached(&f, &x[i]);
		statuses(&f, &x[i]);
		for (size_t k = 0; k < x[i].shares.n; k++) {
			restarts(&f, &x[i], s[k].name);
			faults(&f, &x[i], s[k].name);
			uart_time(&f, &x[i], &s[k], &t[k]);
			silence(&f, &x[i], k, &s[k], &t[k]);
			guest_clock(&f, &x[i], &s[k], &t[k]);
		}
		values(&f, &x[i]);
	}
	c->findings = (struct nf_list){ f.item, f.n };
	return nf_arena_failed(a, "findings", err);
}
