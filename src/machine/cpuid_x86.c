/* SPDX-License-Identifier: MIT */
#include "machine/cpuid.h"

#include <cpuid.h>
#include <string.h>

bool nf_cpuid_hypervisor(bool *ret_present, char ret_vendor[NF_CPUID_VENDOR_BYTES])
{
	unsigned eax, ebx, ecx, edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return false;
	memset(ret_vendor, 0, NF_CPUID_VENDOR_BYTES);
	*ret_present = ecx >> 31;
	if (*ret_present) {
		/* __get_cpuid refuses leaves above leaf 0's maximum; this range is not counted there. */
		__cpuid(0x40000000, eax, ebx, ecx, edx);
		memcpy(ret_vendor, &ebx, 4);
		memcpy(ret_vendor + 4, &ecx, 4);
		memcpy(ret_vendor + 8, &edx, 4);
	}
	return true;
}
