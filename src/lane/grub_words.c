/* SPDX-License-Identifier: MIT */
#include "lane/grub_words.h"

#include <stdbool.h>
#include <string.h>

void nf_grub_lexer_init(struct nf_grub_lexer *l, const char *text, size_t len_bytes,
                        const char *path)
{
	*l = (struct nf_grub_lexer){
		.text = text, .len_bytes = len_bytes, .line = 1, .path = path
	};
	nf_buf_init(&l->word, NF_GRUB_WORD_MAX_BYTES);
}

void nf_grub_lexer_fini(struct nf_grub_lexer *l)
{
	nf_buf_fini(&l->word);
}

static bool more(const struct nf_grub_lexer *l)
{
	return l->at < l->len_bytes;
}

static char now(const struct nf_grub_lexer *l)
{
	return l->text[l->at];
}

static void step(struct nf_grub_lexer *l)
{
	l->line += now(l) == '\n';
	l->at++;
}

static bool is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c);
}

/* A backslash before a newline joins the lines. */
static bool joins_lines(struct nf_grub_lexer *l)
{
	if (now(l) != '\\' || l->at + 1 >= l->len_bytes || l->text[l->at + 1] != '\n')
		return false;
	step(l);
	step(l);
	return true;
}

static void skip_blanks(struct nf_grub_lexer *l)
{
	for (;;) {
		if (more(l) && is_one_of(now(l), " \t\r"))
			step(l);
		else if (!more(l) || !joins_lines(l))
			break;
	}
	if (more(l) && now(l) == '#')
		while (more(l) && now(l) != '\n')
			step(l);
}

/* Behind the quote that was read. Inside double quotes a backslash takes the meaning of '$', '"' and '\'. */
static bool quoted(struct nf_grub_lexer *l, char quote)
{
	while (more(l) && now(l) != quote) {
		if (quote == '"' && joins_lines(l))
			continue;
		if (quote == '"' && now(l) == '\\' && l->at + 1 < l->len_bytes &&
		    is_one_of(l->text[l->at + 1], "$\"\\"))
			step(l);
		(void)nf_buf_addc(&l->word, now(l));
		step(l);
	}
	if (!more(l))
		return false;
	step(l);
	return true;
}

/* A word into l->word. *ret_quoted: some of it was quoted, so it is no brace. */
static int word(struct nf_grub_lexer *l, bool *ret_quoted, struct nf_err *err)
{
	size_t line = l->line;

	nf_buf_clear(&l->word);
	*ret_quoted = false;
	while (more(l) && !is_one_of(now(l), " \t\r\n;")) {
		char c = now(l);

		if (c == '\0')
			return nf_fail(err, NF_EDATA, "%s:%zu:1: a NUL byte", l->path, l->line);
		if (joins_lines(l))
			continue;
		step(l);
		if (c == '\'' || c == '"') {
			*ret_quoted = true;
			if (!quoted(l, c))
				return nf_fail(err, NF_EDATA,
				               "%s:%zu:1: a quote that is not closed", l->path,
				               line);
			continue;
		}
		if (c == '\\' && more(l)) {
			*ret_quoted = true;
			c = now(l);
			step(l);
		}
		(void)nf_buf_addc(&l->word, c);
	}
	if (memchr(l->word.data, '\0', l->word.len_bytes))
		return nf_fail(err, NF_EDATA, "%s:%zu:1: a NUL byte", l->path, line);
	if (l->word.failed == NF_EDATA)
		return nf_fail(err, NF_EDATA, "%s:%zu:1: a word of more than %d bytes", l->path,
		               line, NF_GRUB_WORD_MAX_BYTES);
	return nf_buf_failed(&l->word, "a boot menu", err);
}

/* 1: the command has its end. */
static int add(struct nf_grub_lexer *l, bool was_quoted, struct nf_arena *a,
               struct nf_grub_words *w, struct nf_err *err)
{
	if (!was_quoted && l->word.len_bytes == 1 && is_one_of(l->word.data[0], "{}")) {
		w->end = l->word.data[0] == '{' ? NF_GRUB_OPENS : NF_GRUB_CLOSES;
		return 1;
	}
	if (!was_quoted && l->word.len_bytes == 0)
		return 0; /* joined lines and nothing else */
	if (w->n == NF_GRUB_WORDS_MAX)
		return nf_fail(err, NF_EDATA, "%s:%zu:1: more than %d words in a command", l->path,
		               w->line, NF_GRUB_WORDS_MAX);
	w->word[w->n] = nf_arena_strndup(a, l->word.data, l->word.len_bytes);
	if (!w->word[w->n++])
		return nf_arena_failed(a, "a boot menu", err);
	return 0;
}

int nf_grub_lexer_next(struct nf_grub_lexer *l, struct nf_arena *a, struct nf_grub_words *ret,
                       struct nf_err *err)
{
	bool was_quoted;
	int r = 0;

	ret->n = 0;
	ret->end = NF_GRUB_ENDS;
	while (r == 0) {
		skip_blanks(l);
		if (ret->n == 0)
			ret->line = l->line;
		if (!more(l))
			return ret->n > 0;
		if (is_one_of(now(l), "\n;")) {
			step(l);
			if (ret->n > 0)
				return 1;
			continue;
		}
		r = word(l, &was_quoted, err);
		if (r == 0)
			r = add(l, was_quoted, a, ret, err);
	}
	return r;
}
