# SPDX-License-Identifier: MIT
"""Statistics of a file of two workers with a million samples each (10 MB): `noisefloor stats` beside pandas.

Two peers: a script that goes through the lines as the existing fwq-stats does, and pandas.read_csv with its C
engine and describe(), which gets the same numbers as two columns, the form that suits it best. All are
whole programs, started anew each time. Beside it, for information: the peers' work alone, in a process that
has imported pandas already, against our whole program. Memory: the peak of ours, in MiB."""
import os
import pathlib
import random
import subprocess
import tempfile
import time

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "10"))
N = int(os.environ.get("NF_PEERS_SAMPLES", "1000000"))
LINES_TARGET = 1 / 20
CSV_TARGET = 1 / 10
MEMORY_TARGET_MIB = 40
PYTHON = "/usr/bin/python3"

LINES = """
def work(path, pandas):
    workers, ghz, now = {}, 0.0, None
    for line in open(path):
        if line.startswith("Speed"):
            ghz = float(line.split()[-1])
        elif line.startswith(("Thread", "Process")):
            now = workers.setdefault(int(line.split()[1]), [])
        else:
            now.append(int(line))
    frame = pandas.DataFrame(workers)[1:] / (ghz * 1000)
    std = frame.std()
    return frame[[std.idxmin(), std.idxmax()]].describe()
"""
CSV = """
def work(path, pandas):
    return pandas.read_csv(path, engine="c").describe()
"""
ONCE = """
import sys, pandas
print(work(sys.argv[1], pandas))
"""
AGAIN = """
import sys, time, pandas
for line in sys.stdin:
    start = time.perf_counter_ns()
    work(sys.argv[1], pandas)
    print(time.perf_counter_ns() - start, flush=True)
"""


def make(text, csv):
    rng = random.Random(1)
    columns = []
    for _ in range(2):
        v = [3460 + rng.randrange(20) for _ in range(N)]
        for i in rng.sample(range(N), N // 20):
            v[i] += rng.randrange(500)
        for i in rng.sample(range(N), N // 1000):
            v[i] += rng.randrange(1000000)
        columns.append(v)
    with open(text, "w") as f:
        for t in range(2):
            f.write(f"Speed: thread {t}, cycles {sum(columns[t])}, seconds 1.0, GHz 2.59{t}\n")
        for t in range(2):
            f.write(f"Thread {t} running on CPUs {t}\n" + "".join(f"{x}\n" for x in columns[t]))
    with open(csv, "w") as f:
        f.write("0,1\n" + "".join(f"{a},{b}\n" for a, b in zip(*columns)))


def timed(cmd):
    start = time.perf_counter_ns()
    subprocess.run(cmd, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter_ns() - start


def peak_mib(cmd):
    """Through a small process, as the peak of a fork begins with its parent's."""
    out = subprocess.run(["/bin/sh", "-c", '"$@" >/dev/null & p=$!; while kill -0 $p 2>/dev/null; do '
                          'grep VmHWM /proc/$p/status; done 2>/dev/null; wait $p', "sh", *cmd],
                         stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return max(int(kib) for kib in out[1::3]) / 1024


def compare(build):
    if subprocess.run([PYTHON, "-c", "import pandas"], stderr=subprocess.DEVNULL).returncode:
        raise peerlib.NotHere("python3-pandas is not installed")
    with tempfile.TemporaryDirectory() as tmp:
        text, csv = pathlib.Path(tmp) / "f.dat", pathlib.Path(tmp) / "f.csv"
        make(text, csv)
        ours = [str(pathlib.Path(build) / "src/cli/noisefloor"), "stats", str(text)]
        worst = 0
        for what, work, path, target in (("a script line by line", LINES, text, LINES_TARGET),
                                         ("read_csv and describe", CSV, csv, CSV_TARGET)):
            once = [PYTHON, "-c", work + ONCE, str(path)]
            timed(ours)
            timed(once)
            pairs = peerlib.interleave(PAIRS, lambda: timed(ours), lambda: timed(once))
            worst = max(worst, peerlib.verdict(f"stats against {what}, whole programs", pairs, round(target, 3)))
            with subprocess.Popen([PYTHON, "-c", work + AGAIN, str(path)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True) as p:
                def again():
                    p.stdin.write("\n")
                    p.stdin.flush()
                    return int(p.stdout.readline())
                again()
                alone = peerlib.interleave(PAIRS, lambda: timed(ours), again)
                p.stdin.close()
            r, lo, hi = peerlib.ratio(alone)
            print(f"  for information: our whole program against its work alone, pandas imported: ratio {r:.3f} "
                  f"(95 % interval {lo:.3f} to {hi:.3f})")
        peak = max(peak_mib(ours) for _ in range(5))
        print(f"  peak memory of stats: {peak:.1f} MiB, target at most {MEMORY_TARGET_MIB}")
        return max(worst, 1 if peak > MEMORY_TARGET_MIB else 0)


peerlib.main(compare)
