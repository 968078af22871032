/* SPDX-License-Identifier: MIT */
/* fwq: text files of the FWQ benchmarks. What is read whole and what is read in two pieces is the same, and
 * values that were written read back as they are. The first byte says where the file is cut. */
#include <string.h>

#include "fuzz.h"
#include "samples/fwq_read.h"

enum { KEPT = 64 };

struct seen {
	size_t n_speeds, n_workers, n_values;
	uint64_t mix; /* of everything, in order */
	bool has_worker;
};

static void add(struct seen *s, uint64_t v)
{
	s->mix = (s->mix ^ v) * UINT64_C(0x100000001b3);
}

static int on_speed(void *ctx, int index, double ghz, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(index >= 0 && ghz >= 0 && ghz < 1e16);
	s->n_speeds++;
	add(s, (uint64_t)index);
	return 0;
}

static int on_worker(void *ctx, enum nf_fwq_form form, int index, const char *cpus,
                     struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(index >= 0);
	fuzz_require((form == NF_FWQ_SERIAL) == (cpus[0] == '\0'));
	fuzz_require(strlen(cpus) < NF_FWQ_LINE_BYTES);
	s->n_workers++;
	s->has_worker = true;
	add(s, (uint64_t)index + 1);
	return 0;
}

static int on_values(void *ctx, const int64_t *v, size_t n, struct nf_err *err)
{
	struct seen *s = ctx;

	(void)err;
	fuzz_require(s->has_worker && n > 0 && n <= NF_FWQ_BATCH);
	s->n_values += n;
	for (size_t i = 0; i < n; i++)
		add(s, (uint64_t)v[i]);
	return 0;
}

static int read_cut(const char *text, size_t len, size_t cut, struct seen *s, bool *torn,
                    struct nf_err *err)
{
	static const struct nf_fwq_reader_ops ops = { on_speed, on_worker, on_values };
	struct nf_fwq_reader *r = NULL;

	fuzz_require(nf_fwq_reader_new("f", &ops, s, &r, NULL) == 0);
	int rc = nf_fwq_reader_feed(r, text, cut, err);
	if (rc == 0)
		rc = nf_fwq_reader_feed(r, text + cut, len - cut, err);
	if (rc == 0)
		rc = nf_fwq_reader_finish(r, torn, err);
	nf_fwq_reader_free(r);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen whole = { 0 }, cut = { 0 };
	struct nf_err e[2] = { { 0 }, { 0 } };
	bool torn[2] = { false, false };
	char *text;

	if (size == 0)
		return 0;
	text = malloc(size); /* exactly, so that a read beyond it is found */
	fuzz_require(text);
	memcpy(text, data + 1, size - 1);
	int a = read_cut(text, size - 1, 0, &whole, &torn[0], &e[0]);
	int b = read_cut(text, size - 1, (size - 1) * data[0] / 256, &cut, &torn[1], &e[1]);
	fuzz_require(a == b && torn[0] == torn[1]);
	fuzz_require(a == 0 || a == -NF_EDATA);
	if (a == 0) {
		fuzz_require(memcmp(&whole, &cut, sizeof(whole)) == 0);
		fuzz_require(torn[0] == (size > 1 && text[size - 2] != '\n'));
	} else {
		fuzz_require(strcmp(e[0].msg, e[1].msg) == 0);
		fuzz_require(strncmp(e[0].msg, "f:", 2) == 0);
	}
	free(text);
	return 0;
}
