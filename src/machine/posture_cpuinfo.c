/* SPDX-License-Identifier: MIT */
/* /proc/cpuinfo in one pass: one block a CPU, "key : value" lines, keys that differ by architecture. */
#include <stdio.h>
#include <string.h>

#include "machine/facts.h"

enum {
	CPUINFO_MAX_BYTES = 256 << 20, /* 65,536 CPUs of 4 KiB */
	DISTINCT_MAX = 8,
};

/* The different values of one key, in order. */
struct distinct {
	const char *v[DISTINCT_MAX];
	size_t n;
	bool more;
};

static void add_distinct(struct nf_facts *f, struct distinct *d, struct nf_span value)
{
	const char *copy;

	if (value.n == 0)
		return;
	for (size_t i = d->n; i-- > 0;)
		if (nf_span_is(value, d->v[i]))
			return;
	if (d->n == DISTINCT_MAX) {
		d->more = true;
		return;
	}
	copy = nf_facts_dup(f, value);
	if (copy)
		d->v[d->n++] = copy;
}

static const char *join(struct nf_facts *f, const struct distinct *d)
{
	const char *text = NULL;
	struct nf_buf out;

	if (d->n <= 1)
		return d->n ? d->v[0] : NULL;
	nf_buf_init(&out, NF_FACTS_FILE_MAX_BYTES);
	for (size_t i = 0; i < d->n; i++)
		nf_buf_addf(&out, "%s%s", i ? "; " : "", d->v[i]);
	if (d->more)
		nf_buf_adds(&out, "; ...");
	text = nf_facts_take(f, &out);
	nf_buf_fini(&out);
	return text;
}

struct seen {
	struct distinct model, vendor, microcode, part;
	struct nf_span implementer; /* of the current block */
	size_t n_cpus, n_flags, n_invariant, n_hypervisor;
};

static void add_part(struct nf_facts *f, struct seen *s, struct nf_span part)
{
	char text[160];
	int n = snprintf(text, sizeof(text), "implementer %.*s part %.*s",
	                 (int)(s->implementer.n > 60 ? 60 : s->implementer.n), s->implementer.p,
	                 (int)(part.n > 60 ? 60 : part.n), part.p);

	add_distinct(f, &s->part, (struct nf_span){ text, (size_t)n });
}

static void take(struct nf_facts *f, struct seen *s, struct nf_span key, struct nf_span value)
{
	if (nf_span_is(key, "processor")) {
		s->n_cpus++;
		s->implementer = (struct nf_span){ "", 0 };
	} else if (nf_span_is(key, "model name") || nf_span_is(key, "cpu") ||
	           nf_span_is(key, "uarch")) {
		add_distinct(f, &s->model, value); /* x86; POWER; RISC-V */
	} else if (nf_span_is(key, "vendor_id") || nf_span_is(key, "mvendorid")) {
		add_distinct(f, &s->vendor, value);
	} else if (nf_span_is(key, "microcode")) {
		add_distinct(f, &s->microcode, value);
	} else if (nf_span_is(key, "CPU implementer")) {
		s->implementer = value;
		add_distinct(f, &s->vendor, value);
	} else if (nf_span_is(key, "CPU part")) {
		add_part(f, s, value);
	} else if (nf_span_is(key, "flags")) {
		s->n_flags++;
		s->n_invariant += nf_span_has_word(value, "constant_tsc") &&
		                  nf_span_has_word(value, "nonstop_tsc");
		s->n_hypervisor += nf_span_has_word(value, "hypervisor");
	}
}

void nf_facts_read_cpuinfo(struct nf_facts *f)
{
	struct seen s = { .implementer = { "", 0 } };
	struct nf_span rest, line, key;
	struct nf_posture *p = f->p;
	struct nf_buf b;

	nf_buf_init(&b, CPUINFO_MAX_BYTES);
	if (!nf_facts_file(f, "proc/cpuinfo", NF_EXPECTED, &b))
		goto out;
	rest = nf_span_of(&b);
	while (nf_span_line(&rest, &line))
		if (nf_span_cut(&line, ':', &key))
			take(f, &s, nf_span_trim(key), nf_span_trim(line));
	p->cpu_model = join(f, s.model.n ? &s.model : &s.part);
	p->cpu_vendor = join(f, &s.vendor);
	p->microcode = join(f, &s.microcode);
	/* Only x86 has a "flags" line; every CPU must have shown its own. */
	if (s.n_flags && s.n_flags == s.n_cpus) {
		p->tsc_invariant = (struct nf_fact_bool){ true, s.n_invariant == s.n_cpus };
		f->hypervisor_bit = (struct nf_fact_bool){ true, s.n_hypervisor > 0 };
	}

out:
	nf_buf_fini(&b);
}
