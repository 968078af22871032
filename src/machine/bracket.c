/* SPDX-License-Identifier: MIT */
#include "machine/bracket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "machine/bracket_tables.h"
#include "machine/cgroup.h"
#include "machine/span.h"

enum {
	PATH_BYTES = 4096,
	SMALL_MAX_BYTES = 1 << 20,
	TABLE_MAX_BYTES = 256 << 20, /* /proc/interrupts with thousands of CPUs and lines */
	THREADS_MAX = 1 << 20,
	ARENA_MAX_BYTES = 1 << 20,
};

struct thread {
	uint64_t tid;
	uint64_t migrations;
};

struct threads {
	struct thread *v; /* owned; in rising tid */
	size_t n;
	size_t cap;
	bool known;
};

/* One reading. */
struct reading {
	struct nf_buf interrupts, softirqs, stat;
	struct cpu_reading {
		struct nf_fact_nat throttles;
		struct nf_fact_nat freq_khz;
	} * cpu; /* owned; n_cpus entries */
	struct nf_fact_nat voluntary, involuntary, minor_faults, major_faults;
	struct threads threads;
	struct nf_fact_nat throttled, throttled_us;
	struct nf_fact_real load;
	struct nf_fact_nat runnable;
};

struct nf_bracket {
	const struct nf_rootfs *root; /* borrowed */
	int *cpus; /* owned */
	size_t n_cpus;
	struct nf_percpu_slots slots; /* of cpus */
	struct nf_arena arena; /* of cgroup */
	struct nf_cgroup cgroup;
	bool has_cgroup;
	bool system_only; /* see nf_bracket_open_system() */
	bool without_freq; /* of system_only: no CPU tells its frequency */
	struct nf_buf scratch;
	struct reading before, after;
	struct nf_bracket_cpu *diff; /* owned; taken by the next close */
};

/* Reads a file; absent and unreadable leave b empty. Only a lack of memory is a failure. */
static int read_file(const struct nf_bracket *b, const char *path, struct nf_buf *buf,
                     struct nf_err *err)
{
	struct nf_err why;
	int r;

	nf_buf_clear(buf);
	r = nf_rootfs_read(b->root, path, buf, &why);
	if (r == -NF_ENOMEM) {
		if (err)
			*err = why;
		return r;
	}
	if (r < 0)
		nf_buf_clear(buf);
	return 0;
}

/* The number in a file of one number. */
static int read_number(struct nf_bracket *b, const char *path, struct nf_fact_nat *ret,
                       struct nf_err *err)
{
	int r = read_file(b, path, &b->scratch, err);

	ret->some = r == 0 && nf_span_u64(nf_span_trim(nf_span_of(&b->scratch)), &ret->v);
	return r;
}

/* The number after "key", "key:" or "key :" at the start of a line. */
static struct nf_fact_nat number_after(struct nf_span text, const char *key)
{
	struct nf_fact_nat fact = { 0 };
	struct nf_span line, word;

	while (nf_span_line(&text, &line)) {
		if (!nf_span_word(&line, &word))
			continue;
		if (word.n && word.p[word.n - 1] == ':')
			word.n--;
		if (!nf_span_is(word, key))
			continue;
		if (nf_span_word(&line, &word) && nf_span_is(word, ":") &&
		    !nf_span_word(&line, &word))
			break;
		fact.some = nf_span_u64(word, &fact.v);
		break;
	}
	return fact;
}

static struct nf_fact_nat known(long v)
{
	return (struct nf_fact_nat){ .some = v >= 0, .v = v < 0 ? 0 : (uint64_t)v };
}

static int read_process(struct nf_bracket *b, struct reading *rd, struct nf_err *err)
{
	struct rusage u;
	int r;

	if (b->root->live) {
		if (getrusage(RUSAGE_SELF, &u) == 0) {
			rd->voluntary = known(u.ru_nvcsw);
			rd->involuntary = known(u.ru_nivcsw);
			rd->minor_faults = known(u.ru_minflt);
			rd->major_faults = known(u.ru_majflt);
		}
		return 0;
	}
	r = read_file(b, "proc/self/status", &b->scratch, err);
	if (r < 0)
		return r;
	rd->voluntary = number_after(nf_span_of(&b->scratch), "voluntary_ctxt_switches");
	rd->involuntary = number_after(nf_span_of(&b->scratch), "nonvoluntary_ctxt_switches");
	return 0;
}

struct list_threads {
	struct nf_bracket *b;
	struct threads *t;
	struct nf_err *err;
};

static int grow(struct threads *t, size_t cap, struct nf_err *err)
{
	struct thread *v;

	v = realloc(t->v, cap * sizeof(*v));
	if (!v)
		return nf_fail_nomem(err, "thread counters", cap * sizeof(*v));
	t->v = v;
	t->cap = cap;
	return 0;
}

static int add_thread(void *ctx, const char *name)
{
	struct list_threads *l = ctx;
	struct nf_fact_nat migrations;
	char path[PATH_BYTES];
	uint64_t tid;
	int r;

	if (!nf_span_u64((struct nf_span){ name, strlen(name) }, &tid))
		return 0;
	snprintf(path, sizeof(path), "proc/self/task/%s/sched", name);
	r = read_file(l->b, path, &l->b->scratch, l->err);
	if (r < 0)
		return r;
	migrations = number_after(nf_span_of(&l->b->scratch), "se.nr_migrations");
	if (!migrations.some) {
		l->t->known = false; /* CONFIG_SCHED_DEBUG is off, or the thread has just ended */
		return 0;
	}
	if (l->t->n == THREADS_MAX) {
		l->t->known = false;
		return 0;
	}
	if (l->t->n == l->t->cap) {
		r = grow(l->t, l->t->cap ? 2 * l->t->cap : 64, l->err);
		if (r < 0)
			return r;
	}
	l->t->v[l->t->n++] = (struct thread){ tid, migrations.v };
	return 0;
}

static int by_tid(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static int read_threads(struct nf_bracket *b, struct threads *t, struct nf_err *err)
{
	struct nf_err why = { 0 };
	struct list_threads l = { b, t, &why };
	int r;

	t->n = 0;
	t->known = true;
	r = nf_rootfs_list(b->root, "proc/self/task", add_thread, &l, &why);
	if (r == -NF_ENOMEM) {
		if (err)
			*err = why;
		return r;
	}
	if (r < 0 || t->n == 0)
		t->known = false;
	else
		qsort(t->v, t->n, sizeof(*t->v), by_tid);
	return 0;
}

static void add_to(struct nf_fact_nat *sum, struct nf_fact_nat v)
{
	if (!v.some)
		return;
	sum->some = !__builtin_add_overflow(sum->v, v.v, &sum->v);
}

static int read_cgroup(struct nf_bracket *b, struct reading *rd, struct nf_err *err)
{
	char path[PATH_BYTES];

	rd->throttled = (struct nf_fact_nat){ 0 };
	rd->throttled_us = (struct nf_fact_nat){ 0 };
	for (size_t i = 0; b->has_cgroup && i < b->cgroup.n_dirs; i++) {
		struct nf_span text;
		struct nf_fact_nat ns;
		int r;

		snprintf(path, sizeof(path), "%s/cpu.stat", b->cgroup.dir[i]);
		r = read_file(b, path, &b->scratch, err);
		if (r < 0)
			return r;
		text = nf_span_of(&b->scratch);
		add_to(&rd->throttled, number_after(text, "nr_throttled"));
		add_to(&rd->throttled_us, number_after(text, "throttled_usec"));
		ns = number_after(text, "throttled_time"); /* v1, ns */
		ns.v /= 1000;
		add_to(&rd->throttled_us, ns);
	}
	return 0;
}

static int read_load(struct nf_bracket *b, struct reading *rd, struct nf_err *err)
{
	struct nf_span rest, word = { "", 0 };
	int r = read_file(b, "proc/loadavg", &b->scratch, err);

	rd->load.some = false;
	rd->runnable.some = false;
	if (r < 0)
		return r;
	rest = nf_span_of(&b->scratch);
	if (nf_span_word(&rest, &word))
		rd->load.some = nf_span_real(word, &rd->load.v);
	for (int i = 0; i < 3; i++)
		if (!nf_span_word(&rest, &word))
			return 0;
	if (nf_span_cut(&word, '/', &rest))
		rd->runnable.some = nf_span_u64(rest, &rd->runnable.v);
	return 0;
}

static int read_cpus(struct nf_bracket *b, struct reading *rd, struct nf_err *err)
{
	static const char base[] = "sys/devices/system/cpu/cpu";
	char path[PATH_BYTES];

	for (size_t i = 0; i < b->n_cpus; i++) {
		int r;

		snprintf(path, sizeof(path), "%s%d/thermal_throttle/core_throttle_count", base,
		         b->cpus[i]);
		r = b->system_only ? 0 : read_number(b, path, &rd->cpu[i].throttles, err);
		snprintf(path, sizeof(path), "%s%d/cpufreq/scaling_cur_freq", base, b->cpus[i]);
		if (r == 0 && !b->without_freq)
			r = read_number(b, path, &rd->cpu[i].freq_khz, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool any_freq(const struct nf_bracket *b, const struct reading *rd)
{
	for (size_t i = 0; i < b->n_cpus; i++)
		if (rd->cpu[i].freq_khz.some)
			return true;
	return false;
}

/* Files of frequencies that the first reading did not find are not looked for again. */
static int read_system(struct nf_bracket *b, struct reading *rd, struct nf_err *err)
{
	int r = read_file(b, "proc/stat", &rd->stat, err);

	if (r == 0)
		r = read_cpus(b, rd, err);
	if (r == 0)
		b->without_freq = !any_freq(b, rd);
	if (r == 0)
		r = read_cgroup(b, rd, err);
	return r < 0 ? r : read_load(b, rd, err);
}

/* What the reading itself disturbs is read last before the measurement and first after it. */
static int read_all(struct nf_bracket *b, struct reading *rd, bool is_before, struct nf_err *err)
{
	struct {
		const char *path;
		struct nf_buf *buf;
	} const tables[] = {
		{ "proc/stat", &rd->stat },
		{ "proc/softirqs", &rd->softirqs },
		{ "proc/interrupts", &rd->interrupts },
	};
	int r = 0;

	if (b->system_only)
		return read_system(b, rd, err);
	if (!is_before)
		r = read_process(b, rd, err);
	for (size_t i = 0; i < 3 && r == 0; i++) {
		size_t at = is_before ? i : 2 - i;

		r = read_file(b, tables[at].path, tables[at].buf, err);
	}
	if (r == 0)
		r = read_cpus(b, rd, err);
	if (r == 0)
		r = read_threads(b, &rd->threads, err);
	if (r == 0)
		r = read_cgroup(b, rd, err);
	if (r == 0)
		r = read_load(b, rd, err);
	if (r == 0 && is_before)
		r = read_process(b, rd, err);
	return r;
}

static void reading_init(struct reading *rd)
{
	nf_buf_init(&rd->interrupts, TABLE_MAX_BYTES);
	nf_buf_init(&rd->softirqs, TABLE_MAX_BYTES);
	nf_buf_init(&rd->stat, TABLE_MAX_BYTES);
}

static int reading_alloc(struct reading *rd, size_t n_cpus, struct nf_err *err)
{
	rd->cpu = calloc(n_cpus ? n_cpus : 1, sizeof(*rd->cpu));
	if (!rd->cpu)
		return nf_fail_nomem(err, "readings of CPUs", n_cpus * sizeof(*rd->cpu));
	return 0;
}

static void reading_fini(struct reading *rd)
{
	nf_buf_fini(&rd->interrupts);
	nf_buf_fini(&rd->softirqs);
	nf_buf_fini(&rd->stat);
	free(rd->cpu);
	free(rd->threads.v);
}

static int list_cpus(struct nf_bracket *b, const struct nf_cpuset *cpus, struct nf_err *err)
{
	size_t n = nf_cpuset_count(cpus), i = 0;

	b->cpus = calloc(n ? n : 1, sizeof(*b->cpus));
	if (!b->cpus)
		return nf_fail_nomem(err, "CPU numbers", n * sizeof(*b->cpus));
	for (int c = nf_cpuset_next(cpus, -1); c >= 0; c = nf_cpuset_next(cpus, c))
		b->cpus[i++] = c;
	b->n_cpus = n;
	return nf_percpu_slots_init(&b->slots, b->cpus, n, err);
}

static int alloc_diff(struct nf_bracket *b, struct nf_err *err)
{
	if (!b->diff)
		b->diff = calloc(b->n_cpus ? b->n_cpus : 1, sizeof(*b->diff));
	if (!b->diff)
		return nf_fail_nomem(err, "differences of CPUs", b->n_cpus * sizeof(*b->diff));
	return 0;
}

/* Room for as much as `like` holds. */
static int reserve(struct nf_buf *buf, const struct nf_buf *like, struct nf_err *err)
{
	int r;

	nf_buf_add(buf, like->data, like->len_bytes);
	r = nf_buf_failed(buf, "a later reading", err);
	nf_buf_clear(buf);
	return r;
}

static int prepare_after(struct nf_bracket *b, struct nf_err *err)
{
	int r = reserve(&b->after.interrupts, &b->before.interrupts, err);

	if (r == 0)
		r = reserve(&b->after.softirqs, &b->before.softirqs, err);
	if (r == 0)
		r = reserve(&b->after.stat, &b->before.stat, err);
	if (r == 0 && b->before.threads.cap)
		r = grow(&b->after.threads, b->before.threads.cap, err);
	return r;
}

static int open_bracket(const struct nf_rootfs *root, const struct nf_cpuset *cpus,
                        bool system_only, struct nf_bracket **ret, struct nf_err *err)
{
	struct nf_bracket *b = calloc(1, sizeof(*b));
	struct nf_err why;
	int r;

	if (!b)
		return nf_fail_nomem(err, "a bracket", sizeof(*b));
	b->root = root;
	b->system_only = system_only;
	nf_arena_init(&b->arena, ARENA_MAX_BYTES);
	nf_buf_init(&b->scratch, SMALL_MAX_BYTES);
	reading_init(&b->before);
	reading_init(&b->after);
	r = list_cpus(b, cpus, err);
	if (r == 0)
		r = reading_alloc(&b->before, b->n_cpus, err);
	if (r == 0)
		r = reading_alloc(&b->after, b->n_cpus, err);
	if (r == 0)
		r = alloc_diff(b, err);
	if (r < 0)
		goto out;
	r = nf_cgroup_find(root, &b->arena, &b->cgroup, &why);
	if (r == -NF_ENOMEM) {
		if (err)
			*err = why;
		goto out;
	}
	b->has_cgroup = r == 0;
	r = system_only ? 0 : nf_bracket_restart(b, err);
	if (r < 0)
		goto out;
	*ret = b;
	return 0;

out:
	nf_bracket_free(b);
	return r;
}

int nf_bracket_open(const struct nf_rootfs *root, const struct nf_cpuset *cpus,
                    struct nf_bracket **ret, struct nf_err *err)
{
	return open_bracket(root, cpus, false, ret, err);
}

int nf_bracket_open_system(const struct nf_rootfs *root, const struct nf_cpuset *cpus,
                           struct nf_bracket **ret, struct nf_err *err)
{
	return open_bracket(root, cpus, true, ret, err);
}

int nf_bracket_restart(struct nf_bracket *b, struct nf_err *err)
{
	int r = read_all(b, &b->before, true, err);

	return r < 0 ? r : prepare_after(b, err);
}

void nf_bracket_free(struct nf_bracket *b)
{
	if (!b)
		return;
	reading_fini(&b->before);
	reading_fini(&b->after);
	nf_percpu_slots_fini(&b->slots);
	nf_buf_fini(&b->scratch);
	nf_arena_fini(&b->arena);
	free(b->cpus);
	free(b->diff);
	free(b);
}

void nf_bracket_continue(struct nf_bracket *b)
{
	struct reading before = b->before;

	b->before = b->after;
	b->after = before;
}

static struct nf_fact_nat rise(struct nf_fact_nat before, struct nf_fact_nat after)
{
	if (!before.some || !after.some || after.v < before.v)
		return (struct nf_fact_nat){ 0 };
	return (struct nf_fact_nat){ true, after.v - before.v };
}

/* Both lists are in rising tid. */
static struct nf_fact_nat migrations(const struct threads *before, const struct threads *after)
{
	struct nf_fact_nat sum = { .some = before->known && after->known };
	size_t i = 0;

	for (size_t j = 0; sum.some && j < after->n; j++) {
		const struct thread *t = &after->v[j];
		uint64_t was = 0;

		if (i < before->n && before->v[i].tid < t->tid)
			break; /* it ended, and what it did last is not known */
		if (i < before->n && before->v[i].tid == t->tid)
			was = before->v[i++].migrations;
		if (t->migrations < was)
			break;
		sum.v += t->migrations - was;
		if (j + 1 == after->n && i == before->n)
			return sum;
	}
	return (struct nf_fact_nat){ 0 };
}

static int diff_cpus(struct nf_bracket *b, struct nf_err *err)
{
	const struct reading *x = &b->before, *y = &b->after;
	struct nf_percpu_diff d = { .slots = &b->slots };
	int r;

	for (size_t i = 0; i < b->n_cpus; i++)
		b->diff[i] = (struct nf_bracket_cpu){
			.cpu = b->cpus[i],
			.thermal_throttles = rise(x->cpu[i].throttles, y->cpu[i].throttles),
			.freq_before_khz = x->cpu[i].freq_khz,
			.freq_after_khz = y->cpu[i].freq_khz,
		};
	r = nf_percpu_diff_init(&d, b->n_cpus, err);
	if (r < 0)
		goto out;
	nf_percpu_table(&d, nf_span_of(&x->interrupts), nf_span_of(&y->interrupts));
	for (size_t i = 0; i < b->n_cpus; i++) {
		b->diff[i].interrupts = d.all[i];
		b->diff[i].timer_interrupts = d.timer[i];
	}
	nf_percpu_table(&d, nf_span_of(&x->softirqs), nf_span_of(&y->softirqs));
	for (size_t i = 0; i < b->n_cpus; i++)
		b->diff[i].softirqs = d.all[i];
	nf_percpu_steal(&d, nf_span_of(&x->stat), nf_span_of(&y->stat));
	for (size_t i = 0; i < b->n_cpus; i++)
		b->diff[i].steal_ticks = d.all[i];

out:
	nf_percpu_diff_fini(&d);
	return r;
}

int nf_bracket_close(struct nf_bracket *b, struct nf_bracket_diff *ret, struct nf_err *err)
{
	const struct reading *x = &b->before, *y = &b->after;
	int r = read_all(b, &b->after, false, err);

	if (r == 0)
		r = alloc_diff(b, err);
	if (r == 0)
		r = diff_cpus(b, err);
	if (r < 0)
		return r;
	*ret = (struct nf_bracket_diff){
		.cpu = b->diff,
		.n_cpus = b->n_cpus,
		.voluntary_switches = rise(x->voluntary, y->voluntary),
		.involuntary_switches = rise(x->involuntary, y->involuntary),
		.minor_faults = rise(x->minor_faults, y->minor_faults),
		.major_faults = rise(x->major_faults, y->major_faults),
		.migrations = migrations(&x->threads, &y->threads),
		.cgroup_throttled = rise(x->throttled, y->throttled),
		.cgroup_throttled_us = rise(x->throttled_us, y->throttled_us),
		.load_before = x->load,
		.load_after = y->load,
		.runnable_before = x->runnable,
		.runnable_after = y->runnable,
	};
	b->diff = NULL;
	return 0;
}

void nf_bracket_diff_fini(struct nf_bracket_diff *d)
{
	free(d->cpu);
	*d = (struct nf_bracket_diff){ 0 };
}
