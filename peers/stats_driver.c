/* SPDX-License-Identifier: MIT */
/*
 * stats_driver FILE: reads doubles from FILE, then for each line on stdin does what it names (summary,
 * percentiles) and prints how long that took in ns, or for `memory` the peak resident memory in bytes,
 * before the first call and now.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "noisefloor/location.h"
#include "noisefloor/summary.h"

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long peak_bytes(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss * 1024;
}

static double *read_all(const char *path, size_t *ret_n)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	double *x = NULL;

	if (!f)
		return NULL;
	if (fstat(fileno(f), &st) == 0)
		x = malloc((size_t)st.st_size);
	*ret_n = (size_t)st.st_size / sizeof(*x);
	if (x && fread(x, sizeof(*x), *ret_n, f) != *ret_n) {
		free(x);
		x = NULL;
	}
	fclose(f);
	return x;
}

int main(int argc, char **argv)
{
	static const double p[] = { 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999 };
	enum { N_P = sizeof(p) / sizeof(*p) };
	char line[64];
	size_t n = 0;
	double *x = argc == 2 ? read_all(argv[1], &n) : NULL;

	if (!x || n == 0) {
		fprintf(stderr, "stats_driver: cannot read %s: %s\n", argc == 2 ? argv[1] : "FILE",
		        strerror(errno));
		return 4;
	}

	long before = peak_bytes();

	while (fgets(line, sizeof(line), stdin)) {
		int64_t start = now_ns();
		struct nf_summary s;
		double q[N_P];
		int r = 0;

		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "memory") == 0) {
			printf("%ld %ld\n", before, peak_bytes());
		} else if (strcmp(line, "summary") == 0) {
			r = nf_summarize(x, n, &s, NULL);
			printf("%lld %.17g %.17g %.17g\n", (long long)(now_ns() - start), s.median,
			       s.mad, s.percentile[6].value);
		} else {
			r = nf_quantiles(x, n, NF_QUANTILE_TYPE, p, N_P, q, NULL);
			printf("%lld %.17g %.17g %.17g\n", (long long)(now_ns() - start), q[1],
			       q[4], q[6]);
		}
		fflush(stdout);
		if (r < 0) {
			fprintf(stderr, "stats_driver: error %d\n", r);
			return 4;
		}
	}
	free(x);
	return 0;
}
