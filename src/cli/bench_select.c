/* SPDX-License-Identifier: MIT */
#include "cli/bench_select.h"

#include <stdlib.h>

#include "opt/opt.h"

int nf_bench_filter_compile(const char *filter, regex_t *ret, struct nf_err *err)
{
	char why[120], quoted[NF_OPT_QUOTED];
	int e = regcomp(ret, filter, REG_EXTENDED | REG_NOSUB);

	if (e == 0)
		return 0;
	regerror(e, ret, why, sizeof(why));
	nf_opt_quote(filter, quoted);
	return nf_fail(err, NF_EARG,
	               "--filter %s: %s; allowed: an extended regular expression (regex(7))",
	               quoted, why);
}

static int select_rows(struct nf_bench_selection *s, const char *filter, unsigned threads,
                       size_t max, struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];
	regex_t re;
	int r = filter ? nf_bench_filter_compile(filter, &re, err) : 0;

	if (r < 0)
		return r;
	for (size_t i = 0; i < s->list.n; i++) {
		const struct nf_bench_row *row = &s->list.row[i];

		if (filter && regexec(&re, row->name, 0, NULL, 0) != 0)
			continue;
		s->row[s->n] = row;
		nf_bench_label(row, threads, s->label[s->n++]);
	}
	if (filter)
		regfree(&re);
	nf_opt_quote(filter ? filter : "", quoted);
	if (s->n == 0)
		return nf_fail(err, NF_EARG,
		               "--filter %s finds none of %zu benchmarks; 'bench list' shows them",
		               quoted, s->list.n);
	if (s->n > max)
		return nf_fail(err, NF_EARG,
		               "%zu benchmarks at once; allowed: at most %zu, chosen with --filter",
		               s->n, max);
	return 0;
}

int nf_bench_select(const char *program, const char *filter, unsigned threads, size_t max,
                    const struct nf_stop *stop, struct nf_bench_selection *ret, struct nf_err *err)
{
	struct nf_bench_selection s = { 0 };
	int r = nf_bench_list_make(program, stop, &s.list, err);

	if (r < 0)
		return r;
	size_t room = s.list.n ? s.list.n : 1;
	s.label = calloc(room, sizeof(*s.label));
	s.row = calloc(room, sizeof(*s.row));
	if (!s.label || !s.row)
		r = nf_fail_nomem(err, "a selection of benchmarks", room * sizeof(*s.label));
	if (r == 0)
		r = select_rows(&s, filter, threads, max, err);
	if (r < 0) {
		nf_bench_selection_fini(&s);
		return r;
	}
	*ret = s;
	return 0;
}

void nf_bench_selection_fini(struct nf_bench_selection *s)
{
	nf_bench_list_fini(&s->list);
	free(s->label);
	free(s->row);
	*s = (struct nf_bench_selection){ 0 };
}
