/* SPDX-License-Identifier: MIT */
/* trip: whatever a machine answers, a trip ends, no kernel is booted that was not armed before, and what is left changed is
 * told; a state that is read is written as it was. */
#include <string.h>

#include "fuzz.h"
#include "lane/trip_file.h"

#define S INT64_C(1000000000)
enum { STEPS_MAX = 20000 };

static void check_file(const char *data, size_t size)
{
	static struct nf_trip_notes n, again;
	struct nf_trip t, u;
	struct nf_err err = { 0 };
	struct nf_buf out, out_again;

	if (nf_trip_parse(data, size, "fuzz", &t, &n, &err) != 0) {
		fuzz_require(err.code == NF_EDATA && err.msg[0]);
		return;
	}
	nf_buf_init(&out, NF_TRIP_FILE_MAX_BYTES);
	nf_buf_init(&out_again, NF_TRIP_FILE_MAX_BYTES);
	fuzz_require(nf_trip_print(&t, &n, &out, &err) == 0);
	fuzz_require(nf_trip_parse(out.data, out.len_bytes, "again", &u, &again, &err) == 0);
	fuzz_require(nf_trip_print(&u, &again, &out_again, &err) == 0);
	fuzz_require(out.len_bytes == out_again.len_bytes &&
	             memcmp(out.data, out_again.data, out.len_bytes) == 0);
	nf_buf_fini(&out);
	nf_buf_fini(&out_again);
}

/* One byte an answer; when they are used up the machine cannot be reached. */
static struct nf_trip_event answer(const uint8_t *data, size_t size, size_t at)
{
	static const char *const boots[] = { "generic-1", "generic-2", "rt-1", "rt-2" };
	uint8_t b = at < size ? data[at] : NF_TRIP_LOST;
	struct nf_trip_event e = { .what = (enum nf_trip_what)(b % 7), .text = "because" };

	if (at >= size)
		e.what = NF_TRIP_DOWN;
	e.boot_id = boots[b / 7 % 4];
	e.lane = b / 7 % 4 >= 2 ? NF_LANE_RT : NF_LANE_GENERIC;
	return e;
}

static bool fits(enum nf_trip_do asked, enum nf_trip_what what)
{
	bool of_probe = what == NF_TRIP_UP || what == NF_TRIP_DOWN;

	return what == NF_TRIP_STOP || of_probe == (asked == NF_TRIP_PROBE);
}

static void play(const uint8_t *data, size_t size, bool measures)
{
	const struct nf_trip_opts opts = { .measures = measures,
		                           .boot_ns = 300 * S,
		                           .down_ns = 60 * S,
		                           .lost_ns = 120 * S,
		                           .poll_ns = 2 * S };
	bool armed = false, resumed = false;
	enum nf_trip_do asked;
	struct nf_trip t;
	int64_t now = 0, wait;
	size_t at = 0, steps = 0;

	nf_trip_init(&t, &opts);
	while ((asked = nf_trip_next(&t, &wait)) != NF_TRIP_FINISH) {
		struct nf_trip_event e = answer(data, size, at++);

		fuzz_require(steps++ < STEPS_MAX);
		fuzz_require(asked != NF_TRIP_REBOOT || armed);
		fuzz_require(asked != NF_TRIP_MEASURE_RT || t.in_rt);
		fuzz_require(wait >= 0 && wait <= opts.poll_ns);
		now += wait + S;
		e.now_ns = now;
		if (!fits(asked, e.what))
			e.what = asked == NF_TRIP_PROBE ? NF_TRIP_DOWN : NF_TRIP_FAILED;
		if (asked == NF_TRIP_ARM && e.what == NF_TRIP_DONE)
			armed = true;
		nf_trip_tell(&t, &e);
		if (!resumed && at < size && data[at] == 255) {
			resumed = true;
			nf_trip_resume(&t, &opts, now);
		}
	}
	fuzz_require(t.end != NF_TRIP_GOING && (t.end == NF_TRIP_PASS) == (t.why[0] == '\0'));
	fuzz_require(!t.in_rt || t.left[0] != '\0');
	fuzz_require(!t.armed || t.left[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_file((const char *)data, size);
	play(data, size, true);
	play(data, size, false);
	return 0;
}
