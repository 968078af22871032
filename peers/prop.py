# SPDX-License-Identifier: MIT
"""Cost of a trial of a trivial integer property: in the worker, beside its bare loop (draw and check, no
library) and beside a process per trial. All in ns per trial."""
import os
import pathlib
import statistics
import subprocess

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "20"))
TRIALS = 2000000
BARE = 8 * TRIALS  # about as long a run: interruptions fall on both alike
FORKED = 300
TARGET = 10


def main(build):
    driver = pathlib.Path(build, "peers", "prop_driver")

    def run(mode, n):
        p = subprocess.run([driver, mode, str(n)], capture_output=True, text=True)
        if p.returncode != 0:
            raise RuntimeError(f"{mode}: ended with {p.returncode}: {p.stderr.strip()}")
        return float(p.stdout)

    pairs = peerlib.interleave(PAIRS, lambda: run("worker", TRIALS), lambda: run("bare", BARE))
    forked = statistics.median(run("fork", FORKED) for _ in range(3))
    worker = statistics.median(a for a, _ in pairs)
    print(f"  ns per trial, median of the runs: worker {worker:.1f}, bare loop "
          f"{statistics.median(b for _, b in pairs):.1f}, a process per trial {forked:.0f} "
          f"({forked / worker:.0f} times the worker)")
    return peerlib.verdict("worker / bare loop", pairs, TARGET)


peerlib.main(main)
