/* SPDX-License-Identifier: MIT */
/* fwq_write_driver MODE SAMPLES WORK FILE - takes samples of fixed work and writes them to FILE, as text with one
 * printf a sample (printf; durable: and an fsync), as text with the project's writer (text) or as .nfsamples
 * (native). Prints the time beyond the work in ns: from before the first quantum to the closed file, less the
 * samples. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sysio.h"
#include "measure/kernels/kernels.h"
#include "samples/fwq_write.h"
#include "samples/samplefile.h"

static int to_fd(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	return nf_write_all(*(const int *)ctx, data, len_bytes, "the file", err);
}

static int write_printf(const char *path, const int64_t *v, size_t n, bool sync)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	fprintf(f, "Speed: thread 0, cycles 0, seconds %f, GHz %f\n", 1.0, 1.0);
	fprintf(f, "Thread 0 running on CPUs 0\n");
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%lld\n", (long long)v[i]);
	bool ok = fflush(f) == 0 && (!sync || fsync(fileno(f)) == 0);
	return fclose(f) == 0 && ok ? 0 : -1;
}

static int write_text(const char *path, const int64_t *v, size_t n)
{
	const struct nf_fwq_worker_text w = {
		.cpus = "0", .seconds = 1, .ghz = 1, .value = v, .n = n
	};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct nf_sink sink = { to_fd, &fd };

	if (fd < 0)
		return -1;
	int r = nf_fwq_write(NF_FWQ_THREADS, &w, 1, &sink, NULL);
	return close(fd) < 0 ? -1 : r;
}

static int write_native(const char *path, int64_t *v, size_t n)
{
	struct nf_stream s = {
		.name = "fwq.cpu0", .clock = "monotonic_raw", .unit = NF_UNIT_NS, .value = v, .n = n
	};
	struct nf_samplefile_writer *w = NULL;

	(void)unlink(path);
	int r = nf_samplefile_create(AT_FDCWD, path, &s, 1, &w, NULL);
	if (r == 0)
		r = nf_samplefile_append(w, 0, v, n, NULL);
	return r == 0 ? nf_samplefile_finish(w, &s, NULL) : r;
}

int main(int argc, char **argv)
{
	static const volatile sig_atomic_t never = 0;

	if (argc != 5)
		return 2;
	size_t n = strtoul(argv[2], NULL, 10);
	int64_t *v = malloc(n * sizeof(*v)), sum = 0;
	if (n == 0 || !v)
		return 2;
	memset(v, 1, n * sizeof(*v)); /* no page is new inside */
	/* Nanoseconds, so that samples and wall time are of one clock. */
	struct nf_fwq_loop l = { .work = strtoul(argv[3], NULL, 10),
		                 .sample = v,
		                 .n = n,
		                 .deadline_tick = UINT64_MAX,
		                 .stop = &never };
	struct nf_instant start = nf_now_raw();
	nf_kernels[NF_KERNEL_NOP].loop_monotonic(&l);
	int r = strcmp(argv[1], "printf") == 0    ? write_printf(argv[4], v, n, false)
	        : strcmp(argv[1], "durable") == 0 ? write_printf(argv[4], v, n, true)
	        : strcmp(argv[1], "text") == 0    ? write_text(argv[4], v, n)
	                                          : write_native(argv[4], v, n);
	int64_t wall = nf_since_ns(start, nf_now_raw());
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	free(v);
	printf("%" PRId64 "\n", wall - sum);
	return r != 0;
}
