/* SPDX-License-Identifier: MIT */
#include "record/redact_text.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"

enum { SHORT = 2, DIGITS = 10, HEX_LEAST = 12, TOKEN_BYTES = 256, WORDS_BYTES = 1 << 20 };

/* What names of files and streams are made of by this program. */
static const char *const own_words[] = {
	"samples", "captures",  "host-probe", "derived",   "record",   "json",     "dhall",
	"txt",     "nfsamples", "manifest",   "summary",   "csv",      "proc",     "sys",
	"fwq",     "ftq",       "wake",       "numa",      "smi",      "hwlat",    "clock",
	"detour",  "osnoise",   "timerlat",   "serial",    "parallel", "limit",    "thread_start",
	"thread",  "start",     "bandwidth",  "inner",     "outer",    "lateness", "cpu",
	"host",    "probe",     "before",     "after",     "rdtsc",    "gettime",  "inject",
	"noise",   "runtime",   "longest",    "hw",        "nmi",      "irq",      "softirq",
	"time",    "events",    "tick",       "word",      "length",   "begin",    "end",
	"error",   "due",       "excess",     "max",       "count",    "drift",    "gettimeofday",
	"rank",    "ranks",     "nodes",      "overshoot", "trace",    "names",    NULL,
};

/* What pseudonyms begin with. */
static const char *const kinds[] = { "host", "user",   "ip",  "mac",  "uuid",
	                             "id",   "serial", "arg", "word", "name" };

void nf_redactor_init(struct nf_redactor *r, const unsigned char key[NF_REDACT_KEY])
{
	memset(r, 0, sizeof(*r));
	memcpy(r->key, key, NF_REDACT_KEY);
	nf_arena_init(&r->a, WORDS_BYTES);
}

void nf_redactor_fini(struct nf_redactor *r)
{
	explicit_bzero(r->key, sizeof(r->key));
	nf_arena_fini(&r->a);
	r->n_words = 0;
}

int nf_redactor_add(struct nf_redactor *r, const char *kind, const char *text, struct nf_err *err)
{
	size_t len = text ? strlen(text) : 0, i;

	if (len == 0)
		return 0;
	for (i = 0; i < r->n_words; i++)
		if (strcasecmp(r->word[i].text, text) == 0)
			return 0;
	if (r->n_words == NF_REDACT_WORDS)
		return nf_fail(err, NF_EDATA, "more than %d names to replace", NF_REDACT_WORDS);
	char *own = nf_arena_strndup(&r->a, text, len);
	if (!own)
		return nf_arena_failed(&r->a, "names to replace", err);
	for (i = r->n_words; i > 0 && r->word[i - 1].len < len; i--)
		r->word[i] = r->word[i - 1];
	r->word[i] = (struct nf_redact_word){ kind, own, len };
	r->n_words++;
	return 0;
}

int nf_redactor_add_host(struct nf_redactor *r, const char *name, struct nf_err *err)
{
	char part[TOKEN_BYTES];
	int rc = nf_redactor_add(r, "host", name, err);

	if (!name)
		return rc;
	const char *dot = strchr(name, '.');
	if (rc == 0 && dot && strchr(dot + 1, '.'))
		rc = nf_redactor_add(r, "host", dot + 1, err);
	if (rc == 0 && dot && dot > name && (size_t)(dot - name) < sizeof(part)) {
		memcpy(part, name, (size_t)(dot - name));
		part[dot - name] = '\0';
		rc = nf_redactor_add(r, "host", part, err);
	}
	/* As runfolder.c spells it: cut to 64 bytes, odd characters replaced. */
	size_t len = strlen(name) < 64 ? strlen(name) : 64;
	for (size_t i = 0; i < len; i++)
		part[i] = isalnum((unsigned char)name[i]) || strchr("._-", name[i]) ? name[i] : '_';
	part[len] = '\0';
	return rc < 0 ? rc : nf_redactor_add(r, "host", part, err);
}

int nf_redactor_learn(struct nf_redactor *r, const char *text, struct nf_err *err)
{
	static const char *const homes[] = { "/home/", "/Users/", "/export/home/" };
	char name[TOKEN_BYTES];

	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
		for (const char *p = text; (p = strstr(p, homes[i]));) {
			p += strlen(homes[i]);
			size_t len = strcspn(p, "/ \t\n\"':;,=");

			if (len == 0 || len >= sizeof(name))
				continue;
			memcpy(name, p, len);
			name[len] = '\0';
			int rc = nf_redactor_add(r, "user", name, err);
			if (rc < 0)
				return rc;
		}
	}
	return 0;
}

void nf_pseudonym(const struct nf_redactor *r, const char *kind, const char *s, size_t len,
                  char ret[NF_PSEUDONYM])
{
	unsigned char mac[NF_SHA256_BYTES], digest[NF_SHA256_BYTES];
	char lower[64];
	struct nf_sha256 sha;

	/* Texts of any length, in lower case. The kind is part of it, so that a name that is a host here
	 * and a user there is not shown to be one. */
	nf_sha256_init(&sha);
	nf_sha256_add(&sha, kind, strlen(kind) + 1);
	for (size_t i = 0; i < len;) {
		size_t n = 0;

		while (n < sizeof(lower) && i < len)
			lower[n++] = (char)tolower((unsigned char)s[i++]);
		nf_sha256_add(&sha, lower, n);
	}
	nf_sha256_done(&sha, digest);
	nf_hmac_sha256(r->key, sizeof(r->key), digest, sizeof(digest), mac);
	snprintf(ret, NF_PSEUDONYM, "%.15s-%02x%02x%02x%02x%02x", kind, mac[0], mac[1], mac[2],
	         mac[3], mac[4]);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* One match at s (which begins a token), at most n bytes: its length, or 0. */
typedef size_t match_fn(const char *s, size_t n);

static size_t run_of(const char *s, size_t n, const char *set)
{
	size_t i = 0;

	while (i < n && s[i] && strchr(set, s[i]))
		i++;
	return i;
}

#define HEX "0123456789abcdefABCDEF"

static size_t match_uuid(const char *s, size_t n)
{
	static const size_t part[] = { 8, 4, 4, 4, 12 };
	size_t at = 0;

	for (size_t i = 0; i < 5; i++) {
		if (i > 0 && (at >= n || s[at++] != '-'))
			return 0;
		if (run_of(s + at, n - at, HEX) < part[i])
			return 0;
		at += part[i];
	}
	return at < n && isxdigit((unsigned char)s[at]) ? 0 : at;
}

/* Six or more pairs of hexadecimal digits: Ethernet, EUI-64, InfiniBand. */
static size_t match_mac(const char *s, size_t n)
{
	size_t pairs = 0, at = 0;
	char sep = n > 2 ? s[2] : '\0';

	if (sep != ':' && sep != '-')
		return 0;
	while (run_of(s + at, n - at, HEX) == 2) {
		pairs++;
		at += 2;
		if (at >= n || s[at] != sep)
			break;
		at++;
	}
	if (at > 0 && s[at - 1] == sep)
		at--;
	return pairs == 6 || pairs == 8 || pairs == 20 ? at : 0;
}

static size_t match_ip(const char *s, size_t n)
{
	size_t v4 = run_of(s, n, "0123456789."), v6 = run_of(s, n, HEX ":.");
	unsigned char a[16];
	char text[64];

	while (v4 > 0 && s[v4 - 1] == '.')
		v4--;
	if (v4 < sizeof(text)) {
		memcpy(text, s, v4);
		text[v4] = '\0';
		if (inet_pton(AF_INET, text, a) == 1)
			return a[0] == 127 || strcmp(text, "0.0.0.0") == 0 ? 0 : v4;
	}
	/* A colon or a dot may follow the address. */
	for (int cut = 0; cut < 2 && v6 > 2 && v6 < sizeof(text); cut++, v6--) {
		memcpy(text, s, v6);
		text[v6] = '\0';
		if (strchr(text, ':') && inet_pton(AF_INET6, text, a) == 1)
			return strspn(text, "0:") == v6 || strcmp(text, "::1") == 0 ? 0 : v6;
	}
	return 0;
}

/* Long hexadecimal names have digits of both kinds: machine and container ids, no CPU masks of zeros and fs. */
static size_t match_hex(const char *s, size_t n)
{
	size_t skip = n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 2 : 0;
	size_t len = run_of(s + skip, n - skip, HEX), digits = run_of(s + skip, len, "0123456789");
	bool masks = run_of(s + skip, len, "0fF") == len;

	return len >= HEX_LEAST && digits < len && !masks ? len + skip : 0;
}

static const struct {
	const char *kind;
	match_fn *match;
} patterns[] = {
	{ "uuid", match_uuid }, { "mac", match_mac }, { "ip", match_ip }, { "id", match_hex }
};

static void put_pseudonym(const struct nf_redactor *r, const char *kind, const char *s, size_t len,
                          struct nf_buf *out)
{
	char name[NF_PSEUDONYM];

	nf_pseudonym(r, kind, s, len, name);
	(void)nf_buf_adds(out, name);
}

bool nf_redact_own_word(const char *text)
{
	for (size_t i = 0; own_words[i]; i++)
		if (strcasecmp(own_words[i], text) == 0)
			return true;
	return false;
}

/* The end of a token that stands at s: the next byte is no letter or digit. */
static bool ends(const char *s, size_t len, size_t n)
{
	return len == n || !is_word(s[len]);
}

/* The length of the pseudonym that s begins with, or 0. */
static size_t match_pseudonym(const char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i]);

		if (n > len + DIGITS && memcmp(s, kinds[i], len) == 0 && s[len] == '-' &&
		    run_of(s + len + 1, DIGITS, "0123456789abcdef") == DIGITS &&
		    ends(s, len + 1 + DIGITS, n))
			return len + 1 + DIGITS;
	}
	return 0;
}

/* Whether s[at] stands in the name of a run: 20260102T030405Z-HOST-TAG. */
static bool in_run_name(const char *s, size_t at)
{
	static const char form[] = "ddddddddTddddddZ-";
	size_t from = at;

	while (from > 0 && (isalnum((unsigned char)s[from - 1]) || strchr("._-", s[from - 1])))
		from--;
	for (size_t i = 0; form[i]; i++, from++) {
		bool digit = from < at && isdigit((unsigned char)s[from]);

		if (from >= at || (form[i] == 'd' ? !digit : s[from] != form[i]))
			return false;
	}
	return true;
}

/* Whether what stands before s[at] says that the name of a host or user follows. */
static bool is_announced(const char *s, size_t at)
{
	static const char *const before[] = { "host",  "hostname", "nodename", "node",
		                              "linux", "user",     "owner" };
	static const char *const paths[] = { "/home/", "/users/" };
	size_t end = at;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		size_t len = strlen(paths[i]);

		if (at >= len && strncasecmp(s + at - len, paths[i], len) == 0)
			return true;
	}
	while (end > 0 && strchr(" \t:=\"'", s[end - 1]))
		end--;
	for (size_t i = 0; end < at && i < sizeof(before) / sizeof(before[0]); i++) {
		size_t len = strlen(before[i]);

		if (end >= len && strncasecmp(s + end - len, before[i], len) == 0 &&
		    (end == len || !is_word(s[end - len - 1])))
			return true;
	}
	return false;
}

/* Whether word w of what is to be replaced is meant by the one that stands at s[at]. A word of one or two letters stands for
 * much else: it has to be all of the text, or to stand where names do. In names of our own making neither words that they are
 * made of nor numbers are. */
static bool is_meant(const struct nf_redact_word *w, const char *s, size_t at, size_t n, bool name)
{
	if (name)
		return !nf_redact_own_word(w->text) && strspn(w->text, "0123456789") != w->len;
	return w->len > SHORT || strcmp(w->kind, "word") == 0 || (at == 0 && w->len == n) ||
	       is_announced(s, at) || in_run_name(s, at);
}

/* s[at..n); words of `least` bytes and more. */
static size_t put_word(const struct nf_redactor *r, const char *s, size_t at, size_t n,
                       size_t least, bool name, struct nf_buf *out)
{
	for (size_t i = 0; i < r->n_words && r->word[i].len >= least; i++) {
		const struct nf_redact_word *w = &r->word[i];

		if (w->len > n - at || strncasecmp(w->text, s + at, w->len) != 0 ||
		    !ends(s + at, w->len, n - at) || !is_meant(w, s, at, n, name))
			continue;
		put_pseudonym(r, w->kind, s + at, w->len, out);
		return w->len;
	}
	return 0;
}

/* NAME@HOST, as compilers and mail write it. */
static size_t put_account(const struct nf_redactor *r, const char *s, size_t n, struct nf_buf *out)
{
	static const char set[] =
	        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";
	size_t user = run_of(s, n, set);

	if (user == 0 || user + 1 >= n || s[user] != '@')
		return 0;
	size_t host = run_of(s + user + 1, n - user - 1, set);
	while (host > 0 && strchr("._-+", s[user + host]))
		host--;
	if (host == 0)
		return 0;
	put_pseudonym(r, "user", s, user, out);
	(void)nf_buf_addc(out, '@');
	put_pseudonym(r, "host", s + user + 1, host, out);
	return user + 1 + host;
}

/* "Serial : X", "product_serial=X", "Asset Tag: X": the name is copied, the value replaced. */
static size_t put_serial(const struct nf_redactor *r, const char *s, size_t n, struct nf_buf *out)
{
	static const char *const names[] = { "serial number", "serial_number", "serialnumber",
		                             "serial no",     "serialno",      "serial",
		                             "asset tag",     "asset_tag",     "service tag",
		                             "service_tag" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t at = strlen(names[i]);

		if (at >= n || strncasecmp(s, names[i], at) != 0)
			continue;
		size_t blank = run_of(s + at, n - at, " \t\""), key = at + blank;
		if (key >= n || (s[key] != ':' && s[key] != '='))
			continue;
		bool line = s[key] == ':';
		key++;
		key += run_of(s + key, n - key, " \t\"");
		size_t len = 0;
		while (key + len < n && s[key + len] != '\n' &&
		       (line || !strchr(" \t\",;", s[key + len])))
			len++;
		while (len > 0 && strchr(" \t\r\"", s[key + len - 1]))
			len--;
		if (len == 0)
			return 0;
		(void)nf_buf_add(out, s, key);
		if (len > 7 && strncmp(s + key, "serial-", 7) == 0)
			(void)nf_buf_add(out, s + key, len);
		else
			put_pseudonym(r, "serial", s + key, len, out);
		return key + len;
	}
	return 0;
}

/* s[at..n) */
static size_t put_match(const struct nf_redactor *r, const char *s, size_t at, size_t n, bool name,
                        struct nf_buf *out)
{
	/* What was replaced before stays, also where a host is called "id". */
	size_t own = match_pseudonym(s + at, n - at);
	/* An account first: its user may be a word, and its host would be left. */
	size_t len = put_account(r, s + at, n - at, out);

	if (len == 0)
		len = put_word(r, s, at, n, own, name, out);
	if (len == 0 && own > 0) {
		(void)nf_buf_add(out, s + at, own);
		return own;
	}
	if (len == 0 && !name)
		len = put_serial(r, s + at, n - at, out);
	for (size_t i = 0; len == 0 && i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		len = patterns[i].match(s + at, n - at);
		if (len > 0 && !ends(s + at, len, n - at))
			len = 0;
		if (len > 0)
			put_pseudonym(r, patterns[i].kind, s + at, len, out);
	}
	return len;
}

static void redact(const struct nf_redactor *r, const char *s, size_t n, bool name,
                   struct nf_buf *out)
{
	size_t from = 0; /* copied up to here */

	for (size_t i = 0; i < n;) {
		size_t len = 0;

		if (i == 0 || !is_word(s[i - 1]) || !is_word(s[i])) {
			size_t before = out->len_bytes;

			(void)nf_buf_add(out, s + from, i - from);
			len = put_match(r, s, i, n, name, out);
			if (len == 0 && !out->failed) {
				out->len_bytes = before;
				out->data[before] = '\0';
			}
		}
		if (len > 0)
			from = i + len;
		i += len ? len : 1;
	}
	(void)nf_buf_add(out, s + from, n - from);
}

void nf_redact_text(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out)
{
	redact(r, s, len, false, out);
}

void nf_redact_name(const struct nf_redactor *r, const char *s, size_t max, struct nf_buf *out)
{
	size_t start = out->len_bytes;

	redact(r, s, strlen(s), true, out);
	if (out->failed || out->len_bytes - start <= max)
		return;
	const char *suffix = strrchr(s, '.');
	out->len_bytes = start;
	put_pseudonym(r, "name", s, strlen(s), out);
	if (suffix && strlen(suffix) < 12)
		(void)nf_buf_adds(out, suffix);
}
