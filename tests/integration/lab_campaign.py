#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lab_campaign: `noisefloor lab run` on boards that are not there (board_script.py), one for each fault; how attempts end, how the
power ends, several boards at once, and what is refused before any power is switched."""
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import threading
import time

from board_script import FAULTS, Board
from lab_runs import LIMIT_S, LONG, MEMORY, board, case, end, finish, folders, is_whole, note, only, record, run, start, until


class Hand:
    """The board's user, by hand."""

    def __init__(self, b):
        self.fd = os.open(b.folder / "console", os.O_RDWR | os.O_NOCTTY)
        self.seen = b""

    def until(self, what):
        limit = time.monotonic() + LIMIT_S
        while what not in self.seen:
            assert time.monotonic() < limit, (what, self.seen)
            if select.select([self.fd], [], [], 1)[0]:
                self.seen += os.read(self.fd, 4096)
        before, _, self.seen = self.seen.partition(what)
        return before

    def type(self, words):
        os.write(self.fd, words)


def switch(b, what):
    done = subprocess.run([b.folder / "switch", what], capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout.strip()


@case
def the_board_boots_by_hand(tmp):
    b = Board(tmp / "b")
    b.start()
    hand = Hand(b)
    assert switch(b, "status") == (0, "off")
    assert switch(b, "on") == (0, "on") and switch(b, "status") == (0, "on")
    hand.until(b"stop autoboot")
    hand.type(b"\x03")
    hand.until(b"\r\n=> ")
    hand.type(b"tftpboot ${kernel_addr_r} Image\r")
    assert hand.until(b"\r\n=> ").endswith(b"Bytes transferred = 30000 (7530 hex)")
    hand.type(b"booti x\r")
    hand.until(b"buildroot login: ")
    hand.type(b"root\r")
    hand.until(b"# ")
    hand.type(b"echo $((6 * 7)); exit 3\r")
    assert hand.until(b"# ") == b"echo $((6 * 7)); exit 3\r\n42\r\n"
    assert switch(b, "off") == (0, "off") and switch(b, "status") == (0, "off")
    assert b.commands[:2] == ["tftpboot ${kernel_addr_r} Image", "booti x"] and b.early == b"", b.early
    assert (b.folder / "switch.log").read_text().split() == b.switched
    b.close()
    assert switch(b, "on")[0] == 1
    os.close(hand.fd)


# --- every fault ---

def judge(tmp, b, code, out, err):
    want = FAULTS[b.fault]
    outcome, kind, exit_code, words = want.get("end", ("ok", "done", 0, ""))
    told = f"exit {code}\n{out}\n{err}"
    assert code == exit_code, told
    folder = only(tmp)
    attempts = record(folder)["attempts"]
    last = attempts[-1]
    assert (last["outcome"], last["outcome_kind"]) == (outcome, kind) and words in last["outcome_why"], (last, told)
    assert len(attempts) == want.get("attempts", 1), (attempts, told)
    assert [a["counts"] for a in attempts] == [False] * (len(attempts) - 1) + [True], attempts
    for a in attempts[:-1]:
        assert (a["outcome"], a["outcome_kind"]) == ("infra", "port-lost"), a
    assert last["resent"] >= want.get("retries", 0), last
    if outcome == "ok":
        assert [p["name"] for p in last["phases"] if p["time_s"] is not None][-1] == "login", last["phases"]
    else:
        assert last["outcome_why"] in out + err or kind in out + err, told
    assert b.early == b"", f"typed before there was a prompt: {b.early}"
    assert b.switched[-1] == "off" and b.on == (b.fault in ("power-stays", "stuck-at-prompt")), b.switched
    assert (b.folder / "switch.log").read_text().split() == b.switched
    is_whole(tmp, folder)


class EveryFault:
    """All at once, and meanwhile the other cases: most of them wait."""

    def __init__(self, tmp):
        self.tmp, self.boards, self.programs = tmp, {}, {}
        for fault, of in FAULTS.items():
            if of.get("long") and not LONG:
                continue
            (tmp / fault).mkdir()
            self.boards[fault] = Board(tmp / fault / "board", fault)
            self.boards[fault].start()
            self.programs[fault] = start(tmp / fault, "lab", "run", self.boards[fault].campaign)

    def judge(self):
        for fault, b in self.boards.items():
            try:
                judge(self.tmp / fault, b, *end(self.programs[fault]))
                b.close()
                note(f"fault {fault}")
            except (AssertionError, OSError, KeyError) as e:
                note(f"fault {fault}", f"{type(e).__name__}: {e}")


faults_folder = tempfile.TemporaryDirectory(prefix="nf-lab-", dir=MEMORY)
every_fault = EveryFault(pathlib.Path(faults_folder.name))


# --- power, signals ---

@case
def power_ends_as_on_abort_says(tmp):
    for on_abort, on in (("off", False), ("on", True), ("leave", True)):
        with board(tmp, name=on_abort, changes={"on_abort": on_abort}) as b:
            code, out, err = run(tmp, "lab", "run", b.campaign)
            assert code == 0 and b.on == on, (on_abort, b.switched, out, err)


@case
def a_signal_ends_the_attempt_and_the_campaign(tmp):
    for signo, want in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        (tmp / str(want)).mkdir()
        reached = threading.Event()
        with board(tmp / str(want), "hang", name=str(want), hook=lambda at, e=reached: at == "line 30" and e.set(),
                   changes={"silence": "200s", "boot": "200s"}) as b:
            p = start(tmp / str(want), "lab", "run", b.campaign, "--runs", "3")
            until("line 30", lambda p=p, e=reached: e.is_set() or p.poll() is not None)
            p.send_signal(signo)
            code, out, err = end(p)
            assert code == want, (code, out, err)
            assert not b.on and b.boots == 1, b.switched
            folder = only(tmp / str(want))
            r = record(folder)
            assert r["head"]["state"] == "partial", r["head"]
            assert not any(a["counts"] for a in r["attempts"]), r["attempts"]
            (raw,) = folder.glob("captures/*/console.raw")
            assert b"U-Boot 2023.01" in raw.read_bytes()


# --- several boards ---

@case
def one_board_that_fails_does_not_disturb_two_others(tmp):
    all_on = threading.Barrier(3)
    met = []

    def hook(at):
        if at.startswith("power on") and len(met) < 3:
            met.append(at)
            all_on.wait(LIMIT_S)  # breaks where one boots after the other

    with board(tmp, name="a", hook=hook, changes={"runs": 2}) as a, board(tmp, "unplugged", name="b", hook=hook) as b, \
            board(tmp, name="c", hook=hook, changes={"runs": 2}) as c:
        code, out, err = run(tmp, "lab", "run", a.campaign, b.campaign, c.campaign)
        assert code == 5 and not all_on.broken, (code, out, err)
        folder = only(tmp)
        attempts = record(folder)["attempts"]
        for name in "ac":
            mine = [x for x in attempts if x["board"] == name]
            assert [(x["outcome"], x["attempt"]) for x in mine] == [("ok", 1)] * 2, mine
        bad = [x for x in attempts if x["board"] == "b"]
        assert [(x["outcome"], x["outcome_kind"]) for x in bad] == [("infra", "port-lost")], bad
        assert a.boots == c.boots == 2 and not (a.on or b.on or c.on), (a.switched, b.switched, c.switched)
        is_whole(tmp, folder)


@case
def two_configurations_take_turns(tmp):
    with board(tmp, configs=("one", "two")) as b:
        code, out, err = run(tmp, "lab", "run", b.campaign, "--runs", "2")
        assert code == 0, (out, err)
        r = record(only(tmp))
        begun = sorted(r["attempts"], key=lambda a: a["started_utc"])
        assert {a["config"] for a in begun[:2]} == {a["config"] for a in begun[2:]} == {"one", "two"}, begun
        assert [c["name"] for c in r["configs"]] == ["one", "two"] and r["ratios"], r["configs"]
        assert all(a["declared"] == [{"name": "Config", "value": a["config"]}] for a in begun), begun
        assert all(len(i["sha256"]) == 64 for a in begun for i in a["images"]), begun


# --- what is refused ---

PHASE = '{ name: kernel, match: "Linux version " }'
REFUSED = {
    "unknown key": ("on_abort:", "on_abrot:"),
    "key that comes twice": ("on_abort: off", "on_abort: off\non_abort: off"),
    "bad pattern": ('"Linux version "', '"Linux (version"'),
    "missing device": ('/console"', '/nothing"'),
    "missing image": ("image: Image", "image: Nothing"),
    "missing command of the switch": ('/switch", "on"', '/swatch", "on"'),
    "duplicate phase": (PHASE, f"{PHASE}\n      - {PHASE}"),
    "empty phase name": ("name: kernel", 'name: ""'),
    "pattern with a newline": ('"Linux version "', '"Linux\\nversion"'),
    "pattern longer than a line": ('"Linux version "', f'"{"x" * 70000}"'),
}


@case
def what_cannot_be_is_refused_before_any_power_is_switched(tmp):
    with board(tmp, name="fine") as fine, board(tmp, name="b") as b:
        good = b.campaign_text()
        for what, (old, new) in REFUSED.items():
            assert old in good, what
            b.campaign.write_text(good.replace(old, new, 1))
            for files in ((b.campaign,), (fine.campaign, b.campaign)):
                code, out, err = run(tmp, "lab", "run", *files)
                assert code == 2 and out == "" and len(err.splitlines()) == 1 and len(err) < 1000, (what, code, out, err[:2000])
                assert "campaign.yaml:" in err, (what, err)
                assert not folders(tmp), f"{what}: left a run folder"
        for b in (fine, b):
            assert b.switched == [] and not (b.folder / "switch.log").exists(), b.switched


@case
def a_dry_run_switches_nothing(tmp):
    with board(tmp) as b:
        code, out, err = run(tmp, "lab", "run", "--dry-run", b.campaign)
        assert code == 0 and "one" in out, (code, out, err)
        assert b.switched == [] and not folders(tmp), b.switched


every_fault.judge()
faults_folder.cleanup()
finish()
