/* SPDX-License-Identifier: MIT */
#include "base/event_log.h"

#include <stdlib.h>
#include <string.h>

enum {
	ARG_BITS = 32,
	NAME_BITS = 20,
	FIRST_EVENTS = 1024,
	FIRST_SLOTS = 256, /* a power of two */
};

int64_t nf_event_pack(enum nf_event_kind kind, uint32_t name, uint32_t arg)
{
	return (int64_t)((uint64_t)kind << (ARG_BITS + NAME_BITS) | (uint64_t)name << ARG_BITS |
	                 arg);
}

bool nf_event_unpack(int64_t tick, int64_t word, struct nf_event *ret)
{
	uint64_t w = (uint64_t)word;
	uint64_t kind = w >> (ARG_BITS + NAME_BITS);

	if (kind == NF_EVENT_NONE || kind >= NF_N_EVENTS)
		return false;
	*ret = (struct nf_event){
		.tick = tick,
		.kind = (enum nf_event_kind)kind,
		.name = (uint32_t)(w >> ARG_BITS) & ((UINT32_C(1) << NAME_BITS) - 1),
		.arg = (uint32_t)w,
	};
	return true;
}

int nf_event_log_init(struct nf_event_log *log, const struct nf_cpuset *cpus, size_t max_events,
                      size_t max_names, struct nf_err *err)
{
	struct nf_event_log made = { .max_events = max_events, .max_names = max_names };
	size_t n = nf_cpuset_count(cpus);
	uint32_t unknown;
	int cpu = -1, r;

	made.track = calloc(n > 0 ? n : 1, sizeof(*made.track));
	if (!made.track)
		return nf_fail_nomem(err, "tracks of events", n * sizeof(*made.track));
	made.n_tracks = n;
	for (size_t i = 0; i < n; i++)
		made.track[i].cpu = cpu = nf_cpuset_next(cpus, cpu);
	r = nf_event_log_name(&made, "?", 1, &unknown, err);
	if (r < 0) {
		nf_event_log_fini(&made);
		return r;
	}
	*log = made;
	return 0;
}

void nf_event_log_fini(struct nf_event_log *log)
{
	for (size_t i = 0; i < log->n_tracks; i++) {
		free(log->track[i].tick);
		free(log->track[i].word);
	}
	for (size_t i = 0; i < log->n_names; i++)
		free(log->name[i]);
	free(log->track);
	free(log->name);
	free(log->slot);
	*log = (struct nf_event_log){ 0 };
}

struct nf_event_track *nf_event_log_track(const struct nf_event_log *log, int cpu)
{
	size_t lo = 0, hi = log->n_tracks;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (log->track[mid].cpu < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < log->n_tracks && log->track[lo].cpu == cpu ? &log->track[lo] : NULL;
}

/* --- names --- */

/* FNV-1a (Fowler, Noll and Vo), 32 bits. */
static uint32_t hash_of(const char *text, size_t n)
{
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619U;
	return h;
}

/* The slot of the name, or the free one where it belongs. n_slots is a power of two and never full. */
static size_t find_slot(const struct nf_event_log *log, const char *text, size_t n)
{
	size_t mask = log->n_slots - 1, at = hash_of(text, n) & mask;

	for (;; at = (at + 1) & mask) {
		const char *name;

		if (log->slot[at] == 0)
			return at;
		name = log->name[log->slot[at] - 1];
		if (strncmp(name, text, n) == 0 && name[n] == '\0')
			return at;
	}
}

static int grow_names(struct nf_event_log *log, struct nf_err *err)
{
	size_t n_slots = log->n_slots ? log->n_slots * 2 : FIRST_SLOTS;
	char **name = realloc(log->name, n_slots / 2 * sizeof(*name));
	struct nf_event_log wider = *log;

	if (!name)
		return nf_fail_nomem(err, "names of events", n_slots / 2 * sizeof(*name));
	log->name = name;
	wider.name = name;
	wider.n_slots = n_slots;
	wider.slot = calloc(n_slots, sizeof(*wider.slot));
	if (!wider.slot)
		return nf_fail_nomem(err, "names of events", n_slots * sizeof(*wider.slot));
	for (size_t i = 0; i < log->n_names; i++)
		wider.slot[find_slot(&wider, name[i], strlen(name[i]))] = (uint32_t)i + 1;
	free(log->slot);
	*log = wider;
	return 0;
}

int nf_event_log_name(struct nf_event_log *log, const char *text, size_t len_bytes, uint32_t *ret,
                      struct nf_err *err)
{
	size_t n = strnlen(text, len_bytes), at;
	char *copy;

	if (log->n_names + 1 > log->n_slots / 2) {
		int r = grow_names(log, err);

		if (r < 0)
			return r;
	}
	at = find_slot(log, text, n);
	if (log->slot[at] != 0) {
		*ret = log->slot[at] - 1;
		return 0;
	}
	if (log->n_names >= log->max_names) {
		*ret = 0;
		return 0;
	}
	copy = malloc(n + 1);
	if (!copy)
		return nf_fail_nomem(err, "the name of an event", n + 1);
	memcpy(copy, text, n);
	copy[n] = '\0';
	log->name[log->n_names] = copy;
	log->slot[at] = (uint32_t)++log->n_names;
	*ret = log->slot[at] - 1;
	return 0;
}

const char *nf_event_log_text(const struct nf_event_log *log, uint32_t name)
{
	return name < log->n_names ? log->name[name] : "?";
}

/* --- events --- */

static int grow_track(struct nf_event_track *t, struct nf_err *err)
{
	size_t cap = t->cap ? t->cap + t->cap / 2 : FIRST_EVENTS, bytes;
	int64_t *tick, *word;

	if (__builtin_mul_overflow(cap, sizeof(*tick), &bytes))
		return nf_fail_nomem(err, "events", SIZE_MAX);
	tick = realloc(t->tick, bytes);
	if (!tick)
		return nf_fail_nomem(err, "events", bytes);
	t->tick = tick;
	word = realloc(t->word, bytes);
	if (!word)
		return nf_fail_nomem(err, "events", bytes);
	t->word = word;
	t->cap = cap;
	return 0;
}

static int append(struct nf_event_track *t, int64_t tick, int64_t word, struct nf_err *err)
{
	if (t->n == t->cap) {
		int r = grow_track(t, err);

		if (r < 0)
			return r;
	}
	if (t->n > 0 && tick < t->tick[t->n - 1])
		tick = t->tick[t->n - 1];
	t->tick[t->n] = tick;
	t->word[t->n++] = word;
	return 0;
}

int nf_event_log_put(struct nf_event_log *log, struct nf_event_track *t, int64_t tick,
                     enum nf_event_kind kind, uint32_t name, uint32_t arg, struct nf_err *err)
{
	int r;

	if (t->n_dropped > 0 || log->n_events >= log->max_events) {
		t->n_dropped++;
		t->last_dropped_tick = tick;
		return 0;
	}
	r = append(t, tick, nf_event_pack(kind, name, arg), err);
	if (r < 0)
		return r;
	log->n_events++;
	if (kind == NF_EVENT_LOST)
		t->n_lost += arg > 0 ? arg : 1;
	return 0;
}

int nf_event_log_finish(struct nf_event_log *log, struct nf_err *err)
{
	for (size_t i = 0; i < log->n_tracks; i++) {
		struct nf_event_track *t = &log->track[i];
		uint32_t n = t->n_dropped < UINT32_MAX ? (uint32_t)t->n_dropped : UINT32_MAX;
		int r;

		if (n == 0)
			continue;
		r = append(t, t->last_dropped_tick, nf_event_pack(NF_EVENT_LOST, 0, n), err);
		if (r < 0)
			return r;
		log->n_events++;
	}
	return 0;
}
