/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/utf8.h"
#include "cli/jobs.h"
#include "job/lab_phases.h"

struct params {
	const char *format;
	const char *t0;
	struct nf_opt_list phases;
	struct nf_opt_list values;
	struct nf_opt_list units;
	const char *section;
	int64_t baud;
	bool baud_given;
	struct nf_opt_list configs;
	const char *base;
	struct nf_opt_list platforms;
	bool csv;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_TEXT(0, "t0", struct params, t0, NULL, "RE",
		"where time begins: the first match, anywhere in a line"), .def_text = "the first line" },
	{ NF_OPT_LIST(0, "phase", struct params, phases, "NAME=RE",
		"a phase is reached at the first match at or after t0, in order") },
	{ NF_OPT_LIST(0, "value", struct params, values, "NAME=RE",
		"a number that the board prints: group 1 of the match, or all of it") },
	{ NF_OPT_LIST(0, "unit", struct params, units, "[NAME=]UNIT",
		"unit of the values, or of one: s, ms, us and ns are times, any other word a plain unit") },
	{ NF_OPT_TEXT(0, "section", struct params, section, NULL, "RE",
		"lines that begin a section, which values are told apart by (group 1 names it)"), .def_text = "" },
	{ NF_OPT_INT(0, "baud", struct params, baud, 50, 100000000, 115200,
		"of the serial line, for UART times"), NF_OPT_GIVEN(struct params, baud_given),
	  .def_text = "the capture's, else the kernel command line's in the log, else 115200" },
	{ NF_OPT_LIST(0, "config", struct params, configs, "NAME=GLOB",
		"logs whose path or name fits are of this configuration; else the log itself, its folder or its name says") },
	{ NF_OPT_TEXT(0, "base", struct params, base, NULL, "NAME",
		"configuration that ratios are to"), .def_text = "the first" },
	{ NF_OPT_LIST(0, "platform", struct params, platforms, "[NAME=]KIND",
		"what the boots of a configuration, or all, ran on: board or emulator") },
	{ NF_OPT_TEXT(0, "format", struct params, format, NULL, "FORM",
		"of imported logs: tab, grabserial, tio, ts, or what has to be named: grabserial-nodelta, tio-delta, ts-i"),
	  .def_text = "found in each log" },
	{ NF_OPT_FLAG(0, "csv", struct params, csv, "a table, one row a figure of a boot"),
	  .conflicts = "json" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

/* What the options say, in arrays that the job borrows. */
struct wants {
	struct nf_phase_want phase[NF_PHASES_MAX];
	struct nf_value_want value[NF_PHASE_VALUES_MAX];
	const char *unit[NF_PHASE_VALUES_MAX];
	char name[4 * NF_LAB_NAMED_MAX][NF_PHASE_NAME];
	size_t n_names;
};

/* NAME=TEXT. bare: text alone is allowed, with no name. */
static int split(struct wants *w, const char *option, const char *item, bool bare,
                 const char **ret_name, const char **ret_text, struct nf_err *err)
{
	const char *equals = strchr(item, '=');
	char quoted[NF_OPT_QUOTED];
	size_t n = equals ? (size_t)(equals - item) : 0;

	if (!equals && bare) {
		*ret_name = NULL;
		*ret_text = item;
		return 0;
	}
	if (!equals || n == 0 || n >= NF_PHASE_NAME || equals[1] == '\0') {
		nf_opt_quote(item, quoted);
		return nf_fail(err, NF_EARG,
		               "--%s: bad value %s; allowed: %sNAME=%s, a name of at "
		               "most %d bytes",
		               option, quoted, bare ? "WORD or " : "",
		               strcmp(option, "config") == 0 ? "GLOB"
		               : bare                        ? "WORD"
		                                             : "RE",
		               NF_PHASE_NAME - 1);
	}
	char *name = w->name[w->n_names++];
	memcpy(name, item, n);
	name[n] = '\0';
	*ret_name = name;
	*ret_text = equals + 1;
	return 0;
}

/* Units a second; 0: no time. */
static double unit_per_s(const char *unit)
{
	static const struct {
		const char *unit;
		double per_s;
	} times[] = { { "s", 1 }, { "ms", 1e3 }, { "us", 1e6 }, { "ns", 1e9 } };

	for (size_t i = 0; unit && i < sizeof(times) / sizeof(times[0]); i++)
		if (strcmp(unit, times[i].unit) == 0)
			return times[i].per_s;
	return 0;
}

static int fill_values(const struct params *p, struct wants *w, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < p->values.n; i++)
		r = split(w, "value", p->values.item[i], false, &w->value[i].name,
		          &w->value[i].regex, err);
	for (size_t i = 0; r == 0 && i < p->units.n; i++) {
		const char *name, *unit;
		bool hit = false;

		r = split(w, "unit", p->units.item[i], true, &name, &unit, err);
		for (size_t k = 0; r == 0 && k < p->values.n; k++) {
			if (name ? strcmp(name, w->value[k].name) == 0 : !w->unit[k]) {
				w->unit[k] = unit;
				hit = true;
			}
		}
		if (r == 0 && name && !hit)
			return nf_fail(err, NF_EARG,
			               "--unit: no value '%s'; allowed: a name that a "
			               "--value has",
			               name);
	}
	for (size_t i = 0; i < p->values.n; i++)
		w->value[i].per_s = unit_per_s(w->unit[i]);
	return r;
}

static int same_names(const struct wants *w, const struct params *p, struct nf_err *err)
{
	for (size_t i = 0; i < p->phases.n; i++) {
		if (strcmp(w->phase[i].name, "t0") == 0)
			return nf_fail(err, NF_EARG,
			               "--phase: 't0' is the beginning; allowed: another "
			               "name");
		for (size_t k = 0; k < i; k++)
			if (strcmp(w->phase[i].name, w->phase[k].name) == 0)
				return nf_fail(
				        err, NF_EARG,
				        "--phase: '%s' twice; allowed: a name of its own each",
				        w->phase[i].name);
	}
	for (size_t i = 0; i < p->values.n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(w->value[i].name, w->value[k].name) == 0)
				return nf_fail(
				        err, NF_EARG,
				        "--value: '%s' twice; allowed: a name of its own each",
				        w->value[i].name);
	return 0;
}

static int fill_configs(const struct params *p, struct wants *w, struct nf_lab_opts *lab,
                        struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < p->configs.n; i++)
		r = split(w, "config", p->configs.item[i], false, &lab->config[i].name,
		          &lab->config[i].text, err);
	for (size_t i = 0; r == 0 && i < p->platforms.n; i++) {
		const char *kind = NULL;

		r = split(w, "platform", p->platforms.item[i], true, &lab->platform[i].name, &kind,
		          err);
		if (r == 0 && strcmp(kind, "board") != 0 && strcmp(kind, "emulator") != 0)
			return nf_fail(err, NF_EARG,
			               "--platform: bad value '%.*s'; allowed: board, "
			               "emulator",
			               NF_UTF8_CUT(kind, 60));
		lab->platform[i].text = kind;
	}
	lab->n_configs = p->configs.n;
	lab->n_platforms = p->platforms.n;
	return r;
}

static int fill(const struct params *p, struct wants *w, struct nf_lab_opts *lab,
                struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];
	int r = 0;

	_Static_assert((int)NF_OPT_LIST_MAX <= (int)NF_PHASES_MAX &&
	                       (int)NF_OPT_LIST_MAX <= (int)NF_LAB_NAMED_MAX,
	               "room for all that can be given");
	for (size_t i = 0; r == 0 && i < p->phases.n; i++)
		r = split(w, "phase", p->phases.item[i], false, &w->phase[i].name,
		          &w->phase[i].regex, err);
	if (r == 0)
		r = fill_values(p, w, err);
	if (r == 0)
		r = same_names(w, p, err);
	if (r == 0)
		r = fill_configs(p, w, lab, err);
	if (r == 0 && p->format) {
		lab->form = nf_import_form_find(p->format);
		nf_opt_quote(p->format, quoted);
		if (!lab->form)
			r = nf_fail(err, NF_EARG,
			            "--format: bad value %s; allowed: tab, grabserial, tio, ts, "
			            "grabserial-nodelta, tio-delta, ts-i",
			            quoted);
	}
	lab->phases = (struct nf_phases_opts){
		.t0 = p->t0,
		.phase = w->phase,
		.n_phases = p->phases.n,
		.value = w->value,
		.n_values = p->values.n,
		.section = p->section,
	};
	lab->value_unit = w->unit;
	lab->base = p->base;
	lab->csv = p->csv;
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_job_params none;
	const struct params *p = params;
	struct nf_lab_opts lab = { .path = argv, .n_paths = (size_t)argc };
	struct nf_job_outcome outcome;
	struct wants w = { 0 };
	struct nf_job_opts job;

	int r = nf_job_opts_fill(cli, &none, &job, err);
	if (r == 0)
		r = fill(p, &w, &lab, err);
	if (r < 0)
		return r;
	lab.baud = p->baud_given ? (uint32_t)p->baud : 0;
	nf_job_outcome_init(&outcome);
	r = nf_job_lab_phases(&job, &lab, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_lab_phases = {
	.name = "lab phases",
	.operands = "DIR|FILE...",
	.min_operands = 1,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "when boots reached their phases, from console logs and captures",
	.description =
	        "Reads console logs (captures of 'lab console': NAME.raw beside NAME.idx; and text "
	        "logs "
	        "as grabserial, ts and tio stamp them, or 'seconds TAB line') and times each boot: "
	        "t0 "
	        "and each phase are the first match of a pattern. In a folder all captures and "
	        "files *.log, *.txt and *.tsv are read. A file's name tells configuration and run "
	        "(NAME_run3.log), a folder CONFIG-RUN-TRY, or a line '# config=NAME run=3 "
	        "status=OK' "
	        "at the log's head.\n\n"
	        "Beside the times stands what makes them doubtful: how fine the stamps really "
	        "are, bytes printed inside a phase and how long a UART takes for them, silent "
	        "gaps, faults, what the kernel's own clock (printk) claims beside what the host "
	        "saw, "
	        "and whether printed values agree with the counter printed beside them. What code "
	        "on the board prints with noisefloor/stamp.h is read without a --value. A "
	        "log has no record of its line ends: two bytes a line are added.\n\n"
	        "The last of several tries at a run counts. Exit code 3 when no log has any of "
	        "the phases or values; with --strict also when a run lacks a phase, the board "
	        "restarted inside one, a log says of itself that it failed, or a file of a folder "
	        "is no log.",
	.examples = "lab phases logs/ --t0 'Starting kernel' --phase init='Run /init' "
	            "--phase login='login:' # every boot, and over boots\n"
	            "lab phases boot.log --phase up='login:' --value spawn='US>(\\d+)' --unit us "
	            "# what it printed\n"
	            "--json lab phases logs/ --phase up='login:' # the record as JSON\n"
	            "lab phases --csv logs/ --phase up='login:' # a table",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "lab phases {console} --phase up=login:",
	.test_short = "lab phases {console} --phase up=login:",
	.run = run,
};
