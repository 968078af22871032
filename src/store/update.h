/* SPDX-License-Identifier: MIT */
/*
 * update - brings the index of runs up to what the folders say: adds committed runs that it does not
 * hold, replaces those whose MANIFEST is another one, removes those that are gone.
 */
#ifndef NF_STORE_UPDATE_H
#define NF_STORE_UPDATE_H

#include "store/store.h"

struct nf_store_update {
	size_t n_added;
	size_t n_removed;
	size_t n_uncommitted; /* run folders without a MANIFEST: still running, or killed */
	size_t n_unreadable; /* committed, but record.json is not what MANIFEST says, or no record */
	char unreadable[160]; /* the first of them and why */
};

/* Looks at every folder of runs_dir whose name is a run's. A folder that cannot be read does not keep
 * the others out. */
NF_NODISCARD int nf_store_update(struct nf_store *s, const char *runs_dir,
                                 struct nf_store_update *ret, struct nf_err *err);

/* "20260102T030405Z-...": what run folders are called. */
bool nf_store_is_run_name(const char *name);

#endif
