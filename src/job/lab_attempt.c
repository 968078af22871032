/* SPDX-License-Identifier: MIT */
#include "job/lab_attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "build_info.h"
#include "job/lab_console.h"
#include "record/json_value.h"
#include "record/write.h"

enum { END_BYTES = 1 << 20, PATH_BYTES = 512 };

const char *nf_lab_attempt_name(struct nf_arena *a, const char *label, uint64_t run,
                                uint64_t attempt)
{
	return nf_arena_printf(a, "%s-%llu-%llu", label, (unsigned long long)run,
	                       (unsigned long long)attempt);
}

/* Digits without a leading zero, at most nine of them. */
static const char *take_number(const char *p, uint64_t *ret)
{
	uint64_t v = 0;
	int n = 0;

	if (*p == '0')
		return NULL;
	for (; *p >= '0' && *p <= '9' && n < 9; p++, n++)
		v = v * 10 + (uint64_t)(*p - '0');
	*ret = v;
	return n ? p : NULL;
}

bool nf_lab_attempt_named(const char *name, const char *label, uint64_t *ret_run,
                          uint64_t *ret_attempt)
{
	size_t n = strlen(label);
	uint64_t run, attempt;
	const char *p;

	if (strncmp(name, label, n) != 0 || name[n] != '-')
		return false;
	p = take_number(name + n + 1, &run);
	if (!p || *p != '-')
		return false;
	p = take_number(p + 1, &attempt);
	if (!p || *p)
		return false;
	*ret_run = run;
	*ret_attempt = attempt;
	return true;
}

static int path_of(const char *name, const char *file, char ret[PATH_BYTES], struct nf_err *err)
{
	int n = snprintf(ret, PATH_BYTES, NF_LAB_CAPTURES "/%s%s%s", name, *file ? "/" : "", file);

	return n > 0 && n < PATH_BYTES ? 0
	                               : nf_fail(err, NF_EARG, "%s: the name is too long", name);
}

int nf_lab_attempt_begin(struct nf_runfolder *f, const char *name, int *ret_fd, struct nf_err *err)
{
	char path[PATH_BYTES];
	int r = path_of(name, "", path, err);

	return r < 0 ? r : nf_runfolder_make(f, path, ret_fd, err);
}

static int give(const struct nf_runfolder *f, const char *name, struct nf_err *err)
{
	static const char *const files[] = { NF_CONSOLE_CAPTURE ".raw", NF_CONSOLE_CAPTURE ".idx" };
	char path[PATH_BYTES];
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
		r = path_of(name, files[i], path, err);
		if (r == 0)
			r = nf_runfolder_give(f, path, err);
	}
	return r;
}

int nf_lab_attempt_end(struct nf_runfolder *f, const char *name, struct nf_rec_boot_end *end,
                       struct nf_arena *a, struct nf_err *err)
{
	char path[PATH_BYTES];
	struct nf_buf json;
	int r = path_of(name, NF_LAB_END, path, err);

	end->schema = "BootAttemptEnd/1";
	end->tool_version = NF_VERSION;
	end->claim_ceiling = "How one attempt at a boot ended, as seen over a console; when, the "
	                     "capture beside it says.";
	end->replaced_text = nf_record_replaced(&nf_rec_boot_end_type, end);
	nf_buf_init(&json, END_BYTES);
	if (r == 0)
		r = nf_rec_honesty_fill(&end->honesty, &nf_rec_boot_end_type, end, a, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_boot_end_type, end, &json, NULL, err);
	if (r == 0)
		r = nf_runfolder_put(f, path, json.data, json.len_bytes, err);
	nf_buf_fini(&json);
	return r == 0 && end->captured ? give(f, name, err) : r;
}

static int parse(const struct nf_buf *text, const char *where, struct nf_arena *a,
                 struct nf_rec_boot_end *ret, struct nf_err *err)
{
	struct nf_err why = { 0 };
	json_error_t json;
	json_t *root = json_loadb(text->data, text->len_bytes, JSON_REJECT_DUPLICATES, &json);
	int r;

	if (!root)
		return nf_fail(err, NF_EDATA, "%s/" NF_LAB_END ":%d:%d: %s", where, json.line,
		               json.column, json.text);
	r = nf_json_value_read(&nf_rec_boot_end_type, root, a, ret, &why);
	json_decref(root);
	if (r == -NF_EDATA)
		return nf_fail(err, NF_EDATA, "%s/" NF_LAB_END ": %s", where, why.msg);
	if (r < 0 && err)
		*err = why;
	return r;
}

int nf_lab_attempt_read(int dirfd, const char *where, struct nf_arena *a,
                        struct nf_rec_boot_end *ret, struct nf_err *err)
{
	struct nf_rec_boot_end end = { 0 };
	struct nf_buf text;
	int fd = openat(dirfd, NF_LAB_END, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s/" NF_LAB_END, where);
	nf_buf_init(&text, END_BYTES);
	int r = nf_read_all(fd, &text, where, err);
	close(fd);
	if (r == 0)
		r = parse(&text, where, a, &end, err);
	nf_buf_fini(&text);
	if (r < 0)
		return r;
	*ret = end;
	return 1;
}

static void tell_port(const struct nf_rec_boot_end *end, struct nf_arena *a,
                      struct nf_rec_boot_attempt *at)
{
	struct nf_rec_boot_port *port = at->port ? nf_arena_alloc(a, 1, sizeof(*port)) : NULL;

	if (!port)
		return;
	*port = *at->port;
	port->driver = end->driver;
	port->latency_timer_ms = end->latency_timer_ms;
	port->overruns = end->overruns;
	port->frame_errors = end->frame_errors;
	port->breaks = end->breaks;
	at->port = port;
}

void nf_lab_attempt_tell(const struct nf_rec_boot_end *end, struct nf_arena *a,
                         struct nf_rec_boot_attempt *at)
{
	at->board = end->board;
	at->outcome = nf_some_enum(end->outcome);
	at->outcome_kind = end->kind;
	at->outcome_why = end->why;
	at->resent = nf_some_nat(end->resent);
	at->power_driver = end->power_driver;
	at->platform = end->platform;
	at->platform_why = end->platform_why;
	at->images = end->images;
	at->declared = end->declared;
	tell_port(end, a, at);
}

/* --- copies --- */

static int copy_bytes(int in, int out, const char *where, struct nf_err *err)
{
	char chunk[1 << 16];

	for (;;) {
		ssize_t n = read(in, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "cannot read %s", where);
		if (n == 0)
			return fsync(out) == 0 ? 0 : nf_fail_os(err, errno, "cannot store a copy");
		int r = nf_write_all(out, chunk, (size_t)n, "a copy", err);
		if (r < 0)
			return r;
	}
}

/* 1: copied; 0: there is none of that name. */
static int copy_file(int from, int to, const char *name, const char *where, struct nf_err *err)
{
	int in = openat(from, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), out, r;

	if (in < 0 && errno == ENOENT)
		return 0;
	if (in < 0)
		return nf_fail_os(err, errno, "cannot open %s/%s", where, name);
	out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	r = out < 0 ? nf_fail_os(err, errno, "cannot make a copy of %s/%s", where, name)
	            : copy_bytes(in, out, where, err);
	if (out >= 0)
		close(out);
	close(in);
	return r < 0 ? r : 1;
}

int nf_lab_attempt_copy(int from, const char *where, struct nf_runfolder *f, const char *name,
                        struct nf_err *err)
{
	static const char *const files[] = { NF_CONSOLE_CAPTURE ".raw", NF_CONSOLE_CAPTURE ".idx",
		                             NF_LAB_END };
	int to = -1, captured = 0;
	int r = nf_lab_attempt_begin(f, name, &to, err);

	if (r < 0)
		return r;
	for (size_t i = 0; r >= 0 && i < sizeof(files) / sizeof(files[0]); i++) {
		r = copy_file(from, to, files[i], where, err);
		captured += r == 1 && i < 2;
	}
	close(to);
	if (r < 0)
		return r;
	return captured == 2 ? give(f, name, err) : 0;
}
