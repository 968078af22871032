#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: board_script.py [--list] FAULT FOLDER

A board that is not there: a console on a pty and a power switch, playing U-Boot, a kernel and a shell, and one fault by
name. FOLDER gets `console` (a link to the pty, as /dev/serial/by-path has them), `switch` (a program: on, off, status;
what it was asked is counted in switch.log), `tftp/` and `campaign.yaml`.

Nothing here waits for less than what a machine under load needs: a step follows on a byte or on the switch. Time only
ends what the campaign's own limits are to end."""
import fcntl
import json
import os
import pathlib
import pty
import select
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import tty

import board_text as text

SWITCH = """#!{python} -ISB
import os, socket, sys
here = os.path.dirname(os.path.abspath(__file__))
with open(here + "/switch.log", "a") as log:
    log.write(sys.argv[1] + "\\n")
s = socket.socket(socket.AF_UNIX)
try:
    s.connect(here + "/switch.sock")
    s.sendall(sys.argv[1].encode() + b"\\n")
    answer = s.makefile().readline()
except OSError as e:
    answer = "the switch is gone: " + str(e)
print(answer.strip())
sys.exit(answer.strip() not in ("on", "off"))
"""
STARTS_ON = ("power-stays", "stuck-at-prompt")
# What is on the console before the switch has answered, so that no slow machine makes it late.
AT_ONCE = {"wrong-baud": text.GARBAGE, "banner-missed": text.KERNEL + text.INIT + b"other login: "}
LONG = "60s"  # a limit that nothing reaches
# Each fault's limits (those that end it), other keys of its campaign, and how it ends: class, kind, exit code, and words.
FAULTS = {
    "good": {},
    "switch-fails": {"end": ("infra", "power-off", 5, "relay 3 is stuck")},
    "power-stays": {"verify": "silence", "off_time": "4s", "end": ("infra", "power-stays", 5, "power did not go off")},
    "no-power": {"prompt": "1s", "end": ("infra", "no-power", 5, "the switch says that it is off")},
    "no-console": {"prompt": "1s", "end": ("infra", "no-console", 5, "the switch says that it is on")},
    "wrong-baud": {"prompt": "2s", "end": ("infra", "garbage", 5, "baud rate")},
    "banner-missed": {"prompt": "3s", "end": ("infra", "no-banner", 5, "other login:")},
    "at-prompt": {},
    "stuck-at-prompt": {"prompt": "16s"},  # no byte until one comes: half of the limit
    "prompt-split": {},
    "echo-lost": {"end": ("infra", "no-echo", 5, "setenv autoload no")},
    "first-lost": {"retries": 1},
    "first-lost-always": {"end": ("infra", "wrong-echo", 5, "tenv autoload no")},
    "file-missing": {"end": ("config", "no-file", 2, "Image")},
    "tftp-stall": {"retries": 1},
    "tftp-exhausted": {"end": ("infra", "tftp", 5, "2 tries; the last: 'Retry count exceeded")},
    "arp-exhausted": {"end": ("infra", "tftp", 5, "2 tries; the last: 'ARP Retry count exceeded")},
    "silent-kernel": {"silence": "8s", "end": ("board", "silent-kernel", 5, "Starting kernel ...")},
    "panic": {"end": ("board", "panic", 5, "Unable to mount root fs")},
    "fault-dump": {"end": ("board", "fail", 5, "Caught cap fault")},
    "reset-loop": {"end": ("board", "reset", 5, "U-Boot 2023.01")},
    "hang": {"silence": "8s", "end": ("board", "hang", 5, "PF_NETLINK")},
    "late": {"boot": "3s", "end": ("board", "late", 5, "after boot")},
    "boot-refused": {"end": ("config", "boot-returned", 2, "Bad Linux ARM64 Image magic!")},
    "unplugged": {"end": ("infra", "port-lost", 5, "gone")},
    "unplugged-for-good": {"long": True, "prompt": "20s", "attempts": 2, "end": ("infra", "port-lost", 5, "No such file")},
    "renumbered": {"attempts": 2},  # once unplugged, then there as another pty
    "login-split": {},
    "message-at-login": {},
    "message-in-prompt": {},  # of the shell: for `lab shell`
    "prompt-in-output": {},
}


class PowerCut(Exception):
    pass


class Board(threading.Thread):
    """One board; its thread is the only one that touches the pty. Members that others read are only ever appended to."""

    def __init__(self, folder, fault="good", name=None, configs=("one",)):
        super().__init__(daemon=True)
        assert fault in FAULTS, fault
        self.folder, self.fault, self.name, self.configs = pathlib.Path(folder), fault, name or fault, configs
        self.on, self.closing = fault in STARTS_ON, False
        self.switched = []  # what the switch was asked
        self.commands = []  # what the bootloader and the shell were told, whole lines
        self.early = b""  # what came while nobody waited for it
        self.boots = 0
        self.said = b""
        self.typed = b""
        self.errors = []
        self.hook = None  # called by the board after each line that it has said, and after the switch was asked
        self.lines = 0
        self.master = self.slave = -1
        (self.folder / "tftp").mkdir(parents=True)
        (self.folder / "tftp" / "Image").write_bytes(b"kernel" * 5000)
        self.plug()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / "switch.sock"))
        self.listener.listen(16)
        self.wake_read, self.wake_write = os.pipe()
        switch = self.folder / "switch"
        switch.write_text(SWITCH.format(python=sys.executable))
        switch.chmod(0o755)
        self.campaign = self.folder / "campaign.yaml"
        self.campaign.write_text(self.campaign_text())

    def campaign_text(self, **changes):
        """Its campaign file. changes: limits and other keys of FAULTS, runs, on_abort, retry_infra."""
        c = {**FAULTS[self.fault], **changes}
        here = str(self.folder)
        say = json.dumps  # what JSON calls a string, YAML reads too
        switch = say(f"{here}/switch")
        out = f"""board:
  name: {self.name}
  console: {{ pty: {say(f"{here}/console")} }}
  power:
    driver: command
    on: [ {switch}, "on" ]
    off: [ {switch}, "off" ]
    status: [ {switch}, status ]
    off_time: {c.get("off_time", "0s")}
    verify: {c.get("verify", "none")}
  uboot: {{ autoboot: "stop autoboot", keys: "\\x03", prompt: "^=> ", eol: "\\r" }}
  shell: {{ login: "login:", user: root, prompt: "# $" }}
on_abort: {c.get("on_abort", "off")}
configs:
"""
        for name in self.configs:
            out += f"""  - name: {name}
    declared: {{ Config: {name} }}
    commands: [ "setenv autoload no", dhcp ]
    tftp: {{ root: {say(f"{here}/tftp")}, image: Image, addr: "${{kernel_addr_r}}", server: 10.0.2.2, tries: 2 }}
    boot: "booti ${{kernel_addr_r}} - ${{fdtcontroladdr}}"
    done: "buildroot login:"
    fail: [ "cap fault" ]
    timeout: {{ prompt: {c.get("prompt", LONG)}, load: {c.get("load", LONG)}, boot: {c.get("boot", LONG)}, silence: {c.get("silence", LONG)} }}
    phases:
      - {{ name: t0, match: "Starting kernel" }}
      - {{ name: kernel, match: "Linux version " }}
      - {{ name: init, match: "Run /init as init process" }}
      - {{ name: login, match: "buildroot login:" }}
    values: [ {{ name: spawn, match: 'WALLCLOCK_US>(\\d+)', unit: us }} ]
"""
        retry = c.get("retry_infra", 1 if "attempts" in c else 0)
        return out + f"campaign: {{ runs: {c.get('runs', 1)}, retry: {{ infra: {retry}, board: 0 }} }}\n"

    # --- the cable ---

    def plug(self):
        """A new pty, and the link that leads to it."""
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        fcntl.fcntl(self.master, fcntl.F_SETFL, fcntl.fcntl(self.master, fcntl.F_GETFL) | os.O_NONBLOCK)
        link = self.folder / "console.new"
        link.symlink_to(os.ttyname(self.slave))
        link.rename(self.folder / "console")

    def unplug(self):
        (self.folder / "console").unlink(missing_ok=True)
        for fd in (self.master, self.slave):
            if fd >= 0:
                os.close(fd)
        self.master = self.slave = -1

    # --- the switch, and waiting ---

    def serve_switch(self):
        s, _ = self.listener.accept()
        with s:
            s.settimeout(60)
            asked = s.makefile().readline().strip()
            self.switched.append(asked)
            cut = False
            if self.fault == "switch-fails":
                answer = "relay 3 is stuck"
            elif asked == "status":
                answer = "on" if self.on else "off"
            else:
                answer = asked
                cut = asked == "off" and self.on and self.fault not in STARTS_ON
                if cut:
                    self.on = False
                elif asked == "on" and not self.on and self.fault != "no-power":
                    self.on = True
                    self.say(AT_ONCE.get(self.fault, b""))
            try:
                s.sendall(answer.encode() + b"\n")
            except OSError:
                pass  # who asked is dead
        if self.hook:
            self.hook(f"power {asked} {len(self.switched)}")
        if cut:
            raise PowerCut

    def wait(self, timeout_s=None, to_write=False):
        """Until something happens; what is typed is kept, the switch is served."""
        fds = [self.listener, self.wake_read] + ([self.master] if self.master >= 0 else [])
        readable, writable, _ = select.select(fds, [self.master] if to_write else [], [], timeout_s)
        if self.closing:
            raise PowerCut
        if self.master in readable:
            try:
                self.typed += os.read(self.master, 4096)
            except OSError:
                time.sleep(0.01)  # nobody has the other side
        if self.listener in readable:
            self.serve_switch()
        return bool(readable or writable)

    def close(self):
        """Ends the thread. The switch is gone then."""
        self.closing = True
        os.write(self.wake_write, b"x")
        self.join(60)
        self.unplug()
        self.listener.close()
        (self.folder / "switch.sock").unlink()
        os.close(self.wake_read)
        os.close(self.wake_write)
        assert not self.errors, self.errors

    def run(self):
        while not self.closing:
            try:
                if not self.on:
                    self.typed = b""
                    self.wait()
                else:
                    self.boots += 1
                    self.play()
                    while True:
                        self.wait()
            except PowerCut:
                pass
            except Exception as e:  # told by close()
                self.errors.append(repr(e))
                self.closing = True

    # --- saying and hearing ---

    def say(self, data):
        for line in data.splitlines(keepends=True) if self.hook else (data,):
            self.put(line)
            if self.hook and line.endswith(b"\n"):
                self.lines += 1
                self.hook(f"line {self.lines}")

    def put(self, data):
        while data:
            try:
                n = os.write(self.master, data)
                self.said += data[:n]
                data = data[n:]
            except BlockingIOError:
                self.wait(to_write=True)

    def rest(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.wait(left)

    def hear(self):
        while not self.typed:
            self.wait()
        c, self.typed = self.typed[:1], self.typed[1:]
        return c

    def read_line(self, prompt, echo=True):
        """As a line editor does it: echo, Ctrl-C, backspace."""
        self.early += self.typed.replace(b"\x03", b"").replace(b"\r", b"")
        self.say_prompt(prompt)
        line = b""
        lose = 0
        if self.fault == "first-lost-always" or (self.fault == "first-lost" and not self.commands and not self.lost):
            lose = 2
        while True:
            c = self.hear()
            if c == b"\x03":
                self.say(text.INTERRUPT)
                return None
            if lose:
                lose -= 1
                self.lost = True
                continue
            if c in b"\r\n":
                self.say(b"\r\n")
                break
            if c in b"\b\x7f":
                line = line[:-1]
                self.say(b"\b \b")
            else:
                line += c
                if echo and self.fault != "echo-lost":
                    self.say(c)
        line = line.decode(errors="replace")
        if line:
            self.commands.append(line)
        return line

    def say_prompt(self, prompt):
        if self.fault == "prompt-split":
            self.say(prompt[:1])
            self.rest(0.2)
            prompt = prompt[1:]
        self.say(prompt)

    # --- the boot ---

    def play(self):
        self.lost = False
        self.tries = 0
        if self.fault in ("no-console", *AT_ONCE):
            return
        if self.fault == "power-stays":
            while True:
                self.say(text.MESSAGE)
                self.rest(0.05)
        if self.fault == "stuck-at-prompt":
            while self.boots == 1 and self.hear() != b"\r":
                pass
            self.say(b"\r\n")
        else:
            self.say(text.UBOOT)
            if self.fault != "at-prompt":
                self.say(text.AUTOBOOT)
                self.count_down()
        self.bootloader()

    def count_down(self):
        """It waits for as long as it takes, redrawing."""
        while not self.typed:
            if not self.wait(0.25):
                self.say(text.AUTOBOOT_AGAIN)
        self.typed = self.typed[1:]
        self.say(text.AUTOBOOT_OVER)

    def bootloader(self):
        while True:
            line = self.read_line(text.PROMPT)
            for command in (line or "").split(";"):
                words = command.split()
                if words and self.command(words):
                    return

    def command(self, words):
        """True: the bootloader is left."""
        if words[0] == "setenv":
            if self.fault == "prompt-in-output":
                self.say(b"=> is what the prompt looks like\r\n" + text.PROMPT + b"and more\r\n")
        elif words[0] == "dhcp":
            self.say(text.DHCP)
        elif words[0] == "tftpboot":
            self.tftpboot(*words[1:])
        elif words[0] == "booti" and self.fault == "boot-refused":
            self.say(text.NO_IMAGE)
        elif words[0] == "booti":
            self.kernel()
            return True
        else:
            self.say(text.lines(text.UNKNOWN.format(words[0])))
        return False

    def tftpboot(self, addr, name):
        self.tries += 1
        begin = text.loading(name, addr)
        image = self.folder / "tftp" / name
        if self.fault == "file-missing" or not image.exists():
            self.say(begin + text.NO_FILE)
        elif self.fault == "arp-exhausted":
            self.say(begin + text.ARP_OVER)
        elif self.fault == "tftp-exhausted" or (self.fault == "tftp-stall" and self.tries == 1):
            self.say(begin + (text.TIMEOUTS if self.fault == "tftp-stall" else text.RETRY_OVER + begin))
            while self.hear() != b"\x03":
                pass
            self.say(text.ABORT)
        else:
            self.say(begin + text.loaded(image.stat().st_size))

    def kernel(self):
        begin = text.HANDOVER + text.KERNEL
        if self.fault == "silent-kernel":
            self.say(text.HANDOVER)
            return
        if self.fault == "reset-loop":
            self.say(text.HANDOVER)
            return self.play()
        if self.fault == "hang":
            self.say(begin)
            return
        if self.fault == "late":
            self.say(begin)
            while True:
                self.rest(0.2)
                self.say(text.MESSAGE)
        if self.fault == "panic":
            self.say(begin + text.PANIC)
            return
        if self.fault.startswith("unplugged") or (self.fault == "renumbered" and self.boots == 1):
            self.say(begin)
            self.rest(0.2)
            self.unplug()
            if self.fault == "renumbered":
                self.plug()
            return
        self.say(begin + text.INIT)
        if self.fault == "fault-dump":
            self.say(text.FAULT_DUMP)
        self.login()

    def login(self):
        if self.fault == "login-split":
            self.say(text.LOGIN[:12])
            self.rest(0.2)
            self.say(text.LOGIN[12:-1])
        else:
            self.say(text.LOGIN)
        if self.fault == "message-at-login":
            self.say(text.MESSAGE)
        while not self.read_line(b""):
            self.say(b"\r\n" + text.LOGIN)
        message = self.fault == "message-in-prompt"
        while True:
            line = self.read_line(b"# " + text.MESSAGE if message else b"# ")
            message = False
            if line:
                self.shell(line)

    def shell(self, line):
        """A real shell, whose output goes through the pty as the kernel's line discipline would send it."""
        with subprocess.Popen(["/bin/sh", "-c", line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=self.folder, start_new_session=True) as p:
            try:
                while True:
                    if select.select([p.stdout], [], [], 0.02)[0]:
                        got = os.read(p.stdout.fileno(), 1024)
                        if not got:
                            return
                        self.say(got.replace(b"\n", b"\r\n"))
                    self.wait(0)
                    if b"\x03" in self.typed:
                        self.typed = self.typed.split(b"\x03", 1)[1]
                        os.killpg(p.pid, signal.SIGINT)
                        self.say(b"^C")
            except PowerCut:
                os.killpg(p.pid, signal.SIGKILL)
                raise


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(FAULTS))
        return 0
    if len(sys.argv) != 3 or sys.argv[1] not in FAULTS:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    board = Board(os.path.abspath(sys.argv[2]), sys.argv[1])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    board.start()
    print(f"noisefloor lab run {shlex.quote(str(board.campaign))}", flush=True)
    try:
        signal.pause()
    except KeyboardInterrupt:
        board.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
