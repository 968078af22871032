/* SPDX-License-Identifier: MIT */
#include "job/lab_boot_opts.h"

static const char *const *texts(const struct nf_conf_list *list, struct nf_arena *a)
{
	const struct nf_conf_text *item = list->items;
	const char **ret = nf_arena_alloc(a, list->n + 1, sizeof(*ret));

	for (size_t i = 0; ret && i < list->n; i++)
		ret[i] = item[i].v;
	return ret;
}

static void take_loads(const struct nf_campaign_config *config,
                       const struct nf_campaign_image *image, struct nf_arena *a,
                       struct nf_dialogue_opts *ret)
{
	const struct nf_campaign_tftp *from = NULL;
	size_t n = nf_campaign_loads(config, &from);
	struct nf_dialogue_load *load = nf_arena_alloc(a, n + 1, sizeof(*load));

	for (size_t i = 0; load && i < n; i++)
		load[i] = (struct nf_dialogue_load){
			.image = from[i].image.v,
			.addr = from[i].addr.v,
			.server = from[i].server.v,
			.bytes = image ? (int64_t)image[i].bytes : -1,
			.tries = (unsigned)from[i].tries.v,
		};
	ret->load = load;
	ret->n_loads = n;
}

static void take_marks(const struct nf_campaign_config *config, struct nf_arena *a,
                       struct nf_dialogue_opts *ret)
{
	const struct nf_campaign_phase *phase = config->phases.items;
	struct nf_phase_want *mark = nf_arena_alloc(a, config->phases.n + 1, sizeof(*mark));

	for (size_t i = 0; mark && i < config->phases.n; i++)
		mark[i] = (struct nf_phase_want){ .name = phase[i].name.v,
			                          .regex = phase[i].match.v };
	ret->mark = mark;
	ret->n_marks = config->phases.n;
}

int nf_lab_boot_opts(const struct nf_campaign *c, const struct nf_campaign_config *config,
                     const struct nf_campaign_image *image, struct nf_arena *a,
                     struct nf_dialogue_opts *ret, struct nf_err *err)
{
	const struct nf_campaign_board *b = &c->file->board;
	struct nf_dialogue_opts o = {
		.off_ns = b->power.off_time.v,
		.verify_silence = b->power.verify.v == NF_CAMPAIGN_VERIFY_SILENCE,
		.command = texts(&config->commands, a),
		.n_commands = config->commands.n,
		.boot = config->boot.v,
		.done = config->done.v,
		.fail = texts(&config->fail, a),
		.n_fails = config->fail.n,
		.prompt_ns = config->timeout.prompt.v,
		.load_ns = config->timeout.load.v,
		.boot_ns = config->timeout.boot.v,
		.silence_ns = config->timeout.silence.v,
	};

	if (b->uboot.pos.line) {
		o.autoboot = b->uboot.autoboot.v;
		o.keys = b->uboot.keys.v;
		o.prompt = b->uboot.prompt.v;
		o.eol = b->uboot.eol.v;
	}
	take_loads(config, image, a, &o);
	take_marks(config, a, &o);
	int r = nf_arena_failed(a, "a configuration", err);
	if (r == 0)
		*ret = o;
	return r;
}
