/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "cli/cmd.h"
#include "cli/evidence_ssh.h"

struct params {
	const char *key;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_PATH('k', "key", struct params, key, NULL, "FILE",
		"private key; or a public one whose private key the agent holds") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int put_signature(int folder, const char *run, const struct nf_buf *signature,
                         struct nf_err *err)
{
	if (mkdirat(folder, NF_SIGNATURE_FOLDER, 0700) < 0 && errno != EEXIST)
		return nf_fail_os(err, errno, "%s/" NF_SIGNATURE_FOLDER, run);
	int fd = openat(folder, NF_SIGNATURE_FOLDER,
	                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return nf_fail_os(err, errno, "%s/" NF_SIGNATURE_FOLDER, run);
	int rc = nf_write_file_atomic(fd, NF_SIGNATURE_NAME, signature->data, signature->len_bytes,
	                              0600, err);
	close(fd);
	return rc;
}

/* Why ssh-keygen did not sign, in one line: what can be done about it, or its own first words. */
static void reason(const struct nf_buf *messages, char ret[200])
{
	static const struct {
		const char *said, *means;
	} known[] = {
		{ "UNPROTECTED PRIVATE KEY", "others may read the key; allowed: one that only its "
		                             "owner can read (chmod 600)" },
		{ "passphrase", "it has a passphrase, and it was not given or cannot be asked for "
		                "here; allowed: load it into ssh-agent and name its public key" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(messages->data, known[i].said)) {
			snprintf(ret, 200, "%s", known[i].means);
			return;
		}
	nf_ssh_line(messages, ret);
}

static int sign(const char *run, const char *key, int folder, int manifest, struct nf_err *err)
{
	const char *argv[] = { "ssh-keygen",           "-Y", "sign", "-n",
		               NF_SIGNATURE_NAMESPACE, "-f", NULL,   NULL };
	struct nf_buf out, messages;
	char path[PATH_MAX], line[200];
	int status = 0;

	if (!nf_ssh_path(key, path, sizeof(path)))
		return nf_fail(err, NF_EARG, "%s: the path is too long", key);
	argv[6] = path;
	nf_buf_init(&out, NF_SSH_TEXT_BYTES + 4096);
	nf_buf_init(&messages, NF_SSH_TEXT_BYTES + 4096);
	int rc = nf_ssh_keygen(argv, manifest, &status, &out, &messages, err);
	reason(&messages, line);
	if (rc == 0 && (status != 0 || strncmp(out.data, "-----BEGIN SSH SIGNATURE-----", 29) != 0))
		rc = nf_fail(err, NF_EDATA, "%s cannot sign: %s", key, line);
	if (rc == 0)
		rc = put_signature(folder, run, &out, err);
	nf_buf_fini(&out);
	nf_buf_fini(&messages);
	return rc;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	int folder = -1, manifest = -1;
	char why[240];
	struct stat st;

	(void)argc;
	if (!p->key)
		return nf_fail(err, NF_EARG, "-k FILE is missing: the key to sign with");
	int rc = nf_open_input(p->key, "a private key, or a public one", err);
	if (rc < 0)
		return rc;
	close(rc);
	rc = nf_ssh_open_run(argv[0], &folder, &manifest, why, err);
	if (rc < 0)
		return rc;
	if (*why)
		rc = nf_fail(err, NF_EDATA, "%s is not signed, as it does not check: %s", argv[0],
		             why);
	else if (fstatat(folder, NF_SIGNATURE_FOLDER "/" NF_SIGNATURE_NAME, &st,
	                 AT_SYMLINK_NOFOLLOW) == 0)
		rc = nf_fail(err, NF_EEXIST,
		             "%s/" NF_SIGNATURE_FOLDER "/" NF_SIGNATURE_NAME
		             " exists; nothing was overwritten",
		             argv[0]);
	if (rc == 0)
		rc = sign(argv[0], p->key, folder, manifest, err);
	close(folder);
	close(manifest);
	if (rc == 0 && !cli->global->quiet && !cli->global->json) {
		static const char name[] = "/" NF_SIGNATURE_FOLDER "/" NF_SIGNATURE_NAME "\n";

		rc = nf_cli_write(cli, argv[0], strlen(argv[0]), err);
		if (rc == 0)
			rc = nf_cli_write(cli, name, sizeof(name) - 1, err);
	} else if (rc == 0 && cli->global->json) {
		static const char done[] =
		        "{\"signature\": \"" NF_SIGNATURE_FOLDER "/" NF_SIGNATURE_NAME "\"}\n";

		rc = nf_cli_write(cli, done, sizeof(done) - 1, err);
	}
	return rc;
}

const struct nf_cmd nf_cmd_evidence_sign = {
	.name = "evidence sign",
	.operands = "RUN",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "sign a run with an SSH key",
	.description =
	        "Signs a run's MANIFEST, and with it every file that MANIFEST lists, with an SSH "
	        "key (ssh-keygen -Y sign, namespace noisefloor). The signature is "
	        "derived/MANIFEST.sig, which MANIFEST does not list. A run that does not check is "
	        "not signed, an existing signature is not overwritten. Exits 3 where there is no "
	        "ssh-keygen.",
	.examples = "evidence sign runs/X -k ~/.ssh/id_ed25519 # makes derived/MANIFEST.sig",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence sign {fresh} -k {key}",
	.test_short = "evidence sign {fresh} -k {key}",
	.run = run,
};
