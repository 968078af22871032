/* SPDX-License-Identifier: MIT */
#include "cli/bench_export.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "base/utf8.h"
#include "cli/jobs.h"

/* One of the list, taken apart. */
struct export
{
	enum nf_interchange_id id;
	const char *path;
};

static int parse(const char *text, struct export *ret, struct nf_err *err)
{
	const char *eq = strchr(text, '=');
	char quoted[NF_OPT_QUOTED], allowed[200] = "";
	size_t len = 0;

	for (int i = 0; i < NF_N_INTERCHANGE; i++) {
		const char *name = nf_interchange_names[i];
		int n = snprintf(allowed + len, sizeof(allowed) - len, "%s%s", len ? ", " : "",
		                 name);

		len += n > 0 && (size_t)n < sizeof(allowed) - len ? (size_t)n : 0;
		if (eq && eq[1] && strlen(name) == (size_t)(eq - text) &&
		    memcmp(text, name, strlen(name)) == 0) {
			*ret = (struct export){ (enum nf_interchange_id)i, eq + 1 };
			return 0;
		}
	}
	nf_opt_quote(text, quoted);
	return nf_fail(err, NF_EARG, "--export: bad value %s; allowed: FORM=FILE, FORM one of %s",
	               quoted, allowed);
}

/* A run of which everything failed says so itself. */
static bool has_values(const json_t *record)
{
	struct nf_results results;
	struct nf_err ignored = { 0 };

	if (nf_results_of_record(record, NF_SIDE_BOTH, &results, &ignored) < 0)
		return true; /* whoever writes it will say why */
	bool has = results.n_values > 0;
	nf_results_fini(&results);
	return has;
}

/* The folder of a path, opened, and the name in it, in copy. */
static int open_folder(const char *path, char copy[PATH_MAX], const char **ret_name,
                       struct nf_err *err)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";
	int fd;

	if (strlen(path) >= PATH_MAX)
		return nf_fail(err, NF_EARG, "--export: a path of more than %d bytes",
		               PATH_MAX - 1);
	snprintf(copy, PATH_MAX, "%s", slash ? slash + 1 : path);
	if (slash)
		snprintf(folder, sizeof(folder), "%.*s", slash == path ? 1 : (int)(slash - path),
		         path);
	if (!copy[0])
		return nf_fail(err, NF_EARG, "--export: '%.*s' is a folder; allowed: a new file",
		               NF_UTF8_CUT(path, 200));
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return nf_errno_is_of_path(errno)
		               ? nf_fail(err, NF_EARG, "--export: %s: %s", folder, strerror(errno))
		               : nf_fail_os(err, errno, "--export: %s", folder);
	*ret_name = copy;
	return fd;
}

int nf_bench_export_check(const struct nf_opt_list *list, struct nf_err *err)
{
	struct export e;
	char copy[PATH_MAX];
	const char *name;
	struct stat st;

	for (size_t i = 0; i < list->n; i++) {
		int r = parse(list->item[i], &e, err);
		int fd = r < 0 ? r : open_folder(e.path, copy, &name, err);

		if (fd < 0)
			return fd;
		bool there = fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
		close(fd);
		if (there)
			return nf_fail(err, NF_EEXIST, "--export: %s exists; allowed: a new file",
			               e.path);
		for (size_t j = 0; j < i; j++)
			if (strcmp(strchr(list->item[j], '=') + 1, e.path) == 0)
				return nf_fail(err, NF_EARG,
				               "--export: %s twice; allowed: a file each", e.path);
	}
	return 0;
}

void nf_bench_export_note(const struct nf_cli *cli, const struct nf_results *r,
                          enum nf_interchange_id id)
{
	for (size_t i = 0; i < r->n && id != NF_INTERCHANGE_GOOGLE; i++)
		if (r->result[i].n == 0)
			nf_cli_note(cli, "%s has no values and is left out: %s", r->result[i].bench,
			            r->result[i].failure ? r->result[i].failure
			                                 : "no reason is known");
}

int nf_bench_export_text(const struct nf_cli *cli, const json_t *record, enum nf_results_side side,
                         enum nf_interchange_id id, struct nf_buf *out, struct nf_err *err)
{
	const json_t *head = json_object_get(record, "head");
	const struct nf_interchange_about about = {
		.host = json_string_value(json_object_get(json_object_get(head, "host"), "label")),
		.date = json_string_value(json_object_get(head, "started_utc")),
	};
	struct nf_results results;
	int r = nf_results_of_record(record, side, &results, err);

	if (r < 0)
		return r;
	nf_bench_export_note(cli, &results, id);
	r = nf_interchange_write(id, &results, &about, out, err);
	nf_results_fini(&results);
	return r;
}

static int write_one(const struct nf_cli *cli, const char *item, const json_t *record,
                     struct nf_err *err)
{
	struct export e;
	char copy[PATH_MAX];
	const char *name;
	struct nf_buf out;
	int r = parse(item, &e, err), fd = -1;

	if (r == 0 && e.id != NF_INTERCHANGE_GOOGLE && !has_values(record)) {
		nf_cli_note(cli, "%s is not written: there are no values", e.path);
		return 0;
	}
	nf_buf_init(&out, NF_BENCH_EXPORT_BYTES);
	if (r == 0)
		r = nf_bench_export_text(cli, record, NF_SIDE_BOTH, e.id, &out, err);
	if (r == 0)
		r = fd = open_folder(e.path, copy, &name, err);
	if (fd >= 0) {
		r = nf_write_file_atomic_as(fd, name, out.data, out.len_bytes, 0666, cli->owner_uid,
		                            cli->owner_gid, err);
		close(fd);
	}
	nf_buf_fini(&out);
	return r;
}

int nf_bench_export_print(struct nf_cli *cli, const struct nf_opt_list *list,
                          const struct nf_job_outcome *o, struct nf_err *err)
{
	json_t *record =
	        list->n ? json_loadb(o->json.data, o->json.len_bytes, JSON_ALLOW_NUL, NULL) : NULL;
	struct nf_err why = { 0 };
	int r = list->n && !record ? nf_fail_nomem(&why, "a record", o->json.len_bytes) : 0;

	for (size_t i = 0; r == 0 && i < list->n; i++)
		r = write_one(cli, list->item[i], record, &why);
	json_decref(record);
	int printed = nf_job_print(cli, o, true, err);
	if (r == 0 || printed < 0)
		return printed;
	nf_cli_note(cli, "%s", why.msg);
	return nf_exit_worse(printed, nf_exit_code((int)why.code));
}
