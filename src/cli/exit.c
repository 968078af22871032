/* SPDX-License-Identifier: MIT */
#include "cli/cmd.h"

static int rank(int code)
{
	switch (code) {
#define X(sym, value, rank, text) \
	case (value): \
		return (rank);
#include "exit.def"
#undef X
	default:
		return 100;
	}
}

int nf_exit_worse(int a, int b)
{
	return rank(b) > rank(a) ? b : a;
}
