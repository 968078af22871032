/* SPDX-License-Identifier: MIT */
/*
 * power - a board's power switch. Rows live in power.c; a driver is one file power_<name>.c and a row there.
 *
 * Every call is bounded: at most NF_POWER_WAIT_NS, or the command's own timeout. A driver says what it knows:
 * a switch that cannot be asked answers UNKNOWN, never what was last asked of it. Blocking: whoever times a console
 * beside it asks a guard (board/power_guard.h) instead. Threads: one at a time per switch.
 */
#ifndef NF_BOARD_POWER_H
#define NF_BOARD_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum nf_power_state {
	NF_POWER_UNKNOWN,
	NF_POWER_OFF,
	NF_POWER_ON,
};
const char *nf_power_state_name(enum nf_power_state state); /* "unknown", "off", "on"; static */

enum nf_power_driver {
	NF_POWER_COMMAND, /* commands of the user's: power strips, hubs, anything */
	NF_POWER_GPIO, /* a line of a GPIO chip, held while the switch is open */
	NF_POWER_HID, /* a USB relay that is a HID device (16c0:05df) */
	NF_POWER_LCUS, /* a serial relay: a0 channel state checksum, at 9600 baud */
	NF_POWER_QMP, /* a QEMU machine */
	NF_POWER_N_DRIVERS,
};

#define NF_POWER_WAIT_NS INT64_C(5000000000)
#define NF_POWER_COMMAND_WAIT_NS INT64_C(60000000000)

enum {
	NF_POWER_LCUS_CHANNELS = 16,
	NF_POWER_HID_CHANNELS = 8,
	NF_POWER_GPIO_LINES = 1024,
};

/* What a campaign file says; texts are borrowed for as long as the switch is open. */
struct nf_power_spec {
	enum nf_power_driver driver;
	const char *
	        path; /* LCUS: a port (board/port.h); HID: a hidraw device; GPIO: the chip, "gpiochip0" or a path; QMP: a unix socket */
	unsigned channel; /* LCUS, HID: from 1; GPIO: the line, from 0 */
	bool active_low; /* GPIO */
	const char *const *on; /* COMMAND: argument vectors, NULL-terminated */
	const char *const *off;
	const char *const *status; /* NULL: cannot be asked */
	const char *
	        search; /* COMMAND: folders as in PATH, to find commands in before any is run; NULL: not looked for */
};

/* The calls that need hardware; a test has its own. As the system's: -1 and errno. */
struct nf_power_os {
	int (*open)(void *ctx, const char *path, int flags);
	int (*ioctl)(void *ctx, int fd, unsigned long request, void *arg);
	void *ctx;
};
extern const struct nf_power_os nf_power_os_live;

struct nf_power; /* of the driver */

struct nf_power_row {
	const char *name;
	const char *keys; /* those of nf_power_spec that it takes, for messages */
	/* Whether the spec can be meant, without touching anything: -NF_EARG with what is allowed. */
	int (*check)(const struct nf_power_spec *spec, struct nf_err *err);
	/* Finds the switch; changes nothing. -NF_EARG: it is not there. -NF_ESUBJECT: held, or no answer. */
	int (*open)(struct nf_power *p, struct nf_err *err);
	int (*set)(struct nf_power *p, bool on, struct nf_err *err);
	int (*status)(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err);
	void (*close)(struct nf_power *p);
};
/* By enum nf_power_driver. */
extern const struct nf_power_row *const nf_power_rows[NF_POWER_N_DRIVERS];

struct nf_power {
	struct nf_power_spec spec;
	const struct nf_power_row *row;
	const struct nf_power_os *os;
	void *state; /* the driver's */
	int fd; /* the driver's; -1: none */
};

/* By name; NF_POWER_N_DRIVERS: none of that name. */
enum nf_power_driver nf_power_find(const char *name);
/* Nothing is touched. -NF_EARG: a key that is missing, out of range, or not the driver's; a command that is not found. */
NF_NODISCARD int nf_power_check(const struct nf_power_spec *spec, struct nf_err *err);
/* os NULL: the live system. */
NF_NODISCARD int nf_power_open(struct nf_power *ret, const struct nf_power_spec *spec,
                               const struct nf_power_os *os, struct nf_err *err);
/* -NF_ESUBJECT: the switch did not answer, or says that it did not switch. -NF_ETIMEOUT. */
NF_NODISCARD int nf_power_set(struct nf_power *p, bool on, struct nf_err *err);
NF_NODISCARD int nf_power_status(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err);
/* The power stays as it is, but for GPIO: a line that nobody holds is the chip's driver's. */
void nf_power_close(struct nf_power *p); /* zeroed, or closed, is fine */

#endif
