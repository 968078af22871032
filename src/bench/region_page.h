/* SPDX-License-Identifier: MIT */
/*
 * region_page - the memory in which an audited program's marks (noisefloor/region.h) leave what they
 * measured, and the form of the marks under a tracer.
 *
 * A file of fixed size that the program maps: it stays whole when the program is killed, and grows with
 * nothing. Every number is a sum that is added to atomically, by any thread of any process. The program may
 * write anything into it, so what comes out is read through nf_region_page_read() only.
 */
#ifndef NF_BENCH_REGION_PAGE_H
#define NF_BENCH_REGION_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* Its value: path of the page. */
#define NF_REGION_ENV "NOISEFLOOR_REGIONS"
#define NF_REGION_MAGIC UINT64_C(0x31306e6f69676572) /* "region01" where the low byte comes first */

enum {
	NF_REGION_NAME_BYTES = 96, /* with the NUL */
	NF_REGION_SLOTS = 512,
	NF_REGION_DEPTH = 16,
};

/* As /proc/PID/io has it, in its order. */
struct nf_region_io {
	uint64_t rchar; /* bytes that read(2) and its like returned */
	uint64_t wchar; /* bytes given to write(2) and its like */
	uint64_t syscr; /* such calls */
	uint64_t syscw;
	uint64_t read_bytes; /* from storage */
	uint64_t write_bytes; /* to storage, page by page */
	uint64_t cancelled_write_bytes;
};

/* Of all times that a region was ended in the thread that began it. */
struct nf_region_sums {
	uint64_t entered;
	uint64_t abandoned; /* begun again, or an outer one ended, before it was */
	uint64_t ended;
	uint64_t unread; /* ended, but /proc told nothing */
	uint64_t with_io; /* ended with any I/O */
	uint64_t first_io; /* the first of those, counted from 1; 0: none */
	uint64_t wall_ns; /* the audit's own work inside is taken out */
	uint64_t min_ns;
	uint64_t max_ns;
	uint64_t audit_ns; /* what its marks took, outside wall_ns */
	uint64_t user_us;
	uint64_t system_us;
	uint64_t minor_faults;
	uint64_t major_faults;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	struct nf_region_io io; /* of the thread; the audit's own reads are taken out */
	uint64_t
	        others_wchar; /* meanwhile by the process's other threads, and by children it waited for */
	uint64_t others_syscw;
	uint64_t
	        buffered_bytes; /* more in the buffers of stdout and stderr at the end than at the begin */
	uint64_t flushed_bytes; /* fewer */
};
enum { NF_REGION_N_SUMS = sizeof(struct nf_region_sums) / sizeof(uint64_t) };

enum nf_region_state { NF_REGION_FREE, NF_REGION_BEING_NAMED, NF_REGION_NAMED };

struct nf_region_slot {
	uint32_t state; /* enum nf_region_state */
	uint32_t zero;
	char name[NF_REGION_NAME_BYTES];
	struct nf_region_sums sums;
};

struct nf_region_page {
	uint64_t magic;
	uint64_t size_bytes; /* of the whole */
	uint64_t traced; /* 1: no measuring, a mark is only the call below */
	uint64_t processes; /* that began a region */
	uint64_t stray_ends; /* without a begin in the same thread */
	uint64_t too_deep; /* begins beyond NF_REGION_DEPTH */
	uint64_t lost; /* begins for which there was no slot or no memory */
	struct nf_region_slot empty; /* regions with nothing in them */
	struct nf_region_slot slot[NF_REGION_SLOTS];
};

/* Under a tracer a mark is prctl(option, name, its length): a call that fails, and that no program makes. */
enum { NF_REGION_TRACE_BEGIN = 0x4e465242, NF_REGION_TRACE_END = 0x4e465245 };

void nf_region_page_init(struct nf_region_page *p, bool traced);
/* A copy in which every region has a name that ends, in the order of first use, and no sum is beyond 2^53 - 1.
 * -NF_EDATA: the program wrote over it. ret may be the page. */
NF_NODISCARD int nf_region_page_read(const struct nf_region_page *p, struct nf_region_page *ret,
                                     struct nf_err *err);
/* The text of /proc/PID/io. -NF_EDATA: a line is missing, or no number. Allocates nothing. */
NF_NODISCARD int nf_region_io_parse(const char *text, size_t len_bytes, struct nf_region_io *ret,
                                    struct nf_err *err);

#endif
