/* SPDX-License-Identifier: MIT */
/* sink - where a text goes that is made in pieces. */
#ifndef NF_BASE_SINK_H
#define NF_BASE_SINK_H

#include <stddef.h>

#include "base/fail.h"

/* Takes the next piece of the text. Its failure ends the writing and is returned. */
struct nf_sink {
	int (*write)(void *ctx, const void *data, size_t len_bytes, struct nf_err *err);
	void *ctx;
};

#endif
