/* SPDX-License-Identifier: MIT */
/* property_run - a report as a PropertyRun record (record/rec_property.h). */
#ifndef PROPERTY_RUN_H
#define PROPERTY_RUN_H

#include "noisefloor/prop.h"

/* Writes it to path as JSON, and says so on stderr when it cannot. sentence_of: the law of a property. */
int property_run_write(const struct pt_report *report, const char *(*sentence_of)(const char *name),
                       const char *path);

#endif
