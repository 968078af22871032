/* SPDX-License-Identifier: MIT */
/*
 * survey - what a machine runs and can boot: kernels, the persistent default, the entry for the next boot, and what
 * stands in the way of a one-shot boot. Only reads.
 */
#ifndef NF_LANE_SURVEY_H
#define NF_LANE_SURVEY_H

#include "lane/entry.h"
#include "lane/host.h"

struct nf_lane_loader;

enum { NF_LANE_ENTRIES_MAX = 4096, NF_LANE_REASONS_MAX = 16 };

/* All texts live in the arena that the survey was made with. */
struct nf_lane_survey {
	const struct nf_lane_loader *loader;
	/* What runs. */
	const char *release; /* NULL: not known, like the next ones */
	const char *version; /* uname -v */
	const char *cmdline;
	const char *boot_id;
	const char *host_name;
	const char *tuned_profile;
	enum nf_lane running_lane;
	/* What can be booted. */
	struct nf_lane_entry *entry;
	int n;
	int default_entry; /* index; -1: not known */
	const char *default_why; /* why it is not known; NULL when it is */
	const char *
	        default_token; /* equal before and after: the persistent default is what it was; NULL: unknown */
	bool next_known;
	const char *next; /* id of the entry for the next boot; NULL: none is set */
	const char *menu_path; /* of the file that the entries are from; NULL: none */
	const char *block_path; /* GRUB's environment block; NULL */
	/* Why a one-shot boot cannot be trusted here, in the order in which they were found. */
	const char *reason[NF_LANE_REASONS_MAX];
	int n_reasons;
};

/* loader: name of one (loader.h); NULL: the one that is found. -NF_EARG: there is none of that name. -NF_EUNSUPPORTED:
 * it is not here. Otherwise it fails as the way to the machine does, and for lack of memory: what cannot be read is
 * unknown, or a reason. */
NF_NODISCARD int nf_lane_survey(const struct nf_lane_host *h, const char *loader,
                                struct nf_arena *a, struct nf_lane_survey *ret, struct nf_err *err);

/* What runs now only: release, version, command line, boot id, realtime. */
NF_NODISCARD int nf_lane_running(const struct nf_lane_host *h, struct nf_arena *a,
                                 struct nf_lane_survey *ret, struct nf_err *err);

/* For loaders: adds a reason (the text is formatted into a). */
void nf_lane_reason(struct nf_lane_survey *s, struct nf_arena *a, const char *fmt, ...)
        NF_PRINTF(3, 4);
/* For loaders: adds an entry; its release, recovery and rt are filled in here, from the kernel's configuration in
 * boot_folder where it can be read, else from its name. */
NF_NODISCARD int nf_lane_add(const struct nf_lane_host *h, struct nf_lane_survey *s,
                             struct nf_arena *a, const char *boot_folder,
                             const struct nf_lane_entry *entry, struct nf_err *err);

/* The realtime kernel to boot once: the only one, or the one that want names by id, release or title (NULL: none said).
 * Refusals, in this order: -NF_EUNSUPPORTED where a reason stands, the default is realtime or not known, an entry for
 * the next boot is set already, no candidate or several; -NF_EARG: want names none. */
NF_NODISCARD int nf_lane_choose(const struct nf_lane_survey *s, const char *want, int *ret,
                                struct nf_err *err);
/* Realtime entries that are no recovery entries, one a release: their number; index of the i-th in ret (room for
 * s->n). */
int nf_lane_candidates(const struct nf_lane_survey *s, int ret[]);

#endif
