/* SPDX-License-Identifier: MIT */
/*
 * baseline_file - a file of stored sessions (BenchBaseline/1 as JSON). It is replaced as a whole, so that a
 * reader, a kill or a full disk finds the old one or the new one; those who add to it wait for each other.
 */
#ifndef NF_RECORD_BASELINE_FILE_H
#define NF_RECORD_BASELINE_FILE_H

#include "record/rec_baseline.h"

enum { NF_BASELINE_BYTES = 64 << 20, NF_BASELINE_SESSIONS_MAX = 10000 };

/* Texts and lists live in a. -NF_EARG: no such file. -NF_EDATA: it is no baseline, with file:line:column or
 * the field; nothing is taken from it. */
NF_NODISCARD int nf_baseline_file_read(const char *path, struct nf_arena *a,
                                       struct nf_rec_bench_baseline *ret, struct nf_err *err);
/* The same from a text; name stands for the path in messages. Pure. */
NF_NODISCARD int nf_baseline_parse(const char *name, const void *data, size_t len_bytes,
                                   struct nf_arena *a, struct nf_rec_bench_baseline *ret,
                                   struct nf_err *err);
/* One without sessions, unless there is a file: that is read as above. uid -1: as it comes. */
NF_NODISCARD int nf_baseline_file_make(const char *path, int uid, int gid, struct nf_err *err);
/* At the end of a file that is there, which keeps its owner and mode. */
NF_NODISCARD int nf_baseline_file_append(const char *path,
                                         const struct nf_rec_bench_session *session,
                                         struct nf_err *err);

#endif
