/* SPDX-License-Identifier: MIT */
/* budget - the limits of a run: defaults, and the budget file. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/sysio.h"
#include "job/job.h"

enum { MAX_FILE_BYTES = 65536 };

struct nf_job_budget nf_job_budget_default(void)
{
	return nf_job_budget_for_period(4000000);
}

struct nf_job_budget nf_job_budget_for_period(int64_t period_ns)
{
	return (struct nf_job_budget){
		.timing = { .period_ns = period_ns,
		            .max_jitter_ns = period_ns / 4,
		            .max_latency_ns = period_ns + period_ns / 4 },
	};
}

void nf_job_budget_record(const struct nf_job_budget *b, struct nf_rec_timing_budget *ret)
{
	*ret = (struct nf_rec_timing_budget){
		.period_ns = (uint64_t)b->timing.period_ns,
		.max_jitter_ns = (uint64_t)b->timing.max_jitter_ns,
		.max_latency_ns = (uint64_t)b->timing.max_latency_ns,
		.max_smi = { b->has_max_smi, b->max_smi },
		.max_hwlat_ns = { b->has_max_hwlat_ns, (uint64_t)b->max_hwlat_ns },
		.max_noise_ratio = b->has_max_noise_ratio ? nf_some_real(b->max_noise_ratio)
		                                          : (struct nf_some_real){ 0 },
		.max_detour_ns = { b->has_max_detour_ns, (uint64_t)b->max_detour_ns },
	};
}

/* A ratio 0..1, or a percentage with %. */
static int parse_ratio(const char *text, double *ret)
{
	char *end = NULL;

	errno = 0;
	double v = strtod(text, &end);
	if (end == text || errno || !isdigit((unsigned char)text[0]))
		return -NF_EDATA;
	if (strcmp(end, "%") == 0)
		v /= 100;
	else if (*end)
		return -NF_EDATA;
	if (!isfinite(v) || v < 0 || v > 1)
		return -NF_EDATA;
	*ret = v;
	return 0;
}

static int parse_count(const char *text, uint64_t *ret)
{
	char *end = NULL;

	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	if (end == text || errno || *end || !isdigit((unsigned char)text[0]))
		return -NF_EDATA;
	*ret = v;
	return 0;
}

enum row_kind { ROW_DURATION, ROW_COUNT, ROW_RATIO };

struct row {
	const char *name;
	enum row_kind kind;
	size_t off;
	size_t has_off; /* 0: always set */
};

#define B struct nf_job_budget
/* clang-format off */
static const struct row rows[] = {
	{ "period",      ROW_DURATION, offsetof(B, timing.period_ns),      0 },
	{ "max_jitter",  ROW_DURATION, offsetof(B, timing.max_jitter_ns),  0 },
	{ "max_latency", ROW_DURATION, offsetof(B, timing.max_latency_ns), 0 },
	{ "max_smi",     ROW_COUNT,    offsetof(B, max_smi),         offsetof(B, has_max_smi) },
	{ "max_hwlat",   ROW_DURATION, offsetof(B, max_hwlat_ns),    offsetof(B, has_max_hwlat_ns) },
	{ "max_noise",   ROW_RATIO,    offsetof(B, max_noise_ratio), offsetof(B, has_max_noise_ratio) },
	{ "max_detour",  ROW_DURATION, offsetof(B, max_detour_ns),   offsetof(B, has_max_detour_ns) },
};
/* clang-format on */
#undef B
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static int set_row(struct nf_job_budget *b, const struct row *row, const char *value)
{
	static const bool yes = true;
	char *base = (char *)b;
	int64_t ns;
	uint64_t count;
	double ratio;

	switch (row->kind) {
	case ROW_DURATION:
		if (nf_duration_parse(value, &ns, NULL) < 0)
			return -NF_EDATA;
		memcpy(base + row->off, &ns, sizeof(ns));
		break;
	case ROW_COUNT:
		if (parse_count(value, &count) < 0)
			return -NF_EDATA;
		memcpy(base + row->off, &count, sizeof(count));
		break;
	case ROW_RATIO:
		if (parse_ratio(value, &ratio) < 0)
			return -NF_EDATA;
		memcpy(base + row->off, &ratio, sizeof(ratio));
		break;
	}
	if (row->has_off)
		memcpy(base + row->has_off, &yes, sizeof(yes));
	return 0;
}

static const char *const wants[] = {
	[ROW_DURATION] = "a duration with a unit (ns us ms s m h)",
	[ROW_COUNT] = "a whole number",
	[ROW_RATIO] = "a ratio 0..1 or a percentage",
};

/* One line, already cut at its newline; modified. */
static int parse_line(char *line, const char *path, size_t number, bool *seen,
                      struct nf_job_budget *b, struct nf_err *err)
{
	char *hash = strchr(line, '#');
	if (hash)
		*hash = '\0';
	char *name = line + strspn(line, " \t\r");
	if (!*name)
		return 0;
	size_t column = (size_t)(name - line) + 1;
	char *equals = strchr(name, '=');
	if (!equals)
		return nf_fail(err, NF_EDATA, "%s:%zu:%zu: '%s' is no limit (want NAME = VALUE)",
		               path, number, column, name);
	*equals = '\0';
	name[strcspn(name, " \t")] = '\0';
	char *value = equals + 1 + strspn(equals + 1, " \t");
	size_t len = strlen(value);
	while (len > 0 && strchr(" \t\r", value[len - 1]))
		value[--len] = '\0';

	for (size_t i = 0; i < N_ROWS; i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		if (seen[i])
			return nf_fail(err, NF_EDATA, "%s:%zu:%zu: %s is set twice", path, number,
			               column, name);
		seen[i] = true;
		if (set_row(b, &rows[i], value) < 0)
			return nf_fail(err, NF_EDATA, "%s:%zu:%zu: %s: '%s' is not %s", path,
			               number, (size_t)(value - line) + 1, name, value,
			               wants[rows[i].kind]);
		return 0;
	}
	return nf_fail(err, NF_EDATA,
	               "%s:%zu:%zu: unknown limit '%s' (known: period max_jitter max_latency "
	               "max_smi max_hwlat max_noise max_detour)",
	               path, number, column, name);
}

int nf_job_budget_read(const char *path, struct nf_job_budget *ret, struct nf_err *err)
{
	struct nf_job_budget b = nf_job_budget_default();
	bool seen[N_ROWS] = { false };
	struct nf_buf text;
	int r;

	int fd = nf_open_input(path, "a budget, a text file", err);
	if (fd < 0)
		return fd;
	nf_buf_init(&text, MAX_FILE_BYTES);
	r = nf_read_all(fd, &text, path, err);
	if (r < 0)
		goto out;
	if (memchr(text.data, '\0', text.len_bytes)) {
		r = nf_fail(err, NF_EDATA, "%s: holds a NUL byte, not a budget file", path);
		goto out;
	}
	size_t number = 1;
	for (char *line = text.data, *next; line; line = next, number++) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		r = parse_line(line, path, number, seen, &b, err);
		if (r < 0)
			goto out;
	}
	if (b.timing.period_ns == 0) {
		r = nf_fail(err, NF_EDATA, "%s: period must be above 0", path);
		goto out;
	}
	*ret = b;
out:
	nf_buf_fini(&text);
	close(fd);
	return r;
}
