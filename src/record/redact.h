/* SPDX-License-Identifier: MIT */
/* redact - a copy of a run folder that can be given away (docs/RECORD_FORMAT.md, "Redacted copies"). */
#ifndef NF_RECORD_REDACT_H
#define NF_RECORD_REDACT_H

#include "base/stop.h"
#include "record/redact_text.h"

struct nf_redact_opts {
	const unsigned char *key; /* NF_REDACT_KEY random bytes; not kept */
	const char *const *words; /* further texts to replace; ends with NULL; NULL: none */
	const char *const *keep; /* words of a command line that stay; ends with NULL */
	const struct nf_stop *stop;
	void (*left_out)(void *ctx, const char *path,
	                 const char *why); /* a file that is not copied */
	void *ctx;
};

/* Copies the run in the folder `from` to the new folder `to` (-NF_EEXIST: there is something; its parent must
 * exist). `to` appears complete or not at all. The copy has a MANIFEST of its own where the run has
 * one, and is checked before it appears. -NF_EDATA: no run, or one that is damaged or of a version that is not
 * known: a copy would not show it. -NF_EOS with os_errno EINTR: stopped. */
NF_NODISCARD int nf_redact_run(const char *from, const char *to, const struct nf_redact_opts *o,
                               struct nf_err *err);

#endif
