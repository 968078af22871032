/* SPDX-License-Identifier: MIT */
/* posture - the machine's setup as a record, live or from a captured tree. */
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "build_info.h"
#include "job/head.h"
#include "job/profile_file.h"
#include "machine/advice.h"
#include "machine/profile.h"
#include "record/rec_posture.h"
#include "record/write.h"
#include "report/text.h"

enum { ARENA_BYTES = 64 << 20 };

/* --- the profile --- */

static int match_of(enum nf_profile_match m)
{
	static const int record[] = {
		[NF_PROFILE_MISSING] = NF_MATCH_MISSING,
		[NF_PROFILE_MISMATCHED] = NF_MATCH_MISMATCHED,
		[NF_PROFILE_MATCHED] = NF_MATCH_MATCHED,
	};

	return record[m];
}

/* What the lines say together: a line that the host contradicts decides, one that cannot be read leaves
 * it open. */
static void verdict(const struct nf_profile *profile, struct nf_arena *a,
                    struct nf_rec_posture *rec)
{
	size_t wrong = 0, unread = 0;

	for (size_t i = 0; i < profile->n; i++) {
		const struct nf_profile_line *l = &profile->line[i];

		unread += l->unread != NULL;
		wrong += !l->unread && l->match != NF_PROFILE_MATCHED;
	}
	rec->result = nf_some_enum(wrong    ? NF_RESULT_FAIL
	                           : unread ? NF_RESULT_PARTIAL
	                                    : NF_RESULT_PASS);
	if (wrong)
		rec->reason = nf_arena_printf(a, "%zu of %zu lines do not hold", wrong, profile->n);
	else if (unread)
		rec->reason = nf_arena_printf(a, "%zu of %zu lines cannot be read here", unread,
		                              profile->n);
}

static int check_profile(const char *path, const struct nf_rootfs *fs,
                         const struct nf_posture *found, struct nf_arena *a,
                         struct nf_rec_posture *rec, struct nf_err *err)
{
	struct nf_profile profile = { 0 };
	int r = nf_job_profile_read(path, a, &profile, err);

	if (r == 0)
		r = nf_profile_check(&profile, fs, found->kernel_release, a, err);
	if (r < 0)
		return r;
	struct nf_rec_profile_line *line = nf_arena_alloc(a, profile.n, sizeof(*line));
	for (size_t i = 0; line && i < profile.n; i++)
		line[i] = (struct nf_rec_profile_line){
			.line = profile.line[i].number,
			.text = profile.line[i].text,
			.match = match_of(profile.line[i].match),
			.found = profile.line[i].found,
			.unread = profile.line[i].unread,
		};
	rec->profile = nf_arena_strdup(a, path);
	rec->profile_lines = (struct nf_list){ line, line ? profile.n : 0 };
	verdict(&profile, a, rec);
	return nf_arena_failed(a, "the profile", err);
}

/* --- the advice --- */

static int advise(const struct nf_rootfs *fs, const struct nf_posture *found, struct nf_arena *a,
                  struct nf_rec_posture *rec, struct nf_err *err)
{
	struct nf_advice_list list = { 0 };
	int r = nf_advice_give(found, fs, a, &list, err);

	if (r < 0)
		return r;
	struct nf_rec_advice *advice = nf_arena_alloc(a, 1, sizeof(*advice));
	struct nf_rec_advice_item *item = nf_arena_alloc(a, list.n + 1, sizeof(*item));
	for (size_t i = 0; item && i < list.n; i++)
		item[i] = (struct nf_rec_advice_item){
			.id = list.item[i].id,
			.found = list.item[i].found,
			.effect = list.item[i].effect,
			.help = list.item[i].help,
			.read_from = list.item[i].read_from,
			.source = nf_arena_printf(a, "Linux kernel, Documentation/%s",
			                          list.item[i].source),
		};
	if (advice)
		*advice = (struct nf_rec_advice){
			.items = { item, item ? list.n : 0 },
			.undecided = { list.undecided, list.n_undecided },
		};
	rec->advice = advice;
	return nf_arena_failed(a, "the advice", err);
}

/* --- the record --- */

static int read_host(const struct nf_job_opts *o, const struct nf_posture_opts *opts,
                     struct nf_arena *a, struct nf_rec_posture *p, struct nf_err *err)
{
	struct nf_posture found;
	struct nf_rootfs fs;
	int r = nf_rootfs_open(&fs, opts->root, err);

	if (r < 0)
		return r;
	r = nf_posture_read(&fs, a, &found, err);
	if (r < 0)
		goto out;
	const char **command = nf_arena_alloc(a, (size_t)o->argc, sizeof(*command));
	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*p = (struct nf_rec_posture){
		.schema = "Posture/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(a, nf_now_utc()),
		.root = opts->root ? opts->root : "/",
		.host = { .label = found.host_name ? found.host_name : "unknown",
		          .machine_hash = found.machine_hash,
		          .dmi_model = nf_head_model(&found, a),
		          .platform_kind = found.platform_kind },
		.lane = (int)nf_posture_lane(&found),
		.claim_ceiling = "Shows how the machine is set up, not how it behaves.",
	};
	nf_head_setup(&found, &p->setup);
	if (opts->profile)
		r = check_profile(opts->profile, &fs, &found, a, p, err);
	if (r == 0 && opts->advise)
		r = advise(&fs, &found, a, p, err);
	if (r == 0)
		r = nf_arena_failed(a, "record", err);
out:
	nf_rootfs_close(&fs);
	return r;
}

int nf_job_posture(const struct nf_job_opts *o, const struct nf_posture_opts *opts,
                   struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_rec_posture p = { 0 };
	struct nf_arena a;
	int r;

	nf_arena_init(&a, ARENA_BYTES);
	r = read_host(o, opts, &a, &p, err);
	if (r < 0)
		goto out;
	p.replaced_text = nf_record_replaced(&nf_rec_posture_type, &p);
	r = nf_rec_honesty_fill(&p.honesty, &nf_rec_posture_type, &p, &a, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_posture_type, &p, &ret->json, NULL, err);
	if (r < 0)
		goto out;
	nf_text_posture(&p, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r < 0)
		goto out;
	ret->result = p.result.some ? (enum nf_rec_result)p.result.v : NF_RESULT_PASS;
	ret->exit_code = ret->result == NF_RESULT_FAIL ? 1 : ret->result == NF_RESULT_PASS ? 0 : 3;
out:
	nf_arena_fini(&a);
	return r;
}
