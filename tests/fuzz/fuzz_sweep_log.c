/* SPDX-License-Identifier: MIT */
/* sweep_log: whatever the bytes, sets that were begun and nothing else, or one line that says where. */
#include <string.h>

#include "fuzz.h"
#include "job/sweep_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_sweep_log l = { 0 };
	struct nf_arena a;
	struct nf_err err = { 0 };
	size_t sets = 0;

	nf_arena_init(&a, (size_t)64 << 20);
	if (nf_sweep_log_parse("x.log", data, size, &a, &l, &err) == 0) {
		fuzz_require(strcmp(l.head.schema, "BenchSweepLog/1") == 0);
		for (size_t i = 0; i < l.n_sessions; i++) {
			fuzz_require(l.session[i].first_set == sets);
			sets += l.session[i].sets;
		}
		fuzz_require(sets == l.n_sets);
	} else {
		fuzz_require(err.code == NF_EDATA && strncmp(err.msg, "x.log: byte ", 12) == 0);
		fuzz_require(l.n_sets == 0 && !l.set);
	}
	nf_sweep_log_fini(&l);
	nf_arena_fini(&a);
	return 0;
}
