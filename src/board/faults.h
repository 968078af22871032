/* SPDX-License-Identifier: MIT */
/* faults - lines by which a console says that something went wrong, whatever the run's status says. */
#ifndef NF_BOARD_FAULTS_H
#define NF_BOARD_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* The name of the fault that the line tells ("cap fault", "stack dump"), static; NULL: none. *dump_lines (0 at
 * the beginning of a console) counts the lines "0x...: 0x..." so far: the third in a row is a dump that no heading told. */
const char *nf_fault_of_line(const char *text, size_t len, size_t *dump_lines);

#endif
