/* SPDX-License-Identifier: MIT */
#include "store/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, BUSY_MS = 20000 };

static const char schema[] =
        "CREATE TABLE run (id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE,"
        " digest TEXT NOT NULL, schema TEXT NOT NULL, started_utc TEXT, tag TEXT, host TEXT,"
        " machine TEXT, lane TEXT, kernel TEXT, boot_id TEXT, state TEXT, result TEXT) STRICT;"
        "CREATE TABLE value (run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
        " metric TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (metric, run))"
        " STRICT, WITHOUT ROWID;"
        "CREATE INDEX value_run ON value(run);";

int nf_store_failed(sqlite3 *db, int rc, const char *what, struct nf_err *err)
{
	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return nf_fail_nomem(err, what, 0);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return nf_fail(err, NF_ETIMEOUT, "%s: other processes have held the index for %d s",
		               what, BUSY_MS / 1000);
	default:
		return nf_fail(err, NF_EOS, "%s: %s", what,
		               db ? sqlite3_errmsg(db) : sqlite3_errstr(rc));
	}
}

int nf_store_exec(sqlite3 *db, const char *sql, const char *what, struct nf_err *err)
{
	int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : nf_store_failed(db, rc, what, err);
}

/* --- opening --- */

static bool is_damage(int rc)
{
	return (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB;
}

/* The first column of the first row, or the SQLite error. */
static int one_int(sqlite3 *db, const char *sql, int *ret)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &st, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		*ret = sqlite3_column_int(st, 0);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(st);
	return rc;
}

/* SQLITE_OK with the version (0: new), or what is wrong with the file. */
static int look(sqlite3 *db, int *ret_version)
{
	sqlite3_stmt *st = NULL;
	int rc = one_int(db, "PRAGMA user_version", ret_version);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &st, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		const unsigned char *text = sqlite3_column_text(st, 0);

		rc = text && strcmp((const char *)text, "ok") == 0 ? SQLITE_OK : SQLITE_CORRUPT;
	}
	sqlite3_finalize(st);
	return rc;
}

static int open_file(const char *path, sqlite3 **ret)
{
	sqlite3 *db = NULL;
	int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_busy_timeout(db, BUSY_MS);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
	*ret = db;
	return rc;
}

/* Makes the tables where there are none, and anew those of an earlier version. One process does it. */
static int settle(sqlite3 *db, struct nf_err *err)
{
	char set[64];
	int version = 0;
	int r = nf_store_exec(db, "BEGIN IMMEDIATE", "the index of runs", err);

	if (r < 0)
		return r;
	int rc = one_int(db, "PRAGMA user_version", &version);
	if (rc != SQLITE_OK)
		r = nf_store_failed(db, rc, "the index of runs", err);
	if (r == 0 && version != NF_STORE_VERSION) {
		snprintf(set, sizeof(set), "PRAGMA user_version = %d", NF_STORE_VERSION);
		r = nf_store_exec(db, "DROP TABLE IF EXISTS value; DROP TABLE IF EXISTS run;",
		                  "an earlier index", err);
		if (r == 0)
			r = nf_store_exec(db, schema, "the index's tables", err);
		if (r == 0)
			r = nf_store_exec(db, set, "the index's version", err);
	}
	if (r == 0)
		r = nf_store_exec(db, "COMMIT", "the index of runs", err);
	if (r < 0)
		(void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

/* Under a name that says when; never over another one. */
static int set_aside(const char *path, char note[NF_STORE_NOTE_BYTES], struct nf_err *err)
{
	static const char *const parts[] = { "", "-wal", "-shm", "-journal" };
	char from[PATH_BYTES], to[PATH_BYTES], aside[PATH_BYTES];
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	int n = snprintf(aside, sizeof(aside), "%s.damaged-%lld-%ld", path, (long long)now.tv_sec,
	                 (long)getpid());
	if (n < 0 || (size_t)n + 16 > sizeof(aside))
		return nf_fail(err, NF_EARG, "%s: the path is too long", path);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		snprintf(from, sizeof(from), "%s%s", path, parts[i]);
		snprintf(to, sizeof(to), "%s%s", aside, parts[i]);
		if (rename(from, to) < 0 && errno != ENOENT)
			return nf_fail_os(err, errno, "%s", from);
	}
	snprintf(note, NF_STORE_NOTE_BYTES,
	         "the index of runs was damaged: set aside as %.200s and made anew", aside);
	return 0;
}

/* A folder, a FIFO or a link in the index's place: none that we made. */
static bool is_no_file(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static bool cannot_be_kept(int rc, const char *dir)
{
	return (rc & 0xff) == SQLITE_READONLY || (rc & 0xff) == SQLITE_PERM ||
	       ((rc & 0xff) == SQLITE_CANTOPEN && access(dir, W_OK) < 0);
}

int nf_store_open(const char *runs_dir, struct nf_store **ret, char note[NF_STORE_NOTE_BYTES],
                  struct nf_err *err)
{
	char path[PATH_BYTES];
	int version = 0;
	int n = snprintf(path, sizeof(path), "%s/%s", runs_dir, NF_STORE_NAME);

	note[0] = '\0';
	if (n < 0 || (size_t)n + 64 > sizeof(path))
		return nf_fail(err, NF_EARG, "%s: the path is too long", runs_dir);
	struct nf_store *s = calloc(1, sizeof(*s));
	if (!s)
		return nf_fail_nomem(err, "the index of runs", sizeof(*s));
	int r = 0;
	int rc = access(runs_dir, W_OK) < 0 ? SQLITE_READONLY
	         : is_no_file(path)         ? SQLITE_NOTADB
	                                    : open_file(path, &s->db);
	if (rc == SQLITE_OK)
		rc = look(s->db, &version);
	if (is_damage(rc)) {
		sqlite3_close(s->db);
		s->db = NULL;
		r = set_aside(path, note, err);
		rc = r < 0 ? SQLITE_OK : open_file(path, &s->db);
	} else if (cannot_be_kept(rc, runs_dir)) {
		sqlite3_close(s->db);
		s->db = NULL;
		rc = open_file(":memory:", &s->db);
		snprintf(note, NF_STORE_NOTE_BYTES,
		         "%.200s cannot be written to: the index of runs is not kept", runs_dir);
	}
	if (r == 0 && rc != SQLITE_OK)
		r = nf_store_failed(s->db, rc, path, err);
	if (r == 0 && version > NF_STORE_VERSION)
		r = nf_fail(err, NF_EUNSUPPORTED,
		            "%s is of version %d, known here: %d; a later noisefloor reads it, or "
		            "remove it: it is made from the run folders",
		            path, version, NF_STORE_VERSION);
	if (r == 0)
		r = settle(s->db, err);
	if (r < 0) {
		nf_store_close(s);
		return r;
	}
	*ret = s;
	return 0;
}

void nf_store_close(struct nf_store *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
	free(s);
}
