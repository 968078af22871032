/* SPDX-License-Identifier: MIT */
/* Hardware, guest or container, DMI, and the machine's hash. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "machine/cpuid.h"
#include "machine/facts.h"

#define DMI "sys/class/dmi/id/"

enum { MACHINE_ID_HEX = 32, ENVIRON_MAX_BYTES = 4 << 20 };

/* What DMI's vendor or product begins with on guests. Firms that also sell hardware under the same
 * vendor (Amazon EC2's metal instances) are told by the CPU instead. */
static const struct {
	const char *prefix;
	const char *kind;
} dmi_guests[] = {
	{ "KVM", "kvm" },
	{ "OpenStack", "kvm" },
	{ "KubeVirt", "kvm" },
	{ "Google Compute Engine", "kvm" },
	{ "QEMU", "vm" },
	{ "Bochs", "vm" },
	{ "VMware", "vm" },
	{ "VMW", "vm" },
	{ "innotek GmbH", "vm" },
	{ "VirtualBox", "vm" },
	{ "Xen", "vm" },
	{ "HVM domU", "vm" },
	{ "Parallels", "vm" },
	{ "BHYVE", "vm" },
	{ "Virtual Machine", "vm" },
	{ "Apple Virtualization", "vm" },
	{ "Hyper-V", "vm" },
};

static const char *kind_from_dmi(const char *text)
{
	for (size_t i = 0; text && i < sizeof(dmi_guests) / sizeof(dmi_guests[0]); i++)
		if (strncmp(text, dmi_guests[i].prefix, strlen(dmi_guests[i].prefix)) == 0)
			return dmi_guests[i].kind;
	return NULL;
}

/* Vendor signatures of leaf 0x40000000. */
static const char *kind_from_signature(const char *vendor)
{
	if (strcmp(vendor, "KVMKVMKVM") == 0)
		return "kvm";
	if (strcmp(vendor, "TCGTCGTCGTCG") == 0)
		return "tcg";
	return "vm";
}

/* Initial namespaces have fixed inode numbers (include/uapi/linux/nsfs.h and, before,
 * include/linux/proc_ns.h). 1: this process is in the initial one, 0: not, -1: unknown. */
static int in_initial(struct nf_facts *f, const char *name, unsigned inode)
{
	const char *got = NULL;
	char path[64], want[64];
	struct nf_err why = { 0 };
	int r;

	snprintf(path, sizeof(path), "proc/self/ns/%s", name);
	snprintf(want, sizeof(want), "%s:[%u]", name, inode);
	r = nf_rootfs_readlink_base(f->root, path, f->a, &got, &why);
	if (r == -NF_ENOMEM)
		nf_facts_ok(f, r, &why, path, NF_OPTIONAL);
	if (r < 0)
		return -1;
	return strcmp(got, want) == 0;
}

/* PID 1's environment as container managers set it: container=NAME. */
static bool init_is_container(struct nf_facts *f)
{
	struct nf_span rest, entry;
	bool found = false;
	struct nf_buf b;

	nf_buf_init(&b, ENVIRON_MAX_BYTES);
	if (nf_facts_file(f, "proc/1/environ", NF_OPTIONAL, &b)) {
		rest = nf_span_of(&b);
		while (!found && nf_span_cut(&rest, '\0', &entry))
			found = nf_span_starts(entry, "container=") &&
			        entry.n > strlen("container=");
	}
	nf_buf_fini(&b);
	return found;
}

/*
 * A process whose PID, UTS and IPC namespaces are all the initial ones is in no container: marker
 * files at the root then only say that the file system was once a container's image. A PID namespace
 * of its own is a container whatever the files say. Where the namespaces cannot be told, the marker
 * files and PID 1's environment decide.
 */
static bool in_container(struct nf_facts *f)
{
	static const char *const markers[] = { ".dockerenv", "run/.containerenv",
		                               "run/systemd/container" };
	int pid, uts, ipc;

	if (f->failed)
		return false;
	pid = in_initial(f, "pid", 0xeffffffcu);
	uts = in_initial(f, "uts", 0xeffffffeu);
	ipc = in_initial(f, "ipc", 0xefffffffu);
	if (pid == 1 && uts == 1 && ipc == 1)
		return false;
	if (pid == 0)
		return true;
	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++)
		if (nf_rootfs_exists(f->root, markers[i]))
			return true;
	return init_is_container(f);
}

/* The hypervisor's name where something names it. */
static const char *hypervisor_name(struct nf_facts *f)
{
	char vendor[NF_CPUID_VENDOR_BYTES] = "";
	bool present;
	const char *name;

	if (f->root->live && nf_cpuid_hypervisor(&present, vendor)) {
		f->hypervisor_bit = (struct nf_fact_bool){ true, present };
		if (*vendor)
			return nf_arena_strdup(f->a, vendor);
	}
	name = nf_facts_text(f, "sys/hypervisor/type", NF_OPTIONAL);
	if (!name)
		name = nf_facts_text(f, "proc/device-tree/hypervisor/compatible", NF_OPTIONAL);
	return name;
}

static bool begins(const char *text, const char *prefix)
{
	return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The kind of guest, or NULL when nothing says that this is one. */
static const char *guest_kind(struct nf_facts *f)
{
	struct nf_posture *p = f->p;
	bool bit = f->hypervisor_bit.some && f->hypervisor_bit.v;
	const char *kind;

	if (begins(p->cpu_model, "QEMU TCG"))
		return "tcg";
	if (p->hypervisor) {
		if (begins(p->hypervisor, "linux,kvm"))
			return "kvm";
		kind = kind_from_signature(p->hypervisor);
		if (strcmp(kind, "vm") != 0 || bit)
			return kind;
	}
	/* The kernel registers this clock only after it has found KVM's signature. */
	if (p->clocksources &&
	    nf_span_has_word((struct nf_span){ p->clocksources, strlen(p->clocksources) },
	                     "kvm-clock"))
		return "kvm";
	kind = kind_from_dmi(p->dmi_product);
	if (!kind)
		kind = kind_from_dmi(p->dmi_vendor);
	if (kind)
		return kind;
	return bit || p->hypervisor ? "vm" : NULL;
}

/* "version date", as far as they are there. */
static const char *bios(struct nf_facts *f)
{
	const char *version = nf_facts_text(f, DMI "bios_version", NF_OPTIONAL);
	const char *date = nf_facts_text(f, DMI "bios_date", NF_OPTIONAL);

	if (version && date)
		return nf_arena_printf(f->a, "%s %s", version, date);
	return version ? version : date;
}

/* Device-tree texts end in a NUL, which ends the line. */
static const char *board_model(struct nf_facts *f)
{
	return nf_facts_text(f, "proc/device-tree/model", NF_OPTIONAL);
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The id (machine-id(5): 32 lower-case hexadecimal digits, not all 0) must not leave the machine; an
 * HMAC keyed by it identifies the machine to this application only. */
static const char *machine_hash(struct nf_facts *f, const char *product)
{
	const char *id = nf_facts_text(f, "etc/machine-id", NF_OPTIONAL);
	uint8_t key[MACHINE_ID_HEX / 2], digest[NF_SHA256_BYTES], any = 0;
	char hex[NF_SHA256_HEX];
	const char *message;

	if (!id || strlen(id) != MACHINE_ID_HEX)
		return NULL;
	for (size_t i = 0; i < sizeof(key); i++) {
		int high = hex_value(id[2 * i]), low = hex_value(id[2 * i + 1]);

		if (high < 0 || low < 0)
			return NULL;
		key[i] = (uint8_t)(high * 16 + low);
		any |= key[i];
	}
	message = nf_arena_printf(f->a, "noisefloor machine 1\n%s", product ? product : "");
	if (!any || !message)
		return NULL;
	nf_hmac_sha256(key, sizeof(key), message, strlen(message), digest);
	nf_sha256_hex(digest, hex);
	return nf_arena_strdup(f->a, hex);
}

void nf_facts_read_platform(struct nf_facts *f)
{
	struct nf_posture *p = f->p;
	const char *guest, *model;

	p->dmi_vendor = nf_facts_text(f, DMI "sys_vendor", NF_OPTIONAL);
	p->dmi_product = nf_facts_text(f, DMI "product_name", NF_OPTIONAL);
	p->bios_version = bios(f);
	model = board_model(f);
	p->hypervisor = hypervisor_name(f);
	guest = guest_kind(f);
	f->is_container = in_container(f);
	if (f->is_container)
		p->platform_kind = "container";
	else if (guest)
		p->platform_kind = guest;
	else if ((f->hypervisor_bit.some && !f->hypervisor_bit.v) || p->dmi_product || model)
		p->platform_kind = "hardware";
	p->machine_hash = machine_hash(f, p->dmi_product ? p->dmi_product : model);
}
