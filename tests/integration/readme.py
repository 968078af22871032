#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme: the README's examples, line by line as they are written, in one new folder.

A line counts when it begins with a prompt and one of our programs. Those that need root, an MPI job or minutes are
named here; every other has to exit 0."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

README = pathlib.Path(os.environ["NF_SOURCE"]) / "README.md"
PROGRAMS = pathlib.Path(os.environ["NF_BIN"]).parent
ELSEWHERE = {"--why": "tests/integration/why.py: it needs root", "selftest inject": "tests/integration/inject.py",
             "lab phases": "tests/integration/console_logs.py: it needs logs",
             "qemu-virt": "tests/integration/qemu/board_campaign.py: it needs the emulated board"}

examples = re.findall(r"^    \$ ((?:noisefloor|fwq)\S* .*)$", README.read_text(), re.M)
assert len(examples) >= 10, examples
done = 0
with tempfile.TemporaryDirectory() as folder:
    for line in examples:
        if any(word in line for word in ELSEWHERE):
            continue
        p = subprocess.run(["bash", "-c", line], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           env={**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}"})
        assert p.returncode == 0, (line, p.returncode, p.stderr, p.stdout[-500:])
        done += 1
        print(f"ok {done} - {line.partition('#')[0].strip()}", flush=True)
    left = {p.name for p in pathlib.Path(folder).iterdir()}
    assert {"runs", "times.dat", "again.dat", "after.csv"} <= left, left
    # What a table says twice, it says differently.
    commands = re.findall(r"^\| `(.+?)` \|", README.read_text(), re.M)
    assert len(commands) == len(set(commands)) >= 20, commands
    print(f"ok {done + 1} - every command stands once in the table\n1..{done + 1}")
sys.exit(0)
