/* SPDX-License-Identifier: MIT */
/* trip_file - a trip as text, so that another process can go on with it. Lines of NAME VALUE. Pure. */
#ifndef NF_LANE_TRIP_FILE_H
#define NF_LANE_TRIP_FILE_H

#include "base/buf.h"
#include "lane/trip.h"

enum { NF_TRIP_NAME = 256, NF_TRIP_FILE_MAX_BYTES = 1 << 14 };

/* What goes with it: what the windows are found by, and what a second process must ask for too. */
struct nf_trip_notes {
	char target[NF_TRIP_NAME];
	char entry[1024]; /* id of the realtime entry; "": not chosen yet */
	char loader[32];
	char release_rt[NF_TRIP_NAME]; /* what ran there; "": not known, like the next ones */
	char release_generic[NF_TRIP_NAME];
	char run_generic[NF_TRIP_NAME]; /* name of the window's run folder */
	char run_rt[NF_TRIP_NAME];
	char default_token[2048];
	bool measures;
	/* The realtime kernel as it was verified; verified false: the rest says nothing. */
	bool verified;
	bool rt_ok; /* it is the kernel that was asked for, realtime, and as the profiles say */
	bool rt_flag; /* /sys/kernel/realtime says so, or its version */
	bool has_overlay;
	char host[NF_TRIP_NAME];
	char version_rt[NF_TRIP_NAME];
	char tuned_rt[NF_TRIP_NAME];
	int base_matched, base_mismatched, overlay_matched, overlay_mismatched;
	int cmdline_matched, cmdline_missing;
};

NF_NODISCARD int nf_trip_print(const struct nf_trip *t, const struct nf_trip_notes *n,
                               struct nf_buf *out, struct nf_err *err);
/* path: for messages. -NF_EDATA with path:line: no such file, a value that is none, a line twice. Names of run folders
 * that are no plain names are refused. */
NF_NODISCARD int nf_trip_parse(const char *text, size_t len_bytes, const char *path,
                               struct nf_trip *ret, struct nf_trip_notes *ret_notes,
                               struct nf_err *err);

#endif
