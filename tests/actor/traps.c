/* SPDX-License-Identifier: MIT */
/* traps NAME [broken | no-membarrier]: the trap alone, as it should be, with its mistake made,
 * or as on a kernel without membarrier(2). */
#include "traps.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_S = 60 };

static const struct {
	const char *name;
	bool (*fn)(void);
	enum nf_actor_break mistake;
	unsigned broken_limit_s; /* with the mistake: short where it shows by no end */
} traps[] = {
	{ "resume-before-saved", trap_resume_before_saved, NF_BREAK_COMMIT, 30 },
	{ "lost-wake", trap_lost_wake, NF_BREAK_LOST_WAKE, 2 },
	{ "stale-worker", trap_stale_worker, NF_BREAK_STALE_WORKER, 2 },
	{ "stale-errno", trap_stale_errno, NF_BREAK_STALE_ERRNO, 30 },
	{ "preempt-off", trap_preempt_off, NF_BREAK_PREEMPT_OFF, 30 },
	{ "fpu-leak", trap_fpu_leak, NF_BREAK_FPU, 30 },
	{ "drift", trap_drift, NF_BREAK_DRIFT, 30 },
	{ "lifo-starvation", trap_lifo_starvation, NF_BREAK_LIFO, 2 },
	{ "join-race", trap_join_race, NF_BREAK_JOIN, 2 },
	{ "timer-generation", trap_timer_generation, NF_BREAK_TIMER_GENERATION, 30 },
	{ "timer-race", trap_timer_race, NF_BREAK_TIMER_RACE, 30 },
	{ "large-frame", trap_large_frame, NF_BREAK_CLASH, 30 },
	{ "stalled-sender", trap_stalled_sender, NF_BREAK_STALLED, 2 },
	{ "stranded", trap_stranded, NF_BREAK_RESCUE, 2 },
	{ "fatal-signal", trap_fatal_signal, NF_BREAK_FATAL, 30 },
	{ "early-revocation", trap_early_revocation, NF_BREAK_REVOKE, 10 },
	{ "own-slices", trap_own_slices, NF_BREAK_OWN_SLICES, 30 },
};

struct nf_actor_knobs trap_knobs(uint32_t workers)
{
	struct nf_actor_knobs k;

	nf_actor_knobs_init(&k);
	k.workers = workers;
	k.max_actors = 2048;
	k.spin_ns = 50000;
	return k;
}

bool trap_run(const struct nf_actor_knobs *k, nf_actor_fn *fn, void *arg)
{
	struct nf_actor_rt *rt;
	struct nf_actor_status s;
	struct nf_err err = { 0 };

	if (nf_actor_rt_new(k, &rt, &err) != 0 || nf_actor_rt_run(rt, fn, arg, &s, &err) != 0) {
		printf("%s\n", err.msg);
		return false;
	}
	nf_actor_rt_free(rt);
	if (s.end != NF_ACTOR_RETURNED)
		printf("%s\n", s.message);
	return s.end == NF_ACTOR_RETURNED && s.value == arg;
}

long trap_times(long n, long n_long)
{
	const char *in_the_long_run = getenv("NF_LONG");

	return in_the_long_run && strcmp(in_the_long_run, "1") == 0 ? n_long : n;
}

int main(int argc, char **argv)
{
	bool broken = argc == 3 && strcmp(argv[2], "broken") == 0;
	bool without = argc == 3 && strcmp(argv[2], "no-membarrier") == 0;
	size_t i = 0, n = sizeof(traps) / sizeof(traps[0]);
	int status = 0;
	pid_t child;

	while (argc > 1 && i < n && strcmp(argv[1], traps[i].name) != 0)
		i++;
	if (argc < 2 || argc > 3 || i == n || (argc == 3 && !broken && !without)) {
		fprintf(stderr, "usage: traps NAME [broken | no-membarrier]\n");
		return 2;
	}
	child = fork();
	if (child == 0) {
		/* A mistake may crash: that needs no core. */
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		alarm(broken ? traps[i].broken_limit_s : LIMIT_S);
		hooks_no_membarrier = without;
		hooks_broken = broken ? traps[i].mistake : NF_BREAK_NOTHING;
		status = traps[i].fn() ? 0 : 1;
		fflush(stdout);
		_exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 4;
	if (WIFSIGNALED(status))
		printf("%s: %s\n", traps[i].name,
		       WTERMSIG(status) == SIGALRM ? "came to no end"
		                                   : strsignal(WTERMSIG(status)));
	/* Exit status 1 alone means that the trap fell; a crash is one when the mistake was
	 * asked for. */
	return status == 0 ? 0 : 1;
}
