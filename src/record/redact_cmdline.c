/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "record/redact_text.h"

/* Parameters whose values say nothing of whose machine it is; a star stands for any end of the name. */
static const char *const harmless[] = {
	"isolcpus",
	"nohz_full",
	"nohz",
	"rcu_nocbs",
	"rcu_nocb_poll",
	"irqaffinity",
	"preempt",
	"mitigations",
	"intel_pstate",
	"intel_idle.*",
	"amd_pstate",
	"processor.*",
	"idle",
	"cpuidle*",
	"tsc",
	"clocksource",
	"hpet",
	"nosmt",
	"smt",
	"maxcpus",
	"nr_cpus",
	"threadirqs",
	"skew_tick",
	"nosoftlockup",
	"nmi_watchdog",
	"watchdog",
	"nowatchdog",
	"mce",
	"transparent_hugepage",
	"hugepages",
	"hugepagesz",
	"default_hugepagesz",
	"numa_balancing",
	"numa",
	"kthread_cpus",
	"cgroup_*",
	"systemd.unified_cgroup_hierarchy",
	"quiet",
	"splash",
	"ro",
	"rw",
	"debug",
	"panic",
	"console",
	"earlycon",
	"efi",
	"pci",
	"iommu",
	"intel_iommu",
	"amd_iommu",
	"noapic",
	"nolapic",
	"lapic",
	"acpi",
	"reboot",
	"selinux",
	"apparmor",
	"security",
	"spectre_v2",
	"pti",
	"nopti",
	"l1tf",
	"mds",
	"retbleed",
	"kvm*",
	"rcupdate.*",
	"rcutree.*",
	"workqueue.*",
	"sched_*",
	"psi",
	"loglevel",
	"audit",
	"swiotlb",
	"haltpoll.*",
	NULL,
};

static bool is_harmless(const char *name, size_t len)
{
	for (size_t i = 0; harmless[i]; i++) {
		size_t n = strlen(harmless[i]);

		if (harmless[i][n - 1] == '*'
		            ? len >= n - 1 && memcmp(name, harmless[i], n - 1) == 0
		            : len == n && memcmp(name, harmless[i], n) == 0)
			return true;
	}
	return false;
}

static void put_value(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out)
{
	char name[NF_PSEUDONYM];

	if (len > 4 && memcmp(s, "arg-", 4) == 0) { /* already one */
		(void)nf_buf_add(out, s, len);
		return;
	}
	nf_pseudonym(r, "arg", s, len, name);
	(void)nf_buf_adds(out, name);
}

static void put_parameter(const struct nf_redactor *r, const char *s, size_t len, bool init,
                          struct nf_buf *out)
{
	const char *equals = memchr(s, '=', len);
	size_t name = equals ? (size_t)(equals - s) : len;

	if (init) {
		put_value(r, s, len, out);
	} else if (is_harmless(s, name)) {
		nf_redact_text(r, s, len, out);
	} else {
		nf_redact_text(r, s, name, out);
		if (equals) {
			(void)nf_buf_addc(out, '=');
			/* The image's file tells the kernel; what stands before it, the disk. */
			size_t base = len;
			while (base > name && s[base - 1] != '/')
				base--;
			if (name == 10 && memcmp(s, "BOOT_IMAGE", 10) == 0 && base > name)
				nf_redact_text(r, s + base, len - base, out);
			else
				put_value(r, equals + 1, len - name - 1, out);
		}
	}
}

void nf_redact_cmdline(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out)
{
	bool init = false;

	for (size_t i = 0; i < len;) {
		size_t blank = 0, word = 0;

		while (i + blank < len && strchr(" \t\r\n", s[i + blank]))
			blank++;
		(void)nf_buf_add(out, s + i, blank);
		i += blank;
		while (i + word < len && !strchr(" \t\r\n", s[i + word]))
			word++;
		if (word == 2 && s[i] == '-' && s[i + 1] == '-') {
			(void)nf_buf_adds(out, "--");
			init = true; /* the rest are arguments of init */
		} else if (word > 0) {
			put_parameter(r, s + i, word, init, out);
		}
		i += word;
	}
}
