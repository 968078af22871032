/* SPDX-License-Identifier: MIT */
/* Questions to the index. */
#include "store/store_impl.h"

/* Runs that a filter lets through; its parameters are bound by bind_filter(). */
#define FILTER \
	"(?1 IS NULL OR host = ?1 OR machine = ?1) AND (?2 IS NULL OR tag = ?2)" \
	" AND (?3 IS NULL OR lane = ?3)"

static int bind_filter(sqlite3_stmt *st, const struct nf_store_filter *f)
{
	const char *const text[] = { f->host, f->tag, f->lane };
	int rc = SQLITE_OK;

	for (int i = 0; i < 3 && rc == SQLITE_OK; i++)
		rc = sqlite3_bind_text(st, i + 1, text[i], -1, SQLITE_STATIC);
	return rc;
}

static const char *column(sqlite3_stmt *st, int i)
{
	return (const char *)sqlite3_column_text(st, i);
}

int nf_store_has(struct nf_store *s, const char *folder, const char *digest, bool *ret,
                 struct nf_err *err)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(s->db, "SELECT 1 FROM run WHERE folder = ? AND digest = ?", -1,
	                            &st, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(st, 1, folder, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(st, 2, digest, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	sqlite3_finalize(st);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return nf_store_failed(s->db, rc, folder, err);
	*ret = rc == SQLITE_ROW;
	return 0;
}

int nf_store_series(struct nf_store *s, const char *metric, const struct nf_store_filter *filter,
                    nf_store_point_fn *fn, void *ctx, struct nf_err *err)
{
	static const char sql[] =
	        "SELECT folder, digest, schema, started_utc, tag, host, machine, lane, kernel,"
	        " boot_id, state, result, value FROM value JOIN run ON run.id = value.run"
	        " WHERE metric = ?4 AND " FILTER
	        " ORDER BY machine, host, lane, tag, started_utc, folder";
	sqlite3_stmt *st = NULL;
	int r = 0;
	int rc = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);

	if (rc == SQLITE_OK)
		rc = bind_filter(st, filter);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(st, 4, metric, -1, SQLITE_STATIC);
	while (rc == SQLITE_OK && r == 0 && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct nf_store_value value = { metric, sqlite3_column_double(st, 12) };
		struct nf_store_run run = {
			.folder = column(st, 0),
			.digest = column(st, 1),
			.schema = column(st, 2),
			.started_utc = column(st, 3),
			.tag = column(st, 4),
			.host = column(st, 5),
			.machine = column(st, 6),
			.lane = column(st, 7),
			.kernel = column(st, 8),
			.boot_id = column(st, 9),
			.state = column(st, 10),
			.result = column(st, 11),
			.value = &value,
			.n_values = 1,
		};

		rc = SQLITE_OK;
		if (!run.folder || !run.digest || !run.schema)
			r = nf_fail_nomem(err, "a run", 0); /* they are NOT NULL */
		else
			r = fn(ctx, &run);
	}
	if (r == 0 && rc != SQLITE_OK && rc != SQLITE_DONE)
		r = nf_store_failed(s->db, rc, metric, err);
	sqlite3_finalize(st);
	return r;
}

int nf_store_metrics(struct nf_store *s, const struct nf_store_filter *filter,
                     nf_store_metric_fn *fn, void *ctx, struct nf_err *err)
{
	sqlite3_stmt *st = NULL;
	int r = 0;
	int rc = sqlite3_prepare_v2(s->db,
	                            "SELECT metric, count(*) FROM value JOIN run ON run.id ="
	                            " value.run WHERE " FILTER " GROUP BY metric ORDER BY metric",
	                            -1, &st, NULL);

	if (rc == SQLITE_OK)
		rc = bind_filter(st, filter);
	while (rc == SQLITE_OK && r == 0 && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *metric = column(st, 0);

		rc = SQLITE_OK;
		r = metric ? fn(ctx, metric, (size_t)sqlite3_column_int64(st, 1))
		           : nf_fail_nomem(err, "a metric", 0);
	}
	if (r == 0 && rc != SQLITE_OK && rc != SQLITE_DONE)
		r = nf_store_failed(s->db, rc, "the index of runs", err);
	sqlite3_finalize(st);
	return r;
}
