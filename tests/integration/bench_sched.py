#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_sched: the scheduler suite through the program. Its knobs from the environment, the facts of every set, what is said of a
one-shot round trip and of more workers than CPUs; the ten points of the example; a stored baseline and a regress on it."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BIN = os.environ["NF_BIN"]
EXAMPLE = sys.argv[1]
STEADY = "^sched.ping_pong_steady.actors$"
POINTS = [(300000, 128), (150000, 128), (600000, 128), (1200000, 128), (300000, 32), (300000, 512), (150000, 32),
          (150000, 512), (600000, 32), (1200000, 512)]
n_ok = 0


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


def bench(folder, *args, json_out=True, **knobs):
    env = dict(os.environ, **{f"NOISEFLOOR_ACTOR_{k}": str(v) for k, v in knobs.items()})
    argv = [BIN, *(["--json"] if json_out else []), "--runs", str(folder / "runs"), "bench", *map(str, args)]
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=120)


def facts(s):
    return {f["name"]: f["text"] if f["value"] is None else f["value"] for f in s["facts"]}


def knobs_and_facts(top):
    cpus = len(os.sched_getaffinity(0))
    done = bench(top, "run", "--filter", "^sched.(ping_pong_oneshot|spawn_pair_control).actors$", "--sets", "2", "--iters",
                 "2", WORKERS=cpus + 1, ALLOC_INTERVAL=32, TIMESLICE_TICKS=150000, RUN_QUEUE="shared", GUARD="none")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert len(record["sets"]) == 4
    for s in record["sets"]:
        f = facts(s)
        assert (f["workers"], f["cpus"]) == (cpus + 1, cpus), f
        assert (f["alloc_interval"], f["timeslice_ticks"]) == (32, 150000), f
        assert (f["run_queue"], f["guard"]) == ("shared", "none"), f
        assert 0 < f["futex_wake_fast_ns"] <= f["futex_wake_slow_ns"], f
        assert ("cache_line_fast_ns" in f) == (cpus > 1) and f["switch_inlined"] in (0, 1), f
        assert f["cpu_ns"] > 0, f
    assert f"{cpus + 1} workers on {cpus} CPU" in record["head"]["claim_ceiling"]
    ok("knobs come from the environment, and every set tells them with its calibration")
    done = bench(top, "run", "--filter", "^sched.(ping_pong_oneshot|spawn_pair_control).actors$", "--sets", "2", "--iters",
                 "2", json_out=False, WORKERS=1)
    assert done.returncode == 0, done.stderr
    said = re.search(r"^actors: oneshot ([\d.]+) ns, control ([\d.]+) ns: (\d+) % is spawn and join$", done.stdout, re.M)
    assert said, done.stdout
    assert abs(100 * float(said[2]) / float(said[1]) - int(said[3])) < 1, said[0]
    assert "claim" not in done.stdout, done.stdout
    ok("what of a one-shot round trip is spawn and join is said")
    done = bench(top, "run", "--filter", STEADY, "--sets", "1", "--iters", "1", RUN_QUEUE="both")
    assert done.returncode == 5, done
    assert "NOISEFLOOR_ACTOR_RUN_QUEUE=both; allowed: stealing or shared" in done.stdout, done.stdout
    ok("a knob that is out of its range fails the benchmark and says what is allowed")


def sweep(top):
    done = bench(top, "sweep", EXAMPLE, "--sets", "2", "--iters", "1")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    names = [k["name"] for k in record["knobs"]]
    got = {tuple(int(dict(zip(names, p["values"]))[f"NOISEFLOOR_ACTOR_{k}"]) for k in ("TIMESLICE_TICKS", "ALLOC_INTERVAL")):
           p["variant"] for p in record["points"]}
    assert sorted(got) == sorted(POINTS) and len(record["points"]) == 10, got
    of = {variant: point for point, variant in got.items()}
    for s in record["sets"]:
        f = facts(s)
        assert (f["timeslice_ticks"], f["alloc_interval"]) == of[s["variant"]], (f, of[s["variant"]])
    ok("the example tries its ten points, each with its knobs in force")


def regress(top):
    base = top / "baseline.json"
    common = ["--filter", STEADY, "--sets", "2", "--iters", "1"]
    done = bench(top, "regress", "--save-baseline", base, "--sessions", "3", *common, WORKERS=1)
    assert done.returncode == 0 and base.exists(), done.stderr
    kept = base.read_bytes()
    done = bench(top, "regress", "--baseline", base, *common, WORKERS=1)
    assert done.returncode in (0, 1, 3), (done.returncode, done.stderr)  # two sets on a busy machine decide little
    record = json.loads(done.stdout)
    assert record["schema"].startswith("BenchRegress/") and base.read_bytes() == kept
    ok("a stored baseline is compared with, and stays as it was")


with tempfile.TemporaryDirectory() as d:
    folder_ = pathlib.Path(d)
    knobs_and_facts(folder_)
    sweep(folder_)
    regress(folder_)
print(f"1..{n_ok}")
