/* SPDX-License-Identifier: MIT */
#include "measure/probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/probe_threads.h"

void nf_probe_note(struct nf_probe_run *run, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (run->n_notes == NF_PROBE_NOTES)
		run->n_notes_lost++;
	else
		vsnprintf(run->note[run->n_notes++], sizeof(run->note[0]), fmt, ap);
	va_end(ap);
}

void nf_probe_note_unlocked(struct nf_probe_run *run)
{
	if (!run->locked)
		nf_probe_note(run,
		              "memory could not be locked: page faults may be among the samples "
		              "(see ulimit -l)");
}

const struct nf_probe *nf_probe_find(const char *name)
{
	for (const struct nf_probe *const *p = nf_probes; *p; p++)
		if (strcmp((*p)->name, name) == 0)
			return *p;
	return NULL;
}

int nf_probe_cpus(const struct nf_probe *p, const struct nf_probe_env *env, const void *cfg,
                  struct nf_cpuset *ret, struct nf_err *err)
{
	struct nf_cpuset cpus;
	int left_out, r;

	nf_cpuset_init(&cpus);
	r = p->cpus ? p->cpus(env, cfg, &cpus, err)
	            : nf_probe_select(env, cfg, true, &cpus, &left_out, err);
	if (r < 0) {
		nf_cpuset_fini(&cpus);
		return r;
	}
	nf_cpuset_fini(ret);
	*ret = cpus;
	return 0;
}

void nf_probe_run_fini(const struct nf_probe *p, struct nf_probe_run *run)
{
	for (size_t i = 0; i < run->n_streams; i++)
		nf_stream_fini(&run->streams[i]);
	free(run->streams);
	if (run->result && p && p->result_fini)
		p->result_fini(run->result);
	free(run->result);
	nf_cpuset_fini(&run->cpus_asked);
	nf_cpuset_fini(&run->cpus_got);
	nf_bracket_diff_fini(&run->bracket);
	free(run->tids);
	memset(run, 0, sizeof(*run));
}
