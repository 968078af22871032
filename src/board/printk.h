/* SPDX-License-Identifier: MIT */
/*
 * printk - what the kernel on the board says the time is ("[    1.056170] "), beside what the host saw.
 *
 * The two count differently: a message is stamped when it is logged and seen when its bytes arrive, and a guest whose
 * virtual machine is held does not see that time pass.
 */
#ifndef NF_BOARD_PRINTK_H
#define NF_BOARD_PRINTK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first stamp in a line; false: none. ret_at: where its bracket opens. */
bool nf_printk_stamp(const char *text, size_t len, int64_t *ret_ns, size_t *ret_at);

/* Another boot: the clock fell back further than messages of several CPUs stand out of order, or is at 0 again. */
bool nf_printk_begins_anew(int64_t last_ns, int64_t now_ns);

struct nf_printk_span {
	size_t stamps; /* lines with one, of clocks that run */
	size_t restarts; /* the clock began anew: another boot */
	int64_t guest_ns; /* between the first stamp and the last, without what lies between two boots */
	int64_t host_ns; /* the same lines as the host saw them */
	/* state */
	int64_t last_guest_ns, last_host_ns;
};
/* Early lines say 0.000000 before the clock runs: the last of these is where it starts. */
void nf_printk_add(struct nf_printk_span *s, int64_t guest_ns, int64_t host_ns);

#endif
