# SPDX-License-Identifier: MIT
"""board_text: what a board says while it boots, as U-Boot 2023.01 and a 6.1 kernel say it. Bytes, as they come out of the UART."""


def lines(text):
    return text.replace("\n", "\r\n").encode()


UBOOT = lines("""

U-Boot 2023.01+dfsg-2+deb12u3 (Jun 22 2026 - 08:38:07 +0000)

DRAM:  512 MiB
Core:  47 devices, 13 uclasses, devicetree: board
Flash: 64 MiB
Loading Environment from Flash... *** Warning - bad CRC, using default environment

In:    pl011@9000000
Out:   pl011@9000000
Err:   pl011@9000000
Net:   eth0: virtio-net#31
""")
AUTOBOOT = b"Hit any key to stop autoboot:  2 "
AUTOBOOT_AGAIN = b"\b\b\b 2 "
AUTOBOOT_OVER = b"\b\b\b 0\r\n"
PROMPT = b"=> "
INTERRUPT = b"<INTERRUPT>\r\n"
DHCP = lines("""BOOTP broadcast 1
DHCP client bound to address 10.0.2.15 (2 ms)
""")
TIMEOUTS = b"T T T T T "
ABORT = lines("\nAbort\n")
NO_FILE = lines("\nTFTP error: 'File not found' (1)\nNot retrying...\n")
RETRY_OVER = lines("\nRetry count exceeded; starting again\n")
ARP_OVER = lines("\nARP Retry count exceeded; starting again\n")


def loading(name, addr):
    return lines(f"""Using virtio-net#31 device
TFTP from server 10.0.2.2; our IP address is 10.0.2.15
Filename '{name}'.
Load address: {addr}
Loading: *\b""")


def loaded(size):
    return lines(f"{'#' * (size // 14680 + 1)}\n\t 31.8 MiB/s\ndone\nBytes transferred = {size} ({size:x} hex)\n")


UNKNOWN = "Unknown command '{}' - try 'help'\n"
NO_IMAGE = lines("Bad Linux ARM64 Image magic!\n")

HANDOVER = lines("""## Flattened Device Tree blob at 5edecb00
   Booting using the fdt blob at 0x5edecb00
Working FDT set to 5edecb00
   Loading Device Tree to 000000005edcb000, end 000000005edec4f5 ... OK
Working FDT set to 5edcb000

Starting kernel ...

""")
KERNEL = lines("""[    0.000000] Booting Linux on physical CPU 0x0000000000 [0x411fd070]
[    0.000000] Linux version 6.1.0-arm64 (gcc-12, GNU ld 2.40) #1 SMP
[    0.000000] Machine model: linux,dummy-virt
[    0.000000] earlycon: pl11 at MMIO 0x0000000009000000 (options '')
[    0.021011] Calibrating delay loop (skipped), value calculated using timer frequency.. 125.00 BogoMIPS (lpj=250000)
[    0.302100] NET: Registered PF_NETLINK/PF_ROUTE protocol family
""")
INIT = lines("""[    0.801200] Freeing unused kernel memory: 6592K
[    0.803311] Run /init as init process
Saving 256 bits of non-creditable seed for next boot
Starting network: OK
WALLCLOCK_US>8173

Welcome to Buildroot
""")
LOGIN = b"buildroot login: "
MESSAGE = lines("[    3.301000] random: crng init done\n")
PANIC = lines("""[    0.803311] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)
[    0.803400] CPU: 0 PID: 1 Comm: swapper/0 Not tainted 6.1.0-arm64 #1
[    0.803500] Call trace:
[    0.803600]  dump_backtrace+0xe8/0x140
[    0.803700]  panic+0x184/0x348
[    0.803800] ---[ end Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0) ]---
""")
FAULT_DUMP = lines("""Caught cap fault in send phase at address 0
while trying to handle:
vm fault on data at address 0x20 with status 0x92000046
in thread 0xffffff8040813400 "driver" at address 0x40a1c0
With stack:
0x7ffff0: 0x0
0x7ffff8: 0x401a8c
0x800000: 0x4
""")
GARBAGE = bytes((0x80 + (i * 37) % 128) if i % 5 else (i * 11) % 9 for i in range(64))
