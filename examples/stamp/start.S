/* SPDX-License-Identifier: MIT */
/* Where the board begins: the 64 bytes that make an arm64 Image of the flat binary (Linux,
 * Documentation/arm64/booting.rst), so that booti, or QEMU's -kernel, takes it; then a stack, a zeroed .bss,
 * main, and power off by PSCI. Position independent: it runs wherever it was put. */
	.section .head, "ax"
	.globl	_start
_start:
	b	1f			/* code0 */
	.long	0			/* code1 */
	.quad	0x80000			/* text_offset: from a 2 MiB boundary of memory */
	.quad	_image_size
	.quad	0xa			/* flags: little endian, 4 KiB pages, anywhere in memory */
	.quad	0, 0, 0
	.ascii	"ARM\x64"		/* magic */
	.long	0
1:
	adrp	x0, _stack_top
	add	x0, x0, :lo12:_stack_top
	mov	sp, x0
	adrp	x0, _bss
	add	x0, x0, :lo12:_bss
	adrp	x1, _bss_end
	add	x1, x1, :lo12:_bss_end
2:	cmp	x0, x1
	b.hs	3f
	str	xzr, [x0], #8
	b	2b
3:	bl	main
	movz	w0, #0x8400, lsl #16	/* PSCI SYSTEM_OFF, 0x84000008 */
	movk	w0, #0x0008
	hvc	#0
4:	wfi
	b	4b
