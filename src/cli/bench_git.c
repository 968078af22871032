/* SPDX-License-Identifier: MIT */
#include "cli/bench_git.h"

#include <string.h>

#include "bench/execution.h"

enum { SAID_BYTES = 4096 };
#define TIMEOUT_NS INT64_C(10000000000)

/* The first line of what a text for the shell prints; false: it failed, printed nothing or took too long. */
static bool first_line(const char *text, char *ret, size_t size)
{
	const struct nf_variant v = { .shell = text, .timeout_ns = TIMEOUT_NS };
	const struct nf_set_cfg cfg = { .n_values = 1 };
	struct nf_ended ended = { 0 };
	struct nf_launch launch;
	struct nf_err ignored = { 0 };
	struct nf_buf said;
	bool got = false;

	nf_buf_init(&said, SAID_BYTES);
	if (nf_launch_open(&v, &cfg, true, &launch, &ignored) == 0) {
		int r = nf_launch_run(&launch, &said, &ended, &ignored);
		size_t len = strcspn(said.data, "\n");

		got = r == 0 && ended.wait_status == 0 && !ended.timed_out && len > 0 && len < size;
		if (got) {
			memcpy(ret, said.data, len);
			ret[len] = '\0';
		}
		nf_launch_close(&launch);
	}
	nf_buf_fini(&said);
	return got;
}

void nf_bench_git(char ret[NF_GIT_COMMIT_MAX], struct nf_some_bool *ret_dirty)
{
	char changed[16];

	*ret_dirty = (struct nf_some_bool){ 0 };
	if (!first_line("git rev-parse --verify --quiet HEAD", ret, NF_GIT_COMMIT_MAX)) {
		ret[0] = '\0';
		return;
	}
	/* "clean" where nothing that is tracked has changed. */
	if (first_line("git diff --quiet --ignore-submodules HEAD -- && echo clean || echo dirty",
	               changed, sizeof(changed)))
		*ret_dirty = nf_some_bool(strcmp(changed, "dirty") == 0);
}
