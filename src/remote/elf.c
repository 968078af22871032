/* SPDX-License-Identifier: MIT */
#include "remote/elf.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"

enum { PROGRAM_HEADERS = 64 };

static const char *judge(int fd, const char *arch)
{
	Elf64_Phdr part[PROGRAM_HEADERS];
	Elf64_Ehdr head;

	if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_ident[EI_DATA] != ELFDATA2LSB)
		return "no 64-bit ELF program";
	if (head.e_machine != (strcmp(arch, "aarch64") == 0 ? EM_AARCH64 : EM_X86_64))
		return "made for another architecture";
	if (head.e_phentsize != sizeof(part[0]) || head.e_phnum == 0 ||
	    head.e_phnum > PROGRAM_HEADERS)
		return "no ELF program";
	size_t bytes = head.e_phnum * sizeof(part[0]);
	if (head.e_phoff > INT64_MAX / 2 ||
	    pread(fd, part, bytes, (off_t)head.e_phoff) != (ssize_t)bytes)
		return "cut off";
	for (size_t i = 0; i < head.e_phnum; i++)
		if (part[i].p_type == PT_INTERP)
			return "not linked statically";
	return NULL;
}

int nf_elf_check(int fd, const char *arch, const char *name, struct nf_err *err)
{
	const char *why = judge(fd, arch);
	char quoted[NF_QUOTED];

	if (!why)
		return 0;
	nf_quote(name, quoted);
	return nf_fail(err, NF_EARG, "%s: %s; allowed: a static noisefloor for %s", quoted, why,
	               arch);
}
