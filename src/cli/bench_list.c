/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/bench_select.h"
#include "cli/cmd.h"

enum { OUT_BYTES = 1 << 24, NAME_COLUMNS = 27, WIDTH = 80 };

struct params {
	const char *filter;
	const char *program;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_TEXT('f', "filter", struct params, filter, NULL, "RE",
		"only those whose name this extended regular expression finds") },
	{ NF_OPT_PATH(0, "program", struct params, program, NULL, "FILE",
		"those of a benchmark program instead of the built-in ones"), .def_text = "" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static void add_json(struct nf_json *j, const struct nf_bench_row *row)
{
	nf_json_object(j);
	nf_json_key(j, "name");
	nf_json_text(j, row->name);
	nf_json_key(j, "operation");
	nf_json_text(j, row->doc);
	nf_json_key(j, "min_threads");
	nf_json_u64(j, row->min_threads);
	nf_json_key(j, "max_threads");
	nf_json_u64(j, row->max_threads);
	nf_json_key(j, "default_threads");
	nf_json_u64(j, row->default_threads);
	nf_json_key(j, "bytes_per_operation");
	if (row->bytes)
		nf_json_u64(j, row->bytes);
	else
		nf_json_null(j);
	nf_json_end(j);
}

/* The name, what it does, and the threads where that is not any number from one. */
static void add_line(struct nf_buf *out, const struct nf_bench_row *row)
{
	char text[NF_BENCH_DOC_MAX + 64];

	if (row->min_threads == row->max_threads && row->max_threads > 1)
		snprintf(text, sizeof(text), "%s (%u threads)", row->doc, row->max_threads);
	else
		snprintf(text, sizeof(text), "%s", row->doc);
	(void)nf_buf_addf(out, "%-*s ", NAME_COLUMNS, row->name);
	if (strlen(row->name) > NAME_COLUMNS)
		(void)nf_buf_addf(out, "\n%*s ", NAME_COLUMNS, "");
	nf_opt_wrap(text, NAME_COLUMNS + 1, WIDTH, out);
	(void)nf_buf_addc(out, '\n');
}

static int make_text(const struct nf_cli *cli, const struct params *p, const regex_t *re,
                     const struct nf_bench_list *list, struct nf_buf *out, struct nf_err *err)
{
	struct nf_json j;
	size_t n = 0;

	nf_json_init(&j, out, true);
	if (cli->global->json) {
		nf_json_object(&j);
		nf_json_key(&j, "benchmarks");
		nf_json_array(&j);
	}
	for (size_t i = 0; i < list->n; i++) {
		if (re && regexec(re, list->row[i].name, 0, NULL, 0) != 0)
			continue;
		n++;
		if (cli->global->json)
			add_json(&j, &list->row[i]);
		else
			add_line(out, &list->row[i]);
	}
	if (n == 0 && p->filter) {
		char quoted[NF_OPT_QUOTED];

		nf_opt_quote(p->filter, quoted);
		return nf_fail(err, NF_EARG,
		               "--filter %s finds none of %zu benchmarks; 'bench list' shows them",
		               quoted, list->n);
	}
	if (!cli->global->json)
		return nf_buf_failed(out, "the list", err);
	nf_json_end(&j);
	nf_json_end(&j);
	return nf_json_done(&j, err);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_bench_list list = { 0 };
	struct nf_buf out;
	regex_t re;

	(void)argc;
	(void)argv;
	int r = p->filter ? nf_bench_filter_compile(p->filter, &re, err) : 0;
	if (r < 0)
		return r;
	nf_buf_init(&out, OUT_BYTES);
	r = nf_bench_list_make(p->program, cli->stop, &list, err);
	if (r == 0)
		r = make_text(cli, p, p->filter ? &re : NULL, &list, &out, err);
	if (r == 0 && !cli->global->quiet)
		r = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_bench_list_fini(&list);
	nf_buf_fini(&out);
	if (p->filter)
		regfree(&re);
	return r < 0 ? r : NF_EXIT_PASS;
}

const struct nf_cmd nf_cmd_bench_list = {
	.name = "bench list",
	.operands = "",
	.summary = "the benchmarks that there are",
	.description = "Prints a line a benchmark: its name and what one operation of it is; the "
	               "value of a "
	               "benchmark is the time of one operation. With --program, those of a program "
	               "whose main "
	               "is nf_bench_main() (noisefloor/bench.h).",
	.examples = "bench list --filter '^sync' # one suite\n"
	            "--json bench list # threads and bytes too",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "bench list",
	.test_short = "bench list",
	.run = run,
};
