/* SPDX-License-Identifier: MIT */
/* What the kernel says about itself: uname, command line, realtime, preemption, configuration, clocks. */
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/utsname.h>

#include "machine/facts.h"
#include "machine/kconfig.h"

/*
 * What `uname -v` ("#1 SMP PREEMPT_DYNAMIC ...") says about preemption. The kernel's build writes the
 * model into this string: PREEMPT_RT has always been there since CONFIG_PREEMPT_RT exists (and
 * "PREEMPT RT" in the out-of-tree patch before it), so a well-formed string without it is evidence of
 * a kernel that is not realtime. A PREEMPT word that is not known is no evidence of anything.
 */
enum named {
	NAMES_NOTHING_KNOWN, /* not a build string, or an unknown model */
	NAMES_NO_MODEL, /* none or voluntary */
	NAMES_FULL,
	NAMES_LAZY,
	NAMES_DYNAMIC,
	NAMES_RT,
};

static enum named model_of(const char *version)
{
	struct nf_span rest = { version, strlen(version) }, word;
	enum named found = NAMES_NO_MODEL;

	if (version[0] != '#')
		return NAMES_NOTHING_KNOWN;
	while (nf_span_word(&rest, &word)) {
		if (nf_span_is(word, "PREEMPT_RT") ||
		    (found == NAMES_FULL && nf_span_is(word, "RT")))
			return NAMES_RT;
		if (nf_span_is(word, "PREEMPT"))
			found = NAMES_FULL;
		else if (nf_span_is(word, "PREEMPT_LAZY"))
			found = NAMES_LAZY;
		else if (nf_span_is(word, "PREEMPT_DYNAMIC"))
			found = NAMES_DYNAMIC;
		else if (nf_span_starts(word, "PREEMPT"))
			return NAMES_NOTHING_KNOWN;
	}
	return found;
}

/* Release and version from "Linux version RELEASE (builder) (compiler) #1 SMP ...". */
static void from_proc_version(struct nf_facts *f)
{
	const char *line = nf_facts_text(f, "proc/version", NF_EXPECTED);
	static const char prefix[] = "Linux version ";
	const char *number;

	if (!line || strncmp(line, prefix, strlen(prefix)) != 0)
		return;
	line += strlen(prefix);
	if (!f->p->kernel_release)
		f->p->kernel_release =
		        nf_facts_dup(f, (struct nf_span){ line, strcspn(line, " ") });
	number = strstr(line, ") #");
	if (!f->p->kernel_version && number)
		f->p->kernel_version = nf_arena_strdup(f->a, number + 2);
}

static void names(struct nf_facts *f)
{
	struct nf_posture *p = f->p;
	struct utsname u;

	p->kernel_release = nf_facts_text(f, "proc/sys/kernel/osrelease", NF_EXPECTED);
	p->kernel_version = nf_facts_text(f, "proc/sys/kernel/version", NF_EXPECTED);
	p->machine_arch = nf_facts_text(f, "proc/sys/kernel/arch", NF_OPTIONAL);
	p->host_name = nf_facts_text(f, "proc/sys/kernel/hostname", NF_EXPECTED);
	if (f->root->live && uname(&u) == 0) {
		if (!p->kernel_release)
			p->kernel_release = nf_arena_strdup(f->a, u.release);
		if (!p->kernel_version)
			p->kernel_version = nf_arena_strdup(f->a, u.version);
		if (!p->machine_arch)
			p->machine_arch = nf_arena_strdup(f->a, u.machine);
		if (!p->host_name)
			p->host_name = nf_arena_strdup(f->a, u.nodename);
	}
	if (!p->kernel_release || !p->kernel_version)
		from_proc_version(f);
	p->kernel_cmdline = nf_facts_line(f, "proc/cmdline", NF_EXPECTED);
	p->boot_id = nf_facts_text(f, "proc/sys/kernel/random/boot_id", NF_EXPECTED);
}

static bool config_is(const struct nf_buf *config, const char *name, const char *value)
{
	struct nf_span got;

	return nf_kconfig_get(config, name, &got) && nf_span_is(got, value);
}

static void realtime(struct nf_facts *f, enum named model, const struct nf_buf *config)
{
	struct nf_posture *p = f->p;
	struct nf_span got;

	p->realtime = nf_facts_flag(f, "sys/kernel/realtime", NF_OPTIONAL);
	if (p->realtime.some) {
		p->realtime_source = "/sys/kernel/realtime";
	} else if (model != NAMES_NOTHING_KNOWN) {
		p->realtime = (struct nf_fact_bool){ true, model == NAMES_RT };
		p->realtime_source = "uname -v";
	} else if (config_is(config, "PREEMPT_RT", "y") ||
	           config_is(config, "PREEMPT_RT_FULL", "y")) {
		p->realtime = (struct nf_fact_bool){ true, true };
		p->realtime_source = p->config_source;
	} else if (nf_kconfig_get(config, "PREEMPT_NONE", &got)) {
		/* The choice of the model is in every configuration. */
		p->realtime = (struct nf_fact_bool){ true, false };
		p->realtime_source = p->config_source;
	}
}

/* "none (voluntary) full": the mode in force. */
static const char *dynamic_mode(struct nf_facts *f)
{
	const char *line = nf_facts_text(f, "sys/kernel/debug/sched/preempt", NF_OPTIONAL);
	const char *open = line ? strchr(line, '(') : NULL;
	size_t n = open ? strcspn(open + 1, ")") : 0;

	if (n == 0 || open[n + 1] != ')')
		return "dynamic";
	return nf_arena_printf(f->a, "dynamic (%.*s)", (int)(n > 64 ? 64 : n), open + 1);
}

static const char *preemption(struct nf_facts *f, enum named model, const struct nf_buf *config)
{
	static const struct {
		const char *option, *model;
	} options[] = {
		{ "PREEMPT_NONE", "none" },
		{ "PREEMPT_VOLUNTARY", "voluntary" },
		{ "PREEMPT_LAZY", "lazy" },
		{ "PREEMPT", "full" },
	};

	if (f->p->realtime.some && f->p->realtime.v)
		return "rt";
	if (model == NAMES_DYNAMIC || config_is(config, "PREEMPT_DYNAMIC", "y"))
		return dynamic_mode(f);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (config_is(config, options[i].option, "y"))
			return options[i].model;
	if (model == NAMES_FULL)
		return "full";
	return model == NAMES_LAZY ? "lazy" : NULL;
}

static void configured(struct nf_facts *f)
{
	enum named model = NAMES_NOTHING_KNOWN;
	char source[NF_KCONFIG_SOURCE_BYTES] = "";
	struct nf_posture *p = f->p;
	struct nf_err why = { 0 };
	struct nf_buf config;
	struct nf_span got;
	int r;

	nf_buf_init(&config, NF_KCONFIG_MAX_BYTES);
	if (f->failed)
		goto out;
	r = nf_kconfig_load(f->root, p->kernel_release, &config, source, &why);
	if (nf_facts_ok(f, r, &why, *source ? source : "proc/config.gz", NF_OPTIONAL))
		p->config_source = nf_arena_printf(f->a, "/%s", source);
	else
		nf_buf_clear(&config);
	if (nf_kconfig_get(&config, "HZ", &got))
		p->config_hz.some = nf_span_u64(got, &p->config_hz.v);
	if (p->kernel_version)
		model = model_of(p->kernel_version);
	realtime(f, model, &config);
	p->preemption_model = preemption(f, model, &config);

out:
	nf_buf_fini(&config);
}

/* "always [madvise] never": the word in brackets. */
static const char *bracketed(struct nf_facts *f, const char *path)
{
	const char *line = nf_facts_text(f, path, NF_OPTIONAL);
	const char *open = line ? strchr(line, '[') : NULL;
	size_t n = open ? strcspn(open + 1, "]") : 0;

	if (n == 0 || open[n + 1] != ']')
		return NULL;
	return nf_arena_strndup(f->a, open + 1, n);
}

/* adjtimex(2) with no mode set only reads. */
static const char *clock_sync(struct nf_facts *f)
{
	struct timex t = { .modes = 0 };
	int state;

	if (!f->root->live)
		return NULL;
	state = adjtimex(&t);
	if (state < 0)
		return NULL;
	return state == TIME_ERROR || (t.status & STA_UNSYNC) ? "unsynchronised" : "synchronised";
}

void nf_facts_read_kernel(struct nf_facts *f)
{
	static const char clocks[] = "sys/devices/system/clocksource/clocksource0/";
	struct nf_posture *p = f->p;
	char path[128];

	names(f);
	configured(f);
	p->tuned_profile = nf_facts_text(f, "etc/tuned/active_profile", NF_OPTIONAL);
	p->transparent_hugepage = bracketed(f, "sys/kernel/mm/transparent_hugepage/enabled");
	snprintf(path, sizeof(path), "%scurrent_clocksource", clocks);
	p->clocksource = nf_facts_text(f, path, NF_EXPECTED);
	snprintf(path, sizeof(path), "%savailable_clocksource", clocks);
	p->clocksources = nf_facts_text(f, path, NF_EXPECTED);
	p->clock_sync = clock_sync(f);
}
