#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Progress on a terminal: bars, lines with TERM=dumb, nothing elsewhere; colours only where wanted.
The program runs with a pseudo-terminal as standard error."""
import os
import pty
import subprocess
import sys
import tempfile

BIN = os.environ["NF_BIN"]
results = []


def run(*args, term="xterm", stdout_too=False, **env):
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
        assert p.returncode in (0, 1), (args, p.returncode, shown)
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
    args = ("bench", "compare", "--no-extension", "--sets", "12")
    compare = args + ("sleep 0.01",)
    shown, _ = run(*compare, "sleep 0.03", stdout_too=True)
    assert shown.count("\x1b[31mREGRESSED\x1b[0m") == 2 and "\x1b[32m" not in shown, shown
    shown, _ = run(*args, "sleep 0.03", "sleep 0.01", stdout_too=True)
    assert shown.count("\x1b[32mIMPROVED\x1b[0m") == 2 and "\x1b[31m" not in shown, shown
    for more, env in ((), {"NO_COLOR": "1"}), (("--no-color",), {}), ((), {"term": "dumb"}):
        shown, _ = run(*more, *compare, "sleep 0.03", stdout_too=True, **env)
        assert "REGRESSED" in shown and "\x1b[3" not in shown.replace("\x1b[36m", ""), shown
    _, out = run(*compare, "sleep 0.03")
    assert "REGRESSED" in out and "\x1b" not in out, out
    assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("folder ")), out


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
