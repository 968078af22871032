#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lab_console: a board on a pty, and a user on another: what each of them gets, who may have the port, who looks on,
and the user's terminal afterwards, whichever way the program ended."""
import fcntl
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
import tty

BIN = os.environ["NF_BIN"]
EVIL = b"\x1b]0;title\x07\x1b]52;c;QUJD\x07\x1bP1$q\x1b\\\x1b[6n\x1bc\xc2\x9b5n\xc2\x9d0;x\x07"
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk's fsync is not what is tested
# A shell with job control, as far as it matters here: a parent in the session, the job in a group of its own.
SHELL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
pid = os.fork()
if pid == 0:
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, os.getpgrp())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
"""
results = []


def case(fn):
    with tempfile.TemporaryDirectory(prefix="nf-lab-", dir=MEMORY) as tmp:
        try:
            fn(pathlib.Path(tmp))
            results.append((fn.__name__, None))
        except AssertionError as e:
            results.append((fn.__name__, str(e) or "assertion"))
    return fn


class Board:
    def __init__(self):
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.name = os.ttyname(self.slave)

    def say(self, data):
        os.write(self.master, data)

    def heard(self, n, within_s=10):
        got = b""
        while len(got) < n and select.select([self.master], [], [], within_s)[0]:
            got += os.read(self.master, 4096)
        return got

    def unplug(self):
        os.close(self.master)
        os.close(self.slave)


def environment(tmp):
    keep = ("ASAN_OPTIONS", "UBSAN_OPTIONS")
    return {"PATH": os.environ["PATH"], "LC_ALL": "C", "NOISEFLOOR_RUN_DIR": f"{tmp}/journal",
            **{k: os.environ[k] for k in keep if k in os.environ}}


def start(tmp, *words, **kw):
    kw.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([BIN, "--runs", f"{tmp}/runs", *words], env=environment(tmp), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **kw)


def capture_of(tmp, p, within_s=30):
    until = time.monotonic() + within_s
    while time.monotonic() < until and p.poll() is None:
        found = list(pathlib.Path(tmp).glob("runs/*/captures/console.idx"))
        if found and found[0].stat().st_size >= 1024:
            return found[0].parent.parent
        time.sleep(0.01)
    raise AssertionError(f"no capture: {p.poll()} {p.stderr.read() if p.poll() is not None else ''}")


def end(p, signo=signal.SIGINT):
    p.send_signal(signo)
    out, err = p.communicate(timeout=60)
    return p.returncode, out, err


def wait_for(path, size, within_s=20):
    until = time.monotonic() + within_s
    while path.stat().st_size < size:
        assert time.monotonic() < until, f"{path.name}: {path.stat().st_size} of {size} bytes"
        time.sleep(0.01)


@case
def lines_are_shown_with_times_and_nothing_of_them_is_obeyed(tmp):
    board = Board()
    p = start(tmp, "lab", "console", board.name)
    folder = capture_of(tmp, p)
    sent = b"one\r\n" + EVIL + b"two\n" + b"10%\r20%\rdone\n" + b"\x9b31m\xe2\x80\xaeabc\n" + b"root# "
    board.say(sent)
    wait_for(folder / "captures" / "console.raw", len(sent))
    time.sleep(0.5)
    code, out, err = end(p)
    assert code == 130, (code, err)
    assert b"\x1b" not in out and b"\x07" not in out and b"\r" not in out and b"\xe2\x80\xae" not in out, out
    texts = [line.split(None, 1)[1] for line in out.decode().splitlines()[:5]]
    assert texts == ["one", "two", "done", "\\x9b31m\\xe2\\x80\\xaeabc", "~ root# "], texts
    assert (folder / "captures" / "console.raw").read_bytes() == sent
    record = json.loads((folder / "record.json").read_text())
    assert record["lines"]["lines"] == 5 and record["lines"]["replaced"] == 2, record["lines"]
    assert record["bytes"] == len(sent) and record["head"]["state"] == "partial"
    assert "\x1b" not in (folder / "derived" / "summary.txt").read_text()
    board.unplug()


@case
def json_is_the_record_and_nothing_else(tmp):
    board = Board()
    board.say(b"waiting\n")
    p = start(tmp, "--json", "lab", "console", "--duration", "300ms", board.name)
    out, err = p.communicate(timeout=60)
    assert p.returncode == 0, (p.returncode, err)
    record = json.loads(out)
    assert record["schema"] == "ConsoleRun/1" and record["waiting"] == 1, record["waiting"]
    assert record["interval_mean_ns"] is None, record["interval_mean_ns"]
    check = subprocess.run([BIN, "evidence", "check", next(iter((tmp / "runs").iterdir()))], capture_output=True,
                           env=environment(tmp))
    assert check.returncode == 0, check.stdout
    board.unplug()


@case
def the_port_is_one_program_s_alone_and_others_look_on(tmp):
    board = Board()
    p = start(tmp, "lab", "console", board.name)
    folder = capture_of(tmp, p)
    second = start(tmp, "lab", "console", board.name)
    _, err = second.communicate(timeout=60)
    text = err.decode()
    assert second.returncode == 5 and text.count("\n") == 1, (second.returncode, text)
    assert "is held by" in text, text
    if os.geteuid() == 0:  # /proc shows it all
        assert f"(process {p.pid})" in text and "console.raw" in text, text
    assert len(list((tmp / "runs").iterdir())) == 1, "a refused run left a folder"
    viewers = [start(tmp, "lab", "console", folder) for _ in range(2)]
    board.say(b"seen by all\n")
    wait_for(folder / "captures" / "console.raw", 12)
    code, out, _ = end(p)
    assert code == 130 and b"seen by all" in out
    for v in viewers:
        out, err = v.communicate(timeout=60)
        assert v.returncode == 0 and b"seen by all" in out, (v.returncode, out, err)
    board.unplug()


@case
def a_port_that_goes_is_told_and_what_came_is_kept(tmp):
    board = Board()
    p = start(tmp, "lab", "console", board.name)
    folder = capture_of(tmp, p)
    board.say(b"last words\n")
    wait_for(folder / "captures" / "console.raw", 11)
    board.unplug()
    out, err = p.communicate(timeout=60)
    assert p.returncode == 5, (p.returncode, err)
    assert b"last words" in out and b"the port is gone" in out, out
    record = json.loads((folder / "record.json").read_text())
    assert record["head"]["result"] == "fail" and "gone" in record["head"]["reason"], record["head"]["reason"]
    check = subprocess.run([BIN, "evidence", "check", folder], capture_output=True, env=environment(tmp))
    assert check.returncode in (0, 3), check.stdout


@case
def what_a_killed_capture_had_is_shown(tmp):
    board = Board()
    p = start(tmp, "lab", "console", board.name)
    folder = capture_of(tmp, p)
    board.say(b"one\ntwo\n")
    wait_for(folder / "captures" / "console.idx", 1024 + 32)
    end(p, signal.SIGKILL)
    done = subprocess.run([BIN, "lab", "console", folder], capture_output=True, env=environment(tmp), timeout=60)
    assert done.returncode == 0 and b"one" in done.stdout and b"two" in done.stdout, (done.returncode, done.stderr)
    with open(folder / "captures" / "console.idx", "ab") as f:
        f.write(b"torn")
    with open(folder / "captures" / "console.raw", "ab") as f:
        f.write(b"three\n")
    done = subprocess.run([BIN, "lab", "console", folder], capture_output=True, env=environment(tmp), timeout=60)
    assert done.returncode == 3 and b"6 bytes" in done.stderr and b"three" not in done.stdout, done
    board.unplug()


@case
def a_campaign_file_s_console_is_captured(tmp):
    board = Board()
    (tmp / "b.yaml").write_text(f"""board:
  name: b
  console: {{ pty: {board.name}, baud: 57600 }}
  power: {{ driver: command, on: [ "true" ], off: [ "true" ] }}
configs: [ {{ name: c, done: up }} ]
""")
    p = start(tmp, "lab", "console", tmp / "b.yaml")
    folder = capture_of(tmp, p)
    board.say(b"seen\n")
    wait_for(folder / "captures" / "console.raw", 5)
    code, out, err = end(p)
    assert code == 130 and b"seen" in out, (code, out, err)
    port = json.loads((folder / "record.json").read_text())["port"]
    assert (port["name"], port["baud"]) == (board.name, 57600), port
    board.unplug()


@case
def phases_are_found_in_what_was_captured(tmp):
    board = Board()
    p = start(tmp, "lab", "console", "--tag", "board", board.name)
    folder = capture_of(tmp, p)
    sent = 0
    for text in (b"U-Boot 2023.01\r\n", b"Starting kernel ...\r\n", b"[    0.000000] Linux version 6.1\r\n", b"b login: "):
        board.say(text)
        sent += len(text)
        wait_for(folder / "captures" / "console.raw", sent)
    end(p)
    done = subprocess.run([BIN, "--json", "lab", "phases", folder, "--t0", "Starting kernel", "--phase", "kernel=Linux version",
                           "--phase", "login=login:"], capture_output=True, env=environment(tmp), timeout=60)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)  # 1: a finding
    record = json.loads(done.stdout)
    config = record["configs"][0]
    assert config["name"].endswith("-board"), config["name"]
    found = {phase["name"]: phase for phase in config["phases"]}
    assert set(found) == {"kernel", "login"}, found
    assert all(phase["n"] == 1 and phase["failed"] == 0 for phase in found.values()), found
    assert 0 < found["kernel"]["median_s"] < found["login"]["median_s"], found
    board.unplug()


def state_of(pid):
    """What it does, and which signals wait, are blocked and caught: for who reads that it hangs."""
    wanted = ("State", "SigPnd", "ShdPnd", "SigBlk", "SigCgt")
    proc = pathlib.Path(f"/proc/{pid}")
    lines = proc.joinpath("status").read_text().splitlines()
    told = ["=".join(line.split(":", 1)).replace("\t", "") for line in lines if line.split(":")[0] in wanted]
    return f"{' '.join(told)} wchan={proc.joinpath('wchan').read_text()} syscall={proc.joinpath('syscall').read_text().strip()}"


class User:
    """A user at a terminal, whose program this is the controlling terminal of."""

    def __init__(self, tmp, board, in_shell=False):
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        words = [BIN, "--runs", f"{tmp}/runs", "lab", "console", "-i", board.name]
        self.p = subprocess.Popen([sys.executable, "-c", SHELL, *words] if in_shell else words,
                                  env=environment(tmp), stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                  start_new_session=True, preexec_fn=None if in_shell else self.log_in)
        self.folder = None
        self.shown = b""
        until = time.monotonic() + 30
        while not self.folder and time.monotonic() < until:
            found = list(tmp.glob("runs/*/captures/console.raw"))
            self.folder = found[0].parent.parent if found else None
            time.sleep(0.01)
        assert self.folder, "it did not start"
        assert self.is_raw(), "the terminal is not raw"
        self.pid = self.p.pid
        if in_shell:
            self.pid = int(pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text())

    @staticmethod
    def log_in():
        """In the new process: as a login leaves it, whatever this test was started with (nohup)."""
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def is_raw(self):
        return not termios.tcgetattr(self.slave)[3] & termios.ICANON

    def sees(self, what, within_s=10):
        until = time.monotonic() + within_s
        while what not in self.shown and time.monotonic() < until:
            if select.select([self.master], [], [], 0.1)[0]:
                self.shown += os.read(self.master, 4096)
        return what in self.shown

    def ended(self):
        until = time.monotonic() + 60
        while self.p.poll() is None and time.monotonic() < until:
            if select.select([self.master], [], [], 0.05)[0]:
                self.shown += os.read(self.master, 4096)
        assert self.p.poll() is not None, f"it did not end: {state_of(self.p.pid)}; shown: {self.shown[-300:]}"
        while select.select([self.master], [], [], 0.05)[0]:
            self.shown += os.read(self.master, 4096)
        now = termios.tcgetattr(self.slave)
        assert now == self.before, f"the terminal is not as it was: {now} {self.before}"
        os.close(self.master)
        os.close(self.slave)
        return self.p.returncode


@case
def what_is_typed_reaches_the_board_and_the_escape_ends(tmp):
    board = Board()
    user = User(tmp, board)
    assert user.sees(b"Ctrl-] q ends"), user.shown
    os.write(user.master, b"ls\r\x03\x1a\x1d\x1d\x1dx")
    assert board.heard(7) == b"ls\r\x03\x1a\x1dx"
    board.say(b"\x1b[1mfile\x1b[0m\r\n" + EVIL + b"end")
    assert user.sees(b"\x1b[1mfile\x1b[0m") and user.sees(b"end"), user.shown
    os.write(user.master, b"\x1dq")
    assert user.ended() == 0
    for evil in (b"\x1b]", b"\x1bP", b"\x1b[6n", b"\x1bc", b"\xc2\x9b", b"\xc2\x9d", b"QUJD"):
        assert evil not in user.shown, (evil, user.shown)
    record = json.loads((user.folder / "record.json").read_text())
    assert record["interactive"] and record["bytes_typed"] == 7, record["bytes_typed"]
    board.unplug()


@case
def the_terminal_is_put_back_on_every_way_out(tmp):
    for i, (signals, codes) in enumerate((((signal.SIGINT,), (130,)), ((signal.SIGTERM,), (143,)),
                                          ((signal.SIGHUP,), (143,)), ((signal.SIGTERM,) * 3, (143,)),
                                          ((signal.SIGQUIT,), (-signal.SIGQUIT,)),
                                          ((signal.SIGSEGV,), (-signal.SIGSEGV, 1)))):
        if signals[0] == signal.SIGSEGV and "ASAN_OPTIONS" in os.environ:
            continue  # the sanitizer's own
        board = Board()
        (tmp / str(i)).mkdir()
        user = User(tmp / str(i), board)
        for s in signals:
            user.p.send_signal(s)
        code = user.ended()
        assert code in codes, (signals, code)
        board.unplug()


def stopped(pid):
    until = time.monotonic() + 10
    while pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "T":
        assert time.monotonic() < until, "it did not stop"
        time.sleep(0.01)


@case
def the_terminal_is_put_back_while_it_is_stopped(tmp):
    for in_shell in (True, False):  # without a shell nobody could continue it: SIGTSTP then does nothing (POSIX)
        board = Board()
        (tmp / str(in_shell)).mkdir()
        user = User(tmp / str(in_shell), board, in_shell)
        os.kill(user.pid, signal.SIGTSTP)
        if in_shell:
            stopped(user.pid)
            assert not user.is_raw(), "still raw while it is stopped"
            os.kill(user.pid, signal.SIGCONT)
        board.say(b"still here\n")
        assert user.sees(b"still here")
        assert user.is_raw(), "not raw after it went on"
        os.write(user.master, b"\x1dq")
        assert user.ended() == 0
        board.unplug()


@case
def a_port_that_goes_puts_the_terminal_back(tmp):
    board = Board()
    user = User(tmp, board)
    board.unplug()
    assert user.ended() == 5
    assert b"gone" in user.shown, user.shown


@case
def interactive_needs_a_terminal(tmp):
    board = Board()
    p = start(tmp, "lab", "console", "-i", board.name)
    _, err = p.communicate(timeout=60)
    assert p.returncode == 2 and b"terminal" in err, (p.returncode, err)
    assert not (tmp / "runs").exists() or not list((tmp / "runs").iterdir())
    board.unplug()


print(f"1..{len(results)}")
for n, (name, why) in enumerate(results, 1):
    print(f"{'not ok' if why else 'ok'} {n} - {name.replace('_', ' ')}")
    if why:
        print("# " + why.replace("\n", "\n# "))
sys.exit(any(why for _, why in results))
