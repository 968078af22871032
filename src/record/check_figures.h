/* SPDX-License-Identifier: MIT */
/* check_figures - a record's figures against its samples. Internal to record/. */
#ifndef NF_RECORD_CHECK_FIGURES_H
#define NF_RECORD_CHECK_FIGURES_H

#include <jansson.h>

#include "record/check.h"
#include "record/type.h"

/* How the values behind a summary come from the samples. */
enum nf_figure_values {
	NF_FIGURE_AS_IS, /* one stream */
	NF_FIGURE_INTERVALS, /* differences of neighbours in one stream */
	NF_FIGURE_JITTER, /* distance of those from the enclosing record's period_ns */
	NF_FIGURE_JITTER_OF_ALL, /* the same of every stream whose name ends so */
	NF_FIGURE_LARGER, /* the larger of two streams, sample by sample; names separated by a blank */
	NF_FIGURE_PER_SECOND, /* instants of one stream in each full second of the record's span_ns */
	NF_FIGURE_IN_SETS, /* no samples: the list of this name in the record's own sets */
};

/* Which samples a summary was made from. {key} in stream is that field of the record the summary is in. */
struct nf_figure_rule {
	const char *type; /* name of the record type */
	const char *key; /* its field with the summary */
	const char *stream;
	enum nf_figure_values values;
};
/* NULL: there is none. A test holds every summary of every record type to have one. */
const struct nf_figure_rule *nf_figure_rule(const char *type, const char *key);

/* value: a record of type t in good form. Every stream that it refers to must have the count, losses and
 * rate that the record says, every summary the figures that its samples give: what differs is noted as
 * damage, what is too large to be recomputed is noted without. Files that are not in `all`, or are damaged or
 * partial there, are left alone. */
NF_NODISCARD int nf_check_figures(const struct nf_type *t, const json_t *value,
                                  const struct nf_checklist *all, struct nf_checked *c,
                                  struct nf_err *err);

#endif
