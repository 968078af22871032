/* SPDX-License-Identifier: MIT */
/* loader - what boots a machine's kernels, behind one table (docs/HOWTO_ADD_LOADER.md). */
#ifndef NF_LANE_LOADER_H
#define NF_LANE_LOADER_H

#include "lane/survey.h"

struct nf_lane_loader {
	const char *name; /* "grub" */
	const char *title; /* "GRUB" */
	/* Whether it boots this machine. */
	int (*find)(const struct nf_lane_host *h, struct nf_arena *a, bool *ret,
	            struct nf_err *err);
	/* Fills entries, default, next and reasons of s, whose running part is filled. */
	int (*survey)(const struct nf_lane_host *h, struct nf_arena *a, struct nf_lane_survey *s,
	              struct nf_err *err);
	/* Asks for entry i at the next boot only. Nobody trusts it: the caller surveys again. */
	int (*arm)(const struct nf_lane_host *h, const struct nf_lane_survey *s, int i,
	           struct nf_err *err);
	int (*clear)(const struct nf_lane_host *h, const struct nf_lane_survey *s,
	             struct nf_err *err);
	const char *const *reboot; /* into the entry that is armed; argv, ends with NULL */
	const char *const *back; /* into the default */
};

extern const struct nf_lane_loader
        *const nf_lane_loaders[]; /* ends with NULL; in the order of looking */
extern const struct nf_lane_loader nf_lane_loader_grub, nf_lane_loader_systemd,
        nf_lane_loader_kexec;

#endif
