/* SPDX-License-Identifier: MIT */
#include "board/power.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* clang-format off */
extern const struct nf_power_row nf_power_command;
extern const struct nf_power_row nf_power_gpio;
extern const struct nf_power_row nf_power_hid;
extern const struct nf_power_row nf_power_lcus;
extern const struct nf_power_row nf_power_qmp;

const struct nf_power_row *const nf_power_rows[NF_POWER_N_DRIVERS] = {
	[NF_POWER_COMMAND] = &nf_power_command,
	[NF_POWER_GPIO] = &nf_power_gpio,
	[NF_POWER_HID] = &nf_power_hid,
	[NF_POWER_LCUS] = &nf_power_lcus,
	[NF_POWER_QMP] = &nf_power_qmp,
};
/* clang-format on */

static int live_open(void *ctx, const char *path, int flags)
{
	(void)ctx;
	return open(path, flags);
}

static int live_ioctl(void *ctx, int fd, unsigned long request, void *arg)
{
	(void)ctx;
	return ioctl(fd, request, arg);
}

const struct nf_power_os nf_power_os_live = { .open = live_open, .ioctl = live_ioctl };

const char *nf_power_state_name(enum nf_power_state state)
{
	static const char *const name[] = { "unknown", "off", "on" };

	return name[state];
}

enum nf_power_driver nf_power_find(const char *name)
{
	for (size_t i = 0; i < NF_POWER_N_DRIVERS; i++)
		if (strcmp(nf_power_rows[i]->name, name) == 0)
			return (enum nf_power_driver)i;
	return NF_POWER_N_DRIVERS;
}

/* Keys of another driver's are mistakes. */
static int check_keys(const struct nf_power_spec *s, struct nf_err *err)
{
	const struct nf_power_row *row = nf_power_rows[s->driver];
	const struct {
		const char *key;
		bool given;
		bool taken;
	} key[] = {
		{ "on", s->on, s->driver == NF_POWER_COMMAND },
		{ "off", s->off, s->driver == NF_POWER_COMMAND },
		{ "status", s->status, s->driver == NF_POWER_COMMAND },
		{ "active_low", s->active_low, s->driver == NF_POWER_GPIO },
		{ "path", s->path, s->driver != NF_POWER_COMMAND },
	};

	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++)
		if (key[i].given && !key[i].taken)
			return nf_fail(err, NF_EARG,
			               "power driver %s does not take %s; allowed: %s", row->name,
			               key[i].key, row->keys);
	return 0;
}

int nf_power_check(const struct nf_power_spec *spec, struct nf_err *err)
{
	int r = check_keys(spec, err);

	return r < 0 ? r : nf_power_rows[spec->driver]->check(spec, err);
}

int nf_power_open(struct nf_power *ret, const struct nf_power_spec *spec,
                  const struct nf_power_os *os, struct nf_err *err)
{
	struct nf_power p = { .spec = *spec,
		              .row = nf_power_rows[spec->driver],
		              .os = os ? os : &nf_power_os_live,
		              .fd = -1 };
	int r = nf_power_check(spec, err);

	if (r == 0)
		r = p.row->open(&p, err);
	if (r == 0)
		*ret = p;
	return r;
}

int nf_power_set(struct nf_power *p, bool on, struct nf_err *err)
{
	return p->row->set(p, on, err);
}

int nf_power_status(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err)
{
	return p->row->status(p, ret, err);
}

void nf_power_close(struct nf_power *p)
{
	if (p->row && p->row->close)
		p->row->close(p);
	if (p->row && p->fd >= 0)
		close(p->fd);
	*p = (struct nf_power){ .fd = -1 };
}
