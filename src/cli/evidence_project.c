/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "cli/cmd.h"
#include "record/capture.h"
#include "record/project.h"
#include "record/write.h"
#include "report/text.h"

enum { OUT_BYTES = 256 << 20 };
enum { TO_DHALL, TO_JSON, TO_CSV };

struct params {
	int to;
	bool trace;
	bool projection;
	int lane;
	const char *date, *host, *result, *compiler_source, *ceiling, *phase, *intent, *owner_issue;
	struct nf_opt_list evidence, notes, follow_up;
};

static const char *const forms[] = {
	[TO_DHALL] = "dhall", [TO_JSON] = "json", [TO_CSV] = "csv", NULL
};
static const char *const lanes[] = { "", "generic", "rt", NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_CHOICE(0, "to", struct params, to, forms, TO_DHALL, "FORM", "what is written") },
	{ NF_OPT_FLAG(0, "trace", struct params, trace,
		"a line per value instead: where it was read"), .conflicts = "projection to" },
	{ NF_OPT_FLAG(0, "projection", struct params, projection,
		"everything that was read, with its lines, also where a record was made") },
	{ NF_OPT_CHOICE(0, "lane", struct params, lane, lanes, 0, "LANE", "lane that was expected"),
	  .def_text = "that of a window capture, else unknown" },
	{ NF_OPT_TEXT(0, "date", struct params, date, NULL, "DAY", "day of the run, where no capture is dated"),
	  .def_text = "the one in the capture's file name" },
	{ NF_OPT_TEXT(0, "host", struct params, host, NULL, "NAME", "host, where no capture names it") },
	{ NF_OPT_TEXT(0, "result", struct params, result, NULL, "RESULT", "verdict"),
	  .def_text = "from the probe's or validator's own" },
	{ NF_OPT_TEXT(0, "compiler-source", struct params, compiler_source, NULL, "TEXT",
		"compilerSource"), .def_text = "the capture's capture_mode" },
	{ NF_OPT_TEXT(0, "ceiling", struct params, ceiling, NULL, "TEXT", "contractCeiling") },
	{ NF_OPT_TEXT(0, "phase", struct params, phase, NULL, "TEXT", "phase") },
	{ NF_OPT_TEXT(0, "intent", struct params, intent, NULL, "TEXT", "intent") },
	{ NF_OPT_TEXT(0, "owner-issue", struct params, owner_issue, NULL, "TEXT", "ownerIssue") },
	{ NF_OPT_LIST(0, "evidence", struct params, evidence, "FILE", "a file that the record rests on") },
	{ NF_OPT_LIST(0, "note", struct params, notes, "TEXT", "a note") },
	{ NF_OPT_LIST(0, "follow-up", struct params, follow_up, "TEXT", "something left to do") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int read_capture(const char *path, struct nf_buf *out, struct nf_err *err)
{
	int fd = nf_open_input(path, "text captures", err), rc;

	if (fd < 0)
		return fd;
	rc = nf_read_all(fd, out, path, err);
	close(fd);
	if (rc == -NF_EDATA)
		return nf_fail(err, NF_EDATA, "%s: more than %d bytes: no capture", path,
		               NF_CAPTURE_BYTES);
	return rc;
}

static struct nf_list list_of(const struct nf_opt_list *l)
{
	return (struct nf_list){ l->item, l->n };
}

/* "serialSeconds = 0.025468    FILE:119:   Serial:   0.025468s" */
static void trace_lines(const struct nf_list *trace, struct nf_buf *out)
{
	const struct nf_rec_trace *t = trace->items;

	for (size_t i = 0; i < trace->n; i++) {
		(void)nf_buf_addf(out, "%s = %s\t", t[i].field, t[i].value);
		if (t[i].line.some)
			(void)nf_buf_addf(out, "%s:%llu:\t%s\n", t[i].capture,
			                  (unsigned long long)t[i].line.v, t[i].text);
		else
			(void)nf_buf_addf(out, "%s\n",
			                  t[i].capture ? "the file's name" : "an option");
	}
}

static void all_trace_lines(const struct nf_rec_projection *p, struct nf_buf *out)
{
	const struct nf_rec_capture *c = p->captures.items;

	if (p->host_probe || p->kernel_validation) {
		trace_lines(&p->trace, out);
		return;
	}
	for (size_t i = 0; i < p->captures.n; i++)
		trace_lines(&c[i].trace, out);
}

static int as_form(int to, const struct nf_type *t, const void *v, struct nf_buf *out,
                   struct nf_err *err)
{
	switch (to) {
	case TO_JSON:
		return nf_record_to_json(t, v, out, NULL, err);
	case TO_CSV:
		return nf_record_to_csv(t, v, out, err);
	default:
		return nf_record_to_dhall(t, v, out, NULL, err);
	}
}

static int written(const struct nf_cli *cli, const struct params *p,
                   const struct nf_rec_projection *r, struct nf_buf *out, struct nf_err *err)
{
	bool whole = p->projection || cli->global->json;

	if (p->trace && !cli->global->json) {
		all_trace_lines(r, out);
		(void)nf_text_printable_table(out);
		return nf_buf_failed(out, "the trace", err);
	}
	if (r->host_probe && !whole)
		return as_form(p->to, &nf_rec_host_probe_run_type, r->host_probe, out, err);
	if (r->kernel_validation && !whole)
		return as_form(p->to, &nf_rec_kernel_validation_run_type, r->kernel_validation, out,
		               err);
	return as_form(cli->global->json ? TO_JSON : p->to, &nf_rec_projection_type, r, out, err);
}

/* What the user must know beside the record, and the exit code. */
static int tell(struct nf_cli *cli, const struct nf_rec_projection *r)
{
	const struct nf_rec_capture *c = r->captures.items;
	const char *const *note = r->notes.items, *const *missing = r->missing.items;
	const struct nf_type *t = NULL;
	struct nf_buf list;

	for (size_t i = 0; i < r->notes.n; i++)
		nf_cli_note(cli, "%s", note[i]);
	for (size_t i = 0; i < r->captures.n && !t; i++)
		t = nf_project_type((enum nf_capture_kind)c[i].kind);
	if (r->missing.n == 0)
		return NF_EXIT_PASS;
	nf_buf_init(&list, 4096);
	for (size_t i = 0; i < r->missing.n; i++)
		(void)nf_buf_addf(&list, "%s%s", i ? ", " : "", missing[i]);
	nf_cli_note(cli, "no %s, only what was read: no capture and no option says %s",
	            t ? t->name : "record", list.data);
	nf_buf_fini(&list);
	return NF_EXIT_UNSUPPORTED;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_project_opts o = { .date = p->date,
		                     .host = p->host,
		                     .lane = p->lane ? lanes[p->lane] : NULL,
		                     .result = p->result,
		                     .compiler_source = p->compiler_source,
		                     .claim_ceiling = p->ceiling,
		                     .phase = p->phase,
		                     .intent = p->intent,
		                     .owner_issue = p->owner_issue,
		                     .evidence = list_of(&p->evidence),
		                     .notes = list_of(&p->notes),
		                     .follow_up = list_of(&p->follow_up) };
	struct nf_project_input in[NF_PROJECT_CAPTURES];
	struct nf_buf text[NF_PROJECT_CAPTURES], out;
	struct nf_rec_projection r;
	struct nf_arena a;
	int rc = 0, n = 0;

	nf_arena_init(&a, NF_PROJECT_ARENA_BYTES);
	nf_buf_init(&out, OUT_BYTES);
	for (; n < argc && rc == 0; n++) {
		nf_buf_init(&text[n], NF_CAPTURE_BYTES);
		rc = read_capture(argv[n], &text[n], err);
		in[n] = (struct nf_project_input){ argv[n], text[n].data, text[n].len_bytes };
	}
	if (rc == 0)
		rc = nf_project(in, (size_t)argc, &o, &a, &r, err);
	if (rc == 0)
		rc = written(cli, p, &r, &out, err);
	if (rc == 0 && p->to == TO_CSV && !cli->global->json && isatty(STDOUT_FILENO))
		(void)nf_text_printable(&out);
	else if (rc == 0)
		(void)nf_text_escaped(&out);
	if (rc == 0)
		rc = nf_buf_failed(&out, "the record", err);
	if (rc == 0 && !cli->global->quiet)
		rc = nf_cli_write(cli, out.data, out.len_bytes, err);
	if (rc == 0)
		rc = tell(cli, &r);
	for (int i = 0; i < n; i++)
		nf_buf_fini(&text[i]);
	nf_buf_fini(&out);
	nf_arena_fini(&a);
	return rc;
}

const struct nf_cmd nf_cmd_evidence_project = {
	.name = "evidence project",
	.operands = "CAPTURE...",
	.min_operands = 1,
	.max_operands = NF_PROJECT_CAPTURES,
	.summary = "text captures of others as a typed record",
	.description =
	        "Reads the text captures of a host probe or of a kernel validation and prints the "
	        "HostProbeRun or KernelValidationRun they make. One capture makes the record; SMI, "
	        "window and lane captures of the same series may go along: a window says which "
	        "lane "
	        "was expected.\n\n"
	        "What no capture holds is None; what is a matter of judgement comes from options "
	        "or "
	        "stays empty. Where a field that must have a value has none, no such record is "
	        "made: "
	        "the fields are named, what was read is printed, the exit code is 3. Captures that "
	        "make no record by themselves are printed as what was read (Projection/1). Lines "
	        "that contradict each other, or an option, are notes; the first line stands. "
	        "--trace shows for every value the file, the line and its text, as does --json.",
	.examples = "evidence project probe.txt window.txt > probe.dhall # with the expected lane\n"
	            "evidence project --trace probe.txt # which line says what\n"
	            "--json evidence project smi.txt # everything that was read",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence project --trace {capture}",
	.test_short = "evidence project --projection {capture}",
	.run = run,
};
