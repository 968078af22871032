/* SPDX-License-Identifier: MIT */
/* What a check finds: everything that a kill, a bad disk or an edit can do to a run folder. */
#include "nf_unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "record/check.h"
#include "record/rec_baseline.h"
#include "record/rec_hostprobe.h"
#include "record/rec_window.h"
#include "record/runfolder.h"
#include "record/write.h"
#include "record_samples.h"
#include "samples/samplefile.h"

static char top[64];
static const struct nf_instant when = { INT64_C(1767323045000000000) };

static int make_top(void **state)
{
	(void)state;
	strcpy(top, "/tmp/nf-check-XXXXXX");
	return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return system(command);
}

/* What the callback was told. */
struct found {
	size_t n;
	char item[32][160];
	enum nf_check_state state[32];
	char why[32][256];
};

static void note(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	struct found *f = ctx;

	assert_true(f->n < 32);
	snprintf(f->item[f->n], sizeof(f->item[0]), "%s", item);
	snprintf(f->why[f->n], sizeof(f->why[0]), "%s", why);
	f->state[f->n++] = state;
	assert_true(state == NF_CHECK_COMPLETE || why[0] != '\0');
}

static void assert_found(const struct found *f, const char *item, enum nf_check_state state,
                         const char *why)
{
	for (size_t i = 0; i < f->n; i++) {
		if (strcmp(f->item[i], item) != 0)
			continue;
		if (f->state[i] != state || !strstr(f->why[i], why))
			fail_msg("%s is %s: '%s'", item, nf_check_name(f->state[i]), f->why[i]);
		return;
	}
	fail_msg("nothing was said of %s", item);
}

static enum nf_check_state check(const char *path, struct found *f)
{
	enum nf_check_state state;
	struct nf_err err;

	memset(f, 0, sizeof(*f));
	if (nf_runfolder_check(path, note, f, &state, &err) != 0)
		fail_msg("%s", err.msg);
	assert_string_equal(f->item[f->n - 1], path);
	assert_int_equal(f->state[f->n - 1], state);
	for (size_t i = 0; i < f->n; i++)
		assert_true(f->state[i] <= state);
	return state;
}

static void put_samples(const struct nf_runfolder *r, bool finished)
{
	struct nf_samplefile_writer *w;
	struct nf_stream s;
	int64_t values[1000];
	int fd = nf_runfolder_samples_fd(r);

	for (int i = 0; i < 1000; i++)
		values[i] = i * 1000003LL;
	assert_int_equal(nf_stream_init(&s, "fwq.cpu0", 1000, NULL), 0);
	strcpy(s.clock, "tsc");
	s.unit = NF_UNIT_TICK;
	s.tick_hz = 1e9;
	for (int i = 0; i < 1000; i++)
		nf_stream_put(&s, values[i]);
	assert_int_equal(nf_samplefile_create(fd, "fwq.nfsamples", &s, 1, &w, NULL), 0);
	assert_int_equal(nf_samplefile_append(w, 0, values, 500, NULL), 0);
	assert_int_equal(nf_samplefile_append(w, 0, values + 500, 500, NULL), 0);
	if (finished)
		assert_int_equal(nf_samplefile_finish(w, &s, NULL), 0);
	else
		nf_samplefile_abandon(w);
	nf_stream_fini(&s);
}

/* A NoiseRun of the samples above. sha256 NULL: the right one. */
static void put_record(struct nf_runfolder *r, int state, const char *sha256, const char *file)
{
	struct nf_arena a;
	struct nf_err err;
	struct nf_buf json;
	char hex[65];

	nf_arena_init(&a, 1 << 24);
	nf_buf_init(&json, 1 << 24);
	struct nf_rec_noise_run *run = record_sample(&nf_rec_noise_run_type, &a, NF_SAMPLE_EMPTY);
	assert_non_null(run);
	assert_int_equal(nf_runfolder_digest(r, "samples/fwq.nfsamples", hex, NULL), 0);
	struct nf_rec_stream_ref ref = { .file = file,
		                         .stream = "fwq.cpu0",
		                         .count = 1000,
		                         .sha256 = sha256 ? sha256 : hex,
		                         .clock = "tsc",
		                         .tick_hz = nf_some_real(1e9) };
	run->facts.streams = (struct nf_list){ &ref, 1 };
	run->head.state = state;
	run->head.reason = "SIGINT";
	if (nf_record_to_json(&nf_rec_noise_run_type, run, &json, NULL, &err) != 0)
		fail_msg("%s", err.msg);
	assert_int_equal(nf_runfolder_put(r, "record.json", json.data, json.len_bytes, NULL), 0);
	nf_buf_fini(&json);
	nf_arena_fini(&a);
}

static struct nf_runfolder *create(void)
{
	struct nf_runfolder *r = NULL;
	struct nf_err err;

	if (nf_runfolder_create(top, when, "h", "t", -1, -1, 0, &r, &err) != 0)
		fail_msg("%s", err.msg);
	assert_int_equal(nf_runfolder_put(r, "captures/cmdline.txt", "ro quiet\n", 9, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "derived/summary.txt", "old", 3, &err), 0);
	return r;
}

static struct nf_runfolder *committed(void)
{
	struct nf_runfolder *r = create();

	put_samples(r, true);
	put_record(r, NF_STATE_COMPLETE, NULL, "samples/fwq.nfsamples");
	assert_int_equal(nf_runfolder_commit(r, NULL), 0);
	return r;
}

static void in_folder(const struct nf_runfolder *r, const char *command)
{
	char line[1024];

	snprintf(line, sizeof(line), "cd '%s' && %s", nf_runfolder_path(r), command);
	assert_int_equal(system(line), 0);
}

static void a_committed_run_is_complete(void **state)
{
	struct found f;

	(void)state;
	struct nf_runfolder *r = committed();
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_COMPLETE);
	assert_int_equal(f.n, 5);
	assert_string_equal(f.item[0], "MANIFEST");
	assert_found(&f, "samples/fwq.nfsamples", NF_CHECK_COMPLETE, "");
	/* derived/ is made from the rest: it may change, grow and go. */
	in_folder(r, "echo new >derived/summary.txt; touch derived/report.html");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_COMPLETE);
	in_folder(r, "rm -r derived");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_COMPLETE);
	nf_runfolder_free(r);
}

static void any_changed_byte_is_damage(void **state)
{
	static const char *const files[] = { "record.json", "captures/cmdline.txt",
		                             "samples/fwq.nfsamples" };
	struct found f;
	char path[512];

	(void)state;
	struct nf_runfolder *r = committed();
	for (size_t i = 0; i < 3; i++) {
		unsigned char byte, other;
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", nf_runfolder_path(r), files[i]);
		int fd = open(path, O_RDWR);
		assert_true(fd >= 0);
		assert_int_equal(fstat(fd, &st), 0);
		off_t step = st.st_size / 7 + 1;
		for (off_t at = 0; at < st.st_size; at += step) {
			assert_int_equal(pread(fd, &byte, 1, at), 1);
			other = byte ^ 1;
			assert_int_equal(pwrite(fd, &other, 1, at), 1);
			assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
			assert_found(&f, files[i], NF_CHECK_DAMAGED, "digest");
			assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		}
		close(fd);
		assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_COMPLETE);
	}
	nf_runfolder_free(r);
}

static void missing_and_unlisted_files_are_damage(void **state)
{
	struct found f;

	(void)state;
	struct nf_runfolder *r = committed();
	in_folder(r, "mv captures/cmdline.txt derived/");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	assert_found(&f, "captures/cmdline.txt", NF_CHECK_DAMAGED, "missing");
	in_folder(r, "mv derived/cmdline.txt captures/ && echo x >captures/extra.txt");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	assert_found(&f, "captures/extra.txt", NF_CHECK_DAMAGED, "not listed");
	assert_found(&f, "captures/cmdline.txt", NF_CHECK_COMPLETE, "");
	in_folder(r, "rm captures/extra.txt && ln -s cmdline.txt captures/link");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	assert_found(&f, "captures/link", NF_CHECK_DAMAGED, "no plain file");
	/* A link to a file of the right content is no copy of it. */
	in_folder(r, "rm captures/link && mv captures/cmdline.txt derived/ &&"
	             " ln -s ../derived/cmdline.txt captures/cmdline.txt");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	assert_found(&f, "captures/cmdline.txt", NF_CHECK_DAMAGED, "no plain file");
	nf_runfolder_free(r);
}

static void a_manifest_that_is_wrong_is_damage(void **state)
{
	static const char *const edits[][2] = {
		{ "printf '%064d  ../../etc/passwd\\n' 0 >>MANIFEST", "line 4" },
		{ "printf '%064d  /etc/passwd\\n' 0 >>MANIFEST", "line 4" },
		{ "printf '%064d  a/../record.json\\n' 0 >>MANIFEST", "line 4" },
		{ "printf '%063d  x\\n' 0 >>MANIFEST", "line 4" },
		{ "printf '\\n' >>MANIFEST", "line 4" },
		{ "sed -i 's/^./Z/;1!b' MANIFEST", "line 1" },
		{ "tail -n1 MANIFEST >t && cat t >>MANIFEST && rm t", "twice" },
		{ "truncate -s -1 MANIFEST", "cut" },
		{ ": >MANIFEST", "empty" },
		{ "sed -i '/record.json/d' MANIFEST && rm record.json", "no record.json" },
	};
	struct found f;

	(void)state;
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		struct nf_runfolder *r = committed();

		in_folder(r, edits[i][0]);
		assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
		assert_found(&f, "MANIFEST", NF_CHECK_DAMAGED, edits[i][1]);
		nf_runfolder_free(r);
	}
}

static void a_run_that_was_killed_is_partial(void **state)
{
	struct found f;

	(void)state;
	struct nf_runfolder *r = create();
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_PARTIAL);
	assert_found(&f, nf_runfolder_path(r), NF_CHECK_PARTIAL, "no MANIFEST");
	put_samples(r, false);
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_PARTIAL);
	assert_found(&f, "samples/fwq.nfsamples", NF_CHECK_PARTIAL, "closing chunk");
	in_folder(r, "echo '{' >.record.json.1.0.tmp");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_PARTIAL);
	assert_found(&f, ".record.json.1.0.tmp", NF_CHECK_PARTIAL, "being written");
	nf_runfolder_free(r);
}

/* Whatever the length at which the writer was killed. */
static void a_sample_file_cut_anywhere_is_partial(void **state)
{
	struct found f;
	char path[512];
	struct stat st;

	(void)state;
	struct nf_runfolder *r = create();
	put_samples(r, true);
	snprintf(path, sizeof(path), "%s/samples/fwq.nfsamples", nf_runfolder_path(r));
	assert_int_equal(stat(path, &st), 0);
	for (off_t n = st.st_size - 1; n >= 0; n = n > 400 ? n - 97 : n - 1) {
		assert_int_equal(truncate(path, n), 0);
		if (check(nf_runfolder_path(r), &f) != NF_CHECK_PARTIAL)
			fail_msg("cut to %lld bytes it is not partial", (long long)n);
		assert_found(&f, "samples/fwq.nfsamples", NF_CHECK_PARTIAL, "");
	}
	nf_runfolder_free(r);
}

static void a_bad_chunk_is_damage_without_a_manifest_too(void **state)
{
	struct found f;

	(void)state;
	struct nf_runfolder *r = create();
	put_samples(r, true);
	in_folder(r, "printf '\\001' | dd of=samples/fwq.nfsamples bs=1 seek=1200 conv=notrunc "
	             "status=none");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	assert_found(&f, "samples/fwq.nfsamples", NF_CHECK_DAMAGED, "byte");
	in_folder(r,
	          "printf 'X' | dd of=samples/fwq.nfsamples bs=1 seek=0 conv=notrunc status=none");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	nf_runfolder_free(r);
}

static void a_record_that_says_partial_is_partial(void **state)
{
	struct found f;

	(void)state;
	struct nf_runfolder *r = create();
	put_samples(r, true);
	put_record(r, NF_STATE_PARTIAL, NULL, "samples/fwq.nfsamples");
	assert_int_equal(nf_runfolder_commit(r, NULL), 0);
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_PARTIAL);
	assert_found(&f, "record.json", NF_CHECK_PARTIAL, "stopped early: SIGINT");
	nf_runfolder_free(r);
}

static void a_record_of_other_samples_is_damage(void **state)
{
	static const char other[] =
	        "0000000000000000000000000000000000000000000000000000000000000000";
	struct found f;

	(void)state;
	struct nf_runfolder *r = create();
	put_samples(r, true);
	put_record(r, NF_STATE_COMPLETE, other, "samples/fwq.nfsamples");
	assert_int_equal(nf_runfolder_commit(r, NULL), 0);
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	assert_found(&f, "record.json", NF_CHECK_DAMAGED, "another samples/fwq.nfsamples");
	nf_runfolder_free(r);
	r = create();
	put_samples(r, true);
	put_record(r, NF_STATE_COMPLETE, NULL, "samples/gone.nfsamples");
	assert_int_equal(nf_runfolder_commit(r, NULL), 0);
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_DAMAGED);
	assert_found(&f, "record.json", NF_CHECK_DAMAGED,
	             "samples/gone.nfsamples, which is not there");
	nf_runfolder_free(r);
}

/* The JSON form of a full sample of every type passes; with one key renamed or one value of another kind it
 * does not. */
static void a_record_is_held_to_its_rows(void **state)
{
	struct nf_arena a;
	struct nf_buf json;
	struct nf_err err;

	(void)state;
	nf_arena_init(&a, 1 << 26);
	nf_buf_init(&json, 1 << 24);
	for (size_t i = 0; nf_record_types[i]; i++) {
		const struct nf_type *t = nf_record_types[i];

		if (!nf_record_schema(t) || t == &nf_rec_bench_baseline_type)
			continue; /* a baseline's values are not arbitrary: test_bench_judge */
		for (uint64_t variant = 0; variant < 6; variant++) {
			struct nf_checked c = { .path = "record.json" };
			const void *v = record_sample(t, &a, variant);

			nf_buf_clear(&json);
			assert_int_equal(nf_record_to_json(t, v, &json, NULL, &err), 0);
			assert_int_equal(nf_check_record(json.data, json.len_bytes, &c, NULL, &err),
			                 0);
			if (c.state == NF_CHECK_DAMAGED)
				fail_msg("%s: %s", t->name, c.why);
			char *key = strstr(json.data, "\"tool_version\": ");
			assert_non_null(key);
			key[1] = 'T';
			assert_int_equal(nf_check_record(json.data, json.len_bytes, &c, NULL, &err),
			                 0);
			assert_int_equal(c.state, NF_CHECK_DAMAGED);
			assert_non_null(strstr(c.why, "tool_version: is missing"));
			c = (struct nf_checked){ .path = "record.json" };
			key[1] = 't';
			key = strstr(json.data, "\"replaced_text\": ");
			key[17] = '-';
			assert_int_equal(nf_check_record(json.data, json.len_bytes, &c, NULL, &err),
			                 0);
			assert_int_equal(c.state, NF_CHECK_DAMAGED);
		}
	}
	nf_buf_fini(&json);
	nf_arena_fini(&a);
}

static void a_published_record_is_known_by_its_fields(void **state)
{
	struct nf_checked c = { .path = "sample-01.json" };
	struct nf_arena a;
	struct nf_buf json;
	struct nf_err err;

	(void)state;
	nf_arena_init(&a, 1 << 20);
	nf_buf_init(&json, 1 << 20);
	const void *v = record_sample(&nf_rec_host_probe_run_type, &a, NF_SAMPLE_FULL);
	assert_int_equal(nf_record_to_json(&nf_rec_host_probe_run_type, v, &json, NULL, &err), 0);
	assert_int_equal(nf_check_record(json.data, json.len_bytes, &c, NULL, &err), 0);
	assert_int_equal(c.state, NF_CHECK_COMPLETE);
	*strstr(json.data, "coresPerLocale") = 'C';
	assert_int_equal(nf_check_record(json.data, json.len_bytes, &c, NULL, &err), -NF_EDATA);
	nf_buf_fini(&json);
	nf_arena_fini(&a);
}

static int check_text(const char *text, struct nf_checked *c, struct nf_err *err)
{
	static const struct nf_checklist none = { .n = 0 };

	*c = (struct nf_checked){ .path = "record.json" };
	return nf_check_record(text, strlen(text), c, &none, err);
}

static void json_that_is_no_record_is_told_apart(void **state)
{
	static const char *const broken[] = {
		"",
		"{",
		"{\"schema\": 1}",
		"[]",
		"null",
		"{}",
		"{\"schema\": \"WakeRun/1\"}",
		"{\"schema\": \"WakeRun/1\", \"schema\": \"WakeRun/1\"}",
		"{\"schema\": \"WakeRun/1\", \"head\": []}"
	};
	struct nf_checked c;
	struct nf_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		assert_int_equal(check_text(broken[i], &c, &err), 0);
		if (c.state != NF_CHECK_DAMAGED)
			fail_msg("%s", broken[i]);
	}
	/* A later version is not damage: this program is too old for it. */
	assert_int_equal(check_text("{\"schema\": \"WakeRun/9\"}", &c, &err), 0);
	assert_int_equal(c.state, NF_CHECK_UNKNOWN);
	assert_non_null(strstr(c.why, "WakeRun/9"));
}

static void a_later_version_does_not_hide_what_is_wrong_elsewhere(void **state)
{
	struct found f;

	(void)state;
	struct nf_runfolder *r = committed();
	in_folder(r, "sed -i 's,\"NoiseRun/1\",\"NoiseRun/9\",' record.json && echo x >unlisted &&"
	             " sed -i '/record.json/d' MANIFEST && sha256sum record.json >>MANIFEST &&"
	             " LC_ALL=C sort -k 2 -o MANIFEST MANIFEST");
	assert_int_equal(check(nf_runfolder_path(r), &f), NF_CHECK_UNKNOWN);
	assert_found(&f, "record.json", NF_CHECK_UNKNOWN, "NoiseRun/9");
	assert_found(&f, "unlisted", NF_CHECK_DAMAGED, "");
	assert_found(&f, "samples/fwq.nfsamples", NF_CHECK_COMPLETE, "");
	assert_string_equal(nf_check_name(NF_CHECK_UNKNOWN), "unknown");
	nf_runfolder_free(r);
}

/* As large as what is written may be: far beyond 64 MiB. */
static void a_large_record_is_checked(void **state)
{
	enum nf_check_state found_state = NF_CHECK_DAMAGED;
	struct found f = { .n = 0 };
	struct nf_err err;
	char path[512];

	(void)state;
	struct nf_runfolder *r = committed();
	in_folder(r, "{ head -c 70000000 /dev/zero | tr '\\0' ' '; cat record.json; } "
	             ">derived/large.json");
	snprintf(path, sizeof(path), "%s/derived/large.json", nf_runfolder_path(r));
	if (nf_check_file(path, note, &f, &found_state, &err) != 0)
		fail_msg("%s", err.msg);
	assert_int_equal(found_state, NF_CHECK_COMPLETE);
	nf_runfolder_free(r);
}

static void single_files_are_checked_by_themselves(void **state)
{
	enum nf_check_state found_state = NF_CHECK_DAMAGED;
	struct found f = { .n = 0 };
	struct nf_err err;
	char path[512];

	(void)state;
	struct nf_runfolder *r = committed();
	snprintf(path, sizeof(path), "%s/samples/fwq.nfsamples", nf_runfolder_path(r));
	assert_int_equal(nf_check_file(path, note, &f, &found_state, &err), 0);
	assert_int_equal(found_state, NF_CHECK_COMPLETE);
	snprintf(path, sizeof(path), "%s/record.json", nf_runfolder_path(r));
	assert_int_equal(nf_runfolder_check(path, note, &f, &found_state, &err), 0);
	assert_int_equal(found_state, NF_CHECK_COMPLETE);
	assert_int_equal(f.n, 2);
	snprintf(path, sizeof(path), "%s/captures/cmdline.txt", nf_runfolder_path(r));
	found_state = NF_CHECK_PARTIAL;
	assert_int_equal(nf_check_file(path, note, &f, &found_state, &err), -NF_EDATA);
	assert_int_equal(nf_check_file("/nowhere/x.nfsamples", note, &f, &found_state, &err),
	                 -NF_EOS);
	assert_int_equal(nf_runfolder_check("/nowhere", note, &f, &found_state, &err), -NF_EOS);
	snprintf(path, sizeof(path), "%s/captures", nf_runfolder_path(r));
	assert_int_equal(nf_runfolder_check(path, note, &f, &found_state, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "holds no run"));
	assert_int_equal(found_state, NF_CHECK_PARTIAL);
	assert_int_equal(f.n, 2);
	/* A sample file of another version is not damage. */
	in_folder(r, "cp samples/fwq.nfsamples derived/ &&"
	             " printf '\\011' | dd of=derived/fwq.nfsamples bs=1 seek=8 conv=notrunc "
	             "status=none");
	snprintf(path, sizeof(path), "%s/derived/fwq.nfsamples", nf_runfolder_path(r));
	assert_int_equal(nf_check_file(path, note, &f, &found_state, &err), 0);
	assert_int_equal(found_state, NF_CHECK_UNKNOWN);
	nf_runfolder_free(r);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make_top, remove_top)
static const struct CMUnitTest tests[] = {
	CASE(a_committed_run_is_complete),
	CASE(any_changed_byte_is_damage),
	CASE(missing_and_unlisted_files_are_damage),
	CASE(a_manifest_that_is_wrong_is_damage),
	CASE(a_run_that_was_killed_is_partial),
	CASE(a_sample_file_cut_anywhere_is_partial),
	CASE(a_bad_chunk_is_damage_without_a_manifest_too),
	CASE(a_record_that_says_partial_is_partial),
	CASE(a_record_of_other_samples_is_damage),
	CASE(a_record_is_held_to_its_rows),
	CASE(a_published_record_is_known_by_its_fields),
	CASE(json_that_is_no_record_is_told_apart),
	CASE(a_later_version_does_not_hide_what_is_wrong_elsewhere),
	CASE(a_large_record_is_checked),
	CASE(single_files_are_checked_by_themselves),
};
NF_UNIT_MAIN(tests)
