/* SPDX-License-Identifier: MIT */
/* bootctl - what `bootctl list --json` says, and the variables in which systemd-boot keeps its state. Pure. */
#ifndef NF_LANE_BOOTCTL_H
#define NF_LANE_BOOTCTL_H

#include <stdbool.h>

#include "base/arena.h"

struct nf_bootctl_entry {
	const char *id; /* all texts live in the arena */
	const char *title; /* the id where it has none */
	const char *image; /* NULL: no Linux kernel */
	const char *release; /* its version; NULL: not said */
	const char *initrd; /* NULL: none */
	const char *args; /* NULL: not said */
	bool is_default;
};
struct nf_bootctl_list {
	struct nf_bootctl_entry *entry;
	size_t n;
};

/* -NF_EDATA: no such list. */
NF_NODISCARD int nf_bootctl_parse(const char *json, size_t len_bytes, struct nf_arena *a,
                                  struct nf_bootctl_list *ret, struct nf_err *err);
/* The text of an EFI variable as efivarfs shows it: four bytes of attributes, then UTF-16LE, to its NUL (Boot Loader
 * Interface). What is not ASCII becomes '?'. NULL: too short, or an odd number of bytes. */
const char *nf_bootctl_variable(const char *data, size_t len_bytes, struct nf_arena *a);

#endif
