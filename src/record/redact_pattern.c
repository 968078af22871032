/* SPDX-License-Identifier: MIT */
#include "record/redact_pattern.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"
#define HEX DIGITS "abcdefABCDEF"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { HEX_LEAST = 12, HEX_SURE = 32, PAIRS_LEAST = 6, PAIRS_MOST = 64, ADDRESS_BYTES = 64 };

/* A match at a spot: fills what differs from nothing and returns the length with what is skipped, or 0. */
typedef size_t match_fn(const struct nf_redact_spot *at, struct nf_redact_found *f);

bool nf_redact_is_word(char c)
{
	return isalnum((unsigned char)c) && (unsigned char)c < 0x80;
}

static size_t run_of(const char *s, size_t n, const char *set)
{
	size_t i = 0;

	while (i < n && s[i] && strchr(set, s[i]))
		i++;
	return i;
}

static bool is_hex(char c)
{
	return c && strchr(HEX, c);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The byte in front of a spot that belongs to the same text; a NUL where a token begins. */
static char prior(const struct nf_redact_spot *at)
{
	return at->before > 0 && !at->fresh ? at->s[-1] : '\0';
}

static char next(const struct nf_redact_spot *at, size_t len)
{
	return len < at->n ? at->s[len] : '\0';
}

static size_t found(struct nf_redact_found *f, const char *kind, size_t skip, size_t len)
{
	f->kind = kind;
	f->skip = skip;
	f->len = len;
	return skip + len;
}

/* The hexadecimal digits of a text. */
static void keep_digits(struct nf_redact_found *f, const char *s, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n && len + 1 < sizeof(f->plain); i++)
		if (is_hex(s[i]))
			f->plain[len++] = s[i];
	f->plain[len] = '\0';
}

size_t nf_redact_name_run(const char *s, size_t n)
{
	size_t i = 0;

	/* Not from within a character. */
	if (n > 0 && ((unsigned char)*s & 0xc0) == 0x80)
		return 0;
	while (i < n && s[i]) {
		unsigned char c = (unsigned char)s[i], d = i + 1 < n ? (unsigned char)s[i + 1] : 0;

		if (c < 0x80
		            ? !strchr(LETTERS DIGITS "._-+", s[i])
		            /* Punctuation of Latin-1, U+2000..203F, of CJK and in full width; no UTF-8. */
		            : c == 0xc2 || (c == 0xe2 && d == 0x80) || (c == 0xe3 && d == 0x80) ||
		                      c == 0xef || c >= 0xf8)
			break;
		i++;
	}
	return i;
}

size_t nf_redact_home(const char *s, size_t n)
{
	static const char *const folders[] = { "home",       "users",      "var/mail",
		                               "spool/mail", "spool/cron", "run/media" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t at = run_of(s, n, "/\\");
		const char *want = folders[i];

		while (at > 0 && *want && at < n) {
			if (*want == '/') {
				size_t sep = run_of(s + at, n - at, "/\\");

				if (sep == 0)
					break;
				at += sep;
			} else if (tolower((unsigned char)s[at++]) != *want) {
				break;
			}
			want++;
		}
		size_t sep = *want || at == 0 ? 0 : run_of(s + at, n - at, "/\\");
		if (sep > 0)
			return at + sep;
	}
	return 0;
}

size_t nf_redact_pseudonym_at(const char *s, size_t n)
{
	static const char *const kinds[] = { "host-", "user-",   "ip-",  "mac-",  "uuid-",
		                             "id-",   "serial-", "arg-", "word-", "name-" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i]);

		if (n >= len + 10 && memcmp(s, kinds[i], len) == 0 &&
		    run_of(s + len, n - len, DIGITS "abcdef") == 10 &&
		    (n == len + 10 || !is_hex(s[len + 10])))
			return len + 10;
	}
	return 0;
}

size_t nf_redact_escape(const char *s, size_t n)
{
	if (n < 2)
		return 0;
	if (*s == '[') { /* of a terminal: "[0;31m" after an escape in any spelling */
		size_t len = 1 + run_of(s + 1, n - 1, DIGITS ";?");

		return len < n && s[len] && strchr("mKJHABCDGdhl", s[len]) ? len + 1 : 0;
	}
	if (*s == '\x1b')
		return s[1] == '[' ? 0 : strchr("()*+", s[1]) && n > 2 && s[1] ? 3 : 2;
	if (*s == '%')
		return run_of(s + 1, n - 1, HEX) >= 2 ? 3 : 0;
	if (*s != '\\' || !nf_redact_is_word(s[1]))
		return 0;
	if (s[1] == 'x' && run_of(s + 2, n - 2, HEX) >= 2)
		return 4;
	if (s[1] == 'u' && run_of(s + 2, n - 2, HEX) >= 4)
		return 6;
	return run_of(s + 1, n - 1, "01234567") >= 3 ? 4 : 2;
}

/* With dashes, with underscores as names of files have them, and as systemd spells dashes. */
static size_t match_uuid(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	static const size_t part[] = { 8, 4, 4, 4, 12 };
	static const char *const separators[] = { "-", "_", "\\x2d" };

	for (size_t k = 0; k < sizeof(separators) / sizeof(separators[0]); k++) {
		size_t len = 0, i, sep = strlen(separators[k]), digits = 0;

		for (i = 0; i < 5; i++) {
			if (i > 0 &&
			    (at->n - len < sep || memcmp(at->s + len, separators[k], sep) != 0))
				break;
			len += i > 0 ? sep : 0;
			size_t hex = run_of(at->s + len, at->n - len, HEX);
			if (i < 4 ? hex != part[i] : hex < part[i])
				break;
			memcpy(f->plain + digits, at->s + len, part[i]);
			digits += part[i];
			len += hex;
		}
		f->plain[i == 5 ? digits : 0] = '\0';
		if (i == 5)
			return found(f, "uuid", 0, len);
	}
	return 0;
}

/* Six or more pairs of hexadecimal digits: Ethernet, EUI-64, InfiniBand, fingerprints of keys. */
static size_t match_mac(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	size_t pairs = 0, len = 0;
	char sep = next(at, 2);

	/* "MD5:" in front of a fingerprint is no pair. */
	if ((sep != ':' && sep != '-') || (!at->edge && !is_digit(*at->s)))
		return 0;
	while (pairs < PAIRS_MOST && run_of(at->s + len, at->n - len, HEX) >= 2) {
		pairs++;
		len += 2;
		if (next(at, len) != sep)
			break;
		len++;
	}
	if (len > 0 && at->s[len - 1] == sep)
		len--;
	if (pairs < PAIRS_LEAST)
		return 0;
	keep_digits(f, at->s, len);
	return found(f, "mac", 0, len);
}

/* As switches write it: 001b.4411.3ab7. */
static size_t match_mac_dotted(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	size_t len = 0;

	if (is_hex(prior(at)) || (prior(at) == '.' && at->before > 1 && is_hex(at->s[-2])))
		return 0;
	for (size_t i = 0; i < 3; i++) {
		if (i > 0 && next(at, len++) != '.')
			return 0;
		if (len >= at->n || run_of(at->s + len, at->n - len, HEX) != 4)
			return 0;
		len += 4;
	}
	keep_digits(f, at->s, len);
	return found(f, "mac", 0, len);
}

/* The MAC address in a name of an interface: enx, wlx, wwx, slx, ibx. */
static size_t match_interface(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	static const char *const names[] = { "enx", "wlx", "wwx", "slx", "ibx" };

	for (size_t i = 0; at->edge && i < sizeof(names) / sizeof(names[0]); i++) {
		if (at->n < 15 || memcmp(at->s, names[i], 3) != 0 ||
		    run_of(at->s + 3, at->n - 3, HEX) != 12)
			continue;
		keep_digits(f, at->s + 3, 12);
		return found(f, "mac", 3, 12);
	}
	return 0;
}

/* Four numbers up to 255 with a separator between them. */
static size_t four_numbers(const char *s, size_t n, char sep, unsigned int ret[4])
{
	size_t len = 0;

	for (size_t i = 0; i < 4; i++) {
		if (i > 0 && (len >= n || s[len++] != sep))
			return 0;
		size_t digits = run_of(s + len, n - len, DIGITS);
		if (digits == 0 || digits > 3)
			return 0;
		ret[i] = 0;
		for (; digits > 0; digits--)
			ret[i] = ret[i] * 10 + (unsigned int)(s[len++] - '0');
		if (ret[i] > 255)
			return 0;
	}
	return len;
}

/* Also right behind a letter (v10.1.2.3) and in front of a port (10.1.2.3.8080). */
static size_t match_ipv4(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	unsigned int part[4];
	size_t len = is_digit(prior(at)) ? 0 : four_numbers(at->s, at->n, '.', part);

	if (len == 0)
		return 0;
	bool stays = part[0] == 127 || (part[0] | part[1] | part[2] | part[3]) == 0;
	snprintf(f->plain, sizeof(f->plain), "%u.%u.%u.%u", part[0], part[1], part[2], part[3]);
	return found(f, stays ? NULL : "ip", 0, len);
}

/* ip-10-1-2-3, ec2-10-1-2-3.compute.example.com, static_10_1_2_3: four numbers behind a word with a letter, or
 * in front of a domain. */
static size_t match_ipv4_in_name(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	unsigned int part[4];
	char sep = '\0', before = prior(at);
	size_t digits = run_of(at->s, at->n, DIGITS), word = 0, len;
	bool letter = false;

	if (!at->edge || digits == 0 || digits > 3)
		return 0;
	sep = next(at, digits);
	if ((sep != '-' && sep != '_') || is_digit(before))
		return 0;
	len = four_numbers(at->s, at->n, sep, part);
	if (len == 0 || part[0] == 0 || nf_redact_is_word(next(at, len)) ||
	    (next(at, len) == sep && is_digit(next(at, len + 1))))
		return 0;
	while (before == sep && word + 1 < at->before &&
	       nf_redact_is_word(at->s[-2 - (ptrdiff_t)word]))
		letter |= !is_digit(at->s[-2 - (ptrdiff_t)word++]);
	bool domain = !nf_redact_is_word(before) && before != sep && next(at, len) == '.' &&
	              isalpha((unsigned char)next(at, len + 1));
	if (!letter && !domain)
		return 0;
	snprintf(f->plain, sizeof(f->plain), "%u.%u.%u.%u", part[0], part[1], part[2], part[3]);
	return found(f, "ip", 0, len);
}

static size_t match_ipv6(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	size_t len = run_of(at->s, at->n, HEX ":."), colons = 0;
	char text[ADDRESS_BYTES], before = prior(at);
	unsigned char a[16];

	if (!memchr(at->s, ':', len) || (*at->s == ':' && nf_redact_is_word(before)))
		return 0;
	/* Names in C++ (std::abs) are none: behind a letter, more than they have. */
	if (!at->edge && (!is_digit(*at->s) || is_digit(before)))
		return 0;
	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	/* A port, a colon or a dot may follow. */
	for (; len > 2; len--) {
		if (nf_redact_is_word(next(at, len)))
			continue;
		memcpy(text, at->s, len);
		text[len] = '\0';
		if (inet_pton(AF_INET6, text, a) != 1)
			continue;
		for (size_t i = 0; i < len; i++)
			colons += text[i] == ':';
		if (!at->edge && (colons < 3 || next(at, len) == ':'))
			return 0;
		bool stays = strspn(text, "0:") == len || strcmp(text, "::1") == 0;
		return found(f, stays ? NULL : "ip", 0, len);
	}
	return 0;
}

/* Long hexadecimal names have digits of both kinds: machine and container ids, no CPU masks of zeros and fs, no counts.
 * From 32 digits on they are no counts. */
static size_t match_hex(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	size_t skip = at->n > 2 && at->s[0] == '0' && (at->s[1] == 'x' || at->s[1] == 'X') ? 2 : 0;
	const char *s = at->s + skip;
	size_t len = run_of(s, at->n - skip, HEX), digits = run_of(s, len, DIGITS);
	bool masks = run_of(s, len, "0fF") == len, sure = len >= HEX_SURE;

	if (len < HEX_LEAST || masks || (digits == len && !sure))
		return 0;
	/* An abbreviated commit in a version (-g1a2b3c4d5e6f) is none. */
	if (sure ? is_hex(prior(at)) : !at->edge || nf_redact_is_word(next(at, len + skip)))
		return 0;
	return found(f, "id", 0, len + skip);
}

/* /home/NAME. */
static size_t match_home(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	size_t home = nf_redact_home(at->s, at->n);
	size_t len = home ? nf_redact_name_run(at->s + home, at->n - home) : 0;

	while (len > 0 && at->s[home + len - 1] == '.')
		len--;
	if (len == 0)
		return 0;
	/* A pseudonym or a longer text that begins with one, such as NAME.txt. */
	return nf_redact_pseudonym_at(at->s + home, at->n - home) ? 0 : found(f, "user", home, len);
}

/* The end of a disk's name by what stands behind it: a partition or a unit. */
static size_t without_part(const char *s, size_t len)
{
	size_t end = len;

	while (end > 0 && strchr(DIGITS ":", s[end - 1]))
		end--;
	if (end < len && end > 5 && memcmp(s + end - 5, "-part", 5) == 0)
		return without_part(s, end - 5);
	if (end + 3 <= len && end > 1 && s[end - 1] == '-' && memchr(s + end, ':', len - end))
		return end - 1;
	return len;
}

static size_t count_of(const char *s, size_t n, const char *set)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += s[i] && strchr(set, s[i]);
	return count;
}

/* A disk by its id: model and serial behind the bus. */
static size_t match_disk(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	static const char *const buses[] = { "ata-",     "nvme-",    "scsi-",       "usb-",
		                             "wwn-",     "mmc-",     "virtio-",     "ieee1394-",
		                             "dm-uuid-", "md-uuid-", "lvm-pv-uuid-" };

	for (size_t i = 0; at->edge && i < sizeof(buses) / sizeof(buses[0]); i++) {
		size_t bus = strlen(buses[i]);

		if (at->n <= bus || memcmp(at->s, buses[i], bus) != 0)
			continue;
		const char *s = at->s + bus;
		size_t len = run_of(s, at->n - bus, LETTERS DIGITS "._-+:");
		while (len > 0 && strchr(".:", s[len - 1]))
			len--;
		len = without_part(s, len);
		/* A port (usb-0000:00:14.0-1), a driver or a queue has few digits or nothing else. */
		if (len < 8 || count_of(s, len, DIGITS) < 3 || memmem(s, len, "0000:", 5) ||
		    (count_of(s, len, LETTERS) == 0 && len < 16) || nf_redact_pseudonym_at(s, len))
			return 0;
		return found(f, "serial", bus, len);
	}
	return 0;
}

/* What stands in a folder of /dev/disk. */
static size_t match_disk_link(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	static const char *const folders[][2] = { { "by-id/", "serial" },
		                                  { "by-uuid/", "uuid" },
		                                  { "by-partuuid/", "uuid" },
		                                  { "by-label/", "id" },
		                                  { "by-partlabel/", "id" } };
	struct nf_redact_spot value = *at;

	for (size_t i = 0; at->edge && i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t skip = strlen(folders[i][0]), len = 0;

		if (at->n <= skip || memcmp(at->s, folders[i][0], skip) != 0)
			continue;
		value.s += skip;
		value.n -= skip;
		value.before += skip;
		while (len < value.n && value.s[len] && !strchr(" \t\r\n\"',;/()", value.s[len]))
			len++;
		len = without_part(value.s, len);
		/* Known by its own form: the same pseudonym as elsewhere. */
		if (len == 0 || match_uuid(&value, f) || match_disk(&value, f) ||
		    nf_redact_pseudonym_at(value.s, value.n))
			return 0;
		const char *dash = memchr(value.s, '-', len);
		if (i == 0 && dash) {
			if (nf_redact_pseudonym_at(dash + 1,
			                           value.n - (size_t)(dash + 1 - value.s)))
				return 0;
			skip += (size_t)(dash + 1 - value.s);
			len -= (size_t)(dash + 1 - value.s);
		}
		f->plain[0] = '\0';
		return len > 0 ? found(f, folders[i][1], skip, len) : 0;
	}
	return 0;
}

/* "Serial : X", "product_serial=X", "Asset Tag: X", PARTUUID=X: the name stays, the value goes. */
static size_t match_named(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	static const struct {
		const char *name, *kind;
	} names[] = { { "serial number", "serial" },
		      { "serial_number", "serial" },
		      { "serialnumber", "serial" },
		      { "serial no", "serial" },
		      { "serialno", "serial" },
		      { "serial", "serial" },
		      { "asset tag", "serial" },
		      { "asset_tag", "serial" },
		      { "service tag", "serial" },
		      { "service_tag", "serial" },
		      { "disk identifier", "uuid" },
		      { "partuuid", "uuid" },
		      { "ptuuid", "uuid" },
		      { "uuid_sub", "uuid" },
		      { "uuid", "uuid" } };
	const char *s = at->s;

	for (size_t i = 0; at->edge && !at->name && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t key = strlen(names[i].name), len = 0;
		bool uuid = names[i].kind[0] == 'u';

		if (key >= at->n || strncasecmp(s, names[i].name, key) != 0)
			continue;
		key += run_of(s + key, at->n - key, " \t\"");
		if (key >= at->n || (s[key] != ':' && s[key] != '='))
			continue;
		bool line = s[key] == ':' && !uuid;
		key++;
		key += run_of(s + key, at->n - key, " \t\"");
		if (uuid)
			len = run_of(s + key, at->n - key, LETTERS DIGITS "-");
		while (!uuid && key + len < at->n && s[key + len] != '\n' &&
		       (line || !strchr(" \t\",;", s[key + len])))
			len++;
		while (len > 0 && strchr(" \t\r\"", s[key + len - 1]))
			len--;
		const struct nf_redact_spot value = { s + key, at->n - key, 0, true, true, false };
		if (len == 0 || (uuid && (len < 4 || count_of(value.s, len, DIGITS) == 0 ||
		                          match_uuid(&value, f))))
			return 0;
		f->plain[0] = '\0';
		if (nf_redact_pseudonym_at(value.s, value.n) == len)
			return 0;
		return found(f, names[i].kind, key, len);
	}
	return 0;
}

/* A pseudonym stays as a whole. */
static size_t match_pseudonym(const struct nf_redact_spot *at, struct nf_redact_found *f)
{
	size_t len = nf_redact_pseudonym_at(at->s, at->n);

	return len ? found(f, NULL, 0, len) : 0;
}

bool nf_redact_find(const struct nf_redact_spot *at, struct nf_redact_found *ret)
{
	static match_fn *const first[] = { match_pseudonym, match_named, match_disk_link,
		                           match_home };
	static match_fn *const longest[] = { match_uuid,      match_mac,  match_mac_dotted,
		                             match_interface, match_ipv4, match_ipv4_in_name,
		                             match_ipv6,      match_disk, match_hex };
	size_t len = 0;

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		*ret = (struct nf_redact_found){ 0 };
		if (first[i](at, ret) > 0)
			return true;
	}
	for (size_t i = 0; i < sizeof(longest) / sizeof(longest[0]); i++) {
		struct nf_redact_found f = { 0 };
		size_t n = longest[i](at, &f);

		if (n > len) {
			len = n;
			*ret = f;
		}
	}
	return len > 0;
}
