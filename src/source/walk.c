/* SPDX-License-Identifier: MIT */
#include "source/walk.h"

bool nf_src_is_punct(const struct nf_src_body_token *t, char c)
{
	return t->kind == NF_SRC_PUNCT && *t->at == c;
}

bool nf_src_is_word(const struct nf_src_body_token *t, const char *const *words)
{
	for (; t->kind == NF_SRC_WORD && *words; words++)
		if (nf_src_body_is(t, *words))
			return true;
	return false;
}

/* Behind the ')' that closes the '(' at i; n: it is not closed. */
size_t nf_src_after_parens(const struct nf_src_body *b, size_t i)
{
	size_t open = 0;

	for (; i < b->n; i++) {
		if (nf_src_is_punct(&b->t[i], '('))
			open++;
		else if (nf_src_is_punct(&b->t[i], ')') && --open == 0)
			return i + 1;
	}
	return b->n;
}

/* The '(' that the ')' at i closes; 0: none does. */
size_t nf_src_before_parens(const struct nf_src_body *b, size_t i)
{
	size_t open = 0;

	for (; i > 0; i--) {
		if (nf_src_is_punct(&b->t[i], ')'))
			open++;
		else if (nf_src_is_punct(&b->t[i], '(') && --open == 0)
			return i;
	}
	return 0;
}

/* The beginning of a name like a->b[i].c that ends before `end`. */
size_t nf_src_chain_begin(const struct nf_src_body *b, size_t end)
{
	size_t i = end;

	while (i > 0) {
		size_t open = 0;

		while (i > 0 && nf_src_is_punct(&b->t[i - 1], ']')) {
			do {
				i--;
				open += nf_src_is_punct(&b->t[i], ']');
				open -= nf_src_is_punct(&b->t[i], '[') && open > 0;
			} while (i > 0 && open > 0);
		}
		if (i == 0 || b->t[i - 1].kind != NF_SRC_WORD)
			return i;
		i--;
		if (i >= 1 && nf_src_is_punct(&b->t[i - 1], '.'))
			i--;
		else if (i >= 2 && nf_src_is_punct(&b->t[i - 1], '>') &&
		         nf_src_is_punct(&b->t[i - 2], '-'))
			i -= 2;
		else
			return i;
	}
	return i;
}

/* The '=' before a call, casts and parentheses passed over. */
size_t nf_src_assigned_at(const struct nf_src_body *b, size_t call)
{
	size_t i = call;

	while (i > 1) {
		if (nf_src_is_punct(&b->t[i - 1], ')'))
			i = nf_src_before_parens(b, i - 1);
		else if (nf_src_is_punct(&b->t[i - 1], '('))
			i--;
		else
			break;
	}
	if (i < 2 || !nf_src_is_punct(&b->t[i - 1], '=') || b->t[i - 2].kind == NF_SRC_PUNCT)
		return i >= 2 && nf_src_is_punct(&b->t[i - 1], '=') &&
		                       nf_src_is_punct(&b->t[i - 2], ']')
		               ? i - 1
		               : 0;
	return i - 1;
}
