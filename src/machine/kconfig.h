/* SPDX-License-Identifier: MIT */
/* kconfig - the running kernel's configuration, where one can be read. */
#ifndef NF_MACHINE_KCONFIG_H
#define NF_MACHINE_KCONFIG_H

#include "base/rootfs.h"
#include "machine/span.h"

enum { NF_KCONFIG_SOURCE_BYTES = 160, NF_KCONFIG_MAX_BYTES = 8 << 20 };

/* Reads /proc/config.gz, else /boot/config-RELEASE, else /lib/modules/RELEASE/config into out (its
 * ceiling should be NF_KCONFIG_MAX_BYTES) and names the file in ret_source. release may be NULL: then
 * only /proc/config.gz. -NF_ENODATA: none is there; -NF_EOS, -NF_EDATA: the first one that is there
 * cannot be used (ret_source names it too); -NF_ENOMEM. */
NF_NODISCARD int nf_kconfig_load(const struct nf_rootfs *root, const char *release,
                                 struct nf_buf *out, char ret_source[NF_KCONFIG_SOURCE_BYTES],
                                 struct nf_err *err);

/* The value of CONFIG_name: "y", "m", a number or a text with its quotes; "n" for "is not set".
 * False: the configuration does not mention it. Borrowed from config. */
bool nf_kconfig_get(const struct nf_buf *config, const char *name, struct nf_span *ret);

#endif
