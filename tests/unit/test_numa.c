/* SPDX-License-Identifier: MIT */
/* The numa probe: sums, shares and placement. Ratios of two timings of one run are judged, times are not. */
#include <math.h>
#include <pthread.h>

#include "measure/numa_layout.h"
#include "measure/numa_plan.h"
#include "measure/numa_start.h"
#include "measure/numa_team.h"
#include "measure/probe_numa.h"
#include "nf_live.h"

static struct nf_numa_cfg config(void)
{
	struct nf_numa_cfg c;

	memset(&c, 0xff, sizeof(c));
	nf_probe_numa.defaults(&c);
	c.common.seed = 7;
	return c;
}

static struct nf_numa_cfg small_config(void)
{
	struct nf_numa_cfg c = config();

	c.n_channels = 10;
	c.n_samples = 100;
	c.repetitions = 3;
	return c;
}

static struct nf_probe_run run_ok(const struct nf_live *l, const struct nf_numa_cfg *c)
{
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	if (nf_probe_numa.run(&l->env, c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	return run;
}

static const struct nf_stream *stream(const struct nf_probe_run *run, const char *name)
{
	size_t i = 0;

	while (i < run->n_streams && strcmp(run->streams[i].name, name) != 0)
		i++;
	if (i == run->n_streams)
		fail_msg("no stream %s", name);
	return &run->streams[i];
}

static int by_value(const void *a, const void *b)
{
	int64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

static double median(const struct nf_stream *s)
{
	int64_t *v = malloc(s->n * sizeof(*v));

	assert_non_null(v);
	assert_true(s->n % 2 == 1);
	memcpy(v, s->value, s->n * sizeof(*v));
	qsort(v, s->n, sizeof(*v), by_value);
	double m = (double)v[s->n / 2];
	free(v);
	return m;
}

/* --- sums --- */

static void sums_are_right_and_the_same_bits_on_every_instruction_set(void **state)
{
	double buf[400 + 1];
	double *p = buf + 1; /* no alignment but a double's */

	(void)state;
	for (int i = 0; i < 400; i++)
		p[i] = sin(i) * pow(10, i % 7);
	for (size_t n = 0; n <= 150; n++) {
		const struct nf_reduce *first = nf_reduce_at(0), *r;
		long double exact = 0, magnitude = 0;

		for (size_t i = 0; i < 2 * n; i++) {
			exact += (long double)p[i];
			magnitude += fabsl((long double)p[i]);
		}
		double limit = 1e-14 * (double)magnitude;

		assert_true(fabs(first->rows(p, 2, n) - (double)exact) <= limit);
		assert_true(fabs(first->plain(p, 2 * n) - (double)exact) <= limit);
		for (size_t k = 0; (r = nf_reduce_at(k)) != NULL; k++) {
			assert_true(r->rows(p, 2, n) == first->rows(p, 2, n));
			assert_true(r->plain(p, 2 * n) == first->plain(p, 2 * n));
		}
	}
	assert_non_null(nf_reduce_best());
	assert_true(nf_reduce_at(0)->rows(p, 0, 9) == 0);
}

struct server {
	struct nf_team *team;
	size_t member;
};

static void *serve(void *arg)
{
	const struct server *s = arg;

	nf_team_serve(s->team, s->member);
	return NULL;
}

static void a_team_gives_the_sum_that_one_thread_gives_for_the_same_shares(void **state)
{
	enum { N = 5, ROWS = 13, COLS = 37, JOBS = 200 };
	double p[ROWS * COLS];
	struct nf_piece piece[ROWS];
	const size_t first[N + 1] = { 0, 3, 3, 9, 12, ROWS }; /* the second has nothing to do */
	const struct nf_team_job job = { piece, first, false };
	struct nf_team team;
	struct server server[N];
	pthread_t id[N];

	(void)state;
	for (size_t i = 0; i < ROWS * COLS; i++)
		p[i] = sin((double)i) * 1e3;
	for (size_t i = 0; i < ROWS; i++)
		piece[i] = (struct nf_piece){ p + i * COLS, 1, COLS };
	double alone = nf_team_reduce_alone(nf_reduce_best(), &job, N);

	assert_int_equal(nf_team_init(&team, N, nf_reduce_best(), NULL), 0);
	for (size_t i = 1; i < N; i++) {
		server[i] = (struct server){ &team, i };
		assert_int_equal(pthread_create(&id[i], NULL, serve, &server[i]), 0);
	}
	for (int j = 0; j < JOBS; j++) {
		double sum = 0;

		assert_true(nf_team_reduce(&team, &job, &sum) >= 0);
		assert_true(sum == alone);
	}
	nf_team_dismiss(&team);
	for (size_t i = 1; i < N; i++)
		assert_int_equal(pthread_join(id[i], NULL), 0);
	nf_team_fini(&team);
}

/* --- shares --- */

/* Every row exactly once, in the parallel and in the serial job. */
static void assert_covers(const struct nf_numa_layout *l, const struct nf_team_job *job,
                          size_t n_threads)
{
	size_t cols = l->n_samples, rows = 0;
	unsigned char *seen = calloc(l->n_channels, 1);

	assert_non_null(seen);
	for (size_t i = job->first[0]; i < job->first[n_threads]; i++) {
		const struct nf_piece *p = &job->piece[i];
		size_t row = (size_t)(p->p - l->block[0].p) / cols;

		assert_int_equal(p->cols, cols);
		assert_true(p->rows > 0);
		for (size_t r = row; r < row + p->rows; r++) {
			assert_true(r < l->n_channels);
			assert_int_equal(seen[r]++, 0);
			rows++;
		}
	}
	assert_int_equal(rows, l->n_channels);
	free(seen);
}

static void two_nodes(struct nf_rootfs *root, struct nf_topology **topo)
{
	const char *build = getenv("NF_BUILD");
	char path[512];
	struct nf_err e = { 0 };

	snprintf(path, sizeof(path), "%s/tests/fixtures/hosts/server-2node", build ? build : ".");
	assert_int_equal(nf_rootfs_open(root, path, &e), 0);
	if (nf_topology_load(root, topo, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(nf_topology_n_nodes(*topo), 2);
}

static void every_row_is_reduced_once_however_it_is_shared_out(void **state)
{
	const size_t node[] = { 0, 1, 0, 1, 0, 0, 1 };
	struct nf_rootfs root;
	struct nf_topology *topo = NULL;

	(void)state;
	two_nodes(&root, &topo);
	for (int64_t channels = 1; channels <= 12; channels++)
		for (int64_t partitions = 1; partitions <= channels; partitions++)
			for (size_t threads = 1; threads <= 7; threads++) {
				struct nf_numa_cfg c = small_config();
				struct nf_numa_layout l;

				c.n_channels = channels;
				c.n_samples = 3;
				assert_int_equal(nf_numa_layout_init(&l, topo, &c,
				                                     (size_t)partitions, node,
				                                     threads, NULL),
				                 0);
				assert_covers(&l, &l.parallel, threads);
				assert_covers(&l, &l.serial, 1);
				assert_covers(&l, &l.limit, 1);
				assert_int_equal(l.n_strayed,
				                 threads == 1 ? (size_t)partitions / 2 : 0);
				nf_numa_layout_fini(&l);
			}
	nf_topology_free(topo);
	nf_rootfs_close(&root);
}

static void rows_stay_with_the_threads_of_their_node_and_are_shared_evenly(void **state)
{
	const size_t node[] = { 0, 1, 0, 1 };
	struct nf_rootfs root;
	struct nf_topology *topo = NULL;
	struct nf_numa_cfg c = small_config();
	struct nf_numa_layout l;

	(void)state;
	two_nodes(&root, &topo);
	c.n_channels = 100;
	assert_int_equal(nf_numa_layout_init(&l, topo, &c, 2, node, 4, NULL), 0);
	for (size_t t = 0; t < 4; t++) {
		size_t rows = 0;

		for (size_t i = l.parallel.first[t]; i < l.parallel.first[t + 1]; i++) {
			const struct nf_piece *p = &l.parallel.piece[i];
			size_t row = (size_t)(p->p - l.block[0].p) / l.n_samples;

			assert_int_equal(row >= 50, node[t]); /* the second partition's */
			rows += p->rows;
		}
		assert_int_equal(rows, 25);
	}
	nf_numa_layout_fini(&l);
	nf_topology_free(topo);
	nf_rootfs_close(&root);
}

static void threads_are_taken_from_the_nodes_in_turn(void **state)
{
	struct nf_rootfs root;
	struct nf_topology *topo = NULL;
	struct nf_probe_env env = { 0 };
	struct nf_numa_cfg c = config();
	struct nf_numa_plan p = { 0 };
	struct nf_err e = { 0 };
	size_t on[2] = { 0, 0 };

	(void)state;
	two_nodes(&root, &topo);
	env.root = &root;
	env.topo = topo;
	c.n_channels = 5;
	if (nf_numa_plan(&env, &c, &p, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(p.n_nodes, 2);
	assert_int_equal(p.n_partitions, 2);
	assert_int_equal(p.n_threads, 5);
	assert_int_equal(nf_cpuset_count(&p.used), 5);
	for (size_t i = 0; i < p.n_threads; i++) {
		const struct nf_cpu_info *cpu = nf_topology_cpu(topo, p.cpu[i]);

		assert_non_null(cpu);
		assert_int_equal(nf_topology_node_os_index(topo, p.node[i]), cpu->node);
		on[p.node[i]]++;
	}
	assert_int_equal(on[0], 3);
	assert_int_equal(on[1], 2);
	nf_numa_plan_fini(&p);
	nf_topology_free(topo);
	nf_rootfs_close(&root);
}

static void starting_threads_takes_time_and_binds_each(void **state)
{
	const struct nf_live *l = *state;
	int cpu[4], at = nf_cpuset_next(nf_topology_allowed(l->topo), -1);
	int64_t ns = -1;
	struct nf_err e = { 0 };

	for (int i = 0; i < 4; i++)
		cpu[i] = at;
	assert_int_equal(nf_numa_start_threads(l->topo, cpu, 4, &ns, &e), 0);
	assert_true(ns > 0);
	ns = -1;
	cpu[2] = NF_CPU_MAX - 1;
	assert_true(nf_numa_start_threads(l->topo, cpu, 4, &ns, &e) < 0);
	assert_int_equal(ns, -1);
	assert_true(e.msg[0] != '\0');
}

/* --- runs --- */

static void a_run_holds_every_variant_and_the_sums_agree(void **state)
{
	const struct nf_live *l = *state;
	size_t n_cpus = nf_cpuset_count(nf_topology_allowed(l->topo));
	size_t n_nodes = nf_topology_n_nodes(l->topo);
	struct nf_numa_cfg c = config();
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_numa_result *r = run.result;

	assert_int_equal(stream(&run, "numa.serial")->n, 31);
	assert_int_equal(stream(&run, "numa.parallel")->n, 31);
	assert_int_equal(stream(&run, "numa.limit")->n, 31);
	assert_int_equal(stream(&run, "numa.thread_start")->n, 31);
	assert_int_equal(run.n_streams, 7 + r->n_pairs);
	for (size_t i = 0; i < run.n_streams; i++) {
		const struct nf_stream *s = &run.streams[i];

		assert_int_equal(s->unit, NF_UNIT_NS);
		assert_int_equal(s->kind,
		                 strstr(s->name, ".begin") ? NF_KIND_INSTANT : NF_KIND_DURATION);
		assert_string_equal(s->clock, "monotonic_raw");
		assert_false(nf_stream_incomplete(s));
		for (size_t k = 0; k < s->n; k++)
			assert_true(s->value[k] > 0);
	}
	for (size_t i = 0; i < 31; i++) {
		static const char *const variants[] = { "serial", "parallel", "limit" };

		/* A sample begins where it says, and ends before the next of its variant. */
		for (size_t v = 0; v < 3; v++) {
			char name[48];

			snprintf(name, sizeof(name), "numa.%s", variants[v]);
			const struct nf_stream *s = stream(&run, name);
			snprintf(name, sizeof(name), "numa.%s.begin", variants[v]);
			const struct nf_stream *b = stream(&run, name);
			assert_int_equal(b->n, 31);
			assert_true(b->origin_tick > 0);
			assert_true(b->value[i] >= 0);
			if (i > 0)
				assert_true(b->value[i - 1] + s->value[i - 1] <= b->value[i]);
		}
	}
	for (size_t i = 0; i < r->n_pairs; i++) {
		char name[48];

		snprintf(name, sizeof(name), "numa.bandwidth.%d.%d", r->pair[i].cpu_node,
		         r->pair[i].mem_node);
		assert_int_equal(stream(&run, name)->n, 5);
		assert_true(r->pair[i].bytes >= 1 << 20);
	}
	assert_int_equal(r->n_channels, 100);
	assert_int_equal(r->n_samples, 2500);
	assert_int_equal(r->rate_hz, 250);
	assert_int_equal(r->n_nodes, n_nodes);
	assert_int_equal(r->n_partitions, n_nodes);
	assert_int_equal(r->n_threads, n_cpus < 100 ? n_cpus : 100);
	assert_int_equal(run.policy, NF_POLICY_OTHER);
	assert_int_equal(run.stopped_by, 0);
	assert_true(run.wall_ns > 0);
	assert_true(r->difference == r->parallel_sum - r->serial_sum);
	/* 250,000 elements of magnitude 30 at most, in another order. */
	assert_true(fabs(r->difference) <= 250000 * 30.0 * 1e-13);
	assert_true(isfinite(r->serial_sum) && r->serial_sum != 0);
	assert_true(nf_live_noted(&run, "synthetic"));
	assert_true(nf_live_noted(&run, "one node") == (n_nodes == 1));
	assert_false(nf_live_noted(&run, "wrongly"));
	nf_probe_run_fini(&nf_probe_numa, &run);
}

static void the_seed_decides_the_signal(void **state)
{
	const struct nf_live *l = *state;
	struct nf_numa_cfg c = small_config();
	double sum[3];

	for (int i = 0; i < 3; i++) {
		c.common.seed = i < 2 ? 5 : 6;
		struct nf_probe_run run = run_ok(l, &c);
		const struct nf_numa_result *r = run.result;

		sum[i] = r->serial_sum;
		nf_probe_run_fini(&nf_probe_numa, &run);
	}
	assert_true(sum[0] == sum[1]);
	assert_true(sum[0] != sum[2]);
}

static void pages_lie_where_they_were_asked_for(void **state)
{
	const struct nf_live *l = *state;
	size_t n_nodes = nf_topology_n_nodes(l->topo);

	for (int p = NF_PLACE_FLAT; p <= NF_PLACE_INTERLEAVE; p++) {
		struct nf_numa_cfg c = small_config();
		size_t pages = 0;

		c.n_samples = 2000;
		c.placement = (enum nf_placement)p;
		c.n_partitions = 3;
		struct nf_probe_run run = run_ok(l, &c);
		const struct nf_numa_result *r = run.result;

		if (nf_live_noted(&run, "not verified")) {
			assert_false(r->placement_verified);
			assert_true(r->pages_unknown > 0);
			nf_probe_run_fini(&nf_probe_numa, &run);
			skip_unless(false, "move-pages", "move_pages is not permitted here");
		}
		assert_true(r->placement_verified);
		assert_int_equal(r->pages_unknown, 0);
		assert_int_equal(r->placement, p);
		for (size_t i = 0; i < n_nodes; i++)
			pages += r->pages_on_node[i];
		assert_in_range(pages, 40, 42); /* 160,000 bytes, in one block or in three */
		nf_probe_run_fini(&nf_probe_numa, &run);
	}
}

static void remote_memory_is_refused_on_one_node_not_imitated(void **state)
{
	const struct nf_live *l = *state;
	struct nf_numa_cfg c = small_config();
	struct nf_probe_run run = { .wall_ns = 77 };
	struct nf_err e = { 0 };

	skip_unless(nf_topology_n_nodes(l->topo) == 1, "one-node", "this host has several nodes");
	c.placement = NF_PLACE_REMOTE;
	assert_int_equal(nf_probe_numa.check(&l->env, &c, &e), -NF_EUNSUPPORTED);
	assert_non_null(strstr(e.msg, "one node"));
	assert_int_equal(nf_probe_numa.run(&l->env, &c, &run, NULL), -NF_EUNSUPPORTED);
	assert_int_equal(run.wall_ns, 77);
}

static void threads_never_outnumber_channels(void **state)
{
	const struct nf_live *l = *state;
	struct nf_numa_cfg c = small_config();

	c.n_channels = 1;
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_numa_result *r = run.result;

	assert_int_equal(r->n_threads, 1);
	assert_int_equal(r->n_partitions, 1);
	assert_true(r->difference == 0);
	assert_true(nf_live_noted(&run, "one per channel") ==
	            (nf_cpuset_count(nf_topology_allowed(l->topo)) > 1));
	nf_probe_run_fini(&nf_probe_numa, &run);
}

/* The serial base is no straw man: it runs close to what reading the same memory costs. A noisy machine may
 * spoil a run, so the middle one of five is judged. */
static void the_serial_base_is_close_to_the_limit_of_the_memory(void **state)
{
	const struct nf_live *l = *state;
	struct nf_numa_cfg c = config();
	double ratio[5];

	skip_unless(!nf_unit_instrumented(), "plain-build",
	            "a sanitizer or valgrind slows it down");

	for (size_t i = 0; i < 5; i++) {
		struct nf_probe_run run = run_ok(l, &c);
		double r = median(stream(&run, "numa.serial")) / median(stream(&run, "numa.limit"));
		size_t at = i;

		for (; at > 0 && ratio[at - 1] > r; at--)
			ratio[at] = ratio[at - 1];
		ratio[at] = r;
		nf_probe_run_fini(&nf_probe_numa, &run);
	}
	if (ratio[2] > 1.3)
		fail_msg("serial is %.2f times the limit", ratio[2]);
}

static void a_stop_keeps_what_was_measured(void **state)
{
	struct nf_live *l = *state;
	struct nf_numa_cfg c = config();
	char one[16];

	c.n_channels = 200;
	c.n_samples = 5000;
	skip_unless(nf_live_n_cpus(l) > 1, "two-cpus", "one allowed CPU");
	c.common.cpus = nf_live_one_cpu(l, one);
	c.repetitions = 100000;
	l->stop_at_progress = 1;
	struct nf_probe_run run = run_ok(l, &c);
	const struct nf_numa_result *r = run.result;

	assert_int_equal(run.stopped_by, SIGINT);
	assert_in_range(stream(&run, "numa.serial")->n, 1, 99999);
	assert_int_equal(stream(&run, "numa.serial")->n, stream(&run, "numa.parallel")->n);
	assert_true(fabs(r->difference) < 1);
	nf_probe_run_fini(&nf_probe_numa, &run);
}

static void a_stop_asked_for_before_gives_an_empty_partial_run(void **state)
{
	struct nf_live *l = *state;
	struct nf_numa_cfg c = small_config();

	l->stop.signo = SIGTERM;
	struct nf_probe_run run = run_ok(l, &c);

	assert_int_equal(run.stopped_by, SIGTERM);
	assert_int_equal(stream(&run, "numa.serial")->n, 0);
	nf_probe_run_fini(&nf_probe_numa, &run);
}

static void options_out_of_range_are_refused_with_the_range(void **state)
{
	const struct nf_live *l = *state;
	static const struct {
		int64_t channels, samples, rate, partitions, repetitions;
		const char *says;
	} rows[] = {
		{ 0, 1, 1, 0, 1, "channels 0: 1 to" },
		{ (1 << 20) + 1, 1, 1, 0, 1, "channels" },
		{ 1, 0, 1, 0, 1, "samples 0" },
		{ 1 << 20, 1 << 20, 1, 0, 1, "16 GiB" },
		{ 1, 1, 0, 0, 1, "rate" },
		{ 5, 1, 1, 6, 1, "partitions 6: 0 to 5" },
		{ 5, 1, 1, -1, 1, "partitions -1" },
		{ 5, 1, 1, 0, 0, "repetitions 0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct nf_numa_cfg c = config();
		struct nf_err e = { 0 };

		c.n_channels = rows[i].channels;
		c.n_samples = rows[i].samples;
		c.rate_hz = rows[i].rate;
		c.n_partitions = rows[i].partitions;
		c.repetitions = rows[i].repetitions;
		assert_int_equal(nf_probe_numa.check(&l->env, &c, &e), -NF_EARG);
		if (!strstr(e.msg, rows[i].says))
			fail_msg("'%s' does not say '%s'", e.msg, rows[i].says);
	}

	struct nf_numa_cfg c = config();
	struct nf_err e = { 0 };

	c.common.policy_given = true;
	c.common.policy = NF_POLICY_DEADLINE;
	assert_int_equal(nf_probe_numa.check(&l->env, &c, &e), -NF_EARG);
	c = config();
	c.common.max_sample_bytes = 100;
	assert_int_equal(nf_probe_numa.check(&l->env, &c, &e), -NF_EARG);
	c = config();
	assert_int_equal(nf_probe_numa.check(&l->env, &c, &e), 0);
	assert_true(nf_probe_numa.estimate_ns(&l->env, &c) > 0);
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sums_are_right_and_the_same_bits_on_every_instruction_set),
	cmocka_unit_test(a_team_gives_the_sum_that_one_thread_gives_for_the_same_shares),
	cmocka_unit_test(every_row_is_reduced_once_however_it_is_shared_out),
	cmocka_unit_test(rows_stay_with_the_threads_of_their_node_and_are_shared_evenly),
	cmocka_unit_test(threads_are_taken_from_the_nodes_in_turn),
	live(starting_threads_takes_time_and_binds_each),
	live(a_run_holds_every_variant_and_the_sums_agree),
	live(the_seed_decides_the_signal),
	live(pages_lie_where_they_were_asked_for),
	live(remote_memory_is_refused_on_one_node_not_imitated),
	live(threads_never_outnumber_channels),
	live(the_serial_base_is_close_to_the_limit_of_the_memory),
	live(a_stop_keeps_what_was_measured),
	live(a_stop_asked_for_before_gives_an_empty_partial_run),
	live(options_out_of_range_are_refused_with_the_range),
};

NF_UNIT_MAIN(tests)
