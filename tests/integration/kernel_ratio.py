#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Twice the work takes twice the time: for every kernel, under every compiler and level. A compiler
that shortens a chain, or a loop with a fixed cost of its own, breaks the ratio. A self-check proves
that a kernel which ignores its work is found."""
import pathlib
import subprocess
import sys
import tempfile

import kernel_builds as kb

HERE = pathlib.Path(__file__).parent
# The work function without its barriers is what a compiler folds away: then the ratio is 1.
SHORTENED = '#define KEEP_INT(v) ((void)(v))\n#define KEEP_FP(v) ((void)(v))\n'


def build(compiler, level, tmp, shorten):
    objects = []
    for n, source in enumerate(kb.kernel_sources()):
        if shorten and source.name.startswith("fwq_"):
            loops = (kb.KERNELS / "fwq_loops.h").read_text()
            lines = [l for l in loops.splitlines() if not l.startswith("#define KEEP_")]
            at = next(i for i, l in enumerate(lines) if l.startswith("#include"))
            folder = tmp / "shortened/measure/kernels"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "fwq_loops.h").write_text("\n".join(lines[:at]) + "\n" + SHORTENED +
                                                "\n".join(lines[at:]) + "\n")
            text = source.read_text().replace('"measure/kernels/fwq_loops.h"',
                                              f'"{folder / "fwq_loops.h"}"')
            source = folder / source.name
            source.write_text(text)
        out = tmp / f"{n}.o"
        kb.compile_object(compiler, level, source, out)
        objects.append(out)
    program = tmp / "ratio"
    kb.run([compiler, "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-I", kb.SOURCE / "src", "-I",
            kb.SOURCE / "include", HERE / "kernel_ratio.c", *objects, "-o", program])
    return program


def main():
    tap = kb.Tap()
    checked = False
    for name, compiler, level in kb.builds(tap):
        for shorten in (False, True):
            if shorten and checked:
                continue
            with tempfile.TemporaryDirectory() as d:
                done = subprocess.run([build(compiler, level, pathlib.Path(d), shorten)],
                                      capture_output=True, text=True)
            if shorten:
                checked = True
                tap(done.returncode == 1, f"{name}: kernels without barriers are found out")
            else:
                print(done.stdout, end="")
                tap(done.returncode == 0, f"{name}: twice the work takes twice the time")
    return tap.done()


sys.exit(main())
