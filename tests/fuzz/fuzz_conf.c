/* SPDX-License-Identifier: MIT */
/* conf: whatever the bytes, a value that fits its schema, or one line that says where. */
#include <string.h>

#include "../unit/conf_sample.h"
#include "fuzz.h"

static void check_text(const struct nf_conf_text *t)
{
	fuzz_require(t->pos.line >= 1 && t->pos.column >= 1);
	fuzz_require(t->v && strlen(t->v) <= NF_CONF_TEXT_MAX);
}

static void check_sample(const struct sample *s)
{
	const struct sample_step *step = s->steps.items;
	const struct nf_conf_text *word = s->words.items;

	check_text(&s->name);
	fuzz_require(s->runs.v >= -3 && s->runs.v <= 100);
	fuzz_require(s->share.v >= 0 && s->share.v <= 1);
	fuzz_require(s->driver.v >= 0 && s->driver.v < 3);
	fuzz_require(s->driver.v == 0 || !s->channel.pos.line);
	fuzz_require(s->words.n <= 5 && s->steps.n <= NF_CONF_ITEMS_MAX);
	fuzz_require(!s->knobs.pos.line || !s->points.pos.line);
	for (size_t i = 0; i < s->words.n; i++)
		check_text(&word[i]);
	for (size_t i = 0; i < s->steps.n; i++) {
		check_text(&step[i].match);
		fuzz_require(step[i].match.v[0] != '*');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_conf c = { 0 };
	struct nf_err err = { 0 };
	int r = nf_conf_read(&sample_type, "f.yaml", data, size, NULL, &c, &err);

	if (r == 0) {
		check_sample(c.root);
		nf_conf_fini(&c);
		return 0;
	}
	fuzz_require(r == -NF_EDATA && strncmp(err.msg, "f.yaml:", 7) == 0);
	fuzz_require(!strchr(err.msg, '\n') && !c.root);
	return 0;
}
