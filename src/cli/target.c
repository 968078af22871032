/* SPDX-License-Identifier: MIT */
#include "cli/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "bench/trivial_path.h" /* NF_TRIVIAL_PATH: where our other programs are installed */
#include "cli/jobs.h"
#include "job/target.h"

enum { WORDS = 400, FILES = 8, FILE_BYTES = 1 << 20, TEXT_BYTES = 1 << 16 };
static const int64_t CONNECT_NS = INT64_C(30000000000);

struct line {
	struct nf_target_word word[WORDS];
	size_t n;
	struct nf_buf text[WORDS]; /* of those that are made here */
	size_t n_text;
	struct nf_target_file file[FILES];
	struct nf_buf data[FILES];
	size_t n_files;
	int64_t given_ns; /* all durations among the options */
	bool wants_root;
};

static int add(struct line *l, const char *before, const char *behind, struct nf_err *err)
{
	if (l->n >= WORDS)
		return nf_fail(err, NF_EARG, "too many words for a target; allowed: %d", WORDS);
	l->word[l->n++] = (struct nf_target_word){ before, behind };
	return 0;
}

/* A word that is kept until the line is used. */
static int add_made(struct line *l, struct nf_buf *made, const char *behind, struct nf_err *err)
{
	if (l->n_text >= WORDS)
		return nf_fail(err, NF_EARG, "too many words for a target; allowed: %d", WORDS);
	l->text[l->n_text++] = *made;
	nf_buf_init(made, TEXT_BYTES);
	const struct nf_buf *kept = &l->text[l->n_text - 1];
	int r = nf_buf_failed(kept, "an option", err);
	return r < 0 ? r : add(l, kept->data, behind, err);
}

static int carry(struct line *l, const struct nf_opt *o, const char *path, struct nf_err *err)
{
	struct nf_err e = { 0 };
	int fd = l->n_files < FILES
	                 ? nf_open_input(path, "allowed: a file, which is taken along", &e)
	                 : nf_fail(&e, NF_EARG, "too many files");

	if (fd < 0)
		return nf_fail(err, e.code, "--%s: %s", o->name, e.msg);
	struct nf_buf *data = &l->data[l->n_files];
	nf_buf_init(data, FILE_BYTES);
	l->file[l->n_files].name = o->name;
	l->n_files++;
	int r = nf_read_all(fd, data, path, err);
	close(fd);
	l->file[l->n_files - 1].data = data->data;
	l->file[l->n_files - 1].len_bytes = data->len_bytes;
	return r;
}

static int add_option(struct line *l, const struct nf_opt_set *set, const struct nf_opt *o,
                      size_t item, struct nf_err *err)
{
	struct nf_buf value, word;
	int r;

	nf_buf_init(&value, TEXT_BYTES);
	nf_buf_init(&word, TEXT_BYTES);
	nf_opt_value_text(o, set->params, item, &value);
	(void)nf_buf_addf(&word, "--%s", o->name);
	if (o->kind == NF_OPT_PATH && o->carried) {
		(void)nf_buf_addc(&word, '=');
		r = carry(l, o, value.data, err);
		(void)nf_buf_clear(&value);
		(void)nf_buf_addf(&value, "/%s", o->name);
		struct nf_buf behind = value;
		nf_buf_init(&value, TEXT_BYTES);
		if (r == 0 && l->n_text < WORDS) {
			l->text[l->n_text++] = behind;
			r = add_made(l, &word, l->text[l->n_text - 1].data, err);
		} else {
			nf_buf_fini(&behind);
		}
	} else if (o->kind == NF_OPT_PATH) {
		r = nf_fail(
		        err, NF_EARG,
		        "--%s: a path here means nothing on a target; allowed: without --target",
		        o->name);
	} else {
		if (o->kind != NF_OPT_FLAG)
			(void)nf_buf_addf(&word, "=%s", value.data);
		r = add_made(l, &word, NULL, err);
	}
	nf_buf_fini(&word);
	nf_buf_fini(&value);
	return r;
}

static int add_options(struct line *l, const struct nf_opt_set *set, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && set->opts[i].kind != NF_OPT_END; i++) {
		const struct nf_opt *o = &set->opts[i];
		size_t items = 1;

		if (!(set->given & UINT64_C(1) << i))
			continue;
		if (o->kind == NF_OPT_LIST)
			items = ((const struct nf_opt_list *)(const void *)((const char *)
			                                                            set->params +
			                                                    o->off))
			                ->n;
		for (size_t k = 0; r == 0 && k < items; k++)
			r = add_option(l, set, o, k, err);
		if (o->kind == NF_OPT_DURATION) {
			int64_t ns;

			memcpy(&ns, (const char *)set->params + o->off, sizeof(ns));
			l->given_ns += ns;
		}
		/* What only root may do. */
		if (strcmp(o->name, "why") == 0 || strcmp(o->name, "policy") == 0)
			l->wants_root = true;
	}
	return r;
}

static int make_line(struct line *l, const struct nf_cli *cli, const struct nf_opt_set *set,
                     int argc, const char *const argv[], struct nf_err *err)
{
	const struct nf_globals *g = cli->global;
	bool keeps_run = (cli->cmd->target & NF_CMD_TARGET_KIND) == NF_CMD_TARGET_RUN;
	struct nf_buf name;
	char *save = NULL;
	int r = 0;

	nf_buf_init(&name, TEXT_BYTES);
	l->wants_root = (cli->cmd->target & NF_CMD_TARGET_ROOT) != 0;
	if (keeps_run)
		r = add(l, "--runs=", "/runs", err);
	if (r == 0 && g->json && !keeps_run)
		r = add(l, "--json", NULL, err);
	if (r == 0 && g->strict)
		r = add(l, "--strict", NULL, err);
	/* "evidence check" are two words. */
	(void)nf_buf_adds(&name, cli->cmd->name);
	for (char *w = strtok_r(name.data, " ", &save); r == 0 && w;
	     w = strtok_r(NULL, " ", &save)) {
		struct nf_buf word;

		nf_buf_init(&word, TEXT_BYTES);
		(void)nf_buf_adds(&word, w);
		r = add_made(l, &word, NULL, err);
		nf_buf_fini(&word);
	}
	if (r == 0)
		r = add_options(l, set, err);
	if (r == 0 && argc > 0)
		r = add(l, "--", NULL, err);
	for (int i = 0; r == 0 && i < argc; i++)
		r = add(l, argv[i], NULL, err);
	nf_buf_fini(&name);
	return r;
}

static void free_line(struct line *l)
{
	for (size_t i = 0; i < l->n_text; i++)
		nf_buf_fini(&l->text[i]);
	for (size_t i = 0; i < l->n_files; i++)
		nf_buf_fini(&l->data[i]);
	free(l);
}

int nf_cli_target_check(const struct nf_cli *cli, struct nf_target *ret, struct nf_err *err)
{
	struct nf_err e = { 0 };

	if ((cli->cmd->target & NF_CMD_TARGET_KIND) == NF_CMD_TARGET_NO)
		return nf_fail(
		        err, NF_EARG,
		        "--target: no meaning for %s; allowed: for host, posture, lane and each "
		        "single probe",
		        cli->cmd->name);
	if (nf_target_parse(cli->global->target, ret, &e) < 0)
		return nf_fail(err, e.code, "--target: %s", e.msg);
	return 0;
}

void nf_cli_target_deploy(const struct nf_cli *cli, const struct nf_target *target,
                          struct nf_cli_target_places *places, struct nf_deploy_cfg *ret)
{
	char self[sizeof(places->text[0])];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t at = 0;

	/* Beside the program, as in a build folder; then where it is installed. */
	if (n > 0) {
		self[n] = '\0';
		char *slash = strrchr(self, '/');
		if (slash && slash != self) {
			*slash = '\0';
			memcpy(places->text[0], self, sizeof(self));
			places->folders[at++] = places->text[0];
		}
	}
	places->folders[at++] = NF_TRIVIAL_PATH;
	places->folders[at] = NULL;
	*ret = (struct nf_deploy_cfg){ .target = target,
		                       .ssh_config = cli->global->ssh_config,
		                       .program = cli->global->target_binary,
		                       .folders = places->folders,
		                       .stop = cli->stop };
}

/* What the program there said goes without its own name: it is told with ours. */
static const char *told(const struct nf_cli *cli, const char *message)
{
	static const char own[] = "noisefloor ";
	size_t len = strlen(cli->cmd->name);

	if (strncmp(message, own, sizeof(own) - 1) != 0)
		return message;
	message += sizeof(own) - 1;
	return strncmp(message, cli->cmd->name, len) == 0 && strncmp(message + len, ": ", 2) == 0
	               ? message + len + 2
	               : message;
}

/* The exit status that a program of ours there may have ended with; others are none of ours. */
static int exit_of(int status)
{
	switch (status) {
#define X(sym, value, rank, text) case value:
#include "exit.def"
#undef X
		return status;
	default:
		return NF_EXIT_SUBJECT;
	}
}

static int show(struct nf_cli *cli, struct nf_target_result *res, struct nf_err *err)
{
	const char *target = cli->global->target;
	int code = exit_of(res->status);

	if (res->left_there)
		nf_cli_note(cli, "%s: the folder there may not be removed", target);
	if (res->timed_out) {
		nf_cli_note(cli, "%s: asked to end after --target-timeout; %s", target,
		            res->has_run ? "what it kept is here" : "it kept nothing");
		code = NF_EXIT_SUBJECT;
	} else if (*res->message && (code == NF_EXIT_USAGE || code == NF_EXIT_ERROR ||
	                             !res->summary.len_bytes || code != res->status)) {
		nf_cli_note(cli, "%s: %s", target, told(cli, res->message));
	} else if (!res->summary.len_bytes) {
		nf_cli_note(cli, "%s: nothing came back; the exit status there is %d", target,
		            res->status);
		code = code == NF_EXIT_PASS ? NF_EXIT_SUBJECT : code;
	}
	if (!res->summary.len_bytes)
		return code;
	if (res->has_run) {
		const struct nf_job_outcome o = { .exit_code = code,
			                          .folder = res->folder,
			                          .summary = res->summary,
			                          .json = res->json }; /* borrowed */

		return nf_job_print(cli, &o, true, err);
	}
	int r = cli->global->quiet
	                ? 0
	                : nf_cli_write(cli, res->summary.data, res->summary.len_bytes, err);
	return r < 0 ? r : code;
}

int nf_cli_target_run(struct nf_cli *cli, const struct nf_opt_set *set, int argc,
                      const char *const argv[], struct nf_err *err)
{
	const struct nf_globals *g = cli->global;
	struct nf_cli_target_places places;
	struct nf_target_result res;
	struct nf_target target;
	char how[NF_TARGET_TEXT + 8];
	struct line *l = calloc(1, sizeof(*l));

	if (!l)
		return nf_fail_nomem(err, "the command for the target", sizeof(*l));
	nf_target_result_init(&res);
	int r = nf_cli_target_check(cli, &target, err);
	if (r == 0)
		r = make_line(l, cli, set, argc, argv, err);
	if (r == 0) {
		snprintf(how, sizeof(how), "ssh %s", target.text);
		struct nf_target_job job = {
			.how = how,
			.words = l->word,
			.n_words = l->n,
			.files = l->file,
			.n_files = l->n_files,
			.as_root = l->wants_root,
			.keeps_run = (cli->cmd->target & NF_CMD_TARGET_KIND) == NF_CMD_TARGET_RUN,
			.timeout_ns = g->target_timeout_ns,
			.runs_dir = g->runs,
			.owner_uid = cli->owner_uid,
			.owner_gid = cli->owner_gid,
		};

		if (!g->target_timeout_given)
			job.timeout_ns += 2 * l->given_ns;
		nf_cli_target_deploy(cli, &target, &places, &job.deploy);
		if (job.timeout_ns < CONNECT_NS)
			job.deploy.connect_ns = job.timeout_ns;
		r = job.keeps_run ? nf_runs_check(g->runs, err) : 0;
		if (r == 0)
			r = nf_job_target(&job, &res, err);
		if (r == 0)
			r = show(cli, &res, err);
		else if (nf_stop_signo(cli->stop)) {
			nf_cli_note(cli, "%s; nothing was measured or kept", err->msg);
			r = nf_stop_signo(cli->stop) == SIGINT ? NF_EXIT_SIGINT : NF_EXIT_SIGTERM;
		}
	}
	nf_target_result_fini(&res);
	free_line(l);
	return r;
}
