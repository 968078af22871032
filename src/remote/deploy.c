/* SPDX-License-Identifier: MIT */
#include "remote/deploy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/quote.h"
#include "base/sysio.h"
#include "remote/elf.h"

enum { COMMAND_BYTES = 1 << 16, ANSWER_BYTES = 4096, STATUS_NO_RUN = 78 };
static const int64_t ASK_NS = INT64_C(60000000000);
static const int64_t COPY_NS = INT64_C(1800000000000);
/* For a run to keep what it has; no longer than it was given, where that is little. */
static const int64_t GRACE_NS = INT64_C(120000000000), GRACE_MIN_NS = INT64_C(2000000000);

/* Makes the folder and tells of it; removes it when the connection ends, once what runs in it has ended (up to a minute).
 * Signals do not end it: the end of its input does. */
static const char HOLD[] =
        "umask 077; trap \"\" HUP INT TERM PIPE; "
        "d=$(mktemp -d \"${TMPDIR:-/tmp}/noisefloor-XXXXXX\") || exit 1; "
        "s=no; if [ \"$(id -u)\" = 0 ]; then s=is; elif sudo -n true </dev/null >/dev/null 2>&1; "
        "then s=sudo; fi; "
        "echo \"$d $(uname -m) $s\"; cat >/dev/null; i=0; "
        "while [ -e \"$d/running\" ] && [ $i -lt 60 ]; do sleep 1; i=$((i+1)); done; "
        "rm -rf \"$d\" 2>/dev/null || sudo -n rm -rf \"$d\" </dev/null";

/* Standard input says when it is to end early: a line INT or TERM, or the end of the connection. */
static const char RUNNER[] =
        "umask 077; exec 3<&0; : >running; \"$@\" </dev/null >out 2>err & p=$!; "
        "( while read -r how; do case $how in INT|TERM) kill -$how $p;; esac; done; kill -TERM $p "
        ") "
        "<&3 >/dev/null 2>&1 & w=$!; "
        "wait $p; s=$?; rm -f running; kill $w 2>/dev/null; exit $s";

static int failed(const struct nf_deploy *d, const struct nf_ssh_end *end, const char *what,
                  struct nf_err *err)
{
	return nf_fail(err, NF_ESUBJECT, "%s: %s%s%s", d->cfg.target->text, what,
	               *end->said ? ": " : "", end->said);
}

/* --- opening --- */

static bool is_folder(const char *s)
{
	if (s[0] != '/' || strlen(s) >= NF_DEPLOY_FOLDER || strstr(s, ".."))
		return false;
	for (; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
		      (*s >= '0' && *s <= '9') || strchr("/._-", *s)))
			return false;
	return true;
}

/* "FOLDER ARCH no|is|sudo" of the holding command. */
static int read_line(struct nf_deploy *d, char *line, struct nf_err *err)
{
	static const char *const roots[] = {
		[NF_ROOT_NO] = "no", [NF_ROOT_IS] = "is", [NF_ROOT_SUDO] = "sudo"
	};
	char *arch = strchr(line, ' '), *root = arch ? strchr(arch + 1, ' ') : NULL;
	char quoted[NF_QUOTED];
	size_t i = 0;

	if (root) {
		*arch++ = '\0';
		*root++ = '\0';
		while (i < 3 && strcmp(root, roots[i]) != 0)
			i++;
	}
	if (!root || i == 3 || !is_folder(line))
		return nf_fail(err, NF_ESUBJECT, "%s: answers with no folder of its own",
		               d->cfg.target->text);
	d->root = (enum nf_deploy_root)i;
	if (strcmp(arch, "x86_64") != 0 && strcmp(arch, "aarch64") != 0) {
		nf_quote(arch, quoted);
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s: its architecture is %s; supported: x86_64, aarch64",
		               d->cfg.target->text, quoted);
	}
	memcpy(d->folder, line, strlen(line) + 1);
	memcpy(d->arch, arch, strlen(arch) + 1);
	return 0;
}

static int open_program(struct nf_deploy *d, int *ret_fd, struct nf_err *err)
{
	char path[4096], where[600] = "";

	if (d->cfg.program) {
		*ret_fd = nf_open_input(d->cfg.program, "allowed: a static noisefloor", err);
		return *ret_fd < 0 ? *ret_fd : 0;
	}
	for (const char *const *f = d->cfg.folders; f && *f; f++) {
		int n = snprintf(path, sizeof(path), "%s/noisefloor-static-%s", *f, d->arch);

		if (n < 0 || (size_t)n >= sizeof(path))
			continue;
		*ret_fd = open(path, O_RDONLY | O_CLOEXEC);
		if (*ret_fd >= 0)
			return 0;
		size_t len = strlen(where);
		snprintf(where + len, sizeof(where) - len, "%s%s", len ? ", " : "", *f);
	}
	return nf_fail(
	        err, NF_EUNSUPPORTED,
	        "no noisefloor-static-%s (looked in %s); a build on such a machine makes one, "
	        "and --target-binary names it",
	        d->arch, *where ? where : "no folder");
}

static int digest_there(struct nf_deploy *d, const char *answer, struct nf_err *err)
{
	if (strncmp(answer, d->sha256, 64) == 0 && (answer[64] == ' ' || answer[64] == '\n'))
		return 0;
	return nf_fail(
	        err, NF_ESUBJECT,
	        "%s: the program that arrived has another SHA-256 than the one that was sent; it "
	        "is not run",
	        d->cfg.target->text);
}

static int to_buf(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	(void)nf_buf_add(ctx, data, len_bytes);
	return nf_buf_failed(ctx, "the target's answer", err);
}

static int copy_program(struct nf_deploy *d, struct nf_err *err)
{
	struct nf_ssh_end end;
	struct nf_buf script, answer;
	int fd = -1;
	int r = open_program(d, &fd, err);

	if (r < 0)
		return r;
	nf_buf_init(&script, COMMAND_BYTES);
	nf_buf_init(&answer, ANSWER_BYTES);
	r = nf_elf_check(fd, d->arch, d->cfg.program ? d->cfg.program : "noisefloor-static", err);
	if (r == 0)
		r = nf_sha256_fd(fd, "the static program", d->sha256, err);
	if (r == 0 && lseek(fd, 0, SEEK_SET) != 0)
		r = nf_fail_os(err, errno, "the static program");
	(void)nf_buf_addf(&script,
	                  "cd '%s' && umask 077 && cat >noisefloor && chmod 700 noisefloor && "
	                  "sha256sum noisefloor",
	                  d->folder);
	if (r == 0)
		r = nf_buf_failed(&script, "a command", err);
	const struct nf_ssh_call call = { .script = script.data,
		                          .input_fd = fd,
		                          .input_from_fd = true,
		                          .timeout_ns = COPY_NS,
		                          .max_bytes = ANSWER_BYTES,
		                          .sink = to_buf,
		                          .sink_ctx = &answer };
	if (r == 0)
		r = nf_ssh_run(d->ssh, &call, &end, err);
	if (r == 0 && end.stopped)
		d->stopped = true;
	if (r == 0 && end.stopped)
		r = nf_fail(err, NF_ESUBJECT, "%s: stopped while the program was copied",
		            d->cfg.target->text);
	else if (r == 0 && end.status != 0)
		r = failed(d, &end, "the program cannot be copied there", err);
	else if (r == 0)
		r = digest_there(d, answer.data, err);
	close(fd);
	nf_buf_fini(&answer);
	nf_buf_fini(&script);
	return r;
}

int nf_deploy_open(const struct nf_deploy_cfg *cfg, struct nf_deploy *d, struct nf_err *err)
{
	const struct nf_ssh_cfg ssh = { .config = cfg->ssh_config,
		                        .hold = HOLD,
		                        .connect_ns = cfg->connect_ns,
		                        .stop = cfg->stop };
	char line[NF_SSH_HELD];

	*d = (struct nf_deploy){ .cfg = *cfg };
	int r = nf_ssh_open(cfg->target, &ssh, &d->ssh, line, err);
	if (r < 0)
		return r;
	r = read_line(d, line, err);
	if (r == 0)
		r = copy_program(d, err);
	if (r < 0)
		(void)nf_deploy_close(d);
	return r;
}

bool nf_deploy_close(struct nf_deploy *d)
{
	bool clean = nf_ssh_close(d->ssh);

	d->ssh = NULL;
	return clean;
}

/* --- files --- */

int nf_deploy_put(struct nf_deploy *d, const char *name, const void *data, size_t len_bytes,
                  struct nf_err *err)
{
	struct nf_ssh_end end;
	struct nf_buf script;

	nf_buf_init(&script, COMMAND_BYTES);
	(void)nf_buf_addf(&script, "cd '%s' && umask 077 && cat >'%s'", d->folder, name);
	int r = nf_buf_failed(&script, "a command", err);
	const struct nf_ssh_call call = { .script = script.data,
		                          .input = data,
		                          .input_bytes = len_bytes,
		                          .timeout_ns = COPY_NS };
	if (r == 0)
		r = nf_ssh_run(d->ssh, &call, &end, err);
	if (r == 0 && (end.stopped || end.status != 0))
		r = failed(d, &end, "a file cannot be copied there", err);
	nf_buf_fini(&script);
	return r;
}

/* --- the run --- */

int nf_deploy_run(struct nf_deploy *d, const char *const *words, bool as_root, int64_t timeout_ns,
                  struct nf_ssh_end *ret, struct nf_err *err)
{
	struct nf_buf script;

	nf_buf_init(&script, COMMAND_BYTES);
	(void)nf_buf_addf(&script, "cd '%s' && exec %ssh -c ", d->folder,
	                  as_root && d->root == NF_ROOT_SUDO ? "sudo -n " : "");
	nf_ssh_quote(RUNNER, &script);
	(void)nf_buf_addf(&script, " sh '%s/noisefloor'", d->folder);
	for (; *words; words++) {
		(void)nf_buf_addc(&script, ' ');
		nf_ssh_quote(*words, &script);
	}
	int r = nf_buf_failed(&script, "the command for the target", err);
	int64_t grace_ns = timeout_ns > GRACE_NS ? GRACE_NS : timeout_ns;
	const struct nf_ssh_call call = { .script = script.data,
		                          .controlled = true,
		                          .grace_ns =
		                                  grace_ns < GRACE_MIN_NS ? GRACE_MIN_NS : grace_ns,
		                          .timeout_ns = timeout_ns };
	if (r == 0)
		r = nf_ssh_run(d->ssh, &call, ret, err);
	if (r == 0)
		d->stopped = ret->stopped;
	nf_ssh_finish(d->ssh); /* what the run kept is brought back, whatever comes */
	nf_buf_fini(&script);
	return r;
}

static int read_file(struct nf_deploy *d, const char *name, struct nf_buf *out, struct nf_err *err)
{
	struct nf_ssh_end end;
	char script[NF_DEPLOY_FOLDER + 64];

	snprintf(script, sizeof(script), "exec cat '%s/%s'", d->folder, name);
	int r = nf_ssh_ask(d->ssh, script, ASK_NS, out, &end, err);
	if (r == 0 && end.status != 0)
		r = failed(d, &end, "what it printed cannot be read", err);
	return r;
}

int nf_deploy_output(struct nf_deploy *d, struct nf_buf *out, struct nf_err *err)
{
	return read_file(d, "out", out, err);
}

int nf_deploy_message(struct nf_deploy *d, char ret[NF_SAID_LINE], struct nf_err *err)
{
	struct nf_said said = { .len_bytes = 0 };
	struct nf_buf text;

	nf_buf_init(&text, (size_t)1 << 20);
	int r = read_file(d, "err", &text, err);
	if (r == 0) {
		nf_said_add(&said, text.data, text.len_bytes);
		nf_said_line(&said, ret);
	}
	nf_buf_fini(&text);
	return r;
}

/* --- what came back --- */

struct arrival {
	struct nf_receive to;
	char name[NF_TAR_NAME];
	size_t n_name;
	bool named; /* the line with its name is complete */
};

static int arrive(void *ctx, const void *data, size_t len_bytes, struct nf_err *err)
{
	struct arrival *a = ctx;
	const char *p = data;

	while (!a->named && len_bytes > 0) {
		if (*p == '\n')
			a->named = true;
		else if (a->n_name + 1 < sizeof(a->name))
			a->name[a->n_name++] = *p;
		else
			return nf_fail(err, NF_EDATA, "what came back has a name that is too long");
		p++;
		len_bytes--;
	}
	return len_bytes > 0 ? nf_receive_feed(&a->to, p, len_bytes, err) : 0;
}

/* As nf_runfolder_create makes them: a date first, then letters, digits, '.', '_' and '-'. */
static bool is_run_name(const char *s)
{
	if (s[0] < '0' || s[0] > '9' || strlen(s) > 200)
		return false;
	for (; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
		      (*s >= '0' && *s <= '9') || strchr("._-", *s)))
			return false;
	return true;
}

int nf_deploy_fetch(struct nf_deploy *d, int dir_fd, int uid, int gid, char ret_name[NF_TAR_NAME],
                    bool *ret_found, struct nf_err *err)
{
	struct arrival a = { .n_name = 0 };
	struct nf_ssh_end end;
	char script[NF_DEPLOY_FOLDER + 256];

	snprintf(
	        script, sizeof(script),
	        "cd '%s/runs' 2>/dev/null && set -- * && [ $# -eq 1 ] && [ -d \"$1\" ] || exit %d; "
	        "printf \"%%s\\n\" \"$1\"; cd \"./$1\" && exec tar -cf - .",
	        d->folder, STATUS_NO_RUN);
	nf_receive_init(&a.to, dir_fd, uid, gid);
	const struct nf_ssh_call call = { .script = script,
		                          .timeout_ns = COPY_NS,
		                          .max_bytes = (size_t)1 << 31,
		                          .sink = arrive,
		                          .sink_ctx = &a };
	int r = nf_ssh_run(d->ssh, &call, &end, err);
	if (r == 0 && end.status == STATUS_NO_RUN && !a.named) {
		*ret_found = false;
	} else if (r == 0 && end.status != 0) {
		r = failed(d, &end, "the run cannot be brought back", err);
	} else if (r == 0) {
		r = nf_receive_finish(&a.to, err);
		if (r == 0 && !is_run_name(a.name))
			r = nf_fail(err, NF_EDATA, "what came back has no name of a run");
		if (r == 0) {
			memcpy(ret_name, a.name, sizeof(a.name));
			*ret_found = true;
		}
	}
	nf_receive_fini(&a.to);
	return r;
}
