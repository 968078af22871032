/* SPDX-License-Identifier: MIT */
/* The builtin backend, with this program as the benchmark program: its table holds what misbehaves. */
#include "bench/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/child.h"
#include "bench/program.h"
#include "bench/protocol.h"
#include "nf_unit.h"

static const char *self; /* this program */

/* --- benchmarks --- */

static int spin_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	uint64_t x = nf_bench_hide(n);

	(void)state, (void)thread, (void)err;
	for (uint64_t i = 0; i < n; i++)
		x = nf_bench_hide(x * 3 + 1);
	nf_bench_keep(x);
	return 0;
}

static int crash_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state, (void)thread, (void)n, (void)err;
	signal(SIGSEGV, SIG_DFL); /* sanitizers catch it otherwise */
	raise(SIGSEGV);
	return 0;
}

static int exit_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state, (void)thread, (void)n, (void)err;
	_exit(3);
}

static int hang_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state, (void)thread, (void)n, (void)err;
	while (nf_bench_hide(1))
		pause();
	return 0;
}

/* Says what the environment asks for, raw. */
static int lie_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	struct {
		uint8_t head[NF_FRAME_HEAD_BYTES];
		struct nf_bench_values is;
		double ns[3];
	} a = { .is = { 1000, 1, 0, 0, 3 }, .ns = { 1, 2, 3 } };
	const char *how = getenv("LIE");
	size_t bytes = sizeof(a);

	(void)state, (void)thread, (void)n, (void)err;
	if (!how)
		_exit(1);
	if (strcmp(how, "nan") == 0)
		a.ns[1] = (double)NAN;
	if (strcmp(how, "negative") == 0)
		a.ns[2] = -1;
	if (strcmp(how, "few") == 0)
		a.is.n = 2;
	nf_frame_head(NF_FRAME_VALUES, &a.is, sizeof(a) - sizeof(a.head), a.head);
	if (strcmp(how, "damage") == 0)
		a.ns[0] = 7;
	if (strcmp(how, "short") == 0)
		bytes -= 1;
	if (strcmp(how, "noise") == 0)
		memset(&a, 'x', sizeof(a));
	(void)!write(NF_BENCH_FD, &a, bytes);
	if (strcmp(how, "twice") == 0)
		(void)!write(NF_BENCH_FD, &a, bytes);
	while (strcmp(how, "flood") == 0)
		if (write(NF_BENCH_FD, &a, bytes) < 0)
			_exit(1);
	_exit(strcmp(how, "status") == 0 ? 9 : 0);
}

static int fail_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	(void)env, (void)ret;
	return nf_fail(err, NF_EUNSUPPORTED, "no such device: plug one in");
}

static int late_fail_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state;
	if (thread == 1 && n > 100)
		return nf_fail(err, NF_ESUBJECT, "thread 1 has had enough");
	while (thread == 0 && n > 100) /* waits for the other for ever */
		sched_yield();
	return spin_run(NULL, thread, n, err);
}

static int empty_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	(void)state, (void)thread, (void)n, (void)err;
	return 0;
}

/* Leaves a grandchild that holds everything open. */
static int litter_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	const char *to = getenv("LITTER");
	char text[32];

	if (to) {
		pid_t pid = fork();

		if (pid == 0)
			for (;;)
				pause();
		int fd = open(to, O_WRONLY | O_CREAT | O_APPEND, 0600);
		int len = snprintf(text, sizeof(text), "%d\n", (int)pid);
		(void)!write(fd, text, (size_t)len);
		_exit(4);
	}
	return spin_run(state, thread, n, err);
}

/* Fails unless bound to the one CPU that the environment names. */
static int bound_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	const char *cpu = getenv("BOUND_TO");
	cpu_set_t mask;

	if (!cpu || sched_getaffinity(0, sizeof(mask), &mask) < 0 || CPU_COUNT(&mask) != 1 ||
	    !CPU_ISSET((size_t)atoi(cpu), &mask))
		return nf_fail(err, NF_ESUBJECT, "not bound");
	return spin_run(state, thread, n, err);
}

/* What comes in goes out, once. */
static int echo_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	char text[64];
	ssize_t n = read(0, text, sizeof(text));

	(void)env, (void)ret;
	if (n > 0 && write(1, text, (size_t)n) == n)
		return 0;
	return nf_fail(err, NF_ESUBJECT, "nothing to echo");
}

static const struct nf_bench table[] = {
	{ .name = "good.spin", .doc = "a step", .max_threads = 4, .run = spin_run },
	{ .name = "bad.crash", .run = crash_run },
	{ .name = "bad.exit", .run = exit_run },
	{ .name = "bad.hang", .run = hang_run },
	{ .name = "bad.lie", .run = lie_run },
	{ .name = "bad.setup", .setup = fail_setup, .run = spin_run },
	{ .name = "bad.thread", .min_threads = 2, .run = late_fail_run },
	{ .name = "bad.empty", .run = empty_run },
	{ .name = "bad.litter", .run = litter_run },
	{ .name = "good.echo", .setup = echo_setup, .run = spin_run },
	{ .name = "good.bound", .run = bound_run },
	{ .name = NULL },
};

/* --- runs --- */

static const struct nf_backend *backend(void)
{
	return nf_backends[NF_BACKEND_BUILTIN];
}

static struct nf_set_cfg config(size_t n)
{
	return (struct nf_set_cfg){ .seed = 5, .n_values = n, .warm_up = true };
}

static struct nf_set run_with(const char *bench, const char *const *env, int64_t timeout_ns)
{
	struct nf_variant v = {
		.label = "a", .program = self, .bench = bench, .env = env, .timeout_ns = timeout_ns
	};
	struct nf_set_cfg cfg = config(3);
	struct nf_err err = { 0 };
	struct nf_set s = { 0 };

	if (backend()->run(&v, &cfg, &s, &err) != 0)
		fail_msg("%s: %s", bench, err.msg);
	return s;
}

static void values_come_in_the_number_asked_for(void **state)
{
	struct nf_set s = run_with("good.spin", NULL, 0);

	(void)state;
	if (s.failed)
		fail_msg("%s", s.why);
	assert_int_equal(s.n, 3);
	assert_string_equal(s.unit, "ns");
	assert_false(s.stopped);
	assert_true(s.operations >= 1);
	assert_true(s.warm_up > 0);
	for (size_t i = 0; i < s.n; i++)
		assert_true(isfinite(s.value[i]) && s.value[i] > 0);
	/* Each was timed over a millisecond at least, give or take a faster processor than at calibration. */
	assert_true(s.value[0] * (double)s.operations > 1e5);
	assert_true(s.wall_ns > 0);
	assert_true(s.posture.context_switches >= 0);
	nf_set_fini(&s);
}

static void threads_give_one_value_together(void **state)
{
	struct nf_variant v = { .program = self, .bench = "good.spin", .threads = 3 };
	struct nf_set_cfg cfg = config(2);
	struct nf_err err = { 0 };
	struct nf_set s;

	(void)state;
	cfg.warm_up = false;
	assert_int_equal(backend()->check(&v, &err), 0);
	assert_int_equal(backend()->run(&v, &cfg, &s, &err), 0);
	if (s.failed)
		fail_msg("%s", s.why);
	assert_int_equal(s.n, 2);
	assert_true(isnan(s.warm_up));
	nf_set_fini(&s);
}

static void a_misbehaving_benchmark_fails_its_set_and_says_how(void **state)
{
	static const struct {
		const char *bench;
		const char *lie;
		int64_t timeout_ns;
		const char *why;
	} row[] = {
		{ "bad.crash", NULL, 0, "SIGSEGV (Segmentation fault)" },
		{ "bad.exit", NULL, 0, "exit status 3" },
		{ "bad.hang", NULL, 200000000, "took longer than 200ms" },
		{ "bad.setup", NULL, 0, "no such device: plug one in" },
		{ "bad.thread", NULL, 0, "thread 1 has had enough" },
		{ "bad.empty", NULL, 0,
		  "* operations take * ns: the compiler has thrown the work out*" },
		{ "bad.none", NULL, 0, "this program has no benchmark 'bad.none'" },
		{ "bad.lie", "LIE=nan", 0, "value 2 is *nan ns; allowed: above 0" },
		{ "bad.lie", "LIE=negative", 0, "value 3 is -1 ns; allowed: above 0" },
		{ "bad.lie", "LIE=few", 0, "2 values in 64 bytes" },
		{ "bad.lie", "LIE=damage", 0, "a damaged answer: its checksum does not match" },
		{ "bad.lie", "LIE=short", 0, "an answer that is cut short" },
		{ "bad.lie", "LIE=noise", 0, "an answer that is none of a benchmark program" },
		{ "bad.lie", "LIE=twice", 0, "after its answer: no fact" },
		{ "bad.lie", "LIE=flood", 0, "it said more than * bytes" },
		{ "bad.lie", "LIE=status", 0, "exit status 9" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const char *const env[] = { row[i].lie, NULL };
		struct nf_set s = run_with(row[i].bench, env, row[i].timeout_ns);

		/* On a loaded machine nothing can take long, twice running: it passes for work then. */
		for (int k = 0; k < 50 && !s.failed && strcmp(row[i].bench, "bad.empty") == 0;
		     k++) {
			nf_set_fini(&s);
			s = run_with(row[i].bench, env, row[i].timeout_ns);
		}
		if (!s.failed)
			fail_msg("%s %s does not fail", row[i].bench, row[i].lie ? row[i].lie : "");
		if (fnmatch(row[i].why, s.why, 0) != 0)
			fail_msg("%s %s: '%s' instead of '%s'", row[i].bench,
			         row[i].lie ? row[i].lie : "", s.why, row[i].why);
		assert_int_equal(s.n, 0);
		nf_set_fini(&s);
	}
}

static void a_truthful_answer_of_the_same_form_is_accepted(void **state)
{
	static const char *const env[] = { "LIE=no", NULL };
	struct nf_set s = run_with("bad.lie", env, 0);

	(void)state;
	if (s.failed)
		fail_msg("%s", s.why);
	assert_int_equal(s.n, 3);
	assert_true(s.value[0] > 0.5 && s.value[2] > 2.5);
	assert_int_equal(s.operations, 1000);
	nf_set_fini(&s);
}

/* Killed, soon; whoever inherits it collects it. */
static bool is_gone(pid_t pid)
{
	for (int i = 0; i < 12000; i++) {
		char path[64], line[256] = "";

		snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
		int fd = open(path, O_RDONLY);
		ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof(line) - 1);
		if (fd >= 0)
			close(fd);
		const char *end = n > 0 ? strrchr(line, ')') : NULL;
		if (!end || end[2] == 'Z' || end[2] == 'X')
			return true;
		nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	}
	return false;
}

static void nothing_of_a_set_outlives_it(void **state)
{
	char path[] = "/tmp/nf-litter-XXXXXX", text[64] = "";
	char var[64];
	const char *const env[] = { var, NULL };
	int fd = mkstemp(path);

	(void)state;
	snprintf(var, sizeof(var), "LITTER=%s", path);
	struct nf_set s = run_with("bad.litter", env, 0);
	assert_true(s.failed);
	assert_string_equal(s.why, "exit status 4");
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	pid_t pid = (pid_t)atoi(text);
	assert_true(pid > 1);
	assert_true(is_gone(pid));
	close(fd);
	unlink(path);
	nf_set_fini(&s);
}

static void the_process_is_bound_before_it_runs(void **state)
{
	struct nf_variant v = { .program = self, .bench = "good.bound" };
	struct nf_set_cfg cfg = config(1);
	struct nf_err err = { 0 };
	struct nf_cpuset cpus;
	struct nf_set s;
	cpu_set_t mask;
	char var[32];
	const char *const env[] = { var, NULL };
	int cpu = -1;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(mask), &mask), 0);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((size_t)i, &mask))
			cpu = i;
	nf_cpuset_init(&cpus);
	assert_int_equal(nf_cpuset_add(&cpus, cpu, &err), 0);
	snprintf(var, sizeof(var), "BOUND_TO=%d", cpu);
	v.env = env;
	cfg.cpus = &cpus;
	assert_int_equal(backend()->run(&v, &cfg, &s, &err), 0);
	if (s.failed)
		fail_msg("%s", s.why);
	nf_set_fini(&s);

	/* One that is not there. */
	nf_cpuset_fini(&cpus);
	assert_int_equal(nf_cpuset_add(&cpus, NF_CPU_MAX - 1, &err), 0);
	assert_int_equal(backend()->run(&v, &cfg, &s, &err), 0);
	assert_true(s.failed);
	assert_non_null(strstr(s.why, "cannot be bound to the CPUs"));
	nf_set_fini(&s);
	nf_cpuset_fini(&cpus);
}

/* The first child of a process, once it has one; 0: the kernel does not tell. */
static pid_t first_child(pid_t of)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)of, (int)of);
	for (int i = 0; i < 12000; i++) {
		int fd = open(path, O_RDONLY);
		ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

		if (fd >= 0)
			close(fd);
		if (n < 0)
			return 0;
		text[n] = '\0';
		if (atoi(text) > 0)
			return (pid_t)atoi(text);
		nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	}
	return 0;
}

static void no_benchmark_outlives_who_started_it(void **state)
{
	struct nf_variant v = { .program = self, .bench = "bad.hang" };
	struct nf_set_cfg cfg = config(1);
	struct nf_set s;

	(void)state;
	pid_t starter = fork();
	if (starter == 0)
		_exit(backend()->run(&v, &cfg, &s, NULL) < 0);
	assert_true(starter > 0);
	pid_t pid = first_child(starter);
	kill(starter, SIGKILL);
	assert_int_equal(waitpid(starter, NULL, 0), starter);
	skip_unless(pid > 0, "proc-children", "the kernel does not list children");
	assert_true(is_gone(pid));
}

static void output_and_input_are_the_variants(void **state)
{
	char path[] = "/tmp/nf-output-XXXXXX", text[64] = "";
	struct nf_variant v = { .program = self, .bench = "good.echo", .output = path };
	struct nf_set_cfg cfg = config(1);
	struct nf_err err = { 0 };
	struct nf_set s;
	int fd = mkstemp(path);

	(void)state;
	v.input = path;
	assert_int_equal(write(fd, "hello\n", 6), 6);
	assert_int_equal(backend()->run(&v, &cfg, &s, &err), 0);
	if (s.failed)
		fail_msg("%s", s.why);
	nf_set_fini(&s);
	assert_true(pread(fd, text, sizeof(text) - 1, 0) > 0);
	assert_string_equal(text, "hello\nhello\n"); /* appended */
	v.output = "/no/such/folder/file";
	assert_int_equal(backend()->run(&v, &cfg, &s, &err), 0);
	assert_string_equal(s.why, "cannot open /no/such/folder/file: No such file or directory");
	nf_set_fini(&s);
	v.input = "/no/such/file";
	assert_int_equal(backend()->check(&v, &err), -NF_EARG);
	v.input = NULL;
	v.prepare = "true";
	assert_int_equal(backend()->check(&v, &err), -NF_EARG);
	close(fd);
	unlink(path);
}

static void *stop_soon(void *arg)
{
	struct nf_stop *stop = arg;

	nanosleep(&(struct timespec){ 0, 300000000 }, NULL);
	__atomic_store_n(&stop->signo, SIGINT, __ATOMIC_RELAXED);
	return NULL;
}

static void a_stop_request_keeps_the_values_so_far(void **state)
{
	static const char *const bench[] = { "good.spin", "bad.hang" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct nf_variant v = { .program = self, .bench = bench[i] };
		struct nf_set_cfg cfg = config(1000000);
		struct nf_stop stop = { 0 };
		struct nf_err err = { 0 };
		struct nf_set s;
		pthread_t t;

		cfg.stop = &stop;
		assert_int_equal(pthread_create(&t, NULL, stop_soon, &stop), 0);
		assert_int_equal(backend()->run(&v, &cfg, &s, &err), 0);
		pthread_join(t, NULL);
		assert_true(s.stopped);
		if (s.failed)
			fail_msg("%s", s.why);
		assert_true(s.n < 1000000);
		if (i == 1)
			assert_int_equal(s.n, 0);
		nf_set_fini(&s);
	}
}

static void what_cannot_run_is_refused_before_anything_does(void **state)
{
	static const struct {
		const char *program;
		const char *bench;
		unsigned threads;
		const char *msg;
	} row[] = {
		{ NULL, "no.such", 0, "unknown benchmark 'no.such'; there are: clock.realtime, *" },
		{ "SELF", "no.such", 0,
		  "unknown benchmark 'no.such' in *; there are: good.spin, *" },
		{ "SELF", NULL, 0, "a benchmark's name is missing for *; there are: good.spin, *" },
		{ "SELF", "good.spin", 5, "5 threads for good.spin; allowed: from 1 to 4" },
		{ "SELF", "bad.thread", 1, "1 threads for bad.thread; allowed: 2" },
		{ "/no/such/program", "x", 0, "/no/such/program: No such file or directory; *" },
		{ "/bin/true", "x", 0, "/bin/true: no benchmark program *: no answer" },
		{ "/bin/cat", "x", 0, "/bin/cat: no benchmark program *" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct nf_variant v = { .program = row[i].program,
			                .bench = row[i].bench,
			                .threads = row[i].threads };
		struct nf_err err = { 0 };

		if (v.program && strcmp(v.program, "SELF") == 0)
			v.program = self;
		assert_int_equal(backend()->check(&v, &err), -NF_EARG);
		if (fnmatch(row[i].msg, err.msg, 0) != 0)
			fail_msg("row %zu: '%s' instead of '%s'", i, err.msg, row[i].msg);
	}
}

static void a_set_of_no_values_is_refused(void **state)
{
	struct nf_variant v = { .program = self, .bench = "good.spin" };
	struct nf_set_cfg cfg = config(0);
	struct nf_err err = { 0 };
	struct nf_set s = { .n = 77 };

	(void)state;
	assert_int_equal(backend()->run(&v, &cfg, &s, &err), -NF_EARG);
	cfg.n_values = (size_t)NF_SET_VALUES_MAX + 1;
	assert_int_equal(backend()->run(&v, &cfg, &s, &err), -NF_EARG);
	assert_int_equal(s.n, 77);
}

static void threads_stand_in_a_label_where_they_are_no_default(void **state)
{
	struct nf_bench_row row = { .name = "sync.mutex", .default_threads = 1 };
	char label[NF_BENCH_NAME_MAX + 16];

	(void)state;
	nf_bench_label(&row, 0, label);
	assert_string_equal(label, "sync.mutex");
	nf_bench_label(&row, 1, label);
	assert_string_equal(label, "sync.mutex");
	nf_bench_label(&row, 20, label);
	assert_string_equal(label, "sync.mutex/20T");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_come_in_the_number_asked_for),
	cmocka_unit_test(threads_give_one_value_together),
	cmocka_unit_test(a_misbehaving_benchmark_fails_its_set_and_says_how),
	cmocka_unit_test(a_truthful_answer_of_the_same_form_is_accepted),
	cmocka_unit_test(nothing_of_a_set_outlives_it),
	cmocka_unit_test(no_benchmark_outlives_who_started_it),
	cmocka_unit_test(output_and_input_are_the_variants),
	cmocka_unit_test(the_process_is_bound_before_it_runs),
	cmocka_unit_test(a_stop_request_keeps_the_values_so_far),
	cmocka_unit_test(what_cannot_run_is_refused_before_anything_does),
	cmocka_unit_test(a_set_of_no_values_is_refused),
	cmocka_unit_test(threads_stand_in_a_label_where_they_are_no_default),
};

static int run_all(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	if (nf_bench_child_asked(argc, argv))
		return nf_bench_main(table, argc, argv);
	self = argv[0];
	return nf_unit_run(tests, sizeof(tests) / sizeof(*tests), argc, argv, run_all);
}
