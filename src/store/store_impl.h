/* SPDX-License-Identifier: MIT */
/* store_impl - what the parts of the store share. Internal to store/. */
#ifndef NF_STORE_STORE_IMPL_H
#define NF_STORE_STORE_IMPL_H

#include <sqlite3.h>

#include "store/store.h"

struct nf_store {
	sqlite3 *db; /* owned */
};

/* What SQLite says, as one of our errors. */
int nf_store_failed(sqlite3 *db, int rc, const char *what, struct nf_err *err);
NF_NODISCARD int nf_store_exec(sqlite3 *db, const char *sql, const char *what, struct nf_err *err);

#endif
