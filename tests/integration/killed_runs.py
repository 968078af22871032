#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""killed_runs: programs killed by SIGKILL at random moments; what `evidence check` says of each folder is what this
test finds by itself, from MANIFEST, digests and names. Then some of the folders are damaged, and have to be told.

200 runs with NF_LONG=1 (`./dev test --long`), else a dozen. NF_SEED picks the moments; it is printed.

Meanwhile `history` is asked, and killed too, over all folders so far: what its index says in the end is what an
index made anew from the folders says, and every committed run is in it."""
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
RUNS = 200 if os.environ.get("NF_LONG") == "1" else 12
SEED = int(os.environ.get("NF_SEED", time.time_ns() % 1_000_000))
EXIT = {"complete": 0, "damaged": 1, "no run": 2, "partial": 3}
COMMANDS = [
    ["wake", "-d", "60ms", "--policy", "other", "-p", "5ms"],
    ["fwq", "-n", "3000", "--quantum", "10us"],
    ["detour", "-d", "60ms"],
    ["clock"],
    ["selftest", "inject", "-d", "100ms"],
    ["host", "--smi-samples", "1", "--smi-duration", "50ms", "--hwlat-duration", "50ms", "--noise-duration", "50ms",
     "--wake-duration", "50ms", "--numa-samples", "1", "--channels", "10", "--samples", "1000"],
]
FOLDERS = {}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files_of(folder):
    """Everything but MANIFEST and derived/, by path below the folder."""
    return {str(p.relative_to(folder)): p for p in folder.rglob("*")
            if not p.is_dir() and p.name != "MANIFEST" and p.relative_to(folder).parts[0] != "derived"}


def state_of(folder):
    """By docs/RECORD_FORMAT.md, without our own program."""
    manifest, files = folder / "MANIFEST", files_of(folder)
    if not manifest.exists():
        return "partial" if (folder / "samples").is_dir() or "record.json" in files else "no run"
    text = manifest.read_text()
    if not text.endswith("\n"):
        return "damaged"
    listed = {line[66:]: line[:64] for line in text.splitlines()}
    if set(listed) != set(files) or any(digest(files[name]) != hexdigest for name, hexdigest in listed.items()):
        return "damaged"
    return "complete"


def check(folder):
    done = subprocess.run([BIN, "evidence", "check", folder], capture_output=True, text=True)
    if done.returncode == 2:
        assert not done.stdout and len(done.stderr.splitlines()) == 1, (done.stdout, done.stderr)
        return "no run"
    state = done.stdout.splitlines()[-1].split()[0]
    assert EXIT[state] == done.returncode, (state, done.returncode, done.stdout)
    return state


def killed(runs, command, after_s):
    p = subprocess.Popen([BIN, "--quiet", "--runs", runs, *command], start_new_session=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    try:
        p.wait(after_s)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return p.wait()


def history(runs, *words):
    done = subprocess.run([BIN, "--json", "--runs", runs, "history", *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.returncode, done.stderr)
    return json.loads(done.stdout)


def all_histories(runs):
    metrics = [m["id"] for m in history(runs)["metrics"]]
    return {m: history(runs, m) for m in metrics}


class Grown:
    """Every folder as it was left, beside the others, and an index that grows with them."""

    def __init__(self, runs, rng):
        self.runs, self.rng, self.kills = runs, rng, 0
        runs.mkdir()

    def add(self, folder, i):
        shutil.copytree(folder, self.runs / f"{folder.name}-{i}")
        if self.rng.random() < 0.3:
            status = killed(self.runs, ["history"], self.rng.uniform(0, 0.05))
            self.kills += status < 0

    def index_is_wrong(self):
        grown = all_histories(self.runs)
        (self.runs / ".noisefloor-index.sqlite").unlink()
        for left in self.runs.glob(".noisefloor-index.sqlite-*"):
            left.unlink()
        anew = all_histories(self.runs)
        seen = {p["folder"] for h in anew.values() for s in h["series"] for p in s["points"]}
        committed = {f.name for f in self.runs.iterdir() if f.is_dir() and state_of(f) == "complete"}
        # A clock run and one that was stopped before its first sample have no figure to follow.
        assert seen <= committed and len(seen) >= len(committed) // 2, (len(seen), len(committed))
        print(f"# history: {len(anew)} figures, {len(seen)} of {len(committed)} committed runs have one; "
              f"killed {self.kills} times")
        return grown != anew


def damage(rng, folder):
    """One of the things that a bad disk or an edit does. What was done, in words."""
    files = files_of(folder)
    name = rng.choice(sorted(files))
    what = rng.choice(["a bit", "a cut", "a missing file", "a file too many", "a cut MANIFEST"])
    data = files[name].read_bytes()
    if what == "a bit" and data:
        at = rng.randrange(len(data))
        files[name].write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:])
    elif what == "a cut" and data:
        files[name].write_bytes(data[:rng.randrange(len(data))])
    elif what == "a file too many":
        (folder / "captures" / "more.txt").write_text("x\n")
    elif what == "a cut MANIFEST":
        name, text = "MANIFEST", (folder / "MANIFEST").read_bytes()
        (folder / "MANIFEST").write_bytes(text[:rng.randrange(len(text))])
    else:
        what = "a missing file"
        files[name].unlink()
    return f"{what}: {name}"


def main():
    rng = random.Random(SEED)
    print(f"# NF_SEED={SEED}")
    counts, wrong, ended = {}, 0, 0
    with tempfile.TemporaryDirectory() as d:
        lengths = {}
        grown = Grown(pathlib.Path(d) / "all", random.Random(SEED + 1))
        for i in range(RUNS):
            command = COMMANDS[i % len(COMMANDS)]
            runs = pathlib.Path(d, f"runs{i}")
            runs.mkdir()
            # The first of each kind runs to its end, and says how long the others may live.
            first = command[0] not in lengths
            start = time.monotonic()
            status = killed(runs, command, 60 if first else rng.uniform(0, lengths[command[0]] * 1.1))
            if first:
                lengths[command[0]] = time.monotonic() - start
                assert status >= 0, (command, status)
            ended += status >= 0
            folders = list(runs.iterdir())
            assert len(folders) <= 1, folders
            if not folders:
                counts["none"] = counts.get("none", 0) + 1
            for folder in folders:
                FOLDERS[folder] = want = state_of(folder)
                grown.add(folder, i)
                counts[want] = counts.get(want, 0) + 1
                got = check(folder)
                if got != want:
                    wrong += 1
                    print(f"# {command[0]}, {folder.name}: evidence check says {got}, it is {want}")
        # What a kill cannot do: a third of the committed ones, so that those below stay for other readers.
        n_damaged = 0
        for folder in [f for f, state in FOLDERS.items() if state == "complete"][::3]:
            what = damage(rng, folder)
            FOLDERS[folder] = want = state_of(folder)
            n_damaged += want == "damaged"
            got = check(folder)
            if got != want or want != "damaged":
                wrong += 1
                print(f"# {what}: evidence check says {got}, it is {want}")
        stale = grown.index_is_wrong()
    assert counts.get("complete", 0) >= len(COMMANDS) and n_damaged > 0
    assert RUNS < 100 or (counts.get("partial", 0) >= RUNS // 5 and RUNS - ended >= RUNS // 3), (counts, ended)
    print("1..2")
    print(f"# {RUNS} runs, {RUNS - ended} killed before their end: {counts}; {n_damaged} damaged afterwards")
    print(f"{'not ok' if wrong else 'ok'} 1 - every folder is classified as it is")
    print(f"{'not ok' if stale else 'ok'} 2 - an index made anew says what the one that grew says")
    return wrong > 0 or stale


sys.exit(main())
