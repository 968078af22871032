/* SPDX-License-Identifier: MIT */
/* The stand-alone main: options in, properties run, report out. */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "noisefloor/prop.h"

struct options {
	const char *filter, *save;
	const struct pt_reporter *reporter;
	struct pt_config config;
	bool list, help, cases_given;
};

struct option_row {
	const char *name;
	const char *value; /* as help calls it; NULL: none */
	const char *help;
	bool (*set)(struct options *o, const char *value);
};

static bool number(const char *s, uint64_t max, uint64_t *ret)
{
	unsigned long long v;
	char *end;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (*s < '0' || *s > '9' || *end || errno || v > max)
		return false;
	*ret = v;
	return true;
}

static bool number32(const char *s, unsigned *ret)
{
	uint64_t v;

	if (!number(s, UINT_MAX, &v))
		return false;
	*ret = (unsigned)v;
	return true;
}

static bool set_filter(struct options *o, const char *v)
{
	o->filter = v;
	return true;
}

static bool set_seed(struct options *o, const char *v)
{
	return number(v, UINT64_MAX, &o->config.seed);
}

static bool set_cases(struct options *o, const char *v)
{
	o->cases_given = true;
	return number32(v, &o->config.cases) && o->config.cases > 0;
}

static bool set_replay(struct options *o, const char *v)
{
	o->config.replay = v;
	return pt_blob_check(v, NULL) == 0;
}

static bool set_save(struct options *o, const char *v)
{
	o->config.save_dir = *v ? v : NULL;
	return true;
}

static bool set_reporter(struct options *o, const char *v)
{
	o->reporter = pt_reporter_find(v);
	return o->reporter != NULL;
}

static bool set_case_limit(struct options *o, const char *v)
{
	return number32(v, &o->config.case_limit_ms) && o->config.case_limit_ms > 0;
}

static bool set_total_limit(struct options *o, const char *v)
{
	return number32(v, &o->config.total_limit_ms);
}

static bool set_shrink_limit(struct options *o, const char *v)
{
	return number32(v, &o->config.shrink_limit_ms) && o->config.shrink_limit_ms > 0;
}

static bool set_shrink_calls(struct options *o, const char *v)
{
	if (!number32(v, &o->config.shrink_calls))
		return false;
	if (o->config.shrink_calls == 0)
		o->config.shrink_calls = UINT_MAX; /* off */
	return true;
}

static bool set_memory(struct options *o, const char *v)
{
	uint64_t mib;

	if (!number(v, UINT64_MAX >> 20, &mib) || mib == 0)
		return false;
	o->config.memory_limit_bytes = mib << 20;
	return true;
}

static bool set_isolation(struct options *o, const char *v)
{
	static const char *const name[] = { "worker", "fork", "inline" };

	for (unsigned i = 0; i < 3; i++)
		if (strcmp(v, name[i]) == 0) {
			o->config.isolation = (enum pt_isolation)i;
			return true;
		}
	return false;
}

static bool set_output(struct options *o, const char *v)
{
	(void)v;
	o->config.output = true;
	return true;
}

static bool set_list(struct options *o, const char *v)
{
	(void)v;
	o->list = true;
	return true;
}

static bool set_help(struct options *o, const char *v)
{
	(void)v;
	o->help = true;
	return true;
}

/* clang-format off */
static const struct option_row option[] = {
	{ "--filter",          "GLOB",  "only the properties whose name matches (* and ?)", set_filter },
	{ "--seed",            "N",     "the seed; the same seed gives the same run [a new one]", set_seed },
	{ "--cases",           "N",     "cases of each property [100]", set_cases },
	{ "--tests",           "N",     "the same as --cases", set_cases },
	{ "--replay",          "BLOB",  "run one reported case once; --filter says of which property", set_replay },
	{ "--save",            "DIR",   "keep failures there; they run first next time", set_save },
	{ "--reporter",        "NAME",  "console, tap, junit, json or quiet [console]", set_reporter },
	{ "--case-limit-ms",   "N",     "a longer case is a hang [5000]", set_case_limit },
	{ "--total-limit-ms",  "N",     "for all cases of a property; 0: none [0]", set_total_limit },
	{ "--shrink-limit-ms", "N",     "for shrinking one failure [60000]", set_shrink_limit },
	{ "--shrink-calls",    "N",     "runs for shrinking one failure; 0: no shrinking [5000]", set_shrink_calls },
	{ "--memory-mib",      "N",     "what a worker may map beyond its start [1024]", set_memory },
	{ "--isolation",       "MODE",  "worker, fork (a process per case) or inline [worker]", set_isolation },
	{ "--output",          NULL,    "leave stdout and stderr of the cases alone", set_output },
	{ "--list",            NULL,    "print the names and run nothing", set_list },
	{ "--help",            NULL,    "print this", set_help },
};
/* clang-format on */
enum { N_OPTIONS = sizeof(option) / sizeof(option[0]) };

static bool apply(struct options *o, const struct option_row *row, const char *value,
                  const char *from)
{
	if (row->set(o, value))
		return true;
	fprintf(stderr, "%s: '%s' is not possible\n", from, value ? value : "");
	return false;
}

/* --name value and --name=value. */
static bool parse_one(struct options *o, int argc, char **argv, int *i)
{
	const char *arg = argv[*i], *eq = strchr(arg, '=');
	size_t len = eq ? (size_t)(eq - arg) : strlen(arg);

	for (size_t k = 0; k < N_OPTIONS; k++) {
		const struct option_row *row = &option[k];
		const char *value = eq ? eq + 1 : NULL;

		if (strlen(row->name) != len || memcmp(row->name, arg, len) != 0)
			continue;
		if (!row->value && eq) {
			fprintf(stderr, "%s takes no value\n", row->name);
			return false;
		}
		if (row->value && !eq) {
			if (*i + 1 >= argc) {
				fprintf(stderr, "%s needs a value\n", row->name);
				return false;
			}
			value = argv[++*i];
		}
		return apply(o, row, value, row->name);
	}
	fprintf(stderr, "unknown argument '%s'; see --help\n", arg);
	return false;
}

static bool parse(struct options *o, int argc, char **argv)
{
	static const struct {
		const char *variable;
		bool (*set)(struct options *o, const char *value);
	} environment[] = { { "PT_SEED", set_seed },
		            { "PT_CASES", set_cases },
		            { "PT_SAVE", set_save } };

	for (size_t k = 0; k < sizeof(environment) / sizeof(environment[0]); k++) {
		const char *v = getenv(environment[k].variable);

		if (v && *v && !environment[k].set(o, v)) {
			fprintf(stderr, "%s: '%s' is not possible\n", environment[k].variable, v);
			return false;
		}
	}
	for (int i = 1; i < argc; i++)
		if (!parse_one(o, argc, argv, &i))
			return false;
	return true;
}

static void help(const struct pt_suite *suite)
{
	printf("Properties of %s.\n\n", suite->name);
	for (size_t k = 0; k < N_OPTIONS; k++)
		printf("  %-16s %-5s %s\n", option[k].name, option[k].value ? option[k].value : "",
		       option[k].help);
	printf("\nPT_SEED, PT_CASES and PT_SAVE give --seed, --cases and --save where they are not "
	       "said.\n"
	       "Exit status: 0 all pass, 1 some do not, 2 usage, 4 system failure.\n");
}

static bool selected(const struct options *o, const struct pt_property *p)
{
	return !o->filter || fnmatch(o->filter, p->name, 0) == 0;
}

/* The property as a result when it could not be run. */
static struct pt_result broken(int err)
{
	struct pt_result r = { .outcome = PT_BROKEN };

	r.message = strdup(pt_strerror(err));
	r.notes = strdup("");
	r.output = strdup("");
	return r;
}

static int run(const struct pt_suite *suite, struct options *o, const size_t *which, size_t n)
{
	const char **name = calloc(n, sizeof(*name));
	struct pt_result *result = calloc(n, sizeof(*result));
	struct pt_report report = { suite->name, name, result, n, o->config.seed };
	int status = 0, err;

	if (!name || !result) {
		fprintf(stderr, "out of memory\n");
		free(name);
		free(result);
		return 4;
	}
	for (size_t i = 0; i < n; i++) {
		struct pt_property p = suite->property[which[i]];

		name[i] = p.name;
		if (o->cases_given)
			p.cases = 0;
		err = pt_check(&p, &o->config, &result[i]);
		if (err) {
			result[i] = broken(err);
			status = 4;
		} else if (result[i].outcome != PT_PASSED && status == 0) {
			status = 1;
		}
	}
	err = pt_report_write(o->reporter, &report, stdout);
	if (err) {
		fprintf(stderr, "cannot write the report: %s\n", pt_strerror(err));
		status = 4;
	}
	if (suite->done && suite->done(&report, suite->arg) != 0)
		status = 4;
	for (size_t i = 0; i < n; i++)
		pt_result_fini(&result[i]);
	free(name);
	free(result);
	return status;
}

int pt_main(const struct pt_suite *suite, int argc, char **argv)
{
	struct options o = { .config = suite->config, .reporter = pt_reporter_find("console") };
	size_t *which, n = 0;
	int status;

	/* what neither command line nor environment sets is new in every run, and printed */
	if (o.config.seed == 0 &&
	    getrandom(&o.config.seed, sizeof(o.config.seed), 0) != (ssize_t)sizeof(o.config.seed))
		o.config.seed = 1;
	if (!parse(&o, argc, argv))
		return 2;
	if (o.help) {
		help(suite);
		return 0;
	}
	which = calloc(suite->n ? suite->n : 1, sizeof(*which));
	if (!which) {
		fprintf(stderr, "out of memory\n");
		return 4;
	}
	for (size_t i = 0; i < suite->n; i++)
		if (selected(&o, &suite->property[i]))
			which[n++] = i;
	if (n == 0) {
		fprintf(stderr, "no property matches '%s'\n", o.filter ? o.filter : "");
		status = 2;
	} else if (o.list) {
		for (size_t i = 0; i < n; i++)
			printf("%s\n", suite->property[which[i]].name);
		status = 0;
	} else if (o.config.replay && n != 1) {
		fprintf(stderr, "--replay needs a --filter that selects one property; %zu match\n",
		        n);
		status = 2;
	} else {
		status = run(suite, &o, which, n);
	}
	free(which);
	return status;
}
