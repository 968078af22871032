/* SPDX-License-Identifier: MIT */
/* port_impl - the parts of a port: the terminal, the socket, what /sys and /proc say. */
#ifndef NF_BOARD_PORT_IMPL_H
#define NF_BOARD_PORT_IMPL_H

#include <sys/stat.h>

#include "board/port.h"

/* All -NF_E... with p->fd closed again on failure. */
NF_NODISCARD int nf_port_open_terminal(struct nf_port *p, const struct nf_port_spec *spec,
                                       const struct nf_rootfs *root, struct nf_err *err);
NF_NODISCARD int nf_port_open_socket(struct nf_port *p, const struct nf_port_spec *spec,
                                     struct nf_err *err);
void nf_port_restore(struct nf_port *p); /* settings and TIOCEXCL, as they were */

/* The device's own path, links followed; of what is not there: nothing. */
void nf_port_find_device(struct nf_port_facts *facts, const char *path);
/* Fills by_path, by_id, driver, latency timer and delay of a terminal's facts. root NULL: leaves them
 * unknown. */
void nf_port_find_facts(struct nf_port_facts *facts, const struct nf_rootfs *root);

enum { NF_PORT_HOLDER_MAX = 400 };
/* Who has the device: "NAME (process N)", and the file it captures to, where that can be seen; else
 * "another program". */
void nf_port_find_holder(const struct nf_rootfs *root, const struct stat *device, const char *path,
                         char ret[NF_PORT_HOLDER_MAX]);

#endif
