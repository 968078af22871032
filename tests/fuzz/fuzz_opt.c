/* SPDX-License-Identifier: MIT */
/* opt: the parser on arbitrary argument lists. The input holds one argument a line; a first byte
 * with its lowest bit set makes it stop before the first operand, as for global options. */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "opt/opt.h"

enum { MAX_ARGS = 64 };

struct params {
	bool flag;
	int64_t number, count, duration_ns;
	const char *text, *cpus;
	int choice;
	struct nf_opt_list list;
	bool given;
};

static const char *const names[] = { "one", "two", NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_FLAG('f', "flag", struct params, flag, "flag"), .conflicts = "number" },
	{ NF_OPT_INT('n', "number", struct params, number, -10, 10, 1, "number") },
	{ NF_OPT_COUNT('w', "count", struct params, count, 1, 1 << 20, 1, "count") },
	{ NF_OPT_DURATION('d', "duration", struct params, duration_ns, 1, INT64_C(1000000000), 5, "duration"),
	  NF_OPT_GIVEN(struct params, given) },
	{ NF_OPT_TEXT('t', "text", struct params, text, NULL, "TEXT", "text"), .needs = "count" },
	{ NF_OPT_CPUS('c', "cpus", struct params, cpus, "allowed", "cpus") },
	{ NF_OPT_CHOICE(0, "choice", struct params, choice, names, 0, "NAME", "choice") },
	{ NF_OPT_LIST('l', "list", struct params, list, "TEXT", "list") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct params p = { 0 };
	struct nf_opt_set set = { .opts = opts, .params = &p };
	const char *item[MAX_ARGS];
	struct nf_opt_rest rest = { .item = item, .n = -1 };
	struct nf_err err = { 0 };
	char *argv[MAX_ARGS];
	int argc = 0;

	if (size == 0)
		return 0;
	bool first_only = data[0] & 1;
	char *copy = malloc(size);
	fuzz_require(copy);
	memcpy(copy, data + 1, size - 1);
	copy[size - 1] = '\0';
	for (char *line = copy; line && argc < MAX_ARGS;) {
		char *end = strchr(line, '\n');

		if (end)
			*end = '\0';
		argv[argc++] = line;
		line = end ? end + 1 : NULL;
	}
	nf_opt_defaults(&set);
	int r = nf_opt_parse(&set, 1, argc, argv, first_only, &rest, &err);
	if (r < 0) {
		fuzz_require(r == -NF_EARG && err.code == NF_EARG);
		fuzz_require(err.msg[0] && !strpbrk(err.msg, "\n\r\x1b"));
		fuzz_require(rest.n == -1);
	} else {
		fuzz_require(rest.n >= 0 && rest.n <= argc && rest.n_used <= argc);
		fuzz_require(rest.n_before <= rest.n && (!first_only || rest.n == 0));
		fuzz_require(first_only || rest.n_used == argc);
	}
	/* Whatever came in, no field holds what its row does not allow. */
	fuzz_require(p.number >= -10 && p.number <= 10);
	fuzz_require(p.count >= 1 && p.count <= 1 << 20);
	fuzz_require(p.duration_ns >= 1 && p.duration_ns <= 1000000000);
	fuzz_require(p.choice == 0 || p.choice == 1);
	fuzz_require(p.list.n <= NF_OPT_LIST_MAX);
	free(copy);
	return 0;
}
