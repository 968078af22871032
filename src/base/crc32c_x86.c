/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/crc32c_arch.h"

bool nf_crc32c_has_instruction(void)
{
	return __builtin_cpu_supports("sse4.2");
}

__attribute__((target("sse4.2"))) uint32_t nf_crc32c_instruction(uint32_t crc, const void *data,
                                                                 size_t len_bytes)
{
	const uint8_t *p = data;
	uint64_t word, wide = ~crc;

	for (; len_bytes >= sizeof(word); len_bytes -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		wide = __builtin_ia32_crc32di(wide, word);
	}
	crc = (uint32_t)wide;
	for (; len_bytes; len_bytes--)
		crc = __builtin_ia32_crc32qi(crc, *p++);
	return ~crc;
}
