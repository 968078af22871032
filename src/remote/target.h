/* SPDX-License-Identifier: MIT */
/* target - another machine, as it is named on a command line: [USER@]HOST[:PORT]. */
#ifndef NF_REMOTE_TARGET_H
#define NF_REMOTE_TARGET_H

#include "base/fail.h"

enum { NF_TARGET_USER = 33, NF_TARGET_HOST = 254, NF_TARGET_TEXT = 300 };

struct nf_target {
	char user[NF_TARGET_USER]; /* "": ssh's own choice */
	char host[NF_TARGET_HOST]; /* a name, an address, or an alias of ssh's configuration */
	int port; /* 0: ssh's own choice */
	char text[NF_TARGET_TEXT]; /* as it was typed */
};

/* Letters, digits, '.', '_' and '-' only, neither part beginning with a dash; an IPv6 address as it is, or in brackets
 * before a port. What could mean something to ssh, to a shell or to a terminal is refused with -NF_EARG. */
NF_NODISCARD int nf_target_parse(const char *text, struct nf_target *ret, struct nf_err *err);

#endif
