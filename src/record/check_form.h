/* SPDX-License-Identifier: MIT */
/* check_form - a JSON value against a record type's rows. Internal to record/. */
#ifndef NF_RECORD_CHECK_FORM_H
#define NF_RECORD_CHECK_FORM_H

#include <jansson.h>

#include "record/type.h"

/* -NF_EDATA naming the path of the first field that is missing, too many or of another kind. */
NF_NODISCARD int nf_check_form(const struct nf_type *t, const json_t *value, struct nf_err *err);

#endif
