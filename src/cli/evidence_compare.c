/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "record/run_standing.h"
#include "record/write.h"
#include "report/compare_runs.h"
#include "report/compare_text.h"
#include "report/text.h"

enum { OUT_BYTES = 256 << 20, ARENA_BYTES = 512 << 20 };
enum { CSV_NONE, CSV_GROUPS, CSV_VALUES, CSV_PUBLISHED };

struct params {
	int by;
	int csv;
	const char *base;
};

static const char *const groupings[] = {
	[NF_BY_LANE] = "lane", [NF_BY_TAG] = "tag", [NF_BY_HOST] = "host", NULL
};
static const char *const layouts[] = { [CSV_NONE] = "",
	                               [CSV_GROUPS] = "groups",
	                               [CSV_VALUES] = "values",
	                               [CSV_PUBLISHED] = "published",
	                               NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_CHOICE(0, "by", struct params, by, groupings, NF_BY_LANE, "WHAT", "what makes the groups") },
	{ NF_OPT_TEXT(0, "base", struct params, base, NULL, "GROUP", "group that the others are held against"),
	  .def_text = "generic, else the first operand's" },
	{ NF_OPT_CHOICE(0, "csv", struct params, csv, layouts, CSV_NONE, "LAYOUT",
		"CSV instead: a line per group, per value, or per lane in published columns"),
	  .def_text = "" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int read_run(const char *path, struct nf_run_view *view, json_t **record,
                    struct nf_run_standing *standing, struct nf_err *err)
{
	int rc = nf_run_standing(path, standing, err);

	if (rc == 0 && standing->state == NF_CHECK_DAMAGED)
		return nf_fail(err, NF_EDATA,
		               "%s is damaged and is not compared: %s; allowed: what `evidence "
		               "check` calls complete or partial",
		               path, standing->why);
	if (rc == 0)
		rc = nf_run_read(path, record, err);
	if (rc == 0)
		rc = nf_run_view(path, *record, view, err);
	if (rc == 0) {
		view->digest = standing->digest;
		view->incomplete = *standing->why ? standing->why : NULL;
	}
	return rc;
}

static int read_runs(int argc, const char *const argv[], struct nf_run_view *view, json_t **record,
                     struct nf_run_standing *standing, struct nf_err *err)
{
	int rc = 0;

	for (int i = 0; i < argc && rc == 0; i++)
		rc = read_run(argv[i], &view[i], &record[i], &standing[i], err);
	return rc;
}

static int written(const struct nf_cli *cli, const struct params *p,
                   const struct nf_rec_compare_run *r, struct nf_buf *out, struct nf_err *err)
{
	int rc;

	if (cli->global->json) {
		rc = nf_record_to_json(&nf_rec_compare_run_type, r, out, NULL, err);
		(void)nf_text_escaped(out);
		return rc < 0 ? rc : nf_buf_failed(out, "a comparison", err);
	}
	switch (p->csv) {
	case CSV_GROUPS:
		rc = nf_compare_csv_groups(r, out, err);
		break;
	case CSV_VALUES:
		rc = nf_compare_csv_values(r, out, err);
		break;
	case CSV_PUBLISHED:
		rc = nf_compare_csv_published(r, out, err);
		break;
	default:
		rc = nf_compare_text(r, out, err);
		(void)nf_text_printable(out);
	}
	/* What a program reads from a pipe is the data; what a terminal shows is text. */
	if (rc == 0 && p->csv != CSV_NONE && isatty(STDOUT_FILENO))
		(void)nf_text_printable(out);
	return rc < 0 ? rc : nf_buf_failed(out, "a comparison", err);
}

/* With --csv the warnings stand on standard error. */
static void tell(const struct nf_cli *cli, const struct params *p,
                 const struct nf_rec_compare_run *r)
{
	const struct nf_rec_compare_warning *w = r->warnings.items;

	for (size_t i = 0; p->csv != CSV_NONE && !cli->global->json && i < r->warnings.n; i++)
		nf_cli_note(cli, "warning: %s: %s%s%s", w[i].id, w[i].group ? w[i].group : "",
		            w[i].group ? ": " : "", w[i].text);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	const struct nf_compare_opts o = { .by = (enum nf_compare_by)p->by, .base = p->base };
	struct nf_rec_compare_run r;
	struct nf_run_standing *standing;
	struct nf_run_view *view;
	struct nf_arena a;
	struct nf_buf out;
	json_t **record;
	int rc;

	if (p->csv == CSV_PUBLISHED && p->by != NF_BY_LANE)
		return nf_fail(err, NF_EARG,
		               "--csv published has a line per lane; allowed: --by lane");
	nf_arena_init(&a, ARENA_BYTES);
	nf_buf_init(&out, OUT_BYTES);
	view = calloc((size_t)argc, sizeof(*view));
	record = calloc((size_t)argc, sizeof(json_t *));
	standing = calloc((size_t)argc, sizeof(*standing));
	if (!view || !record || !standing) {
		rc = nf_fail_nomem(err, "the operands", (size_t)argc * sizeof(*view));
		goto out;
	}
	rc = read_runs(argc, argv, view, record, standing, err);
	if (rc == 0)
		rc = nf_compare_runs(view, (size_t)argc, &o, &a, &r, err);
	if (rc == 0)
		rc = written(cli, p, &r, &out, err);
	if (rc == 0 && !cli->global->quiet)
		rc = nf_cli_write(cli, out.data, out.len_bytes, err);
	if (rc == 0) {
		tell(cli, p, &r);
		rc = cli->global->strict && r.warnings.n ? NF_EXIT_UNSUPPORTED : NF_EXIT_PASS;
	}
out:
	for (int i = 0; record && i < argc; i++)
		json_decref(record[i]);
	free(standing);
	free(record);
	free(view);
	nf_buf_fini(&out);
	nf_arena_fini(&a);
	return rc;
}

const struct nf_cmd nf_cmd_evidence_compare = {
	.name = "evidence compare",
	.operands = "RUN...",
	.min_operands = 1,
	.max_operands = NF_COMPARE_RUNS_MAX,
	.summary = "runs side by side, and what makes that unfair",
	.description =
	        "Takes run folders, records (*.json, *.dhall) and text captures, which are "
	        "projected "
	        "as they are read, each once: the same run a second time, in whatever form, is "
	        "refused, and so is a run whose record is not the one that its MANIFEST names "
	        "(exit 2); puts them into groups; prints for every figure and group n, "
	        "smallest, largest, mean, sample standard deviation, median and the values, and "
	        "for "
	        "every other group the difference to the base with its interval and whether it "
	        "helped, hurt, or cannot be told apart.\n\n"
	        "It warns by itself of what makes the comparison unfair: runs that are not "
	        "complete, other uptimes, loads, "
	        "platforms, hosts, boots, kernels or command lines, a posture that the kernel "
	        "contradicts, a jitter that nobody measured, a base case that is not optimised, a "
	        "mean of ratios that the medians do not bear out, outliers. A warning changes no "
	        "figure; with --strict it makes the exit code 3.",
	.examples = "evidence compare runs/*-before runs/*-after --by tag # two tags\n"
	            "evidence compare --csv values *.txt > values.csv # of captures",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence compare --csv values {run} {capture}",
	.test_short = "evidence compare {run} {capture}",
	.run = run,
};
