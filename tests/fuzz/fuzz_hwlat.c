/* SPDX-License-Identifier: MIT */
/* hwlat: mount tables, lists of tracers and event records from a kernel. A first byte 'r'
 * says that the rest is a record of the layout below, any other that it is text. */
#include <string.h>

#include "fuzz.h"
#include "machine/hwlat.h"
#include "machine/tracer_parse.h"

static const char layout[] =
        "name: hwlat\nID: 13\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
        "\tfield:u64 duration;\toffset:8;\tsize:8;\tsigned:0;\n"
        "\tfield:u64 outer_duration;\toffset:16;\tsize:8;\tsigned:0;\n"
        "\tfield:unsigned int count;\toffset:28;\tsize:4;\tsigned:0;\n\n"
        "print fmt: \"\"\n";

static void on_text(const char *text)
{
	char at[32] = "";

	if (nf_tracer_find_tracefs(text, at, sizeof(at))) {
		fuzz_require(at[0] == '/');
		fuzz_require(strlen(at) < sizeof(at));
		fuzz_require(strstr(text, "tracefs") != NULL);
	} else {
		fuzz_require(at[0] == '\0');
	}
	if (nf_tracer_has_word(text, "hwlat"))
		fuzz_require(strstr(text, "hwlat") != NULL);
}

static void on_record(const void *data, size_t size)
{
	struct tep_handle *tep = tep_alloc();
	struct nf_hwlat_gap gap = { .n_in_window = -1 };
	struct nf_err err = { 0 };
	void *copy = malloc(size ? size : 1);
	struct tep_record rec = { .ts = 1000, .size = (int)size, .data = copy };

	fuzz_require(tep && copy);
	memcpy(copy, data, size);
	fuzz_require(tep_parse_event(tep, layout, sizeof(layout) - 1, "ftrace") == 0);
	if (nf_hwlat_decode(tep_find_event_by_name(tep, "ftrace", "hwlat"), &rec, 0, 500, &gap,
	                    &err) == 0) {
		fuzz_require(size >= 32);
		fuzz_require(gap.inner_ns >= 0 && gap.inner_ns % 1000 == 0);
		fuzz_require(gap.outer_ns >= 0 && gap.outer_ns % 1000 == 0);
		fuzz_require(gap.n_in_window >= 1);
		fuzz_require(gap.t_ns == 500);
	} else {
		fuzz_require(err.code == NF_EDATA);
		fuzz_require(gap.n_in_window == -1);
	}
	free(copy);
	tep_free(tep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size == 0)
		return 0;
	if (data[0] == 'r') {
		on_record(data + 1, size - 1);
		return 0;
	}
	text = malloc(size);
	fuzz_require(text);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	on_text(text);
	free(text);
	return 0;
}
