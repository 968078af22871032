/* SPDX-License-Identifier: MIT */
#include "bench/words.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+=./:,@%^{}!]";
static const char needs_shell[] = "|&;<>()$`*?[";

struct split {
	const char *at;
	char *out; /* where the next character goes */
};

static int unfinished(char quote, struct nf_err *err)
{
	return nf_fail(err, NF_EARG, "a %c without its end; allowed: quotes in pairs", quote);
}

static int special(char c, struct nf_err *err)
{
	return nf_fail(err, NF_EARG,
	               "'%c' outside quotes needs a shell; allowed: quoted, or with "
	               "--shell",
	               c);
}

static int single_quoted(struct split *s, struct nf_err *err)
{
	for (s->at++; *s->at != '\''; s->at++) {
		if (!*s->at)
			return unfinished('\'', err);
		*s->out++ = *s->at;
	}
	s->at++;
	return 0;
}

static int double_quoted(struct split *s, struct nf_err *err)
{
	for (s->at++; *s->at != '"'; s->at++) {
		if (!*s->at)
			return unfinished('"', err);
		if (*s->at == '$' || *s->at == '`')
			return special(*s->at, err);
		if (*s->at == '\\' && s->at[1] && strchr("\\\"$`", s->at[1]))
			s->at++;
		*s->out++ = *s->at;
	}
	s->at++;
	return 0;
}

/* From the first character of a word to the blank behind it. */
static int word(struct split *s, struct nf_err *err)
{
	int r = 0;

	if (*s->at == '~' || *s->at == '#')
		return special(*s->at, err);
	while (r == 0 && *s->at && !isspace((unsigned char)*s->at)) {
		if (*s->at == '\'') {
			r = single_quoted(s, err);
		} else if (*s->at == '"') {
			r = double_quoted(s, err);
		} else if (strchr(needs_shell, *s->at)) {
			r = special(*s->at, err);
		} else {
			if (*s->at == '\\' && !*++s->at)
				return nf_fail(err, NF_EARG, "a \\ with nothing behind it");
			*s->out++ = *s->at++;
		}
	}
	*s->out++ = '\0';
	return r;
}

static bool is_assignment(const char *word)
{
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n > 0 && word[n] == '=' && !isdigit((unsigned char)word[0]);
}

int nf_bench_words_split(const char *text, struct nf_bench_words *ret, struct nf_err *err)
{
	/* A word takes a character at least, and a blank or the end. */
	size_t len = strlen(text), max = len / 2 + 1;
	size_t pointers = (max + 1) * sizeof(char *);
	struct split s = { .at = text };
	size_t n = 0;
	int r = 0;

	if (len > NF_BENCH_LABEL_MAX)
		return nf_fail(err, NF_EARG, "a command of %zu bytes; allowed: at most %d", len,
		               NF_BENCH_LABEL_MAX);
	char **words = calloc(1, pointers + len + max + 1);
	if (!words)
		return nf_fail_nomem(err, "a command's words", pointers + len + max + 1);
	s.out = (char *)words + pointers;
	for (;;) {
		while (isspace((unsigned char)*s.at))
			s.at++;
		if (!*s.at || r < 0)
			break;
		words[n++] = s.out;
		r = word(&s, err);
	}
	if (r == 0 && (n == 0 || !words[0][0]))
		r = nf_fail(err, NF_EARG,
		            "the command is empty; allowed: a program and its "
		            "arguments");
	if (r == 0 && is_assignment(words[0]))
		r = nf_fail(err, NF_EARG,
		            "'%.*s' before a program needs a shell; allowed: with "
		            "--shell",
		            NF_UTF8_CUT(words[0], 100));
	if (r < 0) {
		free(words);
		return r;
	}
	*ret = (struct nf_bench_words){ words, n };
	return 0;
}

void nf_bench_words_fini(struct nf_bench_words *w)
{
	free(w->word);
	*w = (struct nf_bench_words){ 0 };
}

void nf_bench_words_join(const char *const *word, size_t n, struct nf_buf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			nf_buf_addc(out, ' ');
		if (word[i][0] && strspn(word[i], plain) == strlen(word[i])) {
			nf_buf_adds(out, word[i]);
			continue;
		}
		nf_buf_addc(out, '\'');
		for (const char *c = word[i]; *c; c++)
			if (*c == '\'')
				nf_buf_adds(out, "'\\''");
			else
				nf_buf_addc(out, *c);
		nf_buf_addc(out, '\'');
	}
}
