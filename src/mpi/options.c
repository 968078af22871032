/* SPDX-License-Identifier: MIT */
#include "mpi/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "build_info.h"
#include "measure/kernels/kernels.h"
#include "measure/tick.h"

enum { WIDTH = 80, DEFAULT_SAMPLES = 10000, FWQ_MPI_WORK = 1 << 20 };
#define MAX_SAMPLES (INT64_C(1) << 32)
#define MAX_WORK (INT64_C(1) << 40)
#define MAX_DURATION_NS (INT64_C(7) * 24 * 3600 * 1000000000)

static const char *const kernels[] = { [NF_KERNEL_NOP] = "nop",
	                               [NF_KERNEL_CHAIN] = "chain",
	                               [NF_KERNEL_FMA] = "fma",
	                               [NF_KERNEL_DAXPY] = "daxpy",
	                               [NF_N_KERNELS] = NULL };
static const char *const formats[] = {
	[NF_MPI_LLNL] = "llnl", [NF_MPI_NOISEFLOOR] = "noisefloor", NULL
};
static const char *const clocks[] = { [NF_TICK_AUTO] = "auto",
	                              [NF_TICK_WANT_COUNTER] = "counter",
	                              [NF_TICK_WANT_MONOTONIC] = "monotonic",
	                              NULL };

/* clang-format off */
static const struct nf_opt fwq_opts[] = {
	{ NF_OPT_COUNT('n', "samples", struct nf_mpi_params, samples, 1, MAX_SAMPLES, DEFAULT_SAMPLES,
		"quanta per rank; with --duration at most so many"),
	  NF_OPT_GIVEN(struct nf_mpi_params, samples_given) },
	{ NF_OPT_COUNT('w', "work", struct nf_mpi_params, work, 1, MAX_WORK, 0,
		"iterations of the kernel in one quantum, on every rank"),
	  .def_text = "what takes --quantum on rank 0", .conflicts = "quantum" },
	{ NF_OPT_DURATION(0, "quantum", struct nf_mpi_params, quantum_ns, 1000, INT64_C(1000000000), 1000000,
		"time that one quantum should take; the work is chosen for it on rank 0") },
	{ NF_OPT_CHOICE('k', "kernel", struct nf_mpi_params, kernel, kernels, NF_KERNEL_CHAIN, "NAME",
		"the work: an empty loop, a chain of integer or of floating-point operations, or "
		"y += a x in the first-level cache") },
	{ NF_OPT_DURATION('d', "duration", struct nf_mpi_params, duration_ns, 1000000, MAX_DURATION_NS, 0,
		"how long to measure"), NF_OPT_GIVEN(struct nf_mpi_params, duration_given), .def_text = "" },
	{ NF_OPT_PATH('o', "output", struct nf_mpi_params, output, NULL, "FILE",
		"also write the values of all ranks to this file, which must not exist"),
	  .conflicts = "stdout" },
	{ NF_OPT_FLAG('s', "stdout", struct nf_mpi_params, to_stdout,
		"write the values to standard output instead of the summary"),
	  .conflicts = "json quiet" },
	{ NF_OPT_CHOICE(0, "format", struct nf_mpi_params, format, formats, NF_MPI_LLNL, "NAME",
		"form of these values: the MPI form of the FWQ benchmark, or .nfsamples"),
	  NF_OPT_GIVEN(struct nf_mpi_params, format_given) },
	{ NF_OPT_FLAG(0, "force", struct nf_mpi_params, force, "replace the file of --output"),
	  .needs = "output" },
	{ NF_OPT_FLAG(0, "no-samples", struct nf_mpi_params, no_samples,
		"keep the statistics, not the raw samples") },
	{ NF_OPT_COUNT(0, "max-sample-bytes", struct nf_mpi_params, max_sample_bytes, 8192,
		INT64_C(1) << 40, INT64_C(1) << 28,
		"memory for raw samples, in bytes per rank; with --duration what does not fit is "
		"counted as dropped"), .def_text = "256 MiB" },
	{ NF_OPT_FLAG(0, "pin", struct nf_mpi_params, pin,
		"bind each rank to one CPU of those that the launcher gave it") },
	{ NF_OPT_FLAG(0, "single", struct nf_mpi_params, single,
		"measure although MPI sees one rank where the launcher started more tasks") },
	{ NF_OPT_CHOICE(0, "clock", struct nf_mpi_params, clock, clocks, NF_TICK_AUTO, "NAME",
		"what intervals are measured with: the counter if it can be trusted, the counter "
		"or nothing, or CLOCK_MONOTONIC_RAW") },
	{ NF_OPT_TEXT(0, "tag", struct nf_mpi_params, tag, "fwq-mpi", "TEXT",
		"last part of the run folder's name and the label that runs are compared by") },
	{ .kind = NF_OPT_END },
};

static const struct nf_opt global_opts[] = {
	{ NF_OPT_FLAG(0, "json", struct nf_mpi_params, json,
		"print the record as one JSON document on standard output, nothing else") },
	{ NF_OPT_FLAG('q', "quiet", struct nf_mpi_params, quiet,
		"no summary; the run folder and the exit status tell"), .conflicts = "json" },
	{ NF_OPT_PATH(0, "runs", struct nf_mpi_params, runs, "./runs", "DIR",
		"folder in which each run makes its own folder of evidence; all nodes must see it") },
	{ NF_OPT_FLAG('h', "help", struct nf_mpi_params, help, "show help") },
	{ NF_OPT_FLAG(0, "version", struct nf_mpi_params, version, "show the version") },
	{ NF_OPT_FLAG(0, "print-man", struct nf_mpi_params, print_man, "print a man page"), .hidden = true },
	{ .kind = NF_OPT_END },
};

/* The benchmark's own. */
static const struct nf_opt compatible_opts[] = {
	{ NF_OPT_COUNT('n', "samples", struct nf_mpi_params, samples, 1, MAX_SAMPLES, DEFAULT_SAMPLES,
		"samples per process"), NF_OPT_GIVEN(struct nf_mpi_params, samples_given) },
	{ NF_OPT_COUNT('w', "work", struct nf_mpi_params, work, 1, MAX_WORK, FWQ_MPI_WORK,
		"iterations of work per sample, of a counted loop (--kernel nop of 'noisefloor-mpi fwq')") },
	{ NF_OPT_PATH('o', "output", struct nf_mpi_params, output, "fwq", "FILE",
		"file of the values, which must not exist"), .conflicts = "stdout" },
	{ NF_OPT_FLAG('s', "stdout", struct nf_mpi_params, to_stdout,
		"write the values to standard output instead of a file") },
	{ NF_OPT_TEXT('d', "duration", struct nf_mpi_params, duration_text, NULL, "TIME",
		"stop after so long: seconds, or a number with a unit"),
	  NF_OPT_GIVEN(struct nf_mpi_params, duration_given) },
	{ NF_OPT_FLAG(0, "force", struct nf_mpi_params, force, "replace the file"), .conflicts = "stdout" },
	{ NF_OPT_FLAG(0, "pin", struct nf_mpi_params, pin,
		"bind each process to one CPU of those that the launcher gave it") },
	{ NF_OPT_FLAG(0, "single", struct nf_mpi_params, single,
		"measure although MPI sees one process where the launcher started more") },
	{ NF_OPT_FLAG('h', "help", struct nf_mpi_params, help, "show help") },
	{ NF_OPT_FLAG(0, "version", struct nf_mpi_params, version, "show the version") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static const char fwq_summary[] = "fixed work quanta on every rank of an MPI job";
static const char fwq_description[] =
        "Every rank does the same work again and again, all from one barrier on, and records how "
        "long each quantum took. Start it as the application would be started: ranks are "
        "measured where the launcher put them, and the binding is read back. The statistics of "
        "every rank, every node and the whole job, the slowest ranks, and what the noise would "
        "cost a bulk-synchronous application of up to a million ranks go into a run folder; the "
        "raw samples of all ranks into one file.";
static const char signals_text[] =
        "SIGINT, SIGTERM and SIGHUP to any rank of a node end the measurement on that node after "
        "the "
        "current quantum; the job goes on to write what all nodes have as a partial record and "
        "every rank returns 130 or 143. What the launcher does with a signal of its own, and what "
        "it returns, is its affair: MPICH's mpiexec passes both on, and returns 0 or what the "
        "ranks do, whichever of its own processes ends first; Open MPI's mpirun sends SIGTERM for "
        "both, kills a second later "
        "and returns 1; srun kills at once: use scancel. Read what happened from the "
        "record: head.state is then partial, and body.stopped_by names the signal that the ranks "
        "got. When a rank is killed, the others of its node notice, "
        "whatever the launcher does, and end the job; a node with one rank has nobody to notice "
        "(srun --kill-on-bad-exit). Files appear under their names only when they are whole; where "
        "a "
        "launcher kills every rank at once while one is written, a hidden temporary file stays "
        "(.NAME.HOST-PID.nftmp), which the next job with that output removes.";
static const char *const examples[][2] = {
	{ "srun -N4 -n336 noisefloor-mpi fwq -n 50000 --work 2^14",
	  "under Slurm (MPICH: --mpi=pmi2, "
	  "Open MPI: --mpi=pmix)" },
	{ "mpirun -n 8 noisefloor-mpi fwq -d 30s --quantum 100us --no-samples",
	  "half a minute of short quanta, statistics only" },
	{ "mpirun -n 2 noisefloor-mpi fwq -n 1000 -w 2^14 -o out.dat",
	  "a file for FWQ's tools too" },
};

/* fwq-mpi's -d: plain numbers are seconds. */
static int read_duration(struct nf_mpi_params *p, struct nf_err *err)
{
	char with_unit[64];
	const char *text = p->duration_text;
	struct nf_err why;

	if (!text)
		return 0;
	if (strlen(text) < 40 && strspn(text, "0123456789.") == strlen(text)) {
		(void)snprintf(with_unit, sizeof(with_unit), "%ss", text);
		text = with_unit;
	}
	if (nf_duration_parse(text, &p->duration_ns, &why) < 0 || p->duration_ns < 1000000 ||
	    p->duration_ns > MAX_DURATION_NS) {
		char quoted[NF_OPT_QUOTED];

		nf_opt_quote(p->duration_text, quoted);
		return nf_fail(err, NF_EARG,
		               "-d: %s not allowed; allowed: seconds, or a duration from 1ms to "
		               "168h with its unit",
		               quoted);
	}
	return 0;
}

static int parse_sets(struct nf_opt_set *sets, size_t n, int argc, char *const argv[],
                      struct nf_opt_rest *rest, struct nf_err *err)
{
	rest->item = calloc((size_t)argc + 1, sizeof(*rest->item));
	if (!rest->item)
		return nf_fail_nomem(err, "the options", (size_t)argc * sizeof(*rest->item));
	for (size_t i = 0; i < n; i++)
		nf_opt_defaults(&sets[i]);
	return nf_opt_parse(sets, n, argc, argv, false, rest, err);
}

static int check_operands(const struct nf_mpi_params *p, const struct nf_opt_rest *rest,
                          struct nf_err *err)
{
	int wanted = p->as_fwq_mpi ? 0 : 1;
	char quoted[NF_OPT_QUOTED];

	if (p->help || p->version || p->print_man)
		return 0;
	if (rest->n < wanted)
		return nf_fail(err, NF_EARG, "a command is missing; allowed: fwq");
	if (wanted == 1 && strcmp(rest->item[0], "fwq") != 0) {
		nf_opt_quote(rest->item[0], quoted);
		return nf_fail(err, NF_EARG, "unknown command %s; allowed: fwq", quoted);
	}
	if (rest->n > wanted) {
		nf_opt_quote(rest->item[wanted], quoted);
		return nf_fail(err, NF_EARG, "unexpected operand %s; allowed: none", quoted);
	}
	return 0;
}

static bool called_fwq_mpi(const char *name)
{
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	return strncmp(name, "fwq-mpi", 7) == 0 && (name[7] == '\0' || name[7] == '.');
}

int nf_mpi_options_parse(int argc, char *const argv[], struct nf_mpi_params *ret,
                         struct nf_err *err)
{
	struct nf_mpi_params p = { .as_fwq_mpi = argc > 0 && called_fwq_mpi(argv[0]) };
	struct nf_opt_set sets[2] = { { .opts = p.as_fwq_mpi ? compatible_opts : fwq_opts,
		                        .params = &p },
		                      { .opts = global_opts, .params = &p } };
	struct nf_opt_rest rest = { 0 };
	bool compatible = p.as_fwq_mpi;

	/* The compatible programs' work is a counted loop. */
	p.kernel = p.as_fwq_mpi ? NF_KERNEL_NOP : NF_KERNEL_CHAIN;
	p.max_sample_bytes = INT64_C(1) << 28;
	int r = parse_sets(sets, compatible ? 1 : 2, argc - 1, argv + 1, &rest, err);
	if (r == 0)
		r = check_operands(&p, &rest, err);
	free(rest.item);
	if (r == 0)
		r = read_duration(&p, err);
	if (r < 0)
		return r;
	if (p.to_stdout && compatible)
		p.output = NULL;
	if (p.format_given && !p.output && !p.to_stdout)
		return nf_fail(err, NF_EARG,
		               "--format: nothing is written; allowed: with --output "
		               "or --stdout");
	if (p.to_stdout && p.format == NF_MPI_NOISEFLOOR)
		return nf_fail(err, NF_EARG,
		               "--format noisefloor: not on standard output; allowed: "
		               "with --output");
	*ret = p;
	return 0;
}

void nf_mpi_options_help(bool as_fwq_mpi, struct nf_buf *out)
{
	if (as_fwq_mpi) {
		(void)nf_buf_adds(out, "usage: fwq-mpi [OPTIONS]\n\noptions:\n");
		nf_opt_help(compatible_opts, out);
	} else {
		(void)nf_buf_adds(out, "usage: noisefloor-mpi fwq [OPTIONS]\n\n");
		nf_opt_wrap(fwq_description, 0, WIDTH, out);
		(void)nf_buf_adds(out, "\n\noptions:\n");
		nf_opt_help(fwq_opts, out);
		(void)nf_buf_adds(out, "\nglobal options:\n");
		nf_opt_help(global_opts, out);
		(void)nf_buf_adds(out, "\nexamples:\n");
		for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
			(void)nf_buf_addf(out, "  %s\n      %s\n", examples[i][0], examples[i][1]);
	}
	(void)nf_buf_adds(out, "\nexit status:\n");
#define X(sym, value, rank, text) (void)nf_buf_addf(out, "  %3d  %s\n", value, text);
#include "exit.def"
#undef X
}

static void man_text(const char *text, struct nf_buf *out)
{
	nf_opt_man_text(text, out);
	(void)nf_buf_addc(out, '\n');
}

void nf_mpi_options_man(struct nf_buf *out)
{
	(void)nf_buf_adds(out, ".TH NOISEFLOOR-MPI 1 \"\" \"noisefloor " NF_VERSION
	                       "\" \"noisefloor manual\"\n.SH NAME\nnoisefloor\\-mpi \\- ");
	man_text(fwq_summary, out);
	(void)nf_buf_adds(out, ".SH SYNOPSIS\n.B noisefloor\\-mpi fwq\n[OPTIONS]\n.br\n"
	                       ".B fwq\\-mpi\n[OPTIONS]\n.SH DESCRIPTION\n");
	man_text(fwq_description, out);
	(void)nf_buf_adds(out, ".SH OPTIONS\n");
	nf_opt_man(fwq_opts, out);
	(void)nf_buf_adds(out, ".SH GLOBAL OPTIONS\n");
	nf_opt_man(global_opts, out);
	(void)nf_buf_adds(out,
	                  ".SH FWQ-MPI\nCalled as fwq\\-mpi it takes that benchmark's options, "
	                  "writes its file and keeps no run folder:\n");
	nf_opt_man(compatible_opts, out);
	(void)nf_buf_adds(out, ".SH SIGNALS\n");
	man_text(signals_text, out);
	(void)nf_buf_adds(out, ".SH EXAMPLES\n");
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		(void)nf_buf_adds(out, ".TP\n.B ");
		man_text(examples[i][0], out);
		man_text(examples[i][1], out);
	}
	(void)nf_buf_adds(out, ".SH EXIT STATUS\n");
#define X(sym, value, rank, text) \
	(void)nf_buf_adds(out, ".TP\n.B " #value "\n"); \
	man_text(text, out);
#include "exit.def"
#undef X
	(void)nf_buf_adds(out, ".SH SEE ALSO\n.BR noisefloor (1)\n");
}
