/* SPDX-License-Identifier: MIT */
/* uboot_texts - what U-Boot, a kernel and a getty say in a boot, for played boards; and the dialogue that is held with them. */
#ifndef UBOOT_TEXTS_H
#define UBOOT_TEXTS_H

#include "played_board.h"

#define MS INT64_C(1000000)
#define SECONDS INT64_C(1000000000)

#define UBOOT_PROMPT "=> " PLAYED_LINE
#define UBOOT_BANNER \
	"\r\n\r\nU-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)\r\n\r\nDRAM:  512 MiB\r\n" \
	"In:    pl011@9000000\r\nOut:   pl011@9000000\r\nErr:   pl011@9000000\r\nNet:   eth0: " \
	"eth\r\n"
/* The count is redrawn in place. */
#define UBOOT_AUTOBOOT \
	"Hit any key to stop autoboot:  2 " PLAYED_AUTOBOOT PLAYED_1S "\b\b\b 1 " PLAYED_1S \
	"\b\b\b 0 "
#define UBOOT_ON UBOOT_BANNER UBOOT_AUTOBOOT
#define UBOOT_KEY "\b\b\b 0 \r\n" UBOOT_PROMPT
#define UBOOT_BREAK "<INTERRUPT>\r\n" UBOOT_PROMPT
#define UBOOT_LOADING \
	"Using eth device\r\nTFTP from server 10.0.2.2; our IP address is 10.0.2.15\r\n" \
	"Filename 'Image'.\r\nLoad address: 0x40400000\r\nLoading: *\b"
#define UBOOT_LOADED \
	UBOOT_LOADING "####" PLAYED_100MS "####\r\n\t 9.8 MiB/s\r\ndone\r\n" \
	              "Bytes transferred = 32768000 (1f40000 hex)\r\n" UBOOT_PROMPT
#define KERNEL_STARTS "Starting kernel ...\r\n\r\n"
#define KERNEL_BOOTS \
	KERNEL_STARTS PLAYED_100MS "[    0.000000] Booting Linux on physical CPU 0x0\r\n" \
	                           "[    0.000000] Linux version 6.1.0\r\n" PLAYED_1S \
	                           "[    1.000000] Run /init as init process\r\n"
#define GETTY "\r\nWelcome\r\nbuildroot login: " PLAYED_LINE

#define COMMAND_1 "setenv autoload no"
#define COMMAND_2 "dhcp"
#define DHCP_SAYS \
	"BOOTP broadcast 1\r\n" PLAYED_100MS \
	"DHCP client bound to address 10.0.2.15 (3 ms)\r\n" UBOOT_PROMPT
#define SERVER "setenv serverip 10.0.2.2"
#define LOAD "tftpboot 0x40400000 Image"
#define BOOT "booti 0x40400000 - ${fdtcontroladdr}"

/* Rows that most boards have in common; those before them go first. */
#define UBOOT_ROWS \
	{ "<on>", UBOOT_ON, 0 }, { "<key>", UBOOT_KEY, 0 }, { "<break>", UBOOT_BREAK, 0 }, \
	        { "<auto>", "\r\n" KERNEL_BOOTS GETTY, 0 }, { COMMAND_1, UBOOT_PROMPT, 0 }, \
	        { "", UBOOT_PROMPT, 0 }, { COMMAND_2, DHCP_SAYS, 0 }, { SERVER, UBOOT_PROMPT, 0 }, \
	        { LOAD, UBOOT_LOADED, 0 }, \
	{ \
		BOOT, KERNEL_BOOTS GETTY, 0 \
	}

static const char *const uboot_commands[] = { COMMAND_1, COMMAND_2 };
static const char *const uboot_fails[] = { "cap fault", "Oops" };
static const struct nf_dialogue_load uboot_loads[] = {
	{ .image = "Image",
	  .addr = "0x40400000",
	  .server = "10.0.2.2",
	  .bytes = 32768000,
	  .tries = 3 },
};
static const struct nf_phase_want uboot_marks[] = {
	{ "kernel", "Linux version " },
	{ "init", "Run /init" },
};

static inline struct nf_dialogue_opts uboot_opts(void)
{
	return (struct nf_dialogue_opts){
		.off_ns = 2 * SECONDS,
		.verify_silence = true,
		.autoboot = "stop autoboot",
		.prompt = "^=> ",
		.command = uboot_commands,
		.n_commands = 2,
		.load = uboot_loads,
		.n_loads = 1,
		.boot = BOOT,
		.done = "buildroot login:",
		.fail = uboot_fails,
		.n_fails = 2,
		.mark = uboot_marks,
		.n_marks = 2,
		.prompt_ns = 45 * SECONDS,
		.load_ns = 90 * SECONDS,
		.boot_ns = 180 * SECONDS,
		.silence_ns = 30 * SECONDS,
	};
}

#endif
