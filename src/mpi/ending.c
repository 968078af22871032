/* SPDX-License-Identifier: MIT */
#include "mpi/ending.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	GRACE_US = 700 * 1000, /* Open MPI's mpirun kills a second after its SIGTERM */
	LAST_RESORT_MS = 2000, /* a rank that spins inside MPI does not see that another died */
	STACK_BYTES = 128 << 10,
	TAG_PEER = 7,
};

/* Handlers and the watching thread reach only static objects. */
static const char *volatile unfinished;
static volatile sig_atomic_t written, written_at_alarm;
static struct {
	struct nf_mpi_shared *shared; /* NULL: nothing is watched */
	const struct nf_mpi *m;
	int peer[2]; /* rank and process */
	int process; /* pidfd */
	int wake; /* eventfd */
	pthread_t thread;
} watch;

/* --- a rank that died --- */

static void drop_unfinished(void)
{
	if (unfinished)
		(void)unlink(unfinished);
}

static void *watch_main(void *arg)
{
	struct pollfd fds[2] = { { .fd = watch.process, .events = POLLIN },
		                 { .fd = watch.wake, .events = POLLIN } };
	int nobody = 0;

	(void)arg;
	while (poll(fds, 2, -1) < 0) {
	}
	if (fds[1].revents || !fds[0].revents)
		return NULL;
	drop_unfinished(); /* at once: some launchers kill the others within milliseconds */
	if (__atomic_compare_exchange_n(&watch.shared->died, &nobody, 1, false, __ATOMIC_ACQ_REL,
	                                __ATOMIC_RELAXED))
		fprintf(stderr,
		        "noisefloor-mpi: rank %d (process %d on %s) died: the job ends without a "
		        "result\n",
		        watch.peer[0], watch.peer[1], watch.m->host);
	if (watch.shared->stop.signo == 0)
		watch.shared->stop.signo = SIGTERM; /* nobody measures on */
	(void)poll(&fds[1], 1, LAST_RESORT_MS);
	_exit(4);
}

static bool start_thread(void)
{
	pthread_attr_t attr;
	sigset_t all, old;

	if (pthread_attr_init(&attr) != 0)
		return false;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	int r = pthread_create(&watch.thread, &attr, watch_main, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_attr_destroy(&attr);
	return r == 0;
}

void nf_mpi_watch_begin(const struct nf_mpi *m)
{
	int own[2] = { m->rank, (int)getpid() }, next = (m->node_rank + 1) % m->node_size,
	    previous = (m->node_rank + m->node_size - 1) % m->node_size;

	MPI_Sendrecv(own, 2, MPI_INT, previous, TAG_PEER, watch.peer, 2, MPI_INT, next, TAG_PEER,
	             m->node, MPI_STATUS_IGNORE);
	if (m->node_size == 1)
		return;
	watch.m = m;
	watch.process = (int)syscall(SYS_pidfd_open, watch.peer[1], 0);
	watch.wake = eventfd(0, EFD_CLOEXEC);
	if (watch.process >= 0 && watch.wake >= 0) {
		watch.shared = m->shared;
		if (start_thread())
			return;
	}
	watch.shared = NULL;
	if (watch.process >= 0)
		close(watch.process);
	if (watch.wake >= 0)
		close(watch.wake);
}

void nf_mpi_watch_end(const struct nf_mpi *m)
{
	const uint64_t one = 1;

	if (watch.shared) {
		if (write(watch.wake, &one, sizeof(one)) == (ssize_t)sizeof(one))
			(void)pthread_join(watch.thread, NULL);
		close(watch.process);
		close(watch.wake);
		watch.shared = NULL;
	}
	MPI_Barrier(m->node);
}

void nf_mpi_watch_check(void)
{
	if (!watch.shared || !__atomic_load_n(&watch.shared->died, __ATOMIC_ACQUIRE))
		return;
	drop_unfinished();
	(void)MPI_Abort(MPI_COMM_WORLD, 4);
	_exit(4);
}

/* --- a file that will never be whole --- */

static void start_grace(int signo)
{
	const struct itimerval once = { .it_value = { .tv_usec = GRACE_US } };

	(void)signo;
	written_at_alarm = written;
	(void)setitimer(ITIMER_REAL, &once, NULL);
}

static void give_up(int signo)
{
	if (!unfinished)
		return;
	if (written != written_at_alarm) {
		start_grace(signo);
		return;
	}
	drop_unfinished();
	_exit(128 + SIGTERM);
}

static void handle(int signo, void (*handler)(int))
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigemptyset(&sa.sa_mask);
	(void)sigaction(signo, &sa, NULL);
}

void nf_mpi_guard_begin(const char *temporary)
{
	unfinished = temporary;
	handle(SIGALRM, give_up);
	handle(SIGTERM, start_grace);
}

void nf_mpi_guard_progress(void)
{
	written = written + 1;
}

void nf_mpi_guard_written(void)
{
	const struct itimerval none = { 0 };

	/* What is left takes no time: a request to stop has come too late to matter. */
	handle(SIGTERM, SIG_IGN);
	(void)setitimer(ITIMER_REAL, &none, NULL);
}

void nf_mpi_guard_end(void)
{
	nf_mpi_guard_written();
	unfinished = NULL;
}
