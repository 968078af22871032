/* SPDX-License-Identifier: MIT */
/*
 * power_lcus - serial relays of the LCUS kind: a0 CHANNEL STATE CHECKSUM at 9600 baud, the checksum the low byte
 * of the other three's sum. They do not answer: that a channel switched shows only in what the board does.
 */
#include <stdlib.h>

#include "base/quote.h"
#include "board/port.h"
#include "board/power.h"

enum {
	BAUD = 9600,
	HEAD = 0xa0,
	WAIT_MS = 1000,
};

static int check(const struct nf_power_spec *spec, struct nf_err *err)
{
	struct nf_port_spec port;

	if (!spec->path)
		return nf_fail(err, NF_EARG, "power driver lcus needs by_path or device");
	if (spec->channel < 1 || spec->channel > NF_POWER_LCUS_CHANNELS)
		return nf_fail(err, NF_EARG, "channel: bad value %u; allowed: 1 to %d",
		               spec->channel, NF_POWER_LCUS_CHANNELS);
	return nf_port_parse(spec->path, BAUD, &port, err);
}

static int open_relay(struct nf_power *p, struct nf_err *err)
{
	struct nf_port_spec spec;
	struct nf_port *port = malloc(sizeof(*port));

	if (!port)
		return nf_fail_nomem(err, "a port", sizeof(*port));
	int r = nf_port_parse(p->spec.path, BAUD, &spec, err);
	if (r == 0)
		r = nf_port_open(port, &spec, NULL, NULL, err);
	if (r < 0) {
		free(port);
		return r;
	}
	p->state = port;
	return 0;
}

static int set(struct nf_power *p, bool on, struct nf_err *err)
{
	unsigned char frame[] = { HEAD, (unsigned char)p->spec.channel, on, 0 };

	frame[3] = (unsigned char)(frame[0] + frame[1] + frame[2]);
	return nf_port_write(p->state, frame, sizeof(frame), WAIT_MS, err);
}

static int status(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err)
{
	(void)p;
	(void)err;
	*ret = NF_POWER_UNKNOWN;
	return 0;
}

static void close_relay(struct nf_power *p)
{
	if (p->state)
		nf_port_close(p->state);
	free(p->state);
}

const struct nf_power_row nf_power_lcus = { .name = "lcus",
	                                    .keys = "by_path or device, channel",
	                                    .check = check,
	                                    .open = open_relay,
	                                    .set = set,
	                                    .status = status,
	                                    .close = close_relay };
