/* SPDX-License-Identifier: MIT */
/*
 * trip - from the default kernel to the realtime one and back: what is to be done next, given what came of everything
 * before. Pure: events in, actions out, no clock, no machine; docs/LANES.md has the states as a table.
 *
 * The owner asks nf_trip_next(), waits as long as that says, does it, and tells what came of it with nf_trip_tell(). It
 * always ends: every wait has a limit and every retry a number. Whatever goes wrong, what was changed is put back as far as
 * the machine can be reached: an entry that was set is taken back, a machine that stands in the realtime kernel is
 * booted back. The state is a struct that can be written down at any time and gone on with (trip_file.h).
 */
#ifndef NF_LANE_TRIP_H
#define NF_LANE_TRIP_H

#include <stdint.h>

#include "machine/posture.h"

enum { NF_TRIP_TEXT = 300, NF_TRIP_BOOT_ID = 40 };

enum nf_trip_do {
	NF_TRIP_SURVEY, /* look, choose the entry; DONE with boot_id, REFUSED */
	NF_TRIP_MEASURE_GENERIC,
	NF_TRIP_ARM, /* DONE, REFUSED: nothing is set then */
	NF_TRIP_REBOOT, /* into the entry that is armed */
	NF_TRIP_PROBE, /* is it there? UP, DOWN */
	NF_TRIP_VERIFY_RT,
	NF_TRIP_MEASURE_RT,
	NF_TRIP_BACK, /* reboot into the default */
	NF_TRIP_VERIFY_BACK,
	NF_TRIP_COMPARE,
	NF_TRIP_CLEAR, /* take the entry back */
	NF_TRIP_FINISH, /* nothing more to do: end, text */
	NF_TRIP_N_DO,
};
extern const char *const nf_trip_do_names[]; /* for people */

enum nf_trip_state {
	NF_TRIP_AT_SURVEY,
	NF_TRIP_AT_MEASURE_GENERIC,
	NF_TRIP_AT_ARM,
	NF_TRIP_AT_REBOOT,
	NF_TRIP_AT_GO, /* on the way to the realtime kernel */
	NF_TRIP_AT_VERIFY_RT,
	NF_TRIP_AT_MEASURE_RT,
	NF_TRIP_AT_BACK,
	NF_TRIP_AT_RETURN, /* on the way back */
	NF_TRIP_AT_VERIFY_BACK,
	NF_TRIP_AT_COMPARE,
	NF_TRIP_AT_CLEAR,
	NF_TRIP_AT_UNSTICK, /* it came back realtime: the entry is taken back, then it boots again */
	NF_TRIP_AT_FIND, /* the connection was lost: where is it? */
	NF_TRIP_AT_END,
	NF_TRIP_N_STATES,
};
extern const char *const nf_trip_state_names[]; /* as they are written down */

enum nf_trip_end {
	NF_TRIP_GOING,
	NF_TRIP_PASS, /* there and back; what was verified stands elsewhere */
	NF_TRIP_REFUSED, /* before anything was changed */
	NF_TRIP_BROKEN, /* the machine did what it should not, or could not be reached */
	NF_TRIP_STOPPED, /* on request */
};
extern const char *const nf_trip_end_names[];

struct nf_trip_opts {
	bool measures; /* windows in both kernels, and their comparison */
	int64_t boot_ns; /* from a reboot to the first answer, at most; > 0 */
	int64_t down_ns; /* from a reboot until the old boot is gone, at most; > 0 */
	int64_t lost_ns; /* how long a lost connection is looked for; > 0 */
	int64_t poll_ns; /* between two tries; > 0 */
};

/* All of it can be written down, and is, but for what is marked. */
struct nf_trip {
	struct nf_trip_opts opts; /* not written down */
	enum nf_trip_state state;
	enum nf_trip_state lost_at; /* where FIND goes back to */
	enum nf_trip_end end; /* GOING until END; before it what END will be */
	bool has_generic; /* the generic window is there */
	bool has_rt; /* its window is there, or what was verified where nothing is measured */
	bool armed; /* the entry may be set */
	bool in_rt; /* the machine may stand in the realtime kernel */
	bool stopping; /* not written down */
	int reboots; /* tries of the reboot that is under way */
	int tries; /* of the step that the connection was lost in */
	int unsticks;
	char boot_generic[NF_TRIP_BOOT_ID]; /* "": not known */
	char boot_rt[NF_TRIP_BOOT_ID];
	int64_t reconnect_ns; /* from the reboot to the realtime kernel's first answer; -1: not measured */
	int64_t return_ns; /* from the reboot back to the default kernel's first answer; -1 */
	char why[NF_TRIP_TEXT]; /* of an end that is not PASS, else "" */
	char left[NF_TRIP_TEXT]; /* what could not be put back and who can; "": nothing */
	/* Not written down. */
	int64_t since_ns; /* when the wait began that is under way */
	int64_t sent_ns; /* when the reboot was asked for; -1: not in this process */
	bool polled; /* the first try has no wait before it */
};

enum nf_trip_what {
	NF_TRIP_DONE,
	NF_TRIP_FAILED, /* and the connection stands; text */
	NF_TRIP_NOT_NOW, /* refused before anything was changed; text */
	NF_TRIP_LOST, /* the connection was lost over it; text */
	NF_TRIP_UP, /* boot_id, lane */
	NF_TRIP_DOWN,
	NF_TRIP_STOP, /* a request to end; no answer, any time */
};
struct nf_trip_event {
	enum nf_trip_what what;
	int64_t now_ns; /* of one clock that does not stand still when this machine sleeps is best */
	const char *text; /* borrowed; may be NULL */
	const char *boot_id; /* may be NULL */
	enum nf_lane lane;
};

void nf_trip_init(struct nf_trip *t, const struct nf_trip_opts *o);
/* What was read back goes on, in this process: first it is looked where the machine is. One that ended otherwise than
 * well begins again with what it has. */
void nf_trip_resume(struct nf_trip *t, const struct nf_trip_opts *o, int64_t now_ns);
/* *ret_wait_ns: to be waited before it. */
enum nf_trip_do nf_trip_next(const struct nf_trip *t, int64_t *ret_wait_ns);
void nf_trip_tell(struct nf_trip *t, const struct nf_trip_event *e);

#endif
