/* SPDX-License-Identifier: MIT */
/* journal_knob - reads, writes and puts back what a journal entry (journal.h) is about. */
#ifndef NF_BASE_JOURNAL_KNOB_H
#define NF_BASE_JOURNAL_KNOB_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/journal_entry.h"

/* The value of a kernel file: its first line without white space at the end; of a list with one word
 * in brackets ("always [madvise] never") that word. -NF_ENODATA: no such file. */
NF_NODISCARD int nf_journal_value_read(const char *path, struct nf_buf *out, struct nf_err *err);
/* value and a newline in one write, as the shell does. */
NF_NODISCARD int nf_journal_value_write(const char *path, const char *value, struct nf_err *err);

/* DEVICE:INODE of a folder. -NF_ENODATA: there is none (or it is something else). */
NF_NODISCARD int nf_journal_folder_id(const char *path, struct nf_buf *out, struct nf_err *err);

/* Puts the old state back if what is there is what was set. *ret_left_alone: someone changed it, or
 * it is gone. 0 with false: the old state is there. */
NF_NODISCARD int nf_journal_put_back(const struct nf_journal_record *rec, bool *ret_left_alone,
                                     struct nf_err *err);

#endif
