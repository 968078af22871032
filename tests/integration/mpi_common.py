# SPDX-License-Identifier: MIT
"""What the tests of noisefloor-mpi share: a reader of .nfsamples of its own, the serial figures that a job's record must
equal, running jobs and finding their processes."""
import csv
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile

BIN = os.environ["NF_BIN"]
PROGRAMS = {"openmpi": os.environ.get("NF_MPI_OPENMPI", ""), "mpich": os.environ.get("NF_MPI_MPICH", "")}
REQUIRED = os.environ.get("NF_REQUIRE", "").split(",")
DEADLINE_S = 120  # far beyond what a job may take; not a claim about time
HISTOGRAM_BITS = 8
PS_MAX = 2**53 - 1
n_checks = 0


def ok(what):
    global n_checks
    n_checks += 1
    print(f"ok {n_checks} - {what}", flush=True)


def skip(name, why):
    global n_checks
    assert name not in REQUIRED, f"required but not possible: {name}: {why}"
    n_checks += 1
    print(f"# SKIP {name}: {why}\nok {n_checks} - {name} # SKIP {why}", flush=True)


def finish():
    print(f"1..{n_checks}")


class Place:
    """An empty folder to run in."""

    def __enter__(self):
        self.tmp = tempfile.TemporaryDirectory(prefix="nf-mpi-")
        self.path = pathlib.Path(self.tmp.name)
        return self

    def __exit__(self, *_):
        self.tmp.cleanup()

    def run_folder(self):
        run, = (self.path / "runs").iterdir()
        return run

    def leftovers(self):
        """Temporary files of ours anywhere."""
        return [str(p.relative_to(self.path)) for p in self.path.rglob("*") if ".nftmp" in p.name or p.name.endswith(".tmp")]


def processes_of(exe):
    """Their numbers, in the order in which they were started."""
    exe = os.path.realpath(exe)
    found = []
    for p in pathlib.Path("/proc").iterdir():
        if p.name.isdigit():
            try:
                if os.readlink(p / "exe") == exe:
                    found.append(int(p.name))
            except OSError:
                pass
    return sorted(found)


def measuring(exe, folder, n):
    """Waits until n processes of exe measure in folder: they have used a CPU for a while after the run folder came."""
    import time
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        pids = [p for p in processes_of(exe) if os.path.realpath(f"/proc/{p}/cwd") == os.path.realpath(folder)]
        setups = list(pathlib.Path(folder).glob("runs/*/nodes/*.json"))
        if len(pids) == n and setups:
            time.sleep(1)  # calibration and warm-up take some 0.3 s
            return pids
        time.sleep(0.05)
    raise AssertionError(f"no {n} processes of {exe} came up")


def read_samples(path):
    """[(metadata, values)] of a complete .nfsamples file (docs/RECORD_FORMAT.md)."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"nfsmpl\r\n" and struct.unpack_from("<I", data, 8)[0] == 1
    length, = struct.unpack_from("<I", data, 12)
    streams = [(meta, []) for meta in json.loads(data[16:16 + length])]
    at = 16 + (length + 7) // 8 * 8
    while True:
        number, count, first, _, zero = struct.unpack_from("<IIQII", data, at)
        at += 24
        assert zero == 0
        if number == 0xffffffff:
            losses = json.loads(data[at:at + count])
            assert (at + (count + 7) // 8 * 8) == len(data)
            assert [loss["n"] for loss in losses] == [len(v) for _, v in streams]
            return streams
        meta, values = streams[number]
        assert first == len(values) and meta["width"] == 8
        values.extend(struct.unpack_from(f"<{count}q", data, at))
        at += 8 * count


def to_ps(ticks, hz):
    ps = ticks * (1e12 / hz)
    whole = math.floor(ps)
    return min(whole + (ps - whole >= 0.5), PS_MAX)


def bucket(v):
    """Bounds of the log-linear bucket of v."""
    block = max(v.bit_length() - HISTOGRAM_BITS, 0)
    width = 1 << max(block - 1, 0)
    low = v // width * width
    return low, low + width - 1


def expected_longest(sorted_values, ranks):
    """Mean over all ways to draw so many of the values of the largest drawn, by exact integers."""
    n = len(sorted_values)
    if ranks > n:
        return sorted_values[-1]
    total = math.comb(n, ranks)
    return sum(v * (math.comb(k, ranks - 1) / total) for k, v in enumerate(sorted_values))


def close(a, b, relative):
    return abs(a - b) <= relative * abs(b)


def check_figures(record, run, ranks, per_rank):
    """The merged figures equal the serial ones of all samples in the file."""
    body = record["body"]
    streams = read_samples(run / body["samples"]["file"])
    assert [m["name"] for m, _ in streams] == [f"fwq.rank{i}" for i in range(ranks)]
    assert per_rank is None or all(len(v) == per_rank for _, v in streams)
    serial = {}
    for meta, values in streams:
        for v in values:
            key = bucket(to_ps(v, meta["tick_hz"]))
            serial[key] = serial.get(key, 0) + 1
    merged = list(zip(body["bucket_from_ps"], body["bucket_to_ps"], body["bucket_count"]))
    assert merged == [(lo, hi, n) for (lo, hi), n in sorted(serial.items())]
    ns = sorted(v * 1e9 / m["tick_hz"] for m, values in streams for v in values)
    mean = math.fsum(ns) / len(ns)
    assert body["ranks"] == ranks and body["n"] == len(ns)
    assert close(body["mean_ns"], mean, 1e-9)
    assert close(body["min_ns"], ns[0], 1e-6) and close(body["max_ns"], ns[-1], 1e-6)
    sd = math.sqrt(math.fsum((v - mean)**2 for v in ns) / (len(ns) - 1)) if len(ns) > 1 else None
    assert sd is None or close(body["sd_ns"], sd, 1e-6)
    floor = math.fsum(len(v) * min(v) / m["tick_hz"] for m, v in streams)
    total = math.fsum(sum(v) / m["tick_hz"] for m, v in streams)
    assert abs(body["noise_ratio"] - (1 - floor / total)) < 1e-9
    for p in body["bsp"]:
        assert p["lower_bound"] == (p["ranks"] >= len(ns))
        assert close(p["step_ns"], expected_longest(ns, p["ranks"]), 2**-8), p
        assert close(p["to_mean"], p["step_ns"] / mean, 1e-6) and close(p["to_min"], p["step_ns"] / ns[0], 1e-5)
    check_tables(body, run, streams)


def check_tables(body, run, streams):
    with (run / "ranks.csv").open() as f:
        rows = list(csv.DictReader(f))
    assert [int(r["rank"]) for r in rows] == list(range(len(streams)))
    for row, (meta, values) in zip(rows, streams):
        scale = 1e9 / meta["tick_hz"]
        assert int(row["n"]) == len(values)
        assert close(float(row["mean_ns"]), sum(values) * scale / len(values), 1e-9)
        assert close(float(row["min_ns"]), min(values) * scale, 1e-9)
        assert close(float(row["max_ns"]), max(values) * scale, 1e-9)
    slowest = sorted(rows, key=lambda r: (-float(r["mean_ns"]), int(r["rank"])))[:8]
    assert [s["rank"] for s in body["slowest"]] == [int(r["rank"]) for r in slowest]
    assert all(s["what"] and s["host"] for s in body["slowest"])
    assert body["sharing_ranks"] == sum(int(r["sharing"]) for r in rows)
    assert body["unbound_ranks"] == sum(int(r["unbound"]) for r in rows)
    with (run / "nodes.csv").open() as f:
        node, = csv.DictReader(f)
    assert int(node["ranks"]) == len(streams) and int(node["n"]) == body["n"]
    assert int(node["slowest_rank"]) == body["slowest"][0]["rank"]
    assert len(list((run / "nodes").glob("0-*.json"))) == 1


def evidence(run):
    return subprocess.run([BIN, "evidence", "check", run], capture_output=True, text=True, timeout=DEADLINE_S)


def check_run(place, ranks, per_rank, stdout):
    """A job that came to its end."""
    run = place.run_folder()
    assert stdout == (run / "record.json").read_text()
    record = json.loads(stdout)
    assert record["schema"] == "MpiNoiseRun/1" and record["head"]["state"] == "complete"
    check_figures(record, run, ranks, per_rank)
    done = evidence(run)
    assert done.returncode == 0, done.stdout
    assert not place.leftovers()
    return record
