/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/sysio.h"
#include "base/utf8.h"
#include "cli/cmd.h"
#include "cli/evidence_ssh.h"

struct params {
	const char *signers;
	const char *identity;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_PATH('a', "allowed-signers", struct params, signers, NULL, "FILE",
		"whose keys count: lines of a name and a public key (ssh-keygen(1), ALLOWED SIGNERS)") },
	{ NF_OPT_TEXT('I', "identity", struct params, identity, NULL, "NAME", "who must have signed"),
	  .def_text = "anybody in that file" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

struct verdict {
	bool good;
	char who[200]; /* "": nobody is known */
	char why[240]; /* ssh-keygen's line */
};

/* The name in the file whose key made the signature; "" where there is none. */
static int find_signer(const char *signers, const char *signature, int manifest, char ret[200],
                       struct nf_err *err)
{
	const char *argv[] = { "ssh-keygen", "-Y", "find-principals", "-s",
		               signature,    "-f", signers,           NULL };
	struct nf_buf out, messages;
	int status = 0;

	nf_buf_init(&out, NF_SSH_TEXT_BYTES + 4096);
	nf_buf_init(&messages, NF_SSH_TEXT_BYTES + 4096);
	int rc = nf_ssh_keygen(argv, manifest, &status, &out, &messages, err);
	ret[0] = '\0';
	if (rc == 0 && status == 0)
		nf_ssh_line(&out, ret);
	nf_buf_fini(&out);
	nf_buf_fini(&messages);
	return rc;
}

static int verify(const struct params *p, const char *signature, int manifest, struct verdict *ret,
                  struct nf_err *err)
{
	char signers[PATH_MAX], line[200];
	struct nf_buf out, messages;
	int status = 255, rc = 0;

	if (!nf_ssh_path(p->signers, signers, sizeof(signers)))
		return nf_fail(err, NF_EARG, "%s: the path is too long", p->signers);
	if (p->identity)
		snprintf(ret->who, sizeof(ret->who), "%s", p->identity);
	else
		rc = find_signer(signers, signature, manifest, ret->who, err);
	if (rc < 0)
		return rc;
	if (!*ret->who) {
		snprintf(ret->why, sizeof(ret->why), "no key of %.*s made the signature",
		         NF_UTF8_CUT(p->signers, 150));
		return 0;
	}
	const char *argv[] = { "ssh-keygen", "-Y",      "verify", "-n",    NF_SIGNATURE_NAMESPACE,
		               "-s",         signature, "-f",     signers, "-I",
		               ret->who,     NULL };
	nf_buf_init(&out, NF_SSH_TEXT_BYTES + 4096);
	nf_buf_init(&messages, NF_SSH_TEXT_BYTES + 4096);
	rc = nf_ssh_keygen(argv, manifest, &status, &out, &messages, err);
	if (rc == 0) {
		ret->good = status == 0;
		nf_ssh_line(messages.len_bytes && !ret->good ? &messages : &out, line);
		snprintf(ret->why, sizeof(ret->why), "%s", line);
	}
	nf_buf_fini(&out);
	nf_buf_fini(&messages);
	return rc;
}

static int print(struct nf_cli *cli, const char *run, const struct verdict *v, struct nf_err *err)
{
	struct nf_buf out;
	struct nf_json j;
	int rc = 0;

	nf_buf_init(&out, 1 << 16);
	if (cli->global->json) {
		nf_json_init(&j, &out, true);
		nf_json_object(&j);
		nf_json_key(&j, "folder");
		nf_json_text(&j, run);
		nf_json_key(&j, "verified");
		nf_json_bool(&j, v->good);
		nf_json_key(&j, "identity");
		nf_json_text(&j, *v->who ? v->who : NULL);
		nf_json_key(&j, "why");
		nf_json_text(&j, v->why);
		nf_json_end(&j);
		rc = nf_json_done(&j, err);
	} else {
		(void)nf_buf_addf(&out, "%-8s %s: %s\n", v->good ? "verified" : "refused", run,
		                  v->why);
		rc = nf_buf_failed(&out, "the verdict", err);
	}
	if (rc == 0 && (cli->global->json || !cli->global->quiet))
		rc = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return rc;
}

/* A link, a FIFO, a folder: nothing that `evidence sign` leaves. */
static void not_plain(struct verdict *v)
{
	snprintf(v->why, sizeof(v->why),
	         NF_SIGNATURE_FOLDER "/" NF_SIGNATURE_NAME " is no plain file");
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct verdict v = { .good = false };
	int folder = -1, manifest = -1, signature = -1;
	char path[64];
	struct stat st;

	(void)argc;
	if (!p->signers)
		return nf_fail(err, NF_EARG, "-a FILE is missing: the signers that count");
	int rc = nf_open_input(p->signers, "a file of allowed signers", err);
	if (rc < 0)
		return rc;
	close(rc);
	rc = nf_ssh_open_run(argv[0], &folder, &manifest, v.why, err);
	if (rc < 0)
		return rc;
	if (!*v.why) {
		signature = openat(folder, NF_SIGNATURE_FOLDER "/" NF_SIGNATURE_NAME,
		                   O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
		if (signature < 0 && errno == ENOENT)
			snprintf(v.why, sizeof(v.why), "it is not signed");
		else if (signature < 0 && (errno == ELOOP || errno == ENOTDIR || errno == ENXIO))
			not_plain(&v);
		else if (signature < 0)
			rc = nf_fail_os(err, errno, "%s/" NF_SIGNATURE_FOLDER "/" NF_SIGNATURE_NAME,
			                argv[0]);
	}
	if (signature >= 0 && (fstat(signature, &st) < 0 || !S_ISREG(st.st_mode))) {
		not_plain(&v);
	} else if (rc == 0 && signature >= 0) {
		/* The file that was opened, whatever its name is now. */
		snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), signature);
		rc = verify(p, path, manifest, &v, err);
	}
	close(folder);
	close(manifest);
	if (signature >= 0)
		close(signature);
	if (rc == 0)
		rc = print(cli, argv[0], &v, err);
	return rc < 0 ? rc : v.good ? NF_EXIT_PASS : NF_EXIT_FAIL;
}

const struct nf_cmd nf_cmd_evidence_verify = {
	.name = "evidence verify",
	.operands = "RUN",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "is a run what somebody known has signed",
	.description =
	        "Checks a run's files against MANIFEST, then MANIFEST against derived/MANIFEST.sig "
	        "(ssh-keygen -Y verify, namespace noisefloor). Exits 0 when both hold and the "
	        "signer is one of the file with allowed signers, with --identity that one; 1 when "
	        "a file, MANIFEST or the signature is not what was signed, when somebody else "
	        "signed it, or nobody; 3 where there is no ssh-keygen.",
	.examples = "evidence verify runs/X -a signers # signed by anybody in the file\n"
	            "evidence verify runs/X -a signers -I lab@example.org # by this one",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence verify {run} -a {signers}",
	.test_short = "evidence verify {run} -a {signers}",
	.run = run,
};
