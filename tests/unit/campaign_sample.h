/* SPDX-License-Identifier: MIT */
/* campaign_sample - a campaign file that has every part, shared by the tests of src/board. */
#ifndef CAMPAIGN_SAMPLE_H
#define CAMPAIGN_SAMPLE_H

#include "board/campaign.h"

static const char campaign_sample[] =
        "board:\n"
        "  name: c4\n"
        "  console: { by_path: \"pci-0000:00:14.0-usb-0:2.2\", baud: 115200 }\n"
        "  power: { driver: lcus, by_path: pci-0000:00:14.0-usb-0:2.3, channel: 1, off_time: 3s }\n"
        "  uboot: { prompt: \"^(=>|c4#) \", keys: \"\\x03\", eol: \"\\r\" }\n"
        "  shell: { user: root, password_env: C4_PW, prompt: \"# $\" }\n"
        "on_abort: leave\n"
        "configs:\n"
        "  - name: tracked\n"
        "    declared: { Extract: \"OFF\" }\n"
        "    commands: [ \"setenv ipaddr 10.42.0.2\", \"setenv serverip 10.42.0.1\" ]\n"
        "    tftp: { root: /srv/tftp, image: vm-tracked, addr: \"0x20000000\", tries: 2 }\n"
        "    boot: go 0x20000000\n"
        "    done: \"buildroot login:\"\n"
        "    fail: [ \"cap fault\" ]\n"
        "    timeout: { boot: 60s, silence: 10s }\n"
        "    phases: [ { name: t0, match: Running test }, { name: first, match: \"Linux version \" "
        "} ]\n"
        "    values: [ { name: spawn, match: \"WALLCLOCK_US>(\\\\d+)\", unit: us } ]\n"
        "  - name: plain\n"
        "    tftp:\n"
        "      - { root: /srv/tftp, image: Image, addr: \"${kernel_addr_r}\", server: 10.42.0.1 }\n"
        "      - { root: /srv/tftp, image: boot/initrd, addr: \"${ramdisk_addr_r}\" }\n"
        "    boot: \"booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdtcontroladdr}\"\n"
        "    done: \"# $\"\n"
        "campaign: { runs: 3, retry: { board: 1 } }\n";

/* Boots by itself; for tests of one key. */
static const char campaign_small[] = "board:\n"
                                     "  name: b\n"
                                     "  console: { pty: /dev/pts/9 }\n"
                                     "  power: { driver: qmp, socket: q.sock }\n"
                                     "configs:\n"
                                     "  - name: c\n"
                                     "    done: up\n";

#endif
