#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lab_shell: commands in a real shell behind a console: what comes out is what they print, the status is theirs, and
nothing of the console's own gets in between."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import termios
import time

import board_shell

BIN = os.environ["NF_BIN"]
PATIENCE_S = 240  # until something is surely wrong; no claim about time
results = []


def case(fn):
    with tempfile.TemporaryDirectory(prefix="nf-shell-") as tmp:
        lab = Lab(pathlib.Path(tmp))
        try:
            fn(lab)
            results.append((fn.__name__, None))
        except (AssertionError, subprocess.TimeoutExpired) as e:
            results.append((fn.__name__, str(e) or "assertion"))
        if lab.board:
            lab.board.end()
    return fn


class Lab:
    def __init__(self, tmp):
        self.tmp, self.board, self.file = tmp, None, tmp / "b.yaml"
        self.env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "NOISEFLOOR_RUN_DIR": f"{tmp}/journal",
                    **{k: os.environ[k] for k in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if k in os.environ}}

    def make(self, board=None, **keys):
        self.board = board or board_shell.Shell()
        self.file.write_text(board_shell.campaign(self.board, **{"prompt_limit": "10m", **keys}))

    def start(self, *words, options=(), stdout=subprocess.PIPE, **kw):
        return subprocess.Popen([BIN, *options, "lab", "shell", str(self.file), "--", *words], env=self.env, cwd=self.tmp,
                                stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, **kw)

    def run(self, *words, **kw):
        before = termios.tcgetattr(self.board.slave) if self.board else None
        p = self.start(*words, **kw)
        out, err = p.communicate(timeout=PATIENCE_S)
        if self.board:
            assert termios.tcgetattr(self.board.slave) == before, "the port is not as it was"
        return p.returncode, out, err.decode()

    def says(self, *words, code=0, out=b"", **kw):
        answer = self.run(*words, **kw)
        assert answer == (code, out, ""), (words, answer)

    def until(self, what, why):
        end = time.monotonic() + PATIENCE_S
        while not what():
            assert time.monotonic() < end, why
            time.sleep(0.01)


@case
def output_and_status_are_the_command_s(lab):
    lab.make()
    lab.says("echo hello", out=b"hello\n")
    lab.says("printf", "no newline", out=b"no newline")
    lab.says("true")
    lab.says("sh", "-c", "exit 7", code=7)
    lab.says("sh -c 'exit 7'", code=7)
    lab.says("exit 255", code=255)
    lab.says("printf 'a\\n\\nb\\n\\n'; false", code=1, out=b"a\n\nb\n\n")
    code, out, err = lab.run("ls", "/nf-no-such-file")
    assert code == 2 and b"nf-no-such-file" in out and err == "", (code, out, err)
    code, out, err = lab.run("nf-no-such-command")
    assert code == 127 and b"not found" in out, (code, out, err)


@case
def quotes_comments_and_characters_survive(lab):
    lab.make()
    lab.says("echo 'a  b' # a comment", out=b"a  b\n")
    lab.says("printf", "%s|", "a  b", "# no comment", "it's", "\"$HOME\"", "*", "\\n!",
             out=b"a  b|# no comment|it's|\"$HOME\"|*|\\n!|")
    lab.says("printf '%s|' \"it's\" '!!' '`x`' ~ '\\' '%d'", out=b"it's|!!|`x`|" + os.path.expanduser("~").encode() + b"|\\|%d|")
    lab.says("printf", "%s\n%s", "two\nlines", "\ttab", out=b"two\nlines\n\ttab")
    lab.says("echo", "gr\u00fc\u00df \u20ac", out="gr\u00fc\u00df \u20ac\n".encode())
    lab.says("echo one; echo two && (echo three)", out=b"one\ntwo\nthree\n")
    lab.says("cat", out=b"")  # the command's input is empty


@case
def what_looks_like_a_prompt_or_an_end_is_output(lab):
    lab.make()
    lab.says("printf '# '; sleep 1; echo after", out=b"# after\n")
    lab.says("printf 'login: '; sleep 1; echo", out=b"login: \n")
    lab.says("seq 1 3000", out="".join(f"{i}\n" for i in range(1, 3001)).encode())
    lab.says("printf '\\033[31mred\\033[0m\\001\\377'", out=b"\x1b[31mred\x1b[0m\x01\xff")


@case
def who_has_to_is_logged_in(lab):
    lab.make(board_shell.Shell("root", "s3cret"), user="root", password_env="NF_TEST_PW")
    lab.env["NF_TEST_PW"] = "s3cret"
    lab.says("echo", "in", out=b"in\n")
    lab.says("echo", "still", out=b"still\n")
    assert lab.board.heard.count(b"s3cret") == 1, "logged in twice"


@case
def a_login_that_fails_says_so_and_not_the_password(lab):
    lab.make(board_shell.Shell("root", "s3cret"), user="root", password_env="NF_TEST_PW")
    code, out, err = lab.run("true")
    assert (code, out) == (255, b"") and "NF_TEST_PW" in err and err.count("\n") == 1, (code, out, err)
    lab.env["NF_TEST_PW"] = "wr0ng"
    code, out, err = lab.run("true")
    assert (code, out) == (255, b"") and "wr0ng" not in err and "root" in err, (code, out, err)


@case
def a_kernel_message_in_the_prompt_hides_nothing(lab):
    lab.make()
    lab.says("true")
    lab.board.inject = {b"# ": b"\r\n[   12.345678] usb 1-1: new device\r\n"}
    lab.board.said = b""
    code, out, err = lab.run("echo", "hello")
    assert code == 0 and b"hello\n" in out, (code, out, err)


@case
def the_json_says_how_it_ended(lab):
    lab.make()
    code, out, err = lab.run("printf 'a\\377b'; exit 3", options=("--json",))
    r = json.loads(out)
    assert code == 3 and err == "", (code, err)
    assert r == {"board": "b", "command": "printf 'a\\377b'; exit 3", "class": "ok", "kind": "done", "words": r["words"],
                 "status": 3, "output_bytes": 3, "output": "a\ufffdb", "replaced_text": 1}, r


@case
def a_terminal_gets_nothing_that_it_would_obey(lab):
    lab.make()
    ours, theirs = pty.openpty()
    p = lab.start("printf 'a\\033]0;title\\007b\\033[6nc\\033[1md\\n'", stdout=theirs)
    _, err = p.communicate(timeout=PATIENCE_S)
    os.close(theirs)
    shown = b""
    try:
        while True:
            shown += os.read(ours, 4096)
    except OSError:  # EIO: the other end is closed
        os.close(ours)
    assert p.returncode == 0 and shown == b"abc\x1b[1md\r\n", (p.returncode, shown, err)


@case
def a_signal_sends_one_ctrl_c_and_leaves_the_board_usable(lab):
    lab.make()
    for signo, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        lab.board.heard = b""
        p = lab.start("echo started; sleep 100000; echo never", stdout=open(lab.tmp / "out", "wb"))
        lab.until(lambda: (lab.tmp / "out").read_bytes() == b"started\n", "the command does not start")
        # dash forgets a SIGINT that comes after echo and before sleep is there.
        lab.until(lambda: lab.board.runs("sleep"), "the command does not sleep")
        p.send_signal(signo)
        _, err = p.communicate(timeout=PATIENCE_S)
        assert p.returncode == code and err.count(b"\n") == 1 and b"Ctrl-C" in err, (p.returncode, err)
        assert lab.board.heard.count(b"\x03") == 1, lab.board.heard
        assert (lab.tmp / "out").read_bytes() == b"started\n"
        lab.says("echo", "usable", out=b"usable\n")


@case
def the_last_words_of_an_interrupted_command_are_kept(lab):
    lab.make()
    p = lab.start("trap 'echo bye; exit 3' INT; echo started; while :; do sleep 0.1; done", stdout=open(lab.tmp / "out", "wb"))
    lab.until(lambda: (lab.tmp / "out").read_bytes() == b"started\n", "the command does not start")
    p.send_signal(signal.SIGINT)
    _, err = p.communicate(timeout=PATIENCE_S)
    assert p.returncode == 130, (p.returncode, err)
    assert (lab.tmp / "out").read_bytes() == b"started\nbye\n", (lab.tmp / "out").read_bytes()


@case
def a_command_that_takes_too_long_is_ended(lab):
    lab.make()
    p = subprocess.run([BIN, "lab", "shell", "--timeout", "300ms", lab.file, "--", "sleep", "100000"], env=lab.env, cwd=lab.tmp,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)
    assert (p.returncode, p.stdout) == (255, b"") and b"300 ms" in p.stderr and p.stderr.count(b"\n") == 1, p
    lab.until(lambda: b"\x03" in lab.board.heard, "the board was not told")


@case
def what_fails_on_this_side_is_255(lab):
    code, out, err = lab.run("true")
    assert (code, out) == (255, b"") and "b.yaml" in err and err.count("\n") == 1, (code, out, err)
    lab.make()
    good = lab.file.read_text()
    for change, word in ((("  shell:", "  shel:"), "shel"), ((lab.board.name, "/dev/nf-no-such-port"), "nf-no-such-port")):
        lab.file.write_text(good.replace(*change))
        code, out, err = lab.run("true")
        assert (code, out) == (255, b"") and word in err and err.count("\n") == 1, (code, out, err)
    lab.file.write_text("\n".join(line for line in good.splitlines() if "shell:" not in line))
    code, out, err = lab.run("true")
    assert (code, out) == (255, b"") and "'shell' is missing" in err, (code, out, err)
    lab.file.write_text(good)
    code, out, err = lab.run("echo " + "x" * 2000)
    assert (code, out) == (255, b"") and "2005 bytes" in err, (code, out, err)
    code, _, err = lab.run("echo", "hello", stdout=open("/dev/full", "wb"))
    assert code == 255 and "standard output" in err and err.count("\n") == 1, (code, err)
    code, out, err = lab.run("true", options=("--no-such-option",))
    assert (code, out) == (2, b"") and "no-such-option" in err, (code, err)  # nobody knows yet what it is an option of
    holder = subprocess.Popen([BIN, "--runs", "runs", "lab", "console", lab.board.name], env=lab.env, cwd=lab.tmp,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lab.until(lambda: list(lab.tmp.glob("runs/*/captures/console.idx")), "the console does not start")
    p = lab.start("true")
    out, err = p.communicate(timeout=PATIENCE_S)
    holder.send_signal(signal.SIGINT)
    holder.wait(timeout=PATIENCE_S)
    assert (p.returncode, out) == (255, b"") and b"held by" in err, (p.returncode, out, err)


@case
def a_board_that_says_nothing_is_told(lab):
    lab.make(prompt_limit="300ms")
    os.kill(lab.board.pid, signal.SIGSTOP)
    code, out, err = lab.run("true")
    os.kill(lab.board.pid, signal.SIGCONT)
    assert (code, out) == (255, b"") and "300 ms" in err and err.count("\n") == 1, (code, out, err)


print(f"1..{len(results)}")
for n, (name, why) in enumerate(results, 1):
    print(f"{'not ok' if why else 'ok'} {n} - {name.replace('_', ' ')}")
    if why:
        print("# " + why.replace("\n", "\n# "))
sys.exit(any(why for _, why in results))
