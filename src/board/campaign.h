/* SPDX-License-Identifier: MIT */
/*
 * campaign - the campaign file: one board, the configurations it is booted with, how often (docs/CAMPAIGN_FILE.md is made
 * from the schema). Reading is pure: bytes in, a campaign or one line with FILE:LINE:COLUMN out; nothing is opened,
 * no device is touched, no environment is read. What the file names is looked for by board/campaign_host.h.
 *
 * The structs are what the file says; nf_campaign_... give it as the rest of src/board takes it.
 */
#ifndef NF_BOARD_CAMPAIGN_H
#define NF_BOARD_CAMPAIGN_H

#include "board/phases.h"
#include "board/port.h"
#include "board/power.h"
#include "board/power_guard.h"
#include "conf/conf.h"

enum {
	NF_CAMPAIGN_NAME = 48, /* bytes of a name, NUL included */
	NF_CAMPAIGN_CONFIGS_MAX = 64,
	NF_CAMPAIGN_COMMANDS_MAX = 64,
	NF_CAMPAIGN_LOADS_MAX = 8,
	NF_CAMPAIGN_FAILS_MAX = 16,
	NF_CAMPAIGN_COMMAND_BYTES = 1000,
};

struct nf_campaign_console {
	struct nf_conf_pos pos;
	struct nf_conf_text by_path, by_id, device, pty, unix_socket, tcp;
	struct nf_conf_int baud;
};
enum nf_campaign_verify {
	NF_CAMPAIGN_VERIFY_SILENCE,
	NF_CAMPAIGN_VERIFY_NONE,
};
struct nf_campaign_power {
	struct nf_conf_pos pos;
	struct nf_conf_int driver; /* enum nf_power_driver */
	struct nf_conf_text by_path, by_id, device, chip, socket;
	struct nf_conf_int channel, line;
	struct nf_conf_bool active_low;
	struct nf_conf_list on, off, status;
	struct nf_conf_int off_time, verify;
};
struct nf_campaign_uboot {
	struct nf_conf_pos pos;
	struct nf_conf_text autoboot, keys, prompt, eol;
};
struct nf_campaign_shell {
	struct nf_conf_pos pos;
	struct nf_conf_text login, user, password_env, prompt;
};
struct nf_campaign_board {
	struct nf_conf_pos pos;
	struct nf_conf_text name;
	struct nf_conf_int platform; /* enum nf_campaign_platform */
	struct nf_campaign_console console;
	struct nf_campaign_power power;
	struct nf_campaign_uboot uboot; /* pos.line 0: none, as with shell */
	struct nf_campaign_shell shell;
};
enum nf_campaign_platform {
	NF_CAMPAIGN_BOARD,
	NF_CAMPAIGN_EMULATOR,
};

struct nf_campaign_declared {
	struct nf_conf_text name, value;
};
struct nf_campaign_tftp {
	struct nf_conf_pos pos;
	struct nf_conf_text root, image, addr, server;
	struct nf_conf_int tries;
};
struct nf_campaign_loads {
	struct nf_conf_pos pos;
	struct nf_campaign_tftp one;
	struct nf_conf_list more; /* of struct nf_campaign_tftp */
};
struct nf_campaign_timeout {
	struct nf_conf_pos pos;
	struct nf_conf_int prompt, load, boot, silence;
};
struct nf_campaign_phase {
	struct nf_conf_pos pos;
	struct nf_conf_text name, match;
};
struct nf_campaign_value {
	struct nf_conf_pos pos;
	struct nf_conf_text name, match, unit;
};
struct nf_campaign_config {
	struct nf_conf_pos pos;
	struct nf_conf_text name;
	struct nf_conf_list declared; /* of struct nf_campaign_declared */
	struct nf_conf_list commands; /* of struct nf_conf_text */
	struct nf_campaign_loads tftp;
	struct nf_conf_text boot, done;
	struct nf_conf_list fail; /* of struct nf_conf_text */
	struct nf_campaign_timeout timeout;
	struct nf_conf_list phases, values;
};
enum nf_campaign_order {
	NF_CAMPAIGN_INTERLEAVE,
	NF_CAMPAIGN_SEQUENTIAL,
};
struct nf_campaign_retry {
	struct nf_conf_pos pos;
	struct nf_conf_int infra, board;
};
struct nf_campaign_plan {
	struct nf_conf_pos pos;
	struct nf_conf_int runs, order;
	struct nf_campaign_retry retry;
};
struct nf_campaign_file {
	struct nf_conf_pos pos;
	struct nf_campaign_board board;
	struct nf_conf_int on_abort; /* enum nf_power_end */
	struct nf_conf_list configs; /* of struct nf_campaign_config; at least 1 */
	struct nf_campaign_plan campaign;
};
extern const struct nf_conf_type nf_campaign_file_type;

struct nf_campaign {
	struct nf_conf conf; /* owns all texts */
	const struct nf_campaign_file *file;
	struct nf_port_spec console;
	struct nf_power_spec power;
	enum nf_campaign_platform platform;
};

/* -NF_EDATA: "LABEL:LINE:COLUMN: what; allowed: ...". -NF_ENOMEM. */
NF_NODISCARD int nf_campaign_read(const char *label, const void *data, size_t len_bytes,
                                  struct nf_campaign *ret, struct nf_err *err);
/* The same from a file. -NF_EARG: it cannot be read. */
NF_NODISCARD int nf_campaign_read_file(const char *path, struct nf_campaign *ret,
                                       struct nf_err *err);
void nf_campaign_fini(struct nf_campaign *c); /* zeroed is fine */

const struct nf_campaign_config *nf_campaign_config(const struct nf_campaign *c, size_t i);
/* What it loads, in order; the list is borrowed from the campaign. */
size_t nf_campaign_loads(const struct nf_campaign_config *config,
                         const struct nf_campaign_tftp **ret);
/* What its phases and values are; lists live in the arena. locate stays NULL. */
NF_NODISCARD int nf_campaign_phases(const struct nf_campaign_config *config, struct nf_arena *a,
                                    struct nf_phases_opts *ret, struct nf_err *err);
/* Units a second of a unit of time ("us": 1e6); 0: no time. */
double nf_campaign_unit_per_s(const char *unit);

#endif
