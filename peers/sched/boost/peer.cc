// SPDX-License-Identifier: MIT
// Boost.Fiber's side of peers/sched.py: `boost_peer WORKERS NAME=N...` prints "NAME wall_ns cpu_ns operations" lines. One
// worker is its round robin, several its work stealing. It has no unbounded channel: 128 places stand for it. The
// benchmarks are those of src/bench/suite_sched_*.c.
#include <boost/fiber/all.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace bf = boost::fibers;
using channel = bf::buffered_channel<uint64_t>;
enum { STACK_BYTES = 64 << 10 };

/* Faster, but of one thread. */
static bf::pooled_fixedsize_stack pooled(STACK_BYTES);
static bool is_alone;

template <class F> static bf::fiber spawn(F &&f)
{
	if (is_alone)
		return bf::fiber(bf::launch::post, std::allocator_arg, pooled, std::forward<F>(f));
	return bf::fiber(bf::launch::post, std::allocator_arg, bf::fixedsize_stack(STACK_BYTES),
	                 std::forward<F>(f));
}

static uint64_t step(uint64_t x)
{
	x = x * UINT64_C(6364136223846793005) + 1;
	__asm__ volatile("" : "+r"(x));
	return x;
}

static int64_t cpu_ns()
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000000) +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * INT64_C(1000);
}

static void each(uint64_t n, const std::function<void(uint64_t)> &fn)
{
	std::vector<bf::fiber> all;

	all.reserve(n);
	for (uint64_t i = 0; i < n; i++)
		all.push_back(spawn([&fn, i] { fn(i); }));
	for (auto &f : all)
		f.join();
}

static void link(uint64_t left, channel *done)
{
	if (left == 1)
		done->push(1);
	else
		spawn([=] { link(left - 1, done); }).detach();
}

static void chained_spawn(uint64_t n, unsigned)
{
	channel done(2);
	uint64_t x;

	for (uint64_t i = 0; i < n / 1000; i++) {
		spawn([&] { link(1000, &done); }).detach();
		done.pop(x);
	}
}

static void yielders(uint64_t tasks, uint64_t times)
{
	each(tasks, [times](uint64_t) {
		for (uint64_t i = 0; i < times; i++)
			boost::this_fiber::yield();
	});
}

static void yield_many(uint64_t n, unsigned)
{
	yielders(200, n / 200);
}

static void hot_loop(uint64_t n, unsigned)
{
	yielders(2, n / 2);
}

static void fan(uint64_t n, unsigned)
{
	channel c(128);
	uint64_t x;

	for (uint64_t i = 0; i < n / 1000; i++) {
		for (int k = 0; k < 1000; k++)
			spawn([&c] { c.push(1); }).detach();
		for (int k = 0; k < 1000; k++)
			c.pop(x);
	}
}

static void pair(uint64_t trips, size_t room)
{
	channel to_ping(room), to_pong(room);
	bf::fiber ping = spawn([&] {
		uint64_t x;

		for (uint64_t i = 0; i < trips; i++) {
			to_pong.push(1);
			to_ping.pop(x);
		}
	});
	bf::fiber pong = spawn([&] {
		uint64_t x;

		for (uint64_t i = 0; i < trips; i++) {
			to_pong.pop(x);
			to_ping.push(1);
		}
	});
	ping.join();
	pong.join();
}

static void steady(uint64_t n, unsigned)
{
	for (; n > 10000; n -= 10000)
		pair(10000, 128);
	pair(n, 128);
}

static void oneshot(uint64_t n, unsigned)
{
	for (uint64_t i = 0; i < n; i++)
		pair(1, 2);
}

static void control(uint64_t n, unsigned)
{
	for (uint64_t i = 0; i < n; i++) {
		bf::fiber a = spawn([] {}), b = spawn([] {});
		a.join();
		b.join();
	}
}

static void compute(uint64_t n, unsigned workers)
{
	each(workers, [=](uint64_t) {
		uint64_t x = 1;

		for (uint64_t i = 0; i < n / workers * 1000; i++)
			x = step(x);
	});
}

static void contended(uint64_t n, unsigned)
{
	bf::mutex lock;
	uint64_t count = 0;

	each(4, [&](uint64_t) {
		for (uint64_t i = 0; i < n / 4; i++) {
			std::lock_guard<bf::mutex> held(lock);
			count++;
		}
	});
}

static void blocking(uint64_t n, unsigned)
{
	each(4, [=](uint64_t) {
		for (uint64_t i = 0; i < n / 4; i++)
			std::this_thread::sleep_for(std::chrono::microseconds(100));
	});
}

static void timers(uint64_t n, unsigned)
{
	each(n, [](uint64_t i) {
		boost::this_fiber::sleep_for(std::chrono::nanoseconds(
		        1000000 + i * 7919 % 10007 * (19000000 / 10007)));
	});
}

static void storm(uint64_t n, unsigned)
{
	for (uint64_t i = 0; i < n / 10000; i++)
		each(10000, [](uint64_t k) {
			for (int s = 0; s < 8; s++)
				k = step(k);
		});
}

/* An exception that leaves a fiber ends the program: what a task that may fail does is this. */
static void panics(uint64_t n, unsigned)
{
	for (uint64_t i = 0; i < n; i++) {
		bf::packaged_task<void()> task([] { throw std::runtime_error("on purpose"); });
		bf::future<void> end = task.get_future();
		bf::fiber f = spawn(std::move(task));

		f.join();
		try {
			end.get();
			std::abort();
		} catch (const std::runtime_error &) {
		}
	}
}

static void alone(uint64_t n, unsigned)
{
	channel c(128);
	uint64_t x = 0;

	for (uint64_t i = 0; i < n; i++) {
		c.push(x + 1);
		c.pop(x);
	}
}

static const struct {
	const char *name;
	void (*run)(uint64_t n, unsigned workers);
} table[] = {
	{ "chained_spawn", chained_spawn },
	{ "yield_many", yield_many },
	{ "fan_out_fan_in", fan },
	{ "spawn_pair_control", control },
	{ "ping_pong_oneshot", oneshot },
	{ "ping_pong_steady", steady },
	{ "compute_parallel", compute },
	{ "mutex_contended", contended },
	{ "blocking_io", blocking },
	{ "many_timers", timers },
	{ "spawn_storm_busy", storm },
	{ "catch_panics", panics },
	{ "yield_in_hot_loop", hot_loop },
	{ "uncontended_channel", alone },
};

static void measure(const char *arg, unsigned workers)
{
	const char *eq = std::strchr(arg, '=');
	std::string name(arg, eq ? eq - arg : 0);
	uint64_t n = eq ? std::strtoull(eq + 1, nullptr, 10) : 0;

	for (const auto &row : table) {
		if (name != row.name)
			continue;
		for (int i = 0; i < 4; i++) { /* the reader leaves the first out */
			auto from = std::chrono::steady_clock::now();
			int64_t cpu = cpu_ns();

			row.run(n, workers);
			int64_t cpu_after = cpu_ns();
			std::chrono::nanoseconds wall = std::chrono::steady_clock::now() - from;
			std::printf("%s %lld %lld %llu\n", row.name, (long long)wall.count(),
			            (long long)(cpu_after - cpu), (unsigned long long)n);
		}
		return;
	}
	std::fprintf(stderr, "boost_peer: no benchmark %s\n", arg);
	std::exit(2);
}

int main(int argc, char **argv)
{
	unsigned workers = argc > 1 ? (unsigned)std::atoi(argv[1]) : 1;
	std::vector<std::thread> others;
	std::mutex lock;
	bf::condition_variable_any ended;
	bool over = false;

	is_alone = workers == 1;
	for (unsigned i = 1; i < workers; i++)
		others.emplace_back([&] {
			bf::use_scheduling_algorithm<bf::algo::work_stealing>(workers);
			std::unique_lock<std::mutex> held(lock);
			ended.wait(held, [&] { return over; });
		});
	if (workers > 1)
		bf::use_scheduling_algorithm<bf::algo::work_stealing>(workers);
	spawn([&] {
		for (int i = 2; i < argc; i++)
			measure(argv[i], workers);
	}).join();
	{
		std::lock_guard<std::mutex> held(lock);
		over = true;
	}
	ended.notify_all();
	for (auto &t : others)
		t.join();
	return 0;
}
