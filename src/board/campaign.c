/* SPDX-License-Identifier: MIT */
#include "board/campaign.h"

#include <string.h>

#include "base/quote.h"

_Static_assert(NF_POWER_N_DRIVERS == 5, "campaign_schema.c has a name for each");

struct named {
	const char *prefix;
	const struct nf_conf_text *text;
};

/* The one that is there, as nf_port_parse() takes it. */
static int take_path(const struct named *from, size_t n, struct nf_arena *a, const char **ret,
                     struct nf_conf_pos *ret_at, struct nf_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!from[i].text->v)
			continue;
		*ret = nf_arena_printf(a, "%s%s", from[i].prefix, from[i].text->v);
		*ret_at = from[i].text->pos;
	}
	return nf_arena_failed(a, "a campaign", err);
}

/* What another layer refuses gets its place; a lack of memory has none. */
static int place(const struct nf_campaign *c, struct nf_conf_pos at, int r,
                 const struct nf_err *why, struct nf_err *err)
{
	if (r == 0)
		return 0;
	if (r == -NF_EARG || r == -NF_EDATA)
		return nf_conf_refuse(&c->conf, at, err, "%s", why->msg);
	if (err)
		*err = *why;
	return r;
}

/* --- the board --- */

static int take_console(struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_console *k = &c->file->board.console;
	const struct named from[] = { { "by_path:", &k->by_path },  { "by_id:", &k->by_id },
		                      { "device:", &k->device },    { "pty:", &k->pty },
		                      { "unix:", &k->unix_socket }, { "tcp:", &k->tcp } };
	struct nf_conf_pos at = k->pos;
	struct nf_err why = { 0 };
	const char *text = NULL;
	int r = take_path(from, sizeof(from) / sizeof(*from), &c->conf.arena, &text, &at, err);

	if (r < 0)
		return r;
	r = nf_port_parse(text, (uint32_t)k->baud.v, &c->console, &why);
	return place(c, at, r, &why, err);
}

static int take_argv(const struct nf_conf_list *list, struct nf_arena *a, const char *const **ret,
                     struct nf_err *err)
{
	const struct nf_conf_text *word = list->items;
	const char **argv;

	if (list->n == 0)
		return 0;
	argv = nf_arena_alloc(a, list->n + 1, sizeof(*argv));
	for (size_t i = 0; argv && i < list->n; i++)
		argv[i] = word[i].v;
	*ret = (const char *const *)argv;
	return nf_arena_failed(a, "a campaign", err);
}

static int check_hid(const struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_power *p = &c->file->board.power;

	if (p->by_path.v && p->by_path.v[0] != '/')
		return nf_conf_refuse(&c->conf, p->by_path.pos, err,
		                      "'by_path' of a hid relay: not a path; allowed: a path that "
		                      "stays, as a udev rule makes one, or device: /dev/hidrawN");
	if (p->channel.v > NF_POWER_HID_CHANNELS)
		return nf_conf_refuse(&c->conf, p->channel.pos, err,
		                      "'channel': bad value %d; allowed: 1 to %d",
		                      (int)p->channel.v, NF_POWER_HID_CHANNELS);
	return 0;
}

static int take_relay(struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_power *p = &c->file->board.power;
	bool lcus = p->driver.v == NF_POWER_LCUS;
	const struct named from[] = { { lcus ? "by_path:" : "", &p->by_path },
		                      { "by_id:", &p->by_id },
		                      { lcus ? "device:" : "", &p->device } };
	struct nf_conf_pos at = p->pos;
	struct nf_port_spec port;
	struct nf_err why = { 0 };
	int r = lcus ? 0 : check_hid(c, err);

	if (r == 0)
		r = take_path(from, sizeof(from) / sizeof(*from), &c->conf.arena, &c->power.path,
		              &at, err);
	if (r < 0)
		return r;
	if (!c->power.path)
		return nf_conf_refuse(&c->conf, p->pos, err,
		                      "'power': no relay is named; allowed: one of by_path, by_id, "
		                      "device");
	r = lcus ? nf_port_parse(c->power.path, 9600, &port, &why) : 0;
	return place(c, at, r, &why, err);
}

static int take_power(struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_power *p = &c->file->board.power;
	int r = 0;

	c->power.driver = (enum nf_power_driver)p->driver.v;
	switch (c->power.driver) {
	case NF_POWER_LCUS:
	case NF_POWER_HID:
		r = take_relay(c, err);
		c->power.channel = (unsigned)p->channel.v;
		break;
	case NF_POWER_GPIO:
		c->power.path = p->chip.v;
		c->power.channel = (unsigned)p->line.v;
		c->power.active_low = p->active_low.v;
		break;
	case NF_POWER_QMP:
		c->power.path = p->socket.v;
		break;
	case NF_POWER_COMMAND:
	case NF_POWER_N_DRIVERS:
	default:
		r = take_argv(&p->on, &c->conf.arena, &c->power.on, err);
		if (r == 0)
			r = take_argv(&p->off, &c->conf.arena, &c->power.off, err);
		if (r == 0)
			r = take_argv(&p->status, &c->conf.arena, &c->power.status, err);
		break;
	}
	return r;
}

static int check_shell(const struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_shell *s = &c->file->board.shell;

	if (s->password_env.v && !s->user.v)
		return nf_conf_refuse(&c->conf, s->password_env.pos, err,
		                      "'password_env' without user; allowed: both, or neither");
	return 0;
}

/* --- configurations --- */

static int refuse_twin(const struct nf_campaign *c, const char *what,
                       const struct nf_conf_text *name, const struct nf_conf_text *first,
                       struct nf_err *err)
{
	return nf_conf_refuse(
	        &c->conf, name->pos, err,
	        "%s '%s' is there twice, first in line %u; allowed: names that differ", what,
	        name->v, first->pos.line);
}

static int check_phases(const struct nf_campaign *c, const struct nf_campaign_config *k,
                        struct nf_err *err)
{
	const struct nf_campaign_phase *phase = k->phases.items;
	bool has_t0 = k->phases.n > 0 && strcmp(phase[0].name.v, "t0") == 0;

	for (size_t i = 0; i < k->phases.n; i++) {
		for (size_t j = 0; j < i; j++)
			if (strcmp(phase[i].name.v, phase[j].name.v) == 0)
				return refuse_twin(c, "phase", &phase[i].name, &phase[j].name, err);
		if (i > 0 && strcmp(phase[i].name.v, "t0") == 0)
			return nf_conf_refuse(&c->conf, phase[i].name.pos, err,
			                      "phase 't0' after others; allowed: as the first");
	}
	if (!has_t0 && k->phases.n > NF_PHASES_MAX)
		return nf_conf_refuse(&c->conf, k->phases.pos, err,
		                      "%zu phases; allowed: at most %d beside t0", k->phases.n,
		                      NF_PHASES_MAX);
	return 0;
}

static int check_values(const struct nf_campaign *c, const struct nf_campaign_config *k,
                        struct nf_err *err)
{
	const struct nf_campaign_value *value = k->values.items;

	for (size_t i = 0; i < k->values.n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(value[i].name.v, value[j].name.v) == 0)
				return refuse_twin(c, "value", &value[i].name, &value[j].name, err);
	return 0;
}

/* Does a command before the loads tell the bootloader where the server is? */
static bool finds_server(const struct nf_campaign_config *k)
{
	const struct nf_conf_text *command = k->commands.items;
	static const char *const words[] = { "serverip", "dhcp", "bootp", "run " };

	for (size_t i = 0; i < k->commands.n; i++)
		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
			if (strstr(command[i].v, words[w]))
				return true;
	return false;
}

static int check_loads(const struct nf_campaign *c, const struct nf_campaign_config *k,
                       struct nf_err *err)
{
	const struct nf_campaign_tftp *load = NULL;
	size_t n = nf_campaign_loads(k, &load);

	if (n > 0 && !load[0].server.v && !finds_server(k))
		return nf_conf_refuse(
		        &c->conf, load[0].pos, err,
		        "'tftp' without a server; allowed: server: ADDRESS here, or a "
		        "command that sets serverip or runs dhcp");
	return 0;
}

static int check_uboot(const struct nf_campaign *c, const struct nf_campaign_config *k,
                       struct nf_err *err)
{
	const struct {
		const char *key;
		struct nf_conf_pos pos;
	} needs[] = { { "commands", k->commands.pos },
		      { "tftp", k->tftp.pos },
		      { "boot", k->boot.pos } };

	if (c->file->board.uboot.pos.line) {
		if (!k->boot.v)
			return nf_conf_refuse(
			        &c->conf, k->pos, err,
			        "the key 'boot' is missing; allowed: a command in one "
			        "line");
		return 0;
	}
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (needs[i].pos.line)
			return nf_conf_refuse(
			        &c->conf, needs[i].pos, err,
			        "'%s' without board.uboot; allowed: with board.uboot, "
			        "whose prompt it is sent to",
			        needs[i].key);
	return 0;
}

static int check_configs(const struct nf_campaign *c, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < c->file->configs.n; i++) {
		const struct nf_campaign_config *k = nf_campaign_config(c, i);

		for (size_t j = 0; r == 0 && j < i; j++)
			if (strcmp(k->name.v, nf_campaign_config(c, j)->name.v) == 0)
				r = refuse_twin(c, "configuration", &k->name,
				                &nf_campaign_config(c, j)->name, err);
		if (r == 0)
			r = check_phases(c, k, err);
		if (r == 0)
			r = check_values(c, k, err);
		if (r == 0)
			r = check_uboot(c, k, err);
		if (r == 0)
			r = check_loads(c, k, err);
	}
	return r;
}

/* --- all of it --- */

static enum nf_campaign_platform platform_of(const struct nf_campaign_file *f)
{
	if (f->board.platform.pos.line)
		return (enum nf_campaign_platform)f->board.platform.v;
	return f->board.power.driver.v == NF_POWER_QMP ? NF_CAMPAIGN_EMULATOR : NF_CAMPAIGN_BOARD;
}

static int finish(struct nf_campaign *c, struct nf_err *err)
{
	int r;

	c->file = c->conf.root;
	r = take_console(c, err);
	if (r == 0)
		r = take_power(c, err);
	if (r == 0)
		r = check_shell(c, err);
	if (r == 0)
		r = check_configs(c, err);
	if (r == 0)
		c->platform = platform_of(c->file);
	return r;
}

static int keep(struct nf_campaign *c, struct nf_campaign *ret, struct nf_err *err)
{
	int r = finish(c, err);

	if (r < 0)
		nf_conf_fini(&c->conf);
	else
		*ret = *c;
	return r;
}

int nf_campaign_read(const char *label, const void *data, size_t len_bytes, struct nf_campaign *ret,
                     struct nf_err *err)
{
	struct nf_campaign c = { 0 };
	int r = nf_conf_read(&nf_campaign_file_type, label, data, len_bytes, NULL, &c.conf, err);

	return r < 0 ? r : keep(&c, ret, err);
}

int nf_campaign_read_file(const char *path, struct nf_campaign *ret, struct nf_err *err)
{
	struct nf_campaign c = { 0 };
	int r = nf_conf_read_file(&nf_campaign_file_type, path, NULL, &c.conf, err);

	return r < 0 ? r : keep(&c, ret, err);
}

void nf_campaign_fini(struct nf_campaign *c)
{
	nf_conf_fini(&c->conf);
	*c = (struct nf_campaign){ 0 };
}

const struct nf_campaign_config *nf_campaign_config(const struct nf_campaign *c, size_t i)
{
	const struct nf_campaign_config *list = c->file->configs.items;

	return &list[i];
}

size_t nf_campaign_loads(const struct nf_campaign_config *config,
                         const struct nf_campaign_tftp **ret)
{
	bool one = config->tftp.one.pos.line > 0;

	*ret = one ? &config->tftp.one : config->tftp.more.items;
	return one ? 1 : config->tftp.more.n;
}

/* --- for board/phases.h --- */

double nf_campaign_unit_per_s(const char *unit)
{
	static const struct {
		const char *name;
		double per_s;
	} units[] = { { "s", 1 }, { "ms", 1e3 }, { "us", 1e6 }, { "ns", 1e9 } };

	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].per_s;
	return 0;
}

int nf_campaign_phases(const struct nf_campaign_config *config, struct nf_arena *a,
                       struct nf_phases_opts *ret, struct nf_err *err)
{
	const struct nf_campaign_phase *from = config->phases.items;
	const struct nf_campaign_value *number = config->values.items;
	bool has_t0 = config->phases.n > 0 && strcmp(from[0].name.v, "t0") == 0;
	size_t n = config->phases.n - has_t0, m = config->values.n;
	struct nf_phase_want *phase = nf_arena_alloc(a, n ? n : 1, sizeof(*phase));
	struct nf_value_want *value = nf_arena_alloc(a, m ? m : 1, sizeof(*value));
	int r = nf_arena_failed(a, "the phases of a campaign", err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		phase[i] =
		        (struct nf_phase_want){ from[i + has_t0].name.v, from[i + has_t0].match.v };
	for (size_t i = 0; i < m; i++)
		value[i] = (struct nf_value_want){ number[i].name.v, number[i].match.v,
			                           nf_campaign_unit_per_s(number[i].unit.v) };
	*ret = (struct nf_phases_opts){ .t0 = has_t0 ? from[0].match.v : NULL,
		                        .phase = phase,
		                        .n_phases = n,
		                        .value = value,
		                        .n_values = m };
	return 0;
}
