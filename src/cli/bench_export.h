/* SPDX-License-Identifier: MIT */
/* bench_export - results of benchmarks for other programs: into files beside a run, or as a text. */
#ifndef NF_CLI_BENCH_EXPORT_H
#define NF_CLI_BENCH_EXPORT_H

#include <jansson.h>

#include "cli/cmd.h"
#include "job/job.h"
#include "report/interchange_write.h"
#include "report/results_of_record.h"

/* Before anything is measured: each is FORM=FILE, and no FILE is there. -NF_EARG, -NF_EEXIST. */
NF_NODISCARD int nf_bench_export_check(const struct nf_opt_list *list, struct nf_err *err);
/* What nf_job_print() does, after the files were written; when one cannot be, the record stays. An exit code, or a
 * negated error. */
int nf_bench_export_print(struct nf_cli *cli, const struct nf_opt_list *list,
                          const struct nf_job_outcome *o, struct nf_err *err);

/* A record's results in a form. Those without values are told on standard error where the form leaves
 * them out. */
NF_NODISCARD int nf_bench_export_text(const struct nf_cli *cli, const json_t *record,
                                      enum nf_results_side side, enum nf_interchange_id id,
                                      struct nf_buf *out, struct nf_err *err);
void nf_bench_export_note(const struct nf_cli *cli, const struct nf_results *r,
                          enum nf_interchange_id id);

enum { NF_BENCH_EXPORT_BYTES = 256 << 20 };

#endif
