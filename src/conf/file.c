/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "base/sysio.h"
#include "conf/conf.h"

int nf_conf_read_file(const struct nf_conf_type *root, const char *path, void *check_ctx,
                      struct nf_conf *ret, struct nf_err *err)
{
	struct nf_buf text;
	int fd = nf_open_input(path, "a YAML file", err);

	if (fd < 0)
		return fd;
	nf_buf_init(&text, NF_CONF_BYTES_MAX);
	int r = nf_read_all(fd, &text, path, err);
	if (r == -NF_EDATA)
		r = nf_fail(err, NF_EDATA, "%.200s: too large; allowed: at most %d bytes", path,
		            (int)NF_CONF_BYTES_MAX);
	if (r == 0)
		r = nf_conf_read(root, path, text.data, text.len_bytes, check_ctx, ret, err);
	nf_buf_fini(&text);
	(void)close(fd);
	return r;
}
