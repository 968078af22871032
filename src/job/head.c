/* SPDX-License-Identifier: MIT */
/* head - what every record says about the machine, this program and the run. */
#include "job/head.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "build_info.h"
#include "measure/kernels/kernels.h"
#include "stats/fft.h"
#include "vcs.h"

/* machine's and record's posture are made from the same rows. */
#define COPY_TEXT(name) to->name = from->name;
#define COPY_BOOL(name) to->name = (struct nf_some_bool){ from->name.some, from->name.v };
#define COPY_NAT(name) to->name = (struct nf_some_nat){ from->name.some, from->name.v };
#define COPY_REAL(name) \
	to->name = from->name.some ? nf_some_real(from->name.v) : (struct nf_some_real){ 0 };

void nf_head_setup(const struct nf_posture *from, struct nf_rec_setup *to)
{
#define X(kind, name, is_volatile, doc) COPY_##kind(name)
#include "posture.def"
#undef X
	to->unread = (struct nf_list){ from->unread, from->n_unread };
}

const char *nf_head_text(struct nf_arena *a, struct nf_buf *b)
{
	const char *text = NULL;

	if (b->failed)
		a->failed = b->failed;
	else
		text = nf_arena_strdup(a, b->data);
	nf_buf_fini(b);
	return text ? text : "";
}

const char *nf_head_utc(struct nf_arena *a, struct nf_instant utc)
{
	struct nf_buf b;

	nf_buf_init(&b, 64);
	(void)nf_utc_print(utc, &b);
	return nf_head_text(a, &b);
}

static struct nf_list libraries(struct nf_arena *a)
{
	const struct nf_rec_library all[] = {
		{ "glibc", gnu_get_libc_version() },
		{ "jansson", jansson_version_str() },
		/* These do not tell their version when asked: what the program was built with. */
		{ "hwloc", NF_HWLOC_VERSION },
		{ nf_fft_name(), nf_fft_version() },
		{ "libtracefs", NF_TRACEFS_VERSION },
		{ "libtraceevent", NF_TRACEEVENT_VERSION },
	};
	struct nf_rec_library *l = nf_arena_alloc(a, 1, sizeof(all));

	if (!l)
		return (struct nf_list){ 0 };
	memcpy(l, all, sizeof(all));
	return (struct nf_list){ l, sizeof(all) / sizeof(all[0]) };
}

static const char *binary_digest(struct nf_arena *a)
{
	char hex[NF_SHA256_HEX];
	const char *text = NULL;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (nf_sha256_fd(fd, "/proc/self/exe", hex, NULL) == 0)
		text = nf_arena_strdup(a, hex);
	close(fd);
	return text;
}

static void fill_build(struct nf_arena *a, struct nf_rec_build *b)
{
	static const char dirty[] = "-dirty";
	size_t len = strlen(NF_BUILD_COMMIT);
	bool is_dirty =
	        len > strlen(dirty) && strcmp(&NF_BUILD_COMMIT[len - strlen(dirty)], dirty) == 0;

	*b = (struct nf_rec_build){
		.compiler = NF_BUILD_COMPILER,
		.build_type = NF_BUILD_TYPE,
		.flags = NF_BUILD_FLAGS,
		.kernels_compiler = nf_kernels_compiler,
		.kernels_flags = nf_kernels_flags,
		.sanitize = NF_BUILD_SANITIZE,
		.binary_sha256 = binary_digest(a),
		.libraries = libraries(a),
	};
	if (strcmp(NF_BUILD_COMMIT, "unknown") != 0) {
		b->commit =
		        nf_arena_strndup(a, NF_BUILD_COMMIT, is_dirty ? len - strlen(dirty) : len);
		b->dirty = nf_some_bool(is_dirty);
	}
}

static struct nf_list environment(struct nf_arena *a, const char *const *pairs)
{
	size_t n = 0;

	while (pairs && pairs[n])
		n++;
	struct nf_rec_env_var *v = nf_arena_alloc(a, n, sizeof(*v));
	if (!v)
		return (struct nf_list){ 0 };
	for (size_t i = 0; i < n; i++) {
		size_t len = strcspn(pairs[i], "=");

		v[i].name = nf_arena_strndup(a, pairs[i], len);
		v[i].value = pairs[i][len] ? pairs[i] + len + 1 : "";
	}
	return (struct nf_list){ v, n };
}

static int fill_inputs(const struct nf_job_opts *o, struct nf_arena *a, struct nf_list *ret,
                       struct nf_err *err)
{
	char hex[NF_SHA256_HEX];

	if (!o->budget_path)
		return 0;
	int fd = nf_open_input(o->budget_path, "a budget, a text file", err);
	if (fd < 0)
		return fd;
	int r = nf_sha256_fd(fd, o->budget_path, hex, err);
	close(fd);
	if (r < 0)
		return r;
	struct nf_rec_file_ref *f = nf_arena_alloc(a, 1, sizeof(*f));
	if (!f)
		return nf_arena_failed(a, "record", err);
	f->path = o->budget_path;
	f->sha256 = nf_arena_strdup(a, hex);
	*ret = (struct nf_list){ f, 1 };
	return 0;
}

static const struct nf_rec_clock *clock_record(struct nf_arena *a, const struct nf_tick_clock *c)
{
	struct nf_rec_clock *r = nf_arena_alloc(a, 1, sizeof(*r));

	if (!r)
		return NULL;
	nf_head_clock(c, a, r);
	return r;
}

void nf_head_clock(const struct nf_tick_clock *c, struct nf_arena *a, struct nf_rec_clock *ret)
{
	*ret = (struct nf_rec_clock){
		.source = (int)c->source,
		.hz = c->hz,
		.hz_error_ppm = c->hz_error_ppm,
		.hz_nominal = c->hz_nominal > 0 ? nf_some_real(c->hz_nominal)
		                                : (struct nf_some_real){ 0 },
		.step_ticks = (uint64_t)c->step_ticks,
		.read_min_ns = nf_tick_to_ns(c, c->read_min_ticks),
		.read_median_ns = nf_tick_to_ns(c, c->read_median_ticks),
		.fallback_reason =
		        c->fallback_reason[0] ? nf_arena_strdup(a, c->fallback_reason) : NULL,
		.windows_kept = c->n_windows,
		.windows_rejected = c->n_rejected,
	};
}

static int fill_differences(struct nf_session *s, struct nf_list *ret, struct nf_err *err)
{
	struct nf_posture_diff *diff = NULL;
	size_t n = 0;
	int r = nf_posture_compare(&s->before, &s->after, &s->arena, &diff, &n, err);

	if (r < 0)
		return r;
	struct nf_rec_difference *d = nf_arena_alloc(&s->arena, n, sizeof(*d));
	if (!d)
		return nf_arena_failed(&s->arena, "record", err);
	for (size_t i = 0; i < n; i++)
		d[i] = (struct nf_rec_difference){ diff[i].name, diff[i].before, diff[i].after,
			                           diff[i].is_volatile };
	*ret = (struct nf_list){ d, n };
	return 0;
}

const char *nf_head_model(const struct nf_posture *p, struct nf_arena *a)
{
	if (p->dmi_vendor && p->dmi_product)
		return nf_arena_printf(a, "%s %s", p->dmi_vendor, p->dmi_product);
	return p->dmi_product;
}

int nf_head_fill(struct nf_session *s, const struct nf_verdict *verdict, struct nf_rec_head *h,
                 struct nf_err *err)
{
	const struct nf_job_opts *o = s->opts;
	struct nf_arena *a = &s->arena;
	struct nf_instant raw = nf_now_raw();
	int r;

	*h = (struct nf_rec_head){
		.run_id = s->folder ? nf_runfolder_name(s->folder) : "none",
		.tag = o->tag,
		.tool_version = NF_VERSION,
		.started_utc = nf_head_utc(a, s->started_utc),
		.finished_utc = nf_head_utc(a, nf_now_utc()),
		.duration_s = (double)nf_since_ns(s->started_raw, raw) * 1e-9,
		.host = { .label = s->before.host_name ? s->before.host_name : "unknown",
		          .machine_hash = s->before.machine_hash,
		          .dmi_model = nf_head_model(&s->before, a),
		          .platform_kind = s->before.platform_kind },
		.environment = environment(a, o->environment),
		.under = s->under,
		.reached = o->reached,
		.recovered = o->recovered,
		.seed = nf_arena_printf(a, "%" PRIu64, s->seed),
		.lane = (int)nf_posture_lane(&s->before),
		.state = s->stopped_by ? NF_STATE_PARTIAL : NF_STATE_COMPLETE,
		.result = (int)verdict->result,
		.reason = verdict->reason,
		.claim_ceiling = verdict->claim_ceiling,
	};
	const char **command = nf_arena_alloc(a, (size_t)o->argc, sizeof(*command));
	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	h->command = (struct nf_list){ command, command ? (size_t)o->argc : 0 };
	if (o->expect_lane == NF_EXPECT_GENERIC)
		h->expected_lane = nf_some_enum(NF_LANE_GENERIC);
	if (o->expect_lane == NF_EXPECT_RT)
		h->expected_lane = nf_some_enum(NF_LANE_RT);
	fill_build(a, &h->build);
	if (s->clock.hz > 0)
		h->clock = clock_record(a, &s->clock);
	nf_head_setup(&s->before, &h->setup_before);
	r = fill_inputs(o, a, &h->inputs, err);
	if (r < 0)
		return r;

	struct nf_rec_setup *after = nf_arena_alloc(a, 1, sizeof(*after));
	if (!after)
		return nf_arena_failed(a, "record", err);
	r = nf_posture_read(&s->root, a, &s->after, err);
	if (r < 0)
		return r;
	nf_head_setup(&s->after, after);
	h->setup_after = after;
	r = fill_differences(s, &h->differences, err);
	if (r < 0)
		return r;
	return nf_arena_failed(a, "record", err);
}
