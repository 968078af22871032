/* SPDX-License-Identifier: MIT */
/* content_samples - the .nfsamples file of a job. */
#include <string.h>

#include "base/hash.h"
#include "mpi/content.h"
#include "samples/samplefile_format.h"

/* One object of the header, of the closing chunk: with the most that their texts and numbers can be they
 * stay below these. 16,384 ranks fill the header's 4 MiB. */
enum { OBJECT_BYTES = 256, LOSSES_BYTES = 192 };
_Static_assert((int64_t)OBJECT_BYTES *NF_SAMPLEFILE_STREAMS_MAX <= NF_SAMPLEFILE_JSON_MAX_BYTES,
               "the header of as many ranks as there can be streams");
_Static_assert(OBJECT_BYTES % 8 == 0 && LOSSES_BYTES % 8 == 0, "no padding behind the texts");

int nf_mpi_samples_check(int n_ranks, struct nf_err *err)
{
	if (n_ranks <= NF_SAMPLEFILE_STREAMS_MAX)
		return 0;
	return nf_fail(err, NF_EUNSUPPORTED,
	               "%d ranks: one file of raw samples holds at most %d streams; --no-samples "
	               "keeps the statistics of every rank",
	               n_ranks, NF_SAMPLEFILE_STREAMS_MAX);
}

uint64_t nf_mpi_samples_bytes(int n_ranks, uint64_t n_values)
{
	uint64_t ranks = (uint64_t)n_ranks, chunks = n_values / NF_SAMPLEFILE_VALUES + ranks;

	return NF_SAMPLEFILE_PREFIX_BYTES + ranks * (OBJECT_BYTES + LOSSES_BYTES) +
	       (chunks + 1) * NF_SAMPLEFILE_CHUNK_BYTES + n_values * sizeof(int64_t);
}

/* The array of one object in `json` as a part of the array of all: "[{...}  ", ",{...}  ", ",{...} ]". */
static int make_part(const struct nf_mpi *m, struct nf_buf *json, size_t len_bytes, char *ret,
                     struct nf_err *err)
{
	int r = nf_buf_failed(json, "a part of a header", err);

	if (r < 0)
		return r;
	while (json->len_bytes > 0 && json->data[json->len_bytes - 1] != ']')
		json->len_bytes--;
	if (json->len_bytes < 2 || json->len_bytes >= len_bytes)
		return nf_fail(err, NF_EDATA, "a stream's metadata take %zu bytes; allowed: %zu",
		               json->len_bytes, len_bytes - 1);
	memset(ret, ' ', len_bytes);
	memcpy(ret, json->data, json->len_bytes - 1); /* without its "]" */
	ret[0] = m->rank == 0 ? '[' : ',';
	if (m->rank == m->size - 1)
		ret[len_bytes - 1] = ']';
	return 0;
}

static int write_header(const struct nf_mpi *m, struct nf_mpi_file *f, const struct nf_stream *own,
                        struct nf_err *err)
{
	char text[NF_SAMPLEFILE_PREFIX_BYTES + OBJECT_BYTES];
	char *part = m->rank == 0 ? text + NF_SAMPLEFILE_PREFIX_BYTES : text;
	unsigned char *p = (unsigned char *)text;
	struct nf_mpi_text t = { .data = text, .len_bytes = (size_t)(part - text) + OBJECT_BYTES };
	struct nf_mpi_source source = nf_mpi_text_source(&t);
	struct nf_buf json;

	memcpy(p, NF_SAMPLEFILE_MAGIC, NF_SAMPLEFILE_MAGIC_BYTES);
	nf_le32_put(NF_SAMPLEFILE_VERSION, p + NF_SAMPLEFILE_MAGIC_BYTES);
	nf_le32_put((uint32_t)m->size * OBJECT_BYTES, p + NF_SAMPLEFILE_MAGIC_BYTES + 4);
	nf_buf_init(&json, 4096);
	int r = nf_samplefile_write_header(own, 1, &json, err);
	if (r == 0)
		r = make_part(m, &json, OBJECT_BYTES, part, err);
	nf_buf_fini(&json);
	r = nf_mpi_agree(m, r, err);
	return r < 0 ? r : nf_mpi_file_append(m, f, &source, err);
}

struct chunks {
	const struct nf_stream *stream;
	uint32_t number;
	size_t at;
};

static void chunks_rewind(void *ctx)
{
	((struct chunks *)ctx)->at = 0;
}

static size_t chunks_next(void *ctx, char *buf)
{
	struct chunks *c = ctx;
	size_t n = c->stream->n - c->at;
	unsigned char *p = (unsigned char *)buf;

	if (n == 0)
		return 0;
	n = n < NF_SAMPLEFILE_VALUES ? n : NF_SAMPLEFILE_VALUES;
	for (size_t i = 0; i < n; i++)
		nf_le64_put((uint64_t)c->stream->value[c->at + i],
		            p + NF_SAMPLEFILE_CHUNK_BYTES + 8 * i);
	const struct nf_chunk head = {
		.stream = c->number,
		.count = (uint32_t)n,
		.first = c->at,
		.crc = nf_crc32c(0, p + NF_SAMPLEFILE_CHUNK_BYTES, 8 * n),
	};
	nf_chunk_put(&head, p);
	c->at += n;
	return NF_SAMPLEFILE_CHUNK_BYTES + 8 * n;
}
_Static_assert(NF_SAMPLEFILE_CHUNK_BYTES + 8 * NF_SAMPLEFILE_VALUES <= NF_MPI_PIECE_BYTES,
               "a chunk is a piece");

/* --- the closing chunk: its checksum is that of all ranks' parts behind each other --- */

struct sum {
	uint64_t crc;
	uint64_t len_bytes;
};

/* in stands before inout: MPI keeps the order of ranks for operations that do not commute. */
static void combine(void *in, void *inout, int *len, MPI_Datatype *type)
{
	const struct sum *a = in;
	struct sum *b = inout;

	(void)type;
	for (int i = 0; i < *len; i++) {
		b[i].crc =
		        nf_crc32c_combine((uint32_t)a[i].crc, (uint32_t)b[i].crc, b[i].len_bytes);
		b[i].len_bytes += a[i].len_bytes;
	}
}

static uint32_t checksum_of_all(const struct nf_mpi *m, const char *part, size_t len_bytes)
{
	struct sum own = { nf_crc32c(0, part, len_bytes), len_bytes }, all = { 0, 0 };
	MPI_Datatype pair;
	MPI_Op op;

	MPI_Type_contiguous(2, MPI_UINT64_T, &pair);
	MPI_Type_commit(&pair);
	MPI_Op_create(combine, 0, &op);
	MPI_Reduce(&own, &all, 1, pair, op, 0, m->world);
	MPI_Op_free(&op);
	MPI_Type_free(&pair);
	return (uint32_t)all.crc;
}

static int write_closing(const struct nf_mpi *m, struct nf_mpi_file *f, const struct nf_stream *own,
                         struct nf_err *err)
{
	char text[NF_SAMPLEFILE_CHUNK_BYTES + LOSSES_BYTES];
	char *part = m->rank == 0 ? text + NF_SAMPLEFILE_CHUNK_BYTES : text;
	struct nf_mpi_text t = { .data = text, .len_bytes = (size_t)(part - text) + LOSSES_BYTES };
	struct nf_mpi_source source = nf_mpi_text_source(&t);
	const uint64_t n = own->n;
	struct nf_buf json;

	nf_buf_init(&json, 4096);
	int r = nf_samplefile_write_losses(own, &n, 1, &json, err);
	if (r == 0)
		r = make_part(m, &json, LOSSES_BYTES, part, err);
	nf_buf_fini(&json);
	r = nf_mpi_agree(m, r, err);
	if (r < 0)
		return r;
	const struct nf_chunk head = {
		.stream = NF_SAMPLEFILE_CLOSING,
		.count = (uint32_t)m->size * LOSSES_BYTES,
		.crc = checksum_of_all(m, part, LOSSES_BYTES),
	};
	if (m->rank == 0)
		nf_chunk_put(&head, (unsigned char *)text);
	return nf_mpi_file_append(m, f, &source, err);
}

int nf_mpi_samples_write(const struct nf_mpi *m, struct nf_mpi_file *f, const struct nf_stream *own,
                         struct nf_err *err)
{
	struct chunks c = { .stream = own, .number = (uint32_t)m->rank };
	const struct nf_mpi_source source = { &c, chunks_rewind, chunks_next };
	int r = write_header(m, f, own, err);

	if (r == 0)
		r = nf_mpi_file_append(m, f, &source, err);
	return r < 0 ? r : write_closing(m, f, own, err);
}
