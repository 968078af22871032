/* SPDX-License-Identifier: MIT */
/* receive - a folder that another machine sends as a tar stream, written below a new folder here. Every file is made new;
 * no link is made and none is followed. */
#ifndef NF_REMOTE_RECEIVE_H
#define NF_REMOTE_RECEIVE_H

#include "remote/tar.h"

struct nf_receive {
	struct nf_tar tar;
	int dir_fd; /* borrowed */
	int fd; /* of the file at hand; -1: none */
	int uid, gid; /* of what is made; -1: as it comes */
};

/* dir_fd: a new, empty folder that nobody else writes to. At most 1 GiB in 4,096 entries, 4 folders deep. The struct must
 * stay where it is. */
void nf_receive_init(struct nf_receive *r, int dir_fd, int uid, int gid);
/* -NF_EDATA: not taken (tar.h), or a name twice. -NF_EOS. */
NF_NODISCARD int nf_receive_feed(struct nf_receive *r, const void *data, size_t len_bytes,
                                 struct nf_err *err);
NF_NODISCARD int nf_receive_finish(struct nf_receive *r, struct nf_err *err);
void nf_receive_fini(struct nf_receive *r);

/* Removes a folder with what it holds, as far as it can; links are removed, not followed. */
void nf_receive_remove(int parent_fd, const char *name);
/* Gives a folder its name, or name-2 ... name-99 where that is taken; nothing is replaced. ret_name: the one it got. */
NF_NODISCARD int nf_receive_name(int parent_fd, const char *from, const char *name,
                                 char ret_name[NF_TAR_NAME], struct nf_err *err);

#endif
