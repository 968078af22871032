#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A reader of run folders, written from docs/RECORD_FORMAT.md alone: nothing of the program's, only Python's own
library. The test read_runs.py holds it to the program on a run of every probe.

    format_reader.py RUN...     reads these runs and says what it found"""
import hashlib
import json
import math
import pathlib
import statistics
import struct
import sys

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # Castagnoli's polynomial, reversed
    TABLE.append(byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for b in data:
        crc = crc >> 8 ^ TABLE[(crc ^ b) & 0xFF]
    return crc ^ 0xFFFFFFFF


def padded(n):
    return -(-n // 8) * 8


def read_samples(data):
    """(streams, state): the header's objects with `values`, and the losses where the file is complete."""
    magic, version, length = struct.unpack_from("<8sII", data)
    assert magic == b"nfsmpl\r\n" and version == 1, (magic, version)
    streams = json.loads(data[16:16 + length])
    for s in streams:
        s["values"] = []
    at = 16 + padded(length)
    while at + 24 <= len(data):
        number, count, first, crc, zero = struct.unpack_from("<IIQII", data, at)
        closing = number == 0xFFFFFFFF
        size = count * (1 if closing else streams[number]["width"])
        body = data[at + 24:at + 24 + size]
        at += 24 + padded(size)
        if len(body) < size or crc32c(body) != crc or zero:
            return streams, "partial" if at >= len(data) else "damaged"
        if closing:
            for s, losses in zip(streams, json.loads(body)):
                s.update({k: int(v) for k, v in losses.items()})
                assert s["n"] == len(s["values"]), s["name"]
            return streams, "complete" if at == len(data) else "damaged"
        assert first == len(streams[number]["values"]), "a gap"
        streams[number]["values"] += struct.unpack(f"<{count}{'i' if streams[number]['width'] == 4 else 'q'}", body)
    return streams, "partial"


def read_run(folder):
    """(record, {path: streams}) of a committed run whose files are what MANIFEST says."""
    listed = dict(reversed(line.split("  ", 1)) for line in (folder / "MANIFEST").read_text().splitlines())
    for path, digest in listed.items():
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest, path
    there = {str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()}
    assert {p for p in there if not p.startswith("derived/")} == {*listed, "MANIFEST"}
    files = {}
    for path in listed:
        if path.endswith(".nfsamples"):
            streams, state = read_samples((folder / path).read_bytes())
            assert state == "complete", (path, state)
            files[path] = {s["name"]: s for s in streams}
    return json.loads((folder / "record.json").read_text()), files


def summary_of(values):
    """What the section "Summaries" says, of values in the summary's unit."""
    v, n = sorted(values), len(values)

    def percentile(p):
        h = (n - 1) * p / 100
        i = int(h)
        return v[i] + (h - i) * (v[min(i + 1, n - 1)] - v[i])
    median = statistics.median(v)
    return {"n": n, "min": v[0], "max": v[-1], "mean": math.fsum(v) / n, "median": median,
            "mad": statistics.median(abs(x - median) for x in v),
            "sd": statistics.stdev(v) if n > 1 else None, "percentile": percentile}


def in_unit(stream):
    return [x * 1e9 / stream["tick_hz"] for x in stream["values"]] if stream["unit"] == "tick" else list(stream["values"])


def per_second(starts_ns, span_ns):
    counts = [0] * int(span_ns // 1e9)
    for t in starts_ns:
        if t // 1e9 < len(counts):
            counts[int(t // 1e9)] += 1
    return counts


def values_behind(path, record, around, one):
    """The samples that the summary at `path` was made from, by the table of the section "Summaries"."""
    key = ".".join(p for p in path if not p.isdigit())
    wakes = one[record["wake_stream"]]["values"] if "wake_stream" in record else []
    steps = [b - a for a, b in zip(wakes, wakes[1:])]
    streams = {"workers.summary": "stream", "workers.units": "stream", "workers.lengths": "stream",
               "workers.overshoot": "overshoot_stream", "workers.lateness": "lateness_stream"}
    if key in streams:
        return in_unit(one[record[streams[key]]])
    if key == "workers.rate":
        return per_second(in_unit(one[record["start_stream"]]), record["span_ns"])
    if key == "workers.interval":
        return steps
    if key == "workers.jitter":
        return [abs(d - around["period_ns"]) for d in steps]
    if key == "jitter":
        return [abs(b - a - record["period_ns"]) for name, s in one.items() if name.endswith(".wake")
                for a, b in zip(s["values"], s["values"][1:])]
    if key == "summary":
        return [max(pair) for pair in zip(in_unit(one["hwlat.inner"]), in_unit(one["hwlat.outer"]))]
    names = {"reads.summary": "clock.{name}", "bandwidth.summary": "numa.bandwidth.{cpu_node}.{mem_node}",
             "read_limit": "numa.limit"}
    return in_unit(one[names.get(key, f"numa.{key}").format(**record)])


def check_figures(node, path, record, around, streams):
    """Recomputes every summary below; the number of figures."""
    if isinstance(node, list):
        return sum(check_figures(x, [*path, str(i)], record, around, streams) for i, x in enumerate(node))
    if not isinstance(node, dict):
        return 0
    if "percentiles" not in node:
        return sum(check_figures(x, [*path, key], node, record, streams) for key, x in node.items())
    own = summary_of(values_behind(path, record, around, streams))
    for key in ("n", "min", "max", "mean", "median", "mad", "sd"):
        assert node[key] == own[key] or math.isclose(node[key], own[key], rel_tol=1e-9, abs_tol=1e-9), (path, key, node[key], own[key])
    for p in node["percentiles"]:
        assert math.isclose(p["value"], own["percentile"](p["p"]), rel_tol=1e-9, abs_tol=1e-9), (path, p)
    return 7 + len(node["percentiles"])


def check_run(folder):
    record, files = read_run(folder)
    steps = [s for v in record.values() for s in (v if isinstance(v, list) else [v]) if isinstance(s, dict) and "facts" in s]
    n = 0
    for step in [record] if "facts" in record else steps:
        refs = step["facts"]["streams"]
        for ref in refs:
            s = files[ref["file"]][ref["stream"]]
            for key in ("dropped", "saturated", "missed", "truncated", "unit", "kind", "clock", "cpu", "node"):
                assert ref[key] == s[key], (ref["stream"], key, ref[key], s[key])
            assert ref["count"] == s["n"] and (ref["tick_hz"] or 0) == s["tick_hz"]
        n += len(refs) * 11
        streams = {r["stream"]: files[r["file"]][r["stream"]] for r in refs}
        n += check_figures(step["body"], [], step["body"], step["body"], streams)
    return n


if __name__ == "__main__":
    for run in sys.argv[1:]:
        print(f"{run}: {check_run(pathlib.Path(run))} figures hold")
