/* SPDX-License-Identifier: MIT */
/* Boots from logs: whatever fails on the way, nothing is left behind and nothing half is handed out. */
#include <fcntl.h>

#include "board/capture.h"
#include "fault.h"
#include "job/lab_phases.h"
#include "nf_scratch.h"

static char folder[128], log_path[192], raw_path[192];

static void write_capture(void)
{
	struct nf_capture_head head = {
		.kind = NF_PORT_PTY, .baud = 115200, .delay_ns = 1000000, .port = "pty"
	};
	static const char text[] = "go\r\nxlogin: ";
	struct nf_capture_read read = {
		.bytes = sizeof(text) - 1, .lo_ns = 1000, .t_ns = 2000, .done_ns = 3000
	};
	struct nf_capture c;
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(nf_capture_create(&c, fd, "boot", &head, NULL), 0);
	assert_int_equal(nf_capture_append(&c, text, &read, NULL), 0);
	assert_int_equal(nf_capture_close(&c, NULL), 0);
	close(fd);
}

static int make_files(void **state)
{
	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	snprintf(log_path, sizeof(log_path), "%s/a_run1.log", folder);
	snprintf(raw_path, sizeof(raw_path), "%s/boot.raw", folder);
	nf_scratch_write(log_path, "0.1\tgo\n0.2\tWith stack:\n0.5\tlogin: v=1 (diff=1 hz=1)\n");
	write_capture();
	return 0;
}

static int remove_files(void **state)
{
	(void)state;
	nf_scratch_remove(folder);
	return 0;
}

static int run_phases(void *ctx, struct nf_err *err)
{
	static char word[] = "noisefloor";
	static char *argv[] = { word, NULL };
	static const struct nf_phase_want phase = { "up", "login:" };
	static const struct nf_value_want value = { "v", "v=(\\d+)", 1 };
	const struct nf_job_opts o = { .argc = 1, .argv = argv };
	const char *const paths[] = { folder };
	const struct nf_lab_opts lab = {
		.path = paths,
		.n_paths = 1,
		.phases = { .t0 = "go",
		            .phase = &phase,
		            .n_phases = 1,
		            .value = &value,
		            .n_values = 1,
		            .section = "go" },
	};

	return nf_job_lab_phases(&o, &lab, ctx, err);
}

static void begin_outcome(void *ctx)
{
	nf_job_outcome_init(ctx);
}

static void end_outcome(void *ctx, int r)
{
	struct nf_job_outcome *o = ctx;

	if (r == 0) {
		assert_non_null(strstr(o->summary.data, "2 boots of 2 configurations"));
		assert_int_equal(o->exit_code, 0);
	}
	nf_job_outcome_fini(o);
}

static void boots_fail_whole(void **state)
{
	struct nf_job_outcome o;
	struct fault_subject s = { .prepare = begin_outcome,
		                   .run = run_phases,
		                   .finish = end_outcome,
		                   .tolerates = "close,pread,pread64" };

	(void)state;
	fault_every(&s, &o);
	fault_survives(&s, &o);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(boots_fail_whole),
};
NF_UNIT_MAIN_WITH(tests, make_files, remove_files)
