#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""guest_clock: believing the guest's clock. A kernel under QEMU is held for 250 ms (QMP stop, cont) inside a phase: the host sees the phase grow,
the guest's own clock does not, and `lab phases` says that they disagree. SIGSTOP would not do: that the guest's clock sees."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BIN, CAPTURE = os.environ["NF_BIN"], sys.argv[1]
HOLD_S = 0.25
INIT = """#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
for phase in free held; do
	i=0
	while [ $i -le 8 ]; do
		echo "mark $phase $i" >/dev/kmsg
		/bin/busybox usleep 100000
		i=$((i + 1))
	done
done
/bin/busybox poweroff -f
"""


def skip(why):
    if "qemu" in os.environ.get("NF_REQUIRE", "").split(","):
        sys.exit(f"required but not possible: qemu: {why}")
    print(f"SKIP qemu: {why}")
    sys.exit(77)


def kernel():
    for tool in ("qemu-system-x86_64", "busybox", "cpio"):
        if not shutil.which(tool):
            skip(f"{tool} is not installed (tools/packages-test.txt)")
    got = subprocess.run([HERE / "get-kernel", "rt"], capture_output=True, text=True)
    if got.returncode == 77:
        skip(got.stderr.strip())
    assert got.returncode == 0, got.stderr
    return pathlib.Path(got.stdout.split()[-1])


def initrd(tmp):
    img = tmp / "img"
    for d in ("bin", "dev"):
        (img / d).mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), img / "bin/busybox")
    (img / "init").write_text(INIT)
    (img / "init").chmod(0o755)
    names = "\n".join(str(p.relative_to(img)) for p in sorted(img.rglob("*")))
    with open(tmp / "initrd", "wb") as out:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=img, input=names.encode(), stdout=out, check=True)
    return tmp / "initrd"


class Qmp:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rw")
        self.lines.readline()
        self.ask("qmp_capabilities")

    def ask(self, command):
        self.lines.write(json.dumps({"execute": command}) + "\n")
        self.lines.flush()
        while "return" not in (answer := json.loads(self.lines.readline())):
            assert "error" not in answer, answer


def until(what, cond, limit=90):
    end = time.monotonic() + limit
    while not cond():
        assert time.monotonic() < end, what
        time.sleep(0.005)


def boot(tmp):
    """Returns for how long the guest was held."""
    image = kernel()
    qemu = subprocess.Popen(
        ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", "384", "-display", "none", "-vga", "none", "-net", "none", "-monitor", "none",
         "-chardev", f"socket,id=s0,path={tmp}/serial,server=on,wait=off", "-serial", "chardev:s0", "-qmp", f"unix:{tmp}/qmp,server=on,wait=off", "-S",
         "-no-reboot", "-kernel", str(image / "vmlinuz"), "-initrd", str(initrd(tmp)), "-append", "console=ttyS0,115200 panic=-1 loglevel=7"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    capture = None
    try:
        until("QEMU's sockets", lambda: (tmp / "qmp").exists() and (tmp / "serial").exists())
        capture = subprocess.Popen([CAPTURE, f"unix:{tmp}/serial", str(tmp), "boot"])
        raw = tmp / "boot.raw"
        until("a capture", raw.exists)
        qmp = Qmp(tmp / "qmp")
        qmp.ask("cont")
        until("a mark", lambda: b"mark held 3" in raw.read_bytes())
        held = time.monotonic()
        qmp.ask("stop")
        time.sleep(HOLD_S)
        qmp.ask("cont")
        held = time.monotonic() - held
        assert qemu.wait(60) == 0
        assert capture.wait(10) == 0
        return held
    finally:
        for p in (qemu, capture):
            if p and p.poll() is None:
                p.kill()
                p.wait()


with tempfile.TemporaryDirectory() as folder:
    tmp = pathlib.Path(folder)
    held = boot(tmp)
    phases = [w for name in ("free", "held") for w in ("--phase", f"{name}-begin=mark {name} 0", "--phase", f"{name}-end=mark {name} 8")]
    done = subprocess.run([BIN, "--json", "lab", "phases", str(tmp / "boot.raw"), "--t0", "Linux version", *phases], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    r = json.loads(done.stdout)
    (attempt,) = r["attempts"]
    assert attempt["form"] == "capture" and attempt["port"]["kind"] == "unix", attempt
    interval = {v["name"]: v for v in attempt["intervals"]}
    free, stopped = interval["free-begin..free-end"], interval["held-begin..held-end"]
    print(f"held {held:.4f} s; free: host {free['duration_s']:.4f} s, guest {free['guest']['claims_s']:.4f} s; "
          f"held: host {stopped['duration_s']:.4f} s, guest {stopped['guest']['claims_s']:.4f} s")
    # Both clocks see what a loaded machine does to the guest; only the host's sees that it was held.
    assert HOLD_S * 0.8 < stopped["guest"]["difference_s"] < held + 0.1, stopped["guest"]
    assert stopped["guest"]["disagrees"] is True
    assert abs(free["guest"]["difference_s"]) < HOLD_S / 2, free["guest"]
    found = [f for f in r["findings"] if f["kind"] == "guest_clock" and f["phase"] == "held-begin..held-end"]
    assert len(found) == 1 and "did not see" in found[0]["text"], r["findings"]
    text = subprocess.run([BIN, "lab", "phases", str(tmp / "boot.raw"), "--t0", "Linux version", *phases], capture_output=True, text=True).stdout
    assert "The kernel's own clock disagrees with the host's in held-begin..held-end" in " ".join(text.split()), text
    print("ok - the report says that the guest's clock disagrees")
