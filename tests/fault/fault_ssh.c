/* SPDX-License-Identifier: MIT */
/* Running ssh-keygen (here another program in its place) and opening a run for it, each call failing in turn. */
#include "cli/evidence_ssh.h"

#include <sys/wait.h>

#include "fault.h"
#include "nf_scratch.h"
#include "record/runfolder.h"

enum { UNTOUCHED = -7 };

struct running {
	int in;
	int status;
	struct nf_buf out;
	struct nf_buf messages;
};

static void prepare(void *ctx)
{
	struct running *r = ctx;

	r->status = UNTOUCHED;
	nf_buf_init(&r->out, NF_SSH_TEXT_BYTES);
	nf_buf_init(&r->messages, NF_SSH_TEXT_BYTES);
}

static int run(void *ctx, struct nf_err *err)
{
	static const char *const argv[] = { "sh", "-c", "cat; echo no >&2; exit 3", NULL };
	struct running *r = ctx;

	return nf_ssh_keygen(argv, r->in, &r->status, &r->out, &r->messages, err);
}

static void finish(void *ctx, int rc)
{
	struct running *r = ctx;

	assert_int_equal(r->status, rc < 0 ? UNTOUCHED : 3);
	if (rc == 0)
		assert_string_equal(r->messages.data, "no\n");
	nf_buf_fini(&r->out);
	nf_buf_fini(&r->messages);
	while (waitpid(-1, NULL, 0) > 0) /* where waiting for it was what failed */
		;
}

static void a_program_runs_or_says_why_not(void **state)
{
	struct running r = { .in = open("/dev/null", O_RDONLY | O_CLOEXEC) };
	struct fault_subject s = {
		.prepare = prepare, .run = run, .finish = finish, .tolerates = "close"
	};

	(void)state;
	assert_true(r.in >= 0);
	fault_every(&s, &r);
	fault_survives(&s, &r);
	close(r.in);
}

struct opening {
	char top[256];
	char run[4096];
	int folder;
	int manifest;
	char why[240];
};

static int open_run(void *ctx, struct nf_err *err)
{
	struct opening *o = ctx;

	o->folder = o->manifest = UNTOUCHED;
	return nf_ssh_open_run(o->run, &o->folder, &o->manifest, o->why, err);
}

static void close_run(void *ctx, int rc)
{
	struct opening *o = ctx;

	assert_int_equal(o->folder == UNTOUCHED, rc < 0);
	assert_int_equal(o->manifest == UNTOUCHED, rc < 0);
	if (rc == 0) {
		close(o->folder);
		close(o->manifest);
	}
}

static void a_run_is_opened_or_nothing_stays_open(void **state)
{
	static const struct nf_instant when = { .ns = 1767323045000000000 };
	struct nf_runfolder *r = NULL;
	struct opening o;

	(void)state;
	nf_scratch_make(o.top, sizeof(o.top));
	assert_int_equal(nf_runfolder_create(o.top, when, "h", "t", -1, -1, 0, &r, NULL), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/a.txt", "a", 1, NULL), 0);
	assert_int_equal(nf_runfolder_commit(r, NULL), 0);
	snprintf(o.run, sizeof(o.run), "%s", nf_runfolder_path(r));
	nf_runfolder_free(r);
	fault_every(&(struct fault_subject){ .run = open_run,
	                                     .finish = close_run,
	                                     .tolerates = "close" },
	            &o);
	nf_scratch_remove(o.top);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_program_runs_or_says_why_not),
	cmocka_unit_test(a_run_is_opened_or_nothing_stays_open),
};
NF_UNIT_MAIN(tests)
