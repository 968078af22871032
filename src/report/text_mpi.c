/* SPDX-License-Identifier: MIT */
#include "report/text_mpi.h"

#include <inttypes.h>

#include "report/text.h"

static void job_lines(const struct nf_rec_mpi_body *b, struct nf_buf *out)
{
	nf_buf_addf(out, "job      %" PRIu64 " rank%s on %" PRIu64 " node%s  MPI %s  launcher %s\n",
	            b->ranks, b->ranks == 1 ? "" : "s", b->nodes, b->nodes == 1 ? "" : "s",
	            b->standard, b->launcher ? b->launcher : "none");
	nf_buf_addf(out, "library  %s\n", b->library);
	nf_buf_addf(out, "work     %s, %" PRIu64 " iterations", b->kernel, b->work);
	if (b->quantum_ns.some) {
		nf_buf_adds(out, " for ");
		nf_text_ns(out, true, b->quantum_ns.v);
	}
	nf_buf_addf(out, "; %" PRIu64 " quanta in ", b->n);
	nf_text_ns(out, true, (double)b->wall_ns);
	nf_buf_adds(out, "\n");
}

static void quantum_lines(const struct nf_rec_mpi_body *b, struct nf_buf *out)
{
	const struct nf_rec_percentile *p = b->percentiles.items;

	nf_buf_adds(out, "quantum  min ");
	nf_text_ns(out, true, b->min_ns);
	nf_buf_adds(out, "  mean ");
	nf_text_ns(out, true, b->mean_ns);
	nf_buf_adds(out, "  max ");
	nf_text_ns(out, true, b->max_ns);
	nf_buf_adds(out, "\n        ");
	for (size_t i = 0; i < b->percentiles.n; i++) {
		nf_buf_addf(out, " p%g ", p[i].p);
		nf_text_ns(out, true, p[i].value);
	}
	nf_buf_adds(out, "\nnoise    ");
	nf_text_percent(out, true, b->noise_ratio);
	nf_buf_adds(out, " beyond each rank's shortest quantum; means of ranks ");
	nf_text_ns(out, true, b->rank_mean_min_ns);
	nf_buf_adds(out, " to ");
	nf_text_ns(out, true, b->rank_mean_max_ns);
	nf_buf_adds(out, "\n");
	if (b->dropped > 0 || b->clipped > 0)
		nf_buf_addf(out, "lost     %" PRIu64 " quanta without room, %" PRIu64 " clipped\n",
		            b->dropped, b->clipped);
}

static void slow_lines(const struct nf_rec_mpi_body *b, struct nf_buf *out)
{
	const struct nf_rec_mpi_slow *s = b->slowest.items;

	if (b->slowest.n == 0)
		return;
	nf_buf_adds(out, "\nslowest ranks, by their mean quantum\n");
	for (size_t i = 0; i < b->slowest.n; i++) {
		nf_buf_addf(out, "  rank %" PRIu64 " on %s, CPU ", s[i].rank, s[i].host);
		if (s[i].cpu.some)
			nf_buf_addf(out, "%" PRIu64, s[i].cpu.v);
		else
			nf_buf_addf(out, "%s (moved)", s[i].cpus);
		nf_buf_adds(out, ": mean ");
		nf_text_ns(out, true, s[i].mean_ns);
		nf_buf_adds(out, ", max ");
		nf_text_ns(out, true, s[i].max_ns);
		nf_buf_addf(out, "; %s\n", s[i].what);
	}
}

static void bsp_lines(const struct nf_rec_mpi_body *b, struct nf_buf *out)
{
	const struct nf_rec_mpi_bsp *p = b->bsp.items;

	if (b->bsp.n == 0)
		return;
	nf_buf_adds(out, "\na bulk-synchronous application with steps of this work, if quanta were "
	                 "independent\n");
	for (size_t i = 0; i < b->bsp.n; i++) {
		const char *at_least = p[i].lower_bound ? "at least " : "";

		nf_buf_addf(out, "  %8" PRIu64 " ranks: step %s", p[i].ranks, at_least);
		nf_text_ns(out, true, p[i].step_ns);
		nf_buf_addf(out, ", %.4g x the mean quantum, %.4g x the shortest\n", p[i].to_mean,
		            p[i].to_min);
	}
}

int nf_text_mpi(const struct nf_rec_mpi_noise_run *run, struct nf_buf *out)
{
	const struct nf_rec_head *h = &run->head;
	const struct nf_rec_mpi_body *b = &run->body;
	const char *const *note = b->notes.items;

	nf_text_head(&h->setup_before, h->lane, h->clock, out);
	nf_buf_adds(out, "\n");
	job_lines(b, out);
	quantum_lines(b, out);
	for (size_t i = 0; i < b->notes.n; i++)
		nf_buf_addf(out, "note     %s\n", note[i]);
	slow_lines(b, out);
	bsp_lines(b, out);
	nf_buf_addf(out, "\nresult   %s%s%s\nceiling  %s\n", nf_text_result(h->result),
	            h->reason ? ": " : "", h->reason ? h->reason : "", h->claim_ceiling);
	return -(int)out->failed;
}
