/* SPDX-License-Identifier: MIT */
/*
 * properties - all laws of noisefloor's modules. Options: those of pt_main(), and --laws (the table as
 * docs/PROPERTIES.md has it). NF_PROPERTY_RUN=FILE: writes the run as a PropertyRun record in JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "laws.h"
#include "property_run.h"

enum { MAX_LAWS = 128 };

/* clang-format off */
static const struct law *const tables[] = {
	laws_timing,
	laws_samples,
	laws_stats,
	laws_text,
	laws_machine,
	laws_files,
	laws_board,
	laws_forms,
	laws_inject,
	laws_interchange,
	laws_evidence,
	laws_causes,
	laws_campaign,
	laws_trip,
	laws_conf,
	laws_console,
	laws_dialogue,
	laws_bench,
	laws_compare,
};
/* clang-format on */
enum { N_TABLES = sizeof(tables) / sizeof(tables[0]) };

static const char *sentence_of(const char *name)
{
	for (size_t k = 0; k < N_TABLES; k++)
		for (const struct law *l = tables[k]; l->name; l++)
			if (strcmp(l->name, name) == 0)
				return l->sentence;
	return "";
}

static int save(const struct pt_report *report, void *arg)
{
	const char *path = getenv("NF_PROPERTY_RUN");

	(void)arg;
	return path && *path ? property_run_write(report, sentence_of, path) : 0;
}

int main(int argc, char **argv)
{
	struct pt_property property[MAX_LAWS];
	struct pt_suite suite = { .name = "noisefloor", .property = property, .done = save };

	for (size_t k = 0; k < N_TABLES; k++)
		for (const struct law *l = tables[k]; l->name; l++) {
			if (suite.n == MAX_LAWS)
				return 4;
			property[suite.n++] = (struct pt_property){ l->name, l->fn, l->arg, 0 };
		}
	if (argc == 2 && strcmp(argv[1], "--laws") == 0) {
		for (size_t i = 0; i < suite.n; i++)
			printf("| %s | %s |\n", property[i].name, sentence_of(property[i].name));
		return 0;
	}
	return pt_main(&suite, argc, argv);
}
