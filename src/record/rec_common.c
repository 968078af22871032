/* SPDX-License-Identifier: MIT */
#include "record/rec_common.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(result, "Result", "blocked", "fail", "partial", "pass")
NF_RECORD_ENUM_TYPE(state, "RunState", "partial", "complete")
NF_RECORD_ENUM_TYPE(lane, "Lane", "unknown", "generic", "rt")
NF_RECORD_ENUM_TYPE(policy, "Policy", "other", "fifo", "rr", "deadline")
NF_RECORD_ENUM_TYPE(clock_source, "ClockSource", "tsc", "cntvct", "monotonic_raw")
NF_RECORD_ENUM_TYPE(sample_unit, "SampleUnit", "tick", "ns", "count")
NF_RECORD_ENUM_TYPE(sample_kind, "SampleKind", "duration", "instant", "count")
NF_RECORD_TYPE(percentile, "Percentile", NF_ROWS_PERCENTILE)
NF_RECORD_TYPE(summary, "Summary", NF_ROWS_SUMMARY)
NF_RECORD_TYPE(stream_ref, "StreamRef", NF_ROWS_STREAM_REF)

static const struct nf_field setup_fields[] = {
#define X(kind, name, is_volatile, doc) \
	{ #name, NF_P_O##kind, offsetof(struct nf_rec_setup, name), NF_O_O##kind, NF_MEASURED, doc },
#include "posture.def"
#undef X
	NF_ROW_FIELD(struct nf_rec_setup, TEXTS, unread, MEASURED,
		     "facts that should be readable and were not, as path: why")
	{ .key = NULL },
};
const struct nf_type nf_rec_setup_type = { .kind = NF_T_RECORD, .name = "Setup",
					   .size = sizeof(struct nf_rec_setup), .fields = setup_fields };

NF_RECORD_TYPE(difference, "Difference", NF_ROWS_DIFFERENCE)
NF_RECORD_TYPE(clock, "Clock", NF_ROWS_CLOCK)
NF_RECORD_TYPE(bracket_cpu, "BracketCpu", NF_ROWS_BRACKET_CPU)
NF_RECORD_TYPE(bracket, "Bracket", NF_ROWS_BRACKET)
NF_RECORD_TYPE(facts, "RunFacts", NF_ROWS_FACTS)
NF_RECORD_TYPE(host, "Host", NF_ROWS_HOST)
NF_RECORD_TYPE(library, "Library", NF_ROWS_LIBRARY)
NF_RECORD_TYPE(build, "Build", NF_ROWS_BUILD)
NF_RECORD_TYPE(env_var, "EnvVar", NF_ROWS_ENV_VAR)
NF_RECORD_TYPE(file_ref, "FileRef", NF_ROWS_FILE_REF)
NF_RECORD_TYPE(exclusion, "Exclusion", NF_ROWS_EXCLUSION)
NF_RECORD_TYPE(honesty, "Honesty", NF_ROWS_HONESTY)
NF_RECORD_TYPE(head, "Head", NF_ROWS_HEAD)
/* clang-format on */

int nf_rec_summary_fill(const struct nf_summary *s, const char *unit, struct nf_arena *a,
                        struct nf_rec_summary *ret, struct nf_err *err)
{
	struct nf_rec_percentile *p = nf_arena_alloc(a, NF_SUMMARY_PERCENTILES, sizeof(*p));

	if (!p)
		return nf_arena_failed(a, "summary", err);
	for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++)
		p[i] = (struct nf_rec_percentile){ .p = s->percentile[i].p,
			                           .value = s->percentile[i].value,
			                           .n_beyond = s->percentile[i].n_beyond };
	*ret = (struct nf_rec_summary){
		.n = s->n,
		.unit = unit,
		.min = s->min,
		.max = s->max,
		.mean = s->mean,
		.median = s->median,
		.mad = s->mad,
		.percentiles = { p, NF_SUMMARY_PERCENTILES },
		.method = "percentiles: type 7; sd: divisor n - 1; interval: order statistics",
	};
	if (s->has_sd)
		ret->sd = nf_some_real(s->sd);
	if (s->has_median_ci) {
		ret->median_ci_lo = nf_some_real(s->median_ci_lo);
		ret->median_ci_hi = nf_some_real(s->median_ci_hi);
		ret->median_ci_level = nf_some_real(s->median_ci_level);
	}
	return 0;
}

int nf_rec_stream_fill(const struct nf_stream *s, const char *file, const char *sha256,
                       struct nf_arena *a, struct nf_rec_stream_ref *ret, struct nf_err *err)
{
	struct nf_rec_stream_ref ref = {
		.file = nf_arena_strdup(a, file),
		.stream = nf_arena_strdup(a, s->name),
		.count = s->n,
		.sha256 = nf_arena_strdup(a, sha256),
		.unit = (int)s->unit,
		.kind = (int)s->kind,
		.clock = nf_arena_strdup(a, s->clock),
		.origin = s->origin[0] ? nf_arena_strdup(a, s->origin) : NULL,
		.dropped = s->n_dropped,
		.saturated = s->n_saturated,
		.missed = s->n_missed,
		.truncated = s->n_truncated,
	};

	if (s->unit == NF_UNIT_TICK)
		ref.tick_hz = nf_some_real(s->tick_hz);
	if (s->cpu >= 0)
		ref.cpu = nf_some_nat((uint64_t)s->cpu);
	if (s->node >= 0)
		ref.node = nf_some_nat((uint64_t)s->node);
	int rc = nf_arena_failed(a, "stream reference", err);
	if (rc == 0)
		*ret = ref;
	return rc;
}

int nf_rec_honesty_fill(struct nf_rec_honesty *ret, const struct nf_type *t, const void *value,
                        struct nf_arena *a, struct nf_err *err)
{
	struct nf_honesty h;
	int rc = nf_record_honesty(t, value, a, &h, err);

	if (rc != 0)
		return rc;
	*ret = (struct nf_rec_honesty){
		.measured = h.path[NF_MEASURED],
		.derived = h.path[NF_DERIVED],
		.declared = h.path[NF_DECLARED],
		.synthetic = h.path[NF_SYNTHETIC],
	};
	return 0;
}

int nf_rec_head_finish(struct nf_rec_head *head, const struct nf_type *t, const void *value,
                       struct nf_arena *a, struct nf_err *err)
{
	int rc = nf_rec_honesty_fill(&head->honesty, t, value, a, err);

	if (rc == 0)
		head->replaced_text = nf_record_replaced(t, value);
	return rc;
}
