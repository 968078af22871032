/* SPDX-License-Identifier: MIT */
#include "job/samplestats.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build_info.h"
#include "job/head.h"
#include "record/write.h"
#include "report/text.h"

/* A worker takes some 600 bytes of a record. */
#define ARENA_BYTES ((size_t)1 << 30)
enum { FILES_MAX = 1 << 16 };

struct files {
	struct nf_rec_sample_file *item; /* owned */
	size_t n, cap;
};

static int add_file(const char *path, struct files *f, struct nf_arena *a, struct nf_err *err)
{
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 8;
		struct nf_rec_sample_file *more;

		if (f->n >= FILES_MAX)
			return nf_fail(err, NF_EARG, "%s: more than %d files", path, FILES_MAX);
		more = realloc(f->item, cap * sizeof(*more));
		if (!more)
			return nf_fail_nomem(err, "files", cap * sizeof(*more));
		f->item = more;
		f->cap = cap;
	}
	int r = nf_job_sample_file(path, a, &f->item[f->n], err);
	f->n += r == 0;
	return r;
}

static int is_sample_file(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 10 && strcmp(e->d_name + n - 10, ".nfsamples") == 0;
}

/* The samples of a run, in the order of their names. */
static int add_run(const char *run, struct files *f, struct nf_arena *a, struct nf_err *err)
{
	struct dirent **names = NULL;
	const char *dir = nf_arena_printf(a, "%s/samples", run);
	int n, r = 0;

	if (!dir)
		return nf_arena_failed(a, "a path", err);
	n = scandir(dir, &names, is_sample_file, alphasort);
	if (n < 0 && (errno == ENOENT || errno == ENOTDIR))
		return nf_fail(err, NF_EARG,
		               "%s: a folder without samples; allowed: a file, or a run folder "
		               "with samples",
		               run);
	if (n < 0)
		return nf_fail_os(err, errno, "%s", dir);
	if (n == 0)
		r = nf_fail(err, NF_EARG, "%s: there is no .nfsamples file in it", dir);
	for (int i = 0; i < n; i++) {
		const char *path = NULL;

		if (r == 0)
			path = nf_arena_printf(a, "%s/%s", dir, names[i]->d_name);
		if (r == 0)
			r = path ? add_file(path, f, a, err) : nf_arena_failed(a, "a path", err);
		free(names[i]);
	}
	free(names);
	return r;
}

static int add_operand(const char *path, struct files *f, struct nf_arena *a, struct nf_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return add_run(path, f, a, err);
	return add_file(path, f, a, err);
}

static int make_record(const struct nf_job_opts *o, const struct files *f, struct nf_arena *a,
                       struct nf_rec_sample_stats *s, struct nf_err *err)
{
	const char **command = nf_arena_alloc(a, (size_t)o->argc + 1, sizeof(*command));

	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*s = (struct nf_rec_sample_stats){
		.schema = "SampleStats/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(a, nf_now_utc()),
		.files = { f->item, f->n },
		.claim_ceiling = "Describes the values in these files; what they were measured on "
		                 "and how stands elsewhere.",
	};
	int r = nf_arena_failed(a, "record", err);
	if (r < 0)
		return r;
	s->replaced_text = nf_record_replaced(&nf_rec_sample_stats_type, s);
	return nf_rec_honesty_fill(&s->honesty, &nf_rec_sample_stats_type, s, a, err);
}

static void judge(const struct files *f, struct nf_job_outcome *ret)
{
	ret->result = NF_RESULT_PASS;
	ret->exit_code = 0;
	for (size_t i = 0; i < f->n; i++) {
		if (f->item[i].damaged) {
			ret->result = NF_RESULT_FAIL;
			ret->exit_code = 1;
		} else if (!f->item[i].complete && ret->exit_code == 0) {
			ret->result = NF_RESULT_PARTIAL;
			ret->exit_code = 3;
		}
	}
}

int nf_job_sample_stats(const struct nf_job_opts *o, const char *const *path, size_t n,
                        struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_rec_sample_stats s;
	struct files f = { 0 };
	struct nf_arena a;
	int r = 0;

	nf_arena_init(&a, ARENA_BYTES);
	for (size_t i = 0; i < n && r == 0; i++)
		r = add_operand(path[i], &f, &a, err);
	if (r == 0)
		r = make_record(o, &f, &a, &s, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_sample_stats_type, &s, &ret->json, NULL, err);
	if (r < 0)
		goto out;
	(void)nf_text_sample_stats(&s, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r == 0)
		judge(&f, ret);
out:
	free(f.item);
	nf_arena_fini(&a);
	return r;
}
