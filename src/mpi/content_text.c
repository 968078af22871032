/* SPDX-License-Identifier: MIT */
/* content_text - the text file of the FWQ benchmarks, and the tables of a job. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mpi/content.h"
#include "noisefloor/histogram.h"
#include "samples/fwq_write.h"
#include "samples/histogram_packed.h"

enum { LINE_BYTES = 1024 };

/* --- the FWQ benchmark's file --- */

struct values {
	const char *line; /* "Process N running on CPUs C\n" */
	const struct nf_stream *stream;
	bool line_given;
	size_t at;
};

static void values_rewind(void *ctx)
{
	struct values *v = ctx;

	v->line_given = false;
	v->at = 0;
}

static size_t values_next(void *ctx, char *buf)
{
	struct values *v = ctx;
	size_t len = 0;

	if (!v->line_given) {
		len = strlen(v->line);
		memcpy(buf, v->line, len);
		v->line_given = true;
	}
	while (v->at < v->stream->n && len <= NF_MPI_PIECE_BYTES - NF_FWQ_VALUE_BYTES)
		len += nf_fwq_put_value(v->stream->value[v->at++], buf + len);
	return len;
}

static int append(const struct nf_mpi *m, struct nf_mpi_file *f, const struct nf_mpi_source *s,
                  struct nf_err *err)
{
	return f ? nf_mpi_file_append(m, f, s, err) : nf_mpi_print(m, s, err);
}

int nf_mpi_fwq_write(const struct nf_mpi *m, struct nf_mpi_file *f,
                     const struct nf_mpi_place *place, const struct nf_stream *own,
                     struct nf_err *err)
{
	struct nf_fwq_worker_text w = { .index = m->rank, .cpus = place->text };
	struct nf_buf speed, line;
	int64_t sum = 0;
	int r = nf_fwq_sum(own->value, own->n, &sum, err);

	w.seconds = (double)sum / own->tick_hz;
	w.ghz = own->tick_hz * 1e-9;
	nf_buf_init(&speed, LINE_BYTES);
	nf_buf_init(&line, LINE_BYTES);
	nf_fwq_add_speed(NF_FWQ_PROCESSES, &w, sum, &speed);
	nf_fwq_add_worker(NF_FWQ_PROCESSES, &w, &line);
	if (r == 0)
		r = nf_buf_failed(&speed, "a line", err);
	if (r == 0)
		r = nf_buf_failed(&line, "a line", err);
	r = nf_mpi_agree(m, r, err);
	if (r == 0) {
		struct nf_mpi_text t = { .data = speed.data, .len_bytes = speed.len_bytes };
		struct values v = { .line = line.data, .stream = own };
		const struct nf_mpi_source speeds = nf_mpi_text_source(&t);
		const struct nf_mpi_source values = { &v, values_rewind, values_next };

		r = append(m, f, &speeds, err);
		if (r == 0)
			r = append(m, f, &values, err);
	}
	nf_buf_fini(&speed);
	nf_buf_fini(&line);
	return r;
}

int nf_mpi_fwq_banner(const struct nf_mpi *m, const struct nf_mpi_place *place, struct nf_err *err)
{
	char line[LINE_BYTES];
	int n = snprintf(line, sizeof(line), "Process %d running on CPUs %s\n", m->rank,
	                 place->text);
	struct nf_mpi_text t = { .data = line, .len_bytes = n > 0 ? (size_t)n : 0 };
	const struct nf_mpi_source source = nf_mpi_text_source(&t);

	return nf_mpi_print(m, &source, err);
}

/* --- tables --- */

/* Rank 0's text begins with the header. */
static int write_lines(const struct nf_mpi *m, struct nf_mpi_file *f, struct nf_buf *lines,
                       struct nf_err *err)
{
	int r = nf_mpi_agree(m, nf_buf_failed(lines, "a line of a table", err), err);

	if (r == 0) {
		struct nf_mpi_text t = { .data = lines->data, .len_bytes = lines->len_bytes };
		const struct nf_mpi_source source = nf_mpi_text_source(&t);

		r = nf_mpi_file_append(m, f, &source, err);
	}
	nf_buf_fini(lines);
	return r;
}

/* Empty for what is undefined. */
static void add_real(struct nf_buf *out, bool some, double v)
{
	(void)nf_buf_addc(out, ',');
	if (some)
		(void)nf_buf_add_double(out, v);
}

static void add_quoted(struct nf_buf *out, const char *text)
{
	(void)nf_buf_adds(out, ",\"");
	for (; *text; text++)
		(void)nf_buf_adds(out, *text == '"' ? "\"\"" : (const char[]){ *text, '\0' });
	(void)nf_buf_addc(out, '"');
}

int nf_mpi_ranks_write(const struct nf_mpi *m, struct nf_mpi_file *f, const struct nf_mpi_rank *own,
                       struct nf_err *err)
{
	struct nf_buf b;

	nf_buf_init(&b, 2 * LINE_BYTES);
	if (m->rank == 0)
		(void)nf_buf_adds(&b, "rank,host,cpus,cpu,numa_node,unbound,sharing,n,min_ns,"
		                      "median_ns,p99_ns,max_ns,mean_ns,sd_ns,noise_ratio,dropped,"
		                      "faults,involuntary_switches,wall_ns\n");
	(void)nf_buf_addf(&b, "%d", own->rank);
	add_quoted(&b, own->host);
	add_quoted(&b, own->cpus);
	(void)nf_buf_addc(&b, ',');
	if (own->cpu >= 0)
		(void)nf_buf_addf(&b, "%d", own->cpu);
	(void)nf_buf_addc(&b, ',');
	if (own->node >= 0)
		(void)nf_buf_addf(&b, "%d", own->node);
	(void)nf_buf_addf(&b, ",%d,%d,%" PRIu64, own->unbound, own->sharing, own->n);
	add_real(&b, true, own->min_ns);
	add_real(&b, true, own->median_ns);
	add_real(&b, true, own->p99_ns);
	add_real(&b, true, own->max_ns);
	add_real(&b, true, own->mean_ns);
	add_real(&b, own->sd_ns >= 0, own->sd_ns);
	add_real(&b, true, own->noise_ratio);
	(void)nf_buf_addf(&b, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 "\n", own->dropped,
	                  own->faults, own->involuntary_switches, own->wall_ns);
	return write_lines(m, f, &b, err);
}

static int node_line(const struct nf_mpi *m, const struct nf_mpi_merged *n, struct nf_buf *b,
                     struct nf_err *err)
{
	struct nf_hist *h = NULL;
	uint64_t p50 = 0, p99 = 0, min = 0, max = 0;
	int r = nf_hist_unpack(n->hist, &h, err);

	if (r < 0)
		return r;
	r = nf_hist_quantile(h, 0.5, &p50, err);
	if (r == 0)
		r = nf_hist_quantile(h, 0.99, &p99, err);
	if (r == 0)
		r = nf_hist_min(h, &min, err);
	if (r == 0)
		r = nf_hist_max(h, &max, err);
	nf_hist_free(h);
	if (r < 0)
		return r;
	(void)nf_buf_addf(b, "%d", m->node_index);
	add_quoted(b, m->host);
	(void)nf_buf_addf(b, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, n->ranks, n->unbound,
	                  n->sharing, n->n);
	add_real(b, true, (double)min * 1e-3);
	add_real(b, true, (double)p50 * 1e-3);
	add_real(b, true, (double)p99 * 1e-3);
	add_real(b, true, (double)max * 1e-3);
	add_real(b, true, n->mean_ns);
	add_real(b, n->n > 1, n->n > 1 ? __builtin_sqrt(n->m2 / (double)(n->n - 1)) : 0);
	add_real(b, true, 1 - n->floor_ns / n->total_ns);
	(void)nf_buf_addf(b, ",%d", n->slow[0].rank);
	add_real(b, true, n->slow[0].mean_ns);
	add_real(b, true, n->hz_min);
	(void)nf_buf_addf(b, ",%" PRIu64 ",%" PRIu64 "\n", n->dropped, n->involuntary_switches);
	return 0;
}

int nf_mpi_nodes_write(const struct nf_mpi *m, struct nf_mpi_file *f,
                       const struct nf_mpi_merged *node, struct nf_err *err)
{
	struct nf_buf b;
	int r = 0;

	nf_buf_init(&b, 2 * LINE_BYTES);
	if (m->rank == 0)
		(void)nf_buf_adds(&b, "node,host,ranks,unbound,sharing,n,min_ns,median_ns,p99_ns,"
		                      "max_ns,mean_ns,sd_ns,noise_ratio,slowest_rank,"
		                      "slowest_mean_ns,tick_hz,dropped,involuntary_switches\n");
	if (nf_mpi_is_leader(m))
		r = node_line(m, node, &b, err);
	r = nf_mpi_agree(m, r, err);
	if (r < 0) {
		nf_buf_fini(&b);
		return r;
	}
	return write_lines(m, f, &b, err);
}
