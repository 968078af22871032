/* SPDX-License-Identifier: MIT */
#include "base/crc32c_arch.h"

bool nf_crc32c_has_instruction(void)
{
	return false;
}

uint32_t nf_crc32c_instruction(uint32_t crc, const void *data, size_t len_bytes)
{
	return nf_crc32c_plain(crc, data, len_bytes);
}
