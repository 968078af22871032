/* SPDX-License-Identifier: MIT */
/*
 * store - an index of run folders in SQLite, for history.
 *
 * The folders are the evidence; the index can be made from them at any time and holds nothing that
 * they do not. It is a file in the folder of runs. Several processes may add to it at once: each
 * addition is one transaction. An index that is damaged is set aside and begun anew; one of a later
 * version is refused, one of an earlier version begun anew.
 */
#ifndef NF_STORE_STORE_H
#define NF_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

#define NF_STORE_NAME ".noisefloor-index.sqlite"
enum { NF_STORE_VERSION = 1, NF_STORE_NOTE_BYTES = 512 };

struct nf_store;

struct nf_store_value {
	const char *metric; /* id of a row of tables/metrics.def */
	double value;
};

/* What the index keeps of a run. Texts may be NULL where the record does not say, but for the first
 * three. */
struct nf_store_run {
	const char *folder; /* its name: unique in the index */
	const char *
	        digest; /* of MANIFEST, 64 hex digits: an index row of another one is out of date */
	const char *schema; /* "WindowRun/1" */
	const char *started_utc; /* RFC 3339: sorts as text */
	const char *tag;
	const char *host; /* label */
	const char *machine; /* hash */
	const char *lane;
	const char *kernel;
	const char *boot_id;
	const char *state; /* "complete", "partial" */
	const char *result;
	const struct nf_store_value *value;
	size_t n_values;
};

/* Opens the index of runs_dir, or makes it. Where the folder cannot be written to the index is kept in
 * memory. note: what a user must know (set aside, in memory), else "". -NF_EUNSUPPORTED: of a later
 * version; -NF_ETIMEOUT: others have held it for too long. */
NF_NODISCARD int nf_store_open(const char *runs_dir, struct nf_store **ret,
                               char note[NF_STORE_NOTE_BYTES], struct nf_err *err);
void nf_store_close(struct nf_store *s); /* NULL is fine */

/* Adds a run with its values, all or nothing; a row of the same folder is replaced. */
NF_NODISCARD int nf_store_add(struct nf_store *s, const struct nf_store_run *run,
                              struct nf_err *err);
/* Whether the index holds this folder with this digest. */
NF_NODISCARD int nf_store_has(struct nf_store *s, const char *folder, const char *digest, bool *ret,
                              struct nf_err *err);
/* Removes every run for which gone() is true: its folder is not there any more. */
typedef bool nf_store_gone_fn(void *ctx, const char *folder);
NF_NODISCARD int nf_store_prune(struct nf_store *s, nf_store_gone_fn *gone, void *ctx,
                                size_t *ret_n, struct nf_err *err);

/* What to hand out; NULL: any. host: a label or a machine hash. */
struct nf_store_filter {
	const char *host;
	const char *tag;
	const char *lane;
};

/* Every run that has the metric, by machine, label, lane and tag, then in order of time. A non-zero
 * return stops and is returned. The run's texts are borrowed for the call; value points to the one
 * value. */
typedef int nf_store_point_fn(void *ctx, const struct nf_store_run *run);
NF_NODISCARD int nf_store_series(struct nf_store *s, const char *metric,
                                 const struct nf_store_filter *filter, nf_store_point_fn *fn,
                                 void *ctx, struct nf_err *err);
/* Every metric that any run has, in byte order, with the number of runs. */
typedef int nf_store_metric_fn(void *ctx, const char *metric, size_t n_runs);
NF_NODISCARD int nf_store_metrics(struct nf_store *s, const struct nf_store_filter *filter,
                                  nf_store_metric_fn *fn, void *ctx, struct nf_err *err);

#endif
