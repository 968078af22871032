/* SPDX-License-Identifier: MIT */
/* conf_sample - a schema that has every kind, shared by the tests of src/conf. */
#ifndef CONF_SAMPLE_H
#define CONF_SAMPLE_H

#include "conf/conf.h"

/* Levels of lists, as deep as one likes. */
struct sample_tree {
	struct nf_conf_pos pos;
	struct nf_conf_text leaf;
	struct nf_conf_list below;
};
struct sample_limits {
	struct nf_conf_pos pos;
	struct nf_conf_int boot;
	struct nf_conf_int load;
};
struct sample_port {
	struct nf_conf_pos pos;
	struct nf_conf_text device;
	struct nf_conf_int baud;
};
struct sample_console {
	struct nf_conf_pos pos;
	struct nf_conf_text path;
	struct sample_port port;
};
struct sample_step {
	struct nf_conf_pos pos;
	struct nf_conf_text match;
	struct nf_conf_int unit;
};
struct sample_knob {
	struct nf_conf_text name;
	struct nf_conf_list values;
};
struct sample {
	struct nf_conf_pos pos;
	struct nf_conf_text name;
	struct nf_conf_int runs;
	struct nf_conf_int wait;
	struct nf_conf_int room;
	struct nf_conf_real share;
	struct nf_conf_bool loud;
	struct nf_conf_int driver;
	struct nf_conf_int channel;
	struct nf_conf_text socket;
	struct nf_conf_list words;
	struct nf_conf_list knobs;
	struct nf_conf_list points;
	struct nf_conf_list steps;
	struct sample_console console;
	struct sample_limits timeout;
	struct sample_tree tree;
};

/* A pattern that must not begin with '*'; ctx counts how many were asked about. */
static inline int sample_check_pattern(const void *value, void *ctx, struct nf_err *err)
{
	const struct nf_conf_text *t = value;

	if (ctx)
		++*(int *)ctx;
	return t->v[0] == '*' ? nf_fail(err, NF_EDATA, "nothing to repeat") : 0;
}

static const char *const sample_drivers[] = { "relay", "qmp", "command", NULL };
static const char *const sample_units[] = { "us", "ms", NULL };

/* clang-format off */
static const struct nf_conf_type sample_runs = { .kind = NF_CONF_INT, .size = sizeof(struct nf_conf_int), .min = -3, .max = 100 };
static const struct nf_conf_type sample_wait = { .kind = NF_CONF_DURATION, .size = sizeof(struct nf_conf_int), .min = 1000, .max = 60000000000 };
static const struct nf_conf_type sample_room = { .kind = NF_CONF_SIZE, .size = sizeof(struct nf_conf_int), .min = 1, .max = 1 << 30 };
static const struct nf_conf_type sample_share = { .kind = NF_CONF_SHARE, .size = sizeof(struct nf_conf_real), .high = 1 };
static const struct nf_conf_type sample_driver = { .kind = NF_CONF_ENUM, .size = sizeof(struct nf_conf_int), .names = sample_drivers };
static const struct nf_conf_type sample_unit = { .kind = NF_CONF_ENUM, .size = sizeof(struct nf_conf_int), .names = sample_units };
static const struct nf_conf_type sample_pattern = { .kind = NF_CONF_TEXT, .size = sizeof(struct nf_conf_text), .min = 1, .what = "a pattern", .check = sample_check_pattern };
static const struct nf_conf_type sample_channel = { .kind = NF_CONF_INT, .size = sizeof(struct nf_conf_int), .min = 1, .max = 8 };
static const struct nf_conf_type sample_words = { .kind = NF_CONF_LIST, .size = sizeof(struct nf_conf_list), .item = &nf_conf_text, .min = 1, .max = 5 };
static const struct nf_conf_type sample_knobs = { .kind = NF_CONF_NAMED, .size = sizeof(struct nf_conf_list), .item = &sample_words,
	.entry_size = sizeof(struct sample_knob), .value_off = offsetof(struct sample_knob, values) };

static const struct nf_conf_field sample_step_fields[] = {
	{ NF_CONF_TEXT_ROW("match", &sample_pattern, struct sample_step, match, "what it is known by"), .required = true },
	{ NF_CONF_INT_ROW("unit", &sample_unit, struct sample_step, unit, "of the value"), .def = "ms" },
	{ .key = NULL },
};
static const struct nf_conf_type sample_step = { .kind = NF_CONF_MAP, .size = sizeof(struct sample_step), .fields = sample_step_fields };
static const struct nf_conf_type sample_steps = { .kind = NF_CONF_LIST, .size = sizeof(struct nf_conf_list), .item = &sample_step };

static const struct nf_conf_field sample_limits_fields[] = {
	{ NF_CONF_INT_ROW("boot", &sample_wait, struct sample_limits, boot, "until it is up"), .def = "3s" },
	{ NF_CONF_INT_ROW("load", &sample_wait, struct sample_limits, load, "until it is loaded") },
	{ .key = NULL },
};
static const struct nf_conf_type sample_limits = { .kind = NF_CONF_MAP, .size = sizeof(struct sample_limits), .fields = sample_limits_fields };

static const struct nf_conf_field sample_port_fields[] = {
	{ NF_CONF_TEXT_ROW("device", &nf_conf_text, struct sample_port, device, "its path"), .required = true },
	{ NF_CONF_INT_ROW("baud", &sample_room, struct sample_port, baud, "its speed"), .def = "115200" },
	{ .key = NULL },
};
static const struct nf_conf_type sample_port = { .kind = NF_CONF_MAP, .size = sizeof(struct sample_port), .fields = sample_port_fields };
static const struct nf_conf_type sample_console = { .kind = NF_CONF_EITHER, .size = sizeof(struct sample_console),
	.scalar = &nf_conf_text, .scalar_off = offsetof(struct sample_console, path),
	.map = &sample_port, .map_off = offsetof(struct sample_console, port) };

static const struct nf_conf_type sample_tree;
static const struct nf_conf_type sample_trees = { .kind = NF_CONF_LIST, .size = sizeof(struct nf_conf_list), .item = &sample_tree };
static const struct nf_conf_type sample_tree = { .kind = NF_CONF_EITHER, .size = sizeof(struct sample_tree),
	.scalar = &nf_conf_text, .scalar_off = offsetof(struct sample_tree, leaf),
	.list = &sample_trees, .list_off = offsetof(struct sample_tree, below) };

static const struct nf_conf_field sample_fields[] = {
	{ NF_CONF_TEXT_ROW("name", &nf_conf_text, struct sample, name, "what it is called"), .required = true },
	{ NF_CONF_INT_ROW("runs", &sample_runs, struct sample, runs, "how often"), .def = "5" },
	{ NF_CONF_INT_ROW("wait", &sample_wait, struct sample, wait, "how long") },
	{ NF_CONF_INT_ROW("room", &sample_room, struct sample, room, "how much") },
	{ NF_CONF_REAL_ROW("share", &sample_share, struct sample, share, "how much of it"), .def = "1%" },
	{ NF_CONF_BOOL_ROW("loud", &nf_conf_bool, struct sample, loud, "whether it says so"), .def = "true" },
	{ NF_CONF_INT_ROW("driver", &sample_driver, struct sample, driver, "what switches it"), .def = "command" },
	{ NF_CONF_INT_ROW("channel", &sample_channel, struct sample, channel, "of the relay"), .when_key = "driver", .when = "relay", .required = true },
	{ NF_CONF_TEXT_ROW("socket", &nf_conf_text, struct sample, socket, "of the machine"), .when_key = "driver", .when = "relay qmp" },
	{ NF_CONF_LIST_ROW("words", &sample_words, struct sample, words, "some words") },
	{ NF_CONF_LIST_ROW("knobs", &sample_knobs, struct sample, knobs, "all of them"), .group = 1 },
	{ NF_CONF_LIST_ROW("points", &nf_conf_text_list, struct sample, points, "some of them"), .group = 1 },
	{ NF_CONF_LIST_ROW("steps", &sample_steps, struct sample, steps, "one after the other") },
	{ NF_CONF_STRUCT_ROW("console", &sample_console, struct sample_console, struct sample, console, "where it speaks") },
	{ NF_CONF_STRUCT_ROW("timeout", &sample_limits, struct sample_limits, struct sample, timeout, "how long each may take"), .def = "{}" },
	{ NF_CONF_STRUCT_ROW("tree", &sample_tree, struct sample_tree, struct sample, tree, "as deep as one likes") },
	{ .key = NULL },
};
static const struct nf_conf_type sample_type = { .kind = NF_CONF_MAP, .size = sizeof(struct sample), .fields = sample_fields };
/* clang-format on */

#endif
