/* SPDX-License-Identifier: MIT */
/*
 * smi - system management interrupt counts per CPU: MSR_SMI_COUNT (0x34, Intel SDM vol. 4) through
 * /dev/cpu/N/msr, or perf's msr/smi event.
 */
#ifndef NF_MACHINE_SMI_H
#define NF_MACHINE_SMI_H

#include "base/cpuset.h"
#include "base/rootfs.h"

struct nf_smi;

enum nf_smi_source { NF_SMI_MSR, NF_SMI_PERF };

/* Opens the first source that works on all of cpus: the MSR device, then perf. Neither:
 * -NF_EUNSUPPORTED with why each failed and what would help. On a vendor without the counter
 * (not Intel): -NF_EUNSUPPORTED. */
NF_NODISCARD int nf_smi_open(const struct nf_rootfs *root, const struct nf_cpuset *cpus,
                             struct nf_smi **ret, struct nf_err *err);
void nf_smi_close(struct nf_smi *s); /* NULL is fine */
enum nf_smi_source nf_smi_source(const struct nf_smi *s);
size_t nf_smi_n_cpus(const struct nf_smi *s);
int nf_smi_cpu(const struct nf_smi *s, size_t i);
/* The count of the i-th CPU now. MSR: since reset, 32 bits wide; perf: since nf_smi_open.
 * -NF_ENODATA: perf did not count all the time. */
NF_NODISCARD int nf_smi_read(const struct nf_smi *s, size_t i, uint64_t *ret, struct nf_err *err);
/* CPUID leaf 1 ECX bit 31: a hypervisor is present. There a count that never moved from its first
 * value means untrusted, never "0 SMIs". */
bool nf_smi_hypervisor(void);

#endif
