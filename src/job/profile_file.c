/* SPDX-License-Identifier: MIT */
#include "job/profile_file.h"

#include <unistd.h>

#include "base/sysio.h"

int nf_job_profile_read(const char *path, struct nf_arena *a, struct nf_profile *ret,
                        struct nf_err *err)
{
	struct nf_buf text;
	int fd = nf_open_input(path, "a profile, a text file", err);

	if (fd < 0)
		return fd;
	nf_buf_init(&text, NF_PROFILE_MAX_BYTES);
	int r = nf_read_all(fd, &text, path, err);
	if (r == 0)
		r = nf_profile_parse(text.data, text.len_bytes, path, a, ret, err);
	nf_buf_fini(&text);
	close(fd);
	return r;
}
