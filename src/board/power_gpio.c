/* SPDX-License-Identifier: MIT */
/*
 * power_gpio - a line of a GPIO chip, by the kernel's character device (version 2 of its interface, Linux 5.10 and
 * up). A line that cannot be had as it is would change the board's power by being looked at: it is asked for as an
 * output only when it is set.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "board/power.h"

static int check(const struct nf_power_spec *spec, struct nf_err *err)
{
	if (!spec->path)
		return nf_fail(err, NF_EARG, "power driver gpio needs chip");
	if (spec->channel >= NF_POWER_GPIO_LINES)
		return nf_fail(err, NF_EARG, "line: bad value %u; allowed: 0 to %d", spec->channel,
		               NF_POWER_GPIO_LINES - 1);
	return 0;
}

static int chip_fd(struct nf_power *p, struct nf_err *err)
{
	char path[128], name[NF_QUOTED];

	nf_quote(p->spec.path, name);
	int n = snprintf(path, sizeof(path), "%s%s", strchr(p->spec.path, '/') ? "" : "/dev/",
	                 p->spec.path);
	if (n < 0 || (size_t)n >= sizeof(path))
		return nf_fail(err, NF_EARG, "chip %s: the name is too long", name);
	int fd = p->os->open(p->os->ctx, path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return nf_fail(err, NF_EARG, "chip %s: %s", name, strerror(errno));
	return fd;
}

static int info(struct nf_power *p, int chip, struct gpio_v2_line_info *ret, struct nf_err *err)
{
	char name[NF_QUOTED];

	*ret = (struct gpio_v2_line_info){ .offset = p->spec.channel };
	if (p->os->ioctl(p->os->ctx, chip, GPIO_V2_GET_LINEINFO_IOCTL, ret) < 0) {
		nf_quote(p->spec.path, name);
		return nf_fail(err, NF_EARG, "line %u of %s: %s", p->spec.channel, name,
		               strerror(errno));
	}
	return 0;
}

static int open_line(struct nf_power *p, struct nf_err *err)
{
	struct gpio_v2_line_info line;
	char name[NF_QUOTED], holder[NF_QUOTED];
	int chip = chip_fd(p, err);

	if (chip < 0)
		return chip;
	int r = info(p, chip, &line, err);
	if (r == 0 && (line.flags & GPIO_V2_LINE_FLAG_USED)) {
		nf_quote(p->spec.path, name);
		line.consumer[sizeof(line.consumer) - 1] = '\0';
		nf_quote(line.consumer, holder);
		r = nf_fail(err, NF_ESUBJECT, "line %u of %s is held by %s", p->spec.channel, name,
		            holder);
	}
	close(chip);
	return r;
}

/* The line as an output that begins with this value. */
static int request(struct nf_power *p, bool on, struct nf_err *err)
{
	struct gpio_v2_line_request req = { .offsets = { p->spec.channel },
		                            .consumer = "noisefloor",
		                            .num_lines = 1 };
	int chip = chip_fd(p, err);
	int r = 0;

	if (chip < 0)
		return chip;
	req.config.flags = GPIO_V2_LINE_FLAG_OUTPUT |
	                   (p->spec.active_low ? (__u64)GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
	req.config.num_attrs = 1;
	req.config.attrs[0] = (struct gpio_v2_line_config_attribute){
		.attr = { .id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, .values = on }, .mask = 1
	};
	if (p->os->ioctl(p->os->ctx, chip, GPIO_V2_GET_LINE_IOCTL, &req) < 0)
		r = nf_fail(err, NF_ESUBJECT, "line %u cannot be had: %s", p->spec.channel,
		            strerror(errno));
	else
		p->fd = req.fd;
	close(chip);
	return r;
}

static int set(struct nf_power *p, bool on, struct nf_err *err)
{
	struct gpio_v2_line_values v = { .bits = on, .mask = 1 };

	if (p->fd < 0)
		return request(p, on, err);
	if (p->os->ioctl(p->os->ctx, p->fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &v) < 0)
		return nf_fail(err, NF_ESUBJECT, "line %u cannot be set: %s", p->spec.channel,
		               strerror(errno));
	return 0;
}

static int status(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err)
{
	struct gpio_v2_line_values v = { .mask = 1 };

	*ret = NF_POWER_UNKNOWN;
	if (p->fd < 0)
		return 0;
	if (p->os->ioctl(p->os->ctx, p->fd, GPIO_V2_LINE_GET_VALUES_IOCTL, &v) < 0)
		return nf_fail(err, NF_ESUBJECT, "line %u cannot be read: %s", p->spec.channel,
		               strerror(errno));
	*ret = v.bits & 1 ? NF_POWER_ON : NF_POWER_OFF;
	return 0;
}

const struct nf_power_row nf_power_gpio = { .name = "gpio",
	                                    .keys = "chip, line, active_low",
	                                    .check = check,
	                                    .open = open_line,
	                                    .set = set,
	                                    .status = status };
