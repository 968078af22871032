/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/jobs.h"
#include "job/audit_log.h"

struct params {
	const char *format;
	const char *t0;
	struct nf_opt_list phases;
	int64_t baud;
	bool baud_given;
	int64_t top;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_TEXT(0, "t0", struct params, t0, NULL, "RE",
		"where time begins: the first match, anywhere in a line"), .def_text = "the first line" },
	{ NF_OPT_LIST(0, "phase", struct params, phases, "NAME=RE",
		"a phase is reached at the first match at or after t0, in order") },
	{ NF_OPT_INT(0, "baud", struct params, baud, 50, 100000000, 115200,
		"of the serial line, ten bits a byte"), NF_OPT_GIVEN(struct params, baud_given),
	  .def_text = "the capture's, else the kernel command line's in the log, else 115200" },
	{ NF_OPT_COUNT(0, "top", struct params, top, 1, NF_AUDIT_LOG_TOP_MAX, 20,
		"so many kinds of line, the most expensive ones") },
	{ NF_OPT_TEXT(0, "format", struct params, format, NULL, "FORM",
		"of imported logs: tab, grabserial, tio, ts, or what has to be named: grabserial-nodelta, tio-delta, ts-i"),
	  .def_text = "found in each log" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

struct wants {
	struct nf_phase_want phase[NF_PHASES_MAX];
	char name[NF_PHASES_MAX][NF_PHASE_NAME];
};

static int fill_phases(const struct params *p, struct wants *w, struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];

	_Static_assert((int)NF_OPT_LIST_MAX <= (int)NF_PHASES_MAX,
	               "room for all that can be given");
	for (size_t i = 0; i < p->phases.n; i++) {
		const char *item = p->phases.item[i], *equals = strchr(item, '=');
		size_t n = equals ? (size_t)(equals - item) : 0;

		if (!equals || n == 0 || n >= NF_PHASE_NAME || equals[1] == '\0') {
			nf_opt_quote(item, quoted);
			return nf_fail(err, NF_EARG,
			               "--phase: bad value %s; allowed: NAME=RE, a name of at most "
			               "%d bytes",
			               quoted, NF_PHASE_NAME - 1);
		}
		memcpy(w->name[i], item, n);
		w->name[i][n] = '\0';
		w->phase[i] = (struct nf_phase_want){ w->name[i], equals + 1 };
		for (size_t k = 0; k <= i; k++)
			if (strcmp(w->name[i], k < i ? w->name[k] : "t0") == 0)
				return nf_fail(err, NF_EARG,
				               "--phase: '%s' is taken; allowed: a name of its own "
				               "each",
				               w->name[i]);
	}
	return 0;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_job_params none;
	const struct params *p = params;
	struct nf_audit_log_opts audit = { .top = (size_t)p->top };
	struct nf_job_outcome outcome;
	struct wants w = { 0 };
	struct nf_job_opts job;

	int r = nf_job_opts_fill(cli, &none, &job, err);
	if (r == 0)
		r = fill_phases(p, &w, err);
	if (r == 0 && p->format) {
		char quoted[NF_OPT_QUOTED];

		audit.lab.form = nf_import_form_find(p->format);
		nf_opt_quote(p->format, quoted);
		if (!audit.lab.form)
			r = nf_fail(err, NF_EARG,
			            "--format: bad value %s; allowed: tab, grabserial, tio, ts, "
			            "grabserial-nodelta, tio-delta, ts-i",
			            quoted);
	}
	if (r < 0)
		return r;
	audit.lab.path = argv;
	audit.lab.n_paths = (size_t)argc;
	audit.lab.baud = p->baud_given ? (uint32_t)p->baud : 0;
	audit.lab.phases =
	        (struct nf_phases_opts){ .t0 = p->t0, .phase = w.phase, .n_phases = p->phases.n };
	nf_job_outcome_init(&outcome);
	r = nf_job_audit_log(&job, &audit, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_audit_log = {
	.name = "audit log",
	.operands = "DIR|FILE...",
	.min_operands = 1,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "console lines inside timed phases, and what they take on the line",
	.description =
	        "Reads console logs as 'lab phases' does, and lists the lines that were printed "
	        "between t0 and the first phase, and between phases: each byte is time on the "
	        "serial line, ten bits at its speed. Lines that differ in their numbers only are "
	        "one "
	        "kind, also over logs. Of the lines in which a phase begins or ends the bytes "
	        "inside count. The lines that cost most come first.\n\n"
	        "Exit code: 1 when a line is inside a phase, 0 when there is none, 3 when no log "
	        "has both ends of any phase.",
	.examples =
	        "audit log logs/ --t0 'Starting kernel' --phase init='Run /init' # at the speed in "
	        "the log\n"
	        "audit log boot.log --phase up='login:' --baud 9600 --top 50 # on a slow line",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "audit log {console} --phase up=login:",
	.test_short = "audit log {console} --phase up=login:",
	.run = run,
};
