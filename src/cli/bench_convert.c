/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "bench/interchange.h"
#include "cli/bench_export.h"
#include "cli/evidence_record.h"
#include "report/text.h"

enum { FROM_TOLD, FROM_RECORD, FROM_FORM /* + enum nf_interchange_id */ };

struct params {
	int from;
	int to; /* 0: none; else enum nf_interchange_id + 1 */
	int side; /* enum nf_results_side */
};

static const char *const from_names[] = {
	[FROM_TOLD] = "auto",
	[FROM_RECORD] = "record",
#define X(symbol, name, what) [FROM_FORM + NF_INTERCHANGE_##symbol] = (name),
#include "interchange.def"
#undef X
	NULL,
};
static const char *const to_names[] = {
	"",
#define X(symbol, name, what) [NF_INTERCHANGE_##symbol + 1] = (name),
#include "interchange.def"
#undef X
	NULL,
};
static const char *const side_names[] = {
	[NF_SIDE_BOTH] = "both", [NF_SIDE_OLD] = "old", [NF_SIDE_NEW] = "new", NULL
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_CHOICE(0, "from", struct params, from, from_names, FROM_TOLD, "FORM",
		"what PATH is; auto: a run's folder or a record by its name, else told from the text") },
	{ NF_OPT_CHOICE(0, "to", struct params, to, to_names, 0, "FORM", "what to write"), .def_text = "" },
	{ NF_OPT_CHOICE(0, "side", struct params, side, side_names, NF_SIDE_BOTH, "NAME",
		"of a comparison: one side, under the comparisons' names, as programs want it that compare "
		"two files") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

static bool is_record(const char *path)
{
	struct stat st;

	return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) || ends_with(path, ".dhall") ||
	       ends_with(path, "record.json");
}

static int of_record(const struct nf_cli *cli, const struct params *p, const char *path,
                     enum nf_interchange_id to, struct nf_buf *out, struct nf_err *err)
{
	struct nf_evidence_record r = { 0 };

	nf_evidence_warn(cli, path);
	int rc = nf_evidence_load(path, NULL, &r, err);
	if (rc == 0)
		rc = nf_bench_export_text(cli, r.root, (enum nf_results_side)p->side, to, out, err);
	nf_evidence_record_fini(&r);
	return rc;
}

static int of_text(const struct nf_cli *cli, const struct params *p, const char *path,
                   enum nf_interchange_id to, struct nf_buf *out, struct nf_err *err)
{
	int from = p->from >= FROM_FORM ? p->from - FROM_FORM : NF_INTERCHANGE_AUTO;
	struct nf_results results;
	struct nf_buf text;
	int fd, rc;

	if (p->side != NF_SIDE_BOTH)
		return nf_fail(err, NF_EARG, "--side: allowed: with a record of a comparison");
	fd = nf_open_input(path, "a run's folder, a record, or a file of results", err);
	if (fd < 0)
		return fd;
	nf_buf_init(&text, NF_INTERCHANGE_BYTES);
	rc = nf_read_all(fd, &text, path, err);
	close(fd);
	if (rc == 0)
		rc = nf_interchange_read(from, text.data, text.len_bytes, path, &results, NULL,
		                         err);
	nf_buf_fini(&text);
	if (rc < 0)
		return rc;
	rc = nf_interchange_write(to, &results, NULL, out, err);
	if (rc == 0)
		nf_bench_export_note(cli, &results, to);
	nf_results_fini(&results);
	return rc;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_buf out;

	(void)argc;
	if (!p->to)
		return nf_fail(err, NF_EARG,
		               "--to is missing; allowed: lines, hyperfine, google, go, "
		               "smaller-is-better");
	enum nf_interchange_id to = (enum nf_interchange_id)(p->to - 1);
	bool record = p->from == FROM_RECORD || (p->from == FROM_TOLD && is_record(argv[0]));
	nf_buf_init(&out, NF_BENCH_EXPORT_BYTES);
	int rc = record ? of_record(cli, p, argv[0], to, &out, err)
	                : of_text(cli, p, argv[0], to, &out, err);
	if (rc == 0 && isatty(STDOUT_FILENO)) {
		(void)nf_text_printable(&out);
		rc = nf_buf_failed(&out, "results", err);
	}
	if (rc == 0 && !cli->global->quiet)
		rc = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return rc;
}

const struct nf_cmd nf_cmd_bench_convert = {
	.name = "bench convert",
	.operands = "PATH",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "results of benchmarks in the forms of other programs",
	.description =
	        "Reads a run of 'bench run' or 'bench compare', or what another program wrote, and "
	        "writes it so "
	        "that another one reads it: JSON lines, hyperfine's JSON, Google Benchmark's JSON, "
	        "Go's text (benchstat), customSmallerIsBetter of github-action-benchmark. All "
	        "hold the values in order, but for google, which has the median of each set, and "
	        "smaller-is-better, which has one median.\n\n"
	        "What is lost: lines: CPU times, memory, exit statuses, iterations and threads. "
	        "hyperfine: iterations, threads, and the CPU times of each value, of which the "
	        "means are kept. google: memory, exit statuses and counters. go: threads and exit "
	        "statuses, "
	        "and blanks in names, which become _. smaller-is-better: all but the median and "
	        "the range. Of every form: which set a value is of, how the sets were ordered, "
	        "and what the system did meanwhile; the record has them.\n\n"
	        "What a form cannot hold is refused: rates in smaller-is-better, other units than "
	        "time in hyperfine and google. A benchmark without values is left out with a note; "
	        "google holds why it failed.",
	.examples = "bench convert --to hyperfine runs/X >x.json # for hyperfine's scripts\n"
	            "bench convert --to go --side old runs/X >old.txt # for benchstat\n"
	            "bench convert --to lines other.json # every value, a line each",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "bench convert --to go {results}",
	.test_short = "bench convert --to lines {results}",
	.run = run,
};
