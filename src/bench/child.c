/* SPDX-License-Identifier: MIT */
#include "bench/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sysio.h"
#include "bench/iterate.h"
#include "bench/protocol.h"
#include "bench/set.h"
#include "bench/team.h"

enum { STEP_READS = 4096 };

/* The answer of a set, in the form in which it goes out; the handler of a second SIGTERM sends it. */
struct answer {
	uint8_t head[NF_FRAME_HEAD_BYTES];
	struct nf_bench_values is;
	double ns[];
};

/* What the handler needs; a child process answers one request, so there is one. */
static struct {
	struct answer *answer; /* whole up to is.n; NULL: nothing to send yet */
	volatile sig_atomic_t asked;
} stopping;

unsigned nf_bench_min_threads(const struct nf_bench *b)
{
	return b->min_threads ? b->min_threads : 1;
}

unsigned nf_bench_default_threads(const struct nf_bench *b)
{
	unsigned least = nf_bench_min_threads(b);

	return b->default_threads > least ? b->default_threads : least;
}

unsigned nf_bench_max_threads(const struct nf_bench *b)
{
	unsigned least = nf_bench_default_threads(b);

	return b->max_threads > least ? b->max_threads : least;
}

const struct nf_bench *nf_bench_find(const struct nf_bench *const *tables, const char *name)
{
	for (; *tables; tables++)
		for (const struct nf_bench *b = *tables; b->name; b++)
			if (strcmp(b->name, name) == 0)
				return b;
	return NULL;
}

bool nf_bench_child_asked(int argc, char *const *argv)
{
	return argc == 2 && strcmp(argv[1], NF_BENCH_CHILD_ARG) == 0;
}

static int send_frame(enum nf_frame_type type, const void *payload, size_t len_bytes,
                      struct nf_err *err)
{
	uint8_t head[NF_FRAME_HEAD_BYTES];

	nf_frame_head(type, payload, len_bytes, head);
	int r = nf_write_all(NF_BENCH_FD, head, sizeof(head), "the answer", err);
	return r ? r : nf_write_all(NF_BENCH_FD, payload, len_bytes, "the answer", err);
}

static int send_values(struct answer *a, struct nf_err *err)
{
	size_t len_bytes = sizeof(a->is) + (size_t)a->is.n * sizeof(a->ns[0]);

	nf_frame_head(NF_FRAME_VALUES, &a->is, len_bytes, a->head);
	return nf_write_all(NF_BENCH_FD, a, sizeof(a->head) + len_bytes, "the answer", err);
}

/* First: the iteration at hand may end. Again: it will not, so what there is goes out from here. Calls
 * only what a handler may: checksums and write(2). */
static void on_term(int signo)
{
	struct nf_err err;
	struct answer *a = __atomic_load_n(&stopping.answer, __ATOMIC_ACQUIRE);

	(void)signo;
	if (!stopping.asked) {
		stopping.asked = 1;
		return;
	}
	_exit(a && send_values(a, &err) == 0 ? 0 : 1);
}

static int read_exactly(void *to, size_t n, struct nf_err *err)
{
	for (size_t at = 0; at < n;) {
		ssize_t got = read(NF_BENCH_FD, (char *)to + at, n - at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return nf_fail_os(err, errno, "the request");
		if (got == 0)
			return nf_fail(err, NF_EDATA, "a request that is cut short");
		at += (size_t)got;
	}
	return 0;
}

static int read_request(struct nf_bench_request *ret, struct nf_err *err)
{
	uint8_t data[NF_FRAME_HEAD_BYTES + 1024];
	struct nf_frame f;
	size_t len_bytes, at = 0;
	int r = read_exactly(data, NF_FRAME_HEAD_BYTES, err);

	if (r == 0)
		r = nf_frame_length(data, &len_bytes, err);
	if (r == 0 && len_bytes > sizeof(data) - NF_FRAME_HEAD_BYTES)
		r = nf_fail(err, NF_EDATA, "a request of %zu bytes", len_bytes);
	if (r == 0)
		r = read_exactly(data + NF_FRAME_HEAD_BYTES, len_bytes, err);
	if (r == 0)
		r = nf_frame_next(data, NF_FRAME_HEAD_BYTES + len_bytes, &at, &f, err);
	return r ? r : nf_frame_request(&f, ret, err);
}

static int send_rows(const struct nf_bench *const *tables, struct nf_err *err)
{
	int r = 0;

	for (; r == 0 && *tables; tables++)
		for (const struct nf_bench *b = *tables; r == 0 && b->name; b++) {
			struct nf_bench_row row = { .min_threads = nf_bench_min_threads(b),
				                    .max_threads = nf_bench_max_threads(b),
				                    .default_threads = nf_bench_default_threads(b),
				                    .bytes = b->bytes };

			snprintf(row.name, sizeof(row.name), "%s", b->name);
			snprintf(row.doc, sizeof(row.doc), "%s", b->doc ? b->doc : "");
			r = send_frame(NF_FRAME_ROW, &row, sizeof(row), err);
		}
	return r ? r : send_frame(NF_FRAME_END, "", 0, err);
}

/* Sum over the threads that there are, of the kernel's own count; -1: it does not tell. */
static int64_t count_migrations(void)
{
	static const char key[] = "se.nr_migrations";
	DIR *d = opendir("/proc/self/task");
	int64_t sum = d ? 0 : -1;

	for (struct dirent *e; sum >= 0 && (e = readdir(d));) {
		char path[64], text[4096];

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%.20s/sched", e->d_name);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
		if (fd >= 0)
			close(fd);
		text[n > 0 ? n : 0] = '\0';
		const char *at = strstr(text, key);
		const char *colon = at ? strchr(at, ':') : NULL;
		sum = colon ? sum + strtoll(colon + 1, NULL, 10) : -1;
	}
	if (d)
		closedir(d);
	return sum;
}

static int64_t count_switches(void)
{
	struct rusage u;

	if (getrusage(RUSAGE_SELF, &u) < 0)
		return -1;
	return (int64_t)u.ru_nvcsw + u.ru_nivcsw;
}

static int64_t clock_step_ns(void)
{
	static int64_t reading[STEP_READS];

	for (size_t i = 0; i < STEP_READS; i++)
		reading[i] = nf_now_raw().ns;
	return nf_iteration_step_ns(reading, STEP_READS);
}

static int iteration(void *ctx, uint64_t n, int64_t *ret_ns, struct nf_err *err)
{
	return stopping.asked ? 1 : nf_team_run(ctx, n, ret_ns, err);
}

/* Positive: a stop was asked for; a->is.n values are there. */
static int measure(struct nf_team *team, const struct nf_bench_request *q, struct answer *a,
                   struct nf_err *err)
{
	int64_t length_ns = nf_iteration_length_ns(q->min_iteration_ns, clock_step_ns());
	int64_t ns = 0;
	int r = nf_iteration_calibrate(iteration, team, length_ns, &a->is.operations, err);

	if (r == 0 && q->warm_up) {
		r = iteration(team, a->is.operations, &ns, err);
		if (r == 0)
			a->is.warm_up_ns = (double)ns / (double)a->is.operations;
	}
	while (r == 0 && a->is.n < q->n_values) {
		r = iteration(team, a->is.operations, &ns, err);
		if (r == 0 && ns <= 0)
			r = nf_fail(err, NF_ESUBJECT, "an iteration took %lld ns", (long long)ns);
		if (r == 0) {
			a->ns[a->is.n] = (double)ns / (double)a->is.operations;
			__atomic_store_n(&a->is.n, a->is.n + 1, __ATOMIC_RELEASE);
		}
	}
	return r;
}

static struct answer *make_answer(uint64_t n_values, struct nf_err *err)
{
	size_t bytes = sizeof(struct answer) + (size_t)n_values * sizeof(double);
	struct answer *a = n_values > NF_SET_VALUES_MAX ? NULL : malloc(bytes);

	if (!a) {
		(void)nf_fail_nomem(err, "the values of a set", bytes);
		return NULL;
	}
	memset(a, 0, bytes); /* its pages are there before anything is timed */
	a->is = (struct nf_bench_values){
		.operations = 1, .warm_up_ns = (double)NAN, .context_switches = -1, .migrations = -1
	};
	return a;
}

struct facts {
	struct nf_bench_fact is[NF_BENCH_FACTS_MAX];
	size_t n;
};

static void take_fact(void *to, const char *name, double value, const char *text)
{
	struct facts *f = to;

	if (f->n == NF_BENCH_FACTS_MAX)
		return;
	struct nf_bench_fact *fact = &f->is[f->n++];
	memset(fact, 0, sizeof(*fact)); /* no byte of it is left to chance */
	fact->value = value;
	snprintf(fact->name, sizeof(fact->name), "%s", name);
	snprintf(fact->text, sizeof(fact->text), "%s", text ? text : "");
}

static int send_facts(const struct facts *f, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < f->n; i++)
		r = send_frame(NF_FRAME_FACT, &f->is[i], sizeof(f->is[i]), err);
	return r;
}

static int run_set(const struct nf_bench *b, const struct nf_bench_request *q, struct nf_err *err)
{
	struct nf_bench_env env = { q->threads ? q->threads : nf_bench_default_threads(b),
		                    q->seed };
	struct facts facts = { .n = 0 };
	struct nf_team *team = NULL;
	void *state = NULL;

	if (env.threads < nf_bench_min_threads(b) || env.threads > nf_bench_max_threads(b))
		return nf_fail(err, NF_EARG, "%u threads; allowed for %s: from %u to %u",
		               env.threads, b->name, nf_bench_min_threads(b),
		               nf_bench_max_threads(b));
	struct answer *a = make_answer(q->n_values, err);
	if (!a)
		return -NF_ENOMEM;
	__atomic_store_n(&stopping.answer, a, __ATOMIC_RELEASE);
	int r = b->setup ? b->setup(&env, &state, err) : 0;
	if (r != 0)
		return r;
	r = nf_team_open(b, env.threads, state, &team, err);
	if (r == 0)
		r = measure(team, q, a, err);
	/* After a failure other threads may wait for ever: the process ends with them. */
	if (r < 0)
		return r;
	a->is.context_switches = count_switches();
	a->is.migrations = count_migrations();
	r = b->facts ? b->facts(state, take_fact, &facts, err) : 0;
	nf_team_close(team);
	if (b->teardown)
		b->teardown(state);
	if (r < 0)
		return r;
	signal(SIGTERM, SIG_IGN); /* the handler would send the values again */
	r = send_values(a, err);
	return r ? r : send_facts(&facts, err);
}

static int answer_request(const struct nf_bench *const *tables, struct nf_err *err)
{
	struct nf_bench_request q;
	int r = read_request(&q, err);

	if (r != 0)
		return r;
	if (q.ask == NF_BENCH_ASK_LIST)
		return send_rows(tables, err);
	const struct nf_bench *b = nf_bench_find(tables, q.name);
	return b ? run_set(b, &q, err)
	         : nf_fail(err, NF_EARG, "this program has no benchmark '%s'", q.name);
}

int nf_bench_child(const struct nf_bench *const *tables)
{
	struct sigaction term = { .sa_handler = on_term, .sa_flags = SA_RESTART };
	struct nf_err err = { 0 }, ignored;

	/* Nothing that a benchmark executes holds the socket open. */
	if (fcntl(NF_BENCH_FD, F_SETFD, FD_CLOEXEC) < 0)
		return 2;
	sigemptyset(&term.sa_mask);
	sigaddset(&term.sa_mask, SIGTERM);
	sigaction(SIGTERM, &term, NULL);
	int r = answer_request(tables, &err);
	if (r < 0) {
		if (!err.msg[0])
			snprintf(err.msg, sizeof(err.msg), "%s", nf_strerror(r));
		if (send_frame(r == -NF_EUNSUPPORTED ? NF_FRAME_UNSUPPORTED : NF_FRAME_FAIL,
		               err.msg, strlen(err.msg), &ignored) < 0)
			_exit(1);
	}
	/* No destructors: threads of a benchmark that failed may still be there. */
	_exit(0);
}
