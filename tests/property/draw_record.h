/* SPDX-License-Identifier: MIT */
/* draw_record - values of any record type, drawn by walking its rows. */
#ifndef DRAW_RECORD_H
#define DRAW_RECORD_H

#include "noisefloor/prop.h"
#include "record/type.h"

/* A value of this type in the case's memory: odd texts (broken UTF-8 among them), odd numbers, lists of at most
 * two elements. */
void *draw_value(struct pt_case *t, const struct nf_type *type);

#endif
