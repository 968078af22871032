/* SPDX-License-Identifier: MIT */
/*
 * file - one file written by all ranks through collective MPI-IO, rank after rank, in pieces of bounded size;
 * under a temporary name until it is whole.
 *
 * All functions but the sources are collective.
 */
#ifndef NF_MPI_FILE_H
#define NF_MPI_FILE_H

#include "mpi/comm.h"

enum { NF_MPI_PIECE_BYTES = 1 << 20, NF_MPI_PATH_BYTES = 4096 };

/* What one rank contributes. It is gone through twice: for its length, then to be written. */
struct nf_mpi_source {
	void *ctx;
	void (*rewind)(void *ctx);
	/* The next bytes into buf, at most NF_MPI_PIECE_BYTES; 0: that was all. */
	size_t (*next)(void *ctx, char *buf);
};

struct nf_mpi_file {
	char path[NF_MPI_PATH_BYTES];
	char temporary[NF_MPI_PATH_BYTES];
	bool replace;
	bool is_open;
	MPI_File handle;
	MPI_Offset end; /* bytes written so far, by all ranks */
	char *piece; /* owned */
};

/* Whether path can become a file of ours: absent, or with `replace` a regular file; in a folder where files can be
 * made. Makes nothing. Not collective. what: the option's name. */
NF_NODISCARD int nf_mpi_file_check(const char *path, bool replace, const char *what,
                                   struct nf_err *err);
/* path: the same on all ranks, seen by all of them. The temporary file appears beside it; those that
 * jobs of this node left which are no longer running are removed. */
NF_NODISCARD int nf_mpi_file_open(const struct nf_mpi *m, const char *path, int mode, bool replace,
                                  struct nf_mpi_file *ret, struct nf_err *err);
/* Appends what each rank's source gives, in the order of ranks. */
NF_NODISCARD int nf_mpi_file_append(const struct nf_mpi *m, struct nf_mpi_file *f,
                                    const struct nf_mpi_source *own, struct nf_err *err);
/* Stores, closes and renames. */
NF_NODISCARD int nf_mpi_file_finish(const struct nf_mpi *m, struct nf_mpi_file *f,
                                    struct nf_err *err);
/* Removes what is not finished; harmless after nf_mpi_file_finish() and on a zeroed one. */
void nf_mpi_file_abandon(const struct nf_mpi *m, struct nf_mpi_file *f);

/* The sources of all ranks in order to rank 0's standard output, a piece at a time. */
NF_NODISCARD int nf_mpi_print(const struct nf_mpi *m, const struct nf_mpi_source *own,
                              struct nf_err *err);

/* A source that is one text. */
struct nf_mpi_text {
	const char *data;
	size_t len_bytes; /* at most NF_MPI_PIECE_BYTES */
	bool given;
};
struct nf_mpi_source nf_mpi_text_source(struct nf_mpi_text *t);

#endif
