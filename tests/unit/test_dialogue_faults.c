/* SPDX-License-Identifier: MIT */
/* A transcript for each thing that goes wrong between a power switch and a login: class, kind and words. */
#include "board/dialogue.h"

#include "dialogue_faults.h"
#include "nf_scratch.h"
#include "nf_unit.h"
#include "uboot_texts.h"

enum { DOC_BYTES = 1 << 16 };

static void check(const struct dialogue_fault *f, const struct played *p)
{
	const char *note = strstr(p->states.data, "\n! ");
	enum nf_outcome_class class = nf_outcome_class_of(f->kind);

	if (strcmp(p->outcome.words, f->words) != 0)
		fail_msg("%s: '%s'; not '%s'", f->name, p->outcome.words, f->words);
	if (p->outcome.kind != f->kind || p->outcome.class != class || p->retries != f->retries)
		fail_msg("%s: %s, class %s, %u retries", f->name,
		         nf_outcome_kind_name(p->outcome.kind),
		         nf_outcome_class_name(p->outcome.class), p->retries);
	if (!f->note != !note || (note && strncmp(note + 1, f->note, strlen(f->note)) != 0))
		fail_msg("%s: %s", f->name, p->states.data);
	if (p->finishes != 1 || p->after_finish || p->over || p->offs != 1 || p->ons > 1)
		fail_msg("%s: %u ends, power off %u times and on %u times", f->name, p->finishes,
		         p->offs, p->ons);
}

static void each_fault_has_its_class_and_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < dialogue_n_faults; i++) {
		const struct dialogue_fault *f = &dialogue_faults[i];
		struct nf_dialogue_opts o = uboot_opts();
		struct nf_err err = { 0 };
		struct played p;

		if (f->opts)
			f->opts(&o);
		if (played_run(&p, &o, false, &f->script, NULL, NULL, &err) < 0)
			fail_msg("%s: %s", f->name, err.msg);
		check(f, &p);
		played_fini(&p);
	}
}

/* Of what can end a boot, each was there. */
static void every_kind_of_a_boot_has_a_transcript(void **state)
{
	static const enum nf_outcome_kind elsewhere[] = { NF_OUTCOME_NO_SHELL, NF_OUTCOME_NO_MARKER,
		                                          NF_OUTCOME_SHELL_LATE,
		                                          NF_OUTCOME_NO_OUTPUT, NF_OUTCOME_LOGIN };
	bool seen[NF_OUTCOME_N_KINDS] = { false };

	(void)state;
	for (size_t i = 0; i < dialogue_n_faults; i++)
		seen[dialogue_faults[i].kind] = true;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		seen[elsewhere[i]] = true;
	for (int k = 0; k < NF_OUTCOME_N_KINDS; k++)
		if (!seen[k])
			fail_msg("no transcript ends in '%s'",
			         nf_outcome_kind_name((enum nf_outcome_kind)k));
}

static void the_class_is_the_exit_code(void **state)
{
	(void)state;
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_OK), 0);
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_INFRA), 5);
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_BOARD), 5);
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_CONFIG), 2);
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_INFRA), "infra");
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_BOARD), "board");
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_CONFIG), "config");
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_OK), "ok");
}

/* What a board sends does not get into the words as it is. */
static void words_are_printable_and_bounded(void **state)
{
	struct nf_outcome o;
	char many[1000];

	(void)state;
	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	nf_outcome_set(&o, NF_OUTCOME_PANIC, "a\033[2Jb\n\377%s", many);
	assert_int_equal(strlen(o.words), NF_OUTCOME_WORDS - 1);
	assert_int_equal(strncmp(o.words, "kernel panic: a?[2Jb??xxx", 25), 0);
	nf_outcome_set(&o, NF_OUTCOME_DONE, NULL);
	assert_string_equal(o.words, "done");
}

/* NF_BLESS=1 writes the outcomes. */
static void the_document_has_every_state_and_outcome(void **state)
{
	static const char mark[] = "| kind | class |";
	const char *source = getenv("NF_SOURCE"), *bless = getenv("NF_BLESS");
	static char doc[DOC_BYTES];
	char path[4096], row[128];
	struct nf_buf outcomes;

	(void)state;
	skip_unless(source, "source", "NF_SOURCE is not set");
	snprintf(path, sizeof(path), "%s/docs/DIALOGUE.md", source);
	nf_scratch_read(path, doc, sizeof(doc));
	char *at = strstr(doc, mark);
	nf_buf_init(&outcomes, DOC_BYTES);
	nf_outcome_describe(&outcomes);
	assert_int_equal(outcomes.failed, 0);
	if (bless && strcmp(bless, "1") == 0) {
		at = at ? at : doc + strlen(doc);
		assert_true((size_t)(at - doc) + outcomes.len_bytes < sizeof(doc));
		memcpy(at, outcomes.data, outcomes.len_bytes + 1);
		nf_scratch_write(path, doc);
	}
	assert_non_null(at);
	assert_string_equal(at, outcomes.data);
	nf_buf_fini(&outcomes);
	for (size_t i = 0; i < dialogue_n_faults; i++) {
		const struct dialogue_fault *f = &dialogue_faults[i];
		struct nf_dialogue_opts o = uboot_opts();
		struct played p;

		if (f->opts)
			f->opts(&o);
		assert_int_equal(played_run(&p, &o, false, &f->script, NULL, NULL, NULL), 0);
		for (char *line = strtok(p.states.data, "\n"); line; line = strtok(NULL, "\n")) {
			snprintf(row, sizeof(row), "\n| %s |", line);
			if (line[0] != '!' && line[0] != '#' && !strstr(doc, row))
				fail_msg("docs/DIALOGUE.md has no state '%s'", line);
		}
		played_fini(&p);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_fault_has_its_class_and_words),
	cmocka_unit_test(every_kind_of_a_boot_has_a_transcript),
	cmocka_unit_test(the_class_is_the_exit_code),
	cmocka_unit_test(words_are_printable_and_bounded),
	cmocka_unit_test(the_document_has_every_state_and_outcome),
};
NF_UNIT_MAIN(tests)
