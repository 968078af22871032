#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""evidence_operands: what commands say of operands that are no regular file, of runs that are not what was
committed, and of one run given twice. TAP."""
import json
import os
import pathlib
import pty
import shutil
import socket
import subprocess
import sys
import tempfile

BIN = os.environ["NF_BIN"]
DEADLINE_S = 60  # a command that waits for a FIFO waits for ever; no claim about time

# A FIFO, a folder and a socket for {odd}: exit 2 and one line. What allows a folder leaves it out.
ODD = [
    ("evidence check {odd}", "fifo socket"),
    ("evidence show {odd}", "fifo socket"),
    ("evidence hash {odd}", "fifo socket"),
    ("evidence convert --to json {odd}", "fifo socket folder"),
    ("evidence convert --to csv {odd}", "fifo socket folder"),
    ("evidence diff {run} {odd}", "fifo socket folder"),
    ("evidence compare {odd}", "fifo socket folder"),
    ("evidence project {odd}", "fifo socket folder"),
    ("evidence redact {odd} -o made", "fifo socket folder"),
    ("evidence verify {odd} -a {text}", "fifo socket folder"),
    ("evidence verify {run} -a {odd}", "fifo socket folder"),
    ("evidence sign {run} -k {odd}", "fifo socket folder"),
    ("posture --check {odd}", "fifo socket folder"),
    ("wake --budget {odd} -d 1s", "fifo socket folder"),
    ("stats {odd}", "fifo socket"),
    ("samples {odd}", "fifo socket folder"),
]


def run(line, at, **kw):
    p = subprocess.run([BIN] + line.split(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                       errors="replace", timeout=DEADLINE_S, start_new_session=True,
                       env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(at),
                            "NOISEFLOOR_RUN_DIR": str(at / "journal")}, cwd=at, **kw)
    return p.returncode, p.stdout, p.stderr


def refused(answer, *words, code=2):
    assert answer[0] == code, answer
    assert answer[1] == "", answer
    assert answer[2].count("\n") == 1, answer
    for w in words:
        assert w in answer[2], (w, answer)


def copied(at, run_folder, name):
    to = at / name
    shutil.copytree(run_folder, to)
    return to


def altered(at, run_folder):
    to = copied(at, run_folder, "altered")
    record = to / "record.json"
    record.write_text(record.read_text().replace('"tag": "one"', '"tag": "won"', 1))
    return to


def damaged_runs(at, one, two):
    bad = altered(at, one)
    for operand in (bad, bad / "record.json"):
        refused(run(f"evidence compare {operand} {two}", at), str(operand), "record.json", "MANIFEST")
    for line in (f"evidence convert --to json {bad}", f"evidence convert --to csv {bad}"):
        code, out, err = run(line, at)
        assert code == 0 and out and "warning: " in err and "damaged" in err, (code, err)
    code, out, err = run(f"evidence diff {bad} {two}", at)
    assert code == 1 and out and err.count("is damaged") == 1, (code, err)
    for how in ("not a manifest\n", ""):
        (bad / "MANIFEST").write_text(how)
        refused(run(f"evidence compare {bad} {two}", at), "MANIFEST")
    (bad / "MANIFEST").unlink()
    os.mkfifo(bad / "MANIFEST")
    refused(run(f"evidence compare {bad} {two}", at), "MANIFEST")
    (bad / "record.json").unlink()
    os.mkfifo(bad / "record.json")
    refused(run(f"evidence compare {bad} {two}", at), "FIFO")
    refused(run(f"evidence convert --to json {bad}", at), "FIFO")


def uncommitted_runs(at, one, two):
    open_run = copied(at, one, "open")
    (open_run / "MANIFEST").unlink()
    code, out, err = run(f"--strict evidence compare --by tag {open_run} {two}", at)
    assert code == 3 and "run-incomplete" in out and str(open_run) in out, (code, out, err)
    code, out, err = run(f"evidence convert --to json {open_run}", at)
    assert code == 0 and "partial" in err, (code, err)
    code, out, err = run(f"evidence compare --by tag {one} {two}", at)
    assert code == 0 and "run-incomplete" not in out and err == "", (code, out, err)
    # A record by itself: nothing says what it was.
    shutil.copy(one / "record.json", at / "alone.json")
    code, out, err = run(f"evidence compare --by tag {at}/alone.json {two}", at)
    assert code == 0 and "run-incomplete" not in out, (code, out, err)


def one_run_twice(at, one, two):
    shutil.copy(one / "record.json", at / "copy.json")
    for again in (one, one / "record.json", one / "record.dhall", at / "copy.json"):
        refused(run(f"evidence compare --by tag {one} {again} {two}", at), str(again), str(one))
    (at / "capture.txt").write_text("-- SMI Activity --\nSMI count: 3 in 10s\n")
    shutil.copy(at / "capture.txt", at / "again.txt")
    refused(run(f"evidence compare {at}/capture.txt {at}/again.txt", at), "again.txt")


def odd_operands(at, one, two):
    odd = {"fifo": at / "fifo", "socket": at / "socket", "folder": at / "folder"}
    os.mkfifo(odd["fifo"])
    odd["folder"].mkdir()
    (at / "text").write_text("x\n")
    (at / "loop").symlink_to("loop")
    for line in ("evidence hash loop", "evidence show loop", "evidence compare loop", "evidence check loop"):
        refused(run(line, at), "loop")
    with socket.socket(socket.AF_UNIX) as s:
        os.chdir(at)
        s.bind("socket")
        for line, kinds in ODD:
            for kind in kinds.split():
                answer = run(line.format(odd=odd[kind], run=one, text=at / "text"), at)
                try:
                    refused(answer, str(odd[kind]))
                except AssertionError as e:
                    raise AssertionError(f"{line} of a {kind}: {e}") from e


def odd_signatures(at, one, two):
    signers = at / "signers"
    signers.write_text("nobody@example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDnotAKey\n")
    signed = copied(at, one, "signed")
    (signed / "derived").mkdir(exist_ok=True)
    signature = signed / "derived" / "MANIFEST.sig"
    for make in (os.mkfifo, pathlib.Path.mkdir, lambda p: p.symlink_to("elsewhere")):
        make(signature)
        code, out, err = run(f"evidence verify {signed} -a {signers}", at)
        assert code == 1 and "no plain file" in out, (code, out, err)
        if signature.is_dir() and not signature.is_symlink():
            signature.rmdir()
        else:
            signature.unlink()


def keys_that_cannot_sign(at, one, two):
    if not shutil.which("ssh-keygen"):
        return "ssh-keygen: it is not installed"
    for name, phrase in (("open", ""), ("locked", "a passphrase")):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-C", "", "-f", at / name], check=True)
    os.chmod(at / "open", 0o644)
    target = copied(at, one, "unsigned")
    refused(run(f"evidence sign {target} -k {at}/open", at), "chmod 600")
    refused(run(f"evidence sign {target} -k {at}/locked", at), "passphrase", "ssh-agent")
    assert not (target / "derived" / "MANIFEST.sig").exists()


def on_a_terminal(line, at):
    """What a terminal would get."""
    ours, theirs = pty.openpty()
    p = subprocess.Popen([BIN] + line.split(), stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, cwd=at,
                         env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(at)}, start_new_session=True)
    os.close(theirs)
    got = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # EIO: the other end is closed
            break
        if not part:
            break
        got += part
    os.close(ours)
    p.wait(timeout=DEADLINE_S)
    return got.decode(errors="surrogateescape").replace("\r\n", "\n")


HOSTILE = "\x1b]0;x\x07\u0085\u202eevil"


def harmless(text, tabs=False):
    bad = [c for c in text if (ord(c) < 0x20 and c != "\n" and not (tabs and c == "\t")) or 0x7f <= ord(c) < 0xa0
           or 0x202a <= ord(c) <= 0x202e or 0xdc80 <= ord(c) <= 0xdcff]
    assert not bad, (bad, text[:2000])


def escapes_in_texts(at, one, two):
    record = json.loads((one / "record.json").read_text())
    record["head"]["tag"] = HOSTILE
    record["head"]["host"]["label"] = HOSTILE
    bad, dhall = at / f"bad{HOSTILE[1:3]}.json", at / "bad.dhall"
    bad.write_text(json.dumps(record, ensure_ascii=False))
    for by in ("tag", "host"):
        for line in (f"evidence compare --by {by} bad]0.json {two}", f"evidence compare --by {by} --csv groups bad]0.json {two}",
                     f"evidence compare --by {by} --csv values bad]0.json {two}",
                     f"--json evidence compare --by {by} bad]0.json {two}"):
            shown = on_a_terminal(line, at)
            assert "evil" in shown, (line, shown[:500])
            harmless(shown)
    for form in ("dhall", "csv", "junit"):
        shown = on_a_terminal(f"evidence convert --to {form} bad]0.json", at)
        assert "evil" in shown, (form, shown[:500])
        harmless(shown)
    # To a file it is the data: CSV as it is, JSON and Dhall as what reads back the same.
    code, out, err = run("evidence convert --to csv bad]0.json", at)
    assert code == 0 and HOSTILE in out, (code, err)
    code, out, err = run(f"--json evidence compare --by tag bad]0.json {two}", at)
    assert code == 0 and HOSTILE in json.loads(out)["groups"] and "\u202e" not in out, (code, err)
    code, out, err = run("evidence convert --to dhall bad]0.json", at)
    assert code == 0 and "\u202e" not in out and "\\u202E" in out, (code, err)
    dhall.write_text(out)
    code, out, err = run("evidence convert --to json bad.dhall", at)
    assert code == 0 and json.loads(out)["head"]["tag"] == HOSTILE, (code, err)
    name = "cap\x1b[31m\u202e.txt"
    (at / name).write_text("series_tag: x\u202ey\n-- SMI Activity --\nSMI count: 3 in 10s\n")
    for line in (f"evidence project --trace {name}", f"evidence project {name}", f"evidence compare {name}",
                 f"evidence project --to csv {name}", f"--json evidence project {name}",
                 f"evidence compare --csv values {name}"):
        harmless(on_a_terminal(line, at), tabs=True)


CASES = [escapes_in_texts, damaged_runs, uncommitted_runs, one_run_twice, odd_operands, odd_signatures, keys_that_cannot_sign]


def main():
    failed = False
    print(f"1..{len(CASES)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="nf-operands-") as tmp:
        tmp = pathlib.Path(tmp)
        runs = []
        for tag in ("one", "two"):
            folder = tmp / f"runs-{tag}"
            code, _, err = run(f"--quiet --runs {folder} fwq -t 1 -n 2000 --quantum 10us --tag {tag}", tmp)
            assert code in (0, 1), (code, err)
            runs.append(next(folder.iterdir()))
        for n, case in enumerate(CASES, 1):
            at = tmp / case.__name__
            at.mkdir()
            name = case.__name__.replace("_", " ")
            try:
                skip = case(at, *runs)
                print(f"ok {n} - {name}" + (f" # SKIP {skip}" if skip else ""), flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as e:
                failed = True
                print(f"not ok {n} - {name}\n# " + str(e).replace("\n", "\n# "), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
