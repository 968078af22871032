/* SPDX-License-Identifier: MIT */
#include "job/bench_sets.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/sysio.h"
#include "base/utf8.h"
#include "bench/interchange.h"
#include "bench/set_posture.h"
#include "job/bench_decide.h"
#include "noisefloor/location.h"

enum {
	RESERVE_BYTES = 4 << 20, /* the record and its forms */
	SHELL_STARTS = 20, /* about so many of each variant are timed */
};

/* --- what is declared --- */

static struct nf_list copy_texts(struct nf_arena *a, const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	const char **item = nf_arena_alloc(a, n ? n : 1, sizeof(*item));
	for (size_t i = 0; item && i < n; i++)
		item[i] = nf_arena_strdup(a, list[i]);
	return (struct nf_list){ item, item ? n : 0 };
}

static void declare(struct nf_arena *a, const struct nf_variant *v,
                    struct nf_rec_bench_variant *ret)
{
	*ret = (struct nf_rec_bench_variant){
		.label = nf_arena_strdup(a, v->label),
		.backend = (int)v->backend,
		.bench = nf_arena_strdup(a, v->bench),
		.program = nf_arena_strdup(a, v->program),
		.argv = copy_texts(a, v->argv),
		.shell = nf_arena_strdup(a, v->shell),
		.env = copy_texts(a, v->env),
		.setup = nf_arena_strdup(a, v->setup),
		.prepare = nf_arena_strdup(a, v->prepare),
		.cleanup = nf_arena_strdup(a, v->cleanup),
		.input = nf_arena_strdup(a, v->input),
		.output = nf_arena_strdup(a, v->output),
		.report_form = v->backend != NF_BACKEND_REPORT ? NULL
		               : v->report_form == NF_INTERCHANGE_AUTO
		                       ? "auto"
		                       : nf_interchange_names[v->report_form],
		.report_file = nf_arena_strdup(a, v->report_file),
		.better = v->better ? nf_better_names[v->better] : NULL,
		.any_status = v->any_status,
	};
	if (v->threads)
		ret->threads = nf_some_nat(v->threads);
	if (v->timeout_ns > 0)
		ret->timeout_ns = nf_some_nat((uint64_t)v->timeout_ns);
}

static int choose_backend(struct nf_bench_sets *b, struct nf_err *err)
{
	const struct nf_backend *const *backends =
	        b->opts->backends ? b->opts->backends : nf_backends;

	if (b->n_variants == 0 || b->n_variants > NF_BENCH_VARIANTS_MAX)
		return nf_fail(err, NF_EARG, "%zu benchmarks or sides at once; allowed: 1 to %d",
		               b->n_variants, NF_BENCH_VARIANTS_MAX);
	b->backend = backends[b->variant[0].backend];
	if (!b->backend)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "this build has no benchmarks of this kind; "
		               "commands can be run");
	for (size_t i = 0; i < b->n_variants; i++) {
		int r = b->backend->check(&b->variant[i], err);

		if (r < 0)
			return r;
	}
	return 0;
}

/* One for all of them, which add to it. */
static int make_output(const struct nf_job_opts *o, const char *path, struct nf_err *err)
{
	int r = 0, fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0 && errno == EEXIST)
		return nf_fail(err, NF_EEXIST, "output: %s exists already", path);
	if (fd < 0)
		return nf_errno_is_of_path(errno)
		               ? nf_fail(err, NF_EARG, "output: %s: %s; allowed: a new file", path,
		                         strerror(errno))
		               : nf_fail_os(err, errno, "output: %s", path);
	if (o->owner_uid != -1 && fchown(fd, (uid_t)o->owner_uid, (gid_t)o->owner_gid) < 0)
		r = nf_fail_os(err, errno, "cannot give %s to user %d", path, o->owner_uid);
	close(fd);
	return r;
}

int nf_bench_sets_open(struct nf_bench_sets *b, const struct nf_job_opts *o,
                       const struct nf_bench_opts *opts, const struct nf_variant *variant,
                       size_t n_variants, size_t group_size, struct nf_err *err)
{
	b->opts = opts;
	b->variant = variant;
	b->n_variants = n_variants;
	b->group_size = group_size;
	int r = nf_session_open(&b->session, o, err);
	nf_cpuset_init(&b->cpus);
	if (r == 0 && opts->cpus)
		r = nf_topology_select(b->session.topo, opts->cpus, &b->cpus, err);
	if (r == 0)
		r = choose_backend(b, err);
	if (r < 0)
		return r;
	b->session.seed = opts->seed;
	nf_rng_seed(&b->rng, opts->seed);
	b->rec_variant = nf_arena_alloc(&b->session.arena, n_variants, sizeof(*b->rec_variant));
	if (b->rec_variant)
		for (size_t i = 0; i < n_variants; i++)
			declare(&b->session.arena, &variant[i], &b->rec_variant[i]);
	return nf_arena_failed(&b->session.arena, "record", err);
}

int nf_bench_sets_folder(struct nf_bench_sets *b, struct nf_err *err)
{
	return nf_session_folder(&b->session, RESERVE_BYTES, err);
}

void nf_bench_sets_close(struct nf_bench_sets *b)
{
	free(b->set);
	nf_set_watch_free(b->watch);
	nf_cpuset_fini(&b->cpus);
	nf_session_close(&b->session);
}

bool nf_bench_sets_failed(const struct nf_bench_sets *b, size_t variant)
{
	size_t first = variant - variant % b->group_size;

	for (size_t i = first; i < first + b->group_size && i < b->n_variants; i++)
		if (b->rec_variant[i].failure)
			return true;
	return false;
}

/* --- one set --- */

static int run_set(struct nf_bench_sets *b, size_t variant, size_t n_values, bool first,
                   struct nf_set *ret, uint64_t *ret_seed, struct nf_err *err)
{
	const struct nf_cpuset *cpus = b->opts->cpus ? &b->cpus : NULL;
	int r = b->watch ? 0 : nf_set_watch_open(cpus, &b->watch, err);

	if (r < 0)
		return r;
	const struct nf_set_cfg cfg = {
		.watch = b->watch,
		.seed = nf_rng_next(&b->rng),
		.cpus = cpus,
		.n_values = n_values,
		.set_up = first,
		.warm_up = b->variant[variant].backend == NF_BACKEND_BUILTIN,
		.weigh = first,
		.min_iteration_ns = b->opts->min_iteration_ns,
		.stop = b->session.opts->stop,
	};

	*ret_seed = cfg.seed;
	r = b->backend->run(&b->variant[variant], &cfg, ret, err);
	if (r < 0)
		return r;
	if (ret->stopped || nf_stop_signo(b->session.opts->stop))
		b->session.stopped_by = nf_stop_signo(b->session.opts->stop);
	struct nf_rec_bench_variant *v = &b->rec_variant[variant];
	if (ret->unsupported && first)
		v->unsupported = nf_arena_strdup(&b->session.arena, ret->why);
	else if (ret->failed && !v->failure)
		v->failure = nf_arena_strdup(&b->session.arena, ret->why);
	if (!v->unit && ret->n > 0) {
		v->unit = nf_arena_strdup(&b->session.arena, ret->unit ? ret->unit : "ns");
		v->higher_is_better = ret->larger_is_better;
	} else if (ret->n > 0 && !v->failure && strcmp(v->unit, ret->unit) != 0) {
		v->failure =
		        nf_arena_printf(&b->session.arena, "values in %.*s after values in %.*s",
		                        NF_UTF8_CUT(ret->unit, 40), NF_UTF8_CUT(v->unit, 40));
	}
	if (ret->n > 0 && !v->failure && v->higher_is_better != ret->larger_is_better)
		v->failure = nf_arena_strdup(&b->session.arena,
		                             "it changed which way is better between sets");
	return nf_arena_failed(&b->session.arena, "record", err);
}

static struct nf_list copy_reals(struct nf_arena *a, const double *x, size_t n)
{
	double *item = nf_arena_alloc(a, n ? n : 1, sizeof(*item));

	for (size_t i = 0; x && i < n; i++)
		if (!isfinite(x[i]) || x[i] < 0)
			return (struct nf_list){ 0 };
	if (item && x && n)
		memcpy(item, x, n * sizeof(*item));
	return (struct nf_list){ item, item && x ? n : 0 };
}

static struct nf_list copy_statuses(struct nf_arena *a, const int *x, size_t n)
{
	uint64_t *item = nf_arena_alloc(a, n ? n : 1, sizeof(*item));

	for (size_t i = 0; item && x && i < n; i++)
		item[i] = (uint64_t)(unsigned)x[i];
	return (struct nf_list){ item, item && x ? n : 0 };
}

static struct nf_some_real known(double v)
{
	return isfinite(v) && v >= 0 ? nf_some_real(v) : (struct nf_some_real){ 0 };
}

static struct nf_some_nat known_count(int64_t v)
{
	return v >= 0 ? nf_some_nat((uint64_t)v) : (struct nf_some_nat){ 0 };
}

static struct nf_list copy_facts(struct nf_arena *a, const struct nf_set *s)
{
	struct nf_rec_bench_fact *item =
	        nf_arena_alloc(a, s->n_facts ? s->n_facts : 1, sizeof(*item));

	for (size_t i = 0; item && i < s->n_facts; i++) {
		const struct nf_set_fact *f = &s->fact[i];

		item[i] = (struct nf_rec_bench_fact){ .name = nf_arena_strdup(a, f->name) };
		if (f->text[0])
			item[i].text = nf_arena_strdup(a, f->text);
		else
			item[i].value = nf_some_real(f->value);
	}
	return (struct nf_list){ item, item ? s->n_facts : 0 };
}

static void record_posture(const struct nf_set_posture *p, struct nf_rec_bench_posture *ret)
{
	*ret = (struct nf_rec_bench_posture){
		.steal_s = known(p->steal_s),
		.throttled_s = known(p->throttled_s),
		.mhz_before = known(p->mhz_before),
		.mhz_after = known(p->mhz_after),
		.load_before = known(p->load_before),
		.context_switches = known_count(p->context_switches),
		.migrations = known_count(p->migrations),
	};
}

static int room_for_set(struct nf_bench_sets *b, struct nf_err *err)
{
	if (b->n_sets < b->cap_sets)
		return 0;
	size_t cap = b->cap_sets ? 2 * b->cap_sets : 64;
	void *p = reallocarray(b->set, cap, sizeof(*b->set));

	if (!p)
		return nf_fail_nomem(err, "the sets of a run", cap * sizeof(*b->set));
	b->set = p;
	b->cap_sets = cap;
	return 0;
}

static int keep_set(struct nf_bench_sets *b, const struct nf_bench_slot *slot, uint64_t seed,
                    double started_s, const struct nf_set *s, struct nf_err *err)
{
	struct nf_arena *a = &b->session.arena;
	double median;

	int r = room_for_set(b, err);

	if (r < 0)
		return r;
	struct nf_rec_bench_set *rec = &b->set[b->n_sets];
	*rec = (struct nf_rec_bench_set){
		.variant = slot->variant,
		.row = slot->row,
		.seed = nf_arena_printf(a, "%" PRIu64, seed),
		.started_s = started_s,
		.wall_ns = (uint64_t)s->wall_ns,
		.operations = s->operations,
		.warm_up = nf_some_real(s->warm_up),
		.values = copy_reals(a, s->value, s->n),
		.user_ns = copy_reals(a, s->user_ns, s->n),
		.system_ns = copy_reals(a, s->system_ns, s->n),
		.peak_bytes = copy_reals(a, s->peak_bytes, s->n),
		.wait_status = copy_statuses(a, s->wait_status, s->n),
		.facts = copy_facts(a, s),
		.stopped = s->stopped,
		.failure = s->failed ? nf_arena_strdup(a, s->why) : NULL,
	};
	record_posture(&s->posture, &rec->posture);
	if (rec->values.n != s->n)
		return nf_fail(err, NF_EDATA, "a set gave a value that is no number above 0");
	if (s->n > 0) {
		r = nf_median(s->value, s->n, &median, err);
		if (r < 0)
			return r;
		rec->median = nf_some_real(median);
	}
	b->n_sets++;
	return nf_arena_failed(a, "record", err);
}

int nf_bench_sets_restore(struct nf_bench_sets *b, const struct nf_rec_bench_set *set,
                          struct nf_err *err)
{
	int r = room_for_set(b, err);

	if (r < 0)
		return r;
	b->set[b->n_sets++] = *set;
	(void)nf_rng_next(&b->rng); /* its seed was drawn */
	if (set->failure && !b->rec_variant[set->variant].failure)
		b->rec_variant[set->variant].failure = set->failure;
	return 0;
}

int nf_bench_sets_know(struct nf_bench_sets *b, size_t variant, struct nf_some_nat pilot_ns,
                       const char *unit, bool higher_is_better, const char *failure,
                       struct nf_err *err)
{
	struct nf_rec_bench_variant *v = &b->rec_variant[variant];
	struct nf_arena *a = &b->session.arena;

	(void)nf_rng_next(&b->rng);
	v->pilot_ns = pilot_ns;
	v->failure = nf_arena_strdup(a, failure);
	v->unit = nf_arena_strdup(a, unit);
	v->higher_is_better = higher_is_better;
	return nf_arena_failed(a, "record", err);
}

/* --- many --- */

static void know_pilot(const struct nf_set *set, struct nf_rec_bench_variant *ret)
{
	ret->pilot_ns = nf_some_nat((uint64_t)set->wall_ns);
	ret->tree_peak_method = (int)set->tree_method;
	ret->tree_peak_samples = set->tree_samples;
	if (set->tree_method != NF_TREE_UNKNOWN)
		ret->tree_peak_bytes = nf_some_real(set->tree_bytes);
}

/* Of a group that can be had in part the rest has failed: a comparison with it would be silently missing. */
static void settle_group(struct nf_bench_sets *b, size_t first)
{
	size_t end = first + b->group_size, n = 0;

	end = end < b->n_variants ? end : b->n_variants;
	for (size_t i = first; i < end; i++)
		n += b->rec_variant[i].unsupported != NULL;
	for (size_t i = first; i < end && n < end - first; i++) {
		struct nf_rec_bench_variant *v = &b->rec_variant[i];

		if (v->unsupported && !v->failure)
			v->failure = v->unsupported;
		v->unsupported = NULL;
	}
}

static int settle_unsupported(struct nf_bench_sets *b, struct nf_err *err)
{
	const struct nf_rec_bench_variant *v = b->rec_variant;
	size_t n = 0;

	for (size_t i = 0; i < b->n_variants; i += b->group_size)
		settle_group(b, i);
	for (size_t i = 0; i < b->n_variants; i++)
		n += v[i].unsupported != NULL;
	if (n < b->n_variants)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (strcmp(v[i].unsupported, v[0].unsupported) != 0)
			return nf_fail(err, NF_EUNSUPPORTED,
			               "none of %zu can be had here; %.*s: %s", n,
			               NF_UTF8_CUT(v[0].label, 60), v[0].unsupported);
	return nf_fail(err, NF_EUNSUPPORTED, "%.*s: %s",
	               NF_UTF8_CUT(v[0].bench ? v[0].bench : v[0].label, 60), v[0].unsupported);
}

int nf_bench_sets_pilot(struct nf_bench_sets *b, struct nf_bench_cost *ret, struct nf_err *err)
{
	struct nf_bench_cost cost = { 0 };
	int r = b->opts->output ? make_output(b->session.opts, b->opts->output, err) : 0;

	for (size_t i = 0; r == 0 && i < b->n_variants && !b->session.stopped_by; i++) {
		struct nf_set set = { 0 };
		uint64_t seed;

		if (nf_bench_sets_failed(b, i))
			continue;
		r = run_set(b, i, 1, true, &set, &seed, err);
		if (r < 0)
			break;
		if (b->rec_variant[i].unsupported) {
			nf_set_fini(&set);
			continue;
		}
		double wall = (double)set.wall_ns, value = 0;
		if (set.n > 0 && strcmp(set.unit ? set.unit : "ns", "ns") == 0)
			value = set.value[0] * (double)set.operations;
		value = value < wall ? value : wall;
		cost.fixed_ns += wall - value;
		cost.value_ns += value;
		if (!set.failed)
			know_pilot(&set, &b->rec_variant[i]);
		nf_set_fini(&set);
	}
	if (r == 0 && !b->session.stopped_by)
		r = settle_unsupported(b, err);
	cost.spent_ns = (double)nf_session_elapsed_ns(&b->session);
	if (r == 0)
		*ret = cost;
	return r;
}

int nf_bench_sets_plan(struct nf_bench_sets *b, const struct nf_bench_want *w,
                       const struct nf_bench_cost *c, struct nf_rec_bench_plan *ret,
                       struct nf_err *err)
{
	struct nf_buf line;
	size_t n = 0;
	int r = nf_bench_plan_make(w, c, &b->plan, err);

	if (r < 0)
		return r;
	*ret = (struct nf_rec_bench_plan){
		.sets = b->plan.sets,
		.iterations = b->plan.iters,
		.sets_asked = b->plan.sets_asked,
		.iterations_asked = b->plan.iters_asked,
		.min_iteration_ns = (uint64_t)b->opts->min_iteration_ns,
		.max_time_ns = (uint64_t)w->max_time_ns,
		.cpus = b->opts->cpus ? nf_arena_strdup(&b->session.arena, b->opts->cpus) : NULL,
		.estimate_s = b->plan.estimate_ns / 1e9,
		.order = ret->order,
	};
	if (!b->opts->say)
		return 0;
	nf_buf_init(&line, 512);
	for (size_t i = 0; i < b->n_variants; i++)
		n += !b->rec_variant[i].unsupported;
	nf_buf_addf(&line, "%zu variant%s, %zu sets of %zu value%s each: about ", n,
	            n == 1 ? "" : "s", b->plan.sets, b->plan.iters, b->plan.iters == 1 ? "" : "s");
	(void)nf_duration_print_short(b->plan.estimate_ns, &line);
	if (b->plan.sets < b->plan.sets_asked || b->plan.iters < b->plan.iters_asked)
		nf_buf_addf(&line, " (%zu of %zu do not fit --max-time)", b->plan.sets_asked,
		            b->plan.iters_asked);
	if (b->plan.extends)
		nf_buf_adds(&line, ", up to three times that if undecided");
	b->opts->say(b->opts->say_ctx, line.data);
	nf_buf_fini(&line);
	return 0;
}

static void tell(const struct nf_bench_sets *b)
{
	const struct nf_job_watch *w = b->session.opts->watch;

	if (w && w->step_progress && b->planned)
		w->step_progress(w->ctx, "bench", (double)b->done / (double)b->planned);
}

/* What a shell alone takes, as a set of its own: before some of the sets, spread over the run, of
 * commands that have one. A stop request gives none. */
static int time_shell(struct nf_bench_sets *b, const struct nf_bench_slot *slot,
                      struct nf_some_real *ret_ns, struct nf_err *err)
{
	const struct nf_variant *of = &b->variant[slot->variant];
	const struct nf_variant v = { .label = "shell", .shell = ":", .env = of->env };
	const struct nf_set_cfg cfg = {
		.seed = b->opts->seed + slot->row,
		.cpus = b->opts->cpus ? &b->cpus : NULL,
		.n_values = 1,
		.stop = b->session.opts->stop,
	};
	size_t step = (b->plan.sets + SHELL_STARTS - 1) / SHELL_STARTS;
	struct nf_set set = { 0 };

	if (!of->shell || (step > 0 && slot->row % step != 0))
		return 0;
	int r = nf_backends[NF_BACKEND_COMMAND]->run(&v, &cfg, &set, err);
	if (r < 0)
		return r;
	if (set.n == 1 && !set.failed)
		*ret_ns = nf_some_real(set.value[0]);
	nf_set_fini(&set);
	return 0;
}

int nf_bench_sets_run(struct nf_bench_sets *b, const struct nf_bench_slot *slot, size_t n,
                      struct nf_err *err)
{
	const struct nf_job_watch *w = b->session.opts->watch;
	int r = 0;

	b->planned += n;
	if (w && w->step_begin && b->done == 0)
		w->step_begin(w->ctx, "bench", (int64_t)b->plan.estimate_ns);
	for (size_t i = 0; r == 0 && i < n; i++, b->done++) {
		struct nf_set set = { 0 };
		uint64_t seed = 0;

		tell(b);
		if (b->session.stopped_by || nf_stop_signo(b->session.opts->stop)) {
			b->session.stopped_by = nf_stop_signo(b->session.opts->stop);
			break;
		}
		if (nf_bench_sets_failed(b, slot[i].variant) ||
		    b->rec_variant[slot[i].variant].unsupported)
			continue;
		struct nf_some_real shell_ns = { 0 };
		r = time_shell(b, &slot[i], &shell_ns, err);
		double started_s = (double)nf_session_elapsed_ns(&b->session) / 1e9;
		if (r == 0 && b->keep)
			r = b->keep->begin(b->keep->ctx, &slot[i], err);
		if (r == 0)
			r = run_set(b, slot[i].variant, b->plan.iters, false, &set, &seed, err);
		if (r < 0)
			break;
		r = keep_set(b, &slot[i], seed, started_s, &set, err);
		if (r == 0)
			b->set[b->n_sets - 1].shell_ns = shell_ns;
		if (r == 0 && b->keep && !set.stopped)
			r = b->keep->done(b->keep->ctx, &b->set[b->n_sets - 1], err);
		nf_set_fini(&set);
	}
	return r;
}
