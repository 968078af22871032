/* SPDX-License-Identifier: MIT */
#include "job/sweep_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "bench/execution.h"
#include "bench/words.h"
#include "samples/results.h"

enum { FACTS_MAX = 32, TEXT_BYTES = 64 << 20, PLAIN_BYTES = 400 };

/* --- programs --- */

static int digest(const char *path, char ret[NF_SHA256_HEX], struct nf_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return nf_fail_os(err, errno, "%s", path);
	int r = nf_sha256_fd(fd, path, ret, err);
	(void)close(fd);
	return r;
}

static int program_of(const struct nf_variant *v, char ret[NF_EXECUTION_PATH_BYTES],
                      struct nf_err *err)
{
	const char *path = v->program ? v->program : "/proc/self/exe";

	if (v->backend != NF_BACKEND_BUILTIN)
		return nf_launch_program(v, ret, err);
	if (strlen(path) >= NF_EXECUTION_PATH_BYTES)
		return nf_fail(err, NF_EARG, "the program's path is longer than %d bytes",
		               NF_EXECUTION_PATH_BYTES - 1);
	memcpy(ret, path, strlen(path) + 1);
	return 0;
}

int nf_sweep_programs(const struct nf_variant *v, size_t n, struct nf_arena *a, struct nf_list *ret,
                      struct nf_err *err)
{
	struct nf_rec_sweep_program *list = nf_arena_alloc(a, n, sizeof(*list));
	size_t count = 0;
	int r = nf_arena_failed(a, "record", err);

	for (size_t i = 0; r == 0 && list && i < n; i++) {
		char path[NF_EXECUTION_PATH_BYTES], hex[NF_SHA256_HEX];
		bool known = false;

		r = program_of(&v[i], path, err);
		for (size_t k = 0; r == 0 && k < count; k++)
			known = known || strcmp(list[k].path, path) == 0;
		if (r < 0 || known)
			continue;
		r = digest(path, hex, err);
		if (r < 0)
			break;
		list[count].path = nf_arena_strdup(a, path);
		list[count++].sha256 = nf_arena_strdup(a, hex);
		r = nf_arena_failed(a, "record", err);
	}
	if (r == 0)
		*ret = (struct nf_list){ list, count };
	return r;
}

int nf_sweep_programs_again(struct nf_list *programs, bool *ret_changed, struct nf_err *err)
{
	/* The list is the caller's own, made above. */
	struct nf_rec_sweep_program *p = (void *)(uintptr_t)programs->items;
	bool changed = false;

	for (size_t i = 0; i < programs->n; i++) {
		char hex[NF_SHA256_HEX] = "";
		struct nf_err why = { 0 };
		int r = digest(p[i].path, hex, &why);

		if (r == -NF_ENOMEM)
			return nf_fail_nomem(err, "the digest of a program", 0);
		p[i].changed = r < 0 || strcmp(hex, p[i].sha256) != 0; /* gone is changed */
		changed = changed || p[i].changed;
	}
	*ret_changed = changed;
	return 0;
}

/* --- facts --- */

struct facts {
	struct nf_arena *a;
	struct nf_rec_sweep_fact *list;
	size_t n;
};

/* A long text stands as its digest: only whether it is the same matters. */
static void add(struct facts *f, const char *key, const char *value)
{
	const char *text = value ? value : "";

	if (f->n == FACTS_MAX)
		return; /* not reached: the keys below are fewer */
	if (strlen(text) > PLAIN_BYTES) {
		uint8_t sum[NF_SHA256_BYTES];
		char hex[NF_SHA256_HEX];
		struct nf_sha256 s;

		nf_sha256_init(&s);
		nf_sha256_add(&s, text, strlen(text));
		nf_sha256_done(&s, sum);
		nf_sha256_hex(sum, hex);
		text = nf_arena_printf(f->a, "sha256 %s", hex);
	}
	f->list[f->n++] = (struct nf_rec_sweep_fact){ key, nf_arena_strdup(f->a, text) };
}

static void add_number(struct facts *f, const char *key, uint64_t v)
{
	add(f, key, nf_arena_printf(f->a, "%" PRIu64, v));
}

/* What runs, over all points: one text, an item a line. */
static int add_commands(struct facts *f, const struct nf_bench_sweep_opts *s, struct nf_err *err)
{
	struct nf_buf command, around;

	nf_buf_init(&command, TEXT_BYTES);
	nf_buf_init(&around, TEXT_BYTES);
	for (size_t i = 0; i < s->bench.n_variants; i++) {
		const struct nf_variant *v = &s->bench.variant[i];
		size_t n = 0;

		while (v->argv && v->argv[n])
			n++;
		if (n > 0)
			nf_bench_words_join(v->argv, n, &command);
		(void)nf_buf_addf(&command, "%s%s%s%s %u%s", v->shell ? "sh: " : "",
		                  v->shell ? v->shell : "", v->bench ? v->bench : "",
		                  v->program ? v->program : "", v->threads,
		                  i + 1 < s->bench.n_variants ? "\n" : "");
		(void)nf_buf_addf(&around, "%s|%s|%s|%s|%s|%d|%" PRId64 "|%d|%s%s%s\n",
		                  v->setup ? v->setup : "", v->prepare ? v->prepare : "",
		                  v->cleanup ? v->cleanup : "", v->input ? v->input : "",
		                  v->output ? v->output : "", v->any_status, v->timeout_ns,
		                  v->report_form, v->report_file ? v->report_file : "",
		                  v->better ? "|" : "", nf_better_names[v->better]);
	}
	add(f, "command", command.data);
	add(f, "prepare, cleanup, input, timeout or report", around.data);
	int r = nf_buf_failed(&command, "the commands of a sweep", err);
	if (r == 0)
		r = nf_buf_failed(&around, "the commands of a sweep", err);
	nf_buf_fini(&command);
	nf_buf_fini(&around);
	return r;
}

static int add_points(struct facts *f, const struct nf_sweep *s, struct nf_err *err)
{
	struct nf_buf text;

	nf_buf_init(&text, TEXT_BYTES);
	for (size_t k = 0; k < s->n_knobs; k++)
		(void)nf_buf_addf(&text, "%s%s %s", k ? ", " : "", s->knob[k].name,
		                  s->knob[k].is_arg ? "arg" : "env");
	add(f, "knobs", text.data);
	int r = nf_buf_failed(&text, "the points of a sweep", err);
	nf_buf_clear(&text);
	for (size_t p = 0; p < s->n_points; p++)
		(void)nf_buf_addf(&text, "%s%s", p ? "; " : "", s->point[p].label);
	add(f, "points", text.data);
	if (r == 0)
		r = nf_buf_failed(&text, "the points of a sweep", err);
	nf_buf_fini(&text);
	add(f, "base", s->point[s->base].label);
	return r;
}

int nf_sweep_facts(const struct nf_bench_sweep_opts *s, const struct nf_list *programs,
                   const struct nf_posture *host, struct nf_arena *a, struct nf_list *ret,
                   struct nf_err *err)
{
	const struct nf_rec_sweep_program *p = programs->items;
	struct facts f = { .a = a, .list = nf_arena_alloc(a, FACTS_MAX, sizeof(*f.list)) };
	struct nf_buf sums;

	if (!f.list)
		return nf_arena_failed(a, "record", err);
	int r = add_points(&f, s->sweep, err);
	if (r == 0)
		r = add_commands(&f, s, err);
	nf_buf_init(&sums, TEXT_BYTES);
	for (size_t i = 0; i < programs->n; i++)
		(void)nf_buf_addf(&sums, "%s%s", i ? " " : "", p[i].sha256);
	add(&f, "program's digest", sums.data);
	if (r == 0)
		r = nf_buf_failed(&sums, "the programs of a sweep", err);
	nf_buf_fini(&sums);
	add_number(&f, "--sets", s->bench.sets);
	add_number(&f, "--iters", s->bench.iters);
	add_number(&f, "--seed", s->bench.seed);
	add(&f, "--delta", nf_arena_printf(a, "%.17g", s->bench.delta));
	add(&f, "host", host->host_name);
	add(&f, "CPU", host->cpu_model);
	add(&f, "kernel", host->kernel_release);
	if (r == 0)
		r = nf_arena_failed(a, "record", err);
	if (r == 0)
		*ret = (struct nf_list){ f.list, f.n };
	return r;
}

int nf_sweep_facts_same(const struct nf_list *then, const struct nf_list *now, const char *run,
                        struct nf_err *err)
{
	const struct nf_rec_sweep_fact *a = then->items, *b = now->items;
	char had[NF_QUOTED], has[NF_QUOTED];

	for (size_t i = 0; i < now->n; i++) {
		const char *was = "";

		for (size_t k = 0; k < then->n; k++)
			if (strcmp(a[k].key, b[i].key) == 0)
				was = a[k].value;
		if (strcmp(was, b[i].value) == 0)
			continue;
		nf_quote(was, had);
		nf_quote(b[i].value, has);
		return nf_fail(err, NF_EARG,
		               "--resume %.*s: it has another %s: %s, not %s; allowed: the same "
		               "sweep",
		               NF_UTF8_CUT(run, 120), b[i].key, had, has);
	}
	return 0;
}
