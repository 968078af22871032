#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cross-compiles the clocks and the kernels for aarch64 and runs them under user-mode QEMU."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import kernel_builds as kb

HERE = pathlib.Path(__file__).parent
GCC = "aarch64-linux-gnu-gcc"
BASE = ("arena", "buf", "clock", "cpuset", "fail", "rootfs", "sysio")


def main():
    tap = kb.Tap()
    qemu = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if not shutil.which(GCC):
        tap.skip("aarch64", f"{GCC} was not found")
        return tap.done()
    src = kb.SOURCE / "src"
    measure = src / "measure"
    common = [GCC, "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2",
              "-DNF_KERNELS_COMPILER=\"\"", "-DNF_KERNELS_FLAGS=\"\"", "-I", src, "-I",
              kb.SOURCE / "include", "-I", kb.SOURCE / "tables", "-I",
              measure / "kernels/arch/aarch64"]
    sources = [measure / f"tick{n}.c" for n in ("", "_aarch64", "_calibrate", "_decide", "_facts")]
    sources += [measure / "kernels" / f"{n}.c"
                for n in ("fwq_counter", "fwq_monotonic", "kernels_counter")]
    sources += [src / "base" / f"{n}.c" for n in BASE]
    with tempfile.TemporaryDirectory() as d:
        tmp = pathlib.Path(d)
        program = tmp / "smoke"
        only_compiled = [measure / "tick_skew.c", measure / "fwq_calibrate.c",
                         measure / "tick_none.c", measure / "kernels/kernels_no_counter.c",
                         measure / "kernels/ftq_counter.c", measure / "kernels/ftq_monotonic.c"]
        for n, source in enumerate(only_compiled):
            kb.run([*common, "-c", source, "-o", tmp / f"{n}.o"])
        kb.run([*common, "-static", HERE / "aarch64_smoke.c", *sources, "-lm", "-o", program])
        tap(True, "the clocks and the kernels compile for aarch64")
        if not qemu:
            tap.skip("qemu-user", "qemu-aarch64-static was not found")
            return tap.done()
        source = tmp / "root/sys/devices/system/clocksource/clocksource0/current_clocksource"
        source.parent.mkdir(parents=True)
        source.write_text("arch_sys_counter\n")
        done = subprocess.run([qemu, program, tmp / "root"], capture_output=True, text=True)
        tap(done.returncode == 0, "the virtual counter is chosen, calibrated and used by every kernel",
            (done.stdout + done.stderr).splitlines())
    return tap.done()


sys.exit(main())
