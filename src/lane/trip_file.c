/* SPDX-License-Identifier: MIT */
#include "lane/trip_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"

static const char FIRST[] = "noisefloor lane trip 1";

enum kind { STATE, END, BOOL, COUNT, TIME, TEXT, FOLDER };

/* Where a value stands in the two structs. */
struct row {
	const char *name;
	enum kind kind;
	bool in_notes;
	size_t at;
	size_t size; /* of a text, with its NUL */
};

/* clang-format off */
#define T(member, kind) { #member, kind, false, offsetof(struct nf_trip, member), sizeof(((struct nf_trip *)0)->member) }
#define N(member, kind) { #member, kind, true, offsetof(struct nf_trip_notes, member), sizeof(((struct nf_trip_notes *)0)->member) }
static const struct row rows[] = {
	T(state, STATE),
	T(lost_at, STATE),
	T(end, END),
	T(has_generic, BOOL),
	T(has_rt, BOOL),
	T(armed, BOOL),
	T(in_rt, BOOL),
	T(reboots, COUNT),
	T(tries, COUNT),
	T(unsticks, COUNT),
	T(boot_generic, TEXT),
	T(boot_rt, TEXT),
	T(reconnect_ns, TIME),
	T(return_ns, TIME),
	T(why, TEXT),
	T(left, TEXT),
	N(target, TEXT),
	N(entry, TEXT),
	N(loader, TEXT),
	N(release_rt, TEXT),
	N(release_generic, TEXT),
	N(run_generic, FOLDER),
	N(run_rt, FOLDER),
	N(default_token, TEXT),
	N(measures, BOOL),
	N(verified, BOOL),
	N(rt_ok, BOOL),
	N(rt_flag, BOOL),
	N(has_overlay, BOOL),
	N(host, TEXT),
	N(version_rt, TEXT),
	N(tuned_rt, TEXT),
	N(base_matched, COUNT),
	N(base_mismatched, COUNT),
	N(overlay_matched, COUNT),
	N(overlay_mismatched, COUNT),
	N(cmdline_matched, COUNT),
	N(cmdline_missing, COUNT),
};
/* clang-format on */
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]), COUNT_MAX = 1 << 20 };

/* --- writing --- */

/* A line end in a text would be a line of its own. */
static void print_text(const char *text, struct nf_buf *out)
{
	for (const char *p = text; *p; p++)
		(void)nf_buf_addc(out, *p == '\n' || *p == '\r' ? ' ' : *p);
}

static void print_value(const struct row *r, const void *at, struct nf_buf *out)
{
	switch (r->kind) {
	case STATE:
		(void)nf_buf_adds(out, nf_trip_state_names[*(const enum nf_trip_state *)at]);
		break;
	case END:
		(void)nf_buf_adds(out, nf_trip_end_names[*(const enum nf_trip_end *)at]);
		break;
	case BOOL:
		(void)nf_buf_adds(out, *(const bool *)at ? "yes" : "no");
		break;
	case COUNT:
		(void)nf_buf_addf(out, "%d", *(const int *)at);
		break;
	case TIME:
		(void)nf_buf_addf(out, "%" PRId64, *(const int64_t *)at);
		break;
	case TEXT:
	case FOLDER:
	default:
		print_text(at, out);
		break;
	}
}

int nf_trip_print(const struct nf_trip *t, const struct nf_trip_notes *n, struct nf_buf *out,
                  struct nf_err *err)
{
	(void)nf_buf_addf(out, "%s\n", FIRST);
	for (size_t i = 0; i < N_ROWS; i++) {
		const char *base = rows[i].in_notes ? (const char *)n : (const char *)t;

		(void)nf_buf_addf(out, "%s ", rows[i].name);
		print_value(&rows[i], base + rows[i].at, out);
		(void)nf_buf_addc(out, '\n');
	}
	return nf_buf_failed(out, "the state of a trip", err);
}

/* --- reading --- */

/* The index of value among names, which end with NULL; -1. */
static int index_of(const char *value, const char *const names[])
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], value) == 0)
			return i;
	return -1;
}

static bool whole_number(const char *value, int64_t lo, int64_t hi, int64_t *ret)
{
	char *end;

	errno = 0;
	long long v = strtoll(value, &end, 10);
	if (errno || end == value || *end || v < lo || v > hi || *value == ' ' || *value == '+')
		return false;
	*ret = v;
	return true;
}

/* One component of a path. */
static bool is_folder_name(const char *value)
{
	return *value != '.' && *value != '-' && !strchr(value, '/');
}

static bool take_value(const struct row *r, const char *value, void *at)
{
	int64_t number;
	int found;

	switch (r->kind) {
	case STATE:
		found = index_of(value, nf_trip_state_names);
		if (found >= 0)
			*(enum nf_trip_state *)at = (enum nf_trip_state)found;
		return found >= 0;
	case END:
		found = index_of(value, nf_trip_end_names);
		if (found >= 0)
			*(enum nf_trip_end *)at = (enum nf_trip_end)found;
		return found >= 0;
	case BOOL:
		*(bool *)at = strcmp(value, "yes") == 0;
		return *(bool *)at || strcmp(value, "no") == 0;
	case COUNT:
		if (!whole_number(value, 0, COUNT_MAX, &number))
			return false;
		*(int *)at = (int)number;
		return true;
	case TIME:
		return whole_number(value, -1, INT64_MAX, at);
	case FOLDER:
	case TEXT:
	default:
		if (strlen(value) >= r->size || (r->kind == FOLDER && !is_folder_name(value)))
			return false;
		memcpy(at, value, strlen(value) + 1);
		return true;
	}
}

static int take_line(char *line, size_t number, const char *path, bool seen[N_ROWS],
                     struct nf_trip *t, struct nf_trip_notes *n, struct nf_err *err)
{
	char *blank = strchr(line, ' '), quoted[NF_QUOTED];

	if (blank) {
		*blank = '\0';
		for (size_t i = 0; i < N_ROWS; i++) {
			char *base = rows[i].in_notes ? (char *)n : (char *)t;

			if (strcmp(rows[i].name, line) != 0)
				continue;
			if (seen[i])
				return nf_fail(err, NF_EDATA, "%s:%zu:1: a second %s", path, number,
				               line);
			if (!take_value(&rows[i], blank + 1, base + rows[i].at))
				return nf_fail(err, NF_EDATA, "%s:%zu:%zu: no value of %s", path,
				               number, strlen(line) + 2, line);
			seen[i] = true;
			return 0;
		}
	}
	nf_quote(line, quoted);
	return nf_fail(err, NF_EDATA, "%s:%zu:1: no line of a trip's state: %s", path, number,
	               quoted);
}

static int take_lines(char *text, const char *path, struct nf_trip *t, struct nf_trip_notes *n,
                      struct nf_err *err)
{
	bool seen[N_ROWS] = { false };
	size_t number = 1;
	int r = 0;

	for (char *line = text, *end; r == 0 && *line; line = end + 1, number++) {
		end = strchr(line, '\n');
		if (!end)
			return nf_fail(err, NF_EDATA, "%s:%zu:1: a line without its end", path,
			               number);
		*end = '\0';
		if (number > 1)
			r = take_line(line, number, path, seen, t, n, err);
		else if (strcmp(line, FIRST) != 0)
			return nf_fail(
			        err, NF_EDATA,
			        "%s:1:1: no state of a trip; allowed: derived/trip of a run of "
			        "`lane campaign`",
			        path);
	}
	for (size_t i = 0; i < N_ROWS && r == 0; i++)
		if (!seen[i])
			r = nf_fail(err, NF_EDATA, "%s: no %s", path, rows[i].name);
	return r;
}

int nf_trip_parse(const char *text, size_t len_bytes, const char *path, struct nf_trip *ret,
                  struct nf_trip_notes *ret_notes, struct nf_err *err)
{
	struct nf_trip_notes n = { 0 };
	struct nf_trip t = { 0 };

	if (len_bytes > NF_TRIP_FILE_MAX_BYTES || memchr(text, '\0', len_bytes))
		return nf_fail(err, NF_EDATA, "%s: no state of a trip", path);
	char *copy = strndup(text, len_bytes);
	if (!copy)
		return nf_fail_nomem(err, "the state of a trip", len_bytes);
	int r = take_lines(copy, path, &t, &n, err);
	free(copy);
	if (r < 0)
		return r;
	*ret = t;
	*ret_notes = n;
	return 0;
}
