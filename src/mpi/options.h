/* SPDX-License-Identifier: MIT */
/*
 * options - the command lines of noisefloor-mpi and of fwq-mpi, from tables; help and man page. No MPI
 * here: help works without a launcher.
 */
#ifndef NF_MPI_OPTIONS_H
#define NF_MPI_OPTIONS_H

#include "opt/opt.h"

enum nf_mpi_format { NF_MPI_LLNL, NF_MPI_NOISEFLOOR };

struct nf_mpi_params {
	bool as_fwq_mpi; /* called by the benchmark's name: its options, its file, no record */
	bool help;
	bool version;
	bool print_man;
	bool json;
	bool quiet;
	const char *runs;
	const char *tag;
	int64_t samples;
	bool samples_given;
	int64_t work; /* 0: chosen for quantum_ns */
	int64_t quantum_ns;
	int kernel; /* enum nf_kernel_id */
	int64_t duration_ns; /* 0: by count */
	bool duration_given;
	const char *duration_text; /* fwq-mpi: seconds, or a duration with its unit */
	int64_t max_sample_bytes; /* per rank */
	int clock; /* enum nf_tick_want */
	const char *output;
	bool to_stdout;
	int format; /* enum nf_mpi_format */
	bool format_given;
	bool force;
	bool no_samples;
	bool pin;
	bool single;
};

/* argv[0] decides by its last part. -NF_EARG: one line. */
NF_NODISCARD int nf_mpi_options_parse(int argc, char *const argv[], struct nf_mpi_params *ret,
                                      struct nf_err *err);
void nf_mpi_options_help(bool as_fwq_mpi, struct nf_buf *out);
void nf_mpi_options_man(struct nf_buf *out);

#endif
