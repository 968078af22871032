/* SPDX-License-Identifier: MIT */
/* cpuid - what the CPU this process runs on says about a hypervisor. */
#ifndef NF_MACHINE_CPUID_H
#define NF_MACHINE_CPUID_H

#include <stdbool.h>

enum { NF_CPUID_VENDOR_BYTES = 13 };

/* False: this architecture has no CPUID. Else *ret_present is the hypervisor bit (leaf 1, ECX bit 31)
 * and ret_vendor the 12 bytes of leaf 0x40000000 (EBX, ECX, EDX), NUL-terminated, "" without a
 * hypervisor. */
bool nf_cpuid_hypervisor(bool *ret_present, char ret_vendor[NF_CPUID_VENDOR_BYTES]);

#endif
