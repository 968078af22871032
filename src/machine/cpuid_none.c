/* SPDX-License-Identifier: MIT */
#include "machine/cpuid.h"

bool nf_cpuid_hypervisor(bool *ret_present, char ret_vendor[NF_CPUID_VENDOR_BYTES])
{
	(void)ret_present;
	(void)ret_vendor;
	return false;
}
