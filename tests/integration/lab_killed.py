#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lab_killed: `noisefloor lab run` killed by SIGKILL, after each line that the board says and each turn of its switch. The power ends as
on_abort says, what was captured is what the board said and can be read, and --resume runs what is missing and nothing twice.

Every point with NF_LONG=1 (`./dev test --long`), else some of them."""
import concurrent.futures
import os
import pathlib
import tempfile

from lab_runs import LIMIT_S, LONG, MEMORY, PATTERNS, board, case, ends, finish, folders, is_whole, note, record, run, start, until

RUNS = 2
FEW = 6


def alive(words):
    """Programs with this word on their command line: noisefloor, and the guard that it has left."""
    found = []
    for p in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if words.encode() in p.read_bytes().split(b"\0"):
                found.append(int(p.parent.name))
        except OSError:
            pass
    return found


class Killer:
    """A board's hook: the program dies at the point."""

    def __init__(self, point):
        self.point, self.program, self.points = point, None, []

    def __call__(self, at):
        self.points.append(at)
        if at == self.point:
            until("a program", lambda: self.program)
            self.program.kill()
            self.program.wait(LIMIT_S)
            self.point = None


def killed_at(point, on_abort="off"):
    """Returns how many runs were good when it died."""
    with tempfile.TemporaryDirectory(prefix="nf-lab-", dir=MEMORY) as tmp:
        killer = Killer(point)
        with board(tmp, name="b", hook=killer, changes={"runs": RUNS, "on_abort": on_abort}) as b:
            p = killer.program = start(tmp, "lab", "run", b.campaign)
            p.communicate(timeout=LIMIT_S)
            assert p.returncode == -9, p.returncode
            until("the end of the guard", lambda: not alive(str(b.campaign)))
            assert b.on == (on_abort == "on"), f"the power is {'on' if b.on else 'off'}: {b.switched}"
            good = check_rest(tmp, b)
            boots = b.boots
            b.hook = None
            code, out, err = run(tmp, "lab", "run", "--resume", folders(tmp)[0], b.campaign)
            assert code == 0, (code, out, err)
            assert b.boots - boots == RUNS - good, f"{good} good runs, and then {b.boots - boots} boots: {b.switched}"
            assert b.on == (on_abort == "on"), b.switched
            resumed = folders(tmp)[-1]
            counted = [a["run"] for a in record(resumed)["attempts"] if a["counts"] and a["outcome"] == "ok"]
            assert counted == list(range(1, RUNS + 1)), counted
            is_whole(tmp, resumed)
            return good


def check_rest(tmp, b):
    """What the killed program left. Returns the number of good runs."""
    (folder,) = folders(tmp)
    code, out, _ = run(tmp, "evidence", "check", folder)
    assert code == 3, ("partial", code, out)
    raws = list(folder.glob("captures/*/console.raw"))
    for raw in raws:
        assert raw.read_bytes() in b.said, raw
    if raws:
        code, out, err = run(tmp, "lab", "phases", folder, *PATTERNS)
        assert code in (0, 3), (code, out, err)
    return sum(e is not None and e["outcome"] == "ok" for e in ends(folder).values())


def points():
    """Of two good boots, in order."""
    with tempfile.TemporaryDirectory(prefix="nf-lab-", dir=MEMORY) as tmp:
        killer = Killer(None)
        with board(tmp, hook=killer, changes={"runs": RUNS}) as b:
            code, out, err = run(tmp, "lab", "run", b.campaign)
            assert code == 0, (code, out, err)
        return killer.points[:-1]  # after the last one there may be no program to kill


@case
def killed_where_the_power_is_to_stay_on(tmp):
    killed_at("line 20", on_abort="on")


def every_point():
    found = points()
    chosen = found if LONG else [found[i * (len(found) - 1) // (FEW - 1)] for i in range(FEW)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = {point: pool.submit(killed_at, point) for point in chosen}
    goods = set()
    for point, job in jobs.items():
        try:
            goods.add(job.result())
            note(f"killed at {point}")
        except Exception as e:
            note(f"killed at {point}", f"{type(e).__name__}: {e}")
    note("killed before and after a good run", None if goods >= {0, 1} else f"good runs: {goods}")


every_point()
finish()
