/* SPDX-License-Identifier: MIT */
/*
 * backend_report - a command that reports its own numbers, on its standard output or in a file that it
 * writes. All values of one benchmark that an execution reports are values of its set, in order.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysio.h"
#include "base/utf8.h"
#include "bench/executions.h"
#include "bench/interchange.h"

struct report {
	const struct nf_variant *v;
	struct nf_buf said; /* of one execution */
};

/* A file of an earlier run would be taken for what this one wrote; and it is removed after it was read. */
static int check(const struct nf_variant *v, struct nf_err *err)
{
	struct stat st;
	int r = nf_launch_check(v, err);

	if (r < 0 || !v->report_file)
		return r;
	if (lstat(v->report_file, &st) == 0)
		return nf_fail(err, NF_EEXIST,
		               "the report file '%.*s' exists; allowed: one that the command "
		               "makes, which is removed once it was read",
		               NF_UTF8_CUT(v->report_file, 200));
	if (errno != ENOENT)
		return nf_fail(err, NF_EARG, "the report file '%.*s': %s",
		               NF_UTF8_CUT(v->report_file, 200), strerror(errno));
	return 0;
}

static int execute(const struct nf_launch *l, void *ctx, struct nf_ended *ret, struct nf_err *err)
{
	struct report *rep = ctx;

	nf_buf_clear(&rep->said);
	return nf_launch_run(l, rep->v->report_file ? NULL : &rep->said, ret, err);
}

_Static_assert((int)NF_EXECUTION_SAID_BYTES <= (int)NF_INTERCHANGE_BYTES,
               "what was said can be read");

/* The file's content, which is then removed. What is wrong with it fails the set. */
static int read_file(struct report *rep, struct nf_set *set, struct nf_err *err)
{
	struct nf_err why = { 0 };
	int fd = nf_open_input(rep->v->report_file, "the file that the command writes", &why);
	int r = fd < 0 ? fd : nf_read_all(fd, &rep->said, rep->v->report_file, &why);

	if (fd >= 0) {
		close(fd);
		if (unlink(rep->v->report_file) < 0 && r == 0)
			r = nf_fail_os(&why, errno, "cannot remove '%.*s'",
			               NF_UTF8_CUT(rep->v->report_file, 200));
	}
	if (r == -NF_ENOMEM)
		return nf_fail_nomem(err, "what a command reports", rep->said.max_bytes);
	if (r < 0)
		nf_set_fail(set, "%s", why.msg);
	return 0;
}

/* bench/set.h holds a text as long as the set lives. */
static int take(const struct nf_variant *v, const struct nf_result *from, struct nf_set *set,
                struct nf_err *err)
{
	bool larger = (v->better ? v->better : (int)from->better) == NF_BETTER_LARGER;
	size_t n = set->n + from->n;
	int r = nf_set_unit(set, from->unit, err);

	if (r == 0 && set->n > 0 && set->larger_is_better != larger)
		nf_set_fail(set, "%s: it changed which way is better", from->bench);
	if (r < 0 || set->failed)
		return r;
	set->larger_is_better = larger;
	if (n > NF_SET_VALUES_MAX) {
		nf_set_fail(set, "more than %d values", (int)NF_SET_VALUES_MAX);
		return 0;
	}
	r = nf_set_reserve(set, n, false, err);
	for (size_t i = 0; r == 0 && i < from->n; i++) {
		/* Ratios are taken of them. */
		if (!(from->item[i].value > 0)) {
			nf_set_fail(set, "%s: value %zu is %g; allowed: above 0", from->bench,
			            i + 1, from->item[i].value);
			break;
		}
		set->value[set->n++] = from->item[i].value;
		set->operations = from->item[i].operations;
	}
	return r;
}

static void say_absent(const struct nf_variant *v, const struct nf_results *results,
                       struct nf_set *set)
{
	char names[150];

	nf_results_names(results, names, sizeof(names));
	if (v->bench)
		nf_set_fail(set, "no value of '%.*s'; there are: %s", NF_UTF8_CUT(v->bench, 40),
		            names);
	else
		nf_set_fail(set, "%zu results, choose one: %s", results->n, names);
}

static int keep(void *ctx, const struct nf_ended *e, bool warm_up, struct nf_set *set,
                struct nf_err *err)
{
	struct report *rep = ctx;
	struct nf_results results;
	struct nf_err why = { 0 };
	int r = rep->v->report_file ? read_file(rep, set, err) : 0;

	set->posture.context_switches += e->usage.ru_nvcsw + e->usage.ru_nivcsw;
	if (r < 0 || set->failed)
		return r;
	r = nf_interchange_read(rep->v->report_form, rep->said.data, rep->said.len_bytes,
	                        rep->v->report_file ? rep->v->report_file : "output", &results,
	                        NULL, &why);
	if (r == -NF_ENOMEM)
		return nf_fail_nomem(err, "what a command reports", rep->said.len_bytes);
	if (r < 0) {
		nf_set_fail(set, "%s", why.msg);
		return 0;
	}
	const struct nf_result *found = nf_results_find(&results, rep->v->bench);
	if (!found)
		say_absent(rep->v, &results, set);
	else if (found->failure)
		nf_set_fail(set, "%s: %s", found->bench, found->failure);
	else if (!warm_up)
		r = take(rep->v, found, set, err);
	nf_results_fini(&results);
	return r;
}

static int run(const struct nf_variant *v, const struct nf_set_cfg *cfg, struct nf_set *ret,
               struct nf_err *err)
{
	struct nf_executions how = { .listens = !v->report_file, .execute = execute, .keep = keep };
	struct report rep = { .v = v };

	nf_buf_init(&rep.said, NF_EXECUTION_SAID_BYTES);
	int r = nf_executions_run(&how, &rep, v, cfg, "ns", ret, err);
	/* Of an execution that failed. It was not there before the first. */
	if (v->report_file)
		(void)unlink(v->report_file);
	nf_buf_fini(&rep.said);
	return r;
}

const struct nf_backend nf_backend_report = { .name = "report", .check = check, .run = run };
