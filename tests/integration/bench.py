#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench: `bench run` and `bench compare` of real commands.

A command with a fifth more work must be REGRESSED, a command against itself must not, a crash is FAILED; every figure
of a comparison is computed again from the raw values. With NF_LONG=1 fifty repeats of each, also beside a load
that switches on and off."""
import hashlib
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
SPIN = sys.argv[1]
LONG = os.environ.get("NF_LONG") == "1"
REPEATS = 50
n_ok = 0


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


def bench(folder, *args, code=None):
    done = subprocess.run([BIN, "--json", "--runs", folder, "bench", *args], capture_output=True, text=True, timeout=300)
    assert code is None or done.returncode == code, (args, done.returncode, done.stderr, done.stdout[-400:])
    record = json.loads(done.stdout) if done.stdout else None
    return done.returncode, record, done.stderr


def calibrate(ms):
    """Work of about so many milliseconds."""
    n = 1_000_000
    best = math.inf
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run([SPIN, str(n)], check=True)
        best = min(best, time.perf_counter() - begin)
    return max(n, int(n * ms / 1000 / best))


def spin(work, factor=1.0):
    return f"{SPIN} {int(work * factor)}"


def verdict(record):
    assert len(record["comparisons"]) == 1
    return record["comparisons"][0]["verdict"]


def check_figures(record):
    """From the raw values: medians of sets, global median, ratio by Hodges and Lehmann."""
    iters = record["plan"]["iterations"]
    for i, v in enumerate(record["variants"]):
        values = [x for s in record["sets"] if s["variant"] == i for x in s["values"]]
        assert math.isclose(v["summary"]["median"], statistics.median(values), rel_tol=1e-12)
        assert v["summary"]["n"] == len(values) == iters * v["sets"]
        medians = [statistics.median(s["values"]) for s in record["sets"] if s["variant"] == i]
        assert math.isclose(v["median_of_set_medians"], statistics.median(medians), rel_tol=1e-12)
        assert math.isclose(v["set_cv_ratio"], statistics.stdev(medians) / statistics.mean(medians), rel_tol=1e-9)
    for c in record.get("comparisons", []):
        pair = {}
        for s in record["sets"]:
            if s["discarded"] is None and s["variant"] in (c["old_variant"], c["new_variant"]):
                pair.setdefault(s["row"], {})[s["variant"]] = math.log(s["median"])
        d = [p[c["new_variant"]] - p[c["old_variant"]] for p in pair.values()]
        assert len(d) == c["pairs"]
        walsh = [(d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d))]
        assert math.isclose(c["ratio"], math.exp(statistics.median(walsh)), rel_tol=1e-9)
        assert math.isclose(c["sd_ln"], statistics.stdev(d), rel_tol=1e-9)
        for way in "slower", "faster":
            assert c[f"p_{way}"] == min(1, 2 * min(c[f"p_{way}_pairs"], c[f"p_{way}_ranks"]))


def quick(folder):
    work = calibrate(10)
    for sets in "20", "150", "600":  # what a busy machine leaves undecided is asked again, with more sets
        code, record, said = bench(folder, "compare", "--sets", sets, spin(work), spin(work, 1.2))
        if verdict(record) != "inconclusive":
            break
    assert verdict(record) == "regressed" and code == 1, (code, record["comparisons"])
    assert "sets of 1 value each: about" in said, said
    check_figures(record)
    ok("a fifth more work is a regression, exit 1, and its figures follow from the raw values")

    code, record, _ = bench(folder, "compare", spin(work), spin(work), "--null")
    assert record["comparisons"][0]["verdict"] in ("same", "inconclusive"), record["comparisons"]
    assert code == (0 if record["comparisons"][0]["verdict"] == "same" else 3)
    assert record["comparisons"][1]["is_null"]
    ok("a command against itself has not changed")

    _, record, _ = bench(folder, "compare", spin(work), "sh -c 'kill -SEGV $$'", code=5)
    assert verdict(record) == "failed" and "SIGSEGV" in record["comparisons"][0]["failure"]
    ok("a crash is FAILED, exit 5")

    _, record, _ = bench(folder, "run", "--sets", "7", "--", SPIN, str(work), code=0)
    check_figures(record)
    assert [len(s["values"]) for s in record["sets"]] == [1] * 7
    assert all(s["wait_status"] == [0] and len(s["user_ns"]) == 1 for s in record["sets"])
    ok("bench run keeps each value with its set")

    _, record, _ = bench(folder, "run", "--filter", "^clock.monotonic$", "--sets", "3", "--iters", "4", code=0)
    check_figures(record)
    assert [len(s["values"]) for s in record["sets"]] == [4] * 3
    assert all(s["operations"] > 1 and s["warm_up"] is not None for s in record["sets"])
    ok("so it does of a built-in benchmark")

    kept = record
    before = set(pathlib.Path(folder).iterdir())
    begin = time.monotonic()
    _, _, said = bench(folder, "compare", "--max-time", "1s", "sleep 0.4", "sleep 0.4", code=3)
    assert "nothing can be found" in said and "would do" in said and time.monotonic() - begin < 10
    assert set(pathlib.Path(folder).iterdir()) == before
    ok("a time in which nothing can be found is refused with what would do, exit 3, without a folder")

    for path in pathlib.Path(folder).iterdir():
        subprocess.run([BIN, "evidence", "check", path], check=True, stdout=subprocess.DEVNULL)
    path = next(p for p in pathlib.Path(folder).iterdir() if json.loads((p / "record.json").read_text()) == kept)
    kept["variants"][0]["summary"]["median"] *= 1.001
    before = hashlib.sha256((path / "record.json").read_bytes()).hexdigest()
    (path / "record.json").write_text(json.dumps(kept))
    manifest = (path / "MANIFEST").read_text()
    after = hashlib.sha256((path / "record.json").read_bytes()).hexdigest()
    assert before in manifest
    (path / "MANIFEST").write_text(manifest.replace(before, after))
    done = subprocess.run([BIN, "evidence", "check", path], capture_output=True, text=True)
    assert done.returncode == 1 and "summary.median" in done.stdout, (done.returncode, done.stdout)
    ok("every run folder holds, and a figure that does not follow from the values is found")


def repeated(folder, old, new):
    count = {}
    for i in range(REPEATS):
        code, record, _ = bench(folder, "compare", "--seed", str(i), old, new)
        count.setdefault(verdict(record), []).append((code, record["comparisons"][0]["set_cv_ratio"]))
    return count


def long(folder):
    work = calibrate(20)
    toggling = subprocess.Popen(["sh", "-c", f"while :; do timeout 0.7 {SPIN} 1000000000000; sleep 0.7; done"],
                                start_new_session=True)
    try:
        count = repeated(folder, spin(work), spin(work))
    finally:
        os.killpg(toggling.pid, 9)
        toggling.wait()
    wrong = sum(len(v) for k, v in count.items() if k not in ("same", "inconclusive"))
    assert wrong <= 2, count
    ok(f"itself beside a load that switches: {({k: len(v) for k, v in count.items()})}")

    count = repeated(folder, spin(work), spin(work))
    wrong = sum(len(v) for k, v in count.items() if k not in ("same", "inconclusive"))
    assert wrong <= 2, count
    cv = statistics.median(c for v in count.values() for _, c in v)
    assert cv >= 0.005 or len(count.get("same", [])) >= 45, count
    ok(f"itself without load, set CV {100 * cv:.2f} %: {({k: len(v) for k, v in count.items()})}")

    for factor, least in (1.05, 40), (1.2, 50):
        count = repeated(folder, spin(work), spin(work, factor))
        found = count.get("regressed", [])
        assert len(found) >= least and all(code == 1 for code, _ in found), (factor, count)
        ok(f"{100 * (factor - 1):.0f} % more work: REGRESSED {len(found)} of {REPEATS}")


with tempfile.TemporaryDirectory() as tmp:
    quick(tmp)
if LONG:
    with tempfile.TemporaryDirectory() as tmp:
        long(tmp)
print(f"1..{n_ok}")
