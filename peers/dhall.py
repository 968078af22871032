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

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "10"))
RECORDS = 1000
TARGET = 0.5
REASONS = ("None Text", r"""Some "tab\tend" """.strip())
HERE = pathlib.Path(__file__).resolve().parent

TYPES = """let Lane = < generic | rt | unknown >
let Result = < pass | fail | partial | blocked >
let Summary = { n : Natural, min_ns : Natural, max_ns : Natural, mean_ns : Double, sd_ns : Optional Double }
let Record =
      { schema : Text, host : Text, lane : Lane, result : Result, reason : Optional Text, realtime : Optional Bool
      , offset_ns : Integer, cpus : List Natural, summaries : List Summary, evidence : List Text, notes : List Text }
in  [ """


def record(i):
    summary = ", ".join(
        f"{{ n = {1000 + k}, min_ns = {i + k}, max_ns = {i * 7 + k}, mean_ns = {i + k}.25, "
        f"sd_ns = {'Some 1.5e-3' if k % 2 else 'None Double'} }}" for k in range(6))
    texts = ", ".join(f'"captures/host-{i}/a-text-of-some-length-{k}.txt"' for k in range(8))
    return (f'{{ schema = "Run/1", host = "host-{i}", lane = Lane.{"rt" if i % 2 else "generic"}, '
            f'result = Result.pass, reason = {REASONS[i % 3 == 0]}, '
            f'realtime = Some {"True" if i % 2 else "False"}, offset_ns = {"+" if i % 2 else "-"}{i}, '
            f'cpus = [ {", ".join(str(c) for c in range(16))} ], summaries = [ {summary} ], '
            f'evidence = [ {texts} ], notes = [] : List Text }} : Record')


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
        path.write_text(TYPES + "\n    , ".join(record(i) for i in range(RECORDS)) + "\n    ]\n")
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
