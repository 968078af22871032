/* SPDX-License-Identifier: MIT */
#include "job/inject_verdict.h"

#include "job/step.h"

bool nf_inject_judge(double least, bool stopped, struct nf_arena *a, struct nf_rec_inject_probe *p)
{
	const struct nf_rec_inject_found *f = p->injected->found;

	p->result = NF_RESULT_PASS;
	p->reason = NULL;
	if (f->recall_ratio.some && f->recall_ratio.v < least) {
		p->result = NF_RESULT_FAIL;
		p->reason = nf_arena_printf(a, "saw %.4g %% of the bursts, not %.4g %%",
		                            100 * f->recall_ratio.v, 100 * least);
		return false;
	}
	if (!f->recall_ratio.some)
		p->reason = "no burst fell into what it looked at";
	else if (p->injected->bursts->dropped > 0 || nf_step_lost(&p->injected->facts) > 0)
		p->reason = "bursts or samples were lost: the recall cannot be judged";
	else if (stopped)
		p->reason = "stopped before its end";
	if (p->reason)
		p->result = NF_RESULT_PARTIAL;
	return p->reason;
}

const char *nf_inject_caution(struct nf_arena *a, const struct nf_rec_inject_pass *control)
{
	const struct nf_rec_inject_chance *c = control ? control->chance : NULL;

	if (!c || !c->recall_by_chance_ratio.some || c->recall_by_chance_ratio.v < NF_INJECT_SHARED)
		return NULL;
	return nf_arena_printf(
	        a,
	        "this CPU was shared: without bursts a hit covers %.3g %% of the same "
	        "instants, so that they are seen says little (so from %g %% on)",
	        100 * c->recall_by_chance_ratio.v, 100 * NF_INJECT_SHARED);
}

static bool gather(const struct nf_rec_inject_probe *probe, size_t n, enum nf_rec_result result,
                   struct nf_buf *out)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (probe[i].result != (int)result)
			continue;
		nf_buf_addf(out, "%s%s: %s", out->len_bytes ? "; " : "", probe[i].probe,
		            probe[i].reason);
		any = true;
	}
	return any;
}

int nf_inject_conclude(const struct nf_rec_inject_probe *probe, size_t n, struct nf_arena *a,
                       struct nf_verdict *v, struct nf_err *err)
{
	struct nf_buf why;
	size_t n_blocked = 0;

	nf_buf_init(&why, 1 << 16);
	v->result = NF_RESULT_PASS;
	if (gather(probe, n, NF_RESULT_FAIL, &why)) {
		v->result = NF_RESULT_FAIL;
	} else {
		for (size_t i = 0; i < n; i++)
			n_blocked += probe[i].result == NF_RESULT_BLOCKED;
		gather(probe, n, NF_RESULT_PARTIAL, &why);
		gather(probe, n, NF_RESULT_BLOCKED, &why);
		if (why.len_bytes > 0)
			v->result = n_blocked == n ? NF_RESULT_BLOCKED : NF_RESULT_PARTIAL;
	}
	v->reason = why.len_bytes > 0 ? nf_arena_strdup(a, why.data) : NULL;
	int r = nf_buf_failed(&why, "reasons", err);
	nf_buf_fini(&why);
	return r < 0 ? r : nf_arena_failed(a, "record", err);
}
