/* SPDX-License-Identifier: MIT */
/* Which samples each summary was made from: docs/RECORD_FORMAT.md, section "Summaries", has the same table. */
#include <string.h>

#include "record/check_figures.h"

/* clang-format off */
static const struct nf_figure_rule rules[] = {
	{ "ClockRead",     "summary",      "clock.{name}",                         NF_FIGURE_AS_IS },
	{ "NoiseWorker",   "summary",      "{stream}",                             NF_FIGURE_AS_IS },
	{ "FtqWorker",     "units",        "{stream}",                             NF_FIGURE_AS_IS },
	{ "FtqWorker",     "overshoot",    "{overshoot_stream}",                   NF_FIGURE_AS_IS },
	{ "DetourWorker",  "lengths",      "{stream}",                             NF_FIGURE_AS_IS },
	{ "DetourWorker",  "rate",         "{start_stream}",                       NF_FIGURE_PER_SECOND },
	{ "WakeWorker",    "lateness",     "{lateness_stream}",                    NF_FIGURE_AS_IS },
	{ "WakeWorker",    "interval",     "{wake_stream}",                        NF_FIGURE_INTERVALS },
	{ "WakeWorker",    "jitter",       "{wake_stream}",                        NF_FIGURE_JITTER },
	{ "WakeBody",      "jitter",       ".wake",                                NF_FIGURE_JITTER_OF_ALL },
	{ "NumaBody",      "serial",       "numa.serial",                          NF_FIGURE_AS_IS },
	{ "NumaBody",      "parallel",     "numa.parallel",                        NF_FIGURE_AS_IS },
	{ "NumaBody",      "read_limit",   "numa.limit",                           NF_FIGURE_AS_IS },
	{ "NumaBody",      "thread_start", "numa.thread_start",                    NF_FIGURE_AS_IS },
	{ "NumaBandwidth", "summary",      "numa.bandwidth.{cpu_node}.{mem_node}", NF_FIGURE_AS_IS },
	{ "BenchVariant",  "summary",      "values",                               NF_FIGURE_IN_SETS },
	{ "BenchVariant",  "user",         "user_ns",                              NF_FIGURE_IN_SETS },
	{ "BenchVariant",  "system",       "system_ns",                            NF_FIGURE_IN_SETS },
	{ "BenchVariant",  "peak",         "peak_bytes",                           NF_FIGURE_IN_SETS },
	{ "InjectBursts",  "length",       "inject.length",                        NF_FIGURE_AS_IS },
	{ "InjectBursts",  "lateness",     "inject.lateness",                      NF_FIGURE_AS_IS },
	{ "InjectFound",   "begin_error",  "inject.begin_error",                   NF_FIGURE_AS_IS },
	{ "InjectFound",   "excess",       "inject.excess",                        NF_FIGURE_AS_IS },
	{ "OsnoiseBody",   "noise",        "osnoise.noise",                        NF_FIGURE_AS_IS },
	{ "OsnoiseBody",   "longest",      "osnoise.longest",                      NF_FIGURE_AS_IS },
	{ "TimerlatCpu",   "irq",          "{irq_stream}",                         NF_FIGURE_AS_IS },
	{ "TimerlatCpu",   "thread",       "{thread_stream}",                      NF_FIGURE_AS_IS },
	{ "HwlatBody",     "summary",      "hwlat.inner hwlat.outer",              NF_FIGURE_LARGER },
};
/* clang-format on */

const struct nf_figure_rule *nf_figure_rule(const char *type, const char *key)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(rules[i].type, type) == 0 && strcmp(rules[i].key, key) == 0)
			return &rules[i];
	return NULL;
}
