/* SPDX-License-Identifier: MIT */
/* The names of errors, outcomes and failures. */
#include "noisefloor/prop.h"

const char *pt_strerror(int error)
{
	static const char *const text[] = {
		[0] = "success",
		[PT_EARG] = "invalid argument",
		[PT_EDATA] = "invalid data",
		[PT_EOS] = "a system call failed",
		[PT_ENOMEM] = "out of memory",
	};
	unsigned e = error < 0 ? 0U - (unsigned)error : (unsigned)error;

	return e < sizeof(text) / sizeof(text[0]) ? text[e] : "unknown error";
}

const char *pt_outcome_name(enum pt_outcome outcome)
{
	static const char *const text[PT_OUTCOMES] = { "passed",  "failed",    "gave up",
		                                       "vacuous", "uncovered", "broken" };

	return (unsigned)outcome < PT_OUTCOMES ? text[outcome] : "unknown";
}

const char *pt_failure_name(enum pt_failure failure)
{
	static const char *const text[] = { "none", "false", "crash", "hang", "exit" };

	return (unsigned)failure < sizeof(text) / sizeof(text[0]) ? text[failure] : "unknown";
}
