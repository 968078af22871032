/* SPDX-License-Identifier: MIT */
#include "measure/probe_numa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure/numa_bandwidth.h"
#include "measure/numa_layout.h"
#include "measure/numa_plan.h"
#include "measure/numa_start.h"
#include "measure/numa_team.h"

enum {
	STARTS_MAX = 31, /* repetitions of starting the threads */
	TEAM_WARM_ROUNDS = 3,
};

/* Streams in order; the pairs of nodes follow. */
enum {
	S_SERIAL,
	S_PARALLEL,
	S_LIMIT,
	S_THREAD_START,
	S_BEGIN, /* when each of the first three began: as many streams, in their order */
	N_FIXED_STREAMS = S_BEGIN + 3,
};

struct numa_run {
	const struct nf_probe_env *env;
	const struct nf_numa_cfg *cfg;
	const struct nf_numa_plan *plan;
	const struct nf_reduce *reduce;
	struct nf_numa_layout layout;
	struct nf_numa_bandwidth bandwidth;
	struct nf_team team;
	struct nf_stream *stream; /* borrowed from the run */
	struct nf_numa_pages pages;
	bool pages_refused;
	struct nf_err pages_why;
	bool have_sums;
	double serial_sum;
	double parallel_sum;
	double volatile sink; /* keeps sums that nobody looks at */
	size_t n_pairs_read; /* completely */
	uint64_t n_unequal; /* repetitions whose sums were not those of the first */
	int64_t origin_ns; /* instants count from here */
	int64_t wall_ns;
	double overhead_ns;
};

const char *nf_placement_name(enum nf_placement p)
{
	static const char *const names[] = {
		[NF_PLACE_FLAT] = "flat",
		[NF_PLACE_LOCAL] = "local",
		[NF_PLACE_INTERLEAVE] = "interleave",
		[NF_PLACE_REMOTE] = "remote",
	};

	return (unsigned)p < sizeof(names) / sizeof(names[0]) ? names[p] : "unknown";
}

/* --- threads --- */

static double empty_region_ns(void)
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < 1000; i++) {
		int64_t t0 = nf_now_raw().ns;
		int64_t d = nf_now_raw().ns - t0;

		best = d < best ? d : best;
	}
	return (double)best;
}

/* The leader writes the matrix (first touch) and asks where it went. */
static int numa_prepare(void *ctx, size_t i, struct nf_err *err)
{
	struct numa_run *w = ctx;
	int rc;

	if (i != 0)
		return 0;
	for (size_t s = 0; s < N_FIXED_STREAMS + w->bandwidth.n_reads; s++)
		if (s != S_THREAD_START)
			nf_stream_prefault(&w->stream[s]);
	nf_numa_layout_fill(&w->layout, w->cfg->rate_hz, w->cfg->common.seed);
	w->overhead_ns = empty_region_ns();
	rc = nf_numa_layout_pages(&w->layout, w->cfg->placement, w->plan->node[0], &w->pages,
	                          &w->pages_why);
	if (rc == -NF_EUNSUPPORTED) {
		w->pages_refused = true;
		return 0;
	}
	if (rc < 0 && err)
		*err = w->pages_why;
	return rc;
}

/* Each thread alone on its own part. */
static void numa_warm(void *ctx, size_t i, const struct nf_crew_gate *g)
{
	struct numa_run *w = ctx;
	const struct nf_team_job own = { w->layout.parallel.piece, w->layout.parallel.first + i,
		                         false };
	double sum = 0;

	while (nf_crew_warm(g))
		sum += nf_team_reduce_alone(w->reduce, &own, 1);
	__asm__ volatile("" : : "g"(&sum) : "memory");
}

static int64_t time_alone(const struct numa_run *w, const struct nf_team_job *job, double *ret_sum)
{
	int64_t t0 = nf_now_raw().ns;

	*ret_sum = nf_team_reduce_alone(w->reduce, job, 1);
	return nf_now_raw().ns - t0;
}

/* Also of NaNs, and 0 is not -0. */
static bool same_bits(double a, double b)
{
	uint64_t x, y;

	memcpy(&x, &a, sizeof(x));
	memcpy(&y, &b, sizeof(y));
	return x == y;
}

static void repeat_once(struct numa_run *w, struct nf_rng *rng)
{
	int order[] = { S_SERIAL, S_PARALLEL, S_LIMIT };
	double serial = 0, parallel = 0, limit = 0;

	for (uint64_t i = 2; i > 0; i--) {
		uint64_t j = nf_rng_below(rng, i + 1);
		int t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	for (int i = 0; i < 3; i++) {
		int64_t ns;

		if (order[i] == S_SERIAL)
			ns = time_alone(w, &w->layout.serial, &serial);
		else if (order[i] == S_PARALLEL)
			ns = nf_team_reduce(&w->team, &w->layout.parallel, &parallel);
		else
			ns = time_alone(w, &w->layout.limit, &limit);
		nf_stream_put(&w->stream[S_BEGIN + order[i]], nf_now_raw().ns - ns - w->origin_ns);
		nf_stream_put(&w->stream[order[i]], ns);
	}
	w->sink = limit;
	if (!w->have_sums) {
		w->serial_sum = serial;
		w->parallel_sum = parallel;
		w->have_sums = true;
	} else if (!same_bits(serial, w->serial_sum) || !same_bits(parallel, w->parallel_sum)) {
		w->n_unequal++;
	}
}

/* Until all are read, the time for it is over or a stop is asked for. */
static void read_nodes(struct numa_run *w)
{
	struct nf_instant start = nf_now_raw();
	double sum;

	for (size_t i = 0; i < w->bandwidth.n_reads; i++) {
		for (size_t k = 0; k <= w->bandwidth.reads.repeats; k++) {
			if (nf_stop_signo(w->env->stop) ||
			    nf_since_ns(start, nf_now_raw()) > NF_NUMA_READS_MAX_NS)
				return;
			int64_t ns = nf_team_reduce(&w->team, &w->bandwidth.read[i].job, &sum);

			w->sink = sum;
			if (k > 0)
				nf_stream_put(&w->stream[N_FIXED_STREAMS + i], ns);
		}
		w->n_pairs_read++;
	}
}

static void lead(struct numa_run *w)
{
	struct nf_rng rng;
	double sum;

	nf_rng_seed(&rng, w->cfg->common.seed);
	for (int i = 0; i < TEAM_WARM_ROUNDS; i++) {
		(void)nf_team_reduce(&w->team, &w->layout.parallel, &sum);
		w->sink = sum;
	}
	int64_t t0 = nf_now_raw().ns;

	w->origin_ns = t0;
	for (int i = S_BEGIN; i < N_FIXED_STREAMS; i++)
		w->stream[i].origin_tick = (uint64_t)t0;
	for (int64_t r = 0; r < w->cfg->repetitions && !nf_stop_signo(w->env->stop); r++)
		repeat_once(w, &rng);
	read_nodes(w);
	w->wall_ns = nf_now_raw().ns - t0;
	nf_team_dismiss(&w->team);
}

static void numa_measure(void *ctx, size_t i)
{
	struct numa_run *w = ctx;

	if (i == 0)
		lead(w);
	else
		nf_team_serve(&w->team, i);
}

static const struct nf_crew_ops crew_ops = {
	.prepare = numa_prepare,
	.warm = numa_warm,
	.measure = numa_measure,
};

/* --- set-up --- */

static int add_stream(struct nf_probe_run *run, const char *name, size_t cap, struct nf_err *err)
{
	struct nf_stream *s = &run->streams[run->n_streams];
	int rc = nf_stream_init(s, name, cap, err);

	if (rc < 0)
		return rc;
	run->n_streams++;
	snprintf(s->clock, sizeof(s->clock), "monotonic_raw");
	s->cpu = -1;
	s->node = -1;
	s->unit = NF_UNIT_NS;
	s->kind = NF_KIND_DURATION;
	return 0;
}

static int make_streams(struct numa_run *w, struct nf_probe_run *run, struct nf_err *err)
{
	static const char *const names[N_FIXED_STREAMS] = {
		[S_SERIAL] = "numa.serial",
		[S_PARALLEL] = "numa.parallel",
		[S_LIMIT] = "numa.limit",
		[S_THREAD_START] = "numa.thread_start",
		[S_BEGIN + S_SERIAL] = "numa.serial.begin",
		[S_BEGIN + S_PARALLEL] = "numa.parallel.begin",
		[S_BEGIN + S_LIMIT] = "numa.limit.begin",
	};
	size_t reps = (size_t)w->cfg->repetitions;
	size_t n = N_FIXED_STREAMS + w->bandwidth.n_reads;
	int rc = 0;

	run->streams = calloc(n, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "numa streams", n * sizeof(*run->streams));
	for (int i = 0; i < N_FIXED_STREAMS && rc == 0; i++)
		rc = add_stream(run, names[i],
		                i == S_THREAD_START && reps > STARTS_MAX ? STARTS_MAX : reps, err);
	for (size_t i = 0; i < w->bandwidth.n_reads && rc == 0; i++) {
		char name[sizeof(run->streams->name)];

		snprintf(name, sizeof(name), "numa.bandwidth.%d.%d", w->bandwidth.read[i].cpu_node,
		         w->bandwidth.read[i].mem_node);
		rc = add_stream(run, name, w->bandwidth.reads.repeats, err);
		if (rc == 0)
			run->streams[run->n_streams - 1].node = w->bandwidth.read[i].mem_node;
	}
	if (rc < 0)
		return rc;
	for (int i = S_SERIAL; i <= S_LIMIT; i += S_LIMIT - S_SERIAL)
		run->streams[i].cpu = w->plan->cpu[0];
	for (int i = S_BEGIN; i < N_FIXED_STREAMS; i++) {
		struct nf_stream *s = &run->streams[i];

		s->kind = NF_KIND_INSTANT;
		s->cpu = run->streams[i - S_BEGIN].cpu;
		snprintf(s->origin, sizeof(s->origin), "before the first repetition");
	}
	w->stream = run->streams;
	return 0;
}

static int time_starts(struct numa_run *w, struct nf_err *err)
{
	struct nf_stream *s = &w->stream[S_THREAD_START];

	nf_stream_prefault(s);
	for (size_t i = 0; i < s->cap && !nf_stop_signo(w->env->stop); i++) {
		int64_t ns = 0;
		int rc = nf_numa_start_threads(w->env->topo, w->plan->cpu, w->plan->n_threads, &ns,
		                               err);

		if (rc < 0)
			return rc;
		nf_stream_put(s, ns);
	}
	return 0;
}

/* --- results --- */

static int collect(struct numa_run *w, struct nf_probe_run *run, struct nf_err *err)
{
	struct nf_numa_result *res = calloc(1, sizeof(*res));
	size_t n_pairs = w->bandwidth.n_reads;

	if (!res)
		return nf_fail_nomem(err, "numa result", sizeof(*res));
	run->result = res;
	if (n_pairs > 0) {
		res->pair = calloc(n_pairs, sizeof(*res->pair));
		if (!res->pair)
			return nf_fail_nomem(err, "numa pairs", n_pairs * sizeof(*res->pair));
	}
	res->n_channels = w->layout.n_channels;
	res->n_samples = w->layout.n_samples;
	res->rate_hz = w->cfg->rate_hz;
	res->n_partitions = w->plan->n_partitions;
	res->n_threads = w->plan->n_threads;
	res->n_nodes = w->layout.n_nodes;
	res->placement = w->cfg->placement;
	if (w->pages_refused) {
		w->pages.on_node = calloc(w->layout.n_nodes, sizeof(*w->pages.on_node));
		if (!w->pages.on_node)
			return nf_fail_nomem(err, "page counts", w->layout.n_nodes);
		w->pages.unknown = nf_numa_layout_n_pages(&w->layout);
	}
	res->pages_on_node = w->pages.on_node;
	w->pages.on_node = NULL;
	res->pages_unknown = w->pages.unknown;
	res->placement_verified = !w->pages_refused && w->pages.as_asked;
	res->serial_sum = w->serial_sum;
	res->parallel_sum = w->parallel_sum;
	res->difference = w->parallel_sum - w->serial_sum;
	for (size_t i = 0; i < n_pairs; i++)
		res->pair[i] = (struct nf_numa_pair){
			.cpu_node = w->bandwidth.read[i].cpu_node,
			.mem_node = w->bandwidth.read[i].mem_node,
			.bytes = w->bandwidth.read[i].len_bytes,
		};
	res->n_pairs = n_pairs;
	run->wall_ns = w->wall_ns;
	run->overhead_ns = w->overhead_ns;
	run->locked = true;
	for (size_t i = 0; i < w->layout.n_blocks; i++)
		run->locked = run->locked && w->layout.block[i].locked;
	nf_probe_note_unlocked(run);
	return 0;
}

/* Names the nodes whose memory this process may not have. */
static void note_left_out(const struct nf_topology *topo, struct nf_probe_run *run)
{
	char list[120] = "";
	size_t at = 0, n = 0;

	for (size_t i = 0; i < nf_topology_n_nodes(topo); i++) {
		int node = nf_topology_node_os_index(topo, i);

		if (nf_topology_node_allowed(topo, node))
			continue;
		if (at + 12 < sizeof(list))
			at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%d", n ? "," : "",
			                       node);
		n++;
	}
	if (n > 0)
		nf_probe_note(run,
		              "memory of %zu nodes (%s) is not for this process (cpuset.mems): "
		              "left out",
		              n, list);
}

static void note_reads(const struct numa_run *w, struct nf_probe_run *run)
{
	const struct nf_numa_bandwidth *b = &w->bandwidth;

	if (b->reads.n_from < b->n_nodes)
		nf_probe_note(run, "of %zu nodes the threads of the first %zu read memory",
		              b->n_nodes, b->reads.n_from);
	if (b->reads.bytes_max < NF_NUMA_READ_BYTES)
		nf_probe_note(run,
		              "many pairs of nodes: %zu reads of at most %zu KiB a pair, not %d of "
		              "%d KiB",
		              b->reads.repeats, b->reads.bytes_max / 1024, NF_NUMA_READS,
		              NF_NUMA_READ_BYTES / 1024);
	if (w->n_pairs_read < b->n_reads && !nf_stop_signo(w->env->stop))
		nf_probe_note(run, "%zu of %zu pairs of nodes were read within %lld s",
		              w->n_pairs_read, b->n_reads,
		              (long long)(NF_NUMA_READS_MAX_NS / 1000000000));
}

static void add_notes(const struct numa_run *w, struct nf_probe_run *run)
{
	const struct nf_numa_plan *plan = w->plan;
	size_t n_cpus = nf_cpuset_count(&plan->asked);

	nf_probe_note(run, "synthetic signal (10 Hz and uniform noise, seed %llu), reduced with %s",
	              (unsigned long long)w->cfg->common.seed, w->reduce->isa);
	if (plan->n_nodes == 1)
		nf_probe_note(run, "one node: all memory is local, placements differ in name only");
	note_left_out(w->env->topo, run);
	note_reads(w, run);
	if (plan->n_threads < n_cpus)
		nf_probe_note(run, "%zu threads on %zu selected CPUs: one per channel",
		              plan->n_threads, n_cpus);
	if (plan->left_out >= 0)
		nf_probe_note(run, "CPU %d is left to the system", plan->left_out);
	if (w->layout.n_strayed > 0)
		nf_probe_note(run,
		              "%zu partitions belong to nodes without a measured CPU: threads "
		              "of other nodes reduced them",
		              w->layout.n_strayed);
	if (w->pages_refused)
		nf_probe_note(run, "placement not verified: %.190s", w->pages_why.msg);
	else if (!w->pages.as_asked)
		nf_probe_note(run, "placement %s was not granted: pages lie elsewhere",
		              nf_placement_name(w->cfg->placement));
	if (w->n_unequal > 0)
		nf_probe_note(run,
		              "%llu repetitions gave another sum from the same memory in the "
		              "same order: this machine computes or stores wrongly",
		              (unsigned long long)w->n_unequal);
	nf_policy_note_holes(w->env, plan->sched.policy, true, run);
}

static void numa_result_fini(void *result)
{
	struct nf_numa_result *res = result;

	free(res->pages_on_node);
	free(res->pair);
	res->pages_on_node = NULL;
	res->pair = NULL;
}

static int64_t numa_estimate_ns(const struct nf_probe_env *env, const void *config);

static int measure(struct numa_run *w, struct nf_probe_run *run, struct nf_err *err)
{
	const struct nf_numa_plan *plan = w->plan;
	struct nf_crew_member *member = calloc(plan->n_threads, sizeof(*member));
	struct nf_crew_cfg crew = {
		.env = w->env,
		.ops = &crew_ops,
		.ctx = w,
		.sched = plan->sched,
		.warmup_ns = NF_WARMUP_NS,
		.expected_ns = numa_estimate_ns(w->env, w->cfg) - NF_WARMUP_NS,
		.measured = &plan->used,
	};

	if (!member)
		return nf_fail_nomem(err, "numa threads", plan->n_threads * sizeof(*member));
	for (size_t i = 0; i < plan->n_threads; i++)
		member[i].cpu = plan->cpu[i];
	int rc = nf_crew_run(&crew, member, plan->n_threads, run, err);
	free(member);
	return rc;
}

static int numa_run(const struct nf_probe_env *env, const void *config, struct nf_probe_run *ret,
                    struct nf_err *err)
{
	const struct nf_numa_cfg *cfg = config;
	struct nf_numa_plan plan = { 0 };
	struct nf_probe_run run = { 0 };
	struct nf_controller controller = { 0 };
	struct numa_run w = { .env = env, .cfg = cfg, .plan = &plan };
	int rc = nf_numa_plan(env, cfg, &plan, err);

	if (rc < 0)
		return rc;
	w.reduce = nf_reduce_best();
	rc = nf_cpuset_copy(&run.cpus_asked, &plan.asked, err);
	if (rc == 0)
		rc = nf_controller_enter(&controller, env, &plan.used, err);
	if (rc == 0)
		rc = nf_numa_layout_init(&w.layout, env->topo, cfg, plan.n_partitions, plan.node,
		                         plan.n_threads, err);
	if (rc == 0)
		rc = nf_numa_bandwidth_init(&w.bandwidth, env->topo, plan.node, plan.n_threads,
		                            err);
	if (rc == 0)
		rc = nf_team_init(&w.team, plan.n_threads, w.reduce, err);
	if (rc == 0)
		rc = make_streams(&w, &run, err);
	if (rc == 0)
		rc = time_starts(&w, err);
	if (rc == 0)
		rc = measure(&w, &run, err);
	if (rc == 0)
		rc = nf_controller_report(&controller, env, &plan.used, &run, err);
	if (rc == 0)
		rc = collect(&w, &run, err);
	if (rc == 0)
		add_notes(&w, &run);
	nf_controller_leave(&controller);
	free(w.pages.on_node);
	nf_team_fini(&w.team);
	nf_numa_bandwidth_fini(&w.bandwidth);
	nf_numa_layout_fini(&w.layout);
	nf_numa_plan_fini(&plan);
	if (rc < 0)
		nf_probe_run_fini(&nf_probe_numa, &run);
	else
		*ret = run;
	return rc;
}

static void numa_defaults(void *config)
{
	struct nf_numa_cfg *cfg = config;

	*cfg = (struct nf_numa_cfg){
		.common = { .cpus = "allowed", .max_sample_bytes = (size_t)256 << 20 },
		.n_channels = 100,
		.n_samples = 2500,
		.rate_hz = 250,
		.repetitions = 31,
		.placement = NF_PLACE_FLAT,
	};
}

static int numa_check(const struct nf_probe_env *env, const void *config, struct nf_err *err)
{
	struct nf_numa_plan plan = { 0 };
	int rc = nf_numa_plan(env, config, &plan, err);

	if (rc == 0)
		nf_numa_plan_fini(&plan);
	return rc;
}

static int numa_cpus(const struct nf_probe_env *env, const void *config, struct nf_cpuset *ret,
                     struct nf_err *err)
{
	struct nf_numa_plan plan = { 0 };
	int rc = nf_numa_plan(env, config, &plan, err);

	if (rc < 0)
		return rc;
	rc = nf_cpuset_copy(ret, &plan.used, err);
	nf_numa_plan_fini(&plan);
	return rc;
}

/* From rough costs: 0.5 ns per element read, 10 us of waking the threads per repetition, 50 us per
 * thread started, of which there is at most one per channel. */
static int64_t numa_estimate_ns(const struct nf_probe_env *env, const void *config)
{
	const struct nf_numa_cfg *cfg = config;
	double elements = (double)cfg->n_channels * (double)cfg->n_samples;
	double cpus = (double)nf_cpuset_count(nf_topology_allowed(env->topo));
	double threads = cpus < (double)cfg->n_channels ? cpus : (double)cfg->n_channels;
	double reps = (double)cfg->repetitions;
	double read = (double)nf_numa_reads_estimate_ns(nf_topology_n_nodes(env->topo));
	double ns = reps * (elements * 1.5 + 1e4) + read;

	ns += (reps < STARTS_MAX ? reps : STARTS_MAX) * threads * 5e4;
	return NF_WARMUP_NS + (int64_t)(ns < 1e17 ? ns : 1e17);
}

const struct nf_probe nf_probe_numa = {
	.name = "numa",
	.summary = "matrix reduction over the nodes: serial, parallel and the memory's limit",
	.needs = 0,
	.cfg_size = sizeof(struct nf_numa_cfg),
	.defaults = numa_defaults,
	.check = numa_check,
	.estimate_ns = numa_estimate_ns,
	.cpus = numa_cpus,
	.run = numa_run,
	.result_fini = numa_result_fini,
};
