/* SPDX-License-Identifier: MIT */
#include "actor/valgrind_stack.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <valgrind/valgrind.h>

void nf_valgrind_stack(char *low, char *high)
{
	(void)VALGRIND_STACK_REGISTER(low, high);
}
