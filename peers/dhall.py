# SPDX-License-Identifier: MIT
"""Dhall records to JSON: `evidence convert` beside dhall-to-json.

Both: one process, the same file of 1,000 records with its types in a let chain, parsed, type-checked,
normalised and written as JSON. The texts have to say the same. What is compared is the time from start to end of
the process; its peak memory is printed beside."""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import peer_records
import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "10"))
RECORDS = 1000
TARGET = 0.5
HERE = pathlib.Path(__file__).resolve().parent

def timed(cmd):
    start = time.monotonic()
    p = subprocess.Popen(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out = p.stdout.read()
    why = p.stderr.read()
    _, status, usage = os.wait4(p.pid, 0)
    end = time.monotonic()
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode != 0:
        raise RuntimeError(f"{cmd[0]} ended with {p.returncode}: {why.decode().strip()}")
    return end - start, usage.ru_maxrss / 1024, out


def main(build):
    oracle = subprocess.run([HERE / ".." / "tools" / "get-oracle"], capture_output=True, text=True)
    if oracle.returncode != 0:
        raise peerlib.NotHere(f"no dhall-to-json: {oracle.stderr.strip()}")
    ours = [pathlib.Path(build, "src", "cli", "noisefloor"), "evidence", "convert", "--to", "json"]
    theirs = [oracle.stdout.strip(), "--preserve-null", "--file"]
    memory = ([], [])

    with tempfile.TemporaryDirectory() as d:
        path = pathlib.Path(d, "records.dhall")
        path.write_text(peer_records.text(RECORDS))
        a, b = timed([*ours, path])[2], timed([*theirs, path])[2]
        if json.loads(a) != json.loads(b):
            print("  the two programs disagree about the records")
            return 1

        def run(cmd, kept):
            seconds, mib, _ = timed([*cmd, path])
            kept.append(mib)
            return seconds

        pairs = peerlib.interleave(PAIRS, lambda: run(ours, memory[0]), lambda: run(theirs, memory[1]))
        size = path.stat().st_size
    print(f"  {RECORDS} records, {size / 1e6:.1f} MB, median of the runs: noisefloor "
          f"{statistics.median(x for x, _ in pairs):.3f} s and {statistics.median(memory[0]):.0f} MiB, dhall-to-json "
          f"{statistics.median(y for _, y in pairs):.3f} s and {statistics.median(memory[1]):.0f} MiB")
    return peerlib.verdict("noisefloor / dhall-to-json", pairs, TARGET)


peerlib.main(main)
