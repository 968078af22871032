/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "job/head.h"
#include "job/lab_run_impl.h"
#include "record/write.h"
#include "report/lab.h"

enum { RESERVE_BYTES = 16 << 20 };

/* --- how it went --- */

struct tally {
	uint64_t runs, ok, infra, board, config; /* of the attempts that count */
	uint64_t missing;
	const struct nf_rec_boot_attempt *first; /* that failed */
	const struct nf_rec_boot_board *power; /* that did not end as asked */
};

static struct tally count(const struct nf_rec_boot_campaign *c)
{
	const struct nf_rec_boot_attempt *at = c->attempts.items;
	const struct nf_rec_boot_board *b = c->boards.items;
	struct tally t = { 0 };

	for (size_t i = 0; i < c->attempts.n; i++) {
		if (!at[i].counts)
			continue;
		t.runs++;
		t.ok += at[i].outcome.v == NF_BOOT_OK;
		t.infra += at[i].outcome.v == NF_BOOT_INFRA_FAILED;
		t.board += at[i].outcome.v == NF_BOOT_BOARD_FAILED;
		t.config += at[i].outcome.v == NF_BOOT_CONFIG_WRONG;
		if (!t.first && at[i].outcome.v != NF_BOOT_OK)
			t.first = &at[i];
	}
	for (size_t i = 0; i < c->boards.n; i++) {
		t.missing += b[i].missing;
		if (!t.power && b[i].power_failed)
			t.power = &b[i];
	}
	return t;
}

static const char *reason(const struct tally *t, struct nf_arena *a)
{
	if (t->first)
		return nf_arena_printf(a, "%llu of %llu runs failed; the first: %s, run %llu: %s",
		                       (unsigned long long)(t->runs - t->ok),
		                       (unsigned long long)(t->runs + t->missing), t->first->config,
		                       (unsigned long long)t->first->run, t->first->outcome_why);
	if (t->power)
		return nf_arena_printf(a, "the power of %s did not end as asked: %s",
		                       t->power->name, t->power->power_failed);
	return NULL;
}

static void conclude(const struct nf_run *x, const struct tally *t, const char *why,
                     const struct nf_rec_boot_campaign *c, struct nf_verdict *ret)
{
	*ret = (struct nf_verdict){ .result = NF_RESULT_PASS, .claim_ceiling = c->claim_ceiling };
	if (x->session.stopped_by) {
		ret->result = NF_RESULT_PARTIAL;
		ret->reason = "stopped by a signal";
	} else if (why) {
		ret->result = NF_RESULT_FAIL;
		ret->subject_failed = true;
		ret->reason = why;
	} else if (t->missing) {
		ret->result = NF_RESULT_PARTIAL;
		ret->reason = "runs are missing";
	}
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_lab(record, out);
}

static int finish(struct nf_run *x, struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_arena *a = &x->session.arena;
	struct nf_rec_head *head = nf_arena_alloc(a, 1, sizeof(*head));
	struct nf_rec_boot_campaign *c = nf_arena_alloc(a, 1, sizeof(*c));
	struct nf_verdict verdict;
	int r = nf_arena_failed(a, "record", err);

	if (r == 0)
		r = nf_run_record(x, c, err);
	if (r < 0)
		return r;
	struct tally t = count(c);
	const char *why = reason(&t, a);
	conclude(x, &t, why, c, &verdict);
	/* Twice: what the record says of its own fields needs a head. */
	r = nf_head_fill(&x->session, &verdict, head, err);
	c->head = head;
	if (r == 0)
		r = nf_rec_honesty_fill(&c->honesty, &nf_rec_boot_campaign_type, c, a, err);
	c->replaced_text = nf_record_replaced(&nf_rec_boot_campaign_type, c);
	if (r == 0)
		r = nf_session_finish(&x->session, &nf_rec_boot_campaign_type, c, head, &verdict,
		                      text, ret, err);
	/* What was asked for cannot be: the same as a bad file, only found later. */
	if (r == 0 && t.config && !x->session.stopped_by)
		ret->exit_code = 2;
	return r;
}

/* --- the whole --- */

static int prepare(struct nf_run *x, struct nf_err *err)
{
	int r = nf_session_open(&x->session, x->job, err);

	if (r == 0)
		r = nf_run_check(x, err);
	if (r == 0 && x->opts->resume)
		r = nf_run_resume(x, err);
	return r;
}

static int make_folder(struct nf_run *x, struct nf_err *err)
{
	int r = nf_session_folder(&x->session, RESERVE_BYTES, err);

	if (r == 0)
		r = nf_run_keep_campaigns(x, err);
	return r < 0 ? r : nf_run_take_over(x, err);
}

static void init(struct nf_run *x, const struct nf_job_opts *o, const struct nf_lab_run_opts *lab)
{
	*x = (struct nf_run){ .job = o, .opts = lab, .session.root.dirfd = -1, .loop.epoll = -1 };
}

int nf_job_lab_run(const struct nf_job_opts *o, const struct nf_lab_run_opts *lab,
                   struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_err closing = { 0 };
	struct nf_run x;
	int r, closed;

	init(&x, o, lab);
	r = prepare(&x, err);
	if (r == 0)
		r = nf_run_open_boards(&x, true, err);
	if (r == 0)
		r = make_folder(&x, err);
	if (r < 0) {
		nf_run_drop_boards(&x);
		goto out;
	}
	r = nf_run_drive(&x, err);
	closed = nf_run_close_boards(&x, &closing);
	if (r == 0 && closed < 0) {
		r = closed;
		*err = closing;
	}
	if (r == 0)
		r = finish(&x, ret, err);
out:
	nf_run_free(&x);
	nf_session_close(&x.session);
	return r;
}

/* --- what would be done --- */

static void plan_config(const struct nf_run_board *b, size_t i, struct nf_buf *out)
{
	const struct nf_run_config *c = &b->config[i];
	uint64_t done = 0;

	for (uint64_t k = 0; k < b->plan.runs; k++)
		done += b->plan.cell[i * b->plan.runs + k].done;
	(void)nf_buf_addf(out, "  %s: %llu runs", c->config->name.v,
	                  (unsigned long long)b->plan.runs);
	if (done)
		(void)nf_buf_addf(out, ", %llu of them done before", (unsigned long long)done);
	(void)nf_buf_addc(out, '\n');
	for (size_t k = 0; k < c->n_images; k++)
		(void)nf_buf_addf(out, "    %s, %llu bytes, SHA-256 %s\n", c->images[k].image,
		                  (unsigned long long)c->images[k].bytes, c->images[k].sha256);
}

static void plan_board(const struct nf_run_board *b, struct nf_buf *out)
{
	(void)nf_buf_addf(out, "%s (%s): console %s, power %s, %s\n", b->name, b->path,
	                  b->campaign.console.path, nf_power_rows[b->campaign.power.driver]->name,
	                  b->plan.sequential ? "one configuration after the other"
	                                     : "configurations in turn");
	for (size_t i = 0; i < b->n_configs; i++)
		plan_config(b, i, out);
	(void)nf_buf_addf(out,
	                  "  %llu boots; after a failure of infrastructure %llu more tries, of the "
	                  "board %llu\n",
	                  (unsigned long long)nf_lab_plan_left(&b->plan),
	                  (unsigned long long)b->plan.retry_infra,
	                  (unsigned long long)b->plan.retry_board);
}

int nf_job_lab_dry_run(const struct nf_job_opts *o, const struct nf_lab_run_opts *lab,
                       struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_run x;
	int r;

	init(&x, o, lab);
	r = prepare(&x, err);
	if (r == 0)
		r = nf_run_open_boards(&x, false, err);
	nf_run_drop_boards(&x);
	for (size_t i = 0; r == 0 && i < x.n_boards; i++)
		plan_board(&x.board[i], &ret->summary);
	if (r == 0) {
		(void)nf_buf_adds(&ret->summary, "Nothing was switched.\n");
		r = nf_buf_failed(&ret->summary, "the plan", err);
	}
	if (r == 0)
		ret->result = NF_RESULT_PASS;
	nf_run_free(&x);
	nf_session_close(&x.session);
	return r;
}
