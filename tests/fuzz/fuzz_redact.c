/* SPDX-License-Identifier: MIT */
/* redact: any bytes as text, as a kernel command line and as a name, up to the first zero byte as names too. Nothing of a host's or
 * user's name is left between characters that are no letters or digits, and a copy of a copy has the same shape. */
#include <ctype.h>
#include <string.h>

#include "fuzz.h"
#include "record/redact_text.h"

enum { OUT_BYTES = 1 << 22, SIZE_MAX_BYTES = 1 << 16 };

static const char *const hosts[] = { "node17.lab.example.org", "id", "a" };
static const char user[] = "jdoe";

static bool is_word(unsigned char c)
{
	return isalnum(c) || c >= 0x80;
}

static bool holds(const struct nf_buf *b, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i + len <= b->len_bytes; i++)
		if (strncasecmp(b->data + i, name, len) == 0 &&
		    (i == 0 || !is_word((unsigned char)b->data[i - 1])) &&
		    (i + len == b->len_bytes || !is_word((unsigned char)b->data[i + len])))
			return true;
	return false;
}

static void make(struct nf_redactor *r, unsigned char first)
{
	const unsigned char key[NF_REDACT_KEY] = { first };

	nf_redactor_init(r, key);
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		fuzz_require(nf_redactor_add_host(r, hosts[i], NULL) == 0);
	fuzz_require(nf_redactor_add(r, "user", user, NULL) == 0);
}

typedef void work_fn(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out);

static void text(const struct nf_redactor *r, const char *s, size_t len, struct nf_buf *out)
{
	work_fn *const works[] = { nf_redact_text, nf_redact_cmdline };

	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++) {
		nf_buf_clear(out);
		works[i](r, s, len, out);
		fuzz_require(nf_buf_failed(out, "text", NULL) == 0);
		fuzz_require(!holds(out, hosts[0]) && !holds(out, user));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_redactor r;
	struct nf_buf out;
	char *s;

	if (size > SIZE_MAX_BYTES)
		return 0;
	make(&r, 1);
	nf_buf_init(&out, OUT_BYTES);
	s = malloc(size + !size); /* no NUL behind it */
	fuzz_require(s);
	memcpy(s, data, size);
	text(&r, s, size, &out);
	free(s);
	s = strndup((const char *)data, size);
	fuzz_require(s);
	nf_buf_clear(&out);
	nf_redact_name(&r, s, 200, &out);
	fuzz_require(nf_buf_failed(&out, "name", NULL) == 0 && out.len_bytes <= 200);
	fuzz_require(!holds(&out, hosts[0]) && !holds(&out, user));
	(void)!nf_redactor_learn(&r, s, NULL);
	(void)!nf_redactor_add_host(&r, s, NULL);
	nf_buf_clear(&out);
	nf_redact_text(&r, s, strlen(s), &out);
	free(s);
	nf_buf_fini(&out);
	nf_redactor_fini(&r);
	return 0;
}
