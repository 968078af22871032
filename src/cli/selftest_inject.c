/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cli/jobs.h"
#include "job/inject.h"
#include "measure/interferer.h"

struct params {
	struct nf_job_params job;
	const char *cpus; /* NULL: the last allowed one */
	int64_t duration_ns;
	int64_t period_ns;
	int64_t rate_hz;
	bool rate_given;
	int64_t length_ns;
	int64_t phase_ns;
	bool phase_given;
	int64_t seed;
	const char *min_recall;
	int64_t max_sample_bytes;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_DURATION('d', "duration", struct params, duration_ns, 100000000, NF_PROBE_MAX_NS,
		INT64_C(30000000000), "of each pass; every probe has one with bursts and one without") },
	{ NF_OPT_CPUS('c', "cpus", struct params, cpus, NULL,
		"the CPU that bursts are injected into and that is measured: exactly one"),
	  .def_text = "the last one allowed" },
	{ NF_OPT_DURATION('p', "period", struct params, period_ns, NF_INTERFERER_MIN_PERIOD_NS,
		NF_INTERFERER_MAX_PERIOD_NS, 10000000, "from one burst to the next") },
	{ NF_OPT_COUNT(0, "rate", struct params, rate_hz, 1, 50000, 0, "bursts a second, instead of a period"),
	  NF_OPT_GIVEN(struct params, rate_given), .def_text = "", .conflicts = "period" },
	{ NF_OPT_DURATION('l', "length", struct params, length_ns, 1, INT64_C(1000000000), 20000,
		"of a burst; together they may take 90 % of the CPU") },
	{ NF_OPT_DURATION(0, "phase", struct params, phase_ns, 0, NF_INTERFERER_MAX_PERIOD_NS, 0,
		"of the bursts within the period; the test of phases rests on a drawn one"),
	  NF_OPT_GIVEN(struct params, phase_given), .def_text = "drawn" },
	{ NF_OPT_TEXT(0, "min-recall", struct params, min_recall, "99.5%", "SHARE",
		"share of the bursts that every probe has to see, as a ratio or with %") },
	{ NF_OPT_COUNT(0, "seed", struct params, seed, 0, INT64_C(1) << 53, 1,
		"seed of everything that is drawn at random") },
	{ NF_OPT_COUNT(0, "max-sample-bytes", struct params, max_sample_bytes, 1, INT64_C(1) << 40, 0,
		"memory for raw samples of a pass, in bytes"), .def_text = "the probe's own" },
	NF_JOB_OPTS(struct params, job),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int parse_share(const char *text, double *ret, struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED], *end = NULL;

	errno = 0;
	double v = isdigit((unsigned char)text[0]) ? strtod(text, &end) : (double)NAN;
	if (end && *end == '%') {
		v /= 100;
		end++;
	}
	if (end && *end == '\0' && !errno && v >= 0 && v <= 1) {
		*ret = v;
		return 0;
	}
	nf_opt_quote(text, quoted);
	return nf_fail(err, NF_EARG, "--min-recall: bad value %s; allowed: 0 to 1, or 0%% to 100%%",
	               quoted);
}

/* What concerns two options at once. */
static int check(const struct nf_inject_opts *in, struct nf_err *err)
{
	if (in->phase_given && in->phase_ns >= in->period_ns)
		return nf_fail(err, NF_EARG,
		               "--phase: it is no shorter than the period; allowed: 0 to %lld ns",
		               (long long)in->period_ns - 1);
	if ((double)in->length_ns > NF_INTERFERER_MAX_SHARE * (double)in->period_ns)
		return nf_fail(err, NF_EARG,
		               "--length: bursts would take more than 90 %% of the CPU; allowed: "
		               "up to %.0f ns at this period",
		               NF_INTERFERER_MAX_SHARE * (double)in->period_ns);
	if (in->duration_ns < 2 * in->period_ns)
		return nf_fail(err, NF_EARG,
		               "--duration: it holds less than two periods; allowed: %lld ns and "
		               "more",
		               2 * (long long)in->period_ns);
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	struct nf_inject_opts in = {
		.cpus = p->cpus,
		.duration_ns = p->duration_ns,
		.period_ns = p->rate_given ? 1000000000 / p->rate_hz : p->period_ns,
		.length_ns = p->length_ns,
		.phase_ns = p->phase_ns,
		.phase_given = p->phase_given,
		.seed = (uint64_t)p->seed,
		.max_sample_bytes = (size_t)p->max_sample_bytes,
	};

	(void)argc;
	(void)argv;
	int r = parse_share(p->min_recall, &in.min_recall, err);
	if (r == 0)
		r = check(&in, err);
	if (r == 0)
		r = nf_job_opts_fill(cli, &p->job, &job, err);
	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_cpus_blame(nf_job_inject(&job, &in, &outcome, err), in.cpus, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_selftest_inject = {
	.name = "selftest inject",
	.operands = "",
	.summary = "what the probes see of bursts that are known exactly",
	.description =
	        "Runs a thread on the measured CPU whose bursts are known exactly, and looks at "
	        "that CPU with every probe that can see them, then once more without bursts. "
	        "Scored are recall (bursts that a hit overlaps), whether hits begin before and "
	        "end after their burst, what is lost beyond the burst's length (two switches, "
	        "and whatever came with them), precision, and whether hits prefer the injected "
	        "phase when nothing is injected.\n\n"
	        "A probe that sees less than --min-recall fails the run. The samples, the log of "
	        "bursts and the readings of both clocks are kept, so that every score can be "
	        "computed again.",
	.examples = "selftest inject # two minutes: 20 us bursts at 100 Hz, 30 s a pass\n"
	            "selftest inject -d 5s -l 5us --rate 1000 # short bursts, often\n"
	            "selftest inject -c 3 --min-recall 99.9% # on that CPU",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "selftest inject -d 60s",
	.test_short = "selftest inject -d 200ms",
	.run = run,
};
