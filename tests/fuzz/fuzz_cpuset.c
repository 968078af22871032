/* SPDX-License-Identifier: MIT */
/* cpuset: a list that parses prints in a form that parses to the same set, and the set operations
 * agree with each other. The input is up to two lists, one a line. */
#include <string.h>

#include "base/cpuset.h"
#include "fuzz.h"

static int parse(const char *text, struct nf_cpuset *ret)
{
	struct nf_err err = { 0 };
	int r = nf_cpuset_parse(text, true, ret, &err);

	fuzz_require(r == 0 || (r == -NF_EARG && err.code == NF_EARG && err.msg[0]));
	fuzz_require(r < 0 || err.code == NF_OK);
	return r;
}

static void round_trip(const struct nf_cpuset *s)
{
	struct nf_cpuset again;
	struct nf_buf text, text2;
	size_t n = 0;

	nf_cpuset_init(&again);
	nf_buf_init(&text, 1 << 20);
	nf_buf_init(&text2, 1 << 20);
	fuzz_require(nf_cpuset_print(s, &text) == 0);
	fuzz_require(parse(text.data, &again) == 0);
	fuzz_require(nf_cpuset_equal(s, &again));
	fuzz_require(nf_cpuset_print(&again, &text2) == 0);
	fuzz_require(strcmp(text.data, text2.data) == 0);
	for (int cpu = nf_cpuset_next(s, -1); cpu >= 0; cpu = nf_cpuset_next(s, cpu)) {
		fuzz_require(cpu < NF_CPU_MAX && nf_cpuset_has(s, cpu));
		n++;
	}
	fuzz_require(n == nf_cpuset_count(s));
	nf_buf_fini(&text2);
	nf_buf_fini(&text);
	nf_cpuset_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_cpuset a, b, both, only_a;
	char *text = malloc(size + 1), *line;

	fuzz_require(text);
	memcpy(text, data, size);
	text[size] = '\0';
	line = strchr(text, '\n');
	if (line)
		*line++ = '\0';
	nf_cpuset_init(&a);
	nf_cpuset_init(&b);
	nf_cpuset_init(&both);
	nf_cpuset_init(&only_a);
	if (parse(text, &a) == 0 && parse(line ? line : "", &b) == 0) {
		round_trip(&a);
		fuzz_require(nf_cpuset_copy(&both, &a, NULL) == 0);
		fuzz_require(nf_cpuset_copy(&only_a, &a, NULL) == 0);
		nf_cpuset_and(&both, &b);
		nf_cpuset_andnot(&only_a, &b);
		fuzz_require(nf_cpuset_count(&both) + nf_cpuset_count(&only_a) ==
		             nf_cpuset_count(&a));
		fuzz_require((nf_cpuset_check_subset(&a, &b, "CPU", NULL) == 0) ==
		             (nf_cpuset_count(&only_a) == 0));
		fuzz_require(nf_cpuset_check_subset(&both, &b, "CPU", NULL) == 0);
		round_trip(&only_a);
	} else {
		fuzz_require(nf_cpuset_count(&b) == 0);
	}
	nf_cpuset_fini(&only_a);
	nf_cpuset_fini(&both);
	nf_cpuset_fini(&b);
	nf_cpuset_fini(&a);
	free(text);
	return 0;
}
