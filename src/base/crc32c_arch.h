/* SPDX-License-Identifier: MIT */
/* crc32c_arch - the CPU's own instruction for CRC-32C, where it has one: crc32c_x86.c or crc32c_none.c. */
#ifndef NF_BASE_CRC32C_ARCH_H
#define NF_BASE_CRC32C_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool nf_crc32c_has_instruction(void);
/* As nf_crc32c(); only where there is one. */
uint32_t nf_crc32c_instruction(uint32_t crc, const void *data, size_t len_bytes);
/* By table, anywhere. */
uint32_t nf_crc32c_plain(uint32_t crc, const void *data, size_t len_bytes);

#endif
