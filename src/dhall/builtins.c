/* SPDX-License-Identifier: MIT */
#include "dhall/expr.h"

/* Names and types as the standard's type-inference.md lists them. */
/* clang-format off */
const struct nf_dbuiltin nf_dbuiltins[] = {
	{ "Type", "Kind", NF_DB_TYPE, false },
	{ "Kind", "Sort", NF_DB_KIND, false },
	{ "Sort", NULL, NF_DB_SORT, false },
	{ "Bool", "Type", NF_DB_BOOL, false },
	{ "Natural", "Type", NF_DB_NATURAL, false },
	{ "Integer", "Type", NF_DB_INTEGER, false },
	{ "Double", "Type", NF_DB_DOUBLE, false },
	{ "Text", "Type", NF_DB_TEXT, false },
	{ "Bytes", "Type", NF_DB_OTHER, false },
	{ "Date", "Type", NF_DB_OTHER, false },
	{ "Time", "Type", NF_DB_OTHER, false },
	{ "TimeZone", "Type", NF_DB_OTHER, false },
	{ "List", "Type -> Type", NF_DB_LIST, false },
	{ "Optional", "Type -> Type", NF_DB_OPTIONAL, false },
	{ "None", "forall (A : Type) -> Optional A", NF_DB_NONE, false },
	{ "Natural/build", "(forall (natural : Type) -> forall (succ : natural -> natural) -> forall (zero : natural) -> natural) -> Natural", NF_DB_OTHER, true },
	{ "Natural/fold", "Natural -> forall (natural : Type) -> forall (succ : natural -> natural) -> forall (zero : natural) -> natural", NF_DB_OTHER, true },
	{ "Natural/isZero", "Natural -> Bool", NF_DB_OTHER, true },
	{ "Natural/even", "Natural -> Bool", NF_DB_OTHER, true },
	{ "Natural/odd", "Natural -> Bool", NF_DB_OTHER, true },
	{ "Natural/toInteger", "Natural -> Integer", NF_DB_OTHER, true },
	{ "Natural/show", "Natural -> Text", NF_DB_OTHER, true },
	{ "Natural/subtract", "Natural -> Natural -> Natural", NF_DB_OTHER, true },
	{ "Integer/toDouble", "Integer -> Double", NF_DB_OTHER, true },
	{ "Integer/show", "Integer -> Text", NF_DB_OTHER, true },
	{ "Integer/negate", "Integer -> Integer", NF_DB_OTHER, true },
	{ "Integer/clamp", "Integer -> Natural", NF_DB_OTHER, true },
	{ "Double/show", "Double -> Text", NF_DB_OTHER, true },
	{ "List/build", "forall (a : Type) -> (forall (list : Type) -> forall (cons : a -> list -> list) -> forall (nil : list) -> list) -> List a", NF_DB_OTHER, true },
	{ "List/fold", "forall (a : Type) -> List a -> forall (list : Type) -> forall (cons : a -> list -> list) -> forall (nil : list) -> list", NF_DB_OTHER, true },
	{ "List/length", "forall (a : Type) -> List a -> Natural", NF_DB_OTHER, true },
	{ "List/head", "forall (a : Type) -> List a -> Optional a", NF_DB_OTHER, true },
	{ "List/last", "forall (a : Type) -> List a -> Optional a", NF_DB_OTHER, true },
	{ "List/indexed", "forall (a : Type) -> List a -> List { index : Natural, value : a }", NF_DB_OTHER, true },
	{ "List/reverse", "forall (a : Type) -> List a -> List a", NF_DB_OTHER, true },
	{ "Text/show", "Text -> Text", NF_DB_OTHER, true },
	{ "Text/replace", "forall (needle : Text) -> forall (replacement : Text) -> forall (haystack : Text) -> Text", NF_DB_OTHER, true },
	{ "Date/show", "Date -> Text", NF_DB_OTHER, true },
	{ "Time/show", "Time -> Text", NF_DB_OTHER, true },
	{ "TimeZone/show", "TimeZone -> Text", NF_DB_OTHER, true },
	{ NULL, NULL, NF_DB_OTHER, false },
};
/* clang-format on */

const struct nf_dbuiltin *nf_dbuiltin_find(struct nf_dstr name)
{
	if (name.n < 4 || name.p[0] < 'B' || name.p[0] > 'T')
		return NULL;
	for (const struct nf_dbuiltin *b = nf_dbuiltins; b->name; b++)
		if (b->name[0] == name.p[0] && nf_dstr_is(name, b->name))
			return b;
	return NULL;
}
