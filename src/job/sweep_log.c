/* SPDX-License-Identifier: MIT */
#include "job/sweep_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "base/utf8.h"
#include "record/json_value.h"
#include "record/write.h"

enum kind { HEAD, SESSION, BEGIN, SET, N_KINDS };

static const struct {
	const char *name;
	const struct nf_type *type;
} kinds[] = {
	[HEAD] = { "head", &nf_rec_sweep_log_head_type },
	[SESSION] = { "session", &nf_rec_sweep_session_type },
	[BEGIN] = { "begin", &nf_rec_sweep_interrupted_type },
	[SET] = { "set", &nf_rec_bench_set_type },
};

enum { LINE_BYTES = 64, FRAME_BYTES_MAX = 64 << 20 };

static uint32_t checksum(enum kind k, const char *data, size_t n)
{
	return nf_crc32c(nf_crc32c(0, kinds[k].name, strlen(kinds[k].name)), data, n);
}

/* --- writing --- */

static int frame(enum kind k, const void *value, struct nf_buf *out, struct nf_err *err)
{
	struct nf_buf json;
	int r;

	nf_buf_init(&json, FRAME_BYTES_MAX);
	r = nf_record_to_json(kinds[k].type, value, &json, NULL, err);
	if (r == 0) {
		(void)nf_buf_addf(out, "%s %zu %08" PRIx32 "\n", kinds[k].name, json.len_bytes,
		                  checksum(k, json.data, json.len_bytes));
		(void)nf_buf_add(out, json.data, json.len_bytes);
		(void)nf_buf_addc(out, '\n');
		r = nf_buf_failed(out, "the log of a sweep", err);
	}
	nf_buf_fini(&json);
	return r;
}

int nf_sweep_log_head(const struct nf_rec_sweep_log_head *h, struct nf_buf *out, struct nf_err *err)
{
	return frame(HEAD, h, out, err);
}

int nf_sweep_log_session(const struct nf_rec_sweep_session *s, struct nf_buf *out,
                         struct nf_err *err)
{
	return frame(SESSION, s, out, err);
}

int nf_sweep_log_begin(const struct nf_rec_sweep_interrupted *i, struct nf_buf *out,
                       struct nf_err *err)
{
	return frame(BEGIN, i, out, err);
}

int nf_sweep_log_set(const struct nf_rec_bench_set *s, struct nf_buf *out, struct nf_err *err)
{
	return frame(SET, s, out, err);
}

/* --- reading --- */

struct parser {
	const char *label;
	const char *begin, *at, *end;
	struct nf_arena *a;
	struct nf_sweep_log *log;
	bool open; /* a `begin` without its set: the last of log->interrupted */
	size_t cap_sessions, cap_sets, cap_interrupted;
	bool has_head;
};

static int damaged(const struct parser *p, const char *what, struct nf_err *err)
{
	return nf_fail(err, NF_EDATA, "%.*s: byte %td: %s; allowed: the log of a sweep",
	               NF_UTF8_CUT(p->label, 200), p->at - p->begin, what);
}

/* One more item of a list that doubles. */
static void *add(void **list, size_t *n, size_t *cap, size_t size, struct nf_err *err)
{
	if (*n == *cap) {
		size_t more = *cap ? 2 * *cap : 16;
		void *grown = reallocarray(*list, more, size);

		if (!grown) {
			(void)nf_fail_nomem(err, "the log of a sweep", more * size);
			return NULL;
		}
		*list = grown;
		*cap = more;
	}
	return memset((char *)*list + (*n)++ * size, 0, size);
}

/* The first line of a frame. False: it is not whole, or none. */
static bool read_line(struct parser *p, enum kind *ret_kind, size_t *ret_len, uint32_t *ret_crc)
{
	size_t left = (size_t)(p->end - p->at);
	const char *nl = memchr(p->at, '\n', left < LINE_BYTES ? left : LINE_BYTES);
	char line[LINE_BYTES + 1], name[16];
	size_t len;
	uint32_t crc;
	int used = 0;

	if (!nl)
		return false;
	memcpy(line, p->at, (size_t)(nl - p->at));
	line[nl - p->at] = '\0';
	if (sscanf(line, "%15[a-z] %10zu %8" SCNx32 "%n", name, &len, &crc, &used) != 3 ||
	    line[used] || len > FRAME_BYTES_MAX)
		return false;
	for (int k = 0; k < N_KINDS; k++)
		if (strcmp(kinds[k].name, name) == 0) {
			*ret_kind = (enum kind)k;
			*ret_len = len;
			*ret_crc = crc;
			p->at = nl + 1;
			return true;
		}
	return false;
}

static int read_json(struct parser *p, enum kind k, const char *data, size_t n, void *out,
                     struct nf_err *err)
{
	json_error_t where;
	struct nf_err why = { 0 };
	json_t *root = json_loadb(data, n, JSON_REJECT_DUPLICATES, &where);
	int r;

	if (!root && json_error_code(&where) == json_error_out_of_memory)
		return nf_fail_nomem(err, "the log of a sweep", n);
	if (!root)
		return damaged(p, where.text, err);
	r = nf_json_value_read(kinds[k].type, root, p->a, out, &why);
	json_decref(root);
	if (r == -NF_EDATA)
		return damaged(p, why.msg, err);
	if (r < 0 && err)
		*err = why;
	return r;
}

static int take_set(struct parser *p, const char *data, size_t n, struct nf_err *err)
{
	struct nf_sweep_log *l = p->log;
	struct nf_rec_bench_set set;

	if (!p->open)
		return damaged(p, "a set that was not begun", err);
	int r = read_json(p, SET, data, n, &set, err);
	if (r < 0)
		return r;
	const struct nf_rec_sweep_interrupted *begun = &l->interrupted[l->n_interrupted - 1];
	if (set.variant != begun->variant || set.row != begun->row)
		return damaged(p, "another set than was begun", err);
	if (l->n_sets == NF_SWEEP_LOG_SETS_MAX)
		return damaged(p, "too many sets", err);
	struct nf_rec_bench_set *to =
	        add((void **)&l->set, &l->n_sets, &p->cap_sets, sizeof(set), err);
	if (!to)
		return -NF_ENOMEM;
	*to = set;
	l->n_interrupted--; /* it has its end */
	l->session[l->n_sessions - 1].sets++;
	p->open = false;
	return 0;
}

static int take_frame(struct parser *p, enum kind k, const char *data, size_t n, struct nf_err *err)
{
	struct nf_sweep_log *l = p->log;
	void *to = NULL;

	if ((k == HEAD) == p->has_head || (k > SESSION && l->n_sessions == 0))
		return damaged(p, "a frame out of place", err);
	if (k == SET)
		return take_set(p, data, n, err);
	if (k == HEAD)
		to = &l->head;
	else if (k == SESSION)
		to = add((void **)&l->session, &l->n_sessions, &p->cap_sessions,
		         sizeof(*l->session), err);
	else
		to = add((void **)&l->interrupted, &l->n_interrupted, &p->cap_interrupted,
		         sizeof(*l->interrupted), err);
	if (!to)
		return -NF_ENOMEM;
	p->has_head = true;
	p->open = k == BEGIN;
	int r = read_json(p, k, data, n, to, err);
	if (r == 0 && k == SESSION) {
		struct nf_rec_sweep_session *s = to;

		s->first_set = l->n_sets;
		s->sets = 0;
	}
	return r;
}

static int parse(struct parser *p, struct nf_err *err)
{
	while (p->at < p->end) {
		const char *frame_at = p->at;
		enum kind k = HEAD;
		size_t len = 0;
		uint32_t crc = 0;
		bool whole = read_line(p, &k, &len, &crc);
		size_t left = (size_t)(p->end - p->at);

		/* What the end of the file cuts off was being written when the writer was killed. */
		bool cut = whole ? left < len + 1
		                 : !memchr(p->at, '\n', left < LINE_BYTES ? left : LINE_BYTES) &&
		                           left < LINE_BYTES;
		if (cut) {
			p->log->torn = true;
			return 0;
		}
		if (!whole)
			return damaged(p, "no frame", err);
		if (p->at[len] != '\n' || checksum(k, p->at, len) != crc) {
			/* A block that a crash left unwritten, at the end of the file. */
			if (p->at + len + 1 == p->end) {
				p->log->torn = true;
				return 0;
			}
			p->at = frame_at;
			return damaged(p, "a frame with another checksum", err);
		}
		int r = take_frame(p, k, p->at, len, err);
		if (r < 0)
			return r;
		p->at += len + 1;
	}
	return 0;
}

int nf_sweep_log_parse(const char *label, const void *data, size_t len_bytes, struct nf_arena *a,
                       struct nf_sweep_log *ret, struct nf_err *err)
{
	struct nf_sweep_log log = { 0 };
	struct parser p = {
		.label = label,
		.begin = data,
		.at = data,
		.end = (const char *)data + len_bytes,
		.a = a,
		.log = &log,
	};
	int r = parse(&p, err);

	if (r == 0 && !p.has_head)
		r = damaged(&p, "nothing to go on from", err);
	if (r == 0 && strcmp(log.head.schema, nf_record_schema(&nf_rec_sweep_log_head_type)) != 0)
		r = damaged(&p, "another version", err);
	if (r < 0)
		nf_sweep_log_fini(&log);
	else
		*ret = log;
	return r;
}

int nf_sweep_log_read(const char *run, struct nf_arena *a, struct nf_sweep_log *ret,
                      struct nf_err *err)
{
	struct nf_buf path, text;
	int r, fd = -1;

	nf_buf_init(&path, 8192);
	nf_buf_init(&text, NF_SWEEP_LOG_BYTES_MAX);
	(void)nf_buf_addf(&path, "%s/%s", run, NF_SWEEP_LOG_NAME);
	r = nf_buf_failed(&path, "the path of a log", err);
	if (r == 0)
		r = fd = nf_open_input(path.data, "the run folder of a sweep", err);
	if (r >= 0)
		r = nf_read_all(fd, &text, path.data, err);
	if (r >= 0)
		r = nf_sweep_log_parse(path.data, text.data, text.len_bytes, a, ret, err);
	if (fd >= 0)
		(void)close(fd);
	nf_buf_fini(&path);
	nf_buf_fini(&text);
	return r < 0 ? r : 0;
}

void nf_sweep_log_fini(struct nf_sweep_log *l)
{
	free(l->session);
	free(l->set);
	free(l->interrupted);
	*l = (struct nf_sweep_log){ 0 };
}
