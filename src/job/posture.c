/* SPDX-License-Identifier: MIT */
/* posture - the machine's setup as a record, live or from a captured tree. */
#include <string.h>

#include "build_info.h"
#include "job/head.h"
#include "record/rec_posture.h"
#include "record/write.h"
#include "report/text.h"

enum { ARENA_BYTES = 64 << 20 };

static int build(const struct nf_job_opts *o, const char *root, struct nf_arena *a,
                 struct nf_rec_posture *p, struct nf_err *err)
{
	struct nf_posture found;
	struct nf_rootfs fs;
	int r = nf_rootfs_open(&fs, root, err);

	if (r < 0)
		return r;
	r = nf_posture_read(&fs, a, &found, err);
	nf_rootfs_close(&fs);
	if (r < 0)
		return r;
	const char **command = nf_arena_alloc(a, (size_t)o->argc, sizeof(*command));
	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*p = (struct nf_rec_posture){
		.schema = "Posture/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(a, nf_now_utc()),
		.root = root ? root : "/",
		.host = { .label = found.host_name ? found.host_name : "unknown",
		          .machine_hash = found.machine_hash,
		          .dmi_model = nf_head_model(&found, a),
		          .platform_kind = found.platform_kind },
		.lane = (int)nf_posture_lane(&found),
		.claim_ceiling = "Shows how the machine is set up, not how it behaves.",
	};
	nf_head_setup(&found, &p->setup);
	r = nf_arena_failed(a, "record", err);
	if (r < 0)
		return r;
	p->replaced_text = nf_record_replaced(&nf_rec_posture_type, p);
	return nf_rec_honesty_fill(&p->honesty, &nf_rec_posture_type, p, a, err);
}

int nf_job_posture(const struct nf_job_opts *o, const char *root, struct nf_job_outcome *ret,
                   struct nf_err *err)
{
	struct nf_rec_posture p = { 0 };
	struct nf_arena a;
	int r;

	nf_arena_init(&a, ARENA_BYTES);
	r = build(o, root, &a, &p, err);
	if (r < 0)
		goto out;
	r = nf_record_to_json(&nf_rec_posture_type, &p, &ret->json, NULL, err);
	if (r < 0)
		goto out;
	nf_text_posture(&p, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r < 0)
		goto out;
	ret->result = NF_RESULT_PASS;
	ret->exit_code = 0;
out:
	nf_arena_fini(&a);
	return r;
}
