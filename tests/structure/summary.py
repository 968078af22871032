#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The summary of a test run: what is counted, which skips fail it, and that a failure says why, within bounds."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]


def log_of(tests):
    """A log of Meson's; a test is (name, result, stdout[, stderr[, returncode]])."""
    return "".join(json.dumps({"name": f"p:unit+threads / {t[0]}", "result": t[1], "stdout": t[2],
                               "returncode": t[4] if len(t) > 4 else 1,
                               **({"stderr": t[3]} if len(t) > 3 else {})}) + "\n" for t in tests)


def for_again(tests):
    """What is tried again after these tests."""
    with tempfile.NamedTemporaryFile("w", prefix="testlog-") as log:
        log.write(log_of(tests))
        log.flush()
        return subprocess.run([sys.executable, TOOL, "--again", log.name], check=True, capture_output=True, text=True).stdout.split()


def summary(tests, allowed="", strict=False, again=()):
    """(exit status, lines) for these tests of a stage and those that were tried again."""
    with tempfile.TemporaryDirectory(prefix="nf-summary-") as tmp:
        log, skips = pathlib.Path(tmp) / "testlog-gcc.json", pathlib.Path(tmp) / "skips"
        skips.write_text(allowed)
        log.write_text(log_of(tests))
        if again:
            log.with_name("again-gcc.json").write_text(log_of(again))
        env = {k: v for k, v in os.environ.items() if k != "NF_STRICT_SKIPS"}
        if strict:
            env["NF_STRICT_SKIPS"] = "1"
        done = subprocess.run([sys.executable, TOOL, skips, f"gcc={log}"], env=env, capture_output=True, text=True)
        assert done.stderr == "", done.stderr
        return done.returncode, done.stdout.splitlines()


def after(lines, name):
    """What follows a failure, up to the next one or the last line."""
    at = next(i for i, x in enumerate(lines) if x.endswith("/ " + name) and "FAILED: " in x)
    end = next(i for i in range(at + 1, len(lines)) if "FAILED: " in lines[i] or i == len(lines) - 1)
    return [x.strip() for x in lines[at + 1:end]]


GOOD = ("good", "OK", "1..2\nok 1 - a\nok 2 - b\n")

code, lines = summary([GOOD, ("plain", "OK", "")])
assert code == 0 and lines[-1] == "3 passed, 0 failed, 0 skipped", lines

# The case that failed and what it said; neither those that passed nor those that were skipped.
tap = ("1..4\nok 1 - fine\nnot ok 2 - it_breaks\n# 3 != 4\n# test.c:7: error: Failure!\nok 3 - fine_too\n# chatter\n"
       "ok 4 - left_out # SKIP\n# SKIP x: y\n")
code, lines = summary([GOOD, ("breaks", "FAIL", tap)])
assert code == 1 and lines[-1] == "4 passed, 1 failed, 1 skipped", lines
assert after(lines, "breaks") == ["fail, exit status 1", "not ok 2 - it_breaks", "# 3 != 4", "# test.c:7: error: Failure!"], lines

# What a sanitizer says is on the other stream.
code, lines = summary([("asan", "FAIL", "1..1\n" + "chatter\n" * 50, "==7==ERROR: AddressSanitizer: overflow\n#0 in f\n")])
assert after(lines, "asan")[1:] == ["==7==ERROR: AddressSanitizer: overflow", "#0 in f"], lines

trace = "Traceback (most recent call last):\n  File x\nAssertionError: 3 of 4\n"
code, lines = summary([("python", "FAIL", "ok 1 - a\n1..1\n", trace)])
assert "AssertionError: 3 of 4" in after(lines, "python"), lines

# Nothing of that: the last lines. A test that was ended in the middle says that.
code, lines = summary([("hangs", "TIMEOUT", "".join(f"line {i}\n" for i in range(100)))])
assert after(lines, "hangs") == ["timeout, exit status 1", *(f"line {i}" for i in range(88, 100))], lines
code, lines = summary([("mute", "FAIL", "")])
assert after(lines, "mute") == ["fail, exit status 1"], lines

# However much there is to say.
code, lines = summary([(f"t{i}", "FAIL", "not ok 1 - x " + "y" * 5000 + "\n" + "# z\n" * 1000) for i in range(30)])
assert lines[-1] == "0 passed, 30 failed, 0 skipped" and len(lines) < 30 + 20 * 13 + 10, len(lines)
assert max(map(len, lines)) < 250 and after(lines, "t25") == [], lines

# Skips.
skipped = ("s", "SKIP", "# SKIP rare-cpu: there is none\n")
assert summary([GOOD, skipped], strict=True)[0] == 1
assert summary([GOOD, skipped], "rare-cpu why\n", strict=True)[0] == 0
assert summary([GOOD, skipped], "rare-cpu@clang why\n", strict=True)[0] == 1
assert summary([GOOD, skipped])[0] == 0
assert summary([])[0] == 1

# The second try. What passes then is named, a few are forgiven, and what failed twice has failed.
shaky = ("shaky", "FAIL", "1..2\nok 1 - a\nnot ok 2 - it_waits\n# too late\n")
steady = ("shaky", "OK", "1..2\nok 1 - a\nok 2 - it_waits\n")
code, lines = summary([GOOD, shaky], again=[steady])
assert code == 0 and lines[-1] == "4 passed, 0 failed, 0 skipped", lines
at = next(i for i, x in enumerate(lines) if "UNSTABLE" in x and x.endswith("/ shaky"))
assert [x.strip() for x in lines[at + 1:at + 4]] == ["fail, exit status 1", "not ok 2 - it_waits", "# too late"], lines
assert summary([GOOD, shaky], again=[shaky])[0] == 1
assert summary([GOOD, shaky], again=[("other", "OK", "")])[0] == 1
assert summary([GOOD, shaky], again=[("shaky", "SKIP", "# SKIP x: y\n")])[0] == 1
several = [(f"t{i}", "TIMEOUT", "") for i in range(4)]
passing = [(f"t{i}", "OK", "") for i in range(4)]
assert summary(several[:3], again=passing[:3])[0] == 0
assert summary(several, again=passing)[0] == 1

assert for_again([GOOD, shaky, ("left-out", "SKIP", "")]) == ["shaky"]
assert for_again(several[:3]) == ["t0", "t1", "t2"]
assert for_again(several) == []
for stream in ("==1==ERROR: AddressSanitizer: overflow", "WARNING: ThreadSanitizer: data race", "a.c:1:2: runtime error: shift",
               "==12== Invalid read of size 4", "==12== 24 bytes in 1 blocks are definitely lost in loss record 1 of 1",
               "==12== ERROR SUMMARY: 3 errors from 1 contexts"):
    assert for_again([shaky, ("reports", "FAIL", "", f"x\n{stream}\n")]) == [], stream
for said in ("==12== ERROR SUMMARY: 0 errors from 0 contexts", "==12== Warning: set address range perms: large range", "==12==    at 0x1"):
    assert for_again([shaky, ("clean", "FAIL", "", said + "\n")]) == ["shaky", "clean"], said
assert for_again([shaky, ("crashes", "FAIL", "", "", -11)]) == []
assert for_again([shaky, ("ended", "FAIL", "", "", -9)]) == ["shaky", "ended"]
print("a failure says why")
