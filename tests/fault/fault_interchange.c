/* SPDX-License-Identifier: MIT */
/* Results of other programs read and written, and a command that reports its own, with every allocation and call
 * failing: no half of a result, no memory, file or process left. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/backend.h"
#include "bench/interchange.h"
#include "fault.h"
#include "nf_unit.h"
#include "report/interchange_write.h"

static const char *const texts[NF_N_INTERCHANGE] = {
	[NF_INTERCHANGE_LINES] =
	        "{\"bench\":\"a\",\"value\":1,\"unit\":\"ms\",\"better\":\"larger\"}\n"
	        "{\"bench\":\"b\",\"value\":2,\"unit\":\"ms\"}\n",
	[NF_INTERCHANGE_HYPERFINE] =
	        "{\"results\":[{\"command\":\"a\",\"times\":[1,2],\"exit_codes\":[0,0]}]}",
	[NF_INTERCHANGE_GOOGLE] =
	        "{\"benchmarks\":[{\"name\":\"a\",\"run_type\":\"iteration\",\"iterations\":1,"
	        "\"real_time\":1,\"time_unit\":\"ns\",\"items_per_second\":3},"
	        "{\"name\":\"b\",\"run_type\":\"iteration\",\"error_occurred\":true,"
	        "\"error_message\":\"no\"}]}",
	[NF_INTERCHANGE_GO] = "Unit frames better=higher\nBenchmarkA 1 2 ns/op 60 frames\n",
	[NF_INTERCHANGE_SMALLER] = "[{\"name\":\"a\",\"unit\":\"ms\",\"value\":1}]",
};

struct subject {
	int form;
	struct nf_results results;
	struct nf_buf out;
	struct nf_variant variant;
	struct nf_set set;
};

static int read_form(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	const char *text = texts[s->form];

	return nf_interchange_read(s->form, text, strlen(text), "x", &s->results, NULL, err);
}

static void finish_read(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(s->results.n > 0, r == 0);
	nf_results_fini(&s->results);
}

static void every_form_is_read_or_fails_whole(void **state)
{
	const struct fault_subject f = { .run = read_form, .finish = finish_read };

	(void)state;
	for (int form = 0; form < NF_N_INTERCHANGE; form++) {
		struct subject s = { .form = form };

		fault_every(&f, &s);
	}
}

static void begin_write(void *ctx)
{
	struct subject *s = ctx;

	nf_buf_init(&s->out, 1 << 20);
}

static int write_form(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_interchange_write((enum nf_interchange_id)s->form, &s->results, NULL, &s->out,
	                            err);
}

static void finish_write(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_true(r < 0 || s->out.len_bytes > 10);
	nf_buf_fini(&s->out);
}

static void every_form_is_written_or_fails(void **state)
{
	const struct fault_subject f = { .prepare = begin_write,
		                         .run = write_form,
		                         .finish = finish_write };

	(void)state;
	for (int form = 0; form < NF_N_INTERCHANGE; form++) {
		struct subject s = { .form = form };

		nf_results_init(&s.results);
		for (int i = 0; i < 3; i++) {
			struct nf_result *to;
			struct nf_err err;

			assert_int_equal(nf_results_get(&s.results, "BenchmarkA", "ns", &to, &err),
			                 0);
			assert_int_equal(nf_results_add(&s.results, to, 5 + i, &err), 0);
		}
		fault_every(&f, &s);
		nf_results_fini(&s.results);
	}
}

static int report(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	const struct nf_set_cfg cfg = { .n_values = 2 };

	return nf_backends[NF_BACKEND_REPORT]->run(&s->variant, &cfg, &s->set, err);
}

static void finish_report(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0) {
		assert_null(s->set.value);
		assert_int_equal(s->set.n, 0);
	} else if (!s->set.failed) {
		assert_int_equal(s->set.n, 4);
		assert_true(s->set.larger_is_better);
		assert_string_equal(s->set.unit, "frames");
	}
	nf_set_fini(&s->set);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	if (s->variant.report_file)
		assert_int_equal(access(s->variant.report_file, F_OK), -1);
}

static void a_command_that_reports_is_run_or_fails_whole(void **state)
{
	static const char *const names[] = { NULL, "fault_interchange.report" };
	static const char line[] =
	        "echo '{\"bench\":\"a\",\"value\":1,\"unit\":\"frames\",\"better\":\"larger\"}'";
	const struct fault_subject f = { .run = report,
		                         .finish = finish_report,
		                         .only = "malloc,calloc,realloc,strdup,strndup,pipe2,"
		                                 "posix_spawn" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		char text[400];
		struct subject s = { .variant = { .label = "x",
			                          .backend = NF_BACKEND_REPORT,
			                          .report_form = NF_INTERCHANGE_LINES,
			                          .report_file = names[i] } };

		snprintf(text, sizeof(text), "(%s; %s)%s%s", line, line, i ? " >" : "",
		         i ? names[i] : "");
		s.variant.shell = text;
		fault_every(&f, &s);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_form_is_read_or_fails_whole),
	cmocka_unit_test(every_form_is_written_or_fails),
	cmocka_unit_test(a_command_that_reports_is_run_or_fails_whole),
};

NF_UNIT_MAIN(tests)
