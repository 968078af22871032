/* SPDX-License-Identifier: MIT */
/* probe - one probe by itself: measured, kept, judged. */
#include <string.h>

#include "job/step.h"
#include "job/why.h"
#include "report/text.h"

/* Room for the record, captures and texts beside the samples. */
enum { RESERVE_BYTES = 2 << 20 };

/* nf_session_finish hands over the record only: its kind stands in the schema. */
static void text(const void *record, struct nf_buf *out)
{
	const char *schema;

	memcpy(&schema, record, sizeof(schema));
	for (const struct nf_step_kind *const *k = nf_step_kinds; *k; k++) {
		if (strcmp((*k)->schema, schema) != 0)
			continue;
		const struct nf_rec_head *h = (const void *)((const char *)record + (*k)->run_head);
		const struct nf_rec_facts *f =
		        (const void *)((const char *)record + (*k)->run_facts);

		nf_text_head(&h->setup_before, h->lane, h->clock, out);
		nf_buf_adds(out, "\n");
		(*k)->text(f, (const char *)record + (*k)->run_body, out);
		nf_buf_addf(out, "\nresult   %s%s%s\nceiling  %s\n", nf_text_result(h->result),
		            h->reason ? ": " : "", h->reason ? h->reason : "", h->claim_ceiling);
	}
}

int nf_job_probe(const struct nf_job_opts *o, const struct nf_probe *probe, const void *cfg,
                 struct nf_job_outcome *ret, struct nf_err *err)
{
	const struct nf_step_kind *kind = nf_step_find(probe->name);
	const struct nf_probe_common *common = cfg;
	struct nf_session s = { 0 };
	struct nf_step_outcome out;
	int r;

	if (!kind)
		return nf_fail(err, NF_EARG, "the probe %s has no record", probe->name);
	r = nf_session_open(&s, o, err);
	if (r < 0)
		goto out;
	s.seed = common->seed;
	r = probe->check(&s.env, cfg, err); /* before a folder is made for nothing */
	if (r == 0 && o->why)
		r = nf_session_clock(&s, err);
	if (r == 0 && o->why)
		r = nf_why_check(&s, kind, err);
	if (r < 0)
		goto out;
	r = nf_session_folder(&s, RESERVE_BYTES + kind->sample_bytes(&s.env, cfg), err);
	if (r < 0)
		goto out;
	if (!o->why)
		r = nf_session_clock(&s, err);
	if (r < 0)
		goto out;
	r = nf_step_run(&s, kind, cfg, probe->name, &out, err);
	if (r < 0)
		goto out;
	if (out.failed.code) {
		*err = out.failed;
		r = -(int)out.failed.code;
		goto out;
	}

	char *record = nf_arena_alloc(&s.arena, 1, kind->run_size);
	if (!record) {
		r = nf_arena_failed(&s.arena, "record", err);
		goto out;
	}
	memcpy(record, &kind->schema, sizeof(kind->schema)); /* first member of every run */
	memcpy(record + kind->run_facts, nf_step_facts(kind, out.step),
	       sizeof(struct nf_rec_facts));
	memcpy(record + kind->run_body, nf_step_body(kind, out.step),
	       kind->step_size - kind->step_body);
	struct nf_verdict v = {
		.result = out.result,
		.reason = out.reason,
		.undecided = out.undecided,
		.claim_ceiling = kind->claim_ceiling,
	};
	r = nf_session_finish(&s, kind->run_type, record,
	                      (struct nf_rec_head *)(void *)(record + kind->run_head), &v, text,
	                      ret, err);
out:
	nf_session_close(&s);
	return r;
}

int nf_job_bare_probe(const struct nf_job_opts *o, const struct nf_probe *probe, const void *cfg,
                      struct nf_probe_run *ret, struct nf_err *err)
{
	struct nf_session s = { 0 };

	int r = nf_session_open(&s, o, err);
	if (r == 0)
		r = probe->check(&s.env, cfg, err);
	if (r == 0)
		r = nf_session_clock(&s, err);
	if (r == 0)
		r = probe->run(&s.env, cfg, ret, err);
	nf_session_close(&s);
	return r;
}
