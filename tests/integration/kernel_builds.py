# SPDX-License-Identifier: MIT
"""Builds the measured kernels with every compiler found, at -O2 and -O3, with the flags that the
project pins; shared by kernel_ratio.py and kernel_disasm.py."""
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["NF_SOURCE"])
KERNELS = SOURCE / "src/measure/kernels"
COMPILERS = {"gcc": ["gcc"], "clang": ["clang-14", "clang"]}


class Tap:
    """Numbered results; `why` lines are printed before them."""

    def __init__(self):
        self.n = 0
        self.failed = 0

    def __call__(self, ok, what, why=()):
        self.n += 1
        self.failed += not ok
        for line in why:
            print(f"# {line}")
        print(f"{'ok' if ok else 'not ok'} {self.n} - {what}")

    def skip(self, name, why):
        """A skip, or a failure where NF_REQUIRE lists the name."""
        if required(name):
            self(False, f"{name} is required here: {why}")
            return
        self.n += 1
        print(f"ok {self.n} - {name} # SKIP {name}: {why}")

    def done(self):
        print(f"1..{self.n}")
        return 1 if self.failed or self.n == 0 else 0


def required(name):
    return name in os.environ.get("NF_REQUIRE", "").split(",")


def pinned_flags():
    """The kernel_flags of the kernels' meson.build, without the level."""
    text = (KERNELS / "meson.build").read_text()
    body = text.split("kernel_flags = [", 1)[1].split("]", 1)[0]
    flags = [f.strip().strip("'") for f in body.split(",")]
    assert flags[0] == "-O2", flags
    return flags[1:]


def arch():
    machine = os.uname().machine
    return machine if machine in ("x86_64", "aarch64") else "none"


def builds(tap):
    """Yields (name, compiler path, level); a compiler that is missing is a skip."""
    for name, programs in COMPILERS.items():
        path = next((p for p in map(shutil.which, programs) if p), None)
        if path is None:
            tap.skip(name, f"none of {' '.join(programs)} was found")
            continue
        for level in ("-O2", "-O3"):
            yield f"{name} {level}", path, level


def run(argv):
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, argv))}\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_object(compiler, level, source, out):
    run([compiler, "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror",
         "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument", level,
         *pinned_flags(), "-fPIC", "-I", SOURCE / "src", "-I", SOURCE / "include", "-I",
         KERNELS / "arch" / arch(), "-c", source, "-o", out])


def kernel_sources():
    names = ["fwq_monotonic.c"]
    names += ["kernels_no_counter.c"] if arch() == "none" else ["fwq_counter.c", "kernels_counter.c"]
    return [KERNELS / n for n in names]
