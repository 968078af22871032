# SPDX-License-Identifier: MIT
"""Describing ten million samples: noisefloor beside NumPy (Debian's python3-numpy).

Both get the same doubles from one file: run times in ns with a long tail, rounded to whole ns. Two
tasks: `percentiles` (seven of them, type 7) and `summary` (n, minimum, median, mean, sd, MAD, the
percentiles, maximum). Both run in a process that holds the samples already; only the task is timed. The
answers must agree. Memory: what a summary adds to the peak of the samples themselves."""
import os
import pathlib
import statistics
import subprocess
import tempfile

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "10"))
N = int(os.environ.get("NF_PEERS_SAMPLES", "10000000"))
TARGET = 1 / 3
MEMORY_TARGET = 0.10
PYTHON = "/usr/bin/python3"

MAKE = """
import sys, numpy as np
rng = np.random.default_rng(1)
n = int(sys.argv[2])
x = np.round(1e6 * np.exp(rng.normal(0, 0.02, n)) + (rng.random(n) < 0.02) * rng.exponential(3e5, n))
x.astype(np.float64).tofile(sys.argv[1])
"""
WORK = """
import sys, time, numpy as np
x = np.fromfile(sys.argv[1], dtype=np.float64)
p = [25, 50, 75, 90, 99, 99.9, 99.99]
for line in sys.stdin:
    start = time.perf_counter_ns()
    if line.strip() == "summary":
        q = np.percentile(x, p)
        all_ = (len(x), x.min(), x.max(), x.mean(), x.std(ddof=1))
        mad = np.median(np.abs(x - q[1]))
        answer = (q[1], mad, q[6])
    else:
        q = np.percentile(x, p)
        answer = (q[1], q[4], q[6])
    took = time.perf_counter_ns() - start
    print(took, *(repr(float(v)) for v in answer), flush=True)
"""


class Worker:
    def __init__(self, cmd):
        # Settings of one BLAS would be a handicap or a gift to NumPy: it gets its defaults.
        env = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
        self.process = subprocess.Popen(cmd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=env)
        self.answer = {}

    def ask(self, task):
        self.process.stdin.write(task + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().split()
        if not line:
            raise RuntimeError(f"{self.process.args[0]} ended with {self.process.wait()}")
        if task != "memory":
            self.answer[task] = [float(v) for v in line[1:]]
        return [float(v) for v in line] if task == "memory" else float(line[0])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main(build):
    driver = pathlib.Path(build, "peers", "stats_driver")
    if subprocess.run([PYTHON, "-c", "import numpy"], capture_output=True).returncode != 0:
        raise peerlib.NotHere("NumPy is missing: install python3-numpy")
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "samples")
        subprocess.run([PYTHON, "-c", MAKE, path, str(N)], check=True)
        ours, theirs = Worker([driver, path]), Worker([PYTHON, "-c", WORK, path])
        for task in ("percentiles", "summary"):
            ours.ask(task), theirs.ask(task)  # pages and caches
            pairs = peerlib.interleave(PAIRS, lambda: ours.ask(task), lambda: theirs.ask(task))
            for a, b in zip(ours.answer[task], theirs.answer[task]):
                if abs(a - b) > 1e-9 * abs(b):
                    raise RuntimeError(f"{task}: {ours.answer[task]} beside {theirs.answer[task]}")
            print(f"  {task} of {N} samples, median: noisefloor "
                  f"{statistics.median(a for a, _ in pairs) / 1e6:.1f} ms, NumPy "
                  f"{statistics.median(b for _, b in pairs) / 1e6:.1f} ms")
            worst = max(worst, peerlib.verdict(f"noisefloor / NumPy, {task}", pairs, TARGET),
                        key=(0, 3, 1).index)
        before, after = ours.ask("memory")
        added = (after - before) / (8 * N)
        print(f"  memory added by a summary: {added:.1%} of the samples, target at most {MEMORY_TARGET:.0%}")
        ours.close(), theirs.close()
    return 1 if added > MEMORY_TARGET else worst


peerlib.main(main)
