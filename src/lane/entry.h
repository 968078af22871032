/* SPDX-License-Identifier: MIT */
/* entry - a kernel that a machine can boot, whatever its loader calls it. */
#ifndef NF_LANE_ENTRY_H
#define NF_LANE_ENTRY_H

#include <stdbool.h>

#include "base/arena.h"
#include "machine/posture.h"

/* All texts live in an arena. */
struct nf_lane_entry {
	const char *
	        id; /* what the loader takes: "sub>entry" of GRUB, "x.conf" of systemd-boot, an image's path of kexec */
	const char *title;
	const char *image; /* as the loader names it; NULL: not known */
	const char *initrd; /* NULL: none */
	const char *args; /* kernel command line; NULL: not known */
	const char *release; /* of the image's name; NULL: it has none */
	bool recovery; /* boots into single-user mode: never a candidate */
	enum nf_lane lane;
	const char *lane_from; /* what says so */
};

/* "6.1.0-18-rt-amd64" of "/boot/vmlinuz-6.1.0-18-rt-amd64"; NULL: the name ends with no release. Points into image. */
const char *nf_lane_release_of(const char *image);
/* Whether a release says that it is of a realtime kernel: one of its parts is rt, rt with digits, or realtime. */
bool nf_lane_release_is_rt(const char *release);
/* Whether args asks for single-user or recovery mode. */
bool nf_lane_args_are_recovery(const char *args);

#endif
