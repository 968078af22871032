/* SPDX-License-Identifier: MIT */
/* elf - whether a file is a program that runs on another machine as it is. */
#ifndef NF_REMOTE_ELF_H
#define NF_REMOTE_ELF_H

#include "base/fail.h"

/* A static 64-bit ELF program for arch ("x86_64", "aarch64"; as uname -m says it). -NF_EARG, naming the file: it is not,
 * and why. The offset of fd stays. */
NF_NODISCARD int nf_elf_check(int fd, const char *arch, const char *name, struct nf_err *err);

#endif
