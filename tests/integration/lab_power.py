#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lab_power: a switch that is a file, asked for everything that it can be asked for, and a user who loses patience."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tty

BIN = os.environ["NF_BIN"]
PATIENCE_S = 60  # until something is surely wrong; no claim about time
SWITCH = """#!/bin/sh
echo "$1" >>{tmp}/log
if [ "$1" = status ]; then cat {tmp}/state; else echo "$1" >{tmp}/state; fi
"""
results = []


def case(fn):
    with tempfile.TemporaryDirectory(prefix="nf-power-") as tmp:
        try:
            fn(Lab(pathlib.Path(tmp)))
            results.append((fn.__name__, None))
        except (AssertionError, subprocess.TimeoutExpired) as e:
            results.append((fn.__name__, str(e) or "assertion"))
    return fn


class Lab:
    def __init__(self, tmp):
        self.tmp = tmp
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.file = tmp / "b.yaml"
        (tmp / "state").write_text("off\n")
        (tmp / "log").write_text("")
        (tmp / "switch").write_text(SWITCH.format(tmp=tmp))
        (tmp / "switch").chmod(0o755)
        self.env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "NOISEFLOOR_RUN_DIR": f"{tmp}/journal",
                    **{k: os.environ[k] for k in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if k in os.environ}}
        self.write()

    def write(self, off_time="200ms", verify="none", on_abort="off", asks=("on", "off", "status"), **words):
        power = {what: [str(self.tmp / "switch"), what] for what in asks}
        power.update(words)
        listed = ", ".join(f"{k}: {json.dumps(v)}" for k, v in power.items())
        self.file.write_text(f"board:\n  name: b\n  console: {{ pty: {os.ttyname(self.slave)} }}\n"
                             f"  power: {{ driver: command, {listed}, off_time: {off_time}, verify: {verify} }}\n"
                             f"on_abort: {on_abort}\nconfigs: [ {{ name: c, done: up }} ]\n")

    def start(self, *words):
        return subprocess.Popen([BIN, *words], env=self.env, cwd=self.tmp, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def power(self, *words):
        p = self.start(*words[:-1], "lab", "power", str(self.file), words[-1])
        out, err = p.communicate(timeout=PATIENCE_S)
        self.no_guard()
        return p.returncode, out, err

    def log(self):
        return (self.tmp / "log").read_text().split()

    def log_becomes(self, want):
        until = time.monotonic() + PATIENCE_S
        while self.log() != want:
            assert time.monotonic() < until, (self.log(), want)
            time.sleep(0.01)

    def guards(self):
        found = []
        for d in pathlib.Path("/proc").iterdir():
            try:
                if d.name.isdigit() and (d / "comm").read_text() == "nf-power\n":
                    if str(self.tmp).encode() in (d / "environ").read_bytes():
                        found.append(d.name)
            except OSError:
                pass  # it ended, or is another user's
        return found

    def no_guard(self):
        assert not self.guards(), "the guard is left"


@case
def everything_is_done_and_the_switch_is_asked(lab):
    for ask, out, log in (("status", "off\n", ["status"]), ("on", "on: the switch says so\n", ["on", "status"]),
                          ("status", "on\n", ["status"]), ("cycle", "on: the switch says so\n", ["off", "on", "status"]),
                          ("off", "off: the switch says so\n", ["off", "status"])):
        (lab.tmp / "log").write_text("")
        assert lab.power(ask) == (0, out, ""), ask
        assert lab.log() == log, (ask, lab.log())
    code, out, err = lab.power("--json", "on")
    assert code == 0 and not err and json.loads(out) == {
        "board": "b", "driver": "command", "asked": "on", "state": "on", "console_silent": None}, (out, err)
    assert lab.power("--quiet", "off") == (0, "", "")


@case
def what_a_switch_cannot_say_is_unknown(lab):
    lab.write(asks=("on", "off"))
    assert lab.power("on")[:2] == (0, "on: switched; the switch cannot be asked\n")
    code, out, err = lab.power("status")
    assert (code, out) == (3, "unknown\n") and "power.status" in err and err.count("\n") == 1, (code, out, err)
    code, out, err = lab.power("--json", "status")
    assert code == 3 and json.loads(out)["state"] is None, (code, out)
    assert lab.log() == ["on"]


@case
def a_switch_that_does_not_switch_is_told(lab):
    lab.write(status=["echo", "off"])
    code, out, err = lab.power("on")
    assert (code, out) == (5, "") and "says that it is off" in err and err.count("\n") == 1, (code, out, err)
    lab.write(on=["sh", "-c", "exit 3"])
    code, out, err = lab.power("on")
    assert (code, out) == (5, "") and "3" in err and err.count("\n") == 1, (code, out, err)


@case
def a_cycle_that_fails_ends_as_on_abort_says(lab):
    for on_abort, last in (("off", "off"), ("leave", None)):
        (lab.tmp / "log").write_text("")
        lab.write(on=["false"], on_abort=on_abort)
        code, _, err = lab.power("cycle")
        assert code == 5 and err.count("\n") == 1, (code, err)
        assert lab.log() == ["off"] + ([last] if last else []), lab.log()


@case
def silence_is_listened_for(lab):
    lab.write(verify="silence")
    os.write(lab.master, b"still up\n")
    code, out, err = lab.power("off")
    assert (code, out, err) == (0, "off: the switch says so; the console fell silent\n", ""), (code, out, err)
    assert json.loads(lab.power("--json", "cycle")[1])["console_silent"] is True
    talk = threading.Event()

    def board():
        os.set_blocking(lab.master, False)
        while not talk.wait(0.01):
            try:
                os.write(lab.master, b"I am up\n")
            except BlockingIOError:
                pass
    thread = threading.Thread(target=board)
    thread.start()
    try:
        lab.write(off_time="1s", verify="silence")
        (lab.tmp / "log").write_text("")
        code, out, err = lab.power("cycle")
        assert (code, out) == (5, "") and "talks on" in err and err.count("\n") == 1, (code, out, err)
        assert lab.log() == ["off", "off"], lab.log()
    finally:
        talk.set()
        thread.join()


@case
def a_console_of_somebody_else_is_left_to_him(lab):
    lab.write(verify="silence")
    holder = lab.start("--runs", "runs", "lab", "console", os.ttyname(lab.slave))
    until = time.monotonic() + PATIENCE_S
    while not list(lab.tmp.glob("runs/*/captures/console.idx")):
        assert time.monotonic() < until and holder.poll() is None, "the console does not start"
        time.sleep(0.01)
    try:
        code, out, err = lab.power("cycle")
        assert (code, out) == (0, "on: the switch says so\n"), (code, out, err)
        assert "unknown" in err and "held by" in err and err.count("\n") == 1, err
    finally:
        holder.send_signal(signal.SIGINT)
        holder.communicate(timeout=PATIENCE_S)
    assert holder.returncode == 130


@case
def a_cycle_that_is_interrupted_ends_as_on_abort_says(lab):
    for signo, on_abort, code, log in ((signal.SIGINT, "off", 130, ["off", "off"]), (signal.SIGTERM, "on", 143, ["off", "on"]),
                                       (signal.SIGINT, "leave", 130, ["off"]), (signal.SIGKILL, "on", -9, ["off", "on"])):
        (lab.tmp / "log").write_text("")
        lab.write(off_time="1h", on_abort=on_abort)
        p = lab.start("lab", "power", str(lab.file), "cycle")
        lab.log_becomes(["off"])
        p.send_signal(signo)
        out, err = p.communicate(timeout=PATIENCE_S)
        assert (p.returncode, out) == (code, ""), (p.returncode, out, err)
        lab.log_becomes(log)
        if signo != signal.SIGKILL:
            lab.no_guard()
            assert err.count("\n") == 1 and on_abort in err, err
    until = time.monotonic() + PATIENCE_S
    while lab.guards():
        assert time.monotonic() < until, "the guard of a killed program stays"
        time.sleep(0.01)


@case
def what_is_wrong_is_refused_before_anything_is_switched(lab):
    good = lab.file.read_text()
    for change, word in (((": off", ": of"), "on_abort"), (("name: b", "name: b\n  nam: c"), "nam"),
                         ((f'"{lab.tmp}/switch", "on"', '"nf-no-such-program"'), "nf-no-such-program")):
        lab.file.write_text(good.replace(*change))
        assert lab.file.read_text() != good, change
        code, out, err = lab.power("cycle")
        assert (code, out) == (2, "") and word in err and "b.yaml:" in err and err.count("\n") == 1, (code, out, err)
    lab.file.write_text(good)
    code, out, err = lab.power("reset")
    assert (code, out) == (2, "") and "allowed: on, off, cycle, status" in err, (code, err)
    lab.file.unlink()
    code, out, err = lab.power("on")
    assert (code, out) == (2, "") and "b.yaml" in err and err.count("\n") == 1, (code, err)
    assert lab.log() == []


print(f"1..{len(results)}")
for n, (name, why) in enumerate(results, 1):
    print(f"{'not ok' if why else 'ok'} {n} - {name.replace('_', ' ')}")
    if why:
        print("# " + why.replace("\n", "\n# "))
sys.exit(any(why for _, why in results))
