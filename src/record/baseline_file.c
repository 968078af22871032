/* SPDX-License-Identifier: MIT */
#include "record/baseline_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "base/sysio.h"
#include "record/check_form.h"
#include "record/json_record.h"
#include "record/write.h"

static const char allowed[] = "a file that bench regress --save-baseline made";

/* --- reading --- */

static int parse(const char *path, const void *data, size_t len_bytes, json_t **ret,
                 struct nf_err *err)
{
	json_error_t where;
	struct nf_err why = { .code = NF_OK };
	json_t *root = json_loadb(data, len_bytes, JSON_REJECT_DUPLICATES, &where);
	const char *schema;

	if (!root && json_error_code(&where) == json_error_out_of_memory)
		return nf_fail_nomem(err, "a baseline", len_bytes);
	if (!root)
		return nf_fail(err, NF_EDATA, "%s:%d:%d: %.100s; allowed: %s", path, where.line,
		               where.column, where.text, allowed);
	schema = json_string_value(json_object_get(root, "schema"));
	int r = 0;
	if (!schema || strcmp(schema, "BenchBaseline/1") != 0)
		r = nf_fail(err, NF_EDATA, "%s is no baseline: its schema is %.60s; allowed: %s",
		            path, schema ? schema : "not given", allowed);
	else if (nf_check_form(&nf_rec_bench_baseline_type, root, &why) < 0)
		r = nf_fail(err, NF_EDATA, "%s: %.200s; allowed: %s", path, why.msg, allowed);
	else if (json_array_size(json_object_get(root, "sessions")) > NF_BASELINE_SESSIONS_MAX)
		r = nf_fail(err, NF_EDATA, "%s: more than %d sessions", path,
		            NF_BASELINE_SESSIONS_MAX);
	if (r < 0) {
		json_decref(root);
		return r;
	}
	*ret = root;
	return 0;
}

static const char *text_of(struct nf_arena *a, const json_t *o, const char *key)
{
	return nf_arena_strdup(a, json_string_value(json_object_get(o, key)));
}

static struct nf_some_nat nat_of(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_integer(v) ? nf_some_nat((uint64_t)json_integer_value(v))
	                          : (struct nf_some_nat){ 0 };
}

static struct nf_some_bool bool_of(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_boolean(v) ? nf_some_bool(json_is_true(v)) : (struct nf_some_bool){ 0 };
}

static struct nf_some_real real_of(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_number(v) ? nf_some_real(json_number_value(v)) : (struct nf_some_real){ 0 };
}

static struct nf_list texts_of(struct nf_arena *a, const json_t *o, const char *key)
{
	const json_t *list = json_object_get(o, key), *one;
	const char **item = nf_arena_alloc(a, json_array_size(list) + 1, sizeof(*item));
	size_t i, n = 0;

	json_array_foreach(list, i, one)
	{
		if (item)
			item[n++] = nf_arena_strdup(a, json_string_value(one));
	}
	return (struct nf_list){ item, n };
}

static void read_median(struct nf_arena *a, const json_t *o, struct nf_rec_bench_stored *ret)
{
	*ret = (struct nf_rec_bench_stored){
		.bench = text_of(a, o, "bench"),
		.program = text_of(a, o, "program"),
		.is_command = bool_of(o, "is_command").v,
		.threads = nat_of(o, "threads"),
		.knobs = texts_of(a, o, "knobs"),
		.unit = text_of(a, o, "unit"),
		.higher_is_better = bool_of(o, "higher_is_better"),
		.sets = nat_of(o, "sets").v,
		.iterations = nat_of(o, "iterations").v,
		.median = real_of(o, "median").v,
		.set_cv_ratio = real_of(o, "set_cv_ratio"),
	};
}

static void read_session(struct nf_arena *a, const json_t *o, struct nf_rec_bench_session *ret)
{
	const json_t *machine = json_object_get(o, "machine");
	const json_t *medians = json_object_get(o, "medians"), *one;
	struct nf_rec_bench_stored *m = nf_arena_alloc(a, json_array_size(medians) + 1, sizeof(*m));
	size_t i, n = 0;

	*ret = (struct nf_rec_bench_session){
		.finished_utc = text_of(a, o, "finished_utc"),
		.finished_unix_s = nat_of(o, "finished_unix_s").v,
		.run_id = text_of(a, o, "run_id"),
		.boot_id = text_of(a, o, "boot_id"),
		.kernel = text_of(a, o, "kernel"),
		.machine = { .machine_hash = text_of(a, machine, "machine_hash"),
		             .cpu_model = text_of(a, machine, "cpu_model"),
		             .cpus_online = text_of(a, machine, "cpus_online"),
		             .platform_kind = text_of(a, machine, "platform_kind") },
		.tool_version = text_of(a, o, "tool_version"),
		.tool_commit = text_of(a, o, "tool_commit"),
		.commit = text_of(a, o, "commit"),
		.dirty = bool_of(o, "dirty"),
	};
	json_array_foreach(medians, i, one)
	{
		if (m)
			read_median(a, one, &m[n++]);
	}
	ret->medians = (struct nf_list){ m, n };
}

/* What the form does not say: a median is above 0. */
static int check_values(const char *path, const struct nf_rec_bench_baseline *b, struct nf_err *err)
{
	const struct nf_rec_bench_session *s = b->sessions.items;

	for (size_t i = 0; i < b->sessions.n; i++) {
		const struct nf_rec_bench_stored *m = s[i].medians.items;

		for (size_t k = 0; k < s[i].medians.n; k++)
			if (!(m[k].median > 0 && isfinite(m[k].median)))
				return nf_fail(err, NF_EDATA,
				               "%s: sessions[%zu].medians[%zu].median is %g; "
				               "allowed: above 0",
				               path, i, k, m[k].median);
	}
	return 0;
}

static int take(const char *path, const json_t *root, struct nf_arena *a,
                struct nf_rec_bench_baseline *ret, struct nf_err *err)
{
	const json_t *list = json_object_get(root, "sessions"), *one;
	struct nf_rec_bench_session *s = nf_arena_alloc(a, json_array_size(list) + 1, sizeof(*s));
	struct nf_rec_bench_baseline b = { .schema = "BenchBaseline/1" };
	size_t i, n = 0;

	json_array_foreach(list, i, one)
	{
		if (s)
			read_session(a, one, &s[n++]);
	}
	b.sessions = (struct nf_list){ s, n };
	int r = nf_arena_failed(a, "baseline", err);
	if (r == 0)
		r = check_values(path, &b, err);
	if (r == 0)
		*ret = b;
	return r;
}

/* The text of an open file as JSON in good form. */
static int load(int fd, const char *path, json_t **ret, struct nf_err *err)
{
	struct nf_buf text;

	nf_buf_init(&text, NF_BASELINE_BYTES);
	int r = nf_read_all(fd, &text, path, err);
	if (r == 0)
		r = parse(path, text.data, text.len_bytes, ret, err);
	nf_buf_fini(&text);
	return r;
}

int nf_baseline_parse(const char *name, const void *data, size_t len_bytes, struct nf_arena *a,
                      struct nf_rec_bench_baseline *ret, struct nf_err *err)
{
	json_t *root = NULL;
	int r = parse(name, data, len_bytes, &root, err);

	if (r < 0)
		return r;
	r = take(name, root, a, ret, err);
	json_decref(root);
	return r;
}

int nf_baseline_file_read(const char *path, struct nf_arena *a, struct nf_rec_bench_baseline *ret,
                          struct nf_err *err)
{
	json_t *root = NULL;
	int fd = nf_open_input(path, allowed, err);

	if (fd < 0)
		return fd;
	int r = load(fd, path, &root, err);
	close(fd);
	if (r < 0)
		return r;
	r = take(path, root, a, ret, err);
	json_decref(root);
	return r;
}

/* --- writing --- */

/* The folder of a file, and its name there. Symbolic links of the file itself are followed, so that what they
 * point at is replaced and not they. */
struct place {
	char *real; /* owned */
	char *copy; /* owned; dirname() writes into it */
	const char *name;
	int dirfd;
};

static void leave(struct place *p)
{
	if (p->dirfd >= 0)
		close(p->dirfd);
	free(p->real);
	free(p->copy);
}

static int find_place(const char *path, struct place *ret, struct nf_err *err)
{
	struct place p = { .dirfd = -1 };

	p.real = realpath(path, NULL);
	if (!p.real && errno == ENOENT)
		p.real = strdup(path);
	p.copy = p.real ? strdup(p.real) : NULL;
	if (!p.copy) {
		int r = nf_fail_os(err, errno, "%s", path);

		leave(&p);
		return r;
	}
	p.dirfd = open(dirname(p.copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p.dirfd < 0) {
		int e = errno,
		    r = nf_errno_is_of_path(e)
		                ? nf_fail(err, NF_EARG, "%s: %s; allowed: a name in a folder", path,
		                          strerror(e))
		                : nf_fail_os(err, e, "the folder of %s", path);

		leave(&p);
		return r;
	}
	const char *slash = strrchr(p.real, '/');

	p.name = slash ? slash + 1 : p.real;
	*ret = p;
	return 0;
}

int nf_baseline_file_make(const char *path, int uid, int gid, struct nf_err *err)
{
	const struct nf_rec_bench_baseline none = { .schema = "BenchBaseline/1" };
	struct nf_rec_bench_baseline found;
	struct nf_arena a;
	struct nf_buf text;
	struct place p;

	if (access(path, F_OK) == 0) {
		nf_arena_init(&a, 4 * (size_t)NF_BASELINE_BYTES);
		int r = nf_baseline_file_read(path, &a, &found, err);
		nf_arena_fini(&a);
		return r;
	}
	int r = find_place(path, &p, err);
	if (r < 0)
		return r;
	nf_buf_init(&text, NF_BASELINE_BYTES);
	r = nf_record_to_json(&nf_rec_bench_baseline_type, &none, &text, NULL, err);
	if (r == 0)
		r = nf_write_file_atomic_as(p.dirfd, p.name, text.data, text.len_bytes, 0644, uid,
		                            gid, err);
	if (r == -NF_EEXIST)
		r = 0; /* another made it meanwhile */
	nf_buf_fini(&text);
	leave(&p);
	return r;
}

/* Opened and locked: still the one that has the name, and nobody else's turn. */
static int lock(const struct place *p, const char *path, int *ret_fd, struct stat *ret_st,
                struct nf_err *err)
{
	enum { TRIES = 1000 /* 10 s */ };
	const struct timespec wait = { .tv_nsec = 10000000 };

	for (int i = 0; i < TRIES; i++) {
		struct stat here;
		/* For writing: on network file systems a lock needs that. */
		int fd = openat(p->dirfd, p->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (fd < 0)
			return nf_fail_os(err, errno, "cannot add to %s", path);
		errno = 0;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, ret_st) == 0 &&
		    fstatat(p->dirfd, p->name, &here, AT_SYMLINK_NOFOLLOW) == 0 &&
		    here.st_ino == ret_st->st_ino && here.st_dev == ret_st->st_dev) {
			*ret_fd = fd;
			return 0;
		}
		int e = errno;
		close(fd);
		if (e != EWOULDBLOCK && e != EINTR && e != ENOENT && e != 0)
			return nf_fail_os(err, e, "cannot lock %s", path);
		(void)nanosleep(&wait, NULL);
	}
	return nf_fail_os(err, EWOULDBLOCK, "cannot lock %s: another program holds it", path);
}

static int add(json_t *root, const struct nf_rec_bench_session *session, struct nf_err *err)
{
	json_t *list = json_object_get(root, "sessions"), *one;
	json_error_t where;
	struct nf_buf text;

	nf_buf_init(&text, NF_BASELINE_BYTES);
	int r = nf_record_to_json(&nf_rec_bench_session_type, session, &text, NULL, err);
	if (r == 0) {
		one = json_loadb(text.data, text.len_bytes, 0, &where);
		if (!one || json_array_append_new(list, one) < 0)
			r = nf_fail_nomem(err, "a session", text.len_bytes);
	}
	nf_buf_fini(&text);
	return r;
}

int nf_baseline_file_append(const char *path, const struct nf_rec_bench_session *session,
                            struct nf_err *err)
{
	json_t *root = NULL;
	struct nf_buf text;
	struct place p;
	struct stat st;
	int fd = -1;
	int r = find_place(path, &p, err);

	if (r < 0)
		return r;
	nf_buf_init(&text, NF_BASELINE_BYTES);
	r = lock(&p, path, &fd, &st, err);
	if (r == 0)
		r = load(fd, path, &root, err);
	if (r == 0 &&
	    json_array_size(json_object_get(root, "sessions")) >= NF_BASELINE_SESSIONS_MAX)
		r = nf_fail(err, NF_EDATA, "%s: it holds %d sessions; allowed: no more", path,
		            NF_BASELINE_SESSIONS_MAX);
	if (r == 0)
		r = add(root, session, err);
	if (r == 0)
		r = nf_json_record_to_json(&nf_rec_bench_baseline_type, root, &text, err);
	if (r == 0)
		r = nf_replace_file_atomic_as(
		        p.dirfd, p.name, text.data, text.len_bytes, st.st_mode & 07777,
		        geteuid() == 0 ? (int)st.st_uid : -1, (int)st.st_gid, err);
	if (fd >= 0)
		close(fd); /* and with it the lock */
	json_decref(root);
	nf_buf_fini(&text);
	leave(&p);
	return r;
}
