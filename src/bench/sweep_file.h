/* SPDX-License-Identifier: MIT */
/* sweep_file - a sweep in YAML: the schema (docs/SWEEP_FILE.md is made from it), and what it says. */
#ifndef NF_BENCH_SWEEP_FILE_H
#define NF_BENCH_SWEEP_FILE_H

#include "bench/sweep.h"
#include "conf/conf.h"

struct nf_sweep_command {
	struct nf_conf_pos pos;
	struct nf_conf_text text; /* a command line in one text */
	struct nf_conf_list words;
};
struct nf_sweep_benchmark {
	struct nf_conf_pos pos;
	struct nf_conf_text name;
	struct nf_conf_text program;
	struct nf_conf_int threads;
};
struct nf_sweep_file {
	struct nf_conf_pos pos;
	struct nf_sweep_command command;
	struct nf_conf_text shell;
	struct nf_sweep_benchmark benchmark;
	struct nf_conf_list knobs;
	struct nf_conf_list grid;
	struct nf_conf_list points;
	struct nf_conf_list base;
	struct nf_conf_text workers;
	struct nf_conf_int sets; /* 0: not there, as below */
	struct nf_conf_int iters;
	struct nf_conf_int max_time;
	struct nf_conf_int timeout;
	struct nf_conf_text prepare;
	struct nf_conf_text cleanup;
	struct nf_conf_text input;
	struct nf_conf_bool any_status;
	struct nf_conf_real delta;
	struct nf_conf_int seed;
};
extern const struct nf_conf_type nf_sweep_file_type; /* of a struct nf_sweep_file */

/* What the file asks for; lists live in a, texts in the file. */
NF_NODISCARD int nf_sweep_file_spec(const struct nf_sweep_file *f, struct nf_arena *a,
                                    struct nf_sweep_spec *ret, struct nf_conf_pos *ret_at,
                                    struct nf_err *err);

#endif
