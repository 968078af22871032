/* SPDX-License-Identifier: MIT */
/* compare: a record in JSON, with itself and with another, in every grouping and form. */
#include <string.h>

#include "fuzz.h"
#include "record/write.h"
#include "report/compare_runs.h"
#include "report/compare_text.h"

static void forms(const struct nf_rec_compare_run *r)
{
	struct nf_buf out;

	nf_buf_init(&out, 64 << 20);
	fuzz_require(nf_record_to_json(&nf_rec_compare_run_type, r, &out, NULL, NULL) == 0);
	fuzz_require(nf_compare_text(r, &out, NULL) == 0);
	fuzz_require(nf_compare_csv_groups(r, &out, NULL) == 0);
	fuzz_require(nf_compare_csv_values(r, &out, NULL) == 0);
	(void)!nf_compare_csv_published(r, &out, NULL);
	nf_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char own[] =
	        "{\"schema\": \"CaptureFacts\", \"realtime\": true, \"tag\": \"t\", "
	        "\"kernel_cmdline\": \"a b=c\", \"serial_s\": 0.5, "
	        "\"parallel_s\": 0.25, \"speedup\": 2.0, \"uptime_s\": 60, "
	        "\"captured_utc\": \"2031-01-01T00:00:00Z\"}";
	json_t *mine = json_loadb(own, sizeof(own) - 1, 0, NULL);
	json_t *theirs = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
	struct nf_run_view view[3];

	fuzz_require(mine);
	fuzz_require(nf_run_view("own", mine, &view[0], NULL) == 0);
	for (int by = NF_BY_LANE; theirs && by <= NF_BY_HOST; by++) {
		struct nf_compare_opts o = { .by = (enum nf_compare_by)by };
		struct nf_rec_compare_run r;
		struct nf_err err = { .code = NF_OK };
		struct nf_arena a;
		int rc;

		if (nf_run_view("theirs", theirs, &view[1], NULL) < 0)
			break;
		view[2] = view[1];
		nf_arena_init(&a, 64 << 20);
		rc = nf_compare_runs(view, 3, &o, &a, &r, &err);
		fuzz_require(rc == 0 || rc == -(int)err.code);
		if (rc == 0)
			forms(&r);
		nf_arena_fini(&a);
	}
	json_decref(theirs);
	json_decref(mine);
	return 0;
}
