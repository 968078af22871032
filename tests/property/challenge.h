/* SPDX-License-Identifier: MIT */
#ifndef CHALLENGE_H
#define CHALLENGE_H

#include "noisefloor/prop.h"

struct challenge {
	const char *name;
	pt_property_fn fn;
	const char *minimal[3]; /* what the report of a minimal case contains; any of them */
	unsigned min_percent; /* of the runs at a minimal case; 0: 95 */
	unsigned max_distinct; /* results over all runs; 0: any */
};
/* Up to the name NULL: the public ones and a few; those of other kinds. */
extern const struct challenge challenges[], challenges_more[];

#endif
