/* SPDX-License-Identifier: MIT */
/* CPU lists, SMT, frequency, idle states and mitigations: /sys/devices/system/cpu and node. One pass over
 * the online CPUs a fact. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/facts.h"

#define CPU "sys/devices/system/cpu/"

enum {
	PATH_BYTES = 256,
	GOVERNORS_MAX = 16,
	IDLE_STATES_MAX = 64, /* the kernel's CPUIDLE_STATE_MAX is 10 */
};

/* A list file as canonical text; *keep (may be NULL, empty) gets the set. The kernel prints "(null)"
 * for a mask that was never allocated: the empty set. */
static const char *list_file(struct nf_facts *f, const char *path, enum nf_need need,
                             struct nf_cpuset *keep)
{
	const char *line = nf_facts_line(f, path, need), *text = NULL;
	struct nf_err why = { 0 };
	struct nf_cpuset set;

	if (!line)
		return NULL;
	line += strspn(line, " \t");
	if (strcmp(line, "(null)") == 0)
		line = "";
	nf_cpuset_init(&set);
	if (nf_facts_ok(f, nf_cpuset_parse(line, true, &set, &why), &why, path, need)) {
		text = nf_facts_cpulist(f, &set);
		if (keep && !nf_facts_ok(f, nf_cpuset_copy(keep, &set, &why), &why, path, need))
			text = NULL;
	}
	nf_cpuset_fini(&set);
	return text;
}

/* The value of "key:" in /proc/self/status; NULL: not there. */
static const char *allowed_list(struct nf_facts *f)
{
	static const char path[] = "proc/self/status";
	struct nf_span rest, line, key;
	struct nf_cpuset set;
	struct nf_err why = { 0 };
	const char *text = NULL, *value;
	struct nf_buf b;

	nf_buf_init(&b, NF_FACTS_FILE_MAX_BYTES);
	nf_cpuset_init(&set);
	if (!nf_facts_file(f, path, NF_EXPECTED, &b))
		goto out;
	rest = nf_span_of(&b);
	while (nf_span_line(&rest, &line)) {
		if (!nf_span_cut(&line, ':', &key) || !nf_span_is(key, "Cpus_allowed_list"))
			continue;
		value = nf_facts_dup(f, nf_span_trim(line));
		if (value && nf_facts_ok(f, nf_cpuset_parse(value, false, &set, &why), &why, path,
		                         NF_EXPECTED))
			text = nf_facts_cpulist(f, &set);
		break;
	}

out:
	nf_cpuset_fini(&set);
	nf_buf_fini(&b);
	return text;
}

/* Set bits of a kernel mask ("ff,00000003"); -1: it is none. */
static int mask_count(const char *text)
{
	int n = 0;

	for (const char *p = text; *p; p++) {
		const char digit[] = { *p, '\0' };
		char *end;
		unsigned long v;

		if (*p == ',')
			continue;
		v = strtoul(digit, &end, 16);
		if (*end)
			return -1;
		n += __builtin_popcountl(v);
	}
	return *text ? n : -1;
}

/* Threads of cpu's core that are online; -1: unknown. b is scratch. */
static int core_threads(struct nf_facts *f, int cpu, struct nf_buf *b)
{
	static const char *const names[] = { "core_cpus", "thread_siblings" };
	char path[PATH_BYTES];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), CPU "cpu%d/topology/%s", cpu, names[i]);
		if (!nf_facts_file(f, path, NF_OPTIONAL, b))
			continue;
		b->data[strcspn(b->data, " \r\n")] = '\0';
		return mask_count(b->data);
	}
	return -1;
}

static struct nf_fact_bool smt_from_topology(struct nf_facts *f)
{
	struct nf_fact_bool fact = { 0 };
	struct nf_buf b;

	nf_buf_init(&b, NF_FACTS_FILE_MAX_BYTES);
	for (int c = nf_cpuset_next(&f->cpus, -1); c >= 0; c = nf_cpuset_next(&f->cpus, c)) {
		int n = core_threads(f, c, &b);

		if (n < 1) {
			fact.some = false;
			break;
		}
		fact = (struct nf_fact_bool){ .some = true, .v = n > 1 };
		if (n > 1)
			break;
	}
	nf_buf_fini(&b);
	return fact;
}

/* "performance: 2-7; schedutil: 0-1": in order of the first CPU. */
static const char *governors(struct nf_facts *f)
{
	struct group {
		const char *name;
		struct nf_cpuset cpus;
	} groups[GOVERNORS_MAX];
	char path[PATH_BYTES];
	struct nf_buf b, out;
	struct nf_err why = { 0 };
	const char *text = NULL;
	bool ok = true;
	size_t n = 0, i;

	nf_buf_init(&b, NF_FACTS_FILE_MAX_BYTES);
	nf_buf_init(&out, NF_FACTS_FILE_MAX_BYTES);
	for (int c = nf_cpuset_next(&f->cpus, -1); ok && c >= 0; c = nf_cpuset_next(&f->cpus, c)) {
		struct nf_span name;
		size_t noted = f->p->n_unread;

		snprintf(path, sizeof(path), CPU "cpu%d/cpufreq/scaling_governor", c);
		if (!nf_facts_file(f, path, NF_OPTIONAL, &b)) {
			ok = !f->failed && f->p->n_unread == noted;
			continue;
		}
		name = nf_span_trim(nf_span_of(&b));
		for (i = 0; i < n && !nf_span_is(name, groups[i].name); i++)
			;
		if (i == n) {
			const char *copy = n < GOVERNORS_MAX ? nf_facts_dup(f, name) : NULL;

			if (!copy) {
				nf_facts_unread(f, path, "no governor name, or too many of them");
				ok = false;
				break;
			}
			groups[n].name = copy;
			nf_cpuset_init(&groups[n++].cpus);
		}
		ok = nf_facts_ok(f, nf_cpuset_add(&groups[i].cpus, c, &why), &why, path,
		                 NF_OPTIONAL);
	}
	for (i = 0; i < n; i++) {
		nf_buf_addf(&out, "%s%s: ", i ? "; " : "", groups[i].name);
		nf_cpuset_print(&groups[i].cpus, &out);
		nf_cpuset_fini(&groups[i].cpus);
	}
	if (ok && n)
		text = nf_facts_take(f, &out);
	nf_buf_fini(&out);
	nf_buf_fini(&b);
	return text;
}

/* The first online CPU that has cpufreq tells driver and boost. */
static void frequency(struct nf_facts *f)
{
	struct nf_fact_bool no_turbo;
	char path[PATH_BYTES];
	int c;

	f->p->governor = governors(f);
	for (c = nf_cpuset_next(&f->cpus, -1); c >= 0; c = nf_cpuset_next(&f->cpus, c)) {
		snprintf(path, sizeof(path), CPU "cpu%d/cpufreq", c);
		if (nf_rootfs_exists(f->root, path))
			break;
	}
	if (c >= 0) {
		snprintf(path, sizeof(path), CPU "cpu%d/cpufreq/scaling_driver", c);
		f->p->frequency_driver = nf_facts_text(f, path, NF_OPTIONAL);
	}
	no_turbo = nf_facts_flag(f, CPU "intel_pstate/no_turbo", NF_OPTIONAL);
	if (no_turbo.some) {
		f->p->turbo = (struct nf_fact_bool){ .some = true, .v = !no_turbo.v };
		return;
	}
	f->p->turbo = nf_facts_flag(f, CPU "cpufreq/boost", NF_OPTIONAL);
	if (!f->p->turbo.some && c >= 0) {
		snprintf(path, sizeof(path), CPU "cpu%d/cpufreq/boost", c);
		f->p->turbo = nf_facts_flag(f, path, NF_OPTIONAL);
	}
}

/* "POLL 0; C1 2": name and exit latency in us of the states that are not disabled, shallow first. */
static const char *idle_states(struct nf_facts *f)
{
	int c = nf_cpuset_next(&f->cpus, -1);
	char path[PATH_BYTES];
	const char *text = NULL;
	struct nf_buf out;

	nf_buf_init(&out, NF_FACTS_FILE_MAX_BYTES);
	for (int s = 0; c >= 0 && s < IDLE_STATES_MAX; s++) {
		const char *name;
		int64_t latency_us, disabled;

		snprintf(path, sizeof(path), CPU "cpu%d/cpuidle/state%d/name", c, s);
		name = nf_facts_text(f, path, NF_OPTIONAL);
		snprintf(path, sizeof(path), CPU "cpu%d/cpuidle/state%d/disable", c, s);
		if (!name || !nf_facts_i64(f, path, NF_EXPECTED, &disabled)) {
			if (name)
				goto out; /* enabled or not is unknown, so the list is */
			break;
		}
		snprintf(path, sizeof(path), CPU "cpu%d/cpuidle/state%d/latency", c, s);
		if (!nf_facts_i64(f, path, NF_EXPECTED, &latency_us))
			goto out;
		text = "";
		if (!disabled)
			nf_buf_addf(&out, "%s%s %lld", out.len_bytes ? "; " : "", name,
			            (long long)latency_us);
	}
	if (text)
		text = nf_facts_take(f, &out);
	nf_buf_fini(&out);
	return text;

out:
	nf_buf_fini(&out);
	return NULL;
}

struct mitigations {
	struct nf_facts *f;
	struct nf_buf out;
};

static int add_mitigation(void *ctx, const char *name)
{
	struct mitigations *m = ctx;
	char path[PATH_BYTES + 256];
	const char *state;

	snprintf(path, sizeof(path), CPU "vulnerabilities/%s", name);
	state = nf_facts_line(m->f, path, NF_OPTIONAL);
	if (state)
		nf_buf_addf(&m->out, "%s%s: %s", m->out.len_bytes ? "; " : "", name, state);
	return 0;
}

static const char *mitigations(struct nf_facts *f)
{
	struct mitigations m = { .f = f };
	struct nf_err why = { 0 };
	const char *text = NULL;

	nf_buf_init(&m.out, NF_FACTS_FILE_MAX_BYTES);
	if (!f->failed &&
	    nf_facts_ok(f, nf_rootfs_list(f->root, CPU "vulnerabilities", add_mitigation, &m, &why),
	                &why, CPU "vulnerabilities", NF_OPTIONAL))
		text = nf_facts_take(f, &m.out);
	nf_buf_fini(&m.out);
	return text;
}

void nf_facts_read_cpus(struct nf_facts *f)
{
	struct nf_posture *p = f->p;

	p->cpus_online = list_file(f, CPU "online", NF_EXPECTED, &f->cpus);
	p->cpus_present = list_file(f, CPU "present", NF_EXPECTED, NULL);
	p->cpus_allowed = allowed_list(f);
	p->cpus_isolated = list_file(f, CPU "isolated", NF_OPTIONAL, NULL);
	p->cpus_nohz_full = list_file(f, CPU "nohz_full", NF_OPTIONAL, NULL);
	p->numa_nodes = list_file(f, "sys/devices/system/node/online", NF_OPTIONAL, NULL);
	p->mitigations = mitigations(f);
	p->smt_active = nf_facts_flag(f, CPU "smt/active", NF_OPTIONAL);
	if (!p->smt_active.some)
		p->smt_active = smt_from_topology(f);
	p->smt_control = nf_facts_text(f, CPU "smt/control", NF_OPTIONAL);
	frequency(f);
	p->idle_driver = nf_facts_text(f, CPU "cpuidle/current_driver", NF_OPTIONAL);
	p->idle_states = idle_states(f);
}
