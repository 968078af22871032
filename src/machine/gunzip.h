/* SPDX-License-Identifier: MIT */
/* gunzip - one gzip member (RFC 1952, deflate RFC 1951) in memory; /proc/config.gz is one. */
#ifndef NF_MACHINE_GUNZIP_H
#define NF_MACHINE_GUNZIP_H

#include "base/buf.h"

/* Appends the decompressed bytes to out, whose ceiling bounds them. -NF_EDATA: not gzip, damaged
 * (length and CRC-32 are checked) or over the ceiling; -NF_ENOMEM. What out has gained after a
 * failure is undefined. Bytes after the member are ignored. */
NF_NODISCARD int nf_gunzip(const void *data, size_t len_bytes, struct nf_buf *out,
                           struct nf_err *err);

#endif
