/* SPDX-License-Identifier: MIT */
/*
 * Stamps on a bare board: QEMU's aarch64 virt machine, nothing below it.
 *
 *   qemu-system-aarch64 -M virt -cpu cortex-a57 -nographic -kernel build/release/examples/stamp/stamp.elf
 *
 * The flat stamp.bin beside it is an arm64 Image: U-Boot's booti takes it. What is printed, and how a host reads it
 * with the rate checked, is said in noisefloor/stamp.h.
 */
#include "noisefloor/stamp.h"

/* PL011: data and flag register. */
#define UART_DATA (*(volatile uint32_t *)0x09000000)
#define UART_FLAGS (*(volatile uint32_t *)0x09000018)
enum { UART_FULL = 1 << 5, ROOM = 4 };

static void uart_put(void *ctx, char c)
{
	(void)ctx;
	while (UART_FLAGS & UART_FULL)
		;
	UART_DATA = (unsigned char)c;
}

static void work(unsigned rounds)
{
	for (volatile unsigned i = 0; i < rounds; i++)
		;
}

int main(void);
int main(void)
{
	static struct nf_stamp_entry room[ROOM];
	struct nf_stamps s;

	nf_stamp_put_text(uart_put, NULL, "stamps on a bare board\r\n");
	nf_stamps_init(&s, room, ROOM);
	s.eol = "\r\n";
	nf_stamp_take(&s, "start");
	work(100000);
	nf_stamp_take(&s, "short work");
	work(1000000);
	nf_stamp_take(&s, "long");
	nf_stamp_take(&s, "nothing");
	nf_stamp_take(&s, "no room is left for this");
	nf_stamps_print(&s, uart_put, NULL);
	nf_stamp_put_text(uart_put, NULL, "done\r\n");
	return 0;
}
