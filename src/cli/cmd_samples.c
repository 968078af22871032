/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/sysio.h"
#include "cli/cmd.h"
#include "report/values.h"
#include "samples/samplefile.h"

#define MAX_VALUE_BYTES ((size_t)1 << 36)

enum value_unit { VALUE_RAW, VALUE_NS };

struct params {
	bool csv;
	const char *stream;
	int unit; /* enum value_unit */
};

static const char *const units[] = { [VALUE_RAW] = "raw", [VALUE_NS] = "ns", NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_FLAG(0, "csv", struct params, csv,
		"lines stream,index,value,unit under a header instead of a value a line"),
	  .conflicts = "json" },
	{ NF_OPT_TEXT('s', "stream", struct params, stream, NULL, "NAME",
		"only this stream; needed for plain values where the file holds several"),
	  .def_text = "every stream" },
	{ NF_OPT_CHOICE('u', "unit", struct params, unit, units, VALUE_RAW, "NAME",
		"values as they were recorded, or in nanoseconds where they are ticks") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int check_streams(const struct params *p, const struct nf_samplefile *f, bool plain,
                         struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];
	struct nf_buf names;
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; i < f->n_streams; i++)
		n += !p->stream || strcmp(p->stream, f->streams[i].name) == 0;
	if (n == 1 || (n > 1 && !plain))
		return 0;
	nf_buf_init(&names, 256);
	for (size_t i = 0; i < f->n_streams; i++)
		(void)nf_buf_addf(&names, "%s%s", i ? ", " : "", f->streams[i].name);
	if (n == 0) {
		nf_opt_quote(p->stream, quoted);
		r = nf_fail(err, NF_EARG, "--stream: bad value %s; allowed: %s", quoted,
		            names.data);
	} else {
		r = nf_fail(err, NF_EARG,
		            "the file holds several streams; allowed: --csv, or --stream with %s",
		            names.data);
	}
	nf_buf_fini(&names);
	return r;
}

static void tell_losses(const struct nf_cli *cli, const struct params *p,
                        const struct nf_samplefile *f)
{
	for (size_t i = 0; i < f->n_streams; i++) {
		const struct nf_stream *s = &f->streams[i];

		if ((!p->stream || strcmp(p->stream, s->name) == 0) && nf_stream_incomplete(s))
			nf_cli_note(cli,
			            "%s: %" PRIu64 " dropped, %" PRIu64 " saturated, %" PRIu64
			            " missed, %" PRIu64 " truncated",
			            s->name, s->n_dropped, s->n_saturated, s->n_missed,
			            s->n_truncated);
	}
}

/* One stream's values in memory at a time. */
static int print_streams(struct nf_cli *cli, const struct params *p, struct nf_samplefile_reader *f,
                         struct nf_err *err)
{
	struct nf_values_opts o = { .only = p->stream, .ns = p->unit == VALUE_NS };
	const struct nf_sink sink = { nf_cli_sink, cli };
	const struct nf_samplefile *about = nf_samplefile_about(f);
	int r = p->csv ? nf_values_csv(NULL, 0, &o, &sink, err) : 0;

	o.no_heading = true;
	for (size_t i = 0; i < about->n_streams && r == 0; i++) {
		struct nf_stream s = about->streams[i], with = { 0 };

		if (s.n == 0 || (p->stream && strcmp(p->stream, s.name) != 0))
			continue;
		r = nf_stream_init(&with, s.name, s.n, err);
		if (r == 0)
			r = nf_samplefile_values(f, i, with.value, err);
		s.value = with.value;
		if (r == 0)
			r = p->csv ? nf_values_csv(&s, 1, &o, &sink, err)
			           : nf_values_plain(&s, 1, &o, &sink, err);
		nf_stream_fini(&with);
	}
	return r;
}

/* One document, made from all of it. */
static int print_json(struct nf_cli *cli, const struct params *p, const char *path,
                      struct nf_err *err)
{
	const struct nf_values_opts o = { .only = p->stream, .ns = p->unit == VALUE_NS };
	const struct nf_sink sink = { nf_cli_sink, cli };
	struct nf_samplefile f = { 0 };

	int r = nf_samplefile_read(AT_FDCWD, path, MAX_VALUE_BYTES, &f, err);
	if (r < 0)
		return r;
	r = nf_values_json(path, f.streams, f.n_streams, &o, &sink, err);
	nf_samplefile_fini(&f);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_samplefile_reader *f = NULL;

	(void)argc;
	int r = nf_samplefile_open(AT_FDCWD, argv[0], &f, err);
	if (r == -NF_EOS && nf_errno_is_of_path(err->os_errno))
		return nf_fail(err, NF_EARG, "%s: %s; allowed: an .nfsamples file", argv[0],
		               strerror(err->os_errno));
	if (r < 0)
		return r;
	const struct nf_samplefile *about = nf_samplefile_about(f);
	r = check_streams(p, about, !p->csv && !cli->global->json, err);
	if (r == 0)
		r = cli->global->json ? print_json(cli, p, argv[0], err)
		                      : print_streams(cli, p, f, err);
	if (r < 0)
		goto out;
	tell_losses(cli, p, about);
	if (about->state != NF_SAMPLEFILE_COMPLETE) {
		bool damaged = about->state == NF_SAMPLEFILE_DAMAGED;

		nf_cli_note(cli, "%s: %s: %s", argv[0], damaged ? "damaged" : "partial",
		            about->what);
		r = damaged ? NF_EXIT_FAIL : NF_EXIT_UNSUPPORTED;
	}
out:
	nf_samplefile_close(f);
	return r;
}

const struct nf_cmd nf_cmd_samples = {
	.name = "samples",
	.operands = "FILE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "the raw samples of an .nfsamples file as text",
	.description =
	        "Prints the raw values of a sample file in the order in which they were measured: "
	        "one "
	        "value a line, CSV, or with --json one document. What was lost is told on standard "
	        "error. A partial file is printed as far as it goes and exits 3; a damaged one "
	        "exits 1.",
	.examples = "samples --stream fwq.cpu0 runs/X/samples/fwq.nfsamples # one value a line\n"
	            "samples --csv --unit ns FILE # every stream, in nanoseconds",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "samples --csv {samples}",
	.test_short = "samples {samples}",
	.run = run,
};
