/* SPDX-License-Identifier: MIT */
/* The index of runs: what goes in comes out, in order; several writers; damage and other versions. */
#include "store/store.h"

#include <sqlite3.h>
#include <sys/wait.h>

#include "nf_scratch.h"

static char dir[256];

static int make(void **state)
{
	(void)state;
	nf_scratch_make(dir, sizeof(dir));
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	nf_scratch_remove(dir);
	return 0;
}

static struct nf_store *open_index(char note[NF_STORE_NOTE_BYTES])
{
	struct nf_store *s = NULL;
	struct nf_err e = { 0 };

	if (nf_store_open(dir, &s, note, &e) != 0)
		fail_msg("%s", e.msg);
	return s;
}

static void add(struct nf_store *s, const char *folder, const char *utc, const char *host,
                double value)
{
	const struct nf_store_value v[] = { { "a.first", value }, { "b.second", -value } };
	struct nf_err e = { 0 };

	if (nf_store_add(s,
	                 &(struct nf_store_run){ .folder = folder,
	                                         .digest = "d1",
	                                         .schema = "WindowRun/1",
	                                         .started_utc = utc,
	                                         .host = host,
	                                         .machine = "m",
	                                         .tag = "t",
	                                         .value = v,
	                                         .n_values = 2 },
	                 &e) != 0)
		fail_msg("%s", e.msg);
}

struct seen {
	char text[512];
	size_t n;
};

static int see(void *ctx, const struct nf_store_run *run)
{
	struct seen *s = ctx;
	size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%s=%g ", run->folder, run->value->value);
	s->n++;
	return 0;
}

static int count(void *ctx, const struct nf_store_run *run)
{
	(void)run;
	((struct seen *)ctx)->n++;
	return 0;
}

static struct seen series(struct nf_store *s, const char *metric, struct nf_store_filter f,
                          nf_store_point_fn *fn)
{
	struct seen seen = { 0 };
	struct nf_err e = { 0 };

	if (nf_store_series(s, metric, &f, fn, &seen, &e) != 0)
		fail_msg("%s", e.msg);
	return seen;
}

static void runs_come_out_in_order_of_time_and_by_filter(void **state)
{
	char note[NF_STORE_NOTE_BYTES];
	struct nf_store *s = open_index(note);
	struct nf_err e = { 0 };
	bool has = false;

	(void)state;
	assert_string_equal(note, "");
	add(s, "r2", "2026-01-02T00:00:00Z", "h1", 2);
	add(s, "r1", "2026-01-01T00:00:00Z", "h1", 1);
	add(s, "r3", "2026-01-03T00:00:00Z", "h2", 3);
	assert_string_equal(
	        series(s, "a.first", (struct nf_store_filter){ .host = "h1" }, see).text,
	        "r1=1 r2=2 ");
	assert_string_equal(
	        series(s, "b.second", (struct nf_store_filter){ .host = "h2" }, see).text,
	        "r3=-3 ");
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ .host = "m" }, see).n, 3);
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ .tag = "no" }, see).n, 0);
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ .lane = "rt" }, see).n, 0);
	assert_int_equal(series(s, "none", (struct nf_store_filter){ 0 }, see).n, 0);
	assert_int_equal(nf_store_has(s, "r1", "d1", &has, &e), 0);
	assert_true(has);
	assert_int_equal(nf_store_has(s, "r1", "d2", &has, &e), 0);
	assert_false(has);
	nf_store_close(s);
	s = open_index(note);
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, see).n, 3);
	nf_store_close(s);
}

static void a_run_that_is_added_again_is_replaced_with_its_values(void **state)
{
	char note[NF_STORE_NOTE_BYTES];
	struct nf_store *s = open_index(note);

	(void)state;
	add(s, "r", "2026-01-01T00:00:00Z", "h", 1);
	add(s, "r", "2026-01-01T00:00:00Z", "h", 5);
	assert_string_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, see).text, "r=5 ");
	nf_store_close(s);
}

static int list(void *ctx, const char *metric, size_t n)
{
	struct seen *s = ctx;
	size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%s=%zu ", metric, n);
	return 0;
}

static bool is_first(void *ctx, const char *folder)
{
	(void)ctx;
	return strcmp(folder, "r1") == 0;
}

static void metrics_are_listed_and_runs_that_are_gone_are_removed(void **state)
{
	char note[NF_STORE_NOTE_BYTES];
	struct nf_store *s = open_index(note);
	struct nf_err e = { 0 };
	struct seen seen = { 0 };
	size_t n = 0;

	(void)state;
	add(s, "r1", "2026-01-01T00:00:00Z", "h", 1);
	add(s, "r2", "2026-01-02T00:00:00Z", "h", 2);
	assert_int_equal(nf_store_metrics(s, &(struct nf_store_filter){ 0 }, list, &seen, &e), 0);
	assert_string_equal(seen.text, "a.first=2 b.second=2 ");
	assert_int_equal(nf_store_prune(s, is_first, NULL, &n, &e), 0);
	assert_int_equal(n, 1);
	assert_string_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, see).text, "r2=2 ");
	assert_string_equal(series(s, "b.second", (struct nf_store_filter){ 0 }, see).text,
	                    "r2=-2 ");
	nf_store_close(s);
}

static int stop_at_once(void *ctx, const struct nf_store_run *run)
{
	(void)ctx;
	(void)run;
	return 7;
}

static void a_caller_may_stop(void **state)
{
	char note[NF_STORE_NOTE_BYTES];
	struct nf_store *s = open_index(note);
	struct nf_err e = { 0 };

	(void)state;
	add(s, "r1", "2026-01-01T00:00:00Z", "h", 1);
	assert_int_equal(nf_store_series(s, "a.first", &(struct nf_store_filter){ 0 }, stop_at_once,
	                                 NULL, &e),
	                 7);
	nf_store_close(s);
}

enum { WRITERS = 4, EACH = 25 };

static void several_processes_adding_at_once_lose_nothing(void **state)
{
	pid_t pid[WRITERS];
	char note[NF_STORE_NOTE_BYTES];

	(void)state;
	for (int w = 0; w < WRITERS; w++) {
		pid[w] = fork();
		assert_true(pid[w] >= 0);
		if (pid[w] == 0) {
			struct nf_store *s = NULL;
			struct nf_err e;
			int bad = nf_store_open(dir, &s, note, &e) != 0;

			for (int i = 0; !bad && i < EACH; i++) {
				const struct nf_store_value v = { "a.first", i };
				char folder[32];

				snprintf(folder, sizeof(folder), "w%d-%d", w, i);
				bad = nf_store_add(s,
				                   &(struct nf_store_run){ .folder = folder,
				                                           .digest = "d",
				                                           .schema = "s",
				                                           .value = &v,
				                                           .n_values = 1 },
				                   &e) != 0;
			}
			nf_store_close(s);
			_exit(bad);
		}
	}
	for (int w = 0; w < WRITERS; w++) {
		int status;

		assert_int_equal(waitpid(pid[w], &status, 0), pid[w]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	struct nf_store *s = open_index(note);
	assert_string_equal(note, "");
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, count).n,
	                 WRITERS * EACH);
	nf_store_close(s);
}

static size_t entries(const char *with)
{
	size_t n = 0;
	struct dirent *e;
	DIR *d = opendir(dir);

	assert_non_null(d);
	while ((e = readdir(d)))
		n += strstr(e->d_name, with) != NULL;
	closedir(d);
	return n;
}

static void a_damaged_index_is_set_aside_and_begun_anew(void **state)
{
	char path[512], note[NF_STORE_NOTE_BYTES];

	(void)state;
	snprintf(path, sizeof(path), "%s/%s", dir, NF_STORE_NAME);
	nf_scratch_write(path,
	                 "this is no database at all, but long enough to have a header of 100 "
	                 "bytes as one would, and then some");
	struct nf_store *s = open_index(note);
	assert_non_null(strstr(note, "set aside"));
	add(s, "r1", "2026-01-01T00:00:00Z", "h", 1);
	nf_store_close(s);
	assert_int_equal(entries("damaged-"), 1);
	s = open_index(note);
	assert_string_equal(note, "");
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, see).n, 1);
	nf_store_close(s);
}

static void what_is_no_file_in_its_place_is_set_aside_too(void **state)
{
	char path[512], note[NF_STORE_NOTE_BYTES];

	(void)state;
	snprintf(path, sizeof(path), "%s/%s", dir, NF_STORE_NAME);
	for (int kind = 0; kind < 3; kind++) {
		assert_int_equal(kind == 0   ? mkfifo(path, 0600)
		                 : kind == 1 ? mkdir(path, 0700)
		                             : symlink("nowhere", path),
		                 0);
		struct nf_store *s = open_index(note);
		assert_non_null(strstr(note, "set aside"));
		nf_store_close(s);
		assert_int_equal(unlink(path), 0); /* a file of ours */
		assert_int_equal(entries("damaged-"), 1);
		/* The next gets the same name within a second. */
		const char *aside = strstr(note, "aside as ") + 9;
		char name[512];
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(aside, " "), aside);
		assert_int_equal(remove(name), 0);
	}
}

static void a_page_that_is_overwritten_is_damage_too(void **state)
{
	char path[512], note[NF_STORE_NOTE_BYTES], zero[4096];
	struct nf_store *s = open_index(note);

	(void)state;
	for (int i = 0; i < 50; i++) {
		char folder[32];

		snprintf(folder, sizeof(folder), "r%d", i);
		add(s, folder, "2026-01-01T00:00:00Z", "h", i);
	}
	nf_store_close(s);
	snprintf(path, sizeof(path), "%s/%s", dir, NF_STORE_NAME);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	memset(zero, 0xff, sizeof(zero));
	assert_int_equal(pwrite(fd, zero, sizeof(zero), 4096), sizeof(zero));
	close(fd);
	s = open_index(note);
	assert_non_null(strstr(note, "set aside"));
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, see).n, 0);
	nf_store_close(s);
}

static void set_version(int version)
{
	char path[512], sql[64];
	sqlite3 *db = NULL;

	snprintf(path, sizeof(path), "%s/%s", dir, NF_STORE_NAME);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", version);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void a_later_version_is_refused_and_kept(void **state)
{
	char note[NF_STORE_NOTE_BYTES];
	struct nf_store *s = open_index(note), *refused = NULL;
	struct nf_err e = { 0 };

	(void)state;
	add(s, "r1", "2026-01-01T00:00:00Z", "h", 1);
	nf_store_close(s);
	set_version(NF_STORE_VERSION + 1);
	assert_int_equal(nf_store_open(dir, &refused, note, &e), -NF_EUNSUPPORTED);
	assert_null(refused);
	assert_int_equal(entries("damaged-"), 0);
	set_version(NF_STORE_VERSION);
	s = open_index(note);
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, see).n, 1);
	nf_store_close(s);
}

static void an_earlier_version_is_begun_anew(void **state)
{
	char note[NF_STORE_NOTE_BYTES];
	struct nf_store *s = open_index(note);

	(void)state;
	add(s, "r1", "2026-01-01T00:00:00Z", "h", 1);
	nf_store_close(s);
	set_version(0);
	s = open_index(note);
	assert_int_equal(series(s, "a.first", (struct nf_store_filter){ 0 }, see).n, 0);
	nf_store_close(s);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make, unmake)
static const struct CMUnitTest tests[] = {
	CASE(runs_come_out_in_order_of_time_and_by_filter),
	CASE(a_run_that_is_added_again_is_replaced_with_its_values),
	CASE(metrics_are_listed_and_runs_that_are_gone_are_removed),
	CASE(a_caller_may_stop),
	CASE(several_processes_adding_at_once_lose_nothing),
	CASE(a_damaged_index_is_set_aside_and_begun_anew),
	CASE(what_is_no_file_in_its_place_is_set_aside_too),
	CASE(a_page_that_is_overwritten_is_damage_too),
	CASE(a_later_version_is_refused_and_kept),
	CASE(an_earlier_version_is_begun_anew),
};
NF_UNIT_MAIN(tests)
