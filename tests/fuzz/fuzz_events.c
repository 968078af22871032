/* SPDX-License-Identifier: MIT */
/* events: kept events as anybody may write them: any ticks, any words. The first byte says how intervals lie;
 * then 16 bytes an event, little-endian. */
#include <string.h>

#include "fuzz.h"
#include "stats/attribute.h"

enum { MAX_EVENTS = 4096, MAX_INTERVALS = 64 };

struct source {
	int64_t begin;
	int64_t step;
	int n;
};

static bool next_interval(void *ctx, struct nf_interval *ret)
{
	struct source *s = ctx;

	if (s->n == 0)
		return false;
	s->n--;
	*ret = (struct nf_interval){ s->begin, s->step, s->step / 2 + 1 };
	s->begin += s->step + s->n % 3;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int64_t tick[MAX_EVENTS], word[MAX_EVENTS];
	static const int measured[] = { 0, 7 };
	struct source source = { .begin = -100, .n = MAX_INTERVALS };
	struct nf_attribute_cpu cpu = {
		.segments = { .measured = measured, .n_measured = 2, .ticks_per_ns = 2.6 },
		.tick = tick,
		.word = word,
		.span_begin = -100,
		.span_end = 100000,
		.next = next_interval,
		.next_ctx = &source
	};
	struct nf_attribution a;
	struct nf_segments s;
	struct nf_segment g;
	int64_t last = INT64_MIN, sum = 0;

	if (size == 0)
		return 0;
	source.step = 1 + data[0] % 64;
	cpu.around_ticks = data[0] / 64;
	cpu.segments.not_asleep = data[0] & 1;
	for (data++, size--; size >= 16 && cpu.n_events < MAX_EVENTS; data += 16, size -= 16) {
		memcpy(&tick[cpu.n_events], data, 8);
		memcpy(&word[cpu.n_events++], data + 8, 8);
	}
	nf_segments_init(&s, &cpu.segments, tick, word, cpu.n_events);
	while (nf_segments_next(&s, &g)) {
		fuzz_require(g.begin >= last && g.end > g.begin);
		fuzz_require(g.cause.kind > NF_CAUSE_UNEXPLAINED &&
		             g.cause.kind <= NF_CAUSE_THREAD);
		fuzz_require(g.cause.name < NF_EVENT_NAMES_MAX);
		last = g.end;
	}
	nf_attribution_init(&a);
	fuzz_require(nf_attribute(&a, &cpu, NULL) == 0);
	for (size_t i = 0; i < a.n; i++)
		sum += a.total[i].total_ticks;
	fuzz_require(sum == a.noise_ticks && a.n_intervals == MAX_INTERVALS);
	nf_attribution_fini(&a);
	return 0;
}
