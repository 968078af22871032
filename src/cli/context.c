/* SPDX-License-Identifier: MIT */
#include "cli/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What can change how a measurement behaves; nothing that identifies a person or holds a secret. */
const char *const nf_context_names[] = {
	"LANG",
	"LC_ALL",
	"TERM",
	"NO_COLOR",
	"LD_PRELOAD",
	"LD_LIBRARY_PATH",
	"LD_BIND_NOW",
	"GLIBC_TUNABLES",
	"MALLOC_ARENA_MAX",
	"OMP_NUM_THREADS",
	"OMP_PLACES",
	"OMP_PROC_BIND",
	"GOMP_CPU_AFFINITY",
	"KMP_AFFINITY",
	"HWLOC_THISSYSTEM",
	"HWLOC_XMLFILE",
	"HWLOC_SYNTHETIC",
	"SLURM_JOB_ID",
	"SLURM_CPUS_PER_TASK",
	"SLURM_CPU_BIND",
	"FLUX_JOB_ID",
	"PMI_RANK",
	"OMPI_COMM_WORLD_RANK",
	"NOISEFLOOR_RUN_DIR",
	NULL,
};
_Static_assert(sizeof(nf_context_names) / sizeof(nf_context_names[0]) <= NF_ENVIRONMENT_MAX,
               "room for every name");

enum { RECOVERED_BYTES = 1 << 16, PATH_BYTES = 4096 };

/* A user or group number from sudo's variables; -1 when it is none. */
static int sudo_id(const char *name)
{
	const char *s = getenv(name);
	char *end = NULL;

	if (geteuid() != 0 || !s || !*s || strspn(s, "0123456789") != strlen(s))
		return -1;
	long v = strtol(s, &end, 10);
	return v >= 0 && v < INT32_MAX ? (int)v : -1;
}

int nf_context_open(struct nf_context *ctx, struct nf_cli *cli, struct nf_err *err)
{
	*ctx = (struct nf_context){ 0 };
	nf_buf_init(&ctx->recovered, RECOVERED_BYTES);
	for (const char *const *n = nf_context_names; *n; n++) {
		const char *v = getenv(*n);

		if (!v)
			continue;
		if (asprintf(&ctx->env[ctx->n_env], "%s=%s", *n, v) < 0) {
			ctx->env[ctx->n_env] = NULL;
			return nf_fail_nomem(err, "the environment", strlen(v));
		}
		ctx->n_env++;
	}
	cli->environment = (const char *const *)ctx->env;
	cli->owner_uid = sudo_id("SUDO_UID");
	cli->owner_gid = cli->owner_uid < 0 ? -1 : sudo_id("SUDO_GID");
	return 0;
}

struct recovery {
	struct nf_context *ctx;
	struct nf_cli *cli;
};

/* Of folders only tracing instances are made. */
static void removed_folder(char *line, size_t size, enum nf_recovered what, const char *did,
                           const char *path, int pid)
{
	if (what == NF_RECOVERED_UNDONE)
		snprintf(line, size, "removed the tracing instance %s that process %d left", path,
		         pid);
	else
		snprintf(line, size, "the tracing instance %s that process %d left: %s", path, pid,
		         what == NF_RECOVERED_FAILED ? "could not be removed" : did);
}

static void on_recovered(void *arg, enum nf_recovered what, const char *path, const char *old,
                         const char *set, int pid)
{
	static const char *const did[] = {
		[NF_RECOVERED_UNDONE] = "put back",
		[NF_RECOVERED_LEFT_ALONE] = "left alone, it was changed since",
		[NF_RECOVERED_STALE] = "forgotten, it is from another boot",
		[NF_RECOVERED_BROKEN] = "set aside, the journal entry does not parse",
		[NF_RECOVERED_FAILED] = "could not be put back",
	};
	struct recovery *r = arg;
	char line[600];

	if (pid > 0 && !old && !set)
		removed_folder(line, sizeof(line), what, did[what], path ? path : "?", pid);
	else if (pid > 0)
		snprintf(line, sizeof(line),
		         "%s: %s (process %d was killed; it had changed '%s' to '%s')",
		         path ? path : "?", did[what], pid, old ? old : "", set ? set : "");
	else
		snprintf(line, sizeof(line), "%s: %s", path ? path : "?", did[what]);
	nf_cli_note(r->cli, "%s", line);
	(void)nf_buf_addf(&r->ctx->recovered, "%s%s", r->ctx->recovered.len_bytes ? "; " : "",
	                  line);
}

static bool journal_dir(char ret[PATH_BYTES])
{
	const char *set = getenv("NOISEFLOOR_RUN_DIR"), *xdg = getenv("XDG_RUNTIME_DIR");
	int n;

	if (set && *set)
		n = snprintf(ret, PATH_BYTES, "%s", set);
	else if (geteuid() == 0)
		n = snprintf(ret, PATH_BYTES, "/run/noisefloor");
	else if (xdg && *xdg == '/')
		n = snprintf(ret, PATH_BYTES, "%s/noisefloor", xdg);
	else
		return false;
	return n > 0 && n < PATH_BYTES;
}

void nf_context_journal(struct nf_context *ctx, struct nf_cli *cli)
{
	struct recovery r = { ctx, cli };
	struct nf_err err = { 0 };
	char dir[PATH_BYTES];

	if (!journal_dir(dir)) {
		cli->no_journal = "neither NOISEFLOOR_RUN_DIR nor XDG_RUNTIME_DIR names a folder";
		return;
	}
	if (nf_journal_open(dir, "/proc", &ctx->journal, &ctx->no_journal) < 0) {
		cli->no_journal = ctx->no_journal.msg;
		return;
	}
	if (nf_journal_recover(ctx->journal, on_recovered, &r, &err) < 0)
		nf_cli_note(cli, "what killed runs left was not put back: %s", err.msg);
	cli->journal = ctx->journal;
	cli->recovered = ctx->recovered.len_bytes ? ctx->recovered.data : NULL;
}

int nf_context_close(struct nf_context *ctx, struct nf_cli *cli, struct nf_err *err)
{
	int r = ctx->journal ? nf_journal_close(ctx->journal, err) : 0;

	cli->journal = NULL;
	cli->no_journal = NULL;
	ctx->journal = NULL;
	for (size_t i = 0; i < ctx->n_env; i++)
		free(ctx->env[i]);
	nf_buf_fini(&ctx->recovered);
	*ctx = (struct nf_context){ 0 };
	return r;
}
