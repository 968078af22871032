/* SPDX-License-Identifier: MIT */
#include "board/campaign_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"

/* --- devices --- */

static int find(const struct nf_campaign *c, struct nf_conf_pos at, const char *what,
                const char *path, mode_t kind, const char *kind_words, struct nf_err *err)
{
	char name[NF_QUOTED];
	struct stat st;

	nf_quote(path, name);
	if (stat(path, &st) < 0) {
		int missing = errno == ENOENT || errno == ENOTDIR;

		return nf_conf_refuse(
		        &c->conf, at, err, "'%s': %s: %s; allowed: a %s that is there", what, name,
		        missing ? "there is nothing of that name" : strerror(errno), kind_words);
	}
	if ((st.st_mode & S_IFMT) != kind)
		return nf_conf_refuse(&c->conf, at, err, "'%s': %s is no %s; allowed: a %s", what,
		                      name, kind_words, kind_words);
	return 0;
}

static int find_console(const struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_console *k = &c->file->board.console;
	const struct nf_conf_text *text[] = { &k->by_path, &k->by_id,       &k->device,
		                              &k->pty,     &k->unix_socket, &k->tcp };
	struct nf_conf_pos at = k->pos;

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (text[i]->v)
			at = text[i]->pos;
	if (c->console.kind == NF_PORT_TCP)
		return 0;
	if (c->console.kind == NF_PORT_UNIX)
		return find(c, at, "console", c->console.path, S_IFSOCK, "socket", err);
	return find(c, at, "console", c->console.path, S_IFCHR, "terminal device", err);
}

static int find_relay(const struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_power *p = &c->file->board.power;
	struct nf_conf_pos at = p->by_path.v ? p->by_path.pos
	                        : p->by_id.v ? p->by_id.pos
	                                     : p->device.pos;
	struct nf_port_spec port;
	const char *path = c->power.path;

	if (c->power.driver == NF_POWER_LCUS) {
		int r = nf_port_parse(path, 9600, &port, err);

		if (r < 0)
			return r;
		path = port.path;
	}
	return find(c, at, "power", path, S_IFCHR, "device", err);
}

static int find_chip(const struct nf_campaign *c, struct nf_err *err)
{
	char path[NF_PORT_PATH_MAX + 8];

	snprintf(path, sizeof(path), "%s%s", c->power.path[0] == '/' ? "" : "/dev/", c->power.path);
	return find(c, c->file->board.power.chip.pos, "chip", path, S_IFCHR, "GPIO chip", err);
}

int nf_campaign_find_power(const struct nf_campaign *c, struct nf_err *err)
{
	const struct nf_campaign_power *p = &c->file->board.power;
	struct nf_err why = { 0 };
	int r = 0;

	if (c->power.driver == NF_POWER_LCUS || c->power.driver == NF_POWER_HID)
		r = find_relay(c, err);
	else if (c->power.driver == NF_POWER_GPIO)
		r = find_chip(c, err);
	else if (c->power.driver == NF_POWER_QMP)
		r = find(c, p->socket.pos, "socket", c->power.path, S_IFSOCK, "socket", err);
	if (r < 0)
		return r;
	/* What the driver itself knows: whether commands are there, how long a socket's path may be. */
	r = nf_power_check(&c->power, &why);
	if (r == -NF_EARG || r == -NF_EDATA)
		return nf_conf_refuse(&c->conf, p->pos, err, "'power': %s", why.msg);
	if (r < 0 && err)
		*err = why;
	return r;
}

int nf_campaign_find_devices(const struct nf_campaign *c, struct nf_err *err)
{
	int r = find_console(c, err);

	return r < 0 ? r : nf_campaign_find_power(c, err);
}

/* --- images --- */

static int open_image(const struct nf_campaign *c, const struct nf_campaign_tftp *load,
                      const char *path, int *ret_fd, uint64_t *ret_bytes, struct nf_err *err)
{
	char name[NF_QUOTED];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	nf_quote(path, name);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP))
		return nf_conf_refuse(&c->conf, load->image.pos, err,
		                      "'image': %s: %s; allowed: a file that is there", name,
		                      strerror(errno));
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s", name);
	if (fstat(fd, &st) < 0) {
		int r = nf_fail_os(err, errno, "cannot ask about %s", name);

		close(fd);
		return r;
	}
	if (!S_ISREG(st.st_mode) || st.st_size == 0) {
		close(fd);
		return nf_conf_refuse(
		        &c->conf, load->image.pos, err,
		        "'image': %s is %s; allowed: a plain file with something in it", name,
		        S_ISREG(st.st_mode) ? "empty" : "no plain file");
	}
	*ret_fd = fd;
	*ret_bytes = (uint64_t)st.st_size;
	return 0;
}

static int hash_image(const struct nf_campaign *c, const struct nf_campaign_tftp *load,
                      struct nf_campaign_image *ret, struct nf_err *err)
{
	struct nf_campaign_image image = { 0 };
	int fd = -1;
	int n = snprintf(image.path, sizeof(image.path), "%s/%s", load->root.v, load->image.v);

	if (n < 0 || (size_t)n >= sizeof(image.path))
		return nf_conf_refuse(&c->conf, load->image.pos, err,
		                      "'image': its path is too long");
	int r = open_image(c, load, image.path, &fd, &image.bytes, err);
	if (r < 0)
		return r;
	r = nf_sha256_fd(fd, image.path, image.sha256, err);
	close(fd);
	if (r == 0)
		*ret = image;
	return r;
}

int nf_campaign_hash_images(const struct nf_campaign *c, const struct nf_campaign_config *config,
                            struct nf_campaign_image *ret, size_t *ret_n, struct nf_err *err)
{
	const struct nf_campaign_tftp *load = NULL;
	size_t n = nf_campaign_loads(config, &load);

	for (size_t i = 0; i < n; i++) {
		int r = hash_image(c, &load[i], &ret[i], err);

		if (r < 0)
			return r;
	}
	*ret_n = n;
	return 0;
}
