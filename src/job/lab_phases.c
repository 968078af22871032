/* SPDX-License-Identifier: MIT */
#include "job/lab_phases.h"

#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "job/head.h"
#include "record/write.h"
#include "report/lab.h"
#include "report/text.h"

#define ARENA_BYTES ((size_t)1 << 30)

/* --- attempts --- */

/* By name, with numbers told apart by what they are. */
static int in_order(const void *a, const void *b)
{
	const struct nf_rec_boot_attempt *x = a, *y = b;
	int r = strcmp(x->config, y->config);

	if (r == 0)
		r = (x->run > y->run) - (x->run < y->run);
	if (r == 0)
		r = (x->attempt > y->attempt) - (x->attempt < y->attempt);
	return r ? r : strcmp(x->path, y->path);
}

static bool was_stopped(const struct nf_rec_boot_attempt *at)
{
	return at->outcome.some && at->outcome.v == NF_BOOT_STOPPED;
}

/* Of several tries at a run the last counts that was not stopped from outside. Logs whose names tell no try are a run each; those that tell no run
 * either get the next number. */
static void number(struct nf_rec_boot_attempt *at, const bool *tried, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool later = false;

		for (size_t k = i + 1; k < n && tried[i] && at[k].run == at[i].run &&
		                       strcmp(at[k].config, at[i].config) == 0;
		     k++)
			later = later || (tried[k] && !was_stopped(&at[k]));
		at[i].counts = !later && !was_stopped(&at[i]);
	}
	for (size_t i = 0; i < n; i++) {
		bool same = i > 0 && strcmp(at[i].config, at[i - 1].config) == 0;

		if (at[i].run == 0)
			at[i].run = same ? at[i - 1].run + 1 : 1;
	}
}

/* A file of a folder that is no log is told and passed over, as long as there are others; one that was named is not. */
static int read_each(const struct nf_job_opts *o, const struct nf_lab_opts *lab, struct nf_arena *a,
                     struct nf_lab_log *log, size_t n, struct nf_rec_boot_attempt *at,
                     size_t *ret_n, struct nf_rec_boot_campaign *c, struct nf_err *err)
{
	struct nf_rec_boot_skipped *skipped = nf_arena_alloc(a, n, sizeof(*skipped));
	size_t n_read = 0, n_skipped = 0;
	struct nf_err first = { 0 };
	int r = nf_arena_failed(a, "attempts", err);

	for (size_t i = 0; r == 0 && i < n; i++) {
		struct nf_err why = { 0 };

		r = nf_lab_read(lab, &log[i], a, o->stop, &at[n_read], &why);
		n_read += r == 0;
		if (r == -NF_EDATA && log[i].found) {
			first = n_skipped ? first : why;
			skipped[n_skipped++] =
			        (struct nf_rec_boot_skipped){ .path = log[i].path,
				                              .why = nf_arena_strdup(a, why.msg) };
			r = 0;
		} else if (r < 0) {
			*err = why;
		}
	}
	if (r == 0 && n_read == 0) {
		*err = first;
		r = -NF_EDATA;
	}
	c->skipped = (struct nf_list){ skipped, n_skipped };
	*ret_n = n_read;
	return r;
}

static int read_all(const struct nf_job_opts *o, const struct nf_lab_opts *lab, struct nf_arena *a,
                    struct nf_rec_boot_campaign *c, struct nf_err *err)
{
	struct nf_rec_boot_attempt *at;
	struct nf_lab_log *log = NULL;
	bool *tried;
	size_t n = 0, n_read = 0;
	int r = nf_lab_find(lab, a, &log, &n, err);

	if (r < 0)
		return r;
	at = nf_arena_alloc(a, n, sizeof(*at));
	tried = nf_arena_alloc(a, n, sizeof(*tried));
	r = nf_arena_failed(a, "attempts", err);
	if (r == 0)
		r = read_each(o, lab, a, log, n, at, &n_read, c, err);
	if (r < 0)
		return r;
	qsort(at, n_read, sizeof(*at), in_order);
	for (size_t i = 0; i < n_read; i++)
		for (size_t k = 0; k < n; k++)
			if (at[i].path == log[k].path)
				tried[i] = log[k].tried;
	number(at, tried, n_read);
	c->attempts = (struct nf_list){ at, n_read };
	return 0;
}

/* --- the record --- */

static void list_patterns(const struct nf_lab_opts *lab, struct nf_arena *a,
                          struct nf_rec_boot_campaign *c)
{
	const struct nf_phases_opts *p = &lab->phases;
	struct nf_rec_boot_pattern *phase = nf_arena_alloc(a, p->n_phases + 1, sizeof(*phase));
	struct nf_rec_boot_pattern *value = nf_arena_alloc(a, p->n_values + 1, sizeof(*value));

	if (!phase || !value)
		return;
	for (size_t i = 0; i < p->n_phases; i++)
		phase[i] = (struct nf_rec_boot_pattern){ .name = p->phase[i].name,
			                                 .pattern = p->phase[i].regex };
	for (size_t i = 0; i < p->n_values; i++)
		value[i] = (struct nf_rec_boot_pattern){
			.name = p->value[i].name,
			.pattern = p->value[i].regex,
			.unit = lab->value_unit ? lab->value_unit[i] : NULL,
		};
	c->phases = (struct nf_list){ phase, p->n_phases };
	c->values = (struct nf_list){ value, p->n_values };
}

static int make_record(const struct nf_job_opts *o, const struct nf_lab_opts *lab,
                       struct nf_arena *a, struct nf_rec_boot_campaign *c, struct nf_err *err)
{
	const char **command = nf_arena_alloc(a, (size_t)o->argc + 1, sizeof(*command));

	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*c = (struct nf_rec_boot_campaign){
		.schema = "BootCampaign/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(a, nf_now_utc()),
		.t0 = lab->phases.t0,
		.section = lab->phases.section,
		.claim_ceiling =
		        "Times of lines as a host saw them come over a console: they hold what "
		        "the console itself takes. Who made the logs, on what and with which "
		        "image stands only where they say so.",
	};
	list_patterns(lab, a, c);
	int r = read_all(o, lab, a, c, err);
	if (r == 0)
		r = nf_lab_figures(lab, a, c, err);
	if (r == 0)
		r = nf_lab_findings(a, c, err);
	if (r == 0)
		r = nf_arena_failed(a, "record", err);
	if (r < 0)
		return r;
	c->replaced_text = nf_record_replaced(&nf_rec_boot_campaign_type, c);
	return nf_rec_honesty_fill(&c->honesty, &nf_rec_boot_campaign_type, c, a, err);
}

/* Findings that say that what was timed is not what was asked for. */
static bool is_doubtful(const struct nf_rec_boot_campaign *c)
{
	const struct nf_rec_boot_finding *f = c->findings.items;

	for (size_t i = 0; i < c->findings.n; i++)
		if (f[i].kind == NF_FINDING_RESTART || f[i].kind == NF_FINDING_STATUS ||
		    f[i].kind == NF_FINDING_SKIPPED)
			return true;
	return false;
}

static void judge(const struct nf_job_opts *o, const struct nf_rec_boot_campaign *c,
                  struct nf_job_outcome *ret)
{
	const struct nf_rec_boot_config *x = c->configs.items;
	bool any = c->phases.n == 0 && c->values.n == 0, all = true;

	for (size_t i = 0; i < c->configs.n; i++) {
		const struct nf_rec_boot_times *t = x[i].phases.items;

		any = any || x[i].values.n > 0;
		all = all && x[i].failed == 0;
		for (size_t k = 0; k < x[i].phases.n; k++)
			any = any || t[k].n > 0;
	}
	ret->result = !any ? NF_RESULT_BLOCKED : all ? NF_RESULT_PASS : NF_RESULT_PARTIAL;
	ret->exit_code = !any || (o->strict && (!all || is_doubtful(c))) ? 3 : 0;
}

int nf_job_lab_phases(const struct nf_job_opts *o, const struct nf_lab_opts *lab,
                      struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_rec_boot_campaign c;
	struct nf_arena a;

	nf_arena_init(&a, ARENA_BYTES);
	int r = make_record(o, lab, &a, &c, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_boot_campaign_type, &c, &ret->json, NULL, err);
	if (r == 0) {
		(void)(lab->csv ? nf_csv_lab(&c, &ret->summary) : nf_text_lab(&c, &ret->summary));
		(void)nf_text_printable(&ret->summary);
		r = nf_buf_failed(&ret->summary, "summary", err);
	}
	if (r == 0)
		judge(o, &c, ret);
	nf_arena_fini(&a);
	return r;
}
