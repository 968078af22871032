/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "samples/samplefile.h"

/* All values of the streams of `from` into `to`, which has none yet. */
static int load(struct nf_samplefile_reader *from, struct nf_samplefile *to, struct nf_err *err)
{
	const struct nf_samplefile *about = nf_samplefile_about(from);

	for (size_t i = 0; i < about->n_streams; i++) {
		struct nf_stream with = { 0 };
		int rc = 0;

		to->streams[i] = about->streams[i];
		to->streams[i].n = 0;
		to->n_streams = i + 1;
		if (about->streams[i].n > 0)
			rc = nf_stream_init(&with, about->streams[i].name, about->streams[i].n,
			                    err);
		if (rc < 0)
			return rc;
		to->streams[i].value = with.value;
		to->streams[i].cap = with.cap;
		if (with.value)
			rc = nf_samplefile_values(from, i, with.value, err);
		if (rc < 0)
			return rc;
		to->streams[i].n = about->streams[i].n;
	}
	return 0;
}

int nf_samplefile_read(int dirfd, const char *name, size_t max_bytes, struct nf_samplefile *ret,
                       struct nf_err *err)
{
	struct nf_samplefile_reader *r = NULL;
	struct nf_samplefile file;
	uint64_t total = 0;

	int rc = nf_samplefile_open(dirfd, name, &r, err);
	if (rc < 0)
		return rc;
	file = *nf_samplefile_about(r);
	for (size_t i = 0; i < file.n_streams; i++)
		total += file.streams[i].n;
	if (total > max_bytes / sizeof(int64_t)) {
		rc = nf_fail(err, NF_EDATA, "%s: more than %zu bytes of values", name, max_bytes);
		goto out;
	}
	file.streams = calloc(file.n_streams, sizeof(*file.streams));
	file.n_streams = 0;
	if (!file.streams)
		rc = nf_fail_nomem(err, name,
		                   nf_samplefile_about(r)->n_streams * sizeof(*file.streams));
	else
		rc = load(r, &file, err);
	if (rc == 0)
		*ret = file;
	else
		nf_samplefile_fini(&file);
out:
	nf_samplefile_close(r);
	return rc;
}

void nf_samplefile_fini(struct nf_samplefile *f)
{
	for (size_t i = 0; i < f->n_streams; i++)
		nf_stream_fini(&f->streams[i]);
	free(f->streams);
	*f = (struct nf_samplefile){ 0 };
}
