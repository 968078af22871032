# SPDX-License-Identifier: MIT
"""Dhall records: `evidence check` and `evidence convert` beside dhall-to-json.

One process each, the same file of 1,000 records (1.5 MB) with its types in a let chain, parsed and type-checked;
convert and dhall-to-json also normalise and write JSON, and the texts have to say the same. What is compared is the
time from start to end of the process, and its peak memory."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import peer_records
import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "10"))
RECORDS = 1000
TIME_TARGET = 1 / 20
MEMORY_TARGET = 1 / 10
HERE = pathlib.Path(__file__).resolve().parent

# Starts the command from a small process: until it is replaced by the command, a new process counts the memory
# of the one that started it as its own.
LAUNCHER = """import os, sys, time
start = time.monotonic()
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(time.monotonic() - start, usage.ru_maxrss / 1024, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))"""


def timed(cmd):
    """Seconds, MiB, standard output."""
    p = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCHER, *cmd], capture_output=True)
    if p.returncode != 0:
        raise RuntimeError(f"{cmd[0]} ended with {p.returncode}: {p.stderr.decode().strip()}")
    seconds, mib = p.stderr.split()[-2:]
    return float(seconds), float(mib), p.stdout


def main(build):
    oracle = subprocess.run([HERE / ".." / "tools" / "get-oracle"], capture_output=True, text=True)
    if oracle.returncode != 0:
        raise peerlib.NotHere(f"no dhall-to-json: {oracle.stderr.strip()}")
    evidence = [pathlib.Path(build, "src", "cli", "noisefloor"), "evidence"]
    ours = {"check": [*evidence, "check"], "convert": [*evidence, "convert", "--to", "json"]}
    theirs = [oracle.stdout.strip(), "--preserve-null", "--file"]
    worst = 0

    with tempfile.TemporaryDirectory() as d:
        path = pathlib.Path(d, "records.dhall")
        path.write_text(peer_records.text(RECORDS))
        a, b = timed([*ours["convert"], path])[2], timed([*theirs, path])[2]
        if json.loads(a) != json.loads(b):
            print("  the two programs disagree about the records")
            return 1
        print(f"  {RECORDS} records, {path.stat().st_size / 1e6:.1f} MB")
        for name, cmd in ours.items():
            memory = ([], [])

            def run(command, kept):
                seconds, mib, _ = timed([*command, path])
                kept.append(mib)
                return seconds

            pairs = peerlib.interleave(PAIRS, lambda: run(cmd, memory[0]), lambda: run(theirs, memory[1]))
            print(f"  {name}: median {statistics.median(x for x, _ in pairs):.3f} s and "
                  f"{statistics.median(memory[0]):.0f} MiB, dhall-to-json {statistics.median(y for _, y in pairs):.3f} s "
                  f"and {statistics.median(memory[1]):.0f} MiB")
            worst = max(worst, peerlib.verdict(f"{name} / dhall-to-json, time", pairs, TIME_TARGET),
                        peerlib.verdict(f"{name} / dhall-to-json, memory", list(zip(*memory)), MEMORY_TARGET),
                        key=(0, 3, 1).index)
    return worst


peerlib.main(main)
