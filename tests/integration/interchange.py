#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""interchange: files that hyperfine and Google Benchmark wrote come back from `bench convert` with the same values in the
same order, from every form to every other; ours hold to what those programs document. Go's text is judged by the
grammar of its design document (golang.org/design/14313-benchmark-format), as no reader of it is among the packages."""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BIN = os.environ["NF_BIN"]
REQUIRED = os.environ.get("NF_REQUIRE", "").split(",")
COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")  # of libbenchmark-tools
# compare.py needs two functions of scipy, which is large. The test of medians is not asked for.
SCIPY_STATS = """
import numpy
def gmean(rows):
    return numpy.exp(numpy.mean(numpy.log(numpy.maximum(numpy.array(rows), 1e-300)), axis=0))
def mannwhitneyu(*args, **kwargs):
    raise NotImplementedError
"""
# The first has no time of the processor, the second fails on one side.
OF_GOOGLE = [("wall_alone", 1500, None), ("fails_later", 7, 6), ("whole", 250, 200)]
NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
# A benchmark that repeats itself, with a counter, and one that gives up.
SOURCE = """
#include <benchmark/benchmark.h>
static void turns(benchmark::State &s)
{
	long sum = 0;
	for (auto _ : s)
		for (long i = 0; i < s.range(0); i++)
			benchmark::DoNotOptimize(sum += i);
	s.counters["n"] = 1;
}
BENCHMARK(turns)->Arg(100)->Arg(1000)->Repetitions(4)->ReportAggregatesOnly(false)->MinTime(0.001);
static void gives_up(benchmark::State &s) { s.SkipWithError("no"); for (auto _ : s) { } }
BENCHMARK(gives_up);
BENCHMARK_MAIN();
"""
n_ok = 0


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


def skip(name, why):
    assert name not in REQUIRED, f"required but not possible: {name}: {why}"
    ok(f"{name} # SKIP {name}: {why}")


def convert(path, to, *more):
    done = subprocess.run([BIN, "bench", "convert", "--to", to, *more, path], capture_output=True, text=True)
    assert done.returncode == 0, (to, done.stderr)
    return done.stdout


def of_lines(text):
    values = {}
    for line in text.splitlines():
        row = json.loads(line)
        if row["unit"] not in NS:
            continue  # a counter beside the times
        values.setdefault(row["bench"], []).append(row["value"] * NS[row["unit"]])
    return values


def same(a, b, what):
    assert list(a) == list(b), (what, list(a), list(b))
    for name in a:
        assert len(a[name]) == len(b[name]), (what, name)
        for x, y in zip(a[name], b[name]):
            assert math.isclose(x, y, rel_tol=1e-12), (what, name, x, y)


def hyperfine_values(text):
    """Its --export-json, as its documentation has it: seconds."""
    values = {}
    document = json.loads(text)
    assert list(document) == ["results"]
    for r in document["results"]:
        assert {"command", "mean", "median", "min", "max", "times"} <= set(r), r
        for key in "mean", "stddev", "median", "user", "system", "min", "max":
            assert r.get(key) is None or isinstance(r[key], float), (key, r[key])
        assert r["min"] == min(r["times"]) and r["max"] == max(r["times"]) and len(r["exit_codes"]) == len(r["times"])
        assert math.isclose(r["mean"], sum(r["times"]) / len(r["times"]), rel_tol=1e-9)
        values[r["command"]] = [t * 1e9 for t in r["times"]]
    return values


def google_values(text):
    values = {}
    document = json.loads(text)
    assert set(document) == {"context", "benchmarks"} and isinstance(document["context"], dict)
    for b in document["benchmarks"]:
        assert b["run_type"] in ("iteration", "aggregate"), b
        if b["run_type"] == "aggregate":
            continue
        # What readers take unasked, of a benchmark that failed too.
        assert b["time_unit"] in NS and all(isinstance(b[k], (int, float)) for k in ("real_time", "cpu_time")), b
        if b.get("error_occurred"):
            continue
        assert isinstance(b["iterations"], int), b
        assert isinstance(b["name"], str) and isinstance(b["run_name"], str) and b["repetition_index"] < b["repetitions"], b
        values.setdefault(b["name"], []).append(b["real_time"] * NS[b["time_unit"]])
    return values


def go_values(text):
    """Benchmark lines: name, iterations, then pairs of value and unit; configuration lines `key: value`."""
    values = {}
    for line in text.splitlines():
        if re.fullmatch(r"[a-z][^\sA-Z:]*:.*", line) or not line:
            continue
        field = line.split()
        assert re.match(r"Benchmark($|[^a-z])", field[0]), line
        assert re.fullmatch(r"[0-9]+", field[1]) and int(field[1]) > 0, line
        assert len(field) >= 4 and len(field) % 2 == 0, line
        for value, unit in zip(field[2::2], field[3::2]):
            assert re.fullmatch(r"[0-9.eE+-]+", value), line
            if unit == "ns/op":
                values.setdefault(field[0], []).append(float(value))
    return values


def check_smaller(text, values):
    """customSmallerIsBetter: a list of name, unit and value, and two optional texts."""
    rows = json.loads(text)
    assert [r["name"] for r in rows] == list(values)
    for r in rows:
        assert set(r) <= {"name", "unit", "value", "range", "extra"}, r
        assert isinstance(r["value"], (int, float)) and all(isinstance(r[k], str) for k in r if k != "value"), r
        v = sorted(values[r["name"]])
        median = (v[(len(v) - 1) // 2] + v[len(v) // 2]) / 2
        assert math.isclose(r["value"] * NS[r["unit"]], median, rel_tol=1e-12), r


def round_trips(folder, path, values, what, times_only=True):
    same(of_lines(convert(path, "lines")), values, what)
    readers = {"hyperfine": hyperfine_values, "google": google_values, "go": go_values, "lines": of_lines}
    for form, reader in readers.items():
        text = convert(path, form)
        got = reader(text)
        if form == "go":
            assert [len(v) for v in got.values()] == [len(v) for v in values.values()], got
            got = dict(zip(values, got.values()))
        same(got, values, (what, form))
        if form in ("go", "lines") and not times_only:
            continue  # it also holds what is no time of another form: what the processor took, counters
        again = folder / f"again-{form}"
        again.write_text(text)
        for other in readers:
            back = readers[other](convert(again, other))
            if len(back) == len(values):
                back = dict(zip(values, back.values()))
            same(back, values, (what, form, other))
    check_smaller(convert(path, "smaller-is-better"), values)
    ok(f"{what}: the same values in the same order, from every form to every other")


def of_hyperfine(folder):
    if not shutil.which("hyperfine"):
        return skip("hyperfine", "not installed")
    path = folder / "hyperfine.json"
    subprocess.run(["hyperfine", "-N", "-i", "-r", "6", "-w", "1", "--export-json", path, "true", "false"], check=True,
                   capture_output=True)
    values = hyperfine_values(path.read_text())
    assert [len(v) for v in values.values()] == [6, 6]
    return round_trips(folder, path, values, "hyperfine")


def of_google(folder):
    source, program, path = folder / "b.cc", folder / "b", folder / "google.json"
    source.write_text(SOURCE)
    built = subprocess.run(["c++", "-O1", "-o", program, source, "-lbenchmark", "-lpthread"], capture_output=True, text=True) \
        if shutil.which("c++") else None
    if not built or built.returncode != 0:
        return skip("google-benchmark", "no C++ compiler, or no libbenchmark")
    path.write_text(subprocess.run([program, "--benchmark_format=json"], capture_output=True, text=True).stdout)
    values = google_values(path.read_text())
    assert [len(v) for v in values.values()] == [4, 4], values
    return round_trips(folder, path, values, "Google Benchmark", times_only=False)


def of_ours(folder):
    done = subprocess.run([BIN, "--json", "--runs", folder / "runs", "bench", "run", "--sets", "7", "--", "true"], capture_output=True,
                          text=True, check=True)
    record = json.loads(done.stdout)
    ours = {"true": [v for s in record["sets"] for v in s["values"]]}
    run = next((folder / "runs").iterdir())
    got = of_lines(convert(run, "lines"))
    assert list(got.values()) == list(ours.values()), (got, ours)
    return round_trips(folder, run, got, "a run of ours", times_only=False)


def of_compare(folder):
    """Our files in Google Benchmark's own reader of two files."""
    if not COMPARE.exists():
        return skip("google-compare", "libbenchmark-tools is not installed")
    (folder / "scipy").mkdir()
    (folder / "scipy" / "__init__.py").touch()
    (folder / "scipy" / "stats.py").write_text(SCIPY_STATS)
    sides = []
    for side in "old", "new":
        source, path = folder / f"{side}.in.json", folder / f"{side}.json"
        entries = [{"name": name, "run_name": name, "run_type": "iteration", "repetitions": 3, "repetition_index": k,
                    "threads": 1, "iterations": 10, "real_time": real + k, "cpu_time": cpu or 0, "time_unit": "ns",
                    **({} if cpu else {"cpu_time_known": False})} for name, real, cpu in OF_GOOGLE for k in range(3)]
        if side == "new":
            entries = [b for b in entries if b["name"] != "fails_later"]
            entries.append({"name": "fails_later", "run_type": "iteration", "error_occurred": True, "error_message": "no"})
        source.write_text(json.dumps({"context": {}, "benchmarks": entries}))
        path.write_text(convert(source, "google"))
        sides.append(path)
    lines = folder / "lines"
    lines.write_text("".join(json.dumps({"bench": "whole", "value": v, "unit": "us"}) + "\n" for v in (1, 2)))
    (folder / "lines.json").write_text(convert(lines, "google"))
    for old, new, rows in ((*sides, ["wall_alone", "fails_later", "whole"]), (sides[1], sides[0], ["wall_alone", "whole"]),
                           (sides[0], folder / "lines.json", ["whole"])):
        done = subprocess.run(["/usr/bin/python3", COMPARE, "--no-color", "--no-utest", "benchmarks", old, new],
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(folder)})
        if "No module named 'numpy'" in done.stderr:
            return skip("google-compare", "no python3-numpy")
        assert done.returncode == 0, done.stderr
        for row in rows:
            assert re.search(rf"^{row} ", done.stdout, re.M), (row, done.stdout)
    ok("compare.py of Google Benchmark reads ours, with times that are not known and benchmarks that failed")


with tempfile.TemporaryDirectory() as tmp:
    for case in of_hyperfine, of_google, of_ours, of_compare:
        folder = pathlib.Path(tmp) / case.__name__
        folder.mkdir()
        case(folder)
print(f"1..{n_ok}")
sys.exit(0)
