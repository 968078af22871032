/* SPDX-License-Identifier: MIT */
/* The time of a line is true: a sender stamps each as it writes it to a pty, while the CPUs are busy. NF_LONG=1:
 * 10,000 lines. What the error is is for peers/console.py. */
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "board/console.h"
#include "nf_unit.h"

enum { HOGS_MAX = 8, LIMIT_MS = 100000 };

struct sender {
	int master;
	unsigned n;
	int64_t *written_ns; /* when write() of each had returned */
};

static void *send_lines(void *arg)
{
	struct sender *s = arg;
	uint64_t x = 88172645463325252u;

	for (unsigned i = 0; i < s->n; i++) {
		struct timespec gap = { 0 };
		char line[64];

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		/* Every fourth line comes at once; the others after up to 8 ms. */
		gap.tv_nsec = x % 4 ? (long)(x % 8000000) : 0;
		nanosleep(&gap, NULL);
		int len = snprintf(line, sizeof(line), "%" PRId64 " true\n", nf_now_raw().ns);
		if (write(s->master, line, (size_t)len) != len)
			return s;
		s->written_ns[i] = nf_now_raw().ns;
	}
	return NULL;
}

static size_t start_hogs(pid_t pid[HOGS_MAX])
{
	long n = 2 * sysconf(_SC_NPROCESSORS_ONLN);
	size_t made = 0;

	while (made < HOGS_MAX && (long)made < n) {
		pid_t parent = getpid();

		pid[made] = fork();
		assert_true(pid[made] >= 0);
		if (pid[made] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			while (getppid() == parent)
				;
			_exit(0);
		}
		made++;
	}
	return made;
}

struct score {
	int64_t start_ns;
	unsigned n, exact;
	int64_t *error_ns, *lo_ns, *hi_ns, *stamp_ns; /* of each line */
};

static int judge(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	struct score *s = ctx;
	int64_t stamp;

	(void)err;
	assert_int_equal(sscanf(line->text, "%" SCNd64 " true", &stamp), 1);
	s->stamp_ns[s->n] = stamp - s->start_ns;
	s->lo_ns[s->n] = line->first_lo_ns;
	s->hi_ns[s->n] = line->first_hi_ns;
	s->exact += line->first_hi_ns - line->first_lo_ns < 50000000;
	s->error_ns[s->n] = line->first_hi_ns - s->stamp_ns[s->n];
	s->n++;
	return 0;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* How many intervals hold a time between the stamp and the end of write(): the sender can lose its CPU
 * in between, so nobody knows it closer. */
static unsigned true_lines(const struct sender *sender, const struct score *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		n += s->hi_ns[i] >= s->stamp_ns[i] &&
		     s->lo_ns[i] <= sender->written_ns[i] - s->start_ns;
	return n;
}

static void the_true_time_lies_in_the_interval(void **state)
{
	const char *asked = getenv("NF_LONG");
	unsigned n = asked && strcmp(asked, "1") == 0 ? 10000 : 500;
	int64_t *ns = calloc((size_t)n * 5, sizeof(int64_t));
	struct sender s = { posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), n, ns };
	struct score score = { .error_ns = ns + n,
		               .lo_ns = ns + 2 * (size_t)n,
		               .hi_ns = ns + 3 * (size_t)n,
		               .stamp_ns = ns + 4 * (size_t)n };
	struct nf_port_spec spec;
	struct nf_port port;
	struct nf_console c;
	struct nf_lines lines;
	pid_t hog[HOGS_MAX];
	pthread_t thread;
	void *failed;
	size_t hogs;

	(void)state;
	assert_true(s.master >= 0 && ns);
	assert_int_equal(grantpt(s.master) | unlockpt(s.master), 0);
	assert_int_equal(nf_port_parse(ptsname(s.master), 115200, &spec, NULL), 0);
	assert_int_equal(spec.kind, NF_PORT_PTY);
	assert_int_equal(nf_port_open(&port, &spec, NULL, NULL, NULL), 0);
	assert_int_equal(nf_line_init(&lines, NF_LINE_LIMIT, NULL), 0);
	assert_int_equal(nf_console_open(&c, &port, -1, NULL, -1, NULL), 0);
	score.start_ns = c.start_ns;
	hogs = start_hogs(hog);
	assert_int_equal(pthread_create(&thread, NULL, send_lines, &s), 0);
	while (score.n < n && nf_console_now_ns(&c) < (int64_t)LIMIT_MS * 1000000) {
		enum nf_console_event event;
		struct nf_capture_read read;

		assert_int_equal(nf_console_wait(&c, 100, &event, &read, NULL), 0);
		if (event != NF_CONSOLE_BYTES)
			continue;
		struct nf_line_time t = nf_capture_time(&c.head, &read);
		assert_int_equal(nf_line_feed(&lines, c.data, read.bytes, &t, judge, &score, NULL),
		                 0);
	}
	for (size_t i = 0; i < hogs; i++) {
		kill(hog[i], SIGKILL);
		waitpid(hog[i], NULL, 0);
	}
	assert_int_equal(pthread_join(thread, &failed), 0);
	assert_null(failed);
	assert_int_equal(score.n, n);
	assert_int_equal(lines.counts.n_lines, n);
	unsigned inside = true_lines(&s, &score);

	qsort(score.error_ns, n, sizeof(int64_t), by_size);
	printf("# %u of %u in the interval; error %" PRId64 " ns in the median, %" PRId64
	       " ns at worst; %u intervals below 50 ms\n",
	       inside, n, score.error_ns[n / 2], score.error_ns[n - 1], score.exact);
	/* 99.9 %; of 500 lines one may be outside: the kernel can hold a byte of a pty back. */
	assert_true(inside + n / 1000 + (n < 1000) >= n);
	nf_line_fini(&lines);
	assert_int_equal(nf_console_close(&c, NULL), 0);
	nf_port_close(&port);
	close(s.master);
	free(ns);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_true_time_lies_in_the_interval),
};
NF_UNIT_MAIN(tests)
