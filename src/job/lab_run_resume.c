/* SPDX-License-Identifier: MIT */
/* lab_run_resume - what an earlier run folder of the same campaign has, and what of it stands. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "job/lab_run_impl.h"

#define CAMPAIGN NF_LAB_CAPTURES "/campaign-%s.yaml"

static const char not_it[] = "allowed with --resume: a run folder of this campaign";

/* --- the campaign files --- */

int nf_run_keep_campaigns(struct nf_run *x, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < x->n_boards; i++) {
		const struct nf_run_board *b = &x->board[i];
		const char *name = nf_arena_printf(&x->session.arena, CAMPAIGN, b->name);

		r = name ? nf_runfolder_put(x->session.folder, name, b->text.data,
		                            b->text.len_bytes, err)
		         : nf_arena_failed(&x->session.arena, "a path", err);
	}
	return r;
}

static int same_campaign(struct nf_run *x, const struct nf_run_board *b, struct nf_err *err)
{
	const char *path =
	        nf_arena_printf(&x->session.arena, "%s/" CAMPAIGN, x->opts->resume, b->name);
	char sha256[NF_SHA256_HEX];

	if (!path)
		return nf_arena_failed(&x->session.arena, "a path", err);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && nf_errno_is_of_path(errno))
		return nf_fail(err, NF_EARG,
		               "%.200s: no campaign of a board '%s' was run there; %s",
		               x->opts->resume, b->name, not_it);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s", path);
	int r = nf_sha256_fd(fd, path, sha256, err);
	close(fd);
	if (r == 0 && strcmp(sha256, b->sha256) != 0)
		r = nf_fail(err, NF_EARG, "%s is not the file that %.200s was run with; %s",
		            b->path, x->opts->resume, not_it);
	return r;
}

/* --- its attempts --- */

/* false: of no configuration that is run now. */
static bool find_attempt(const struct nf_run *x, const char *name, size_t *ret_board,
                         struct nf_lab_turn *ret)
{
	for (size_t i = 0; i < x->n_boards; i++)
		for (size_t c = 0; c < x->board[i].n_configs; c++) {
			if (!nf_lab_attempt_named(name, x->board[i].config[c].label, &ret->run,
			                          &ret->attempt))
				continue;
			*ret_board = i;
			ret->config = c;
			return true;
		}
	return false;
}

static enum nf_outcome_class class_of(int outcome)
{
	static const enum nf_outcome_class class[] = { [NF_BOOT_STOPPED] = NF_OUTCOME_NONE,
		                                       [NF_BOOT_INFRA_FAILED] = NF_OUTCOME_INFRA,
		                                       [NF_BOOT_BOARD_FAILED] = NF_OUTCOME_BOARD,
		                                       [NF_BOOT_CONFIG_WRONG] = NF_OUTCOME_CONFIG,
		                                       [NF_BOOT_OK] = NF_OUTCOME_OK };

	return class[outcome];
}

/* Boots of another image are not runs of the same configuration. */
static int same_images(const struct nf_run *x, const struct nf_run_config *c, const char *name,
                       const struct nf_rec_boot_end *end, struct nf_err *err)
{
	const struct nf_rec_boot_image *was = end->images.items;

	for (size_t i = 0; i < end->images.n && i < c->n_images; i++)
		if (strcmp(was[i].sha256, c->images[i].sha256) != 0)
			return nf_fail(
			        err, NF_EARG,
			        "image '%s' is not the one that %.200s/%s booted: its SHA-256 "
			        "was %.16s..., it is %.16s... now; %s",
			        was[i].image, x->opts->resume, name, was[i].sha256,
			        c->images[i].sha256, not_it);
	return 0;
}

/* A folder without an end: the program was killed meanwhile. */
static void fill_killed(const struct nf_run_board *b, const struct nf_lab_turn *t, int dirfd,
                        struct nf_rec_boot_end *ret)
{
	*ret = nf_run_end(b, t);
	ret->outcome = NF_BOOT_STOPPED;
	ret->kind = "killed";
	ret->why = "the program was killed meanwhile";
	ret->captured = faccessat(dirfd, "console.raw", R_OK, 0) == 0 &&
	                faccessat(dirfd, "console.idx", R_OK, 0) == 0;
}

static int know(struct nf_run *x, int captures, const char *name, struct nf_err *err)
{
	struct nf_arena *a = &x->session.arena;
	struct nf_rec_boot_end end = { 0 };
	struct nf_lab_turn t;
	size_t board;
	int fd = openat(captures, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW), r;

	if (fd < 0)
		return errno == ENOTDIR ? 0 : nf_fail_os(err, errno, "cannot open %s", name);
	if (!find_attempt(x, name, &board, &t)) {
		close(fd);
		return nf_fail(
		        err, NF_EARG,
		        "%.200s/" NF_LAB_CAPTURES
		        "/%s is of no configuration that is to be run; %s, and the same --config",
		        x->opts->resume, name, not_it);
	}
	struct nf_run_board *b = &x->board[board];
	name = nf_arena_strdup(a, name);
	r = name ? nf_lab_attempt_read(fd, name, a, &end, err)
	         : nf_arena_failed(a, "an attempt", err);
	if (r == 0)
		fill_killed(b, &t, fd, &end);
	close(fd);
	if (r >= 0)
		r = same_images(x, &b->config[t.config], name, &end, err);
	if (r < 0)
		return r;
	nf_lab_plan_knows(&b->plan, &t, class_of(end.outcome));
	return nf_run_add_attempt(x, b, t.config, name, &end, err);
}

static int only_folders(const struct dirent *e)
{
	return e->d_name[0] != '.' && (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN);
}

static int know_all(struct nf_run *x, struct nf_err *err)
{
	const char *path =
	        nf_arena_printf(&x->session.arena, "%s/" NF_LAB_CAPTURES, x->opts->resume);
	struct dirent **names = NULL;
	int r = 0, n, fd;

	if (!path)
		return nf_arena_failed(&x->session.arena, "a path", err);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s", path);
	n = scandir(path, &names, only_folders, alphasort);
	if (n < 0)
		r = nf_fail_os(err, errno, "cannot read %s", path);
	for (int i = 0; i < n; i++) {
		if (r == 0)
			r = know(x, fd, names[i]->d_name, err);
		free(names[i]);
	}
	free(names);
	close(fd);
	return r;
}

int nf_run_resume(struct nf_run *x, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < x->n_boards; i++)
		r = same_campaign(x, &x->board[i], err);
	return r < 0 ? r : know_all(x, err);
}

int nf_run_take_over(struct nf_run *x, struct nf_err *err)
{
	struct nf_arena *a = &x->session.arena;
	int r = 0;

	for (struct nf_run_attempt *at = x->attempts; r == 0 && at; at = at->next) {
		const char *path =
		        nf_arena_printf(a, "%s/" NF_LAB_CAPTURES "/%s", x->opts->resume, at->name);
		int fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

		if (fd < 0)
			return path ? nf_fail_os(err, errno, "cannot open %s", path)
			            : nf_arena_failed(a, "a path", err);
		r = nf_lab_attempt_copy(fd, path, x->session.folder, at->name, err);
		close(fd);
		if (r == 0 && strcmp(at->end.kind, "killed") == 0 && !at->end.schema)
			r = nf_lab_attempt_end(x->session.folder, at->name, &at->end, a, err);
	}
	return r;
}
