/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/sysio.h"
#include "cli/cmd.h"
#include "record/runfolder.h"

enum { PATH_BYTES = 4096, OUT_BYTES = 1 << 26 };

struct params {
	char none;
};

static const struct nf_opt opts[] = { { .kind = NF_OPT_END } };

static const int state_exits[] = { [NF_CHECK_COMPLETE] = NF_EXIT_PASS,
	                           [NF_CHECK_PARTIAL] = NF_EXIT_UNSUPPORTED,
	                           [NF_CHECK_DAMAGED] = NF_EXIT_FAIL,
	                           [NF_CHECK_UNKNOWN] = NF_EXIT_USAGE };

struct check {
	struct nf_cli *cli;
	struct nf_buf out;
	struct nf_json json;
	const char *folder; /* the path at hand; items are below it, or it */
	int worst; /* exit code */
	int failed; /* negated error of writing, remembered for the caller */
	struct nf_err *err;
};

/* Everything as it comes: a check over many runs shows what it has found. */
static void flush(struct check *c)
{
	if (c->failed)
		return;
	c->failed = nf_buf_failed(&c->out, "the findings", c->err);
	if (!c->failed && c->out.len_bytes)
		c->failed = nf_cli_write(c->cli, c->out.data, c->out.len_bytes, c->err);
	nf_buf_clear(&c->out);
}

static void finding(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	struct check *c = ctx;
	char path[PATH_BYTES];

	if (strcmp(c->folder, item) != 0)
		snprintf(path, sizeof(path), "%s/%s", c->folder, item);
	else
		snprintf(path, sizeof(path), "%s", item);
	c->worst = nf_exit_worse(c->worst, state_exits[state]);
	if (c->cli->global->json) {
		nf_json_object(&c->json);
		nf_json_key(&c->json, "item");
		nf_json_text(&c->json, path);
		nf_json_key(&c->json, "state");
		nf_json_text(&c->json, nf_check_name(state));
		nf_json_key(&c->json, "why");
		nf_json_text(&c->json, why && *why ? why : NULL);
		nf_json_end(&c->json);
	} else if (!c->cli->global->quiet) {
		size_t start = c->out.len_bytes;

		(void)nf_buf_addf(&c->out, "%-8s %s%s%s", nf_check_name(state), path,
		                  why && *why ? ": " : "", why && *why ? why : "");
		for (size_t i = start; i < c->out.len_bytes;
		     i++) /* one line, whatever a name holds */
			if ((unsigned char)c->out.data[i] < 0x20 || c->out.data[i] == 0x7f)
				c->out.data[i] = '?';
		(void)nf_buf_addc(&c->out, '\n');
	}
	flush(c);
}

static int check_run(struct check *c, const char *path)
{
	enum nf_check_state state = NF_CHECK_COMPLETE;

	c->folder = path;
	int r = nf_runfolder_check(path, finding, c, &state, c->err);
	if (r == 0)
		c->worst = nf_exit_worse(c->worst, state_exits[state]);
	return r;
}

/* "20260102T030405Z-...": a run's folder. */
static int is_run(const struct dirent *e)
{
	static const char form[] = "ddddddddTddddddZ-";

	for (size_t i = 0; form[i]; i++) {
		bool digit = e->d_name[i] >= '0' && e->d_name[i] <= '9';

		if (form[i] == 'd' ? !digit : e->d_name[i] != form[i])
			return 0;
	}
	return 1;
}

static bool has(const char *folder, const char *name)
{
	char path[PATH_BYTES];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

	return n > 0 && (size_t)n < sizeof(path) && lstat(path, &st) == 0;
}

/* A folder is a run, or holds runs. */
static int check_folder(struct check *c, const char *path)
{
	struct dirent **runs = NULL;
	int r = 0;

	if (has(path, "MANIFEST") || has(path, "samples") || has(path, "record.json"))
		return check_run(c, path);
	int n = scandir(path, &runs, is_run, alphasort);
	if (n < 0)
		return nf_fail_os(c->err, errno, "%s", path);
	if (n == 0)
		r = check_run(c, path);
	for (int i = 0; i < n; i++) {
		char sub[PATH_BYTES];
		int len = snprintf(sub, sizeof(sub), "%s/%s", path, runs[i]->d_name);

		if (r == 0 && len > 0 && (size_t)len < sizeof(sub))
			r = check_run(c, sub);
		free(runs[i]);
	}
	free(runs);
	return r;
}

static int check_path(struct check *c, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return nf_fail(c->err, nf_errno_is_of_path(errno) ? NF_EARG : NF_EOS,
		               "%s: %s; allowed: a run's folder, a folder of runs, *.nfsamples, or "
		               "a record's *.json or *.dhall",
		               path, strerror(errno));
	return S_ISDIR(st.st_mode) ? check_folder(c, path) : check_run(c, path);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	struct check c = { .cli = cli, .worst = NF_EXIT_PASS, .err = err };

	(void)params;
	nf_buf_init(&c.out, OUT_BYTES);
	nf_json_init(&c.json, &c.out, true);
	if (cli->global->json) {
		nf_json_object(&c.json);
		nf_json_key(&c.json, "items");
		nf_json_array(&c.json);
	}
	/* A path that cannot be checked does not keep the others from being checked. */
	for (int i = 0; i < argc && !c.failed; i++) {
		struct nf_err e = { 0 };

		c.err = &e;
		int r = check_path(&c, argv[i]);
		if (c.failed) {
			*err = e;
		} else if (r < 0) {
			nf_cli_note(cli, "%s", e.msg);
			c.worst = nf_exit_worse(c.worst, nf_exit_code(r));
		}
	}
	c.err = err;
	if (cli->global->json && !c.failed) {
		nf_json_end(&c.json);
		nf_json_key(&c.json, "exit");
		nf_json_i64(&c.json, c.worst);
		nf_json_end(&c.json);
		c.failed = nf_json_done(&c.json, err);
		flush(&c);
	}
	nf_buf_fini(&c.out);
	return c.failed ? c.failed : c.worst;
}

const struct nf_cmd nf_cmd_evidence_check = {
	.name = "evidence check",
	.operands = "PATH...",
	.min_operands = 1,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "is a run complete, partial, damaged or of an unknown version",
	.description =
	        "Takes run folders, folders that hold runs, sample files and records, and prints a "
	        "line per item: its state and, where it is not complete, why. A run that was ended "
	        "early or killed is partial and exits 3; a file that is not what it was when the "
	        "run was committed is damaged and exits 1. One of a version that is not known here "
	        "is unknown and exits 2; the others are checked all the same. A record.dhall must "
	        "have its type and say what record.json says.",
	.examples = "evidence check runs # every run\n"
	            "--json evidence check runs/X # as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "evidence check {big}",
	.test_short = "evidence check {run}",
	.run = run,
};
