#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lane_guest: a guest that a real GRUB boots, a generic and a realtime kernel of Debian's on its disk, dropbear on loopback:
`lane campaign` goes there and back; the guest reset while it is realtime; its network gone for a minute; and what is refused.
The disk is made without loop devices and without root: mke2fs -d, grub-mkimage. TAP."""
import gzip
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BIN = os.environ["NF_BIN"]
DEADLINE_S = 1500  # emulated, beside others; no claim about time
GRUB_MODULES = "biosdisk part_msdos ext2 normal configfile linux loadenv test echo serial terminal reboot halt sleep search " \
               "minicmd".split()
WAITS = "--boot-timeout 600s --lost-timeout 600s --down-timeout 300s --target-timeout 1200s".split()

INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin:/sbin HOME=/root LC_ALL=C
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts /run /tmp /var/run
mount -t devpts pts /dev/pts
mount -t tmpfs run /run
mount -t tmpfs tmp /tmp
hostname lane-guest
# Those that others need first: three rounds settle it.
for round in 1 2 3; do
    for m in /modules/$(uname -r)/*.ko; do insmod $m 2>/dev/null; done
done
for i in $(seq 300); do [ -b /dev/vda1 ] && break; sleep 0.1; done
mount -t ext2 /dev/vda1 /boot || mount -t ext4 /dev/vda1 /boot || echo "no /boot"
for i in $(seq 300); do [ -e /sys/class/net/eth0 ] && break; sleep 0.1; done
ip link set lo up
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
ip route add default via 10.0.2.2
echo "guest up: $(uname -r)"
# What busybox's reboot asks of the first process.
trap 'sync; sleep 1; umount /boot; reboot -f' TERM
dropbear -F -E -s -r /etc/dropbear/key &
while :; do wait; done
"""

MENU = """serial --unit=0
terminal_output serial
set timeout=0
if [ -s $prefix/grubenv ]; then
  load_env
fi
if [ "${{next_entry}}" ] ; then
  set default="${{next_entry}}"
  set next_entry=
  save_env next_entry
  set boot_once=true
else
  set default="{default}"
fi
menuentry 'generic' --id generic {{
  linux /vmlinuz-{generic} console=ttyS0 quiet panic=1
  initrd /initrd
}}
submenu 'more' --id more {{
  menuentry 'realtime' --id realtime {{
    linux /vmlinuz-{rt} console=ttyS0 quiet panic=1
    initrd /initrd
  }}
{more}}}
"""
SECOND_RT = """  menuentry 'another realtime' --id realtime-2 {
    linux /vmlinuz-9.9-rt-amd64 console=ttyS0
    initrd /initrd
  }
"""


class Skip(Exception):
    pass


def tool(name):
    """What get-kernel and get-grub print."""
    p = subprocess.run([HERE / name.split()[0], *name.split()[1:]], capture_output=True, text=True)
    if p.returncode == 77:
        raise Skip(p.stderr.strip().splitlines()[-1])
    assert p.returncode == 0, p.stderr
    return pathlib.Path(p.stdout.strip().splitlines()[-1])


def with_libraries(program, to, tree):
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(program, to)
    to.chmod(0o755)
    ldd = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    for lib in re.findall(r"(/\S+)", ldd):
        at = tree / lib.lstrip("/")
        if not at.exists():
            at.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(lib), at)


class Parts:
    """What all guests of this run are made of."""

    def __init__(self, tmp):
        for name in ("qemu-system-x86_64", "busybox", "cpio", "mke2fs", "dropbear", "dropbearkey", "ssh", "ssh-keygen"):
            if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
                raise Skip(f"{name} is not installed (tools/packages-test.txt)")
        self.tmp = tmp
        self.grub, self.rt, self.cloud = tool("get-grub"), tool("get-kernel rt"), tool("get-kernel cloud")
        self.release = {k: (d / "version").read_text().strip() for k, d in (("rt", self.rt), ("generic", self.cloud))}
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", tmp / "key"], check=True)
        self.initrd = self.make_initrd()
        self.core = tmp / "core.img"
        subprocess.run([self.grub / "grub-mkimage", "-d", self.grub / "i386-pc", "-O", "i386-pc", "-p", "(hd0,msdos1)/grub",
                        "-o", self.core, *GRUB_MODULES], check=True)

    def make_initrd(self):
        tree = self.tmp / "tree"
        for d in "bin sbin proc sys dev boot etc/dropbear root/.ssh lib64 tmp run".split():
            (tree / d).mkdir(parents=True)
        shutil.copy(shutil.which("busybox"), tree / "bin" / "busybox")
        with_libraries(shutil.which("dropbear", path=os.environ["PATH"] + ":/usr/sbin"), tree / "sbin" / "dropbear", tree)
        with_libraries(self.grub / "grub-editenv", tree / "bin" / "grub-editenv", tree)
        (tree / "init").write_text(INIT)
        (tree / "init").chmod(0o755)
        (tree / "etc/passwd").write_text("root::0:0:root:/root:/bin/sh\n")
        (tree / "etc/group").write_text("root:x:0:\n")
        (tree / "etc/shells").write_text("/bin/sh\n")
        shutil.copy(self.tmp / "key.pub", tree / "root/.ssh/authorized_keys")
        (tree / "root/.ssh").chmod(0o700)
        (tree / "root/.ssh/authorized_keys").chmod(0o600)
        subprocess.run(["dropbearkey", "-t", "ed25519", "-f", tree / "etc/dropbear/key"], check=True, capture_output=True)
        for name, kernel in (("rt", self.rt), ("generic", self.cloud)):
            shutil.copytree(kernel / "modules", tree / "modules" / self.release[name])
            shutil.copy(kernel / "msr.ko", tree / "modules" / self.release[name] / "msr.ko")
        names = subprocess.run(["find", "."], cwd=tree, capture_output=True, check=True).stdout
        cpio = subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0"], cwd=tree, input=names, capture_output=True,
                              check=True).stdout
        initrd = self.tmp / "initrd"
        initrd.write_bytes(gzip.compress(cpio, 1))
        return initrd

    def disk(self, path, default="generic", more=""):
        boot = path.with_suffix(".boot")
        (boot / "grub").mkdir(parents=True)
        for name, kernel in (("rt", self.rt), ("generic", self.cloud)):
            shutil.copy(kernel / "vmlinuz", boot / f"vmlinuz-{self.release[name]}")
            shutil.copy(kernel / "config", boot / f"config-{self.release[name]}")
        shutil.copy(self.initrd, boot / "initrd")
        (boot / "grub/grub.cfg").write_text(MENU.format(default=default, more=more, **self.release))
        subprocess.run([self.grub / "grub-editenv", boot / "grub/grubenv", "create"], check=True)
        mib, start = 200, 2048
        with open(path, "wb") as f:
            f.truncate(mib << 20)
        subprocess.run(["/sbin/mke2fs", "-q", "-F", "-t", "ext2", "-O", "^metadata_csum,^64bit", "-d", boot, "-E",
                        f"offset={start * 512}", path, f"{mib - 2}M"], check=True)
        shutil.rmtree(boot)
        entry = bytes([0x80, 0, 2, 0, 0x83, 0xff, 0xff, 0xff]) + start.to_bytes(4, "little") + \
            ((mib << 20) // 512 - start).to_bytes(4, "little")
        image, core = (self.grub / "i386-pc/boot.img").read_bytes(), self.core.read_bytes()
        assert len(core) <= (start - 1) * 512
        with open(path, "r+b") as f:
            f.write(image[:440])
            f.seek(446)
            f.write(entry)
            f.seek(510)
            f.write(b"\x55\xaa")
            f.seek(512)
            f.write(core)


class Guest:
    def __init__(self, parts, tmp, **disk):
        self.parts, self.tmp = parts, tmp
        parts.disk(tmp / "disk.img", **disk)
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.serial = tmp / "serial"
        self.qemu = subprocess.Popen(
            ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "512", "-display", "none", "-vga",
             "none", "-monitor", "none", "-serial", f"file:{self.serial}", "-drive",
             f"file={tmp}/disk.img,format=raw,if=virtio", "-netdev",
             f"user,id=n0,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22", "-device", "virtio-net-pci,netdev=n0,id=nic",
             "-qmp", f"unix:{tmp}/qmp,server=on,wait=off"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(tmp / "qemu", "wb"))
        (tmp / "ssh").write_text(f"Host *\n\tIdentityFile {parts.tmp}/key\n\tIdentitiesOnly yes\n"
                                 "\tStrictHostKeyChecking no\n\tUserKnownHostsFile /dev/null\n")
        self.target = f"root@127.0.0.1:{self.port}"

    def __enter__(self):
        self.until(lambda: self.ssh("true")[0] == 0, "ssh")
        return self

    def __exit__(self, *why):
        self.qemu.kill()
        self.qemu.wait()
        if why[0]:
            sys.stderr.write("# serial: " + "\n# ".join(self.console()[-2000:].splitlines()) + "\n")

    def console(self):
        return self.serial.read_text(errors="replace") if self.serial.exists() else ""

    def qmp(self, command, **arguments):
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(60)
            s.connect(str(self.tmp / "qmp"))
            f = s.makefile("rw")
            f.readline()
            for c in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                f.write(json.dumps(c) + "\n")
                f.flush()
                while "event" in (answer := json.loads(f.readline())):
                    pass
                assert "return" in answer, answer

    def ssh(self, script):
        try:
            p = subprocess.run(["ssh", "-F", self.tmp / "ssh", "-oBatchMode=yes", "-oConnectTimeout=10", "-oLogLevel=ERROR", "-p",
                                str(self.port), "root@127.0.0.1", script], capture_output=True, text=True, timeout=60,
                               stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return 255, ""
        return p.returncode, p.stdout

    def until(self, cond, what, p=None):
        end = time.monotonic() + DEADLINE_S
        while not cond():
            assert self.qemu.poll() is None, (self.tmp / "qemu").read_text()
            assert p is None or p.poll() is None, p.communicate()
            assert time.monotonic() < end, f"in vain: {what}"
            time.sleep(0.2)

    def start(self, *words):
        return subprocess.Popen([BIN, "--target", self.target, "--ssh-config", str(self.tmp / "ssh"), "--runs",
                                 str(self.tmp / "runs"), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def nf(self, *words, code=0):
        p = self.start(*words)
        out, err = p.communicate(timeout=DEADLINE_S)
        assert p.returncode == code, (words, p.returncode, out, err)
        return out, err

    def boots(self):
        return re.findall(r"guest up: (\S+)", self.console())

    def is_as_it_was(self):
        status = json.loads(self.nf("--json", "lane", "status")[0])
        assert status["lane"] == "generic" and status["default_entry"] == "generic", status
        assert status["next_known"] and status["next_entry"] is None, status


def validation(guest):
    found = [r for r in (guest.tmp / "runs").iterdir()
             if (r / "record.json").exists() and "kernelVersion" in json.loads((r / "record.json").read_text())]
    assert len(found) == 1, found
    return found[0], json.loads((found[0] / "record.json").read_text())


def there_and_back(parts, tmp):
    with Guest(parts, tmp) as g:
        g.is_as_it_was()
        out, err = g.nf("lane", "arm", "--reboot", "--base", str(profile(tmp)), *WAITS)
        run, r = validation(g)
        assert r["result"] == "pass" and r["lane"] == "rt" and r["kernelVersion"] == parts.release["rt"], r
        assert r["sysKernelRealtime"] and r["defaultPreserved"] and r["nextEntryConsumed"] and r["returnBaselinePass"], r
        assert r["reconnectSeconds"] > 0 and r["returnToGenericSeconds"] > 0, r
        print(f"# there in {r['reconnectSeconds']} s, back in {r['returnToGenericSeconds']} s")
        assert g.boots() == [parts.release[k] for k in ("generic", "rt", "generic")], g.boots()
        g.is_as_it_was()
        subprocess.run([BIN, "evidence", "check", run], check=True, stdout=subprocess.DEVNULL)


def profile(tmp):
    path = tmp / "base.profile"
    path.write_text("config CONFIG_PCI=y\ncmdline panic=1\nsysctl kernel.hostname = lane-guest\n")
    return path


def campaign(parts, tmp):
    with Guest(parts, tmp) as g:
        out, err = g.nf("lane", "campaign", *WAITS)
        run, r = validation(g)
        assert r["result"] == "pass" and len(r["evidence"]) == 2, r
        for name, lane in zip(r["evidence"], ("generic", "rt")):
            record = json.loads((g.tmp / "runs" / name / "record.json").read_text())
            assert record["head"]["lane"] == lane, (name, record["head"]["lane"])
        assert "rt against generic" in out, out
        assert g.boots() == [parts.release[k] for k in ("generic", "rt", "generic")], g.boots()
        g.is_as_it_was()


def in_the_realtime_window(g, p):
    g.until(lambda: len(g.boots()) >= 2, "the realtime kernel", p)
    g.until(lambda: "state measure-rt" in "".join(
        f.read_text() for f in (g.tmp / "runs").glob("*/derived/trip")), "its window", p)
    time.sleep(3)


def killed_while_realtime(parts, tmp):
    with Guest(parts, tmp) as g:
        p = g.start("--json", "lane", "campaign", *WAITS)
        in_the_realtime_window(g, p)
        g.qmp("system_reset")
        out, err = p.communicate(timeout=DEADLINE_S)
        assert p.returncode == 5, (p.returncode, out, err)
        r = json.loads(out)
        assert r["result"] == "fail" and "left the realtime kernel by itself" in " ".join(r["notes"]), r
        assert r["defaultPreserved"] and r["nextEntryConsumed"] and r["returnKernelVersion"] == parts.release["generic"], r
        g.is_as_it_was()
        # The window of the generic kernel is not measured again.
        run, _ = validation(g)
        out, _ = g.nf("--json", "lane", "campaign", "--resume", str(run), *WAITS)
        again = json.loads(out)
        assert again["result"] == "pass" and again["evidence"][0] == r["evidence"][0], again
        g.is_as_it_was()


def network_gone_for_a_minute(parts, tmp):
    with Guest(parts, tmp) as g:
        p = g.start("--json", "lane", "campaign", *WAITS)
        in_the_realtime_window(g, p)
        g.qmp("set_link", name="nic", up=False)
        time.sleep(60)
        g.qmp("set_link", name="nic", up=True)
        out, err = p.communicate(timeout=DEADLINE_S)
        assert p.returncode == 0, (p.returncode, out, err)
        assert json.loads(out)["result"] == "pass"
        assert g.boots() == [parts.release[k] for k in ("generic", "rt", "generic")], g.boots()
        g.is_as_it_was()


def refused_before_any_reboot(parts, tmp):
    with Guest(parts, tmp, more=SECOND_RT) as g:
        _, err = g.nf("lane", "campaign", *WAITS, code=3)
        assert "2 realtime kernels" in err, err
        assert g.ssh("sed -i 's/default=\"generic\"/default=\"more>realtime\"/' /boot/grub/grub.cfg")[0] == 0
        _, err = g.nf("lane", "campaign", *WAITS, code=3)
        assert "realtime already" in err, err
        assert g.ssh("sed -i 's/default=\"more>realtime\"/default=\"generic\"/' /boot/grub/grub.cfg; sync; "
                     "mount -o remount,ro /boot")[0] == 0
        _, err = g.nf("lane", "arm", "--reboot", "--entry", "more>realtime", *WAITS, code=3)
        assert "grub" in err.lower(), err
        assert g.boots() == [parts.release["generic"]], g.boots()
        g.is_as_it_was()


CASES = [there_and_back, refused_before_any_reboot, campaign, killed_while_realtime, network_gone_for_a_minute]


def main():
    wanted = [c for c in CASES if len(sys.argv) < 2 or sys.argv[1] in c.__name__]
    print(f"1..{len(wanted)}")
    with tempfile.TemporaryDirectory(prefix="nf-grub-") as tmp:
        try:
            parts = Parts(pathlib.Path(tmp))
        except Skip as e:
            required = "lane-guest" in os.environ.get("NF_REQUIRE", "").split(",")
            for i, c in enumerate(wanted, 1):
                print(f"{'not ' if required else ''}ok {i} - {c.__name__} # SKIP lane-guest: {e}")
            return required
        bad = 0
        for i, case in enumerate(wanted, 1):
            with tempfile.TemporaryDirectory(prefix="nf-guest-") as at:
                try:
                    case(parts, pathlib.Path(at))
                    print(f"ok {i} - {case.__name__}", flush=True)
                except Exception as e:
                    bad += 1
                    print(f"not ok {i} - {case.__name__}\n# {type(e).__name__}: {str(e)[:3000]}", flush=True)
        return bad > 0


if __name__ == "__main__":
    sys.exit(main())
