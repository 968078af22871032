#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_sweep: a grid of 2 x 5 environment variables on a command, killed in the middle and resumed, ends in one
CSV with ten points, and no point's set is run twice but the one that was interrupted, which is told. What another
sweep, a damaged log and an unfinished line of it do. The example runs as it is."""
import csv
import json
import math
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
EXAMPLE = sys.argv[1]
SETS = 4
n_ok = 0
# Says which point it is run at, before it does anything and after.
COMMAND = """#!/bin/sh
echo "begin $A $B" >>"$LOG"
while [ -e "$LOG.hold" ]; do sleep 0.01; done
sleep 0.00$B
echo "end $A $B" >>"$LOG"
"""


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


class Sweep:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.log = self.folder / "log"
        self.command = self.folder / "command"
        self.command.write_text(COMMAND)
        self.command.chmod(0o755)

    def argv(self, *more, a="1,2", sets=SETS, command=None):
        return [BIN, "--json", "--runs", str(self.folder / "runs"), "bench", "sweep", "--env", f"A={a}", "--env",
                "B=1,2,3,4,5", "--sets", str(sets), "--max-time", "10m", *more, "--", str(command or self.command)]

    def env(self):
        return dict(os.environ, LOG=str(self.log))

    def run(self, *more, code=0, **kind):
        done = subprocess.run(self.argv(*more, **kind), env=self.env(), capture_output=True, text=True, timeout=120)
        assert done.returncode == code, (done.returncode, done.stderr)
        return (json.loads(done.stdout) if done.stdout else None), done.stderr.replace("\n  ", " ")  # a note goes on

    def count(self, word):
        n = {}
        for line in self.log.read_text().splitlines():
            which, a, b = line.split()
            if which == word:
                n[a, b] = n.get((a, b), 0) + 1
        return n

    def runs(self):
        return sorted((self.folder / "runs").iterdir())

    def stop_within(self, after, signo):
        """Ends a sweep by a signal while a set of it runs, `after` executions from the start."""
        child = subprocess.Popen(self.argv(), env=self.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        hold = pathlib.Path(f"{self.log}.hold")
        while not self.log.exists() or len(self.log.read_text().splitlines()) < 2 * after:
            time.sleep(0.002)
            assert child.poll() is None, "it ended too early"
        hold.touch()
        while True:  # until one waits
            lines = self.log.read_text().splitlines()
            time.sleep(0.1)
            if lines == self.log.read_text().splitlines() and lines[-1].startswith("begin"):
                break
        child.send_signal(signo)
        if signo == signal.SIGKILL:
            child.wait()
            hold.unlink()
        else:
            status = child.wait()
            hold.unlink()
            assert status == 128 + signo, status
        return lines[-1].split()[1:]


def killed_and_resumed(top):
    s = Sweep(top / "killed")
    out = s.folder / "out.csv"
    lost = s.stop_within(10 + 17, signal.SIGKILL)
    end = time.monotonic() + 60
    while s.count("begin") != s.count("end"):  # the command that was let go writes its end
        assert time.monotonic() < end, "the command does not end"
        time.sleep(0.01)
    [first] = s.runs()
    assert not (first / "record.json").exists()
    done_before = s.count("begin")
    record, said = s.run("--resume", str(first), "--csv", str(out))
    begun = s.count("begin")
    # One warm-up, which is not repeated, and the sets; the one that was interrupted once more.
    want = {(a, b): SETS + 1 for a in "12" for b in "12345"}
    want[tuple(lost)] += 1
    assert begun == want, (begun, lost)
    assert sum(begun.values()) > sum(done_before.values()) > 10
    with open(out, newline="") as f:
        rows = list(csv.DictReader(f))
    assert [(r["A"], r["B"]) for r in rows] == [(a, b) for a in "12" for b in "12345"]
    assert all(r["sets"] == str(SETS) for r in rows), rows
    sets = [(x["variant"], x["row"]) for x in record["sets"]]
    assert len(sets) == len(set(sets)) == 10 * SETS
    [gone] = record["interrupted"]
    point = record["points"][gone["variant"]]
    assert point["values"] == lost and gone["session"] == 0
    assert "1 was interrupted and is run again" in said, said
    assert len(record["sessions"]) == 2 and sum(x["sets"] for x in record["sessions"]) == 10 * SETS
    # The row that the interruption parted is left out, for all points alike.
    parted = {x["row"] for x in record["sets"] if x["discarded"] == "the row was interrupted"}
    assert parted == {gone["row"]}, parted
    check_figures(record)
    check = subprocess.run([BIN, "evidence", "check", str(s.runs()[1])], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout
    ok("a sweep that was killed goes on: ten points, no set run twice but the interrupted one")
    return s, first


def check_figures(record):
    """From the raw values: medians of the pairs of a row, and their ratio by Hodges and Lehmann."""
    at = {(x["variant"], x["row"]): statistics.median(x["values"]) for x in record["sets"]
          if x["values"] and not x["discarded"]}
    base = record["points"][record["base"]]["variant"]
    for p in record["points"]:
        rows = [r for (v, r) in at if v == p["variant"] and (base, r) in at]
        assert p["pairs"] == len(rows), (p["label"], p["pairs"], len(rows))
        assert math.isclose(p["median"], statistics.median(at[p["variant"], r] for r in rows), rel_tol=1e-9)
        assert math.isclose(p["base_median"], statistics.median(at[base, r] for r in rows), rel_tol=1e-9)
        if p["mark"] == "base":
            assert p["ratio"] is None
            continue
        d = [math.log(at[p["variant"], r] / at[base, r]) for r in rows]
        walsh = [(d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d))]
        assert math.isclose(p["ratio"], math.exp(statistics.median(walsh)), rel_tol=1e-9), p
        marked = p["p_bh"] <= record["bh_q"]
        assert marked == (p["mark"] in ("slower", "faster")), p
    order = sorted((p["p"], p["p_bh"]) for p in record["points"] if p["p"] is not None)
    least = 1.0
    for i in range(len(order), 0, -1):
        least = min(least, order[i - 1][0] * len(order) / i)
        assert math.isclose(order[i - 1][1], least, rel_tol=1e-9), order


def refusals(s, first):
    before = s.log.read_text()
    for kind, more, what in [
        ({"a": "1,3"}, [], "has another points"),
        ({"sets": SETS + 1}, [], "has another --sets"),
        ({}, ["--seed", "7"], "has another --seed"),
        ({}, ["--prepare", "true"], "has another prepare"),
        ({"command": "/bin/true"}, [], "has another command"),
    ]:
        _, said = s.run("--resume", str(first), *more, code=2, **kind)
        assert what in said and said.count("\n") == 1, said
    s.command.write_text(COMMAND + "# another program\n")
    _, said = s.run("--resume", str(first), code=2)
    assert "has another program's digest" in said, said
    s.command.write_text(COMMAND)
    _, said = s.run("--resume", str(s.folder), code=2)
    assert "sweep.log" in said, said
    assert s.log.read_text() == before and len(s.runs()) == 2
    ok("another sweep is refused before anything is run or written")


def damaged_logs(s, first):
    log = first / "captures" / "sweep.log"
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) * 2 // 3].rstrip(b"\n")[:-3])  # within a frame
    record, said = s.run("--resume", str(first))
    assert len({(x["variant"], x["row"]) for x in record["sets"]}) == len(record["sets"]) == 10 * SETS
    at = len(whole) // 2
    log.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    _, said = s.run("--resume", str(first), code=2)
    assert "sweep.log" in said and "byte" in said, said
    log.write_bytes(whole)
    ok("an unfinished end of the log is left out, damage in the middle is refused")


def interrupted(top):
    s = Sweep(top / "interrupted")
    lost = s.stop_within(10 + 12, signal.SIGINT)
    [first] = s.runs()
    record = json.loads((first / "record.json").read_text())
    assert record["head"]["state"] == "partial" and len(record["sets"]) >= 10
    record, _ = s.run("--resume", str(first))
    complete = [(x["variant"], x["row"]) for x in record["sets"]]
    assert len(complete) == len(set(complete)) == 10 * SETS
    [gone] = record["interrupted"]
    assert record["points"][gone["variant"]]["values"] == lost
    record, said = s.run("--resume", str(s.runs()[1]))  # nothing is left to do
    assert "40 of 40 sets" in said and len(record["sessions"]) == 3
    ok("SIGINT keeps what there is, and it goes on")


def example(top):
    done = subprocess.run([BIN, "--json", "--runs", str(top / "example"), "bench", "sweep", EXAMPLE, "--sets", "2"],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert len(record["points"]) == 10 and record["form"] == "grid" and record["plan"]["sets"] == 2
    assert record["points"][record["base"]]["values"] == ["C", "4096"]
    assert record["variants"][0]["argv"][3] == "bs=1024", record["variants"][0]["argv"]
    assert any("no single point can be marked" in c for c in record["ceilings"])
    ok("the example runs as it is")


with tempfile.TemporaryDirectory() as d:
    top_folder = pathlib.Path(d)
    kept, run = killed_and_resumed(top_folder)
    refusals(kept, run)
    damaged_logs(kept, run)
    interrupted(top_folder)
    example(top_folder)
print(f"1..{n_ok}")
