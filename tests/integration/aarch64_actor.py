#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cross-compiles the actor runtime for aarch64 and runs its unit tests and traps under user-mode QEMU."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kernel_builds as kb

HERE = pathlib.Path(__file__).parent
GCC = "aarch64-linux-gnu-gcc"
UNITS = ("actor_life", "actor_chan", "actor_knobs")


def main():
    tap = kb.Tap()
    qemu = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if not shutil.which(GCC):
        tap.skip("aarch64", f"{GCC} was not found")
        return tap.done()
    src, tests = kb.SOURCE / "src", kb.SOURCE / "tests"
    common = [GCC, "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2", "-g", "-I", src,
              "-I", kb.SOURCE / "include", "-I", kb.SOURCE / "tables"]
    sources = [p for p in sorted((src / "actor").glob("*.c")) if p.name != "valgrind_stack.c"]
    sources.append(src / "base/fail.c")
    traps = re.findall(r"{ \"([a-z-]+)\", trap_", (tests / "actor/traps.c").read_text())
    with tempfile.TemporaryDirectory() as d:
        tmp = pathlib.Path(d)
        frames = []
        for kind, flag in (("probed", "-fstack-clash-protection"), ("unprobed", "-fno-stack-clash-protection")):
            frames.append(tmp / f"{kind}.o")
            kb.run([*common, flag, "-DNF_ACTOR_HOOKS", "-c", tests / f"actor/frame_{kind}.c", "-o", frames[-1]])
        for name in UNITS:
            kb.run([*common, "-static", "-fstack-clash-protection", "-I", HERE / "aarch64_shim", "-I",
                    tests / "unit", tests / f"unit/test_{name}.c", *sources, "-pthread", "-o", tmp / name])
        kb.run([*common, "-static", "-DNF_ACTOR_HOOKS", *(tests / "actor").glob("trap*.c"),
                tests / "actor/hooks.c", *frames, *sources, "-pthread", "-lm", "-o", tmp / "traps"])
        tap(True, "the actor runtime, its unit tests and its traps compile for aarch64")
        if not qemu:
            tap.skip("qemu-user", "qemu-aarch64-static was not found")
            return tap.done()
        runs = [(name, [name]) for name in UNITS] + [(f"trap {t}", ["traps", t]) for t in traps]
        for what, (program, *args) in runs:
            done = subprocess.run([qemu, tmp / program, *args], capture_output=True, text=True, timeout=300)
            tap(done.returncode == 0, what, (done.stdout + done.stderr).splitlines())
    return tap.done()


sys.exit(main())
