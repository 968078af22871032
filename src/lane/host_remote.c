/* SPDX-License-Identifier: MIT */
/* A machine behind ssh. What has to be root there goes through `sudo -n`, which asks no question. */
#include "lane/host.h"

enum { SCRIPT_BYTES = 64 << 10, ABSENT = 44, FORBIDDEN = 45, NO_ROOT = 46 };

static int ask(const struct nf_lane_remote *l, const struct nf_buf *script, int64_t timeout_ns,
               struct nf_buf *out, struct nf_ssh_end *end, struct nf_err *err)
{
	int r = nf_buf_failed(script, "a question", err);

	if (r < 0)
		return r;
	if (!l->ssh)
		return nf_fail(err, NF_ESUBJECT, "%s: there is no connection", l->name);
	r = nf_ssh_ask(l->ssh, script->data, timeout_ns, out, end, err);
	if (r == 0 && end->stopped)
		r = nf_fail(err, NF_ESUBJECT, "%s: stopped before its answer", l->name);
	return r;
}

/* test: "-e" or "-d"; command: what prints it, also as root where the user may not. */
static int print_path(const struct nf_lane_remote *l, const char *test, const char *command,
                      const char *path, struct nf_buf *out, struct nf_err *err)
{
	struct nf_ssh_end end = { 0 };
	struct nf_buf script;

	nf_buf_init(&script, SCRIPT_BYTES);
	(void)nf_buf_adds(&script, "p=");
	nf_ssh_quote(path, &script);
	(void)nf_buf_addf(&script,
	                  "\nLC_ALL=C; export LC_ALL\n"
	                  "if [ %s \"$p\" ]; then %s \"$p\" 2>/dev/null && exit 0\n"
	                  "  sudo -n %s \"$p\" 2>/dev/null && exit 0; exit %d; fi\n"
	                  "[ -L \"$p\" ] && exit %d\n"
	                  "sudo -n test %s \"$p\" 2>/dev/null || exit %d\n"
	                  "sudo -n %s \"$p\" 2>/dev/null || exit %d\n",
	                  test, command, command, FORBIDDEN, ABSENT, test, ABSENT, command,
	                  FORBIDDEN);
	int r = ask(l, &script, NF_LANE_COMMAND_NS, out, &end, err);
	nf_buf_fini(&script);
	if (r < 0 || end.status == 0)
		return r;
	if (end.status == ABSENT)
		return nf_fail(err, NF_ENODATA, "%s: %s is absent", l->name, path);
	return nf_fail(err, NF_EUNSUPPORTED,
	               "%s: %s cannot be read; log in as root, or let sudo -n do it", l->name,
	               path);
}

static int read_file(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err)
{
	return print_path(ctx, "-e", "cat", path, out, err);
}

static int list_folder(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err)
{
	return print_path(ctx, "-d", "ls -1", path, out, err);
}

static int run(void *ctx, const char *const argv[], bool as_root, int64_t timeout_ns,
               struct nf_buf *out, struct nf_lane_ran *ret, struct nf_err *err)
{
	const struct nf_lane_remote *l = ctx;
	struct nf_ssh_end end = { 0 };
	struct nf_buf script;

	nf_buf_init(&script, SCRIPT_BYTES);
	/* Loader tools stand where only root's PATH looks. */
	(void)nf_buf_adds(&script, "PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH; "
	                           "LC_ALL=C; export LC_ALL; exec </dev/null\n");
	if (as_root)
		(void)nf_buf_addf(&script,
		                  "if [ \"$(id -u)\" = 0 ]; then s=; else s='sudo -n'; "
		                  "sudo -n true 2>/dev/null || exit %d; fi\nexec $s",
		                  NO_ROOT);
	else
		(void)nf_buf_adds(&script, "exec");
	for (int i = 0; argv[i]; i++) {
		(void)nf_buf_addc(&script, ' ');
		nf_ssh_quote(argv[i], &script);
	}
	int r = ask(l, &script, timeout_ns, out, &end, err);
	nf_buf_fini(&script);
	if (r < 0)
		return r;
	if (as_root && end.status == NO_ROOT)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s: %s needs root; log in as root, or let sudo -n do it", l->name,
		               argv[0]);
	*ret = (struct nf_lane_ran){ .status = end.status };
	_Static_assert(sizeof(ret->said) == sizeof(end.said), "both are a said line");
	__builtin_memcpy(ret->said, end.said, sizeof(end.said));
	return 0;
}

struct nf_lane_host nf_lane_host_remote(struct nf_lane_remote *r)
{
	static const struct nf_lane_host_ops ops = { read_file, list_folder, run };

	return (struct nf_lane_host){ .ops = &ops, .ctx = r, .name = r->name };
}
