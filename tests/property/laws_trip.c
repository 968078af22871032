/* SPDX-License-Identifier: MIT */
/* Trips to the realtime kernel and back, on a machine of a few variables: what it is asked, what it does, and what of both the
 * trip hears. Its loader, its mishaps, and where the process that drives it ends are drawn. */
#include "lane/trip_file.h"
#include "laws.h"

#define S INT64_C(1000000000)
enum { MISHAPS = 60, STEPS_MAX = 5000, CRASHES = 4 };
enum loader { CLEARS, KEEPS, IGNORES, N_LOADERS };

static const struct nf_trip_opts opts = {
	.measures = true, .boot_ns = 60 * S, .down_ns = 6 * S, .lost_ns = 30 * S, .poll_ns = 2 * S
};

struct machine {
	enum loader loader;
	bool next; /* its one-shot entry */
	bool rt;
	int boot;
	char boot_id[NF_TRIP_BOOT_ID];
	bool heard; /* this boot has answered */
};
struct play {
	struct machine m;
	struct nf_trip t;
	struct nf_trip_notes n;
	int64_t now_ns;
	size_t mishaps, steps, crashes;
	bool armed, generic, rt, compared; /* these were done */
	bool tried_back; /* since it stands in the realtime kernel */
	bool stopped;
};

static bool happens(struct pt_case *t, struct play *p, double how_often)
{
	bool is = p->mishaps < MISHAPS && pt_draw_bool(t, how_often);

	p->mishaps += is;
	return is;
}

static void boot(struct machine *m)
{
	m->rt = m->next && m->loader != IGNORES;
	m->next = m->next && m->loader != CLEARS;
	m->heard = false;
	snprintf(m->boot_id, sizeof(m->boot_id), "boot-%d", ++m->boot);
}

/* Done, and told or not; or not done. */
static enum nf_trip_what outcome(struct pt_case *t, struct play *p, bool *ret_done)
{
	*ret_done = !happens(t, p, 0.15);
	if (!*ret_done)
		return pt_draw_bool(t, 0.7) ? NF_TRIP_LOST : NF_TRIP_FAILED;
	return happens(t, p, 0.1) ? NF_TRIP_LOST : NF_TRIP_DONE;
}

static enum nf_trip_what do_boot(struct pt_case *t, struct play *p)
{
	bool done;
	enum nf_trip_what what = outcome(t, p, &done);

	if (done)
		boot(&p->m);
	return what;
}

static enum nf_trip_what set_entry(struct pt_case *t, struct play *p, bool to)
{
	bool done;
	enum nf_trip_what what = outcome(t, p, &done);

	if (done)
		p->m.next = to;
	return what;
}

static enum nf_trip_what look(struct pt_case *t, struct play *p)
{
	bool done;
	enum nf_trip_what what = outcome(t, p, &done);

	/* It may leave its boot over that. */
	if (what == NF_TRIP_LOST && pt_draw_bool(t, 0.3))
		boot(&p->m);
	return what;
}

static enum nf_trip_what answer(struct pt_case *t, struct play *p, enum nf_trip_do asked)
{
	switch (asked) {
	case NF_TRIP_SURVEY:
		return p->m.rt || p->m.next ? NF_TRIP_NOT_NOW : look(t, p);
	case NF_TRIP_ARM:
		return set_entry(t, p, true);
	case NF_TRIP_CLEAR:
		return set_entry(t, p, false);
	case NF_TRIP_REBOOT:
	case NF_TRIP_BACK:
		return do_boot(t, p);
	case NF_TRIP_MEASURE_GENERIC:
	case NF_TRIP_VERIFY_RT:
	case NF_TRIP_MEASURE_RT:
	case NF_TRIP_VERIFY_BACK:
	case NF_TRIP_COMPARE:
		return look(t, p);
	case NF_TRIP_PROBE:
		return happens(t, p, 0.3) ? NF_TRIP_DOWN : NF_TRIP_UP;
	case NF_TRIP_FINISH:
	case NF_TRIP_N_DO:
	default:
		return NF_TRIP_FAILED;
	}
}

/* What is asked is allowed after what was done. */
static bool may_ask(struct pt_case *t, struct play *p, enum nf_trip_do asked)
{
	PT_ASSERT(t, asked != NF_TRIP_REBOOT || p->armed);
	PT_ASSERT(t, asked != NF_TRIP_MEASURE_GENERIC || !p->generic);
	PT_ASSERT(t, asked != NF_TRIP_MEASURE_RT || !p->rt);
	PT_ASSERT(t, asked != NF_TRIP_ARM || !p->generic || !p->rt);
	PT_ASSERT(t, asked != NF_TRIP_COMPARE || (p->generic && p->rt));
	return true;
}

static void keep(struct play *p, enum nf_trip_do asked, enum nf_trip_what what)
{
	bool done = what == NF_TRIP_DONE;

	p->armed = p->armed || (asked == NF_TRIP_ARM && done);
	p->generic = p->generic || (asked == NF_TRIP_MEASURE_GENERIC && done);
	p->compared = p->compared || (asked == NF_TRIP_COMPARE && done);
	p->rt = p->rt || (asked == NF_TRIP_MEASURE_RT && done);
}

/* The process ends; another one goes on with what is written down. */
static bool crash(struct pt_case *t, struct play *p)
{
	struct nf_buf text;

	nf_buf_init(&text, NF_TRIP_FILE_MAX_BYTES);
	int r = nf_trip_print(&p->t, &p->n, &text, NULL);
	if (r == 0)
		r = nf_trip_parse(text.data, text.len_bytes, "trip", &p->t, &p->n, NULL);
	nf_buf_fini(&text);
	PT_ASSERT(t, r == 0);
	nf_trip_resume(&p->t, &opts, p->now_ns);
	p->crashes++;
	return true;
}

static bool one_step(struct pt_case *t, struct play *p, enum nf_trip_do asked, int64_t wait_ns)
{
	struct nf_trip_event e = { .text = "because" };

	PT_ASSERT(t, p->steps++ < STEPS_MAX);
	if (!may_ask(t, p, asked))
		return false;
	/* Found in the default it is not to be booted back; from the realtime kernel it is. */
	int boot_before = p->m.boot;
	bool was_rt = p->m.rt;
	e.what = answer(t, p, asked);
	e.boot_id = p->m.boot_id;
	e.lane = p->m.rt ? NF_LANE_RT : NF_LANE_GENERIC;
	if (p->m.boot != boot_before)
		p->tried_back = false;
	else if (asked == NF_TRIP_BACK && was_rt)
		p->tried_back = true;
	p->m.heard =
	        p->m.heard || (e.what == NF_TRIP_UP && p->t.state != NF_TRIP_AT_END && p->m.rt);
	p->now_ns += wait_ns + S;
	e.now_ns = p->now_ns;
	keep(p, asked, e.what);
	nf_trip_tell(&p->t, &e);
	if (!p->stopped && happens(t, p, 0.02)) {
		p->stopped = true;
		e.what = NF_TRIP_STOP;
		nf_trip_tell(&p->t, &e);
	}
	return true;
}

static bool play(struct pt_case *t, struct play *p, double crash_rate)
{
	enum nf_trip_do asked;
	int64_t wait_ns;

	while ((asked = nf_trip_next(&p->t, &wait_ns)) != NF_TRIP_FINISH) {
		if (!one_step(t, p, asked, wait_ns))
			return false;
		if (p->crashes < CRASHES && pt_draw_bool(t, crash_rate) && !crash(t, p))
			return false;
	}
	return true;
}

static struct play *begin(struct pt_case *t, enum loader loader)
{
	struct play *p = pt_alloc(t, sizeof(*p));

	p->m.loader = loader;
	boot(&p->m);
	nf_trip_init(&p->t, &opts);
	return p;
}

static bool is_told(struct pt_case *t, const struct play *p)
{
	PT_ASSERT(t, p->t.end != NF_TRIP_GOING);
	PT_ASSERT(t, (p->t.end == NF_TRIP_PASS) == (p->t.why[0] == '\0'));
	PT_ASSERT(t, p->t.end != NF_TRIP_PASS || (p->generic && p->rt && p->compared));
	PT_ASSERT(t, !p->m.rt || p->t.left[0] || p->t.why[0]);
	PT_ASSERT(t, !p->m.rt || p->t.end != NF_TRIP_PASS);
	PT_ASSERT(t, !p->m.next || p->t.left[0] || p->m.loader != CLEARS);
	return true;
}

static bool the_way_back_is_tried(struct pt_case *t, void *arg)
{
	struct play *p = begin(t, (enum loader)pt_draw_size(t, 0, N_LOADERS - 1));

	(void)arg;
	if (!play(t, p, 0) || !is_told(t, p))
		return false;
	/* Where the trip knows that it stands in the realtime kernel, it has asked that boot to end; or it boots nothing else. */
	PT_ASSERT(t, !p->m.rt || !p->m.heard || p->tried_back || p->t.unsticks > 0);
	/* An entry that it set and that was not booted is taken back, or told. */
	PT_ASSERT(t, !p->t.armed || p->t.left[0]);
	PT_ASSERT(t, !p->t.in_rt || p->t.left[0]);
	return true;
}

static bool a_machine_without_mishaps_is_as_it_was(struct pt_case *t, void *arg)
{
	struct play *p = begin(t, CLEARS);

	(void)arg;
	p->mishaps = MISHAPS;
	if (!play(t, p, 0.1) || !is_told(t, p))
		return false;
	PT_ASSERT(t, p->t.end == NF_TRIP_PASS && p->generic && p->rt);
	PT_ASSERT(t, !p->m.rt && !p->m.next && !p->t.left[0]);
	return true;
}

static bool nothing_is_measured_twice(struct pt_case *t, void *arg)
{
	struct play *p = begin(t, (enum loader)pt_draw_size(t, 0, N_LOADERS - 1));

	(void)arg;
	/* may_ask() holds it to that, over crashes and over what is gone on with after an end. */
	for (int i = 0; i < 3; i++) {
		p->stopped = false;
		if (!play(t, p, 0.05) || !is_told(t, p))
			return false;
		if (p->t.end == NF_TRIP_PASS)
			break;
		nf_trip_resume(&p->t, &opts, p->now_ns);
	}
	return true;
}

const struct law laws_trip[] = {
	{ "trip back",
	  "Whatever a machine does on its way to the realtime kernel and back, the trip ends, "
	  "boots "
	  "nothing it did not arm, asks a machine that it found realtime to boot back, and tells "
	  "what it could not put back.",
	  the_way_back_is_tried, NULL },
	{ "trip put back",
	  "A trip on a machine that does what it is asked to passes and leaves it as it was, "
	  "wherever the process that drives it is killed and another goes on.",
	  a_machine_without_mishaps_is_as_it_was, NULL },
	{ "trip resumed",
	  "A trip that is gone on with, after a kill or an end that was not well, measures no "
	  "window a second time, and with both windows it sets no entry again.",
	  nothing_is_measured_twice, NULL },
	{ .name = NULL },
};
