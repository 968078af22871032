/* SPDX-License-Identifier: MIT */
#include "bench/backend_builtin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/utf8.h"
#include "bench/environment.h"
#include "bench/execution.h"
#include "bench/program.h"
#include "bench/set_posture.h"

/* The running executable, also when its file was replaced since. */
#define SELF "/proc/self/exe"

static int check(const struct nf_variant *v, struct nf_err *err)
{
	struct nf_bench_list list = { 0 };

	if (v->prepare || v->cleanup || v->setup)
		return nf_fail(
		        err, NF_EARG,
		        "%s of a benchmark; allowed for commands: a benchmark has a setup of "
		        "its own",
		        v->setup     ? "setup"
		        : v->prepare ? "prepare"
		                     : "cleanup");
	int r = nf_launch_check_input(v->input, err);
	if (r == 0)
		r = nf_bench_list_make(v->program, NULL, &list, err);
	if (r < 0)
		return r;
	const struct nf_bench_row *row = nf_bench_list_find(&list, v->bench);
	if (!row)
		r = nf_bench_list_refuse(&list, v->bench, v->program, err);
	else if (v->threads && (v->threads < row->min_threads || v->threads > row->max_threads))
		r = row->min_threads == row->max_threads
		            ? nf_fail(err, NF_EARG, "%u threads for %s; allowed: %u", v->threads,
		                      row->name, row->min_threads)
		            : nf_fail(err, NF_EARG, "%u threads for %s; allowed: from %u to %u",
		                      v->threads, row->name, row->min_threads, row->max_threads);
	nf_bench_list_fini(&list);
	return r;
}

/* The one answer, as far as it is one. */
static int take_values(const struct nf_frame *f, size_t n_values, struct nf_set *ret,
                       struct nf_err *err)
{
	struct nf_bench_values v;
	struct nf_err why = { 0 };
	const uint8_t *ns;

	if (nf_frame_values(f, &v, &ns, &why) < 0) {
		nf_set_fail(ret, "%s", why.msg);
		return 0;
	}
	if (v.n > n_values || (v.n < n_values && !ret->stopped)) {
		nf_set_fail(ret, "%llu values instead of %zu", (unsigned long long)v.n, n_values);
		return 0;
	}
	int r = nf_set_reserve(ret, (size_t)v.n, false, err);
	if (r < 0)
		return r;
	memcpy(ret->value, ns, (size_t)v.n * sizeof(*ret->value));
	ret->n = (size_t)v.n;
	ret->warm_up = v.warm_up_ns;
	ret->operations = v.operations;
	ret->posture.context_switches = v.context_switches < 0 ? -1 : v.context_switches;
	ret->posture.migrations = v.migrations < 0 ? -1 : v.migrations;
	return 0;
}

/* What stands behind the values. */
static int take_facts(const void *said, size_t len_bytes, size_t at, struct nf_set *ret,
                      struct nf_err *err)
{
	struct nf_bench_fact fact = { .name = "" };
	struct nf_err why = { 0 };
	struct nf_frame f;

	if (at == len_bytes)
		return 0;
	ret->fact = calloc(NF_BENCH_FACTS_MAX, sizeof(*ret->fact));
	if (!ret->fact)
		return nf_fail_nomem(err, "facts", NF_BENCH_FACTS_MAX * sizeof(*ret->fact));
	while (at < len_bytes && !ret->failed) {
		if (ret->n_facts == NF_BENCH_FACTS_MAX) {
			nf_set_fail(ret, "more than %d facts", (int)NF_BENCH_FACTS_MAX);
		} else if (nf_frame_next(said, len_bytes, &at, &f, &why) < 0 ||
		           nf_frame_fact(&f, &fact, &why) < 0) {
			nf_set_fail(ret, "after its answer: %s", why.msg);
		} else {
			struct nf_set_fact *to = &ret->fact[ret->n_facts++];

			*to = (struct nf_set_fact){ .value = fact.value };
			memcpy(to->name, fact.name, sizeof(to->name));
			memcpy(to->text, fact.text, sizeof(to->text));
		}
	}
	return 0;
}

int nf_builtin_judge(const void *said, size_t len_bytes, const struct nf_process_end *end,
                     size_t n_values, struct nf_set *ret, struct nf_err *err)
{
	bool exited_well = WIFEXITED(end->wait_status) && WEXITSTATUS(end->wait_status) == 0;
	struct nf_err why = { 0 };
	struct nf_frame f;
	size_t at = 0;

	ret->stopped = end->stopped;
	if (end->too_much)
		nf_set_fail(ret, "it said more than %d bytes", (int)NF_FRAME_PAYLOAD_MAX);
	/* Whatever reason it gave is the best that there is. */
	bool answered = len_bytes > 0 && nf_frame_next(said, len_bytes, &at, &f, &why) == 0;
	bool refused = answered && (f.type == NF_FRAME_FAIL || f.type == NF_FRAME_UNSUPPORTED);
	ret->unsupported = answered && f.type == NF_FRAME_UNSUPPORTED;
	if (refused && !(f.len_bytes && f.payload[0]))
		nf_set_fail(ret, "it failed without a reason");
	else if (refused)
		nf_set_fail(ret, "%.*s",
		            (int)nf_utf8_cut_bytes((const char *)f.payload, f.len_bytes, 390),
		            (const char *)f.payload);
	if (end->stopped && !answered)
		return 0; /* ended before there was a value */
	if (!exited_well && !end->stopped)
		nf_set_fail_status(ret, NULL, end->wait_status);
	if (len_bytes == 0)
		nf_set_fail(ret, "it ended without an answer");
	else if (!answered)
		nf_set_fail(ret, "%s", why.msg);
	int r = ret->failed ? 0 : take_facts(said, len_bytes, at, ret, err);
	return r || ret->failed ? r : take_values(&f, n_values, ret, err);
}

static void say_timeout(int64_t timeout_ns, struct nf_set *ret)
{
	struct nf_buf text;

	nf_buf_init(&text, 64);
	(void)nf_duration_print(timeout_ns, &text);
	nf_set_fail(ret, "took longer than %s", text.data);
	nf_buf_fini(&text);
}

/* In a process whose environment is made; said is empty. */
static int run_process(const struct nf_variant *v, const struct nf_set_cfg *cfg, char *const *env,
                       struct nf_buf *said, struct nf_set *set, struct nf_err *err)
{
	struct {
		uint8_t head[NF_FRAME_HEAD_BYTES];
		struct nf_bench_request is;
	} request = { .is = { .protocol = NF_BENCH_PROTOCOL,
		              .ask = NF_BENCH_ASK_SET,
		              .threads = v->threads,
		              .warm_up = cfg->warm_up,
		              .seed = cfg->seed,
		              .n_values = cfg->n_values,
		              .min_iteration_ns = cfg->min_iteration_ns } };
	struct nf_process_cfg process = { .program = v->program ? v->program : SELF,
		                          .env = env,
		                          .cpus = cfg->cpus,
		                          .input = v->input,
		                          .output = v->output,
		                          .request = &request,
		                          .request_bytes = sizeof(request),
		                          .timeout_ns = v->timeout_ns,
		                          .stop = cfg->stop };
	struct nf_process_end end = { 0 };

	snprintf(request.is.name, sizeof(request.is.name), "%s", v->bench);
	nf_frame_head(NF_FRAME_REQUEST, &request.is, sizeof(request.is), request.head);
	int r = cfg->watch ? nf_set_watch_begin(cfg->watch, err) : 0;
	if (r == 0)
		r = nf_process_run(&process, said, &end, err);
	if (r == 0 && cfg->watch)
		r = nf_set_watch_end(cfg->watch, &set->posture, err);
	if (r < 0)
		return r;
	set->wall_ns = end.wall_ns;
	if (end.timed_out)
		say_timeout(v->timeout_ns, set);
	return nf_builtin_judge(said->data, said->len_bytes, &end, cfg->n_values, set, err);
}

/* The benchmark's name; NULL in the variant stands for the only one of its program. */
static int resolve(const struct nf_variant *v, struct nf_variant *ret,
                   char name[NF_BENCH_NAME_MAX + 4], struct nf_err *err)
{
	struct nf_bench_list list = { 0 };
	const struct nf_bench_row *row;

	*ret = *v;
	if (v->bench) {
		if (strlen(v->bench) <= NF_BENCH_NAME_MAX)
			return 0;
		return nf_fail(err, NF_EARG, "unknown benchmark '%.*s...'",
		               NF_UTF8_CUT(v->bench, 60));
	}
	int r = nf_bench_list_make(v->program, NULL, &list, err);
	if (r < 0)
		return r;
	row = nf_bench_list_find(&list, NULL);
	if (row) {
		snprintf(name, NF_BENCH_NAME_MAX + 4, "%s", row->name);
		ret->bench = name;
	} else {
		r = nf_bench_list_refuse(&list, NULL, v->program, err);
	}
	nf_bench_list_fini(&list);
	return r;
}

static int run(const struct nf_variant *variant, const struct nf_set_cfg *cfg, struct nf_set *ret,
               struct nf_err *err)
{
	char name[NF_BENCH_NAME_MAX + 4];
	struct nf_environment env = { 0 };
	struct nf_variant v;
	struct nf_set set;
	struct nf_buf said;

	if (cfg->n_values < 1 || cfg->n_values > NF_SET_VALUES_MAX)
		return nf_fail(err, NF_EARG, "a set of %zu values; allowed: 1 to %d", cfg->n_values,
		               (int)NF_SET_VALUES_MAX);
	nf_set_init(&set, "ns");
	nf_buf_init(&said, NF_FRAME_PAYLOAD_MAX + NF_FRAME_HEAD_BYTES);
	int r = resolve(variant, &v, name, err);
	if (r == 0)
		r = nf_environment_make(environ, v.env, cfg->seed, &env, err);
	if (r == 0)
		r = run_process(&v, cfg, env.item, &said, &set, err);
	nf_environment_fini(&env);
	nf_buf_fini(&said);
	if (r < 0)
		nf_set_fini(&set);
	else
		*ret = set;
	return r;
}

const struct nf_backend nf_backend_builtin = { .name = "builtin", .check = check, .run = run };
