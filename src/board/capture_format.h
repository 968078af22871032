/* SPDX-License-Identifier: MIT */
/* capture_format - what the writer and the reader of captures share (docs/RECORD_FORMAT.md). */
#ifndef NF_BOARD_CAPTURE_FORMAT_H
#define NF_BOARD_CAPTURE_FORMAT_H

#include "board/capture.h"

enum { NF_CAPTURE_NAME_MAX = 59 };

/* "NAME.ENDING". -NF_EARG: the name. */
NF_NODISCARD int nf_capture_file_name(const char *name, const char *ending, char ret[64],
                                      struct nf_err *err);
/* The head as it stands in the file. -NF_EARG: a port's name that does not fit. */
NF_NODISCARD int nf_capture_head_put(const struct nf_capture_head *head,
                                     char ret[NF_CAPTURE_HEAD_BYTES], struct nf_err *err);
/* what: the file, for messages. -NF_EDATA. */
NF_NODISCARD int nf_capture_head_get(const char text[NF_CAPTURE_HEAD_BYTES], const char *what,
                                     struct nf_capture_head *ret, struct nf_err *err);
/* Little-endian: u64 offset; i64 t_ns; i64 lo_ns; u32 bytes, bit 31: waiting; u32 done_ns - t_ns, which
 * stops at UINT32_MAX. */
void nf_capture_entry_put(const struct nf_capture_read *read,
                          unsigned char ret[NF_CAPTURE_ENTRY_BYTES]);
void nf_capture_entry_get(const unsigned char entry[NF_CAPTURE_ENTRY_BYTES],
                          struct nf_capture_read *ret);

#endif
