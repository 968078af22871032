# SPDX-License-Identifier: MIT
"""`audit src` beside grep, over the sources of Linux (Debian's linux-source package).

What one would do without it: `grep -rnE` for the macros that are defined as 0, and again for the tests of definedness.
The two passes read the same files by the same endings, in the C locale, and only count: their lines go to a file.
Ours also follows includes, judges, looks for prints in timed regions and writes its findings. The files are in the
page cache for both. The time is from start to end of the process, or of both processes of grep."""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "8"))
TARGET = 1.0
TOOLS = pathlib.Path(__file__).resolve().parent.parent / "tools"
ENDINGS = ("c h S s cc cpp cxx c++ hh hpp hxx h++ inc inl ipp def C H lds").split()
DEFINES = (r"^[[:space:]]*#[[:space:]]*define[[:space:]]+[A-Za-z_][A-Za-z_0-9]*[[:space:]]+"
           r"\(?0[xX]?0*[uUlL]*\)?[[:space:]]*(/[/*].*)?$")
TESTS = r"^[[:space:]]*#[[:space:]]*(ifn?def|(el)?if.*defined|elifn?def)"


def main(build):
    found = subprocess.run([TOOLS / "get-linux-source"], capture_output=True, text=True)
    if found.returncode != 0:
        raise peerlib.NotHere(f"no sources: {found.stderr.strip()}")
    tree = found.stdout.strip()
    audit = [pathlib.Path(build, "src", "cli", "noisefloor"), "audit", "src", tree]
    grep = ["grep", "-rnE", *(f"--include=*.{e}" for e in ENDINGS)]
    env = dict(os.environ, LC_ALL="C")

    with tempfile.TemporaryDirectory() as d:
        out = pathlib.Path(d, "out")

        def timed(*commands):
            start = time.monotonic()
            for c in commands:
                with open(out, "wb") as f:
                    code = subprocess.run(c, stdout=f, stderr=subprocess.PIPE, env=env).returncode
                if code not in (0, 1):
                    raise RuntimeError(f"{c[0]} ended with {code}")
            return time.monotonic() - start

        def ours():
            return timed(audit)

        def theirs():
            return timed([*grep, DEFINES, tree], [*grep, TESTS, tree])

        ours(), theirs()  # everything is in the page cache then
        summary = subprocess.run(audit, capture_output=True, text=True, env=env).stdout.split("\n\n")[-1]
        print("  " + summary.strip().replace("\n", "\n  "))
        pairs = peerlib.interleave(PAIRS, ours, theirs)
        print(f"  median {statistics.median(a for a, _ in pairs):.2f} s, two passes of grep "
              f"{statistics.median(b for _, b in pairs):.2f} s, {len(os.sched_getaffinity(0))} CPUs")
        status = peerlib.verdict("audit src / grep twice, time", pairs, TARGET)
        one = {min(os.sched_getaffinity(0))}
        os.sched_setaffinity(0, one)
        pairs = peerlib.interleave(max(4, PAIRS // 2), ours, theirs)
        print(f"  on one CPU: median {statistics.median(a for a, _ in pairs):.2f} s, grep "
              f"{statistics.median(b for _, b in pairs):.2f} s")
        return max(status, peerlib.verdict("the same on one CPU", pairs, TARGET), key=(0, 3, 1).index)


peerlib.main(main)
