/* SPDX-License-Identifier: MIT */
/*
 * power_hid - USB relays that are HID devices (16c0:05df, "USBRelay1" to "USBRelay8"): feature reports of eight
 * bytes after the report's number. ff CHANNEL closes a contact, fd CHANNEL opens it; byte 7 of what is read has
 * a bit for each channel. The kernel's hidraw interface is all it takes, so no library is asked.
 */
#include <sys/ioctl.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/hidraw.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "board/power.h"

enum {
	VENDOR = 0x16c0,
	PRODUCT = 0x05df,
	CLOSE_CONTACT = 0xff,
	OPEN_CONTACT = 0xfd,
	REPORT_BYTES = 9,
	STATES = 8, /* in a report read, its number in front */
};

static int check(const struct nf_power_spec *spec, struct nf_err *err)
{
	if (!spec->path)
		return nf_fail(err, NF_EARG, "power driver hid needs by_path or device");
	if (spec->channel < 1 || spec->channel > NF_POWER_HID_CHANNELS)
		return nf_fail(err, NF_EARG, "channel: bad value %u; allowed: 1 to %d",
		               spec->channel, NF_POWER_HID_CHANNELS);
	return 0;
}

static int identify(struct nf_power *p, struct nf_err *err)
{
	struct hidraw_devinfo info = { 0 };
	char name[NF_QUOTED];

	nf_quote(p->spec.path, name);
	if (p->os->ioctl(p->os->ctx, p->fd, HIDIOCGRAWINFO, &info) < 0)
		return nf_fail(err, NF_EARG, "%s is no HID device: %s", name, strerror(errno));
	if ((uint16_t)info.vendor != VENDOR || (uint16_t)info.product != PRODUCT)
		return nf_fail(err, NF_EARG, "%s is %04hx:%04hx; allowed: a relay, %04x:%04x", name,
		               (unsigned short)info.vendor, (unsigned short)info.product, VENDOR,
		               PRODUCT);
	return 0;
}

static int open_relay(struct nf_power *p, struct nf_err *err)
{
	char name[NF_QUOTED];

	p->fd = p->os->open(p->os->ctx, p->spec.path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (p->fd < 0) {
		nf_quote(p->spec.path, name);
		return nf_fail(err, NF_EARG, "relay %s: %s", name, strerror(errno));
	}
	int r = identify(p, err);
	if (r < 0) {
		close(p->fd);
		p->fd = -1;
	}
	return r;
}

static int status(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err)
{
	unsigned char report[REPORT_BYTES] = { 1 };
	int n = p->os->ioctl(p->os->ctx, p->fd, HIDIOCGFEATURE(sizeof(report)), report);

	if (n < 0)
		return nf_fail(err, NF_ESUBJECT, "the relay does not answer: %s", strerror(errno));
	if (n < STATES)
		return nf_fail(err, NF_ESUBJECT, "the relay's answer has %d bytes, not %d", n,
		               STATES);
	/* Some kernels and firmwares leave the report's number out of what they count. */
	unsigned char bits = report[n >= REPORT_BYTES ? STATES : STATES - 1];
	*ret = bits >> (p->spec.channel - 1) & 1 ? NF_POWER_ON : NF_POWER_OFF;
	return 0;
}

static int set(struct nf_power *p, bool on, struct nf_err *err)
{
	unsigned char report[REPORT_BYTES] = { 0, on ? CLOSE_CONTACT : OPEN_CONTACT,
		                               (unsigned char)p->spec.channel };
	enum nf_power_state state;

	if (p->os->ioctl(p->os->ctx, p->fd, HIDIOCSFEATURE(sizeof(report)), report) < 0)
		return nf_fail(err, NF_ESUBJECT, "the relay does not answer: %s", strerror(errno));
	int r = status(p, &state, err);
	if (r < 0)
		return r;
	if (state != (on ? NF_POWER_ON : NF_POWER_OFF))
		return nf_fail(err, NF_ESUBJECT, "the relay says that channel %u is still %s",
		               p->spec.channel, nf_power_state_name(state));
	return 0;
}

const struct nf_power_row nf_power_hid = { .name = "hid",
	                                   .keys = "by_path or device, channel",
	                                   .check = check,
	                                   .open = open_relay,
	                                   .set = set,
	                                   .status = status };
