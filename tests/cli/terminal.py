#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Progress on a terminal: bars, lines with TERM=dumb, nothing elsewhere; colours only where wanted.
The program runs with a pseudo-terminal as standard error."""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata

BIN = os.environ["NF_BIN"]
results = []


def run(*args, term="xterm", stdout_too=False, codes=(0, 1), **env):
    """What arrives on the terminal, and standard output."""
    master, slave = pty.openpty()
    with tempfile.TemporaryDirectory(prefix="nf-tty-") as tmp:
        full = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TERM": term,
                "NOISEFLOOR_RUN_DIR": f"{tmp}/journal", **env}
        for keep in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if keep in os.environ:
                full[keep] = os.environ[keep]
        p = subprocess.Popen([BIN, *args], cwd=tmp, env=full, stdin=subprocess.DEVNULL, stderr=slave,
                             stdout=slave if stdout_too else subprocess.PIPE)
        os.close(slave)
        shown = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the last writer has gone
                break
            if not piece:
                break
            shown += piece
        out = p.stdout.read() if p.stdout else b""
        p.wait()
        os.close(master)
        assert p.returncode in codes, (args, p.returncode, shown)
        return shown.decode(), out.decode()


def case(fn):
    try:
        fn()
        results.append((fn.__name__.replace("_", " "), None))
    except AssertionError as e:
        results.append((fn.__name__.replace("_", " "), str(e)))
    return fn


CMD = ("clock", "-d", "600ms")


@case
def a_terminal_shows_a_bar_that_is_wiped_at_the_end():
    shown, out = run(*CMD)
    assert "\r" in shown and "%" in shown and "[#" in shown, shown
    assert "\x1b[K" in shown, "the bar was not wiped"
    assert "result" in out and "\r" not in out and "\x1b" not in out, out


@case
def no_color_leaves_the_bar_without_colours():
    coloured, _ = run(*CMD)
    assert "\x1b[36m" in coloured, coloured
    for shown, _ in (run(*CMD, NO_COLOR="1"), run("--no-color", *CMD)):
        assert "[#" in shown and "\x1b[36m" not in shown, shown


@case
def a_dumb_terminal_gets_lines():
    shown, _ = run(*CMD, term="dumb")
    assert "\x1b" not in shown and "clock" in shown, shown
    assert "\r" not in shown.replace("\r\n", "\n"), shown


@case
def quiet_and_json_show_nothing_on_the_terminal():
    for args in (("--quiet", *CMD), ("--json", *CMD)):
        shown, _ = run(*args)
        assert shown == "", shown


@case
def only_a_real_change_has_a_colour_and_only_on_a_terminal():
    # Values that are said, not measured: no load changes what is decided.
    args = ("bench", "compare", "--no-extension", "--sets", "12", "--report", "lines", "--shell")
    less, greater = ('echo "{\\"bench\\":\\"b\\",\\"value\\":%d,\\"unit\\":\\"ms\\"}"' % v for v in (10, 30))
    compare = args + (less,)
    shown, _ = run(*compare, greater, stdout_too=True)
    assert shown.count("\x1b[31mREGRESSED\x1b[0m") == 2 and "\x1b[32m" not in shown, shown
    shown, _ = run(*args, greater, less, stdout_too=True)
    assert shown.count("\x1b[32mIMPROVED\x1b[0m") == 2 and "\x1b[31m" not in shown, shown
    for more, env in ((), {"NO_COLOR": "1"}), (("--no-color",), {}), ((), {"term": "dumb"}):
        shown, _ = run(*more, *compare, greater, stdout_too=True, **env)
        assert "REGRESSED" in shown and "\x1b[3" not in shown.replace("\x1b[36m", ""), shown
    _, out = run(*compare, greater)
    assert "REGRESSED" in out and "\x1b" not in out, out
    assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("folder ")), out


ESCAPE = re.compile("\x1b\\[[0-9;]*[mK]")


def columns(line):
    """As a terminal shows it: wide characters count twice, marks not at all."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in ESCAPE.sub("", line))


def long_names(folder):
    """Commands whose names, values, units and reasons are all too long for a line."""
    x, y = "x" * 50, "\u65e5\u672c\u00e4" * 12
    tell = 'echo "{{\\"bench\\":\\"b\\",\\"value\\":{},\\"unit\\":\\"' + x + '/s\\"}}"'
    base = str(folder / "base.json")
    yield 0, ("bench", "run", "--sets", "2", "-L", f"n={x}1{x},{x}2{x},{y}", "--", "echo", "{n}")
    yield 5, ("bench", "run", "--sets", "2", "--report", "lines", "--shell", f"echo '{{\"{x}\":\"{y}\"}}' # {y}")
    yield 0, ("bench", "run", "--sets", "2", "--report", "lines", "--shell", tell.format(123456789.5))
    yield None, ("bench", "compare", "--sets", "12", "--no-extension", "--report", "lines", "-L", f"n={x}a{x},{x}b{x}",
                 "--shell", tell.format(1234567891234) + " # {n}", tell.format(2) + " # {n}")
    yield None, ("bench", "compare", "--sets", "12", "--no-extension", "--null", "--name", y, f"true {y}", f"true {x} {y}")
    yield 0, ("bench", "regress", "--save-baseline", base, "--sessions", "3", "--sets", "2", "--", "true", x, x, y)
    yield None, ("bench", "regress", "--baseline", base, "--any-machine", "--sets", "2", "--", "true", x, x, y)
    yield 0, ("bench", "sweep", "--env", f"A={x}1{x},{x}2{x}", "--arg", f"B={y},{y}2", "--sets", "3", "--", "true", "{B}")
    yield 0, ("bench", "sweep", "--env", f"A={x}1,{x}2", "--sets", "3", "--report", "lines", "--shell", tell.format(1e20))
    yield None, ("selftest", "aa", "--sets", "5", "--repeats", "5", "--iters", "1", "--alpha", "20%")


@case
def no_line_is_wider_than_80_columns_whatever_is_measured():
    alone = set()
    with tempfile.TemporaryDirectory(prefix="nf-wide-") as tmp:
        for on_terminal in (False, True):
            folder = pathlib.Path(tmp) / str(on_terminal)
            folder.mkdir()
            for code, args in long_names(folder):
                if on_terminal and args[0] == "selftest":
                    continue
                shown, out = run(*args, stdout_too=on_terminal, codes=(0, 1, 3, 5) if code is None else (code,))
                lines = re.split("[\r\n]", shown + out)
                for line in lines:
                    assert columns(line) <= 80, (args, columns(line), line)
                assert len(lines) > 3, (args, shown, out)
                if args[1] == "sweep":
                    rows = [line for line in lines if re.match(r"(\d )?A=", line)]
                    assert len(set(rows)) == len(rows) >= 2, lines
                    assert any(line.startswith(("best", "worst")) for line in lines), lines
                alone.add(args[:2])
    assert len(alone) == 5, alone


@case
def host_shows_a_line_per_step():
    shown, out = run("host", "--smi-samples", "1", "--smi-duration", "10ms", "--hwlat-duration", "20ms",
                     "--numa-samples", "1", "--noise-duration", "20ms", "--wake-duration", "20ms",
                     term="dumb")
    lines = shown.split("\r\n")
    for step in ("clock", "smi", "hwlat", "fwq", "wake", "numa"):
        assert sum(line.startswith(f"{step:<10} ") for line in lines) == 1, (step, lines)
    assert "result" in out


@case
def errors_come_without_a_bar():
    master, slave = pty.openpty()
    p = subprocess.run([BIN, "clock", "--duration", "5"], stdout=subprocess.PIPE, stderr=slave, check=False)
    os.close(slave)
    shown = os.read(master, 4096).decode()
    os.close(master)
    assert p.returncode == 2 and shown.count("\n") == 1 and "\x1b" not in shown, shown


print(f"1..{len(results)}")
for n, (name, why) in enumerate(results, 1):
    print(f"{'not ' if why else ''}ok {n} - {name}")
    if why:
        print("# " + repr(why))
sys.exit(any(why for _, why in results))
