/* SPDX-License-Identifier: MIT */
/* Channels: order, waiting, closing, selecting, deadlines, timers, threads outside. */
#include <pthread.h>

#include "actor_run.h"

static const uint32_t worker_counts[] = { 1, 2, 4 };
enum { COUNTS = 3 };

static uint64_t many(uint64_t n)
{
	return nf_unit_instrumented() ? n / 20 : n;
}

struct pair {
	struct nf_chan *there, *back;
	uint64_t rounds;
};

static void *echoes(void *arg)
{
	struct pair *p = arg;
	struct nf_actor_msg m;

	while (nf_chan_recv(p->there, &m) == 0)
		ACTOR_CHECK(nf_chan_send(p->back, m) == 0);
	return NULL;
}

static void *plays(void *arg)
{
	struct pair *p = arg;
	struct nf_actor_msg m;
	struct nf_actor a;

	ACTOR_CHECK(nf_chan_new(NULL, &p->there, NULL) == 0);
	ACTOR_CHECK(nf_chan_new(NULL, &p->back, NULL) == 0);
	ACTOR_CHECK(nf_actor_spawn(NULL, NULL, echoes, p, &a, NULL) == 0);
	for (uint64_t i = 0; i < p->rounds; i++) {
		ACTOR_CHECK(nf_chan_send(p->there, (struct nf_actor_msg){ .word = i }) == 0);
		ACTOR_CHECK(nf_chan_recv(p->back, &m) == 0);
		ACTOR_CHECK(m.word == i);
	}
	nf_chan_close(p->there);
	ACTOR_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	ACTOR_CHECK(nf_chan_free(p->there) == 0);
	ACTOR_CHECK(nf_chan_free(p->back) == 0);
	return arg;
}

static void a_pair_plays_ping_pong(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++) {
		struct pair p = { .rounds = many(200000) };

		assert_ptr_equal(actor_test_run(worker_counts[i], plays, &p), &p);
	}
}

enum { SENDERS = 8 };

struct fan {
	struct nf_chan *c;
	uint64_t each;
	uint64_t first_sender;
};

static void *sends_in_order(void *arg)
{
	struct fan *f = arg;
	uint64_t me = __atomic_fetch_add(&f->first_sender, 1, __ATOMIC_RELAXED);

	for (uint64_t i = 0; i < f->each; i++) {
		ACTOR_CHECK(nf_chan_send(f->c, (struct nf_actor_msg){ .word = me << 32 | i }) == 0);
		if (i % 7 == me)
			nf_actor_yield();
	}
	return NULL;
}

static void take_in_order(struct fan *f, uint64_t senders)
{
	uint64_t next[64] = { 0 };

	for (uint64_t i = 0; i < senders * f->each; i++) {
		struct nf_actor_msg m;

		ACTOR_CHECK(nf_chan_recv(f->c, &m) == 0);
		ACTOR_CHECK(m.word >> 32 < senders);
		ACTOR_CHECK((m.word & UINT32_MAX) == next[m.word >> 32]++);
	}
}

static void *collects(void *arg)
{
	struct fan *f = arg;
	struct nf_actor a[SENDERS];

	ACTOR_CHECK(nf_chan_new(NULL, &f->c, NULL) == 0);
	for (int i = 0; i < SENDERS; i++)
		ACTOR_CHECK(nf_actor_spawn(NULL, NULL, sends_in_order, f, &a[i], NULL) == 0);
	take_in_order(f, SENDERS);
	for (int i = 0; i < SENDERS; i++)
		ACTOR_CHECK(nf_actor_join(a[i], NULL, NULL) == 0);
	ACTOR_CHECK(nf_chan_free(f->c) == 0);
	return arg;
}

static void messages_of_each_sender_stay_in_order(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++) {
		struct fan f = { .each = many(20000) };

		assert_ptr_equal(actor_test_run(worker_counts[i], collects, &f), &f);
	}
}

static void *takes_from_outside(void *arg)
{
	take_in_order(arg, 2);
	return arg;
}

static void *sends_from_a_thread(void *arg)
{
	struct fan *f = arg;
	uint64_t me = __atomic_fetch_add(&f->first_sender, 1, __ATOMIC_RELAXED);

	for (uint64_t i = 0; i < f->each; i++)
		if (nf_chan_send(f->c, (struct nf_actor_msg){ .word = me << 32 | i }) != 0)
			abort();
	return NULL;
}

static void threads_outside_may_send(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++) {
		struct nf_actor_knobs k = actor_test_knobs(worker_counts[i]);
		struct nf_actor_rt *rt = actor_test_rt(&k);
		struct fan f = { .each = many(20000) };
		struct nf_actor_status s;
		struct nf_actor a;
		pthread_t t[2];

		assert_int_equal(nf_chan_new(rt, &f.c, NULL), 0);
		assert_int_equal(nf_actor_spawn(rt, NULL, takes_from_outside, &f, &a, NULL), 0);
		for (int j = 0; j < 2; j++)
			assert_int_equal(pthread_create(&t[j], NULL, sends_from_a_thread, &f), 0);
		for (int j = 0; j < 2; j++)
			pthread_join(t[j], NULL);
		assert_int_equal(nf_actor_join(a, &s, NULL), 0);
		assert_string_equal(s.message, "");
		nf_actor_rt_free(rt);
	}
}

static void *closes(void *arg)
{
	struct nf_chan *c;
	struct nf_actor_msg m = { 0 };

	(void)arg;
	ACTOR_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	ACTOR_CHECK(nf_chan_try_recv(c, &m) == -NF_ETIMEOUT);
	ACTOR_CHECK(nf_chan_send(c, (struct nf_actor_msg){ .word = 1 }) == 0);
	ACTOR_CHECK(nf_chan_send(c, (struct nf_actor_msg){ .word = 2 }) == 0);
	nf_chan_close(c);
	ACTOR_CHECK(nf_chan_send(c, (struct nf_actor_msg){ .word = 3 }) == -NF_ENODATA);
	ACTOR_CHECK(nf_chan_recv(c, &m) == 0 && m.word == 1);
	ACTOR_CHECK(nf_chan_try_recv(c, &m) == 0 && m.word == 2);
	ACTOR_CHECK(nf_chan_recv(c, &m) == -NF_ENODATA);
	ACTOR_CHECK(nf_chan_try_recv(c, &m) == -NF_ENODATA);
	ACTOR_CHECK(nf_chan_recv_until(c, INT64_MAX, &m) == -NF_ENODATA);
	ACTOR_CHECK(m.word == 2);
	ACTOR_CHECK(nf_chan_free(c) == 0);
	ACTOR_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	ACTOR_CHECK(nf_chan_send(c, (struct nf_actor_msg){ .word = 1 }) == 0);
	ACTOR_CHECK(nf_chan_free(c) == 1);
	return NULL;
}

static void a_closed_channel_gives_what_is_in_it_first(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++)
		actor_test_run(worker_counts[i], closes, NULL);
}

static void *waits_until_closed(void *arg)
{
	struct nf_actor_msg m;

	ACTOR_CHECK(nf_chan_recv(arg, &m) == -NF_ENODATA);
	return arg;
}

static void *selects_until_closed(void *arg)
{
	struct nf_chan *c = arg;
	struct nf_actor_msg m;
	size_t which = 9;

	ACTOR_CHECK(nf_chan_select(&c, 1, INT64_MAX, &which, &m) == -NF_ENODATA);
	ACTOR_CHECK(which == 0);
	return arg;
}

static void closing_wakes_who_waits(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++) {
		struct nf_actor_knobs k = actor_test_knobs(worker_counts[i]);
		struct nf_actor_rt *rt = actor_test_rt(&k);
		struct nf_actor_status s;
		struct nf_actor a[2];
		struct nf_chan *c[2];

		for (int j = 0; j < 2; j++) {
			assert_int_equal(nf_chan_new(rt, &c[j], NULL), 0);
			assert_int_equal(
			        nf_actor_spawn(rt, NULL,
			                       j ? selects_until_closed : waits_until_closed, c[j],
			                       &a[j], NULL),
			        0);
		}
		for (int j = 0; j < 2; j++) {
			nf_chan_close(c[j]);
			assert_int_equal(nf_actor_join(a[j], &s, NULL), 0);
			assert_string_equal(s.message, "");
		}
		nf_actor_rt_free(rt);
	}
}

static void *times_out(void *arg)
{
	struct nf_chan *c;
	struct nf_actor_msg m;
	int64_t from = nf_actor_now_ns();
	struct nf_actor_timer t, u;

	(void)arg;
	ACTOR_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	ACTOR_CHECK(nf_chan_recv_until(c, from - 1, &m) == -NF_ETIMEOUT);
	ACTOR_CHECK(nf_chan_recv_until(c, from + 2000000, &m) == -NF_ETIMEOUT);
	ACTOR_CHECK(nf_actor_now_ns() >= from + 2000000);
	nf_actor_sleep(1000000);
	ACTOR_CHECK(nf_actor_now_ns() >= from + 3000000);
	ACTOR_CHECK(nf_actor_timer_start(c, (struct nf_actor_msg){ .word = 2 },
	                                 from + 3600000000000, &t, NULL) == 0);
	ACTOR_CHECK(nf_actor_timer_start(c, (struct nf_actor_msg){ .word = 1 }, from + 4000000, &u,
	                                 NULL) == 0);
	ACTOR_CHECK(nf_chan_recv(c, &m) == 0 && m.word == 1);
	ACTOR_CHECK(nf_actor_timer_cancel(u) == -NF_ENODATA);
	ACTOR_CHECK(nf_actor_timer_cancel(t) == 0);
	ACTOR_CHECK(nf_actor_timer_cancel(t) == -NF_ENODATA);
	ACTOR_CHECK(nf_chan_recv_until(c, nf_actor_now_ns() + 1000000, &m) == -NF_ETIMEOUT);
	nf_chan_free(c);
	return NULL;
}

static void deadlines_and_timers_pass_in_order(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++)
		actor_test_run(worker_counts[i], times_out, NULL);
}

static void timers_from_outside_fire_and_are_cancelled(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++) {
		struct nf_actor_knobs k = actor_test_knobs(worker_counts[i]);
		struct nf_actor_rt *rt = actor_test_rt(&k);
		struct nf_actor_status s;
		struct nf_actor_timer t;
		struct nf_actor a;
		struct fan f = { .each = 1 };
		int64_t now = nf_actor_now_ns();

		assert_int_equal(nf_chan_new(rt, &f.c, NULL), 0);
		assert_int_equal(nf_actor_timer_start(f.c, (struct nf_actor_msg){ .word = 7 },
		                                      now + 50000000, &t, NULL),
		                 0);
		assert_int_equal(nf_actor_timer_start(f.c, (struct nf_actor_msg){ .word = 0 },
		                                      now + 1000000, NULL, NULL),
		                 0);
		assert_int_equal(nf_actor_timer_start(f.c,
		                                      (struct nf_actor_msg){ .word = 1ull << 32 },
		                                      now + 2000000, NULL, NULL),
		                 0);
		assert_int_equal(nf_actor_timer_cancel(t), 0);
		assert_int_equal(nf_actor_timer_cancel(t), -NF_ENODATA);
		assert_int_equal(nf_actor_spawn(rt, NULL, takes_from_outside, &f, &a, NULL), 0);
		assert_int_equal(nf_actor_join(a, &s, NULL), 0);
		assert_string_equal(s.message, "");
		nf_actor_rt_free(rt);
	}
}

struct choice {
	struct nf_chan *c[3];
	uint64_t each;
};

static void *feeds(void *arg)
{
	struct choice *s = arg;

	for (uint64_t i = 0; i < s->each; i++) {
		ACTOR_CHECK(nf_chan_send(s->c[i % 3], (struct nf_actor_msg){ .word = i }) == 0);
		if (i % 5 == 0)
			nf_actor_yield();
	}
	return arg;
}

static void *selects(void *arg)
{
	struct choice *s = arg;
	struct nf_actor a;
	struct nf_actor_msg m;
	uint64_t got[3] = { 0, 1, 2 };
	size_t which = 9;

	for (int i = 0; i < 3; i++)
		ACTOR_CHECK(nf_chan_new(NULL, &s->c[i], NULL) == 0);
	ACTOR_CHECK(nf_chan_select(s->c, 3, 0, &which, &m) == -NF_ETIMEOUT);
	ACTOR_CHECK(nf_chan_select(s->c, 0, 0, &which, &m) == -NF_EARG);
	ACTOR_CHECK(which == 9);
	ACTOR_CHECK(nf_actor_spawn(NULL, NULL, feeds, s, &a, NULL) == 0);
	for (uint64_t i = 0; i < s->each; i++) {
		int64_t until = i % 2 ? INT64_MAX : nf_actor_now_ns() + 10000000000;

		ACTOR_CHECK(nf_chan_select(s->c, 3, until, &which, &m) == 0);
		ACTOR_CHECK(m.word == got[which]);
		got[which] += 3;
	}
	ACTOR_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	nf_chan_close(s->c[1]);
	ACTOR_CHECK(nf_chan_select(s->c, 3, INT64_MAX, &which, &m) == -NF_ENODATA && which == 1);
	return arg;
}

static void select_takes_from_whichever_has_one(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++) {
		struct choice s = { .each = many(30000) };

		assert_ptr_equal(actor_test_run(worker_counts[i], selects, &s), &s);
	}
}

static void *receives_too(void *arg)
{
	struct nf_actor_msg m;

	ACTOR_CHECK(nf_chan_recv(arg, &m) == 0);
	return NULL;
}

static void *waits_twice(void *arg)
{
	struct nf_chan *c;
	struct nf_actor_msg m;
	struct nf_actor a;
	size_t which;
	int64_t until = nf_actor_now_ns() + 60000000000;

	ACTOR_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	ACTOR_CHECK(nf_actor_spawn(NULL, NULL, receives_too, c, &a, NULL) == 0);
	/* Until it waits, however late it comes to run. */
	while (nf_chan_try_recv(c, &m) == -NF_ETIMEOUT && nf_actor_now_ns() < until)
		nf_actor_sleep(100000);
	ACTOR_CHECK(nf_chan_try_recv(c, &m) == -NF_EEXIST);
	ACTOR_CHECK(nf_chan_recv(c, &m) == -NF_EEXIST);
	ACTOR_CHECK(nf_chan_select(&c, 1, INT64_MAX, &which, &m) == -NF_EEXIST);
	ACTOR_CHECK(nf_chan_send(c, (struct nf_actor_msg){ 0 }) == 0);
	ACTOR_CHECK(nf_actor_join(a, NULL, NULL) == 0);
	return arg;
}

static void a_second_receiver_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTS; i++)
		actor_test_run(worker_counts[i], waits_twice, NULL);
}

static void receiving_outside_is_refused(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct nf_chan *c;
	struct nf_actor_msg m;
	size_t which;

	(void)state;
	assert_int_equal(nf_chan_new(NULL, &c, NULL), -NF_EARG);
	assert_int_equal(nf_chan_new(rt, &c, NULL), 0);
	assert_int_equal(nf_chan_recv(c, &m), -NF_EARG);
	assert_int_equal(nf_chan_try_recv(c, &m), -NF_EARG);
	assert_int_equal(nf_chan_select(&c, 1, 0, &which, &m), -NF_EARG);
	assert_int_equal(nf_chan_send(c, (struct nf_actor_msg){ 0 }), 0);
	assert_int_equal(nf_chan_free(c), 1);
	nf_actor_rt_free(rt);
}

static void *fills(void *arg)
{
	struct nf_chan *c;
	uint64_t n = 0;
	int r;

	ACTOR_CHECK(nf_chan_new(NULL, &c, NULL) == 0);
	while ((r = nf_chan_send(c, (struct nf_actor_msg){ 0 })) == 0)
		n++;
	ACTOR_CHECK(r == -NF_ENOMEM);
	ACTOR_CHECK(n >= 1000);
	ACTOR_CHECK(nf_chan_free(c) == n);
	return arg;
}

static void max_messages_is_a_limit(void **state)
{
	struct nf_actor_knobs k = actor_test_knobs(1);
	struct nf_actor_rt *rt;
	struct nf_actor_status s;

	(void)state;
	k.max_messages = 1000;
	rt = actor_test_rt(&k);
	assert_int_equal(nf_actor_rt_run(rt, fills, NULL, &s, NULL), 0);
	assert_string_equal(s.message, "");
	nf_actor_rt_free(rt);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_pair_plays_ping_pong),
	cmocka_unit_test(messages_of_each_sender_stay_in_order),
	cmocka_unit_test(threads_outside_may_send),
	cmocka_unit_test(a_closed_channel_gives_what_is_in_it_first),
	cmocka_unit_test(closing_wakes_who_waits),
	cmocka_unit_test(deadlines_and_timers_pass_in_order),
	cmocka_unit_test(timers_from_outside_fire_and_are_cancelled),
	cmocka_unit_test(select_takes_from_whichever_has_one),
	cmocka_unit_test(a_second_receiver_is_refused),
	cmocka_unit_test(receiving_outside_is_refused),
	cmocka_unit_test(max_messages_is_a_limit),
};

NF_UNIT_MAIN(tests)
