/* SPDX-License-Identifier: MIT */
/* lab_files - which logs there are below the given paths, and which configuration and run a name tells. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sysio.h"
#include "base/utf8.h"
#include "job/lab_console.h"
#include "job/lab_phases.h"

enum { DEPTH_MAX = 8, ENTRIES_MAX = 1 << 16 };

struct finding {
	const struct nf_lab_opts *o;
	struct nf_arena *a;
	struct nf_lab_log *log; /* owned until the end */
	size_t n, cap;
	size_t entries;
	bool captures_only; /* of the folder that is looked at */
	bool in_folder; /* not named itself */
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && strcmp(text + n - m, end) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* --- names --- */

/* Digits at the end of name[0..len), which shrinks to before them; 0: none, or no number. */
static uint64_t take_number(const char *name, size_t *len)
{
	size_t n = *len;
	uint64_t v = 0;

	while (n > 0 && isdigit((unsigned char)name[n - 1]) && *len - n < 9)
		n--;
	for (size_t i = n; i < *len; i++)
		v = v * 10 + (uint64_t)(name[i] - '0');
	if (n < *len && (n == 0 || !isdigit((unsigned char)name[n - 1])))
		*len = n;
	else
		v = 0;
	return v;
}

static bool take_mark(const char *name, size_t *len)
{
	if (*len > 0 && strchr("-_.", name[*len - 1])) {
		--*len;
		return true;
	}
	return false;
}

/* "CONFIG-RUN-TRY" */
static bool attempt_folder(const char *name, struct nf_lab_log *log, struct nf_arena *a)
{
	size_t len = strlen(name);
	uint64_t attempt = take_number(name, &len), run;

	if (attempt == 0 || !take_mark(name, &len))
		return false;
	run = take_number(name, &len);
	if (run == 0 || !take_mark(name, &len) || len == 0)
		return false;
	log->config = nf_arena_strndup(a, name, len);
	log->run = run;
	log->attempt = attempt;
	log->tried = true;
	return true;
}

/* "CONFIG_run3", "CONFIG-3", "CONFIG" */
static void file_stem(const char *name, size_t len, const char *folder, struct nf_lab_log *log,
                      struct nf_arena *a)
{
	size_t whole = len;

	log->run = take_number(name, &len);
	if (log->run == 0)
		len = whole;
	while (take_mark(name, &len))
		;
	if (log->run && len >= 3 && strncasecmp(name + len - 3, "run", 3) == 0 &&
	    (len == 3 || strchr("-_.", name[len - 4])))
		len -= 3;
	while (take_mark(name, &len))
		;
	log->config = len ? nf_arena_strndup(a, name, len) : nf_arena_strdup(a, folder);
}

/* "20260102T030405Z-HOST-TAG", the folder of a run of lab console, tells by what follows its time. */
static bool run_folder(const char *name, struct nf_lab_log *log, struct nf_arena *a)
{
	static const char form[] = "ddddddddTddddddZ-";

	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'd' ? !isdigit((unsigned char)name[i]) : name[i] != form[i])
			return false;
	if (!name[sizeof(form) - 1])
		return false;
	log->config = nf_arena_strdup(a, name + sizeof(form) - 1);
	return true;
}

/* dir: of the capture; its folder is cut off. */
static bool console_run(const char *name, char *dir, struct nf_lab_log *log, struct nf_arena *a)
{
	char *slash = strrchr(dir, '/');

	if (strcmp(name, NF_CONSOLE_CAPTURE ".raw") != 0 || !slash ||
	    strcmp(slash, "/captures") != 0)
		return false;
	*slash = '\0';
	return run_folder(base_name(dir), log, a);
}

static void tell_names(const struct nf_lab_opts *o, struct nf_lab_log *log, struct nf_arena *a)
{
	const char *name = base_name(log->path), *dot = strrchr(name, '.'), *folder;
	char *dir = nf_arena_strdup(a, log->path), *slash = dir ? strrchr(dir, '/') : NULL;

	if (!dir)
		return;
	if (slash)
		*slash = '\0';
	folder = slash ? base_name(dir) : "logs";
	log->attempt = 1;
	if (!attempt_folder(folder, log, a) && !(slash && console_run(name, dir, log, a)))
		file_stem(name, dot && dot > name ? (size_t)(dot - name) : strlen(name), folder,
		          log, a);
	for (size_t i = 0; i < o->n_configs; i++) {
		if (fnmatch(o->config[i].text, log->path, 0) != 0 &&
		    fnmatch(o->config[i].text, name, 0) != 0)
			continue;
		log->config = nf_arena_strdup(a, o->config[i].name);
		break;
	}
}

/* --- files --- */

static int add(struct finding *f, const char *path, bool capture, struct nf_err *err)
{
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 16;
		struct nf_lab_log *more;

		if (f->n >= NF_LAB_LOGS_MAX)
			return nf_fail(err, NF_EARG, "%s: more than %d logs", path,
			               NF_LAB_LOGS_MAX);
		more = realloc(f->log, cap * sizeof(*more));
		if (!more)
			return nf_fail_nomem(err, "logs", cap * sizeof(*more));
		f->log = more;
		f->cap = cap;
	}
	struct nf_lab_log *log = &f->log[f->n];
	*log = (struct nf_lab_log){ .path = nf_arena_strdup(f->a, path),
		                    .capture = capture,
		                    .found = f->in_folder };
	if (log->path)
		tell_names(f->o, log, f->a);
	int r = nf_arena_failed(f->a, "a path", err);
	f->n += r == 0;
	return r;
}

/* 1: a regular file, 2: a folder, 0: another kind, or a link to nowhere. */
static int kind_of(const char *path, struct nf_err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return nf_errno_is_of_path(errno) ? 0 : nf_fail_os(err, errno, "%s", path);
	return S_ISREG(st.st_mode) ? 1 : S_ISDIR(st.st_mode) ? 2 : 0;
}

/* Whether NAME.idx stands beside NAME.raw. */
static int has_index(const char *raw, struct nf_arena *a, struct nf_err *err)
{
	const char *idx = nf_arena_printf(a, "%.*s.idx", (int)(strlen(raw) - 4), raw);

	if (!idx)
		return nf_arena_failed(a, "a path", err);
	int kind = kind_of(idx, err);
	return kind < 0 ? kind : kind == 1;
}

/* A capture's NAME.raw is read as one, any other file as a log. */
static int add_raw(struct finding *f, const char *path, bool log, struct nf_err *err)
{
	int capture = has_index(path, f->a, err);

	if (capture < 0)
		return capture;
	return capture || log ? add(f, path, capture, err) : 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int wanted(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int add_folder(struct finding *f, const char *dir, size_t depth, struct nf_err *err);

static int add_entry(struct finding *f, const char *path, size_t depth, struct nf_err *err)
{
	static const char *const logs[] = { ".log", ".txt", ".tsv" };
	int kind;

	if (++f->entries > ENTRIES_MAX)
		return nf_fail(err, NF_EARG, "%s: more than %d files and folders", path,
		               ENTRIES_MAX);
	kind = kind_of(path, err);
	if (kind == 2)
		return add_folder(f, path, depth + 1, err);
	if (kind != 1)
		return kind;
	if (ends_with(path, ".raw"))
		return add_raw(f, path, false, err);
	for (size_t i = 0; !f->captures_only && i < sizeof(logs) / sizeof(logs[0]); i++)
		if (ends_with(path, logs[i]))
			return add(f, path, false, err);
	return 0;
}

/* A run's folder, one that was killed too, or one with a capture: its texts are what else was kept of the host, no logs. */
static bool has_capture(struct dirent *const *names, int n)
{
	bool captures = false, samples = false;

	for (int i = 0; i < n; i++) {
		captures = captures || strcmp(names[i]->d_name, "captures") == 0;
		samples = samples || strcmp(names[i]->d_name, "samples") == 0;
	}
	if (captures && samples)
		return true;
	for (int i = 0; i < n; i++)
		if (strcmp(names[i]->d_name, "MANIFEST") == 0 ||
		    strcmp(names[i]->d_name, NF_CONSOLE_CAPTURE ".raw") == 0)
			return true;
	return false;
}

static int add_folder(struct finding *f, const char *dir, size_t depth, struct nf_err *err)
{
	struct dirent **names = NULL;
	bool before = f->captures_only;
	int n, r = 0;

	if (depth > DEPTH_MAX)
		return nf_fail(err, NF_EARG, "%s: folders in folders; allowed: %d deep", dir,
		               DEPTH_MAX);
	n = scandir(dir, &names, wanted, by_name);
	if (n < 0)
		return nf_fail_os(err, errno, "%s", dir);
	f->captures_only = before || has_capture(names, n);
	for (int i = 0; i < n; i++) {
		const char *path = NULL;

		if (r == 0) {
			path = nf_arena_printf(f->a, "%s/%s", dir, names[i]->d_name);
			r = path ? add_entry(f, path, depth, err)
			         : nf_arena_failed(f->a, "a path", err);
		}
		free(names[i]);
	}
	free(names);
	f->captures_only = before;
	return r;
}

static int add_operand(struct finding *f, const char *path, struct nf_err *err)
{
	static const char allowed[] = "allowed: a console log, a capture (NAME.raw beside "
	                              "NAME.idx), or a folder with such";
	size_t before = f->n, len = strlen(path);
	struct stat st;

	while (len > 1 && path[len - 1] == '/')
		len--;
	path = nf_arena_strndup(f->a, path, len);
	if (!path)
		return nf_arena_failed(f->a, "a path", err);
	if (stat(path, &st) < 0)
		return nf_errno_is_of_path(errno)
		               ? nf_fail(err, NF_EARG, "%.*s: %s; %s", NF_UTF8_CUT(path, 200),
		                         strerror(errno), allowed)
		               : nf_fail_os(err, errno, "%s", path);
	if (S_ISDIR(st.st_mode)) {
		f->in_folder = true;
		int r = add_folder(f, path, 0, err);
		f->in_folder = false;

		return r == 0 && f->n == before
		               ? nf_fail(err, NF_EARG, "%.*s: no log in it (.log, .txt, .tsv); %s",
		                         NF_UTF8_CUT(path, 200), allowed)
		               : r;
	}
	if (ends_with(path, ".idx")) {
		const char *raw = nf_arena_printf(f->a, "%.*s.raw", (int)(len - 4), path);

		return raw ? add(f, raw, true, err) : nf_arena_failed(f->a, "a path", err);
	}
	return ends_with(path, ".raw") ? add_raw(f, path, true, err) : add(f, path, false, err);
}

int nf_lab_find(const struct nf_lab_opts *o, struct nf_arena *a, struct nf_lab_log **ret,
                size_t *ret_n, struct nf_err *err)
{
	struct finding f = { .o = o, .a = a };
	struct nf_lab_log *log = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < o->n_paths; i++)
		r = add_operand(&f, o->path[i], err);
	if (r == 0) {
		log = nf_arena_alloc(a, f.n, sizeof(*log));
		r = nf_arena_failed(a, "logs", err);
	}
	if (r == 0 && f.n > 0) {
		memcpy(log, f.log, f.n * sizeof(*log));
		*ret = log;
		*ret_n = f.n;
	}
	free(f.log);
	return r;
}
