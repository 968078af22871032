/* SPDX-License-Identifier: MIT */
/*
 * laws - what the modules of noisefloor must hold, as properties. One row a law; docs/PROPERTIES.md has the
 * same rows (the test properties-doc holds them together).
 */
#ifndef LAWS_H
#define LAWS_H

#include "noisefloor/prop.h"

struct law {
	const char *name;
	const char *sentence;
	pt_property_fn fn;
	void *arg;
};

/* Each ends with the name NULL. */
extern const struct law laws_timing[];
extern const struct law laws_samples[];
extern const struct law laws_stats[];
extern const struct law laws_text[];
extern const struct law laws_machine[];
extern const struct law laws_board[];
extern const struct law laws_files[];
extern const struct law laws_forms[];
extern const struct law laws_inject[];
extern const struct law laws_evidence[];
extern const struct law laws_causes[];
extern const struct law laws_campaign[];
extern const struct law laws_conf[];
extern const struct law laws_console[];
extern const struct law laws_dialogue[];
extern const struct law laws_bench[];
extern const struct law laws_compare[];
extern const struct law laws_trip[];
extern const struct law laws_interchange[];

#endif
