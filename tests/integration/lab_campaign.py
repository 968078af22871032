#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lab_campaign: campaigns on boards that are not there (board_script.py)."""
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

from board_script import Board

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk's fsync is not what is tested
results = []


def case(fn):
    with tempfile.TemporaryDirectory(prefix="nf-camp-", dir=MEMORY) as tmp:
        try:
            fn(pathlib.Path(tmp))
            results.append((fn.__name__, None))
        except AssertionError as e:
            results.append((fn.__name__, str(e) or "assertion"))
    return fn


class Hand:
    """The board's user, by hand."""

    def __init__(self, board):
        self.fd = os.open(board.folder / "console", os.O_RDWR | os.O_NOCTTY)
        self.seen = b""

    def until(self, what):
        end = time.monotonic() + 60
        while what not in self.seen:
            assert time.monotonic() < end, (what, self.seen)
            if select.select([self.fd], [], [], 1)[0]:
                self.seen += os.read(self.fd, 4096)
        before, _, self.seen = self.seen.partition(what)
        return before

    def type(self, words):
        os.write(self.fd, words)


def switch(board, what):
    done = subprocess.run([board.folder / "switch", what], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.strip()


@case
def the_board_boots_by_hand(tmp):
    board = Board(tmp / "b")
    board.start()
    hand = Hand(board)
    assert switch(board, "status") == (0, "off")
    assert switch(board, "on") == (0, "on") and switch(board, "status") == (0, "on")
    hand.until(b"stop autoboot")
    hand.type(b"\x03")
    hand.until(b"\r\n=> ")
    hand.type(b"tftpboot ${kernel_addr_r} Image\r")
    assert hand.until(b"\r\n=> ").endswith(b"Bytes transferred = 30000 (7530 hex)")
    hand.type(b"booti x\r")
    hand.until(b"buildroot login: ")
    hand.type(b"root\r")
    hand.until(b"# ")
    hand.type(b"echo $((6 * 7)); exit 3\r")
    assert hand.until(b"# ") == b"echo $((6 * 7)); exit 3\r\n42\r\n"
    assert switch(board, "off") == (0, "off") and switch(board, "status") == (0, "off")
    assert board.commands[:2] == ["tftpboot ${kernel_addr_r} Image", "booti x"] and board.early == b"", board.early
    assert (board.folder / "switch.log").read_text().split() == board.switched
    board.close()
    assert switch(board, "on")[0] == 1
    os.close(hand.fd)


print(f"1..{len(results)}")
for n, (name, why) in enumerate(results, 1):
    print(f"{'not ok' if why else 'ok'} {n} - {name.replace('_', ' ')}")
    if why:
        print("# " + why.replace("\n", "\n# "))
sys.exit(any(why for _, why in results))
