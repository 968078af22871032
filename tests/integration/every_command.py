#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command of the table against signals, full and read-only disks and a standard output that
cannot be written. The rows come from the program (--print-commands), so that a new command is
covered without a change here.

    every_command.py            every row, as TAP
    every_command.py NAME...    these rows ("evidence": all its subcommands); a name that matches
                                nothing is an error

What holds for every row: one line on standard error when it cannot do what was asked, the exit
status of tables/exit.def, no process and no file left behind. A probe that cannot run here answers
with one line and 3.
"""
import fnmatch
import json
import os
import re
import resource
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tty

import board_shell

BIN = os.environ["NF_BIN"]
REQUIRED = os.environ.get("NF_REQUIRE", "").split(",")
DEADLINE_S = 60  # far beyond what a command may take to end; not a claim about time
STARTED_S = 30


class Skip(Exception):
    pass


def need(condition, name, why):
    if not condition:
        assert name not in REQUIRED, f"required but not possible: {name}: {why}"
        raise Skip(f"{name}: {why}")


class Place:
    """An empty folder with what the placeholders of a row stand for."""

    def __init__(self, made):
        self.made = made
        self.n_out = 0
        self.tmp = pathlib.Path(tempfile.mkdtemp(prefix="nf-every-"))
        self.cwd = self.tmp / "cwd"
        self.cwd.mkdir()
        self.runs = self.cwd / "runs"
        self.journal = self.tmp / "journal"
        self.env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self.tmp),
                    "NOISEFLOOR_RUN_DIR": str(self.journal)}
        for keep in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if keep in os.environ:
                self.env[keep] = os.environ[keep]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.tmp, ignore_errors=True)

    def argv(self, line):
        self.n_out += 1
        out = self.tmp / f"out{self.n_out}"
        fresh = self.tmp / f"fresh{self.n_out}"
        if "{key}" in line or "{signers}" in line:
            need("key" in self.made, "ssh-keygen", "it is not installed")
        if "{fresh}" in line:
            shutil.copytree(self.made["run"], fresh)
        return [BIN] + [a.format(**self.made, out=out, fresh=fresh) for a in shlex.split(line)]

    def start(self, line, reads=False, **kw):
        kw.setdefault("stdout", subprocess.PIPE)
        p = subprocess.Popen(self.argv(line), cwd=self.cwd, env=self.env, stdin=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True, start_new_session=True, **kw)
        p.reads = reads
        return p

    def run(self, line, **kw):
        p = self.start(line, **kw)
        return finish(p)

    def run_folders(self):
        return sorted(p for p in self.runs.iterdir()) if self.runs.exists() else []

    def wait_started(self, p):
        """Until the command is at work: its run folder holds a sample file or some time has passed."""
        end = time.monotonic() + STARTED_S
        while p.poll() is None and time.monotonic() < end:
            if any(self.runs.glob("*/samples")):
                break
            if p.reads:
                break
            time.sleep(0.02)
        end = time.monotonic() + STARTED_S
        while p.poll() is None and not catches(p.pid, signal.SIGINT, signal.SIGTERM) and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(0.5)

    def nothing_left(self, p):
        """No process of the command's session, nothing in the journal, nothing outside the runs."""
        left = []
        for d in pathlib.Path("/proc").iterdir():
            if d.name.isdigit():
                try:
                    stat = (d / "stat").read_text()
                except OSError:
                    continue
                fields = stat.rsplit(")", 1)[1].split()
                if int(fields[3]) == p.pid and fields[0] != "Z":
                    left.append(stat[:60])
        assert not left, f"processes left: {left}"
        entries = [f.name for f in self.journal.iterdir()] if self.journal.exists() else []
        entries = [n for n in entries if n != "recover" and "lock" not in n]  # flocked, never removed
        assert not entries, f"journal entries left: {entries}"
        files = [f.name for f in self.cwd.iterdir() if f.name != "runs"]
        assert not files, f"files left: {files}"


def catches(pid, *signals):
    """Whether the process has handlers for these: before that it dies of them like any other."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    caught = int(status.split("SigCgt:")[1].split()[0], 16)
    return all(caught >> (s - 1) & 1 for s in signals)


def finish(p):
    try:
        out, err = p.communicate(timeout=DEADLINE_S)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.communicate()
        raise AssertionError(f"did not end within {DEADLINE_S} s: {p.args[1:]}")
    return p.returncode, out or "", err


def without_notes(err):
    """Without what a benchmark begins with: the estimate, and how a sweep that is interrupted goes on; and a boot's end."""
    err = err.replace("\n  ", " ")  # a note goes on
    for note in (r"(bench \w+: \d+ variants?|selftest aa: \d+ comparisons).*: about .*",
                 r"bench sweep: if this is interrupted, --resume .* goes on",
                 r"lab run: b c 1: ok after .*"):
        head, _, rest = err.partition("\n")
        if re.fullmatch("noisefloor " + note, head):
            err = rest
    return err


def one_line(err):
    """But for notes, unless they are all there is."""
    err = without_notes(err) or err
    assert err.count("\n") == 1 and err.endswith("\n"), f"not one line: {err!r}"
    assert err.startswith("noisefloor"), err


def refused_here(code, out, err):
    """A probe that this machine cannot do."""
    if code != 3 or out:
        return False
    one_line(err)
    return True


def ended_by_signal(row, signo, expected):
    with Place(MADE) as at:
        p = at.start(row.long, row.reads)
        at.wait_started(p)
        finished_first = p.poll() is not None
        if not finished_first:
            p.send_signal(signo)
        code, out, err = finish(p)
        at.nothing_left(p)
        if finished_first:
            if row.measures:
                assert refused_here(code, out, err), f"ended by itself with {code}: {err}"
            else:
                assert code in (0, 1, 3), (code, err)
            return
        assert code == expected, f"exit {code}, wanted {expected}: {err}"
        one_line(err)
        if row.measures:
            folders = at.run_folders()
            assert len(folders) == 1, folders
            record = json.loads((folders[0] / "record.json").read_text())
            assert '"partial"' in json.dumps(record), "the record does not say partial"
            assert (folders[0] / "MANIFEST").exists(), "the partial run is not committed"
            code, out, err = at.run(f"evidence check {shlex.quote(str(folders[0]))}")
            assert code == 3 and "partial" in out, (code, out, err)
        else:
            assert not at.run_folders()


def sigint(row):
    ended_by_signal(row, signal.SIGINT, 130)


def sigterm(row):
    ended_by_signal(row, signal.SIGTERM, 143)


def sigkill(row):
    with Place(MADE) as at:
        p = at.start(row.long, row.reads)
        at.wait_started(p)
        p.kill()
        p.communicate()
        killed = at.run_folders()
        for folder in killed if p.returncode == -signal.SIGKILL else []:
            code, out, err = at.run(f"evidence check {shlex.quote(str(folder))}")
            assert code == 3 and "partial" in out, f"killed run: {code} {out} {err}"
        p = at.start(row.short)
        code, out, err = finish(p)
        assert code in (0, 1, 3), f"the next run: {code} {err}"
        at.nothing_left(p)


def full_output(row):
    need(os.path.exists("/dev/full"), "devfull", "/dev/full is not here")
    for flags in ([], ["--json"]):
        with Place(MADE) as at, open("/dev/full", "w") as full:
            p = at.start(" ".join(flags + [row.short]), stdout=full)
            code, _, err = finish(p)
            if row.measures and refused_here(code, "", err) and not at.run_folders():
                continue
            assert code == row.failure, f"{flags}: exit {code}: {err}"
            one_line(err)
            at.nothing_left(p)


def closed_pipe(row):
    with Place(MADE) as at:
        r, w = os.pipe()
        os.close(r)
        p = at.start(row.short, stdout=w)
        os.close(w)
        code, _, err = finish(p)
        assert code in (3, row.failure), (code, err)
        assert without_notes(err).count("\n") <= 1, err
        at.nothing_left(p)


def in_tmpfs(row, options, after=":"):
    """Runs row.short in a tmpfs of its own as working folder. Code, output, errors, what is left."""
    need(os.geteuid() == 0, "root", "mounting a small file system needs root")
    need(shutil.which("unshare"), "unshare", "unshare(1) is not installed")
    with Place(MADE) as at:
        mount = at.tmp / "mount"
        mount.mkdir()
        listing = at.tmp / "listing"
        script = (f'mount -t tmpfs -o {options} nf "$0" || exit 99; cd "$0" || exit 99; {after} || exit 99; '
                  f'"$@"; code=$?; ls -A > {shlex.quote(str(listing))}; exit $code')
        p = subprocess.Popen(["unshare", "-m", "sh", "-c", script, str(mount)] + at.argv(row.short),
                             env=at.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, start_new_session=True)
        code, out, err = finish(p)
        need(code != 99 and not err.startswith("unshare:"), "mount",
             f"a tmpfs cannot be mounted here: {err.strip()}")
        at.nothing_left(p)
        return code, out, err, listing.read_text().split()


def judge_tmpfs(row, code, out, err, left):
    if not row.measures:
        assert code in (0, 1), (code, err)
    elif not refused_here(code, out, err):
        assert code == 4, f"exit {code}: {err}"
        assert not out, "something was measured"
        one_line(err)
    assert left in ([], ["filler"]), f"left in the folder: {left}"


def small_disk(row):
    judge_tmpfs(row, *in_tmpfs(row, "size=64k"))


def full_disk(row):
    judge_tmpfs(row, *in_tmpfs(row, "size=64k", "{ dd if=/dev/zero of=filler bs=4k 2>/dev/null; :; }"))


def read_only_disk(row):
    judge_tmpfs(row, *in_tmpfs(row, "ro,size=1m"))


def limited_files(row):
    """A limit of file size (ulimit -f): below the first block, and below what samples take. Also that
    the program itself asks no file to be larger than it needs: what fits is no failure."""
    for limit in (1024, 65536):
        with Place(MADE) as at:
            p = at.start(row.short, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            code, out, err = finish(p)
            at.nothing_left(p)
            if not row.measures:
                assert code in (0, 1, row.failure), f"{limit} bytes: exit {code}: {err}"
            elif not refused_here(code, out, err):
                assert code == 4 or limit > 1024, f"{limit} bytes: exit {code}: {err}"
                assert code in (0, 1, 3, 4), f"{limit} bytes: exit {code}: {err}"
            if code == 4:
                assert not out, f"{limit} bytes: something was measured"
                one_line(err)
                assert not at.run_folders(), f"{limit} bytes: a folder is left"


def cpu_limit(row):
    """At the limit of CPU time a measuring command ends as after SIGTERM."""
    if row.measures:
        ended_by_signal(row, signal.SIGXCPU, 143)


class Row:
    def __init__(self, line):
        self.name, kind, self.long, self.short = line.split("\t")
        self.measures = kind == "measures"
        assert kind in ("measures", "reads", "remote")
        self.reads = not self.measures
        self.failure = 255 if kind == "remote" else 4  # where the exit status is that of a board's command
        for line in (self.long, self.short):
            words = shlex.split(line)
            assert words[:len(self.name.split())] == self.name.split(), line


CHECKS = [sigint, sigterm, sigkill, full_output, closed_pipe, small_disk, full_disk, read_only_disk, limited_files,
          cpu_limit]
ROWS = [Row(line) for line in subprocess.run([BIN, "--print-commands"], check=True, capture_output=True,
                                             text=True).stdout.splitlines()]
MADE = {}


def board():
    """A pty on which a board prints a line every 10 ms, as long as this test runs."""
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)

    def talk():
        n = 0
        while True:
            n += 1
            try:
                os.write(master, b"line %d\r\n" % n)
            except BlockingIOError:
                pass  # nobody reads
            time.sleep(0.01)
    threading.Thread(target=talk, daemon=True).start()
    return os.ttyname(slave)


def campaign(tmp, name="board", off_time="1h"):
    """A campaign file: that board, with a switch that is a file."""
    state, file = tmp / f"{name}.power", tmp / f"{name}.yaml"
    state.write_text("on\n")
    switch = {what: ["sh", "-c", f"echo {what} >{state}"] for what in ("on", "off")}
    switch["status"] = ["cat", str(state)]
    power = ", ".join(f"{k}: {json.dumps(v)}" for k, v in switch.items())
    file.write_text(f"""board:
  name: b
  console: {{ pty: {board()} }}
  power: {{ driver: command, {power}, off_time: {off_time}, verify: none }}
configs: [ {{ name: c, done: line, phases: [ {{ name: up, match: line }} ] }} ]
campaign: {{ runs: 1 }}
""")
    return str(file)


def make(tmp):
    """A committed run, one of its sample files, a run that takes long to check, a FIFO, a captured
    tree in which one file is a FIFO and one is C, and a text capture and results of other programs."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "NOISEFLOOR_RUN_DIR": f"{tmp}/journal"}
    subprocess.run([BIN, "--quiet", "--runs", f"{tmp}/runs", "fwq", "-t", "1", "-n", "20000",
                    "--quantum", "10us"], check=True, env=env)
    run = next((tmp / "runs").iterdir())
    big = tmp / "big"
    shutil.copytree(run, big)
    with open(big / "captures" / "big.txt", "wb") as f:
        f.truncate(32 << 30)
    with open(big / "MANIFEST", "a") as f:
        f.write("0" * 64 + "  captures/big.txt\n")
    os.mkfifo(tmp / "fifo")
    (tmp / "root" / "proc").mkdir(parents=True)
    (tmp / "signers").write_text("nobody@example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDnotAKey\n")
    if shutil.which("ssh-keygen"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", tmp / "key"], check=True)
        MADE["key"] = str(tmp / "key")
    os.mkfifo(tmp / "root" / "proc" / "cmdline")
    (tmp / "root" / "a.c").write_text("int a;\n")
    (tmp / "ssh").write_text("Host *\n\tProxyCommand sleep 60\n")  # a target that never answers
    lanes = pathlib.Path(os.environ["NF_BUILD"]) / "tests" / "fixtures" / "hosts" / "lanes"
    capture = tmp / "smi.txt"
    console = tmp / "board_run1.log"
    console.write_text("0.1\tstarting\n0.5\tboard login: \n")
    capture.write_text("-- SMI Activity --\nSMI count: 3 in 10s\n")
    results = tmp / "results.json"
    results.write_text('{"results": [{"command": "true", "times": [0.001, 0.002]}]}')
    MADE.update(results=str(results), run=str(run), samples=str(next((run / "samples").iterdir())), big=str(big),
                signers=str(tmp / "signers"), fifo=str(tmp / "fifo"), root=str(tmp / "root"), lanes=str(lanes), ssh=str(tmp / "ssh"),
                runs=str(tmp / "runs"), capture=str(capture), console=str(console), pty=board(), board=campaign(tmp),
                boots=campaign(tmp, "boots", "10ms"), shell=str(tmp / "shell.yaml"))
    (tmp / "shell.yaml").write_text(board_shell.campaign(board_shell.Shell()))


def main():
    rows = ROWS
    if len(sys.argv) > 1:
        rows = [r for r in ROWS if any(fnmatch.fnmatch(r.name, n) or r.name.split()[0] == n for n in sys.argv[1:])]
        if not rows:
            sys.exit(f"no command matches {sys.argv[1:]}")
    print(f"1..{len(rows) * len(CHECKS)}", flush=True)
    failed, n = False, 0
    with tempfile.TemporaryDirectory(prefix="nf-made-") as tmp:
        make(pathlib.Path(tmp))
        for row in rows:
            for check in CHECKS:
                n += 1
                name = f"{row.name}: {check.__name__.replace('_', ' ')}"
                try:
                    check(row)
                    print(f"ok {n} - {name}", flush=True)
                except Skip as s:
                    print(f"ok {n} - {name} # SKIP {s}", flush=True)
                except AssertionError as e:
                    failed = True
                    print(f"not ok {n} - {name}\n# " + str(e).replace("\n", "\n# "), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
