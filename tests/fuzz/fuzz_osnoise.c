/* SPDX-License-Identifier: MIT */
/* osnoise: event records from a kernel. The first byte chooses one of the layouts; the rest is the record. */
#include <string.h>

#include "../unit/osnoise_layouts.h"
#include "fuzz.h"
#include "machine/osnoise.h"

static void check_period(const struct nf_osnoise_report *r)
{
	fuzz_require(r->period.noise_ns >= 0 && r->period.noise_ns % 1000 == 0);
	fuzz_require(r->period.runtime_ns >= 0 && r->period.longest_ns >= 0);
	for (int i = 0; i < NF_OSNOISE_SOURCES; i++)
		fuzz_require(r->period.count[i] >= 0);
}

static void check_cause(const struct nf_osnoise_report *r)
{
	const char *name = r->cause.name;

	fuzz_require(r->cause.duration_ns >= 0);
	fuzz_require((int)r->cause.source >= 0 && r->cause.source < NF_OSNOISE_SOURCES);
	fuzz_require(memchr(name, '\0', NF_OSNOISE_NAME_BYTES) != NULL);
	for (; *name; name++)
		fuzz_require(*name >= ' ' && *name <= '~');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nf_osnoise_report r = { .cpu = -7 };
	struct nf_err err = { 0 };

	if (size == 0 || size > 65536)
		return 0;
	struct tep_handle *tep = osnoise_tep();
	void *copy = malloc(size); /* of its own size, so that a read beyond is seen */
	fuzz_require(tep && copy);
	memcpy(copy, data + 1, size - 1);
	struct tep_record rec = { .ts = 1000, .size = (int)size - 1, .data = copy };
	int rc = nf_osnoise_decode(osnoise_event(tep, data[0] % OSNOISE_LAYOUTS), &rec, 2, 500, &r,
	                           &err);

	if (rc != 0) {
		fuzz_require(rc == 1 || (rc == -NF_EDATA && err.code == NF_EDATA));
		fuzz_require(r.cpu == -7);
	} else {
		fuzz_require(r.cpu == 2 && r.t_ns == 500);
		if (r.what == NF_OSNOISE_PERIOD)
			check_period(&r);
		else if (r.what == NF_OSNOISE_CAUSE)
			check_cause(&r);
		else
			fuzz_require(r.latency.latency_ns >= 0 && r.latency.activation >= 0);
	}
	free(copy);
	tep_free(tep);
	return 0;
}
