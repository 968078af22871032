/* SPDX-License-Identifier: MIT */
#include "bench/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "bench/child.h"
#include "bench/process.h"
#include "bench/suites.h"

#define LIST_TIMEOUT_NS INT64_C(10000000000)

static int add_row(struct nf_bench_list *l, const struct nf_bench_row *row, struct nf_err *err)
{
	if (l->n >= NF_BENCH_ROWS_MAX)
		return nf_fail(err, NF_EDATA, "a table of more than %d benchmarks",
		               (int)NF_BENCH_ROWS_MAX);
	if ((l->n & (l->n - 1)) == 0) { /* full at every power of two */
		size_t room = l->n ? 2 * l->n : 1;
		struct nf_bench_row *p = realloc(l->row, room * sizeof(*p));

		if (!p)
			return nf_fail_nomem(err, "a table of benchmarks", room * sizeof(*p));
		l->row = p;
	}
	l->row[l->n++] = *row;
	return 0;
}

void nf_bench_list_fini(struct nf_bench_list *l)
{
	free(l->row);
	*l = (struct nf_bench_list){ 0 };
}

int nf_bench_list_read(const void *said, size_t len_bytes, struct nf_bench_list *ret,
                       struct nf_err *err)
{
	struct nf_bench_list l = { 0 };
	struct nf_frame f;
	size_t at = 0;
	int r;

	for (;;) {
		struct nf_bench_row row;

		r = nf_frame_next(said, len_bytes, &at, &f, err);
		if (r < 0)
			break;
		if (f.type == NF_FRAME_FAIL) {
			bool says = f.len_bytes && f.payload[0];

			r = nf_fail(err, NF_EDATA, "%.*s",
			            says ? (int)nf_utf8_cut_bytes((const char *)f.payload,
			                                          f.len_bytes, 300)
			                 : 300,
			            says ? (const char *)f.payload : "it failed without a reason");
			break;
		}
		if (f.type == NF_FRAME_END)
			break;
		r = nf_frame_row(&f, &row, err);
		if (r == 0 && l.n && nf_bench_list_find(&l, row.name))
			r = nf_fail(err, NF_EDATA, "two benchmarks are called '%s'", row.name);
		if (r == 0)
			r = add_row(&l, &row, err);
		if (r < 0)
			break;
	}
	if (r == 0 && at != len_bytes)
		r = nf_fail(err, NF_EDATA, "bytes after the end of a table of benchmarks");
	if (r < 0)
		nf_bench_list_fini(&l);
	else
		*ret = l;
	return r;
}

static int list_own(struct nf_bench_list *ret, struct nf_err *err)
{
	struct nf_bench_list l = { 0 };
	int r = 0;

	for (const struct nf_bench *const *t = nf_suites; r == 0 && *t; t++)
		for (const struct nf_bench *b = *t; r == 0 && b->name; b++) {
			struct nf_bench_row row = { .min_threads = nf_bench_min_threads(b),
				                    .max_threads = nf_bench_max_threads(b),
				                    .default_threads = nf_bench_default_threads(b),
				                    .bytes = b->bytes };

			snprintf(row.name, sizeof(row.name), "%s", b->name);
			snprintf(row.doc, sizeof(row.doc), "%s", b->doc);
			r = add_row(&l, &row, err);
		}
	if (r < 0)
		nf_bench_list_fini(&l);
	else
		*ret = l;
	return r;
}

static int list_other(const char *program, const struct nf_stop *stop, struct nf_bench_list *ret,
                      struct nf_err *err)
{
	struct {
		uint8_t head[NF_FRAME_HEAD_BYTES];
		struct nf_bench_request is;
	} request = { .is = { .protocol = NF_BENCH_PROTOCOL, .ask = NF_BENCH_ASK_LIST } };
	struct nf_process_cfg cfg = { .program = program,
		                      .env = environ,
		                      .request = &request,
		                      .request_bytes = sizeof(request),
		                      .timeout_ns = LIST_TIMEOUT_NS,
		                      .stop = stop };
	struct nf_process_end end;
	struct nf_err why = { 0 };
	struct nf_buf said;

	if (access(program, X_OK) < 0)
		return nf_fail(err, NF_EARG, "%s: %s; allowed: the path of a benchmark program",
		               program, strerror(errno));
	nf_frame_head(NF_FRAME_REQUEST, &request.is, sizeof(request.is), request.head);
	nf_buf_init(&said, NF_BENCH_ROWS_MAX * (sizeof(struct nf_bench_row) + NF_FRAME_HEAD_BYTES));
	int r = nf_process_run(&cfg, &said, &end, err);
	if (r == 0 && end.timed_out)
		r = nf_fail(err, NF_EARG, "%s: no benchmark program: no answer within 10 s",
		            program);
	else if (r == 0 && said.len_bytes == 0)
		r = nf_fail(
		        err, NF_EARG,
		        "%s: no benchmark program (one whose main is nf_bench_main()): no answer",
		        program);
	else if (r == 0 && nf_bench_list_read(said.data, said.len_bytes, ret, &why) < 0)
		r = why.code == NF_ENOMEM
		            ? nf_fail_nomem(err, "a table of benchmarks", said.len_bytes)
		            : nf_fail(err, NF_EARG,
		                      "%s: no benchmark program (one whose main is "
		                      "nf_bench_main()): %s",
		                      program, why.msg);
	nf_buf_fini(&said);
	return r;
}

int nf_bench_list_make(const char *program, const struct nf_stop *stop, struct nf_bench_list *ret,
                       struct nf_err *err)
{
	return program ? list_other(program, stop, ret, err) : list_own(ret, err);
}

const struct nf_bench_row *nf_bench_list_find(const struct nf_bench_list *l, const char *name)
{
	if (!name)
		return l->n == 1 ? &l->row[0] : NULL;
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->row[i].name, name) == 0)
			return &l->row[i];
	return NULL;
}

int nf_bench_list_refuse(const struct nf_bench_list *l, const char *name, const char *program,
                         struct nf_err *err)
{
	char there[300] = "";
	size_t len = 0;

	for (size_t i = 0; i < l->n; i++) {
		int n = snprintf(there + len, sizeof(there) - len, "%s%s", len ? ", " : "",
		                 l->row[i].name);

		if (n < 0 || (size_t)n >= sizeof(there) - len - 5) {
			snprintf(there + len, sizeof(there) - len, ", ...");
			break;
		}
		len += (size_t)n;
	}
	if (!name)
		return nf_fail(err, NF_EARG, "a benchmark's name is missing%s%s; there are: %s",
		               program ? " for " : "", program ? program : "", there);
	return nf_fail(err, NF_EARG, "unknown benchmark '%.*s'%s%s; there are: %s",
	               NF_UTF8_CUT(name, 100), program ? " in " : "", program ? program : "",
	               there);
}

void nf_bench_label(const struct nf_bench_row *row, unsigned threads,
                    char ret[NF_BENCH_NAME_MAX + 16])
{
	if (threads == 0 || threads == row->default_threads)
		snprintf(ret, NF_BENCH_NAME_MAX + 16, "%s", row->name);
	else
		snprintf(ret, NF_BENCH_NAME_MAX + 16, "%s/%uT", row->name, threads);
}
