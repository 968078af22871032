/* SPDX-License-Identifier: MIT */
/* Results of other programs: the first byte chooses the form ('0' + its number; 'a': told from the text).
 * The bounds are scaled in the text's own length, so nothing here takes long. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "bench/interchange.h"
#include "fuzz.h"
#include "report/interchange_write.h"

static void check_result(const struct nf_results *all, const struct nf_result *r)
{
	fuzz_require(r->bench[0] && r->unit[0]);
	fuzz_require(strlen(r->bench) <= NF_RESULT_NAME_MAX);
	fuzz_require(r->n > 0 || r->failure);
	fuzz_require(nf_results_find(all, r->bench) != NULL);
	for (size_t i = 0; i < r->n; i++) {
		fuzz_require(isfinite(r->item[i].value));
		fuzz_require(r->item[i].operations >= 1);
		fuzz_require(r->item[i].exit_code >= -1 && r->item[i].exit_code <= 255);
	}
}

/* Lines hold everything: what is written is read back as it is. */
static void round_trip(const struct nf_results *r)
{
	struct nf_results back;
	struct nf_err err = { 0 };
	struct nf_buf out;

	nf_buf_init(&out, 16 << 20);
	if (nf_interchange_write(NF_INTERCHANGE_LINES, r, NULL, &out, &err) < 0) {
		fuzz_require(r->n_values == 0 || err.code == NF_EDATA);
		nf_buf_fini(&out);
		return;
	}
	fuzz_require(nf_interchange_read(NF_INTERCHANGE_LINES, out.data, out.len_bytes, "x", &back,
	                                 NULL, &err) == 0);
	fuzz_require(back.n_values == r->n_values);
	for (size_t i = 0, j = 0; i < r->n; i++) {
		if (r->result[i].n == 0)
			continue;
		fuzz_require(back.result[j].n == r->result[i].n);
		for (size_t k = 0; k < r->result[i].n; k++)
			fuzz_require(!(back.result[j].item[k].value < r->result[i].item[k].value) &&
			             !(back.result[j].item[k].value > r->result[i].item[k].value));
		j++;
	}
	nf_results_fini(&back);
	for (int id = 0; id < NF_N_INTERCHANGE; id++) {
		nf_buf_clear(&out);
		(void)!nf_interchange_write((enum nf_interchange_id)id, r, NULL, &out, &err);
	}
	nf_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_results results;
	struct nf_err err = { 0 };
	char names[64];
	size_t n = 0;
	int told = -1;

	if (size < 1)
		return 0;
	int id = data[0] >= '0' && data[0] < '0' + NF_N_INTERCHANGE ? data[0] - '0'
	                                                            : NF_INTERCHANGE_AUTO;
	int r = nf_interchange_read(id, (const char *)data + 1, size - 1, "x", &results, &told,
	                            &err);
	if (r < 0) {
		fuzz_require(r == -NF_EDATA && err.code == NF_EDATA);
		fuzz_require(strncmp(err.msg, "x:", 2) == 0);
		for (const char *p = err.msg; *p; p++)
			fuzz_require(!iscntrl((unsigned char)*p));
		return 0;
	}
	fuzz_require(id == NF_INTERCHANGE_AUTO || told == id);
	fuzz_require(results.n > 0);
	for (size_t i = 0; i < results.n; i++) {
		check_result(&results, &results.result[i]);
		n += results.result[i].n;
	}
	fuzz_require(n == results.n_values);
	nf_results_names(&results, names, sizeof(names));
	fuzz_require(strlen(names) < sizeof(names));
	round_trip(&results);
	nf_results_fini(&results);
	return 0;
}
