/* SPDX-License-Identifier: MIT */
/* What a redacted copy replaces in a text, and what it leaves: by what stands around it and how it is spelt. */
#include "nf_unit.h"

#include "record/redact_learn.h"
#include "record/redact_text.h"

static struct nf_redactor redactor(void)
{
	static const unsigned char key[NF_REDACT_KEY] = { 1, 2, 3 };
	struct nf_redactor r;

	nf_redactor_init(&r, key);
	assert_int_equal(nf_redactor_add_host(&r, "vm", NULL), 0);
	return r;
}

/* The digits depend on the key: what matters is what they stand in place of. */
static void flatten(char *s)
{
	for (char *p = s; (p = strchr(p, '-'));) {
		p++;
		if (strspn(p, "0123456789abcdef") == 10) {
			memmove(p + 1, p + 10, strlen(p + 10) + 1);
			*p = 'X';
		}
	}
}

static void redacted(const char *text, const char *want)
{
	struct nf_redactor r = redactor();
	struct nf_buf out, again;

	nf_buf_init(&out, 1 << 16);
	nf_buf_init(&again, 1 << 16);
	nf_redact_text(&r, text, strlen(text), &out);
	nf_redact_text(&r, out.data, out.len_bytes, &again);
	flatten(out.data);
	flatten(again.data);
	assert_string_equal(out.data, want);
	assert_string_equal(again.data, want);
	nf_buf_fini(&out);
	nf_buf_fini(&again);
	nf_redactor_fini(&r);
}

/* Both are replaced, by the same. */
static void same(const char *a, const char *b)
{
	struct nf_redactor r = redactor();
	struct nf_buf x, y;

	nf_buf_init(&x, 1 << 16);
	nf_buf_init(&y, 1 << 16);
	nf_redact_text(&r, a, strlen(a), &x);
	nf_redact_text(&r, b, strlen(b), &y);
	assert_string_not_equal(a, x.data);
	assert_string_equal(x.data, y.data);
	nf_buf_fini(&x);
	nf_buf_fini(&y);
	nf_redactor_fini(&r);
}

static void characters_that_are_not_ascii_part_words(void **state)
{
	(void)state;
	redacted("“10.20.30.40” →10.20.30.41", "“ip-X” →ip-X");
	redacted("“11111111-2222-3333-4444-555555555555”", "“uuid-X”");
	redacted("“00:1b:44:11:3a:b7” «2001:db8::1»", "“mac-X” «ip-X»");
	redacted("“vm” vm’s 主机vm。", "“host-X” host-X’s 主机host-X。");
	redacted("主机10.20.30.43 before\xff"
	         "10.20.30.60",
	         "主机ip-X before\xffip-X");
	redacted("\xff\xfe"
	         "10.20.30.40\x80",
	         "\xff\xfeip-X\x80");
	redacted("“89abcdef0123456789abcdef01234567”", "“id-X”");
	redacted("“dave@farm.example.com” josé@farm", "“user-X@host-X” user-X@host-X");
	redacted("Serial: “SN 1”", "Serial: serial-X");
	redacted("svm vms vm2", "svm vms vm2");
}

static void escapes_part_words(void **state)
{
	(void)state;
	redacted("\x1b[31m10.20.30.45\x1b[0m \x1b[1mvm\x1b[0m",
	         "\x1b[31mip-X\x1b[0m \x1b[1mhost-X\x1b[0m");
	redacted("\\u001b[31mvm\\u001b[0m \\nvm\\tvm",
	         "\\u001b[31mhost-X\\u001b[0m \\nhost-X\\thost-X");
	redacted("\\u4e3010.20.30.43 \\n2001:db8::7", "\\u4e30ip-X \\nip-X");
	redacted("/mnt\\040vm %2Fvm%20vm", "/mnt\\040host-X %2Fhost-X%20host-X");
	redacted("\x1b(Bvm", "\x1b(Bhost-X");
	redacted("uuid-7d9f1c52\\x2d33a0\\x2d4c5e\\x2d9b0a\\x2d0e8a5d6c4b21.swap",
	         "uuid-uuid-X.swap");
}

static void addresses_are_found_behind_letters_and_with_ports(void **state)
{
	(void)state;
	redacted("v10.20.30.45 10.20.30.40.5060 10.20.30.40x0", "vip-X ip-X.5060 ip-Xx0");
	redacted("x2001:db8::1:2:3 2001:db8::1.5353 [fe80::1]:22", "xip-X ip-X.5353 [ip-X]:22");
	redacted("v127.0.0.1 0.0.0.0 ::1 ::", "v127.0.0.1 0.0.0.0 ::1 ::");
	redacted("1.2.3 256.1.1.1 6.1.90 5.15.0-1023", "1.2.3 256.1.1.1 6.1.90 5.15.0-1023");
	redacted("std::abs foo::add 12:34:56", "std::abs foo::add 12:34:56");
	redacted("010.020.030.040", "ip-X");
	same("10.20.30.40", "010.020.030.040");
}

static void macs_and_addresses_in_names_are_found(void **state)
{
	(void)state;
	redacted("001b.4411.3ab7 1234.5678", "mac-X 1234.5678");
	redacted("wlx001b44113ab8: enx001b44113ab9", "wlxmac-X: enxmac-X");
	redacted("ec2-10-20-30-55.compute ip-10-20-30-55", "ec2-ip-X.compute ip-ip-X");
	redacted("10-20-30-55.isp.net static_10_20_30_55", "ip-X.isp.net static_ip-X");
	redacted("0-3-5-7 2026-11-30 6.1.0-1-2-3-4 cpus 1-2,3-4",
	         "0-3-5-7 2026-11-30 6.1.0-1-2-3-4 cpus 1-2,3-4");
	redacted("MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48", "MD5:mac-X");
	same("00:1b:44:11:3a:b7", "001b.4411.3ab7");
	same("00:1b:44:11:3a:b7", "00-1B-44-11-3A-B7");
	same("x 10.20.30.55", "x 10.20.30.055");
}

static void ids_are_found_by_form_and_by_name(void **state)
{
	(void)state;
	redacted("nvme-Samsung_SSD_980_S64ENX0R123456 usb-storage", "nvme-serial-X usb-storage");
	redacted("ata-WDC_WD40_WD-WX11D1234567-part1", "ata-serial-X-part1");
	redacted("usb-Kingston_60A44C426627-0:0-part2", "usb-serial-X-0:0-part2");
	redacted("wwn-0x5000c500a1b2c3d4 usb-0000:00:14.0-1", "wwn-serial-X usb-0000:00:14.0-1");
	redacted("/dev/disk/by-id/nvme-short /dev/disk/by-uuid/1234-ABCD",
	         "/dev/disk/by-id/nvme-serial-X /dev/disk/by-uuid/uuid-X");
	redacted("/dev/disk/by-label/backup /dev/disk/by-path/pci-0000:00:1f.2-ata-1",
	         "/dev/disk/by-label/id-X /dev/disk/by-path/pci-0000:00:1f.2-ata-1");
	redacted("PARTUUID=deadbeef-01 UUID=\"1234-ABCD\" Disk identifier: 0xdeadbeef",
	         "PARTUUID=uuid-X UUID=\"uuid-X\" Disk identifier: uuid-X");
	redacted("12345678901234567890123456789012 123456789012 00000000000000000000000000000000",
	         "id-X 123456789012 00000000000000000000000000000000");
	redacted("7D9F1C52-33a0-4c5e-9b0a-0e8a5d6c4b21e "
	         "boot_id=7d9f1c52_33a0_4c5e_9b0a_0e8a5d6c4b21",
	         "uuid-X boot_id=uuid-X");
	redacted("6.1.0-rc1-g1a2b3c4d5e6f x89abcdef0123456789abcdef01234567",
	         "6.1.0-rc1-g1a2b3c4d5e6f xid-X");
}

/* Whether the text adds just this word, or none. */
static void learns(const char *text, const char *kind, const char *want)
{
	struct nf_redactor r = redactor();
	size_t before = r.n_words;

	assert_int_equal(nf_redactor_learn_text(&r, text, strlen(text), NULL), 0);
	if (r.n_words != before + (want != NULL))
		fail_msg("%s: %zu words", text, r.n_words - before);
	for (size_t i = 0; want && i < r.n_words; i++)
		if (strcmp(r.word[i].text, want) == 0) {
			assert_string_equal(r.word[i].kind, kind);
			nf_redactor_fini(&r);
			return;
		}
	if (want)
		fail_msg("%s: %s was not learnt", text, want);
	nf_redactor_fini(&r);
}

static void users_are_learnt_where_a_text_says_so(void **state)
{
	(void)state;
	learns("/home/dave", "user", "dave");
	learns("“/var/home/dave”", "user", "dave");
	learns("see /export/home/dave.", "user", "dave");
	learns("/home/josé/x", "user", "josé");
	learns("C:\\Users\\dave\\x", "user", "dave");
	learns("\"\\/home\\/dave\\/x\"", "user", "dave");
	learns("uid=1000(dave)", "user", "dave");
	learns("SUDO_USER=dave HOME=/root", "user", "dave");
	learns("LOGNAME=\"dave\"", "user", "dave");
	learns("pam: logname=dave uid=0", "user", "dave");
	learns("HOSTNAME=farm3", "host", "farm3");
}

static void what_names_nobody_is_not_learnt(void **state)
{
	static const char *const texts[] = { "",
		                             "/home/",
		                             "/home/1000/x",
		                             "/home/root",
		                             "/home/ubuntu/x",
		                             "/homes/dave",
		                             "uid=1000 (dave)",
		                             "uid=(dave)",
		                             "USER=",
		                             "user=12.5 system=3",
		                             "superuser=yes2",
		                             "/home/user-0123456789/x",
		                             "/home/cpu/x" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		learns(texts[i], NULL, NULL);
}

/* In paths to homes they go all the same. */
static void a_home_is_replaced_whoever_it_belongs_to(void **state)
{
	(void)state;
	redacted("/home/1000/x /home/ubuntu.", "/home/user-X/x /home/user-X.");
	redacted("Ubuntu 1000 root", "Ubuntu 1000 root");
	same("/home/Gina", "/home/gina");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(characters_that_are_not_ascii_part_words),
	cmocka_unit_test(escapes_part_words),
	cmocka_unit_test(addresses_are_found_behind_letters_and_with_ports),
	cmocka_unit_test(macs_and_addresses_in_names_are_found),
	cmocka_unit_test(ids_are_found_by_form_and_by_name),
	cmocka_unit_test(users_are_learnt_where_a_text_says_so),
	cmocka_unit_test(what_names_nobody_is_not_learnt),
	cmocka_unit_test(a_home_is_replaced_whoever_it_belongs_to),
};
NF_UNIT_MAIN(tests)
