/* SPDX-License-Identifier: MIT */
/* events - YAML as a stream of events that can only be what a strict file holds. */
#ifndef NF_CONF_EVENTS_H
#define NF_CONF_EVENTS_H

#include <yaml.h>

#include "conf/schema.h"

enum nf_conf_event_kind {
	NF_CONF_SCALAR,
	NF_CONF_BEGIN_LIST,
	NF_CONF_END_LIST,
	NF_CONF_BEGIN_MAP,
	NF_CONF_END_MAP,
	NF_CONF_END, /* of the document */
};

struct nf_conf_event {
	enum nf_conf_event_kind kind;
	struct nf_conf_pos pos;
	const char *text; /* SCALAR; borrowed until the next event; no NUL but its end */
	size_t len_bytes;
	bool plain; /* not quoted, no block */
};

struct nf_conf_events {
	yaml_parser_t parser;
	yaml_event_t event;
	bool has_parser, has_event;
	const char *label; /* borrowed */
	int depth; /* lists and mappings that are open */
};

/* Looks at every byte; data is borrowed until fini. Zero *e first, fini after failure too. The first event of the
 * document is the next one. */
NF_NODISCARD int nf_conf_events_open(struct nf_conf_events *e, const char *label, const void *data,
                                     size_t len_bytes, struct nf_err *err);
NF_NODISCARD int nf_conf_events_next(struct nf_conf_events *e, struct nf_conf_event *ret,
                                     struct nf_err *err);
void nf_conf_events_fini(struct nf_conf_events *e);

/* -NF_EDATA: "LABEL:LINE:COLUMN: ...". */
int nf_conf_refuse_at(const char *label, struct nf_conf_pos at, struct nf_err *err, const char *fmt,
                      ...) NF_PRINTF(4, 5);

#endif
