/* SPDX-License-Identifier: MIT */
/* THE table of passes, in the order in which they run: what makes a sequence shorter comes first. */
#include <stddef.h>

#include "prop/shrink.h"

const struct pt_pass pt_passes[] = {
	{ "delete spans", pt_pass_delete_spans },
	{ "repair lengths", pt_pass_repair_lengths },
	{ "repair lengths of several lists", pt_pass_repair_lists },
	{ "replace by a descendant", pt_pass_descend },
	{ "switch to a simpler alternative", pt_pass_switch },
	{ "zero spans", pt_pass_zero_spans },
	{ "delete chunks", pt_pass_delete_chunks },
	{ "lower duplicates", pt_pass_duplicates },
	{ "lower each", pt_pass_lower_each },
	{ "reorder siblings", pt_pass_reorder },
	{ "move later", pt_pass_move_later },
	{ "shift all", pt_pass_shift_all },
	{ "lower pairs", pt_pass_lower_pairs },
	{ "exchange values", pt_pass_exchange },
	{ "merge neighbours", pt_pass_merge },
	{ "delete and shift", pt_pass_delete_and_shift },
	{ NULL, NULL },
};
