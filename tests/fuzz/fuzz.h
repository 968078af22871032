/* SPDX-License-Identifier: MIT */
/* fuzz - one function a target: bytes in, no crash, no leak, invariants asserted with fuzz_require().
 * Built with libFuzzer under clang (fuzz_<name>) and, always, as an ordinary test that replays
 * corpus/<name> and mutations of it (replay_<name>). */
#ifndef NF_FUZZ_H
#define NF_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define fuzz_require(cond) \
	do { \
		if (!(cond)) { \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #cond); \
			abort(); \
		} \
	} while (0)

#endif
