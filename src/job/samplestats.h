/* SPDX-License-Identifier: MIT */
/*
 * samplestats - statistics of files of samples, theirs and ours, one worker's values in memory at a time.
 *
 * samplestats_text.c reads FWQ's text files, samplestats_file.c the rest and puts together what both give.
 */
#ifndef NF_JOB_SAMPLESTATS_H
#define NF_JOB_SAMPLESTATS_H

#include "job/job.h"
#include "record/rec_samplestats.h"
#include "stats/figures.h"

/* One worker as it was read. */
struct nf_worker_stats {
	const char *name; /* in the arena, as cpus */
	const char *cpus; /* NULL: not said */
	int index; /* thread or process */
	const char *none_why; /* no figures */
	struct nf_figures all; /* n 0: none */
	struct nf_figures rest; /* without the first value */
	bool fixed_work; /* the values are times of equal work */
	double per_us; /* values a microsecond; 0: no time (see unit) */
	const char *unit; /* static; of the figures once they are scaled */
	double ghz; /* 0: none */
	uint64_t lost;
};

enum { NF_STATS_WORKERS_MAX = 1 << 20 };
#define NF_STATS_VALUES_MAX ((size_t)1 << 33) /* of one worker */

struct nf_worker_list {
	struct nf_worker_stats *item; /* owned */
	size_t n, cap;
};
/* A zeroed one at the end. -NF_ENOMEM, or -NF_EDATA: more than NF_STATS_WORKERS_MAX. */
NF_NODISCARD int nf_worker_list_add(struct nf_worker_list *l, struct nf_worker_stats **ret,
                                    struct nf_err *err);

/* Values of one worker at a time; memory is kept for the next. */
struct nf_value_room {
	int64_t *value; /* owned */
	size_t n, cap;
};
/* Room for n values more. */
NF_NODISCARD int nf_value_room_grow(struct nf_value_room *r, size_t n, struct nf_err *err);

/* What a text file of FWQ holds. */
struct nf_text_stats {
	struct nf_worker_list workers;
	const char *form; /* static */
	bool serial;
	bool torn; /* its last line has no end and was left out */
	double last_ghz; /* of the last Speed line; 0: there is none */
	bool repeated_workers; /* two blocks of values carry the same number */
	bool repeated_speeds; /* and so do two Speed lines */
};
/* Reads from fd (its first n bytes are in `head`). Texts go to a. Free workers.item also on failure. */
NF_NODISCARD int nf_text_stats_read(int fd, const char *path, const void *head, size_t n_head,
                                    struct nf_value_room *room, struct nf_arena *a,
                                    struct nf_text_stats *ret, struct nf_err *err);

/* One file. -NF_EARG: there is none; -NF_EDATA: neither a text file of FWQ nor .nfsamples. */
NF_NODISCARD int nf_job_sample_file(const char *path, struct nf_arena *a,
                                    struct nf_rec_sample_file *ret, struct nf_err *err);

/* The files, and of folders of runs their samples, as one record. Exit code 3 for a file that ends early, 1
 * for a damaged one. */
NF_NODISCARD int nf_job_sample_stats(const struct nf_job_opts *o, const char *const *path, size_t n,
                                     struct nf_job_outcome *ret, struct nf_err *err);

#endif
