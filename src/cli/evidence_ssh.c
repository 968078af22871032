/* SPDX-License-Identifier: MIT */
#include "cli/evidence_ssh.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/sysio.h"
#include "record/runfolder.h"

extern char **environ;

/* What a program wrote, at most the buffer's size. */
static int take(int fd, struct nf_buf *ret, struct nf_err *err)
{
	char text[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, text, sizeof(text), at)) != 0 && at < NF_SSH_TEXT_BYTES) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		(void)nf_buf_add(ret, text, (size_t)n);
		at += n;
	}
	if (n < 0)
		return nf_fail_os(err, errno, "cannot read what ssh-keygen wrote");
	return nf_buf_failed(ret, "what ssh-keygen wrote", err);
}

static int spawn(const char *const argv[], int in_fd, int out_fd, int err_fd, pid_t *ret,
                 struct nf_err *err)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t set;
	int e = posix_spawn_file_actions_init(&files);

	if (e)
		return nf_fail_os(err, e, "cannot start ssh-keygen");
	e = posix_spawnattr_init(&attr);
	if (e) {
		posix_spawn_file_actions_destroy(&files);
		return nf_fail_os(err, e, "cannot start ssh-keygen");
	}
	sigemptyset(&set);
	if (!e)
		e = posix_spawnattr_setsigmask(&attr, &set);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGXFSZ);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (!e)
		e = posix_spawnattr_setsigdefault(&attr, &set);
	if (!e)
		e = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	if (!e)
		e = posix_spawn_file_actions_adddup2(&files, in_fd, 0);
	if (!e)
		e = posix_spawn_file_actions_adddup2(&files, out_fd, 1);
	if (!e)
		e = posix_spawn_file_actions_adddup2(&files, err_fd, 2);
	if (!e) /* it takes char *const and changes none */
		e = posix_spawnp(ret, argv[0], &files, &attr, (char *const *)(uintptr_t)argv,
		                 environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	if (e == ENOENT)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "ssh-keygen is not on the PATH; it comes with OpenSSH's client "
		               "(openssh-client)");
	return e ? nf_fail_os(err, e, "cannot start ssh-keygen") : 0;
}

int nf_ssh_keygen(const char *const argv[], int in_fd, int *ret_status, struct nf_buf *out,
                  struct nf_buf *messages, struct nf_err *err)
{
	int out_fd = memfd_create("out", MFD_CLOEXEC), err_fd = memfd_create("err", MFD_CLOEXEC);
	int status = 0, rc = 0;
	pid_t pid = -1;

	if (out_fd < 0 || err_fd < 0)
		rc = nf_fail_os(err, errno, "cannot start ssh-keygen");
	if (rc == 0)
		rc = spawn(argv, in_fd, out_fd, err_fd, &pid, err);
	while (rc == 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			rc = nf_fail_os(err, errno, "cannot wait for ssh-keygen");
	if (rc == 0)
		rc = take(out_fd, out, err);
	if (rc == 0)
		rc = take(err_fd, messages, err);
	if (rc == 0)
		*ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	if (out_fd >= 0)
		close(out_fd);
	if (err_fd >= 0)
		close(err_fd);
	return rc;
}

bool nf_ssh_path(const char *path, char *ret, size_t size)
{
	int n = snprintf(ret, size, "%s%s", *path == '-' ? "./" : "", path);

	return n > 0 && (size_t)n < size;
}

void nf_ssh_line(const struct nf_buf *text, char ret[200])
{
	size_t len = strcspn(text->data, "\r\n");

	snprintf(ret, 200, "%.*s", len < 199 ? (int)len : 199, text->data);
	for (char *p = ret; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
}

static void note(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	(void)item;
	(void)state;
	snprintf(ctx, 240, "%s", why); /* the last is the folder's */
}

int nf_ssh_open_run(const char *run, int *ret_folder, int *ret_manifest, char ret_why[240],
                    struct nf_err *err)
{
	enum nf_check_state state = NF_CHECK_DAMAGED;
	char why[240] = "";
	int manifest = -1;
	int folder = open(run, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (folder < 0)
		return nf_fail(err, nf_errno_is_of_path(errno) ? NF_EARG : NF_EOS,
		               "%s: %s; allowed: a run's folder", run, strerror(errno));
	int rc = nf_runfolder_check(run, note, why, &state, err);
	if (rc == 0) {
		manifest =
		        openat(folder, "MANIFEST", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
		if (manifest < 0 && errno == ENOENT)
			rc = nf_fail(err, NF_EDATA, "%s has no MANIFEST: the run did not finish",
			             run);
		else if (manifest < 0)
			rc = nf_fail_os(err, errno, "%s/MANIFEST", run);
	}
	if (rc < 0) {
		close(folder);
		return rc;
	}
	bool fine = state == NF_CHECK_COMPLETE || state == NF_CHECK_PARTIAL;
	snprintf(ret_why, 240, "%s", fine ? "" : why);
	*ret_folder = folder;
	*ret_manifest = manifest;
	return 0;
}
