#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format_reader.py, written from docs/RECORD_FORMAT.md, reads a run of every probe, finds the figures of its record
and says of whole, cut and damaged sample files what the program says."""
import hashlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import format_reader

BIN = os.environ["NF_BIN"]


def nf(*args, ok=(0,)):
    done = subprocess.run([BIN, *map(str, args)], capture_output=True, text=True)
    assert done.returncode in ok, (args, done.returncode, done.stderr)
    return done


def probes():
    """Every command of the table that measures, with arguments that take little time; but for selftest, whose
    record is of the program, and host, which runs the probes again."""
    for line in nf("--print-commands").stdout.splitlines():
        name, kind, _, short = line.split("\t")
        if kind == "measures" and " " not in name:
            yield name, short


def same_verdict(path, tmp, data, what):
    """Both readers' word on a sample file."""
    file = tmp / "x.nfsamples"
    file.write_bytes(data)
    own = format_reader.read_samples(data)[1]
    out = nf("evidence", "check", file, ok=(0, 1, 3)).stdout.split()[0]
    assert own == out, (path, what, own, out)
    return own


with tempfile.TemporaryDirectory(prefix="nf-read-") as tmp:
    tmp = pathlib.Path(tmp)
    figures, refused, verdicts = 0, [], {}
    for name, short in probes():
        done = nf("--quiet", "--runs", tmp / name, *short.split(), ok=(0, 1, 3))
        folders = list((tmp / name).iterdir()) if (tmp / name).exists() else []
        if not folders:
            assert done.returncode == 3, (name, done.returncode, done.stderr)
            refused.append(name)
            continue
        figures += format_reader.check_run(folders[0])
        nf("evidence", "check", folders[0], ok=(0, 3))
        rng = random.Random(7)
        for f in sorted((folders[0] / "samples").glob("*.nfsamples"))[:1]:
            data = f.read_bytes()
            if len(data) > 1 << 20:
                continue
            start = 16 + format_reader.padded(int.from_bytes(data[12:16], "little"))
            for _ in range(6):
                cut = rng.randrange(start, len(data))
                state = same_verdict(f, tmp, data[:cut], f"cut at {cut}")
                verdicts[state] = verdicts.get(state, 0) + 1
            at = start + 24  # the first value of the first chunk
            state = same_verdict(f, tmp, data[:at] + bytes([data[at] ^ 1]) + data[at + 1:], f"byte {at}")
            verdicts[state] = verdicts.get(state, 0) + 1
    assert figures > 300 and "fwq" not in refused, (figures, refused)
    assert verdicts.get("partial", 0) > 5 and verdicts.get("damaged", 0) > 2, verdicts
    # The reader is not blind: a record that says something else is noticed.
    run = next((tmp / "fwq").iterdir())
    text = (run / "record.json").read_text()
    (run / "record.json").write_text(text.replace('"mad": ', '"mad": 1', 1))
    digest = hashlib.sha256((run / "record.json").read_bytes()).hexdigest()
    lines = (run / "MANIFEST").read_text().splitlines()
    (run / "MANIFEST").write_text("".join((digest + "  record.json" if x.endswith("  record.json") else x) + "\n" for x in lines))
    try:
        format_reader.check_run(run)
    except AssertionError:
        pass
    else:
        sys.exit("a wrong figure was not found")
    print(f"{figures} figures recomputed by a reader written from docs/RECORD_FORMAT.md; verdicts {verdicts}; not possible here: {refused or 'none'}")
