/* SPDX-License-Identifier: MIT */
/* check_derived - a record's derived figures against the other figures that they are made from. Internal
 * to record/. */
#ifndef NF_RECORD_CHECK_DERIVED_H
#define NF_RECORD_CHECK_DERIVED_H

#include <jansson.h>

#include "record/check.h"
#include "record/type.h"

/* value: a record of type t in good form. What differs is noted as damage. */
void nf_check_derived(const struct nf_type *t, const json_t *value, struct nf_checked *c);

#endif
