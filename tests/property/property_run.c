/* SPDX-License-Identifier: MIT */
#include "property_run.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "build_info.h"
#include "record/rec_property.h"
#include "record/write.h"
#include "vcs.h"

enum { ARENA_BYTES = 16 << 20, TEXT_BYTES = 16 << 20 };

static int outcome_of(enum pt_outcome o)
{
	switch (o) {
	case PT_PASSED:
		return NF_PROPERTY_PASSED;
	case PT_FAILED:
		return NF_PROPERTY_FAILED;
	case PT_GAVE_UP:
		return NF_PROPERTY_GAVE_UP;
	case PT_VACUOUS:
		return NF_PROPERTY_VACUOUS;
	case PT_UNCOVERED:
		return NF_PROPERTY_UNCOVERED;
	case PT_BROKEN:
	case PT_OUTCOMES:
	default:
		return NF_PROPERTY_BROKEN;
	}
}

static int build(const struct pt_report *report, const char *(*sentence_of)(const char *name),
                 struct nf_arena *a, struct nf_buf *utc, struct nf_rec_property_run *run,
                 struct nf_err *err)
{
	struct nf_rec_property_result *row = nf_arena_alloc(a, report->n, sizeof(*row));
	int r;

	if (!row || nf_utc_print(nf_now_utc(), utc) != 0)
		return nf_fail_nomem(err, "results", report->n * sizeof(*row));
	*run = (struct nf_rec_property_run){
		.schema = "PropertyRun/1",
		.tool_version = NF_VERSION,
		.compiler = NF_BUILD_COMPILER,
		.sanitize = NF_BUILD_SANITIZE,
		.commit = strcmp(NF_BUILD_COMMIT, "unknown") != 0 ? NF_BUILD_COMMIT : NULL,
		.finished_utc = nf_arena_strdup(a, utc->data),
		.suite = report->suite,
		.seed = nf_arena_printf(a, "%llu", (unsigned long long)report->seed),
		.properties = report->n,
		.results = { row, report->n },
		.claim_ceiling = "Shows that no counterexample was drawn, not that there is none.",
	};
	for (size_t i = 0; i < report->n; i++) {
		const struct pt_result *res = &report->result[i];

		row[i] = (struct nf_rec_property_result){
			.name = report->name[i],
			.law = sentence_of(report->name[i]),
			.outcome = outcome_of(res->outcome),
			.cases = res->cases,
			.discarded = res->discarded,
			.message = res->outcome != PT_PASSED ? res->message : NULL,
			.blob = res->blob,
		};
		run->cases += res->cases;
		run->passed += res->outcome == PT_PASSED;
	}
	run->result = run->passed == run->properties ? NF_RESULT_PASS : NF_RESULT_FAIL;
	run->line = nf_arena_printf(a, "%zu properties, %llu cases, seed %s", report->n,
	                            (unsigned long long)run->cases, run->seed);
	r = nf_arena_failed(a, "record", err);
	if (r < 0)
		return r;
	run->replaced_text = nf_record_replaced(&nf_rec_property_run_type, run);
	return nf_rec_honesty_fill(&run->honesty, &nf_rec_property_run_type, run, a, err);
}

int property_run_write(const struct pt_report *report, const char *(*sentence_of)(const char *name),
                       const char *path)
{
	struct nf_rec_property_run run;
	struct nf_err err = { 0 };
	struct nf_buf utc, out;
	struct nf_arena a;
	FILE *f = NULL;
	int r;

	nf_arena_init(&a, ARENA_BYTES);
	nf_buf_init(&utc, 64);
	nf_buf_init(&out, TEXT_BYTES);
	r = build(report, sentence_of, &a, &utc, &run, &err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_property_run_type, &run, &out, NULL, &err);
	if (r < 0) {
		fprintf(stderr, "%s: %s\n", path, err.msg);
		goto out;
	}
	f = fopen(path, "w");
	if (!f || fwrite(out.data, 1, out.len_bytes, f) != out.len_bytes) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		r = -1;
	}
	if (f && fclose(f) != 0 && r == 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		r = -1;
	}
out:
	nf_buf_fini(&out);
	nf_buf_fini(&utc);
	nf_arena_fini(&a);
	return r;
}
