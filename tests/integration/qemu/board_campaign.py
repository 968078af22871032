#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""board_campaign: the campaign of examples/qemu-virt.yaml, whole: U-Boot and a real arm64 kernel, power by QMP, `lab shell`; and with
NF_LONG=1 five runs of each configuration, and through a line of 115200 baud (paced_relay), where the UART's share of each phase is held against
what the line itself has counted."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
RELAY, SCRIPT, CAMPAIGN = sys.argv[1:4]
LONG = os.environ.get("NF_LONG") == "1"
BYTE_S = 10 / 115200
LIMIT_S = 600
failed = []


def skip(why):
    if "qemu" in os.environ.get("NF_REQUIRE", "").split(","):
        print(f"1..1\nnot ok 1 - required but not possible: qemu: {why}")
        sys.exit(1)
    print(f"1..1\nok 1 - qemu-aarch64 # SKIP {why}")
    sys.exit(0)


def tell(n, name, fn, *args):
    try:
        fn(*args)
        print(f"ok {n} - {name}")
    except AssertionError as e:
        failed.append(name)
        print(f"not ok {n} - {name}\n# " + str(e).replace("\n", "\n# "))


def parts(tmp):
    """A board's folder, of parts that are fetched once."""
    root = pathlib.Path(SCRIPT).parent.parent
    cache = pathlib.Path(os.environ.get("NF_CACHE", root / "build" / "cache")) / "qemu-virt"
    got = subprocess.run([SCRIPT, "--fetch", cache], capture_output=True, text=True)
    if got.returncode == 77:
        skip(got.stderr.strip())
    assert got.returncode == 0, got.stderr
    folder = tmp / "board"
    folder.mkdir()
    for name in ("u-boot.bin", "tftp", "version"):
        (folder / name).symlink_to(cache / name)
    return folder


def noisefloor(tmp, *words):
    done = subprocess.run([BIN, *map(str, words)], cwd=tmp, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout, done.stderr


def newest(tmp):
    folder = max((tmp / "runs").iterdir(), key=lambda p: p.stat().st_mtime_ns)
    return folder, json.loads((folder / "record.json").read_text())


def is_off(folder):
    """QEMU's own word; its monitor takes one client at a time."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(60)
        s.connect(str(folder / "qmp"))
        f = s.makefile("rw")
        f.readline()
        for command in ("qmp_capabilities", "query-status"):
            f.write(json.dumps({"execute": command}) + "\n")
            f.flush()
            while "return" not in (answer := json.loads(f.readline())):
                pass
        return not answer["return"]["running"]


def campaign(tmp, folder, runs):
    code, out, err = noisefloor(tmp, "lab", "run", tmp / "campaign.yaml", "--runs", runs)
    assert code == 0, f"exit {code}\n{out}\n{err}"
    run, r = newest(tmp)
    good = [a for a in r["attempts"] if a["outcome"] == "ok"]
    assert [(a["config"], a["run"]) for a in good] == [(c, i) for c in ("talkative", "terse") for i in range(1, runs + 1)], good
    for a in good:
        times = [p["time_s"] for p in a["phases"] if p["name"] != "t0"]
        assert len(times) == 3 and None not in times and times == sorted(times), a["phases"]
        assert a["platform"] == "emulator" and a["power_driver"] == "qmp", a
        assert [len(i["sha256"]) for i in a["images"]] == [64, 64], a["images"]
    talk, terse = ([a["bytes"] for a in good if a["config"] == c] for c in ("talkative", "terse"))
    assert min(talk) > 3 * max(terse), (talk, terse)
    assert not is_off(folder), "on_abort: leave"
    for word in ("talkative", "terse", "userspace", "median"):
        assert word in out, out
    if runs > 1:
        ratios = [x for x in r["ratios"] if x["config"] == "terse" or x.get("base") == "talkative"]
        assert ratios, r["ratios"]
    code, out, err = noisefloor(tmp, "evidence", "check", run)
    assert code == 0, out + err


def shell(tmp, words):
    return noisefloor(tmp, "lab", "shell", tmp / "campaign.yaml", "--", *words)


def shells(tmp, folder):
    """In the shell that the last boot has left."""
    code, out, err = shell(tmp, ["uname", "-a"])
    assert code == 0 and out.startswith("Linux ") and "aarch64" in out, (code, out, err)
    begin = time.monotonic()
    code, out, err = shell(tmp, ["sleep 5; echo slept"])
    assert code == 0 and out == "slept\n" and time.monotonic() - begin >= 5, (code, out, err)
    code, out, err = shell(tmp, ["printf 'no newline'"])
    assert code == 0 and out == "no newline", (code, out, err)
    code, out, err = shell(tmp, ["sh -c 'exit 7'"])
    assert code == 7, (code, out, err)
    code, out, err = noisefloor(tmp, "lab", "power", tmp / "campaign.yaml", "off")
    assert code == 0 and is_off(folder), (code, out, err)


class Line:
    """What has left the relay, with the time of each byte."""

    def __init__(self, log):
        self.data, self.times = bytearray(), []
        for entry in log.read_text().splitlines():
            left, lot = entry.split()
            lot = bytes.fromhex(lot)
            self.data += lot
            self.times += [int(left) * 1e-9 - BYTE_S * i for i in reversed(range(len(lot)))]

    def share(self, raw, begin, end):
        """Of the line's time from one match to the next: busy."""
        at = self.data.find(raw)
        assert at >= 0, "the capture is not what the line carried"
        a, b = (at + re.search(p, raw, re.M).start() for p in (begin, end))
        return (b - a) * BYTE_S / (self.times[b] - self.times[a])


PHASES = {"t0": rb"^Starting kernel", "kernel": rb"^\[ *[0-9.]+\] Linux version ", "userspace": rb"^userspace: ", "shell": rb"^board# "}


def paced(tmp, folder):
    relay = subprocess.Popen([RELAY, folder / "serial", tmp / "tty", "115200", tmp / "line.log"])
    try:
        limit = time.monotonic() + 60
        while not (tmp / "tty").is_symlink():
            assert time.monotonic() < limit and relay.poll() is None, "no relay"
            time.sleep(0.01)
        text = (tmp / "campaign.yaml").read_text()
        (tmp / "paced.yaml").write_text(re.sub("console: .*", f"console: {{ pty: {tmp}/tty, baud: 115200 }}", text))
        code, out, err = noisefloor(tmp, "lab", "run", tmp / "paced.yaml", "--runs", 3)
        assert code == 0, f"exit {code}\n{out}\n{err}"
    finally:
        relay.send_signal(signal.SIGTERM)
        relay.wait(60)
    run, r = newest(tmp)
    line = Line(tmp / "line.log")
    names = list(PHASES)
    for config in ("talkative", "terse"):
        good = [a for a in r["attempts"] if a["config"] == config and a["outcome"] == "ok"]
        assert len(good) == 3 and all(a["baud"] == 115200 for a in good), good
        for begin, end in zip(names, names[1:]):
            pairs = []
            for a in good:
                raw = (run / a["path"]).read_bytes()
                said = {i["name"]: i["uart_ratio"] for i in a["intervals"]}[f"{begin}..{end}"]
                pairs.append((said, line.share(raw, PHASES[begin], PHASES[end])))
            off = [said / truth - 1 for said, truth in pairs]
            print(f"# {config} {begin}..{end}: UART share {statistics.median(p[0] for p in pairs):.4f}, "
                  f"the line's own {statistics.median(p[1] for p in pairs):.4f}, off by {statistics.median(off):+.2%}")
            assert abs(statistics.median(off)) < 0.03, (config, begin, end, pairs)


def main(tmp):
    for tool in ("qemu-system-aarch64", "cpio"):
        if not shutil.which(tool):
            skip(f"{tool} is not installed (tools/packages-test.txt)")
    folder = parts(tmp)
    text = pathlib.Path(CAMPAIGN).read_text()
    assert "build/qemu-virt" in text
    (tmp / "campaign.yaml").write_text(text.replace("build/qemu-virt", str(folder)))
    started = subprocess.run([SCRIPT, folder], capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    try:
        print(f"1..{3 if LONG else 2}")
        tell(1, "boots of both configurations", campaign, tmp, folder, 5 if LONG else 1)
        tell(2, "commands in the board's shell", shells, tmp, folder)
        if LONG:
            tell(3, "the UART's share of each phase", paced, tmp, folder)
    finally:
        subprocess.run([SCRIPT, "--stop", folder], check=True)
    assert not (folder / "serial").exists()


with tempfile.TemporaryDirectory(prefix="nf-") as d:
    main(pathlib.Path(d))
sys.exit(bool(failed))
