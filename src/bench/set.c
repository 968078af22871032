/* SPDX-License-Identifier: MIT */
#include "bench/set.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

void nf_set_init(struct nf_set *s, const char *unit)
{
	*s = (struct nf_set){
		.unit = unit,
		.warm_up = (double)NAN,
		.operations = 1,
		.tree_method = NF_TREE_UNKNOWN,
		.posture = { -1, -1, -1, -1, -1, -1, -1 },
	};
}

void nf_set_fini(struct nf_set *s)
{
	free(s->value);
	free(s->user_ns);
	free(s->system_ns);
	free(s->peak_bytes);
	free(s->wait_status);
	free(s->unit_owned);
	free(s->fact);
	*s = (struct nf_set){ 0 };
}

static int grow(void **array, size_t n, size_t item_bytes, struct nf_err *err)
{
	void *p = realloc(*array, n * item_bytes); /* n <= NF_SET_VALUES_MAX */

	if (!p)
		return nf_fail_nomem(err, "the values of a set", n * item_bytes);
	*array = p;
	return 0;
}

int nf_set_reserve(struct nf_set *s, size_t n, bool with_process, struct nf_err *err)
{
	struct {
		void *at;
		size_t item_bytes;
	} array[] = {
		{ s->value, sizeof(*s->value) },
		{ s->user_ns, sizeof(*s->user_ns) },
		{ s->system_ns, sizeof(*s->system_ns) },
		{ s->peak_bytes, sizeof(*s->peak_bytes) },
		{ s->wait_status, sizeof(*s->wait_status) },
	};
	size_t n_arrays = with_process || s->user_ns ? sizeof(array) / sizeof(*array) : 1;
	int r = 0;

	if (n > NF_SET_VALUES_MAX)
		return nf_fail(err, NF_EARG, "a set of %zu values; allowed: at most %d", n,
		               (int)NF_SET_VALUES_MAX);
	if (n < s->cap)
		n = s->cap;
	if (n == 0)
		n = 1;
	for (size_t i = 0; r == 0 && i < n_arrays; i++)
		r = grow(&array[i].at, n, array[i].item_bytes, err);
	s->value = array[0].at;
	s->user_ns = array[1].at;
	s->system_ns = array[2].at;
	s->peak_bytes = array[3].at;
	s->wait_status = array[4].at;
	if (r == 0)
		s->cap = n;
	return r;
}

int nf_set_unit(struct nf_set *s, const char *unit, struct nf_err *err)
{
	if (strcmp(s->unit, unit) == 0)
		return 0;
	if (s->n > 0) {
		nf_set_fail(s, "values in %.*s after values in %.*s", NF_UTF8_CUT(unit, 40),
		            NF_UTF8_CUT(s->unit, 40));
		return 0;
	}
	char *copy = strdup(unit);
	if (!copy)
		return nf_fail_nomem(err, "a unit", strlen(unit) + 1);
	free(s->unit_owned);
	s->unit = s->unit_owned = copy;
	return 0;
}

void nf_set_fail(struct nf_set *s, const char *fmt, ...)
{
	va_list ap;

	if (s->failed)
		return;
	s->failed = true;
	va_start(ap, fmt);
	if (vsnprintf(s->why, sizeof(s->why), fmt, ap) >= (int)sizeof(s->why))
		s->why[nf_utf8_cut(s->why, sizeof(s->why) - 5)] = '\0';
	va_end(ap);
	for (char *p = s->why; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
}

void nf_set_fail_status(struct nf_set *s, const char *what, int wait_status)
{
	int signo = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
	const char *name = signo ? sigabbrev_np(signo) : NULL;
	const char *colon = what ? ": " : "";

	what = what ? what : "";
	if (name)
		nf_set_fail(s, "%s%sSIG%s (%s)", what, colon, name, sigdescr_np(signo));
	else if (signo)
		nf_set_fail(s, "%s%ssignal %d", what, colon, signo);
	else
		nf_set_fail(s, "%s%sexit status %d", what, colon, WEXITSTATUS(wait_status));
}
