/* SPDX-License-Identifier: MIT */
/* redact_learn - the users and hosts that the files of a run name, before any of them is copied. Internal to record/. */
#ifndef NF_RECORD_REDACT_LEARN_H
#define NF_RECORD_REDACT_LEARN_H

#include "record/redact_text.h"

/* Adds the users of /home/NAME and its like, of uid=N(NAME), USER=NAME and its like, and hosts after HOSTNAME=. Those that
 * name nobody (root, ubuntu), numbers and words of this program are not added. */
NF_NODISCARD int nf_redactor_learn_text(struct nf_redactor *r, const char *text, size_t n,
                                        struct nf_err *err);
/* The same for a file's name, and for what it holds if it is to be read as text. *ret_no_text: why it is no text
 * (zero bytes, packed, UTF-16), or NULL; untouched if it is not read. */
NF_NODISCARD int nf_redact_learn_file(struct nf_redactor *r, int folder, const char *path,
                                      bool text, const char **ret_no_text, struct nf_err *err);

#endif
