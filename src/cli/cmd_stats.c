/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "job/samplestats.h"

/* clang-format off */
static const struct nf_opt opts[] = {
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_job_params none;
	struct nf_job_outcome outcome;
	struct nf_job_opts job;

	(void)params;
	int r = nf_job_opts_fill(cli, &none, &job, err);
	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_sample_stats(&job, argv, (size_t)argc, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_stats = {
	.name = "stats",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "statistics of FWQ files and of sample files",
	.description =
	        "Reads the text files of the FWQ benchmarks (threads, processes, serial; also the "
	        "older headers), .nfsamples files, and of a run folder all its samples. Every "
	        "worker is shown, at its own rate and with its first sample: the one with the "
	        "least standard deviation first, then the one with the largest, then the others "
	        "as they stand in the file. Noise is the share of the time beyond the shortest "
	        "quantum.\n\n"
	        "For a text file it is also said what fwq-stats shows of it and how far that is "
	        "off. A file without rates stays in ticks. A file that ends early is shown as far "
	        "as it goes and exits 3, as does one without values; a damaged one exits 1. One "
	        "worker's samples are in memory "
	        "at a time.",
	.examples = "stats fwq-th-times.dat # both workers, and what fwq-stats makes of them\n"
	            "stats runs/X runs/Y/samples/fwq.nfsamples # what was measured here\n"
	            "--json stats *.dat # the record as JSON",
	.opts = opts,
	.test_long = "stats {samples}",
	.test_short = "stats {samples}",
	.run = run,
};
