/* SPDX-License-Identifier: MIT */
#include "mpi/comm.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi/ending.h"

enum { EAGER_TESTS = 100, NAP_NS = 200 * 1000, PAGE_BYTES = 4096 };

/* A handler can reach only static objects. */
static struct nf_stop before_window;
static struct nf_stop *volatile stop_target = &before_window;

static void on_signal(int signo)
{
	nf_stop_ask(stop_target, signo);
}

static void on_failed_write(int signo)
{
	(void)signo;
}

/* Errors of MPI itself end the job: there is no telling what still works. Files report theirs by return
 * values. */
static void on_mpi_error(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int len = 0;

	(void)MPI_Error_string(*code, text, &len);
	fprintf(stderr, "noisefloor-mpi: MPI failed: %.*s\n", (int)strcspn(text, "\n"), text);
	(void)MPI_Abort(*comm, 4);
}

static void report_errors(MPI_Comm comm)
{
	MPI_Errhandler handler;

	MPI_Comm_create_errhandler(on_mpi_error, &handler);
	MPI_Comm_set_errhandler(comm, handler);
	MPI_Errhandler_free(&handler);
}

static void install_handlers(void)
{
	static const int asked[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU };
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, old;

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (sigaction(asked[i], NULL, &old) == 0 &&
		    (old.sa_handler != SIG_IGN || asked[i] != SIGXCPU))
			(void)sigaction(asked[i], &sa, NULL);
	sa.sa_handler = on_failed_write; /* a limit of file size: the write fails with EFBIG */
	(void)sigaction(SIGXFSZ, &sa, NULL);
}

static void share_page(struct nf_mpi *m)
{
	MPI_Aint bytes = m->node_rank == 0 ? PAGE_BYTES : 0;
	void *own = NULL, *first = NULL;
	int unit = 0;

	MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, m->node, &own, &m->window);
	MPI_Win_shared_query(m->window, 0, &bytes, &unit, &first);
	m->shared = first;
	m->stop = &m->shared->stop;
	if (m->node_rank == 0)
		*m->shared = (struct nf_mpi_shared){ 0 };
	MPI_Barrier(m->node);
	stop_target = m->stop;
	if (before_window.signo)
		*m->stop = before_window;
}

void nf_mpi_open(struct nf_mpi *m)
{
	int place[2];

	*m = (struct nf_mpi){ .memory_at_init_bytes = nf_mpi_memory_bytes() };
	install_handlers();
	report_errors(MPI_COMM_WORLD);
	MPI_Comm_dup(MPI_COMM_WORLD, &m->world);
	MPI_Comm_rank(m->world, &m->rank);
	MPI_Comm_size(m->world, &m->size);
	if (gethostname(m->host, sizeof(m->host)) < 0)
		snprintf(m->host, sizeof(m->host), "unknown");
	m->host[sizeof(m->host) - 1] = '\0';
	/* Keyed by rank: rank 0 of the world leads the first node. */
	MPI_Comm_split_type(m->world, MPI_COMM_TYPE_SHARED, m->rank, MPI_INFO_NULL, &m->node);
	MPI_Comm_rank(m->node, &m->node_rank);
	MPI_Comm_size(m->node, &m->node_size);
	MPI_Comm_split(m->world, m->node_rank == 0 ? 0 : MPI_UNDEFINED, m->rank, &m->leaders);
	if (m->leaders != MPI_COMM_NULL) {
		MPI_Comm_rank(m->leaders, &m->node_index);
		MPI_Comm_size(m->leaders, &m->n_nodes);
	}
	place[0] = m->node_index;
	place[1] = m->n_nodes;
	MPI_Bcast(place, 2, MPI_INT, 0, m->node);
	m->node_index = place[0];
	m->n_nodes = place[1];
	share_page(m);
	nf_mpi_watch_begin(m);
}

void nf_mpi_close(struct nf_mpi *m)
{
	nf_mpi_watch_end(m);
	before_window = *m->stop;
	stop_target = &before_window;
	MPI_Win_free(&m->window);
	if (m->leaders != MPI_COMM_NULL)
		MPI_Comm_free(&m->leaders);
	MPI_Comm_free(&m->node);
	MPI_Comm_free(&m->world);
}

void nf_mpi_wait(MPI_Request *request)
{
	const struct timespec nap = { 0, NAP_NS };
	int done = 0;

	for (int i = 0; !done; i++) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (!done && i >= EAGER_TESTS) {
			(void)nanosleep(&nap, NULL);
			nf_mpi_watch_check();
		}
	}
}

void nf_mpi_barrier(const struct nf_mpi *m)
{
	MPI_Request request;

	MPI_Ibarrier(m->world, &request);
	nf_mpi_wait(&request);
}

int nf_mpi_agree(const struct nf_mpi *m, int r, struct nf_err *err)
{
	int own = r < 0 ? m->rank : INT_MAX, first = INT_MAX;
	struct nf_err said = { 0 };
	MPI_Request request;

	MPI_Iallreduce(&own, &first, 1, MPI_INT, MPI_MIN, m->world, &request);
	nf_mpi_wait(&request);
	if (first == INT_MAX)
		return 0;
	if (m->rank == first) {
		said = *err;
		if (m->rank != 0)
			(void)nf_fail(&said, err->code, "rank %d on %s: %.400s", m->rank, m->host,
			              err->msg);
		said.os_errno = err->os_errno;
	}
	MPI_Bcast(&said, (int)sizeof(said), MPI_BYTE, first, m->world);
	*err = said;
	return -(int)said.code;
}

uint64_t nf_mpi_memory_bytes(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	unsigned long long kib = 0;

	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, "RssAnon:", 8) == 0)
			kib = strtoull(line + 8, NULL, 10);
	fclose(f);
	return kib * 1024;
}

void nf_mpi_library(char *ret, size_t len_bytes)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int len = 0;

	MPI_Get_library_version(text, &len);
	for (char *p = text; *p; p++)
		if (*p == '\t')
			*p = ' ';
	snprintf(ret, len_bytes, "%.*s", (int)strcspn(text, "\n"), text);
}
