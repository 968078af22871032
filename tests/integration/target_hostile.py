#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--target against machines that mean harm. The "ssh" that is first in PATH runs the commands here, with the target's tools
(uname, sha256sum, tar ...) first in its own PATH: what they print, the target says. Each answer ends in one printable line,
within bounds, with nothing executed, nothing left and nothing overwritten."""
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

import kernel_builds as kb

BIN = os.environ["NF_BIN"]
TRIVIAL = ["--target-binary", pathlib.Path(BIN).parent / "noisefloor-trivial"]  # small, static, ends at once
SHORT = ["clock", "-d", "50ms"]
RUNNER = "exec 3<"  # in the command that runs the program, and in no other
LIMIT_S = 120  # far beyond what anything here may take; no claim about time


class Place:
    """A folder with a fake ssh, a fake target, and runs/."""

    def __init__(self, ssh=None):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="nf-target-"))
        self.bin, self.tools, self.there = (self.dir / n for n in ("bin", "tools", "there"))
        for d in (self.bin, self.tools, self.there):
            d.mkdir()
        self.runs = self.dir / "runs"
        self.started = []
        (self.dir / "cwd").mkdir()
        self.write(self.bin / "ssh", ssh or 'exec sh -c "$cmd"')
        self.env = {"PATH": f"{self.bin}:{os.environ['PATH']}", "LC_ALL": "C", "HOME": str(self.dir)}

    def write(self, path, body):
        path.write_text(f"""#!/bin/sh
for cmd; do :; done
real() {{ p=$1; shift; PATH='{os.environ["PATH"]}' "$p" "$@"; }}
echo "$*" >>'{self.dir}/{path.name}.log'
[ {path.name} != ssh ] || export PATH='{self.tools}':"$PATH" TMPDIR='{self.there}'
{body}
""")
        path.chmod(0o755)

    def tool(self, name, body):
        self.write(self.tools / name, body)
        return self

    def calls(self, name):
        log = self.dir / f"{name}.log"
        return log.read_text() if log.exists() else ""

    def start(self, *words, target="who@box", options=()):
        self.started.append(subprocess.Popen(
            [BIN, "--runs", self.runs, "--target", target, *options, *words], env=self.env, cwd=self.dir / "cwd",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True))
        return self.started[-1]

    def run(self, *words, **kw):
        p = self.start(*(words or SHORT), **kw)
        try:
            out, err = p.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            raise
        return p.returncode, out, err

    def folders(self):
        return sorted(p.name for p in self.runs.iterdir()) if self.runs.exists() else []

    def left(self):
        """What is left on the target, waited for: it cleans up by itself."""
        end = time.monotonic() + LIMIT_S
        while any(self.there.iterdir()) and time.monotonic() < end:
            time.sleep(0.05)
        return sorted(p.name for p in self.there.iterdir())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for p in self.started:
            if p.poll() is None:
                p.kill()
                p.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


def plain(data):
    """Nothing in it that a terminal obeys."""
    return not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", data)


def refused(p, result, code, *words, run=False):
    """One line with these words, the exit code, nothing kept, nothing left, nothing run (unless it was to)."""
    rc, out, err = result
    text = err.decode("utf-8", "replace")
    assert rc == code, (rc, text)
    assert out == b"" and plain(err), (out[:200], err)
    assert text.count("\n") == 1 and len(text) < 700, text
    for w in words:
        assert w in text, (w, text)
    assert p.folders() == [], p.folders()
    assert not any((p.dir / "cwd").iterdir()) and not list(p.dir.glob("touched*"))
    assert p.left() == [], p.left()
    if not run:
        assert RUNNER not in p.calls("ssh"), "the program was run"


def good_run():
    with Place() as p:
        rc, out, err = p.run("clock", "-d", "50ms", "--tag", "far")
        assert (rc, err) == (0, b""), (rc, err)
        (name,) = p.folders()
        assert name.endswith("-far") and f"{p.runs}/{name}".encode() in out
        record = (p.runs / name / "record.json").read_text()
        assert '"reached": "ssh who@box, as ' in record
        done = subprocess.run([BIN, "evidence", "check", p.runs], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert p.left() == []
        rc, out, err = p.run("clock", "-d", "50ms", "--tag", "far", options=["--json"])
        assert rc == 0 and out == (p.runs / p.folders()[1] / "record.json").read_bytes()


def text_and_options():
    with Place() as p:
        (p.dir / "limits").write_text("max_detour = 1ns\n")
        rc, out, err = p.run("posture")
        assert rc == 0 and b"kernel_release" in out and p.folders() == []
        rc, out, err = p.run("detour", "-d", "50ms", "--budget", p.dir / "limits")
        assert rc in (1, 3), (rc, err)  # held to the file's limit
        assert b"1ns" in out or b"1.00 ns" in out or b"limit" in out
        rc, out, err = p.run("wake", "-d", "50ms", "--cpus", "4000")
        assert rc == 2 and b"who@box: --cpus" in err and err.count(b"\n") == 1, err
        rc, out, err = p.run("fwq", "-n", "10", "-o", "file")
        assert rc == 2 and b"--output" in err
        rc, out, err = p.run("bench", "list")
        assert rc == 2 and b"--target: no meaning" in err
        assert p.left() == []


def names():
    for bad in ("$(touch touched)", "u@$(touch touched)", "-oProxyCommand=touch touched", "u@-oProxyCommand=x",
                "u@box;touch touched", "u@bo\x1b[2Jx", "`touch touched`@box", "u@box\ntouch touched", ""):
        with Place() as p:
            rc, out, err = p.run(*SHORT, target=bad)
            assert rc == 2 and err.count(b"\n") == 1 and plain(err) and b"--target" in err, (bad, err)
            assert p.calls("ssh") == "" and not any((p.dir / "cwd").iterdir()), bad


ESC = "\\033[2J\\033]0;touch touched\\007"


def uname():
    for body, *words in ((f"printf '{ESC}x86_64\\n'", "no text"),
                         ("echo '$(id)'", "its architecture is"),
                         ("echo 'x86_64;id'", "its architecture is"),
                         ("echo riscv64", "'riscv64'; supported: x86_64, aarch64"),
                         ("exit 1", "its architecture is ''; supported")):
        with Place() as p:
            p.tool("uname", body)
            rc, out, err = p.run(options=TRIVIAL)
            refused(p, (rc, out, err), 3 if "architecture" in words[0] or "supported" in words[0] else 5, *words)


def long_answers():
    for answer in ("head -c 100000000 /dev/zero | tr '\\0' x", "yes x | tr -d '\\n'"):
        with Place(ssh=f"echo \"$cmd\" | grep -o '@nf-[0-9a-f]*'; {answer}") as p:
            refused(p, p.run(options=TRIVIAL), 5, "too long")


def motd():
    with Place(ssh=f"printf 'Welcome {ESC}\\n'; printf '{ESC}\\n' >&2; exec sh -c \"$cmd\"") as p:
        rc, out, err = p.run()
        assert rc == 0 and plain(out) and plain(err), (rc, err)
        assert len(p.folders()) == 1 and p.left() == []
    with Place(ssh="exec yes") as p:
        refused(p, p.run(options=TRIVIAL), 5, "before it answers")
    with Place(ssh=f"printf 'banner\\n{ESC}denied\\n' >&2; exit 255") as p:
        refused(p, p.run(options=TRIVIAL), 5, "not reached", "denied")


def digest():
    for body in ("echo 0000000000000000000000000000000000000000000000000000000000000000  noisefloor", "exit 0",
                 f"printf '{ESC}\\n'"):
        with Place() as p:
            refused(p, p.tool("sha256sum", body).run(options=TRIVIAL), 5, "SHA-256", "not run")
    with Place() as p:
        refused(p, p.tool("sha256sum", "exec yes").run(options=TRIVIAL), 5, "more than it may")


def entry(name, data=b"", **kw):
    t = tarfile.TarInfo(name)
    t.size = len(data)
    for k, v in kw.items():
        setattr(t, k, v)
    return t, data


def stream(*entries):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as f:
        for t, data in entries:
            f.addfile(t, io.BytesIO(data))
    return out.getvalue()


# Where the program is copied to and does not make a run, as it is not ours.
MAKE_RUN = 'real sha256sum "$@"; mkdir -p runs/20260101T000000Z-box-x'


def tar_streams():
    link = dict(type=tarfile.SYMTYPE, linkname="/etc/passwd")
    device = dict(type=tarfile.CHRTYPE, devmajor=1, devminor=3)
    for data, word in ((stream(entry("../touched", b"x")), "begins where it may not"),
                       (stream(entry("a/../../touched", b"x")), "begins where it may not"),
                       (stream(entry("/tmp/touched", b"x")), "begins where it may not"),
                       (stream(entry("record.json", **link)), "neither a file nor a folder"),
                       (stream(entry("samples", **link), entry("samples/touched", b"x")), "neither a file"),
                       (stream(entry("hard", type=tarfile.LNKTYPE, linkname="/etc/passwd")), "neither a file"),
                       (stream(entry("null", **device)), "neither a file"),
                       (stream(entry("pipe", type=tarfile.FIFOTYPE)), "neither a file"),
                       (stream(entry("a", b"1"), entry("a", b"2")), "comes twice"),
                       (stream(entry("a\x1b[2J", b"1")), "holds what no name"),
                       (stream(entry("a;touch touched", b"1")), "holds what no name"),
                       (stream(entry("a/b/c/d/e", b"1")), "too deep"),
                       (stream(*[entry(f"f{i}") for i in range(5000)]), "too many"),
                       (entry("huge", size=1 << 32)[0].tobuf(tarfile.USTAR_FORMAT), "more than may come back"),
                       (stream(entry("a", b"x" * 100000))[:50000], "ends in the middle"),
                       (b"\x1b]0;x\x07" * 200, "no tar stream"),
                       (b"", "ends in the middle"),
                       (stream(entry("MANIFEST", b"")), "what came back is not kept"),
                       (stream(entry("record.json", b"{}")), "")):
        with Place() as p:
            (p.dir / "stream").write_bytes(data)
            p.tool("tar", f"exec cat '{p.dir}/stream'").tool("sha256sum", MAKE_RUN)
            refused(p, p.run(options=TRIVIAL), 2, word, run=True)
    with Place() as p:  # endless: entries without end
        (p.dir / "one").write_bytes(entry("d/", type=tarfile.DIRTYPE)[0].tobuf(tarfile.USTAR_FORMAT))
        p.tool("tar", f"while :; do cat '{p.dir}/one'; done").tool("sha256sum", MAKE_RUN)
        refused(p, p.run(options=TRIVIAL), 2, run=True)


def changed_run():
    """A byte of the evidence, and a record that holds an escape sequence, each with a manifest that does not fit or does."""
    change = "d=$(real mktemp -d); real cp -r . $d/x; cd $d/x; {}; real tar -cf - .; cd /; real rm -rf $d"
    with Place() as p:
        p.tool("tar", change.format("echo >>record.dhall"))
        refused(p, p.run(), 2, "not kept", "damaged", run=True)
    again = ("real sed -i 's/\"tag\": \"clock\"/\"tag\": \"\\xc2\\x9b31m\"/' record.json; s=$(real sha256sum record.json); "
             "real sed -i \"s/.*  record.json/$s/\" MANIFEST")
    with Place() as p:
        p.tool("tar", change.format(again))
        refused(p, p.run(), 2, "not kept", run=True)
    with Place() as p:  # outside of the manifest
        p.tool("tar", change.format(f"printf '{ESC}\\n' >derived/summary.txt"))
        rc, out, err = p.run()
        assert rc == 0 and plain(out) and b"touch touched" in out, (rc, out, err)
        assert len(p.folders()) == 1 and p.left() == []


def lost():
    for tool, body in (("sha256sum", "kill -9 $(real ps -o ppid= $$)"), ("tar", "kill -9 $$")):
        with Place() as p:
            if tool == "tar":
                p.tool("sha256sum", MAKE_RUN)
            refused(p, p.tool(tool, body).run(options=TRIVIAL), 5, run=True)
    with Place(ssh='case "$cmd" in *"exec 3<"*) exit 255;; esac; exec sh -c "$cmd"') as p:
        refused(p, p.run(options=TRIVIAL), 5, "the connection is lost", run=True)
    with Place() as p:
        p.tool("tar", "real head -c 3000 /dev/zero | real tr '\\0' x").tool("sha256sum", MAKE_RUN)
        refused(p, p.run(options=TRIVIAL), 2, "no tar stream", run=True)
    with Place() as p:
        p.tool("tar", "real tar \"$@\" | real head -c 3000")
        refused(p, p.run(), 2, "ends in the middle", run=True)


def hangs():
    soon = ["--target-timeout", "1s"]
    with Place(ssh="exec sleep 1000") as p:
        refused(p, p.run(options=soon + TRIVIAL), 5, "no answer within")
    with Place(ssh='case "$*" in *"exec 3<"*) exec sleep 1000;; esac; exec sh -c "$cmd"') as p:
        refused(p, p.run(options=soon + TRIVIAL), 5, "no end within", run=True)


def time_over():
    with Place() as p:
        rc, out, err = p.run("clock", "-d", "600s", options=["--target-timeout", "2s"])
        assert rc == 5 and b"--target-timeout" in err and len(p.folders()) == 1, (rc, err)
        assert p.left() == []


def wait_for_run(p):
    end = time.monotonic() + LIMIT_S
    while not list(p.there.glob("*/runs/*/captures/*")) and time.monotonic() < end:
        time.sleep(0.02)
    assert list(p.there.glob("*/runs/*/captures/*")), "the run did not start"


def signals():
    for signo, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        with Place() as p:
            run = p.start("detour", "-d", "600s")
            wait_for_run(p)
            run.send_signal(signo)
            out, err = run.communicate(timeout=LIMIT_S)
            assert run.returncode == code and b"partial results are in" in err, (run.returncode, err)
            (name,) = p.folders()
            assert '"state": "partial"' in (p.runs / name / "record.json").read_text()
            assert p.left() == []
    with Place() as p:  # nobody is left to clean up here: the target does
        run = p.start("detour", "-d", "600s")
        wait_for_run(p)
        run.kill()
        run.communicate(timeout=LIMIT_S)
        assert p.left() == []


def existing():
    with Place() as p:
        p.tool("tar", "real tar \"$@\"")
        assert p.run()[0] == 0
        (first,) = p.folders()
        keep = (p.runs / first / "record.json").read_bytes()
        shutil.copytree(p.runs / first, p.dir / "copy")
        # The target sends the same run again, under the same name.
        p.tool("tar", f"cd '{p.dir}/copy' && real tar -cf - .")
        body = f"case \"$cmd\" in *\"exec tar\"*) echo $(echo \"$cmd\" | real grep -o '@nf-[0-9a-f]*'); echo {first}; cd '{p.dir}/copy' && exec tar -cf - .;; esac; exec sh -c \"$cmd\""
        p.write(p.bin / "ssh", body)
        rc, out, err = p.run()
        assert rc == 0, err
        assert p.folders() == [first, first + "-2"], p.folders()
        assert (p.runs / first / "record.json").read_bytes() == keep
    with Place() as p:
        p.runs.write_text("a file")
        rc, out, err = p.run()
        assert rc == 2 and p.runs.read_text() == "a file" and p.calls("ssh") == ""


def main():
    tap = kb.Tap()
    static = pathlib.Path(BIN).parent / f"noisefloor-static-{os.uname().machine}"
    if not static.exists():
        tap.skip("static-build", f"{static.name} was not built")
        return tap.done()
    cases = [good_run, text_and_options, names, uname, long_answers, motd, digest, tar_streams, changed_run, lost, hangs, time_over,
             signals, existing]
    if len(sys.argv) > 1:
        cases = [c for c in cases if c.__name__ in sys.argv[1:]]
        assert cases, "no such case"
    for case in cases:
        try:
            case()
        except (AssertionError, OSError, subprocess.SubprocessError) as e:
            tap(False, case.__name__.replace("_", " "), str(e).splitlines()[:5])
        else:
            tap(True, case.__name__.replace("_", " "))
    return tap.done()


sys.exit(main())
