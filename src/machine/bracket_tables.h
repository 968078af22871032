/* SPDX-License-Identifier: MIT */
/*
 * bracket_tables - differences between two readings of /proc's tables with a column a CPU. Pure: texts
 * in, numbers out. Used by bracket.c.
 */
#ifndef NF_MACHINE_BRACKET_TABLES_H
#define NF_MACHINE_BRACKET_TABLES_H

#include "machine/posture.h"
#include "machine/span.h"

/* Position of a measured CPU by its number. */
struct nf_percpu_slots {
	int32_t *slot; /* owned; -1: not measured */
	size_t n; /* highest measured CPU + 1 */
	size_t n_slots;
};
NF_NODISCARD int nf_percpu_slots_init(struct nf_percpu_slots *s, const int *cpus, size_t n_cpus,
                                      struct nf_err *err);
void nf_percpu_slots_fini(struct nf_percpu_slots *s);

struct nf_percpu_diff {
	const struct nf_percpu_slots *slots; /* borrowed */
	struct nf_fact_nat *all; /* owned; by slot */
	struct nf_fact_nat *timer; /* owned; by slot */
	uint64_t *before, *after; /* owned; one line, by slot */
	bool *in_before, *in_after; /* owned; the table has a column for it, by slot */
};
NF_NODISCARD int nf_percpu_diff_init(struct nf_percpu_diff *d, size_t n_slots,
                                     struct nf_err *err); /* d->slots is set */
void nf_percpu_diff_fini(struct nf_percpu_diff *d); /* also after a failed init */

/*
 * /proc/interrupts or /proc/softirqs before and after. The header names the columns (offline CPUs
 * have none); lines without a number for every column (ERR, MIS) belong to no CPU. Counters are
 * 32 bits wide and wrap. A CPU without a column in both, or a line that vanished, makes the sum
 * unknown; a new line counts from 0, as a new interrupt does. `timer` sums the lines of the local timer: LOC, or
 * one described as arch_timer or riscv-timer; unknown without such a line.
 */
void nf_percpu_table(struct nf_percpu_diff *d, struct nf_span before, struct nf_span after);

/* Steal of /proc/stat's cpuN lines into `all`. */
void nf_percpu_steal(struct nf_percpu_diff *d, struct nf_span before, struct nf_span after);

#endif
