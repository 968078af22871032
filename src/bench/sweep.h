/* SPDX-License-Identifier: MIT */
/*
 * sweep - the points of a sweep: a full grid over the values of some knobs, or points that are listed, and the
 * variant that each of them is. A knob is an environment variable, or an argument: text that stands as {NAME} in the
 * command. Pure.
 */
#ifndef NF_BENCH_SWEEP_H
#define NF_BENCH_SWEEP_H

#include "base/arena.h"
#include "bench/backend.h"
#include "conf/schema.h"

enum { NF_SWEEP_KNOBS_MAX = 16, NF_SWEEP_POINTS_MAX = 128 };

/* What was asked for, from options or from a file; `at` is where, line 0 for options. All borrowed. */
struct nf_sweep_pair {
	const char *name;
	const char *value;
	struct nf_conf_pos at;
};
struct nf_sweep_pairs {
	const struct nf_sweep_pair *pair;
	size_t n;
	struct nf_conf_pos at;
};
struct nf_sweep_axis {
	const char *name;
	bool is_arg;
	const char *const *value; /* of a grid; none where points are listed */
	size_t n;
	struct nf_conf_pos at;
};
struct nf_sweep_spec {
	struct nf_sweep_axis axis[NF_SWEEP_KNOBS_MAX];
	size_t n_axes;
	const struct nf_sweep_pairs *point; /* listed points; none: a grid */
	size_t n_points;
	struct nf_sweep_pairs
	        base; /* knobs left out have the first point's value; n 0: the first point */
	const char *workers; /* knob that is a number of threads or workers; NULL: none */
	struct nf_conf_pos workers_at;
};

struct nf_sweep_knob {
	const char *name;
	bool is_arg;
	const char **value; /* distinct, in order of appearance */
	size_t n;
};
struct nf_sweep {
	bool grid;
	struct nf_sweep_knob knob[NF_SWEEP_KNOBS_MAX];
	size_t n_knobs;
	struct {
		const char *label; /* "A=1 B=x" */
		const char *value[NF_SWEEP_KNOBS_MAX];
		size_t index[NF_SWEEP_KNOBS_MAX]; /* of the value in its knob's list */
		uint64_t workers; /* 0: not known */
	} point[NF_SWEEP_POINTS_MAX];
	size_t n_points;
	size_t base;
};

/* Texts live in a. -NF_EARG: no such sweep; *ret_at is where it was asked for. */
NF_NODISCARD int nf_sweep_make(const struct nf_sweep_spec *spec, struct nf_arena *a,
                               struct nf_sweep *ret, struct nf_conf_pos *ret_at,
                               struct nf_err *err);
/* ret_variant[n_points]: the template with each point's variables put over the environment and its arguments in
 * argv, shell, setup, prepare, cleanup and input. Of a benchmark of a table the only argument is `threads`. -NF_EARG: an
 * argument that stands nowhere, or threads that are no number. */
NF_NODISCARD int nf_sweep_variants(struct nf_sweep *s, const struct nf_variant *form,
                                   struct nf_arena *a, struct nf_variant *ret_variant,
                                   struct nf_err *err);
/* "NAME=value,NAME=value" into pairs; text is changed and holds them. -NF_EARG. */
NF_NODISCARD int nf_sweep_pairs_split(char *text, struct nf_sweep_pair *ret, size_t max,
                                      size_t *ret_n, struct nf_err *err);

#endif
