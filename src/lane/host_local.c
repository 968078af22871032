/* SPDX-License-Identifier: MIT */
/* This machine, or a captured tree. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lane/host.h"
#include "remote/ssh_child.h"
#include "remote/ssh_exchange.h"

static const char *relative(const char *path)
{
	return path + strspn(path, "/");
}

static int read_file(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err)
{
	const struct nf_lane_local *l = ctx;

	return nf_rootfs_read(l->fs, relative(path), out, err);
}

static int add_name(void *ctx, const char *name)
{
	(void)nf_buf_addf(ctx, "%s\n", name);
	return 0;
}

static int list_folder(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err)
{
	const struct nf_lane_local *l = ctx;
	int r = nf_rootfs_list(l->fs, relative(path), add_name, out, err);

	return r < 0 ? r : nf_buf_failed(out, path, err);
}

static int to_buf(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct nf_buf *out = ctx;

	(void)nf_buf_add(out, data, len_bytes);
	return nf_buf_failed(out, "a command's answer", err);
}

static int status_of(int wait_status)
{
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

static int run(void *ctx, const char *const argv[], bool as_root, int64_t timeout_ns,
               struct nf_buf *out, struct nf_lane_ran *ret, struct nf_err *err)
{
	const struct nf_lane_local *l = ctx;
	struct nf_ssh_child child = NF_SSH_CHILD_NONE;
	struct nf_ssh_exchange x = { .child = &child,
		                     .token = "",
		                     .who = argv[0],
		                     .stop = l->stop,
		                     .timeout_ns = timeout_ns,
		                     .max_bytes = NF_LANE_ANSWER_MAX_BYTES,
		                     .sink = to_buf,
		                     .sink_ctx = out };
	struct nf_lane_ran ran = { .status = 127 };

	if (as_root && geteuid() != 0)
		return nf_fail(err, NF_EUNSUPPORTED, "%s needs root; run noisefloor with sudo",
		               argv[0]);
	int r = nf_ssh_child_start(argv, -1, &child, err);
	if (r == -NF_EUNSUPPORTED) {
		*ret = ran;
		return 0;
	}
	if (r == 0) {
		nf_ssh_child_hush(&child);
		r = nf_ssh_exchange_run(&x, err);
	}
	if (r == 0 && x.stopped)
		r = nf_fail(err, NF_ESUBJECT, "%s: stopped before its end", argv[0]);
	else if (r == 0 && (!x.at_end || !nf_ssh_child_await(&child, timeout_ns)))
		r = nf_fail(err, NF_ETIMEOUT, "%s: no end within %g s", argv[0],
		            (double)timeout_ns / 1e9);
	if (r == 0) {
		ran.status = status_of(child.wait_status);
		nf_said_line(&child.said, ran.said);
		*ret = ran;
	}
	nf_ssh_child_end(&child);
	return r;
}

struct nf_lane_host nf_lane_host_local(struct nf_lane_local *l)
{
	static const struct nf_lane_host_ops live = { read_file, list_folder, run };
	static const struct nf_lane_host_ops captured = { read_file, list_folder, NULL };

	return (struct nf_lane_host){ .ops = l->fs->live ? &live : &captured,
		                      .ctx = l,
		                      .name = l->fs->live ? "this machine" : l->fs->path };
}
