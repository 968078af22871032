/* SPDX-License-Identifier: MIT */
#include "job/lab_capture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "base/utf8.h"
#include "board/capture.h"
#include "job/head.h"
#include "job/lab_attempt.h"
#include "job/lab_console.h"

/* Reads that one line's bytes came in, the last of them; with more the line's own times stand. */
enum { READS_MAX = 4096, LINE_BYTES_MAX = 1 << 20 };

struct replay {
	const struct nf_lab_observer *observer;
	struct nf_capture_reader reader;
	struct nf_lines lines;
	struct nf_phases *phases;
	struct nf_rec_boot_attempt *at;
	struct {
		uint64_t offset;
		struct nf_line_time time;
	} read[READS_MAX]; /* a ring: read[i % READS_MAX] */
	uint64_t n_reads;
};

/* --- where a byte of a line's text came from --- */

static int no_line(void *ctx, const struct nf_line *l, struct nf_err *err)
{
	(void)ctx;
	(void)l;
	(void)err;
	return 0;
}

/* Feeds the line's bytes again, one at a time, to see which of them became text[at] at last. */
static int raw_of_text(const char *raw, size_t n, size_t at, size_t *ret, struct nf_err *err)
{
	const struct nf_line_time never = { 0 };
	struct nf_lines s = { 0 };
	struct nf_line tail;
	size_t have = 0, found = 0;
	int r = nf_line_init(&s, NF_LINE_LIMIT, err);

	for (size_t i = 0; r == 0 && i < n && raw[i] != '\n'; i++) {
		r = nf_line_feed(&s, raw + i, 1, &never, no_line, NULL, err);
		(void)nf_line_tail(&s, &tail);
		if (tail.len > at && (have <= at || tail.len < have))
			found = i;
		have = tail.len;
	}
	nf_line_fini(&s);
	if (r == 0)
		*ret = found;
	return r;
}

static void time_of_raw(const struct replay *p, const struct nf_line *l, uint64_t raw,
                        int64_t *ret_lo_ns, int64_t *ret_hi_ns)
{
	uint64_t n = p->n_reads < READS_MAX ? p->n_reads : READS_MAX;

	for (uint64_t k = 1; k <= n; k++) {
		const struct nf_line_time *t = &p->read[(p->n_reads - k) % READS_MAX].time;
		uint64_t begins = p->read[(p->n_reads - k) % READS_MAX].offset;

		if (begins > raw)
			continue;
		*ret_lo_ns = t->lo_ns;
		*ret_hi_ns = begins == raw ? t->first_hi_ns : t->hi_ns;
		return;
	}
	*ret_lo_ns = l->first_lo_ns;
	*ret_hi_ns = l->last_hi_ns;
}

static int locate(void *ctx, const struct nf_line *l, size_t at, uint64_t *ret_raw,
                  int64_t *ret_lo_ns, int64_t *ret_hi_ns, struct nf_err *err)
{
	struct replay *p = ctx;
	size_t n = l->raw_bytes < LINE_BYTES_MAX ? (size_t)l->raw_bytes : LINE_BYTES_MAX, in = 0;
	char *raw = malloc(n + 1);

	if (!raw)
		return nf_fail_nomem(err, "a line", n);
	ssize_t got = pread(p->reader.raw, raw, n, (off_t)l->raw_offset);
	int r = got < 0 ? 0 : raw_of_text(raw, (size_t)got, at, &in, err);
	free(raw);
	if (r < 0)
		return r;
	*ret_raw = l->raw_offset + in;
	time_of_raw(p, l, *ret_raw, ret_lo_ns, ret_hi_ns);
	return 0;
}

/* --- all of it --- */

static int on_line(void *ctx, const struct nf_line *l, struct nf_err *err)
{
	struct replay *p = ctx;

	if (p->observer && p->observer->line) {
		int r = p->observer->line(p->observer->ctx, l, err);

		if (r < 0)
			return r;
	}
	return nf_phases_line(p->phases, l, true, err);
}

static int replay(struct replay *p, const struct nf_stop *stop, struct nf_sha256 *sha,
                  struct nf_err *err)
{
	struct nf_capture_read rd;
	const void *data;
	int r;

	while ((r = nf_capture_next(&p->reader, &rd, &data, err)) == 1 && !nf_stop_signo(stop)) {
		struct nf_line_time t = nf_capture_time(&p->reader.head, &rd);

		p->read[p->n_reads % READS_MAX].offset = rd.offset;
		p->read[p->n_reads++ % READS_MAX].time = t;
		nf_sha256_add(sha, data, rd.bytes);
		r = nf_line_feed(&p->lines, data, rd.bytes, &t, on_line, p, err);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : nf_line_finish(&p->lines, on_line, p, err);
}

static void take_port(const struct nf_capture_head *h, struct nf_arena *a,
                      struct nf_rec_boot_attempt *at)
{
	struct nf_rec_boot_port *port = nf_arena_alloc(a, 1, sizeof(*port));
	struct nf_instant utc = { h->epoch_utc_ns };

	if (!port)
		return;
	*port = (struct nf_rec_boot_port){ .kind = nf_port_kind_name(h->kind),
		                           .name = nf_arena_strdup(a, h->port) };
	if (h->delay_ns >= 0)
		port->delay_s = nf_some_real((double)h->delay_ns * 1e-9);
	at->port = port;
	at->started_utc = nf_head_utc(a, utc);
}

static int take_rest(const struct replay *p, struct nf_arena *a, struct nf_rec_boot_attempt *at,
                     struct nf_err *err)
{
	struct nf_capture_rest rest;
	int r = nf_capture_rest(&p->reader, &rest, err);

	if (r < 0)
		return r;
	if (rest.untimed_bytes || rest.torn_bytes || rest.missing_bytes)
		at->damage = nf_arena_printf(
		        a,
		        "%llu bytes after the last read have no time, %llu bytes "
		        "of the index are no entry, %llu bytes are missing",
		        (unsigned long long)rest.untimed_bytes, (unsigned long long)rest.torn_bytes,
		        (unsigned long long)rest.missing_bytes);
	at->cut_bytes = p->lines.counts.cut_bytes;
	at->nul_bytes = p->lines.counts.n_nul;
	at->bad_utf8 = p->lines.counts.n_bad_utf8;
	return 0;
}

/* Folder and NAME of DIR/NAME.raw; both live in a. */
static int open_folder(const char *path, struct nf_arena *a, const char **ret_dir,
                       const char **ret_name, int *ret_fd, struct nf_err *err)
{
	char *name = nf_arena_strndup(a, path, strlen(path) - 4);
	char *slash = name ? strrchr(name, '/') : NULL;
	const char *dir = slash == name ? "/" : slash ? name : ".";

	if (!name)
		return nf_arena_failed(a, "a path", err);
	if (slash)
		*slash = '\0';
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return nf_fail(err, NF_EARG, "%.200s: its folder cannot be opened", path);
	*ret_dir = dir;
	*ret_name = slash ? slash + 1 : name;
	*ret_fd = fd;
	return 0;
}

/* How the attempt ended, where `lab run` made the capture. */
static int take_end(int dirfd, const char *dir, const char *name, struct nf_arena *a,
                    struct nf_rec_boot_attempt *at, struct nf_err *err)
{
	struct nf_rec_boot_end *end;
	int r;

	if (strcmp(name, NF_CONSOLE_CAPTURE) != 0)
		return 0;
	end = nf_arena_alloc(a, 1, sizeof(*end));
	r = end ? nf_lab_attempt_read(dirfd, dir, a, end, err)
	        : nf_arena_failed(a, "an attempt", err);
	if (r == 1)
		nf_lab_attempt_tell(end, a, at);
	return r < 0 ? r : 0;
}

int nf_lab_read_capture(const struct nf_lab_opts *o, const struct nf_lab_log *log,
                        struct nf_arena *a, const struct nf_stop *stop,
                        struct nf_rec_boot_attempt *at, struct nf_phases **ret_phases,
                        uint32_t *ret_baud, struct nf_err *err)
{
	struct nf_phases_opts *opts = nf_arena_alloc(a, 1, sizeof(*opts));
	struct replay *p = calloc(1, sizeof(*p));
	uint8_t digest[NF_SHA256_BYTES];
	char hex[NF_SHA256_HEX];
	struct nf_sha256 sha;
	const char *dir = NULL, *name = NULL;
	bool opened = false;
	int folder = -1;

	int r = p && opts ? 0 : nf_fail_nomem(err, "a capture", sizeof(*p));
	if (r < 0)
		goto out;
	*opts = o->phases;
	opts->locate = locate;
	opts->ctx = p;
	p->at = at;
	p->observer = o->observer;
	nf_sha256_init(&sha);
	r = open_folder(log->path, a, &dir, &name, &folder, err);
	if (r == 0)
		r = nf_capture_open(&p->reader, folder, name, err);
	opened = r == 0;
	if (r == 0)
		r = nf_line_init(&p->lines, NF_LINE_LIMIT, err);
	if (r == 0)
		r = nf_phases_new(opts, ret_phases, err);
	if (r == 0) {
		p->phases = *ret_phases;
		r = replay(p, stop, &sha, err);
	}
	if (r == 0)
		r = take_rest(p, a, at, err);
	if (r < 0)
		goto out;
	nf_sha256_done(&sha, digest);
	nf_sha256_hex(digest, hex);
	at->sha256 = nf_arena_strdup(a, hex);
	at->form = "capture";
	*ret_baud = p->reader.head.baud;
	take_port(&p->reader.head, a, at);
	r = nf_arena_failed(a, "a capture", err);
	if (r == 0)
		r = take_end(folder, dir, name, a, at, err);
out:
	if (folder >= 0)
		close(folder);
	if (p)
		nf_line_fini(&p->lines);
	if (opened)
		nf_capture_reader_fini(&p->reader);
	free(p);
	return r;
}
