/* SPDX-License-Identifier: MIT */
/* sysio - whole reads and writes over EINTR and short counts, and files that appear complete or not
 * at all. */
#ifndef NF_BASE_SYSIO_H
#define NF_BASE_SYSIO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Writes all bytes or fails with -NF_EOS. `what` names the file in messages. */
NF_NODISCARD int nf_write_all(int fd, const void *data, size_t len_bytes, const char *what,
                              struct nf_err *err);
/* Whether an error of open(2) or stat(2) is of the path that was given, and not of the system. */
bool nf_errno_is_of_path(int os_errno);
/* Opens a file that a user named for reading, and never waits for it: a FIFO, a socket, a device or a
 * folder is refused; a pipe that this process was given is not (/dev/stdin, /dev/fd/N). `allowed` ends the message: what may be given. The descriptor; -NF_EARG: it is not
 * there, may not be read, or is no regular file. */
NF_NODISCARD int nf_open_input(const char *path, const char *allowed, struct nf_err *err);
/* Appends from fd to EOF. */
NF_NODISCARD int nf_read_all(int fd, struct nf_buf *out, const char *what, struct nf_err *err);

/* Writes data under a temporary name in dirfd, fsyncs, renames to name without replacing anything
 * (-NF_EEXIST if name exists), fsyncs the folder. After a failure neither name is left. mode as for
 * open(2). */
NF_NODISCARD int nf_write_file_atomic(int dirfd, const char *name, const void *data,
                                      size_t len_bytes, mode_t mode, struct nf_err *err);
/* The same for a file of another user's: it is theirs before it holds anything. uid -1: as it comes. */
NF_NODISCARD int nf_write_file_atomic_as(int dirfd, const char *name, const void *data,
                                         size_t len_bytes, mode_t mode, int uid, int gid,
                                         struct nf_err *err);
/* The same in the place of a file that is there: whatever happens, name is the old file or the new one. */
NF_NODISCARD int nf_replace_file_atomic_as(int dirfd, const char *name, const void *data,
                                           size_t len_bytes, mode_t mode, int uid, int gid,
                                           struct nf_err *err);

#endif
