#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lab_doctor: a pty that is noise at all rates but one, a port of somebody else's, a campaign file with its switch; and
that the port is afterwards as it was, whichever way the program ended."""
import fcntl
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty

BIN = os.environ["NF_BIN"]
PATIENCE_S = 60  # until something is surely wrong; no claim about time
TCGETS2 = getattr(termios, "TCGETS2", 0x802C542A)
results = []


def case(fn):
    with tempfile.TemporaryDirectory(prefix="nf-doctor-") as tmp:
        uart = Uart(pathlib.Path(tmp))
        try:
            fn(uart)
            results.append((fn.__name__, None))
        except (AssertionError, subprocess.TimeoutExpired) as e:
            results.append((fn.__name__, str(e) or "assertion"))
        uart.end()
    return fn


class Uart:
    """What it says is text at 57600 baud and noise at any other rate."""

    def __init__(self, tmp):
        self.tmp = tmp
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.link = tmp / "ttyUSB0"
        self.link.symlink_to(os.ttyname(self.slave))
        self.before = termios.tcgetattr(self.slave)
        self.stop = threading.Event()
        self.said, self.heard = 0, b""
        os.set_blocking(self.master, False)
        self.thread = threading.Thread(target=self.talk, daemon=True)
        self.env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "NOISEFLOOR_RUN_DIR": f"{tmp}/journal",
                    **{k: os.environ[k] for k in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if k in os.environ}}

    def rate(self):
        settings = bytearray(44)
        fcntl.ioctl(self.master, TCGETS2, settings)  # of a master: the slave's
        return struct.unpack("<11I", settings)[10]

    def talk(self):
        while not self.stop.wait(0.002):
            try:
                os.write(self.master, b"something is said here\r\n" if self.rate() == 57600 else b"\xff\x80\xfc" * 8)
                self.said += 1
            except BlockingIOError:
                pass
            try:
                self.heard += os.read(self.master, 4096)
            except BlockingIOError:
                pass

    def end(self):
        self.stop.set()
        if self.thread.is_alive():
            self.thread.join()
        os.close(self.master)
        os.close(self.slave)

    def start(self, *words):
        return subprocess.Popen([BIN, *words], env=self.env, cwd=self.tmp, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def doctor(self, *words):
        p = self.start(*words)
        out, err = p.communicate(timeout=600)
        assert termios.tcgetattr(self.slave) == self.before, "the port is not as it was"
        assert self.heard == b"", "something was sent"
        return p.returncode, out, err

    def record(self, enough, *words):
        """With a longer duration, until enough of it was heard: how fast this machine is, is not what is tested."""
        for duration in ("100ms", "1s", "5s", "30s"):
            code, out, err = self.doctor("--json", "lab", "doctor", "--duration", duration, *words)
            record = json.loads(out)
            if enough(record):
                break
        return code, record, err


@case
def the_rate_is_found(uart):
    uart.thread.start()
    code, r, err = uart.record(lambda r: r["rate"] == "another", f"device:{uart.link}")
    assert (code, r["rate"], r["rate_baud"], err) == (1, "another", 57600, ""), (code, r, err)
    assert r["listened"]["baud"] == 115200 and r["tried"][-1]["baud"] == 57600, r["tried"]
    code, r, err = uart.record(lambda r: r["rate"] == "as_given" and r["last_line"], "--baud", "57600", f"device:{uart.link}")
    assert (r["rate"], r["rate_baud"], r["tried"], err) == ("as_given", 57600, [], ""), (code, r, err)
    assert "something" in r["last_line"], r["last_line"]
    assert code == 1 and r["findings"] == ["a name by number may be another adapter's next time"], r["findings"]


@case
def a_pty_has_no_rate(uart):
    uart.thread.start()
    code, r, err = uart.record(lambda r: r["listened"]["bytes"] > 16, f"pty:{uart.link}")
    assert (code, r["rate"], r["rate_baud"], r["findings"], err) == (0, "not_applicable", None, [], ""), (code, r, err)


@case
def a_campaign_s_switch_is_asked_and_not_switched(uart):
    (uart.tmp / "b.yaml").write_text(f"""board:
  name: b
  console: {{ pty: {uart.link}, baud: 57600 }}
  power: {{ driver: command, on: [ touch, switched ], off: [ touch, switched ], status: [ echo, "on" ] }}
configs: [ {{ name: c, done: up }} ]
""")
    uart.thread.start()
    code, r, err = uart.record(lambda r: r["listened"]["bytes"] > 16, "b.yaml")
    assert (code, r["board"], r["power"], err) == (0, "b", {"driver": "command", "state": "on", "trouble": None}, "")
    assert not (uart.tmp / "switched").exists()
    text = (uart.tmp / "b.yaml").read_text()
    (uart.tmp / "b.yaml").write_text(text.replace('[ echo, "on" ]', '[ "false" ]'))
    code, out, err = uart.doctor("lab", "doctor", "--duration", "50ms", "b.yaml")
    assert code == 5 and "power " in out and err == "", (code, out, err)
    (uart.tmp / "b.yaml").write_text(text.replace("pty: ", "pty: /nf-no-such"))
    code, out, err = uart.doctor("lab", "doctor", "b.yaml")
    assert (code, out) == (2, "") and "b.yaml:3:" in err and err.count("\n") == 1, (code, out, err)


@case
def who_holds_the_port_is_told(uart):
    holder = uart.start("--runs", "runs", "lab", "console", str(os.ttyname(uart.slave)))
    until = time.monotonic() + PATIENCE_S
    while not list(uart.tmp.glob("runs/*/captures/console.idx")):
        assert time.monotonic() < until and holder.poll() is None, "the console does not start"
        time.sleep(0.01)
    p = uart.start("--json", "lab", "doctor", f"pty:{uart.link}")
    out, err = p.communicate(timeout=PATIENCE_S)
    r = json.loads(out)
    assert (p.returncode, err, r["listened"]) == (5, "", None) and "held by" in r["trouble"], (p.returncode, r, err)
    if os.geteuid() == 0:  # /proc shows it all
        assert f"(process {holder.pid})" in r["trouble"], r["trouble"]
    holder.send_signal(signal.SIGINT)
    holder.communicate(timeout=PATIENCE_S)
    assert holder.returncode == 130


@case
def a_signal_leaves_the_port_as_it_was(uart):
    for signo, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        p = uart.start("lab", "doctor", "--baud", "57600", "--duration", "1h", f"device:{uart.link}")
        until = time.monotonic() + PATIENCE_S
        while uart.rate() != 57600:
            assert time.monotonic() < until and p.poll() is None, "it does not start"
            time.sleep(0.01)
        p.send_signal(signo)
        out, err = p.communicate(timeout=PATIENCE_S)
        assert (p.returncode, out) == (code, "") and err.count("\n") == 1, (p.returncode, out, err)
        assert termios.tcgetattr(uart.slave) == uart.before, "the port is not as it was"


print(f"1..{len(results)}")
for n, (name, why) in enumerate(results, 1):
    print(f"{'not ok' if why else 'ok'} {n} - {name.replace('_', ' ')}")
    if why:
        print("# " + why.replace("\n", "\n# "))
sys.exit(any(why for _, why in results))
