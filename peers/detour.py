# SPDX-License-Identifier: MIT
"""How small a gap can be seen: detour's loop beside rt-tests' oslat, both without a realtime policy on the last
allowed CPU, two seconds a run.

oslat sorts gaps into whole microseconds, rounded up, so a gap shows from 1 us on. What its loop could
show at best is bounded by the time of one turn, which its counts give: duration over reads. The same figure of
both, with whatever interrupted them, is what is compared; detour's smallest detectable gap is held to
oslat's microsecond besides."""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "10"))
SECONDS = 2
OSLAT_UNIT_NS = 1000
TARGET = 1.0


def run(cmd):
    p = subprocess.run(cmd, capture_output=True, text=True, timeout=60)
    if p.returncode == 3:
        raise peerlib.NotHere(p.stderr.strip())
    if p.returncode != 0:
        raise RuntimeError(f"{cmd[0]} ended with {p.returncode}: {p.stderr.strip()}")
    return p.stdout


def main(build):
    noisefloor = pathlib.Path(build, "src/cli/noisefloor")
    cpus = sorted(os.sched_getaffinity(0))
    cpu = cpus[-1]
    smallest = []
    if not shutil.which("oslat"):
        raise peerlib.NotHere("oslat is missing: install rt-tests")
    with tempfile.TemporaryDirectory() as tmp:
        def ours():
            record = json.loads(run([noisefloor, "--runs", tmp, "--json", "detour", "-c", str(cpu), "-d",
                                     f"{SECONDS}s", "--threshold", "1us", "--no-samples"]))
            worker, = record["body"]["workers"]
            smallest.append(worker["smallest_ns"])
            return worker["span_ns"] / worker["reads"]

        def theirs():
            run(["oslat", "-c", str(cpu), "-C", str(cpus[0]), "-D", f"{SECONDS}s", "-q", f"--json={tmp}/oslat"])
            thread = json.loads(pathlib.Path(tmp, "oslat").read_text())["thread"]["0"]
            return thread["duration"] * 1e9 / sum(thread["histogram"].values())

        pairs = peerlib.interleave(PAIRS, ours, theirs)
    print(f"  a turn of the loop on CPU {cpu}, median of the runs: noisefloor "
          f"{statistics.median(a for a, _ in pairs):.1f} ns, oslat {statistics.median(b for _, b in pairs):.1f} ns")
    print(f"  smallest detectable gap: noisefloor {max(smallest):.1f} ns at worst, oslat {OSLAT_UNIT_NS} ns")
    code = peerlib.verdict("noisefloor / oslat", pairs, TARGET)
    return code if max(smallest) <= OSLAT_UNIT_NS else 1


peerlib.main(main)
