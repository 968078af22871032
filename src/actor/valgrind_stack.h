/* SPDX-License-Identifier: MIT */
/* valgrind_stack - tells valgrind where stacks are, in builds that found its header. */
#ifndef NF_ACTOR_VALGRIND_STACK_H
#define NF_ACTOR_VALGRIND_STACK_H

/* A stack from low to high; known for as long as the process lives. */
void nf_valgrind_stack(char *low, char *high);

#endif
