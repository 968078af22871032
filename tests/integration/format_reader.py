#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A reader of run folders in at most 100 lines, written from docs/RECORD_FORMAT.md alone with nothing but Python's
own library. The test read_runs.py holds it to the program on a run of every probe."""
import fnmatch
import hashlib
import json
import math
import statistics
import struct

CRC = list(range(256))
for _ in range(8):
    CRC = [c >> 1 ^ (0x82F63B78 if c & 1 else 0) for c in CRC]  # Castagnoli's polynomial, reversed
# A summary's path in its step, without places in lists: the streams of its values.
STREAMS = {
    "reads.summary": "clock.{name}", "workers.summary": "{stream}", "workers.units": "{stream}",
    "workers.overshoot": "{overshoot_stream}", "workers.lengths": "{stream}", "workers.rate": "{start_stream}",
    "workers.lateness": "{lateness_stream}", "workers.interval": "{wake_stream}", "workers.jitter": "{wake_stream}",
    "jitter": "*.wake", "serial": "numa.serial", "parallel": "numa.parallel", "read_limit": "numa.limit",
    "thread_start": "numa.thread_start", "bandwidth.summary": "numa.bandwidth.{cpu_node}.{mem_node}",
    "summary": "hwlat.[io]*er", "noise": "osnoise.noise", "longest": "osnoise.longest", "cpus.irq": "{irq_stream}",
    "cpus.thread": "{thread_stream}", "bursts.length": "inject.length", "bursts.lateness": "inject.lateness",
    "found.begin_error": "inject.begin_error", "found.excess": "inject.excess"}


def crc32c(data):
    crc = 0xFFFFFFFF
    for b in data:
        crc = crc >> 8 ^ CRC[(crc ^ b) & 0xFF]
    return crc ^ 0xFFFFFFFF


def read_samples(data):
    """(streams, state): the header's objects with `values`, and the losses where the file is complete."""
    magic, version, length = struct.unpack_from("<8sII", data)
    assert (magic, version) == (b"nfsmpl\r\n", 1)
    streams = [{**s, "values": []} for s in json.loads(data[16:16 + length])]
    at = 16 + length + -length % 8
    while at + 24 <= len(data):
        number, count, first, crc, zero = struct.unpack_from("<IIQII", data, at)
        closing = number == 0xFFFFFFFF
        size = count * (1 if closing else streams[number]["width"])
        body = data[at + 24:at + 24 + size]
        at += 24 + size + -size % 8
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
    """(record, {path: {name: stream}}) of a committed run whose files are what MANIFEST says."""
    listed = dict(reversed(line.split("  ", 1)) for line in (folder / "MANIFEST").read_text().splitlines())
    for path, digest in listed.items():
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest, path
    there = {str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()}
    assert {p for p in there if not p.startswith("derived/")} == {*listed, "MANIFEST"}
    read = {p: read_samples((folder / p).read_bytes()) for p in listed if p.endswith(".nfsamples")}
    assert all(state == "complete" for _, state in read.values())
    return json.loads((folder / "record.json").read_text()), {p: {s["name"]: s for s in r[0]} for p, r in read.items()}


def values_behind(path, record, around, streams):
    """The values of the summary at `path` of a step, in its unit, by the table of the section "Summaries"."""
    key = ".".join(p for p in path if not p.isdigit())
    used = [s for name, s in streams.items() if fnmatch.fnmatchcase(name, STREAMS[key].format(**record))]
    sets = [[x * 1e9 / s["tick_hz"] if s["unit"] == "tick" else x for x in s["values"]] for s in used]
    steps = [b - a for values in sets for a, b in zip(values, values[1:])]
    if path[-1] == "rate":
        return [sum(t // 1e9 == i for t in sets[0]) for i in range(int(record["span_ns"] // 1e9))]
    if path[-1] == "interval":
        return steps
    if path[-1] == "jitter":
        return [abs(step - around["period_ns"]) for step in steps]
    return [max(together) for together in zip(*sets)]


def summary_of(values):
    """What the section "Summaries" says; `percentile` is a function of p."""
    v, n, median = sorted(values), len(values), statistics.median(values)

    def percentile(p):
        i, part = divmod((n - 1) * p / 100, 1)
        return v[int(i)] + part * (v[min(int(i) + 1, n - 1)] - v[int(i)])
    return {"n": n, "min": v[0], "max": v[-1], "mean": math.fsum(v) / n, "median": median,
            "mad": statistics.median(abs(x - median) for x in v), "sd": statistics.stdev(v) if n > 1 else None,
            "percentile": percentile}
