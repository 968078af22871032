/* SPDX-License-Identifier: MIT */
/* campaign: whatever the bytes, a campaign whose parts can be used as they are, or one line that says where in the file. */
#include <string.h>

#include "board/campaign.h"
#include "board/match.h"
#include "fuzz.h"

static void check_pattern(const char *text)
{
	struct nf_match *m = NULL;

	fuzz_require(text && !strchr(text, '\n') && nf_match_new(text, &m, NULL) == 0);
	nf_match_free(m);
}

static void check_phases(const struct nf_campaign_config *config)
{
	struct nf_phases_opts o;
	struct nf_arena a;

	nf_arena_init(&a, 1 << 16);
	fuzz_require(nf_campaign_phases(config, &a, &o, NULL) == 0);
	fuzz_require(o.n_phases <= NF_PHASES_MAX && o.n_values <= NF_PHASE_VALUES_MAX);
	if (o.t0)
		check_pattern(o.t0);
	for (size_t i = 0; i < o.n_phases; i++) {
		fuzz_require(o.phase[i].name[0]);
		for (size_t k = 0; k < i; k++)
			fuzz_require(strcmp(o.phase[i].name, o.phase[k].name) != 0);
		check_pattern(o.phase[i].regex);
	}
	for (size_t i = 0; i < o.n_values; i++)
		check_pattern(o.value[i].regex);
	nf_arena_fini(&a);
}

static void check_config(const struct nf_campaign_config *config)
{
	const struct nf_conf_text *fail = config->fail.items;
	const struct nf_campaign_tftp *load;
	size_t n = nf_campaign_loads(config, &load);

	fuzz_require(config->name.v[0] && n <= NF_CAMPAIGN_LOADS_MAX);
	for (size_t i = 0; i < n; i++)
		fuzz_require(load[i].root.v && load[i].image.v && load[i].addr.v &&
		             load[i].tries.v > 0);
	check_pattern(config->done.v);
	for (size_t i = 0; i < config->fail.n; i++)
		check_pattern(fail[i].v);
	fuzz_require(config->timeout.boot.v > 0 && config->timeout.silence.v > 0);
	check_phases(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_campaign c = { 0 };
	struct nf_err err = { 0 };
	int r = nf_campaign_read("f.yaml", data, size, &c, &err);

	if (r < 0) {
		fuzz_require(r == -NF_EDATA && strncmp(err.msg, "f.yaml:", 7) == 0);
		fuzz_require(!strchr(err.msg, '\n') && !c.file);
		return 0;
	}
	fuzz_require(c.file->configs.n >= 1 && c.file->configs.n <= NF_CAMPAIGN_CONFIGS_MAX);
	fuzz_require(c.file->campaign.runs.v >= 1 && c.power.driver < NF_POWER_N_DRIVERS);
	for (size_t i = 0; i < c.file->configs.n; i++)
		check_config(nf_campaign_config(&c, i));
	nf_campaign_fini(&c);
	return 0;
}
