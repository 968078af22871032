/* SPDX-License-Identifier: MIT */
#include "job/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "record/runfolder.h"

enum { PRINTED_BYTES = 16 << 20, PATH_BYTES = 4096, WORDS = 400, WORD_BYTES = 1 << 16 };

void nf_target_result_init(struct nf_target_result *r)
{
	*r = (struct nf_target_result){ .status = -1 };
	nf_buf_init(&r->folder, PATH_BYTES);
	nf_buf_init(&r->summary, PRINTED_BYTES);
	nf_buf_init(&r->json, NF_RECORD_TEXT_BYTES);
}

void nf_target_result_fini(struct nf_target_result *r)
{
	nf_buf_fini(&r->folder);
	nf_buf_fini(&r->summary);
	nf_buf_fini(&r->json);
}

/* --- the run folder here --- */

struct landing {
	int runs_fd; /* of runs_dir */
	int dir_fd; /* of the folder that takes what comes back */
	char name[NF_TAR_NAME]; /* its name for now, then the run's; "": none */
};

static int open_runs(const struct nf_target_job *job, struct landing *l, struct nf_err *err)
{
	if (mkdir(job->runs_dir, 0777) == 0) {
		if (job->owner_uid >= 0 &&
		    chown(job->runs_dir, (uid_t)job->owner_uid, (gid_t)job->owner_gid) < 0)
			return nf_fail_os(err, errno, "%s", job->runs_dir);
	} else if (errno != EEXIST) {
		return nf_fail_os(err, errno, "cannot make %s", job->runs_dir);
	}
	l->runs_fd = open(job->runs_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return l->runs_fd < 0 ? nf_fail_os(err, errno, "%s", job->runs_dir) : 0;
}

static int land(const struct nf_target_job *job, struct landing *l, struct nf_err *err)
{
	char path[PATH_BYTES];
	int r = open_runs(job, l, err);

	if (r < 0)
		return r;
	int n = snprintf(path, sizeof(path), "%s/.arriving-XXXXXX", job->runs_dir);
	if (n < 0 || (size_t)n >= sizeof(path))
		return nf_fail(err, NF_EARG, "the path of the runs' folder is too long");
	if (!mkdtemp(path))
		return nf_fail_os(err, errno, "cannot make a folder in %s", job->runs_dir);
	snprintf(l->name, sizeof(l->name), "%s", strrchr(path, '/') + 1);
	if (job->owner_uid >= 0 && chown(path, (uid_t)job->owner_uid, (gid_t)job->owner_gid) < 0)
		return nf_fail_os(err, errno, "%s", path);
	l->dir_fd = openat(l->runs_fd, l->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return l->dir_fd < 0 ? nf_fail_os(err, errno, "%s", path) : 0;
}

static void leave(struct landing *l, bool keep)
{
	if (*l->name && !keep)
		nf_receive_remove(l->runs_fd, l->name);
	if (l->dir_fd >= 0)
		close(l->dir_fd);
	if (l->runs_fd >= 0)
		close(l->runs_fd);
}

static void note(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	struct nf_said *said = ctx;

	(void)item;
	if (state >= NF_CHECK_DAMAGED && *why) { /* the first says most */
		if (said->len_bytes == 0)
			nf_said_add(said, why, strlen(why));
	}
}

static int read_back(int dir_fd, const char *name, struct nf_buf *out, struct nf_err *err)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return nf_fail(err, NF_EDATA, "what came back has no %s: %s", name,
		               strerror(errno));
	int r = nf_read_all(fd, out, name, err);
	close(fd);
	return r;
}

/* JSON has no reason to hold a control character of either kind but newlines: one is there to be shown. */
static int check_json(const struct nf_buf *json, struct nf_err *err)
{
	struct nf_buf shown;

	nf_buf_init(&shown, json->len_bytes + 1);
	size_t replaced = nf_said_text(json->data, json->len_bytes, &shown);
	int r = nf_buf_failed(&shown, "a record", err);
	if (r == 0 && replaced > 0)
		r = nf_fail(err, NF_EDATA,
		            "what came back is not kept: its record holds %zu control characters",
		            replaced);
	nf_buf_fini(&shown);
	return r;
}

static int check(const struct nf_target_job *job, const struct landing *l, struct nf_err *err)
{
	enum nf_check_state state = NF_CHECK_UNKNOWN;
	struct nf_said why = { .len_bytes = 0 };
	char path[PATH_BYTES], line[NF_SAID_LINE];

	snprintf(path, sizeof(path), "%s/%s", job->runs_dir, l->name);
	int r = nf_runfolder_check(path, note, &why, &state, err);
	if (r < 0 || state < NF_CHECK_DAMAGED)
		return r;
	nf_said_line(&why, line);
	return nf_fail(err, NF_EDATA, "what came back is not kept: it is %s%s%s",
	               nf_check_name(state), *line ? ": " : "", line);
}

static int take_run(const struct nf_target_job *job, struct nf_deploy *d,
                    struct nf_target_result *res, struct nf_err *err)
{
	struct landing l = { .runs_fd = -1, .dir_fd = -1 };
	char name[NF_TAR_NAME], got[NF_TAR_NAME];
	struct nf_buf text;
	bool found = false;

	nf_buf_init(&text, PRINTED_BYTES);
	int r = land(job, &l, err);
	if (r == 0)
		r = nf_deploy_fetch(d, l.dir_fd, job->owner_uid, job->owner_gid, name, &found, err);
	if (r < 0 || !found)
		goto out;
	r = check(job, &l, err);
	if (r == 0)
		r = read_back(l.dir_fd, "record.json", &res->json, err);
	if (r == 0)
		r = check_json(&res->json, err);
	if (r == 0)
		r = read_back(l.dir_fd, "derived/summary.txt", &text, err);
	if (r == 0) {
		(void)nf_said_text(text.data, text.len_bytes, &res->summary);
		r = nf_buf_failed(&res->summary, "the summary", err);
	}
	if (r == 0 && fsync(l.dir_fd) < 0 && errno != EINVAL)
		r = nf_fail_os(err, errno, "%s", job->runs_dir);
	if (r == 0)
		r = nf_receive_name(l.runs_fd, l.name, name, got, err);
	if (r < 0)
		goto out;
	(void)nf_buf_addf(&res->folder, "%s/%s", job->runs_dir, got);
	res->has_run = true;
out:
	nf_buf_fini(&text);
	leave(&l, res->has_run);
	return r;
}

/* --- the command there --- */

static int take_text(struct nf_deploy *d, struct nf_target_result *res, struct nf_err *err)
{
	struct nf_buf text;

	nf_buf_init(&text, PRINTED_BYTES);
	int r = nf_deploy_output(d, &text, err);
	if (r == 0) {
		(void)nf_said_text(text.data, text.len_bytes, &res->summary);
		r = nf_buf_failed(&res->summary, "what came back", err);
	}
	nf_buf_fini(&text);
	return r;
}

static int run_there(const struct nf_target_job *job, struct nf_deploy *d, struct nf_ssh_end *ret,
                     struct nf_err *err)
{
	bool root = job->as_root && d->root == NF_ROOT_SUDO;
	const char *words[WORDS + 2];
	struct nf_buf text[WORDS + 1];
	size_t n = 0;
	int r = 0;

	if (job->n_words > WORDS)
		return nf_fail(err, NF_EARG, "the command has more than %d words", WORDS);
	nf_buf_init(&text[0], WORD_BYTES);
	(void)nf_buf_addf(&text[0], "--reached=%s, %s", job->how,
	                  d->root == NF_ROOT_IS ? "as root"
	                  : root                ? "with sudo"
	                                        : "as the user");
	for (; r == 0 && n <= job->n_words; n++) {
		if (n > 0) {
			const struct nf_target_word *w = &job->words[n - 1];

			nf_buf_init(&text[n], WORD_BYTES);
			(void)nf_buf_addf(&text[n], "%s%s%s", w->before, w->behind ? d->folder : "",
			                  w->behind ? w->behind : "");
		}
		r = nf_buf_failed(&text[n], "a word of the command", err);
		words[n] = text[n].data;
	}
	words[n] = NULL;
	if (r == 0)
		r = nf_deploy_run(d, words, job->as_root, job->timeout_ns, ret, err);
	while (n > 0)
		nf_buf_fini(&text[--n]);
	return r;
}

static int work(const struct nf_target_job *job, struct nf_deploy *d, struct nf_target_result *res,
                struct nf_err *err)
{
	struct nf_ssh_end end = { .status = -1 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < job->n_files; i++)
		r = nf_deploy_put(d, job->files[i].name, job->files[i].data,
		                  job->files[i].len_bytes, err);
	if (r == 0)
		r = run_there(job, d, &end, err);
	if (r < 0)
		return r;
	res->status = end.status;
	res->stopped = end.stopped;
	res->timed_out = end.timed_out;
	r = nf_deploy_message(d, res->message, err);
	if (r == 0 && !*res->message)
		memcpy(res->message, end.said, sizeof(res->message));
	if (r < 0)
		return r;
	return job->keeps_run ? take_run(job, d, res, err) : take_text(d, res, err);
}

int nf_job_target(const struct nf_target_job *job, struct nf_target_result *ret, struct nf_err *err)
{
	struct nf_deploy d;
	int r = nf_deploy_open(&job->deploy, &d, err);

	if (r < 0)
		return r;
	r = work(job, &d, ret, err);
	ret->left_there = !nf_deploy_close(&d);
	return r;
}
