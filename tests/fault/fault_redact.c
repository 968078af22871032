/* SPDX-License-Identifier: MIT */
/* Checking a run with figures, redacting it, and the forms of its record, with every allocation and system call failing
 * in turn. */
#include <jansson.h>

#include "fault.h"
#include "nf_scratch.h"
#include "noisefloor/summary.h"
#include "record/json_diff.h"
#include "record/json_record.h"
#include "record/rec_noise.h"
#include "record/redact.h"
#include "record/runfolder.h"
#include "record/write.h"
#include "record_samples.h"
#include "samples/samplefile.h"

enum { N = 3000, BYTES = 1 << 24 };
static const struct nf_instant when = { .ns = 1767323045000000000 };

struct redacting {
	char top[256];
	char from[4096];
	char to[4096];
	struct nf_buf json; /* the run's record */
	json_t *root;
};

static void put_samples(const struct nf_runfolder *r, struct nf_stream *s)
{
	struct nf_samplefile_writer *w;

	assert_int_equal(nf_stream_init(s, "fwq.cpu0", N, NULL), 0);
	strcpy(s->clock, "tsc");
	strcpy(s->origin, "at 192.0.2.7");
	s->unit = NF_UNIT_TICK;
	s->tick_hz = 2.5e9;
	for (int i = 0; i < N; i++)
		nf_stream_put(s, 1000 + (i * 7919) % 1009);
	assert_int_equal(
	        nf_samplefile_create(nf_runfolder_samples_fd(r), "fwq.nfsamples", s, 1, &w, NULL),
	        0);
	assert_int_equal(nf_samplefile_append(w, 0, s->value, N, NULL), 0);
	assert_int_equal(nf_samplefile_finish(w, s, NULL), 0);
}

/* A committed NoiseRun of the host node7 with samples, a capture, Dhall and CSV. */
static void make_run(struct redacting *x)
{
	struct nf_rec_noise_worker worker = { .stream = "fwq.cpu0" };
	struct nf_runfolder *r = NULL;
	struct nf_rec_stream_ref ref;
	struct nf_rec_summary summary;
	struct nf_summary sum;
	struct nf_stream s;
	struct nf_arena a;
	struct nf_buf other;
	char hex[65];

	nf_scratch_make(x->top, sizeof(x->top));
	nf_arena_init(&a, BYTES);
	nf_buf_init(&x->json, BYTES);
	nf_buf_init(&other, BYTES);
	assert_int_equal(nf_runfolder_create(x->top, when, "node7", "t", -1, -1, 0, &r, NULL), 0);
	put_samples(r, &s);
	assert_int_equal(nf_runfolder_digest(r, "samples/fwq.nfsamples", hex, NULL), 0);
	assert_int_equal(nf_summarize_i64(s.value, s.n, 1e9 / s.tick_hz, &sum, NULL), 0);
	assert_int_equal(nf_rec_summary_fill(&sum, "ns", &a, &summary, NULL), 0);
	assert_int_equal(nf_rec_stream_fill(&s, "samples/fwq.nfsamples", hex, &a, &ref, NULL), 0);
	struct nf_rec_noise_run *run = record_sample(&nf_rec_noise_run_type, &a, NF_SAMPLE_EMPTY);
	worker.summary = &summary;
	run->body.workers = (struct nf_list){ &worker, 1 };
	run->facts.streams = (struct nf_list){ &ref, 1 };
	run->head.state = NF_STATE_COMPLETE;
	run->head.host.label = "node7";
	assert_int_equal(nf_record_to_json(&nf_rec_noise_run_type, run, &x->json, NULL, NULL), 0);
	assert_int_equal(nf_runfolder_put(r, "record.json", x->json.data, x->json.len_bytes, NULL),
	                 0);
	assert_int_equal(nf_record_to_dhall(&nf_rec_noise_run_type, run, &other, NULL, NULL), 0);
	assert_int_equal(nf_runfolder_put(r, "record.dhall", other.data, other.len_bytes, NULL), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/net_node7.txt", "node7 52:54:00:12:34:56\n",
	                                  24, NULL),
	                 0);
	assert_int_equal(nf_runfolder_commit(r, NULL), 0);
	snprintf(x->from, sizeof(x->from), "%s", nf_runfolder_path(r));
	snprintf(x->to, sizeof(x->to), "%s/copy", x->top);
	x->root = json_loadb(x->json.data, x->json.len_bytes, 0, NULL);
	assert_non_null(x->root);
	nf_runfolder_free(r);
	nf_stream_fini(&s);
	nf_buf_fini(&other);
	nf_arena_fini(&a);
}

static int setup(void **state)
{
	struct redacting *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	make_run(x);
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct redacting *x = *state;

	json_decref(x->root);
	nf_buf_fini(&x->json);
	nf_scratch_remove_at(AT_FDCWD, x->top);
	free(x);
	return 0;
}

static void ignore(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	(void)ctx;
	(void)item;
	if (state != NF_CHECK_COMPLETE)
		fail_msg("%s: %s", item, why);
}

static int run_check(void *ctx, struct nf_err *err)
{
	enum nf_check_state state = NF_CHECK_DAMAGED;
	struct redacting *x = ctx;
	int rc = nf_runfolder_check(x->from, ignore, NULL, &state, err);

	assert_int_equal(state, rc < 0 ? NF_CHECK_DAMAGED : NF_CHECK_COMPLETE);
	return rc;
}

static void a_call_that_fails_is_no_damage_of_the_run(void **state)
{
	fault_every(&(struct fault_subject){ .run = run_check, .tolerates = "close" }, *state);
}

static int run_redact(void *ctx, struct nf_err *err)
{
	static const unsigned char key[NF_REDACT_KEY] = { 7 };
	const struct nf_redact_opts o = { .key = key };
	struct redacting *x = ctx;

	return nf_redact_run(x->from, x->to, &o, err);
}

/* The copy is whole and holds nothing of what was to go, or there is neither it nor a part of it. */
static void finish_redact(void *ctx, int r)
{
	static const char *const files[] = { "record.json", "record.dhall", "MANIFEST",
		                             "samples/fwq.nfsamples" };
	struct redacting *x = ctx;
	struct dirent *e;
	size_t n = 0;

	for (size_t i = 0; r == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
		char path[8192], *text = calloc(1, 1 << 20);

		assert_non_null(text);
		snprintf(path, sizeof(path), "%s/%s", x->to, files[i]);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t len = read(fd, text, 1 << 20);
		assert_true(len > 100);
		assert_null(memmem(text, (size_t)len, "node7", 5));
		assert_null(memmem(text, (size_t)len, "192.0.2.7", 9));
		close(fd);
		free(text);
	}
	if (r == 0)
		nf_scratch_remove_at(AT_FDCWD, x->to);
	DIR *d = opendir(x->top);
	assert_non_null(d);
	while ((e = readdir(d)))
		n++;
	closedir(d);
	assert_int_equal(n, 3); /* ".", "..", the run */
}

static void a_redacted_copy_is_whole_or_not_there(void **state)
{
	/* What removes an unfinished copy is not made to fail. */
	struct fault_subject s = { .run = run_redact,
		                   .finish = finish_redact,
		                   .tolerates = "close",
		                   .only = "calloc,malloc,realloc,strdup,open,open64,"
		                           "mkdir,mkdirat,write,fsync,pread,pread64,"
		                           "rename,renameat,renameat2,lseek,lseek64,"
		                           "syscall,fstat,fstat64" };

	fault_every(&s, *state);
	fault_survives(&s, *state);
}

static int differ(void *ctx, const struct nf_difference *d, struct nf_err *err)
{
	(void)ctx;
	(void)d;
	return nf_fail(err, NF_EDATA, "a record differs from itself");
}

static int run_forms(void *ctx, struct nf_err *err)
{
	struct redacting *x = ctx;
	struct nf_buf csv, json;
	const struct nf_type *t;
	size_t n;
	int rc;

	nf_buf_init(&csv, BYTES);
	nf_buf_init(&json, BYTES);
	rc = nf_json_record_type(x->root, &t, err);
	if (rc == 0)
		rc = nf_json_record_to_csv(t, x->root, &csv, err);
	assert_int_equal(csv.len_bytes == 0, rc < 0);
	if (rc == 0)
		rc = nf_json_record_to_json(t, x->root, &json, err);
	if (rc == 0)
		rc = nf_json_diff(t, x->root, t, x->root, differ, NULL, &n, err);
	nf_buf_fini(&csv);
	nf_buf_fini(&json);
	return rc;
}

static void forms_of_a_record_are_whole_or_not_there(void **state)
{
	fault_every(&(struct fault_subject){ .run = run_forms }, *state);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(a_call_that_fails_is_no_damage_of_the_run, setup, teardown),
	cmocka_unit_test_setup_teardown(a_redacted_copy_is_whole_or_not_there, setup, teardown),
	cmocka_unit_test_setup_teardown(forms_of_a_record_are_whole_or_not_there, setup, teardown),
};
NF_UNIT_MAIN(tests)
