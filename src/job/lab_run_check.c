/* SPDX-License-Identifier: MIT */
/* lab_run_check - campaign files, and all that can be wrong with them before anything is switched. */
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/sysio.h"
#include "job/lab_boot_opts.h"
#include "job/lab_run_impl.h"

static int read_text(struct nf_run_board *b, struct nf_err *err)
{
	uint8_t digest[NF_SHA256_BYTES];
	struct nf_sha256 sha;
	int fd = nf_open_input(b->path, "a campaign file", err);

	if (fd < 0)
		return fd;
	int r = nf_read_all(fd, &b->text, b->path, err);
	close(fd);
	if (r < 0)
		return r;
	nf_sha256_init(&sha);
	nf_sha256_add(&sha, b->text.data, b->text.len_bytes);
	nf_sha256_done(&sha, digest);
	nf_sha256_hex(digest, b->sha256);
	return nf_campaign_read(b->path, b->text.data, b->text.len_bytes, &b->campaign, err);
}

static bool is_wanted(const struct nf_run *x, const char *name)
{
	bool wanted = x->opts->n_configs == 0;

	for (size_t i = 0; i < x->opts->n_configs; i++)
		wanted = wanted || strcmp(x->opts->config[i], name) == 0;
	return wanted;
}

static void list_images(struct nf_run_config *c, struct nf_arena *a)
{
	const struct nf_campaign_tftp *load = NULL;
	size_t n = nf_campaign_loads(c->config, &load);

	c->images = nf_arena_alloc(a, n + 1, sizeof(*c->images));
	for (size_t i = 0; c->images && i < n && i < c->n_images; i++)
		c->images[i] = (struct nf_rec_boot_image){ .image = load[i].image.v,
			                                   .bytes = c->image[i].bytes,
			                                   .sha256 = c->image[i].sha256 };
}

static void list_declared(struct nf_run_config *c, struct nf_arena *a)
{
	const struct nf_campaign_declared *from = c->config->declared.items;
	struct nf_rec_boot_declared *to = nf_arena_alloc(a, c->config->declared.n + 1, sizeof(*to));

	for (size_t i = 0; to && i < c->config->declared.n; i++)
		to[i] = (struct nf_rec_boot_declared){ from[i].name.v, from[i].value.v };
	c->declared = (struct nf_list){ to, to ? c->config->declared.n : 0 };
}

static void list_units(struct nf_run_config *c, struct nf_arena *a)
{
	const struct nf_campaign_value *v = c->config->values.items;
	const char **unit = nf_arena_alloc(a, c->config->values.n + 1, sizeof(*unit));

	for (size_t i = 0; unit && i < c->config->values.n; i++)
		unit[i] = v[i].unit.v;
	c->lab.value_unit = unit;
}

static int take_config(struct nf_run *x, struct nf_run_board *b, struct nf_run_config *c,
                       struct nf_err *err)
{
	struct nf_arena *a = &x->session.arena;
	int r = nf_campaign_hash_images(&b->campaign, c->config, c->image, &c->n_images, err);

	if (r == 0)
		r = nf_lab_boot_opts(&b->campaign, c->config, c->image, a, &c->dialogue, err);
	if (r == 0)
		r = nf_campaign_phases(c->config, a, &c->lab.phases, err);
	if (r < 0)
		return r;
	list_images(c, a);
	list_declared(c, a);
	list_units(c, a);
	c->label = x->n_boards == 1 ? c->config->name.v
	                            : nf_arena_printf(a, "%s.%s", b->name, c->config->name.v);
	return nf_arena_failed(a, "a configuration", err);
}

static int take_configs(struct nf_run *x, struct nf_run_board *b, struct nf_err *err)
{
	size_t all = b->campaign.file->configs.n;
	int r = 0;

	b->config = nf_arena_alloc(&x->session.arena, all, sizeof(*b->config));
	if (!b->config)
		return nf_arena_failed(&x->session.arena, "configurations", err);
	for (size_t i = 0; r == 0 && i < all; i++) {
		const struct nf_campaign_config *c = nf_campaign_config(&b->campaign, i);

		if (!is_wanted(x, c->name.v))
			continue;
		b->config[b->n_configs].config = c;
		r = take_config(x, b, &b->config[b->n_configs++], err);
	}
	if (r == 0 && b->n_configs == 0)
		r = nf_fail(err, NF_EARG, "--config: %s has none of these; it has '%s'%s", b->path,
		            nf_campaign_config(&b->campaign, 0)->name.v,
		            all > 1 ? " and others" : "");
	return r;
}

static int take_plan(struct nf_run *x, struct nf_run_board *b, struct nf_err *err)
{
	const struct nf_campaign_plan *p = &b->campaign.file->campaign;
	uint64_t runs = (uint64_t)(x->opts->runs > 0 ? x->opts->runs : p->runs.v);
	int r = nf_lab_plan_init(&b->plan, b->n_configs, runs, &x->session.arena, err);

	if (r < 0)
		return r;
	b->plan.sequential = p->order.v == NF_CAMPAIGN_SEQUENTIAL;
	b->plan.retry_infra = (uint64_t)p->retry.infra.v;
	b->plan.retry_board = (uint64_t)p->retry.board.v;
	return 0;
}

static int check_board(struct nf_run *x, struct nf_run_board *b, struct nf_err *err)
{
	int r = read_text(b, err);

	if (r < 0)
		return r;
	b->campaign.power.search = x->opts->search;
	b->name = b->campaign.file->board.name.v;
	r = nf_campaign_find_devices(&b->campaign, err);
	if (r == 0)
		r = take_configs(x, b, err);
	return r < 0 ? r : take_plan(x, b, err);
}

/* --- of all boards --- */

static int check_names(const struct nf_run *x, struct nf_err *err)
{
	for (size_t i = 0; i < x->n_boards; i++) {
		const struct nf_run_board *b = &x->board[i];

		for (size_t k = 0; k < i; k++)
			if (strcmp(b->name, x->board[k].name) == 0)
				return nf_fail(err, NF_EDATA,
				               "%s and %s are both of a board '%s'; allowed: a "
				               "board for each file",
				               x->board[k].path, b->path, b->name);
	}
	return 0;
}

/* Names may hold dots: a.b of c and b.c of a are one folder. */
static int check_labels(const struct nf_run *x, struct nf_err *err)
{
	for (size_t i = 0; i < x->n_boards; i++)
		for (size_t c = 0; c < x->board[i].n_configs; c++)
			for (size_t k = 0; k < i; k++)
				for (size_t d = 0; d < x->board[k].n_configs; d++)
					if (strcmp(x->board[i].config[c].label,
					           x->board[k].config[d].label) == 0)
						return nf_fail(err, NF_EDATA,
						               "%s and %s both have a '%s' "
						               "(BOARD.CONFIG); allowed: "
						               "names that differ",
						               x->board[k].path, x->board[i].path,
						               x->board[i].config[c].label);
	return 0;
}

static int check_selection(const struct nf_run *x, struct nf_err *err)
{
	char name[NF_QUOTED];

	for (size_t i = 0; i < x->opts->n_configs; i++) {
		bool found = false;

		for (size_t b = 0; b < x->n_boards; b++)
			for (size_t c = 0; c < x->board[b].n_configs; c++)
				found = found || strcmp(x->board[b].config[c].config->name.v,
				                        x->opts->config[i]) == 0;
		if (found)
			continue;
		nf_quote(x->opts->config[i], name);
		return nf_fail(err, NF_EARG, "--config: %s is in no campaign file; allowed: '%s'%s",
		               name, nf_campaign_config(&x->board[0].campaign, 0)->name.v,
		               x->board[0].campaign.file->configs.n > 1 ? " and others" : "");
	}
	return 0;
}

int nf_run_check(struct nf_run *x, struct nf_err *err)
{
	size_t n = x->opts->n_files;
	int r = 0;

	if (n == 0 || n > NF_LAB_BOARDS_MAX)
		return nf_fail(err, NF_EARG, "%zu campaign files; allowed: 1 to %d", n,
		               NF_LAB_BOARDS_MAX);
	x->board = nf_arena_alloc(&x->session.arena, n, sizeof(*x->board));
	if (!x->board)
		return nf_arena_failed(&x->session.arena, "boards", err);
	x->n_boards = n;
	for (size_t i = 0; i < n; i++) {
		x->board[i].run = x;
		x->board[i].index = i;
		x->board[i].path = x->opts->file[i];
		nf_buf_init(&x->board[i].text, NF_CONF_BYTES_MAX);
		nf_lab_board_none(&x->board[i].lab);
	}
	for (size_t i = 0; r == 0 && i < n; i++)
		r = check_board(x, &x->board[i], err);
	if (r == 0)
		r = check_names(x, err);
	if (r == 0)
		r = check_labels(x, err);
	return r < 0 ? r : check_selection(x, err);
}

struct nf_rec_boot_end nf_run_end(const struct nf_run_board *b, const struct nf_lab_turn *t)
{
	const struct nf_run_config *c = &b->config[t->config];

	return (struct nf_rec_boot_end){
		.board = b->name,
		.config = c->config->name.v,
		.run = t->run,
		.attempt = t->attempt,
		.campaign_sha256 = b->sha256,
		.platform = b->campaign.platform == NF_CAMPAIGN_EMULATOR ? NF_BOOT_EMULATOR
		                                                         : NF_BOOT_BOARD,
		.platform_why = b->campaign.file->board.platform.pos.line ? "campaign file"
		                                                          : "power driver",
		.power_driver = nf_power_rows[b->campaign.power.driver]->name,
		.declared = c->declared,
		.images = { c->images, c->n_images },
	};
}

void nf_run_free(struct nf_run *x)
{
	for (size_t i = 0; i < x->n_boards; i++) {
		nf_campaign_fini(&x->board[i].campaign);
		nf_buf_fini(&x->board[i].text);
	}
}
