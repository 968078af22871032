# SPDX-License-Identifier: MIT
"""What an execution costs: `noisefloor bench run -- /bin/true` beside `hyperfine -N /bin/true`.

Both start the program without a shell, with one execution in front that does not count, and write
every time to a file. What is compared is the wall time that one execution more takes: of a run of
MANY executions that of a run of FEW is taken off, so that neither program's own start and end count,
and the rest goes by the number of executions between them. The whole runs are printed, too."""
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "16"))
MANY, FEW = 1000, 100
TARGET = 1.1
PROGRAM = "/bin/true"


def timed(cmd):
    begin = time.perf_counter()
    p = subprocess.run(cmd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    took = time.perf_counter() - begin
    if p.returncode != 0:
        raise RuntimeError(f"{cmd[0]} ended with {p.returncode}: {p.stderr.strip()}")
    return took


def main(build):
    own = pathlib.Path(build, "src", "cli", "noisefloor")
    if not shutil.which("hyperfine"):
        raise peerlib.NotHere("hyperfine is missing: install hyperfine")
    with tempfile.TemporaryDirectory() as folder:

        def ours(n):
            took = timed([own, "--quiet", "--runs", f"{folder}/runs", "bench", "run", "--sets", str(n),
                          "--max-time", "5m", "--", PROGRAM])
            shutil.rmtree(f"{folder}/runs")
            return took

        def theirs(n):
            return timed(["hyperfine", "-N", "--style", "none", "--warmup", "1", "--runs", str(n),
                          "--export-json", f"{folder}/h.json", PROGRAM])

        ours(FEW)
        theirs(FEW)
        whole = []

        def one_more(run, which):
            few = run(FEW)
            many = run(MANY)
            whole.append((which, many))
            return (many - few) / (MANY - FEW)

        pairs = peerlib.interleave(PAIRS, lambda: one_more(ours, 0), lambda: one_more(theirs, 1))
    for name, which in ("noisefloor", 0), ("hyperfine -N", 1):
        print(f"  {name}: {1e6 * statistics.median(p[which] for p in pairs):.0f} us for one execution more; "
              f"{MANY} of them, start and end included: "
              f"{statistics.median(t for w, t in whole if w == which):.2f} s")
    return peerlib.verdict("one execution, noisefloor / hyperfine -N", pairs, TARGET)


peerlib.main(main)
