# SPDX-License-Identifier: MIT
"""lab_runs: `noisefloor lab run` on boards of board_script.py, and what it leaves; for the tests of campaigns."""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from board_script import Board

BIN = os.environ["NF_BIN"]
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk's fsync is not what is tested
LONG = os.environ.get("NF_LONG") == "1"
LIMIT_S = 240  # for anything; nothing is judged by it
PATTERNS = ["--t0", "Starting kernel", "--phase", "kernel=Linux version ", "--phase", "login=buildroot login:"]
results = []


def note(name, why=None):
    results.append((name, why))


def case(fn):
    with tempfile.TemporaryDirectory(prefix="nf-lab-", dir=MEMORY) as tmp:
        try:
            fn(pathlib.Path(tmp))
            note(fn.__name__)
        except (AssertionError, subprocess.TimeoutExpired) as e:
            note(fn.__name__, str(e) or "assertion")
    return fn


def finish():
    print(f"1..{len(results)}")
    for n, (name, why) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {n} - {name.replace('_', ' ')}")
        if why:
            print("# " + why.replace("\n", "\n# "))
    sys.exit(any(why for _, why in results))


def start(tmp, *words):
    """A program whose runs go to TMP/runs."""
    keep = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "NOISEFLOOR_RUN_DIR": f"{tmp}/journal",
           **{k: os.environ[k] for k in keep if k in os.environ}}
    return subprocess.Popen([BIN, *map(str, words)], cwd=tmp, env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(p):
    """Exit code, outputs."""
    try:
        out, err = p.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        p.kill()
        out, err = p.communicate()
        raise AssertionError(f"{p.args} does not end: {out[-2000:]} {err[-2000:]}") from None
    assert p.returncode not in (1, 4, -6, -11), (p.args, p.returncode, out, err)
    return p.returncode, out, err


def run(tmp, *words):
    return end(start(tmp, *words))


def until(what, cond):
    limit = time.monotonic() + LIMIT_S
    while not cond():
        assert time.monotonic() < limit, f"never: {what}"
        time.sleep(0.005)


def folders(tmp):
    return sorted((pathlib.Path(tmp) / "runs").glob("*")) if (pathlib.Path(tmp) / "runs").exists() else []


def record(folder):
    return json.loads((folder / "record.json").read_text())


def only(tmp):
    found = folders(tmp)
    assert len(found) == 1, found
    return found[0]


def ends(folder):
    """What the attempts on disk say of themselves, by the name of their folder; None: nothing."""
    found = {}
    for d in sorted((folder / "captures").glob("*")):
        e = d / "end.json"
        found[d.name] = json.loads(e.read_text()) if e.exists() else None
    return found


@contextlib.contextmanager
def board(tmp, fault="good", hook=None, **kw):
    changes = kw.pop("changes", {})
    b = Board(pathlib.Path(tmp) / f"board-{kw.get('name', fault)}", fault, **kw)
    b.campaign.write_text(b.campaign_text(**changes))
    b.hook = hook
    b.start()
    try:
        yield b
    finally:
        b.close()


def is_whole(tmp, folder):
    """The folder is complete, and its captures are read again."""
    code, out, err = run(tmp, "evidence", "check", folder)
    assert code == 0, (code, out, err)
    code, out, err = run(tmp, "lab", "phases", folder, *PATTERNS)
    assert code in (0, 3), (code, out, err)
