/* SPDX-License-Identifier: MIT */
/* osnoise_layouts - the events of the osnoise and timerlat tracers as a kernel describes them in events/.../format: the
 * names, offsets and sizes of their fields are the contract. Made up after the kernel's sources (trace_entries.h,
 * include/trace/events/osnoise.h). */
#ifndef NF_OSNOISE_LAYOUTS_H
#define NF_OSNOISE_LAYOUTS_H

#include <event-parse.h>
#include <string.h>

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define U64(name, at) "\tfield:u64 " name ";\toffset:" #at ";\tsize:8;\tsigned:0;\n"
#define U32(name, at) "\tfield:unsigned int " name ";\toffset:" #at ";\tsize:4;\tsigned:0;\n"
#define LAYOUT(name, id, fields) \
	{ \
		name, "name: " name "\nID: " #id "\nformat:\n" COMMON fields "\nprint fmt: \"\"\n" \
	}

static const struct {
	const char *name;
	const char *format;
} osnoise_layouts[] = {
	LAYOUT("osnoise", 20,
	       U64("noise", 8) U64("runtime", 16) U64("max_sample", 24) U32("hw_count", 32)
	               U32("nmi_count", 36) U32("irq_count", 40) U32("softirq_count", 44)
	                       U32("thread_count", 48)),
	LAYOUT("timerlat", 21, U32("seqnum", 8) U32("context", 12) U64("timer_latency", 16)),
	LAYOUT("thread_noise", 30,
	       "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n" U64("start", 24)
	               U64("duration", 32) "\tfield:pid_t pid;\toffset:40;\tsize:4;\tsigned:1;\n"),
	LAYOUT("softirq_noise", 31, U64("start", 8) U64("duration", 16) U32("vector", 24)),
	LAYOUT("irq_noise", 32,
	       U64("start", 8)
	               U64("duration",
	                   16) "\tfield:__data_loc char[] desc;\toffset:24;\tsize:4;\tsigned:0;\n"
	                       "\tfield:int vector;\toffset:28;\tsize:4;\tsigned:1;\n"),
	LAYOUT("nmi_noise", 33, U64("start", 8) U64("duration", 16)),
	LAYOUT("sample_threshold", 34, U64("start", 8) U64("duration", 16) U64("interference", 24)),
};
enum { OSNOISE_LAYOUTS = sizeof(osnoise_layouts) / sizeof(osnoise_layouts[0]) };

#undef COMMON
#undef U64
#undef U32
#undef LAYOUT

/* NULL on a failure; tep_free() it. */
static inline struct tep_handle *osnoise_tep(void)
{
	struct tep_handle *tep = tep_alloc();

	for (size_t i = 0; tep && i < OSNOISE_LAYOUTS; i++)
		if (tep_parse_event(tep, osnoise_layouts[i].format,
		                    strlen(osnoise_layouts[i].format),
		                    i < 2 ? "ftrace" : "osnoise") != 0) {
			tep_free(tep);
			return NULL;
		}
	return tep;
}

static inline struct tep_event *osnoise_event(struct tep_handle *tep, size_t i)
{
	return tep_find_event_by_name(tep, i < 2 ? "ftrace" : "osnoise", osnoise_layouts[i].name);
}

#endif
