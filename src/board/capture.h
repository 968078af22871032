/* SPDX-License-Identifier: MIT */
/*
 * capture - what came over a console and when, on disk: NAME.raw, the bytes as they came, and NAME.idx, an entry
 * per read. Everything else is derived from them and can be derived again (docs/RECORD_FORMAT.md).
 *
 * Both files are new, and only appended to: bytes first, then their entry, so that a killed process leaves what
 * it had. Nothing is synced while capturing, for a slow disk must not delay the clock's reading: the kernel is
 * asked to begin writing about once a second (sync_file_range), closing waits for the disk (fsync).
 * Threads: one writer; any number of readers, also of other processes and while it grows.
 */
#ifndef NF_BOARD_CAPTURE_H
#define NF_BOARD_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/line.h"
#include "board/port.h"

enum {
	NF_CAPTURE_VERSION = 1,
	NF_CAPTURE_HEAD_BYTES = 1024,
	NF_CAPTURE_ENTRY_BYTES = 32,
	NF_CAPTURE_READ_MAX = 1 << 16, /* bytes of one read */
};

struct nf_capture_head {
	enum nf_port_kind kind;
	uint32_t baud; /* 0: unknown */
	int64_t delay_ns; /* nf_port_facts; -1: unknown */
	int64_t epoch_utc_ns; /* CLOCK_REALTIME where the capture's time is 0 */
	char port[NF_PORT_PATH_MAX + 40];
};

/* One read. Times are ns of CLOCK_MONOTONIC_RAW since the capture's start. */
struct nf_capture_read {
	uint64_t offset; /* of its first byte */
	uint32_t bytes; /* 1 .. NF_CAPTURE_READ_MAX */
	int64_t lo_ns; /* the port was empty then */
	int64_t t_ns; /* it was readable; read before read() */
	int64_t done_ns; /* read after read() */
	bool waiting; /* there before the capture began: lo bounds nothing */
};
/* What the assembly is told of it: lo less the port's delay (where that is known). */
struct nf_line_time nf_capture_time(const struct nf_capture_head *head,
                                    const struct nf_capture_read *read);

struct nf_capture {
	int raw; /* owned */
	int idx; /* owned */
	uint64_t raw_bytes;
	uint64_t idx_bytes;
	uint64_t n_reads;
	uint64_t nudged_bytes; /* up to here the kernel was asked to write */
	int64_t nudged_ns;
	char name[64];
};

/* name: 1..59 bytes without a slash. -NF_EEXIST: one of the files is there; neither is touched. */
NF_NODISCARD int nf_capture_create(struct nf_capture *ret, int dirfd, const char *name,
                                   const struct nf_capture_head *head, struct nf_err *err);
/* read->offset is the capture's own. -NF_EOS (disk full): what could be written stays, with its entry. */
NF_NODISCARD int nf_capture_append(struct nf_capture *c, const void *data,
                                   const struct nf_capture_read *read, struct nf_err *err);
/* Syncs and closes; -NF_EOS: it may not be on the disk. */
NF_NODISCARD int nf_capture_close(struct nf_capture *c, struct nf_err *err);

/* What was read ahead of a file. */
struct nf_capture_window {
	unsigned char *data; /* owned; NF_CAPTURE_READ_MAX bytes */
	uint64_t at; /* of data in the file */
	size_t len;
};

struct nf_capture_reader {
	int raw; /* owned */
	int idx; /* owned */
	struct nf_capture_head head;
	uint64_t idx_at; /* bytes of the index that are read */
	uint64_t raw_at;
	uint64_t n_reads;
	int64_t last_ns; /* done of the last entry */
	char name[64];
	struct nf_capture_window idx_seen, raw_seen;
};

/* What is at the end of a capture and no whole read; all 0 when it was closed in order. */
struct nf_capture_rest {
	uint64_t untimed_bytes; /* in NAME.raw, without an entry: they came after the last read */
	uint64_t torn_bytes; /* of an entry in NAME.idx */
	uint64_t
	        missing_bytes; /* entries say they were there, NAME.raw has not got them (power loss) */
};

/* -NF_EARG: not there; -NF_EDATA: no capture, another version. */
NF_NODISCARD int nf_capture_open(struct nf_capture_reader *ret, int dirfd, const char *name,
                                 struct nf_err *err);
void nf_capture_reader_fini(struct nf_capture_reader *r);
/* 1: a read and its bytes (borrowed until the next call); 0: no whole one is left; more may come while it grows.
 * -NF_EDATA: entries that cannot be (file and entry are named). */
NF_NODISCARD int nf_capture_next(struct nf_capture_reader *r, struct nf_capture_read *ret,
                                 const void **ret_data, struct nf_err *err);
/* Somebody has it open for writing: more may come. */
bool nf_capture_is_live(const struct nf_capture_reader *r);
/* After the last read. */
NF_NODISCARD int nf_capture_rest(const struct nf_capture_reader *r, struct nf_capture_rest *ret,
                                 struct nf_err *err);
/* Replays all of it into lines, the unterminated one included. */
NF_NODISCARD int nf_capture_lines(struct nf_capture_reader *r, struct nf_lines *lines,
                                  nf_line_fn *fn, void *ctx, struct nf_err *err);

#endif
