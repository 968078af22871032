/* SPDX-License-Identifier: MIT */
/*
 * run_standing - whether a record is still what its run committed: record.json and record.dhall against
 * MANIFEST, and the record's own state. The samples and captures are nf_runfolder_check's.
 */
#ifndef NF_RECORD_RUN_STANDING_H
#define NF_RECORD_RUN_STANDING_H

#include "record/runfolder.h"

struct nf_run_standing {
	bool in_run; /* false: the file stands by itself, nothing says what it was; state is complete */
	enum nf_check_state state;
	char why[240]; /* "": complete */
	char digest[65]; /* SHA-256 of the file, hex */
};

/* path: a run's folder, its record.json or record.dhall, or any other file. A folder whose record.json cannot
 * be read is damaged, with the reason. -NF_EARG: path is not there, or no regular file. */
NF_NODISCARD int nf_run_standing(const char *path, struct nf_run_standing *ret, struct nf_err *err);

#endif
