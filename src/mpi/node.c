/* SPDX-License-Identifier: MIT */
#include "mpi/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"

enum { POSTURE_BYTES = 64 << 20 };

static uint32_t fingerprint(const struct nf_posture *p, const struct nf_tick_clock *clock)
{
	const char *const texts[] = { p->kernel_release, p->kernel_cmdline, p->cpu_model,
		                      nf_tick_name(clock->source) };
	uint32_t crc = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i])
			crc = nf_crc32c(crc, texts[i], strlen(texts[i]) + 1);
	return crc;
}

static int read_own(struct nf_mpi_node *n, enum nf_tick_want clock, struct nf_err *err)
{
	struct nf_posture posture;
	struct nf_arena arena;
	struct nf_rootfs root;
	int r = nf_rootfs_open(&root, NULL, err);

	if (r < 0)
		return r;
	nf_arena_init(&arena, POSTURE_BYTES);
	r = nf_posture_read(&root, &arena, &posture, err);
	if (r == 0)
		r = nf_tick_open(&root, clock, &n->clock, err);
	if (r == 0)
		n->fingerprint = fingerprint(&posture, &n->clock);
	nf_arena_fini(&arena);
	nf_rootfs_close(&root);
	return r;
}

int nf_mpi_node_open(const struct nf_mpi *m, const struct nf_session *session,
                     enum nf_tick_want clock, struct nf_mpi_node *ret, struct nf_err *err)
{
	if (!nf_mpi_is_leader(m))
		return 0;
	if (!session)
		return read_own(ret, clock, err);
	ret->clock = session->clock;
	ret->fingerprint = fingerprint(&session->before, &session->clock);
	return 0;
}

void nf_mpi_node_share(const struct nf_mpi *m, struct nf_mpi_node *n)
{
	uint32_t own[2] = { n->fingerprint, ~n->fingerprint }, least[2] = { 0, 0 };

	/* The smallest and, complemented, the largest. */
	if (m->leaders != MPI_COMM_NULL)
		MPI_Allreduce(own, least, 2, MPI_UINT32_T, MPI_MIN, m->leaders);
	n->alike = least[0] == ~least[1];
	/* Bytes: all ranks run this program. */
	MPI_Bcast(&n->clock, (int)sizeof(n->clock), MPI_BYTE, 0, m->node);
}

/* A name of at most 64 bytes that is safe in a path. */
static void safe_name(const struct nf_mpi *m, char *ret, size_t len_bytes)
{
	snprintf(ret, len_bytes, "%d-%.64s.json", m->node_index, m->host);
	for (char *c = ret; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
		            *c))
			*c = '_';
}

int nf_mpi_node_setup_keep(const struct nf_mpi *m, const struct nf_job_opts *opts,
                           const char *folder, struct nf_err *err)
{
	const struct nf_posture_opts live = { 0 };
	struct nf_job_outcome posture;
	char path[4096], name[128];

	if (!nf_mpi_is_leader(m))
		return 0;
	safe_name(m, name, sizeof(name));
	snprintf(path, sizeof(path), "%.4000s/nodes", folder);
	nf_job_outcome_init(&posture);
	int fd = -1, r = nf_job_posture(opts, &live, &posture, err);
	if (r < 0)
		goto out;
	if (mkdir(path, 0700) < 0 && errno != EEXIST) {
		r = errno == ENOENT
		            ? nf_fail(err, NF_EARG,
		                      "%.300s is not seen on this node: --runs must lie on a file "
		                      "system that all nodes of the job share",
		                      folder)
		            : nf_fail_os(err, errno, "cannot make %.300s", path);
		goto out;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		r = nf_fail_os(err, errno, "%.300s", path);
		goto out;
	}
	r = nf_write_file_atomic(fd, name, posture.json.data, posture.json.len_bytes, 0600, err);
out:
	if (fd >= 0)
		close(fd);
	nf_job_outcome_fini(&posture);
	return r;
}
