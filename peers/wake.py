# SPDX-License-Identifier: MIT
"""Lateness of periodic wake-ups: the wake probe beside rt-tests' cyclictest.

Both: SCHED_FIFO 80, period 1 ms, clock_nanosleep with absolute deadlines on CLOCK_MONOTONIC, one
thread on the last allowed CPU, memory locked, idle states kept out (cyclictest writes 0 to
/dev/cpu_dma_latency by default; the probe is asked to do the same), values in ns. What is compared
is the median lateness of a run of two seconds."""
import os
import pathlib
import re
import shutil
import statistics
import subprocess

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "20"))
PERIOD_US = 1000
SECONDS = 2
PRIORITY = 80
BUCKETS_NS = 1000000  # of cyclictest's histogram, 1 ns each
TARGET = 1.1


def run(cmd):
    p = subprocess.run(cmd, capture_output=True, text=True)
    if p.returncode == 3:
        raise peerlib.NotHere(p.stderr.strip())
    if p.returncode != 0:
        raise RuntimeError(f"{cmd[0]} ended with {p.returncode}: {p.stderr.strip()}")
    return p.stdout


def weighted_median(counts):
    """Of [(value, count)] in rising order, as statistics.median gives it for the expanded list."""
    n = sum(c for _, c in counts)
    middle, seen = [], 0
    for value, c in counts:
        for k in ((n - 1) // 2, n // 2):
            if seen <= k < seen + c:
                middle.append(value)
        seen += c
    return sum(middle) / 2


def cyclictest(cpu):
    text = run(["cyclictest", "--quiet", f"--duration={SECONDS}", f"--interval={PERIOD_US}",
                f"--priority={PRIORITY}", "--policy=fifo", f"--affinity={cpu}", "--threads=1",
                "--mlockall", "--nsecs", "--latency=0", f"--histogram={BUCKETS_NS}"])
    counts = [(int(a), int(b)) for a, b in re.findall(r"^(\d+) (\d+)$", text, re.M) if int(b)]
    over = int(re.search(r"^# Histogram Overflows: (\d+)", text, re.M)[1])
    if over:
        counts.append((BUCKETS_NS, over))
    return weighted_median(counts)


def main(build):
    driver = pathlib.Path(build, "peers", "wake_driver")
    cpus = sorted(os.sched_getaffinity(0))
    if not shutil.which("cyclictest"):
        raise peerlib.NotHere("cyclictest is missing: install rt-tests")
    if len(cpus) < 2:
        raise peerlib.NotHere("one allowed CPU: FIFO needs a second one for the system")
    cpu = cpus[-1]
    n = SECONDS * 1000000 // PERIOD_US

    def ours():
        text = run([driver, str(cpu), str(PRIORITY), str(PERIOD_US * 1000), str(n),
                    "nanosleep", "0"])
        return statistics.median(int(x) for x in text.split("\n") if x and x[0] != "#")

    pairs = peerlib.interleave(PAIRS, ours, lambda: cyclictest(cpu))
    print(f"  median lateness on CPU {cpu}, median of the runs: noisefloor "
          f"{statistics.median(a for a, _ in pairs):.0f} ns, cyclictest "
          f"{statistics.median(b for _, b in pairs):.0f} ns")
    return peerlib.verdict("noisefloor / cyclictest", pairs, TARGET)


peerlib.main(main)
