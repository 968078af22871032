#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format_reader.py, at most 100 lines written from docs/RECORD_FORMAT.md, reads a run of every probe, finds the figures
of its record and says of whole, cut and damaged sample files what the program says."""
import hashlib
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import format_reader

BIN = os.environ["NF_BIN"]
LINES = len(pathlib.Path(format_reader.__file__).read_text().splitlines())
assert LINES <= 100, f"the reader has {LINES} lines: docs/RECORD_FORMAT.md should be enough for 100"


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


def close(a, b):
    return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def check_figures(node, path, record, around, streams):
    """Recomputes every summary below; the number of figures."""
    if isinstance(node, list):
        return sum(check_figures(x, [*path, str(i)], record, around, streams) for i, x in enumerate(node))
    if not isinstance(node, dict):
        return 0
    if "percentiles" not in node:
        return sum(check_figures(x, [*path, key], node, record, streams) for key, x in node.items())
    own = format_reader.summary_of(format_reader.values_behind(path, record, around, streams))
    for key in ("n", "min", "max", "mean", "median", "mad", "sd"):
        assert close(node[key], own[key]), (path, key, node[key], own[key])
    for p in node["percentiles"]:
        assert close(p["value"], own["percentile"](p["p"])), (path, p)
    return 7 + len(node["percentiles"])


def steps_of(node):
    """Every record below that has `facts`."""
    if isinstance(node, dict) and "facts" in node:
        return [node]
    below = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    return [step for x in below for step in steps_of(x)]


def check_run(folder):
    """The number of figures that the samples and the record of a run agree on."""
    record, files = format_reader.read_run(folder)
    n = 0
    for step in steps_of(record):
        refs = step["facts"]["streams"]
        for ref in refs:
            s = files[ref["file"]][ref["stream"]]
            for key in ("dropped", "saturated", "missed", "truncated", "unit", "kind", "clock", "cpu", "node"):
                assert ref[key] == s[key], (ref["stream"], key, ref[key], s[key])
            assert ref["count"] == s["n"] and (ref["tick_hz"] or 0) == s["tick_hz"]
        n += len(refs) * 11
        streams = {r["stream"]: files[r["file"]][r["stream"]] for r in refs}
        body = step.get("body") or {key: v for key, v in step.items() if key != "facts"}
        n += check_figures(body, [], body, body, streams)
    return n


def summaries(defs, name, at=()):
    """Paths of the summaries below a record of this name, as the schema has them."""
    if name == "Summary":
        yield ".".join(at)
        return
    for key, field in defs[name].get("properties", {}).items():
        for ref in re.findall(r'"\$ref": "#/\$defs/(\w+)"', json.dumps(field)):
            yield from summaries(defs, ref, (*at, key))


def paths_of_every_step():
    """A table of the reader that lacks a summary of a probe which cannot run here is noticed all the same."""
    for file in (pathlib.Path(os.environ["NF_SOURCE"]) / "schema/v1").glob("*.schema.json"):
        defs = json.loads(file.read_text())["$defs"]
        for name, record in defs.items():
            if "facts" in record.get("properties", {}):
                yield from (path.removeprefix("body.") for path in summaries(defs, name))


def same_verdict(path, tmp, data, what):
    """Both readers' word on a sample file."""
    file = tmp / "x.nfsamples"
    file.write_bytes(data)
    own = format_reader.read_samples(data)[1]
    out = nf("evidence", "check", file, ok=(0, 1, 3)).stdout.split()[0]
    assert own == out, (path, what, own, out)
    return own


PATHS = set(paths_of_every_step())
assert PATHS == set(format_reader.STREAMS), PATHS ^ set(format_reader.STREAMS)
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
        figures += check_run(folders[0])
        nf("evidence", "check", folders[0], ok=(0, 3))
        rng = random.Random(7)
        for f in sorted((folders[0] / "samples").glob("*.nfsamples"))[:1]:
            data = f.read_bytes()
            if len(data) > 1 << 20:
                continue
            start = 16 + -(-int.from_bytes(data[12:16], "little") // 8) * 8
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
        check_run(run)
    except AssertionError:
        pass
    else:
        sys.exit("a wrong figure was not found")
    print(f"{figures} figures recomputed by a reader of {LINES} lines written from docs/RECORD_FORMAT.md; verdicts {verdicts}; not possible here: {refused or 'none'}")
