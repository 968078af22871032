# SPDX-License-Identifier: MIT
"""A board that is up: its console is a pty, its shell a real sh on a pty of its own, the kernel's line discipline between."""
import json
import os
import pty
import select
import signal
import threading
import tty

PROMPT = b"# "


class Shell:
    """One board. login: it asks for this user first, and with password for that."""

    def __init__(self, login=None, password=None):
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.name = os.ttyname(self.slave)
        self.login, self.password = login, password
        self.heard = b""  # all that was typed
        self.inject = {}  # once the console has said this: say that, too
        self.said = b""
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(PS1=PROMPT.decode(), ENV="/dev/null", TERM="dumb", LC_ALL="C", HISTFILE="/dev/null")
            os.execv("/bin/sh", ["sh", "-i"])
        self.thread = threading.Thread(target=self.talk, daemon=True)
        self.thread.start()

    def say(self, data):
        while data:
            data = data[os.write(self.master, data):]

    def hear(self):
        """What is typed next; b"" at the end."""
        while not self.ended.is_set():
            if select.select([self.master], [], [], 0.05)[0]:
                data = os.read(self.master, 4096)
                self.heard += data
                return data
        return b""

    def line(self, echo):
        """What is typed up to Enter; None at the end. Enter alone does nothing at a login, so that the prompt stands: one
        that is printed again, late on a busy machine, could be taken for a second question."""
        text = b""
        while not text.endswith(b"\r"):
            data = self.hear()
            if not data:
                return None
            if echo and not text:
                data = data.lstrip(b"\r")
            text += data
            self.say(data.replace(b"\r", b"\r\n") if echo else b"\r\n" * data.count(b"\r"))
        return text[:-1].decode()

    def log_in(self):
        while self.login:
            self.say(b"\r\nboard login: ")
            user = self.line(True)
            if user is None:
                return
            password = None
            if self.password:
                self.say(b"Password: ")
                password = self.line(False)
            if user == self.login and password == self.password:
                return
            self.say(b"\r\nLogin incorrect\r\n")

    def talk(self):
        self.log_in()
        while not self.ended.is_set():
            for fd in select.select([self.master, self.fd], [], [], 0.05)[0]:
                try:
                    data = os.read(fd, 4096)
                except OSError:
                    return  # the shell ended
                if fd == self.master:
                    self.heard += data
                    os.write(self.fd, data)
                    continue
                self.said += data
                for what in [w for w in self.inject if w in self.said]:
                    at = self.said.find(what) + len(what) - (len(self.said) - len(data))
                    data = data[:max(at, 0)] + self.inject.pop(what) + data[max(at, 0):]
                self.say(data)

    def runs(self, name):
        """Is there a process of this name in the board's session?"""
        for d in os.listdir("/proc"):
            try:
                stat = open(f"/proc/{d}/stat").read() if d.isdigit() else ""
            except OSError:
                continue  # it ended
            if f"({name})" in stat and int(stat.rsplit(")", 1)[1].split()[3]) == self.pid:
                return True
        return False

    def end(self):
        self.ended.set()
        self.thread.join()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        for fd in (self.master, self.slave, self.fd):
            os.close(fd)


def campaign(board, user=None, password_env=None, prompt_limit="45s"):
    shell = {"prompt": "# $", **({"user": user} if user else {}), **({"password_env": password_env} if password_env else {})}
    return f"""board:
  name: b
  console: {{ pty: {board.name} }}
  power: {{ driver: command, on: [ "true" ], off: [ "true" ] }}
  shell: {json.dumps(shell)}
configs: [ {{ name: c, done: up, timeout: {{ prompt: {prompt_limit} }} }} ]
"""
