/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "job/audit_source.h"

struct params {
	bool all;
	const char *begin;
	const char *end;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_FLAG('a', "all", struct params, all,
		"also what is uncertain: definitions that depend on a condition, constants of a list, "
		"the same folder, prints in a condition") },
	{ NF_OPT_TEXT(0, "begin", struct params, begin, NULL, "RE",
		"a line that this extended regular expression finds begins a timed region"),
	  .def_text = "a read of a clock", .needs = "end" },
	{ NF_OPT_TEXT(0, "end", struct params, end, NULL, "RE",
		"and the next one that this finds ends it"),
	  .def_text = "the read that the first is subtracted from", .needs = "begin" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_job_params none;
	const struct params *p = params;
	const struct nf_audit_source_opts s = { .paths = argv,
		                                .n_paths = (size_t)argc,
		                                .all = p->all,
		                                .begin = p->begin,
		                                .end = p->end };
	struct nf_job_outcome outcome;
	struct nf_job_opts job;

	int r = nf_job_opts_fill(cli, &none, &job, err);
	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_audit_source(&job, &s, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_audit_src = {
	.name = "audit src",
	.operands = "PATH...",
	.min_operands = 1,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "finds what makes timing numbers wrong in C sources",
	.description =
	        "Two mistakes that no compiler warns of. A macro that is defined as 0 to say off, "
	        "and asked for with #ifdef, #ifndef, defined() or their like: the test holds all "
	        "the same. And prints between two reads of a clock in one function: the time is "
	        "the console's.\n\n"
	        "A definition counts for a test that it reaches: before it in the same file, in "
	        "a file that the test's file includes, or in a source file that includes the "
	        "test's file. Include guards, defaults (#ifndef X, #define X), tests whose branch "
	        "asks for the value too, requirements (#error) and branches that exclude each "
	        "other are understood. It is said where the macro is also defined otherwise or "
	        "undefined.\n\n"
	        "A timed region is from a read of a clock (clock_gettime, rdtsc, CNTPCT, "
	        "ktime_get, "
	        "noisefloor/stamp.h and others) to the one whose difference to it is taken. "
	        "Prints in branches that leave the region do not count; those in conditions are "
	        "uncertain.\n\n"
	        "Of folders the files named like C's are read, symbolic links are not followed. "
	        "Exits 1 when something is found, 3 when nothing is but not everything could be "
	        "read.",
	.examples =
	        "audit src src include # each finding with its places\n"
	        "audit src --all . # the uncertain ones too\n"
	        "audit src --begin 'TIMER_START' --end 'TIMER_STOP' src # with marks of your own\n"
	        "--json audit src . # the record as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "audit src {root}",
	.test_short = "audit src {root}",
	.run = run,
};
