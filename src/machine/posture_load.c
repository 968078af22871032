/* SPDX-License-Identifier: MIT */
/* What the machine is doing: memory, load, steal, temperatures, irqbalance. */
#include <stdio.h>
#include <string.h>

#include "machine/facts.h"

enum { PATH_BYTES = 512, STAT_MAX_BYTES = 64 << 20 };

static void memory(struct nf_facts *f)
{
	struct nf_span rest, line, key, value;
	struct nf_posture *p = f->p;
	struct nf_buf b;

	nf_buf_init(&b, NF_FACTS_FILE_MAX_BYTES);
	if (!nf_facts_file(f, "proc/meminfo", NF_EXPECTED, &b))
		goto out;
	rest = nf_span_of(&b);
	while (nf_span_line(&rest, &line)) {
		struct nf_fact_nat *to;

		if (!nf_span_cut(&line, ':', &key) || !nf_span_word(&line, &value) ||
		    !nf_span_has_word(line, "kB"))
			continue;
		if (nf_span_is(key, "MemTotal"))
			to = &p->mem_total_kib;
		else if (nf_span_is(key, "MemAvailable"))
			to = &p->mem_available_kib;
		else
			continue;
		to->some = nf_span_u64(value, &to->v);
	}

out:
	nf_buf_fini(&b);
}

static void load(struct nf_facts *f)
{
	struct nf_fact_real *const loads[] = { &f->p->load_1min, &f->p->load_5min,
		                               &f->p->load_15min };
	const char *line = nf_facts_line(f, "proc/loadavg", NF_EXPECTED);
	struct nf_span rest, word, runnable;

	if (!line)
		return;
	rest = (struct nf_span){ line, strlen(line) };
	for (size_t i = 0; i < 3; i++) {
		if (!nf_span_word(&rest, &word))
			return;
		loads[i]->some = nf_span_real(word, &loads[i]->v);
	}
	if (nf_span_word(&rest, &word) && nf_span_cut(&word, '/', &runnable))
		f->p->runnable.some = nf_span_u64(runnable, &f->p->runnable.v);
}

/* Eighth number of the line "cpu ..." (proc(5)). */
static void steal(struct nf_facts *f)
{
	struct nf_span rest, line, word;
	struct nf_buf b;

	nf_buf_init(&b, STAT_MAX_BYTES);
	if (!nf_facts_file(f, "proc/stat", NF_EXPECTED, &b))
		goto out;
	rest = nf_span_of(&b);
	while (nf_span_line(&rest, &line)) {
		bool more = nf_span_word(&line, &word);

		if (!more || !nf_span_is(word, "cpu"))
			continue;
		for (int i = 0; i < 8 && more; i++)
			more = nf_span_word(&line, &word);
		if (more)
			f->p->steal_ticks.some = nf_span_u64(word, &f->p->steal_ticks.v);
		break;
	}

out:
	nf_buf_fini(&b);
}

struct zones {
	struct nf_facts *f;
	struct nf_buf out;
};

static int add_zone(void *ctx, const char *name)
{
	struct zones *z = ctx;
	char path[PATH_BYTES];
	int64_t milli;
	const char *type;

	if (strncmp(name, "thermal_zone", strlen("thermal_zone")) != 0)
		return 0;
	snprintf(path, sizeof(path), "sys/class/thermal/%s/type", name);
	type = nf_facts_text(z->f, path, NF_OPTIONAL);
	snprintf(path, sizeof(path), "sys/class/thermal/%s/temp", name);
	if (!type || !nf_facts_i64(z->f, path, NF_OPTIONAL, &milli) || milli < -1000000 ||
	    milli > 1000000)
		return 0;
	nf_buf_addf(&z->out, "%s%s: %.1f", z->out.len_bytes ? "; " : "", type,
	            (double)milli / 1000.0);
	return 0;
}

static const char *temperatures(struct nf_facts *f)
{
	struct zones z = { .f = f };
	struct nf_err why = { 0 };
	const char *text = NULL;
	int r;

	nf_buf_init(&z.out, NF_FACTS_FILE_MAX_BYTES);
	if (f->failed)
		goto out;
	r = nf_rootfs_list(f->root, "sys/class/thermal", add_zone, &z, &why);
	if (nf_facts_ok(f, r, &why, "sys/class/thermal", NF_OPTIONAL) &&
	    (z.out.len_bytes || z.out.failed))
		text = nf_facts_take(f, &z.out);

out:
	nf_buf_fini(&z.out);
	return text;
}

struct processes {
	struct nf_facts *f;
	struct nf_buf b;
	struct nf_err why;
	bool saw_init;
};

/* Processes come and go while this runs: unreadable ones say nothing. 1: found. */
static int is_irqbalance(void *ctx, const char *name)
{
	struct processes *p = ctx;
	char path[PATH_BYTES];
	struct nf_span comm;
	int r;

	if (name[strspn(name, "0123456789")] != '\0')
		return 0;
	snprintf(path, sizeof(path), "proc/%s/comm", name);
	nf_buf_clear(&p->b);
	r = nf_rootfs_read(p->f->root, path, &p->b, &p->why);
	if (r == -NF_ENOMEM)
		return r;
	if (r < 0)
		return 0;
	p->saw_init = p->saw_init || strcmp(name, "1") == 0;
	comm = nf_span_trim(nf_span_of(&p->b));
	return nf_span_is(comm, "irqbalance");
}

/* Not seeing it means no only where all processes can be seen: outside containers, with PID 1 in
 * sight (hidepid). */
static struct nf_fact_bool irqbalance(struct nf_facts *f)
{
	struct processes p = { .f = f };
	struct nf_fact_bool fact = { 0 };
	int r;

	if (f->failed)
		return fact;
	nf_buf_init(&p.b, NF_FACTS_FILE_MAX_BYTES);
	r = nf_rootfs_list(f->root, "proc", is_irqbalance, &p, &p.why);
	if (r == 1)
		fact = (struct nf_fact_bool){ true, true };
	else if (nf_facts_ok(f, r, &p.why, "proc", NF_OPTIONAL) && p.saw_init && !f->is_container &&
	         !f->failed)
		fact = (struct nf_fact_bool){ true, false };
	nf_buf_fini(&p.b);
	return fact;
}

void nf_facts_read_load(struct nf_facts *f)
{
	const char *uptime = nf_facts_line(f, "proc/uptime", NF_EXPECTED);
	struct nf_posture *p = f->p;

	if (uptime)
		p->uptime_s.some = nf_span_real((struct nf_span){ uptime, strcspn(uptime, " ") },
		                                &p->uptime_s.v);
	memory(f);
	load(f);
	steal(f);
	p->temperatures = temperatures(f);
	p->irqbalance = irqbalance(f);
}
