/* SPDX-License-Identifier: MIT */
#include "record/redact_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "record/redact_pattern.h"

enum { TOKEN_BYTES = 256, WORDS_BYTES = 1 << 20 };

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

/* Words of one or two letters that texts are full of; longer names are looked for everywhere. */
static const char *const common_words[] = {
	"am", "an", "as", "at", "be", "by", "cp", "cs", "cu", "dd", "df", "do", "fs",
	"gb", "go", "he", "hz", "id", "if", "in", "io", "ip", "is", "it", "kb", "ls",
	"mb", "me", "ms", "my", "no", "nr", "ns", "of", "ok", "on", "or", "os", "pm",
	"ps", "rc", "rt", "so", "tb", "to", "uk", "up", "us", "vs", "we", NULL,
};

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
	return len == n || !nf_redact_is_word(s[len]);
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
		    (end == len || !nf_redact_is_word(s[end - len - 1])))
			return true;
	}
	return false;
}

static bool is_common(const struct nf_redact_word *w)
{
	for (size_t i = 0; common_words[i]; i++)
		if (strcasecmp(common_words[i], w->text) == 0)
			return true;
	return w->len == 1 || strspn(w->text, "0123456789") == w->len;
}

/* Whether word w of what is to be replaced is meant by the one that stands at s[at]. One that stands for much else, a letter or a
 * number among them, has to be all of the text, or to stand where names do. In names of our own making
 * neither words that they are made of nor numbers are. */
static bool is_meant(const struct nf_redact_word *w, const char *s, size_t at, size_t n, bool name)
{
	if (name)
		return !nf_redact_own_word(w->text) && strspn(w->text, "0123456789") != w->len;
	return !is_common(w) || strcmp(w->kind, "word") == 0 || (at == 0 && w->len == n) ||
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
	size_t user = nf_redact_name_run(s, n);

	if (user == 0 || user + 1 >= n || s[user] != '@')
		return 0;
	size_t host = nf_redact_name_run(s + user + 1, n - user - 1);
	while (host > 0 && strchr("._-+", s[user + host]))
		host--;
	if (host == 0)
		return 0;
	put_pseudonym(r, "user", s, user, out);
	(void)nf_buf_addc(out, '@');
	put_pseudonym(r, "host", s + user + 1, host, out);
	return user + 1 + host;
}

static size_t put_found(const struct nf_redactor *r, const struct nf_redact_spot *at,
                        struct nf_buf *out)
{
	struct nf_redact_found f;

	if (!nf_redact_find(at, &f))
		return 0;
	(void)nf_buf_add(out, at->s, f.skip);
	if (!f.kind)
		(void)nf_buf_add(out, at->s + f.skip, f.len);
	else if (f.plain[0])
		put_pseudonym(r, f.kind, f.plain, strlen(f.plain), out);
	else
		put_pseudonym(r, f.kind, at->s + f.skip, f.len, out);
	return f.skip + f.len;
}

static void redact(const struct nf_redactor *r, const char *s, size_t n, bool name,
                   struct nf_buf *out)
{
	size_t from = 0; /* copied up to here */
	size_t fresh = 0; /* a token begins here, whatever stands before it */

	for (size_t i = 0; i < n;) {
		bool edge = i == fresh || !nf_redact_is_word(s[i - 1]) || !nf_redact_is_word(s[i]);
		const struct nf_redact_spot at = { s + i, n - i, i, edge, i == fresh, name };
		size_t before = out->len_bytes, len = 0, escape = nf_redact_escape(s + i, n - i);

		if (edge || isxdigit((unsigned char)s[i])) {
			(void)nf_buf_add(out, s + from, i - from);
			/* An account first: its user may be a word, and its host would be left. */
			if (edge)
				len = put_account(r, s + i, n - i, out);
			if (len == 0 && edge)
				len = put_word(r, s, i, n, nf_redact_pseudonym_at(s + i, n - i),
				               name, out);
			if (len == 0)
				len = put_found(r, &at, out);
			if (len == 0 && !out->failed) {
				out->len_bytes = before;
				out->data[before] = '\0';
			}
		}
		if (len > 0)
			from = fresh = i + len;
		else if (escape > 0)
			fresh = i + escape;
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
