#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""console_logs: boots of a real board (third-party logs beside the source, skipped where they are not): what `lab phases` makes of them is what
was published of them, and it finds by itself what is odd in them."""
import collections
import json
import os
import pathlib
import subprocess
import sys

BIN = os.environ["NF_BIN"]
SHARED = pathlib.Path(os.environ.get("NF_SHARED_DATA") or pathlib.Path(os.environ["NF_SOURCE"]).parent / "shared/data") / "console-logs"
PHASES = ["--phase", "p1=Linux version ", "--phase", "p3=Run /init as init process", "--phase", "p4=buildroot login:"]
# Seconds since t0, runs 1 to 3, as published.
WANT = {
    "vm-untracked": {"p1": (.4010, .4006, .4005), "p3": (1.3018, 1.3013, 1.3013), "p4": (3.8081, 3.9062, 3.9062)},
    "vm-tracked": {"p1": (1.3028, 1.3024, 1.3023), "p3": (2.3039, 2.3036, 2.2032), "p4": (9.7210, 9.8233, 9.6217)},
}
SPAWN = {"GPIBM003_000000000": (8173, 8176, 8179), "GPIBM004_000000000": (10227, 10236, 10235)}
UART = {"vm-untracked": ("88 %",), "vm-tracked": ("79-88 %",)}


def run(*argv, code=0):
    done = subprocess.run([BIN, *argv], capture_output=True, text=True)
    assert done.returncode == code, (argv, done.returncode, done.stderr)
    return done.stdout


def phases():
    r = json.loads(run("--json", "lab", "phases", str(SHARED), "--t0", "Running test GPIVM00[24]", *PHASES, "--base", "vm-untracked"))
    seen = collections.defaultdict(dict)
    for a in r["attempts"]:
        for p in a["phases"]:
            if p["time_s"] is not None:
                seen[a["config"]].setdefault(p["name"], []).append(round(p["time_s"], 4))
    assert {c: {k: tuple(v) for k, v in x.items()} for c, x in seen.items()} == WANT, seen
    for c in r["configs"]:
        for p in c["phases"]:
            assert (p["n"], p["failed"]) == ((3, 0) if c["name"] in WANT else (0, 3)), c
            assert c["name"] not in WANT or .099 < p["resolution_s"] < .101, p
    ratio = {(q["config"], q["what"]): q["ratio"] for q in r["ratios"]}
    assert abs(ratio["vm-tracked", "p4"] - 9.7210 / 3.9062) < 1e-3, ratio
    print("ok - times of every run and phase")
    return r


def findings(r):
    found = collections.defaultdict(list)
    for f in r["findings"]:
        found[f["kind"], f["config"]].append(f)
    (grid,) = found["stamp_grid", None]
    assert grid["runs"] == 9 and "100 ms" in grid["text"], grid
    print("ok - stamps on a grid of 100 ms")
    for config, share in UART.items():
        (uart,) = found["uart_time", config]
        assert uart["phase"] == "p1..p3" and uart["text"].startswith(share), uart
    print("ok - UART time")
    gap = [f for f in found["silence", "vm-tracked"] if f["phase"] == "p3..p4"]
    assert len(gap) == 1 and gap[0]["runs"] == 3 and "5.21 s" in gap[0]["text"], gap
    print("ok - a silent gap")
    (fault,) = found["fault", "vm-tracked"]
    assert fault["runs"] == 3 and fault["phase"] == "t0..p1", fault
    assert all(w in fault["text"] for w in ("cap fault", "stack dump", "status says OK")), fault
    assert not found["fault", "vm-untracked"]
    print("ok - faults inside a timed phase")


def values():
    r = json.loads(run("--json", "lab", "phases", *map(str, SHARED.glob("process_*.log")), "--value", r"spawn=WALLCLOCK_US>(\d+)", "--unit", "us",
                       "--section", r"Running test (\w+)"))
    (config,) = r["configs"]
    assert {v["place"]: tuple(v["runs"]) for v in config["values"]} == SPAWN, config
    assert all(v["counters"] == v["counters_agree"] == 3 for v in config["values"])
    assert all(v["fits"] is True for a in r["attempts"] for v in a["values"])
    print("ok - printed values and their counters")


def audit(r):
    """Every line inside a phase, from the logs themselves, beside what the program says."""
    logs = sorted(map(str, SHARED.glob("vm-*.log")))
    a = json.loads(run("--json", "audit", "log", *logs, "--t0", "Running test GPIVM00[24]", *PHASES, "--top", "10000", code=1))
    assert a["lines_lost"] == 0 and a["lines_found"] == len(a["lines"])
    total = collections.Counter()
    for p in a["phases"]:
        total[p["phase"]] += p["bytes"]
        assert abs(p["uart_s"] - 10 * p["bytes"] / p["baud"]) < 1e-9 and p["baud"] == 115200
    for line in a["lines"]:
        total[line["phase"]] -= line["bytes"]
        assert abs(line["uart_s"] - 10 * line["bytes"] / 115200) < 1e-9
        assert abs(line["per_log_s"] - line["uart_s"] / line["logs"]) < 1e-12
    assert not any(total.values()), total
    cost = [line["per_log_s"] for line in a["lines"]]
    assert cost == sorted(cost, reverse=True)
    share = {(i["path"], v["name"]): v["uart_ratio"] for i in r["attempts"] for v in i["intervals"]}
    assert all(p["uart_ratio"] == share[p["path"], p["phase"]] for p in a["phases"])
    text = [line.split("\t", 1)[1] for line in pathlib.Path(logs[0]).read_text().splitlines() if "\t" in line and line[0] != "#"]
    begin, end = (next(i for i, line in enumerate(text) if word in line) for word in ("Linux version ", "Run /init as init process"))
    longest = max(text[begin + 1:end], key=lambda line: len(line.encode()))
    (found,) = [line for line in a["lines"] if line["text"] and longest.startswith(line["text"]) and line["phase"] == "p1..p3"]
    assert found["logs"] == 6 and abs(found["bytes"] - found["times"] * (len(longest.encode()) + 2)) <= 12 * found["times"], found
    print(f"ok - {len(a['lines'])} kinds of line inside timed phases, with their UART time")


if not SHARED.is_dir():
    if "shared-data" in os.environ.get("NF_REQUIRE", "").split(","):
        sys.exit(f"required but not possible: shared-data: no {SHARED.name} beside the source")
    print(f"1..0 # SKIP shared-data: no {SHARED.name} beside the source")
    sys.exit(0)
print("1..7")
boots = phases()
findings(boots)
values()
audit(boots)
