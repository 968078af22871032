/* SPDX-License-Identifier: MIT */
/* text - what the writers of the forms share. Internal to record/. */
#ifndef NF_RECORD_TEXT_H
#define NF_RECORD_TEXT_H

#include <stdint.h>

#include "base/buf.h"

/* Drops what a failed writer appended since len_bytes was `start`. The buffer's failure stays. */
void nf_text_take_back(struct nf_buf *out, size_t start);

/* A Dhall text literal: double-quoted; `"`, `\`, `$` and control characters below U+0020 escaped;
 * broken UTF-8 and non-characters replaced and counted. NULs are kept. */
void nf_dhall_text(struct nf_buf *out, const char *s, size_t len_bytes, uint64_t *n_replaced);
/* A CSV field. Quoted when it has to be (RFC 4180, section 2) and when it is empty: an absent value is an
 * empty field without quotes. Broken UTF-8 is replaced. */
void nf_csv_text(struct nf_buf *out, const char *s, size_t len_bytes);
/* A label, in backticks where it is a keyword or has characters that a bare one may not have. */
void nf_dhall_label(struct nf_buf *out, const char *label);

#endif
