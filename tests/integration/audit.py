#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""audit: `audit run` on programs with marked regions of every kind, and on the examples.

    audit.py SUBJECT PRINTING QUIET"""
import json
import os
import pathlib
import pty
import resource
import signal
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
SUBJECT, PRINTING, QUIET = (os.path.abspath(a) for a in sys.argv[1:])
# Looking for leaks needs ptrace(), which a tracer has already.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
BYTES = 520  # 20 lines of 26 bytes
n_ok = 0


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


def audit(folder, *command, code, options=(), **kw):
    """The record; the command's output is on standard error."""
    kw.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run([BIN, "--json", "--runs", folder, "audit", "run", *options, "--", *command],
                          capture_output=True, text=True, errors="replace", timeout=120, **kw)
    assert done.returncode == code, (command, options, done.returncode, done.stderr[-600:], done.stdout[-2000:])
    record = json.loads(done.stdout)
    check_figures(record)
    return record


def check_figures(record):
    """What is derived follows from what was measured."""
    empty = record["empty"]
    for r in record["regions"]:
        s = r["sums"]
        less = lambda key: max(0, s[key] - s["ended"] * empty[key] / empty["ended"]) if empty["ended"] else s[key]
        printed = s["io"]["wchar"] + s["buffered_bytes"] - s["flushed_bytes"]
        assert r["console_bytes"] == max(printed, s["io"]["wchar"]) + s["others_wchar"], r
        assert abs(r["console_ns"] - r["console_bytes"] * 10e9 / record["baud"]) < 1, r
        assert abs(r["net_ns"] - less("wall_ns")) < 1, r
        if r["net_ns"] > 0:
            assert abs(r["console_ratio"] - r["console_ns"] / r["net_ns"]) <= 1e-9 * r["console_ratio"], r
            assert abs(r["overhead_ratio"] - s["audit_ns"] / r["net_ns"]) <= 1e-9 * r["overhead_ratio"], r
        if s["ended"]:
            assert s["min_ns"] <= s["max_ns"] and s["wall_ns"] <= s["ended"] * s["max_ns"], r
    assert record["findings"] == sum(r["has_io"] for r in record["regions"])
    # A region with nothing in it has no I/O: the audit's own reads are taken out exactly.
    assert not any(empty["io"].values()) and empty["ended"] == empty["entered"] == 64 * record["processes"], empty


def region(record, name):
    found = [r for r in record["regions"] if r["name"] == name]
    assert len(found) == 1, (name, [r["name"] for r in record["regions"]])
    return found[0]


def calls(record, name, others=False):
    """{call: (calls, bytes, target kind)} of a region; I/O only."""
    return {c["call"]: (c["calls"], c["bytes"], c["target_kind"]) for c in record["trace"]["calls"]
            if c["region"] == name and c["others"] == others and c["is_io"]}


def in_terminal(folder, *args):
    """Exit status and text of a run whose three standard files are a pseudo-terminal."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execv(BIN, [BIN, *args])
    out = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out.decode().replace("\r\n", "\n")


def examples(folder):
    r = audit(folder, PRINTING, code=1)
    step = region(r, "step")
    # stdio keeps lines that go to no terminal: the printf is found all the same.
    assert step["sums"]["with_io"] == step["sums"]["ended"] == 20 and step["sums"]["first_io"] == 1
    assert step["sums"]["buffered_bytes"] == BYTES and step["sums"]["io"]["wchar"] == 0
    assert step["console_bytes"] == BYTES and abs(step["console_ns"] - BYTES * 10e9 / 115200) < 1
    assert any("written later" in w for w in step["warnings"])
    ok("a printf in a timed region is found and priced at 115200 baud, though its write is elsewhere")

    r = audit(folder, PRINTING, code=1, options=["--syscalls", "--baud", "9600"])
    assert abs(region(r, "step")["console_ns"] - BYTES * 10e9 / 9600) < 1
    assert "write" not in calls(r, "step")
    assert calls(r, None)["write"][1] > BYTES, r["trace"]
    ok("the trace shows that it was written outside of all regions")

    r = audit(folder, QUIET, code=0, options=["--syscalls"])
    assert r["findings"] == 0 and r["complete"] and not calls(r, "step"), r
    assert region(r, "step")["sums"]["ended"] == 20 and not region(r, "step")["console_bytes"]
    ok("the clean program is clean, exit 0")

    code, text = in_terminal(folder, "audit", "run", "--syscalls", "--", PRINTING)
    assert code == 1, (code, text)
    report = text[text.rindex("\nstep\n"):]
    assert f"{BYTES} bytes written in 20 calls" in report, report
    assert f"{BYTES} bytes at 115200 baud are 45.1 ms" in report and "times the region" in report
    assert f"write 20 times, {BYTES} bytes to a terminal /dev/pts/" in report.replace("\n           ", " "), report
    assert "if they went to a console" not in report and "I/O in 1 of 1 region" in report
    assert max(len(line) for line in report.splitlines() if "folder" not in line) <= 80
    ok("on a terminal the writes are in the region, and the trace names where they went")

    code, text = in_terminal(folder, "audit", "run", "--", QUIET)
    assert code == 0 and "No I/O in 1 region" in text, (code, text)
    ok("and the clean one is clean there")


def kinds(folder):
    r = audit(folder, SUBJECT, "nested", code=1, options=["--syscalls"])
    assert region(r, "outer")["sums"]["io"]["wchar"] == 10 and region(r, "outer")["sums"]["io"]["syscw"] == 2
    assert region(r, "inner")["sums"]["io"]["wchar"] == 4 and region(r, "inner")["sums"]["io"]["syscr"] == 0
    assert region(r, "outer")["sums"]["io"]["rchar"] == 0, "the audit's own reads in the inner one"
    assert not region(r, "none")["has_io"] and r["complete"] and r["findings"] == 2
    assert calls(r, "outer")["write"][:2] == (2, 10) and calls(r, "inner")["write"][:2] == (1, 4)
    assert [x["name"] for x in r["regions"]] == ["outer", "inner", "none"]
    ok("what is in an inner region is in the outer one too; the most expensive comes first")

    r = audit(folder, SUBJECT, "threads", code=1, options=["--syscalls"])
    assert region(r, "thread 0")["sums"]["io"]["wchar"] == 500 and region(r, "shared")["sums"]["ended"] == 200
    for i in 1, 2, 3:
        assert region(r, f"thread {i}")["sums"]["io"]["wchar"] == 0
        assert region(r, f"thread {i}")["sums"]["ended"] == 50
    assert calls(r, "thread 0")["write"][:2] == (50, 500) and not calls(r, "thread 1")
    assert r["complete"] and r["stray_ends"] == 0
    ok("a region is its thread's")

    r = audit(folder, SUBJECT, "helper", code=1, options=["--syscalls"])
    s = region(r, "helped")["sums"]
    assert s["io"]["wchar"] == 0 and s["others_wchar"] == 13 and s["others_syscw"] == 1, s
    assert calls(r, "helped", others=True)["write"][:2] == (1, 13)
    ok("what a helper thread writes meanwhile is told as that of others")

    r = audit(folder, SUBJECT, "forks", code=1, options=["--syscalls"])
    s = region(r, "forking")["sums"]
    assert s["entered"] == s["ended"] == 1 and s["others_wchar"] == 5 and s["io"]["wchar"] == 0, s
    assert r["processes"] == 2 and r["stray_ends"] == 1 and not r["complete"]
    assert region(r, "of the child")["sums"]["ended"] == 1 and not region(r, "of the child")["has_io"]
    assert calls(r, "forking", others=True)["write"][:2] == (1, 5)
    ok("a child does not end its parent's region, and what it wrote before it was waited for is in it")

    r = audit(folder, SUBJECT, "elsewhere", code=3)
    assert r["stray_ends"] == 1 and region(r, "elsewhere")["sums"]["ended"] == 0 and not r["complete"]
    ok("a region that another thread ends is not measured, and not called clean")

    r = audit(folder, SUBJECT, "jumps", code=3)
    s = region(r, "jumped out of")["sums"]
    assert (s["entered"], s["abandoned"], s["ended"]) == (6, 5, 1), s
    assert region(r, "jumped out of, inside")["sums"]["abandoned"] == 6
    ok("regions that were jumped out of are counted, and not called clean")

    r = audit(folder, SUBJECT, "many", code=0)
    assert region(r, "often")["sums"]["ended"] == 20000 and region(r, "often")["sums"]["io"]["syscr"] == 0
    assert any("over 10 %" in w for w in region(r, "often")["warnings"])
    ok("twenty thousand short regions are counted in the same memory, and their overhead is warned of")

    r = audit(folder, SUBJECT, "names", code=3)
    assert len(r["regions"]) == 512 and r["lost"] == 88 and r["stray_ends"] == 0 and not r["complete"]
    assert all(len(x["name"].encode()) <= 100 for x in r["regions"])
    ok("more names than there is room for are lost and told")

    r = audit(folder, SUBJECT, "deep", code=3)
    assert r["too_deep"] == 4 and not r["complete"]
    assert r["stray_ends"] == 0 and sum(x["sums"]["ended"] for x in r["regions"]) == 16
    ok("regions nested too deep are told")

    r = audit(folder, SUBJECT, "buffered", code=1, options=["--syscalls"])
    assert region(r, "prints")["sums"]["buffered_bytes"] == 30 and region(r, "prints")["sums"]["io"]["wchar"] == 0
    s = region(r, "flushes")["sums"]
    assert s["io"]["wchar"] == 30 and s["flushed_bytes"] == 30
    assert region(r, "flushes")["console_bytes"] == region(r, "prints")["console_bytes"] == 30
    assert calls(r, "flushes")["write"][1] == 30 and not calls(r, "prints")
    ok("a print in one region that another one's flush writes is told in both")

    r = audit(folder, SUBJECT, "reads", code=1)
    s = region(r, "reads")
    assert s["sums"]["io"]["rchar"] == 10 and s["sums"]["io"]["syscr"] == 1 and s["console_bytes"] == 0
    ok("a read is I/O that costs a console nothing")

    r = audit(folder, SUBJECT, "sends", code=1, options=["--syscalls"])
    assert calls(r, "sends")["sendto"] == (1, 10, "socket") and not region(r, "sends")["sums"]["with_io"]
    ok("what /proc does not count is found by the trace")

    r = audit(folder, SUBJECT, "closed", code=1)
    assert region(r, "after")["sums"]["io"]["wchar"] == 5 and region(r, "after")["complete"]
    ok("a program may close every file, and open others in their place")

    r = audit(folder, SUBJECT, "errno", code=0)
    ok("errno is kept")


def ends(folder):
    r = audit(folder, SUBJECT, "killed", code=5)
    assert os.WIFSIGNALED(r["wait_status"]) and os.WTERMSIG(r["wait_status"]) == signal.SIGKILL
    assert region(r, "done")["sums"]["io"]["wchar"] == 4 and not region(r, "killed in")["complete"]
    ok("what a killed program measured is kept, exit 5")

    r = audit(folder, SUBJECT, "fails", code=5)
    assert region(r, "outer")["has_io"] and "status 3" in r["head"]["reason"]
    audit(folder, SUBJECT, "fails", code=1, options=["--any-status"])
    ok("a program that fails: exit 5, with what it measured; 1 under --any-status")

    r = audit(folder, "true", code=3)
    assert not r["regions"] and r["head"]["result"] == "blocked" and "no region" in r["head"]["reason"]
    ok("a program without a region is not called clean, exit 3")

    for options in [], ["--syscalls"]:
        r = audit(folder, SUBJECT, "daemons", code=0, options=options)
        assert region(r, "often")["sums"]["ended"] == 20000
    ok("what leaves the group does not hold either execution")

    for signo, code in (signal.SIGINT, 130), (signal.SIGTERM, 143):
        for options, said in ([], "waits"), (["--syscalls"], "waits"):
            with subprocess.Popen([BIN, "--json", "--runs", folder, "audit", "run", *options, "--", SUBJECT, "waits"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as p:
                assert p.stderr.read(5) == said.encode()
                time.sleep(0.1)
                p.send_signal(signo)
                out, err = p.communicate(timeout=60)
            assert p.returncode == code, (p.returncode, err)
            r = json.loads(out)
            assert region(r, "before")["sums"]["io"]["wchar"] == 5 and r["head"]["state"] == "partial"
    ok("a signal ends the command and keeps what there is")

    with tempfile.NamedTemporaryFile() as f:
        f.write(b"a line\n")
        f.flush()
        for options, times in ([], 1), (["--syscalls"], 2):
            done = subprocess.run([BIN, "--runs", folder, "audit", "run", *options, "--", "cat"], stdin=open(f.name),
                                  capture_output=True, text=True)
            assert done.returncode == 3 and done.stdout.count("a line\n") == times, done
    ok("a file as standard input is read from where it began in each execution")


def checks(folder):
    found = sorted(pathlib.Path(folder).iterdir())
    runs = [p for p in found if (p / "record.json").exists()]
    assert len(runs) > 20
    done = subprocess.run([BIN, "evidence", "check", *runs], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stdout[-2000:]  # 3: partial runs of the signals
    assert "damaged" not in done.stdout, done.stdout
    ok("every run folder holds")


# Core files of what is killed here are of no use.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
with tempfile.TemporaryDirectory() as tmp:
    examples(tmp)
    kinds(tmp)
    ends(tmp)
    checks(tmp)
print(f"1..{n_ok}")
