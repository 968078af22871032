/* SPDX-License-Identifier: MIT */
/* campaign_schema - the keys of a campaign file. Rules that two keys have together are in campaign.c. */
#include <ctype.h>
#include <string.h>

#include "base/quote.h"
#include "board/campaign.h"
#include "board/match.h"
#include "board/pattern.h"

/* --- texts with rules --- */

/* A name becomes part of file names and of tables. */
static int check_name(const void *value, void *ctx, struct nf_err *err)
{
	const struct nf_conf_text *t = value;
	char quoted[NF_QUOTED];

	(void)ctx;
	for (const char *p = t->v; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._-", *p)) {
			nf_quote(t->v, quoted);
			return nf_fail(err, NF_EDATA, "bad name %s", quoted);
		}
	if (!isalnum((unsigned char)t->v[0])) {
		nf_quote(t->v, quoted);
		return nf_fail(err, NF_EDATA, "bad name %s", quoted);
	}
	return 0;
}

static int check_plain(const void *value, void *ctx, struct nf_err *err)
{
	const struct nf_conf_text *t = value;

	(void)ctx;
	for (const char *p = t->v; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return nf_fail(err, NF_EDATA, "control character \\x%02x at byte %zu",
			               (unsigned)*p, (size_t)(p - t->v) + 1);
	return 0;
}

static int check_word(const void *value, void *ctx, struct nf_err *err)
{
	const struct nf_conf_text *t = value;

	if (strpbrk(t->v, " \t;"))
		return nf_fail(err, NF_EDATA, "a blank or a semicolon");
	return check_plain(value, ctx, err);
}

/* Below the server's root: no way out of it. */
static int check_image(const void *value, void *ctx, struct nf_err *err)
{
	const struct nf_conf_text *t = value;

	for (const char *p = t->v; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (strncmp(p, "..", 2) == 0 && (p[2] == '\0' || p[2] == '/'))
			return nf_fail(err, NF_EDATA, "'..' leads out of root");
	}
	if (t->v[0] == '/')
		return nf_fail(err, NF_EDATA, "begins with '/'");
	return check_word(value, ctx, err);
}

static int check_env_name(const void *value, void *ctx, struct nf_err *err)
{
	const struct nf_conf_text *t = value;

	(void)ctx;
	for (const char *p = t->v; *p; p++)
		if (!isalpha((unsigned char)*p) && *p != '_' &&
		    (p == t->v || !isdigit((unsigned char)*p)))
			return nf_fail(err, NF_EDATA,
			               "not the name of an environment variable: the password "
			               "itself does not belong here");
	return 0;
}

static int compile(const char *pattern, uint32_t *ret_groups, struct nf_err *err)
{
	struct nf_match *m = NULL;
	struct nf_err why = { 0 };
	int r = nf_match_new(pattern, &m, &why);

	if (r == 0) {
		*ret_groups = nf_match_n_groups(m);
		nf_match_free(m);
		r = nf_pattern_check(pattern, NF_LINE_LIMIT, &why);
	}
	if (r == -NF_EARG)
		return nf_fail(err, NF_EDATA, "%s", why.msg);
	if (r < 0 && err)
		*err = why;
	return r;
}

static int check_pattern(const void *value, void *ctx, struct nf_err *err)
{
	uint32_t groups;

	(void)ctx;
	return compile(((const struct nf_conf_text *)value)->v, &groups, err);
}

static int check_value_pattern(const void *value, void *ctx, struct nf_err *err)
{
	uint32_t groups = 0;
	int r = compile(((const struct nf_conf_text *)value)->v, &groups, err);

	(void)ctx;
	if (r == 0 && groups != 2)
		return nf_fail(err, NF_EDATA,
		               "%u capture groups; the value is what stands in the one",
		               groups - 1);
	return r;
}

/* --- keys --- */

/* clang-format off */
#define TEXT_TYPE(least, most, words, fn) { .kind = NF_CONF_TEXT, .size = sizeof(struct nf_conf_text), .min = (least), .max = (most), \
	.what = (words), .check = (fn) }
#define INT_TYPE(lo, hi) { .kind = NF_CONF_INT, .size = sizeof(struct nf_conf_int), .min = (lo), .max = (hi) }
#define ENUM_TYPE(list) { .kind = NF_CONF_ENUM, .size = sizeof(struct nf_conf_int), .names = (list) }
#define LIST_TYPE(of, least, most, words) { .kind = NF_CONF_LIST, .size = sizeof(struct nf_conf_list), .item = (of), .min = (least), .max = (most), \
	.what = (words) }
#define MAP_TYPE(T, list) { .kind = NF_CONF_MAP, .size = sizeof(T), .fields = (list) }

#define SECOND INT64_C(1000000000)
#define PATTERN_WORDS "a pattern (PCRE2) for one line"
static const char *const drivers[] = { "command", "gpio", "hid", "lcus", "qmp", NULL }; /* by enum nf_power_driver */
static const char *const verify_names[] = { "silence", "none", NULL };
static const char *const platforms[] = { "board", "emulator", NULL };
static const char *const ends[] = { "off", "on", "leave", NULL };
static const char *const orders[] = { "interleave", "sequential", NULL };

static const struct nf_conf_type name_type = TEXT_TYPE(1, NF_CAMPAIGN_NAME - 1, "a name of letters, digits, '.', '_' and '-'", check_name);
static const struct nf_conf_type line_type = TEXT_TYPE(1, NF_CAMPAIGN_COMMAND_BYTES, "a command in one line", check_plain);
static const struct nf_conf_type word_type = TEXT_TYPE(1, 255, "a word", check_word);
static const struct nf_conf_type image_type = TEXT_TYPE(1, 255, "a path below root", check_image);
static const struct nf_conf_type path_type = TEXT_TYPE(1, NF_PORT_PATH_MAX - 32, "a path or name", check_plain);
static const struct nf_conf_type env_type = TEXT_TYPE(1, 255, "the name of an environment variable", check_env_name);
static const struct nf_conf_type keys_type = TEXT_TYPE(1, 16, "one key or a few", NULL);
static const struct nf_conf_type unit_type = TEXT_TYPE(1, 16, "a unit; s, ms, us and ns are times", check_plain);
static const struct nf_conf_type pattern_type = TEXT_TYPE(1, 0, PATTERN_WORDS, check_pattern);
static const struct nf_conf_type number_type = TEXT_TYPE(1, 0, PATTERN_WORDS " with one capture group", check_value_pattern);
static const struct nf_conf_type any_text = TEXT_TYPE(0, 1000, "a text", check_plain);
static const struct nf_conf_type baud_type = INT_TYPE(50, 4000000);
static const struct nf_conf_type channel_type = INT_TYPE(1, NF_POWER_LCUS_CHANNELS);
static const struct nf_conf_type gpio_type = INT_TYPE(0, NF_POWER_GPIO_LINES - 1);
static const struct nf_conf_type tries_type = INT_TYPE(1, 100);
static const struct nf_conf_type runs_type = INT_TYPE(1, 10000);
static const struct nf_conf_type retry_type = INT_TYPE(0, 100);
static const struct nf_conf_type wait_type = { .kind = NF_CONF_DURATION, .size = sizeof(struct nf_conf_int), .min = SECOND / 100, .max = 86400 * SECOND };
static const struct nf_conf_type off_type = { .kind = NF_CONF_DURATION, .size = sizeof(struct nf_conf_int), .min = 0, .max = 3600 * SECOND };
static const struct nf_conf_type driver_type = ENUM_TYPE(drivers);
static const struct nf_conf_type verify_type = ENUM_TYPE(verify_names);
static const struct nf_conf_type platform_type = ENUM_TYPE(platforms);
static const struct nf_conf_type end_type = ENUM_TYPE(ends);
static const struct nf_conf_type order_type = ENUM_TYPE(orders);
static const struct nf_conf_type argv_type = LIST_TYPE(&nf_conf_text, 1, 100, "a list of words: a program and its arguments");
static const struct nf_conf_type commands_type = LIST_TYPE(&line_type, 0, NF_CAMPAIGN_COMMANDS_MAX, NULL);
static const struct nf_conf_type patterns_type = LIST_TYPE(&pattern_type, 0, NF_CAMPAIGN_FAILS_MAX, NULL);
static const struct nf_conf_type declared_type = { .kind = NF_CONF_NAMED, .size = sizeof(struct nf_conf_list), .item = &any_text, .max = 64,
	.entry_size = sizeof(struct nf_campaign_declared), .value_off = offsetof(struct nf_campaign_declared, value), .what = "a mapping from names to values" };

#define F struct nf_campaign_console
static const struct nf_conf_field console_fields[] = {
	{ NF_CONF_TEXT_ROW("by_path", &path_type, F, by_path, "its name below /dev/serial/by-path: the same USB socket each time"), .group = 1, .required = true },
	{ NF_CONF_TEXT_ROW("by_id", &path_type, F, by_id, "its name below /dev/serial/by-id: the same adapter each time"), .group = 1 },
	{ NF_CONF_TEXT_ROW("device", &path_type, F, device, "its path; a name by number, as ttyUSB0, may be another adapter next time"), .group = 1 },
	{ NF_CONF_TEXT_ROW("pty", &path_type, F, pty, "path of a pseudo terminal"), .group = 1 },
	{ NF_CONF_TEXT_ROW("unix", &path_type, F, unix_socket, "path of a socket"), .group = 1 },
	{ NF_CONF_TEXT_ROW("tcp", &path_type, F, tcp, "HOST:PORT"), .group = 1 },
	{ NF_CONF_INT_ROW("baud", &baud_type, F, baud, "of a serial port; of a pty: what it stands for"), .def = "115200" },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type console_type = MAP_TYPE(struct nf_campaign_console, console_fields);

#define F struct nf_campaign_power
static const struct nf_conf_field power_fields[] = {
	{ NF_CONF_INT_ROW("driver", &driver_type, F, driver, "what switches it: commands, a GPIO line, a HID relay, a serial relay, a QEMU machine"), .required = true },
	{ NF_CONF_TEXT_ROW("by_path", &path_type, F, by_path, "lcus: its name below /dev/serial/by-path; hid: a path that stays"), .group = 1, .when_key = "driver", .when = "lcus hid" },
	{ NF_CONF_TEXT_ROW("by_id", &path_type, F, by_id, "its name below /dev/serial/by-id"), .group = 1, .when_key = "driver", .when = "lcus" },
	{ NF_CONF_TEXT_ROW("device", &path_type, F, device, "its path"), .group = 1, .when_key = "driver", .when = "lcus hid" },
	{ NF_CONF_INT_ROW("channel", &channel_type, F, channel, "of the relay; hid has 8"), .when_key = "driver", .when = "lcus hid", .required = true },
	{ NF_CONF_TEXT_ROW("chip", &path_type, F, chip, "gpiochip0, or a path"), .when_key = "driver", .when = "gpio", .required = true },
	{ NF_CONF_INT_ROW("line", &gpio_type, F, line, "of the chip"), .when_key = "driver", .when = "gpio", .required = true },
	{ NF_CONF_BOOL_ROW("active_low", &nf_conf_bool, F, active_low, "low is on"), .when_key = "driver", .when = "gpio", .def = "false" },
	{ NF_CONF_TEXT_ROW("socket", &path_type, F, socket, "QEMU's QMP socket"), .when_key = "driver", .when = "qmp", .required = true },
	{ NF_CONF_LIST_ROW("on", &argv_type, F, on, "run to switch on"), .when_key = "driver", .when = "command", .required = true },
	{ NF_CONF_LIST_ROW("off", &argv_type, F, off, "run to switch off"), .when_key = "driver", .when = "command", .required = true },
	{ NF_CONF_LIST_ROW("status", &argv_type, F, status, "prints on or off"), .when_key = "driver", .when = "command" },
	{ NF_CONF_INT_ROW("off_time", &off_type, F, off_time, "how long it stays off"), .def = "2s" },
	{ NF_CONF_INT_ROW("verify", &verify_type, F, verify, "how it is known to be off: the console says nothing in the second half of off_time"), .def = "silence" },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type power_type = MAP_TYPE(struct nf_campaign_power, power_fields);

#define F struct nf_campaign_uboot
static const struct nf_conf_field uboot_fields[] = {
	{ NF_CONF_TEXT_ROW("autoboot", &pattern_type, F, autoboot, "the line that says that a key stops the boot"), .def = "stop autoboot" },
	{ NF_CONF_TEXT_ROW("keys", &keys_type, F, keys, "what stops it, sent when that line is there; not there: Ctrl-C, \\x03") },
	{ NF_CONF_TEXT_ROW("prompt", &pattern_type, F, prompt, "its prompt, at the end of what stands on the line"), .required = true },
	{ NF_CONF_TEXT_ROW("eol", &keys_type, F, eol, "what ends a command; not there: \\r") },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type uboot_type = MAP_TYPE(struct nf_campaign_uboot, uboot_fields);

#define F struct nf_campaign_shell
static const struct nf_conf_field shell_fields[] = {
	{ NF_CONF_TEXT_ROW("login", &pattern_type, F, login, "what asks for the user"), .def = "login:" },
	{ NF_CONF_TEXT_ROW("user", &word_type, F, user, "who logs in; not there: nobody has to") },
	{ NF_CONF_TEXT_ROW("password_env", &env_type, F, password_env, "environment variable that holds the password") },
	{ NF_CONF_TEXT_ROW("prompt", &pattern_type, F, prompt, "the shell's prompt, at the end of what stands on the line"), .required = true },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type shell_type = MAP_TYPE(struct nf_campaign_shell, shell_fields);

#define F struct nf_campaign_board
static const struct nf_conf_field board_fields[] = {
	{ NF_CONF_TEXT_ROW("name", &name_type, F, name, "what it is called"), .required = true },
	{ NF_CONF_INT_ROW("platform", &platform_type, F, platform, "what its times are of; not there: with power driver qmp an emulator, else a board") },
	{ NF_CONF_STRUCT_ROW("console", &console_type, struct nf_campaign_console, F, console, "where it talks"), .required = true },
	{ NF_CONF_STRUCT_ROW("power", &power_type, struct nf_campaign_power, F, power, "what switches it"), .required = true },
	{ NF_CONF_STRUCT_ROW("uboot", &uboot_type, struct nf_campaign_uboot, F, uboot, "its bootloader; not there: it boots by itself") },
	{ NF_CONF_STRUCT_ROW("shell", &shell_type, struct nf_campaign_shell, F, shell, "its shell, for `lab shell`") },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type board_type = MAP_TYPE(struct nf_campaign_board, board_fields);

#define F struct nf_campaign_tftp
static const struct nf_conf_field tftp_fields[] = {
	{ NF_CONF_TEXT_ROW("root", &path_type, F, root, "the server's folder on this machine; from where the program runs, if it is not absolute"), .required = true },
	{ NF_CONF_TEXT_ROW("image", &image_type, F, image, "the file, which is hashed before power is switched"), .required = true },
	{ NF_CONF_TEXT_ROW("addr", &word_type, F, addr, "where it is loaded to: 0x20000000, ${kernel_addr_r}"), .required = true },
	{ NF_CONF_TEXT_ROW("server", &word_type, F, server, "the server's address: serverip is set to it; not there: a command does that") },
	{ NF_CONF_INT_ROW("tries", &tries_type, F, tries, "how often it is tried when the network fails"), .def = "3" },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type tftp_type = MAP_TYPE(struct nf_campaign_tftp, tftp_fields);
static const struct nf_conf_type tftps_type = LIST_TYPE(&tftp_type, 1, NF_CAMPAIGN_LOADS_MAX, NULL);
static const struct nf_conf_type loads_type = { .kind = NF_CONF_EITHER, .size = sizeof(struct nf_campaign_loads),
	.what = "a mapping with root, image, addr, server and tries, or a list of such",
	.map = &tftp_type, .map_off = offsetof(struct nf_campaign_loads, one),
	.list = &tftps_type, .list_off = offsetof(struct nf_campaign_loads, more) };

#define F struct nf_campaign_timeout
static const struct nf_conf_field timeout_fields[] = {
	{ NF_CONF_INT_ROW("prompt", &wait_type, F, prompt, "from power on to the bootloader's prompt"), .def = "45s" },
	{ NF_CONF_INT_ROW("load", &wait_type, F, load, "for each command and each try of a load"), .def = "90s" },
	{ NF_CONF_INT_ROW("boot", &wait_type, F, boot, "from boot to done"), .def = "180s" },
	{ NF_CONF_INT_ROW("silence", &wait_type, F, silence, "the longest time that the console may say nothing while it boots"), .def = "30s" },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type timeout_type = MAP_TYPE(struct nf_campaign_timeout, timeout_fields);

#define F struct nf_campaign_phase
static const struct nf_conf_field phase_fields[] = {
	{ NF_CONF_TEXT_ROW("name", &name_type, F, name, "what it is called; t0 is where time begins"), .required = true },
	{ NF_CONF_TEXT_ROW("match", &pattern_type, F, match, "the first line with it at or after t0 is when the phase is reached"), .required = true },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type phase_type = MAP_TYPE(struct nf_campaign_phase, phase_fields);
static const struct nf_conf_type phases_type = LIST_TYPE(&phase_type, 0, 1 + NF_PHASES_MAX, NULL);

#define F struct nf_campaign_value
static const struct nf_conf_field value_fields[] = {
	{ NF_CONF_TEXT_ROW("name", &name_type, F, name, "what it is called"), .required = true },
	{ NF_CONF_TEXT_ROW("match", &number_type, F, match, "where the board prints it"), .required = true },
	{ NF_CONF_TEXT_ROW("unit", &unit_type, F, unit, "of the number; not there: a plain number") },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type value_type = MAP_TYPE(struct nf_campaign_value, value_fields);
static const struct nf_conf_type values_type = LIST_TYPE(&value_type, 0, NF_PHASE_VALUES_MAX, NULL);

#define F struct nf_campaign_config
static const struct nf_conf_field config_fields[] = {
	{ NF_CONF_TEXT_ROW("name", &name_type, F, name, "what it is called"), .required = true },
	{ NF_CONF_LIST_ROW("declared", &declared_type, F, declared, "how the image was built; goes into the record") },
	{ NF_CONF_LIST_ROW("commands", &commands_type, F, commands, "what the bootloader is told first") },
	{ NF_CONF_STRUCT_ROW("tftp", &loads_type, struct nf_campaign_loads, F, tftp, "what it loads over the network then") },
	{ NF_CONF_TEXT_ROW("boot", &line_type, F, boot, "the command that boots; with board.uboot there has to be one") },
	{ NF_CONF_TEXT_ROW("done", &pattern_type, F, done, "the boot is over: success"), .required = true },
	{ NF_CONF_LIST_ROW("fail", &patterns_type, F, fail, "the boot is over: failure; a kernel panic always is one") },
	{ NF_CONF_STRUCT_ROW("timeout", &timeout_type, struct nf_campaign_timeout, F, timeout, "how long things may take"), .def = "{}" },
	{ NF_CONF_LIST_ROW("phases", &phases_type, F, phases, "what is timed; without one called t0 time begins with the first line") },
	{ NF_CONF_LIST_ROW("values", &values_type, F, values, "numbers that the board prints") },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type config_type = MAP_TYPE(struct nf_campaign_config, config_fields);
static const struct nf_conf_type configs_type = LIST_TYPE(&config_type, 1, NF_CAMPAIGN_CONFIGS_MAX, NULL);

#define F struct nf_campaign_retry
static const struct nf_conf_field retry_fields[] = {
	{ NF_CONF_INT_ROW("infra", &retry_type, F, infra, "after a failure of power, console, prompt, network"), .def = "2" },
	{ NF_CONF_INT_ROW("board", &retry_type, F, board, "after a failure of the board"), .def = "0" },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type retries_type = MAP_TYPE(struct nf_campaign_retry, retry_fields);

#define F struct nf_campaign_plan
static const struct nf_conf_field plan_fields[] = {
	{ NF_CONF_INT_ROW("runs", &runs_type, F, runs, "boots of each configuration, as --runs"), .def = "5" },
	{ NF_CONF_INT_ROW("order", &order_type, F, order, "the configurations in turn, or one after the other"), .def = "interleave" },
	{ NF_CONF_STRUCT_ROW("retry", &retries_type, struct nf_campaign_retry, F, retry, "how often a run is tried again"), .def = "{}" },
	{ .key = NULL },
};
#undef F
static const struct nf_conf_type plan_type = MAP_TYPE(struct nf_campaign_plan, plan_fields);

#define F struct nf_campaign_file
static const struct nf_conf_field fields[] = {
	{ NF_CONF_STRUCT_ROW("board", &board_type, struct nf_campaign_board, F, board, "what is booted"), .required = true },
	{ NF_CONF_INT_ROW("on_abort", &end_type, F, on_abort, "how the power ends, however the program ends"), .def = "off" },
	{ NF_CONF_LIST_ROW("configs", &configs_type, F, configs, "what it is booted with"), .required = true },
	{ NF_CONF_STRUCT_ROW("campaign", &plan_type, struct nf_campaign_plan, F, campaign, "how often"), .def = "{}" },
	{ .key = NULL },
};
#undef F
const struct nf_conf_type nf_campaign_file_type = MAP_TYPE(struct nf_campaign_file, fields);
/* clang-format on */
