/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/backend.h"
#include "bench/interchange.h"
#include "nf_unit.h"

/* To the precision of a conversion of units. */
static void assert_near(double is, double wanted)
{
	assert_true(fabs(is - wanted) <= 1e-12 * fabs(wanted));
}

static char folder[] = "/tmp/nf-report-XXXXXX";

static struct nf_variant says(const char *text)
{
	return (struct nf_variant){ .label = "x",
		                    .backend = NF_BACKEND_REPORT,
		                    .report_form = NF_INTERCHANGE_AUTO,
		                    .shell = text };
}

static struct nf_set ran(const struct nf_variant *v, size_t n)
{
	const struct nf_set_cfg cfg = { .seed = 1, .n_values = n };
	struct nf_set set;
	struct nf_err err = { 0 };

	assert_int_equal(nf_backends[NF_BACKEND_REPORT]->check(v, &err), 0);
	assert_int_equal(nf_backends[NF_BACKEND_REPORT]->run(v, &cfg, &set, &err), 0);
	return set;
}

static void fails(const struct nf_variant *v, const char *why)
{
	struct nf_set s = ran(v, 1);

	assert_true(s.failed);
	if (!strstr(s.why, why))
		fail_msg("'%s' is not in '%s'", why, s.why);
	nf_set_fini(&s);
}

static void every_value_is_kept_in_order(void **state)
{
	struct nf_variant v = says(
	        "for i in 1 2 3; do echo '{\"bench\":\"a\",\"value\":'$i'.5,\"unit\":\"us\"}'; "
	        "echo noise >&2; done");
	struct nf_set s = ran(&v, 2);

	(void)state;
	assert_false(s.failed);
	assert_int_equal(s.n, 6);
	assert_string_equal(s.unit, "ns");
	for (size_t i = 0; i < 6; i++)
		assert_near(s.value[i], 1500 + 1000 * (double)(i % 3));
	assert_null(s.user_ns);
	assert_true(s.wall_ns > 0);
	nf_set_fini(&s);
}

static void unit_that_is_no_time_is_kept(void **state)
{
	struct nf_variant v = says("echo BenchmarkX 10 5 ns/op 7 apples");
	struct nf_set s;

	(void)state;
	v.bench = "BenchmarkX apples";
	s = ran(&v, 1);
	assert_int_equal(s.n, 1);
	assert_string_equal(s.unit, "apples");
	assert_int_equal(s.operations, 10);
	nf_set_fini(&s);
	v = says("n=apples; test -e $NF_DIR/second && n=pears; touch $NF_DIR/second; "
	         "echo '{\"bench\":\"a\",\"value\":1,\"unit\":\"'$n'\"}'");
	static char dir[64];
	const char *const env[] = { dir, NULL };
	snprintf(dir, sizeof(dir), "NF_DIR=%s", folder);
	v.env = env;
	s = ran(&v, 2);
	assert_true(s.failed);
	assert_string_equal(s.why, "values in pears after values in apples");
	nf_set_fini(&s);
}

static void what_cannot_be_used_fails_with_its_line(void **state)
{
	struct nf_variant v;

	(void)state;
	v = says("echo '{\"bench\":\"a\",\"value\":1,\"unit\":\"ns\"}'; echo Killed");
	fails(&v, "output:2: not JSON: 'Killed'");
	v = says("true");
	fails(&v, "output: no result");
	v = says("echo BenchmarkX 10 0 ns/op");
	fails(&v, "BenchmarkX: value 1 is 0; allowed: above 0");
	v = says("echo BenchmarkX 10 3 ns/op 4 B/op");
	fails(&v, "2 results, choose one: BenchmarkX, BenchmarkX B/op");
	v.bench = "BenchmarkY";
	fails(&v, "no value of 'BenchmarkY'; there are: BenchmarkX, BenchmarkX B/op");
	v = says("echo BenchmarkX 10 3 ns/op; exit 4");
	fails(&v, "exit status 4");
	v = says("echo "
	         "'{\"benchmarks\":[{\"name\":\"a\",\"error_occurred\":true,\"error_message\":\"no "
	         "disk\"}]}'");
	fails(&v, "a: no disk");
	/* A form that was named is not guessed. */
	v = says("echo BenchmarkX 10 3 ns/op");
	v.report_form = NF_INTERCHANGE_HYPERFINE;
	fails(&v, "output:1: not JSON");
}

static void more_output_than_there_is_room_for_ends_it(void **state)
{
	struct nf_variant v = says("yes");

	(void)state;
	fails(&v, "said more than 64 MiB");
}

static void preparation_does_not_speak_for_the_command(void **state)
{
	struct nf_variant v = says("echo BenchmarkX 10 3 ns/op");
	struct nf_set s;

	(void)state;
	v.prepare = "echo BenchmarkX 10 100 ns/op";
	v.cleanup = "echo BenchmarkX 10 200 ns/op";
	s = ran(&v, 2);
	assert_false(s.failed);
	assert_int_equal(s.n, 2);
	assert_near(s.value[0], 3);
	assert_near(s.value[1], 3);
	nf_set_fini(&s);
}

static void what_a_descendant_holds_open_is_not_waited_for(void **state)
{
	/* It ends with this test's process, or when a minute is over. */
	char text[200];

	(void)state;
	snprintf(text, sizeof(text),
	         "setsid sh -c 'i=0; while [ -d /proc/%d ] && [ $((i += 1)) -le 600 ]; do sleep "
	         "0.1; done' & "
	         "echo BenchmarkX 10 3 ns/op",
	         (int)getpid());
	struct nf_variant v = says(text);
	struct nf_set s = ran(&v, 1);
	assert_false(s.failed);
	assert_int_equal(s.n, 1);
	assert_true(s.wall_ns < INT64_C(59000000000));
	nf_set_fini(&s);
}

static void file_is_read_once_and_removed(void **state)
{
	char path[100], text[200];
	struct nf_variant v;
	struct nf_set s;
	struct nf_err err = { 0 };

	(void)state;
	snprintf(path, sizeof(path), "%s/report", folder);
	snprintf(text, sizeof(text), "echo chatter; echo BenchmarkX 10 3 ns/op >>%s", path);
	v = says(text);
	v.report_file = path;
	s = ran(&v, 2);
	assert_false(s.failed);
	assert_int_equal(s.n, 2);
	nf_set_fini(&s);
	assert_int_equal(access(path, F_OK), -1);

	v.shell = "true";
	fails(&v, path);
	snprintf(text, sizeof(text), "echo x >%s; exit 1", path);
	v.shell = text;
	fails(&v, "exit status 1");
	assert_int_equal(access(path, F_OK), -1);
	snprintf(text, sizeof(text), "mkfifo %s", path);
	v.shell = text;
	fails(&v, path);

	/* One that is there is somebody's. */
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(nf_backends[NF_BACKEND_REPORT]->check(&v, &err), -NF_EEXIST);
	assert_non_null(strstr(err.msg, path));
	assert_int_equal(rmdir(path), 0);
	v.report_file = "/dev/null/x";
	assert_int_equal(nf_backends[NF_BACKEND_REPORT]->check(&v, &err), -NF_EARG);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[100];

	(void)state;
	snprintf(path, sizeof(path), "%s/second", folder);
	(void)unlink(path);
	return rmdir(folder);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_value_is_kept_in_order),
	cmocka_unit_test(unit_that_is_no_time_is_kept),
	cmocka_unit_test(what_cannot_be_used_fails_with_its_line),
	cmocka_unit_test(more_output_than_there_is_room_for_ends_it),
	cmocka_unit_test(preparation_does_not_speak_for_the_command),
	cmocka_unit_test(what_a_descendant_holds_open_is_not_waited_for),
	cmocka_unit_test(file_is_read_once_and_removed),
};
NF_UNIT_MAIN_WITH(tests, make_folder, remove_folder)
