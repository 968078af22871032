/* SPDX-License-Identifier: MIT */
#include "job/lane_reach.h"

#include <sys/stat.h>

#include "base/quote.h"

int nf_lane_reach_init(struct nf_lane_reach *r, const struct nf_lane_where *w,
                       const struct nf_stop *stop, struct nf_err *err)
{
	char quoted[NF_QUOTED];
	struct stat st;

	*r = (struct nf_lane_reach){ .is_local = !w->target, .fs = { .dirfd = -1 } };
	if (w->target && w->root)
		return nf_fail(err, NF_EARG, "--root and --target name two machines; allowed: one");
	if (w->target) {
		struct nf_err e = { 0 };

		if (nf_target_parse(w->target, &r->target, &e) < 0)
			return nf_fail(err, e.code, "--target: %s", e.msg);
		r->remote.name = r->target.text;
		r->ssh_cfg = (struct nf_ssh_cfg){ .config = w->ssh_config,
			                          .silence_ns = INT64_C(30) * 1000000000,
			                          .stop = stop };
		r->host = nf_lane_host_remote(&r->remote);
		return 0;
	}
	if (w->root && (stat(w->root, &st) < 0 || !S_ISDIR(st.st_mode))) {
		nf_quote(w->root, quoted);
		return nf_fail(err, NF_EARG, "--root: bad value %s; allowed: a folder", quoted);
	}
	int rc = nf_rootfs_open(&r->fs, w->root, err);
	if (rc < 0)
		return rc;
	r->local = (struct nf_lane_local){ &r->fs, stop };
	r->host = nf_lane_host_local(&r->local);
	return 0;
}

int nf_lane_reach_connect(struct nf_lane_reach *r, int64_t limit_ns, struct nf_err *err)
{
	struct nf_ssh_cfg cfg = r->ssh_cfg;

	if (r->is_local)
		return 0;
	(void)nf_ssh_close(r->remote.ssh);
	r->remote.ssh = NULL;
	cfg.connect_ns = limit_ns;
	return nf_ssh_open(&r->target, &cfg, &r->remote.ssh, NULL, err);
}

void nf_lane_reach_fini(struct nf_lane_reach *r)
{
	(void)nf_ssh_close(r->remote.ssh);
	r->remote.ssh = NULL;
	if (r->is_local && r->fs.dirfd >= 0)
		nf_rootfs_close(&r->fs);
}
