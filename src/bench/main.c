/* SPDX-License-Identifier: MIT */
/* main - nf_bench_main(): a user's benchmark program. A program's main may print. */
#include <stdio.h>
#include <string.h>

#include "bench/child.h"
#include "bench/protocol.h"

static int check_table(const struct nf_bench *table, const char *program)
{
	for (const struct nf_bench *b = table; b->name; b++) {
		const struct nf_bench *const one[] = { table, NULL };

		if (!nf_bench_name_ok(b->name)) {
			fprintf(stderr,
			        "%s: the benchmark '%s'; allowed: 1 to %d of a-z 0-9 . - _\n",
			        program, b->name, (int)NF_BENCH_NAME_MAX);
			return 2;
		}
		if (nf_bench_find(one, b->name) != b) {
			fprintf(stderr, "%s: two benchmarks are called '%s'\n", program, b->name);
			return 2;
		}
		if (!b->run || nf_bench_max_threads(b) > NF_BENCH_THREADS_MAX) {
			fprintf(stderr, "%s: %s has no run function, or over %d threads\n", program,
			        b->name, (int)NF_BENCH_THREADS_MAX);
			return 2;
		}
	}
	return 0;
}

int nf_bench_main(const struct nf_bench *table, int argc, char *const *argv)
{
	const struct nf_bench *const tables[] = { table, NULL };
	const char *program = argc > 0 ? argv[0] : "benchmark";

	int r = check_table(table, program);
	if (r != 0)
		return r;
	if (nf_bench_child_asked(argc, argv))
		return nf_bench_child(tables);
	if (argc > 1 && strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "--list") != 0) {
		fprintf(stderr, "%s: unknown argument '%s'; allowed: --list, --help\n", program,
		        argv[1]);
		return 2;
	}
	for (const struct nf_bench *b = table; b->name; b++)
		printf("%-32s %s\n", b->name, b->doc ? b->doc : "");
	if (argc < 2 || strcmp(argv[1], "--list") != 0)
		printf("\nnoisefloor bench run --program %s [--filter RE] runs them.\n", program);
	return fflush(stdout) == 0 ? 0 : 4;
}
