/* SPDX-License-Identifier: MIT */
/* Additions and removals: one transaction each. */
#include "store/store_impl.h"

static int bind_texts(sqlite3_stmt *st, const char *const *text, int n)
{
	int rc = SQLITE_OK;

	for (int i = 0; i < n && rc == SQLITE_OK; i++)
		rc = sqlite3_bind_text(st, i + 1, text[i], -1, SQLITE_STATIC);
	return rc;
}

static int insert_values(sqlite3 *db, sqlite3_int64 id, const struct nf_store_run *run)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(db, "INSERT INTO value (run, metric, value) VALUES (?, ?, ?)",
	                            -1, &st, NULL);

	for (size_t i = 0; rc == SQLITE_OK && i < run->n_values; i++) {
		rc = sqlite3_bind_int64(st, 1, id);
		if (rc == SQLITE_OK)
			rc = sqlite3_bind_text(st, 2, run->value[i].metric, -1, SQLITE_STATIC);
		if (rc == SQLITE_OK)
			rc = sqlite3_bind_double(st, 3, run->value[i].value);
		if (rc == SQLITE_OK)
			rc = sqlite3_step(st) == SQLITE_DONE ? sqlite3_reset(st)
			                                     : sqlite3_errcode(db);
	}
	sqlite3_finalize(st);
	return rc;
}

static int insert_run(sqlite3 *db, const struct nf_store_run *run)
{
	const char *const text[] = { run->folder, run->digest,  run->schema,  run->started_utc,
		                     run->tag,    run->host,    run->machine, run->lane,
		                     run->kernel, run->boot_id, run->state,   run->result };
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(
	        db,
	        "INSERT OR REPLACE INTO run (folder, digest, schema, started_utc, tag, host,"
	        " machine, lane, kernel, boot_id, state, result)"
	        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	        -1, &st, NULL);

	if (rc == SQLITE_OK)
		rc = bind_texts(st, text, (int)(sizeof(text) / sizeof(text[0])));
	if (rc == SQLITE_OK)
		rc = sqlite3_step(st) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(db);
	sqlite3_finalize(st);
	return rc == SQLITE_OK ? insert_values(db, sqlite3_last_insert_rowid(db), run) : rc;
}

int nf_store_add(struct nf_store *s, const struct nf_store_run *run, struct nf_err *err)
{
	int r = nf_store_exec(s->db, "BEGIN IMMEDIATE", "the index of runs", err);

	if (r < 0)
		return r;
	int rc = insert_run(s->db, run);
	r = rc == SQLITE_OK ? nf_store_exec(s->db, "COMMIT", "the index of runs", err)
	                    : nf_store_failed(s->db, rc, run->folder, err);
	if (r < 0)
		(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

int nf_store_prune(struct nf_store *s, nf_store_gone_fn *gone, void *ctx, size_t *ret_n,
                   struct nf_err *err)
{
	sqlite3_stmt *each = NULL, *del = NULL;
	size_t n = 0;
	int r = nf_store_exec(s->db, "BEGIN IMMEDIATE", "the index of runs", err);

	if (r < 0)
		return r;
	int rc = sqlite3_prepare_v2(s->db, "SELECT id, folder FROM run", -1, &each, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(s->db, "DELETE FROM run WHERE id = ?", -1, &del, NULL);
	while (rc == SQLITE_OK && (rc = sqlite3_step(each)) == SQLITE_ROW) {
		const unsigned char *folder = sqlite3_column_text(each, 1);

		rc = SQLITE_OK;
		if (!folder || !gone(ctx, (const char *)folder))
			continue;
		rc = sqlite3_bind_int64(del, 1, sqlite3_column_int64(each, 0));
		if (rc == SQLITE_OK)
			rc = sqlite3_step(del) == SQLITE_DONE ? sqlite3_reset(del)
			                                      : sqlite3_errcode(s->db);
		n++;
	}
	sqlite3_finalize(each);
	sqlite3_finalize(del);
	r = rc == SQLITE_OK || rc == SQLITE_DONE
	            ? nf_store_exec(s->db, "COMMIT", "the index of runs", err)
	            : nf_store_failed(s->db, rc, "the index of runs", err);
	if (r < 0) {
		(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		return r;
	}
	*ret_n = n;
	return 0;
}
